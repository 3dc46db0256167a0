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

// UpstreamWrite is a call that has a Memory upstream store texts.
type UpstreamWrite struct {
	UpstreamCall
	Texts []string // texts that the call would store, in order; at most MaxUpstreamTexts, each at most as long as a memory
}

// UpstreamAdmission says whether an upstream may be asked to store texts. It is the ticket for RecordUpstream.
type UpstreamAdmission struct {
	Allowed  bool
	Message  string // what the model is told; it quotes nothing
	ReviewID string // set while a person has to decide
	ticket   *ticket
}

// ticket is what was decided about a write that is allowed.
type ticket struct {
	call      UpstreamCall
	namespace string
	class     provenance.Class // lowest of what was sent
	sent      []string
	drafts    []draft
	parents   []string // records of what was sent
}

// draft is a record of the ledger that is to be written.
type draft struct {
	record   memory.Record
	expect   uint64 // Seq of the version it follows; 0 for a new one
	fragment *memory.Fragment
	verdict  screen.Verdict
}

// AdmitUpstreamWrite decides about all texts of a write together, as Encode would about each: by origin, by what it repeats, by
// the session's mark, and by the screen, of each text and of all of them in a row. What Encode would put into Quarantine is not
// allowed: it is put there and waits for a person, after whose approval the very same text is allowed. A text that the ledger
// knows keeps the class it has; what was rejected or waits is not allowed. In DryRun all is allowed, and recorded as it is. It
// returns ErrNotReady, a *TooLargeError, a *memory.FieldError, a *LimitError, or an error of the store; none of them allows
// anything.
func (g *Gate) AdmitUpstreamWrite(ctx context.Context, c Caller, w UpstreamWrite) (UpstreamAdmission, error) {
	defer g.metrics.time("upstreamWrite")()
	s, namespace, err := g.enter(c)
	if err != nil {
		return UpstreamAdmission{}, err
	}
	if err := w.check(s.Runtime, v1alpha1.UpstreamKindMemory); err != nil {
		return UpstreamAdmission{}, err
	}
	if err := checkTexts(s.Runtime, w.Texts); err != nil {
		return UpstreamAdmission{}, err
	}
	texts := distinct(w.Texts)
	if len(texts) == 0 {
		return UpstreamAdmission{}, &memory.FieldError{Field: "texts", Fix: "say something: a memory cannot be empty"}
	}
	now := g.now()
	if err := g.allowWrite(s.Runtime, c, now); err != nil {
		return UpstreamAdmission{}, err
	}
	for attempt := 1; ; attempt++ {
		out, err := g.admitUpstream(ctx, s, c, namespace, w.UpstreamCall, texts, now)
		if errors.Is(err, memory.ErrConflict) && attempt < commitAttempts {
			continue // somebody stored one of these texts at the same time
		}
		if err == nil {
			g.metrics.upstreamDecided(w.Upstream, upstreamWrite, out.outcome())
		}
		return out.UpstreamAdmission, err
	}
}

// admitUpstream is one attempt at it.
func (g *Gate) admitUpstream(
	ctx context.Context, s *policy.State, c Caller, namespace string, call UpstreamCall, texts []string, now time.Time,
) (admitted, error) {
	ledger, err := g.ledger(ctx, s, namespace, call.Upstream, texts)
	if err != nil {
		return admitted{}, err
	}
	a := &admitting{
		lineage: lineage{
			gate: g, state: s, caller: c, namespace: namespace, session: call.Session, now: now, together: &together{},
		},
		call: call, ledger: ledger, class: provenance.UserInput,
	}
	for _, t := range texts {
		if err := a.look(ctx, t); err != nil {
			return admitted{}, err
		}
	}
	if err := a.decide(ctx); err != nil {
		return admitted{}, err
	}
	if err := a.place(ctx); err != nil {
		return admitted{}, err
	}
	return a.answer(texts), nil
}

// admitting is one write that is decided about.
type admitting struct {
	lineage
	call   UpstreamCall
	ledger map[string]known

	class   provenance.Class // lowest of all texts
	parents []string         // records of all texts
	open    []*writing       // texts that are decided about anew
	kept    []verified       // records of texts that are known
	caught  []caught
	refused []refusal
}

// caught is a text that was let in once and is found to give an instruction now.
type caught struct {
	verified
	verdict screen.Verdict
}

// writing is one text that is decided about.
type writing struct {
	text    string
	origin  origin
	slot    entry            // record that it gets a new version of; none for a new one
	mark    provenance.Class // of an earlier session, that lowers its class and not its zone; empty for none
	id      string
	verdict screen.Verdict
	outcome memory.Outcome
	draft   draft
}

// refusal says why one text keeps the whole call from being made.
type refusal struct {
	reason   refusalReason
	reviewID string
}

