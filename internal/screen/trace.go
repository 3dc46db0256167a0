// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package screen

import "unicode/utf8"

// trail is where the elements of a rule matched: ranges of bytes of the text, first
// to last, with what they are. It is a value, so that noting it allocates nothing.
type trail struct {
	steps [maxElements]step
	n     int
}

// step is one token or run of tokens of a trail.
type step struct {
	from, to int       // bytes of the text
	kind     tokenKind // of its first token
	apart    bool      // other words stand before it
}

// trace walks back through the sets of places and notes the tokens of the matched
// elements.
func (m *matcher) trace(r *rule, reached *[maxElements + 1]positions, t *trail) {
	end := reached[len(r.elements)].lowest()
	later := -1 // where the element after this one starts
	for i := len(r.elements) - 1; i >= 0; i-- {
		e := &r.elements[i]
		from, ok := m.stepBack(e, reached[i].smear(e.gap), end)
		if !ok {
			continue // an optional element that was left out
		}
		first, last := &m.tokens[m.base+from], &m.tokens[m.base+end-1]
		if t.n > 0 {
			t.steps[t.n-1].apart = later > end
		}
		t.steps[t.n] = step{from: first.start, to: last.end, kind: first.kind}
		t.n++
		later = from
		for end = from; !reached[i].has(end); end-- {
		}
	}
	for i, j := 0, t.n-1; i < j; i, j = i+1, j-1 {
		t.steps[i], t.steps[j] = t.steps[j], t.steps[i]
	}
}

// stepBack finds the latest start of e among from that ends at end.
func (m *matcher) stepBack(e *element, from positions, end int) (int, bool) {
	for start := end - 1; start >= 0 && start >= end-maxPhrase; start-- {
		if !from.has(start) || m.base+start >= len(m.cells) || !m.fits(e, start) {
			continue
		}
		for _, s := range m.spansAt(m.base + start) {
			if start+s.words == end && m.takes(e, start, s) {
				return start, true
			}
		}
	}
	return 0, false
}

// appendTo writes the words of the trail in lower case, with an ellipsis for what
// lies between. Only words of the lexicon appear; an address or a number is shown
// by its kind.
func (t *trail) appendTo(b []byte, text string) []byte {
	for i := range t.n {
		s := &t.steps[i]
		if i > 0 {
			b = append(b, ' ')
			if s.apart {
				b = append(b, "… "...)
			}
		}
		switch s.kind {
		case kindAddress:
			b = append(b, "<address>"...)
		case kindNumber:
			b = append(b, "<number>"...)
		default:
			b = appendWords(b, text[s.from:s.to])
		}
	}
	return b
}

// appendWords appends words in lower case, with single spaces for what separates them.
func appendWords(b []byte, words string) []byte {
	gap := false
	for _, r := range words {
		switch {
		case isWordRune(r) || r == '\'':
			if gap {
				b = append(b, ' ')
			}
			gap = false
			b = utf8.AppendRune(b, lowerRune(r))
		default:
			gap = true
		}
	}
	return b
}
