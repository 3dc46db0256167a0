// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package terminal

import (
	"strings"
	"testing"
	"unicode"
)

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		"plain, 日本語 é ñ العربية ✓": "plain, 日本語 é ñ العربية ✓",
		"a\nb\tc\rd":         `a\nb\tc\rd`,
		"\x1b[31mred":        `\u001b[31mred`,
		"\u202eabc\u2066":    `\u202eabc\u2066`,
		"a\u200bb\ufeff":     `a\u200bb\ufeff`,
		"\U000e0041":         `\U000e0041`,
		"\xff\xfe":           `\xff\xfe`,
		"\u2028\u2029\u0085": `\u2028\u2029\u0085`,
		"\u3164\u115f":       `\u3164\u115f`,
		"❤\ufe0f":            "❤\ufe0f",
	} {
		if got := Escape(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
	if got := EscapeLines("a\x1b\nb"); got != `a\u001b`+"\nb" {
		t.Errorf("lines: %q", got)
	}
	if got := Shorten(strings.Repeat("ab", 10), 5); got != "abab…" {
		t.Errorf("shortened to %q", got)
	}
}

func FuzzEscape(f *testing.F) {
	for _, seed := range []string{"", "a\x1b[0m", "\u202e", "\xff", "日本語"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, r := range Escape(s) {
			if unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp, unicode.Cf) {
				t.Fatalf("%q keeps %U", s, r)
			}
		}
	})
}
