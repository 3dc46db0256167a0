// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
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
	return g.inspection(s, namespace).contradictions(ctx, q)
}

// inspectContradiction is a contradiction as a person sees it.
func (g *Gate) inspectContradiction(
	ctx context.Context, s *policy.State, c memory.Contradiction, now time.Time,
) (InspectedContradiction, error) {
	i := g.inspection(s, c.Namespace)
	i.now = now
	return i.contradiction(ctx, c)
}
