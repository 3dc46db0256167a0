// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package action

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// decimal is a number in the one form in which equal numbers are equal: without zeros at the ends of its digits. The zero value
// is no number.
type decimal struct {
	negative bool
	digits   string
	exponent int
}

// compare orders decimals, not by their size, so that they can be searched.
func (d decimal) compare(other decimal) int {
	if c := cmp.Compare(d.exponent, other.exponent); c != 0 {
		return c
	}
	if d.negative != other.negative {
		if d.negative {
			return -1
		}
		return 1
	}
	return strings.Compare(d.digits, other.digits)
}

// maxExponent bounds the exponents that are read.
const maxExponent = 1_000_000

// jsonDecimal reads a number as JSON writes it. It reports false for what is no such number, or out of bounds.
func jsonDecimal(s string) (decimal, bool) {
	mantissa, exponent := s, 0
	if at := strings.IndexAny(s, "eE"); at >= 0 {
		var err error
		exponent, err = strconv.Atoi(strings.TrimPrefix(s[at+1:], "+"))
		if err != nil || exponent > maxExponent || exponent < -maxExponent {
			return decimal{}, false
		}
		mantissa = s[:at]
	}
	mantissa, negative := strings.CutPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if whole == "" || strings.Trim(whole+fraction, "0123456789") != "" {
		return decimal{}, false
	}
	return newDecimal(negative, whole+fraction, exponent-len(fraction)), true
}

func newDecimal(negative bool, digits string, exponent int) decimal {
	digits = strings.TrimLeft(digits, "0")
	trimmed := strings.TrimRight(digits, "0")
	if trimmed == "" {
		return decimal{digits: "0"}
	}
	return decimal{negative: negative, digits: trimmed, exponent: exponent + len(digits) - len(trimmed)}
}

// plainNumber is a string that is a number and nothing else, as some tools take amounts. What begins with zeros is a name.
var plainNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`)

// style is how a text writes numbers.
type style int

const (
	styleUnknown style = iota
	styleDot           // 1,000.00
	styleComma         // 1.000,00
	styleMixed         // some so, some so
)

// with is the style of a text in which another number is written in style o.
func (s style) with(o style) style {
	switch {
	case o == styleUnknown || s == o:
		return s
	case s == styleUnknown:
		return o
	}
	return styleMixed
}

// written is a number as a text writes it.
type written struct {
	value  decimal
	style  style   // that its separators show
	either decimal // a lone group of three digits: what it is if a dot separates thousands, while value is that if a comma does
}

// readNumber reads digits and the separators between them. It reports false for what is no number, such as an address of a
// machine.
func readNumber(negative bool, s string) (written, bool) {
	if strings.Contains(s, "'") {
		first, rest, _ := strings.Cut(s, ".")
		if s = ungroup(first, "'"); s == "" {
			return written{}, false
		}
		if rest != "" {
			s += "." + rest
		}
	}
	dots, commas := strings.Count(s, "."), strings.Count(s, ",")
	switch {
	case dots == 0 && commas == 0:
		return whole(negative, s, styleUnknown)
	case dots > 0 && commas > 0:
		return readBoth(negative, s)
	case dots > 1:
		return whole(negative, ungroup(s, "."), styleComma)
	case commas > 1:
		return whole(negative, ungroup(s, ","), styleDot)
	}
	return readOne(negative, s, dots == 1)
}

func whole(negative bool, digits string, shows style) (written, bool) {
	if digits == "" || len(digits) > 1 && digits[0] == '0' {
		return written{}, false
	}
	return written{value: newDecimal(negative, digits, 0), style: shows}, true
}

// readBoth reads a number with both separators, the last of which is that of the fraction.
func readBoth(negative bool, s string) (written, bool) {
	point, group, shows := ".", ",", styleDot
	if strings.LastIndex(s, ",") > strings.LastIndex(s, ".") {
		point, group, shows = ",", ".", styleComma
	}
	integer, fraction, _ := strings.Cut(s, point)
	digits := ungroup(integer, group)
	if digits == "" || strings.Trim(fraction, "0123456789") != "" {
		return written{}, false
	}
	return written{value: newDecimal(negative, digits+fraction, -len(fraction)), style: shows}, true
}

// readOne reads a number with one separator. Three digits behind it may be thousands or a fraction.
func readOne(negative bool, s string, dot bool) (written, bool) {
	at := strings.IndexAny(s, ".,")
	integer, fraction := s[:at], s[at+1:]
	if len(integer) > 1 && integer[0] == '0' {
		return written{}, false
	}
	fractional := newDecimal(negative, integer+fraction, -len(fraction))
	shows := styleComma
	if dot {
		shows = styleDot
	}
	if len(fraction) != 3 || len(integer) > 3 || integer == "0" {
		return written{value: fractional, style: shows}, true
	}
	thousands := newDecimal(negative, integer+fraction, 0)
	if dot {
		return written{value: fractional, either: thousands}, true
	}
	return written{value: thousands, either: fractional}, true
}

// ungroup takes out separators of thousands; empty if they do not stand where those stand.
func ungroup(s, separator string) string {
	parts := strings.Split(s, separator)
	for i, part := range parts {
		leading := i == 0 && part != "" && len(part) <= 3 && part[0] != '0'
		if strings.Trim(part, "0123456789") != "" || !leading && (i == 0 || len(part) != 3) {
			return ""
		}
	}
	return strings.Join(parts, "")
}

// numbersIn returns the numbers of a folded text but those within spans. A lone group of three digits is read as in English,
// unless the other numbers of the text show that its commas stand before fractions; where they show both, it is no number.
func numbersIn(text string, except []span) []decimal {
	var found []written
	shows := styleUnknown
	for i := 0; i < len(text); {
		if !isDigit(rune(text[i])) {
			i++
			continue
		}
		end := endOfNumber(text, i)
		if n, ok := numberAt(text, i, end, except); ok {
			found = append(found, n)
			shows = shows.with(n.style)
		}
		i = end
	}
	out := make([]decimal, 0, len(found))
	for _, n := range found {
		switch {
		case n.either == (decimal{}) || shows == styleUnknown || shows == styleDot:
			out = append(out, n.value)
		case shows == styleComma:
			out = append(out, n.either)
		}
	}
	return out
}

// endOfNumber is where digits and separators between digits end.
func endOfNumber(text string, i int) int {
	for ; i < len(text); i++ {
		if isDigit(rune(text[i])) || strings.IndexByte(".,'", text[i]) >= 0 && i+1 < len(text) && isDigit(rune(text[i+1])) {
			continue
		}
		break
	}
	return i
}

func numberAt(text string, start, end int, except []span) (written, bool) {
	if !isEdge(text, start) || !isEdge(text, end) || overlaps(except, start, end) || multiplied(text[end:]) {
		return written{}, false
	}
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	minus := before == '-' || before == '\u2212'
	if !minus && unicode.Is(unicode.Pd, before) { // a sign, or a dash between words
		return written{}, false
	}
	return readNumber(minus, text[start:end])
}

// multiplied reports whether a text begins with a character that makes a number before it larger: 100 is not 100万.
func multiplied(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return strings.ContainsRune("十百千万萬亿億兆십백천만억조", r) && r != utf8.RuneError
}
