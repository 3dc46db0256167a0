// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package terminal

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape returns text as a terminal can show it on one line: whatever could move the cursor, change colors, reorder what is
// read or hide is written as an escape. Memory may hold anything, and a reviewer must see what is there.
func Escape(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case Visible(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		s = s[size:]
	}
	return b.String()
}

// Visible reports whether a character shows as what it is. Control characters, format characters (which reorder, join or hide), blank
// letters and selectors of glyphs do not.
func Visible(r rune) bool {
	if r == ' ' || r == '\u3000' || r == '\ufe0f' { // the spaces people type, and the sign that makes a picture of an emoji
		return true
	}
	return unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.In(r, unicode.Cf, unicode.Zs, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// EscapeLines is Escape line by line.
func EscapeLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = Escape(line)
	}
	return strings.Join(lines, "\n")
}

// Shorten escapes text and cuts it to at most this many characters, for a column.
func Shorten(s string, runes int) string {
	s = Escape(s)
	if utf8.RuneCountInString(s) <= runes {
		return s
	}
	return string([]rune(s)[:runes-1]) + "…"
}
