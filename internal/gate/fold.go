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
)

// placing says how a record may come into the queue.
type placing int

const (
	foldable placing = iota // as an item of its own, or folded into one that waits
	ownItem                 // as an item of its own
)

// maxFoldCandidates bounds how many waiting memories are compared word for word with one that comes in.
const maxFoldCandidates = 8

// maxRetryAfter bounds how long a caller is told to wait for room in the queue; a person may decide sooner.
const maxRetryAfter = time.Hour

// enqueue finds a place in the queue for a record that waits for a person; others it leaves as they are. A near-duplicate of
// what its writer has waiting already is folded into that: it shares the other's fate and takes no place. Otherwise it takes
// one of those the policy gives to its principal and class, or there is none left and enqueue returns a *LimitError.
func (g *Gate) enqueue(ctx context.Context, s *policy.State, record *memory.Record, how placing, now time.Time) error {
	return (&queue{gate: g, state: s, now: now}).place(ctx, record, how)
}

// queue is the review queue while records that come together are placed in it: what waits is read once.
type queue struct {
	gate    *Gate
	state   *policy.State
	now     time.Time
	waiting map[memory.Waiting][]memory.WaitingItem
}

// of returns what one writer has waiting.
func (q *queue) of(ctx context.Context, whose memory.Waiting) ([]memory.WaitingItem, error) {
	if waiting, known := q.waiting[whose]; known {
		return waiting, nil
	}
	waiting, err := q.gate.kept.queue(ctx, q.gate.store, whose)
	if err != nil {
		return nil, err
	}
	waiting = slices.DeleteFunc(waiting, func(w memory.WaitingItem) bool { return expired(w, q.now) })
	if q.waiting == nil {
		q.waiting = map[memory.Waiting][]memory.WaitingItem{}
	}
	q.waiting[whose] = waiting
	return waiting, nil
}

// place is enqueue. A record that takes a place takes it from those that come after it.
func (q *queue) place(ctx context.Context, record *memory.Record, how placing) error {
	record.FoldedInto = ""
	if record.State != memory.PendingReview {
		return nil
	}
	g, whose := q.gate, memory.Waiting{Namespace: record.Namespace, Principal: record.Writer.Principal, Class: record.Class}
	waiting, err := q.of(ctx, whose)
	if err != nil {
		return err
	}
	others := slices.DeleteFunc(slices.Clone(waiting), func(w memory.WaitingItem) bool { return w.ID == record.ID })
	if how == foldable {
		if record.FoldedInto, err = g.lead(ctx, q.state, *record, others); err != nil {
			return err
		}
		if record.FoldedInto != "" {
			g.metrics.folded.Inc()
			return nil
		}
	}
	if len(others) < q.state.Runtime.PendingLimit(record.Class) {
		q.waiting[whose] = append(others, memory.WaitingItem{
			ID: record.ID, Sketch: memory.Sketch(record.Content), Expiry: record.Expiry,
		})
		return nil
	}
	g.metrics.limited.WithLabelValues(limitPending).Inc()
	return &LimitError{
		Limit: "spec.limits.maxPending", RetryAfter: untilRoom(others, q.now),
		Fix: fmt.Sprintf("wait until a person has decided about some of the %d memories of class %s that wait",
			len(others), record.Class),
	}
}

func expired(w memory.WaitingItem, now time.Time) bool {
	return !w.Expiry.IsZero() && !now.Before(w.Expiry)
}

// untilRoom is how long it takes until the first of those that wait expires.
func untilRoom(waiting []memory.WaitingItem, now time.Time) time.Duration {
	wait := maxRetryAfter
	for _, w := range waiting {
		if !w.Expiry.IsZero() {
			wait = min(wait, w.Expiry.Sub(now))
		}
	}
	return wholeSeconds(wait)
}

// lead returns the id of the waiting memory that a record says again, or "".
func (g *Gate) lead(ctx context.Context, s *policy.State, record memory.Record, waiting []memory.WaitingItem) (string, error) {
	ids := nearest(memory.Sketch(record.Content), waiting)
	found, err := g.byID(ctx, s, record.Namespace, ids)
	if err != nil {
		return "", err
	}
	for _, id := range ids {
		if lead, there := found[id]; there && lead.fault == "" && leads(lead.record, record) {
			return id, nil
		}
	}
	return "", nil
}

// nearest returns the ids of the waiting memories whose sketches are near, nearest first.
func nearest(sketch uint64, waiting []memory.WaitingItem) []string {
	var byDistance [memory.MaxSketchDistance + 1][]string
	for _, w := range waiting {
		if d := memory.SketchDistance(sketch, w.Sketch); d <= memory.MaxSketchDistance && len(byDistance[d]) < maxFoldCandidates {
			byDistance[d] = append(byDistance[d], w.ID)
		}
	}
	ids := slices.Concat(byDistance[:]...)
	return ids[:min(len(ids), maxFoldCandidates)]
}

// leads reports whether a record can share the fate of one that waits: it says the same and would change the same memories,
// so that whoever decides about the one knows what they decide about the other.
func leads(lead, record memory.Record) bool {
	return lead.State == memory.PendingReview && lead.FoldedInto == "" && lead.ID != record.ID &&
		sameShelf(lead, record) &&
		slices.Equal(lead.Supersedes, record.Supersedes) &&
		memory.Similarity(lead.Content, record.Content) >= memory.NearDuplicate
}

// sameShelf reports whether both are memories, or both texts of one upstream. What asks a person for something stands alone.
func sameShelf(a, b memory.Record) bool {
	if memory.Reserved(a.Kind) || memory.Reserved(b.Kind) {
		return a.Kind == kindUpstream && b.Kind == kindUpstream && a.Subject == b.Subject
	}
	return true
}