// look finds out where one text comes from and what is known of it.
func (a *admitting) look(ctx context.Context, text string) error {
	k, r := a.ledger[text], a.state.Runtime
	if k.user.stands(r, a.now) {
		a.keep(k.user.verified)
		return nil
	}
	w, err := a.origin(ctx, text, k)
	if err != nil {
		return err
	}
	switch {
	case w.slot.stands(r, a.now):
		a.keep(w.slot.verified)
	case !w.slot.there || w.slot.gone(a.now):
		a.class = provenance.Min(a.class, w.origin.class)
		a.open = append(a.open, w)
		a.parents = append(a.parents, w.id)
	default:
		a.keep(w.slot.verified)
		a.refuse(barredBy(w.slot.verified))
	}
	return nil
}

// keep notes a text whose record stays as it is.
func (a *admitting) keep(v verified) {
	a.class = provenance.Min(a.class, deliveredAs(a.state.Runtime, v, a.now))
	a.parents = append(a.parents, v.record.ID)
	a.kept = append(a.kept, v)
}

func (a *admitting) refuse(r refusal) { a.refused = append(a.refused, r) }

// origin says where a text comes from, as Encode would, and which record is its own.
func (a *admitting) origin(ctx context.Context, text string, k known) (*writing, error) {
	o, err := resolveOrigin(a.state.Runtime, a.caller, "")
	if err != nil {
		return nil, err
	}
	if err := a.quotes(ctx, &o, words{content: text}); err != nil {
		return nil, err
	}
	w := &writing{text: text, slot: k.own, id: ledgerID(a.namespace, a.call.Upstream, text, false)}
	if o.quoted && o.authenticated {
		w.slot, w.id = k.user, ledgerID(a.namespace, a.call.Upstream, text, true)
	} else if !o.quoted {
		o.source = upstreamSource + a.call.Upstream
	}
	w.origin = o
	w.inherit()
	l := a.lineage
	l.self = w.id
	return w, l.overlaps(ctx, &w.origin, text)
}

// inherit keeps a text from rising by being forgotten and stored again. What only the session's mark had lowered keeps its zone, as
// it does when it is edited.
func (w *writing) inherit() {
	old := w.slot.record
	switch {
	case !w.slot.there || w.slot.fault != "":
	case !w.origin.writer.Authenticated() && slices.Equal(old.CappedBy, []string{cappedBySession}):
		w.mark = old.Class
	default:
		w.origin.lower(old.Class, cappedByLineage)
	}
}

// decide screens what is open, and what is known where its origin is not trusted, all together, and looks up what it becomes.
func (a *admitting) decide(ctx context.Context) error {
	verdicts := a.screen(ctx)
	for i, w := range a.open {
		verdict, outcome, err := a.settle(ctx, &w.origin, verdicts[i])
		if err != nil {
			return err
		}
		w.verdict, w.outcome = verdict, outcome
		if w.mark != "" {
			w.origin.lower(w.mark, cappedBySession)
		}
		a.class = provenance.Min(a.class, w.origin.class)
	}
	return a.correlateAll(ctx)
}

// screen returns the verdicts on what is open. Texts that give an instruction only when they are read in a row are one.
func (a *admitting) screen(ctx context.Context) []screen.Verdict {
	texts := make([]text, 0, len(a.open)+len(a.kept))
	for _, w := range a.open {
		texts = append(texts, text{words: words{content: w.text}, trusted: w.origin.trusted()})
	}
	for _, v := range a.kept {
		texts = append(texts, text{words: words{content: v.record.Content}, trusted: trusted(a.state.Runtime, v)})
	}
	alone := len(texts)
	rows := inRows(texts)
	for _, row := range rows {
		texts = append(texts, row.text)
	}
	verdicts := a.gate.screening(a.state).verdicts(ctx, texts...)
	for i, v := range verdicts[len(a.open):alone] {
		if v.Directive && !texts[len(a.open)+i].trusted {
			a.caught = append(a.caught, caught{a.kept[i], v})
		}
	}
	for i, row := range rows {
		if v := verdicts[alone+i]; v.Directive && !slices.ContainsFunc(row.of, func(n int) bool { return verdicts[n].Directive }) {
			for _, n := range row.of {
				if n < len(a.open) { // what is known stays what it is
					verdicts[n] = v
				}
			}
		}
	}
	return verdicts[:len(a.open)]
}

// maxRowBytes bounds how much text is read in a row.
const maxRowBytes = 16 << 10

// row is several texts that stand in a row.
type row struct {
	text
	of []int // places of the texts
}

// inRows puts texts whose origin is not trusted in a row, as the upstream may.
func inRows(texts []text) []row {
	var out []row
	var open row
	for i, t := range texts {
		if t.trusted {
			continue
		}
		if len(open.of) > 0 && len(open.content)+len(t.content) > maxRowBytes {
			out, open = append(out, open), row{}
		}
		if len(open.of) > 0 {
			open.content += "\n"
		}
		open.content += t.content
		open.of = append(open.of, i)
	}
	out = append(out, open)
	return slices.DeleteFunc(out, func(r row) bool { return len(r.of) < 2 })
}

