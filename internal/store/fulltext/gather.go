// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package fulltext

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
func (y *tally) add(records []int64, mask uint64) {
	for _, record := range records {
		y.have[record] |= mask
	}
}

// word gives a word its bit.
func (y *tally) word(weight float64) uint64 {
	y.weights = append(y.weights, weight)
	return 1 << (len(y.weights) - 1)
}

func (y *tally) matches() []Match {
	out := make([]Match, 0, len(y.have))
	for record, mask := range y.have {
		sum := 0.
		for ; mask != 0; mask &= mask - 1 {
			sum += y.weights[bits.TrailingZeros64(mask)]
		}
		out = append(out, Match{record, sum})
	}
	return out
}

// gather collects the records worth scoring: every one with a telling word; without such words, the newest with frequent
// ones and those that have two of them; with filler alone, the newest.
func (s Search) gather(t terms) ([]Match, error) {
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
		err = s.newest(filler, walkRecords)
		for _, f := range filler {
			y.add(f.newest, y.word(f.weight(s.Size)))
		}
	}
	return y.matches(), err
}

// gatherTelling takes all records of telling words. If there is but one such word, frequent ones say more about its records.
func (s Search) gatherTelling(y *tally, telling, frequent []term) error {
	for _, t := range telling {
		y.add(t.newest, y.word(t.weight(s.Size)))
	}
	if len(telling) > 1 {
		return nil
	}
	both := make([]term, len(frequent))
	for i, f := range frequent {
		both[i].expression = telling[0].expression.And(f.expression)
	}
	err := s.newest(both, TellingRecords+1)
	for i, f := range frequent {
		y.add(both[i].newest, y.word(f.weight(s.Size)))
	}
	return err
}

// gatherFrequent takes the newest records of each word, and those that have the rarest one together with another.
func (s Search) gatherFrequent(y *tally, frequent []term) error {
	list := slices.Clone(frequent)
	for _, f := range frequent[1:] {
		list = append(list, term{expression: frequent[0].expression.And(f.expression)})
	}
	err := s.newest(list, TellingRecords+1)
	first := uint64(0)
	for i, f := range frequent {
		bit := y.word(f.weight(s.Size))
		y.add(list[i].newest, bit)
		if i == 0 {
			first = bit
			continue
		}
		y.add(list[len(frequent)+i-1].newest, first|bit)
	}
	return err
}
