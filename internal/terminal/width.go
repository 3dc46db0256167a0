// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package terminal

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// zeroWidthMark is what makes a picture of the character before it.
const zeroWidthMark = '\ufe0f'

// Width returns how many columns escaped text takes: two for a letter of the wide scripts or a picture, none for a mark on the letter
// before it, one for any other.
func Width(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

func runeWidth(r rune) int {
	if r < 0x300 {
		return 1
	}
	if r == zeroWidthMark || unicode.In(r, unicode.Mn, unicode.Me) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// Clip escapes text and cuts it to at most this many columns.
func Clip(s string, columns int) string {
	s = Escape(s)
	if Width(s) <= columns {
		return s
	}
	used := 0
	for i, r := range s {
		if used += runeWidth(r); used > columns-1 {
			return s[:i] + "…"
		}
	}
	return s
}

// Wrap breaks a line of escaped text into lines of at most this many columns, at blanks where there are any. Nothing is left out but the
// blank it breaks at.
func Wrap(line string, columns int) []string {
	columns = max(columns, 2)
	var out []string
	for Width(line) > columns {
		used, cut, blank := 0, 0, -1
		for i, r := range line {
			if used += runeWidth(r); used > columns {
				if r == ' ' {
					blank = i
				}
				break
			}
			if r == ' ' {
				blank = i
			}
			cut = i + len(string(r))
		}
		if blank > 0 && strings.TrimSpace(line[:blank]) != "" {
			out, line = append(out, line[:blank]), line[blank+1:]
			continue
		}
		cut = outsideEscape(line, cut)
		out, line = append(out, line[:cut]), line[cut:]
	}
	return append(out, line)
}

// outsideEscape returns where to cut a line so that an escape is not cut in two: before it, or where it was to be cut if the line begins with it.
func outsideEscape(line string, cut int) int {
	at := strings.LastIndexByte(line[:cut], '\\')
	if at <= 0 || at+1 >= len(line) {
		return cut
	}
	length := map[byte]int{'x': 4, 'u': 6, 'U': 10, 'n': 2, 'r': 2, 't': 2}[line[at+1]]
	if at+length > cut {
		return at
	}
	return cut
}
