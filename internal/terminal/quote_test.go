// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package terminal

import (
	"strings"
	"testing"
)

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"rita@example.com": "rita@example.com", "": "''", "two words": "'two words'", "it's": `'it'\''s'`, "$(rm)": "'$(rm)'", "é": "'é'",
	} {
		if got := Quote(in); got != want {
			t.Errorf("%q: %s, not %s", in, got, want)
		}
	}
}

func FuzzQuote(f *testing.F) {
	for _, s := range []string{"", "a b", "it's", "$(x)", "`x`", "-n", "é", "\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Quote(s)
		// Outside of quotes a shell sees only what it takes as it stands.
		inside := false
		var word strings.Builder
		for i := 0; i < len(got); i++ {
			switch c := got[i]; {
			case c == '\'':
				inside = !inside
			case !inside && c == '\\' && i+1 < len(got) && got[i+1] == '\'':
				word.WriteByte('\'')
				i++
			case !inside && strings.ContainsRune(" \t\n$`\"\\|&;<>()*?[]#~!{}", rune(c)):
				t.Fatalf("%q leaves %q to the shell", s, c)
			default:
				word.WriteByte(c)
			}
		}
		if inside || word.String() != s {
			t.Fatalf("%q became %q", s, got)
		}
	})
}
