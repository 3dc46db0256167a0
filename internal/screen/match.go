// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"math/bits"
	"strings"
	"unicode/utf8"
)

const (
	// matchBlock is the number of tokens matched at a time: one less than the places
	// of a positions set, which also holds the place after the last token.
	matchBlock = 127
	// matchStep is the distance of two blocks of a long sentence. What lies within
	// matchBlock-matchStep tokens is whole in one of them.
	matchStep = 64
)

// positions is a set of places among the tokens of a block.
type positions [2]uint64

func (p *positions) has(i int) bool { return p[uint(i)/64]>>(uint(i)%64)&1 != 0 }

func (p *positions) add(i int) { p[uint(i)/64] |= 1 << (uint(i) % 64) }

func (p positions) empty() bool { return p[0]|p[1] == 0 }

func (p positions) and(q positions) positions { return positions{p[0] & q[0], p[1] & q[1]} }

func (p positions) or(q positions) positions { return positions{p[0] | q[0], p[1] | q[1]} }

// smear adds the places up to gap after those in the set.
func (p positions) smear(gap int) positions {
	out := p
	for range gap {
		p = positions{p[0] << 1, p[1]<<1 | p[0]>>63}
		out = out.or(p)
	}
	return out
}

// behind returns the places 1 to most places behind those in the set.
func (p positions) behind(most int) positions {
	return positions{p[0] << 1, p[1]<<1 | p[0]>>63}.smear(most - 1)
}

// lowest returns the first place of a set that is not empty.
func (p positions) lowest() int {
	if p[0] != 0 {
		return bits.TrailingZeros64(p[0])
	}
	return 64 + bits.TrailingZeros64(p[1])
}

// span is a phrase of the lexicon at a token: the entry and its length in tokens.
type span struct {
	entry *entry
	words int
}

// cell holds what one language knows about one token: a range of spans.
type cell struct {
	from, to int
	stance   stance
}

// matcher matches one language against sentences. It keeps its buffers between
// sentences and is used by one goroutine at a time.
type matcher struct {
	language *language
	text     string
	tokens   []token
	question bool
	cells    []cell
	spans    []span
	moods    bool // the stances of the cells are set

	hope    hope
	base    int                   // the first token of the block
	at      [sketchSize]positions // by place in a sketch, where a class occurs in the block
	touched []int                 // the places that are taken
	matched []int                 // by rule, the number of the sentence it last matched in
	count   int                   // sentences so far
	steps   int                   // places at which an element was tried, for the tests of linearity

	excepted []step  // what "except" statements look over in the sentence
	quotes   quotes  // of the sentence
	own      []token // the tokens of a language written without spaces
}

func newMatcher(l *language) matcher {
	return matcher{
		language: l, matched: make([]int, len(l.rules)),
		hope: hope{asked: make([]int, len(l.rules))},
	}
}

// match appends the rules that match in a sentence of the text to found.
func (m *matcher) match(text string, tokens []token, question bool, x *index, found []finding) []finding {
	m.text, m.tokens, m.question, m.moods = text, tokens, question, false
	m.excepted = m.excepted[:0]
	m.count++
	if !m.promising(x) {
		return found
	}
	m.divide(tokens, x)
	m.lookOverQuotes(tokens, x)
	if m.hope.except {
		m.mask()
	}
	m.want()
	for m.base = 0; ; m.base += matchStep {
		found = m.matchBlock(found)
		if m.base+matchBlock >= len(m.tokens) {
			return found
		}
	}
}

// divide finds the words and phrases of the language in tokens.
func (m *matcher) divide(tokens []token, x *index) {
	m.tokens = tokens
	if m.language.script != 0 {
		m.segment(x)
	}
	m.lookUp()
}

// matchBlock tries the rules that have everything they need in the block.
func (m *matcher) matchBlock(found []finding) []finding {
	m.fill()
	for _, r := range m.hope.rules {
		rule := &m.language.rules[r]
		if m.matched[r] == m.count || !m.possible(rule) {
			continue
		}
		var reached [maxElements + 1]positions
		if m.apply(rule, &reached) {
			m.matched[r] = m.count
			found = append(found, finding{family: rule.family, weight: rule.weight, text: m.text})
			m.trace(rule, &reached, &found[len(found)-1].words)
		}
	}
	for _, at := range m.touched {
		m.at[at] = positions{}
	}
	return found
}

