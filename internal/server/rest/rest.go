// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package rest serves the gate as JSON over HTTP: the agent's own port and the port of authenticated channels. It reads
// requests, checks their form and writes answers; it decides nothing about memory. Errors are RFC 9457 problems.
package rest

//go:generate go run ./gen/reference -out ../../../docs/reference/rest.md

import (
	"log/slog"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/server/wire"
)

// OpenAPIPath is where the agent's port describes itself.
const OpenAPIPath = wire.OpenAPIPath

// MCPPath is where the agent's port speaks the Model Context Protocol.
const MCPPath = "/mcp"

// maxInFlight is how many requests one port works on at a time; further ones wait. It bounds the memory that request
// bodies can take in a sidecar with a small limit.
const maxInFlight = 32

// maxMCPCalls is the bound of MCP beside that of REST: neither can keep the other waiting.
const maxMCPCalls = 32

const description = "Memory behind a trust boundary. What is stored and what comes back is decided by the MemoryTrustPolicy in force."

// UpstreamsPrefix begins the paths where the agent's port serves the MCP servers behind it.
const UpstreamsPrefix = "/upstreams/"

// Beside are the handlers that the agent's port has beside its API; either may be nil.
type Beside struct {
	MCP       http.Handler // at MCPPath
	Upstreams http.Handler // under UpstreamsPrefix; it bounds what it works on itself, as one upstream must not keep another waiting
}

// NewAgentHandler returns the API of the agent's own port, with the handlers beside it. It asks for no credentials and must only be
// reachable on the loopback interface of the agent's pod; it answers under loopback host names only, so that a web page cannot
// rebind its name to it.
func NewAgentHandler(g *gate.Gate, log *slog.Logger, b Beside) (http.Handler, error) {
	mux, api := agentAPI(g, log)
	if err := wire.ServeOpenAPI(mux, api); err != nil {
		return nil, err
	}
	handler := wire.Bounded(maxInFlight, wire.NewRouted(mux, api, contentLimit(g), log))
	if b.MCP != nil {
		b.MCP = wire.Bounded(maxMCPCalls, wire.Unhurried(wire.Limited(contentLimit(g), b.MCP)))
	}
	if b.Upstreams != nil {
		b.Upstreams = wire.Unhurried(b.Upstreams)
	}
	handler = b.of(handler)
	return wire.Recovered(log, loopbackOnly(handler)), nil
}

// NewChannelHandler returns the API of the channel port: what a channel may do, after its bearer token was checked.
// Reading is the agent's business and has no route here: what a person looks at must not count as delivered to the agent.
func NewChannelHandler(g *gate.Gate, log *slog.Logger) (http.Handler, error) {
	mux, api := channelAPI(g, log)
	handler := wire.NewRouted(mux, api, contentLimit(g), log)
	return wire.Recovered(log, authenticated(g, log, wire.Bounded(maxInFlight, handler))), nil
}

// AgentAPI describes the API of the agent's own port.
func AgentAPI() *huma.OpenAPI {
	_, api := agentAPI(nil, nil)
	return api.OpenAPI()
}

// ChannelAPI describes the API of the channel port.
func ChannelAPI() *huma.OpenAPI {
	_, api := channelAPI(nil, nil)
	return api.OpenAPI()
}

func agentAPI(g *gate.Gate, log *slog.Logger) (*http.ServeMux, huma.API) {
	mux := http.NewServeMux()
	api := humago.New(mux, wire.Config("MemoryTrust agent port", description))
	r := routes{gate: g, log: log}
	for _, register := range []func(huma.API){
		r.write, r.list, r.get, r.edit, r.forget, r.history, r.version, r.recall, r.queue, r.openSession, r.turn, r.observe, r.authorize, r.zones, r.screen,
	} {
		register(api)
	}
	return mux, api
}

func channelAPI(g *gate.Gate, log *slog.Logger) (*http.ServeMux, huma.API) {
	mux := http.NewServeMux()
	api := humago.New(mux, wire.Config("MemoryTrust channel port", description))
	r := routes{gate: g, log: log}
	for _, register := range []func(huma.API){r.write, r.edit, r.forget, r.openSession, r.turn, r.observe, r.screen} {
		register(api)
	}
	return mux, api
}

func contentLimit(g *gate.Gate) func() (int, error) {
	return func() (int, error) {
		content, _, err := g.Limits()
		return content, err
	}
}

// of serves what is beside the API at its paths, and everything else by the API.
func (b Beside) of(api http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case b.MCP != nil && r.URL.Path == MCPPath:
			b.MCP.ServeHTTP(w, r)
		case b.Upstreams != nil && strings.HasPrefix(r.URL.Path, UpstreamsPrefix):
			b.Upstreams.ServeHTTP(w, r)
		default:
			api.ServeHTTP(w, r)
		}
	})
}
