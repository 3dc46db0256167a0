// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"memorytrust.dev/operator/internal/memory"
)

const searching = "searching memories"

// Search implements memory.Store. A record matches when it holds a word of the text that tells records apart, or any word
// if none does; relevance is its BM25 score relative to that of the best match, which is 1. A word counts once however
// often a record repeats it, so that repeating lifts nothing. Without a text, records come pinned ones first, then newest,
// with relevance 1. It returns a *memory.FieldError for a query out of bounds.
func (s *Store) Search(ctx context.Context, q memory.Query) ([]memory.Candidate, error) {
	if err := q.Validate(); err != nil {
		return nil, err
	}
	var found []memory.Candidate
	err := s.reader.snapshot(ctx, searching, func(conn *readConn) (err error) {
		sr := &search{ctx: ctx, db: conn, frequencies: &s.frequencies, query: q}
		found, err = sr.run()
		return err
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

func (s *search) run() ([]memory.Candidate, error) {
	if strings.TrimSpace(s.query.Text) == "" {
		recent, err := s.recent()
		if err != nil {
			return nil, err
		}
		return s.load(recent, func(int) float64 { return 1 })
	}
	return s.byWords()
}

// search is one running search.
type search struct {
	ctx         context.Context
	db          *readConn
	frequencies *frequencies
	query       memory.Query
	keys        []string // of the zones asked for, in the index
	size        float64  // about how many records there are
}

// match is a record that matches.
type match struct {
	rid   int64
	score float64
}

// conditions of the query on records, beside its text.
func (s *search) conditions() *where {
	q := s.query
	return filtered(memory.Filter{
		Namespace: q.Namespace, Zones: q.Zones, Kinds: q.Kinds, Tags: q.Tags, Since: q.Since, Until: q.Until,
	})
}

// recent answers a query without a text.
func (s *search) recent() ([]match, error) {
	w := s.conditions()
	var found []match
	for _, pinned := range []string{" AND r.pinned = 1", " AND r.pinned = 0"} {
		query := "SELECT r.rid FROM records r" + w.String() + pinned + " ORDER BY r.id DESC LIMIT ?"
		more, err := collect(s.ctx, s.db, searching, query, append(slices.Clone(w.args), s.query.Limit-len(found)),
			func(scan func(...any) error) (m match, err error) {
				m.score = 1
				err = scan(&m.rid)
				return m, err
			})
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	return found, nil
}

// byWords answers a query with a text.
func (s *search) byWords() ([]memory.Candidate, error) {
	if err := s.prepare(); err != nil || len(s.keys) == 0 {
		return nil, err
	}
	t, err := s.lookUpTerms()
	if err != nil {
		return nil, err
	}
	matches, err := s.gather(t)
	if err != nil {
		return nil, err
	}
	best(matches)
	found, err := s.load(matches, lengthFactor)
	if err != nil || len(found) > 0 {
		return found, err
	}
	if matches, err = s.walk(t); err != nil {
		return nil, err
	}
	return s.load(matches, lengthFactor)
}

// prepare reads the number of the namespace and the size of the store. An unknown namespace leaves no keys.
func (s *search) prepare() error {
	id, err := one(s.ctx, s.db, searching, "SELECT id, (SELECT coalesce(max(rid), 0) FROM records) FROM namespaces WHERE name = ?",
		[]any{s.query.Namespace}, func(scan func(...any) error) (id int64, err error) {
			err = scan(&id, &s.size)
			return id, err
		})
	if errors.Is(err, memory.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	zones := s.query.Zones
	has := func(zone memory.Zone) bool { return len(zones) == 0 || slices.Contains(zones, zone) }
	switch {
	case has(memory.Working):
		s.keys = append(s.keys, indexKey(id, keyDelivered))
	case has(memory.Trusted):
		s.keys = append(s.keys, indexKey(id, keyTrusted))
	}
	if has(memory.Quarantine) {
		s.keys = append(s.keys, indexKey(id, keyQuarantine))
	}
	return nil
}

// best sorts the best first, newer ones first among equals.
func best(matches []match) {
	slices.SortFunc(matches, func(a, b match) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.rid, a.rid))
	})
}

// loaded is a candidate with what places it among others.
type loaded struct {
	match
	memory.Candidate
}

// load reads the best of the matches that pass the filters, with how often they were recalled. factor says how much a text
// of so many words counts; it reorders the best among themselves.
func (s *search) load(matches []match, factor func(terms int) float64) ([]memory.Candidate, error) {
	var passed []loaded
	// A few more than asked for, since the filters or the factor may take some away.
	for chunk := range slices.Chunk(matches, s.query.Limit+s.query.Limit/4+1) {
		more, err := s.loadChunk(chunk, factor)
		if err != nil {
			return nil, err
		}
		if passed = append(passed, more...); len(passed) >= s.query.Limit {
			break
		}
	}
	if len(passed) == 0 {
		return nil, nil
	}
	slices.SortStableFunc(passed, func(a, b loaded) int { return cmp.Compare(b.score, a.score) })
	passed = passed[:min(len(passed), s.query.Limit)]
	out := make([]memory.Candidate, len(passed))
	for i, l := range passed {
		out[i] = l.Candidate
		out[i].Relevance = l.score / passed[0].score
	}
	return out, nil
}

// loadChunk reads those of the matches that pass the filters, in the order of matches.
func (s *search) loadChunk(chunk []match, factor func(terms int) float64) ([]loaded, error) {
	rids := make([]int64, len(chunk))
	for i, m := range chunk {
		rids[i] = m.rid
	}
	list, err := json.Marshal(rids)
	if err != nil {
		return nil, err
	}
	w := s.conditions()
	// CROSS JOIN keeps SQLite from starting with anything but the list.
	query := "SELECT " + selectColumns + `, j.key, r.terms, c.recalls, c.last_at FROM json_each(?) j
		CROSS JOIN records r ON r.rid = j.value LEFT JOIN recalls c ON c.record_id = r.id` + w.String()
	out := make([]loaded, len(chunk))
	_, err = collect(s.ctx, s.db, searching, query, append([]any{string(list)}, w.args...),
		func(scan func(...any) error) (_ struct{}, err error) {
			var (
				l             loaded
				place, terms  int
				recalls, last sql.NullInt64
			)
			if l.Record, err = scanRecord(scan, &place, &terms, &recalls, &last); err != nil {
				return struct{}{}, err
			}
			l.match, l.Recalls = chunk[place], recalls.Int64
			l.score *= factor(terms)
			if last.Valid {
				l.LastRecalled = fromMicros(last.Int64)
			}
			out[place] = l
			return struct{}{}, nil
		})
	return slices.DeleteFunc(out, func(l loaded) bool { return l.Record.ID == "" }), err
}
