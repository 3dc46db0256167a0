// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"fmt"
	"slices"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// Bounds of a listing.
const (
	DefaultPage = 50
	MaxPage     = 100
)

// Get returns one memory. It is a recall of one: the same checks, the same log. For whatever it does not deliver it returns
// memory.ErrNotFound, so that asking does not tell what is Blocked from what is not there.
func (g *Gate) Get(ctx context.Context, id, session string) (Delivered, error) {
	defer g.metrics.time("get")()
	s, err := g.ready()
	if err != nil {
		return Delivered{}, err
	}
	if err := checkSession(session); err != nil {
		return Delivered{}, err
	}
	if !memory.ValidID(id) {
		return Delivered{}, memory.ErrNotFound
	}
	record, err := g.store.Get(ctx, s.Runtime.Namespace, id)
	if err != nil {
		return Delivered{}, err
	}
	checked, err := g.verify(ctx, s, []memory.Record{record})
	if err != nil {
		return Delivered{}, err
	}
	d := g.deliver(s.Runtime, session, g.now())
	var reason Reason
	if checked[0].record.Live() {
		reason = d.offer(checked[0], 0)
	}
	if err := d.finish(ctx); err != nil {
		return Delivered{}, err
	}
	if reason != "" || len(d.delivered) == 0 {
		return Delivered{}, memory.ErrNotFound
	}
	return d.delivered[0], nil
}

// Listing asks for a page of memories in order of creation.
type Listing struct {
	Zone    memory.Zone      // empty: all
	Class   provenance.Class // empty: all
	After   string           // id of the last memory of the page before
	Limit   int              // 0: DefaultPage; at most MaxPage
	Session string           // session of the agent; may be empty
}

// Listed is one page.
type Listed struct {
	Memories []Delivered `json:"memories" nullable:"false" doc:"What may be delivered"`
	Withheld []Shadow    `json:"withheld" nullable:"false" doc:"What may not, without its content"`
	Next     string      `json:"next,omitempty" doc:"Pass as after to get the next page; absent on the last"`
	Degraded bool        `json:"degraded" doc:"Whether the page is less than the policy means it to be"`
	Message  string      `json:"message" doc:"What was done and what to do about it"`
	Caution  string      `json:"caution,omitempty" doc:"How to treat what was delivered"`
}

// Shadow is what is shown of a memory that is withheld: that it is there, and nothing of what it or its source says.
type Shadow struct {
	ID        string           `json:"id" doc:"Id of the memory"`
	Reason    Reason           `json:"reason" enum:"Quarantined,Directive,Expired,KeyUnavailable,Tampered,Unreadable" doc:"Why it is withheld"`
	Zone      memory.Zone      `json:"zone" doc:"Its zone"`
	State     memory.State     `json:"state" doc:"Its state"`
	Class     provenance.Class `json:"class" doc:"Its source class"`
	CreatedAt time.Time        `json:"createdAt" doc:"When it was written"`
}

// List returns a page of memories. It is a recall too: the same checks, the same log.
func (g *Gate) List(ctx context.Context, l Listing) (Listed, error) {
	defer g.metrics.time("list")()
	s, err := g.ready()
	if err != nil {
		return Listed{}, err
	}
	if err := checkSession(l.Session); err != nil {
		return Listed{}, err
	}
	if l.After != "" && !memory.ValidID(l.After) {
		return Listed{}, &memory.FieldError{Field: "after", Fix: "give the id of the last memory of the page before"}
	}
	filter, err := l.filter(s.Runtime.Namespace)
	if err != nil {
		return Listed{}, err
	}
	records, err := g.store.List(ctx, filter)
	if err != nil {
		return Listed{}, err
	}
	checked, err := g.verify(ctx, s, records)
	if err != nil {
		return Listed{}, err
	}
	d := g.deliver(s.Runtime, l.Session, g.now())
	out := Listed{Withheld: []Shadow{}}
	last, more := "", len(records) == filter.Limit
	for _, v := range checked {
		if d.full(len(v.record.Content)) {
			more = true
			break
		}
		last = v.record.ID
		if !v.record.Live() {
			continue
		}
		if reason := d.offer(v, 0); reason != "" {
			out.Withheld = append(out.Withheld, shadow(v.record, reason))
		}
	}
	if err := d.finish(ctx); err != nil {
		return Listed{}, err
	}
	if more {
		out.Next = last
	}
	out.Memories, out.Degraded, out.Message, out.Caution = d.delivered, d.degraded(), d.message(false), d.caution()
	return out, nil
}

func (l Listing) filter(namespace string) (memory.Filter, error) {
	f := memory.Filter{Namespace: namespace, Class: l.Class, After: l.After, Limit: l.Limit}
	switch {
	case f.Limit == 0:
		f.Limit = DefaultPage
	case f.Limit < 0 || f.Limit > MaxPage:
		return f, &memory.FieldError{Field: "limit", Fix: fmt.Sprintf("use 1 to %d", MaxPage)}
	}
	if l.Class != "" && !l.Class.Valid() {
		return f, &memory.FieldError{Field: "class", Fix: "use a source class"}
	}
	if l.Zone != "" {
		if !slices.Contains(zones, l.Zone) {
			return f, &memory.FieldError{Field: "zone", Fix: "use Quarantine, Working or Trusted"}
		}
		f.Zones = []memory.Zone{l.Zone}
	}
	return f, nil
}

// shadow shows values of a row that may be tampered with only if they are ones the system knows.
func shadow(r memory.Record, reason Reason) Shadow {
	s := Shadow{ID: r.ID, Reason: reason, Zone: memory.Quarantine, State: memory.PendingReview, Class: provenance.Unknown, CreatedAt: r.CreatedAt}
	if reason != ReasonTampered && reason != ReasonKeyUnavailable {
		s.Zone, s.State, s.Class = r.Zone, r.State, r.Class
	}
	return s
}

var zones = []memory.Zone{memory.Quarantine, memory.Working, memory.Trusted}

// ZoneCounts are live memories by zone.
type ZoneCounts struct {
	Zones         map[memory.Zone]int64 `json:"zones" doc:"Memories by zone"`
	PendingReview int64                 `json:"pendingReview" doc:"Memories that wait for a person, in any zone"`
}

// Zones counts memories. It tells nothing of what they say and is therefore no recall.
func (g *Gate) Zones(ctx context.Context) (ZoneCounts, error) {
	defer g.metrics.time("zones")()
	s, err := g.ready()
	if err != nil {
		return ZoneCounts{}, err
	}
	counts, err := g.store.Counts(ctx, s.Runtime.Namespace)
	if err != nil {
		return ZoneCounts{}, err
	}
	out := ZoneCounts{Zones: map[memory.Zone]int64{}, PendingReview: counts.PendingReview}
	for _, z := range zones {
		out.Zones[z] = counts.ByZone[z]
	}
	return out, nil
}
