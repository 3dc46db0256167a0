// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memory

// ResultsPerRoot is how many results of one recall may go back to the same root, so that a text that was copied and
// rewritten a hundred times does not fill an answer.
const ResultsPerRoot = 2

// ReservedFor is how many of so many results are kept for memories in zone Trusted: a quarter, and one at least where there
// is room for another.
func ReservedFor(results int) int {
	if results <= 1 {
		return 0
	}
	return max(results/4, 1)
}

// Limits bound what a recall delivers.
type Limits struct {
	Results  int // at most so many
	Tokens   int // at most so many tokens of content, as Tokens estimates them; 0: no budget
	PerRoot  int // results that go back to one root; 0: ResultsPerRoot
	Reserved int // places that zone Trusted gets first
}

// Left says why a ranked record was not picked.
type Left string

// The reasons.
const (
	LeftRoot   Left = "Root"   // others that go back to the same root were picked
	LeftBudget Left = "Budget" // it does not fit into the token budget
	LeftRank   Left = "Rank"   // the answer was full
)

// Select picks from ranked records, best first, what a recall delivers, and says by id why others were left. Roots are as
// of Store.Roots; what is not in there is its own root. Reserved places go to zone Trusted first, and the rest by rank; the
// answer is in the order of ranked. Near-duplicates of a record that was picked count as of its root, except those of a
// high class. What does not fit into the token budget is left out and the next is tried, so that nothing over the budget
// is ever picked, not even alone.
func Select(ranked []Ranked, roots map[string][]string, l Limits) (picked []Ranked, left map[string]Left) {
	if l.PerRoot <= 0 {
		l.PerRoot = ResultsPerRoot
	}
	s := selection{limits: l, items: make([]selected, len(ranked)), tokens: l.Tokens, all: map[string]int{}, high: map[string]int{}}
	for i := range ranked {
		s.items[i] = selected{ranked: &ranked[i], roots: roots[ranked[i].Record.ID]}
		if len(s.items[i].roots) == 0 {
			s.items[i].roots = []string{ranked[i].Record.ID}
		}
	}
	s.pass(min(l.Reserved, l.Results), func(r Record) bool { return r.Zone == Trusted })
	s.pass(l.Results, func(Record) bool { return true })
	left = map[string]Left{}
	for i, item := range s.items {
		if item.picked {
			picked = append(picked, ranked[i])
		} else {
			left[ranked[i].Record.ID] = item.left
		}
	}
	return picked, left
}

// selected is a ranked record on its way through Select.
type selected struct {
	ranked   *Ranked
	roots    []string // with those of the picked records it nearly duplicates
	shingles shingles // once needed
	cut      bool     // whether shingles is set
	compared int      // picks it was compared with
	picked   bool
	left     Left
}

func (s *selected) text() shingles {
	if !s.cut {
		s.shingles, s.cut = shinglesOf(s.ranked.Record.Content), true
	}
	return s.shingles
}

type selection struct {
	limits Limits
	items  []selected
	picks  []*selected
	tokens int            // left of the budget
	all    map[string]int // picks by root
	high   map[string]int // picks of a high class by root
}

// pass picks in order among those that are eligible, until there are so many picks.
func (s *selection) pass(most int, eligible func(Record) bool) {
	for i := range s.items {
		item := &s.items[i]
		switch {
		case item.picked || !eligible(item.ranked.Record):
		case len(s.picks) >= most:
			item.left = LeftRank
		case s.crowded(item):
			item.left = LeftRoot
		default:
			s.pick(item)
		}
	}
}

// pick takes an item if it fits into the budget.
func (s *selection) pick(item *selected) {
	if s.limits.Tokens > 0 {
		cost := Tokens(item.ranked.Record.Content)
		if cost > s.tokens {
			item.left = LeftBudget
			return
		}
		s.tokens -= cost
	}
	item.picked = true
	s.picks = append(s.picks, item)
	for _, root := range item.roots {
		s.all[root]++
		if item.ranked.Record.Class.High() {
			s.high[root]++
		}
	}
}

// crowded reports whether a root of the item has all the results it may have. Records of a high class only make room for
// each other: otherwise whoever derives or copies enough from one could crowd it out.
func (s *selection) crowded(item *selected) bool {
	taken := s.high
	if !item.ranked.Record.Class.High() {
		taken = s.all
		s.adopt(item)
	}
	for _, root := range item.roots {
		if taken[root] >= s.limits.PerRoot {
			return true
		}
	}
	return false
}

// adopt adds to an item the roots of the picks it nearly duplicates.
func (s *selection) adopt(item *selected) {
	for ; item.compared < len(s.picks); item.compared++ {
		other := s.picks[item.compared]
		if !item.text().nearly(other.text()) {
			continue
		}
		roots := make([]string, 0, len(item.roots)+len(other.roots))
		item.roots = sortedSet(append(append(roots, item.roots...), other.roots...))
	}
}

// nearly reports whether two texts are near-duplicates. Sets of too different a size cannot be.
func (s shingles) nearly(other shingles) bool {
	short, long := float64(len(s)), float64(len(other))
	if short > long {
		short, long = long, short
	}
	return short >= NearDuplicate*long && s.similarity(other) >= NearDuplicate
}
