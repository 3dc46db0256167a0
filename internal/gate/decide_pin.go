// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"slices"

	"memorytrust.dev/operator/internal/memory"
)

// pinDecisions are what a person can decide about the definition of a tool. It is not purged, since a tool of which nothing is
// recorded would be taken at its word again; and what is forgotten waits once the upstream offers it again.
func pinDecisions(r memory.Record) []memory.Action {
	switch r.State {
	case memory.PendingReview:
		return []memory.Action{memory.ActionApprove, memory.ActionReject, memory.ActionForget}
	case memory.Rejected:
		return []memory.Action{memory.ActionReopen}
	case memory.Forgotten:
		return []memory.Action{}
	}
	return []memory.Action{memory.ActionForget}
}

// decidePin is decide for the definition of a tool: it stays in Quarantine.
func (w *deciding) decidePin(ctx context.Context, target verified, a memory.Action) error {
	if target.fault == "" && !slices.Contains(pinDecisions(target.record), a) {
		return &memory.TransitionError{Action: a, From: target.record.Standing(), Possible: pinDecisions(target.record)}
	}
	switch a {
	case memory.ActionApprove:
		next := target.record
		next.State, next.ApprovedBy = memory.Approved, w.principal
		w.set(target, next, memory.ChangeReview)
		w.said = "Approved: the tool can be used as it is defined here, until the upstream defines it otherwise. Undo it with Forget."
	case memory.ActionReject:
		w.said = "Rejected: the tool cannot be used as it is defined here. Undo it with Reopen."
		return w.reject(ctx, target)
	case memory.ActionReopen:
		return w.reopen(ctx, target)
	case memory.ActionQuarantine: // of what does not verify
		return w.quarantine(ctx, target)
	case memory.ActionPurge: // of what does not verify
		return w.purge(ctx, target)
	default:
		w.said = "Forgotten: the definition is not accepted any more. It waits for a person once the upstream offers it again."
		return w.forgetFor(ctx, target)
	}
	return nil
}