// fill notes where the classes occur in the block that the rules which may match ask for.
func (m *matcher) fill() {
	m.touched = m.touched[:0]
	wanted := m.hope.wanted
	for i := m.base; i < min(len(m.cells), m.base+matchBlock); i++ {
		for _, s := range m.spansAt(i) {
			for word, own := range s.entry.sketch {
				for own &= wanted[word]; own != 0; own &= own - 1 {
					class := word*64 + bits.TrailingZeros64(own)
					at := &m.at[class%sketchSize]
					if at.empty() {
						m.touched = append(m.touched, class)
					}
					at.add(i - m.base)
				}
			}
		}
	}
}

// possible reports whether the elements of a rule may stand in their order, each near
// enough to the one before. It looks at no mood or mark yet.
func (m *matcher) possible(r *rule) bool {
	from := positions{^uint64(0), ^uint64(0)}
	for i := range r.elements {
		e := &r.elements[i]
		m.steps++
		next := from.smear(e.gap).and(m.places(e)).behind(e.length)
		if e.optional {
			next = next.or(from)
		}
		if next.empty() {
			return false
		}
		from = next
	}
	return true
}

// segment cuts the runs of letters without spaces into words of the language, and
// what lies between those into short pieces.
func (m *matcher) segment(x *index) {
	m.own = m.own[:0]
	for _, t := range m.tokens {
		if t.run&m.language.script == 0 {
			m.own = append(m.own, t)
			continue
		}
		limit := maxPiece
		if t.run&runeIdeograph != 0 {
			limit = maxIdeographPiece
		}
		first, piece := true, 0 // letters of the piece so far
		for at := t.start; at < t.end; {
			w, size := x.longest(m.text[at:t.end], m.language.place)
			if w == nil {
				_, size = utf8.DecodeRuneInString(m.text[at:t.end])
			}
			if w == nil && piece > 0 && piece < limit {
				m.own[len(m.own)-1].end += size
				piece++
				at += size
				continue
			}
			next := token{start: at, end: at + size, word: w}
			if first {
				next.bound, next.pre, first = t.bound, t.pre, false
			}
			if piece = 0; w == nil {
				piece = 1
			}
			m.own = append(m.own, next)
			at += size
		}
		m.own[len(m.own)-1].post = t.post
	}
	m.tokens = m.own
}

// Most letters of a piece between two words of the lexicon, about those of a word.
const (
	maxIdeographPiece = 2
	maxPiece          = 4
)

// lookUp finds the phrases at every token.
func (m *matcher) lookUp() {
	m.cells, m.spans = m.cells[:0], m.spans[:0]
	own := languageSet(1) << m.language.place
	for at := range m.tokens {
		from := len(m.spans)
		t := &m.tokens[at]
		switch t.kind {
		case kindAddress:
			m.spans = append(m.spans, span{entry: m.language.address, words: 1})
		case kindNumber:
			m.spans = append(m.spans, span{entry: m.language.number, words: 1})
		}
		if t.word != nil && t.word.listed&own != 0 {
			for _, l := range t.word.lexemes {
				if l.language == m.language.place && l.entry != nil {
					m.phraseAt(at, 1, l.entry)
				}
			}
		}
		m.cells = append(m.cells, cell{from: from, to: len(m.spans)})
	}
}

// phraseAt appends the phrase of so many words that ends at an entry, and those that go
// on from there.
func (m *matcher) phraseAt(at, words int, e *entry) {
	if e.phrase {
		m.spans = append(m.spans, span{entry: e, words: words})
	}
	if len(e.followers) == 0 || at+words >= len(m.tokens) || words == maxPhrase {
		return
	}
	t := &m.tokens[at+words]
	// Phrases do not reach over the end of a clause.
	if t.word == nil || t.word.listed&(1<<m.language.place) == 0 || t.bound >= boundClause {
		return
	}
	for _, l := range t.word.lexemes {
		if l.language != m.language.place {
			continue
		}
		if next := e.follower(l.id); next != nil {
			m.phraseAt(at, words+1, next)
		}
	}
}

