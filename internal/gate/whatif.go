// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"fmt"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// Bounds of a what-if.
const (
	DefaultWhatIfSessions = 10
	MaxWhatIfSessions     = 50
	// maxWhatIfGone bounds the descendants that are left out with a memory.
	maxWhatIfGone = 10000
	// maxWhatIfCalls bounds the requests to call tools that are looked at for those of the sessions.
	maxWhatIfCalls = 5000
)

// WhatIfQuery asks what would have been without a memory.
type WhatIfQuery struct {
	ID      string
	Session string // empty: the sessions it was delivered to, the newest first
	Limit   int    // of sessions; 0: DefaultWhatIfSessions; at most MaxWhatIfSessions
}

// WhatIf says what sessions would have been like without a memory and what goes back to it. It holds no content and no value of an
// argument.
type WhatIf struct {
	ID       string          `json:"id" doc:"Memory that is left out"`
	Gone     []WhatIfGone    `json:"gone" nullable:"false" doc:"What is left out: the memory and what goes back to it, nearest first; at most 100 are listed"`
	GoneOver int             `json:"goneOver,omitempty" doc:"How many more are left out that are not listed"`
	Sessions []WhatIfSession `json:"sessions" nullable:"false" doc:"The sessions, in which it was delivered last first"`
	More     bool            `json:"more,omitempty" doc:"Whether it was delivered to further sessions"`
	Changed  int             `json:"changed" doc:"Steps that would have been otherwise"`
	Limits   []string        `json:"limits" nullable:"false" doc:"What cannot be known from what is kept"`
	Message  string          `json:"message" doc:"What it came to"`
}

// WhatIfGone is a memory that is left out.
type WhatIfGone struct {
	ID    string `json:"id" doc:"Id of the memory"`
	Via   string `json:"via,omitempty" doc:"Memory it goes back by; absent for the one that was asked about"`
	Depth int    `json:"depth" doc:"How far it is from the one that was asked about"`
}

// WhatIfSession is a session, step by step.
type WhatIfSession struct {
	Session   string       `json:"session,omitempty" doc:"Name of the session; absent: what was done without one"`
	Opened    bool         `json:"opened" doc:"Whether a channel of users opened it"`
	Steps     []WhatIfStep `json:"steps" nullable:"false" doc:"Reads, and calls that a person was asked about, oldest first"`
	Changed   int          `json:"changed" doc:"Steps that would have been otherwise"`
	Truncated bool         `json:"truncated,omitempty" doc:"Whether there are more steps before these, or more deliveries around them, than were looked at"`
	Message   string       `json:"message" doc:"What it came to"`
}

// What a step is.
const (
	WhatIfRead = "Read" // memories were delivered
	WhatIfCall = "Call" // a person was asked whether a tool may be called
)

// WhatIfStep is one step of a session, as it was and as it would have been.
type WhatIfStep struct {
	Kind      string            `json:"kind" enum:"Read,Call" doc:"What was done"`
	At        time.Time         `json:"at" doc:"When"`
	Changed   bool              `json:"changed" doc:"Whether it would have been otherwise"`
	Mark      WhatIfMark        `json:"mark" doc:"How the session stood after a read, and at a call"`
	Without   WhatIfMark        `json:"without" doc:"How it would have stood"`
	Delivered []WhatIfDelivered `json:"delivered,omitempty" doc:"Read: what was delivered"`
	Call      *WhatIfCalled     `json:"call,omitempty" doc:"Call: what was decided"`
}

// WhatIfMark is how a session stands.
type WhatIfMark struct {
	Class     provenance.Class `json:"class" doc:"Lowest class delivered to it; UserInput while nothing was"`
	Authority memory.Authority `json:"authority" enum:"Act,Inform" doc:"Authority it gives to tool calls"`
}

// WhatIfDelivered is a memory that was delivered.
type WhatIfDelivered struct {
	ID    string           `json:"id" doc:"Id of the memory"`
	Class provenance.Class `json:"class" doc:"Class it counted as"`
	Score float64          `json:"score" doc:"Score in the recall; 0 outside of one"`
	Gone  bool             `json:"gone" doc:"Whether it would not have been delivered"`
}

