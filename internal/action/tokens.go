// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package action

import (
	"unicode"
	"unicode/utf8"
)

// token is a word of ASCII letters and digits with at least one digit, perhaps joined by dashes, as in 2026-11-01.
type token struct {
	span
	dashed bool
	digits bool
}

// readTokens finds account numbers and groups. Only tokens with digits make up those, and what stands among them in an IBAN.
func (t *Text) readTokens() {
	var run []token // neighbors, with one space between them
	for i := 0; ; {
		if len(run) == 0 {
			if i = t.nextDigits(i); i == len(t.folded) {
				return
			}
		}
		next := t.tokenAt(i)
		counts := next.digits || len(run) > 0 && next.end-next.start == ibanGroup
		if counts = counts && isEdge(t.folded, next.start) && isEdge(t.folded, next.end); counts {
			run = append(run, next)
		}
		i = next.end
		neighbor := i+1 < len(t.folded) && t.folded[i] == ' ' && isASCIIWord(t.folded[i+1])
		if counts && neighbor {
			i++
			continue
		}
		t.readRun(run)
		run = run[:0]
	}
}

// nextDigits returns where the next token with a digit begins, at or after a place where none has begun; the end of the text if
// there is none.
func (t *Text) nextDigits(i int) int {
	at := i
	for at < len(t.folded) && !isDigit(rune(t.folded[at])) {
		at++
	}
	for at > i && at < len(t.folded) {
		r, size := utf8.DecodeLastRuneInString(t.folded[i:at])
		within := r < utf8.RuneSelf && isASCIIWord(byte(r)) // #nosec G115 -- ASCII
		joins := unicode.Is(unicode.Pd, r) && at-size > i && isASCIIWord(t.folded[at-size-1]) && isASCIIWord(t.folded[at])
		if !within && !joins {
			break
		}
		at -= size
	}
	return at
}

func isASCIIWord(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }

// tokenAt returns the token that begins at a place.
func (t *Text) tokenAt(i int) token {
	out := token{span: span{start: i}}
	for i < len(t.folded) {
		if c := t.folded[i]; isASCIIWord(c) {
			out.digits = out.digits || isDigit(rune(c))
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(t.folded[i:])
		if !unicode.Is(unicode.Pd, r) || i+size == len(t.folded) || !isASCIIWord(t.folded[i+size]) {
			break
		}
		out.dashed = true
		i += size
	}
	out.end = i
	return out
}

// readRun finds in neighboring tokens what belongs together: an IBAN in groups of four, or numbers without words between them.
func (t *Text) readRun(run []token) {
	for i := 0; i < len(run); {
		n := t.ibanAt(run[i:])
		if n == 0 {
			n = t.digitsAt(run[i:])
		}
		if n == 0 {
			i++
			continue
		}
		t.group(run[i : i+n])
		i += n
	}
}

// ibanGroup is how many characters of an IBAN people write together.
const ibanGroup = 4

// minIBAN is the length of the shortest IBAN, that of Norway, and maxIBAN the longest that ISO 13616 allows.
const (
	minIBAN = 15
	maxIBAN = 34
)

// ibanAt returns how many tokens make up the IBAN they begin with; 0 if none does.
func (t *Text) ibanAt(run []token) int {
	first := t.folded[run[0].start:run[0].end]
	if len(first) != ibanGroup || !isIBANStart(first) {
		return 0
	}
	length, n := len(first), 1
	for last := ibanGroup; n < len(run) && last == ibanGroup; n++ {
		last = run[n].end - run[n].start
		if run[n].dashed || last > ibanGroup || length+last > maxIBAN {
			break
		}
		length += last
	}
	if length < minIBAN {
		return 0
	}
	return n
}

func isIBANStart(s string) bool {
	return len(s) >= 4 && s[0] >= 'a' && s[1] >= 'a' && isDigit(rune(s[2])) && isDigit(rune(s[3]))
}

// digitsAt returns how many tokens with digits and without dashes there are before one that begins an IBAN.
func (t *Text) digitsAt(run []token) int {
	n := 0
	for n < len(run) && run[n].digits && (n == 0 || !run[n].dashed && !run[n-1].dashed && t.ibanAt(run[n:]) == 0) {
		n++
	}
	return n
}

// group notes what belongs together. Parts of three and more are no values of their own.
func (t *Text) group(run []token) {
	whole := span{run[0].start, run[len(run)-1].end}
	if len(run) >= 3 {
		t.groups = append(t.groups, whole)
	}
	t.note(whole)
	if len(run) == 2 {
		t.note(run[0].span)
		t.note(run[1].span)
	}
}

func (t *Text) note(s span) {
	if s.end-s.start < minAccountDigits {
		return
	}
	if account := accountOf(t.folded[s.start:s.end]); account != "" {
		t.accounts = append(t.accounts, account)
	}
}
