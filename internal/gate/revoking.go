// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"memorytrust.dev/operator/internal/memory"
)

const (
	// descendantsAtOnce is how many descendants one look at the lineage returns.
	descendantsAtOnce = 20000
	// revokeRounds is how often it is looked for memories that were derived while a revocation ran.
	revokeRounds = 3
)

// revoking is one run of Revoke.
type revoking struct {
	*deciding
	asked       Revocation
	named       []concerned
	descendants []concerned
	planned     map[string]bool // ids of both
	from, limit int             // of the page of the answer
	most        int             // memories to change
	again       bool            // everything was looked at once
	met         int             // memories that were looked at
	out         Revoked
}

// concerned is a memory that a revocation concerns.
type concerned struct {
	id    string
	via   string // what it goes back to, or is folded into
	depth int
	named bool // itself, or it waits folded into one that is
}

// find finds the memories that are named, what goes back to them, and what waits folded into either and shares its fate.
func (r *revoking) find(ctx context.Context) error {
	ids, err := r.namedIDs(ctx)
	if err != nil {
		return err
	}
	var roots []concerned
	for _, id := range ids {
		if !r.planned[id] {
			r.planned[id] = true
			roots = append(roots, concerned{id: id, named: true})
		}
	}
	// Those of an earlier round may have got children since.
	start := slices.Concat(r.named, r.descendants, roots)
	r.named = append(r.named, roots...)
	for len(start) > 0 {
		below, err := r.below(ctx, start)
		if err != nil {
			return err
		}
		folded, err := r.foldedInto(ctx, slices.Concat(start, below))
		if err != nil {
			return err
		}
		r.descendants = append(r.descendants, below...)
		for _, f := range folded {
			if f.named {
				r.named = append(r.named, f)
			} else {
				r.descendants = append(r.descendants, f)
			}
		}
		start = folded
	}
	return nil
}

// namedIDs lists the ids of the memories that the request names.
func (r *revoking) namedIDs(ctx context.Context) ([]string, error) {
	if r.asked.Record != "" {
		if _, err := r.gate.newest(ctx, r.state, r.namespace, r.asked.Record); err != nil {
			return nil, err
		}
	}
	f := r.asked.filter()
	f.Namespace, f.Limit = r.namespace, memory.MaxPageSize
	var ids []string
	for {
		page, err := r.gate.store.List(ctx, f)
		if err != nil {
			return nil, err
		}
		for _, record := range page {
			ids = append(ids, record.ID)
		}
		if len(page) < f.Limit {
			return ids, nil
		}
		f.After = page[len(page)-1].ID
	}
}

// below returns what goes back to any of these and is not planned yet, nearest first.
func (r *revoking) below(ctx context.Context, above []concerned) ([]concerned, error) {
	depth, known := map[string]int{}, make([]string, 0, len(above))
	for _, c := range above {
		depth[c.id] = c.depth
		known = append(known, c.id)
	}
	var out []concerned
	for {
		page, err := r.gate.store.Descendants(ctx, known, descendantsAtOnce)
		if err != nil {
			return nil, err
		}
		for _, d := range page {
			depth[d.ID] = depth[d.Parent] + 1
			known = append(known, d.ID)
			if !r.planned[d.ID] {
				r.planned[d.ID] = true
				out = append(out, concerned{id: d.ID, via: d.Parent, depth: depth[d.ID]})
			}
		}
		if len(page) < descendantsAtOnce {
			return out, nil
		}
	}
}

// foldedInto returns what waits folded into any of these and is not planned yet.
func (r *revoking) foldedInto(ctx context.Context, leads []concerned) ([]concerned, error) {
	var out []concerned
	for batch := range slices.Chunk(leads, memory.MaxPageSize) {
		waiting, err := r.gate.store.List(ctx, memory.Filter{
			Namespace: r.namespace, IDs: idsIn(batch), States: []memory.State{memory.PendingReview}, Items: true, Limit: memory.MaxPageSize,
		})
		if err != nil {
			return nil, err
		}
		waits := map[string]bool{}
		for _, record := range waiting {
			waits[record.ID] = true
		}
		for _, lead := range batch {
			if !waits[lead.id] {
				continue
			}
			folded, err := r.foldedIntoOne(ctx, lead)
			if err != nil {
				return nil, err
			}
			out = append(out, folded...)
		}
	}
	return out, nil
}

func (r *revoking) foldedIntoOne(ctx context.Context, lead concerned) (out []concerned, err error) {
	f := memory.Filter{
		Namespace: r.namespace, FoldedInto: lead.id, States: []memory.State{memory.PendingReview}, Limit: memory.MaxPageSize,
	}
	for {
		page, err := r.gate.store.List(ctx, f)
		if err != nil {
			return nil, err
		}
		for _, record := range page {
			if !r.planned[record.ID] {
				r.planned[record.ID] = true
				out = append(out, concerned{id: record.ID, via: lead.id, depth: lead.depth + 1, named: lead.named})
			}
		}
		if len(page) < f.Limit {
			return out, nil
		}
		f.After = page[len(page)-1].ID
	}
}

func idsIn(list []concerned) []string {
	ids := make([]string, len(list))
	for i, c := range list {
		ids[i] = c.id
	}
	return ids
}

// preview counts everything and lists a page, those that are named first.
func (r *revoking) preview(ctx context.Context) error {
	for batch := range slices.Chunk(slices.Concat(r.named, r.descendants), revokeBatch) {
		records, err := r.load(ctx, batch)
		if err != nil {
			return err
		}
		for _, c := range batch {
			if v, there := records[c.id]; there {
				next, changes := r.next(v, c)
				r.note(v, c, next, changes, r.met >= r.from)
			}
		}
	}
	return nil
}

