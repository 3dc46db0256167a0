// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"crypto/sha256"
	"sync"

	"k8s.io/utils/lru"

	"memorytrust.dev/operator/internal/action"
)

// maxReadTurns is how many turns are kept ready. A turn leads to several tool calls, and few turns do at a time; the longest
// ones take a few hundred kilobytes each.
const maxReadTurns = 32

// readTurns keeps the turns that were looked at last, ready for the next call. What it holds depends on the words alone, so it
// is never out of date. The zero value is ready to use.
type readTurns struct {
	once   sync.Once
	byHash *lru.Cache // of action.Text, by the SHA-256 of what was said
}

// read prepares what was said.
func (t *readTurns) read(said string) action.Text {
	t.once.Do(func() { t.byHash = lru.New(maxReadTurns) })
	hash := sha256.Sum256([]byte(said))
	if kept, ok := t.byHash.Get(hash); ok {
		if text, ok := kept.(action.Text); ok {
			return text
		}
	}
	text := action.NewText(said)
	t.byHash.Add(hash, text)
	return text
}
