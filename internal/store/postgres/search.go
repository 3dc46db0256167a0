// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package postgres

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/store/fulltext"
)

const searching = "searching memories"

// Search implements memory.Store. Package fulltext says which records match; relevance is their BM25 score relative to that of
// the best match, which is 1. Without a text, records come pinned ones first, then newest, with relevance 1. It returns a
// *memory.FieldError for a query out of bounds.
func (s *Store) Search(ctx context.Context, q memory.Query) ([]memory.Candidate, error) {
	if err := q.Validate(); err != nil {
		return nil, err
	}
	var found []memory.Candidate
	err := s.reader.snapshot(ctx, searching, func(conn *readConn) (err error) {
		found, err = (&search{Store: s, ctx: ctx, db: conn, query: q}).run()
		return err
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

// search is one running search.
type search struct {
	*Store
	ctx   context.Context
	db    *readConn
	query memory.Query
}

func (s *search) run() ([]memory.Candidate, error) {
	if strings.TrimSpace(s.query.Text) == "" {
		recent, err := s.recent()
		if err != nil {
			return nil, err
		}
		return fulltext.LoadInOrder(recent, s.query.Limit, s.load)
	}
	return s.byWords()
}

// conditions of the query on records, beside its text.
func (s *search) conditions() *where {
	q := s.query
	return s.filtered(memory.Filter{
		Namespace: q.Namespace, Zones: q.Zones, Kinds: q.Kinds, Tags: q.Tags, Since: q.Since, Until: q.Until,
		Memories: true,
	})
}

// recent answers a query without a text.
func (s *search) recent() ([]int64, error) {
	w := s.conditions()
	var found []int64
	for _, pinned := range []string{" AND r.pinned", " AND NOT r.pinned"} {
		query := "SELECT r.rid FROM memorytrust.records r" + w.String() + pinned + " ORDER BY r.id DESC" + limited(s.query.Limit-len(found))
		more, err := collect(s.ctx, s.db, searching, query, w.args, value[int64])
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	return found, nil
}

// byWords answers a query with a text.
func (s *search) byWords() ([]memory.Candidate, error) {
	sr := fulltext.Search{Index: index{s}, Frequencies: &s.frequencies, Zones: s.query.Zones, Text: s.query.Text}
	_, err := one(s.ctx, s.db, searching, `SELECT coalesce((SELECT id FROM memorytrust.namespaces WHERE agent = $1 AND name = $2), 0),
		CAST(coalesce((SELECT records FROM memorytrust.logs WHERE agent = $1), 0) AS double precision)`, []any{s.agent, s.query.Namespace},
		func(scan func(...any) error) (struct{}, error) { return struct{}{}, scan(&sr.Namespace, &sr.Size) })
	if err != nil || sr.Namespace == 0 {
		return nil, err
	}
	found, err := sr.Run()
	if err != nil {
		return nil, err
	}
	candidates, err := fulltext.Load(found.Matches, s.query.Limit, s.load)
	if err != nil || len(candidates) > 0 {
		return candidates, err
	}
	matches, err := s.walk(found)
	if err != nil {
		return nil, err
	}
	return fulltext.Load(matches, s.query.Limit, s.load)
}

// walk is for filters that nothing gathered passes: it goes through all matches, newest first, and filters on the way.
func (s *search) walk(found fulltext.Found) ([]fulltext.Match, error) {
	q := s.query
	if !found.Partial || len(q.Kinds)+len(q.Tags) == 0 && q.Since.IsZero() && q.Until.IsZero() {
		return nil, nil // nothing was left out
	}
	var words []string
	for _, e := range found.Words {
		words = append(words, slices.Concat(e...)...) // each is one group
	}
	w := s.conditions()
	w.add("EXISTS (SELECT 1 FROM memorytrust.words w WHERE w.agent = ? AND w.rid = r.rid AND w.word = ANY(?))", s.agent, words)
	query := "SELECT r.rid FROM memorytrust.records r" + w.String() + " ORDER BY r.rid DESC" + limited(q.Limit)
	return collect(s.ctx, s.db, searching, query, w.args, func(scan func(...any) error) (m fulltext.Match, err error) {
		m.Score = 1
		err = scan(&m.Record)
		return m, err
	})
}

// load reads those of the matches that pass the filters, with how often they were recalled, in the order of matches.
func (s *search) load(chunk []fulltext.Match) ([]fulltext.Loaded, error) {
	rids := make([]int64, len(chunk))
	for i, m := range chunk {
		rids[i] = m.Record
	}
	w := s.conditions()
	w.add("r.rid = u.rid LIMIT 1")
	query := "SELECT " + selectColumns + `, u.place, r.terms, c.recalls, c.last_at
		FROM unnest(?::bigint[]) WITH ORDINALITY AS u (rid, place)
		CROSS JOIN LATERAL (SELECT * FROM memorytrust.records r` + w.String() + `) r
		LEFT JOIN LATERAL (SELECT recalls, last_at FROM memorytrust.recalls WHERE agent = r.agent AND record_id = r.id LIMIT 1) c ON true`
	out := make([]fulltext.Loaded, len(chunk))
	_, err := collect(s.ctx, s.db, searching, query, append([]any{rids}, w.args...),
		func(scan func(...any) error) (_ struct{}, err error) {
			var (
				l             fulltext.Loaded
				place         int
				recalls, last *int64
			)
			if l.Candidate.Record, err = scanRecord(scan, &place, &l.Terms, &recalls, &last); err != nil {
				return struct{}{}, err
			}
			l.Match = chunk[place-1]
			if recalls != nil {
				l.Recalls = *recalls
			}
			if last != nil {
				l.LastRecalled = fromMicros(*last)
			}
			out[place-1] = l
			return struct{}{}, nil
		})
	return slices.DeleteFunc(out, func(l fulltext.Loaded) bool { return l.Candidate.Record.ID == "" }), err
}

// index is the inverted index during one search.
type index struct{ *search }

// selectNewest lists, for each word of a list, the newest records that have it and, unless that is empty, the other word beside it.
const selectNewest = `SELECT u.place, ARRAY(SELECT w.rid FROM memorytrust.words w WHERE w.agent = $1 AND w.word = u.word
		AND (u.other = '' OR EXISTS (SELECT 1 FROM memorytrust.words o WHERE o.agent = $1 AND o.word = u.other AND o.rid = w.rid))
		ORDER BY w.rid DESC LIMIT %d)
	FROM unnest($2::bigint[], $3::text[], $4::text[]) AS u (place, word, other)`

// Newest implements fulltext.Index. A group has several words only where several zones are looked at, and a record is in one of
// them: the lists of the words are brought together here.
func (x index) Newest(list []fulltext.Expression, limit int) ([][]int64, error) {
	var (
		places        []int64
		words, others []string
	)
	for i, e := range list {
		for _, word := range e[0] {
			for _, other := range second(e, word) {
				places, words, others = append(places, int64(i)), append(words, word), append(others, other)
			}
		}
	}
	out := make([][]int64, len(list))
	if len(places) == 0 {
		return out, nil
	}
	_, err := collect(x.ctx, x.db, searching, fmt.Sprintf(selectNewest, limit), []any{x.agent, places, words, others},
		func(scan func(...any) error) (struct{}, error) {
			var (
				place int
				rids  []int64
			)
			err := scan(&place, &rids)
			out[place] = append(out[place], rids...)
			return struct{}{}, err
		})
	for i := range out {
		slices.SortFunc(out[i], func(a, b int64) int { return int(b - a) })
		out[i] = out[i][:min(len(out[i]), limit)]
	}
	return out, err
}

// second are the words of the second group that can stand beside a word of the first: those of the same zone. Without a second
// group that is the empty word.
func second(e fulltext.Expression, word string) []string {
	if len(e) < 2 {
		return []string{""}
	}
	at := slices.Index(e[0], word)
	return e[1][at : at+1]
}

// selectCount counts the records of each word, no further than a bound.
const selectCount = `SELECT u.place, (SELECT count(*) FROM (
		SELECT 1 FROM memorytrust.words w WHERE w.agent = $1 AND w.word = u.word LIMIT %d) n)
	FROM unnest($2::bigint[], $3::text[]) AS u (place, word)`

// Count implements fulltext.Index, for expressions of one group.
func (x index) Count(list []fulltext.Expression, limit int) ([]int, error) {
	var (
		places []int64
		words  []string
	)
	for i, e := range list {
		for _, word := range e[0] {
			places, words = append(places, int64(i)), append(words, word)
		}
	}
	out := make([]int, len(list))
	_, err := collect(x.ctx, x.db, searching, fmt.Sprintf(selectCount, limit), []any{x.agent, places, words},
		func(scan func(...any) error) (struct{}, error) {
			var place, n int
			err := scan(&place, &n)
			out[place] = min(out[place]+n, limit)
			return struct{}{}, err
		})
	return out, err
}
