// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package claim

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// valueKind says what a value measures. Only values of one kind can contradict each other.
type valueKind string

const (
	valueNumber  valueKind = "numbers"
	valueAmount  valueKind = "amounts"
	valuePercent valueKind = "percentages"
	valueDate    valueKind = "dates"
	valueWeekday valueKind = "weekdays"
	valueTime    valueKind = "times"
	valueEmail   valueKind = "e-mail addresses"
	valueURL     valueKind = "web addresses"
	valueAccount valueKind = "accounts"
	valueCode    valueKind = "codes" // names one thing among its like; two of them are two things
)

// repeats reports whether one thing can have several values of this kind at different times or places.
func (k valueKind) repeats() bool {
	return k != valueEmail && k != valueURL && k != valueAccount
}

// topDomains are those a bare host name is taken for an address by.
var topDomains = map[string]bool{"com": true, "org": true, "net": true, "io": true, "dev": true, "app": true, "ai": true, "co": true,
	"de": true, "fr": true, "es": true, "it": true, "nl": true, "pt": true, "br": true, "ru": true, "cn": true, "jp": true, "kr": true,
	"uk": true, "eu": true, "ch": true, "at": true, "in": true, "th": true, "info": true, "biz": true, "cloud": true, "internal": true,
	"example": true, "test": true, "local": true, "edu": true, "gov": true, "xyz": true, "site": true, "online": true}

// maxAddress bounds the signs of an address or account.
const maxAddress = 256

// address reads an e-mail or web address or an account at i, and returns its end, or i if there is none.
func (s *scanner) address(i int) int {
	end := i
	for end < len(s.text) && end-i < maxAddress && s.text[end] > ' ' && s.text[end] < 0x250 && !strings.ContainsRune(",;()<>\"|", s.text[end]) {
		end++
	}
	for end > i && strings.ContainsRune(".:!?'", s.text[end-1]) {
		end--
	}
	chunk := strings.ToLower(string(s.text[i:end]))
	local, domain, mail := strings.Cut(chunk, "@")
	switch {
	case mail && local != "" && strings.Contains(domain, "."):
		s.emit(token{kind: tokenValue, value: valueEmail, text: chunk})
		return end
	case strings.Contains(chunk, "://") || strings.HasPrefix(chunk, "www.") || hostName(chunk):
		_, bare, found := strings.Cut(chunk, "://")
		if !found {
			bare = chunk
		}
		s.emit(token{kind: tokenValue, value: valueURL, text: strings.TrimSuffix(strings.TrimPrefix(bare, "www."), "/")})
		return end
	}
	return s.account(i)
}

// hostName reports whether chunk is a host name with or without a path, of a top-level domain we know.
func hostName(chunk string) bool {
	host, _, _ := strings.Cut(chunk, "/")
	host, _, _ = strings.Cut(host, ":")
	dot := strings.LastIndexByte(host, '.')
	if dot < 1 || !topDomains[host[dot+1:]] {
		return false
	}
	return strings.ContainsFunc(host[:dot], unicode.IsLetter)
}

// Fewest signs of what counts as an account: an IBAN has 15 at least, a wallet 26, a phone number eight digits.
const (
	minIBAN   = 15
	minWallet = 20
	minDigits = 8
	// maxAccount bounds the signs of one, spaces included.
	maxAccount = 64
)

// account reads an account, phone number or wallet at i, with or without spaces in it, and returns its end or i.
func (s *scanner) account(i int) int {
	var signs []rune
	end := i
	for j := i; j < len(s.text) && j-i < maxAccount; j++ {
		r := s.text[j]
		if r == '+' && j == i || (r == ' ' || r == '-') && accountGoesOn(s.text[j+1:], signs) {
			continue
		}
		if !asciiDigit(r) && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			break
		}
		signs = append(signs, unicode.ToLower(r))
		end = j + 1
	}
	if !isAccount(signs) || isDate(string(s.text[i:end])) {
		return i
	}
	s.emit(token{kind: tokenValue, value: valueAccount, text: string(signs)})
	return end
}

// isAccount tells an IBAN, a wallet and a number that is too long to count anything from words.
func isAccount(signs []rune) bool {
	digits := 0
	for _, r := range signs {
		if asciiDigit(r) {
			digits++
		}
	}
	n := len(signs)
	iban := n >= minIBAN && digits*10 >= n*6 && beginsLikeIBAN(signs)
	wallet := n >= minWallet && digits >= 4 && digits < n
	return iban || wallet || digits == n && n >= minDigits
}

// beginsLikeIBAN reports whether two letters and two digits come first.
func beginsLikeIBAN(signs []rune) bool {
	return len(signs) >= 4 && !asciiDigit(signs[0]) && !asciiDigit(signs[1]) && asciiDigit(signs[2]) && asciiDigit(signs[3])
}

func asciiDigit(r rune) bool { return r >= '0' && r <= '9' }

// accountGoesOn reports whether what stands behind a space belongs to the signs read so far: digits to digits, and to what
// begins like an IBAN also a group of four with capital letters.
func accountGoesOn(text, signs []rune) bool {
	if len(text) == 0 || len(signs) == 0 {
		return false
	}
	if beginsLikeIBAN(signs) {
		capital := func(r rune) bool { return asciiDigit(r) || r >= 'A' && r <= 'Z' }
		return asciiDigit(text[0]) || len(text) >= 4 && capital(text[0]) && capital(text[1]) && capital(text[2]) && capital(text[3])
	}
	return asciiDigit(text[0]) && !slices.ContainsFunc(signs, func(r rune) bool { return !asciiDigit(r) })
}

