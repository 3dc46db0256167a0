// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"errors"
	"slices"
	"strings"

	"memorytrust.dev/operator/internal/memory"
)

// actionPin and actionUnpin name what Pin does; they lead to no other standing and are not in the table.
const (
	actionPin     memory.Action = "Pin"
	actionUnpin   memory.Action = "Unpin"
	actionResolve memory.Action = "Resolve"
)

// decisions are what people decide, as counted.
var decisions = slices.Concat(decidable, []memory.Action{actionPin, actionUnpin, actionResolve})

// decidable are the actions Decide takes.
var decidable = []memory.Action{
	memory.ActionApprove, memory.ActionReject, memory.ActionPromote, memory.ActionAttest, memory.ActionQuarantine,
	memory.ActionReopen, memory.ActionForget, memory.ActionPurge,
}

// distrustful are the decisions about a memory whose signature does not verify: those that take it away.
var distrustful = []memory.Action{memory.ActionQuarantine, memory.ActionForget, memory.ActionPurge}

// Decide does what a person decided about a memory, together with whatever follows from it for others, all or nothing. No
// decision raises class or authority, and only Promote raises a zone, save that Approve lets out of Quarantine. It
// returns memory.ErrNotFound, ErrPrecondition when the memory is not at the commit the person saw, a
// *memory.TransitionError, a *memory.FieldError, a *RuleError when rules are not met, or an error of the store.
func (g *Gate) Decide(ctx context.Context, p Person, id string, d Decision) (Decided, error) {
	defer g.metrics.time("decide")()
	if !slices.Contains(decidable, d.Action) {
		return Decided{}, &memory.FieldError{Field: "action", Fix: "use Approve, Reject, Promote, Attest, Quarantine, Reopen, Forget or Purge"}
	}
	for attempt := 1; ; attempt++ {
		out, err := g.tryDecide(ctx, p, id, d)
		if !errors.Is(err, memory.ErrConflict) || attempt == commitAttempts {
			return out, err
		}
	}
}

// tryDecide is one attempt: another memory that changes with this one may change while it is decided about.
func (g *Gate) tryDecide(ctx context.Context, p Person, id string, d Decision) (Decided, error) {
	w, target, err := g.begin(ctx, p, id, d.Commit, d.Reason)
	if err != nil {
		return Decided{}, err
	}
	out := Decided{ID: id, Action: d.Action, DryRun: d.DryRun, Rules: []memory.Rule{}, Affected: []Affected{}}
	if err := w.decide(ctx, target, d, &out); err != nil {
		return Decided{}, err
	}
	if len(memory.Unmet(out.Rules)) > 0 {
		out.Zone, out.State = target.record.Zone, target.record.State
		out.Message = unmetMessage(out.Rules)
		if d.DryRun {
			return out, nil
		}
		return out, &RuleError{Decided: out}
	}
	return w.finish(ctx, out)
}

// decide works out what a decision changes.
func (w *deciding) decide(ctx context.Context, target verified, d Decision, out *Decided) error {
	if target.fault != "" && !slices.Contains(distrustful, d.Action) {
		return &memory.TransitionError{Action: d.Action, From: target.record.Standing(), Possible: distrustful}
	}
	if len(target.record.Erased) > 0 && d.Action != memory.ActionForget {
		return &memory.TransitionError{Action: d.Action, From: target.record.Standing()}
	}
	switch target.record.Kind {
	case kindAction:
		return w.decideAction(ctx, target, d.Action)
	case kindTool:
		return w.decidePin(ctx, target, d.Action)
	}
	switch d.Action {
	case memory.ActionApprove:
		return w.approve(ctx, target)
	case memory.ActionReject:
		return w.reject(ctx, target)
	case memory.ActionPromote:
		return w.promote(ctx, target, d, out)
	case memory.ActionAttest:
		return w.attest(target)
	case memory.ActionQuarantine:
		return w.quarantine(ctx, target)
	case memory.ActionReopen:
		return w.reopen(ctx, target)
	case memory.ActionPurge:
		return w.purge(ctx, target)
	default:
		return w.forgetFor(ctx, target)
	}
}

// Pin makes a memory never fade, or lets it fade again. Only one of a high class that is Trusted or approved can be pinned; a
// *ForbiddenError says so of others. Other errors are those of Decide.
func (g *Gate) Pin(ctx context.Context, p Person, id string, pinned bool, commit, reason string) (Decided, error) {
	defer g.metrics.time("pin")()
	w, target, err := g.begin(ctx, p, id, commit, reason)
	if err != nil {
		return Decided{}, err
	}
	if target.fault != "" || !present(target.record) {
		return Decided{}, &ForbiddenError{What: "pinning", Fix: "the memory is gone, or is not what was signed; look at it first"}
	}
	next := target.record
	if next.Pinned = pinned; pinned {
		if err := checkPin(next); err != nil {
			return Decided{}, err
		}
	}
	w.set(target, next, memory.ChangeReview)
	out := Decided{ID: id, Action: actionUnpin, Rules: []memory.Rule{}, Affected: []Affected{}}
	if pinned {
		out.Action = actionPin
	}
	out, err = w.finish(ctx, out)
	if errors.Is(err, memory.ErrConflict) {
		return Decided{}, ErrPrecondition
	}
	return out, err
}

// begin checks a person's request about one memory and reads that memory.
func (g *Gate) begin(ctx context.Context, p Person, id, commit, reason string) (*deciding, verified, error) {
	w, err := g.person(p, reason)
	if err != nil {
		return nil, verified{}, err
	}
	if _, err := commitHash(commit); err != nil {
		return nil, verified{}, err
	}
	target, err := g.newest(ctx, w.state, w.namespace, id)
	if err != nil {
		return nil, verified{}, err
	}
	if commit != commitOf(target.record) {
		return nil, verified{}, ErrPrecondition
	}
	return w, target, nil
}

// person checks who decides and why. It returns a *memory.FieldError.
func (g *Gate) person(p Person, reason string) (*deciding, error) {
	s, namespace, err := g.attend(p)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(reason) == "" {
		return nil, &memory.FieldError{Field: "reason", Fix: "say why"}
	}
	return &deciding{
		gate: g, state: s, namespace: namespace, actor: personActor + p.Principal, principal: p.Principal, reason: reason, now: g.now(),
	}, nil
}
