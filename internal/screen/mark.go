// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"math/bits"
	"slices"
)

// mark is what a word says about the rules of one language before phrases are looked up.
type mark struct {
	language int
	classes  []uint16     // that the word has and rules ask for, ascending
	phrases  []phraseMark // of which the word is the one that tells most
	telling  bool         // a rule is anchored at one of all these, or there is a phrase to look over
	except   bool         // it is to be looked over
}

// phraseMark is what a phrase says.
type phraseMark struct {
	words   []int    // their numbers in the language
	at      int      // which of them has the mark
	classes []uint16 // as of a mark
	except  bool
}

// add notes what the phrase of these words says, which ends at an entry. Without spaces
// between words any phrase counts as soon as the word with the mark is there.
func (k *mark) add(l *language, words []int, at int, e *entry) {
	p := phraseMark{words: slices.Clone(words), at: at, except: e.roles&roleExcept != 0}
	for _, class := range e.classes {
		p.classes = append(p.classes, uint16(class)) //nolint:gosec // below maxClasses
		k.telling = k.telling || len(l.anchored[class]) > 0
	}
	k.telling = k.telling || p.except
	if len(words) > 1 && l.script == 0 {
		k.phrases = append(k.phrases, p)
		return
	}
	k.classes = append(k.classes, p.classes...)
	k.except = k.except || p.except
}

// merge adds what another mark of the language says.
func (k *mark) merge(o *mark) {
	k.classes = append(k.classes, o.classes...)
	k.phrases = append(k.phrases, o.phrases...)
	k.telling, k.except = k.telling || o.telling, k.except || o.except
}

// finish sorts the classes.
func (k *mark) finish() {
	slices.Sort(k.classes)
	k.classes = slices.Clip(slices.Compact(k.classes))
}

// hope is what the words of a sentence leave possible in one language.
type hope struct {
	present classSet // classes that occur
	asked   []int    // by rule, the number of the sentence it was last looked at in
	rules   []int    // rules that may match, each once
	wanted  sketch   // of the classes that these rules ask for
	except  bool     // there is a phrase to look over
}

// promising notes what may match in the sentence, and reports whether anything may.
// Nearly always nothing does: words that rules ask for are common, but all that one rule
// asks for seldom comes together.
func (m *matcher) promising(x *index) bool {
	h, l := &m.hope, m.language
	h.present, h.rules, h.except = classSet{}, h.rules[:0], false
	own := languageSet(1) << l.place
	for i := range m.tokens {
		t := &m.tokens[i]
		if w := t.word; w != nil {
			if w.marked&own != 0 {
				m.heed(w, i)
			}
		} else if t.run&l.script != 0 {
			m.heedRun(i, x)
		}
		if t.kind == kindWord {
			continue
		}
		if t.kind == kindAddress {
			h.heed(&l.addressMark)
		} else {
			h.heed(&l.numberMark)
		}
	}
	for i, word := range h.present {
		for set := word & l.anchors[i]; set != 0; set &= set - 1 {
			m.ask(l.anchored[i*64+bits.TrailingZeros64(set)])
		}
	}
	slices.Sort(h.rules)
	return len(h.rules) > 0 || h.except
}

// ask notes those of the rules that have all they need, each once.
func (m *matcher) ask(rules []int) {
	h := &m.hope
	for _, r := range rules {
		if h.asked[r] == m.count {
			continue
		}
		h.asked[r] = m.count
		if rule := &m.language.rules[r]; h.allows(rule) && (!m.question || rule.ask || rule.ordered) {
			h.rules = append(h.rules, r)
		}
	}
}

// heedRun notes what all words say that a run of letters without spaces may have.
func (m *matcher) heedRun(at int, x *index) {
	run := m.text[m.tokens[at].start:m.tokens[at].end]
	own := languageSet(1) << m.language.place
	for i := range run {
		node := int32(0)
		for j := i; j < len(run); {
			next, n := x.runs.step(node, run[j:])
			if n == 0 {
				break
			}
			node, j = next, j+n
			here := x.runs.nodes[node]
			for _, w := range [...]*word{x.wordAt(int(here.stem)), x.wordAt(int(here.word))} {
				if w != nil && w.marked&own != 0 {
					m.heed(w, at)
				}
			}
		}
	}
}

// heed notes what the word at a token says.
func (m *matcher) heed(w *word, at int) {
	k := &w.marks[0]
	for i := 1; k.language != m.language.place; i++ {
		k = &w.marks[i]
	}
	h := &m.hope
	h.heed(k)
	for i := range k.phrases {
		if p := &k.phrases[i]; m.spells(p, at-p.at) {
			h.add(p.classes)
			h.except = h.except || p.except
		}
	}
}

func (h *hope) heed(k *mark) {
	h.add(k.classes)
	h.except = h.except || k.except
}

func (h *hope) add(classes []uint16) {
	for _, class := range classes {
		h.present[class/64%(maxClasses/64)] |= 1 << (class % 64)
	}
}

// spells reports whether the words of a phrase stand from a token on.
func (m *matcher) spells(p *phraseMark, from int) bool {
	if from < 0 || from+len(p.words) > len(m.tokens) {
		return false
	}
	for i, id := range p.words {
		t := &m.tokens[from+i]
		if i != p.at && (t.word == nil || !t.word.has(m.language.place, id)) || i > 0 && t.bound >= boundClause {
			return false
		}
	}
	return true
}

// allows reports whether there is something for every obligatory element but the anchor.
func (h *hope) allows(r *rule) bool {
	for _, need := range r.needs {
		if !h.present.hasAny(need) {
			return false
		}
	}
	return true
}

// sketch is a set of classes in which some share a place: what it does not have is not
// there.
type sketch [sketchSize / 64]uint64

const sketchSize = 256

// sketched returns the place of a class.
func sketched(class int) uint { return uint(class) % sketchSize }

func (s *sketch) add(class int) { s[sketched(class)/64] |= 1 << (sketched(class) % 64) }

// want notes the classes that the rules which may match ask for.
func (m *matcher) want() {
	m.hope.wanted = sketch{}
	for _, r := range m.hope.rules {
		for i := range m.language.rules[r].elements {
			for _, class := range m.language.rules[r].elements[i].classes {
				m.hope.wanted.add(class)
			}
		}
	}
}
