// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"fmt"
	"slices"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
)

// Bounds of a listing.
const (
	DefaultPage = 50
	MaxPage     = 100
)

// Reading says which version of a memory to read.
type Reading struct {
	Session string    // session of the agent; may be empty
	Commit  string    // names the version, 64 hex characters; empty: the newest
	At      time.Time // the version in force at that time; zero: now
}

// Get returns one memory. It is a recall of one: the same checks, the same log. For whatever it does not deliver it returns
// memory.ErrNotFound, so that asking does not tell what is Blocked from what is not there. An older version comes only where
// the newest would: once a memory is withheld, its history is as well.
func (g *Gate) Get(ctx context.Context, c Caller, id string, q Reading) (Delivered, error) {
	defer g.metrics.time("get")()
	s, namespace, err := g.enter(c)
	if err != nil {
		return Delivered{}, err
	}
	wanted, err := q.version()
	if err != nil {
		return Delivered{}, err
	}
	head, err := g.head(ctx, s, namespace, id)
	if err != nil {
		return Delivered{}, err
	}
	d := g.deliver(s, namespace, q.Session, g.now())
	if wanted == nil || wanted(head.record) {
		return d.one(ctx, head)
	}
	if _, reason := d.screening.examineOne(ctx, head, d.now); d.refuses(reason) {
		if err := d.finish(ctx); err != nil {
			return Delivered{}, err
		}
		return Delivered{}, memory.ErrNotFound
	}
	old, err := g.older(ctx, s, namespace, head.record, wanted)
	if err != nil {
		return Delivered{}, err
	}
	return d.one(ctx, old)
}

// head returns the newest version of a memory that is present. It returns memory.ErrNotFound for any other.
func (g *Gate) head(ctx context.Context, s *policy.State, namespace, id string) (verified, error) {
	if !memory.ValidID(id) {
		return verified{}, memory.ErrNotFound
	}
	record, err := g.store.Get(ctx, namespace, id)
	if err != nil {
		return verified{}, err
	}
	checked, err := g.verify(ctx, s, namespace, []memory.Record{record})
	if err != nil {
		return verified{}, err
	}
	if !present(checked[0].record) {
		return verified{}, memory.ErrNotFound
	}
	return checked[0], nil
}

// one delivers a single memory, or returns memory.ErrNotFound.
func (d *delivery) one(ctx context.Context, v verified) (Delivered, error) {
	reason := d.offer(v, d.screening.examine(ctx, []verified{v}, d.now)[0], 0)
	if err := d.finish(ctx); err != nil {
		return Delivered{}, err
	}
	if reason != "" {
		return Delivered{}, memory.ErrNotFound
	}
	return d.delivered[0], nil
}

// Listing asks for a page of memories in order of creation. Zero fields do not narrow.
type Listing struct {
	Zone    memory.Zone
	Class   provenance.Class
	Kinds   []string
	Tags    []string // memories that carry all of them
	Subject string
	Since   time.Time // written at or after
	Until   time.Time // written before
	Cursor  string    // Next of the page before
	Limit   int       // 0: DefaultPage; at most MaxPage
	Session string    // session of the agent; may be empty
}

