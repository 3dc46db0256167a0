// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/server/wire"
)

// Member is a member of a JSON merge patch (RFC 7396): absent, null, or a value.
type Member[T any] struct {
	Present bool
	Null    bool // the field is to be removed
	Value   T
}

// UnmarshalJSON implements json.Unmarshaler; it is called for members that are there only.
func (m *Member[T]) UnmarshalJSON(raw []byte) error {
	m.Present = true
	if bytes.Equal(bytes.TrimSpace(raw), []byte("null")) {
		m.Null = true
		return nil
	}
	return json.Unmarshal(raw, &m.Value)
}

// Schema implements huma.SchemaProvider: that of the value, or null.
func (m Member[T]) Schema(r huma.Registry) *huma.Schema {
	s := *huma.SchemaFromType(r, reflect.TypeFor[T]())
	s.Nullable = true
	return &s
}

// edited returns the new value: nil where nothing changes, the zero value where the field is removed.
func (m Member[T]) edited() *T {
	if !m.Present {
		return nil
	}
	v := m.Value
	return &v
}

// PatchRequest is a JSON merge patch of what can be edited in a memory, with where the edit comes from beside it.
type PatchRequest struct {
	Content    Member[string]             `json:"content,omitzero" doc:"The memory; it is screened and decided about like a new one, and cannot be removed"`
	Kind       Member[string]             `json:"kind,omitzero" maxLength:"64" doc:"Kind"`
	Tags       Member[[]string]           `json:"tags,omitzero" maxItems:"16" doc:"All tags"`
	Subject    Member[string]             `json:"subject,omitzero" maxLength:"256" doc:"What it is about"`
	Metadata   Member[map[string]*string] `json:"metadata,omitzero" doc:"Entries to set, or with null to remove"`
	Confidence Member[int]                `json:"confidencePerMille,omitzero" minimum:"0" maximum:"1000" doc:"How sure the caller is"`
	Salience   Member[int]                `json:"saliencePerMille,omitzero" minimum:"0" maximum:"1000" doc:"How much it matters"`
	Pinned     Member[bool]               `json:"pinned,omitzero" doc:"Whether it never fades"`
	Source     string                     `json:"source,omitempty" maxLength:"512" doc:"Where the edit comes from, as the caller says; no field of the memory"`
	Session    string                     `json:"session,omitempty" maxLength:"128" doc:"Session of the agent; no field of the memory"`
}

// edit returns what changes, but for the metadata, which is merged with what is there.
func (p PatchRequest) edit(commit string) (gate.Edit, error) {
	if p.Content.Null {
		return gate.Edit{}, &memory.FieldError{Field: "content", Fix: "a memory cannot be empty: give the new content, or delete the memory"}
	}
	return gate.Edit{
		Content: p.Content.edited(), Source: p.Source, Session: p.Session, Kind: p.Kind.edited(), Tags: p.Tags.edited(),
		Subject: p.Subject.edited(), Confidence: p.Confidence.edited(), Salience: p.Salience.edited(), Pin: p.Pinned.edited(),
		Commit: commit,
	}, nil
}

// merged returns the metadata after the patch; patch entries that are nil are removed, RFC 7396 section 2.
func merged(present map[string]string, patch Member[map[string]*string]) map[string]string {
	if patch.Null {
		return map[string]string{}
	}
	out := maps.Clone(present)
	if out == nil {
		out = map[string]string{}
	}
	for key, value := range patch.Value {
		if value == nil {
			delete(out, key)
		} else {
			out[key] = *value
		}
	}
	return out
}

// mergeAttempts is how often metadata is merged anew when a memory changes in between and the caller named no version.
const mergeAttempts = 5

// apply edits a memory. Merging metadata needs what is there, which is read like any caller reads it, and holds only for
// the version that was read.
func (r routes) apply(ctx context.Context, c gate.Caller, id string, p PatchRequest, commit string) (out gate.Written, err error) {
	e, err := p.edit(commit)
	if err != nil {
		return gate.Written{}, err
	}
	if !p.Metadata.Present || p.Metadata.Null {
		if p.Metadata.Null {
			e.Metadata = &map[string]string{}
		}
		return r.gate.Edit(ctx, c, id, e)
	}
	for range mergeAttempts {
		head, err := r.gate.Get(ctx, c, id, gate.Reading{Session: p.Session})
		if err != nil {
			return gate.Written{}, err
		}
		if commit != "" && head.Commit != commit {
			return gate.Written{}, gate.ErrPrecondition
		}
		metadata := merged(head.Metadata, p.Metadata)
		e.Metadata, e.Commit = &metadata, head.Commit
		if out, err = r.gate.Edit(ctx, c, id, e); commit != "" || !errors.Is(err, gate.ErrPrecondition) {
			return out, err
		}
	}
	return gate.Written{}, memory.ErrConflict
}

func (r routes) edit(api huma.API) {
	op := wire.Operation("edit-memory", http.MethodPatch, "/v1/memories/{id}", "Edit a memory",
		"Changes what is named in a JSON merge patch and keeps the version before. New content is decided about like a new memory. "+
			"The answer is 202 where only a person may edit it: the edit waits for one, and the memory stays as it is until then.",
		http.StatusOK, http.StatusForbidden, http.StatusNotFound, http.StatusConflict, http.StatusPreconditionFailed,
		http.StatusUnprocessableEntity, http.StatusTooManyRequests)
	schema := api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[PatchRequest](), true, "PatchRequest")
	op = wire.WithPatch(op, schema,
		wire.Example{Name: "content", Summary: "Other words", Value: map[string]any{"content": "The user prefers metric units, and 24-hour times."}},
		wire.Example{Name: "labels", Summary: "Other labels, one removed", Value: map[string]any{
			"tags": []any{"preference", "units"}, "subject": nil, "metadata": map[string]any{"model": "reader-2", "note": nil},
		}})
	op.Responses = map[string]*huma.Response{"202": {Description: "A person has to approve it; the edit waits for one"}}
	huma.Register(api, op, func(ctx context.Context, in *struct {
		wire.Tenant
		ID    string `path:"id" maxLength:"64" example:"0193a1f0-7c5e-7b7a-9d43-0a4c1f0e9b21" doc:"Id of the memory"`
		Match string `header:"If-Match" doc:"ETag of the version the caller saw; at another one nothing is changed"`
		Body  PatchRequest
	}) (*written, error) {
		commit, err := wire.IfMatch(in.Match)
		if err != nil {
			return nil, wire.Error(r.log, wire.InQuery, err)
		}
		out, err := r.apply(ctx, caller(ctx, in.Tenant), in.ID, in.Body, commit)
		if err != nil {
			return nil, wire.Error(r.log, wire.InBody, err)
		}
		if out.Proposal { // the memory is what it was, and has the version it had
			return &written{Status: http.StatusAccepted, Body: out}, nil
		}
		return answerWritten(http.StatusOK, out, in.Tenant), nil
	})
}
