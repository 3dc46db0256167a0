// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"errors"
	"strconv"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
)

// Records is what is needed of a store to look at an agent's memory; memory.Store is one.
type Records interface {
	Get(ctx context.Context, namespace, id string) (memory.Record, error)
	List(ctx context.Context, f memory.Filter) ([]memory.Record, error)
	Versions(ctx context.Context, h memory.History) ([]memory.Record, error)
	Heads(ctx context.Context, ids []string) (map[string]memory.Head, error)
	Contradictions(ctx context.Context, f memory.ContradictionFilter) ([]memory.Contradiction, error)
	Deliveries(ctx context.Context, f memory.DeliveryFilter) ([]memory.Delivery, error)
}

// inspection looks at the memory of one namespace for a person.
type inspection struct {
	store     Records
	namespace string
	now       time.Time
	// verify says what speaks against records as the newest versions of theirs, version against one as any version.
	verify  func(context.Context, []memory.Record) ([]verified, error)
	version func(memory.Record) Reason
}

func (g *Gate) inspection(s *policy.State, namespace string) inspection {
	return inspection{
		store: g.store, namespace: namespace, now: g.now(),
		verify: func(ctx context.Context, list []memory.Record) ([]verified, error) {
			return g.verify(ctx, s, namespace, list)
		},
		version: func(r memory.Record) Reason { return checkVersion(s, namespace, r) },
	}
}

// head returns the newest version of a memory in any zone and state, purged or not.
func (i inspection) head(ctx context.Context, id string) (verified, error) {
	if !memory.ValidID(id) {
		return verified{}, memory.ErrNotFound
	}
	record, err := i.store.Get(ctx, i.namespace, id)
	if err != nil {
		return verified{}, err
	}
	checked, err := i.verify(ctx, []memory.Record{record})
	if err != nil {
		return verified{}, err
	}
	return checked[0], nil
}

// past is a version from the history of a memory: what speaks against it, and that it is not the newest.
func (i inspection) past(head verified, v memory.Record) verified {
	if v.Seq == head.record.Seq {
		return head
	}
	return verified{record: v, fault: i.version(v), old: true}
}

// one is Gate.Inspect.
func (i inspection) one(ctx context.Context, id string, q Reading) (Inspected, error) {
	wanted, err := q.version()
	if err != nil {
		return Inspected{}, err
	}
	head, err := i.head(ctx, id)
	if err != nil {
		return Inspected{}, err
	}
	if wanted == nil || wanted(head.record) {
		return inspected(head, i.now), nil
	}
	h := memory.History{Namespace: i.namespace, ID: id, Limit: versionPage}
	for {
		page, err := i.store.Versions(ctx, h)
		if err != nil {
			return Inspected{}, err
		}
		for _, v := range page {
			if wanted(v) {
				return inspected(i.past(head, v), i.now), nil
			}
			h.Before = v.Seq
		}
		if len(page) < versionPage {
			return Inspected{}, memory.ErrNotFound
		}
	}
}

// log is Gate.InspectLog.
func (i inspection) log(ctx context.Context, id string, q LogQuery) ([]Inspected, string, error) {
	limit, err := pageLimit(q.Limit, DefaultLog, MaxLog)
	if err != nil {
		return nil, "", err
	}
	asked := []any{"inspectLog", i.namespace, id}
	before, err := readSeqCursor(q.Cursor, asked...)
	if err != nil {
		return nil, "", err
	}
	head, err := i.head(ctx, id)
	if err != nil {
		return nil, "", err
	}
	out, size := []Inspected{}, 0
	for len(out) < limit {
		page, err := i.store.Versions(ctx, memory.History{Namespace: i.namespace, ID: id, Before: before, Limit: versionPage})
		if err != nil {
			return nil, "", err
		}
		for _, v := range page {
			if len(out) == limit || len(out) > 0 && size+len(v.Content) > MaxAnswerBytes {
				return out, nextCursor(strconv.FormatUint(before, 10), asked...), nil
			}
			out = append(out, inspected(i.past(head, v), i.now))
			size += len(v.Content)
			before = v.Seq
		}
		if len(page) < versionPage {
			return out, "", nil
		}
	}
	return out, nextCursor(strconv.FormatUint(before, 10), asked...), nil
}

// browseStep is how many memories are read at a time for a page of Gate.Browse. They are read with their contents, which their
// signatures cover; once those come to MaxAnswerBytes the page ends.
const browseStep = 250

