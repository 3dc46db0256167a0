// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package rest

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// routes are the operations of both ports.
type routes struct {
	gate *gate.Gate
	log  *slog.Logger
}

// operation fills in what all operations share. Bodies are bounded and read before huma sees them.
func operation(id, method, path, summary, description string, status int, problems ...int) huma.Operation {
	return huma.Operation{
		OperationID: id, Method: method, Path: path, Summary: summary, Description: description, DefaultStatus: status,
		Errors:       append(problems, http.StatusInternalServerError, http.StatusServiceUnavailable),
		MaxBodyBytes: -1, BodyReadTimeout: -1,
	}
}

// answer is a response with a JSON body.
type answer[T any] struct {
	Body T
}

// WriteRequest is the body of a write.
type WriteRequest struct {
	Content string   `json:"content" minLength:"1" doc:"The memory; kept byte for byte. The policy bounds its length"`
	Source  string   `json:"source,omitempty" maxLength:"512" doc:"Where it came from, as the caller says, for example operator:console or web:example.org. Absent: the agent itself"`
	Kind    string   `json:"kind,omitempty" maxLength:"64" doc:"Kept with the memory for people and detectors; not delivered"`
	Tags    []string `json:"tags,omitempty" maxItems:"16" nullable:"false" doc:"Kept with the memory for people and detectors; not delivered"`
	Session string   `json:"session,omitempty" maxLength:"128" doc:"Session of the agent. Absent: everything delivered in the last 30 minutes counts as one"`
	Parents []string `json:"parents,omitempty" maxItems:"64" nullable:"false" doc:"Ids of the memories this one was derived from; it gets at most the lowest of their classes"`
}

func (r routes) write(api huma.API) {
	op := operation("write-memory", http.MethodPost, "/v1/memories", "Store a memory",
		"Screens, signs and stores a memory. Quarantine is a normal answer: stored, not recalled, for review by a person.",
		http.StatusCreated, http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType,
		http.StatusUnprocessableEntity)
	huma.Register(api, op, func(ctx context.Context, in *struct{ Body WriteRequest }) (*answer[gate.Written], error) {
		b := in.Body
		out, err := r.gate.Encode(ctx, callerOf(ctx), gate.Write{
			Content: b.Content, Source: b.Source, Kind: b.Kind, Tags: b.Tags, Session: b.Session, Parents: b.Parents,
		})
		return reply(r, out, inBody, err)
	})
}

// RecallRequest is the body of a recall.
type RecallRequest struct {
	Query   string        `json:"query" maxLength:"8192" doc:"Free text; empty asks for the most recent memories"`
	Session string        `json:"session,omitempty" maxLength:"128" doc:"Session of the agent"`
	Limit   int           `json:"limit,omitempty" minimum:"1" maximum:"200" doc:"Most memories to return; 10 when absent, never more than the policy allows"`
	Zones   []memory.Zone `json:"zones,omitempty" maxItems:"3" nullable:"false" enum:"Quarantine,Working,Trusted" doc:"Look in these zones only. What is in Quarantine is reported, not delivered"`
}

func (r routes) recall(api huma.API) {
	op := operation("recall", http.MethodPost, "/v1/recall", "Recall memories",
		"Finds memories, withholds what the policy distrusts and says so, and logs what was delivered to the session.",
		http.StatusOK, http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType,
		http.StatusUnprocessableEntity)
	huma.Register(api, op, func(ctx context.Context, in *struct{ Body RecallRequest }) (*answer[gate.Recalled], error) {
		b := in.Body
		out, err := r.gate.Recall(ctx, gate.Recall{Query: b.Query, Session: b.Session, Limit: b.Limit, Zones: b.Zones})
		return reply(r, out, inBody, err)
	})
}

// listInput are the query parameters of a listing.
type listInput struct {
	Zone    string `query:"zone" enum:"Quarantine,Working,Trusted" doc:"Only this zone"`
	Class   string `query:"class" enum:"UserInput,Manual,SystemMemory,AgentInferred,SubagentTrace,ToolOutput,WebContent,Unknown" doc:"Only this source class"`
	After   string `query:"after" maxLength:"64" doc:"Id of the last memory of the page before"`
	Limit   int    `query:"limit" minimum:"1" maximum:"100" default:"50" doc:"Most memories on the page"`
	Session string `query:"session" maxLength:"128" doc:"Session of the agent"`
}

