// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package action

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// fold brings a text to the form in which values are compared: NFKC, case folded, with white space as one space. Look-alikes of
// other scripts stay what they are. So do superscripts, fractions and numbers in circles, which NFKC would turn into digits
// of the number before them.
func fold(s string) string {
	if isASCII(s) {
		return foldASCII(s)
	}
	s = grouped(s)
	f := folder{lower: cases.Fold(), known: map[string]string{}}
	f.out.Grow(len(s))
	for len(s) > 0 {
		plain := plainPrefix(s)
		f.out.WriteString(strings.ToLower(s[:plain]))
		s = s[plain:]
		other := otherPrefix(s)
		f.write(s[:other])
		s = s[other:]
	}
	return oneSpaced(f.out.String())
}

// foldASCII is fold for a text of ASCII, which most are, in one pass.
func foldASCII(s string) string {
	out := make([]byte, len(s))
	n := 0
	space := true // so that none begins the text
	for i := range len(s) {
		c := foldedASCII[s[i]]
		if c == ' ' && space {
			continue
		}
		space = c == ' '
		out[n] = c
		n++
	}
	if n > 0 && space {
		n--
	}
	return string(out[:n])
}

// foldedASCII is what a character of ASCII is folded to: lower case, and one kind of white space.
var foldedASCII = func() (table [utf8.RuneSelf]byte) {
	for i := range table {
		c := byte(i) // #nosec G115 -- ASCII
		switch {
		case c >= '\t' && c <= '\r':
			c = ' '
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		}
		table[i] = c
	}
	return table
}()

// plainPrefix is how much of the beginning of a text is ASCII, but for a last character that a mark behind it is composed with.
func plainPrefix(s string) int {
	for i := range len(s) {
		if s[i] < utf8.RuneSelf {
			continue
		}
		if r, _ := utf8.DecodeRuneInString(s[i:]); i > 0 && unicode.Is(unicode.M, r) {
			return i - 1
		}
		return i
	}
	return len(s)
}

// otherPrefix is how far what plainPrefix left goes until the next character of ASCII.
func otherPrefix(s string) int {
	for i := 1; i < len(s); i++ {
		if s[i] < utf8.RuneSelf {
			return i
		}
	}
	return len(s)
}

// folder folds what is not ASCII. In most texts that is a few letters and signs over and over.
type folder struct {
	lower cases.Caser
	known map[string]string // short pieces that were folded
	out   strings.Builder
}

// maxKnownPiece bounds a piece that is worth remembering, in bytes.
const maxKnownPiece = 16

func (f *folder) write(piece string) {
	folded, ok := f.known[piece]
	if !ok {
		if folded = f.fold(piece); len(piece) <= maxKnownPiece {
			f.known[piece] = folded
		}
	}
	f.out.WriteString(folded)
}

func (f *folder) fold(s string) string {
	var out strings.Builder
	for len(s) > 0 {
		end := strings.IndexFunc(s, isOtherNumber)
		if end < 0 {
			end = len(s)
		}
		out.WriteString(compatible(f.lower.String(compatible(s[:end]))))
		if s = s[end:]; s != "" {
			_, n := utf8.DecodeRuneInString(s)
			out.WriteString(s[:n])
			s = s[n:]
		}
	}
	return out.String()
}

// compatible is NFKC of a text, which mostly is what the text is already.
func compatible(s string) string {
	if norm.NFKC.IsNormalString(s) {
		return s
	}
	return norm.NFKC.String(s)
}

func isOtherNumber(r rune) bool { return r > unicode.MaxASCII && unicode.Is(unicode.No, r) }

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// grouped writes the fixed spaces that group digits as apostrophes, before NFKC turns them into spaces that end words.
func grouped(s string) string {
	if !strings.Contains(s, "\u00a0") && !strings.Contains(s, "\u202f") && !strings.Contains(s, "\u2009") {
		return s
	}
	runes := []rune(s)
	for i := 1; i+1 < len(runes); i++ {
		if isGroupSpace(runes[i]) && isDigit(runes[i-1]) && isDigit(runes[i+1]) {
			runes[i] = '\''
		}
	}
	return string(runes)
}

// isGroupSpace knows the no-break space, the narrow one and the thin space.
func isGroupSpace(r rune) bool { return r == 0xa0 || r == 0x202f || r == 0x2009 }

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

// oneSpaced trims a text and writes every run of white space as one space.
func oneSpaced(s string) string {
	before := byte(' ')
	for i := range len(s) {
		c := s[i]
		odd := c >= '\t' && c <= '\r' || c == ' ' && before == ' '
		if c == 0xc2 || c == 0xe1 || c == 0xe2 { // white space beyond ASCII begins so, U+0085 to U+2029
			r, _ := utf8.DecodeRuneInString(s[i:])
			odd = unicode.IsSpace(r)
		}
		if odd {
			return strings.Join(strings.Fields(s), " ")
		}
		before = c
	}
	return strings.TrimSuffix(s, " ")
}
