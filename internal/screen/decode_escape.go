// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"html"
	"io"
	"mime/quotedprintable"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The encodings of this file stand for single characters, so they are decoded in
// place: the words around them may be half encoded.

// minEscapes is the fewest escapes in a text that hide anything: "C:\new" has one
// by chance.
const minEscapes = 3

// findEscapes decodes backslash escapes of programming languages. Those of white
// space are common in data and are decoded only beside others.
func findEscapes(s *splicer) {
	if countEscapes(s.src) < minEscapes {
		return
	}
	for i := 0; i < len(s.src); {
		at := strings.IndexByte(s.src[i:], '\\')
		if at < 0 {
			return
		}
		i += at
		decoded, end := unescapeRun(s.src, i)
		if end > i && printable(decoded) && !s.replace(i, end, decoded) {
			return
		}
		i = max(end, i+1)
	}
}

func countEscapes(s string) (n int) {
	for i := 0; n < minEscapes && i < len(s); i++ {
		at := strings.IndexByte(s[i:], '\\')
		if at < 0 {
			return n
		}
		i += at
		if i+2 < len(s) && (s[i+1]|0x20 == 'x' || s[i+1]|0x20 == 'u' || s[i+1] >= '0' && s[i+1] <= '7') {
			n++
		}
	}
	return n
}

// unescapeRun decodes the escapes in a row at i. Bytes given one by one may make up
// a character together.
func unescapeRun(s string, i int) (string, int) {
	var b []byte
	for i < len(s) && s[i] == '\\' {
		if r, size := bracedEscape(s[i:]); size > 0 {
			b = utf8.AppendRune(b, r)
			i += size
			continue
		}
		// Longer than any escape; the function would look at all of the text otherwise.
		r, multibyte, tail, err := strconv.UnquoteChar(s[i:min(len(s), i+12)], 0)
		if err != nil {
			break
		}
		i = min(len(s), i+12) - len(tail)
		if multibyte {
			b = utf8.AppendRune(b, r)
		} else {
			b = append(b, byte(r)) //nolint:gosec // a byte, as multibyte says
		}
	}
	return string(b), i
}

// bracedEscape reads "\u{69}".
func bracedEscape(s string) (rune, int) {
	rest, ok := strings.CutPrefix(s, `\u{`)
	if !ok {
		return 0, 0
	}
	end := strings.IndexByte(rest[:min(len(rest), 8)], '}')
	if end < 1 {
		return 0, 0
	}
	n, err := strconv.ParseUint(rest[:end], 16, 32)
	if err != nil || n > unicode.MaxRune {
		return 0, 0
	}
	return rune(n), len(`\u{}`) + end
}

// printable reports whether decoded characters are text, however few.
func printable(s string) bool {
	if s == "" || !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if !unicode.IsPrint(r) && r != '\n' && r != '\t' && r != '\r' && classOf(r)&runeInvisible == 0 {
			return false
		}
	}
	return true
}

// findPercent decodes percent-encoding, a chunk between spaces at a time. In a chunk
// that has some, or is the query of a URL, a plus stands for a space, and the parts of
// a URL are set apart so that a sentence in its query is read as one.
func findPercent(s *splicer) {
	for i := 0; i < len(s.src); {
		at := strings.IndexAny(s.src[i:], "%+")
		if at < 0 {
			return
		}
		at += i
		from, to := at, at
		for from > i && s.src[from-1] > ' ' {
			from--
		}
		for to < len(s.src) && s.src[to] > ' ' {
			to++
		}
		if decoded, ok := unpercent(s.src[from:to]); ok && !s.replace(from, to, decoded) {
			return
		}
		i = to
	}
}

// Longest run of "%XX" decoded in one piece, in bytes.
const maxPercentRun = 3 * 1024

func unpercent(chunk string) (string, bool) {
	var b strings.Builder
	found := queries(chunk)
	if !found && strings.IndexByte(chunk, '%') < 0 {
		return "", false
	}
	isURL := strings.Contains(chunk[:min(len(chunk), maxAddress)], "://")
	for i := 0; i < len(chunk); {
		end := i
		for end+2 < len(chunk) && end-i < maxPercentRun && chunk[end] == '%' && isHex(chunk[end+1]) && isHex(chunk[end+2]) {
			end += 3
		}
		if end > i {
			if text, err := url.PathUnescape(chunk[i:end]); err == nil && printable(text) {
				found = true
				b.WriteString(text)
			} else {
				b.WriteString(chunk[i:end])
			}
			i = end
			continue
		}
		switch c := chunk[i]; {
		case c == '+':
			b.WriteByte(' ')
		case isURL && strings.IndexByte("?&=/#", c) >= 0:
			b.WriteString("\n\n")
		default:
			b.WriteByte(c)
		}
		i++
	}
	return b.String(), found
}

// minQueryWords is the fewest words joined by a plus that make a query a sentence.
const minQueryWords = 3

// queries reports whether a chunk has words joined by a plus behind an equals sign.
func queries(chunk string) bool {
	_, query, ok := strings.Cut(chunk, "=")
	return ok && strings.Count(query, "+") >= minQueryWords-1
}

// longestReference is the longest name of a character in HTML, with "&" and ";".
const longestReference = 34

// findReferences decodes character references: "&#105;", "&#x69;", "&amp;".
func findReferences(s *splicer) {
	for i := 0; i < len(s.src); {
		at := strings.IndexByte(s.src[i:], '&')
		if at < 0 {
			return
		}
		i += at
		end := strings.IndexByte(s.src[i:min(len(s.src), i+longestReference)], ';')
		if end < 0 {
			i++
			continue
		}
		reference := s.src[i : i+end+1]
		if text := html.UnescapeString(reference); text != reference && printable(text) {
			if !s.replace(i, i+end+1, text) {
				return
			}
			i += end + 1
			continue
		}
		i++
	}
}

// minQuotedPrintable is the fewest "=XX" of a text that is quoted-printable.
const minQuotedPrintable = 2

// findQuotedPrintable decodes "=69" and joins lines that end in "=".
func findQuotedPrintable(s *splicer) {
	if !quotesPrintable(s.src) {
		return
	}
	for i := 0; i < len(s.src); {
		at := strings.IndexByte(s.src[i:], '=')
		if at < 0 {
			return
		}
		i += at
		end := i
		for end+1 < len(s.src) && s.src[end] == '=' && end-i < maxPercentRun {
			n := quotedUnit(s.src[end:])
			if n == 0 {
				break
			}
			end += n
		}
		if end == i {
			i++
			continue
		}
		// "\n\n" is what normalization makes of the line ends of mail.
		piece := strings.ReplaceAll(s.src[i:end], "\n\n", "\n")
		if data, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(piece))); err == nil && (len(data) == 0 || printable(string(data))) && !s.replace(i, end, string(data)) {
			return
		}
		i = end
	}
}

// quotedUnit measures "=XX" or a soft line break at the start of s.
func quotedUnit(s string) int {
	switch {
	case len(s) > 2 && isHex(s[1]) && isHex(s[2]):
		return 3
	case strings.HasPrefix(s, "=\n\n"):
		return 3
	case strings.HasPrefix(s, "=\n"):
		return 2
	}
	return 0
}

func quotesPrintable(s string) bool {
	n := 0
	for i := 0; i < len(s); i++ {
		at := strings.IndexByte(s[i:], '=')
		if at < 0 {
			return false
		}
		i += at
		if size := quotedUnit(s[i:]); size == 3 || size == 2 && i > 0 && isLetter(s[i-1]) {
			if n++; n == minQuotedPrintable {
				return true
			}
		}
	}
	return false
}
