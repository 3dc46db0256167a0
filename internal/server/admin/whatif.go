// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package admin

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/server/wire"
)

func (r routes) whatIf(api huma.API) {
	op := wire.Operation("what-if", http.MethodGet, "/v1/memories/{id}/whatif", "See what would have been without a memory",
		"Goes through the reads of a session, its mark, and the tool calls that a person was asked about once more, as if the memory and what goes back to "+
			"it had never been delivered. Nothing is changed, delivered or logged as such.",
		http.StatusOK, http.StatusNotFound, http.StatusUnprocessableEntity)
	huma.Register(api, op, func(ctx context.Context, in *struct {
		MemoryPath
		Session string `query:"session" maxLength:"128" doc:"Session to go through; absent: those it was delivered to, the newest first"`
		Limit   int    `query:"limit" minimum:"1" maximum:"50" default:"10" doc:"Most sessions"`
	}) (*wire.Answer[gate.WhatIf], error) {
		out, err := r.gate.WhatIf(ctx, person(ctx, in.Tenant), gate.WhatIfQuery{ID: in.ID, Session: in.Session, Limit: in.Limit})
		return wire.Reply(r.log, wire.InQuery, out, err)
	})
}

// WhatIf says what a session would have been without a memory, or for an empty name those it was delivered to.
func (c *Client) WhatIf(ctx context.Context, id, session string, limit int) (gate.WhatIf, error) {
	query := url.Values{}
	if session != "" {
		query.Set("session", session)
	}
	if limit > 0 {
		query.Set("limit", strconv.Itoa(limit))
	}
	return fetch[gate.WhatIf](ctx, c, call{method: http.MethodGet, path: memoryPath(id, "/whatif"), query: query})
}
