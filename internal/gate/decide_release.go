// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"errors"
	"slices"

	"memorytrust.dev/operator/internal/memory"
)

// release closes the contradictions of a memory that is taken away, and lets those memories stand again that were disputed
// because of it and of nothing else.
func (w *deciding) release(ctx context.Context, id string) error {
	open, err := w.open(ctx, id)
	if err != nil {
		return err
	}
	for _, c := range open {
		verdict, other := memory.KeepA, c.A
		if c.A == id {
			verdict, other = memory.KeepB, c.B
		}
		w.close(c, verdict)
		if err := w.settle(ctx, other, id); err != nil {
			return err
		}
	}
	return nil
}

// settle lets a disputed memory stand, unless a contradiction with another than the one named is still open.
func (w *deciding) settle(ctx context.Context, id, gone string) error {
	v, err := w.gate.newest(ctx, w.state, w.namespace, id)
	if errors.Is(err, memory.ErrNotFound) {
		return nil
	}
	if err != nil || v.fault != "" || v.record.State != memory.Disputed {
		return err
	}
	open, err := w.open(ctx, id)
	if err != nil {
		return err
	}
	for _, c := range open {
		if c.A != gone && c.B != gone {
			return nil
		}
	}
	return w.act(v, memory.ActionSettle, memory.ChangeReview, whyReleased)
}

// open returns the undecided contradictions of a memory.
func (w *deciding) open(ctx context.Context, id string) ([]memory.Contradiction, error) {
	return w.gate.store.Contradictions(ctx, memory.ContradictionFilter{
		Namespace: w.namespace, RecordIDs: []string{id}, Open: true, Limit: memory.MaxPageSize,
	})
}

// close decides a contradiction together with what the decision changes. The first verdict is the one that counts.
func (w *deciding) close(c memory.Contradiction, verdict memory.ContradictionVerdict) {
	if slices.ContainsFunc(w.closing, func(other memory.Contradiction) bool { return other.ID == c.ID }) {
		return
	}
	c.Verdict, c.DecidedBy, c.DecidedAt, c.Reason = verdict, w.principal, w.now, w.reason
	w.closing = append(w.closing, c)
}
