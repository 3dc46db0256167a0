// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
)

// Actors of scheduled work.
const (
	agingActor = memory.SystemActor + "aging"
	queueActor = memory.SystemActor + "queue"
)

// Bounds of scheduled work.
const (
	lookAround     = time.Minute         // between looks at what is due
	keyLifetime    = 24 * time.Hour      // how long an idempotency key is remembered
	turnLifetime   = 30 * 24 * time.Hour // how long the id of a turn is; the policy says how long its words are
	tracesLifetime = 30 * 24 * time.Hour // how long what the agent met outside of its memory is recognized
	maxAged        = 1000                // memories that age, or leave the queue, in one run
	maxScansPerRun = 100                 // runs of the contradiction scan in a row, in one namespace
)

// Run does scheduled work until ctx ends: at the interval the policy sets it looks for contradictions in every namespace, lets
// memories age, and takes out of the queue what expired there; idempotency keys are forgotten after a day, the words of turns
// when their time is over, ids of turns and traces of observations after 30 days. Within a minute of another key becoming the primary one, it signs with that what others signed. What fails is logged and tried again. It logs
// counts and never contents.
func (g *Gate) Run(ctx context.Context, log *slog.Logger) {
	m := &maintenance{gate: g, log: log, started: g.now()}
	ticker := time.NewTicker(lookAround)
	defer ticker.Stop()
	for {
		m.look(ctx)
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// maintenance remembers when work was last done. The scans' times are in the store, so that a restart does not lose them.
type maintenance struct {
	gate    *Gate
	log     *slog.Logger
	started time.Time
	forgot  time.Time // when what is too old was last forgotten
	actions time.Time // when tool calls that people were asked about were last looked at
}

// look does whatever is due.
func (m *maintenance) look(ctx context.Context) {
	s, err := m.gate.ready()
	if err != nil {
		return // nothing is loaded yet
	}
	now := m.gate.now()
	if now.Sub(m.forgot) >= time.Hour {
		if m.failed("Forgetting what is too old failed", "", m.gate.forgetOld(ctx, s.Runtime, now)) {
			return
		}
		m.forgot = now
	}
	namespaces, err := m.gate.store.Namespaces(ctx)
	if m.failed("Listing namespaces failed", "", err) {
		return
	}
	m.tidyActions(ctx, s, namespaces, now)
	signed, err := m.resign(ctx, s, namespaces, now)
	m.failed("Signing memories with the primary key failed", "", err)
	if signed > 0 {
		m.log.Info("Signed memories with the primary key", "memories", signed, "keyID", s.Keyset.PrimaryID())
	}
	m.failed("Looking for memories that trust mode Signed does not trust failed", "", m.trustReports(ctx, s, namespaces, now))
	for _, namespace := range namespaces {
		if ctx.Err() != nil {
			return
		}
		due, err := m.due(ctx, s.Runtime, namespace, now)
		if m.failed("Reading when memory was last scanned failed", namespace, err) || !due {
			continue
		}
		m.tend(ctx, s, namespace, now)
	}
}

// forgetOld forgets what is kept for a time only, beside memory itself.
func (g *Gate) forgetOld(ctx context.Context, r *policy.Runtime, now time.Time) error {
	if err := g.store.ForgetKeys(ctx, now.Add(-keyLifetime)); err != nil {
		return err
	}
	if err := g.store.ForgetTurns(ctx, now.Add(-r.Actions.TurnLifetime()), now.Add(-turnLifetime)); err != nil {
		return err
	}
	if err := g.store.ForgetFragments(ctx, now.Add(-r.Screening.Correlation.Window())); err != nil {
		return err
	}
	return g.store.ForgetTraces(ctx, now.Add(-tracesLifetime))
}

// failed logs an error, unless it is that of being told to stop.
func (m *maintenance) failed(message, namespace string, err error) bool {
	if err != nil && !errors.Is(err, context.Canceled) {
		m.log.Error(message, "namespace", namespace, "error", err)
	}
	return err != nil
}

// due reports whether a namespace is to be looked after: an interval after the last time or, where there was none, after
// the start.
func (m *maintenance) due(ctx context.Context, r *policy.Runtime, namespace string, now time.Time) (bool, error) {
	mark, err := m.gate.store.Mark(ctx, scanTimeMark(namespace))
	if err != nil {
		return false, err
	}
	last := m.started
	if mark > 0 {
		last = time.Unix(int64(mark), 0) // #nosec G115 -- seconds since 1970
	}
	return now.Sub(last) >= r.ScanInterval(), nil
}

// tend does the work in one namespace. The scan comes last, because it sets the time from which the next interval counts.
func (m *maintenance) tend(ctx context.Context, s *policy.State, namespace string, now time.Time) {
	w := func(actor, reason string) *deciding {
		return &deciding{gate: m.gate, state: s, namespace: namespace, actor: actor, reason: reason, now: now}
	}
	aged, err := m.gate.age(ctx, w(agingActor, "older than the policy takes for fresh"))
	m.failed("Aging memories failed", namespace, err)
	left, err := m.gate.tidyQueue(ctx, w(queueActor, "nobody decided in time, or its like was decided about"))
	m.failed("Tidying the review queue failed", namespace, err)
	var total Scanned
	for range maxScansPerRun {
		out, err := m.gate.scan(ctx, w(scanActor, ""))
		total = Scanned{
			Records: total.Records + out.Records, Pairs: total.Pairs + out.Pairs, Found: total.Found + out.Found, More: out.More,
		}
		if m.failed("Scanning for contradictions failed", namespace, err) || !out.More {
			break
		}
	}
	m.log.Info("Looked after memory", "namespace", namespace, "aged", aged, "leftQueue", left, "scanned", total.Records,
		"pairs", total.Pairs, "contradictions", total.Found, "more", total.More)
}

// age makes memories Stale that are older than the policy takes for fresh, at most maxAged. An edit or a decision about a
// memory makes it fresh again.
func (g *Gate) age(ctx context.Context, w *deciding) (int, error) {
	n := 0
	for _, class := range provenance.Classes {
		span := time.Duration(w.state.Runtime.ClassRules(class).StaleAfterSeconds) * time.Second
		if span <= 0 {
			continue
		}
		err := g.each(ctx, w, memory.Filter{
			Class: class, States: []memory.State{memory.Active, memory.Approved}, Until: w.now.Add(-span),
		}, func(v verified) error {
			if n == maxAged || v.fault != "" || !speaks(v.record) || !v.record.StaleAt(span, w.now) || w.now.Sub(v.record.UpdatedAt) <= span {
				return nil
			}
			done, err := w.alone(ctx, v, memory.ActionAge, false)
			if done {
				n++
			}
			return err
		})
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// tidyQueue takes out of the queue what expired there, and what was folded into a memory that does not wait any more, at most
// maxAged. What expired is forgotten, and Reopen brings it back; what was folded shares the other's fate.
func (g *Gate) tidyQueue(ctx context.Context, w *deciding) (int, error) {
	n := 0
	err := g.each(ctx, w, memory.Filter{States: []memory.State{memory.PendingReview}}, func(v verified) error {
		if n == maxAged || v.fault != "" {
			return nil
		}
		action, unfold, err := g.outcome(ctx, w, v)
		if err != nil || action == "" && !unfold {
			return err
		}
		done, err := w.alone(ctx, v, action, unfold)
		if done {
			n++
		}
		return err
	})
	return n, err
}

// outcome says what becomes of a memory in the queue by itself: nothing, an action, or that it stands for itself again.
func (g *Gate) outcome(ctx context.Context, w *deciding, v verified) (action memory.Action, unfold bool, err error) {
	if v.record.Expired(w.now) {
		return memory.ActionForget, false, nil
	}
	if v.record.FoldedInto == "" {
		return "", false, nil
	}
	lead, err := g.newest(ctx, w.state, w.namespace, v.record.FoldedInto)
	switch {
	case errors.Is(err, memory.ErrNotFound):
		return "", true, nil
	case err != nil:
		return "", false, err
	case lead.fault != "":
		return "", true, nil
	}
	switch lead.record.State {
	case memory.PendingReview:
		return "", lead.record.FoldedInto != "", nil
	case memory.Rejected:
		return memory.ActionReject, false, nil
	case memory.Forgotten:
		return memory.ActionForget, false, nil
	case memory.Approved, memory.Superseded:
		return memory.ActionSupersede, false, nil
	case memory.Active, memory.Stale, memory.Disputed: // an edit made something else of it
	}
	return "", true, nil
}

// alone does one action, or none, to a memory in a transaction of its own. It reports whether the memory was changed; one that
// someone else changes at the same time is left to the next run.
func (w *deciding) alone(ctx context.Context, v verified, action memory.Action, unfold bool) (bool, error) {
	next, kind := v.record, memory.ChangeReview
	if action != "" {
		to, err := memory.Next(action, next.Standing())
		if err != nil {
			return false, nil //nolint:nilerr // the table has no line for it: it stays as it is
		}
		next.Zone, next.State = to.Zone, to.State
	}
	if action == memory.ActionForget {
		kind = memory.ChangeDelete
	}
	if unfold {
		next.FoldedInto = ""
	}
	_, err := w.gate.store.Commit(ctx, w.change(v, next, kind))
	if errors.Is(err, memory.ErrConflict) {
		return false, nil
	}
	return err == nil, err
}

// each calls f with the memories a filter finds, verified, until all were seen or f fails.
func (g *Gate) each(ctx context.Context, w *deciding, f memory.Filter, visit func(verified) error) error {
	f.Namespace, f.Limit = w.namespace, scanPage
	for {
		page, err := g.store.List(ctx, f)
		if err != nil {
			return err
		}
		checked, err := g.verifyAny(ctx, w.state, w.namespace, page)
		if err != nil {
			return err
		}
		for _, v := range checked {
			if err := visit(v); err != nil {
				return err
			}
		}
		if len(page) < f.Limit {
			return nil
		}
		f.After = page[len(page)-1].ID
	}
}
