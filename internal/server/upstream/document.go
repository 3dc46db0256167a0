// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Bounds of what is taken apart. What is beyond them cannot be judged and is refused.
const (
	maxDepth  = 200   // of objects and lists in each other
	maxTexts  = 20000 // of one document, the documents within it included
	maxNested = 4     // documents in texts of documents
)

var (
	errNoJSON   = errors.New("it is not valid JSON in UTF-8")
	errTooDeep  = errors.New("it is nested too deeply")
	errTooMany  = errors.New("it has too many texts")
	errMismatch = errors.New("the verdicts are not those of its texts")
)

// literal is a string in a JSON document.
type literal struct {
	start, end int      // of the bytes in the document, quotes included
	path       []string // names of members, and elements for lists; of a name, the path of its object. Valid during the visit
	name       bool     // it is the name of a member
}

// elements stands in paths for the elements of a list, as in action.ParsePath.
const elements = "[*]"

// visit calls f for every string of a valid JSON document, in the order of the document.
func visit(raw []byte, f func(literal) error) error {
	if !json.Valid(raw) || !utf8.Valid(raw) {
		return errNoJSON
	}
	s := scanner{raw: raw, visit: f}
	return s.value(nil)
}

// scanner walks a document that is known to be valid JSON, and knows where everything stands: what is not touched stays as it
// was, byte for byte.
type scanner struct {
	raw   []byte
	at    int
	visit func(literal) error
}

// value walks one value.
func (s *scanner) value(path []string) error {
	if len(path) > maxDepth {
		return errTooDeep
	}
	s.space()
	switch s.raw[s.at] {
	case '{':
		return s.object(path)
	case '[':
		return s.list(path)
	case '"':
		start, end := s.text()
		return s.visit(literal{start: start, end: end, path: path})
	}
	for s.at < len(s.raw) && !bytes.ContainsRune([]byte(",]} \t\r\n"), rune(s.raw[s.at])) {
		s.at++
	}
	return nil
}

func (s *scanner) object(path []string) error {
	for s.at++; ; s.at++ { // behind the brace, then behind each comma
		s.space()
		if s.raw[s.at] == '}' {
			break
		}
		start, end := s.text()
		if err := s.visit(literal{start: start, end: end, path: path, name: true}); err != nil {
			return err
		}
		name, err := decode(s.raw[start:end])
		if err != nil {
			return err
		}
		s.space()
		s.at++ // the colon
		if err := s.value(append(path, name)); err != nil {
			return err
		}
		if s.space(); s.raw[s.at] == '}' {
			break
		}
	}
	s.at++
	return nil
}

func (s *scanner) list(path []string) error {
	for s.at++; ; s.at++ {
		s.space()
		if s.raw[s.at] == ']' {
			break
		}
		if err := s.value(append(path, elements)); err != nil {
			return err
		}
		if s.space(); s.raw[s.at] == ']' {
			break
		}
	}
	s.at++
	return nil
}

// text passes over a string, and returns where it stands.
func (s *scanner) text() (start, end int) {
	start = s.at
	for s.at++; s.raw[s.at] != '"'; s.at++ {
		if s.raw[s.at] == '\\' {
			s.at++
		}
	}
	s.at++
	return start, s.at
}

func (s *scanner) space() {
	for s.at < len(s.raw) && (s.raw[s.at] == ' ' || s.raw[s.at] == '\t' || s.raw[s.at] == '\r' || s.raw[s.at] == '\n') {
		s.at++
	}
}

// decode returns what a string literal says.
func decode(quoted []byte) (string, error) {
	inner := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return string(inner), nil
	}
	var s string
	if err := json.Unmarshal(quoted, &s); err != nil {
		return "", errNoJSON
	}
	return s, nil
}

// encode writes a string literal.
func encode(s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil { // a string always encodes
		return []byte(strconv.Quote(""))
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// splice is a string literal that is to be replaced.
type splice struct {
	start, end int
	with       []byte
}

// spliced returns the document with some of its literals replaced, everything else byte for byte.
func spliced(raw []byte, parts []splice) []byte {
	if len(parts) == 0 {
		return raw
	}
	slices.SortFunc(parts, func(a, b splice) int { return a.start - b.start })
	out := make([]byte, 0, len(raw))
	at := 0
	for _, p := range parts {
		out = append(append(out, raw[at:p.start]...), p.with...)
		at = p.end
	}
	return append(out, raw[at:]...)
}

// member is one member of an object.
type member struct {
	name       string
	start, end int // of the value
}

// members returns the members of a valid JSON object, and where the first brace stands; nil for anything else.
func members(raw []byte) (list []member, brace int, ok bool) {
	if !json.Valid(raw) {
		return nil, 0, false
	}
	s := scanner{raw: raw, visit: func(literal) error { return nil }}
	if s.space(); s.raw[s.at] != '{' {
		return nil, 0, false
	}
	brace = s.at
	for s.at++; ; s.at++ {
		if s.space(); s.raw[s.at] == '}' {
			return list, brace, true
		}
		start, end := s.text()
		name, err := decode(raw[start:end])
		if err != nil {
			return nil, 0, false
		}
		s.space()
		s.at++
		s.space()
		from := s.at
		if s.value(nil) != nil {
			return nil, 0, false
		}
		list = append(list, member{name: name, start: from, end: s.at})
		if s.space(); s.raw[s.at] == '}' {
			return list, brace, true
		}
	}
}

// items returns where the elements of a valid JSON list stand; false for anything else.
func items(raw []byte) (list []member, ok bool) {
	if !json.Valid(raw) {
		return nil, false
	}
	s := scanner{raw: raw, visit: func(literal) error { return nil }}
	if s.space(); s.raw[s.at] != '[' {
		return nil, false
	}
	for s.at++; ; s.at++ {
		if s.space(); s.raw[s.at] == ']' {
			return list, true
		}
		from := s.at
		if s.value(nil) != nil {
			return nil, false
		}
		list = append(list, member{start: from, end: s.at})
		if s.space(); s.raw[s.at] == ']' {
			return list, true
		}
	}
}

// find returns the member of an object by its name. Of two with one name it returns none, as peers would not agree on which counts.
func find(list []member, name string) (found member, ok bool) {
	for _, m := range list {
		if m.name != name {
			continue
		}
		if ok {
			return member{}, false
		}
		found, ok = m, true
	}
	return found, ok
}
