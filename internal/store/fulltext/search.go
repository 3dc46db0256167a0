// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package fulltext

import (
	"cmp"
	"math"
	"slices"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/store/words"
)

// Bounds of one search. Looking at an entry of the index takes about a quarter of a microsecond.
const (
	// TellingRecords is how many records a word may be in for all of them to be looked at.
	TellingRecords = 1000
	// maxWords and maxParts bound how many words, and parts of words in other scripts, are looked at that are not known to be
	// frequent. Parts overlap, so that fewer of them say as much.
	maxWords = 12
	maxParts = 6
	// countedRecords bounds how far the records of a frequent word are counted.
	countedRecords = 200_000
	// fillerShare is the share of the records beyond which a word says next to nothing.
	fillerShare = 1. / 8
	// maxFrequent and maxFiller bound how many frequent words are looked at, the rarest first.
	maxFrequent = 3
	maxFiller   = 8
	// walkRecords bounds how many records are taken from a walk through all matches.
	walkRecords = 500
)

// Parameters of BM25 (Robertson and Zaragoza, 2009), and the length, in words, of a text whose length does not count.
const (
	bm25K1      = 1.2
	bm25B       = .75
	plainLength = 30
)

// lengthFactor is what BM25 makes of a word that occurs once in a text of this length.
func lengthFactor(terms int) float64 {
	return (bm25K1 + 1) / (1 + bm25K1*(1-bm25B+bm25B*float64(terms)/plainLength))
}

// Search looks for the records that match a text. A record matches when it holds a word of the text that tells records apart,
// or any word if none does. A word counts once however often a record repeats it, so that repeating lifts nothing.
type Search struct {
	Index       Index
	Frequencies *Frequencies
	Namespace   int64 // its number in the index
	Zones       []memory.Zone
	Size        float64 // about how many records there are
	Text        string
}

// Match is a record that matches, by its number.
type Match struct {
	Record int64
	Score  float64
}

// Found is the outcome of a search.
type Found struct {
	Matches []Match      // best first
	Words   []Expression // all that was looked for: a record that matches any of them may be worth looking at
	Partial bool         // records with frequent words were left out, which filters may make the only ones
}

// Run searches.
func (s Search) Run() (Found, error) {
	t, err := s.lookUp()
	if err != nil {
		return Found{}, err
	}
	matches, err := s.gather(t)
	if err != nil {
		return Found{}, err
	}
	// Newer ones come first among equals.
	slices.SortFunc(matches, func(a, b Match) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Record, a.Record))
	})
	found := Found{Matches: matches, Partial: len(t.frequent)+len(t.filler) > 0}
	for _, term := range slices.Concat(t.telling, t.frequent, t.filler) {
		found.Words = append(found.Words, term.expression)
	}
	return found, nil
}

// term is a word of the text with the newest records that have it.
type term struct {
	expression Expression
	newest     []int64
	records    int // how many have it, about
}

func (t term) weight(size float64) float64 { return math.Log1p(size / float64(max(t.records, 1))) }

// terms are the words of a text by what they tell, the rarest first.
type terms struct {
	telling  []term // every record that has them is known
	frequent []term // only the newest are
	filler   []term // in so many records that they say next to nothing
}

// newest lists the newest records of each term.
func (s Search) newest(list []term, limit int) error {
	if len(list) == 0 {
		return nil
	}
	expressions := make([]Expression, len(list))
	for i, t := range list {
		expressions[i] = t.expression
	}
	newest, err := s.Index.Newest(expressions, limit)
	if err != nil {
		return err
	}
	for i := range list {
		list[i].newest = newest[i]
	}
	return nil
}

// lookUp finds out how many records have each word of the text, and which have those that few have. Words that no record has
// are dropped.
func (s Search) lookUp() (out terms, err error) {
	var unknown, parts, known []term
	keys := searchKeys(s.Namespace, s.Zones)
	for _, word := range words.Terms(s.Text) {
		t := term{expression: Expression{withKeys(keys, word)}}
		var ok bool
		switch t.records, ok = s.Frequencies.get(t.expression, s.Size); {
		case ok:
			known = append(known, t)
		case words.IsPart(word):
			parts = append(parts, t)
		default:
			unknown = append(unknown, t)
		}
	}
	unknown = append(spread(unknown, maxWords), spread(parts, maxParts)...)
	if err := s.newest(unknown, TellingRecords+1); err != nil {
		return terms{}, err
	}
	if err := s.count(unknown); err != nil {
		return terms{}, err
	}
	known = append(known, unknown...)
	slices.SortStableFunc(known, func(a, b term) int { return cmp.Compare(a.records, b.records) })
	for _, t := range known {
		switch {
		case t.records == 0:
		case t.records <= TellingRecords:
			out.telling = append(out.telling, t)
		case float64(t.records) <= s.Size*fillerShare:
			out.frequent = append(out.frequent, t)
		default:
			out.filler = append(out.filler, t)
		}
	}
	return out, nil
}

// count finds out how many records have terms whose newest are known, and remembers it of those that many have.
func (s Search) count(list []term) error {
	var many []*term
	var expressions []Expression
	for i := range list {
		t := &list[i]
		if t.records = len(t.newest); t.records > TellingRecords {
			t.newest = nil
			many, expressions = append(many, t), append(expressions, t.expression)
		}
	}
	if len(many) == 0 {
		return nil
	}
	counts, err := s.Index.Count(expressions, countedRecords)
	if err != nil {
		return err
	}
	for i, t := range many {
		t.records = counts[i]
		s.Frequencies.put(t.expression, t.records, s.Size)
	}
	return nil
}

// spread picks at most n of a list, evenly.
func spread(list []term, n int) []term {
	if len(list) <= n {
		return list
	}
	picked := make([]term, n)
	for i := range picked {
		picked[i] = list[i*len(list)/n]
	}
	return picked
}
