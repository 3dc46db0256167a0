// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package words

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestTerms(t *testing.T) {
	for name, tc := range map[string]struct{ text, want string }{
		"words":             {"Where are the Olives?", "where are the olives"},
		"operators":         {`olives AND NOT "capers" NEAR(x)`, "olives and not capers near x"},
		"repeated":          {"tea Tea TEA", "tea"},
		"numbers":           {"#1183, $4,500", "1183 4 500"},
		"diacritics":        {"Café Müller, Việt", "cafe muller viet"},
		"Greek":             {"Ελιές λόγος", "ελιεσ λογοσ"},
		"Russian":           {"Ёлка ещё мой", "елка еще мой"},
		"Hindi keeps marks": {"हिन्दी", "हिन्दी"},
		"pairs of letters":  {"お茶が好き", "お茶 茶が が好 好き"},
		"Korean":            {"커피를 좋아해", "커피 피를 좋아 아해"},
		"one letter":        {"茶", "茶"},
		"letters and marks": {"เย็นนี้", "เย็น ย็นนี้"},
		"two letters":       {"ชา", "ชา"},
		"mixed":             {"iPhone用 4K映画 漢字ไทย", "iphone 用 4k 映画 漢字 ไทย"},
		"fullwidth":         {"ＡＢＣ", "abc"},
		"no words":          {`"*():^-`, ""},
		"too long a word":   {strings.Repeat("x", 200), ""},
		"invalid":           {"tea\xff\xfecup", "teacup"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := strings.Join(Terms(tc.text), " "); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
	if got := len(Terms(manyWords(200))); got != MaxTerms {
		t.Errorf("200 words gave %d terms, want %d", got, MaxTerms)
	}
}

func manyWords(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "word%d ", i)
	}
	return b.String()
}

func TestOf(t *testing.T) {
	for text, want := range map[string]string{
		"Plain text, plain": "plain text",
		"お茶 and tea":        "お お茶 茶 and tea",
		"iPhone用の":          "iphone 用 用の の",
		"차를":                "차 차를 를",
		"ชาไทย":             "ช ชา ชาไ า าไ าไท ไ ไท ไทย ท ทย ย",
		"":                  "",
	} {
		if got := strings.Join(Of(text), " "); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	if got := len(Of(manyWords(100))); got != 100 {
		t.Errorf("100 words gave %d", got)
	}
}

// Whatever a text is, its words are letters, digits and marks in their folded form, and looking for the text finds it.
func FuzzWords(f *testing.F) {
	for _, seed := range []string{"olives", `" OR body:x`, "お茶 and tea", "\x00", "a\u0301b", "ผู้ใช้", "NEAR(a b, 3)", "\xff", "커피를", "ΣΑΣ ẞ İ ŉ ſ"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		terms := Terms(text)
		if len(terms) > MaxTerms {
			t.Fatalf("%d terms", len(terms))
		}
		indexed := Of(text)
		for _, word := range slices.Concat(terms, indexed) {
			if word == "" || len(word) > maxWordBytes || !utf8.ValidString(word) {
				t.Fatalf("word %q", word)
			}
			if strings.ContainsFunc(word, func(r rune) bool { return !unicode.In(r, unicode.L, unicode.N, unicode.M) }) {
				t.Fatalf("word %q holds more than letters, digits and marks", word)
			}
		}
		if !utf8.ValidString(text) || len(text) > maxQueryBytes {
			return
		}
		for _, term := range terms {
			if !slices.Contains(indexed, term) {
				t.Fatalf("%q is looked for and not among %q", term, indexed)
			}
		}
	})
}
