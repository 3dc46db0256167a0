// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package admin

import (
	"context"
	"encoding/json"
	"mime"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
	"memorytrust.dev/operator/internal/server/wire"
)

// Content types of an explanation.
const (
	Markdown = "text/markdown"
	Text     = "text/plain"
)

// ExplainRequest is a recall that a person wants explained.
type ExplainRequest struct {
	Query  string        `json:"query" maxLength:"8192" doc:"Free text; empty asks for the most recent memories"`
	Limit  int           `json:"limit,omitempty" minimum:"1" maximum:"200" doc:"Most memories to return; 10 when absent, never more than the policy allows"`
	Zones  []memory.Zone `json:"zones,omitempty" maxItems:"3" nullable:"false" enum:"Quarantine,Working,Trusted" doc:"Look in these zones only"`
	Kinds  []string      `json:"kinds,omitempty" maxItems:"16" nullable:"false" doc:"Only memories of one of these kinds"`
	Tags   []string      `json:"tags,omitempty" maxItems:"16" nullable:"false" doc:"Only memories with all of these tags"`
	Since  time.Time     `json:"since,omitzero" doc:"Only memories written at this time or later"`
	Until  time.Time     `json:"until,omitzero" doc:"Only memories written before this time"`
	Tokens int           `json:"tokens,omitempty" minimum:"1" maximum:"1000000" doc:"Most tokens that context may take, as estimated"`
}

// explained is an answer in the form the caller accepts.
type explained struct {
	ContentType string `header:"Content-Type"`
	Body        []byte
}

func (r routes) explain(api huma.API) {
	op := wire.WithBody(wire.Operation("explain-recall", http.MethodPost, "/v1/xray", "Explain a recall",
		"Says for each memory that a recall looks at why it would come or not. Nothing is delivered and nothing logged as such. "+
			"The header Accept decides about the form.",
		http.StatusOK, http.StatusUnprocessableEntity),
		wire.Example{Name: "question", Summary: "A question", Value: map[string]any{"query": "which units does the user prefer"}})
	text := &huma.Schema{Type: huma.TypeString}
	op.Responses = map[string]*huma.Response{"200": {Content: map[string]*huma.MediaType{
		wire.JSON: {Schema: api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[gate.XRay](), true, "XRay")},
		Markdown:  {Schema: text}, Text: {Schema: text},
	}}}
	huma.Register(api, op, func(ctx context.Context, in *struct {
		wire.Tenant
		Accept string `header:"Accept" doc:"application/json, text/markdown or text/plain"`
		Body   ExplainRequest
	}) (*explained, error) {
		q := in.Body
		x, err := r.gate.Explain(ctx, person(ctx, in.Tenant), gate.Recall{
			Query: q.Query, Limit: q.Limit, Zones: q.Zones, Kinds: q.Kinds, Tags: q.Tags, Since: q.Since, Until: q.Until,
			Tokens: q.Tokens, XRay: true,
		})
		if err != nil {
			return nil, wire.Error(r.log, wire.InBody, err)
		}
		switch accepted(in.Accept) {
		case Markdown:
			return &explained{ContentType: Markdown + "; charset=utf-8", Body: []byte(x.Markdown())}, nil
		case Text:
			return &explained{ContentType: Text + "; charset=utf-8", Body: []byte(x.Text())}, nil
		}
		body, err := json.Marshal(x)
		if err != nil {
			return nil, wire.Error(r.log, wire.InBody, err)
		}
		return &explained{ContentType: wire.JSON, Body: body}, nil
	})
}

// accepted returns the first content type of an Accept header that an explanation comes in; JSON if there is none.
func accepted(header string) string {
	for part := range strings.SplitSeq(header, ",") {
		mediaType, _, err := mime.ParseMediaType(part)
		if err == nil && (mediaType == Markdown || mediaType == Text || mediaType == wire.JSON) {
			return mediaType
		}
	}
	return wire.JSON
}

// DeliveryEntry says that a version of a memory was shown to a session of the agent.
type DeliveryEntry struct {
	Memory  string           `json:"memory" doc:"Id of the memory"`
	Session string           `json:"session,omitempty" doc:"Session it was shown to; absent: none was named"`
	Class   provenance.Class `json:"class" doc:"Source class it counted as"`
	Score   float64          `json:"score" doc:"Score in the recall; 0 outside of one"`
	Seq     uint64           `json:"seq" doc:"Entry of the audit log that made the version"`
	At      time.Time        `json:"at" doc:"When"`
}

// Deliveries are entries of the delivery log.
type Deliveries struct {
	Deliveries []DeliveryEntry `json:"deliveries" nullable:"false" doc:"What was delivered, newest first"`
}

func (r routes) deliveries(api huma.API) {
	op := wire.Operation("list-deliveries", http.MethodGet, "/v1/deliveries", "See what was delivered",
		"Lists which version of which memory was shown to which session of the agent, newest first.",
		http.StatusOK, http.StatusUnprocessableEntity)
	huma.Register(api, op, func(ctx context.Context, in *struct {
		wire.Tenant
		Session string `query:"session" maxLength:"128" doc:"Only to this session"`
		Memory  string `query:"memory" maxLength:"64" doc:"Only of this memory"`
		Limit   int    `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"Most entries"`
	}) (*wire.Answer[Deliveries], error) {
		found, err := r.gate.Deliveries(ctx, person(ctx, in.Tenant), gate.DeliveryQuery{Session: in.Session, ID: in.Memory, Limit: in.Limit})
		out := Deliveries{Deliveries: make([]DeliveryEntry, len(found))}
		for i, d := range found {
			out.Deliveries[i] = DeliveryEntry{Memory: d.RecordID, Session: d.Session, Class: d.Class, Score: d.Score, Seq: d.Seq, At: d.At}
		}
		return wire.Reply(r.log, wire.InQuery, out, err)
	})
}