// carryOut changes what has to be changed. What goes back to others comes first: once the others are changed, a key names them no
// more, and an interrupted run could not find what is below them. What was derived meanwhile is looked for again at the end.
func (r *revoking) carryOut(ctx context.Context) error {
	for range revokeRounds {
		before := r.out.Changed
		for batch := range slices.Chunk(slices.Concat(r.descendants, r.named), revokeBatch) {
			if err := ctx.Err(); err != nil {
				return err
			}
			if r.out.Changed >= r.most {
				r.out.More = true
				return nil
			}
			if err := r.take(ctx, batch); err != nil {
				return err
			}
		}
		if r.out.Changed == before {
			return nil
		}
		r.again = true
		if err := r.find(ctx); err != nil {
			return err
		}
	}
	return nil
}

// take changes one batch. Whoever changes one of its memories at the same time makes it look again.
func (r *revoking) take(ctx context.Context, batch []concerned) error {
	for attempt := 1; ; attempt++ {
		err := r.tryTake(ctx, batch)
		if !errors.Is(err, memory.ErrConflict) || attempt == commitAttempts {
			return err
		}
	}
}

func (r *revoking) tryTake(ctx context.Context, batch []concerned) error {
	records, err := r.load(ctx, batch)
	if err != nil {
		return err
	}
	w := &deciding{gate: r.gate, state: r.state, namespace: r.namespace, actor: r.actor, principal: r.principal, now: r.now}
	var taken []concerned
	for _, c := range batch {
		if v, there := records[c.id]; there {
			if next, changes := r.next(v, c); changes {
				w.reason = r.because(c)
				w.also(v, next, memory.ChangeReview, "")
				taken = append(taken, c)
			}
		}
	}
	w.reason = r.asked.Reason
	for _, c := range taken {
		if c.named {
			if err := w.release(ctx, c.id); err != nil {
				return err
			}
		}
	}
	if _, err := w.commit(ctx); err != nil {
		return err
	}
	for _, c := range batch {
		if v, there := records[c.id]; there {
			next, changes := r.next(v, c)
			r.note(v, c, next, changes, changes)
			if changes {
				r.gate.metrics.revoked.WithLabelValues(c.role()).Inc()
			}
		}
	}
	return nil
}

// role is what a memory is counted as.
func (c concerned) role() string {
	if c.via == "" {
		return revokedNamed
	}
	return revokedDescendant
}

func (r *revoking) because(c concerned) string {
	if c.via == "" {
		return "revoked: " + r.asked.Reason
	}
	return fmt.Sprintf("revoked with %s: %s", c.via, r.asked.Reason)
}

// load reads a batch, also what does not verify, with the place of its newest audit entry.
func (r *revoking) load(ctx context.Context, batch []concerned) (map[string]verified, error) {
	records, err := r.gate.store.List(ctx, memory.Filter{
		Namespace: r.namespace, IDs: idsIn(batch), IncludeForgotten: true, Limit: memory.MaxPageSize,
	})
	if err != nil {
		return nil, err
	}
	checked, err := r.gate.verifyAny(ctx, r.state, r.namespace, records)
	if err != nil {
		return nil, err
	}
	out := make(map[string]verified, len(checked))
	for _, v := range checked {
		out[v.record.ID] = v
	}
	return out, nil
}

// note counts a memory, and lists it where that is asked for and there is room.
func (r *revoking) note(v verified, c concerned, next memory.Record, changes, listed bool) {
	r.met++
	item := RevokedMemory{ID: c.id, Class: v.record.Class, Zone: v.record.Zone, State: v.record.State, Via: c.via, Depth: c.depth}
	switch {
	case changes:
		r.out.Changed++
		item.Becomes = next.State
	case !r.again:
		r.out.Left++
	}
	if listed && len(r.out.Items) < r.limit {
		r.out.Items = append(r.out.Items, item)
	}
}

// next is a memory after the revocation; false where it is left as it is. One that does not verify is taken out in any state:
// nothing it says of itself can be believed.
func (r *revoking) next(v verified, c concerned) (memory.Record, bool) {
	next := v.record
	switch {
	case len(next.Erased) > 0:
		return next, false
	case v.fault != "":
		next = distrusted(next)
		if c.named {
			next.State = memory.Rejected
		}
		return next, true
	case !next.Live():
		return next, false
	}
	to, err := revokedTo(next.Standing(), c.named)
	if err != nil || to == next.Standing() {
		return next, false
	}
	next.Zone, next.State, next.ApprovedBy, next.Expiry = to.Zone, to.State, "", time.Time{}
	if !r.planned[next.FoldedInto] {
		next.FoldedInto = "" // what it waited with stays
	}
	return next, true
}

// revokedTo is where a revocation leads: by the table, as a person could do it in several steps. The approval of a tool call stands
// in Quarantine and does not wait: it is forgotten, named or not, as it rests on what the person did not know then.
func revokedTo(from memory.Standing, named bool) (memory.Standing, error) {
	approvedCall := from.Zone == memory.Quarantine && from.State == memory.Approved
	if from.Zone != memory.Quarantine {
		var err error
		if from, err = memory.Next(memory.ActionQuarantine, from); err != nil {
			return memory.Standing{}, err
		}
	}
	if !named && !approvedCall {
		return from, nil
	}
	if to, err := memory.Next(memory.ActionReject, from); err == nil {
		return to, nil
	}
	return memory.Next(memory.ActionForget, from)
}