// correlateAll looks at what is open together, and at what is kept of other memories, as Encode does.
func (a *admitting) correlateAll(ctx context.Context) error {
	c := correlation{gate: a.gate, state: a.state, namespace: a.namespace, now: a.now}
	parts := map[string]part{}
	var list []part
	for _, w := range a.open {
		w.draft = a.draft(w)
		if !c.enabled() || w.origin.class.High() || w.verdict.Directive {
			continue
		}
		r := w.draft.record
		r.Directive, r.Seq = false, 0 // it is no version that was read before
		if p, ok := c.partOf(r); ok {
			parts[w.id], list = p, append(list, p)
		}
	}
	if len(list) == 0 {
		return nil
	}
	members, err := c.cluster(ctx, list)
	if err != nil {
		return err
	}
	if len(members) > 0 {
		c.found(correlatedWrite, len(members))
	}
	for _, w := range a.open {
		p, ok := parts[w.id]
		if !ok {
			continue
		}
		if members[w.id] {
			w.verdict.Reasons = union(w.verdict.Reasons, []string{reasonCorrelation})
			w.verdict.Families = union(w.verdict.Families, []string{familyCorrelation})
			if w.outcome.State != memory.PendingReview {
				w.outcome = outcomeOf(a.state.Runtime, w.origin, screen.Verdict{Abstained: true}, a.now)
			}
			w.draft = a.draft(w)
		}
		w.draft.fragment = p.fragment(w.draft.record, a.now)
	}
	return nil
}

// draft is the record of a text as it was decided about.
func (a *admitting) draft(w *writing) draft {
	r := newRecord(a.namespace, w.origin, Write{Content: w.text, Session: a.call.Session}, w.verdict, w.outcome, a.now)
	r.ID, r.Kind, r.Subject = w.id, kindUpstream, upstreamSubject(a.call.Upstream)
	r.Parents = slices.DeleteFunc(r.Parents, func(id string) bool { return id == w.id })
	d := draft{verdict: w.verdict}
	if w.slot.there {
		r.CreatedAt, d.expect = w.slot.record.CreatedAt, w.slot.record.Seq
	}
	d.record = r.Capped()
	return d
}

// place finds room in the queue for what waits, and puts into Quarantine what has to wait there. What is refused for another
// reason leaves nothing behind.
func (a *admitting) place(ctx context.Context) error {
	q := &queue{gate: a.gate, state: a.state, now: a.now}
	held, err := a.takeBack(ctx, q)
	if err != nil {
		return err
	}
	for _, w := range a.open {
		if err := q.place(ctx, &w.draft.record, foldable); err != nil {
			return err
		}
		if w.draft.record.Zone == memory.Quarantine {
			held = append(held, w.draft)
			a.refuse(heldBy(w))
		}
	}
	if len(held) == 0 || a.dryRun() {
		return nil
	}
	return a.gate.putLedger(ctx, a.state, a.caller, held, a.gate.store.CommitAll)
}

// takeBack puts texts into Quarantine that were let in once, and returns their records.
func (a *admitting) takeBack(ctx context.Context, q *queue) ([]draft, error) {
	var out []draft
	for _, c := range a.caught {
		to, err := memory.Next(memory.ActionQuarantine, c.record.Standing())
		if err != nil || !(entry{c.verified, true}).stands(a.state.Runtime, a.now) {
			continue // it is kept out already
		}
		next := c.record
		next.Zone, next.State, next.ApprovedBy, next.FoldedInto = to.Zone, to.State, "", ""
		next.Directive, next.Reasons, next.UpdatedAt = true, c.verdict.Reasons, a.now
		next.Expiry = memory.Withheld(a.state.Runtime.PendingExpiry(), a.now).Expiry
		if err := q.place(ctx, &next, foldable); err != nil {
			return nil, err
		}
		out = append(out, draft{record: next, expect: c.record.Seq, verdict: c.verdict})
		a.refuse(refusal{reason: refusedDirective, reviewID: next.ID})
	}
	return out, nil
}

func (a *admitting) dryRun() bool { return a.state.Runtime.Enforcement == v1alpha1.EnforcementDryRun }

// putLedger writes records of the ledger, all of them or none.
func (g *Gate) putLedger(
	ctx context.Context, s *policy.State, c Caller, drafts []draft, commit func(context.Context, []memory.Change) ([]memory.Record, error),
) error {
	changes := make([]memory.Change, len(drafts))
	for i, d := range drafts {
		change := memory.Change{
			Type: memory.ChangeCreate, Record: d.record, Actor: c.writer().String(), Sign: signer(s), Fragment: d.fragment,
		}
		if d.expect > 0 {
			change.Type, change.ExpectSeq = memory.ChangeUpdate, d.expect
		}
		changes[i] = change
	}
	stored, err := commit(ctx, changes)
	if err != nil {
		return err
	}
	for _, r := range stored {
		g.metrics.wrote(r)
	}
	return nil
}
