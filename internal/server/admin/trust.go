// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package admin

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/provenance"
	"memorytrust.dev/operator/internal/server/wire"
)

// AttestRequest is the body of attesting many memories at once. Exactly one of IDs, Source and Class says which.
type AttestRequest struct {
	IDs    []string `json:"ids,omitempty" maxItems:"1000" nullable:"false" doc:"Ids of memories"`
	Source string   `json:"source,omitempty" maxLength:"256" doc:"Those of exactly this source that claim trust"`
	Class  string   `json:"class,omitempty" enum:"UserInput,Manual,SystemMemory" doc:"Those of this class"`
	Reason string   `json:"reason" minLength:"1" maxLength:"1024" doc:"Why; it stands in the history of each"`
	DryRun bool     `json:"dryRun,omitempty" doc:"Say what would happen and change nothing"`
}

func (r routes) trustReport(api huma.API) {
	op := wire.Operation("trust-report", http.MethodGet, "/v1/trust-report", "What mode Signed would not trust",
		"Looks at all memories of the namespace that are of class UserInput, Manual or SystemMemory, and counts by reason those that trust mode Signed does not trust: "+
			"what a change from Prefix to Signed costs. Nothing is changed, and no content told.",
		http.StatusOK, http.StatusUnprocessableEntity)
	huma.Register(api, op, func(ctx context.Context, in *struct{ wire.Tenant }) (*wire.Answer[gate.TrustReport], error) {
		out, err := r.gate.TrustReport(ctx, person(ctx, in.Tenant))
		return wire.Reply(r.log, wire.InQuery, out, err)
	})
}

func (r routes) attest(api huma.API) {
	op := wire.WithBody(wire.Operation("attest", http.MethodPost, "/v1/attestations", "Attest many memories",
		"Puts a person's name to memories that no channel vouches for, so that they are trusted under mode Signed, as information. They are signed "+
			"anew. Left out are directives and what waits for a person, which are decided about one by one, and whatever does not verify. Repeating a "+
			"request goes on where it stopped.",
		http.StatusOK, http.StatusUnprocessableEntity),
		wire.Example{Name: "source", Summary: "What would become of one source", Value: map[string]any{
			"source": "operator:console", "reason": "written by operations before there was a channel", "dryRun": true,
		}},
		wire.Example{Name: "class", Summary: "What would become of one class", Value: map[string]any{
			"class": "SystemMemory", "reason": "reviewed with the owner", "dryRun": true,
		}})
	huma.Register(api, op, func(ctx context.Context, in *struct {
		wire.Tenant
		Body AttestRequest
	}) (*wire.Answer[gate.Attested], error) {
		b := in.Body
		out, err := r.gate.Attest(ctx, person(ctx, in.Tenant), gate.Attestation{
			IDs: b.IDs, Source: b.Source, Class: provenance.Class(b.Class), Reason: b.Reason, DryRun: b.DryRun,
		})
		return wire.Reply(r.log, wire.InBody, out, err)
	})
}
