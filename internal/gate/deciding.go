// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
)

// foldedAtOnce is how many folded memories change in the transaction of their lead. Those beyond go before it, so that a
// decision that is interrupted is still open and can be made again.
const foldedAtOnce = 1000

// Why another memory changes with a decision.
const (
	whyFolded     = "folded"
	whySuperseded = "superseded"
	whyForgotten  = "forgotten"
	whyReleased   = "released"
	whyFulfilled  = "fulfilled"
	whyCopy       = "copy"
	whyMerged     = "merged"
)

// deciding collects what one decision changes, so that all of it is committed at once.
type deciding struct {
	gate      *Gate
	state     *policy.State
	namespace string
	actor     string // as in a commit
	principal string // of the person; empty for an agent, a channel or the system
	reason    string
	now       time.Time

	main     memory.Change
	others   []memory.Change
	affected []Affected
	overflow []func(context.Context) error // what is folded beyond foldedAtOnce
	closing  []memory.Contradiction
	said     string // what to answer, where it is not what the decision means for a memory
}

// set makes next the new version of the memory that is decided about.
func (w *deciding) set(target verified, next memory.Record, change memory.ChangeType) {
	w.main = w.change(target, next, change)
}

// also makes next the new version of another memory. The first change of a memory is the one that counts.
func (w *deciding) also(target verified, next memory.Record, change memory.ChangeType, why string) {
	if w.touches(next.ID) {
		return
	}
	w.others = append(w.others, w.change(target, next, change))
	w.affected = append(w.affected, Affected{ID: next.ID, Why: why, State: next.State})
}

func (w *deciding) touches(id string) bool {
	if w.main.Record.ID == id {
		return true
	}
	for _, a := range w.affected {
		if a.ID == id {
			return true
		}
	}
	return false
}

// change is the change to next. A pin that its new standing does not allow is lost.
func (w *deciding) change(target verified, next memory.Record, change memory.ChangeType) memory.Change {
	next.UpdatedAt = w.now
	if next.CheckPin() != nil {
		next.Pinned = false
	}
	seen := target.seq
	if seen == 0 {
		seen = target.record.Seq
	}
	return memory.Change{Type: change, Record: next, Actor: w.actor, Reason: w.reason, ExpectSeq: seen, Sign: signer(w.state)}
}

// act does one action of the table to another memory that verifies; it does nothing where the table has no line for it.
func (w *deciding) act(target verified, action memory.Action, change memory.ChangeType, why string) error {
	to, err := memory.Next(action, target.record.Standing())
	if errors.Is(err, memory.ErrTransition) {
		return nil
	}
	if err != nil {
		return err
	}
	next := target.record
	if target.fault != "" {
		next, to.Zone = distrusted(next), memory.Quarantine
	}
	next.Zone, next.State = to.Zone, to.State
	if action == memory.ActionQuarantine {
		next.ApprovedBy, next.Expiry = "", time.Time{}
	}
	w.also(target, next, change, why)
	return nil
}

// finish commits, unless only a preview was asked for, and completes the answer.
func (w *deciding) finish(ctx context.Context, out Decided) (Decided, error) {
	next := w.main.Record
	out.Zone, out.State = next.Zone, next.State
	out.Affected = append(out.Affected, w.affected...)
	if out.DryRun {
		out.Message = previewMessage(out)
		return out, nil
	}
	stored, err := w.commit(ctx)
	if err != nil {
		return Decided{}, err
	}
	w.gate.metrics.decided(out.Action)
	out.Done, out.Commit, out.Message = true, commitOf(stored), decidedMessage(out)
	if w.said != "" {
		out.Message = w.said
	}
	return out, nil
}

// commit writes everything and returns the memory that was decided about, or the first that changed.
func (w *deciding) commit(ctx context.Context) (memory.Record, error) {
	for _, batch := range w.overflow {
		if err := batch(ctx); err != nil {
			return memory.Record{}, err
		}
	}
	changes := w.others
	if w.main.Type != "" {
		changes = append([]memory.Change{w.main}, w.others...)
	}
	var first memory.Record
	if len(changes) > 0 {
		stored, err := w.gate.store.CommitAll(ctx, changes)
		if err != nil {
			return memory.Record{}, err
		}
		first = stored[0]
	}
	for _, c := range w.closing {
		// The decision stands whether or not this is written: the next scan closes what has lost a side.
		if w.gate.store.PutContradiction(ctx, c) != nil {
			break
		}
	}
	return first, nil
}

// newest returns the newest version of a memory in any zone and state, purged or not.
func (g *Gate) newest(ctx context.Context, s *policy.State, namespace, id string) (verified, error) {
	if !memory.ValidID(id) {
		return verified{}, memory.ErrNotFound
	}
	record, err := g.store.Get(ctx, namespace, id)
	if err != nil {
		return verified{}, err
	}
	checked, err := g.verifyAny(ctx, s, namespace, []memory.Record{record})
	if err != nil {
		return verified{}, err
	}
	return checked[0], nil
}

// verifyAny is verify with the place of each record's newest audit entry, also where the row is not of that version: a change
// of what does not verify must still follow on what the audit log has.
func (g *Gate) verifyAny(ctx context.Context, s *policy.State, namespace string, records []memory.Record) ([]verified, error) {
	checked, err := g.verify(ctx, s, namespace, records)
	if err != nil {
		return nil, err
	}
	for i, v := range checked {
		checked[i].seq = v.record.Seq
		if v.fault == "" {
			continue
		}
		heads, err := g.store.Heads(ctx, []string{v.record.ID})
		if err != nil {
			return nil, err
		}
		checked[i].seq = heads[v.record.ID].Seq
	}
	return checked, nil
}

// distrusted is a record that does not verify as it may be signed again: of class Unknown, in Quarantine, with nobody
// standing behind it, and replacing nothing. What a row says that cannot be stored at all is left out.
func distrusted(r memory.Record) memory.Record {
	r.Class, r.Zone, r.State = provenance.Unknown, memory.Quarantine, memory.PendingReview
	r.ApprovedBy, r.Expiry, r.Pinned, r.Supersedes, r.Commit = "", time.Time{}, false, nil, memory.Commit{}
	r = r.Normalized().Capped()
	if r.Validate() == nil {
		return r
	}
	bare := memory.Record{
		ID: r.ID, Namespace: r.Namespace, Branch: memory.MainBranch, Zone: r.Zone, State: r.State, Class: r.Class,
		Content: r.Content, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
	}
	if !utf8.ValidString(bare.Content) {
		bare.Content = strings.ToValidUTF8(bare.Content, "\uFFFD")
	}
	return bare.Capped()
}

// erase removes from a record what it says, and what its writer says about it. Hashes stay, and so does where it came from.
func erase(r memory.Record) memory.Record {
	if len(r.Erased) == 0 {
		sum := sha256.Sum256([]byte(r.Content))
		r.Erased = bytes.Clone(sum[:])
	}
	r.Content, r.Kind, r.Subject, r.Tags, r.Metadata, r.Reasons = "", "", "", nil, nil, nil
	return r
}
