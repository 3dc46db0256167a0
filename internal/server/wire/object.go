// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding/json"

	"github.com/danielgtaylor/huma/v2"
)

// Object is a JSON object exactly as it was sent, for whoever has to see names that are there twice, and numbers as they were
// written.
type Object struct{ json.RawMessage }

// Schema implements huma.SchemaProvider.
func (Object) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
}
