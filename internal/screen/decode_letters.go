// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"strings"
	"unicode/utf8"
)

const (
	// minForeign is how many words in a row must become words of a lexicon when rotated
	// or reversed, and be none as they stand. Words of other languages do so now and
	// then, three in a row do not.
	minForeign = 3
	// minForeignWord is the shortest word, in letters, that counts.
	minForeignWord = 4
)

// foreignReader watches for words that ROT13 or reading from the end explains. It is
// fed while a view is scanned, when the words of a sentence have been looked up.
type foreignReader struct {
	rotated, reversed int                // where the first such run starts, -1 when there is none
	unknown           int                // words of the run that no lexicon has
	last              [minForeign][2]int // the last of them, the latest first
}

func (f *foreignReader) reset() { *f = foreignReader{rotated: -1, reversed: -1} }

func (f *foreignReader) feed(text string, tokens []token, x *index) {
	for i := range tokens {
		t := &tokens[i]
		if t.kind != kindWord || t.run != 0 || t.end-t.start < minForeignWord {
			continue
		}
		if t.word != nil || t.end-t.start > maxSegment {
			f.unknown = 0
			continue
		}
		f.unknown++
		f.last = [minForeign][2]int{{t.start, t.end}, f.last[0], f.last[1]}
		if f.unknown < minForeign {
			continue
		}
		if f.reversed < 0 && f.allReversed(text, x) {
			f.reversed = f.last[minForeign-1][0]
		}
		if f.rotated < 0 && f.allRotated(text, x) {
			f.rotated = f.last[minForeign-1][0]
		}
	}
}

// allReversed reports whether the last unknown words are all words of a lexicon when
// read from their ends.
func (f *foreignReader) allReversed(text string, x *index) bool {
	for _, at := range f.last {
		if !reversesToWord(text[at[0]:at[1]], x) {
			return false
		}
	}
	return true
}

// allRotated reports whether the last unknown words are all words of a lexicon when
// rotated.
func (f *foreignReader) allRotated(text string, x *index) bool {
	for _, at := range f.last {
		if !rotatesToWord(text[at[0]:at[1]], x) {
			return false
		}
	}
	return true
}

// rotatesToWord reports whether ROT13 makes a word of a lexicon of an ASCII word. Many
// vowels speak for a word as it stands.
func rotatesToWord(word string, x *index) bool {
	node, vowels, ok := 0, 0, false
	for i := range len(word) {
		c := lowerASCII(word[i])
		if c < 'a' || c > 'z' {
			return false
		}
		if isVowel(c) {
			vowels++
		}
		if node, ok = x.step(node, 'a'+(c-'a'+13)%26); !ok {
			return false
		}
	}
	return x.nodes[node].word >= 0 && vowels*4 <= len(word)+4
}

// reversesToWord reports whether a word is one of a lexicon when read from its end.
func reversesToWord(word string, x *index) bool {
	node := 0
	for len(word) > 0 {
		_, size := utf8.DecodeLastRuneInString(word)
		next, _, ok := x.stepRune(node, word[len(word)-size:])
		if !ok {
			return false
		}
		node, word = next, word[:len(word)-size]
	}
	return x.nodes[node].word >= 0
}

func rot13(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z':
		return 'a' + (r-'a'+13)%26
	case r >= 'A' && r <= 'Z':
		return 'A' + (r-'A'+13)%26
	}
	return r
}

// reverse reads a text from its end.
func reverse(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for len(s) > 0 {
		r, size := utf8.DecodeLastRuneInString(s)
		b.WriteRune(r)
		s = s[:len(s)-size]
	}
	return b.String()
}

// reverseWords reads every word from its end.
func reverseWords(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		end := i
		for end < len(s) && (s[end] >= utf8.RuneSelf || isAlphanumeric(s[end])) {
			end++
		}
		if end == i {
			b.WriteByte(s[i])
			i++
			continue
		}
		b.WriteString(reverse(s[i:end]))
		i = end
	}
	return b.String()
}
