// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"memorytrust.dev/operator/internal/store/fulltext"
	"memorytrust.dev/operator/internal/store/words"
)

// putIndex notes how the words of the index change; most changes of a record leave them as they are.
func (c *commit) putIndex() error {
	p := c.previous
	same := c.indexed == p.indexed && c.contentSeq == p.contentSeq
	if p.indexed != "" && !same {
		var old string
		if err := c.row(c.stmts.content, int64(p.contentSeq)).Scan(&old); err != nil { // #nosec G115
			return err
		}
		c.reindex = append(c.reindex, indexing{c.stmts.unindex, c.rid, indexText(p.indexed, words.Of(old))})
	}
	if c.indexed != "" && !same {
		c.reindex = append(c.reindex, indexing{c.stmts.index, c.rid, indexText(c.indexed, c.words)})
	}
	return nil
}

// indexText is what the index gets to see of a record.
func indexText(keys string, list []string) string {
	return strings.Join(fulltext.Entries(keys, list), " ")
}

// index is the full-text index during one search.
type index struct {
	ctx context.Context
	db  *readConn
}

// selectNewest lists, for each FTS5 expression of a JSON array, the newest records that match. The bound is part of the
// text: SQLite prepares a statement anew whenever a bound parameter behind LIMIT changes.
const selectNewest = `SELECT j.key, coalesce((SELECT group_concat(rid, ' ') FROM (
		SELECT rowid AS rid FROM records_fts WHERE records_fts MATCH j.value ORDER BY rowid DESC LIMIT %d)), '')
	FROM json_each(?) j`

// Newest implements fulltext.Index.
func (x index) Newest(list []fulltext.Expression, limit int) ([][]int64, error) {
	expressions := make([]string, len(list))
	for i, e := range list {
		expressions[i] = match(e)
	}
	encoded, err := json.Marshal(expressions)
	if err != nil {
		return nil, err
	}
	out := make([][]int64, len(list))
	_, err = collect(x.ctx, x.db, searching, fmt.Sprintf(selectNewest, limit), []any{string(encoded)},
		func(scan func(...any) error) (_ struct{}, err error) {
			var (
				place int
				rids  string
			)
			if err := scan(&place, &rids); err != nil {
				return struct{}{}, err
			}
			out[place], err = decodeRIDs(rids)
			return struct{}{}, err
		})
	return out, err
}

const selectCount = "SELECT count(*) FROM (SELECT 1 FROM records_fts WHERE records_fts MATCH ? LIMIT %d)"

// Count implements fulltext.Index.
func (x index) Count(list []fulltext.Expression, limit int) ([]int, error) {
	out := make([]int, len(list))
	for i, e := range list {
		n, err := one(x.ctx, x.db, searching, fmt.Sprintf(selectCount, limit), []any{match(e)}, value[int])
		if err != nil {
			return nil, err
		}
		out[i] = n
	}
	return out, nil
}

// match is an expression as FTS5 writes it.
func match(e fulltext.Expression) string {
	groups := make([]string, len(e))
	for i, group := range e {
		groups[i] = `("` + strings.Join(group, `" OR "`) + `")`
	}
	return strings.Join(groups, " AND ")
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
