// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package rest serves the gate as JSON over HTTP: the agent's own port and the port of authenticated channels. It reads
// requests, checks their form and writes answers; it decides nothing about memory. Errors are RFC 9457 problems.
package rest

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/version"
)

// OpenAPIPath is where the agent's port describes itself.
const OpenAPIPath = "/openapi.json"

// maxInFlight is how many requests one port works on at a time; further ones wait. It bounds the memory that request
// bodies can take in a sidecar with a small limit.
const maxInFlight = 32

// Field names count as written: "Content" is no other way to write "content".
func init() { huma.ValidateStrictCasing = true }

// NewAgentHandler returns the API of the agent's own port. It asks for no credentials and must only be reachable on the
// loopback interface of the agent's pod; it answers under loopback host names only, so that a web page cannot rebind its
// name to it.
func NewAgentHandler(g *gate.Gate, log *slog.Logger) (http.Handler, error) {
	mux := http.NewServeMux()
	api := humago.New(mux, config("MemoryTrust agent port"))
	r := routes{gate: g, log: log}
	r.write(api)
	r.recall(api)
	r.list(api)
	r.get(api)
	r.forget(api)
	r.zones(api)
	r.screen(api)
	if err := serveOpenAPI(mux, api); err != nil {
		return nil, err
	}
	return recovered(log, loopbackOnly(bounded(maxInFlight, routed(mux, checkedBody(g, log, mux))))), nil
}

// NewChannelHandler returns the API of the channel port: what a channel may do, after its bearer token was checked.
// Reading is the agent's business and has no route here: what a person looks at must not count as delivered to the agent.
func NewChannelHandler(g *gate.Gate, log *slog.Logger) (http.Handler, error) {
	mux := http.NewServeMux()
	api := humago.New(mux, config("MemoryTrust channel port"))
	r := routes{gate: g, log: log}
	r.write(api)
	r.forget(api)
	r.screen(api)
	return recovered(log, authenticated(g, log, bounded(maxInFlight, routed(mux, checkedBody(g, log, mux))))), nil
}

// config leaves out what a sidecar has no use for: a documentation page that loads scripts from elsewhere, links to
// schemas in every answer, other formats than JSON.
func config(title string) huma.Config {
	c := huma.DefaultConfig(title, version.Version)
	c.Info.Description = "Memory behind a trust boundary. What is stored and what comes back is decided by the MemoryTrustPolicy in force."
	c.OpenAPIPath, c.DocsPath, c.SchemasPath = "", "", ""
	c.CreateHooks = nil
	c.RejectUnknownQueryParameters = true
	c.Formats = map[string]huma.Format{"application/json": huma.DefaultJSONFormat, "json": huma.DefaultJSONFormat}
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

func serveOpenAPI(mux *http.ServeMux, api huma.API) error {
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
