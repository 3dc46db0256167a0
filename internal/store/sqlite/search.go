// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

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
	var newer []entry
	if s.behind != nil {
		newer = s.behind.unwritten()
	}
	var found []memory.Candidate
	err := s.reader.snapshot(ctx, searching, func(conn *readConn) (err error) {
		sr := &search{ctx: ctx, db: conn, frequencies: &s.frequencies, query: q}
		if len(newer) > 0 {
			written, err := readMark(ctx, conn, metMark)
			if err != nil {
				return err
			}
			sr.recalls = recallsAfter(newer, written)
		}
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
		return fulltext.LoadInOrder(recent, s.query.Limit, s.load)
	}
	return s.byWords()
}

// search is one running search.
type search struct {
	ctx         context.Context
	db          *readConn
	frequencies *fulltext.Frequencies
	query       memory.Query
	recalls     map[string]recalls // that are not in the store yet, by record
}

// recalls is how often a record was delivered, and when last.
type recalls struct {
	n    int64
	last time.Time
}

// recallsAfter counts the deliveries of entries after the one with this number.
func recallsAfter(entries []entry, written uint64) map[string]recalls {
	out := map[string]recalls{}
	for _, e := range entries {
		for _, m := range e.rows {
			if e.n > written && !m.observed {
				r := out[m.RecordID]
				r.n++
				if m.At.After(r.last) {
					r.last = fromMicros(m.At.UnixMicro())
				}
				out[m.RecordID] = r
			}
		}
	}
	return out
}

// conditions of the query on records, beside its text.
func (s *search) conditions() *where {
	q := s.query
	return filtered(memory.Filter{
		Namespace: q.Namespace, Zones: q.Zones, Kinds: q.Kinds, Tags: q.Tags, Since: q.Since, Until: q.Until,
		Memories: true,
	})
}

// recent answers a query without a text.
func (s *search) recent() ([]int64, error) {
	w := s.conditions()
	var found []int64
	for _, pinned := range []string{" AND r.pinned = 1", " AND r.pinned = 0"} {
		query := "SELECT r.rid FROM records r" + w.String() + pinned + " ORDER BY r.id DESC LIMIT ?"
		more, err := collect(s.ctx, s.db, searching, query, append(slices.Clone(w.args), s.query.Limit-len(found)), value[int64])
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	return found, nil
}

// byWords answers a query with a text.
func (s *search) byWords() ([]memory.Candidate, error) {
	sr := fulltext.Search{
		Index: index{s.ctx, s.db}, Frequencies: s.frequencies, Zones: s.query.Zones, Text: s.query.Text,
	}
	_, err := one(s.ctx, s.db, searching, "SELECT id, (SELECT coalesce(max(rid), 0) FROM records) FROM namespaces WHERE name = ?",
		[]any{s.query.Namespace}, func(scan func(...any) error) (struct{}, error) {
			return struct{}{}, scan(&sr.Namespace, &sr.Size)
		})
	if errors.Is(err, memory.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
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
	expressions := make([]string, len(found.Words))
	for i, e := range found.Words {
		expressions[i] = match(e)
	}
	w := s.conditions()
	w.add("records_fts MATCH ?", strings.Join(expressions, " OR "))
	query := "SELECT r.rid FROM records_fts CROSS JOIN records r ON r.rid = records_fts.rowid" + w.String() +
		" ORDER BY records_fts.rowid DESC LIMIT ?"
	return collect(s.ctx, s.db, searching, query, append(w.args, q.Limit), func(scan func(...any) error) (m fulltext.Match, err error) {
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
	list, err := json.Marshal(rids)
	if err != nil {
		return nil, err
	}
	w := s.conditions()
	// CROSS JOIN keeps SQLite from starting with anything but the list.
	query := "SELECT " + selectColumns + `, j.key, r.terms, c.recalls, c.last_at FROM json_each(?) j
		CROSS JOIN records r ON r.rid = j.value LEFT JOIN recalls c ON c.record_id = r.id` + w.String()
	out := make([]fulltext.Loaded, len(chunk))
	_, err = collect(s.ctx, s.db, searching, query, append([]any{string(list)}, w.args...),
		func(scan func(...any) error) (_ struct{}, err error) {
			var (
				l             fulltext.Loaded
				place         int
				recalls, last sql.NullInt64
			)
			if l.Candidate.Record, err = scanRecord(scan, &place, &l.Terms, &recalls, &last); err != nil {
				return struct{}{}, err
			}
			l.Match, l.Recalls = chunk[place], recalls.Int64
			if last.Valid {
				l.LastRecalled = fromMicros(last.Int64)
			}
			if newer, there := s.recalls[l.Candidate.Record.ID]; there {
				l.Recalls += newer.n
				if newer.last.After(l.LastRecalled) {
					l.LastRecalled = newer.last
				}
			}
			out[place] = l
			return struct{}{}, nil
		})
	return slices.DeleteFunc(out, func(l fulltext.Loaded) bool { return l.Candidate.Record.ID == "" }), err
}
