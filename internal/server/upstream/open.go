// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memorytrust.dev/operator/internal/action"
	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
)

// greeting is what an agent gets to know of a server at the start.
type greeting struct {
	server       *mcp.Implementation
	instructions string
	capabilities *mcp.ServerCapabilities
}

// serverItself is the name under which the words a server greets with are pinned, beside its tools.
const serverItself = "(server)"

// initialize opens a session of the agent, and one with the upstream for it.
func (h *Handler) initialize(w http.ResponseWriter, r *http.Request, up policy.Upstream, talk conversation, message envelope) {
	id := rand.Text()
	l := h.newLink(up, talk)
	g, err := l.greet(r.Context(), id)
	if err != nil {
		l.close()
		h.metrics.session(up.Name, err)
		refuse(w, http.StatusOK, message.ID, codeOf(err), l.newCall("", methodInitialize).openError(err))
		return
	}
	h.metrics.session(up.Name, nil)
	server := h.newServer(l, g, id)
	opened := false
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			result, err := next(ctx, method, req)
			session, ok := req.GetSession().(*mcp.ServerSession)
			if method == methodInitialize && err == nil && ok {
				opened = true
				h.opened(session, l, server)
			}
			return result, err
		}
	})
	h.stateful.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), serverKey{}, server)))
	if !opened {
		l.close()
	}
}

// opened registers a session of the agent.
func (h *Handler) opened(session *mcp.ServerSession, l *link, server *mcp.Server) {
	id := session.ID()
	l.mu.Lock()
	l.session = session
	l.mu.Unlock()
	done := l.listen(server)
	h.sessions.add(id, l, func() {
		l.close() // ends its calls, which closing would wait for
		_ = session.Close()
	})
	go func() {
		_ = session.Wait()
		done()
		h.sessions.remove(id)
		l.close()
	}()
}

// postSingle answers a request that stands for itself.
func (h *Handler) postSingle(w http.ResponseWriter, r *http.Request, up policy.Upstream, talk conversation, message envelope) {
	key := sharedKey{upstream: up.Name, namespace: talk.caller.Namespace, session: talk.session}
	l, done := h.shared.use(key, h.stale, func() *link { return h.newLink(up, talk) })
	defer done()
	g, err := l.greet(r.Context(), "")
	if err != nil {
		h.metrics.session(up.Name, err)
		refuse(w, http.StatusOK, message.ID, codeOf(err), l.newCall("", message.Method).openError(err))
		return
	}
	if g.capabilities.Logging != nil { // log messages belong to no request
		without := *g.capabilities
		without.Logging = nil
		g.capabilities = &without
	}
	server := h.newServer(l, g, "")
	if message.Method == methodListen {
		defer l.listen(server)()
	}
	h.single.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), serverKey{}, server)))
}

func codeOf(err error) int64 {
	var field *memory.FieldError
	if errors.As(err, &field) {
		return jsonrpc.CodeInvalidParams
	}
	return jsonrpc.CodeInternalError
}

// openError tells why there is no session.
func (c *call) openError(err error) string {
	var fault *upstreamError
	var field *memory.FieldError
	switch {
	case errors.As(err, &fault):
		return fault.Error()
	case errors.As(err, &field):
		return "The URL is not accepted: " + field.Error()
	}
	return c.refusal(err)
}

// greet connects, and returns what the agent is told of the server. What the server says of itself is read by the model like a
// description of a tool, and pinned like one.
func (l *link) greet(ctx context.Context, protocolSession string) (greeting, error) {
	session, err := l.connected(ctx)
	if err != nil {
		return greeting{}, l.failure(ctx, err)
	}
	l.mu.Lock()
	g, known := l.greeting, l.greeting.server != nil && l.client == session
	l.mu.Unlock()
	if known {
		return g, nil
	}
	c := l.newCall(protocolSession, methodInitialize)
	if g, err = l.introduced(ctx, c, session.InitializeResult()); err != nil {
		return greeting{}, err
	}
	l.mu.Lock()
	l.greeting = g
	l.mu.Unlock()
	return g, nil
}

