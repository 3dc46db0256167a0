// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memory

import (
	"strings"
	"unicode"

	"memorytrust.dev/operator/internal/memory/claim"
)

// Costs in thousandths of a token. They were fitted to OpenAI's cl100k vocabulary on texts in 28 languages, source code,
// JSON and random strings; testdata/tokens.txt holds these texts and the counts. Newer vocabularies need fewer tokens for
// most scripts, so that the estimate errs on the side of a budget that is kept.
const (
	tokenCost      = 1000
	englishCost    = 220 // each letter of a word, which costs a whole token at least
	latinCost      = 420 // the same in any other language with Latin letters: the vocabulary knows fewer of their words whole
	accentedCost   = 650 // a Latin letter beyond ASCII
	cyrillicCost   = 700 // and so on, for each sign of these scripts
	nearCost       = 1050
	arabicCost     = 800
	farCost        = 1200 // Kana, Hangul, Thai, Devanagari
	hanCost        = 1450
	rareCost       = 2750 // scripts of three bytes the vocabulary hardly knows
	astralCost     = 3100 // emoji and whatever else takes four bytes
	numberCost     = 550  // of each number, for the space that goes with no digit
	digitsPerToken = 3
	punctCost      = 600
	randomCost     = 750 // a letter or digit of a key, a hash, an encoded blob
	longestWord    = 24  // more letters in a row are no word
	mixesTolerated = 2   // changes between letters, digits and cases inside a word: iPhone15 has three
	// englishWords is the share of words, one in so many, that have to be English ones that say little.
	englishWords = 5
)

// Tokens estimates how many tokens of a language model a text takes, in any script. It is meant for budgets: for the texts
// it was fitted to it is at most a tenth below what was counted, and at most twice that.
func Tokens(text string) int {
	var c tokenCount
	for i, r := range text {
		if r < 0x250 && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			c.word.add(i, r)
			continue
		}
		c.endWord(text[:i])
		c.cost += signCost(r)
	}
	c.endWord(text)
	cost := c.cost + c.latin
	if c.little*englishWords >= c.words {
		cost = c.cost + c.english
	}
	return (cost + tokenCost - 1) / tokenCost
}

// tokenCount adds up a text, its words as if it were English and as if it were not.
type tokenCount struct {
	word           wordShape
	cost           int
	english, latin int
	words, little  int // words, and how many are English ones that say little
}

// endWord takes the word that text ends with, if it does.
func (c *tokenCount) endWord(text string) {
	w := c.word
	c.word = wordShape{}
	n := w.letters + w.accented + w.digits
	switch {
	case n == 0:
		return
	case w.mixes > mixesTolerated || w.letters > longestWord:
		c.cost += n * randomCost
		return
	}
	if w.digits > 0 {
		c.cost += (w.digits+digitsPerToken-1)/digitsPerToken*tokenCost + numberCost
	}
	if w.letters+w.accented == 0 {
		return
	}
	c.english += max(tokenCost, w.letters*englishCost+w.accented*accentedCost)
	c.latin += max(tokenCost, w.letters*latinCost+w.accented*accentedCost)
	c.words++
	if claim.LittleEnglish(strings.ToLower(text[w.start:])) {
		c.little++
	}
}

// wordShape is a run of Latin letters and digits.
type wordShape struct {
	start                            int // offset in the text
	letters, accented, digits, mixes int
	last                             int // kind of the last sign: 1 lower case, 2 upper case, 3 digit
}

func (w *wordShape) add(offset int, r rune) {
	if w.last == 0 {
		w.start = offset
	}
	kind := 1
	switch {
	case unicode.IsDigit(r):
		kind = 3
		w.digits++
	case r >= 0x80:
		w.accented++
	default:
		w.letters++
	}
	if kind == 1 && unicode.IsUpper(r) {
		kind = 2
	}
	if w.last != 0 && kind != w.last && (w.last != 2 || kind != 1 || w.letters+w.accented+w.digits > 2) {
		w.mixes++ // Titlecase is none
	}
	w.last = kind
}

func signCost(r rune) int {
	switch {
	case r == ' ':
		return 0 // goes with the word behind it
	case r < 0x80:
		return punctCost
	case r < 0x250:
		return tokenCost
	case unicode.Is(unicode.Cyrillic, r):
		return cyrillicCost
	case unicode.Is(unicode.Arabic, r):
		return arabicCost
	case r < 0x800:
		return nearCost
	case unicode.Is(unicode.Han, r):
		return hanCost
	case r >= 0x10000:
		return astralCost
	case r >= 0x2000 && r < 0x2c00, r >= 0x3000 && r < 0x3040, r >= 0xff00:
		return tokenCost // punctuation and symbols
	case unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Devanagari):
		return farCost
	}
	return rareCost
}
