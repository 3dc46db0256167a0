// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package postgres

import (
	"context"
	"slices"

	"memorytrust.dev/operator/internal/memory"
)

const readingLineage = "reading lineage"

// maxAncestors bounds how many ancestors of one record are looked at. Ancestors are met level by level, and each once, so
// that a circle ends by itself.
const maxAncestors = 4096

// selectAncestors lists for each record of a list that has parents the record and its ancestors, and whether each has parents of
// its own.
const selectAncestors = `SELECT s.id, u.id,
		(SELECT true FROM memorytrust.lineage WHERE agent = $1 AND child = u.id LIMIT 1) IS NOT NULL
	FROM (SELECT DISTINCT l.child AS id FROM memorytrust.lineage l WHERE l.agent = $1 AND l.child = ANY($2)) s CROSS JOIN LATERAL (
		WITH RECURSIVE up (id) AS (
			SELECT s.id UNION SELECT l.parent FROM up
				CROSS JOIN LATERAL (SELECT parent FROM memorytrust.lineage WHERE agent = $1 AND child = up.id OFFSET 0) l
		) SELECT id FROM up LIMIT $3
	) u`

// Roots implements memory.Store. Of a record with too many ancestors to follow all, every ancestor that was met counts as a
// root: two such records then rather seem to share a root than not. A record whose lineage only goes in circles is its own.
func (s *Store) Roots(ctx context.Context, ids []string) (map[string][]string, error) {
	roots := make(map[string][]string, len(ids))
	for _, id := range ids {
		roots[id] = []string{id} // as most are: derived from nothing
	}
	type ancestor struct {
		of, id  string
		derived bool
	}
	list, err := collect(ctx, s.reader, readingLineage, selectAncestors, []any{s.agent, ids, maxAncestors},
		func(scan func(...any) error) (a ancestor, err error) {
			err = scan(&a.of, &a.id, &a.derived)
			return a, err
		})
	if err != nil {
		return nil, err
	}
	met := map[string]int{}
	for _, a := range list {
		met[a.of]++
	}
	found := map[string][]string{}
	for _, a := range list {
		if !a.derived || met[a.of] == maxAncestors {
			found[a.of] = append(found[a.of], a.id)
		}
	}
	for id, list := range found {
		slices.Sort(list)
		roots[id] = list
	}
	return roots, nil
}

// maxFrontier is how many records' children one statement asks for.
const maxFrontier = 1000

const selectChildren = `SELECT l.parent, l.child FROM unnest($2::text[]) WITH ORDINALITY AS u (id, place)
	CROSS JOIN LATERAL (SELECT parent, child FROM memorytrust.lineage WHERE agent = $1 AND parent = u.id OFFSET 0) l
	ORDER BY u.place, l.child`

// Descendants implements memory.Store. Each record comes once, by the shortest way to it, so that circles end by themselves. It
// returns a *memory.FieldError for a limit below 1.
func (s *Store) Descendants(ctx context.Context, ids []string, limit int) (out []memory.Descendant, err error) {
	if limit < 1 {
		return nil, &memory.FieldError{Field: "limit", Fix: "use 1 or more"}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	err = s.reader.snapshot(ctx, readingLineage, func(conn *readConn) error {
		out, err = s.descend(ctx, conn, ids, limit)
		return err
	})
	return out, err
}

func (s *Store) descend(ctx context.Context, conn *readConn, ids []string, limit int) ([]memory.Descendant, error) {
	var out []memory.Descendant
	seen := make(map[string]bool, len(ids))
	for _, id := range ids {
		seen[id] = true
	}
	level := ids
	for depth := 1; len(level) > 0; depth++ {
		var next []string
		for batch := range slices.Chunk(level, maxFrontier) {
			children, err := collect(ctx, conn, readingLineage, selectChildren, []any{s.agent, batch},
				func(scan func(...any) error) (d memory.Descendant, err error) {
					err = scan(&d.Parent, &d.ID)
					return d, err
				})
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
