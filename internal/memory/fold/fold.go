// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package fold brings texts of any script to a form in which they compare as the same if a reader would take them for the same.
// It follows Unicode: categories of signs, and compatibility decomposition (NFKD). Sketches that stores keep are made of
// what it returns, so that none of it may change without writing them anew.
package fold

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Dense reports whether r is of a script that writes a syllable or a word with one sign and no spaces between words.
func Dense(r rune) bool {
	return r >= 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// Letters is the letters and digits of a text in lower case, without accents, width and other variants of the same sign. Of a
// text that has none it is every sign but spaces, as it is.
func Letters(content string) []rune {
	out := make([]rune, 0, len(content))
	keep := func(r rune) {
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) && (!unicode.IsMark(r) || accent(r)) {
			return
		}
		out = append(out, unicode.ToLower(r))
	}
	foldInto(content, keep)
	if len(out) > 0 {
		return out
	}
	for _, r := range content {
		if !unicode.IsSpace(r) {
			out = append(out, r)
		}
	}
	return out
}

// Word brings a word to the form in which words are compared: its Letters. A word without letters and digits keeps its spaces,
// and its signs in the one form that Unicode (NFKC) has for their variants.
func Word(w string) string {
	if !strings.ContainsFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
		return norm.NFKC.String(w)
	}
	return string(Letters(w))
}

// foldInto calls keep with each rune of content, decomposed.
func foldInto(content string, keep func(rune)) {
	ascii := 0
	for ascii < len(content) && content[ascii] < utf8.RuneSelf {
		keep(rune(content[ascii]))
		ascii++
	}
	if ascii == len(content) {
		return
	}
	var it norm.Iter
	for it.InitString(norm.NFKD, content[ascii:]); !it.Done(); {
		for segment := it.Next(); len(segment) > 0; {
			r, size := utf8.DecodeRune(segment)
			keep(r)
			segment = segment[size:]
		}
	}
}

// accent reports whether r is a mark that a writer may leave out without writing another word: Latin, Greek and Cyrillic
// accents, Arabic and Hebrew vowel points. The vowel signs of Thai and the scripts of India are none.
func accent(r rune) bool {
	switch {
	case r >= 0x0300 && r <= 0x036f, r >= 0x0591 && r <= 0x05c7, r >= 0x064b && r <= 0x065f, r == 0x0670:
		return true
	}
	return false
}