func (r routes) list(api huma.API) {
	op := operation("list-memories", http.MethodGet, "/v1/memories", "List memories",
		"Lists memories in the order they were written. Counts as delivery; withheld memories show up without their content.",
		http.StatusOK, http.StatusUnprocessableEntity)
	huma.Register(api, op, func(ctx context.Context, in *listInput) (*answer[gate.Listed], error) {
		out, err := r.gate.List(ctx, gate.Listing{
			Zone: memory.Zone(in.Zone), Class: provenance.Class(in.Class), After: in.After, Limit: in.Limit, Session: in.Session,
		})
		return reply(r, out, inQuery, err)
	})
}

func (r routes) get(api huma.API) {
	op := operation("get-memory", http.MethodGet, "/v1/memories/{id}", "Get a memory",
		"Returns one memory. Counts as delivery. What may not be delivered is answered like what does not exist.",
		http.StatusOK, http.StatusNotFound, http.StatusUnprocessableEntity)
	huma.Register(api, op, func(ctx context.Context, in *struct {
		ID      string `path:"id" maxLength:"64" doc:"Id of the memory"`
		Session string `query:"session" maxLength:"128" doc:"Session of the agent"`
	}) (*answer[gate.Delivered], error) {
		out, err := r.gate.Get(ctx, in.ID, in.Session)
		return reply(r, out, inQuery, err)
	})
}

// forgetAnswer says by its status whether the memory is forgotten (200) or a person has to do it (202).
type forgetAnswer struct {
	Status int
	Body   gate.Forgotten
}

func (r routes) forget(api huma.API) {
	op := operation("forget-memory", http.MethodDelete, "/v1/memories/{id}", "Forget a memory",
		"Takes a memory out of every recall; its history is kept for people. The answer is 202, and nothing changes, for what "+
			"the caller may not forget by itself.",
		http.StatusOK, http.StatusNotFound, http.StatusConflict)
	op.Responses = map[string]*huma.Response{
		"202": {Description: "Nothing was changed: a person has to do it"},
	}
	huma.Register(api, op, func(ctx context.Context, in *struct {
		ID string `path:"id" maxLength:"64" doc:"Id of the memory"`
	}) (*forgetAnswer, error) {
		out, err := r.gate.Forget(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, problem(r.log, inQuery, err)
		}
		status := http.StatusOK
		if !out.Done {
			status = http.StatusAccepted
		}
		return &forgetAnswer{Status: status, Body: out}, nil
	})
}

func (r routes) zones(api huma.API) {
	op := operation("count-zones", http.MethodGet, "/v1/zones", "Count memories by zone", "Counts only; tells nothing of what they say.",
		http.StatusOK)
	huma.Register(api, op, func(ctx context.Context, _ *struct{}) (*answer[gate.ZoneCounts], error) {
		out, err := r.gate.Zones(ctx)
		return reply(r, out, inQuery, err)
	})
}

// ScreenRequest is the body of a screening.
type ScreenRequest struct {
	Items []ScreenItem `json:"items" minItems:"1" maxItems:"100" nullable:"false" doc:"Texts to screen"`
}

// ScreenItem is one text to screen.
type ScreenItem struct {
	Content string `json:"content" doc:"The text"`
	Source  string `json:"source,omitempty" maxLength:"512" doc:"Where it came from, as the caller says"`
}

// ScreenAnswer holds a result for each item, in order.
type ScreenAnswer struct {
	Items []gate.Screened `json:"items" nullable:"false" doc:"What would become of each text"`
}

func (r routes) screen(api huma.API) {
	op := operation("screen", http.MethodPost, "/v1/screen", "Screen texts",
		"Says what would become of texts, and stores nothing.", http.StatusOK,
		http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity)
	huma.Register(api, op, func(ctx context.Context, in *struct{ Body ScreenRequest }) (*answer[ScreenAnswer], error) {
		items := make([]gate.ScreenItem, len(in.Body.Items))
		for i, item := range in.Body.Items {
			items[i] = gate.ScreenItem{Content: item.Content, Source: item.Source}
		}
		out, err := r.gate.Screen(ctx, callerOf(ctx), items)
		return reply(r, ScreenAnswer{Items: out}, inBody, err)
	})
}

// reply turns what the gate returned into a response or a problem.
func reply[T any](r routes, out T, where location, err error) (*answer[T], error) {
	if err != nil {
		return nil, problem(r.log, where, err)
	}
	return &answer[T]{Body: out}, nil
}
