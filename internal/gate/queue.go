// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"fmt"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
)

// QueueQuery asks for a page of what waits for a person.
type QueueQuery struct {
	Cursor string // Next of the page before
	Limit  int    // 0: DefaultPage; at most MaxPage
}

// Queued is one page of what waits for a person, as the agent may know it.
type Queued struct {
	Items   []QueueItem `json:"items" nullable:"false" doc:"What waits, oldest first"`
	Total   int64       `json:"total" doc:"How many wait in all"`
	Next    string      `json:"next,omitempty" doc:"Pass as cursor to get the next page; absent on the last"`
	Message string      `json:"message" doc:"What that means and what to do about it"`
}

// QueueItem is one memory that waits: neither what it says nor where it claims to come from.
type QueueItem struct {
	ID        string           `json:"id" doc:"Id of the memory"`
	Class     provenance.Class `json:"class" doc:"Source class"`
	Zone      memory.Zone      `json:"zone" enum:"Quarantine,Working,Trusted" doc:"Zone"`
	State     memory.State     `json:"state" doc:"State"`
	Reasons   []string         `json:"reasons" nullable:"false" doc:"Kinds of directives found in it"`
	Folded    int              `json:"folded" doc:"Near-duplicates that share its fate; 100 stands for as many or more"`
	CreatedAt time.Time        `json:"createdAt" doc:"When it was written"`
	Expiry    time.Time        `json:"expiry,omitzero" doc:"When it stops being delivered undecided"`
}

// maxFolded bounds how many near-duplicates of an item are counted.
const maxFolded = 100

// Queue returns a page of what waits for a person, as far as the agent may know it: that it waits, and what kind of thing it
// is. It delivers nothing. It returns ErrNotReady, a *memory.FieldError, or an error of the store.
func (g *Gate) Queue(ctx context.Context, c Caller, q QueueQuery) (Queued, error) {
	defer g.metrics.time("queue")()
	s, namespace, err := g.enter(c)
	if err != nil {
		return Queued{}, err
	}
	filter := memory.Filter{Namespace: namespace, States: []memory.State{memory.PendingReview, memory.Disputed}, Items: true}
	if filter.Limit, err = pageLimit(q.Limit, DefaultPage, MaxPage); err != nil {
		return Queued{}, err
	}
	if filter.After, err = readIDCursor(q.Cursor, "queue", namespace); err != nil {
		return Queued{}, err
	}
	records, err := g.store.List(ctx, filter)
	if err != nil {
		return Queued{}, err
	}
	checked, err := g.verify(ctx, s, namespace, records)
	if err != nil {
		return Queued{}, err
	}
	out := Queued{Items: make([]QueueItem, len(checked))}
	for i, v := range checked {
		if out.Items[i], err = g.queueItem(ctx, s, namespace, v); err != nil {
			return Queued{}, err
		}
	}
	if len(records) == filter.Limit {
		out.Next = nextCursor(records[len(records)-1].ID, "queue", namespace)
	}
	if out.Total, err = g.pending.items(ctx, namespace); err != nil {
		return Queued{}, err
	}
	out.Message = queueMessage(out.Total)
	return out, nil
}

// queueItem tells of a row that may be tampered with only what the system knows.
func (g *Gate) queueItem(ctx context.Context, s *policy.State, namespace string, v verified) (QueueItem, error) {
	known := shadow(v.record, v.fault)
	item := QueueItem{
		ID: known.ID, Class: known.Class, Zone: known.Zone, State: known.State, CreatedAt: known.CreatedAt, Reasons: []string{},
	}
	if v.fault == "" {
		item.Expiry = v.record.Expiry
		verdict, _ := g.screenText(s, wordsOf(v.record), false)
		item.Reasons = union(append(item.Reasons, verdict.Families...), coarse(v.record))
	}
	folded, err := g.store.List(ctx, memory.Filter{Namespace: namespace, FoldedInto: known.ID, Limit: maxFolded})
	item.Folded = len(folded)
	return item, err
}

func queueMessage(total int64) string {
	switch total {
	case 0:
		return "Nothing waits for a person."
	case 1:
		return "1 item waits for a person. Only a person can decide about it."
	}
	return fmt.Sprintf("%d items wait for a person. Only a person can decide about them.", total)
}
