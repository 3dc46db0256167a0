// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package rest

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/server/wire"
)

// TurnRequest is the body that hands in what a user said.
type TurnRequest struct {
	ID      string `json:"id" minLength:"1" maxLength:"128" doc:"Names the turn; used once"`
	Session string `json:"session" minLength:"1" maxLength:"128" doc:"Session it was said in"`
	Content string `json:"content" minLength:"1" doc:"What the user said, at most 64 KiB; the words of the turn before are dropped"`
}

func (r routes) turn(api huma.API) {
	op := wire.WithBody(wire.Operation("hand-in-turn", http.MethodPost, "/v1/turns", "Hand in what the user said",
		"Records what a user said last in a session. What is then written in so many words of it is the user's. On the channel port a "+
			"channel of class UserInput vouches for it; on the agent's port it is a report, which counts in trust mode Prefix only and "+
			"justifies no action. The session's mark stays as it is.",
		http.StatusCreated, http.StatusForbidden, http.StatusConflict, http.StatusUnprocessableEntity, http.StatusTooManyRequests),
		wire.Example{Name: "turn", Summary: "What the user said just now", Value: map[string]any{
			"id": "msg-20319", "session": "ticket-4711", "content": "Please pay invoice 88-120 of Lyon Transport, 120 euros.",
		}})
	op = wire.WithRoom(op, memory.MaxTurnBytes)
	huma.Register(api, op, func(ctx context.Context, in *struct {
		wire.Tenant
		Body TurnRequest
	}) (*wire.Answer[gate.Turned], error) {
		out, err := r.gate.Turn(ctx, caller(ctx, in.Tenant), gate.TurnRequest{
			ID: in.Body.ID, Session: in.Body.Session, Content: in.Body.Content,
		})
		return wire.Reply(r.log, wire.InBody, out, err)
	})
}

// ObservationRequest is the body that reports what the agent met outside of its memory.
type ObservationRequest struct {
	Content string `json:"content" minLength:"1" doc:"The text; it is not kept. The policy bounds its length; report a longer one in parts"`
	Source  string `json:"source,omitempty" maxLength:"512" doc:"Where it came from, as the caller says, for example mcp:search or web:example.org"`
	Session string `json:"session,omitempty" maxLength:"128" doc:"Session of the agent. Absent: it counts for every session for 30 minutes"`
}

func (r routes) observe(api huma.API) {
	op := wire.WithBody(wire.Operation("report-observation", http.MethodPost, "/v1/observations", "Report what the agent met",
		"Takes note of a text that the agent meets outside of its memory, such as the result of a tool or a page: the session's mark "+
			"falls to its class, and later writes that go back to it are recognized. Hashes of its parts are kept, and not the text.",
		http.StatusCreated, http.StatusUnprocessableEntity, http.StatusTooManyRequests),
		wire.Example{Name: "tool", Summary: "The result of a tool", Value: map[string]any{
			"content": "Invoice 88-120: 120 euros, to IBAN FR76 3000 6000 0112 3456 7890 189.", "source": "mcp:billing", "session": "ticket-4711",
		}},
		wire.Example{Name: "page", Summary: "A page, in no session", Value: map[string]any{
			"content": "The museum closes at five on Fridays.", "source": "web:example.org",
		}})
	huma.Register(api, op, func(ctx context.Context, in *struct {
		wire.Tenant
		Body ObservationRequest
	}) (*wire.Answer[gate.Observed], error) {
		out, err := r.gate.Observe(ctx, caller(ctx, in.Tenant), gate.Observation{
			Content: in.Body.Content, Source: in.Body.Source, Session: in.Body.Session,
		})
		return wire.Reply(r.log, wire.InBody, out, err)
	})
}
