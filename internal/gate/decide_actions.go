// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"errors"
	"time"

	"memorytrust.dev/operator/internal/memory"
)

// approve lets a memory stay: it is what it was, at most in Working, and a person read it. What was held up behind it happens:
// what it was to replace is replaced, and what was folded into it goes.
func (w *deciding) approve(ctx context.Context, target verified) error {
	to, err := memory.Next(memory.ActionApprove, target.record.Standing())
	if err != nil {
		return err
	}
	if target.record.Kind == kindForget {
		return w.approveForget(ctx, target)
	}
	return w.admit(ctx, target, to, memory.ChangeReview)
}

// admit is what approving and promoting have in common.
func (w *deciding) admit(ctx context.Context, target verified, to memory.Standing, change memory.ChangeType) error {
	next := target.record
	next.Zone, next.State = to.Zone, to.State
	next.ApprovedBy, next.FoldedInto = w.principal, ""
	next.Expiry = classExpiry(w.state.Runtime, next.Class, w.now)
	w.set(target, next, change)
	if target.record.State != memory.PendingReview {
		return nil
	}
	if err := w.replaceHeld(ctx, next); err != nil {
		return err
	}
	return w.share(ctx, next.ID, memory.ActionSupersede, memory.ChangeReview)
}

// replaceHeld replaces what an approved memory was to replace. The person decides that, of whatever class it is.
func (w *deciding) replaceHeld(ctx context.Context, by memory.Record) error {
	targets, err := w.held(ctx, by)
	if err != nil {
		return err
	}
	for _, target := range targets {
		if err := w.act(target, memory.ActionSupersede, memory.ChangeReview, whySuperseded); err != nil {
			return err
		}
	}
	return nil
}

