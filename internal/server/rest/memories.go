// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package rest

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

// WriteRequest is the body of a write.
type WriteRequest struct {
	Content    string            `json:"content" minLength:"1" doc:"The memory; kept byte for byte. The policy bounds its length"`
	Source     string            `json:"source,omitempty" maxLength:"512" doc:"Where it came from, as the caller says, for example operator:console or web:example.org. Absent: the agent itself"`
	Kind       string            `json:"kind,omitempty" maxLength:"64" doc:"Free, to find it by"`
	Tags       []string          `json:"tags,omitempty" maxItems:"16" nullable:"false" doc:"Free, to find it by"`
	Subject    string            `json:"subject,omitempty" maxLength:"256" doc:"What it is about, as the caller names it"`
	Metadata   map[string]string `json:"metadata,omitempty" doc:"Free, at most 16 entries; for example the model that said it"`
	Confidence int               `json:"confidencePerMille,omitempty" minimum:"0" maximum:"1000" doc:"How sure the caller is; the class bounds what counts"`
	Salience   int               `json:"saliencePerMille,omitempty" minimum:"0" maximum:"1000" doc:"How much it matters; the class bounds what counts"`
	Pinned     bool              `json:"pinned,omitempty" doc:"Whether it never fades; only high classes can ask for it"`
	Supersedes []string          `json:"supersedes,omitempty" maxItems:"16" nullable:"false" doc:"Ids of memories it replaces, as far as the caller may replace them"`
	Session    string            `json:"session,omitempty" maxLength:"128" doc:"Session of the agent. Absent: everything delivered in the last 30 minutes counts as one"`
	Parents    []string          `json:"parents,omitempty" maxItems:"64" nullable:"false" doc:"Ids of the memories this one was derived from; it gets at most the lowest of their classes"`
}

// written is the answer to a write or an edit.
type written struct {
	Status   int
	Location string `header:"Location" doc:"Where the memory is"`
	ETag     string `header:"ETag" doc:"Names its version"`
	Replayed string `header:"Idempotency-Replayed" doc:"true where the answer is that of an earlier request with the same key"`
	Body     gate.Written
}

func answerWritten(status int, out gate.Written, t wire.Tenant) *written {
	a := &written{Status: status, Location: memoryURL(out.ID, t), ETag: wire.ETag(out.Commit), Body: out}
	if out.Replayed {
		a.Replayed = "true"
	}
	return a
}

func (r routes) write(api huma.API) {
	op := wire.WithBody(wire.Operation("write-memory", http.MethodPost, "/v1/memories", "Store a memory",
		"Screens, signs and stores a memory. Quarantine is a normal answer: stored, not recalled, for review by a person.",
		http.StatusCreated, http.StatusForbidden, http.StatusConflict, http.StatusUnprocessableEntity, http.StatusTooManyRequests),
		wire.Example{Name: "fact", Summary: "What the agent noticed", Value: map[string]any{
			"content": "The user prefers metric units.", "kind": "preference", "tags": []any{"preference"}, "session": "ticket-4711",
		}},
		wire.Example{Name: "page", Summary: "What a web page said", Value: map[string]any{
			"content": "The museum closes at five on Fridays.", "source": "web:example.org", "subject": "museum",
			"metadata": map[string]any{"model": "reader-1"}, "confidencePerMille": 600,
		}})
	huma.Register(api, op, func(ctx context.Context, in *struct {
		wire.Tenant
		Key  string `header:"Idempotency-Key" maxLength:"128" doc:"Names the request, so that sending it again stores nothing twice"`
		Body WriteRequest
	}) (*written, error) {
		key, err := idempotencyKey(in.Key, in.Namespace, in.Body)
		if err != nil {
			return nil, wire.Error(r.log, wire.InBody, err)
		}
		b := in.Body
		out, err := r.gate.Encode(ctx, caller(ctx, in.Tenant), gate.Write{
			Content: b.Content, Source: b.Source, Kind: b.Kind, Tags: b.Tags, Session: b.Session, Parents: b.Parents,
			Subject: b.Subject, Metadata: b.Metadata, Confidence: b.Confidence, Salience: b.Salience, Pin: b.Pinned,
			Supersedes: b.Supersedes, Idempotency: key,
		})
		if err != nil {
			return nil, wire.Error(r.log, wire.InBody, err)
		}
		return answerWritten(http.StatusCreated, out, in.Tenant), nil
	})
}

// listInput are the query parameters of a listing.
type listInput struct {
	wire.Tenant
	wire.Paged
	Zone    string    `query:"zone" enum:"Quarantine,Working,Trusted" doc:"Only this zone"`
	Class   string    `query:"class" enum:"UserInput,Manual,SystemMemory,AgentInferred,SubagentTrace,ToolOutput,WebContent,Unknown" doc:"Only this source class"`
	Kinds   []string  `query:"kind,explode" maxItems:"16" doc:"Only these kinds; repeatable"`
	Tags    []string  `query:"tag,explode" maxItems:"16" doc:"Only memories with all of these tags; repeatable"`
	Subject string    `query:"subject" maxLength:"256" doc:"Only memories about exactly this"`
	Since   time.Time `query:"since" doc:"Only memories written at this time or later"`
	Until   time.Time `query:"until" doc:"Only memories written before this time"`
	Session string    `query:"session" maxLength:"128" doc:"Session of the agent"`
}

func (in listInput) listing() gate.Listing {
	return gate.Listing{
		Zone: memory.Zone(in.Zone), Class: provenance.Class(in.Class), Kinds: in.Kinds, Tags: in.Tags, Subject: in.Subject,
		Since: in.Since, Until: in.Until, Cursor: in.Cursor, Limit: in.Limit, Session: in.Session,
	}
}