func isDate(s string) bool {
	year, rest, ok := strings.Cut(s, "-")
	return ok && len(year) == 4 && len(rest) <= 5 && strings.Contains(rest, "-")
}

// number reads what begins with a digit: a date, a time of day, or a number with its separators.
func (s *scanner) number(i int) int {
	parts, end := s.digits(i)
	t := token{kind: tokenNumber, text: parts}
	switch sep := s.separator(end); {
	case (sep == ':' || sep == 'h' || sep == 'H') && len(parts) <= 2:
		minutes, after := s.digits(end + 1)
		t, end = token{kind: tokenValue, value: valueTime, text: clock(parts, minutes)}, after
		if s.separator(end) == ':' {
			_, end = s.digits(end + 1) // seconds
		}
	case (sep == '-' || sep == '/' || sep == '.') && s.dateAt(i) > 0:
		to := s.dateAt(i)
		t, end = token{kind: tokenValue, value: valueDate, text: canonicalDate(s.ascii(i, to))}, to
	default:
		end = s.numberEnd(i)
		t.text = canonicalNumber(s.ascii(i, end))
		if end < len(s.text) && (s.text[end] == 'k' || s.text[end] == 'K') && (end+1 == len(s.text) || !unicode.IsLetter(s.text[end+1])) {
			t.text = canonicalNumber(t.text + "000")
			end++
		}
	}
	end = s.ordinal(end)
	s.emit(t)
	return end
}

// digits reads digits of any script and returns them as ASCII.
func (s *scanner) digits(i int) (digits string, end int) {
	end = i
	for end < len(s.text) && unicode.IsDigit(s.text[end]) {
		end++
	}
	return s.ascii(i, end), end
}

// ascii is the text from i to end with digits of any script as ASCII.
func (s *scanner) ascii(i, end int) string {
	var b strings.Builder
	for _, r := range s.text[min(i, len(s.text)):min(end, len(s.text))] {
		if unicode.IsDigit(r) {
			r = '0' + digitValue(r)
		}
		b.WriteRune(r)
	}
	return b.String()
}

// digitValue counts from the zero of r's script: Unicode keeps the ten digits of a script together.
func digitValue(r rune) rune {
	value := rune(0)
	for value < 9 && unicode.IsDigit(r-value-1) {
		value++
	}
	return value
}

// separator is the sign at end if a digit follows it.
func (s *scanner) separator(end int) rune {
	if end+1 < len(s.text) && unicode.IsDigit(s.text[end+1]) {
		return s.text[end]
	}
	return 0
}

// dateAt returns the end of three numbers at i that are a date by their form: 2026-03-01, 1.3.2026, 03/01/26. 0: none.
func (s *scanner) dateAt(i int) int {
	a, end := s.digits(i)
	sep := s.separator(end)
	b, end := s.digits(end + 1)
	if s.separator(end) != sep {
		return 0
	}
	c, end := s.digits(end + 1)
	year := len(a) == 4 && len(c) <= 2 || len(a) <= 2 && (len(c) == 4 || len(c) == 2 && sep != '.')
	if !year || len(b) > 2 || s.separator(end) == sep {
		return 0
	}
	return end
}

// canonicalDate writes the parts without leading zeros. Which one is the day is not known, and need not be.
func canonicalDate(s string) string {
	parts := strings.FieldsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	for i, p := range parts {
		parts[i] = strings.TrimLeft(p, "0")
	}
	return strings.Join(parts, "-")
}

// numberEnd reads a number with separators of thousands and decimals.
func (s *scanner) numberEnd(i int) int {
	_, end := s.digits(i)
	for {
		sep := s.separator(end)
		if sep == 0 || !strings.ContainsRune(".,'’\u00a0\u202f ", sep) {
			return end
		}
		group, after := s.digits(end + 1)
		if (sep == ' ' || sep == '\u00a0' || sep == '\u202f') && len(group) != 3 {
			return end
		}
		end = after
	}
}

// canonicalNumber drops separators of thousands and writes a point before decimals. Three digits behind a single separator
// are thousands.
func canonicalNumber(s string) string {
	groups := strings.FieldsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	if len(groups) == 0 {
		return "0"
	}
	last := len(groups) - 1
	whole, fraction := strings.Join(groups, ""), ""
	if last > 0 && len(groups[last]) != 3 {
		whole, fraction = strings.Join(groups[:last], ""), strings.TrimRight(groups[last], "0")
	}
	whole = strings.TrimLeft(whole, "0")
	if whole == "" {
		whole = "0"
	}
	if fraction != "" {
		return whole + "." + fraction
	}
	return whole
}

// ordinal skips what makes a number an ordinal: 3rd, 2nd, 1er, 5º.
func (s *scanner) ordinal(end int) int {
	n := end
	for n < len(s.text) && n-end < 3 && unicode.IsLetter(s.text[n]) && !unspaced(s.text[n]) {
		n++
	}
	if n < len(s.text) && unicode.IsLetter(s.text[n]) && !unspaced(s.text[n]) {
		return end
	}
	switch strings.ToLower(string(s.text[end:n])) {
	case "st", "nd", "rd", "th", "er", "o", "a", "e":
		return n
	}
	return end
}

// clock writes a time of day as hours and minutes.
func clock(hours, minutes string) string {
	h, _ := strconv.Atoi(hours)
	m, _ := strconv.Atoi(minutes)
	return strconv.Itoa(h*60 + m)
}

// halfDay moves a time of day by what stands before or behind it.
func halfDay(minutes string, pm bool) string {
	m, _ := strconv.Atoi(minutes)
	switch {
	case pm && m < 12*60:
		m += 12 * 60
	case !pm && m >= 12*60 && m < 13*60:
		m -= 12 * 60
	}
	return strconv.Itoa(m)
}
