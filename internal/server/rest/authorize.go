// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package rest

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"memorytrust.dev/operator/internal/action"
	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/server/wire"
)

// AuthorizeRequest is the body that asks about a tool call.
type AuthorizeRequest struct {
	Tool      string      `json:"tool" minLength:"1" maxLength:"128" doc:"Name of the tool that is about to be called"`
	Arguments wire.Object `json:"arguments,omitzero" doc:"Arguments of the call, at most 64 KiB; absent: none"`
	Session   string      `json:"session,omitempty" maxLength:"128" doc:"Session of the agent. Absent: everything delivered in the last 30 minutes counts as one"`
	Schema    wire.Object `json:"schema,omitzero" doc:"Input schema of the tool as it was offered, at most 64 KiB; an approval holds for this schema only"`
}

// Request returns what is asked of the gate.
func (a AuthorizeRequest) Request() gate.ActionRequest {
	return gate.ActionRequest{Tool: a.Tool, Arguments: a.Arguments.RawMessage, Session: a.Session, Schema: a.Schema.RawMessage}
}

func (r routes) authorize(api huma.API) {
	op := wire.WithRoom(wire.WithBody(wire.Operation("authorize", http.MethodPost, "/v1/authorize", "Ask whether a tool may be called",
		"Decides by the policy's rules, by what was delivered to the session, by whether the user named the sensitive arguments, and by what a "+
			"person decided about exactly this call. An approval is used up by the answer that allows the call. Deciding is possible on the admin "+
			"port only.",
		http.StatusOK, http.StatusUnprocessableEntity, http.StatusTooManyRequests),
		wire.Example{Name: "payment", Summary: "Before a payment", Value: map[string]any{
			"tool": "payments_send", "arguments": map[string]any{"to": "DE89370400440532013000", "amount": 120}, "session": "ticket-4711",
		}},
		wire.Example{Name: "schema", Summary: "With the schema that the tool was offered with", Value: map[string]any{
			"tool": "mail_send", "arguments": map[string]any{"to": []any{"alice@example.com"}}, "session": "ticket-4711",
			"schema": map[string]any{"type": "object", "properties": map[string]any{"to": map[string]any{"type": "array"}}},
		}}), 2*action.MaxBytes)
	huma.Register(api, op, func(ctx context.Context, in *struct {
		wire.Tenant
		Body AuthorizeRequest
	}) (*wire.Answer[gate.Authorized], error) {
		out, err := r.gate.Authorize(ctx, caller(ctx, in.Tenant), in.Body.Request())
		return wire.Reply(r.log, wire.InBody, out, err)
	})
}
