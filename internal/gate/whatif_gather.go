// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"memorytrust.dev/operator/internal/action"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
)

// whatIfListed is how many of the memories that are left out an answer lists.
const whatIfListed = 100

// whatIf reads what a replay goes through.
type whatIf struct {
	gate      *Gate
	state     *policy.State
	namespace string
	now       time.Time
	gone      map[string]bool
	opened    map[string]bool // sessions, by whether a user opened them
	calls     []memory.Record // requests to call tools, oldest first
	read      bool            // whether calls was read
	cut       bool            // whether there are more calls than were read
}

// leaveOut adds what goes back to a memory to what is gone, and lists it.
func (w *whatIf) leaveOut(ctx context.Context, id string) (out []WhatIfGone, over int, err error) {
	out = []WhatIfGone{{ID: id}}
	found, err := w.gate.store.Descendants(ctx, []string{id}, maxWhatIfGone)
	if err != nil {
		return nil, 0, err
	}
	for batch := range slices.Chunk(found, memory.MaxPageSize) {
		ids := make([]string, len(batch))
		for i, d := range batch {
			ids[i] = d.ID
			w.gone[d.ID] = true
		}
		records, err := w.gate.store.List(ctx, memory.Filter{Namespace: w.namespace, IDs: ids, IncludeForgotten: true, Memories: true, Limit: memory.MaxPageSize})
		if err != nil {
			return nil, 0, err
		}
		memories := map[string]bool{}
		for _, r := range records {
			memories[r.ID] = true
		}
		for _, d := range batch {
			switch {
			case !memories[d.ID]: // a request about a call, for one: it was never delivered
			case len(out) < whatIfListed:
				out = append(out, WhatIfGone{ID: d.ID, Via: d.Parent, Depth: d.Depth})
			default:
				over++
			}
		}
	}
	return out, over, nil
}

// sessions lists those that a memory was delivered to, the newest first; the empty name stands for what was read without one.
func (w *whatIf) sessions(ctx context.Context, id string, limit int) (out []string, more bool, err error) {
	found, err := w.gate.store.Deliveries(ctx, memory.DeliveryFilter{Namespace: w.namespace, RecordID: id, Limit: memory.MaxPageSize})
	if err != nil {
		return nil, false, err
	}
	for _, d := range found {
		switch {
		case slices.Contains(out, d.Session):
		case len(out) == limit:
			return out, true, nil
		default:
			out = append(out, d.Session)
		}
	}
	return out, len(found) == memory.MaxPageSize, nil
}

// gather reads what is known of a session.
func (w *whatIf) gather(ctx context.Context, session string) (replayed, error) {
	r := replayed{session: session, gone: w.gone}
	var err error
	if r.openedAt, err = w.openedAt(ctx, session); err != nil {
		return replayed{}, err
	}
	// Without a name there is no session, only what was read lately; the log cannot be asked for it alone.
	page, err := w.gate.store.Deliveries(ctx, memory.DeliveryFilter{Namespace: w.namespace, Session: session, Limit: memory.MaxPageSize})
	if err != nil {
		return replayed{}, err
	}
	r.cut = len(page) == memory.MaxPageSize
	slices.Reverse(page)
	for _, d := range page {
		if d.Session == session {
			r.own = append(r.own, d)
		}
	}
	if err := w.gatherCalls(ctx, &r); err != nil {
		return replayed{}, err
	}
	return r, w.gatherAround(ctx, &r)
}

// gatherAround reads what was delivered to others around the steps.
func (w *whatIf) gatherAround(ctx context.Context, r *replayed) error {
	first, ok := r.first()
	if !ok {
		return nil
	}
	since := first.Add(-sessionWindow)
	page, err := w.gate.store.Deliveries(ctx, memory.DeliveryFilter{
		Namespace: w.namespace, Below: provenance.UserInput, Since: since, Limit: memory.MaxPageSize,
	})
	if err != nil {
		return err
	}
	r.cut = r.cut || len(page) == memory.MaxPageSize
	slices.Reverse(page)
	for _, d := range page {
		if d.Session == r.session {
			continue
		}
		bound := false
		if !r.openedAt.IsZero() {
			if bound, err = w.isBound(ctx, d.Session); err != nil {
				return err
			}
		}
		r.around = append(r.around, around{Delivery: d, bound: bound})
	}
	return nil
}

// first is when the first step was.
func (r replayed) first() (at time.Time, ok bool) {
	if len(r.own) > 0 {
		at, ok = r.own[0].At, true
	}
	if len(r.calls) > 0 && (!ok || r.calls[0].at.Before(at)) {
		at, ok = r.calls[0].at, true
	}
	return at, ok
}

// openedAt is when a user opened a session, as a key that is loaded vouches for; zero: never.
func (w *whatIf) openedAt(ctx context.Context, session string) (time.Time, error) {
	if session == "" {
		return time.Time{}, nil
	}
	o, err := w.gate.store.OpenedSession(ctx, w.namespace, session)
	if errors.Is(err, memory.ErrNotFound) {
		return time.Time{}, nil
	}
	if err != nil || !opens(w.state, o, w.namespace, session) {
		return time.Time{}, err
	}
	return o.OpenedAt, nil
}

