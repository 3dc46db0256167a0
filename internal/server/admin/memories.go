// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package admin

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
	"memorytrust.dev/operator/internal/server/wire"
)

// browseInput are the query parameters of a listing.
type browseInput struct {
	wire.Tenant
	Cursor  string    `query:"cursor" maxLength:"1024" doc:"The answer's next, to get the page after it"`
	Limit   int       `query:"limit" minimum:"1" maximum:"1000" doc:"Most memories on the page, which ends earlier where they are long; 50 when absent"`
	Zone    string    `query:"zone" enum:"Quarantine,Working,Trusted" doc:"Only this zone"`
	States  []string  `query:"state,explode" maxItems:"8" enum:"Active,PendingReview,Approved,Rejected,Forgotten,Stale,Disputed,Superseded" doc:"Only these states; repeatable. Absent: all but Rejected and Forgotten"`
	Class   string    `query:"class" enum:"UserInput,Manual,SystemMemory,AgentInferred,SubagentTrace,ToolOutput,WebContent,Unknown" doc:"Only this source class"`
	Kinds   []string  `query:"kind,explode" maxItems:"16" doc:"Only these kinds; repeatable"`
	Tags    []string  `query:"tag,explode" maxItems:"16" doc:"Only memories with all of these tags; repeatable"`
	Subject string    `query:"subject" maxLength:"256" doc:"Only memories about exactly this"`
	Since   time.Time `query:"since" doc:"Only memories written at this time or later"`
	Until   time.Time `query:"until" doc:"Only memories written before this time"`
}

func (in browseInput) browsing() gate.Browsing {
	b := gate.Browsing{Listing: gate.Listing{
		Zone: memory.Zone(in.Zone), Class: provenance.Class(in.Class), Kinds: in.Kinds, Tags: in.Tags, Subject: in.Subject,
		Since: in.Since, Until: in.Until, Cursor: in.Cursor, Limit: in.Limit,
	}}
	for _, s := range in.States {
		b.States = append(b.States, memory.State(s))
	}
	return b
}

func (r routes) browse(api huma.API) {
	op := wire.Operation("list-memories", http.MethodGet, "/v1/memories", "List memories",
		"Lists memories of any zone and state in the order they were written, without their content.",
		http.StatusOK, http.StatusUnprocessableEntity)
	huma.Register(api, op, func(ctx context.Context, in *browseInput) (*wire.Answer[gate.Page], error) {
		out, err := r.gate.Browse(ctx, person(ctx, in.Tenant), in.browsing())
		return wire.Reply(r.log, wire.InQuery, out, err)
	})
}

// inspected is the answer to looking at one memory.
type inspected struct {
	ETag string `header:"ETag" doc:"Names the version; give it as If-Match to decide about what was seen"`
	Body gate.Inspected
}

func (r routes) inspect(api huma.API) {
	op := wire.Operation("get-memory", http.MethodGet, "/v1/memories/{id}", "Look at a memory",
		"Returns one memory with its content, in any zone and state: as it is, as it was at a time, or one version of it.",
		http.StatusOK, http.StatusNotFound, http.StatusUnprocessableEntity)
	huma.Register(api, op, func(ctx context.Context, in *struct {
		MemoryPath
		At     time.Time `query:"at" doc:"As it was at this time"`
		Commit string    `query:"commit" maxLength:"64" doc:"The version with this commit"`
	}) (*inspected, error) {
		out, err := r.gate.Inspect(ctx, person(ctx, in.Tenant), in.ID, gate.Reading{At: in.At, Commit: in.Commit})
		if err != nil {
			return nil, wire.Error(r.log, wire.InQuery, err)
		}
		return &inspected{ETag: wire.ETag(out.Commit), Body: out}, nil
	})
}

// History is a page of versions of a memory.
type History struct {
	Versions []gate.Inspected `json:"versions" nullable:"false" doc:"The versions, newest first, with their content"`
	Next     string           `json:"next,omitempty" doc:"Pass as cursor to get the next page; absent on the last"`
}

func (r routes) history(api huma.API) {
	op := wire.Operation("log-memory", http.MethodGet, "/v1/memories/{id}/log", "See the versions of a memory",
		"Lists all versions of a memory, newest first, with content, reasons and who made each.",
		http.StatusOK, http.StatusNotFound, http.StatusUnprocessableEntity)
	huma.Register(api, op, func(ctx context.Context, in *struct {
		MemoryPath
		Cursor string `query:"cursor" maxLength:"1024" doc:"The answer's next, to get the page after it"`
		Limit  int    `query:"limit" minimum:"1" maximum:"500" doc:"Most versions on the page; 50 when absent"`
	}) (*wire.Answer[History], error) {
		versions, next, err := r.gate.InspectLog(ctx, person(ctx, in.Tenant), in.ID, gate.LogQuery{Cursor: in.Cursor, Limit: in.Limit})
		return wire.Reply(r.log, wire.InQuery, History{Versions: versions, Next: next}, err)
	})
}