// Listed is one page.
type Listed struct {
	Memories []Delivered `json:"memories" nullable:"false" doc:"What may be delivered"`
	Withheld []Shadow    `json:"withheld" nullable:"false" doc:"What may not, without its content"`
	Next     string      `json:"next,omitempty" doc:"Pass as cursor to get the next page; absent on the last"`
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

// List returns a page of memories, in ascending order of ids. It is a recall too: the same checks, the same log.
func (g *Gate) List(ctx context.Context, c Caller, l Listing) (Listed, error) {
	defer g.metrics.time("list")()
	s, namespace, err := g.enter(c)
	if err != nil {
		return Listed{}, err
	}
	if err := checkSession(l.Session); err != nil {
		return Listed{}, err
	}
	filter, err := l.filter(namespace)
	if err != nil {
		return Listed{}, err
	}
	filter.Memories = true
	records, err := g.store.List(ctx, filter)
	if err != nil {
		return Listed{}, err
	}
	checked, err := g.verify(ctx, s, namespace, records)
	if err != nil {
		return Listed{}, err
	}
	d := g.deliver(s, namespace, l.Session, g.now())
	out := Listed{Withheld: []Shadow{}}
	last, more := "", len(records) == filter.Limit
	looks := d.screening.examine(ctx, checked, d.now)
	for i, v := range checked {
		if d.full(len(v.record.Content)) {
			more = true
			break
		}
		last = v.record.ID
		if !present(v.record) {
			continue
		}
		if reason := d.offer(v, looks[i], 0); reason != "" {
			out.Withheld = append(out.Withheld, shadow(v.record, reason))
		}
	}
	if err := d.finish(ctx); err != nil {
		return Listed{}, err
	}
	if more {
		out.Next = l.next(namespace, last)
	}
	out.Memories, out.Degraded, out.Message, out.Caution = d.delivered, d.degraded(), d.message(), d.caution()
	return out, nil
}

// filter reads a listing of one namespace. It returns a *memory.FieldError.
func (l Listing) filter(namespace string) (memory.Filter, error) {
	f := memory.Filter{
		Namespace: namespace, Class: l.Class, Kinds: l.Kinds, Tags: l.Tags, Subject: l.Subject, Since: l.Since, Until: l.Until,
	}
	var err error
	if f.Limit, err = pageLimit(l.Limit, DefaultPage, MaxPage); err != nil {
		return f, err
	}
	if f.After, err = readIDCursor(l.Cursor, l.asked(namespace)...); err != nil {
		return f, err
	}
	if l.Class != "" && !l.Class.Valid() {
		return f, &memory.FieldError{Field: "class", Fix: "use a source class"}
	}
	if l.Zone != "" {
		if !slices.Contains(zones, l.Zone) {
			return f, errZone("zone")
		}
		f.Zones = []memory.Zone{l.Zone}
	}
	return f, f.Validate()
}

// asked is what a cursor of l is bound to.
func (l Listing) asked(namespace string) []any {
	return []any{"list", namespace, l.Zone, l.Class, l.Kinds, l.Tags, l.Subject, l.Since.UnixMicro(), l.Until.UnixMicro()}
}

func (l Listing) next(namespace, last string) string { return nextCursor(last, l.asked(namespace)...) }

// pageLimit returns how many things a page holds, or a *memory.FieldError.
func pageLimit(asked, otherwise, most int) (int, error) {
	switch {
	case asked == 0:
		return otherwise, nil
	case asked < 0 || asked > most:
		return 0, &memory.FieldError{Field: "limit", Fix: fmt.Sprintf("use 1 to %d", most)}
	}
	return asked, nil
}

func errZone(field string) error {
	return &memory.FieldError{Field: field, Fix: "use Quarantine, Working or Trusted"}
}

// shadow shows values of a row that may be tampered with only if they are ones the system knows.
func shadow(r memory.Record, reason Reason) Shadow {
	s := Shadow{
		ID: r.ID, Reason: reason, CreatedAt: r.CreatedAt,
		Zone: memory.Quarantine, State: memory.PendingReview, Class: provenance.Unknown,
	}
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
	Items         int64                 `json:"items" doc:"What a person has to decide: near-duplicates are one item"`
}

// Zones counts memories. It tells nothing of what they say and is therefore no recall.
func (g *Gate) Zones(ctx context.Context, c Caller) (ZoneCounts, error) {
	defer g.metrics.time("zones")()
	_, namespace, err := g.enter(c)
	if err != nil {
		return ZoneCounts{}, err
	}
	return g.countZones(ctx, namespace)
}

func (g *Gate) countZones(ctx context.Context, namespace string) (ZoneCounts, error) {
	counts, err := g.store.Counts(ctx, namespace)
	if err != nil {
		return ZoneCounts{}, err
	}
	out := ZoneCounts{Zones: map[memory.Zone]int64{}, PendingReview: counts.PendingReview, Items: counts.Items}
	for _, z := range zones {
		out.Zones[z] = counts.ByZone[z]
	}
	return out, nil
}
