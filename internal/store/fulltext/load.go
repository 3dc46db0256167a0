// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package fulltext

import (
	"cmp"
	"slices"

	"memorytrust.dev/operator/internal/memory"
)

// Loaded is a match that was read and passed the filters of the query.
type Loaded struct {
	Match
	Terms int // how many words the index holds of it
	memory.Candidate
}

// Load reads the best of the matches of Run that pass the filters, at most limit. read reads some of them, and returns those
// that pass in the order they were given. How long a text is reorders the best among themselves.
func Load(matches []Match, limit int, read func(chunk []Match) ([]Loaded, error)) ([]memory.Candidate, error) {
	return load(matches, limit, lengthFactor, read)
}

// LoadInOrder reads matches that have an order already; all have relevance 1.
func LoadInOrder(records []int64, limit int, read func(chunk []Match) ([]Loaded, error)) ([]memory.Candidate, error) {
	matches := make([]Match, len(records))
	for i, record := range records {
		matches[i] = Match{record, 1}
	}
	return load(matches, limit, func(int) float64 { return 1 }, read)
}

func load(
	matches []Match, limit int, factor func(terms int) float64, read func(chunk []Match) ([]Loaded, error),
) ([]memory.Candidate, error) {
	var passed []Loaded
	// A few more than asked for, since the filters or the factor may take some away.
	for chunk := range slices.Chunk(matches, limit+limit/4+1) {
		more, err := read(chunk)
		if err != nil {
			return nil, err
		}
		for _, l := range more {
			l.Score *= factor(l.Terms)
			passed = append(passed, l)
		}
		if len(passed) >= limit {
			break
		}
	}
	if len(passed) == 0 {
		return nil, nil
	}
	slices.SortStableFunc(passed, func(a, b Loaded) int { return cmp.Compare(b.Score, a.Score) })
	passed = passed[:min(len(passed), limit)]
	out := make([]memory.Candidate, len(passed))
	for i, l := range passed {
		out[i] = l.Candidate
		out[i].Relevance = l.Score / passed[0].Score
	}
	return out, nil
}
