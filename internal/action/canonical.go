// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package action

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Bounds of JSON that is read.
const (
	MaxBytes       = 64 << 10
	maxDepth       = 32
	maxNumberBytes = 128
)

// SyntaxError says why JSON is refused. It holds nothing of what was sent but where.
type SyntaxError struct {
	Problem string // in words that follow the name of a field: "nests deeper than …"
}

// Error implements error.
func (e *SyntaxError) Error() string { return e.Problem }

func syntaxErrorf(format string, args ...any) error {
	return &SyntaxError{Problem: fmt.Sprintf(format, args...)}
}

// Parse reads one JSON value: an object as map[string]any, a list as []any, a number as json.Number, exactly as it is
// written. It refuses whatever two readers could take for different things: names that are there twice, invalid UTF-8, halves
// of surrogate pairs, and anything after the value. It returns a *SyntaxError.
func Parse(raw []byte) (any, error) {
	switch {
	case len(raw) > MaxBytes:
		return nil, syntaxErrorf("is longer than %d bytes", MaxBytes)
	case !utf8.Valid(raw):
		return nil, syntaxErrorf("is not valid UTF-8")
	case !json.Valid(raw):
		return nil, syntaxErrorf("is not valid JSON")
	case loneSurrogate(raw):
		return nil, syntaxErrorf("holds half of a surrogate pair, which is no character")
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	v, err := parseValue(d, 0)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, syntaxErrorf("is not valid JSON")
	}
	return v, nil
}

// ParseObject is Parse for what must be an object; nothing at all is an empty one.
func ParseObject(raw []byte) (map[string]any, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return map[string]any{}, nil
	}
	v, err := Parse(raw)
	if err != nil {
		return nil, err
	}
	object, ok := v.(map[string]any)
	if !ok {
		return nil, syntaxErrorf("is no JSON object")
	}
	return object, nil
}

func parseValue(d *json.Decoder, depth int) (any, error) {
	if depth > maxDepth {
		return nil, syntaxErrorf("nests deeper than %d levels", maxDepth)
	}
	token, err := d.Token()
	if err != nil {
		return nil, syntaxErrorf("is not valid JSON")
	}
	switch t := token.(type) {
	case json.Delim:
		if t == '{' {
			return parseMembers(d, depth)
		}
		return parseElements(d, depth)
	case json.Number:
		if len(t) > maxNumberBytes {
			return nil, syntaxErrorf("holds a number of more than %d digits", maxNumberBytes)
		}
	}
	return token, nil
}

func parseMembers(d *json.Decoder, depth int) (any, error) {
	out := map[string]any{}
	for d.More() {
		token, err := d.Token()
		key, ok := token.(string)
		if err != nil || !ok {
			return nil, syntaxErrorf("is not valid JSON")
		}
		if _, twice := out[key]; twice {
			return nil, syntaxErrorf("names a member of an object twice")
		}
		if out[key], err = parseValue(d, depth+1); err != nil {
			return nil, err
		}
	}
	_, err := d.Token() // the closing brace: the whole is valid
	return out, err
}

func parseElements(d *json.Decoder, depth int) (any, error) {
	out := []any{}
	for d.More() {
		v, err := parseValue(d, depth+1)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	_, err := d.Token()
	return out, err
}

// Canonical writes what Parse returned in the one form that is hashed: after RFC 8785, with members sorted by their names as
// UTF-16, without white space, and with as few escapes as possible; but numbers as they were written, so that 100 and 100.0 are
// not the same.
func Canonical(v any) []byte { return appendValue(nil, v) }

// Hash is the SHA-256 of the canonical form of a value.
func Hash(v any) [sha256.Size]byte { return sha256.Sum256(Canonical(v)) }

func appendValue(b []byte, v any) []byte {
	switch v := v.(type) {
	case map[string]any:
		b = append(b, '{')
		keys := make([]string, 0, len(v))
		for key := range v {
			keys = append(keys, key)
		}
		slices.SortFunc(keys, compareUTF16)
		for i, key := range keys {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendString(b, key), ':')
			b = appendValue(b, v[key])
		}
		return append(b, '}')
	case []any:
		b = append(b, '[')
		for i, child := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendValue(b, child)
		}
		return append(b, ']')
	case string:
		return appendString(b, v)
	case json.Number:
		return append(b, v...)
	case bool:
		return strconv.AppendBool(b, v)
	}
	return append(b, "null"...)
}

// appendString escapes what JSON must have escaped, RFC 8785 section 3.2.2.2.
func appendString(b []byte, s string) []byte {
	const short = "\b\t\n\f\r"
	b = append(b, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c >= 0x20:
			b = append(b, c)
		default:
			if at := bytes.IndexByte([]byte(short), c); at >= 0 {
				b = append(b, '\\', "btnfr"[at])
			} else {
				b = fmt.Appendf(b, `\u%04x`, c)
			}
		}
	}
	return append(b, '"')
}

// compareUTF16 orders strings as RFC 8785 does: by UTF-16 code units, in which characters beyond the first plane come before
// the end of it.
func compareUTF16(a, b string) int {
	for len(a) > 0 && len(b) > 0 {
		x, n := utf8.DecodeRuneInString(a)
		y, m := utf8.DecodeRuneInString(b)
		if x != y {
			return slices.Compare(utf16.Encode([]rune{x}), utf16.Encode([]rune{y}))
		}
		a, b = a[n:], b[m:]
	}
	return len(a) - len(b)
}

// loneSurrogate reports whether valid JSON holds a \u escape of half a surrogate pair, which a decoder replaces without a word.
func loneSurrogate(b []byte) bool {
	for at := bytes.IndexByte(b, '\\'); at >= 0 && at < len(b); at++ {
		if b[at] != '\\' {
			continue
		}
		first, ok := escapedUnit(b[at:])
		if !ok || !utf16.IsSurrogate(first) {
			at++ // what is escaped, so that an escaped backslash begins nothing
			continue
		}
		second, ok := escapedUnit(b[at+6:])
		if !ok || utf16.DecodeRune(first, second) == utf8.RuneError {
			return true
		}
		at += 11
	}
	return false
}

// escapedUnit reads a \uXXXX at the start of b.
func escapedUnit(b []byte) (rune, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	unit, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	return rune(unit), err == nil
}
