// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"math/bits"
	"strings"
)

// span is a phrase of the lexicon at a token: the entry and its length in tokens.
type span struct {
	entry *entry
	words int
}

// cell holds what one language knows about one token.
type cell struct {
	spans  []span
	stance stance
}

// matcher matches one language against sentences. It keeps its buffers between
// sentences and is used by one goroutine at a time.
type matcher struct {
	language *language
	tokens   []token
	question bool
	cells    []cell
	spans    []span // backing store of the cells
	bounds   []int  // where the spans of each cell start
	present  classSet
	moods    bool  // the stances of the cells are set
	matched  []int // by rule, the number of the sentence it last matched in
	sentence int
}

// match returns the findings in a sentence, appended to found.
func (m *matcher) match(tokens []token, question bool, found []finding) []finding {
	m.tokens, m.question, m.moods = tokens, question, false
	m.sentence++
	if !m.lookUp() {
		return found
	}
	if m.matched == nil {
		m.matched = make([]int, len(m.language.rules))
	}
	for at := range tokens {
		for _, s := range m.cells[at].spans {
			for _, i := range s.entry.starts {
				r := &m.language.rules[i]
				if m.matched[i] == m.sentence || !m.possible(r) {
					continue
				}
				if words, ok := m.apply(r, at); ok {
					m.matched[i] = m.sentence
					found = append(found, finding{family: r.family, weight: r.weight, words: words})
				}
			}
		}
	}
	return found
}

// lookUp finds the phrases at every token and reports whether a rule could start
// anywhere in the sentence.
func (m *matcher) lookUp() bool {
	m.cells, m.spans, m.present = m.cells[:0], m.spans[:0], classSet{}
	startable := false
	m.bounds = m.bounds[:0]
	for at := range m.tokens {
		m.bounds = append(m.bounds, len(m.spans))
		m.phrasesAt(at)
		for _, s := range m.spans[m.bounds[at]:] {
			for _, class := range s.entry.classes {
				m.present.add(class)
			}
			startable = startable || len(s.entry.starts) > 0
		}
	}
	if !startable {
		return false
	}
	for at, from := range m.bounds {
		to := len(m.spans)
		if at+1 < len(m.bounds) {
			to = m.bounds[at+1]
		}
		m.cells = append(m.cells, cell{spans: m.spans[from:to]})
	}
	m.mask()
	return true
}

// phrasesAt appends the phrases that start at a token, shortest first.
func (m *matcher) phrasesAt(at int) {
	switch t := &m.tokens[at]; t.kind {
	case kindAddress:
		m.spans = append(m.spans, span{entry: m.language.address, words: 1})
		return
	case kindNumber:
		m.spans = append(m.spans, span{entry: m.language.number, words: 1})
	}
	level := m.language.words
	for n := 0; n < maxPhrase && at+n < len(m.tokens); n++ {
		word := m.tokens[at+n].text
		e := level[word]
		if e == nil {
			if e = level[strings.TrimSuffix(word, "'s")]; e == nil {
				return
			}
		}
		// Phrases do not reach over the end of a clause.
		if n > 0 && m.tokens[at+n].bound >= boundClause {
			return
		}
		if len(e.classes) > 0 {
			m.spans = append(m.spans, span{entry: e, words: n + 1})
		}
		if level = e.next; level == nil {
			return
		}
	}
}

// mask blanks the tokens under the phrases of "except" statements.
func (m *matcher) mask() {
	for at := range m.cells {
		for _, s := range m.cells[at].spans {
			if s.entry.roles&roleExcept != 0 {
				for i := at; i < at+s.words; i++ {
					m.cells[i].spans = nil
				}
				break
			}
		}
	}
}

// readMoods gives every token its stance. Where a phrase matters for the mood,
// the longest one counts.
func (m *matcher) readMoods() {
	r := moodReader{query: m.question}
	for at := 0; at < len(m.cells); {
		t := &m.tokens[at]
		r.boundary(t.bound, t.pre == '"' || t.pre == '\'')
		word, length := roles(0), 1
		for _, s := range m.cells[at].spans {
			if s.entry.roles&readerRoles != 0 {
				word, length = s.entry.roles, s.words
			}
		}
		if word&roleVerb != 0 && m.nounAt(at, length) {
			word = 0
		}
		m.cells[at].stance = r.read(word)
		at += length
	}
	m.moods = true
}

// nounAt reports whether the word that could be a verb is a noun here: a heading
// ("Answer: …"), the head of a phrase ("review of …") or the subject of what
// follows ("email is …", "ignore lists are …").
func (m *matcher) nounAt(at, length int) bool {
	if m.tokens[at+length-1].post == ':' {
		return true
	}
	next := at + length
	if !m.continues(next) {
		return false
	}
	if m.plays(next, roleNominal|roleFinite) {
		return true
	}
	return !m.plays(next, roleObject) && !m.plays(at, roleClausal) && m.continues(next+1) && m.plays(next+1, roleFinite)
}

// continues reports whether the token stands in the same clause as the one before.
func (m *matcher) continues(at int) bool {
	return at < len(m.tokens) && m.tokens[at].bound == boundNone
}

