// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"time"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
)

// MaxAnswerBytes bounds the memory text in one answer, so that a few long memories cannot exhaust the sidecar. The first
// memory is always delivered.
const MaxAnswerBytes = 1 << 20

// Delivered is a memory that reaches the caller.
type Delivered struct {
	ID        string            `json:"id" doc:"Id of the memory"`
	Content   string            `json:"content" doc:"The memory, byte for byte as it was written"`
	Source    string            `json:"source" doc:"Where it came from; a name, not a proof"`
	Class     provenance.Class  `json:"class" doc:"Source class"`
	Zone      memory.Zone       `json:"zone" enum:"Quarantine,Working,Trusted" doc:"How far it is let in"`
	State     memory.State      `json:"state" doc:"Where it stands in its life"`
	Boundary  memory.Boundary   `json:"boundary" enum:"Safe,RequiresReview,Blocked" doc:"What to do with it"`
	Authority memory.Authority  `json:"authority" enum:"Act,Inform,None" doc:"What it may justify"`
	Kind      string            `json:"kind,omitempty" doc:"As the writer says"`
	Tags      []string          `json:"tags" nullable:"false" doc:"As the writer says"`
	Subject   string            `json:"subject,omitempty" doc:"Entity it is about, as the writer says"`
	Metadata  map[string]string `json:"metadata,omitempty" doc:"As the writer says"`
	Pinned    bool              `json:"pinned" doc:"Whether it never fades"`
	Score     float64           `json:"score" doc:"Relevance, trust and age taken together, 0 to 1; 0 outside a recall"`
	Commit    string            `json:"commit" doc:"Names the version that was delivered"`
	CreatedAt time.Time         `json:"createdAt" doc:"When it was written"`
	UpdatedAt time.Time         `json:"updatedAt" doc:"When this version was made"`
}

// delivery collects what one read hands out. It is the only way to a Delivered, so that every read decides, counts and
// logs alike.
type delivery struct {
	gate      *Gate
	runtime   *policy.Runtime
	namespace string
	session   string
	now       time.Time
	screening *screening

	delivered  []Delivered
	log        []memory.Delivery
	versions   []memory.Record // as delivered
	withheld   map[Reason]int  // also what DryRun lets through
	pending    int
	bytes      int
	truncated  bool // there was more than an answer may hold
	clustered  bool // some of them add up to acting without asking
	overBudget int  // memories that did not fit into the caller's budget
}

func (g *Gate) deliver(s *policy.State, namespace, session string, now time.Time) *delivery {
	return &delivery{
		gate: g, runtime: s.Runtime, namespace: namespace, session: session, now: now, screening: g.screening(s),
		delivered: []Delivered{}, withheld: map[Reason]int{},
	}
}

func (d *delivery) dryRun() bool { return d.runtime.Enforcement == v1alpha1.EnforcementDryRun }

// offer decides about one record that is present, after what was found out about it. It returns why the record is withheld, or ""
// if it is delivered.
func (d *delivery) offer(v verified, found look, score float64) Reason {
	v.doubt = found.doubt
	if !d.refuses(found.reason) {
		d.hand(v, score)
		return ""
	}
	return found.reason
}

// refuses counts a reason to withhold a memory and reports whether the memory is withheld for it: never for none, and not
// in DryRun.
func (d *delivery) refuses(reason Reason) bool {
	if reason == "" {
		return false
	}
	d.withheld[reason]++
	return !d.dryRun()
}

// hand puts a memory into the answer and the log. Whether it may be there was decided before.
func (d *delivery) hand(v verified, score float64) {
	item := d.shown(v, score)
	if item.Boundary == memory.RequiresReview {
		d.pending++
	}
	d.bytes += len(item.Content)
	d.delivered = append(d.delivered, item)
	d.versions = append(d.versions, v.record)
	d.log = append(d.log, memory.Delivery{
		Namespace: d.namespace, Session: d.session, RecordID: item.ID, Seq: v.record.Seq, Class: deliveredClass(v, item), Score: score, At: d.now,
	})
}

