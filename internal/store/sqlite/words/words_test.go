// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package words

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTerms(t *testing.T) {
	for name, tc := range map[string]struct{ text, want string }{
		"words":             {"Where are the Olives?", `"where" OR "are" OR "the" OR "olives"`},
		"operators":         {`olives AND NOT "capers" NEAR(x)`, `"olives" OR "and" OR "not" OR "capers" OR "near" OR "x"`},
		"repeated":          {"tea Tea TEA", `"tea"`},
		"numbers":           {"#1183, $4,500", `"1183" OR "4" OR "500"`},
		"pairs of letters":  {"お茶が好き", `"お 茶" OR "茶 が" OR "が 好" OR "好 き"`},
		"one letter":        {"茶", `"茶"`},
		"letters and marks": {"เย็น", `"เ ย็" OR "ย็ น"`},
		"mixed":             {"iPhone用", `"iphone" OR "用"`},
		"fullwidth":         {"ＡＢＣ", `"abc"`},
		"no words":          {`"*():^-`, ""},
		"too long a word":   {strings.Repeat("x", 200), ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := strings.Join(Terms(tc.text), " OR "); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
	if got := len(Terms(manyWords(100))); got != MaxTerms {
		t.Errorf("100 words gave %d terms, want %d", got, MaxTerms)
	}
}

func manyWords(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "word%d ", i)
	}
	return b.String()
}

func TestSearchable(t *testing.T) {
	for text, want := range map[string]string{
		"plain text":  "plain text",
		"ＡＢＣ":         "ABC",
		"お茶 and tea":  " お 茶  and tea",
		"iPhone用の":    "iPhone 用 の",
		"Привет, мир": "Привет, мир",
		"เย็นนี้":     " เ ย็ น นี้",
		"":            "",
	} {
		if got := Searchable(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// Terms are few, bounded, and nothing in them can end the quotes around them; preparing a text loses no letter of it.
func FuzzTerms(f *testing.F) {
	for _, seed := range []string{"olives", `" OR body:x`, "お茶 and tea", "\x00", "a\u0301b", "ผู้ใช้", "NEAR(a b, 3)", "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		terms := Terms(text)
		if len(terms) > MaxTerms {
			t.Fatalf("%d terms", len(terms))
		}
		for _, term := range terms {
			inner := strings.TrimSuffix(strings.TrimPrefix(term, `"`), `"`)
			if len(inner) != len(term)-2 || inner == "" || len(inner) > maxTermBytes+2 || !utf8.ValidString(inner) {
				t.Fatalf("term %q", term)
			}
			if strings.ContainsFunc(inner, func(r rune) bool { return r != ' ' && notWord(r) }) {
				t.Fatalf("term %q holds more than letters, digits and marks", term)
			}
		}
		if utf8.ValidString(text) && len(text) < maxQueryBytes && len(terms) == 0 && strings.ContainsAny(text, "abcdefghijklm") && len(text) < maxTermBytes {
			t.Fatalf("no terms for %q", text)
		}
	})
}
