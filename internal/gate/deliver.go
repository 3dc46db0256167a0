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
	ID        string           `json:"id" doc:"Id of the memory"`
	Content   string           `json:"content" doc:"The memory, byte for byte as it was written"`
	Source    string           `json:"source" doc:"Where it came from; a name, not a proof"`
	Class     provenance.Class `json:"class" doc:"Source class"`
	Zone      memory.Zone      `json:"zone" enum:"Quarantine,Working,Trusted" doc:"How far it is let in"`
	Boundary  memory.Boundary  `json:"boundary" enum:"Safe,RequiresReview,Blocked" doc:"What to do with it"`
	Authority memory.Authority `json:"authority" enum:"Act,Inform,None" doc:"What it may justify"`
	Score     float64          `json:"score" doc:"Relevance, trust and age taken together, 0 to 1; 0 outside a recall"`
	Commit    string           `json:"commit" doc:"Names the version that was delivered"`
	CreatedAt time.Time        `json:"createdAt" doc:"When it was written"`
}

// delivery collects what one read hands out. It is the only way to a Delivered, so that every read decides, counts and
// logs alike.
type delivery struct {
	gate    *Gate
	runtime *policy.Runtime
	session string
	now     time.Time

	delivered []Delivered
	log       []memory.Delivery
	withheld  map[Reason]int // also what DryRun lets through
	pending   int
	bytes     int
}

func (g *Gate) deliver(r *policy.Runtime, session string, now time.Time) *delivery {
	return &delivery{gate: g, runtime: r, session: session, now: now, delivered: []Delivered{}, withheld: map[Reason]int{}}
}

func (d *delivery) dryRun() bool { return d.runtime.Enforcement == v1alpha1.EnforcementDryRun }

// offer decides about one record. It returns why the record is withheld, or "" if it is delivered.
func (d *delivery) offer(v verified, score float64) Reason {
	reason := d.gate.withhold(d.runtime, v, d.now)
	if reason != "" {
		d.withheld[reason]++
		if !d.dryRun() {
			return reason
		}
	}
	r := v.record
	item := Delivered{
		ID: r.ID, Content: r.Content, Source: r.Source, Class: r.Class, Zone: r.Zone,
		Boundary: r.Boundary(d.now), Authority: memory.AuthorityOf(r, d.now),
		Score: score, Commit: commitOf(r), CreatedAt: r.CreatedAt,
	}
	class := r.Class
	if v.fault != "" { // DryRun: nothing is known about where it came from
		item.Authority, item.Boundary, class = memory.None, memory.Blocked, provenance.Unknown
	}
	if item.Boundary == memory.RequiresReview {
		d.pending++
	}
	d.bytes += len(r.Content)
	d.delivered = append(d.delivered, item)
	d.log = append(d.log, memory.Delivery{
		Session: d.session, RecordID: r.ID, Seq: r.Seq, Class: class, Score: score, At: d.now,
	})
	return ""
}

// full reports whether another text of n bytes has no room in the answer.
func (d *delivery) full(n int) bool { return len(d.delivered) > 0 && d.bytes+n > MaxAnswerBytes }

// finish logs what is handed out and counts. Nothing may be handed out if it fails: the session's mark rests on the log.
func (d *delivery) finish(ctx context.Context) error {
	if err := d.gate.store.LogDeliveries(ctx, d.log); err != nil {
		return err
	}
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
	return (d.dryRun() && d.total() > 0) || d.withheld[ReasonTampered]+d.withheld[ReasonKeyUnavailable]+d.withheld[ReasonUnreadable] > 0
}
