// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"errors"
	"slices"

	"memorytrust.dev/operator/internal/action"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// Bounds of looking for who named an argument, and for what set a mark.
const (
	groundingCandidates = 16 // memories that are looked at for one value
	maxResponsible      = 10
	// groundingDeliveries are looked at for texts of upstreams that the session was handed.
	groundingDeliveries = 200
)

// ground reports whether every sensitive argument of the call was named by the user in the current turn, or by a memory with
// authority Act, and notes for each by whom. A call with none at all is not grounded: nothing of it was named.
func (a *authorizing) ground(ctx context.Context, sensitive []action.Path, out *Authorized) (bool, error) {
	leaves := action.Leaves(a.args, sensitive)
	if len(leaves) == 0 {
		return false, nil
	}
	turn, ok, err := a.gate.currentTurn(ctx, a.state, a.namespace, a.session, a.now)
	if err != nil {
		return false, err
	}
	var said action.Text
	if ok {
		said = a.gate.turns.read(turn.Content)
	}
	remembered := &actMemories{authorizing: a, texts: map[string]action.Text{}}
	all := len(leaves) <= action.MaxLeaves
	for _, leaf := range leaves[:min(len(leaves), action.MaxLeaves)] {
		arg := ActionArgument{Path: leaf.Path}
		if said.Names(leaf.Value) {
			arg.Grounded, arg.By = true, groundedByTurn
		} else if arg.Memory, err = remembered.naming(ctx, leaf.Value); err != nil {
			return false, err
		} else if arg.Memory != "" {
			arg.Grounded, arg.By = true, groundedByMemory
		}
		all = all && arg.Grounded
		out.Arguments = append(out.Arguments, arg)
	}
	return all, nil
}

// actMemories looks for values in memories that may justify an action.
type actMemories struct {
	*authorizing
	texts map[string]action.Text // by id
	// handed are the texts of upstreams with authority Act that the session was handed; see ledger.
	handed []memory.Record
	looked bool // whether handed was looked up
	// without are memories that are left out, by id.
	without map[string]bool
}

// naming returns the id of a memory that names a value, or "". Only one that verifies, is fresh, and has authority Act under
// the policy in force counts.
func (m *actMemories) naming(ctx context.Context, value any) (string, error) {
	query := action.Query(value)
	if query == "" {
		return "", nil
	}
	found, err := m.gate.store.Search(ctx, memory.Query{
		Namespace: m.namespace, Text: query, Zones: []memory.Zone{memory.Trusted}, Limit: groundingCandidates,
	})
	if err != nil {
		return "", err
	}
	records := make([]memory.Record, len(found))
	for i, c := range found {
		records[i] = c.Record
	}
	checked, err := m.gate.verify(ctx, m.state, m.namespace, records)
	if err != nil {
		return "", err
	}
	for _, v := range checked {
		if _, authority := standing(m.state.Runtime, v, m.now); authority == memory.Act && !m.without[v.record.ID] && m.text(v.record).Names(value) {
			return v.record.ID, nil
		}
	}
	handed, err := m.ledger(ctx)
	if err != nil {
		return "", err
	}
	for _, r := range handed {
		if !m.without[r.ID] && m.text(r).Names(value) {
			return r.ID, nil
		}
	}
	return "", nil
}

// ledger returns the texts of upstreams with authority Act that were handed to the session: what the user said is the user's
// word in another server as well. No search finds them, since they are no memories of ours.
func (m *actMemories) ledger(ctx context.Context) ([]memory.Record, error) {
	if m.looked {
		return m.handed, nil
	}
	f := memory.DeliveryFilter{Namespace: m.namespace, Session: m.session, Limit: groundingDeliveries}
	if m.session == "" {
		f.Since = m.now.Add(-sessionWindow)
	}
	found, err := m.gate.store.Deliveries(ctx, f)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, d := range found {
		if d.Class.High() && memory.ValidID(d.RecordID) && !slices.Contains(ids, d.RecordID) {
			ids = append(ids, d.RecordID)
		}
	}
	byID, err := m.gate.byID(ctx, m.state, m.namespace, ids)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		v, ok := byID[id]
		if _, authority := standing(m.state.Runtime, v, m.now); ok && v.record.Kind == kindUpstream && authority == memory.Act {
			m.handed = append(m.handed, v.record)
		}
	}
	m.looked = true
	return m.handed, nil
}

func (m *actMemories) text(r memory.Record) action.Text {
	t, ok := m.texts[r.ID]
	if !ok {
		t = action.NewText(r.Content)
		m.texts[r.ID] = t
	}
	return t
}

// responsible returns the memories that set the mark of the session, if it is a low one: those delivered to it or, where none
// of these did, to the agent in the window in which that counts for it.
func (a *authorizing) responsible(ctx context.Context, standing sessionStanding) ([]Responsible, error) {
	out := []Responsible{}
	if standing.mark.High() {
		return out, nil
	}
	l := lineage{gate: a.gate, state: a.state, caller: a.caller, namespace: a.namespace, session: a.session, now: a.now}
	seen := map[string]bool{}
	for _, f := range l.shownTo(above(standing.mark)) {
		found, err := a.gate.store.Deliveries(ctx, f)
		if err != nil {
			return nil, err
		}
		for _, d := range found {
			counts, err := l.counts(ctx, d, standing)
			if err != nil {
				return nil, err
			}
			if !counts || seen[d.RecordID] || len(out) == maxResponsible {
				continue
			}
			seen[d.RecordID] = true
			commit, err := a.commitAt(ctx, d)
			if err != nil {
				return nil, err
			}
			out = append(out, Responsible{ID: d.RecordID, Class: provenance.Min(d.Class), Commit: commit})
		}
		if len(out) > 0 {
			return out, nil
		}
	}
	return out, nil
}

// commitAt names the version that was delivered, if it is still known. Of an unknown text of an upstream there never was a record.
func (a *authorizing) commitAt(ctx context.Context, d memory.Delivery) (string, error) {
	versions, err := a.gate.store.Versions(ctx, memory.History{Namespace: a.namespace, ID: d.RecordID, Before: d.Seq + 1, Limit: 1})
	switch {
	case errors.Is(err, memory.ErrNotFound):
		return "", nil
	case err != nil || len(versions) == 0 || versions[0].Seq != d.Seq:
		return "", err
	}
	return commitOf(versions[0]), nil
}
