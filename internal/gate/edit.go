// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"errors"
	"slices"
	"time"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
	"memorytrust.dev/operator/internal/screen"
)

// Edit is what changes in a memory. Nil fields stay as they are.
type Edit struct {
	Content    *string
	Source     string // claimed source of the edit; may be empty
	Session    string // session of the agent; may be empty
	Kind       *string
	Tags       *[]string
	Subject    *string
	Metadata   *map[string]string
	Confidence *int // per mille
	Salience   *int // per mille
	Pin        *bool
	Commit     string // the commit the caller saw; empty: no precondition
}

// Edit changes a memory: it goes through origin, lineage, session and screening like a new write, and its class only falls.
// The agent may edit what it wrote itself, up to class AgentInferred; a channel of a high class what its principal wrote. For
// anything else the memory stays as it is, and the edit is stored as a proposal for a person. It returns
// memory.ErrNotFound for whatever Get would not deliver, ErrPrecondition when the memory is not at the commit the
// caller named, a *memory.TransitionError for a memory that was replaced, and the errors of Encode.
func (g *Gate) Edit(ctx context.Context, c Caller, id string, e Edit) (Written, error) {
	defer g.metrics.time("edit")()
	s, err := g.ready()
	if err != nil {
		return Written{}, err
	}
	namespace, err := c.namespace(s.Runtime)
	if err != nil {
		return Written{}, err
	}
	if err := e.check(s.Runtime); err != nil {
		return Written{}, err
	}
	now := g.now()
	target, err := g.visible(ctx, s, namespace, id, now)
	if err != nil {
		return Written{}, err
	}
	if e.Commit != "" && e.Commit != commitOf(target.record) {
		return Written{}, ErrPrecondition
	}
	if err := g.allowWrite(s.Runtime, c, now); err != nil {
		return Written{}, err
	}
	for attempt := 1; ; attempt++ {
		if target.fault != "" || !mayForget(c, target.record) {
			return g.proposeEdit(ctx, s, c, target.record, e, now)
		}
		out, err := g.edit(ctx, s, c, target, e, now)
		switch {
		case !errors.Is(err, memory.ErrConflict):
			return out, err
		case e.Commit != "":
			return Written{}, ErrPrecondition
		case attempt == commitAttempts:
			return out, err
		}
		// Someone was faster, perhaps only to sign it with a new key. The caller said that any version will do.
		if target, err = g.visible(ctx, s, namespace, id, now); err != nil {
			return Written{}, err
		}
	}
}

// check checks what can be told of an edit without looking at the memory.
func (e Edit) check(r *policy.Runtime) error {
	if e.Content == nil && e.Kind == nil && e.Tags == nil && e.Subject == nil && e.Metadata == nil &&
		e.Confidence == nil && e.Salience == nil && e.Pin == nil {
		return &memory.FieldError{Field: "body", Fix: "give at least one field to change"}
	}
	if e.Content != nil {
		if err := checkContent(r, *e.Content); err != nil {
			return err
		}
	}
	if e.Kind != nil {
		if err := checkKind(*e.Kind); err != nil {
			return err
		}
	}
	if e.Commit != "" {
		if _, err := commitHash(e.Commit); err != nil {
			return err
		}
	}
	return checkSession(e.Session)
}

// apply returns r with what the edit changes, and nothing decided about it.
func (e Edit) apply(r memory.Record) memory.Record {
	set(&r.Content, e.Content)
	set(&r.Kind, e.Kind)
	set(&r.Tags, e.Tags)
	set(&r.Subject, e.Subject)
	set(&r.Metadata, e.Metadata)
	set(&r.Confidence, e.Confidence)
	set(&r.Salience, e.Salience)
	set(&r.Pinned, e.Pin)
	return r.Normalized()
}

func set[T any](field, value *T) {
	if value != nil {
		*field = *value
	}
}

