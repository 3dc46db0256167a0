// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestLoneSurrogate(t *testing.T) {
	for body, want := range map[string]int{
		`"plain"`: -1, `"\\ud83d"`: -1, `"\\\ud83d"`: 3, `"\ud83d\ude00"`: -1, `"\ud83d"`: 1, `"\ud83dx"`: 1, `"\ude00"`: 1,
		`"\ud83d\ud83d\ude00"`: 1, `"a\n\"\u0041\ud83d\u0041"`: 12, `"\uD83D\uDE00\uDC00"`: 13, `"\\"`: -1,
	} {
		if got := loneSurrogate([]byte(body)); got != want {
			t.Errorf("%s: %d, want %d", body, got, want)
		}
	}
}

// What passes the check decodes to exactly what was sent: the decoder replaced nothing.
func FuzzCheckJSON(f *testing.F) {
	for _, seed := range []string{`{"content":"a"}`, `"\ud83d\ude00"`, `"\ud83d"`, "\"\xff\"", `"\\ud83d"`, `[`, `{"a":"\u0000"}`, ``} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if CheckJSON(body) != "" {
			return
		}
		var v any
		if err := json.Unmarshal(body, &v); err != nil {
			t.Fatalf("passed and does not decode: %v", err)
		}
		if bytes.Contains(body, []byte("\ufffd")) || strings.Contains(strings.ToLower(string(body)), `\ufffd`) {
			return
		}
		if again, err := json.Marshal(v); err != nil || bytes.Contains(again, []byte("\ufffd")) || bytes.Contains(again, []byte(`\ufffd`)) {
			t.Fatalf("the decoder replaced something in %q", body)
		}
	})
}
