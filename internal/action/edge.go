// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package action

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// isEdge reports whether a token of a folded text begins or ends at a place. Words are joined by what joins them in addresses,
// paths and numbers: example.com does not end in example.com.evil, and 12 does not stand in DE12 or 3-12.
func isEdge(text string, at int) bool {
	before, after := text[:at], text[at:]
	if before == "" || after == "" || text[at-1] == ' ' || text[at] == ' ' {
		return true
	}
	left, _ := utf8.DecodeLastRuneInString(before)
	right, _ := utf8.DecodeRuneInString(after)
	if isWord(left) && isWord(right) {
		return scriptsPart(left, right)
	}
	if isWord(left) && possessive(after) {
		return true
	}
	return !wordBefore(before, right) || !wordAfter(after, left)
}

// wordBefore reports whether a text ends in a word, whatever joins it to what follows; next is the first rune of that.
func wordBefore(s string, next rune) bool {
	for s != "" {
		r, n := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-n]
		if isWord(r) {
			return true
		}
		last, _ := utf8.DecodeLastRuneInString(s)
		if !isJoint(r) && (r != ',' || !isDigit(next) || !isDigit(last)) {
			return false
		}
		next = r
	}
	return false
}

// wordAfter is wordBefore for what follows.
func wordAfter(s string, previous rune) bool {
	for s != "" {
		r, n := utf8.DecodeRuneInString(s)
		s = s[n:]
		if isWord(r) {
			return true
		}
		first, _ := utf8.DecodeRuneInString(s)
		if !isJoint(r) && (r != ',' || !isDigit(previous) || !isDigit(first)) {
			return false
		}
		previous = r
	}
	return false
}

// isWord reports whether a rune is part of a word. What nobody sees counts as well: a word that continues invisibly is another.
func isWord(r rune) bool {
	if r <= unicode.MaxASCII {
		return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r == '_'
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.Cf, unicode.Co, unicode.Cs) || r == utf8.RuneError
}

// isJoint reports whether a rune joins what stands on its two sides into one token.
func isJoint(r rune) bool {
	if r <= unicode.MaxASCII {
		return strings.ContainsRune(`.-@/:+#~&=%?'\*^`, r)
	}
	return unicode.Is(unicode.Pd, r) || strings.ContainsRune("\u00b7\u2019\u2044\u2212\u30fb", r)
}

// possessive reports whether a text begins with the ending that English puts behind a name.
func possessive(s string) bool {
	for _, ending := range []string{"'s", "\u2019s"} {
		if rest, ok := strings.CutPrefix(s, ending); ok {
			return rest == "" || !wordAfter(rest, 's')
		}
	}
	return false
}

// scriptsPart reports whether two neighboring runes belong to different words though nothing stands between them, as in scripts
// that are written without spaces: words in Latin letters and numbers end there, and Han characters end where Hiragana
// begins. Two Han characters may be one name or two words; they count as one.
func scriptsPart(left, right rune) bool {
	a, b := scriptOf(left), scriptOf(right)
	return a != b && (a == scriptLatin || b == scriptLatin || a == scriptHiragana || b == scriptHiragana) &&
		a != scriptOther && b != scriptOther
}

type script int

const (
	scriptOther script = iota // what does not part from anything
	scriptLatin               // ASCII letters and digits
	scriptHan
	scriptHiragana
	scriptKatakana
	scriptHangul
	scriptThai
)

func scriptOf(r rune) script {
	switch {
	case r <= unicode.MaxASCII && r != '_':
		return scriptLatin
	case unicode.Is(unicode.Han, r):
		return scriptHan
	case unicode.Is(unicode.Hiragana, r):
		return scriptHiragana
	case unicode.Is(unicode.Katakana, r):
		return scriptKatakana
	case unicode.Is(unicode.Hangul, r):
		return scriptHangul
	case unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
		return scriptThai
	}
	return scriptOther
}