// edit changes a memory that the caller may change.
func (g *Gate) edit(ctx context.Context, s *policy.State, c Caller, target verified, e Edit, now time.Time) (Written, error) {
	old := target.record
	if _, err := memory.Next(memory.ActionEdit, old.Standing()); err != nil {
		return Written{}, err
	}
	o, err := resolveOrigin(s.Runtime, c, e.Source)
	if err != nil {
		return Written{}, err
	}
	bySession := !c.Authenticated() && slices.Equal(old.CappedBy, []string{cappedBySession})
	if !bySession { // a mark never takes zone away, neither when it was written nor now
		o.editOf(old, s.Runtime)
	}
	next := e.apply(old)
	if e.Source == "" {
		o.source = old.Source // the edit claims nothing, so that what was claimed before stands
	}
	l := lineage{gate: g, state: s, caller: c, namespace: old.Namespace, session: e.Session, self: old.ID, now: now}
	o.parents = slices.Clone(old.Parents)
	trace, err := l.reworded(ctx, &o, old, next)
	if err != nil {
		return Written{}, err
	}
	verdict, outcome, err := l.judge(ctx, &o, wordsWith(next, o.source))
	if err != nil {
		return Written{}, err
	}
	fragment, err := l.correlate(ctx, o, next, nil, &verdict, &outcome)
	if err != nil {
		return Written{}, err
	}
	o.lower(old.Class, cappedBySession)
	next.Class, next.Source, next.UpdatedAt, next.Parents = o.class, o.source, now, o.parents
	next.CappedBy = union(old.CappedBy, o.cappedBy)
	g.decideEdit(ctx, s, &next, old, verdict, outcome, o)
	next = next.Capped()
	if e.Pin == nil && next.CheckPin() != nil {
		next.Pinned = false
	}
	replaced, err := g.resupersede(ctx, s, &next, o, now)
	if err != nil {
		return Written{}, err
	}
	if err := checkPin(next); err != nil {
		return Written{}, err
	}
	if err := g.enqueueEdit(ctx, s, &next, old, now); err != nil {
		return Written{}, err
	}
	stored, err := g.store.CommitAll(ctx, append([]memory.Change{{
		Type: memory.ChangeUpdate, Record: next, Actor: c.writer().String(), ExpectSeq: old.Seq, Sign: signer(s), Trace: trace,
		Fragment: fragment,
	}}, replaced...))
	if err != nil {
		return Written{}, err
	}
	g.metrics.wrote(stored[0])
	return written(s.Runtime, c, stored[0], verdict, now), nil
}

// reworded looks for what a changed text was made from, and returns what to trace of it. A text that stays has been looked for.
func (l lineage) reworded(ctx context.Context, o *origin, old, next memory.Record) (trace []uint64, err error) {
	text := wordsOf(next).said()
	if text == wordsOf(old).said() {
		return nil, nil
	}
	return featuresOf(old, next), l.overlaps(ctx, o, text)
}

// editOf caps an edit by what is edited: its class, and, where no channel stands behind a high class, its zone.
func (o *origin) editOf(old memory.Record, r *policy.Runtime) {
	o.lower(old.Class, cappedByLineage)
	if !o.authenticated || !o.class.High() || old.Writer.Authenticated() && old.Zone == memory.Trusted {
		return
	}
	o.cappedBy = append(o.cappedBy, cappedByLineage)
	if o.authenticated = false; r.TrustMode == v1alpha1.TrustModeSigned {
		o.class = provenance.AgentInferred
	} else {
		o.prefix = true
	}
}

func wordsWith(r memory.Record, source string) words {
	w := wordsOf(r)
	w.source = source
	return w
}

func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, s := range b {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// decideEdit gives an edited memory its standing. Zone and state are those of a new write, save that a person's approval of
// a content stands while the content does, and that nobody edits a memory out of a dispute.
func (g *Gate) decideEdit(
	ctx context.Context, s *policy.State, next *memory.Record, old memory.Record, verdict screen.Verdict, outcome memory.Outcome, o origin,
) {
	same := next.Content == old.Content
	if same && !o.withheld && old.State == memory.Approved && old.ApprovedBy != "" && !g.saysMore(ctx, s, *next, old) {
		return
	}
	next.Zone, next.State, next.Expiry = outcome.Zone, outcome.State, outcome.Expiry
	next.Directive, next.Reasons = verdict.Directive, slices.Clone(verdict.Reasons)
	next.ApprovedBy = ""
	if same && old.State == memory.PendingReview {
		next.Expiry = sooner(old.Expiry, next.Expiry) // tags do not buy time
	}
	if old.State == memory.Disputed && next.State == memory.Active {
		next.State = memory.Disputed
	}
}

// saysMore reports whether the words beside the content changed into a directive, or into what nobody could judge.
func (g *Gate) saysMore(ctx context.Context, s *policy.State, next, old memory.Record) bool {
	beside := wordsOf(next)
	beside.content = ""
	before := wordsOf(old)
	before.content = ""
	if beside.beside() == before.beside() {
		return false
	}
	verdict := g.screening(s).verdict(ctx, beside, false)
	return verdict.Directive || verdict.Abstained
}

// resupersede decides again about what an edited memory is to replace: an edit does not get around the person that its
// first version had to wait for.
func (g *Gate) resupersede(
	ctx context.Context, s *policy.State, next *memory.Record, o origin, now time.Time,
) ([]memory.Change, error) {
	if len(next.Supersedes) == 0 {
		return nil, nil
	}
	targets, err := g.targets(ctx, s, next.Namespace, next.Supersedes, now)
	if err != nil {
		return nil, err
	}
	return supersedeAll(s, next, o, targets, now)
}

// enqueueEdit finds the place of an edited memory in the queue. One that was an item of its own stays one, because others may
// be folded into it; it keeps its place among those of its class.
func (g *Gate) enqueueEdit(ctx context.Context, s *policy.State, next *memory.Record, old memory.Record, now time.Time) error {
	switch {
	case old.State != memory.PendingReview || old.FoldedInto != "":
		return g.enqueue(ctx, s, next, foldable, now)
	case next.State == memory.PendingReview && next.Class == old.Class:
		return nil
	}
	return g.enqueue(ctx, s, next, ownItem, now)
}