// plays reports whether the single word at a token has one of the roles.
func (m *matcher) plays(at int, any roles) bool {
	for _, s := range m.cells[at].spans {
		if s.words == 1 && s.entry.roles&any != 0 {
			return true
		}
	}
	return false
}

// possible reports whether the sentence has something for every obligatory
// element of the rule.
func (m *matcher) possible(r *rule) bool {
	if m.question && !r.ask && !r.ordered {
		return false
	}
	for _, need := range r.needs {
		if !m.present.intersects(need) {
			return false
		}
	}
	return true
}

// apply matches a rule at a token and returns the words that matched.
//
// It runs the rule as an automaton over sets of positions: bit i of a set is the
// token at+i, as the place after the last matched element. The work is bounded by
// the window for each element, whatever the text, so that no text can make it
// backtrack.
func (m *matcher) apply(r *rule, at int) (string, bool) {
	if r.ordered && !m.moods {
		m.readMoods()
	}
	var reached [maxElements + 1]uint64
	reached[0] = 1
	for i := range r.elements {
		e := &r.elements[i]
		next := m.advance(e, at, smear(reached[i], e.gap))
		if e.optional {
			next |= reached[i]
		}
		if next == 0 {
			return "", false
		}
		reached[i+1] = next
	}
	return m.trace(r, at, &reached), true
}

// smear adds the positions up to gap tokens after those in the set.
func smear(set uint64, gap int) uint64 {
	out := set
	for range gap {
		set <<= 1
		out |= set
	}
	return out
}

// advance returns the positions after element e for those it may start at.
func (m *matcher) advance(e *element, at int, from uint64) uint64 {
	var next uint64
	for set := from; set != 0; set &= set - 1 {
		offset := bits.TrailingZeros64(set)
		if at+offset >= len(m.cells) {
			break
		}
		for _, words := range m.lengths(e, at+offset) {
			if words > 0 && offset+words < maxWindow {
				next |= 1 << (offset + words)
			}
		}
	}
	return next
}

// lengths returns the lengths, in tokens, with which e matches at a token.
func (m *matcher) lengths(e *element, at int) (lengths [maxPhrase]int) {
	t := &m.tokens[at]
	if e.start && t.bound < boundClause || e.piped && t.pre != '|' {
		return lengths
	}
	if e.bracket && strings.IndexByte("<[{(#", t.pre) < 0 || e.bracket && t.pre == 0 {
		return lengths
	}
	for i, s := range m.cells[at].spans {
		if i < maxPhrase && e.takes(s.entry.classes, m.cells[at].stance) && (!e.colon || m.colonAfter(at+s.words-1)) {
			lengths[i] = s.words
		}
	}
	return lengths
}

// takes reports whether an alternative of the element fits the classes and stance.
func (e *element) takes(classes []int, s stance) bool {
	for i := range e.alternatives {
		if a := &e.alternatives[i]; a.mood.accepts(s) && a.any.hasAny(classes) {
			return true
		}
	}
	return false
}

func (m *matcher) colonAfter(at int) bool {
	switch m.tokens[at].post {
	case ':', ']', '>', '=', '}':
		return true
	}
	return false
}

// trace walks back through the sets of positions and returns the words of the
// matched elements, with an ellipsis for what lies between. Only words of the
// lexicon appear; an address or a number is shown by its kind.
func (m *matcher) trace(r *rule, at int, reached *[maxElements + 1]uint64) string {
	type place struct{ from, to int }
	var places []place
	end := bits.TrailingZeros64(reached[len(r.elements)])
	for i := len(r.elements) - 1; i >= 0; i-- {
		e := &r.elements[i]
		from, ok := m.stepBack(e, at, smear(reached[i], e.gap), end)
		if !ok {
			continue // an optional element that was left out
		}
		places = append(places, place{from, end})
		for end = from; reached[i]&(1<<end) == 0; end-- {
		}
	}
	var b strings.Builder
	for i := len(places) - 1; i >= 0; i-- {
		if b.Len() > 0 {
			if b.WriteByte(' '); places[i].from > places[i+1].to {
				b.WriteString("… ")
			}
		}
		m.writeWords(&b, at+places[i].from, at+places[i].to)
	}
	return b.String()
}

// stepBack finds the latest start of e among from that ends at end.
func (m *matcher) stepBack(e *element, at int, from uint64, end int) (int, bool) {
	for start := end - 1; start >= 0 && start >= end-maxPhrase; start-- {
		if from&(1<<start) == 0 || at+start >= len(m.cells) {
			continue
		}
		for _, words := range m.lengths(e, at+start) {
			if words > 0 && start+words == end {
				return start, true
			}
		}
	}
	return 0, false
}

func (m *matcher) writeWords(b *strings.Builder, from, to int) {
	for i := from; i < to; i++ {
		if i > from {
			b.WriteByte(' ')
		}
		switch m.tokens[i].kind {
		case kindAddress:
			b.WriteString("<address>")
		case kindNumber:
			b.WriteString("<number>")
		default:
			b.WriteString(m.tokens[i].text)
		}
	}
}
