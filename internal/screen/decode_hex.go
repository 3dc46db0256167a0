// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

const (
	// minHexRun is the shortest run of hexadecimal digits looked at: 8 bytes.
	minHexRun = 16
	// minHexUnits is the fewest numbers in a row that can be text: "0x41 0x6c …".
	minHexUnits = 6
	// maxHexGap is the longest separator between two numbers, in bytes: ", ".
	maxHexGap = 2
)

// findHex decodes hexadecimal numbers that give readable text: a run of digits, or
// numbers in a row such as "0x41 0x6c", "41:6c", "U+0041 U+006C".
func findHex(s *splicer) {
	for i := 0; i < len(s.src); {
		if !startsHex(s.src, i) {
			i++
			continue
		}
		if i > 0 && isAlphanumeric(s.src[i-1]) {
			for i < len(s.src) && isAlphanumeric(s.src[i]) {
				i++
			}
			continue
		}
		end := i
		for end < len(s.src) && isHex(s.src[end]) {
			end++
		}
		if end-i >= minHexRun {
			if text, ok := decodeHexRun(s.src[i:end], s.decoder.budget); ok && !s.replace(i, end, paragraph(text)) {
				return
			}
			i = end
			continue
		}
		count, stop := hexUnits(s.src, i)
		if count >= minHexUnits {
			if data := readHexUnits(s.src, i, count); readable(data) && !s.replace(i, stop, paragraph(string(data))) {
				return
			}
		}
		i = max(stop, i+1)
	}
}

// startsHex reports whether a hexadecimal number may start at i.
func startsHex(s string, i int) bool {
	return isHex(s[i]) || (s[i] == 'U' || s[i] == 'u') && i+1 < len(s) && s[i+1] == '+'
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }

func isAlphanumeric(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' }

func decodeHexRun(run string, limit int) (string, bool) {
	run = run[:min(len(run)&^1, 2*limit)]
	data, err := hex.DecodeString(run)
	if err != nil {
		return "", false
	}
	if data = wholeRunes(data); !readable(data) {
		return "", false
	}
	return string(data), true
}

// hexUnits counts the numbers in a row from i on. It returns the place after them.
func hexUnits(s string, i int) (count, end int) {
	for end = i; i < len(s); {
		_, _, size := hexUnit(s[i:])
		if size == 0 {
			break
		}
		count++
		i += size
		end = i
		if i = afterHexGap(s, i); i == end {
			break
		}
	}
	return count, end
}

// readHexUnits decodes count numbers in a row from i on.
func readHexUnits(s string, i, count int) (data []byte) {
	for range count {
		r, wide, size := hexUnit(s[i:])
		if wide {
			data = utf8.AppendRune(data, r)
		} else {
			data = append(data, byte(r)) //nolint:gosec // two digits
		}
		i = afterHexGap(s, i+size)
	}
	return data
}

func afterHexGap(s string, i int) int {
	for n := 0; n < maxHexGap && i < len(s) && strings.IndexByte(" ,:;-\n\t", s[i]) >= 0; n++ {
		i++
	}
	return i
}

// hexUnit reads one number at the start of s: two digits, with or without "0x" in
// front, or four to six after "U+". wide says that it is a character, not a byte.
func hexUnit(s string) (r rune, wide bool, size int) {
	digits, most, least := s, 2, 2
	switch {
	case len(s) > 2 && s[0] == '0' && s[1]|0x20 == 'x':
		digits = s[2:]
	case len(s) > 2 && s[0]|0x20 == 'u' && s[1] == '+':
		digits, wide, least, most = s[2:], true, 4, 6
	}
	n := 0
	for n < len(digits) && n < most && isHex(digits[n]) {
		c := digits[n] | 0x20
		if c >= 'a' {
			c = c - 'a' + 10
		} else {
			c = digits[n] - '0'
		}
		r = r<<4 | rune(c)
		n++
	}
	if n < least || n < len(digits) && isAlphanumeric(digits[n]) {
		return 0, false, 0
	}
	return r, wide, len(s) - len(digits) + n
}
