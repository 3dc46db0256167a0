// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// runeClass is what the engine needs to know about a character, as a bit set.
type runeClass uint16

const (
	runeWord        runeClass = 1 << iota // letter, digit or mark: part of a word
	runeDigit                             // decimal digit
	runeUpper                             // has another form in lower case
	runeMark                              // combining mark
	runeLatin                             // letter of the Latin script
	runeOrthography                       // Latin letter that some language writes its words with
	runeSymbol                            // symbol, other (So)
	runeLookAlike                         // in the table of confusable letters
	runeInvisible                         // without a glyph, or dropped or rewritten with those
	runeQuote                             // typographic variant of an ASCII sign
	runeUnstable                          // NFKC may change it or its surroundings
	runeIdeograph                         // Han, Hiragana, Katakana, Bopomofo, Yi: no spaces between words
	runeSyllabic                          // Thai, Lao, Khmer, Myanmar, Tibetan: no spaces between words
	runeHangul                            // Hangul
)

// Scripts that are written without spaces between words, by how their runs are cut.
var (
	ideographScripts = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo, unicode.Yi}
	syllabicScripts  = []*unicode.RangeTable{
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan, unicode.Javanese, unicode.Balinese,
		unicode.Tai_Tham, unicode.New_Tai_Lue, unicode.Tai_Le, unicode.Tai_Viet,
	}
)

// runeGroup are the classes at whose change a word ends: no language writes a word
// in letters of two of them.
const runeGroup = runeIdeograph | runeSyllabic | runeHangul

// runeUnspaced are the classes of scripts written without spaces.
const runeUnspaced = runeIdeograph | runeSyllabic

const runePage = 256

// runePages caches the classes of characters, filled page by page as texts use them: a few
// kilobytes for ordinary texts, and never more than runeClass for every character there is.
var runePages [(unicode.MaxRune + 1) / runePage]atomic.Pointer[[runePage]runeClass]

// classOf returns the classes of a character.
func classOf(r rune) runeClass {
	if r < 0 || r > unicode.MaxRune {
		return classify(r)
	}
	page := runePages[r/runePage].Load()
	if page == nil {
		page = fillPage(r / runePage)
	}
	return page[r%runePage]
}

func fillPage(n rune) *[runePage]runeClass {
	var page [runePage]runeClass
	for i := range rune(runePage) {
		page[i] = classify(n*runePage + i)
	}
	runePages[n].Store(&page)
	return &page
}

// classify looks a character up in the tables of the Unicode Standard.
func classify(r rune) runeClass {
	var c runeClass
	set := func(on bool, bits runeClass) {
		if on {
			c |= bits
		}
	}
	letter := unicode.IsLetter(r)
	set(letter || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Mc, r), runeWord)
	set(unicode.IsDigit(r), runeDigit)
	set(unicode.ToLower(r) != r, runeUpper)
	set(unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r), runeMark)
	set(unicode.Is(unicode.Latin, r), runeLatin)
	set(letter && orthographic(r), runeOrthography)
	set(unicode.Is(unicode.So, r), runeSymbol)
	_, confusable := confusableLetters[r]
	set(confusable, runeLookAlike)
	_, selector := variationSelector(r)
	set(selector || invisible(r) || rewritten(r), runeInvisible)
	set(plainPunctuation(r) != r, runeQuote)
	set(r >= utf8.RuneSelf && unstable(r), runeUnstable)
	set(unicode.In(r, ideographScripts...) || r == 'ー', runeIdeograph)
	set(unicode.In(r, syllabicScripts...), runeSyllabic)
	set(unicode.Is(unicode.Hangul, r), runeHangul)
	return c
}

// orthographic holds for the Latin blocks that the orthographies of Europe, of Turkish
// and of Vietnamese draw on; the phonetic and letter-like blocks are disguises mostly.
func orthographic(r rune) bool {
	return r < utf8.RuneSelf || (r >= 0xC0 && r <= 0x24F) || (r >= 0x1E00 && r <= 0x1EFF)
}

// unstable reports characters that normalization may change or move.
func unstable(r rune) bool {
	if r == utf8.RuneError {
		return true // perhaps an invalid byte
	}
	if widePunctuation(r) != 0 {
		return false
	}
	var buffer [utf8.UTFMax]byte
	b := buffer[:utf8.EncodeRune(buffer[:], r)]
	return norm.NFKC.QuickSpan(b) != len(b) || norm.NFKC.Properties(b).CCC() != 0 || !norm.NFKC.Properties(b).BoundaryBefore()
}

// widePunctuation returns the ASCII form of the fullwidth punctuation that Chinese and
// Japanese are written with. Normalization would replace it; the scanner reads it as it
// is, so that an ordinary text in these languages need not be copied.
func widePunctuation(r rune) byte {
	switch r {
	case '！', '（', '）', '，', '：', '；', '？':
		return byte(r - '！' + '!') //nolint:gosec // ASCII
	}
	return 0
}

// bareLatin has the small letter of ASCII that an accented or barred Latin letter of
// the European orthographies is drawn over, 0 where there is none.
var bareLatin = func() (table [0x1F00]byte) {
	for r := rune(utf8.RuneSelf); int(r) < len(table); r++ {
		if !orthographic(r) || !unicode.IsLetter(r) {
			continue
		}
		base := confusableLetters[r]
		if d := norm.NFD.String(string(r)); d[0] < utf8.RuneSelf && len(d) > 1 {
			base = lowerASCII(d[0])
		}
		table[r] = base
	}
	return table
}()

// lowerRune is unicode.ToLower, faster for what is in lower case already.
func lowerRune(r rune) rune {
	if classOf(r)&runeUpper == 0 {
		return r
	}
	return unicode.ToLower(r)
}

// lowerWord writes the lower case of a word over the buffer.
func lowerWord(buffer []byte, word string) []byte {
	buffer = buffer[:0]
	for i := 0; i < len(word); {
		if c := word[i]; c < utf8.RuneSelf {
			buffer = append(buffer, lowerASCII(c))
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(word[i:])
		buffer = utf8.AppendRune(buffer, lowerRune(r))
		i += size
	}
	return buffer
}
