// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/memory/overlap"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
)

// Bounds of what a write is compared with, and of the parents that are found for it.
const (
	maxTraced         = 32 // traces of one search
	maxRepeated       = 16 // memories that a text is found to repeat and that are looked at; those beyond cap by what is traced
	maxSessionParents = 16
	shownPage         = 64 // deliveries of a session that are looked at for each search
	maxVouching       = 16 // memories that may justify actions and that say the same
)

// errParents is the answer for a parent that cannot be derived from. It is the same for one that never existed and one
// that is Blocked, so that asking tells nothing about Quarantine.
var errParents = &memory.FieldError{Field: "parents", Fix: "name memories that a recall delivered; at least one of these cannot be found"}

// capByLineage lowers o to the lowest of its declared parents, zone included. A parent that is high without a channel
// behind it takes the channel from its child as well: deriving must not turn a claim into proof.
func (g *Gate) capByLineage(
	ctx context.Context, s *policy.State, namespace string, o *origin, parents []string, now time.Time,
) error {
	parents = slices.Clone(parents)
	slices.Sort(parents)
	o.parents = slices.Compact(parents)
	if len(o.parents) > memory.MaxParents {
		return &memory.FieldError{Field: "parents", Fix: fmt.Sprintf("give at most %d parents", memory.MaxParents)}
	}
	records := make([]memory.Record, 0, len(o.parents))
	for _, id := range o.parents {
		if !memory.ValidID(id) {
			return errParents
		}
		record, err := g.store.Get(ctx, namespace, id)
		if errors.Is(err, memory.ErrNotFound) {
			return errParents
		}
		if err != nil {
			return err
		}
		records = append(records, record)
	}
	checked, err := g.verify(ctx, s, namespace, records)
	if err != nil {
		return err
	}
	for _, parent := range checked {
		if err := o.deriveFrom(parent, s.Runtime, now); err != nil {
			return err
		}
	}
	return nil
}

func (o *origin) deriveFrom(parent verified, r *policy.Runtime, now time.Time) error {
	// An expired parent was delivered while it was not; it still caps.
	blocked := memory.BoundaryOf(parent.record.Zone, parent.record.State) == memory.Blocked || parent.fault != ""
	if !present(parent.record) || (blocked && r.Enforcement != v1alpha1.EnforcementDryRun) {
		return errParents
	}
	class := parent.record.Class
	if parent.fault != "" {
		class = provenance.Unknown
	}
	if class.High() && memory.AuthorityOf(parent.record, now) != memory.Act {
		if r.TrustMode == v1alpha1.TrustModeSigned {
			class = provenance.AgentInferred
		} else if o.authenticated {
			o.authenticated, o.prefix = false, true
			o.cappedBy = append(o.cappedBy, cappedByLineage)
		}
	}
	o.lower(class, cappedByLineage)
	return nil
}

// addParents names memories as parents, as long as there is room; the others cap all the same.
func (o *origin) addParents(ids ...string) {
	for _, id := range ids {
		if len(o.parents) < memory.MaxParents && !slices.Contains(o.parents, id) {
			o.parents = append(o.parents, id)
		}
	}
}

// said is what of a memory tells whether it was made from another: its content, and what its writer says it is about.
func (w words) said() string {
	text := w.content
	if w.subject != "" {
		text += "\n" + w.subject
	}
	for _, key := range slices.Sorted(maps.Keys(w.metadata)) {
		text += "\n" + w.metadata[key]
	}
	return text
}

// lineage finds out what a text of one write was made from.
type lineage struct {
	gate      *Gate
	state     *policy.State
	caller    Caller
	namespace string
	session   string
	self      string // id of the memory that is edited; empty for a new one
	now       time.Time
	// together keeps what is the same for several texts that are written at once; nil where there is one.
	together *together
}

// source is a text that a write was made from.
type source struct {
	trace memory.TraceMatch
	class provenance.Class // of the memory as it is now, or of the observation
	held  bool             // it is kept from the agent: in Quarantine, or rejected
	named bool             // it is a memory that was looked at, and becomes a parent
}

