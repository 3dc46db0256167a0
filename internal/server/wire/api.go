// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"memorytrust.dev/operator/internal/version"
)

// OpenAPIPath is where a port describes itself.
const OpenAPIPath = "/openapi.json"

// Content types of request bodies.
const (
	JSON       = "application/json"
	MergePatch = "application/merge-patch+json" // RFC 7396
	NDJSON     = "application/x-ndjson"
)

// Field names count as written: "Content" is no other way to write "content".
func init() { huma.ValidateStrictCasing = true }

// Config leaves out what a sidecar has no use for: a documentation page that loads scripts from elsewhere, links to
// schemas in every answer, other formats than JSON.
func Config(title, description string) huma.Config {
	c := huma.DefaultConfig(title, version.Version)
	c.Info.Description = description
	c.OpenAPIPath, c.DocsPath, c.SchemasPath = "", "", ""
	c.CreateHooks = nil
	c.RejectUnknownQueryParameters = true
	c.Formats = map[string]huma.Format{JSON: huma.DefaultJSONFormat, "json": huma.DefaultJSONFormat}
	c.Transformers = []huma.Transformer{withoutValues}
	return c
}

// withoutValues keeps problems from repeating what was sent: it may be long, and it may be a secret that ends up in a log.
func withoutValues(_ huma.Context, _ string, v any) (any, error) {
	if problem, ok := v.(*huma.ErrorModel); ok {
		for _, e := range problem.Errors {
			e.Value = nil
		}
	}
	return v, nil
}

// Operation fills in what all operations share. Bodies are bounded and read before huma sees them.
func Operation(id, method, path, summary, description string, status int, problems ...int) huma.Operation {
	return huma.Operation{
		OperationID: id, Method: method, Path: path, Summary: summary, Description: description, DefaultStatus: status,
		Errors:       append(problems, http.StatusInternalServerError, http.StatusServiceUnavailable),
		MaxBodyBytes: -1, BodyReadTimeout: -1,
	}
}

// Example is a request body that works as it stands.
type Example struct {
	Name    string
	Summary string
	Value   any
}

// WithBody adds what operations with a JSON body share: how bodies are refused, and examples of good ones.
func WithBody(op huma.Operation, examples ...Example) huma.Operation {
	op.Errors = append(op.Errors, http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
	op.RequestBody = &huma.RequestBody{Content: map[string]*huma.MediaType{JSON: {Examples: named(examples)}}}
	return op
}

// roomFor is the metadata of an operation that WithRoom sets.
const roomFor = "roomFor"

// WithRoom lets the body of an operation hold a text of this many bytes, also where the policy wants memories shorter.
func WithRoom(op huma.Operation, textBytes int) huma.Operation {
	op.Metadata = map[string]any{roomFor: textBytes}
	return op
}

// WithPatch is WithBody for JSON merge patches.
func WithPatch(op huma.Operation, schema *huma.Schema, examples ...Example) huma.Operation {
	op = WithBody(op, examples...)
	op.RequestBody.Content[JSON].Schema = schema
	op.RequestBody.Content[MergePatch] = &huma.MediaType{Schema: schema, Examples: named(examples)}
	return op
}

func named(examples []Example) map[string]*huma.Example {
	out := map[string]*huma.Example{}
	for _, e := range examples {
		out[e.Name] = &huma.Example{Summary: e.Summary, Value: e.Value}
	}
	return out
}

// Answer is a response with a JSON body.
type Answer[T any] struct {
	Body T
}

// Reply turns what the gate returned into a response or a problem.
func Reply[T any](log *slog.Logger, where Location, out T, err error) (*Answer[T], error) {
	if err != nil {
		return nil, Error(log, where, err)
	}
	return &Answer[T]{Body: out}, nil
}

// Tenant is the namespace parameter, which every route takes.
type Tenant struct {
	Namespace string `query:"namespace" maxLength:"63" doc:"Tenant inside the agent whose memories are meant; absent: the one named like the agent's Kubernetes namespace"`
}

// Paged are the parameters of a page.
type Paged struct {
	Cursor string `query:"cursor" maxLength:"1024" doc:"The answer's next, to get the page after it"`
	Limit  int    `query:"limit" minimum:"1" maximum:"100" doc:"Most entries on the page; 50 when absent"`
}

// ServeOpenAPI serves an API's description of itself.
func ServeOpenAPI(mux *http.ServeMux, api huma.API) error {
	spec, err := json.Marshal(api.OpenAPI())
	if err != nil {
		return fmt.Errorf("describe the API: %w", err)
	}
	mux.HandleFunc("GET "+OpenAPIPath, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/openapi+json")
		_, _ = w.Write(spec) // the client is gone if this fails
	})
	return nil
}
