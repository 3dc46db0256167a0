// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package intent

import (
	"sync"
	"unicode"
)

// runeClass is what a rune is to the Reader.
type runeClass uint8

const (
	classPunct runeClass = iota // punctuation and symbols: ends a word and is a feature of its own
	classSpace                  // ends a word
	classDigit
	classSkip   // invisible: read over, also inside a word
	classLetter // letter or mark of a script that puts spaces between words
	classBlock  // syllable of such a script that says in one rune what others need two or three for
	classDense  // letter or mark of a script without spaces
)

// tableRunes is where the class table ends: below are all alphabets in daily use,
// above are Han, Hangul and rare scripts, which few comparisons tell apart.
const tableRunes = 0x3100

// runeInfo is the folded form of a rune and its class.
type runeInfo struct {
	fold  uint16
	class runeClass
}

// runeTable holds what is known of the runes below tableRunes. It is built on the
// first use: 12,000 look-ups in Unicode's tables would burden programs that never screen.
var runeTable = sync.OnceValue(func() *[tableRunes]runeInfo {
	var table [tableRunes]runeInfo
	for i := range table {
		r := rune(i)
		folded, class := slowRune(r)
		if folded >= tableRunes { // a few letters fold to a block far away; they stay as they are
			folded = r
		}
		table[i] = runeInfo{fold: uint16(folded), class: class}
	}
	return &table
})

// classify folds a rune to lower case and says its class.
func classify(table *[tableRunes]runeInfo, r rune) (rune, runeClass) {
	switch {
	case uint32(r) < tableRunes: //nolint:gosec // a negative rune becomes large and is no table index
		info := table[r]
		return rune(info.fold), info.class
	case r >= 0x3400 && r <= 0x9FFF:
		return r, classDense
	case r >= 0xAC00 && r <= 0xD7A3:
		return r, classBlock
	}
	return slowRune(r)
}

// slowRune is classify by Unicode's own tables.
func slowRune(r rune) (rune, runeClass) {
	switch {
	case unicode.IsSpace(r):
		return ' ', classSpace
	case unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Variation_Selector, r):
		return r, classSkip
	case unicode.IsDigit(r):
		return '0', classDigit
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer,
		unicode.Myanmar) && (unicode.IsLetter(r) || unicode.IsMark(r)):
		return r, classDense
	case r >= 0xFF21 && r <= 0xFF5A && unicode.IsLetter(r): // full-width Latin
		return unicode.ToLower(r - 0xFF21 + 'A'), classLetter
	case unicode.IsLetter(r), unicode.IsMark(r):
		return unicode.ToLower(r), classLetter
	}
	return r, classPunct
}
