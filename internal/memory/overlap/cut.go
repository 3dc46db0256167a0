// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package overlap

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"memorytrust.dev/operator/internal/memory/fold"
)

// unit is a word or, of a script that writes without spaces, a letter with the marks on it.
type unit struct {
	hash       uint64 // of its letters and digits, in lower case and without accents
	weight     int    // how much of a shingle it is
	size       int    // letters and digits, none of a number, signs that stand for several of them as such
	start, end int    // where it stands in the text
	capital    bool   // begins with a capital letter
	opens      bool   // begins a sentence
	joined     bool   // one space or hyphen is all that stands between it and the unit before
	asks       bool   // ends a sentence that is a question
}

// Weights of units. A shingle has at least shingleWeight: three words, five signs of Chinese or Japanese, nine letters of Thai.
const (
	wordWeight    = 15
	signWeight    = 9
	letterWeight  = 5
	shingleWeight = 45
)

// FNV-1a, by runes.
const (
	hashSeed  = 0xcbf29ce484222325
	hashPrime = 0x100000001b3
)

func addRune(hash uint64, r rune) uint64 { return (hash ^ uint64(r)) * hashPrime } // #nosec G115 -- runes are not negative

// prepare brings a text into the form it is cut in: compatibility forms folded, digits of any script as ASCII, and nothing
// left of what a reader does not see.
func prepare(text string) string {
	if isASCII(text) {
		return text
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r < utf8.RuneSelf:
		case unicode.Is(unicode.Cf, r):
			return -1
		case unicode.Is(unicode.Nd, r):
			return '0' + digitValue(r)
		}
		return r
	}, norm.NFKC.String(strings.ToValidUTF8(text, " ")))
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// digitValue counts from the zero of the script of r: Unicode keeps the ten digits of a script together.
func digitValue(r rune) rune {
	value := rune(0)
	for value < 9 && unicode.Is(unicode.Nd, r-value-1) {
		value++
	}
	return value
}

// cut cuts a prepared text into units.
func cut(text string) []unit {
	units := make([]unit, 0, len(text)/6+1)
	opens, gap := true, 0
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !wordRune(r) {
			if ends, asks := endsSentence(text, i, r); ends {
				opens = true
				if asks && len(units) > 0 {
					units[len(units)-1].asks = true
				}
			}
			if gap++; r != ' ' && r != '-' && r != '\u00a0' {
				gap = 2
			}
			i += size
			continue
		}
		u := readUnit(text, i)
		u.opens, u.joined = opens, gap <= 1 && len(units) > 0
		units = append(units, u)
		opens, gap = false, 0
		i = u.end
	}
	return units
}

// wordRune reports whether r is part of a word.
func wordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// endsSentence reports whether r, which stands in text at i, ends a sentence, and whether that is a question. A point inside
// of a number, name or address ends none.
func endsSentence(text string, i int, r rune) (ends, asks bool) {
	switch r {
	case '\n', '\r', ';', '。', '！', '؛', '।', '…', '\u2028', '\u2029', '!':
		return true, false
	case '？', '؟':
		return true, true
	case '?', '.':
		if i+1 == len(text) || !wordRune(rune(text[i+1])) && text[i+1] < utf8.RuneSelf || text[i+1] >= utf8.RuneSelf {
			return true, r == '?'
		}
	}
	return false, false
}

// readUnit reads the unit that begins at i.
func readUnit(text string, i int) unit {
	first, size := utf8.DecodeRuneInString(text[i:])
	u := unit{start: i, end: i + size, weight: wordWeight, capital: unicode.IsUpper(first) || unicode.IsTitle(first)}
	kind := scriptOf(first)
	for u.end < len(text) {
		r, size := utf8.DecodeRuneInString(text[u.end:])
		if !wordRune(r) || (kind != spaced || scriptOf(r) != spaced) && !unicode.IsMark(r) {
			break
		}
		u.end += size
	}
	u.hash, u.size = hashWord(text[u.start:u.end])
	switch kind {
	case signs:
		u.weight, u.size = signWeight, 3
	case letters:
		u.weight, u.size = letterWeight, 2
	case spaced:
		if isDigit(text[u.start]) {
			u.size = 0
		}
	}
	return u
}

// hashWord is the hash of a word's letters and digits as they compare, and how many there are.
func hashWord(word string) (hash uint64, size int) {
	hash = hashSeed
	if isASCII(word) {
		for i := range len(word) {
			c := word[i]
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			hash = addRune(hash, rune(c))
		}
		return hash, len(word)
	}
	if plain(word) {
		for _, r := range word {
			hash = addRune(hash, unicode.ToLower(r))
			size++
		}
		return hash, size
	}
	letters := fold.Letters(word)
	for _, r := range letters {
		hash = addRune(hash, r)
	}
	return hash, len(letters)
}

// plain reports whether folding a word only takes its capitals away: it has neither accents nor other variants.
func plain(word string) bool {
	return norm.NFKD.QuickSpanString(word) == len(word) && !strings.ContainsFunc(word, unicode.IsMark)
}

// script is how a script separates words.
type script int

const (
	spaced  script = iota // with spaces
	signs                 // not at all, and writes a word or a syllable with each sign
	letters               // not at all, with letters
)

func scriptOf(r rune) script {
	switch {
	case r < 0x0e00, r >= 0xac00 && r < 0xd7a4:
		return spaced
	case r >= 0x4e00 && r < 0xa000:
		return signs
	case fold.Dense(r) || r == 'ー':
		return signs
	case unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
		return letters
	}
	return spaced
}
