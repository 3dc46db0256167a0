// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"math/bits"
	"slices"
)

// tally notes which words each record has, as bits.
type tally struct {
	weights []float64
	have    map[int64]uint64
}

// add notes that records have the words of mask.
func (y *tally) add(rids []int64, mask uint64) {
	for _, rid := range rids {
		y.have[rid] |= mask
	}
}

// word gives a word its bit.
func (y *tally) word(weight float64) uint64 {
	y.weights = append(y.weights, weight)
	return 1 << (len(y.weights) - 1)
}

func (y *tally) matches() []match {
	out := make([]match, 0, len(y.have))
	for rid, mask := range y.have {
		sum := 0.
		for ; mask != 0; mask &= mask - 1 {
			sum += y.weights[bits.TrailingZeros64(mask)]
		}
		out = append(out, match{rid, sum})
	}
	return out
}

// gather collects the records worth scoring: every one with a telling word; without such words, the newest with frequent
// ones and those that have two of them; with filler alone, the newest.
func (s *search) gather(t terms) ([]match, error) {
	y := &tally{have: map[int64]uint64{}}
	frequent := t.frequent[:min(len(t.frequent), maxFrequent)]
	var err error
	switch {
	case len(t.telling) > 0:
		err = s.gatherTelling(y, t.telling, frequent)
	case len(frequent) > 0:
		err = s.gatherFrequent(y, frequent)
	default:
		filler := t.filler[:min(len(t.filler), maxFiller)]
		err = s.newest(selectSome, filler)
		for _, f := range filler {
			y.add(f.rids, y.word(f.weight(s.size)))
		}
	}
	return y.matches(), err
}

// gatherTelling takes all records of telling words. If there is but one such word, frequent ones say more about its records.
func (s *search) gatherTelling(y *tally, telling, frequent []term) error {
	for _, t := range telling {
		y.add(t.rids, y.word(t.weight(s.size)))
	}
	if len(telling) > 1 {
		return nil
	}
	both := make([]term, len(frequent))
	for i, f := range frequent {
		both[i].expression = telling[0].expression + " AND " + f.expression
	}
	err := s.newest(selectTelling, both)
	for i, f := range frequent {
		y.add(both[i].rids, y.word(f.weight(s.size)))
	}
	return err
}

// gatherFrequent takes the newest records of each word, and those that have the rarest one together with another.
func (s *search) gatherFrequent(y *tally, frequent []term) error {
	list := slices.Clone(frequent)
	for _, f := range frequent[1:] {
		list = append(list, term{expression: frequent[0].expression + " AND " + f.expression})
	}
	err := s.newest(selectTelling, list)
	first := uint64(0)
	for i, f := range frequent {
		bit := y.word(f.weight(s.size))
		y.add(list[i].rids, bit)
		if i == 0 {
			first = bit
			continue
		}
		y.add(list[len(frequent)+i-1].rids, first|bit)
	}
	return err
}

// walk is for filters that nothing gathered passes: it goes through all matches, newest first, and filters on the way.
func (s *search) walk(t terms) ([]match, error) {
	q := s.query
	all := slices.Concat(t.telling, t.frequent, t.filler)
	if len(t.frequent)+len(t.filler) == 0 || len(q.Kinds)+len(q.Tags) == 0 && q.Since.IsZero() && q.Until.IsZero() {
		return nil, nil // nothing was left out
	}
	w := s.conditions()
	w.add("records_fts MATCH ?", anyOf(all))
	query := "SELECT r.rid FROM records_fts CROSS JOIN records r ON r.rid = records_fts.rowid" + w.String() +
		" ORDER BY records_fts.rowid DESC LIMIT ?"
	return collect(s.ctx, s.db, searching, query, append(w.args, q.Limit), func(scan func(...any) error) (m match, err error) {
		m.score = 1
		err = scan(&m.rid)
		return m, err
	})
}