// held returns what a memory is to replace or forget, as far as it is there and verifies.
func (w *deciding) held(ctx context.Context, by memory.Record) ([]verified, error) {
	var out []verified
	for _, id := range by.Supersedes {
		v, err := w.gate.newest(ctx, w.state, w.namespace, id)
		if errors.Is(err, memory.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if v.fault == "" && present(v.record) {
			out = append(out, v)
		}
	}
	return out, nil
}

// approveForget forgets what a proposal asked to forget, and the proposal.
func (w *deciding) approveForget(ctx context.Context, proposal verified) error {
	next := proposal.record
	next.State = memory.Forgotten
	w.set(proposal, next, memory.ChangeReview)
	targets, err := w.held(ctx, proposal.record)
	if err != nil {
		return err
	}
	for _, target := range targets {
		if err := w.act(target, memory.ActionForget, memory.ChangeDelete, whyForgotten); err != nil {
			return err
		}
		if err := w.gone(ctx, target.record.ID, memory.ActionForget, memory.ChangeDelete); err != nil {
			return err
		}
	}
	return nil
}

// reject keeps a memory out. What is folded into it goes with it, and what it held up is released.
func (w *deciding) reject(ctx context.Context, target verified) error {
	to, err := memory.Next(memory.ActionReject, target.record.Standing())
	if err != nil {
		return err
	}
	next := target.record
	next.Zone, next.State, next.ApprovedBy = to.Zone, to.State, ""
	w.set(target, next, memory.ChangeReview)
	if err := w.share(ctx, next.ID, memory.ActionReject, memory.ChangeReview); err != nil {
		return err
	}
	return w.release(ctx, next.ID)
}

// quarantine takes a memory out of the agent's reach until a person decides again.
func (w *deciding) quarantine(ctx context.Context, target verified) error {
	next := target.record
	to := memory.Standing{Zone: memory.Quarantine, State: memory.PendingReview}
	if target.fault != "" {
		next = distrusted(next)
	} else {
		var err error
		if to, err = memory.Next(memory.ActionQuarantine, next.Standing()); err != nil {
			return err
		}
	}
	next.Zone, next.State, next.ApprovedBy, next.Expiry, next.FoldedInto = to.Zone, to.State, "", time.Time{}, ""
	w.set(target, next, memory.ChangeReview)
	if target.record.State != memory.PendingReview {
		return nil
	}
	return w.share(ctx, next.ID, memory.ActionQuarantine, memory.ChangeReview)
}

// reopen brings back to the queue what was rejected or forgotten.
func (w *deciding) reopen(_ context.Context, target verified) error {
	to, err := memory.Next(memory.ActionReopen, target.record.Standing())
	if err != nil {
		return err
	}
	next := target.record
	next.Zone, next.State, next.ApprovedBy, next.Expiry, next.FoldedInto = to.Zone, to.State, "", time.Time{}, ""
	w.set(target, next, memory.ChangeReview)
	return nil
}

// forget takes a memory out of every recall, with what is folded into it.
func (w *deciding) forget(ctx context.Context, target verified) error {
	next := target.record
	if target.fault != "" {
		next = distrusted(next)
		next.State = memory.Forgotten
	} else {
		to, err := memory.Next(memory.ActionForget, next.Standing())
		if err != nil {
			return err
		}
		next.Zone, next.State = to.Zone, to.State
	}
	w.set(target, next, memory.ChangeDelete)
	return w.gone(ctx, next.ID, memory.ActionForget, memory.ChangeDelete)
}

// forgetFor is forget by a person: what the memory held up is released.
func (w *deciding) forgetFor(ctx context.Context, target verified) error {
	if err := w.forget(ctx, target); err != nil {
		return err
	}
	return w.release(ctx, target.record.ID)
}

// gone follows up on a memory that is taken away: what is folded into it goes as well, and nobody has to be asked to forget
// it any more.
func (w *deciding) gone(ctx context.Context, id string, action memory.Action, change memory.ChangeType) error {
	if err := w.share(ctx, id, action, change); err != nil {
		return err
	}
	proposals, err := w.gate.forgetProposals(ctx, w.namespace, id)
	if err != nil {
		return err
	}
	checked, err := w.gate.verifyAny(ctx, w.state, w.namespace, proposals)
	if err != nil {
		return err
	}
	for _, p := range checked {
		if err := w.act(p, memory.ActionForget, memory.ChangeDelete, whyFulfilled); err != nil {
			return err
		}
	}
	return nil
}

// purge erases a memory, and whatever carries its text: what is folded into it, and proposals to replace it.
func (w *deciding) purge(ctx context.Context, target verified) error {
	w.set(target, purged(target), memory.ChangePurge)
	if err := w.gone(ctx, target.record.ID, memory.ActionPurge, memory.ChangePurge); err != nil {
		return err
	}
	if err := w.purgeProposals(ctx, target.record.ID); err != nil {
		return err
	}
	return w.release(ctx, target.record.ID)
}

// purged is a memory after a purge, which every standing allows.
func purged(target verified) memory.Record {
	next := target.record
	if target.fault != "" {
		next = distrusted(next)
	}
	next = erase(next)
	next.State, next.ApprovedBy = memory.Forgotten, ""
	return next
}

// purgeProposals purges what was written to replace a memory and never did.
func (w *deciding) purgeProposals(ctx context.Context, id string) error {
	f := memory.Filter{
		Namespace: w.namespace, IncludeForgotten: true, Limit: memory.MaxPageSize,
		States: []memory.State{memory.PendingReview, memory.Rejected, memory.Superseded, memory.Forgotten},
	}
	for {
		page, err := w.gate.store.List(ctx, f)
		if err != nil {
			return err
		}
		var carriers []memory.Record
		for _, r := range page {
			if len(r.Erased) == 0 && r.Kind != kindForget && replaces(r, id) {
				carriers = append(carriers, r)
			}
		}
		checked, err := w.gate.verifyAny(ctx, w.state, w.namespace, carriers)
		if err != nil {
			return err
		}
		for _, v := range checked {
			w.also(v, purged(v), memory.ChangePurge, whyCopy)
		}
		if len(page) < f.Limit {
			return nil
		}
		f.After = page[len(page)-1].ID
	}
}
