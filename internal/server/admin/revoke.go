// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package admin

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/server/wire"
)

// RevokeRequest is the body of a revocation. Exactly one of Record, Source, Principal and KeyID says which memories.
type RevokeRequest struct {
	Record    string `json:"record,omitempty" maxLength:"64" doc:"Id of a memory"`
	Source    string `json:"source,omitempty" maxLength:"256" doc:"Memories of exactly this source"`
	Principal string `json:"principal,omitempty" maxLength:"256" doc:"Memories written by this principal, through any channel"`
	KeyID     string `json:"keyID,omitempty" maxLength:"20" doc:"Memories whose newest version this key signed"`
	Reason    string `json:"reason" minLength:"1" maxLength:"924" doc:"Why; it stands in the history of each"`
	DryRun    bool   `json:"dryRun,omitempty" doc:"List what would be revoked, and change nothing"`
	Cursor    string `json:"cursor,omitempty" maxLength:"512" doc:"dryRun: next of the page before"`
	Limit     int    `json:"limit,omitempty" minimum:"1" maximum:"1000" doc:"Memories to list; 100 by default"`
}

func (r routes) revoke(api huma.API) {
	op := wire.WithBody(wire.Operation("revoke", http.MethodPost, "/v1/revocations", "Revoke memories and what goes back to them",
		"For what was never to be trusted: a memory, or all of a source, principal or key. Those are rejected, and whatever goes back to them by its lineage waits in Quarantine "+
			"for a person. With dryRun it lists them, without content. Repeating a request goes on where it stopped.",
		http.StatusOK, http.StatusNotFound, http.StatusUnprocessableEntity),
		wire.Example{Name: "preview", Summary: "What goes back to a source", Value: map[string]any{"source": "web:nordwind.example", "reason": "the site was taken over", "dryRun": true}},
		wire.Example{Name: "principal", Summary: "All that one principal wrote", Value: map[string]any{"principal": "runner", "reason": "its token leaked", "dryRun": true}},
		wire.Example{Name: "key", Summary: "All that one key signed", Value: map[string]any{"keyID": "2046411234", "reason": "the key leaked", "dryRun": true}})
	huma.Register(api, op, func(ctx context.Context, in *struct {
		wire.Tenant
		Body RevokeRequest
	}) (*wire.Answer[gate.Revoked], error) {
		b := in.Body
		out, err := r.gate.Revoke(ctx, person(ctx, in.Tenant), gate.Revocation{
			Record: b.Record, Source: b.Source, Principal: b.Principal, KeyID: b.KeyID, Reason: b.Reason, DryRun: b.DryRun,
			Cursor: b.Cursor, Limit: b.Limit,
		})
		return wire.Reply(r.log, wire.InBody, out, err)
	})
}