// isBound reports whether a session is one that the log of deliveries takes for opened.
func (w *whatIf) isBound(ctx context.Context, session string) (bool, error) {
	if session == "" {
		return false, nil
	}
	bound, known := w.opened[session]
	if known {
		return bound, nil
	}
	_, err := w.gate.store.OpenedSession(ctx, w.namespace, session)
	if err != nil && !errors.Is(err, memory.ErrNotFound) {
		return false, err
	}
	w.opened[session] = err == nil
	return err == nil, nil
}

// gatherCalls reads the requests to call tools that were made in the session.
func (w *whatIf) gatherCalls(ctx context.Context, r *replayed) error {
	if err := w.readCalls(ctx); err != nil {
		return err
	}
	r.cut = r.cut || w.cut
	for _, record := range w.calls {
		call := actionCall(record)
		if call == nil || record.Session != r.session {
			continue
		}
		c, err := w.callOf(ctx, record, *call)
		if err != nil {
			return err
		}
		r.calls = append(r.calls, c)
	}
	return nil
}

// readCalls reads the requests to call tools, once. What does not verify says nothing.
func (w *whatIf) readCalls(ctx context.Context) error {
	if w.read {
		return nil
	}
	f := memory.Filter{Namespace: w.namespace, Kinds: []string{kindAction}, IncludeForgotten: true, Limit: memory.MaxPageSize}
	for read := 0; ; {
		page, err := w.gate.store.List(ctx, f)
		if err != nil {
			return err
		}
		checked, err := w.gate.verify(ctx, w.state, w.namespace, page)
		if err != nil {
			return err
		}
		for _, v := range checked {
			if v.fault == "" {
				w.calls = append(w.calls, v.record)
			}
		}
		read += len(page)
		if len(page) < f.Limit {
			w.read = true
			return nil
		}
		if read >= maxWhatIfCalls {
			w.read, w.cut = true, true
			return nil
		}
		f.After = page[len(page)-1].ID
	}
}

// callOf is what a request says of a call, and what the policy in force says about it.
func (w *whatIf) callOf(ctx context.Context, record memory.Record, call ActionCall) (replayedCall, error) {
	c := replayedCall{at: record.CreatedAt, mark: toldMark(record.Reasons)}
	args, err := action.ParseObject(call.Arguments)
	if err != nil {
		return replayedCall{}, err
	}
	match := w.state.Actions.Match(call.Tool, args)
	c.rule = match.Rule
	c.called = WhatIfCalled{
		ID: record.ID, Tool: printable(call.Tool), Rule: match.Rule.Name, Required: match.Rule.Authority, Decision: ActionRequireApproval,
		Became: record.State, Arguments: []WhatIfArgument{}, OtherPolicy: call.Policy != w.state.Runtime.Revision,
	}
	missing := toldMissing(record.Reasons)
	a := &authorizing{gate: w.gate, state: w.state, namespace: w.namespace, now: w.now, session: record.Session}
	turn, said, err := w.gate.currentTurn(ctx, w.state, w.namespace, record.Session, w.now)
	if err != nil {
		return replayedCall{}, err
	}
	with, without := &actMemories{authorizing: a, texts: map[string]action.Text{}}, &actMemories{authorizing: a, texts: map[string]action.Text{}, without: w.gone}
	leaves := action.Leaves(args, match.Sensitive)
	c.many = len(leaves) > action.MaxLeaves
	for _, leaf := range leaves[:min(len(leaves), action.MaxLeaves)] {
		arg := WhatIfArgument{Path: leaf.Path, By: groundedByUnknown, Without: groundedByUnknown}
		switch {
		case missing[leaf.Path]:
			arg.By, arg.Without = groundedByNobody, groundedByNobody
		case said && action.NewText(turn.Content).Names(leaf.Value):
			arg.By, arg.Without = groundedByTurn, groundedByTurn
		default:
			if err := arg.remembered(ctx, with, without, leaf.Value); err != nil {
				return replayedCall{}, err
			}
		}
		c.called.Arguments = append(c.called.Arguments, arg)
	}
	return c, nil
}

// remembered looks for the memory that named the value of an argument, with and without what is gone.
func (arg *WhatIfArgument) remembered(ctx context.Context, with, without *actMemories, value any) (err error) {
	if arg.Memory, err = with.naming(ctx, value); err != nil || arg.Memory == "" {
		return err
	}
	arg.By, arg.Without = groundedByMemory, groundedByNobody
	other, err := without.naming(ctx, value)
	if other != "" {
		arg.Without = groundedByMemory
	}
	return err
}

// Beginnings of the reasons that a person is told, see requestReasons.
const (
	reasonMark    = "mark of the session: "
	reasonMissing = "not named by the user: "
)

// toldMark is the mark of the session that a person was told.
func toldMark(reasons []string) provenance.Class {
	for _, reason := range reasons {
		if class, ok := strings.CutPrefix(reason, reasonMark); ok {
			return provenance.Min(provenance.Class(class))
		}
	}
	return ""
}

// toldMissing are the arguments that a person was told nobody named.
func toldMissing(reasons []string) map[string]bool {
	out := map[string]bool{}
	for _, reason := range reasons {
		if paths, ok := strings.CutPrefix(reason, reasonMissing); ok {
			for path := range strings.SplitSeq(paths, ", ") {
				out[path] = true
			}
		}
	}
	return out
}
