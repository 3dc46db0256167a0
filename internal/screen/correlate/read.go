// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package correlate

import (
	"unicode/utf8"
)

const (
	// maxText is how much of a text is read, in bytes. A plan that needs more is no patient one.
	maxText = 64 << 10
	// negationReach is how many words before a phrase of autonomy a negation turns it around: "nothing is paid without asking".
	negationReach = 12
	// maxMatches bounds the work on one text. Exceptions, guards and negations of what is found are near it.
	maxMatches = 4096
)

// Reading is what was found in one text.
type Reading struct {
	Signals  Signals   // of the whole text
	Mentions []Mention // at most MaxEntities; none in a text without signals
}

// Mention is an entity that a text names, and what it says around it: in the same sentence, and in those before and after.
type Mention struct {
	Entity  uint64 // a hash
	Signals Signals
}

// Read finds the signals of a text and, if there are any, the entities it names near them. It takes time linear in the length
// of the text.
func (l *Lexicon) Read(text string) Reading {
	if len(text) > maxText {
		at := maxText
		for at > 0 && !utf8.RuneStart(text[at]) {
			at--
		}
		text = text[:at]
	}
	text = prepare(text)
	s := scan{Lexicon: l, text: text, tokens: cut(text)}
	s.find()
	bySentence, all := s.signals()
	if !all.Fragment() {
		return Reading{}
	}
	return Reading{Signals: all, Mentions: s.mentions(bySentence)}
}

// scan is the work on one text.
type scan struct {
	*Lexicon
	text    string
	tokens  []token
	atoms   []atom
	of      []int32 // where the atoms of each token begin in atoms; one more than there are tokens
	matches []match // phrases that are signals or guards
	turning []match // negations
	silent  []match // exceptions
	met     int     // phrases of any role
	from    int     // first token of the phrase that is followed
}

// match is a phrase that stands at tokens from to to-1.
type match struct {
	from, to int
	phrase
}

// find looks for all phrases.
func (s *scan) find() {
	s.of = make([]int32, 0, len(s.tokens)+1)
	for _, t := range s.tokens {
		s.of = append(s.of, int32(len(s.atoms))) // #nosec G115 -- maxText
		s.atoms = append(s.atoms, s.exact[t.hash]...)
		if c := s.text[t.start]; '0' <= c && c <= '9' {
			s.atoms = append(s.atoms, number)
		}
		if t.sign || t.runes < leastPrefix {
			continue
		}
		hash, n := uint64(hashSeed), 0
		for _, r := range s.text[t.start:t.end] {
			for _, f := range foldRune(r) {
				if f == 0 {
					continue
				}
				hash = addRune(hash, f)
				if n++; n >= leastPrefix {
					s.atoms = append(s.atoms, s.prefix[hash]...)
				}
			}
		}
	}
	s.of = append(s.of, int32(len(s.atoms))) // #nosec G115 -- maxText
	for i := range s.tokens {
		s.from = i
		s.step(0, i)
	}
}

func (s *scan) atomsOf(i int) []atom { return s.atoms[s.of[i]:s.of[i+1]] }

// step goes on from a node of the tree with token i.
func (s *scan) step(at node, i int) {
	for _, a := range s.atomsOf(i) {
		if next, ok := s.edges[edge{at, a}]; ok {
			s.arrive(next, i+1)
		}
	}
}

// arrive notes the phrases that end at a node, before token i, and goes on within the sentence.
func (s *scan) arrive(at node, i int) {
	for _, f := range s.ends[at] {
		m := match{s.from, i, f}
		switch s.met++; f.role {
		case roleNegation:
			s.turning = append(s.turning, m)
		case roleExcept:
			s.silent = append(s.silent, m)
		default:
			s.matches = append(s.matches, m)
		}
	}
	if !s.inside(i) {
		return
	}
	s.step(at, i)
	open, ok := s.edges[edge{at, gap}]
	for skipped := 0; ok && s.inside(i); skipped++ {
		s.step(open, i)
		if skipped == gapSigns || skipped == gapWords && !s.tokens[i].sign {
			return
		}
		i++
	}
}

// inside reports whether token i belongs to the sentence of the phrase that is followed.
func (s *scan) inside(i int) bool {
	return i < len(s.tokens) && s.tokens[i].sentence == s.tokens[s.from].sentence && s.met < maxMatches
}

// signals takes the matches together, sentence by sentence.
func (s *scan) signals() (bySentence map[int32]Signals, all Signals) {
	if len(s.matches) == 0 {
		return nil, 0
	}
	bySentence = map[int32]Signals{}
	guarded := map[int32]bool{}
	for _, m := range s.matches {
		sentence := s.tokens[m.from].sentence
		switch {
		case m.role == roleGuard:
			guarded[sentence] = guarded[sentence] || !s.negated(m, true)
		case s.excepted(m):
		case m.signal&Autonomy != 0 && (s.tokens[m.from].asks || s.negated(m, false)):
		default:
			bySentence[sentence] |= m.signal
		}
	}
	for sentence, found := range bySentence {
		if guarded[sentence] {
			found &^= Autonomy
		}
		if found&Waive != 0 {
			found |= found & Consequential << waiveShift
		}
		bySentence[sentence] = found
		all |= found
	}
	return bySentence, all
}

// excepted reports whether a match lies in one of the phrases that say nothing.
func (s *scan) excepted(m match) bool {
	for _, e := range s.silent {
		if e.from < m.to && m.from < e.to {
			return true
		}
	}
	return false
}

// negated reports whether a negation of the same language stands before a match in its clause; within it as well, where that
// counts.
func (s *scan) negated(m match, within bool) bool {
	clause := s.tokens[m.from].clause
	for _, n := range s.turning {
		if n.language != m.language {
			continue
		}
		before := n.to <= m.from && m.from-n.to < negationReach && s.tokens[n.from].clause == clause
		inside := within && n.from >= m.from && n.to <= m.to
		if before || inside {
			return true
		}
	}
	return false
}
