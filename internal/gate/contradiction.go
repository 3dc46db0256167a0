// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"errors"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
)

// ContradictionQuery asks for a page of contradictions.
type ContradictionQuery struct {
	Open   bool   // only undecided ones
	Cursor string // Next of the page before
	Limit  int    // 0: DefaultPage; at most MaxPage
}

// Contradictions returns a page of contradictions with both memories, oldest first. A page ends early where its contents
// grow long. It returns a *memory.FieldError or an error of the store.
func (g *Gate) Contradictions(ctx context.Context, p Person, q ContradictionQuery) (ContradictionPage, error) {
	defer g.metrics.time("contradictions")()
	s, namespace, err := g.attend(p)
	if err != nil {
		return ContradictionPage{}, err
	}
	limit, err := pageLimit(q.Limit, DefaultPage, MaxPage)
	if err != nil {
		return ContradictionPage{}, err
	}
	asked := []any{"contradictions", namespace, q.Open}
	after, err := readIDCursor(q.Cursor, asked...)
	if err != nil {
		return ContradictionPage{}, err
	}
	found, err := g.store.Contradictions(ctx, memory.ContradictionFilter{
		Namespace: namespace, Open: q.Open, After: after, Limit: limit,
	})
	if err != nil {
		return ContradictionPage{}, err
	}
	page, size := ContradictionPage{Items: []InspectedContradiction{}}, 0
	for i, c := range found {
		item, err := g.inspectContradiction(ctx, s, c, g.now())
		if err != nil {
			return ContradictionPage{}, err
		}
		if size += len(item.A.Content) + len(item.B.Content); i > 0 && size > MaxAnswerBytes {
			page.Next = nextCursor(found[i-1].ID, asked...)
			return page, nil
		}
		page.Items = append(page.Items, item)
	}
	if len(found) == limit {
		page.Next = nextCursor(found[len(found)-1].ID, asked...)
	}
	return page, nil
}

// inspectContradiction is a contradiction as a person sees it.
func (g *Gate) inspectContradiction(
	ctx context.Context, s *policy.State, c memory.Contradiction, now time.Time,
) (InspectedContradiction, error) {
	a, err := g.inspectSide(ctx, s, c.Namespace, c.A, now)
	if err != nil {
		return InspectedContradiction{}, err
	}
	b, err := g.inspectSide(ctx, s, c.Namespace, c.B, now)
	if err != nil {
		return InspectedContradiction{}, err
	}
	return InspectedContradiction{
		ID: c.ID, A: a, B: b, Signs: shown(c.Signs), Open: c.Verdict == "", Verdict: c.Verdict, DecidedBy: c.DecidedBy,
		Reason: c.Reason, FoundAt: c.FoundAt, DecidedAt: c.DecidedAt,
	}, nil
}

// inspectSide is one of the two memories; one that is not there any more has nothing but its id.
func (g *Gate) inspectSide(ctx context.Context, s *policy.State, namespace, id string, now time.Time) (Inspected, error) {
	v, err := g.newest(ctx, s, namespace, id)
	if errors.Is(err, memory.ErrNotFound) {
		return Inspected{ID: id, Namespace: namespace, Purged: true}, nil
	}
	if err != nil {
		return Inspected{}, err
	}
	return inspected(v, now), nil
}