// deliveredClass is the class under which a memory marks the session it is delivered to. A high class that justifies no action
// marks as what the agent itself could have said: nothing but a prefix, a person's approval or an old version speaks for it.
func deliveredClass(v verified, item Delivered) provenance.Class {
	switch {
	case v.fault != "": // DryRun: nothing is known about where it came from
		return provenance.Unknown
	case item.Class.High() && item.Authority != memory.Act:
		return provenance.AgentInferred
	}
	return item.Class
}

// deliveredAs is deliveredClass of a memory that is not shown.
func deliveredAs(r *policy.Runtime, v verified, now time.Time) provenance.Class {
	_, authority := standing(r, v, now)
	return deliveredClass(v, Delivered{Class: v.record.Class, Authority: authority})
}

// shown is a memory as the caller gets to see it.
func (d *delivery) shown(v verified, score float64) Delivered {
	r := v.record
	boundary, authority := standing(d.runtime, v, d.now)
	return Delivered{
		ID: r.ID, Content: r.Content, Source: r.Source, Class: r.Class, Zone: r.Zone, State: r.State,
		Boundary: boundary, Authority: authority,
		Kind: r.Kind, Tags: append([]string{}, r.Tags...), Subject: r.Subject, Metadata: r.Metadata, Pinned: r.Pinned,
		Score: score, Commit: commitOf(r), CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
	}
}

// standing is what a recaller must do with a memory and what it may justify, under the policy in force. One that does not
// verify justifies nothing. One that the policy does not take for fresh any more, that is no newest version, or of which nobody
// could say what it is, has to be looked at before it is relied on, and is no reason to act.
func standing(r *policy.Runtime, v verified, now time.Time) (memory.Boundary, memory.Authority) {
	if v.fault != "" {
		return memory.Blocked, memory.None
	}
	boundary, authority := v.record.Boundary(now), memory.AuthorityOf(v.record, now)
	if boundary == memory.Safe && (v.old || v.doubt || stale(r, v.record, now)) {
		return memory.RequiresReview, memory.Inform
	}
	return boundary, authority
}

// stale reports whether the policy does not take a record for fresh any more, also before its state says so. An edit of it or
// a decision about it makes it fresh again: whoever made it saw how old it is.
func stale(r *policy.Runtime, record memory.Record, now time.Time) bool {
	after := time.Duration(r.ClassRules(record.Class).StaleAfterSeconds) * time.Second
	return record.StaleAt(after, now) && now.Sub(record.UpdatedAt) > after
}

// full reports whether another text of n bytes has no room in the answer.
func (d *delivery) full(n int) bool { return len(d.delivered) > 0 && d.bytes+n > MaxAnswerBytes }

// finish logs what is handed out, keeps what it can be recognized by, and counts. Nothing may be handed out if it fails: the
// session's mark rests on the log, and lineage on the traces.
func (d *delivery) finish(ctx context.Context) error {
	if err := d.correlate(ctx); err != nil {
		return err
	}
	fresh := d.gate.shown.fresh(d.versions)
	if err := d.gate.store.LogDeliveries(ctx, d.log, d.traces(fresh)); err != nil {
		return err
	}
	d.gate.shown.add(fresh)
	d.gate.metrics.delivered(d.delivered, d.withheld, d.dryRun())
	return nil
}

// total is how many memories were withheld, or would have been.
func (d *delivery) total() int {
	n := 0
	for _, count := range d.withheld {
		n += count
	}
	return n
}

// degraded reports whether the answer is less than the policy means it to be: unprotected, or short of memories because
// something is broken.
func (d *delivery) degraded() bool {
	return d.truncated || (d.dryRun() && d.total() > 0) ||
		d.withheld[ReasonTampered]+d.withheld[ReasonKeyUnavailable]+d.withheld[ReasonUnreadable] > 0
}
