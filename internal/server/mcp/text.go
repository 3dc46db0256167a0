// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package mcp

import (
	"bytes"
	"encoding/json"
	"strings"
)

// lineSeparators takes back the one escape that Go's encoder insists on and JavaScript's does not use. Escaped
// backslashes are consumed first, so that text which merely looks like an escape stays as it is.
var lineSeparators = strings.NewReplacer(`\\`, `\\`, `\u2028`, "\u2028", `\u2029`, "\u2029")

// marshal writes JSON as JSON.stringify(v, null, indent) does, byte for byte.
func marshal(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return []byte(lineSeparators.Replace(strings.TrimSuffix(b.String(), "\n"))), nil
}
