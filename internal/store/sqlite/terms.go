// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"memorytrust.dev/operator/internal/store/sqlite/words"
)

// Bounds of one search. Looking at an entry of the index takes about a quarter of a microsecond.
const (
	// tellingRecords is how many records a word may be in for all of them to be looked at.
	tellingRecords = 1000
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

// term is a word of the text with the newest records that have it.
type term struct {
	expression string // what FTS5 matches
	rids       []int64
	records    int // how many have it, about
}

func (t term) weight(size float64) float64 { return math.Log1p(size / float64(max(t.records, 1))) }

// anyOf matches records with any of the terms.
func anyOf(list []term) string {
	expressions := make([]string, len(list))
	for i, t := range list {
		expressions[i] = t.expression
	}
	return strings.Join(expressions, " OR ")
}

// terms are the words of a text by what they tell, the rarest first.
type terms struct {
	telling  []term // every record that has them is known
	frequent []term // only the newest are
	filler   []term // in so many records that they say next to nothing
}

// selectNewest lists, for each FTS5 expression of a JSON array, the newest records that match. The bound is part of the
// text: SQLite prepares a statement anew whenever a bound parameter behind LIMIT changes.
const selectNewest = `SELECT j.key, coalesce((SELECT group_concat(rid, ' ') FROM (
		SELECT rowid AS rid FROM records_fts WHERE records_fts MATCH j.value ORDER BY rowid DESC LIMIT %d)), '')
	FROM json_each(?) j`

var (
	selectTelling = fmt.Sprintf(selectNewest, tellingRecords+1)
	selectSome    = fmt.Sprintf(selectNewest, walkRecords)
	selectCount   = fmt.Sprintf("SELECT count(*) FROM (SELECT 1 FROM records_fts WHERE records_fts MATCH ? LIMIT %d)", countedRecords)
)

// newest lists the newest records of each term, by one of the statements above.
func (s *search) newest(query string, list []term) error {
	expressions := make([]string, len(list))
	for i, t := range list {
		expressions[i] = t.expression
	}
	encoded, err := json.Marshal(expressions)
	if err != nil {
		return err
	}
	_, err = collect(s.ctx, s.db, searching, query, []any{string(encoded)}, func(scan func(...any) error) (_ struct{}, err error) {
		var (
			place int
			rids  string
		)
		if err := scan(&place, &rids); err != nil {
			return struct{}{}, err
		}
		list[place].rids, err = decodeRIDs(rids)
		return struct{}{}, err
	})
	return err
}

func decodeRIDs(list string) ([]int64, error) {
	if list == "" {
		return nil, nil
	}
	rids := make([]int64, 0, strings.Count(list, " ")+1)
	for field := range strings.SplitSeq(list, " ") {
		rid, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%w: the index names no record", ErrCorrupt)
		}
		rids = append(rids, rid)
	}
	return rids, nil
}

// lookUpTerms finds out how many records have each word of the text, and which have those that few have. Words that no
// record has are dropped.
func (s *search) lookUpTerms() (out terms, err error) {
	var unknown, parts, known []term
	for _, word := range words.Terms(s.query.Text) {
		t := term{expression: s.expression(word)}
		var ok bool
		switch t.records, ok = s.frequencies.get(t.expression, s.size); {
		case ok:
			known = append(known, t)
		case words.IsPart(word):
			parts = append(parts, t)
		default:
			unknown = append(unknown, t)
		}
	}
	unknown = append(spread(unknown, maxWords), spread(parts, maxParts)...)
	if err := s.newest(selectTelling, unknown); err != nil {
		return terms{}, err
	}
	for _, t := range unknown {
		if t.records = len(t.rids); t.records > tellingRecords {
			t.rids = nil
			if t.records, err = one(s.ctx, s.db, searching, selectCount, []any{t.expression}, value[int]); err != nil {
				return terms{}, err
			}
			s.frequencies.put(t.expression, t.records, s.size)
		}
		known = append(known, t)
	}
	slices.SortStableFunc(known, func(a, b term) int { return cmp.Compare(a.records, b.records) })
	for _, t := range known {
		switch {
		case t.records == 0:
		case t.records <= tellingRecords:
			out.telling = append(out.telling, t)
		case float64(t.records) <= s.size*fillerShare:
			out.frequent = append(out.frequent, t)
		default:
			out.filler = append(out.filler, t)
		}
	}
	return out, nil
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

// expression matches a word in each of the zones asked for.
func (s *search) expression(word string) string {
	quoted := make([]string, len(s.keys))
	for i, key := range s.keys {
		quoted[i] = `"` + key + word + `"`
	}
	return "(" + strings.Join(quoted, " OR ") + ")"
}
