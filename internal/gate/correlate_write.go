// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"slices"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/screen"
)

// correlate looks at a memory that is to be written together with others. One that completes a cluster waits for a person:
// delivered, and marked, under review mode Mark, in Quarantine under Withhold. It returns what is to be kept of the memory, nil
// for nothing; r says what the memory is to be, save its standing. Declared parents are those that the writer names: what the
// agent was shown, or what names the same account, is no reason to take two texts for one.
func (l lineage) correlate(
	ctx context.Context, o origin, r memory.Record, declared []string, verdict *screen.Verdict, outcome *memory.Outcome,
) (*memory.Fragment, error) {
	c := correlation{gate: l.gate, state: l.state, namespace: l.namespace, now: l.now}
	if !c.enabled() || o.class.High() || verdict.Directive {
		return nil, nil
	}
	r.Class, r.Directive, r.Seq = o.class, false, 0 // it is no version that was read before
	p, ok := c.partOf(r)
	if !ok {
		return nil, nil
	}
	root, err := l.rootOf(ctx, r.ID, declared)
	if err != nil {
		return nil, err
	}
	p.root = root
	members, err := c.cluster(ctx, []part{p})
	if err != nil {
		return nil, err
	}
	if members[p.id] {
		c.found(correlatedWrite, len(members))
		verdict.Reasons = union(verdict.Reasons, []string{reasonCorrelation})
		verdict.Families = union(verdict.Families, []string{familyCorrelation})
		if outcome.State != memory.PendingReview {
			*outcome = outcomeOf(l.state.Runtime, o, screen.Verdict{Abstained: true}, l.now)
		}
	}
	return p.fragment(r, l.now), nil
}

// rootOf is the memory that one with these declared parents goes back to, the first where there are several; itself where there
// are none.
func (l lineage) rootOf(ctx context.Context, id string, declared []string) (string, error) {
	if len(declared) == 0 {
		return id, nil
	}
	found, err := l.gate.store.Roots(ctx, declared)
	if err != nil {
		return "", err
	}
	first := id
	for _, roots := range found {
		for _, root := range roots {
			if memory.ValidID(root) && (first == id || root < first) {
				first = root
			}
		}
	}
	return first, nil
}

// correlated reports whether a memory waits as part of a cluster.
func correlated(reasons []string) bool { return slices.Contains(reasons, reasonCorrelation) }
