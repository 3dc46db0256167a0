// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package words prepares texts for SQLite's full-text index, and free text of users for searching it. It knows nothing of
// SQLite but the syntax of a quoted term.
package words

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Bounds of a query. What a user types beyond them is not looked at.
const (
	MaxTerms      = 32
	maxQueryBytes = 16 << 10
	maxTermBytes  = 128
)

// Searchable prepares a text for the index: compatibility forms folded, and the letters of scripts that write without
// spaces set apart, since the tokenizer would take a whole sentence for one word.
func Searchable(text string) string {
	folded := norm.NFKC.String(text)
	if !strings.ContainsFunc(folded, unspaced) {
		return folded
	}
	var b strings.Builder
	b.Grow(len(folded) + len(folded)/3)
	apart := false
	for _, r := range folded {
		switch mark := unicode.Is(unicode.M, r); {
		case unspaced(r):
			b.WriteByte(' ')
			apart = true
		case apart && !mark: // a mark belongs to the letter before
			b.WriteByte(' ')
			apart = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

// unspaced reports whether r is a letter of a script written without spaces between words.
func unspaced(r rune) bool {
	return r >= 0x0e00 && unicode.IsLetter(r) &&
		unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// Terms turns free text into FTS5 expressions, one for each of its words. Each is a quoted string of letters, digits
// and marks, so that nothing in the text is query syntax. Words of a script without spaces become all their pairs of
// neighboring letters.
func Terms(text string) []string {
	text = strings.ToValidUTF8(text[:min(len(text), maxQueryBytes)], "")
	seen := map[string]bool{}
	var terms []string
	add := func(term string) {
		if term != "" && !seen[term] && len(terms) < MaxTerms {
			seen[term] = true
			terms = append(terms, `"`+term+`"`)
		}
	}
	for _, word := range strings.FieldsFunc(norm.NFKC.String(text), notWord) {
		for word != "" && len(terms) < MaxTerms {
			run, rest := cutRun(word)
			if first, _ := utf8.DecodeRuneInString(run); unspaced(first) {
				addPairs(run, add)
			} else if len(run) <= maxTermBytes {
				add(strings.ToLower(run))
			}
			word = rest
		}
	}
	return terms
}

func notWord(r rune) bool { return !unicode.In(r, unicode.L, unicode.N, unicode.M) }

// cutRun cuts the longest start of word that is of one kind, spaced or unspaced. Marks stay with what they follow.
func cutRun(word string) (run, rest string) {
	first, size := utf8.DecodeRuneInString(word)
	kind := unspaced(first)
	for i, r := range word[size:] {
		if !unicode.Is(unicode.M, r) && unspaced(r) != kind {
			return word[:size+i], word[size+i:]
		}
	}
	return word, ""
}

// addPairs adds each pair of neighbors as a phrase; a letter on its own as a word.
func addPairs(run string, add func(string)) {
	letters := strings.Fields(Searchable(run))
	if len(letters) == 1 {
		add(letters[0])
	}
	for i := 1; i < len(letters); i++ {
		add(letters[i-1] + " " + letters[i])
	}
}
