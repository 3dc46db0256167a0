// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Names of the views that are made without decoding anything.
const (
	// ViewPlain is the text as a reader sees it: NFKC, invisible characters gone,
	// text hidden in invisible characters made visible.
	ViewPlain = "plain"
	// ViewFolded is the plain view with disguised words written out: look-alike
	// letters, leet digits, spelled-out and run-together words.
	ViewFolded = "folded"
)

// View is one reading of a text, for matching only.
type View struct {
	Name string
	Text string
}

// plainText makes the plain view. The text itself is not changed; hashes, signatures and
// deliveries use the original. The view is valid UTF-8, and its plain view is itself.
// A text that is plain already, the common case, is returned as it is.
func plainText(text string) string {
	var all runeClass
	marks, most := 0, 0
	for i := plainASCII(text); i < len(text); {
		if text[i] < utf8.RuneSelf {
			marks = 0
			for ; i < len(text) && text[i] < utf8.RuneSelf; i++ {
				if c := text[i]; c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
					all |= runeInvisible
				}
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		class := classOf(r)
		all |= class
		i += size
		if marks++; class&runeMark == 0 {
			marks = 0
		}
		most = max(most, marks)
	}
	if all&(runeInvisible|runeUnstable|runeQuote) == 0 {
		return text
	}
	if all&(runeInvisible|runeUnstable) != 0 {
		text = strings.ToValidUTF8(text, string(utf8.RuneError))
	}
	if all&runeInvisible != 0 {
		text = dropInvisible(text)
	}
	if most > maxMarks {
		text = limitMarks(text)
	}
	text = norm.NFKC.String(text)
	// Normalization writes out some characters as others that are looked at here.
	return strings.Map(plainPunctuation, text)
}

// plainASCII returns how much of a text is printable ASCII, newlines and tabs, as all of
// most texts is. It looks at eight bytes at a time and stops within eight of the end.
func plainASCII(text string) int {
	i := 0
	for ; i+8 <= len(text); i += 8 {
		b := text[i : i+8]
		word := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
			uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		const each = 0x0101010101010101
		// A byte below the space borrows from its upper bit, DEL carries into it.
		if (word|(word-' '*each)|(word+each))&(0x80*each) != 0 && !printableASCII(b) {
			break
		}
	}
	return i
}

func printableASCII(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= 0x7f || c < ' ' && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// maxMarks is how many combining marks in a row are kept. No language needs more than a
// handful on one letter; normalization is slow on piles of them.
const maxMarks = 16

// limitMarks drops the combining marks beyond maxMarks in a row.
func limitMarks(text string) string {
	marks := 0
	return strings.Map(func(r rune) rune {
		if classOf(r)&runeMark == 0 {
			marks = 0
			return r
		}
		if marks++; marks > maxMarks {
			return -1
		}
		return r
	}, text)
}

// plainPunctuation unifies the typographic variants that matter for words.
func plainPunctuation(r rune) rune {
	switch r {
	case '‘', '’', '‛', 'ʼ', 'ʹ', '′':
		return '\''
	case '“', '”', '„', '‟', '«', '»':
		return '"'
	case '‐':
		return '-'
	}
	return r
}

// Runs of this many variation selectors or more carry bytes, not presentation: a
// genuine sequence has one selector after its base character.
const smuggledRun = 4

// dropInvisible removes what a reader cannot see and turns hidden text into
// visible text: Unicode tag characters stand for ASCII, and a run of variation
// selectors for one byte each (VS1 to VS256).
func dropInvisible(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	var selectors []byte
	flush := func() {
		if len(selectors) >= smuggledRun {
			for _, c := range selectors {
				if c >= ' ' && c < 0x7f {
					b.WriteByte(c)
				}
			}
		}
		selectors = selectors[:0]
	}
	for _, r := range text {
		if c, ok := variationSelector(r); ok {
			selectors = append(selectors, c)
			continue
		}
		flush()
		switch {
		case r >= 0xE0020 && r <= 0xE007E:
			b.WriteRune(r - 0xE0000)
		case r == '\u2028' || r == '\u2029' || r == '\u0085' || r == '\r':
			b.WriteByte('\n')
		case r == '\v' || r == '\f' || r == '\u2800':
			b.WriteByte(' ')
		case !invisible(r):
			b.WriteRune(r)
		}
	}
	flush()
	return b.String()
}

// rewritten reports other characters that dropInvisible replaces.
func rewritten(r rune) bool {
	switch r {
	case '\u2028', '\u2029', '\u0085', '\r', '\v', '\f', '\u2800':
		return true
	}
	return r >= 0xE0020 && r <= 0xE007E
}

func variationSelector(r rune) (byte, bool) {
	switch {
	case r >= 0xFE00 && r <= 0xFE0F:
		return byte(r - 0xFE00), true
	case r >= 0xE0100 && r <= 0xE01EF:
		return byte(r - 0xE0100 + 16), true
	}
	return 0, false
}

// invisible reports characters without a glyph: controls except tab and newline,
// format characters (zero-width, bidirectional, soft hyphen, tags), fillers.
func invisible(r rune) bool {
	switch r {
	case '\n', '\t':
		return false
	case '\u034f', '\u115f', '\u1160', '\u17b4', '\u17b5', '\u3164', '\uffa0', '\u180b', '\u180c', '\u180d', '\u180f':
		return true
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Co, r)
}