// mask blanks the tokens under the phrases of "except" statements.
func (m *matcher) mask() {
	for at := range m.cells {
		c := m.cells[at]
		for _, s := range m.spans[c.from:c.to] {
			if s.entry.roles&roleExcept != 0 {
				for i := at; i < at+s.words; i++ {
					m.cells[i].to = m.cells[i].from
				}
				m.excepted = append(m.excepted, step{from: m.tokens[at].start, to: m.tokens[at+s.words-1].end})
				break
			}
		}
	}
}

// spansAt returns the phrases that start at a token.
func (m *matcher) spansAt(at int) []span { return m.spans[m.cells[at].from:m.cells[at].to] }

// readMoods gives every token its stance. Where a phrase matters for the mood,
// the longest one counts.
func (m *matcher) readMoods() {
	r, order := moodReader{query: m.question}, 0
	for at := 0; at < len(m.cells); {
		t := &m.tokens[at]
		r.boundary(t.bound, t.pre == '"' || t.pre == '\'')
		word, length := roles(0), 1
		for _, s := range m.spansAt(at) {
			if s.entry.roles&readerRoles != 0 && s.words >= length {
				word, length = s.entry.roles, s.words
			}
		}
		if word&roleVerb != 0 && m.nounAt(at, length) {
			word = 0
		}
		switch s := r.read(word); {
		case s == negatesBefore:
			m.cells[order].stance.negated = true
		case s.mood != moodNone:
			m.cells[at].stance, order = s, at
		}
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
	for _, s := range m.spansAt(at) {
		if s.words == 1 && s.entry.roles&any != 0 {
			return true
		}
	}
	return false
}

// apply matches a rule in the block. It notes in reached, which is empty, the places
// after each element.
//
// It runs the rule as an automaton over sets of places, from all tokens at once:
// the work is bounded by the block for each element, whatever the text, so that no
// text can make it backtrack.
func (m *matcher) apply(r *rule, reached *[maxElements + 1]positions) bool {
	if r.ordered && !m.moods {
		m.readMoods()
	}
	reached[0] = positions{^uint64(0), ^uint64(0)}
	for i := range r.elements {
		e := &r.elements[i]
		next := m.advance(e, reached[i].smear(e.gap))
		if e.optional {
			next = next.or(reached[i])
		}
		if next.empty() {
			return false
		}
		reached[i+1] = next
	}
	return true
}

// places returns where a class of the element occurs.
func (m *matcher) places(e *element) (p positions) {
	for _, class := range e.classes {
		p = p.or(m.at[sketched(class)])
	}
	return p
}

// advance returns the places after element e for those it may start at.
func (m *matcher) advance(e *element, from positions) (next positions) {
	for set := from.and(m.places(e)); !set.empty(); {
		m.steps++
		at := set.lowest()
		set[at/64] &^= 1 << (at % 64)
		if !m.fits(e, at) {
			continue
		}
		for _, s := range m.spansAt(m.base + at) {
			if m.takes(e, at, s) && at+s.words <= matchBlock {
				next.add(at + s.words)
			}
		}
	}
	return next
}

// fits reports whether the marks of the element allow it to start at a place.
func (m *matcher) fits(e *element, at int) bool {
	t := &m.tokens[m.base+at]
	if e.start && t.bound < boundClause || e.piped && t.pre != '|' {
		return false
	}
	return !e.bracket || t.pre != 0 && strings.IndexByte("<[{(#", t.pre) >= 0
}

// takes reports whether an alternative of the element fits a phrase at a place.
func (m *matcher) takes(e *element, at int, s span) bool {
	if e.colon && !m.colonAfter(m.base+at+s.words-1) {
		return false
	}
	stance := m.cells[m.base+at].stance
	for i := range e.alternatives {
		if a := &e.alternatives[i]; a.mood.accepts(stance) && a.any.hasAny(s.entry.classes) {
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
