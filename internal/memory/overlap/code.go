// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package overlap

import (
	"net/netip"
	"strings"
)

// How many digits make a number, or letters and digits a code, that names one thing. Zeros at the end of a number do not
// count: round numbers are everyday ones.
const (
	strongDigits = 6
	weakDigits   = 4
	longCode     = 16 // letters and digits of which few are digits
	longNumber   = 8  // digits, round or not
)

// maxAccount bounds an account that is written in groups, spaces included; an IBAN in groups has 42 signs.
const maxAccount = 64

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func alphanumeric(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// joinGroups joins the groups of an account, card or phone number that begins with the run from i to end, and returns it with
// its end: digits go on with digits, and what begins like an IBAN also with groups of four capitals and digits.
func joinGroups(text string, i, end int) (joined string, last int) {
	first := compact(text[i:end])
	iban := len(first) >= 4 && !isDigit(first[0]) && !isDigit(first[1]) && isDigit(first[2]) && isDigit(first[3])
	if !iban && digitsOf(first) != len(first) {
		return "", end
	}
	joined, last = first, end
	for last+1 < len(text) && text[last] == ' ' && last-i < maxAccount {
		next := runEnd(text, last+1)
		group := text[last+1 : next]
		if group == "" || !isDigit(group[0]) && !(iban && len(group) <= 4 && strings.ToUpper(group) == group) ||
			digitsOf(compact(group)) != len(compact(group)) && !iban || dated(group) {
			break
		}
		joined, last = joined+compact(group), next
	}
	return joined, last
}

// compact is the letters and digits of a run, in lower case.
func compact(run string) string {
	var b strings.Builder
	b.Grow(len(run))
	for i := range len(run) {
		c := run[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if alphanumeric(c) {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func digitsOf(s string) (n int) {
	for i := range len(s) {
		if isDigit(s[i]) {
			n++
		}
	}
	return n
}

// piece reads a number or a code without colons and the like.
func (n *named) piece(s string, at int) {
	if dated(s) {
		return
	}
	if number, ok := readNumber(s); ok {
		n.number(number, at)
		return
	}
	whole := compact(s)
	n.code(whole, at)
	if len(whole) == len(s) {
		return
	}
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return r >= 0x80 || !alphanumeric(byte(r)) }) { // #nosec G115
		if digitsOf(part) >= strongDigits {
			n.code(strings.ToLower(part), at)
		}
	}
}

// code weighs letters and digits.
func (n *named) code(s string, at int) {
	digits := digitsOf(s)
	switch {
	case digits == len(s):
		n.number(s, at)
	case digits >= strongDigits, len(s) >= longCode && digits >= 2:
		n.addStrong(s)
	case digits >= weakDigits && !year(strings.TrimLeft(s, "abcdefghijklmnopqrstuvwxyz")):
		n.addElement(s, at)
	}
}

// number weighs the digits of a number.
func (n *named) number(s string, at int) {
	if datedDigits(s) {
		return
	}
	telling := len(strings.TrimRight(strings.TrimLeft(s, "0"), "0"))
	switch {
	case telling >= strongDigits, len(s) >= longNumber && telling > 1:
		n.addStrong(s)
	case telling >= weakDigits && !year(s):
		n.addElement(s, at)
	}
}

// readNumber reads a number with separators of thousands or decimals and returns its digits. Cents are left out.
func readNumber(s string) (digits string, ok bool) {
	if strings.Trim(s, "0123456789.,'") != "" {
		return "", false
	}
	groups := strings.FieldsFunc(s, func(r rune) bool { return r == '.' || r == ',' || r == '\'' })
	last := len(groups) - 1
	for i, g := range groups {
		if i > 0 && i < last && len(g) != 3 {
			return "", false // a version, or a phone number
		}
	}
	if last > 0 && len(groups[last]) < 3 {
		groups = groups[:last]
	}
	return strings.Join(groups, ""), last >= 0
}

// year reports whether s can be a year of ours.
func year(s string) bool { return len(s) == 4 && (s[:2] == "19" || s[:2] == "20") }

// dated reports whether a run begins with a date: 2026-03-01, 1.3.2026, 03/01/26, 2026-03.
func dated(s string) bool {
	var parts [3]int
	i := 0
	for n := range parts {
		start := i
		for i < len(s) && isDigit(s[i]) {
			i++
		}
		if parts[n] = i - start; parts[n] == 0 {
			return false
		}
		if i == len(s) {
			return n == 2 && calendar(parts) || n == 1 && parts[0] == 4 && parts[1] == 2 && s[4] == '-' && year(s[:4])
		}
		if n == 2 {
			break
		}
		if strings.IndexByte("-./", s[i]) < 0 {
			return false
		}
		i++
	}
	return calendar(parts) && (s[i] == 'T' || s[i] == '-')
}

func calendar(parts [3]int) bool {
	return parts[1] <= 2 && (parts[0] == 4 && parts[2] <= 2 || parts[0] <= 2 && (parts[2] == 4 || parts[2] == 2))
}

// datedDigits reports whether eight digits are a date: 20260301.
func datedDigits(s string) bool {
	return len(s) == 8 && year(s[:4]) && s[4:6] >= "01" && s[4:6] <= "12" && s[6:] >= "01" && s[6:] <= "31"
}

// clock reports whether a run is a time of day, perhaps behind a date: 19:30, 2026-03-01T19:30:00.
func clock(s string) bool {
	hours, rest, ok := strings.Cut(s, ":")
	if _, behind, dated := strings.Cut(hours, "T"); dated {
		hours = behind
	}
	return ok && len(hours) >= 1 && len(hours) <= 2 && digitsOf(hours) == len(hours) &&
		len(rest) >= 2 && isDigit(rest[0]) && isDigit(rest[1]) && (len(rest) == 2 || !isDigit(rest[2]))
}

// ipAddress reports whether s is an IP address, and whether that names a host of the internet.
func ipAddress(s string) (global, ok bool) {
	if s == "" || !isDigit(s[0]) {
		return false, false
	}
	ip, err := netip.ParseAddr(s)
	if err != nil {
		return false, false
	}
	return ip.IsGlobalUnicast() && !ip.IsPrivate(), true
}
