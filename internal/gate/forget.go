// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"errors"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
)

// Forgotten says what became of a request to forget.
type Forgotten struct {
	ID      string `json:"id" doc:"Id of the memory"`
	Done    bool   `json:"done" doc:"Whether it is forgotten; if not, a person has to do it"`
	Message string `json:"message" doc:"What happened and what to do about it"`
	Commit  string `json:"commit,omitempty" doc:"Names the version that records it"`
	// ReviewID names the proposal that waits for a person.
	ReviewID string `json:"reviewId,omitempty" doc:"Set while a person has to decide"`
}

// ForgetRequest says on what terms to forget.
type ForgetRequest struct {
	Session string // session of the agent; may be empty
	Commit  string // the commit the caller saw; empty: no precondition
}

// Forget takes a memory out of every recall; its history stays. The agent may forget what it wrote itself, up to class
// AgentInferred, also what waits in Quarantine; a channel of a high class what its principal wrote. For anything else that the
// caller can see, Done is false and a proposal waits for a person. It returns memory.ErrNotFound for what is not there,
// already forgotten, or not for the caller to see; ErrPrecondition when the memory is not at the commit the caller named, and
// memory.ErrConflict when it changed meanwhile.
func (g *Gate) Forget(ctx context.Context, c Caller, id string, q ForgetRequest) (Forgotten, error) {
	defer g.metrics.time("forget")()
	s, err := g.ready()
	if err != nil {
		return Forgotten{}, err
	}
	namespace, err := c.namespace(s.Runtime)
	if err != nil {
		return Forgotten{}, err
	}
	if err := q.check(); err != nil {
		return Forgotten{}, err
	}
	now := g.now()
	target, err := g.head(ctx, s, namespace, id)
	if err != nil {
		return Forgotten{}, err
	}
	// A record that does not verify must not be signed again by way of forgetting it.
	own := target.fault == "" && mayForget(c, target.record)
	if !own {
		if target, err = g.visible(ctx, s, namespace, id, now); err != nil {
			return Forgotten{}, err
		}
	}
	if q.Commit != "" && q.Commit != commitOf(target.record) {
		return Forgotten{}, ErrPrecondition
	}
	if err := g.allowWrite(s.Runtime, c, now); err != nil {
		return Forgotten{}, err
	}
	if own {
		return g.forget(ctx, s, c, target, q, now)
	}
	proposal, err := g.proposeForget(ctx, s, c, target.record, q, now)
	if err != nil {
		return Forgotten{}, err
	}
	return Forgotten{ID: id, ReviewID: proposal.ID,
		Message: "Nothing was changed: only a person may forget this memory. The request waits for one."}, nil
}

func (q ForgetRequest) check() error {
	if q.Commit != "" {
		if _, err := commitHash(q.Commit); err != nil {
			return err
		}
	}
	return checkSession(q.Session)
}

// forget does what the caller may do. What is folded into the memory goes with it.
func (g *Gate) forget(
	ctx context.Context, s *policy.State, c Caller, target verified, q ForgetRequest, now time.Time,
) (Forgotten, error) {
	d := &deciding{gate: g, state: s, namespace: target.record.Namespace, actor: c.writer().String(), now: now}
	if err := d.forget(ctx, target); err != nil {
		return Forgotten{}, err
	}
	stored, err := d.commit(ctx)
	if q.Commit != "" && errors.Is(err, memory.ErrConflict) {
		return Forgotten{}, ErrPrecondition
	}
	if err != nil {
		return Forgotten{}, err
	}
	g.metrics.forgotten.Inc()
	return Forgotten{ID: target.record.ID, Done: true, Commit: commitOf(stored),
		Message: "Forgotten: no recall delivers it any more. Its history is kept for people."}, nil
}

// mayForget reports whether a caller may change a memory, or take it away, without a person.
func mayForget(c Caller, r memory.Record) bool {
	if !c.Authenticated() {
		return !r.Writer.Authenticated() && !provenance.AgentInferred.Below(r.Class)
	}
	return c.Channel.Class.High() && r.Writer.Authenticated() && r.Writer.Principal == c.Channel.Principal
}
