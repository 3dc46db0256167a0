// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// Forgotten says what became of a request to forget.
type Forgotten struct {
	ID      string `json:"id" doc:"Id of the memory"`
	Done    bool   `json:"done" doc:"Whether it is forgotten; if not, a person has to do it"`
	Message string `json:"message" doc:"What happened and what to do about it"`
	Commit  string `json:"commit,omitempty" doc:"Names the version that records it"`
}

// Forget takes a memory out of every recall; its history stays. The agent may forget what it wrote itself, up to class
// AgentInferred; a channel of a high class what its principal wrote. For anything else Done is false and nothing changes. It
// returns memory.ErrNotFound for what is not there or already forgotten, and memory.ErrConflict when the memory changed
// meanwhile.
func (g *Gate) Forget(ctx context.Context, c Caller, id string) (Forgotten, error) {
	defer g.metrics.time("forget")()
	s, err := g.ready()
	if err != nil {
		return Forgotten{}, err
	}
	if !memory.ValidID(id) {
		return Forgotten{}, memory.ErrNotFound
	}
	record, err := g.store.Get(ctx, s.Runtime.Namespace, id)
	if err != nil {
		return Forgotten{}, err
	}
	checked, err := g.verify(ctx, s, []memory.Record{record})
	if err != nil {
		return Forgotten{}, err
	}
	// A record that does not verify must not be signed again by way of forgetting it.
	v := checked[0]
	if v.fault == "" && !v.record.Live() {
		return Forgotten{}, memory.ErrNotFound
	}
	if v.fault != "" || !mayForget(c, v.record) {
		return Forgotten{ID: id, Message: "Nothing was changed: only a person may forget this memory. Ask the operator of this agent; " +
			"this request is not passed on."}, nil
	}
	record = v.record
	seen := record.Seq
	record.State, record.UpdatedAt = memory.Forgotten, g.now()
	record, err = g.store.Commit(ctx, memory.Change{
		Type: memory.ChangeDelete, Record: record, Actor: c.writer().String(), ExpectSeq: seen, Sign: signer(s),
	})
	if err != nil {
		return Forgotten{}, err
	}
	g.metrics.forgotten.Inc()
	return Forgotten{ID: id, Done: true, Commit: commitOf(record),
		Message: "Forgotten: no recall delivers it any more. Its history is kept for people."}, nil
}

func mayForget(c Caller, r memory.Record) bool {
	if !c.Authenticated() {
		return !r.Writer.Authenticated() && !provenance.AgentInferred.Below(r.Class)
	}
	return c.Channel.Class.High() && r.Writer.Authenticated() && r.Writer.Principal == c.Channel.Principal
}
