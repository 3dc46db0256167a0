// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package mcp serves an agent's memory over the Model Context Protocol: tools of its own, and those of the reference
// memory server, so that an agent built for that one works after changing the URL. It holds no decision of its own:
// whatever is stored or handed out passes the gate.
package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/server/wire"
)

// Path is where the agent's port serves MCP.
const Path = "/mcp"

// Bounds of what clients can hold up.
const (
	// MaxBodyBytes bounds one message: room for the longest memory a policy can allow, each byte of it a six-byte escape.
	MaxBodyBytes = 8 << 20
	// MaxSessions bounds the sessions kept; the one unused for longest makes room for a new one.
	MaxSessions = 256
	// SessionIdle is after how long an unused session is dropped. A client then opens a new one.
	SessionIdle = 24 * time.Hour
)

// Headers of the Streamable HTTP transport.
const (
	sessionHeader = "Mcp-Session-Id"
	versionHeader = "Mcp-Protocol-Version"
)

// sessionless is the first protocol version that knows no sessions: every request stands for itself.
const sessionless = "2026-07-28"

// handler is the HTTP side. The transport of the SDK serves sessions or single requests, never both, so there is one of
// each over the same server.
type handler struct {
	sessions *sessions
	stateful http.Handler
	single   http.Handler
	origin   *http.CrossOriginProtection
}

// NewHandler returns the MCP endpoint of the agent's port. The caller mounts it at Path, checks the Host header and
// bounds how many requests run at a time. The query parameter "namespace" names the tenant and holds for the whole session.
// The query parameter "session" names the memory session, and holds as long; without it, a session of the protocol is a memory
// session of the same id.
func NewHandler(g *gate.Gate, log *slog.Logger) http.Handler {
	return newHandler(g, log, MaxSessions)
}

func newHandler(g *gate.Gate, log *slog.Logger, maxSessions int) *handler {
	h := &handler{sessions: newSessions(maxSessions), origin: http.NewCrossOriginProtection()}
	server := newServer(g, log, h.sessions)
	get := func(*http.Request) *mcp.Server { return server }
	// One JSON answer per request: nothing is ever sent outside of an answer, so no stream has to stay open.
	h.stateful = mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{
		JSONResponse: true, SessionTimeout: SessionIdle, MaxRequestBodyBytes: MaxBodyBytes,
	})
	h.single = mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{
		JSONResponse: true, Stateless: true, PropagateRequestCancellation: true, MaxRequestBodyBytes: MaxBodyBytes,
	})
	return h
}

// ServeHTTP implements http.Handler.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost && r.Method != http.MethodDelete {
		// The answer the transport has for servers that send nothing on their own.
		w.Header().Set("Allow", "POST, DELETE")
		refuse(w, http.StatusMethodNotAllowed, jsonrpc.CodeInvalidRequest, "This endpoint takes POST, and DELETE to end a session.")
		return
	}
	if err := h.origin.Check(r); err != nil {
		refuse(w, http.StatusForbidden, jsonrpc.CodeInvalidRequest, "Pages of other origins have no access to this endpoint.")
		return
	}
	talk, err := conversationOf(r)
	if err != nil {
		refuse(w, http.StatusBadRequest, jsonrpc.CodeInvalidRequest, err.Error())
		return
	}
	if id := r.Header.Get(sessionHeader); id != "" {
		if fault := h.sessions.touch(id, talk); fault != "" {
			refuse(w, http.StatusBadRequest, jsonrpc.CodeInvalidRequest, fault)
			return
		}
	}
	if !readBody(w, r) {
		return
	}
	r = r.WithContext(context.WithValue(r.Context(), conversationKey{}, talk))
	if r.Header.Get(versionHeader) >= sessionless {
		h.single.ServeHTTP(w, r)
		return
	}
	h.stateful.ServeHTTP(w, r)
}

// readBody reads and checks the message before anything decodes it. It reports whether to go on.
func readBody(w http.ResponseWriter, r *http.Request) bool {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBodyBytes))
	if tooLong := (*http.MaxBytesError)(nil); errors.As(err, &tooLong) {
		refuse(w, http.StatusRequestEntityTooLarge, jsonrpc.CodeInvalidRequest,
			fmt.Sprintf("A message has at most %d bytes; send less at once.", MaxBodyBytes))
		return false
	}
	if err != nil {
		refuse(w, http.StatusBadRequest, jsonrpc.CodeParseError, "The message ended early.")
		return false
	}
	if r.Method == http.MethodPost {
		if fault := wire.CheckJSON(body); fault != "" {
			refuse(w, http.StatusBadRequest, jsonrpc.CodeParseError, fault)
			return false
		}
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return true
}

// refuse answers with an error of JSON-RPC that belongs to no request.
func refuse(w http.ResponseWriter, status int, code int64, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	body, err := marshal(map[string]any{
		"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": message},
	}, "")
	if err == nil {
		_, _ = w.Write(body) // the client is gone if this fails
	}
}
