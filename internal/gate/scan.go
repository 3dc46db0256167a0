// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"memorytrust.dev/operator/internal/memory"
)

// scanActor makes the commits of the contradiction scan.
const scanActor = memory.SystemActor + "contradictions"

// Bounds of a scan.
const (
	scanPage       = 100 // changed memories that are read at a time
	scanCandidates = 20  // memories about the same things that one is compared with
)

// ScanContradictions compares what changed since the last scan with what is stored about the same things, in Quarantine as
// well, and records what cannot both hold. It resolves nothing: the one that counts for less may become Disputed, so that a
// person sees it. It returns a *memory.FieldError or an error of the store; what was found until then stays.
func (g *Gate) ScanContradictions(ctx context.Context, p Person) (Scanned, error) {
	defer g.metrics.time("scan")()
	s, namespace, err := g.attend(p)
	if err != nil {
		return Scanned{}, err
	}
	return g.scan(ctx, &deciding{gate: g, state: s, namespace: namespace, actor: scanActor, now: g.now()})
}

// scanMark names how far the scan of a namespace has come: the Seq it has seen.
func scanMark(namespace string) string { return "contradictions/" + namespace }

// scanTimeMark names when the scan of a namespace last came to its end, in seconds since 1970.
func scanTimeMark(namespace string) string { return scanMark(namespace) + "/at" }

// scan is one run in the namespace of w.
func (g *Gate) scan(ctx context.Context, w *deciding) (Scanned, error) {
	mark, err := g.store.Mark(ctx, scanMark(w.namespace))
	if err != nil {
		return Scanned{}, err
	}
	// What changes from here on, also by this scan, is for the next one.
	head, err := g.store.Checkpoint(ctx)
	if err != nil {
		return Scanned{}, err
	}
	run := &scanning{deciding: w, seen: map[[2]string]bool{}}
	done, err := run.from(ctx, mark, uint64(head.Size)) // #nosec G115 -- counts entries
	if done > mark {
		err = errors.Join(err, g.store.SetMark(ctx, scanMark(w.namespace), done))
	}
	if err != nil {
		return run.out, err
	}
	if run.out.More {
		return run.out, nil
	}
	if err := g.tidyContradictions(ctx, w); err != nil {
		return run.out, err
	}
	return run.out, g.store.SetMark(ctx, scanTimeMark(w.namespace), uint64(max(w.now.Unix(), 0))) // #nosec G115
}

// scanning is one run of the contradiction scan.
type scanning struct {
	*deciding
	seen map[[2]string]bool // pairs that were compared
	out  Scanned
}

// from compares what changed after one place in the audit log, up to another, and returns how far it came.
func (r *scanning) from(ctx context.Context, after, until uint64) (uint64, error) {
	for done := after; ; {
		page, err := r.changed(ctx, done)
		if err != nil {
			return done, err
		}
		for _, record := range page {
			if record.Seq > until {
				return until, nil
			}
			if full, err := r.compare(ctx, record); full || err != nil {
				r.out.More = full
				return done, err
			}
			done = record.Seq
		}
		if len(page) < scanPage {
			return until, nil
		}
	}
}

// changed returns memories in the order in which they changed. Where nothing was scanned yet it leaves out the very first:
// every pair has another memory, for which the first is found.
func (r *scanning) changed(ctx context.Context, after uint64) ([]memory.Record, error) {
	return r.gate.store.List(ctx, memory.Filter{Namespace: r.namespace, ChangedAfter: max(after, 1), Limit: scanPage})
}

// compare compares a memory with others about the same things. Full means that the run has no pairs left for it.
func (r *scanning) compare(ctx context.Context, record memory.Record) (full bool, err error) {
	if !comparable(record) {
		return false, nil
	}
	others, err := r.about(ctx, record)
	if err != nil || len(others) == 0 {
		return false, err
	}
	if r.out.Pairs > 0 && r.out.Pairs+len(others) > memory.MaxPairsPerScan {
		return true, nil
	}
	checked, err := r.gate.verifyAny(ctx, r.state, r.namespace, append([]memory.Record{record}, others...))
	if err != nil {
		return false, err
	}
	r.out.Records++
	if checked[0].fault != "" {
		return false, nil
	}
	known, err := r.known(ctx, record.ID)
	if err != nil {
		return false, err
	}
	for _, other := range checked[1:] {
		if other.fault != "" || !comparable(other.record) {
			continue
		}
		r.out.Pairs++
		if err := r.pair(ctx, checked[0], other, known); err != nil {
			return false, err
		}
	}
	return false, nil
}

// comparable reports whether a memory says something of its own that can be compared.
func comparable(r memory.Record) bool {
	return present(r) && r.FoldedInto == "" && r.Kind != kindForget && r.State != memory.Superseded
}

