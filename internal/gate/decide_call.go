// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"fmt"
	"slices"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
)

// approveAction lets the agent make the call once. The request stays where it is.
func (w *deciding) approveAction(target verified) error {
	if err := w.checkRequest(target.record); err != nil {
		return err
	}
	next := target.record
	next.State, next.ApprovedBy = memory.Approved, w.principal
	next.Expiry = memory.Timestamp(w.now.Add(w.state.Runtime.Actions.ApprovalLifetime()))
	w.set(target, next, memory.ChangeReview)
	w.said = fmt.Sprintf("Approved: the agent may make exactly this call, once, within %s. Undo it with Forget.",
		w.state.Runtime.Actions.ApprovalLifetime())
	return nil
}

// checkRequest refuses to approve what could not be used.
func (w *deciding) checkRequest(r memory.Record) error {
	if r.State != memory.PendingReview {
		return &memory.TransitionError{Action: memory.ActionApprove, From: r.Standing(), Possible: actionDecisions(r)}
	}
	if r.Expired(w.now) {
		return &ForbiddenError{What: "approving", Fix: "the request has expired; the agent has to ask again"}
	}
	if call := actionCall(r); call == nil || call.Policy != w.state.Runtime.Revision {
		return &ForbiddenError{What: "approving", Fix: "the policy changed since the agent asked; it has to ask again"}
	}
	return nil
}

// actionDecisions are what a person can decide about a tool call.
func actionDecisions(r memory.Record) []memory.Action {
	switch r.State {
	case memory.PendingReview:
		return []memory.Action{memory.ActionApprove, memory.ActionReject, memory.ActionForget, memory.ActionPurge}
	case memory.Rejected:
		return []memory.Action{memory.ActionReopen, memory.ActionPurge}
	case memory.Forgotten:
		return []memory.Action{memory.ActionPurge}
	}
	return []memory.Action{memory.ActionForget, memory.ActionPurge}
}

// decideAction is decide for a tool call: what makes a memory of something, or raises it, has no meaning for it.
func (w *deciding) decideAction(ctx context.Context, target verified, a memory.Action) error {
	if target.fault == "" && !slices.Contains(actionDecisions(target.record), a) {
		return &memory.TransitionError{Action: a, From: target.record.Standing(), Possible: actionDecisions(target.record)}
	}
	expiry := memory.Timestamp(w.now.Add(requestLifetime(w.state.Runtime)))
	switch a {
	case memory.ActionApprove:
		return w.approveAction(target)
	case memory.ActionReject:
		if err := w.reject(ctx, target); err != nil {
			return err
		}
		w.main.Record.Expiry = expiry
		w.said = "Rejected: exactly this call is denied until " + expiry.Format(time.RFC3339) + ". Undo it with Reopen."
	case memory.ActionReopen:
		if err := w.reopen(ctx, target); err != nil {
			return err
		}
		w.main.Record.Expiry = expiry
	case memory.ActionQuarantine: // of what does not verify
		if err := w.quarantine(ctx, target); err != nil {
			return err
		}
		w.main.Record.Expiry = expiry
	case memory.ActionPurge:
		return w.purge(ctx, target)
	default:
		if err := w.forgetFor(ctx, target); err != nil {
			return err
		}
		w.said = "Forgotten: it allows nothing. The agent can ask again."
	}
	return nil
}

// tidyActions takes out of the queue, once an hour, the tool calls that nobody decided about in time, and with them approvals
// that were not used.
func (m *maintenance) tidyActions(ctx context.Context, s *policy.State, namespaces []string, now time.Time) {
	if now.Sub(m.actions) < time.Hour {
		return
	}
	m.actions = now
	for _, namespace := range namespaces {
		w := &deciding{gate: m.gate, state: s, namespace: namespace, actor: queueActor, reason: "its time is over", now: now}
		_, err := m.gate.tidyActions(ctx, w)
		if m.failed("Tidying tool calls that wait failed", namespace, err) {
			return
		}
	}
}

// tidyActions takes out of the way what was asked or approved and is over. It returns how much.
func (g *Gate) tidyActions(ctx context.Context, w *deciding) (int, error) {
	n := 0
	err := g.each(ctx, w, memory.Filter{
		Kinds: []string{kindAction}, States: []memory.State{memory.PendingReview, memory.Approved},
	}, func(v verified) error {
		over := v.record.Expired(w.now) || v.record.Expiry.IsZero() // one without an end would wait for ever
		if n == maxAged || v.fault != "" || !over {
			return nil
		}
		done, err := w.alone(ctx, v, memory.ActionForget, false)
		if done {
			n++
		}
		return err
	})
	return n, err
}
