// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// Longest token, in bytes, that folding looks into. Longer ones are data, and
	// the bound keeps segmentation linear in the length of the text.
	maxFoldToken = 96
	// Longest word of a lexicon that segmentation tries, in bytes.
	maxSegment = 20
	// Fewest letters of a run-together token worth splitting: shorter ones are words.
	minRunTogether = 12
	// Fewest single letters in a row that spell something: "a b c" is a list.
	minSpelled = 4
)

// foldText makes the folded view of a plain text: the text itself where nothing is
// disguised, as is the case for nearly all. It rewrites only what thereby becomes a word
// of the lexicons, so order numbers, amounts and codes such as "#1183", "$4,500" and
// "AC-9920" stay.
func foldText(plain string, known *index) string {
	if !maybeDisguised(plain) {
		return plain
	}
	var b strings.Builder
	done := 0
	for i := 0; i < len(plain); {
		size, isWord := chunk(plain[i:])
		if isWord {
			if folded, ok := foldToken(plain[i:i+size], known); ok {
				b.WriteString(plain[done:i])
				b.WriteString(folded)
				done = i + size
			}
		}
		i += size
	}
	folded := plain
	if done > 0 {
		b.WriteString(plain[done:])
		folded = b.String()
	}
	joined := joinSpelled(folded, known)
	if done == 0 && len(joined) == len(plain) && joined == plain {
		return plain
	}
	// Folding may have brought characters together that compose.
	return plainText(joined)
}

// maybeDisguised is a cheap test that is false for ordinary ASCII prose, and for prose
// in scripts that have nothing in common with Latin.
func maybeDisguised(s string) bool {
	single := 0
	latin, foreign := false, false
	for i := 0; i < len(s); {
		from := i
		for i < len(s) && foldKinds[s[i]] == foldLetter {
			i++
		}
		letters := i - from
		latin = latin || letters > 0
		if letters >= minRunTogether || latin && foreign {
			return true
		}
		if i == len(s) {
			return false
		}
		kind := foldKinds[s[i]]
		i++
		switch {
		case kind == foldBeyond:
			if foreign = true; latin || mayLookLatin(s[i-1]) {
				return true
			}
			continue
		case kind == foldDigit && letters > 0, kind >= foldSign && i < len(s) && foldKinds[s[i]] == foldLetter:
			return true
		case letters == 1:
			single++
		case letters > 1:
			single = 0
		}
		if single >= minSpelled-1 {
			return true
		}
	}
	return false
}

// What a byte is to maybeDisguised. The order matters.
const (
	foldOther  uint8 = iota
	foldLetter       // of ASCII
	foldBeyond       // begins or continues a character beyond ASCII
	foldSign         // stands for a letter before one: exclamation mark, plus
	foldDigit        // stands for a letter before or behind one
)

var foldKinds = func() (kinds [256]uint8) {
	for i := range kinds {
		switch c := byte(i); {
		case c >= utf8.RuneSelf:
			kinds[i] = foldBeyond
		case isLetter(c):
			kinds[i] = foldLetter
		case c == '!' || c == '+':
			kinds[i] = foldSign
		case leetDigit(c) != 0:
			kinds[i] = foldDigit
		}
	}
	return kinds
}()

// mayLookLatin reports whether a byte begins characters that stand for Latin letters by
// themselves: accented ones, phonetic ones, symbols. Cyrillic to Thai (but for what
// begins with 0xE1 and 0xE2), kana and the Han characters do so only beside Latin ones.
func mayLookLatin(lead byte) bool {
	switch {
	case lead < 0xC0: // inside a character
		return false
	case lead >= 0xD0 && lead <= 0xDF, lead == 0xE0, lead >= 0xE3 && lead <= 0xE9:
		return false
	}
	return true
}

