// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package action

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxTextBytes bounds how much of a text is looked at; the longest turn is as long.
const maxTextBytes = 64 << 10

// Text is what somebody said, ready to look for values in it.
type Text struct {
	folded   string
	groups   []span    // of three and more chunks, such as the parts of an IBAN; no value on their own
	accounts []string  // account numbers and the like, without separators, sorted
	numbers  []decimal // sorted
}

// span is a part of a text.
type span struct{ start, end int }

// firstAfter returns the first of ordered spans that ends after a place.
func firstAfter(spans []span, at int) []span {
	i, _ := slices.BinarySearchFunc(spans, at, func(s span, at int) int { return cmp.Compare(s.end, at+1) })
	return spans[i:]
}

// overlaps reports whether one of ordered spans has a place in common with another.
func overlaps(spans []span, start, end int) bool {
	after := firstAfter(spans, start)
	return len(after) > 0 && after[0].start < end
}

// NewText prepares a text.
func NewText(s string) Text {
	t := Text{folded: fold(cutText(s))}
	t.readTokens()
	slices.Sort(t.accounts)
	t.numbers = numbersIn(t.folded, t.groups)
	slices.SortFunc(t.numbers, decimal.compare)
	return t
}

// cutText bounds a text, at a space, so that no word is cut to another.
func cutText(s string) string {
	if len(s) <= maxTextBytes {
		return s
	}
	return s[:strings.LastIndexFunc(s[:maxTextBytes], unicode.IsSpace)+1]
}

// Grounded is whether a text names a value, see Text.Names.
func Grounded(v any, text string) bool { return NewText(text).Names(v) }

// Names reports whether the text names a value of a call. A string must stand there as whole words, in any case of letters; a
// number as a whole number, however it is written; what looks like an account number also with other separators. True, false,
// null, and whatever is empty are nothing that a text could name.
func (t Text) Names(v any) bool {
	switch v := v.(type) {
	case string:
		return t.namesString(v)
	case json.Number:
		n, ok := jsonDecimal(v.String())
		return ok && (t.hasNumber(n) || t.hasAccount(accountOf(v.String())))
	}
	return false
}

func (t Text) namesString(s string) bool {
	if len(s) > maxTextBytes {
		return false
	}
	value := fold(s)
	if !strings.ContainsFunc(value, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
		return false
	}
	if t.hasWords(value) || t.hasAccount(accountOf(value)) {
		return true
	}
	if !plainNumber.MatchString(value) {
		return false
	}
	n, ok := jsonDecimal(value)
	return ok && t.hasNumber(n)
}

func (t Text) hasAccount(account string) bool {
	_, ok := slices.BinarySearch(t.accounts, account)
	return ok
}

func (t Text) hasNumber(n decimal) bool {
	_, ok := slices.BinarySearchFunc(t.numbers, n, decimal.compare)
	return ok
}

// hasWords reports whether the words of a folded value stand in the text, as whole tokens and not as a part of a group.
func (t Text) hasWords(value string) bool {
	for from := 0; ; {
		at := strings.Index(t.folded[from:], value)
		if at < 0 {
			return false
		}
		start := from + at
		end := start + len(value)
		if isEdge(t.folded, start) && isEdge(t.folded, end) && !t.cutsGroup(start, end) {
			return true
		}
		_, size := utf8.DecodeRuneInString(t.folded[start:])
		from = start + size
	}
}

// cutsGroup reports whether a part of the text holds some of a group and not all of it.
func (t Text) cutsGroup(start, end int) bool {
	for _, g := range firstAfter(t.groups, start) {
		if g.start >= end {
			return false
		}
		if start > g.start || end < g.end {
			return true
		}
	}
	return false
}

// minAccountDigits is from how many digits on separators in a number with a name's look do not matter.
const minAccountDigits = 6

// accountOf is a folded value without the spaces and dashes between its parts, if it looks like the number of an account, an
// order or a telephone; otherwise it is empty, which is no account. A sign makes another number of it.
func accountOf(value string) string {
	value = strings.TrimPrefix(value, "+")
	digits, separated := 0, true
	var compact strings.Builder
	for _, r := range value {
		switch {
		case r == ' ' || unicode.Is(unicode.Pd, r):
			if separated {
				return ""
			}
			separated = true
			continue
		case isDigit(r):
			digits++
		case r < 'a' || r > 'z':
			return ""
		}
		separated = false
		compact.WriteRune(r)
	}
	if digits < minAccountDigits || separated {
		return ""
	}
	return compact.String()
}
