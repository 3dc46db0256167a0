// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package upstream puts the screener between an agent and MCP servers that are not ours: memory servers, whose writes are admitted
// and whose answers are recalled, and servers with tools, whose calls are authorized and whose results are observed. What the
// agent sees is the server itself; what passes, the gate decides.
package upstream

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/server/wire"
)

// Prefix begins the paths of upstreams: /upstreams/<name>/mcp.
const Prefix = "/upstreams/"

// Bounds of what clients can hold up.
const (
	// MaxBodyBytes bounds one message of the agent.
	MaxBodyBytes = 4 << 20
	// MaxSessions bounds the sessions kept; the one unused for longest makes room for a new one.
	MaxSessions = 256
	// SessionIdle is after how long an unused session of the agent is dropped, and that with the upstream.
	SessionIdle = 24 * time.Hour
	// linkIdle is the same for a session with an upstream of an agent that has no sessions itself.
	linkIdle = 10 * time.Minute
	// sweepInterval is how often the policy in force is compared with what is open.
	sweepInterval = 2 * time.Second
)

// sessionless is the first protocol version that knows no sessions: every request stands for itself.
const sessionless = "2026-07-28"

// Options are what a handler works with beside the gate.
type Options struct {
	Log *slog.Logger // required
	// Commands run upstreams as processes of this machine, by name, instead of the URL of the policy: a program and its arguments.
	Commands map[string][]string
	// Metrics receives counts; without it they are kept and shown to nobody.
	Metrics *Metrics

	maxSessions int
}

// Handler serves the upstreams of the policy in force under Prefix. The caller mounts it, checks the Host header, and closes it.
type Handler struct {
	gate     *gate.Gate
	state    func() (*policy.State, bool)
	log      *slog.Logger
	commands map[string][]string
	metrics  *Metrics

	sessions *sessions
	shared   *shared
	stateful http.Handler
	single   http.Handler
	origin   *http.CrossOriginProtection
	template *mcp.Server // for requests that will be refused, and those of sessions that have a server

	mu    sync.Mutex
	lanes map[string]*lane

	stop    chan struct{}
	stopped sync.Once
	done    chan struct{}
}

// NewHandler returns the endpoint of the upstreams. It connects to an upstream when an agent opens a session with it. The query
// parameters "namespace" and "session" mean what they mean on the endpoint of the memory itself.
func NewHandler(g *gate.Gate, state func() (*policy.State, bool), o Options) *Handler {
	if o.maxSessions == 0 {
		o.maxSessions = MaxSessions
	}
	if o.Metrics == nil {
		o.Metrics = NewMetrics(nil)
	}
	h := &Handler{
		gate: g, state: state, log: o.Log, commands: o.Commands, metrics: o.Metrics,
		sessions: newSessions(o.maxSessions), shared: newShared(o.maxSessions), origin: http.NewCrossOriginProtection(),
		template: mcp.NewServer(&mcp.Implementation{Name: "memorytrust"}, &mcp.ServerOptions{Capabilities: &mcp.ServerCapabilities{}}),
		lanes:    map[string]*lane{}, stop: make(chan struct{}), done: make(chan struct{}),
	}
	h.stateful = mcp.NewStreamableHTTPHandler(h.server, &mcp.StreamableHTTPOptions{
		SessionTimeout: SessionIdle, MaxRequestBodyBytes: MaxBodyBytes,
	})
	h.single = mcp.NewStreamableHTTPHandler(h.server, &mcp.StreamableHTTPOptions{
		Stateless: true, PropagateRequestCancellation: true, MaxRequestBodyBytes: MaxBodyBytes,
	})
	go h.watch()
	return h
}

// Close ends all sessions.
func (h *Handler) Close() {
	h.stopped.Do(func() { close(h.stop) })
	<-h.done
}

// watch ends sessions with upstreams that the policy in force does not have any more, or has differently.
func (h *Handler) watch() {
	defer close(h.done)
	ticker := time.NewTicker(sweepInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			h.sweep(h.stale, linkIdle)
		case <-h.stop:
			h.sweep(func(*link) bool { return true }, 0)
			return
		}
	}
}

func (h *Handler) sweep(stale func(*link) bool, idle time.Duration) {
	for _, closeSession := range h.sessions.take(stale) {
		closeSession()
	}
	h.shared.sweep(stale, idle)
}

// stale reports whether the policy in force has the upstream of a link differently, or not at all.
func (h *Handler) stale(l *link) bool {
	state, ok := h.state()
	if !ok {
		return true
	}
	up, ok := state.Runtime.Upstream(l.up.Name)
	return !ok || !reflect.DeepEqual(up, l.up)
}

// lane returns what the sessions of an upstream share.
func (h *Handler) lane(name string) *lane {
	h.mu.Lock()
	defer h.mu.Unlock()
	l, ok := h.lanes[name]
	if !ok {
		l = newLane(name)
		h.lanes[name] = l
	}
	return l
}

// Status says how the upstreams of the policy in force stand, in the order of the policy.
func (h *Handler) Status() []Status {
	state, ok := h.state()
	if !ok {
		return nil
	}
	out := make([]Status, 0, len(state.Runtime.Upstreams))
	for _, up := range state.Runtime.Upstreams {
		out = append(out, h.lane(up.Name).status(string(up.Kind)))
	}
	return out
}