// WhatIfCalled is a tool call that a person was asked about.
type WhatIfCalled struct {
	ID          string           `json:"id" doc:"Id of the request"`
	Tool        string           `json:"tool" doc:"Name of the tool"`
	Rule        string           `json:"rule,omitempty" doc:"Rule of the policy in force that applies; absent where none does"`
	Required    memory.Authority `json:"required" enum:"Act,Inform" doc:"Authority that the call needs under the policy in force"`
	Decision    ActionDecision   `json:"decision" enum:"Allow,RequireApproval,Deny" doc:"What was decided when it was asked"`
	Became      memory.State     `json:"became" doc:"State of the request now; Forgotten: used, or its time is over"`
	Without     ActionDecision   `json:"without" enum:"Allow,RequireApproval,Deny" doc:"What would have been decided"`
	Arguments   []WhatIfArgument `json:"arguments" nullable:"false" doc:"Sensitive arguments, without their values"`
	OtherPolicy bool             `json:"otherPolicy,omitempty" doc:"Whether the policy changed since: what would have been is what the one in force says"`
}

// WhatIfArgument is a sensitive argument of a call: who named its value, and who would have.
type WhatIfArgument struct {
	Path    string `json:"path" doc:"Where it stands in the arguments"`
	By      string `json:"by" enum:"turn,memory,nobody,unknown" doc:"Who named it; unknown: somebody who is not known any more"`
	Memory  string `json:"memory,omitempty" doc:"Id of the memory that named it"`
	Without string `json:"without" enum:"turn,memory,nobody,unknown" doc:"Who would have named it"`
}

// Who named an argument, besides groundedByTurn and groundedByMemory.
const (
	groundedByNobody  = "nobody"
	groundedByUnknown = "unknown"
)

// WhatIf says what the reads of a session, its mark and the decisions about its tool calls would have been had a memory, and what goes
// back to it, never been delivered. It reads the delivery log, the lineage and the requests that waited for a person, and changes,
// logs and counts nothing. It returns ErrNotReady, memory.ErrNotFound, a *memory.FieldError, or an error of the store.
func (g *Gate) WhatIf(ctx context.Context, p Person, q WhatIfQuery) (WhatIf, error) {
	s, namespace, err := g.attend(p)
	if err != nil {
		return WhatIf{}, err
	}
	if err := checkSession(q.Session); err != nil {
		return WhatIf{}, err
	}
	limit, err := pageLimit(q.Limit, DefaultWhatIfSessions, MaxWhatIfSessions)
	if err != nil {
		return WhatIf{}, err
	}
	if _, err := g.inspection(s, namespace).head(ctx, q.ID); err != nil {
		return WhatIf{}, err
	}
	w := &whatIf{gate: g, state: s, namespace: namespace, now: g.now(), gone: map[string]bool{q.ID: true}, opened: map[string]bool{}}
	out := WhatIf{ID: q.ID, Sessions: []WhatIfSession{}, Limits: whatIfLimits}
	if out.Gone, out.GoneOver, err = w.leaveOut(ctx, q.ID); err != nil {
		return WhatIf{}, err
	}
	sessions := []string{q.Session}
	if q.Session == "" {
		if sessions, out.More, err = w.sessions(ctx, q.ID, limit); err != nil {
			return WhatIf{}, err
		}
	}
	for _, session := range sessions {
		r, err := w.gather(ctx, session)
		if err != nil {
			return WhatIf{}, err
		}
		again := r.run()
		out.Changed += again.Changed
		out.Sessions = append(out.Sessions, again)
	}
	out.Message = out.said()
	return out, nil
}

// whatIfLimits are said with every answer: none of it can be known.
var whatIfLimits = []string{
	"Queries are not kept: a read is looked at over what it delivered, and what would have moved up in place of a memory is not known.",
	"Calls that were allowed or denied at once are not kept: only those that a person was asked about are looked at.",
	"What a model would have written or asked for otherwise is not known.",
}

// said tells in words what it came to.
func (w WhatIf) said() string {
	switch {
	case len(w.Sessions) == 0:
		return "It was never delivered to the agent: without it, nothing would have been otherwise."
	case w.Changed == 0:
		return "Without it, nothing would have been otherwise in what was looked at."
	}
	return fmt.Sprintf("Without it, %s would have been otherwise.", countOf(w.Changed, "step", "steps"))
}

func countOf(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
