// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"slices"

	"memorytrust.dev/operator/internal/memory"
)

func replaces(r memory.Record, id string) bool { return slices.Contains(r.Supersedes, id) }

// share gives what is folded into a memory that memory's fate.
func (w *deciding) share(ctx context.Context, lead string, action memory.Action, change memory.ChangeType) error {
	f := memory.Filter{Namespace: w.namespace, FoldedInto: lead, Limit: foldedAtOnce}
	if action == memory.ActionPurge {
		f.IncludeForgotten = true // it carries the text whatever became of it
	} else {
		f.States = []memory.State{memory.PendingReview}
	}
	page, err := w.folded(ctx, f)
	if err != nil {
		return err
	}
	for _, v := range page {
		if err := w.follow(v, action, change); err != nil {
			return err
		}
	}
	if len(page) == f.Limit {
		f.After = page[len(page)-1].record.ID
		w.overflow = append(w.overflow, func(ctx context.Context) error { return w.shareRest(ctx, f, action, change) })
	}
	return nil
}

func (w *deciding) follow(v verified, action memory.Action, change memory.ChangeType) error {
	if action != memory.ActionPurge {
		return w.act(v, action, change, whyFolded)
	}
	if len(v.record.Erased) == 0 {
		w.also(v, purged(v), change, whyFolded)
	}
	return nil
}

// shareRest does the same for those beyond the first page, a page at a time and each in a transaction of its own.
func (w *deciding) shareRest(ctx context.Context, f memory.Filter, action memory.Action, change memory.ChangeType) error {
	for {
		page, err := w.folded(ctx, f)
		if err != nil || len(page) == 0 {
			return err
		}
		batch := &deciding{
			gate: w.gate, state: w.state, namespace: w.namespace, actor: w.actor, principal: w.principal, reason: w.reason, now: w.now,
		}
		for _, v := range page {
			if err := batch.follow(v, action, change); err != nil {
				return err
			}
		}
		if len(batch.others) > 0 {
			if _, err := w.gate.store.CommitAll(ctx, batch.others); err != nil {
				return err
			}
		}
		if len(page) < f.Limit {
			return nil
		}
		f.After = page[len(page)-1].record.ID
	}
}

func (w *deciding) folded(ctx context.Context, f memory.Filter) ([]verified, error) {
	page, err := w.gate.store.List(ctx, f)
	if err != nil {
		return nil, err
	}
	return w.gate.verifyAny(ctx, w.state, w.namespace, page)
}
