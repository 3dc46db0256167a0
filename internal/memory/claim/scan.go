// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package claim

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"memorytrust.dev/operator/internal/memory/fold"
)

// maxClaimBytes is how much of a text is read. Facts are short; a long text agrees with no other in all it says beside one number.
const maxClaimBytes = 4096

// tokenKind is what a piece of a text is.
type tokenKind int

const (
	tokenWord   tokenKind = iota
	tokenNumber           // plain, until its neighbors say more
	tokenValue            // complete: a date, a time, an address
	tokenSign             // currency, percent, number sign
	tokenBreak            // end of a sentence or a line
)

// token is a piece of a text.
type token struct {
	kind  tokenKind
	text  string // a word folded; a value in canonical form
	value valueKind
	name  bool // a word with a capital letter
}

// scanner cuts a text into tokens.
type scanner struct {
	lang   *language
	text   []rune
	tokens []token
}

func scan(content string, lang *language) []token {
	s := scanner{lang: lang, text: []rune(norm.NFKC.String(content))}
	for i := 0; i < len(s.text); {
		i = s.next(i)
	}
	return s.tokens
}

// cutText returns at most the first maxClaimBytes of a text, without a torn rune at its end.
func cutText(content string) string {
	if len(content) <= maxClaimBytes {
		return content
	}
	end := maxClaimBytes
	for end > 0 && !utf8.RuneStart(content[end]) {
		end--
	}
	return content[:end]
}

func (s *scanner) emit(t token) { s.tokens = append(s.tokens, t) }

// next reads one token at i and returns where the one behind it begins.
func (s *scanner) next(i int) int {
	r := s.text[i]
	if s.fresh(i) {
		if end := s.address(i); end > i {
			return end
		}
	}
	switch {
	case unicode.IsDigit(r):
		return s.number(i)
	case unspaced(r):
		return s.signs(i)
	case unicode.IsLetter(r):
		return s.word(i)
	case r == '%' || r == '#' || unicode.Is(unicode.Sc, r):
		s.emit(token{kind: tokenSign, text: string(r)})
	case strings.ContainsRune(".!?;\n。！？।؟", r):
		s.emit(token{kind: tokenBreak})
	}
	return i + 1
}

// fresh reports whether no letter or digit goes before i.
func (s *scanner) fresh(i int) bool {
	return i == 0 || unspaced(s.text[i-1]) || !unicode.IsLetter(s.text[i-1]) && !unicode.IsDigit(s.text[i-1])
}

// unspaced reports whether r is of a script that puts no spaces between words.
func unspaced(r rune) bool {
	return fold.Dense(r) || r >= 0xe00 && r < 0xe80 || r == 'ー' || r >= 0x1780 && r < 0x1800 || r >= 0x1000 && r < 0x10a0
}

// word reads letters, marks and what joins them: an apostrophe inside, and digits or a hyphen behind, which make it a code.
func (s *scanner) word(i int) int {
	end := i
	code := false
	for ; end < len(s.text); end++ {
		r := s.text[end]
		next := rune(0)
		if end+1 < len(s.text) {
			next = s.text[end+1]
		}
		switch {
		case unspaced(r):
		case unicode.IsLetter(r) || unicode.IsMark(r):
			continue
		case unicode.IsDigit(r):
			code = true
			continue
		case (r == '-' || r == '_') && (unicode.IsDigit(next) || unicode.IsLetter(next) && code):
			continue
		case r == '-' && unicode.IsLetter(next) || (r == '\'' || r == '’') && unicode.IsLetter(next):
			continue
		}
		break
	}
	s.addWord(string(s.text[i:end]), code)
	return end
}

// addWord emits a word, taken apart at apostrophes unless the lexicon knows it whole.
func (s *scanner) addWord(raw string, code bool) {
	raw = strings.ReplaceAll(raw, "’", "'")
	if code {
		s.emit(token{kind: tokenValue, value: valueCode, text: fold.Word(raw)})
		return
	}
	lower := strings.ToLower(raw)
	if strings.HasSuffix(lower, "n't") {
		s.addPlain(raw[:len(raw)-len("n't")])
		s.emit(token{kind: tokenWord, text: "not"})
		return
	}
	for _, part := range strings.Split(raw, "'") {
		s.addPlain(part)
	}
}

func (s *scanner) addPlain(part string) {
	text := fold.Word(part)
	if text == "" {
		return
	}
	first, _ := utf8.DecodeRuneInString(part)
	s.emit(token{kind: tokenWord, text: text, name: unicode.IsUpper(first)})
}

// signs reads a run of a script without spaces: words the lexicon knows as such, signs for words one by one, and what is
// left as it is. A negation is taken out of the run and does not end it.
func (s *scanner) signs(i int) int {
	var run []rune
	flush := func() {
		if len(run) > 0 {
			s.emit(token{kind: tokenWord, text: fold.Word(string(run))})
		}
		run = run[:0]
	}
	for i < len(s.text) && (unspaced(s.text[i]) || unicode.IsMark(s.text[i])) {
		if n, word := s.known(i); n > 0 {
			if _, negation := s.lang.is(roleNegation, word); !negation || slices.Contains(s.lang.endings, word) {
				flush()
			}
			s.emit(token{kind: tokenWord, text: word})
			i += n
			continue
		}
		if n := hanNumber(s.text[i:]); n > 0 {
			flush()
			s.emit(token{kind: tokenNumber, text: strconv.Itoa(readHan(s.text[i : i+n]))})
			i += n
			continue
		}
		if unicode.Is(unicode.Han, s.text[i]) {
			flush()
			s.emit(token{kind: tokenWord, text: string(fold.Letters(string(s.text[i])))})
		} else {
			if len(run) > 0 && unicode.Is(unicode.Hiragana, s.text[i]) != unicode.Is(unicode.Hiragana, run[len(run)-1]) {
				flush()
			}
			run = append(run, s.text[i])
		}
		i++
	}
	flush()
	return i
}

// known returns the longest word of the lexicon that the text has at i, or an ending.
func (s *scanner) known(i int) (runes int, word string) {
	for n := min(s.lang.longest, len(s.text)-i); n > 0; n-- {
		raw := string(s.text[i : i+n])
		if n == 1 && !unicode.Is(unicode.Han, s.text[i]) {
			break // a particle, or part of a word
		}
		if word := fold.Word(raw); s.lang.knows(word) || slices.Contains(s.lang.endings, word) {
			return n, word
		}
	}
	return 0, ""
}

const hanDigits = "〇一二三四五六七八九"

// hanNumber returns how many signs at the beginning of text write a number; a single 一 is part of too many words.
func hanNumber(text []rune) int {
	n := 0
	for n < len(text) && n < 8 && strings.ContainsRune(hanDigits+"十百千", text[n]) {
		n++
	}
	if n == 1 && strings.ContainsRune("一十百千", text[0]) {
		return 0
	}
	return n
}

func readHan(text []rune) int {
	total, digit, positional := 0, 0, true
	for _, r := range text {
		if unit := map[rune]int{'十': 10, '百': 100, '千': 1000}[r]; unit > 0 {
			total += max(digit, 1) * unit
			digit, positional = 0, false
			continue
		}
		value := slices.Index([]rune(hanDigits), r)
		if positional {
			digit = digit*10 + value
		} else {
			digit = value
		}
	}
	return total + digit
}