// overlaps names as parents the memories that a text repeats, and lowers o to the lowest class of those and of the texts that
// were observed and that it repeats. Who speaks for themselves repeats nothing.
func (l lineage) overlaps(ctx context.Context, o *origin, text string) error {
	if l.caller.speaks() || o.quoted {
		return nil
	}
	sources, err := l.sources(ctx, text)
	if err != nil {
		return err
	}
	for _, s := range sources {
		by := cappedByLineage
		if !s.trace.Record {
			by = cappedByObservation
		}
		o.lower(s.class, by)
		if s.held {
			o.withheld = true
		}
		if s.named {
			o.addParents(s.trace.ID)
		}
	}
	l.gate.metrics.repeats(sources)
	return nil
}

// sources returns the texts that a text was made from: those of the lowest class first, then those it shares most with.
func (l lineage) sources(ctx context.Context, text string) ([]source, error) {
	own := overlap.WithWhole(text)
	if len(own) == 0 {
		return nil, nil
	}
	matches, err := l.matches(ctx, own)
	if err != nil {
		return nil, err
	}
	candidates := slices.DeleteFunc(slices.Clone(matches), func(m memory.TraceMatch) bool {
		return m.ID == l.self || !overlap.Weigh(own, m)
	})
	if len(candidates) == 0 {
		return nil, nil
	}
	slices.SortStableFunc(candidates, func(a, b memory.TraceMatch) int {
		return cmp.Or(lowerFirst(a.Class, b.Class), cmp.Compare(len(b.Shared), len(a.Shared)))
	})
	records, err := l.records(ctx, matches, candidates)
	if err != nil {
		return nil, err
	}
	vouched, err := l.vouched(ctx, records)
	if err != nil {
		return nil, err
	}
	var out []source
	for _, m := range candidates {
		s, found, err := l.weigh(ctx, own, m, records, vouched)
		if err != nil {
			return nil, err
		}
		if found {
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(a, b source) int { return lowerFirst(a.class, b.class) })
	return out, nil
}

// lowerFirst compares classes so that the lowest comes first.
func lowerFirst(a, b provenance.Class) int {
	switch {
	case a.Below(b):
		return -1
	case b.Below(a):
		return 1
	}
	return 0
}

// matches returns the traces that share features, by account, address and name first: many texts that share common words must
// not hide the one that shares the account.
func (l lineage) matches(ctx context.Context, own []uint64) ([]memory.TraceMatch, error) {
	out, err := l.gate.store.Traced(ctx, l.namespace, own, maxTraced)
	if err != nil || len(out) < maxTraced {
		return out, err
	}
	named, err := l.gate.store.Traced(ctx, l.namespace, overlap.Identifiers(own), maxTraced)
	if err != nil {
		return nil, err
	}
	for _, m := range named {
		if !slices.ContainsFunc(out, func(known memory.TraceMatch) bool { return known.ID == m.ID }) {
			out = append(out, m)
		}
	}
	return out, nil
}

// records returns the memories that a text may have been made from, and those that may vouch for it, verified, by id.
func (l lineage) records(ctx context.Context, matches, candidates []memory.TraceMatch) (map[string]verified, error) {
	var ids []string
	for _, m := range candidates {
		if m.Record && len(ids) < maxRepeated {
			ids = append(ids, m.ID)
		}
	}
	vouching := 0
	for _, m := range matches {
		if m.Record && m.Class.High() && m.ID != l.self && vouching < maxVouching && !slices.Contains(ids, m.ID) {
			ids = append(ids, m.ID)
			vouching++
		}
	}
	return l.gate.byID(ctx, l.state, l.namespace, ids)
}

// byID returns memories in any zone and state, verified. Those that are not there are left out.
func (g *Gate) byID(ctx context.Context, s *policy.State, namespace string, ids []string) (map[string]verified, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	size, err := g.store.Size(ctx)
	if err != nil {
		return nil, err
	}
	out, missing := g.kept.find(s, namespace, ids, size)
	if len(missing) == 0 {
		return out, nil
	}
	records, err := g.store.List(ctx, memory.Filter{
		Namespace: namespace, IDs: missing, IncludeForgotten: true, Limit: memory.MaxPageSize,
	})
	if err != nil {
		return nil, err
	}
	checked, err := g.verify(ctx, s, namespace, records)
	if err != nil {
		return nil, err
	}
	read := make(map[string]verified, len(checked))
	for _, v := range checked {
		read[v.record.ID] = v
		out[v.record.ID] = v
	}
	g.kept.add(s, namespace, missing, read, size)
	return out, nil
}

// vouched returns the features that are the user's own: those of what they said last in the session, and of memories that may
// justify actions. That a page knows the account of the user's landlord as well does not make the user's word the page's.
func (l lineage) vouched(ctx context.Context, records map[string]verified) (map[uint64]bool, error) {
	out := map[uint64]bool{}
	turn, ok, err := l.turn(ctx)
	if err != nil {
		return nil, err
	}
	if ok {
		for _, f := range overlap.OfTurn(turn.Content) {
			out[f] = true
		}
	}
	for _, v := range records {
		if l.vouches(v) {
			for _, f := range overlap.Of(wordsOf(v.record).said()) { // and not of what an earlier version said
				out[f] = true
			}
		}
	}
	return out, nil
}

// vouches reports whether the words of a memory are as good as the user's: it may justify actions.
func (l lineage) vouches(v verified) bool {
	return v.fault == "" && memory.AuthorityOf(v.record, l.now) == memory.Act
}

// turn returns what the user said last in the session, as a channel or, for what the agent writes, at least the harness vouches
// for it.
func (l lineage) turn(ctx context.Context) (memory.Turn, bool, error) {
	return l.together.turned(func() (memory.Turn, bool, error) { return l.said(ctx) })
}

func (l lineage) said(ctx context.Context) (memory.Turn, bool, error) {
	turn, ok, err := l.gate.currentTurn(ctx, l.state, l.namespace, l.session, l.now)
	if err != nil || ok || l.caller.Authenticated() {
		return turn, ok, err
	}
	return l.gate.reportedTurn(ctx, l.state, l.namespace, l.session, l.now)
}

// weigh decides whether a text with these features was made from what a trace is of, and what that is now.
func (l lineage) weigh(
	ctx context.Context, own []uint64, m memory.TraceMatch, records map[string]verified, vouched map[uint64]bool,
) (source, bool, error) {
	v, known := records[m.ID]
	if !known || !l.vouches(v) {
		m.Shared = slices.DeleteFunc(slices.Clone(m.Shared), func(f uint64) bool { return vouched[f] })
	}
	if !overlap.Weigh(own, m) {
		return source{}, false, nil
	}
	s := source{trace: m, class: provenance.Min(m.Class)}
	if !m.Record {
		return s, true, nil
	}
	if s.named = known; !known {
		return s, true, nil
	}
	s.class, s.held = provenance.Min(s.class, v.record.Class), held(v.record, len(overlap.Identifiers(m.Shared)) > 0)
	if v.fault != "" {
		s.class = provenance.Unknown
	}
	seen, err := l.seen(ctx, s, v.record)
	return s, seen, err
}

// held reports whether a memory is kept from the agent because of what a text repeats of it: what it names, or only words. Of
// one that waits for the instruction in it, a fact can be stored alone, if it names nothing that the instruction names; who
// was told so must be able to do it. A proposal waits because of what it would change and not because of what it says.
func held(r memory.Record, byName bool) bool {
	switch {
	case r.State == memory.Rejected:
		return true
	case r.Zone != memory.Quarantine:
		return false
	case r.Directive && r.State == memory.PendingReview && !r.Expiry.IsZero(): // as it was written, and nobody put it there
		return byName
	}
	return r.Commit.Change != memory.ChangeCreate || len(r.Supersedes) == 0 || r.Class.Below(provenance.AgentInferred)
}

// seen reports whether the writer can have seen a memory. The agent has seen what it wrote and what it was shown. A tool has
// its words from elsewhere: two that report the same do not repeat each other, unless the agent had it to tell them.
func (l lineage) seen(ctx context.Context, s source, r memory.Record) (bool, error) {
	if !l.caller.Authenticated() || s.held || !r.Writer.Authenticated() {
		return true, nil
	}
	shown, err := l.gate.store.Deliveries(ctx, memory.DeliveryFilter{Namespace: l.namespace, RecordID: r.ID, Limit: 1})
	return len(shown) > 0, err
}

// heard lowers o to the mark of the write's session, and names as parents the memories that set it.
func (l lineage) heard(ctx context.Context, o *origin) error {
	standing, err := l.together.standing(func() (sessionStanding, error) {
		return l.gate.standingOf(ctx, l.state, l.namespace, l.session, l.now)
	})
	if err != nil {
		return err
	}
	o.lower(standing.mark, cappedBySession)
	return l.shown(ctx, o, standing)
}

// shown names as parents the memories that set the mark of the write's session, if that is below what the agent can say by
// itself, and lowers o to their classes as they are now.
func (l lineage) shown(ctx context.Context, o *origin, standing sessionStanding) error {
	if !standing.mark.Below(provenance.AgentInferred) {
		return nil
	}
	ids, lowest, err := l.together.showing(func() ([]string, provenance.Class, error) { return l.lowestShown(ctx, standing) })
	if err != nil || len(ids) == 0 {
		return err
	}
	o.addParents(ids...)
	o.lower(lowest, cappedBySession)
	return nil
}

// lowestShown returns the memories of shownLow and the lowest of their classes as they are now.
func (l lineage) lowestShown(ctx context.Context, standing sessionStanding) ([]string, provenance.Class, error) {
	ids, err := l.shownLow(ctx, standing)
	if err != nil || len(ids) == 0 {
		return nil, provenance.UserInput, err
	}
	records, err := l.gate.byID(ctx, l.state, l.namespace, ids)
	lowest := provenance.UserInput
	for _, v := range records {
		lowest = provenance.Min(lowest, v.record.Class)
	}
	return ids, lowest, err
}

// shownLow returns the memories of low classes that count as delivered to the session: of the lowest class first, the newest
// first, at most maxSessionParents.
func (l lineage) shownLow(ctx context.Context, standing sessionStanding) ([]string, error) {
	var shown []memory.Delivery
	for _, below := range []provenance.Class{above(standing.mark), provenance.AgentInferred} {
		for _, f := range l.shownTo(below) {
			page, err := l.gate.store.Deliveries(ctx, f)
			if err != nil {
				return nil, err
			}
			shown = append(shown, page...)
		}
		if len(shown) >= maxSessionParents || above(standing.mark) == provenance.AgentInferred {
			break
		}
	}
	slices.SortStableFunc(shown, func(a, b memory.Delivery) int { return cmp.Or(lowerFirst(a.Class, b.Class), b.At.Compare(a.At)) })
	var ids []string
	for _, d := range shown {
		if len(ids) == maxSessionParents {
			break
		}
		if slices.Contains(ids, d.RecordID) || d.RecordID == l.self {
			continue
		}
		counts, err := l.counts(ctx, d, standing)
		if err != nil {
			return nil, err
		}
		if counts {
			ids = append(ids, d.RecordID)
		}
	}
	return ids, nil
}

// shownTo are the deliveries below a class that can count for the session, see standingOf.
func (l lineage) shownTo(below provenance.Class) []memory.DeliveryFilter {
	recent := memory.DeliveryFilter{Namespace: l.namespace, Below: below, Since: l.now.Add(-sessionWindow), Limit: shownPage}
	if l.session == "" {
		return []memory.DeliveryFilter{recent}
	}
	return []memory.DeliveryFilter{{Namespace: l.namespace, Session: l.session, Below: below, Limit: shownPage}, recent}
}

// counts reports whether a delivery counts for the session: of those to others, an opened session takes only what was delivered
// outside of opened ones.
func (l lineage) counts(ctx context.Context, d memory.Delivery, standing sessionStanding) (bool, error) {
	if !standing.opened || d.Session == l.session || d.Session == "" {
		return true, nil
	}
	_, err := l.gate.store.OpenedSession(ctx, l.namespace, d.Session)
	if errors.Is(err, memory.ErrNotFound) {
		return true, nil
	}
	return false, err
}

// above is the class next to c from above.
func above(c provenance.Class) provenance.Class {
	place := slices.Index(provenance.Classes, c)
	if place < 0 {
		place = len(provenance.Classes) - 1
	}
	return provenance.Classes[max(0, place-1)]
}
