// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"errors"
	"strings"
	"unicode"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// personChannel names the way in of what a person writes while reviewing.
const personChannel = "person"

// ResolveContradiction does what a person decided about a contradiction, all or nothing. It returns memory.ErrNotFound, a
// *memory.FieldError, or an error of the store.
func (g *Gate) ResolveContradiction(ctx context.Context, p Person, id string, r Resolution) (Decided, error) {
	defer g.metrics.time("resolve")()
	for attempt := 1; ; attempt++ {
		out, err := g.tryResolve(ctx, p, id, r)
		if !errors.Is(err, memory.ErrConflict) || attempt == commitAttempts {
			return out, err
		}
	}
}

func (g *Gate) tryResolve(ctx context.Context, p Person, id string, r Resolution) (Decided, error) {
	w, err := g.person(p, r.Reason)
	if err != nil {
		return Decided{}, err
	}
	if len(r.Reason) > memory.MaxReasonBytes || strings.ContainsFunc(r.Reason, unicode.IsControl) {
		return Decided{}, &memory.FieldError{Field: "reason", Fix: "say it in one line of at most 1024 bytes"}
	}
	c, err := w.contradiction(ctx, id)
	if err != nil {
		return Decided{}, err
	}
	out := Decided{ID: id, Action: actionResolve, DryRun: r.DryRun, Rules: []memory.Rule{}, Affected: []Affected{}}
	if err := w.resolve(ctx, c, r); err != nil {
		return Decided{}, err
	}
	return w.finishAll(ctx, out)
}

// contradiction returns an undecided contradiction.
func (w *deciding) contradiction(ctx context.Context, id string) (memory.Contradiction, error) {
	if !memory.ValidID(id) {
		return memory.Contradiction{}, memory.ErrNotFound
	}
	found, err := w.gate.store.Contradictions(ctx, memory.ContradictionFilter{Namespace: w.namespace, IDs: []string{id}, Limit: 1})
	if err != nil {
		return memory.Contradiction{}, err
	}
	if len(found) == 0 {
		return memory.Contradiction{}, memory.ErrNotFound
	}
	if c := found[0]; c.Verdict == "" || c.Verdict == memory.NeedsMoreContext {
		return c, nil
	}
	return memory.Contradiction{}, &memory.FieldError{Field: "verdict", Fix: "choose another contradiction: this one is decided"}
}

// resolve works out what a verdict changes.
func (w *deciding) resolve(ctx context.Context, c memory.Contradiction, r Resolution) error {
	if r.Content != "" && r.Verdict != memory.Merge {
		return &memory.FieldError{Field: "content", Fix: "give it with the verdict Merge only"}
	}
	w.close(c, r.Verdict)
	switch r.Verdict {
	case memory.KeepA:
		return w.keep(ctx, c.A, c.B)
	case memory.KeepB:
		return w.keep(ctx, c.B, c.A)
	case memory.Merge:
		return w.merge(ctx, c, r.Content)
	case memory.BothValid:
		if err := w.settle(ctx, c.A, c.B); err != nil {
			return err
		}
		return w.settle(ctx, c.B, c.A)
	case memory.NeedsMoreContext:
		return nil
	}
	return &memory.FieldError{Field: "verdict", Fix: "use KeepA, KeepB, Merge, BothValid or NeedsMoreContext"}
}

// keep lets one memory stand and replaces the other by it.
func (w *deciding) keep(ctx context.Context, winner, loser string) error {
	v, err := w.side(ctx, winner)
	if err != nil {
		return err
	}
	if v.fault != "" {
		return &memory.FieldError{Field: "verdict", Fix: "choose another: the memory to keep is not what was signed"}
	}
	if err := w.replace(ctx, loser); err != nil {
		return err
	}
	if err := w.release(ctx, loser); err != nil {
		return err
	}
	return w.settle(ctx, winner, loser)
}

// side returns one of the two memories, which must be there.
func (w *deciding) side(ctx context.Context, id string) (verified, error) {
	v, err := w.gate.newest(ctx, w.state, w.namespace, id)
	if err == nil && present(v.record) {
		return v, nil
	}
	if err == nil || errors.Is(err, memory.ErrNotFound) {
		return verified{}, &memory.FieldError{Field: "verdict", Fix: "choose another: one of the memories is gone"}
	}
	return verified{}, err
}

// replace makes a memory Superseded, with what is folded into it.
func (w *deciding) replace(ctx context.Context, id string) error {
	v, err := w.gate.newest(ctx, w.state, w.namespace, id)
	if errors.Is(err, memory.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := w.act(v, memory.ActionSupersede, memory.ChangeReview, whySuperseded); err != nil {
		return err
	}
	return w.share(ctx, id, memory.ActionSupersede, memory.ChangeReview)
}

// merge writes what a person says in place of both memories. It is worth no more than the lower of them.
func (w *deciding) merge(ctx context.Context, c memory.Contradiction, content string) error {
	if err := checkContent(w.state.Runtime, content); err != nil {
		return err
	}
	var classes []provenance.Class
	for _, id := range []string{c.A, c.B} {
		v, err := w.side(ctx, id)
		if err != nil {
			return err
		}
		if v.fault != "" {
			v.record.Class = provenance.Unknown
		}
		classes = append(classes, v.record.Class)
	}
	verdict, _ := w.gate.screenText(w.state, words{content: content, source: personChannel}, true)
	class := provenance.Min(classes...)
	record := memory.Record{
		ID: memory.NewID(), Namespace: w.namespace, Branch: memory.MainBranch, Zone: memory.Working, State: memory.Approved,
		ApprovedBy: w.principal, Expiry: classExpiry(w.state.Runtime, class, w.now), Class: class, Source: personChannel,
		Writer: memory.Writer{Channel: personChannel, Principal: w.principal}, Parents: []string{c.A, c.B}, Content: content,
		Directive: verdict.Directive, Reasons: verdict.Reasons, Supersedes: []string{c.A, c.B}, CreatedAt: w.now, UpdatedAt: w.now,
	}.Capped()
	w.main = memory.Change{Type: memory.ChangeCreate, Record: record, Actor: w.actor, Reason: w.reason, Sign: signer(w.state)}
	w.affected = append(w.affected, Affected{ID: record.ID, Why: whyMerged, State: record.State})
	for _, id := range record.Parents {
		if err := w.replace(ctx, id); err != nil {
			return err
		}
	}
	// Released is what remains, so that neither of the two is.
	for _, id := range record.Parents {
		if err := w.release(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// finishAll is finish for a decision that is about no single memory.
func (w *deciding) finishAll(ctx context.Context, out Decided) (Decided, error) {
	if w.main.Type != "" {
		return w.finish(ctx, out)
	}
	out.Affected = append(out.Affected, w.affected...)
	if out.DryRun {
		out.Message = "A preview: nothing was changed. " + count(len(out.Affected)) + " would change."
		return out, nil
	}
	if _, err := w.commit(ctx); err != nil {
		return Decided{}, err
	}
	w.gate.metrics.decided(out.Action)
	out.Done, out.Message = true, decidedMessage(out)
	return out, nil
}
