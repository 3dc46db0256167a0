// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/server/rest"
)

// foreign is a memory server behind the screener. It hands out everything it has by every way the protocol has, whatever was asked.
type foreign struct {
	mu    sync.Mutex
	texts []string
}

// upstreamName is the name of the memory server behind the screener.
const upstreamName = "notes"

// all are the texts it holds.
func (f *foreign) all() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.texts...)
}

func (f *foreign) keep(texts ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.texts = append(f.texts, texts...)
}

// graphOf is how the reference memory server answers.
func graphOf(texts []string) map[string]any {
	entities := []any{}
	for i, t := range texts {
		entities = append(entities, map[string]any{"name": fmt.Sprintf("note%d", i), "entityType": "note", "observations": []string{t}})
	}
	return map[string]any{"entities": entities, "relations": []any{}}
}

// server is the memory server: the tools of the reference server, all of which answer with everything, once in each shape.
func (f *foreign) server() *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "foreign", Version: "1"}, &sdk.ServerOptions{
		CompletionHandler: func(context.Context, *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
			return &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: f.all()}}, nil
		},
		SubscribeHandler:   func(context.Context, *sdk.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *sdk.UnsubscribeRequest) error { return nil },
		Capabilities:       &sdk.ServerCapabilities{Logging: &sdk.LoggingCapabilities{}}, //nolint:staticcheck // servers of today have it
	})
	for _, name := range []string{
		"create_entities", "create_relations", "add_observations", "delete_entities", "delete_observations", "delete_relations", "read_graph",
		"search_nodes", "open_nodes", "unknown_tool",
	} {
		s.AddTool(&sdk.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}, f.answer)
	}
	s.AddResource(&sdk.Resource{Name: "graph", URI: "memory://graph"}, f.resource)
	s.AddResourceTemplate(&sdk.ResourceTemplate{Name: "node", URITemplate: "memory://graph/{id}"}, f.resource)
	s.AddPrompt(&sdk.Prompt{Name: "recap"}, func(context.Context, *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		out := &sdk.GetPromptResult{Description: strings.Join(f.all(), "\n")}
		for _, t := range f.all() {
			out.Messages = append(out.Messages, &sdk.PromptMessage{Role: "user", Content: &sdk.TextContent{Text: t}})
		}
		return out, nil
	})
	return s
}

func (f *foreign) answer(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	texts := f.all()
	raw, err := json.Marshal(graphOf(texts))
	if err != nil {
		return nil, err
	}
	if token := r.Params.GetProgressToken(); token != nil {
		for i, t := range texts {
			if err := r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Progress: float64(i), Message: t}); err != nil {
				return nil, err
			}
		}
	}
	var how struct {
		How string `json:"how"`
	}
	_ = json.Unmarshal(r.Params.Arguments, &how)
	if how.How == "error" {
		return nil, fmt.Errorf("not found, but there is: %s", strings.Join(texts, "; "))
	}
	content := []sdk.Content{
		&sdk.TextContent{Text: string(raw)}, &sdk.TextContent{Text: strings.Join(texts, "\n")}, &sdk.TextContent{Text: "- " + strings.Join(texts, "\n\n- ")},
		&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "memory://graph", Text: strings.Join(texts, "\n")}},
		&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "memory://graph", MIMEType: "text/plain", Blob: []byte(strings.Join(texts, "\n"))}},
	}
	for _, t := range texts {
		content = append(content, &sdk.ResourceLink{URI: "memory://" + url.PathEscape(t), Name: t, Title: t, Description: t})
	}
	return &sdk.CallToolResult{
		Content: content, StructuredContent: graphOf(texts), Meta: sdk.Meta{"vendor.example/all": texts}, IsError: how.How == "failed",
	}, nil
}

func (f *foreign) resource(_ context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	texts := f.all()
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{
		{URI: r.Params.URI, Text: strings.Join(texts, "\n")}, {URI: r.Params.URI, Blob: []byte(strings.Join(texts, "\n"))},
		{URI: r.Params.URI, MIMEType: "application/json", Text: jsonOf(graphOf(texts))},
	}}, nil
}

