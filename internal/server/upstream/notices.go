// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"context"
	"encoding/json"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Bounds of what an upstream says unasked: what is more is dropped.
const (
	noticesPerSecond = 20
	noticesBurst     = 100
	noticeTimeout    = 10 * time.Second
)

// refuseRequests refuses what an upstream asks of the agent: samples of its model, answers of its user, its roots. Words of an
// upstream would reach the model or the user that way without being looked at.
func refuseRequests(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch method {
		case "sampling/createMessage", "elicitation/create", "roots/list":
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound,
				Message: "MemoryTrust hands no requests of a server on to the agent: " + method + " is not supported."}
		}
		return next(ctx, method, req)
	}
}

// change is a list of the upstream that changed.
type change int

const (
	toolsListChanged change = iota
	promptsChanged
	resourcesChanged
)

// toolsChanged makes the next call look at the tools again.
func (l *link) toolsChanged() {
	l.tools.forget()
	l.changed(toolsListChanged)
}

// changed tells the agent's side that a list changed.
func (l *link) changed(what change) {
	if !l.notices.Allow() {
		return
	}
	for _, s := range l.listeners() {
		announce(s, what)
	}
}

// placeholder is the name of features that exist for the SDK to announce a change; nobody sees or calls them, as lists and calls
// are those of the upstream.
const placeholder = "memorytrust-change"

// announce makes a server of the SDK announce a change: it does so when a feature is added, which replaces the one before.
func announce(s *mcp.Server, what change) {
	switch what {
	case toolsListChanged:
		s.AddTool(&mcp.Tool{Name: placeholder, InputSchema: json.RawMessage(`{"type":"object"}`)},
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return nil, jsonrpcUnknown(placeholder)
			})
	case promptsChanged:
		s.AddPrompt(&mcp.Prompt{Name: placeholder},
			func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
				return nil, jsonrpcUnknown(placeholder)
			})
	case resourcesChanged:
		s.AddResource(&mcp.Resource{Name: placeholder, URI: "memorytrust:change"},
			func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				return nil, jsonrpcUnknown(placeholder)
			})
	}
}

func jsonrpcUnknown(name string) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "unknown: " + name}
}

// listen registers a server of the agent's side until done is called.
func (l *link) listen(s *mcp.Server) (done func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.servers[s] = true
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.servers, s)
	}
}

func (l *link) listeners() []*mcp.Server {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := make([]*mcp.Server, 0, len(l.servers))
	for s := range l.servers {
		out = append(out, s)
	}
	return out
}

// updated tells the agent's side that a resource it subscribed to changed. The notification holds its URI, which the agent gave,
// and nothing else.
func (l *link) updated(p *mcp.ResourceUpdatedNotificationParams) {
	if p == nil || !l.notices.Allow() {
		return
	}
	l.mu.Lock()
	wanted := l.watched[p.URI] > 0
	l.mu.Unlock()
	if !wanted {
		return
	}
	ctx, cancel := context.WithTimeout(l.ctx, noticeTimeout)
	defer cancel()
	for _, s := range l.listeners() {
		_ = s.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: p.URI}) // who is gone does not care
	}
}

// logged hands a log message of the upstream on, once its words were looked at like those of a result.
func (l *link) logged(p *mcp.LoggingMessageParams) {
	l.mu.Lock()
	session := l.session
	l.mu.Unlock()
	if p == nil || session == nil || !l.notices.Allow() {
		return
	}
	raw, err := plain(map[string]any{"data": p.Data, "logger": p.Logger})
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(l.ctx, noticeTimeout)
	defer cancel()
	raw, err = l.newCall(session.ID(), "log").screened(ctx, raw, free)
	var shown struct {
		Data   any    `json:"data"`
		Logger string `json:"logger"`
	}
	if err != nil || json.Unmarshal(raw, &shown) != nil {
		return // what cannot be looked at is not handed on
	}
	_ = session.Log(ctx, &mcp.LoggingMessageParams{Level: p.Level, Logger: shown.Logger, Data: shown.Data})
}

// progressed hands the progress of a call on to whoever makes it.
func (l *link) progressed(p *mcp.ProgressNotificationParams) {
	if p == nil || !l.notices.Allow() {
		return
	}
	token, ok := p.ProgressToken.(string)
	if !ok {
		return
	}
	l.mu.Lock()
	tell := l.progress[token]
	l.mu.Unlock()
	if tell != nil {
		tell(p)
	}
}

// following hands the progress of a call on while it runs. It returns the token to call it by.
func (l *link) following(tell func(*mcp.ProgressNotificationParams)) (token string, done func()) {
	token = l.newToken()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.progress[token] = tell
	return token, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.progress, token)
	}
}
