// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/memory/overlap"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
)

// RecordUpstream signs and keeps what an upstream holds after a write: the texts that were sent, as they were admitted, and those
// that it answered with, since servers rewrite what they store. A text of the answer inherits the class of the request, at most
// AgentInferred, if it can be another way to say what was sent; it is screened and compared like any write. Anything else in an
// answer is left unknown. A text that is known already keeps its class. It returns ErrNotReady, a *TooLargeError, a
// *memory.FieldError, or an error of the store; then what the upstream holds is unknown to the ledger, and counts as that.
func (g *Gate) RecordUpstream(ctx context.Context, c Caller, a UpstreamAdmission, texts []string) error {
	defer g.metrics.time("upstreamRecord")()
	s, namespace, err := g.enter(c)
	if err != nil {
		return err
	}
	if !a.Allowed || a.ticket == nil || a.ticket.namespace != namespace {
		return &memory.FieldError{Field: "admission", Fix: "hand in the admission of the write, in its namespace; it must have been allowed"}
	}
	if err := checkTexts(s.Runtime, texts); err != nil {
		return err
	}
	r := &recording{gate: g, state: s, caller: c, ticket: *a.ticket, now: g.now()}
	if err := r.drafts(ctx); err != nil {
		return err
	}
	return r.answered(ctx, texts)
}

// recording is what an upstream holds after one write.
type recording struct {
	gate   *Gate
	state  *policy.State
	caller Caller
	ticket ticket
	now    time.Time
}

// drafts writes the records of what was sent.
func (r *recording) drafts(ctx context.Context) error { return r.put(ctx, r.ticket.drafts) }

// put writes records. Somebody may have stored the same text at the same time: what they stored stands, as for any text that is
// known. Without them texts count as Unknown, so that they need not wait for the disk.
func (r *recording) put(ctx context.Context, drafts []draft) error {
	for attempt := 1; ; attempt++ {
		if len(drafts) == 0 {
			return nil
		}
		err := r.gate.putLedger(ctx, r.state, r.caller, drafts, r.gate.store.CommitBehind)
		if !errors.Is(err, memory.ErrConflict) || attempt == commitAttempts {
			return err
		}
		if drafts, err = r.fresh(ctx, drafts); err != nil {
			return err
		}
	}
}

// fresh returns those of the drafts whose records have not changed since they were made.
func (r *recording) fresh(ctx context.Context, drafts []draft) ([]draft, error) {
	ids := make([]string, len(drafts))
	for i, d := range drafts {
		ids[i] = d.record.ID
	}
	heads, err := r.gate.store.Heads(ctx, ids)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(drafts), func(d draft) bool { return heads[d.record.ID].Seq != d.expect }), nil
}

// answered records what the upstream answered with.
func (r *recording) answered(ctx context.Context, texts []string) error {
	sent := overlap.NewRequest(r.ticket.sent...)
	texts = slices.DeleteFunc(distinct(texts), func(t string) bool {
		if slices.Contains(r.ticket.sent, t) {
			return true
		}
		made := sent.Rewritten(t)
		r.gate.metrics.upstreamRewrites.WithLabelValues(r.ticket.call.Upstream, strconv.FormatBool(made)).Inc()
		return !made
	})
	if len(texts) == 0 {
		return nil
	}
	ledger, err := r.gate.ledger(ctx, r.state, r.ticket.namespace, r.ticket.call.Upstream, texts)
	if err != nil {
		return err
	}
	a := &admitting{
		lineage: lineage{
			gate: r.gate, state: r.state, caller: r.caller, namespace: r.ticket.namespace, session: r.ticket.call.Session, now: r.now,
			together: &together{},
		},
		call: r.ticket.call, ledger: ledger,
	}
	for _, t := range texts {
		if err := a.rewritten(ctx, t, r.ticket); err != nil {
			return err
		}
	}
	if err := a.decide(ctx); err != nil {
		return err
	}
	drafts, err := a.roomed(ctx)
	if err != nil {
		return err
	}
	return r.put(ctx, drafts)
}

// rewritten decides where a text of an answer comes from that the ledger does not know.
func (a *admitting) rewritten(ctx context.Context, text string, from ticket) error {
	k := a.ledger[text]
	if !k.user.absent() || k.own.there && (k.own.stands(a.state.Runtime, a.now) || !k.own.gone(a.now)) {
		return nil
	}
	o := origin{
		class: provenance.Min(from.class, provenance.AgentInferred), source: upstreamSource + a.call.Upstream, writer: a.caller.writer(),
		cappedBy: []string{cappedByLineage},
	}
	w := &writing{text: text, slot: k.own, id: ledgerID(a.namespace, a.call.Upstream, text, false), origin: o}
	w.inherit()
	for _, id := range from.parents {
		if id != w.id {
			w.origin.addParents(id)
		}
	}
	l := a.lineage
	l.self = w.id
	a.open = append(a.open, w)
	return l.overlaps(ctx, &w.origin, text)
}

// roomed returns the records for which the queue has room. The others are left unknown.
func (a *admitting) roomed(ctx context.Context) ([]draft, error) {
	q := &queue{gate: a.gate, state: a.state, now: a.now}
	var out []draft
	for _, w := range a.open {
		err := q.place(ctx, &w.draft.record, foldable)
		var full *LimitError
		switch {
		case errors.As(err, &full):
		case err != nil:
			return nil, err
		default:
			out = append(out, w.draft)
		}
	}
	return out, nil
}