// behind starts the memory server, and returns the upstream of the policy that it is.
func (w *world) behind() v1alpha1.Upstream {
	w.foreign = &foreign{}
	server := w.foreign.server()
	s := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, nil))
	w.t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return v1alpha1.Upstream{Name: upstreamName, URL: s.URL + "/mcp", Kind: v1alpha1.UpstreamKindMemory}
}

// seedForeign has the memory server hold what must and what must not come out of it: everything that is Blocked there because a
// person, or the screen, said so.
func (w *world) seedForeign() {
	call := gate.UpstreamCall{Upstream: upstreamName, Tool: "add_observations", Session: "before"}
	write := func(text string) gate.UpstreamAdmission {
		w.t.Helper()
		out, err := w.gate.AdmitUpstreamWrite(w.ctx(), gate.Caller{}, gate.UpstreamWrite{UpstreamCall: call, Texts: []string{text}})
		w.must(err)
		if out.Allowed {
			w.must(w.gate.RecordUpstream(w.ctx(), gate.Caller{}, out, []string{text}))
		}
		return out
	}
	w.foreignBlocked, w.foreignOpen = map[string]string{}, "The lighthouse zqlight "+tail("zqlight")+" was built in 1870."
	write(w.foreignOpen)
	refused := write(planted("zqrefused"))
	if refused.Allowed {
		w.t.Fatal("a directive was let in")
	}
	w.foreignBlocked["refused when it was written"] = planted("zqrefused")
	w.foreignBlocked["planted behind our back"] = planted("zqbehind")
	revoked := "The harbor master zqrevoked " + tail("zqrevoked") + " lives on the pier."
	write(revoked)
	found, err := w.store.List(w.ctx(), memory.Filter{Namespace: "agents", Limit: 1000})
	w.must(err)
	for _, r := range found {
		if r.Content == revoked {
			w.decide(r.ID, memory.ActionQuarantine)
		}
	}
	w.foreignBlocked["taken back by a person"] = revoked
	w.foreign.keep(w.foreignOpen)
	for _, text := range w.foreignBlocked {
		w.foreign.keep(text)
	}
}

// checkForeign looks at what came over the wire from the memory server.
func (w *world) checkForeign(way, came string) {
	w.t.Helper()
	lower := strings.ToLower(came)
	for name, text := range w.foreignBlocked {
		secret := "tail" + text[strings.Index(text, "zq")+2:]
		secret, _, _ = strings.Cut(secret, " ")
		if strings.Contains(lower, secret) {
			w.t.Errorf("%s: what was %s came out: …%.160s…", way, name, came[max(0, strings.Index(lower, secret)-100):])
		}
	}
	if strings.Contains(lower, tail("zqlight")) {
		w.delivered["upstream "+way]++
	}
}

// upstreams reads by everything that the memory server behind the screener offers, in both generations of the protocol. What it
// offers is taken from its own lists.
func (w *world) upstreams() (attempts int) {
	for _, version := range []string{"2025-11-25", ""} {
		var mu sync.Mutex
		var said []string
		heard := func(v any) {
			mu.Lock()
			defer mu.Unlock()
			said = append(said, jsonOf(v))
		}
		s, err := sdk.NewClient(&sdk.Implementation{Name: "agent", Version: "v0"}, &sdk.ClientOptions{
			ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) { heard(r.Params) },
			LoggingMessageHandler:       func(_ context.Context, r *sdk.LoggingMessageRequest) { heard(r.Params) }, //nolint:staticcheck // a way to the agent as long as the gateway has it
		}).Connect(w.ctx(), &sdk.StreamableClientTransport{Endpoint: w.url + policy.UpstreamPath(upstreamName) + "?session=foreign"},
			&sdk.ClientSessionOptions{ProtocolVersion: version})
		w.must(err)
		w.checkForeign("initialize", jsonOf(s.InitializeResult()))
		attempts += w.foreignTools(s) + w.foreignRest(s)
		mu.Lock()
		w.checkForeign("notifications", strings.Join(said, "\n"))
		mu.Unlock()
		w.must(s.Close())
	}
	return attempts
}

