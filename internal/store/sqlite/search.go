// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/store/sqlite/words"
)

// scoreBudget bounds how many records one search scores. Scoring is what a search costs, a few microseconds a record, and
// words that more records have than this hardly tell them apart.
const scoreBudget = 2000

// Search implements memory.Store. A record matches when it holds any word of the text; relevance is its BM25 score
// relative to that of the best match, which is 1. Without a text, records come newest first with relevance 1. It returns
// a *memory.FieldError for a query out of bounds.
func (s *Store) Search(ctx context.Context, q memory.Query) ([]memory.Candidate, error) {
	if err := q.Validate(); err != nil {
		return nil, err
	}
	var w where
	w.add(inNamespace, q.Namespace)
	w.add(liveOnly)
	in(&w, "r.zone", q.Zones)
	if strings.TrimSpace(q.Text) == "" {
		query := "SELECT " + selectColumns + ", -1.0 FROM records r" + w.String() + " ORDER BY r.id DESC LIMIT ?"
		found, err := s.candidates(ctx, query, append(w.args, q.Limit))
		return relative(found), err
	}
	telling, common, err := s.weighTerms(ctx, words.Terms(q.Text))
	if err != nil {
		return nil, err
	}
	found, err := s.match(ctx, telling, w, q.Limit)
	if err != nil {
		return nil, err
	}
	if len(found) < q.Limit {
		more, err := s.match(ctx, common, w, q.Limit)
		if err != nil {
			return nil, err
		}
		found = merge(found, more, q.Limit)
	}
	return relative(found), nil
}

// weighTerms divides the terms of a query. Telling ones are so rare that every record with any of them can be scored;
// common ones are those that would take their number beyond scoreBudget. Terms that no record has are dropped.
func (s *Store) weighTerms(ctx context.Context, terms []string) (telling, common []string, err error) {
	type weighed struct {
		term    string
		records int
	}
	var found []weighed
	for _, term := range terms {
		w := weighed{term: term}
		err := s.reader.QueryRowContext(ctx,
			"SELECT count(*) FROM (SELECT 1 FROM records_fts WHERE records_fts MATCH ? LIMIT ?)", term, scoreBudget+1).Scan(&w.records)
		if err != nil {
			return nil, nil, mapError(ctx, "searching memories", err)
		}
		if w.records > 0 {
			found = append(found, w)
		}
	}
	slices.SortStableFunc(found, func(a, b weighed) int { return a.records - b.records })
	sum := 0
	for _, w := range found {
		if sum += w.records; sum <= scoreBudget {
			telling = append(telling, w.term)
		} else {
			common = append(common, w.term)
		}
	}
	return telling, common, nil
}

// match returns the best of the newest scoreBudget records that have any of the terms. The innermost query filters and
// scores, the middle one sorts nothing but numbers, and contents are read for the few rows that are left.
func (s *Store) match(ctx context.Context, terms []string, w where, limit int) ([]memory.Candidate, error) {
	if len(terms) == 0 {
		return nil, nil
	}
	query := "SELECT " + selectColumns + `, best.score FROM (
			SELECT rid, score FROM (
				SELECT r.rid AS rid, bm25(records_fts) AS score FROM records_fts CROSS JOIN records r ON r.rid = records_fts.rowid` +
		w.String() + ` AND records_fts MATCH ? ORDER BY records_fts.rowid DESC LIMIT ?
			) ORDER BY score, rid LIMIT ?
		) best JOIN records r ON r.rid = best.rid ORDER BY best.score, r.id`
	args := append(slices.Clone(w.args), strings.Join(terms, " OR "), scoreBudget, limit)
	return s.candidates(ctx, query, args)
}

// merge adds records of more that are not in found, best first. BM25 is a sum over terms, so that scores of two queries
// on one index compare.
func merge(found, more []memory.Candidate, limit int) []memory.Candidate {
	have := make(map[string]bool, len(found))
	for _, c := range found {
		have[c.Record.ID] = true
	}
	for _, c := range more {
		if !have[c.Record.ID] {
			found = append(found, c)
		}
	}
	slices.SortStableFunc(found, func(a, b memory.Candidate) int { return cmp.Compare(a.Relevance, b.Relevance) })
	return found[:min(len(found), limit)]
}

// candidates reads records with their BM25 score, best (most negative) first.
func (s *Store) candidates(ctx context.Context, query string, args []any) ([]memory.Candidate, error) {
	return collect(ctx, s.reader, "searching memories", query, args,
		func(scan func(...any) error) (c memory.Candidate, err error) {
			c.Record, err = scanRecord(scan, &c.Relevance)
			return c, err
		})
}

// relative turns BM25 scores, best first, into shares of the best.
func relative(found []memory.Candidate) []memory.Candidate {
	if len(found) == 0 {
		return nil
	}
	best := found[0].Relevance
	for i := range found {
		if best < 0 {
			found[i].Relevance = max(0, min(1, found[i].Relevance/best))
		} else {
			found[i].Relevance = 1
		}
	}
	return found
}
