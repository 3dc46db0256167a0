// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"errors"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
)

// kindForget is the kind of a record that asks a person to forget the memory it names.
const kindForget = memory.ReservedKinds + "forget"

// proposeEdit stores an edit that only a person may make: the edited memory as a new one, in Quarantine, which replaces the
// old one once a person approves it. It has at most the class of the old one.
func (g *Gate) proposeEdit(
	ctx context.Context, s *policy.State, c Caller, target memory.Record, e Edit, now time.Time,
) (Written, error) {
	if e.Pin != nil && *e.Pin {
		return Written{}, &ForbiddenError{What: "pinning", Fix: "have a person pin it"}
	}
	o, err := resolveOrigin(s.Runtime, c, e.Source)
	if err != nil {
		return Written{}, err
	}
	err = g.capByLineage(ctx, s, target.Namespace, &o, []string{target.ID}, now)
	if errors.Is(err, errParents) {
		return Written{}, memory.ErrNotFound
	}
	if err != nil {
		return Written{}, err
	}
	edited := e.apply(target)
	w := Write{
		Content: edited.Content, Kind: edited.Kind, Tags: edited.Tags, Subject: edited.Subject, Metadata: edited.Metadata,
		Confidence: edited.Confidence, Salience: edited.Salience, Session: e.Session, Supersedes: []string{target.ID},
	}
	l := lineage{gate: g, state: s, caller: c, namespace: target.Namespace, session: e.Session, self: target.ID, now: now}
	if err := l.overlaps(ctx, &o, w.words(o.source).said()); err != nil {
		return Written{}, err
	}
	verdict, _, err := l.judge(ctx, &o, w.words(o.source))
	if err != nil {
		return Written{}, err
	}
	record := newRecord(target.Namespace, o, w, verdict, proposed, now).Capped()
	if err := g.enqueue(ctx, s, &record, foldable, now); err != nil {
		return Written{}, err
	}
	stored, err := g.propose(ctx, s, record, proposalEdit)
	if err != nil {
		return Written{}, err
	}
	out := written(s.Runtime, c, stored, verdict, now)
	out.Proposal = true
	out.Message = "Nothing was changed: only a person may change this memory. The edit waits for one."
	return out, nil
}

// proposed is what a proposal becomes, whatever it says.
var proposed = memory.Outcome{Zone: memory.Quarantine, State: memory.PendingReview, Authority: memory.None}

// proposeForget stores the request to forget a memory that only a person may forget. A second one asks nothing new.
func (g *Gate) proposeForget(
	ctx context.Context, s *policy.State, c Caller, target memory.Record, q ForgetRequest, now time.Time,
) (memory.Record, error) {
	waiting, err := g.forgetProposals(ctx, target.Namespace, target.ID)
	if err != nil {
		return memory.Record{}, err
	}
	if len(waiting) > 0 {
		return waiting[0], nil
	}
	o, err := resolveOrigin(s.Runtime, c, "")
	if err != nil {
		return memory.Record{}, err
	}
	record := memory.Record{
		ID: memory.NewID(), Namespace: target.Namespace, Branch: memory.MainBranch, Zone: proposed.Zone, State: proposed.State,
		Class: o.class, Source: o.source, Writer: o.writer, Kind: kindForget, Subject: target.ID, Session: q.Session,
		Supersedes: []string{target.ID}, CreatedAt: now, UpdatedAt: now,
	}.Capped()
	if err := g.enqueue(ctx, s, &record, ownItem, now); err != nil {
		return memory.Record{}, err
	}
	return g.propose(ctx, s, record, proposalForget)
}

func (g *Gate) propose(ctx context.Context, s *policy.State, record memory.Record, kind string) (memory.Record, error) {
	stored, err := g.store.Commit(ctx, memory.Change{
		Type: memory.ChangeCreate, Record: record, Actor: record.Writer.String(), Sign: signer(s),
	})
	if err == nil {
		g.metrics.proposals.WithLabelValues(kind).Inc()
	}
	return stored, err
}

// forgetProposals returns what waits to have a memory forgotten: one, but for a race.
func (g *Gate) forgetProposals(ctx context.Context, namespace, id string) ([]memory.Record, error) {
	return g.store.List(ctx, memory.Filter{
		Namespace: namespace, Kinds: []string{kindForget}, Subject: id, States: []memory.State{memory.PendingReview},
		Limit: memory.MaxPageSize,
	})
}
