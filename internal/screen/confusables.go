// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

//go:generate go run ./gen/confusables -unicode confusables.txt -own lookalikes.txt -out confusables_table.go

// foldConfusables rewrites a token that mixes Latin letters with letters drawn
// like Latin ones ("Аlways" with a Cyrillic А) to plain Latin, and takes the
// marks off Latin letters. A token wholly in another script is a word of a
// language and stays as it is: folding real Cyrillic or Greek words would both
// mangle them and hide what they say.
func foldConfusables(token string) string {
	if isASCII(token) {
		return token
	}
	if plain, ok := plainLatin(token); ok {
		return plain
	}
	stripped := stripLatinMarks(token)
	if isASCII(stripped) {
		return stripped
	}
	if !mixesLatin(stripped) {
		return token
	}
	var b strings.Builder
	b.Grow(len(stripped))
	for _, r := range stripped {
		if latin, ok := confusableLetters[r]; ok {
			b.WriteByte(latin)
			continue
		}
		b.WriteRune(r)
	}
	// A mark that stood on the look-alike stands on a Latin letter now.
	return stripLatinMarks(b.String())
}

// plainLatin does what foldConfusables does for the tokens that become ASCII rune by
// rune, which are nearly all.
func plainLatin(token string) (string, bool) {
	if len(token) > maxFoldToken {
		return "", false
	}
	mixed := mixesLatin(token)
	var buffer [maxFoldToken]byte
	out := buffer[:0]
	for _, r := range token {
		var c byte
		switch class := classOf(r); {
		case r < utf8.RuneSelf:
			c = byte(r) //nolint:gosec // below RuneSelf
		case class&runeMark != 0 && len(out) > 0 && isLetter(out[len(out)-1]):
			continue
		case int(r) < len(bareLatin) && bareLatin[r] != 0 && (mixed || class&runeLookAlike == 0):
			c = bareLatin[r]
		case mixed:
			c = confusableLetters[r]
		}
		if c == 0 {
			return "", false
		}
		out = append(out, c)
	}
	return string(out), true
}

// mixesLatin reports whether a token should be read as Latin: it has an ASCII
// letter next to a look-alike, or consists of nothing but letter-like symbols
// (small capitals, regional indicators), which no language writes its words in.
func mixesLatin(token string) bool {
	ascii, symbols, other := 0, 0, 0
	for _, r := range token {
		switch {
		case r < utf8.RuneSelf:
			if unicode.IsLetter(r) {
				ascii++
			}
		case unicode.Is(unicode.Latin, r) || unicode.Is(unicode.So, r):
			symbols++
		default:
			other++
		}
	}
	return ascii > 0 || (symbols > 0 && other == 0)
}

// stripLatinMarks removes combining marks that stand on a Latin letter, so that
// struck-through or over-accented spelling still reads as the plain word.
func stripLatinMarks(token string) string {
	decomposed := norm.NFD.String(token)
	var b strings.Builder
	b.Grow(len(decomposed))
	onLatin := false
	for _, r := range decomposed {
		if unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r) {
			if !onLatin {
				b.WriteRune(r)
			}
			continue
		}
		onLatin = unicode.Is(unicode.Latin, r)
		b.WriteRune(r)
	}
	return norm.NFC.String(b.String())
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
