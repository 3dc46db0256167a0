// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"slices"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
)

// maxShownFolded is how many of the memories folded into an item a person sees with it.
const maxShownFolded = 20

// Review returns a page of what waits for a person, oldest first: memories in state PendingReview or Disputed that stand for
// themselves, with everything one needs to decide. A page ends early where its contents grow long. It returns a
// *memory.FieldError or an error of the store.
func (g *Gate) Review(ctx context.Context, p Person, q QueueQuery) (Reviewed, error) {
	defer g.metrics.time("review")()
	s, namespace, err := g.attend(p)
	if err != nil {
		return Reviewed{}, err
	}
	limit, err := pageLimit(q.Limit, DefaultPage, MaxPage)
	if err != nil {
		return Reviewed{}, err
	}
	asked := []any{"review", namespace}
	after, err := readIDCursor(q.Cursor, asked...)
	if err != nil {
		return Reviewed{}, err
	}
	total, err := g.store.Items(ctx, namespace)
	if err != nil {
		return Reviewed{}, err
	}
	records, err := g.store.List(ctx, memory.Filter{
		Namespace: namespace, States: []memory.State{memory.PendingReview, memory.Disputed}, Items: true, After: after, Limit: limit,
	})
	if err != nil {
		return Reviewed{}, err
	}
	checked, err := g.verify(ctx, s, namespace, records)
	if err != nil {
		return Reviewed{}, err
	}
	out, size := Reviewed{Items: []ReviewItem{}, Total: total}, 0
	for i, v := range checked {
		item, err := g.reviewItem(ctx, s, v, g.now())
		if err != nil {
			return Reviewed{}, err
		}
		if size += item.size(); i > 0 && size > MaxAnswerBytes {
			out.Next = nextCursor(records[i-1].ID, asked...)
			return out, nil
		}
		out.Items = append(out.Items, item)
	}
	if len(records) == limit {
		out.Next = nextCursor(records[len(records)-1].ID, asked...)
	}
	return out, nil
}

// size is how much content an item shows, in bytes.
func (i ReviewItem) size() int {
	n := len(i.Memory.Content)
	for _, list := range [][]Inspected{i.Folded, i.Replaces} {
		for _, m := range list {
			n += len(m.Content)
		}
	}
	for _, c := range i.Contradictions {
		n += len(c.A.Content) + len(c.B.Content)
	}
	return n
}

// reviewItem gathers what belongs to one thing to decide.
func (g *Gate) reviewItem(ctx context.Context, s *policy.State, v verified, now time.Time) (ReviewItem, error) {
	w := &deciding{gate: g, state: s, namespace: v.record.Namespace, now: now}
	item := ReviewItem{
		Memory: inspected(v, now), Folded: []Inspected{}, Contradictions: []InspectedContradiction{}, Replaces: []Inspected{},
		Actions: actionsFor(v),
	}
	folded, err := g.store.List(ctx, memory.Filter{
		Namespace: w.namespace, FoldedInto: v.record.ID, States: []memory.State{memory.PendingReview}, Limit: memory.MaxPageSize,
	})
	if err != nil {
		return item, err
	}
	item.FoldedCount = len(folded)
	checked, err := g.verify(ctx, s, w.namespace, folded[:min(len(folded), maxShownFolded)])
	if err != nil {
		return item, err
	}
	for _, f := range checked {
		item.Folded = append(item.Folded, inspected(f, now))
	}
	if v.record.State == memory.PendingReview {
		replaced, err := w.held(ctx, v.record)
		if err != nil {
			return item, err
		}
		for _, r := range replaced {
			item.Replaces = append(item.Replaces, inspected(r, now))
		}
	}
	open, err := w.open(ctx, v.record.ID)
	if err != nil {
		return item, err
	}
	for _, c := range open[:min(len(open), maxShownFolded)] {
		seen, err := g.inspectContradiction(ctx, s, c, now)
		if err != nil {
			return item, err
		}
		item.Contradictions = append(item.Contradictions, seen)
	}
	return item, nil
}

// actionsFor lists what a person can decide about a memory as it stands.
func actionsFor(v verified) []memory.Action {
	possible := []memory.Action{}
	for _, a := range memory.ActionsFor(v.record.Standing()) {
		if slices.Contains(decidable, a) {
			possible = append(possible, a)
		}
	}
	switch {
	case v.fault != "":
		return slices.Clone(distrustful)
	case v.record.Kind == kindAction:
		return actionDecisions(v.record)
	case v.record.Kind == kindTool:
		return pinDecisions(v.record)
	}
	return possible
}