// introduced returns what a server says of itself, as far as it may be said.
func (l *link) introduced(ctx context.Context, c *call, result *mcp.InitializeResult) (greeting, error) {
	g := greeting{server: &mcp.Implementation{Name: l.up.Name}, capabilities: passed(result.Capabilities)}
	said := map[string]any{"instructions": result.Instructions}
	var texts []string
	if info := result.ServerInfo; info != nil {
		said["name"], said["title"], said["description"] = info.Name, info.Title, info.Description
		texts = append(texts, info.Name, info.Title, info.Description)
	}
	texts = append(texts, result.Instructions)
	def := gate.ToolDefinition{Upstream: l.up.Name, Tool: serverItself, Definition: action.Canonical(said)}
	for _, t := range texts {
		if t != "" && !isName(t) {
			def.Texts = append(def.Texts, t)
		}
	}
	pins, err := l.gate.PinTools(ctx, c.talk.caller, []gate.ToolDefinition{def})
	if err != nil {
		return greeting{}, err
	}
	if len(pins) != 1 {
		return greeting{}, errMismatch
	}
	if pins[0].State != gate.PinPinned {
		g.instructions = "What this server says of itself is kept back by MemoryTrust. " + pins[0].Message
		return g, nil
	}
	g.instructions = result.Instructions
	if info := result.ServerInfo; info != nil {
		g.server = &mcp.Implementation{Name: info.Name, Title: info.Title, Description: info.Description}
		if identifier.MatchString(info.Version) {
			g.server.Version = info.Version
		}
	}
	return g, nil
}

// passed are the capabilities that are handed on: what is announced works, and nothing else is announced.
func passed(c *mcp.ServerCapabilities) *mcp.ServerCapabilities {
	if c == nil {
		return &mcp.ServerCapabilities{}
	}
	return &mcp.ServerCapabilities{Completions: c.Completions, Logging: c.Logging, Prompts: c.Prompts, Resources: c.Resources, Tools: c.Tools}
}

// newServer returns the agent's side of a link.
func (h *Handler) newServer(l *link, g greeting, id string) *mcp.Server {
	server := mcp.NewServer(g.server, &mcp.ServerOptions{
		Instructions: g.instructions, Capabilities: g.capabilities,
		GetSessionID:       func() string { return id },
		SubscribeHandler:   func(ctx context.Context, r *mcp.SubscribeRequest) error { return l.subscribe(ctx, r.Params.URI) },
		UnsubscribeHandler: func(ctx context.Context, r *mcp.UnsubscribeRequest) error { return l.unsubscribe(ctx, r.Params.URI) },
		SetCacheable:       func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.TTLMs, c.CacheScope = 0, "private" },
	})
	server.AddReceivingMiddleware(h.recovered, h.metrics.counted(l.up.Name), l.forward)
	return server
}

// recovered answers with an error where a handler panics. The panic's value is not logged: it may hold what the request held.
func (h *Handler) recovered(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
		defer func() {
			if v := recover(); v != nil {
				h.log.Error("Request handler panicked", "method", method, "type", fmt.Sprintf("%T", v), "stack", string(debug.Stack()))
				res, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: internalFault}
			}
		}()
		return next(ctx, method, req)
	}
}

// subscribe has the upstream tell when a resource changes.
func (l *link) subscribe(ctx context.Context, uri string) error {
	return l.watching(ctx, uri, 1, func(ctx context.Context, s *mcp.ClientSession) error {
		return s.Subscribe(ctx, &mcp.SubscribeParams{URI: uri})
	})
}

func (l *link) unsubscribe(ctx context.Context, uri string) error {
	// A stream that ends has no more time of its own.
	return l.watching(context.WithoutCancel(ctx), uri, -1, func(ctx context.Context, s *mcp.ClientSession) error {
		return s.Unsubscribe(ctx, &mcp.UnsubscribeParams{URI: uri})
	})
}

// watching counts who watches a resource, and tells the upstream about the first and the last.
func (l *link) watching(ctx context.Context, uri string, by int, tell func(context.Context, *mcp.ClientSession) error) error {
	ctx, cancel := context.WithTimeout(ctx, l.up.Timeout())
	defer cancel()
	session, err := l.connected(ctx)
	if err != nil {
		return l.newCall("", methodSubscribe).wire(ctx, l.failure(ctx, err))
	}
	l.mu.Lock()
	before := l.watched[uri]
	after := max(before+by, 0)
	tooMany := by > 0 && before == 0 && len(l.watched) >= maxWatched
	if !tooMany {
		if l.watched[uri] = after; after == 0 {
			delete(l.watched, uri)
		}
	}
	l.mu.Unlock()
	if tooMany {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("A session watches at most %d resources.", maxWatched)}
	}
	if (before == 0) == (after == 0) {
		return nil
	}
	if err := tell(ctx, session); err != nil {
		if said(err) == nil {
			err = l.failure(ctx, err)
		}
		return l.newCall("", methodSubscribe).wire(ctx, err)
	}
	return nil
}

// maxWatched is how many resources one session can watch.
const maxWatched = 256
