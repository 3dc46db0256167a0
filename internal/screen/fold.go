// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// vocabulary is the set of words a lexicon knows. Folding consults it because a
// disguise matters only where a word of the lexicon is behind it.
type vocabulary map[string]struct{}

func (v vocabulary) has(word string) bool { _, ok := v[word]; return ok }

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

// foldText makes the folded view of a plain text.
func foldText(plain string, known vocabulary) string {
	if !maybeDisguised(plain) {
		return plain
	}
	var b strings.Builder
	b.Grow(len(plain))
	for rest := plain; rest != ""; {
		size, isWord := chunk(rest)
		if isWord {
			b.WriteString(foldToken(rest[:size], known))
		} else {
			b.WriteString(rest[:size])
		}
		rest = rest[size:]
	}
	// Folding may have brought characters together that compose.
	return plainText(joinSpelled(b.String(), known))
}

// maybeDisguised is a cheap test that is false for ordinary ASCII prose.
func maybeDisguised(s string) bool {
	letters, single := 0, 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= utf8.RuneSelf {
			return true
		}
		if isLetter(c) {
			letters++
			if letters >= minRunTogether {
				return true
			}
			continue
		}
		if letters > 0 && leetDigit(c) != 0 && c != '!' && c != '+' {
			return true
		}
		if i+1 < len(s) && leetDigit(c) != 0 && isLetter(s[i+1]) {
			return true
		}
		switch {
		case letters == 1:
			single++
		case letters > 1:
			single = 0
		}
		if single >= minSpelled-1 {
			return true
		}
		letters = 0
	}
	return false
}

// chunk cuts the next word or separator off s. A word for folding may hold the
// symbols of leetspeak between its letters.
func chunk(s string) (size int, isWord bool) {
	first := true
	for i, r := range s {
		w := foldable(r)
		if first {
			isWord, first = w, false
			continue
		}
		if w != isWord {
			return i, isWord
		}
	}
	return len(s), isWord
}

func foldable(r rune) bool {
	if r < utf8.RuneSelf {
		return isWordRune(r) || strings.ContainsRune("@$!|+", r)
	}
	if unicode.IsLetter(r) || unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r) || unicode.IsDigit(r) {
		return true
	}
	_, ok := confusableLetters[r]
	return ok
}

// foldToken undoes the disguises of one token.
func foldToken(token string, known vocabulary) string {
	if len(token) > maxFoldToken {
		return token
	}
	folded := foldConfusables(token)
	if !isASCII(folded) {
		return folded
	}
	if plain, ok := foldLeet(folded, known); ok {
		return plain
	}
	if words, ok := splitRunTogether(folded, known); ok {
		return words
	}
	return folded
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
func foldLeet(token string, known vocabulary) (string, bool) {
	token = strings.TrimRight(token, "!|+")
	lower := strings.ToLower(token)
	letters, digits := 0, 0
	for i := 0; i < len(lower); i++ {
		switch {
		case isLetter(lower[i]):
			letters++
		case leetDigit(lower[i]) != 0:
			digits++
		}
	}
	if letters == 0 || digits == 0 {
		return "", false
	}
	for _, one := range [...]byte{'i', 'l'} {
		word := substituteLeet(lower, one)
		if known.has(word) {
			return word, true
		}
	}
	return "", false
}

func substituteLeet(token string, one byte) string {
	out := []byte(token)
	for i, c := range out {
		letter := leetDigit(c)
		if letter == 0 {
			continue
		}
		if letter == 'i' {
			letter = one
		}
		out[i] = letter
	}
	return string(out)
}

// splitRunTogether cuts "ignoreallpreviousinstructions" into its words. It
// succeeds only when the whole token consists of words of the lexicon.
func splitRunTogether(token string, known vocabulary) (string, bool) {
	if len(token) < minRunTogether {
		return "", false
	}
	lower := strings.ToLower(token)
	if known.has(lower) {
		return "", false
	}
	words := segment(lower, known)
	if len(words) < 2 {
		return "", false
	}
	return strings.Join(words, " "), true
}

// segment splits letters into the fewest words of the vocabulary, or returns nil.
// Words of one letter count only when they are "a" or "i".
func segment(letters string, known vocabulary) []string {
	const unreachable = 1 << 20
	n := len(letters)
	cost := make([]int, n+1)
	from := make([]int, n+1)
	for end := 1; end <= n; end++ {
		cost[end] = unreachable
		for start := max(0, end-maxSegment); start < end; start++ {
			word := letters[start:end]
			if len(word) == 1 && word != "a" && word != "i" {
				continue
			}
			if c := cost[start] + 1; c < cost[end] && known.has(word) {
				cost[end], from[end] = c, start
			}
		}
	}
	if cost[n] >= unreachable {
		return nil
	}
	words := make([]string, 0, cost[n])
	for end := n; end > 0; end = from[end] {
		words = append(words, letters[from[end]:end])
	}
	for i, j := 0, len(words)-1; i < j; i, j = i+1, j-1 {
		words[i], words[j] = words[j], words[i]
	}
	return words
}

// joinSpelled writes out words whose letters stand apart, "i g n o r e" or
// "i-g-n-o-r-e". A wider gap than the usual one ends a word; where all gaps are
// alike the letters are segmented by the vocabulary.
func joinSpelled(s string, known vocabulary) string {
	var b strings.Builder
	done := 0
	for i := 0; i < len(s); {
		if !isLetter(s[i]) || (i > 0 && partOfWord(s, i-1)) {
			i++
			continue
		}
		letters, end := spelledRun(s, i)
		if len(letters) < minSpelled {
			i = max(end, i+1)
			continue
		}
		b.WriteString(s[done:i])
		b.WriteString(writeOut(letters, known))
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

// spelledRun collects single letters from position i on. It returns them and the
// position after the last one.
func spelledRun(s string, i int) ([]spelledLetter, int) {
	var run []spelledLetter
	gap, end := 0, i
	for i < len(s) && isLetter(s[i]) && (i+1 == len(s) || !partOfWord(s, i+1)) {
		run = append(run, spelledLetter{letter: lowerASCII(s[i]), gap: gap})
		i++
		end = i
		for gap = 0; i < len(s) && gap <= maxSpelledGap && spellingGap(s[i]); gap++ {
			i++
		}
		if gap == 0 || gap > maxSpelledGap {
			break
		}
	}
	return run, end
}

func writeOut(run []spelledLetter, known vocabulary) string {
	narrow := maxSpelledGap
	for _, l := range run[1:] {
		narrow = min(narrow, l.gap)
	}
	var out []string
	var word []byte
	emit := func() {
		if words := segment(string(word), known); words != nil {
			out = append(out, words...)
		} else {
			out = append(out, string(word))
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
	return strings.Join(out, " ")
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