// page is Gate.Browse.
func (i inspection) page(ctx context.Context, b Browsing) (Page, error) {
	f, err := b.filter(i.namespace)
	if err != nil {
		return Page{}, err
	}
	if err := checkStates(b.States); err != nil {
		return Page{}, err
	}
	asked := []any{"browse", b.asked(i.namespace), b.States}
	if f.After, err = readIDCursor(b.Cursor, asked...); err != nil {
		return Page{}, err
	}
	f.States, f.IncludeForgotten = b.States, len(b.States) > 0
	page := Page{Memories: make([]Inspected, 0, f.Limit)}
	for room, size := f.Limit, 0; ; {
		f.Limit = min(room, browseStep)
		records, err := i.store.List(ctx, f)
		if err != nil {
			return Page{}, err
		}
		checked, err := i.verify(ctx, records)
		if err != nil {
			return Page{}, err
		}
		for _, v := range checked {
			size += len(v.record.Content)
			seen := inspected(v, i.now)
			seen.Content, seen.Call = "", nil
			page.Memories = append(page.Memories, seen)
		}
		if len(records) < f.Limit {
			return page, nil
		}
		f.After = records[len(records)-1].ID
		if room -= len(records); room == 0 || size >= MaxAnswerBytes {
			page.Next = nextCursor(f.After, asked...)
			return page, nil
		}
	}
}

// contradictions is Gate.Contradictions.
func (i inspection) contradictions(ctx context.Context, q ContradictionQuery) (ContradictionPage, error) {
	limit, err := pageLimit(q.Limit, DefaultPage, MaxPage)
	if err != nil {
		return ContradictionPage{}, err
	}
	asked := []any{"contradictions", i.namespace, q.Open}
	after, err := readIDCursor(q.Cursor, asked...)
	if err != nil {
		return ContradictionPage{}, err
	}
	found, err := i.store.Contradictions(ctx, memory.ContradictionFilter{
		Namespace: i.namespace, Open: q.Open, After: after, Limit: limit,
	})
	if err != nil {
		return ContradictionPage{}, err
	}
	page, size := ContradictionPage{Items: []InspectedContradiction{}}, 0
	for n, c := range found {
		item, err := i.contradiction(ctx, c)
		if err != nil {
			return ContradictionPage{}, err
		}
		if size += len(item.A.Content) + len(item.B.Content); n > 0 && size > MaxAnswerBytes {
			page.Next = nextCursor(found[n-1].ID, asked...)
			return page, nil
		}
		page.Items = append(page.Items, item)
	}
	if len(found) == limit {
		page.Next = nextCursor(found[len(found)-1].ID, asked...)
	}
	return page, nil
}

// contradiction is a contradiction with what is known of its sides.
func (i inspection) contradiction(ctx context.Context, c memory.Contradiction) (InspectedContradiction, error) {
	a, err := i.side(ctx, c.A)
	if err != nil {
		return InspectedContradiction{}, err
	}
	b, err := i.side(ctx, c.B)
	if err != nil {
		return InspectedContradiction{}, err
	}
	return InspectedContradiction{
		ID: c.ID, A: a, B: b, Signs: shown(c.Signs), Open: c.Verdict == "", Verdict: c.Verdict, DecidedBy: c.DecidedBy,
		Reason: c.Reason, FoundAt: c.FoundAt, DecidedAt: c.DecidedAt,
	}, nil
}

// side is one of the two memories; one that is not there any more has nothing but its id.
func (i inspection) side(ctx context.Context, id string) (Inspected, error) {
	v, err := i.head(ctx, id)
	if errors.Is(err, memory.ErrNotFound) {
		return Inspected{ID: id, Namespace: i.namespace, Purged: true}, nil
	}
	if err != nil {
		return Inspected{}, err
	}
	return inspected(v, i.now), nil
}

// deliveries is Gate.Deliveries.
func (i inspection) deliveries(ctx context.Context, q DeliveryQuery) ([]memory.Delivery, error) {
	if err := checkSession(q.Session); err != nil {
		return nil, err
	}
	if q.ID != "" && !memory.ValidID(q.ID) {
		return nil, &memory.FieldError{Field: "id", Fix: "give the id of a memory"}
	}
	limit, err := pageLimit(q.Limit, DefaultDeliveries, memory.MaxPageSize)
	if err != nil {
		return nil, err
	}
	return i.store.Deliveries(ctx, memory.DeliveryFilter{Namespace: i.namespace, Session: q.Session, RecordID: q.ID, Limit: limit})
}
