// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package screen

import "memorytrust.dev/operator/internal/screen/intent"

// intentModel judges one sentence, whatever its language.
type intentModel interface {
	Score(sentence string) intent.Score
}

// defaultModel is the embedded model.
func defaultModel() intentModel { return intent.Embedded() }