func (w *world) foreignTools(s *sdk.ClientSession) (attempts int) {
	tools, err := s.ListTools(w.ctx(), nil)
	w.must(err)
	w.checkForeign("tools/list", jsonOf(tools))
	if len(tools.Tools) != 10 {
		w.t.Errorf("%d tools are offered", len(tools.Tools))
	}
	for _, tool := range tools.Tools {
		for _, how := range []string{"", "error", "failed"} {
			arguments := map[string]any{"how": how, "query": "zqlight", "entityNames": []string{"note0"}, "observations": []any{
				map[string]any{"entityName": "note0", "contents": []string{"It has a red door."}},
			}}
			params := &sdk.CallToolParams{Name: tool.Name, Arguments: arguments}
			params.SetProgressToken(tool.Name + how)
			result, err := s.CallTool(w.ctx(), params)
			w.checkForeign("tools/call "+tool.Name, fmt.Sprint(jsonOf(result), err))
			attempts++
		}
	}
	return attempts
}

func (w *world) foreignRest(s *sdk.ClientSession) (attempts int) {
	resources, err := s.ListResources(w.ctx(), nil)
	w.must(err)
	templates, err := s.ListResourceTemplates(w.ctx(), nil)
	w.must(err)
	prompts, err := s.ListPrompts(w.ctx(), nil)
	w.must(err)
	w.checkForeign("lists", jsonOf([]any{resources, templates, prompts}))
	if len(resources.Resources) != 1 || len(templates.ResourceTemplates) != 1 || len(prompts.Prompts) != 1 {
		w.t.Errorf("offered: %s", jsonOf([]any{resources, templates, prompts}))
	}
	for _, uri := range []string{"memory://graph", "memory://graph/1"} {
		result, err := s.ReadResource(w.ctx(), &sdk.ReadResourceParams{URI: uri})
		w.checkForeign("resources/read", fmt.Sprint(jsonOf(result), err))
		for _, c := range result.Contents {
			w.checkForeign("resources/read", string(c.Blob))
		}
		attempts++
	}
	prompt, err := s.GetPrompt(w.ctx(), &sdk.GetPromptParams{Name: "recap"})
	w.checkForeign("prompts/get", fmt.Sprint(jsonOf(prompt), err))
	completed, err := s.Complete(w.ctx(), &sdk.CompleteParams{
		Ref: &sdk.CompleteReference{Type: "ref/prompt", Name: "recap"}, Argument: sdk.CompleteParamsArgument{Name: "a", Value: "b"},
	})
	w.checkForeign("completion/complete", fmt.Sprint(jsonOf(completed), err))
	return attempts + 5
}

// Whatever a memory server behind the screener hands out, by whatever way, nothing of what is Blocked comes out, and what is not
// does.
func TestUpstreamsKeepTheBoundary(t *testing.T) {
	w := newWorld(t)
	w.seedForeign()
	attempts := w.upstreams()
	for _, way := range []string{
		"tools/call read_graph", "tools/call search_nodes", "tools/call open_nodes", "tools/call add_observations", "resources/read", "prompts/get", "completion/complete",
		"notifications",
	} {
		if w.delivered["upstream "+way] == 0 {
			t.Errorf("%s delivered nothing at all", way)
		}
	}
	// The other ports have nothing of upstreams.
	channel, err := rest.NewChannelHandler(w.gate, discard)
	w.must(err)
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		answer := httptest.NewRecorder()
		channel.ServeHTTP(answer, httptest.NewRequest(method, policy.UpstreamPath(upstreamName), strings.NewReader("{}")))
		if answer.Code != http.StatusUnauthorized {
			t.Errorf("%s on the channel port: %d", method, answer.Code)
		}
		attempts++
	}
	t.Logf("escape attempts: %d, successful: 0", attempts)
}
