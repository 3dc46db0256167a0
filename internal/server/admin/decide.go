// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package admin

import (
	"context"
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/server/wire"
)

// Verbs are the decisions about a memory, by the last element of their path.
var Verbs = map[string]memory.Action{
	"approve":    memory.ActionApprove,
	"reject":     memory.ActionReject,
	"promote":    memory.ActionPromote,
	"attest":     memory.ActionAttest,
	"quarantine": memory.ActionQuarantine,
	"reopen":     memory.ActionReopen,
	"forget":     memory.ActionForget,
	"purge":      memory.ActionPurge,
}

// Anchor ties a memory to something outside the store that a person can look at.
type Anchor struct {
	SourceID       string `json:"sourceID" maxLength:"256" doc:"What the evidence is: a ticket, a document, an address"`
	EvidenceSHA256 string `json:"evidenceSHA256" maxLength:"64" doc:"SHA-256 of the evidence, 64 lower-case hex digits"`
}

// DecisionRequest is the body of a decision.
type DecisionRequest struct {
	Reason        string   `json:"reason" minLength:"1" maxLength:"1024" doc:"Why; it stands in the history"`
	Zone          string   `json:"zone,omitempty" enum:"Working,Trusted" doc:"promote: the zone to reach, one above the present one"`
	Anchor        *Anchor  `json:"anchor,omitempty" doc:"promote to Trusted: what backs it"`
	Corroborators []string `json:"corroborators,omitempty" maxItems:"16" nullable:"false" doc:"promote to Trusted: ids of memories that say the same; absent: they are looked for"`
	DryRun        bool     `json:"dryRun,omitempty" doc:"Say what would happen, rule by rule, and change nothing"`
}

// verbExamples are bodies that work for a verb.
func verbExamples(verb string) []wire.Example {
	examples := []wire.Example{{Name: "preview", Summary: "What would happen", Value: map[string]any{"reason": "checked with the author", "dryRun": true}}}
	if verb == "promote" {
		examples[0].Value.(map[string]any)["zone"] = "Trusted"
	}
	return examples
}

func (r routes) decide(api huma.API) {
	for verb, action := range Verbs {
		op := wire.WithBody(wire.Operation(verb+"-memory", http.MethodPost, "/v1/memories/{id}/"+verb, strings.ToUpper(verb[:1])+verb[1:]+" a memory",
			verbDescriptions[verb]+" The decision is about the version named in If-Match, and no other.",
			http.StatusOK, http.StatusForbidden, http.StatusNotFound, http.StatusPreconditionFailed, http.StatusPreconditionRequired, http.StatusUnprocessableEntity),
			verbExamples(verb)...)
		op.Responses = map[string]*huma.Response{"409": rulesResponse(api)}
		huma.Register(api, op, func(ctx context.Context, in *struct {
			MemoryPath
			Match string `header:"If-Match" doc:"Required: ETag of the version that was seen"`
			Body  DecisionRequest
		}) (*wire.Answer[gate.Decided], error) {
			commit, err := seen(in.Match)
			if err != nil {
				return nil, r.fail(err)
			}
			out, err := r.gate.Decide(ctx, person(ctx, in.Tenant), in.ID, in.Body.decision(action, commit))
			return wire.Reply(r.log, wire.InBody, out, err)
		})
	}
}

var verbDescriptions = map[string]string{
	"approve":    "It may stay; out of Quarantine it goes to Working. Approval never raises trust.",
	"reject":     "It may not stay: no recall delivers it, and what it held up is released. Reopen brings it back.",
	"promote":    "One zone up, where the rules are met.",
	"attest":     "It counts under the name of the person also where only authenticated origins do, as information. Zone and class stay.",
	"quarantine": "Out of reach of the agent until a person decides.",
	"reopen":     "What was rejected or forgotten waits in Quarantine again.",
	"forget":     "Out of every recall; the history stays.",
	"purge":      "Erases the content of every version and keeps the hashes. There is no way back.",
}

// seen returns the commit a decision is about; the error of one that names none has status 428.
func seen(match string) (string, error) {
	commit, err := wire.IfMatch(match)
	if err == nil && commit == "" {
		return "", wire.NewProblem(http.StatusPreconditionRequired, "", "Name the version you saw in the header If-Match: its ETag.")
	}
	return commit, err
}

// fail passes problems on and turns other errors into one.
func (r routes) fail(err error) error {
	if known, ok := err.(huma.StatusError); ok { //nolint:errorlint // made here, never wrapped
		return known
	}
	return wire.Error(r.log, wire.InBody, err)
}

func (b DecisionRequest) decision(action memory.Action, commit string) gate.Decision {
	d := gate.Decision{
		Action: action, Commit: commit, Reason: b.Reason, Zone: memory.Zone(b.Zone), Corroborators: b.Corroborators, DryRun: b.DryRun,
	}
	if b.Anchor != nil {
		d.Anchor = memory.Anchor{SourceID: b.Anchor.SourceID, EvidenceSHA256: b.Anchor.EvidenceSHA256}
	}
	return d
}

// rulesResponse describes the answer to a decision that does not meet the rules.
func rulesResponse(api huma.API) *huma.Response {
	schema := api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[wire.Problem](), true, "Problem")
	return &huma.Response{
		Description: "Not possible as the memory stands, or against the rules: then decided.rules says which",
		Content:     map[string]*huma.MediaType{"application/problem+json": {Schema: schema}},
	}
}

// PinRequest is the body of pinning and unpinning.
type PinRequest struct {
	Reason string `json:"reason" minLength:"1" maxLength:"1024" doc:"Why; it stands in the history"`
}

func (r routes) pin(api huma.API) {
	for verb, pinned := range map[string]bool{"pin": true, "unpin": false} {
		description := "A pinned memory never fades and comes first. Trust is not raised by it, and memories of low classes cannot be pinned."
		op := wire.WithBody(wire.Operation(verb+"-memory", http.MethodPost, "/v1/memories/{id}/"+verb, strings.ToUpper(verb[:1])+verb[1:]+" a memory",
			description, http.StatusOK, http.StatusForbidden, http.StatusNotFound, http.StatusPreconditionFailed, http.StatusPreconditionRequired,
			http.StatusUnprocessableEntity),
			wire.Example{Name: "reason", Summary: "With the reason", Value: map[string]any{"reason": "a standing preference"}})
		op.Responses = map[string]*huma.Response{"409": rulesResponse(api)}
		huma.Register(api, op, func(ctx context.Context, in *struct {
			MemoryPath
			Match string `header:"If-Match" doc:"Required: ETag of the version that was seen"`
			Body  PinRequest
		}) (*wire.Answer[gate.Decided], error) {
			commit, err := seen(in.Match)
			if err != nil {
				return nil, r.fail(err)
			}
			out, err := r.gate.Pin(ctx, person(ctx, in.Tenant), in.ID, pinned, commit, in.Body.Reason)
			return wire.Reply(r.log, wire.InBody, out, err)
		})
	}
}
