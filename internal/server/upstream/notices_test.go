// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memorytrust.dev/operator/api/v1alpha1"
)

func text(s string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
}

// askEverything asks the other side for what a server may ask for, and tells what came of it.
func askEverything(refusals chan<- error) mcp.ToolHandler {
	return func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		_, err := r.Session.ListRoots(ctx, nil)
		refusals <- err
		_, err = r.Session.Elicit(ctx, &mcp.ElicitParams{Message: "Your password?", RequestedSchema: json.RawMessage(`{"type":"object"}`)})
		refusals <- err
		_, err = r.Session.CreateMessage(ctx, &mcp.CreateMessageParams{MaxTokens: 1})
		refusals <- err
		return text("asked"), nil
	}
}

func anything(s *v1alpha1.MemoryTrustPolicySpec) { s.Actions = allowAll() }

// Progress of a call reaches the agent under its own token, and what it says is looked at.
func TestProgress(t *testing.T) {
	for name, legacy := range generations {
		t.Run(name, func(t *testing.T) {
			release := make(chan bool)
			defer close(release)
			server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
			server.AddTool(&mcp.Tool{Name: "work", InputSchema: json.RawMessage(`{"type":"object"}`)},
				func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
					for i, message := range []string{"halfway", plant} {
						if err := r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
							ProgressToken: r.Params.GetProgressToken(), Progress: float64(i + 1), Total: 2, Message: message,
						}); err != nil {
							return nil, err
						}
					}
					<-release // the agent has seen it
					return text("done"), nil
				})
			up := memoryAt(mount(t, server))
			up.ToolRules = []v1alpha1.UpstreamToolRule{{Tools: []string{"*"}, Effect: v1alpha1.UpstreamEffectRead}}
			f := newFixture(t, setup{upstreams: []v1alpha1.Upstream{up}})
			seen := make(chan *mcp.ProgressNotificationParams, 10)
			s := f.agent("notes", legacy, &mcp.ClientOptions{
				ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) { seen <- r.Params },
			})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			params := &mcp.CallToolParams{Name: "work"}
			params.SetProgressToken("mine")
			go func() { _, _ = s.CallTool(ctx, params) }()
			first := next(t, "progress", seen)
			if first.ProgressToken != "mine" || first.Progress != 1 || first.Total != 2 || first.Message != "halfway" {
				t.Errorf("%+v", first)
			}
			if second := next(t, "more progress", seen); second.Progress != 2 || strings.Contains(second.Message, "evil.example") {
				t.Errorf("%+v", second)
			}
		})
	}
}

// When the agent gives a call up, the upstream learns it.
func TestCancellation(t *testing.T) {
	for name, legacy := range generations {
		t.Run(name, func(t *testing.T) {
			started, canceled := make(chan bool, 1), make(chan bool, 1)
			server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
			server.AddTool(&mcp.Tool{Name: "work", InputSchema: json.RawMessage(`{"type":"object"}`)},
				func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
					started <- true
					<-ctx.Done()
					canceled <- true
					return nil, ctx.Err()
				})
			f := newFixture(t, setup{upstreams: []v1alpha1.Upstream{toolsAt(mount(t, server))}, change: anything})
			s := f.agent("tools", legacy, nil)
			ctx, cancel := context.WithCancel(t.Context())
			go func() { _, _ = s.CallTool(ctx, &mcp.CallToolParams{Name: "work"}) }()
			next(t, "the call", started)
			cancel()
			next(t, "its end", canceled)
		})
	}
}

// The agent learns of changes, and of what it watches.
func TestChanges(t *testing.T) {
	for name, legacy := range generations {
		t.Run(name, func(t *testing.T) {
			server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, &mcp.ServerOptions{
				SubscribeHandler:   func(context.Context, *mcp.SubscribeRequest) error { return nil },
				UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
			})
			add(server, "one", "Does one thing", func(nothing) (*mcp.CallToolResult, any, error) { return text("1"), nil, nil })
			server.AddResource(&mcp.Resource{Name: "note", URI: "note:1"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: "note:1", Text: "x"}}}, nil
			})
			f := newFixture(t, setup{upstreams: []v1alpha1.Upstream{toolsAt(mount(t, server))}, change: anything})
			changes, updates := make(chan bool, 10), make(chan string, 10)
			s := f.agent("tools", legacy, &mcp.ClientOptions{
				ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changes <- true },
				ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) { updates <- r.Params.URI },
			})
			if got := names(t, s); got != "one" {
				t.Errorf("offered: %s", got)
			}
			must(t, s.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "note:1"}))
			eventually(t, "the subscription", func() bool {
				must(t, server.ResourceUpdated(t.Context(), &mcp.ResourceUpdatedNotificationParams{URI: "note:1"}))
				select {
				case uri := <-updates:
					return uri == "note:1"
				default:
					return false
				}
			})
			add(server, "two", "Does another thing", func(nothing) (*mcp.CallToolResult, any, error) { return text("2"), nil, nil })
			next(t, "the change", changes)
			if got := names(t, s); got != "one two" {
				t.Errorf("offered after the change: %s", got)
			}
		})
	}
}

// Log messages pass once their words were looked at, to agents that asked for them.
func TestLogMessages(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, &mcp.ServerOptions{Capabilities: &mcp.ServerCapabilities{
		Logging: &mcp.LoggingCapabilities{}, Tools: &mcp.ToolCapabilities{},
	}})
	server.AddTool(&mcp.Tool{Name: "work", InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			for _, data := range []any{map[string]any{"state": "started", "n": 1}, map[string]any{"state": plant}} {
				if err := r.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "warning", Logger: "worker", Data: data}); err != nil {
					return nil, err
				}
			}
			return text("done"), nil
		})
	up := memoryAt(mount(t, server))
	up.ToolRules = []v1alpha1.UpstreamToolRule{{Tools: []string{"*"}, Effect: v1alpha1.UpstreamEffectRead}}
	f := newFixture(t, setup{upstreams: []v1alpha1.Upstream{up}})
	logged := make(chan *mcp.LoggingMessageParams, 10)
	s := f.agent("notes", true, &mcp.ClientOptions{
		LoggingMessageHandler: func(_ context.Context, r *mcp.LoggingMessageRequest) { logged <- r.Params },
	})
	must(t, s.SetLoggingLevel(t.Context(), &mcp.SetLoggingLevelParams{Level: "info"}))
	called(t, s, "work", args{})
	first := next(t, "a log message", logged)
	if data, _ := first.Data.(map[string]any); data["state"] != "started" || data["n"] != 1.0 || first.Logger != "worker" || first.Level != "warning" {
		t.Errorf("%+v", first)
	}
	if second := next(t, "another", logged); strings.Contains(string(object(second)), "evil.example") {
		t.Errorf("%+v", second)
	}
}
