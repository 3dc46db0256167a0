// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package words takes texts apart into the words that a full-text index holds of them, and free text of users into the
// words to look for. Both sides go through the same folding, so that an index needs no tokenizer of its own but one that
// splits at spaces.
package words

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Bounds of a query and of a word. What lies beyond them is not looked at.
const (
	MaxTerms      = 64
	maxQueryBytes = 16 << 10
	maxWordBytes  = 128
)

// Of returns the words of a text, each once, in the order they first occur: letters, digits and marks only, in lower case,
// compatibility forms folded, Latin and Greek without diacritics. Of scripts that write without spaces between words, and
// of Korean, whose endings are glued to the stem, it returns every letter and every pair of neighbors; of those with few
// letters, such as Thai, every three as well.
func Of(text string) []string {
	var s set
	eachRun(text, func(run string, letters bool) bool {
		if letters {
			s.addLetters(run, true)
		} else {
			s.add(run)
		}
		return true
	})
	return s.words
}

// Terms returns what to look for: the words of free text as Of makes them, but of a run of letters its longest parts alone,
// since shorter ones are in too many texts. At most MaxTerms.
func Terms(text string) []string {
	text = strings.ToValidUTF8(text[:min(len(text), maxQueryBytes)], "")
	var s set
	eachRun(text, func(run string, letters bool) bool {
		if letters {
			s.addLetters(run, false)
		} else {
			s.add(run)
		}
		return len(s.words) < MaxTerms
	})
	return s.words[:min(len(s.words), MaxTerms)]
}

// IsPart reports whether a word of Terms is part of a run of letters and not a word as written.
func IsPart(word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	return partsOf(first) > 0
}

// set keeps words in order, each once.
type set struct {
	words []string
	seen  map[string]struct{}
}

func (s *set) add(word string) {
	if word == "" || len(word) > maxWordBytes {
		return
	}
	if _, seen := s.seen[word]; seen {
		return
	}
	if s.seen == nil {
		s.seen = map[string]struct{}{}
	}
	s.seen[word] = struct{}{}
	s.words = append(s.words, word)
}

// addLetters adds the parts of a run: each of the longest that its script asks for or the run has, and all shorter ones too
// when asked for.
func (s *set) addLetters(run string, shorter bool) {
	first, _ := utf8.DecodeRuneInString(run)
	longest := partsOf(first)
	starts := make([]int, 0, len(run)/2)
	for at := 0; at < len(run); at += len(firstLetter(run[at:])) {
		starts = append(starts, at)
	}
	longest = min(longest, len(starts))
	starts = append(starts, len(run))
	for i := range starts[:len(starts)-1] {
		for n := 1; n <= longest && i+n < len(starts); n++ {
			if shorter || n == longest {
				s.add(run[starts[i]:starts[i+n]])
			}
		}
	}
}

// firstLetter is the first letter of run with the marks on it.
func firstLetter(run string) string {
	_, size := utf8.DecodeRuneInString(run)
	for size < len(run) {
		r, n := utf8.DecodeRuneInString(run[size:])
		if !unicode.Is(unicode.M, r) {
			break
		}
		size += n
	}
	return run[:size]
}

// eachRun folds text and calls yield with each longest run of letters, digits and marks of one kind, until yield returns
// false. letters says that the run is to be taken apart.
func eachRun(text string, yield func(run string, letters bool) bool) {
	for _, word := range strings.FieldsFunc(strings.ToLower(norm.NFKC.String(text)), notWord) {
		for word != "" {
			run, rest := cutRun(word)
			word = rest
			first, _ := utf8.DecodeRuneInString(run)
			letters := partsOf(first) > 0
			if !letters {
				run = fold(run)
			}
			if !yield(run, letters) {
				return
			}
		}
	}
}

func notWord(r rune) bool {
	if r < utf8.RuneSelf {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && (r < 'A' || r > 'Z')
	}
	return !unicode.In(r, unicode.L, unicode.N, unicode.M)
}

// Scripts whose words are found by parts of them: those with thousands of letters or syllables, and those with few.
var (
	syllabic   = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul}
	alphabetic = []*unicode.RangeTable{unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}
)

// partsOf is how many letters the parts of a run of letters like r have: 0 for a letter of scripts with words.
func partsOf(r rune) int {
	switch {
	case r < 0x0e00 || !unicode.IsLetter(r):
		return 0
	case unicode.In(r, syllabic...):
		return 2
	case unicode.In(r, alphabetic...):
		return 3
	}
	return 0
}

// cutRun cuts the longest start of word that is of one kind. Marks stay with what they follow.
func cutRun(word string) (run, rest string) {
	first, size := utf8.DecodeRuneInString(word)
	kind := partsOf(first)
	for i, r := range word[size:] {
		if r >= utf8.RuneSelf && unicode.Is(unicode.M, r) {
			continue
		}
		if partsOf(r) != kind {
			return word[:size+i], word[size+i:]
		}
	}
	return word, ""
}

// fold takes the diacritics off Latin and Greek letters, and brings letters together that people write one for the other.
func fold(word string) string {
	if isASCII(word) {
		return word
	}
	var b strings.Builder
	b.Grow(len(word))
	strip := false
	for _, r := range norm.NFD.String(word) {
		if unicode.Is(unicode.Mn, r) {
			if !strip {
				b.WriteRune(r)
			}
			continue
		}
		strip = unicode.In(r, unicode.Latin, unicode.Greek)
		if r == 'ς' { // the form of σ at the end of a word
			r = 'σ'
		}
		b.WriteRune(r)
	}
	return strings.ReplaceAll(norm.NFC.String(b.String()), "ё", "е") // as Russian is mostly written
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