// chunk cuts the next word or separator off s. A word for folding may hold the
// symbols of leetspeak between its letters.
func chunk(s string) (size int, isWord bool) {
	for i := 0; i < len(s); {
		w, n := false, 1
		if c := s[i]; c < utf8.RuneSelf {
			w = foldableASCII[c]
		} else {
			var r rune
			r, n = utf8.DecodeRuneInString(s[i:])
			w = classOf(r)&(runeWord|runeMark|runeLookAlike) != 0
		}
		if i == 0 {
			isWord = w
		} else if w != isWord {
			return i, isWord
		}
		i += n
	}
	return len(s), isWord
}

// foldableASCII are letters, digits, and the symbols that leetspeak writes letters with.
var foldableASCII = func() (set [utf8.RuneSelf]bool) {
	for c := range rune(utf8.RuneSelf) {
		set[c] = isWordRune(c) || strings.ContainsRune("@$!|+", c)
	}
	return set
}()

// foldToken undoes the disguises of one token, and reports whether it had any.
func foldToken(token string, known *index) (string, bool) {
	if len(token) > maxFoldToken {
		return token, false
	}
	letters, others := 0, 0
	for i := range len(token) {
		switch c := token[i]; {
		case c >= utf8.RuneSelf:
			return foldForeign(token, known)
		case isLetter(c):
			letters++
		default:
			others++
		}
	}
	return foldASCII(token, letters, others, known)
}

func foldASCII(token string, letters, others int, known *index) (string, bool) {
	if others > 0 && letters > 0 {
		if plain, ok := foldLeet(token, known); ok {
			return plain, true
		}
	}
	if letters >= minRunTogether {
		return splitRunTogether(token, known)
	}
	return token, false
}

// foldForeign folds a token with characters beyond ASCII. An ordinary word with
// accents is left alone unless taking them off makes a word of a lexicon of what was
// none.
func foldForeign(token string, known *index) (string, bool) {
	var all runeClass
	accents, others := false, false
	for _, r := range token {
		class := classOf(r)
		switch {
		case r < utf8.RuneSelf:
		case class&(runeLatin|runeOrthography) == runeLatin|runeOrthography:
			accents = true
		case class&(runeLatin|runeSymbol|runeMark|runeLookAlike) == 0:
			others = true
		}
		if r >= utf8.RuneSelf {
			all |= class
		} else {
			all |= class & runeLatin
		}
	}
	disguised := all&(runeLookAlike|runeMark|runeSymbol) != 0
	if !disguised && !accents || others && all&runeLatin == 0 {
		return token, false
	}
	if accents && all&(runeMark|runeSymbol) == 0 && all&runeGroup == 0 && onlyOrthography(token) {
		return foldAccents(token, known)
	}
	folded := foldConfusables(token)
	if folded == token || !isASCII(folded) {
		return folded, folded != token
	}
	letters := 0
	for i := range len(folded) {
		if isLetter(folded[i]) {
			letters++
		}
	}
	if plain, ok := foldASCII(folded, letters, len(folded)-letters, known); ok {
		return plain, true
	}
	return folded, true
}

// foldAccents takes the accents off a word of European letters when that makes a word
// of a lexicon of what was none.
func foldAccents(token string, known *index) (string, bool) {
	var buffer [maxFoldToken]byte
	bare := buffer[:0]
	for _, r := range token {
		c := byte(0)
		if r < utf8.RuneSelf {
			c = lowerASCII(byte(r)) //nolint:gosec // below RuneSelf
		} else {
			c = bareLatin[r]
		}
		if letter := leetDigit(c); letter != 0 {
			c = letter
		}
		if c == 0 {
			return token, false
		}
		bare = append(bare, c)
	}
	whole := known.has(string(bare))
	if !whole && len(bare) < minRunTogether || known.find(token) != nil {
		return token, false
	}
	if whole {
		return string(bare), true
	}
	var words segmentation
	if !words.cut(bare, known) || words.n < 2 {
		return token, false
	}
	return string(words.join(nil, bare)), true
}

