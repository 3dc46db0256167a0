// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"context"
	"encoding/json"
	"slices"

	"memorytrust.dev/operator/internal/memory"
)

const readingLineage = "reading lineage"

// maxAncestors bounds how many ancestors of one record are looked at. Ancestors are met level by level, and each once, so
// that a circle ends by itself.
const maxAncestors = 4096

// selectAncestors lists a record and its ancestors, and whether each has parents of its own.
const selectAncestors = `WITH RECURSIVE up (id) AS (
		SELECT ? UNION SELECT l.parent FROM up JOIN lineage l ON l.child = up.id LIMIT ?
	) SELECT id, EXISTS (SELECT 1 FROM lineage WHERE child = id) FROM up`

// Roots implements memory.Store. Of a record with too many ancestors to follow all, every ancestor that was met counts as a
// root: two such records then rather seem to share a root than not. A record whose lineage only goes in circles is its own.
func (s *Store) Roots(ctx context.Context, ids []string) (map[string][]string, error) {
	if err := s.written(ctx); err != nil {
		return nil, err
	}
	roots := make(map[string][]string, len(ids))
	for _, id := range ids {
		roots[id] = []string{id} // as most are: derived from nothing
	}
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	err = s.reader.snapshot(ctx, readingLineage, func(conn *readConn) error {
		derived, err := collect(ctx, conn, readingLineage,
			"SELECT DISTINCT l.child FROM json_each(?) j CROSS JOIN lineage l ON l.child = j.value", []any{string(list)}, value[string])
		if err != nil {
			return err
		}
		for _, id := range derived {
			if roots[id], err = rootsOf(ctx, conn, id); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return roots, nil
}

func rootsOf(ctx context.Context, conn *readConn, id string) ([]string, error) {
	type ancestor struct {
		id      string
		derived bool
	}
	met, err := collect(ctx, conn, readingLineage, selectAncestors, []any{id, maxAncestors},
		func(scan func(...any) error) (a ancestor, err error) {
			err = scan(&a.id, &a.derived)
			return a, err
		})
	if err != nil {
		return nil, err
	}
	var roots []string
	for _, a := range met {
		if !a.derived || len(met) == maxAncestors {
			roots = append(roots, a.id)
		}
	}
	if len(roots) == 0 {
		roots = []string{id}
	}
	slices.Sort(roots)
	return roots, nil
}

// maxFrontier is how many records' children one statement asks for.
const maxFrontier = 1000

const selectChildren = "SELECT l.parent, l.child FROM json_each(?) j CROSS JOIN lineage l ON l.parent = j.value"

// Descendants implements memory.Store. Each record comes once, by the shortest way to it, so that circles end by themselves. It
// returns a *memory.FieldError for a limit below 1.
func (s *Store) Descendants(ctx context.Context, ids []string, limit int) (out []memory.Descendant, err error) {
	if limit < 1 {
		return nil, &memory.FieldError{Field: "limit", Fix: "use 1 or more"}
	}
	if err := s.written(ctx); err != nil {
		return nil, err
	}
	err = s.reader.snapshot(ctx, readingLineage, func(conn *readConn) error {
		out, err = descend(ctx, conn, ids, limit)
		return err
	})
	return out, err
}

func descend(ctx context.Context, conn *readConn, ids []string, limit int) ([]memory.Descendant, error) {
	var out []memory.Descendant
	seen := make(map[string]bool, len(ids))
	for _, id := range ids {
		seen[id] = true
	}
	level := ids
	for depth := 1; len(level) > 0; depth++ {
		var next []string
		for batch := range slices.Chunk(level, maxFrontier) {
			children, err := childrenOf(ctx, conn, batch)
			if err != nil {
				return nil, err
			}
			for _, c := range children {
				if seen[c.ID] {
					continue
				}
				seen[c.ID] = true
				c.Depth = depth
				out = append(out, c)
				next = append(next, c.ID)
				if len(out) == limit {
					return out, nil
				}
			}
		}
		level = next
	}
	return out, nil
}

func childrenOf(ctx context.Context, conn *readConn, parents []string) ([]memory.Descendant, error) {
	list, err := json.Marshal(parents)
	if err != nil {
		return nil, err
	}
	return collect(ctx, conn, readingLineage, selectChildren, []any{string(list)},
		func(scan func(...any) error) (d memory.Descendant, err error) {
			err = scan(&d.Parent, &d.ID)
			return d, err
		})
}
