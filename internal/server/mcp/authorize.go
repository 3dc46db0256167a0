// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package mcp

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/server/wire"
)

type authorizeInput struct {
	Tool      string      `json:"tool" minLength:"1" maxLength:"128" doc:"Name of the tool you are about to call"`
	Arguments wire.Object `json:"arguments,omitzero" doc:"The arguments of that call, exactly as you will give them"`
	Schema    wire.Object `json:"schema,omitzero" doc:"Input schema of that tool, as it was offered to you"`
}

func (s *service) registerAuthorize(server *mcp.Server) {
	register(server, s, spec{
		name: "authorize", title: "May I call this tool?",
		description: "Ask before you call a tool that has consequences, with exactly the arguments you will give. Call it only if the decision is " +
			"Allow. If it is RequireApproval, tell the user that a person has to decide, and do not reword the call. An allowed call is allowed once.",
	}, s.authorize)
}

// authorize asks about a call of another tool. The session is that of the conversation: the model does not choose it.
func (s *service) authorize(ctx context.Context, c conversation, in authorizeInput) (reply[gate.Authorized], error) {
	out, err := s.gate.Authorize(ctx, c.caller, gate.ActionRequest{
		Tool: in.Tool, Arguments: in.Arguments.RawMessage, Session: c.session, Schema: in.Schema.RawMessage,
	})
	if err != nil {
		return reply[gate.Authorized]{}, err
	}
	meta := mcp.Meta{}
	if out.ApprovalID != "" {
		meta[metaReviewID] = out.ApprovalID
	}
	return reply[gate.Authorized]{value: out, text: []string{string(out.Decision) + ". " + out.Message}, meta: meta}, nil
}