// onlyOrthography reports whether a token is written in the letters of European
// orthographies alone.
func onlyOrthography(token string) bool {
	for _, r := range token {
		if r >= utf8.RuneSelf && classOf(r)&(runeLatin|runeOrthography) != runeLatin|runeOrthography {
			return false
		}
	}
	return true
}

// leetDigit returns the letter a digit or symbol stands for in leetspeak, or 0.
// '1' and '|' also stand for l; foldLeet tries both.
func leetDigit(c byte) byte {
	switch c {
	case '0':
		return 'o'
	case '1', '!', '|':
		return 'i'
	case '2':
		return 'z'
	case '3':
		return 'e'
	case '4', '@':
		return 'a'
	case '5', '$':
		return 's'
	case '6', '9':
		return 'g'
	case '7', '+':
		return 't'
	case '8':
		return 'b'
	}
	return 0
}

// foldLeet reads a token that mixes letters with leet digits, and succeeds only
// when the result is a word of the lexicon.
func foldLeet(token string, known *index) (string, bool) {
	token = strings.TrimRight(token, "!|+")
	digits := false
	for i := 0; i < len(token) && !digits; i++ {
		digits = leetDigit(token[i]) != 0
	}
	if !digits {
		return "", false
	}
	for _, one := range [...]byte{'i', 'l'} {
		var buffer [maxFoldToken]byte
		word := buffer[:len(token)]
		for i := range len(token) {
			word[i] = lowerASCII(token[i])
			if letter := leetDigit(token[i]); letter == 'i' {
				word[i] = one
			} else if letter != 0 {
				word[i] = letter
			}
		}
		if known.has(string(word)) {
			return string(word), true
		}
	}
	return "", false
}

// splitRunTogether cuts "ignoreallpreviousinstructions" into its words. It
// succeeds only when the whole token consists of words of one lexicon.
func splitRunTogether(token string, known *index) (string, bool) {
	var buffer [maxFoldToken]byte
	lower := lowerWord(buffer[:], token)
	if known.has(string(lower)) {
		return "", false
	}
	var words segmentation
	if !words.cut(lower, known) || words.n < 2 {
		return "", false
	}
	return string(words.join(nil, lower)), true
}

// segmentation is a way to cut letters into words: the places where they end.
type segmentation struct {
	ends [maxFoldToken]uint8
	n    int
}

// cut splits letters into the fewest words of one language, and reports whether
// that is possible. Words of one letter count only when they are "a" or "i".
func (g *segmentation) cut(letters []byte, known *index) bool {
	n := len(letters)
	if g.n = 0; known == nil || n == 0 || n > maxFoldToken {
		return false
	}
	var from, cost [maxFoldToken + 1]uint8
	var languages [maxFoldToken + 1]languageSet
	languages[0] = ^languageSet(0)
	for start := range n {
		if languages[start] == 0 {
			continue
		}
		node, ok := 0, false
		for end := start; end < n && end < start+maxSegment; end++ {
			if node, ok = known.step(node, letters[end]); !ok {
				break
			}
			w := known.wordAt(known.nodes[node].word)
			if w == nil || end == start && letters[start] != 'a' && letters[start] != 'i' {
				continue
			}
			if set := languages[start] & w.known; set != 0 && (languages[end+1] == 0 || cost[start]+1 < cost[end+1]) {
				languages[end+1], cost[end+1], from[end+1] = set, cost[start]+1, uint8(start)
			}
		}
	}
	if languages[n] == 0 {
		return false
	}
	for end := n; end > 0; end = int(from[end]) {
		g.ends[g.n] = uint8(end)
		g.n++
	}
	slices.Reverse(g.ends[:g.n])
	return true
}

// join appends the words with spaces between them.
func (g *segmentation) join(b, letters []byte) []byte {
	start := 0
	for i, end := range g.ends[:g.n] {
		if i > 0 {
			b = append(b, ' ')
		}
		b = append(b, letters[start:end]...)
		start = int(end)
	}
	return b
}

