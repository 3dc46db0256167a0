// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package rest

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/server/wire"
)

// RecallRequest is the body of a recall.
type RecallRequest struct {
	Query      string        `json:"query" maxLength:"8192" doc:"Free text; empty asks for the most recent memories"`
	Session    string        `json:"session,omitempty" maxLength:"128" doc:"Session of the agent"`
	Limit      int           `json:"limit,omitempty" minimum:"1" maximum:"200" doc:"Most memories to return; 10 when absent, never more than the policy allows"`
	Zones      []memory.Zone `json:"zones,omitempty" maxItems:"3" nullable:"false" enum:"Quarantine,Working,Trusted" doc:"Look in these zones only. What is in Quarantine is reported, not delivered"`
	Kinds      []string      `json:"kinds,omitempty" maxItems:"16" nullable:"false" doc:"Only memories of one of these kinds"`
	Tags       []string      `json:"tags,omitempty" maxItems:"16" nullable:"false" doc:"Only memories with all of these tags"`
	Since      time.Time     `json:"since,omitzero" doc:"Only memories written at this time or later"`
	Until      time.Time     `json:"until,omitzero" doc:"Only memories written before this time"`
	Tokens     int           `json:"tokens,omitempty" minimum:"1" maximum:"1000000" doc:"Most tokens that context may take, as estimated"`
	XRay       bool          `json:"xray,omitempty" doc:"Explain for each memory why it came or did not"`
	XRayFormat string        `json:"xrayFormat,omitempty" enum:"json,text,markdown" doc:"How to explain: json fills xray, text and markdown fill xrayText. Asks for xray by itself"`
}

// Question returns what is asked of the gate.
func (q RecallRequest) Question() gate.Recall {
	return gate.Recall{
		Query: q.Query, Session: q.Session, Limit: q.Limit, Zones: q.Zones, Kinds: q.Kinds, Tags: q.Tags,
		Since: q.Since, Until: q.Until, Tokens: q.Tokens, XRay: q.XRay || q.XRayFormat != "",
	}
}

// RecallAnswer is the answer to a recall.
type RecallAnswer struct {
	gate.Recalled
	XRayText string `json:"xrayText,omitempty" doc:"The explanation as text or Markdown"`
}

// explained puts the explanation where the caller wants it.
func explained(out gate.Recalled, format string) RecallAnswer {
	a := RecallAnswer{Recalled: out}
	if out.XRay == nil {
		return a
	}
	switch format {
	case "text":
		a.XRayText, a.XRay = out.XRay.Text(), nil
	case "markdown":
		a.XRayText, a.XRay = out.XRay.Markdown(), nil
	}
	return a
}

func (r routes) recall(api huma.API) {
	op := wire.WithBody(wire.Operation("recall", http.MethodPost, "/v1/recall", "Recall memories",
		"Finds memories, withholds what the policy distrusts and says so, and logs what was delivered to the session.",
		http.StatusOK, http.StatusUnprocessableEntity),
		wire.Example{Name: "plain", Summary: "A question", Value: map[string]any{"query": "which units does the user prefer", "session": "ticket-4711"}},
		wire.Example{Name: "narrow", Summary: "Within zones, tags, time and a token budget", Value: map[string]any{
			"query": "units", "zones": []any{"Working", "Trusted"}, "tags": []any{"preference"}, "since": "2026-01-01T00:00:00Z", "tokens": 800,
		}},
		wire.Example{Name: "explained", Summary: "With the X-ray as Markdown", Value: map[string]any{"query": "units", "xrayFormat": "markdown"}})
	huma.Register(api, op, func(ctx context.Context, in *struct {
		wire.Tenant
		Body RecallRequest
	}) (*wire.Answer[RecallAnswer], error) {
		out, err := r.gate.Recall(ctx, caller(ctx, in.Tenant), in.Body.Question())
		return wire.Reply(r.log, wire.InBody, explained(out, in.Body.XRayFormat), err)
	})
}