// about returns memories about the same things that were not compared with the record yet.
func (r *scanning) about(ctx context.Context, record memory.Record) ([]memory.Record, error) {
	topics := memory.Topics(record)
	if len(topics) == 0 {
		return nil, nil
	}
	found, err := r.gate.store.Search(ctx, memory.Query{
		Namespace: r.namespace, Text: strings.Join(topics, " "), Limit: 2 * scanCandidates,
	})
	if err != nil {
		return nil, err
	}
	var out []memory.Record
	for _, c := range found {
		other, key := c.Record, pairOf(record.ID, c.Record.ID)
		if other.ID == record.ID || r.seen[key] || !comparable(other) || replaces(other, record.ID) || replaces(record, other.ID) {
			continue
		}
		r.seen[key] = true
		if out = append(out, other); len(out) == scanCandidates {
			break
		}
	}
	return out, nil
}

func pairOf(a, b string) [2]string { return [2]string{min(a, b), max(a, b)} }

// known returns what is recorded about the pairs of a memory.
func (r *scanning) known(ctx context.Context, id string) (map[[2]string]memory.Contradiction, error) {
	list, err := r.gate.store.Contradictions(ctx, memory.ContradictionFilter{
		Namespace: r.namespace, RecordIDs: []string{id}, Limit: memory.MaxPageSize,
	})
	if err != nil {
		return nil, err
	}
	out := map[[2]string]memory.Contradiction{}
	for _, c := range list {
		out[pairOf(c.A, c.B)] = c
	}
	return out, nil
}

// pair compares two memories and records what it finds.
func (r *scanning) pair(ctx context.Context, a, b verified, known map[[2]string]memory.Contradiction) error {
	if cmp.Or(a.record.CreatedAt.Compare(b.record.CreatedAt), cmp.Compare(a.record.ID, b.record.ID)) > 0 {
		a, b = b, a
	}
	signs := memory.Contradicts(a.record, b.record)
	if len(signs) == 0 {
		return nil
	}
	found := memory.Contradiction{
		ID: memory.NewID(), Namespace: r.namespace, A: a.record.ID, B: b.record.ID, SeqA: a.record.Seq, SeqB: b.record.Seq,
		Signs: slices.Clone(signs), FoundAt: r.now,
	}
	if before, ok := known[pairOf(found.A, found.B)]; ok {
		if !before.Due(a.record, b.record, r.now) {
			return nil
		}
		found.ID = before.ID
	}
	// The record is disputed first: what is not recorded after that is found again, since it changed.
	err := r.dispute(ctx, a, b, &found)
	if errors.Is(err, memory.ErrConflict) {
		return nil // it changed while we looked, so that the next scan compares it anew
	}
	if err != nil {
		return err
	}
	if err := r.gate.store.PutContradiction(ctx, found); err != nil {
		return err
	}
	r.out.Found++
	r.gate.metrics.contradictions.Inc()
	return nil
}

// dispute puts the memory that counts for less into the queue, if either is to go there.
func (r *scanning) dispute(ctx context.Context, a, b verified, found *memory.Contradiction) error {
	id, ok := memory.ToDispute(a.record, b.record)
	if !ok {
		return nil
	}
	target, seq, other := a, &found.SeqA, b
	if id == b.record.ID {
		target, seq, other = b, &found.SeqB, a
	}
	to, err := memory.Next(memory.ActionDispute, target.record.Standing())
	if err != nil {
		return nil //nolint:nilerr // nothing to do to a memory that is disputed already
	}
	next := target.record
	next.Zone, next.State = to.Zone, to.State
	w := &deciding{
		gate: r.gate, state: r.state, namespace: r.namespace, actor: scanActor, reason: "contradicts " + other.record.ID, now: r.now,
	}
	w.set(target, next, memory.ChangeReview)
	stored, err := w.commit(ctx)
	if err == nil {
		*seq = stored.Seq
	}
	return err
}

// tidyContradictions closes what has lost one of its sides, and raises again what a person wanted to know more about and
// has had time for.
func (g *Gate) tidyContradictions(ctx context.Context, w *deciding) error {
	f := memory.ContradictionFilter{Namespace: w.namespace, Limit: scanPage}
	for {
		page, err := g.store.Contradictions(ctx, f)
		if err != nil {
			return err
		}
		for _, c := range page {
			if err := g.tidyContradiction(ctx, w, c); err != nil {
				return err
			}
		}
		if len(page) < f.Limit {
			return nil
		}
		f.After = page[len(page)-1].ID
	}
}

func (g *Gate) tidyContradiction(ctx context.Context, w *deciding, c memory.Contradiction) error {
	if c.Verdict != "" && c.Verdict != memory.NeedsMoreContext {
		return nil
	}
	sides, err := g.store.List(ctx, memory.Filter{Namespace: w.namespace, IDs: []string{c.A, c.B}, Limit: 2})
	if err != nil {
		return err
	}
	standing := map[string]bool{}
	for _, side := range sides {
		standing[side.ID] = comparable(side)
	}
	switch {
	case !standing[c.A] || !standing[c.B]:
		c.Verdict, c.DecidedBy, c.DecidedAt, c.Reason = memory.KeepA, scanActor, w.now, "the other memory is gone"
		if !standing[c.A] {
			c.Verdict = memory.KeepB
		}
	case c.Verdict == memory.NeedsMoreContext && w.now.Sub(c.DecidedAt) >= memory.ContradictionCooldown:
		c.Verdict, c.FoundAt = "", w.now
	default:
		return nil
	}
	return g.store.PutContradiction(ctx, c)
}