// joinSpelled writes out words whose letters stand apart, "i g n o r e" or
// "i-g-n-o-r-e". A wider gap than the usual one ends a word; where all gaps are
// alike the letters are segmented by the vocabulary.
func joinSpelled(s string, known *index) string {
	var b strings.Builder
	done := 0
	for i := 0; i < len(s); {
		if !isLetter(s[i]) || (i > 0 && partOfWord(s, i-1)) {
			i++
			continue
		}
		if i+1 < len(s) && partOfWord(s, i+1) {
			for i < len(s) && partOfWord(s, i) {
				i++
			}
			continue
		}
		count, end := countSpelled(s, i)
		if count < minSpelled {
			i = max(end, i+1)
			continue
		}
		b.WriteString(s[done:i])
		b.WriteString(writeOut(spelledRun(s, i, count), known))
		done, i = end, end
	}
	if done == 0 {
		return s
	}
	b.WriteString(s[done:])
	return b.String()
}

// spelledLetter is one letter of a spelled-out run and the width of the gap
// before it, in bytes.
type spelledLetter struct {
	letter byte
	gap    int
}

// Widest gap between two letters of a spelled-out run, in bytes.
const maxSpelledGap = 3

// countSpelled counts single letters from position i on. It returns their number and
// the position after the last one.
func countSpelled(s string, i int) (count, end int) {
	for {
		_, next, ok := nextSpelled(s, i)
		if !ok {
			return count, end
		}
		count++
		end = i + 1
		if next < 0 {
			return count, end
		}
		i = next
	}
}

// nextSpelled reports whether a single letter stands at i. It returns the width of
// the gap behind it and where the next letter may stand, -1 when nothing goes on.
func nextSpelled(s string, i int) (gap, next int, ok bool) {
	if i >= len(s) || !isLetter(s[i]) || i+1 < len(s) && partOfWord(s, i+1) {
		return 0, -1, false
	}
	for i++; i < len(s) && gap <= maxSpelledGap && spellingGap(s[i]); i++ {
		gap++
	}
	if gap == 0 || gap > maxSpelledGap {
		return gap, -1, true
	}
	return gap, i, true
}

// spelledRun collects count single letters from position i on.
func spelledRun(s string, i, count int) []spelledLetter {
	run := make([]spelledLetter, 0, count)
	before := 0
	for range count {
		gap, next, _ := nextSpelled(s, i)
		run = append(run, spelledLetter{letter: lowerASCII(s[i]), gap: before})
		before, i = gap, next
	}
	return run
}

func writeOut(run []spelledLetter, known *index) string {
	narrow := maxSpelledGap
	for _, l := range run[1:] {
		narrow = min(narrow, l.gap)
	}
	var out, word []byte
	emit := func() {
		if len(out) > 0 {
			out = append(out, ' ')
		}
		var words segmentation
		if words.cut(word, known) {
			out = words.join(out, word)
		} else {
			out = append(out, word...)
		}
		word = word[:0]
	}
	for i, l := range run {
		// A run is cut at maxFoldToken letters to keep segmentation linear.
		if i > 0 && (l.gap > narrow || len(word) == maxFoldToken) {
			emit()
		}
		word = append(word, l.letter)
	}
	emit()
	return string(out)
}

func spellingGap(c byte) bool {
	switch c {
	case ' ', '\t', '.', '-', '_', '*', ',', '/', '|', '~':
		return true
	}
	return false
}

// partOfWord reports whether the character at i continues a word, seen from a
// letter beside it.
func partOfWord(s string, i int) bool {
	c := s[i]
	return isLetter(c) || (c >= '0' && c <= '9') || c == '\'' || c >= utf8.RuneSelf
}

func isLetter(c byte) bool { return (c|0x20) >= 'a' && (c|0x20) <= 'z' }

func lowerASCII(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + ('a' - 'A')
	}
	return c
}