func (r routes) list(api huma.API) {
	op := wire.Operation("list-memories", http.MethodGet, "/v1/memories", "List memories",
		"Lists memories in the order they were written. Counts as delivery; withheld memories show up without their content.",
		http.StatusOK, http.StatusUnprocessableEntity)
	huma.Register(api, op, func(ctx context.Context, in *listInput) (*wire.Answer[gate.Listed], error) {
		out, err := r.gate.List(ctx, caller(ctx, in.Tenant), in.listing())
		return wire.Reply(r.log, wire.InQuery, out, err)
	})
}

// read is the answer to reading one memory.
type read struct {
	Status int
	ETag   string `header:"ETag" doc:"Names the version"`
	Body   gate.Delivered
}

func (r routes) get(api huma.API) {
	op := wire.Operation("get-memory", http.MethodGet, "/v1/memories/{id}", "Get a memory",
		"Returns one memory as it is, or as it was at a time. Counts as delivery, also where the answer is 304. What may not be "+
			"delivered is answered like what does not exist.",
		http.StatusOK, http.StatusNotFound, http.StatusUnprocessableEntity)
	op.Responses = map[string]*huma.Response{"304": {Description: "The caller has this version already"}}
	huma.Register(api, op, func(ctx context.Context, in *struct {
		MemoryPath
		At        time.Time `query:"at" doc:"As it was at this time"`
		NoneMatch string    `header:"If-None-Match" doc:"ETags the caller has; 304 if the memory is at one of them"`
	}) (*read, error) {
		out, err := r.gate.Get(ctx, caller(ctx, in.Tenant), in.ID, gate.Reading{Session: in.Session, At: in.At})
		if err != nil {
			return nil, wire.Error(r.log, wire.InQuery, err)
		}
		answer := &read{Status: http.StatusOK, ETag: wire.ETag(out.Commit), Body: out}
		if wire.NoneMatch(in.NoneMatch, out.Commit) {
			answer.Status = http.StatusNotModified // a 304 has no body
		}
		return answer, nil
	})
}

func (r routes) history(api huma.API) {
	op := wire.Operation("log-memory", http.MethodGet, "/v1/memories/{id}/log", "See the versions of a memory",
		"Lists the versions of a memory that may be delivered, newest first: what was done, when, and by what kind of actor. Counts as delivery.",
		http.StatusOK, http.StatusNotFound, http.StatusUnprocessableEntity)
	huma.Register(api, op, func(ctx context.Context, in *struct {
		MemoryPath
		Cursor string `query:"cursor" maxLength:"1024" doc:"The answer's next, to get the page after it"`
		Limit  int    `query:"limit" minimum:"1" maximum:"500" doc:"Most versions on the page; 50 when absent"`
	}) (*wire.Answer[gate.Logged], error) {
		out, err := r.gate.Log(ctx, caller(ctx, in.Tenant), in.ID, gate.LogQuery{Session: in.Session, Cursor: in.Cursor, Limit: in.Limit})
		return wire.Reply(r.log, wire.InQuery, out, err)
	})
}

func (r routes) version(api huma.API) {
	op := wire.Operation("get-memory-commit", http.MethodGet, "/v1/memories/{id}/commits/{commit}", "Get a version of a memory",
		"Returns one version of a memory, as long as it may be delivered. Counts as delivery.",
		http.StatusOK, http.StatusNotFound, http.StatusUnprocessableEntity)
	huma.Register(api, op, func(ctx context.Context, in *struct {
		MemoryPath
		Commit string `path:"commit" maxLength:"64" example:"5f2b0c7e6d1a49388f7e0b6c2d5a4e3f1908b7c6d5e4f3a2b1c0d9e8f7a6b5c4" doc:"Commit of the version"`
	}) (*read, error) {
		out, err := r.gate.Get(ctx, caller(ctx, in.Tenant), in.ID, gate.Reading{Session: in.Session, Commit: in.Commit})
		if err != nil {
			return nil, wire.Error(r.log, wire.InQuery, err)
		}
		return &read{Status: http.StatusOK, ETag: wire.ETag(out.Commit), Body: out}, nil
	})
}

// forgetAnswer says by its status whether the memory is forgotten (200) or a person has to do it (202).
type forgetAnswer struct {
	Status int
	Body   gate.Forgotten
}

func (r routes) forget(api huma.API) {
	op := wire.Operation("forget-memory", http.MethodDelete, "/v1/memories/{id}", "Forget a memory",
		"Takes a memory out of every recall; its history is kept for people. The answer is 202 where only a person may forget it: "+
			"the wish waits for one, and nothing changes until then.",
		http.StatusOK, http.StatusForbidden, http.StatusNotFound, http.StatusConflict, http.StatusPreconditionFailed,
		http.StatusUnprocessableEntity, http.StatusTooManyRequests)
	op.Responses = map[string]*huma.Response{"202": {Description: "A person has to do it; the wish waits for one"}}
	huma.Register(api, op, func(ctx context.Context, in *struct {
		MemoryPath
		Match string `header:"If-Match" doc:"ETag of the version the caller saw; at another one nothing is changed"`
	}) (*forgetAnswer, error) {
		commit, err := wire.IfMatch(in.Match)
		if err != nil {
			return nil, wire.Error(r.log, wire.InQuery, err)
		}
		out, err := r.gate.Forget(ctx, caller(ctx, in.Tenant), in.ID, gate.ForgetRequest{Session: in.Session, Commit: commit})
		if err != nil {
			return nil, wire.Error(r.log, wire.InQuery, err)
		}
		status := http.StatusOK
		if !out.Done {
			status = http.StatusAccepted
		}
		return &forgetAnswer{Status: status, Body: out}, nil
	})
}
