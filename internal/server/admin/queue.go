// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package admin

import (
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/server/wire"
)

func (r routes) queue(api huma.API) {
	op := wire.Operation("list-queue", http.MethodGet, "/v1/queue", "See what waits to be decided",
		"Lists what waits for a person, oldest first, with content, near-duplicates, contradictions and what can be decided.",
		http.StatusOK, http.StatusUnprocessableEntity)
	huma.Register(api, op, func(ctx context.Context, in *struct {
		wire.Tenant
		wire.Paged
	}) (*wire.Answer[gate.Reviewed], error) {
		out, err := r.gate.Review(ctx, person(ctx, in.Tenant), gate.QueueQuery{Cursor: in.Cursor, Limit: in.Limit})
		return wire.Reply(r.log, wire.InQuery, out, err)
	})
}

func (r routes) contradictions(api huma.API) {
	op := wire.Operation("list-contradictions", http.MethodGet, "/v1/contradictions", "See contradictions",
		"Lists pairs of memories that cannot both hold, as far as a scan can tell, with their content.",
		http.StatusOK, http.StatusUnprocessableEntity)
	huma.Register(api, op, func(ctx context.Context, in *struct {
		wire.Tenant
		wire.Paged
		All bool `query:"all" doc:"Also those that were decided"`
	}) (*wire.Answer[gate.ContradictionPage], error) {
		out, err := r.gate.Contradictions(ctx, person(ctx, in.Tenant), gate.ContradictionQuery{Open: !in.All, Cursor: in.Cursor, Limit: in.Limit})
		return wire.Reply(r.log, wire.InQuery, out, err)
	})
}

func (r routes) scan(api huma.API) {
	op := wire.Operation("scan-contradictions", http.MethodPost, "/v1/contradictions/scan", "Look for contradictions now",
		"Does what happens on a schedule anyway. What is found waits for a person; nothing is resolved by itself.",
		http.StatusOK, http.StatusUnprocessableEntity)
	huma.Register(api, op, func(ctx context.Context, in *struct{ wire.Tenant }) (*wire.Answer[gate.Scanned], error) {
		out, err := r.gate.ScanContradictions(ctx, person(ctx, in.Tenant))
		return wire.Reply(r.log, wire.InQuery, out, err)
	})
}

// ResolveRequest is the body that decides a contradiction.
type ResolveRequest struct {
	Verdict string `json:"verdict" enum:"KeepA,KeepB,Merge,BothValid,NeedsMoreContext" doc:"What holds: one of the two, both, or what a person writes in their place"`
	Reason  string `json:"reason" minLength:"1" maxLength:"1024" doc:"Why; it stands in the history"`
	Content string `json:"content,omitempty" doc:"Merge: the memory that replaces both"`
	DryRun  bool   `json:"dryRun,omitempty" doc:"Say what would happen, and change nothing"`
}

func (r routes) resolve(api huma.API) {
	op := wire.WithBody(wire.Operation("resolve-contradiction", http.MethodPost, "/v1/contradictions/{id}/resolve", "Decide a contradiction",
		"KeepA and KeepB supersede the other memory, Merge replaces both, BothValid lets both stand, NeedsMoreContext leaves it open.",
		http.StatusOK, http.StatusNotFound, http.StatusUnprocessableEntity),
		wire.Example{Name: "preview", Summary: "What would happen", Value: map[string]any{
			"verdict": "KeepA", "reason": "the older one is in the contract", "dryRun": true,
		}})
	op.Responses = map[string]*huma.Response{"409": rulesResponse(api)}
	huma.Register(api, op, func(ctx context.Context, in *struct {
		wire.Tenant
		ID   string `path:"id" maxLength:"64" example:"0193a1f0-9a10-7d31-8b5e-6f2a7c4d1e05" doc:"Id of the contradiction"`
		Body ResolveRequest
	}) (*wire.Answer[gate.Decided], error) {
		b := in.Body
		out, err := r.gate.ResolveContradiction(ctx, person(ctx, in.Tenant), in.ID, gate.Resolution{
			Verdict: memory.ContradictionVerdict(b.Verdict), Reason: b.Reason, Content: b.Content, DryRun: b.DryRun,
		})
		if errors.Is(err, memory.ErrNotFound) {
			return nil, huma.Error404NotFound("There is no contradiction with this id.")
		}
		return wire.Reply(r.log, wire.InBody, out, err)
	})
}