// upstreamName returns the upstream that a path names; false for any other path.
func upstreamName(path string) (string, bool) {
	name, rest, ok := strings.Cut(strings.TrimPrefix(path, Prefix), "/")
	if !ok || rest != "mcp" || name == "" || policy.UpstreamPath(name) != path {
		return "", false
	}
	return name, true
}

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	up, ok := h.find(w, r)
	if !ok {
		return
	}
	if r.Method != http.MethodPost && r.Method != http.MethodGet && r.Method != http.MethodDelete {
		w.Header().Set("Allow", "GET, POST, DELETE")
		refuse(w, http.StatusMethodNotAllowed, nil, jsonrpc.CodeInvalidRequest,
			"This endpoint takes POST, GET for notifications, and DELETE to end a session.")
		return
	}
	if err := h.origin.Check(r); err != nil || foreign(r) {
		refuse(w, http.StatusForbidden, nil, jsonrpc.CodeInvalidRequest, "Pages of other origins have no access to this endpoint.")
		return
	}
	talk, err := conversationOf(r)
	if err != nil {
		refuse(w, http.StatusBadRequest, nil, jsonrpc.CodeInvalidRequest, err.Error())
		return
	}
	id := r.Header.Get(headerSession)
	if id != "" {
		for _, closeSession := range h.sessions.take(func(l *link) bool { return l.up.Name == up.Name && h.stale(l) }) {
			closeSession()
		}
		if fault := h.sessions.touch(id, up.Name, talk); fault != "" {
			refuse(w, http.StatusBadRequest, nil, jsonrpc.CodeInvalidRequest, fault)
			return
		}
	}
	if r.Method != http.MethodPost {
		if l := h.sessions.link(id); l != nil && r.Method == http.MethodDelete {
			l.close() // the transport waits for calls that are under way
		}
		h.stateful.ServeHTTP(w, r)
		return
	}
	h.post(w, r, up, talk)
}

// foreign reports whether a page of another origin reads: reading needs no body, so that the usual check lets it through.
func foreign(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return r.Method == http.MethodGet && (r.Header.Get("Origin") != "" || site != "" && site != "same-origin" && site != "none")
}

// find returns the upstream of the policy in force that a request is for.
func (h *Handler) find(w http.ResponseWriter, r *http.Request) (policy.Upstream, bool) {
	name, ok := upstreamName(r.URL.Path)
	if !ok {
		refuse(w, http.StatusNotFound, nil, jsonrpc.CodeInvalidRequest, "Upstreams are at "+policy.UpstreamPath("<name>")+".")
		return policy.Upstream{}, false
	}
	state, ok := h.state()
	if !ok {
		refuse(w, http.StatusServiceUnavailable, nil, jsonrpc.CodeInternalError, notReady)
		return policy.Upstream{}, false
	}
	up, ok := state.Runtime.Upstream(name)
	if !ok {
		refuse(w, http.StatusNotFound, nil, jsonrpc.CodeInvalidRequest, "The policy in force has no upstream of this name (spec.upstreams).")
	}
	return up, ok
}

// envelope is what has to be known of a message before it is handed on.
type envelope struct {
	Method string          `json:"method"`
	ID     json.RawMessage `json:"id"`
}

// post handles a message.
func (h *Handler) post(w http.ResponseWriter, r *http.Request, up policy.Upstream, talk conversation) {
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != mediaJSON {
		refuse(w, http.StatusUnsupportedMediaType, nil, jsonrpc.CodeInvalidRequest, "Send "+mediaJSON+".")
		return
	}
	lane := h.lane(up.Name)
	body, leave, ok := h.readBody(w, r, lane)
	if !ok {
		return
	}
	defer leave()
	var message envelope
	_ = json.Unmarshal(body, &message) // the transport refuses what is none
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	switch {
	case r.Header.Get(headerVersion) >= sessionless:
		h.postSingle(w, r, up, talk, message)
	case r.Header.Get(headerSession) == "" && message.Method == methodInitialize:
		h.initialize(w, r, up, talk, message)
	default:
		h.stateful.ServeHTTP(w, r)
	}
}

// readBody reads and checks a message before anything decodes it, when there is room for it. It reports whether to go on.
func (h *Handler) readBody(w http.ResponseWriter, r *http.Request, lane *lane) (body []byte, leave func(), ok bool) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBodyBytes))
	if tooLong := (*http.MaxBytesError)(nil); errors.As(err, &tooLong) {
		refuse(w, http.StatusRequestEntityTooLarge, nil, jsonrpc.CodeInvalidRequest,
			fmt.Sprintf("A message has at most %d bytes; send less at once.", MaxBodyBytes))
		return nil, nil, false
	}
	if err != nil {
		refuse(w, http.StatusBadRequest, nil, jsonrpc.CodeParseError, "The message ended early.")
		return nil, nil, false
	}
	if fault := wire.CheckJSON(body); fault != "" {
		refuse(w, http.StatusBadRequest, nil, jsonrpc.CodeParseError, fault)
		return nil, nil, false
	}
	size := int64(len(body))
	if lane.bytes.Acquire(r.Context(), size) != nil {
		refuse(w, http.StatusServiceUnavailable, nil, jsonrpc.CodeInternalError, (&upstreamError{name: lane.name, err: errBusy}).Error())
		return nil, nil, false
	}
	return body, func() { lane.bytes.Release(size) }, true
}

type serverKey struct{}

// server returns the server of the SDK that answers a request.
func (h *Handler) server(r *http.Request) *mcp.Server {
	if s, ok := r.Context().Value(serverKey{}).(*mcp.Server); ok {
		return s
	}
	return h.template
}

// refuse answers with an error of JSON-RPC; without an id it belongs to no request.
func refuse(w http.ResponseWriter, status int, id json.RawMessage, code int64, message string) {
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(object(map[string]any{ // the client is gone if this fails
		"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": message},
	}))
}
