// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memorytrust.dev/operator/api/v1alpha1"
)

// faulty are ways in which an upstream can answer one call badly, with words of what the model is told.
func faulty() map[string]struct {
	answer func(w http.ResponseWriter, r *http.Request, id json.RawMessage)
	told   string
} {
	type fault = struct {
		answer func(w http.ResponseWriter, r *http.Request, id json.RawMessage)
		told   string
	}
	write := func(media, body string) func(http.ResponseWriter, *http.Request, json.RawMessage) {
		return func(w http.ResponseWriter, _ *http.Request, id json.RawMessage) {
			w.Header().Set("Content-Type", media)
			_, _ = io.WriteString(w, strings.ReplaceAll(body, "ID", string(id)))
		}
	}
	flood := func(w http.ResponseWriter, head string) {
		_, _ = io.WriteString(w, head)
		for range 64 {
			if _, err := io.WriteString(w, strings.Repeat("a", 64<<10)); err != nil {
				return
			}
		}
	}
	return map[string]fault{
		"hangs": {func(_ http.ResponseWriter, r *http.Request, _ json.RawMessage) {
			select {
			case <-r.Context().Done():
			case <-time.After(patience):
			}
		}, "did not answer in time"},
		"hangs in a stream": {func(w http.ResponseWriter, r *http.Request, _ json.RawMessage) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, ": wait\n\n")
			w.(http.Flusher).Flush()
			select {
			case <-r.Context().Done():
			case <-time.After(patience):
			}
		}, "did not answer in time"},
		"garbage":      {write("application/json", "{]"), "no message of the protocol"},
		"no message":   {write("application/json", `{"hello":"world"}`), "no message of the protocol"},
		"nothing":      {write("application/json", ""), "no message of the protocol"},
		"a page":       {write("text/html", "<html>"), "no message of the protocol"},
		"not a result": {write("application/json", `{"jsonrpc":"2.0","id":ID,"result":"ok"}`), "no message of the protocol"},
		"no UTF-8":     {write("application/json", "{\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"\xff\"}]}}"), "no message of the protocol"},
		"too deep": {write("application/json", `{"jsonrpc":"2.0","id":ID,"result":{"structuredContent":`+strings.Repeat("[", 500)+strings.Repeat("]", 500)+`}}`),
			"no message of the protocol"},
		"flood": {func(w http.ResponseWriter, _ *http.Request, id json.RawMessage) {
			w.Header().Set("Content-Type", "application/json")
			flood(w, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"`, id))
		}, "more than the policy allows"},
		"flood in a stream": {func(w http.ResponseWriter, _ *http.Request, id json.RawMessage) {
			w.Header().Set("Content-Type", "text/event-stream")
			flood(w, fmt.Sprintf(`data: {"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"`, id))
		}, "more than the policy allows"},
		"closes": {func(w http.ResponseWriter, _ *http.Request, _ json.RawMessage) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				_ = conn.Close()
			}
		}, "closed the connection"},
		"closes in the middle": {func(w http.ResponseWriter, _ *http.Request, _ json.RawMessage) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "data: {\"jsonrpc\"")
			w.(http.Flusher).Flush()
			conn, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				_ = conn.Close()
			}
		}, "closed the connection"},
		"garbage in a stream": {write("text/event-stream", "data: {]\n\n"), "closed the connection"},
		"another's answer":    {write("text/event-stream", "data: {\"jsonrpc\":\"2.0\",\"id\":99999,\"result\":{}}\n\n"), "closed the connection"},
		"unavailable": {func(w http.ResponseWriter, _ *http.Request, _ json.RawMessage) {
			w.WriteHeader(http.StatusServiceUnavailable)
		}, "the upstream"},
		"redirects": {func(w http.ResponseWriter, r *http.Request, _ json.RawMessage) {
			http.Redirect(w, r, "http://127.0.0.1:1/elsewhere", http.StatusTemporaryRedirect)
		}, "redirects"},
		"asks for input": {write("application/json", `{"jsonrpc":"2.0","id":ID,"result":{"resultType":"input_required","inputRequests":{"q":{"method":"elicitation/create",`+
			`"params":{"message":"Your password?"}}}}}`), "asks for input"},
	}
}

// Whatever an upstream does in one call, the agent is told, the calls beside it go on, and so do those after it.
func TestFaultsHarmOnlyTheirCall(t *testing.T) {
	upstream := newRawServer()
	upstream.set("tools/call", `{"content":[{"type":"text","text":"fine"}]}`)
	tools := []string{`{"name":"fine","inputSchema":{"type":"object"}}`}
	for name := range faulty() {
		tools = append(tools, fmt.Sprintf(`{"name":%q,"inputSchema":{"type":"object"}}`, name))
	}
	upstream.set("tools/list", `{"tools":[`+strings.Join(tools, ",")+`]}`)
	upstream.special = func(w http.ResponseWriter, r *http.Request, method string, id json.RawMessage) bool {
		f, ok := faulty()[strings.TrimPrefix(method, "tools/call ")]
		if ok {
			f.answer(w, r, id)
		}
		return ok
	}
	up := toolsAt(serve(t, upstream))
	up.TimeoutSeconds, up.MaxResultBytes = 1, 64<<10
	other := toolsAt(mount(t, bank(nil, "a page")))
	other.Name = "other"
	f := newFixture(t, setup{upstreams: []v1alpha1.Upstream{up, other}, change: func(s *v1alpha1.MemoryTrustPolicySpec) { s.Actions = allowAll() }})
	for generation, legacy := range generations {
		for name, fault := range faulty() {
			t.Run(generation+"/"+name, func(t *testing.T) {
				s, beside := f.agent("tools", legacy, nil), f.agent("other", legacy, nil)
				done := make(chan outcome, 1)
				go func() { done <- try(t, s, name, args{}) }()
				called(t, beside, "fetch", args{"url": "x"})
				out := next(t, "the faulty call", done)
				if !out.IsError || !strings.Contains(strings.ToLower(out.text), fault.told) {
					t.Errorf("the model is told: %s", out.raw)
				}
				if out := called(t, s, "fine", args{}); out.text != "fine\n" {
					t.Errorf("the next call: %s", out.raw)
				}
			})
		}
	}
}

// An upstream that is not there, or that hangs from the start, keeps the agent from its own tools and from nothing else.
func TestUnreachableUpstreams(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	hanging := serve(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // a server only sees that a client is gone once it has read what it sent
		select {
		case <-r.Context().Done():
		case <-time.After(patience):
		}
	}))
	down, slow, up := toolsAt(gone.URL+"/mcp"), toolsAt(hanging), toolsAt(mount(t, bank(nil, "x")))
	down.Name, slow.Name, slow.TimeoutSeconds = "down", "slow", 1
	f := newFixture(t, setup{upstreams: []v1alpha1.Upstream{down, slow, up}, change: func(s *v1alpha1.MemoryTrustPolicySpec) { s.Actions = allowAll() }})
	for name, told := range map[string]string{"down": "nothing answers", "slow": "did not answer in time"} {
		for generation, legacy := range generations {
			_, err := f.dial(f.url+"/upstreams/"+name+"/mcp", legacy, nil)
			if err == nil || !strings.Contains(err.Error(), told) || strings.Contains(err.Error(), "127.0.0.1") {
				t.Errorf("%s, %s: %v", name, generation, err)
			}
		}
	}
	called(t, f.agent("tools", true, nil), "fetch", args{"url": "x"})
	for _, s := range f.handler.Status() {
		if (s.Problem == "") != (s.Name == "tools") {
			t.Errorf("status: %+v", s)
		}
	}
}

// A session goes on when the upstream forgot it, or came back after a restart.
func TestReconnects(t *testing.T) {
	upstream := newRawServer()
	upstream.set("tools/call", `{"content":[{"type":"text","text":"fine"}]}`)
	forgotten := false
	upstream.special = func(w http.ResponseWriter, r *http.Request, _ string, _ json.RawMessage) bool {
		if forgotten && r.Header.Get(headerSession) != "" {
			w.WriteHeader(http.StatusNotFound)
			return true
		}
		return false
	}
	f := newFixture(t, setup{
		upstreams: []v1alpha1.Upstream{toolsAt(serve(t, upstream))}, change: func(s *v1alpha1.MemoryTrustPolicySpec) { s.Actions = allowAll() },
	})
	a := f.rawAgent("tools", "2025-06-18")
	a.result("logging/setLevel", "", `"level":"error"`)
	a.result("tools/call", "echo", `"name":"echo"`)
	forgotten = true
	upstream.mu.Lock()
	upstream.bodies, upstream.requests = nil, nil
	upstream.mu.Unlock()
	upstream.special = func(w http.ResponseWriter, r *http.Request, _ string, _ json.RawMessage) bool {
		if forgotten && r.Header.Get(headerSession) != "" {
			forgotten = false
			w.WriteHeader(http.StatusNotFound)
			return true
		}
		return false
	}
	if got := a.result("tools/call", "echo", `"name":"echo"`); !strings.Contains(got, "fine") {
		t.Errorf("%s", got)
	}
	if bodies, _ := upstream.seen("initialize"); len(bodies) != 1 {
		t.Errorf("opened %d times", len(bodies))
	}
	if bodies, _ := upstream.seen("logging/setLevel"); len(bodies) != 1 || !strings.Contains(bodies[0], "error") {
		t.Errorf("the log level was not restored: %v", bodies)
	}
}

// A list without an end, and one that repeats a name, are no way around the pins.
func TestListsThatLie(t *testing.T) {
	upstream := newRawServer()
	upstream.set("tools/list", `{"tools":[{"name":"twice","description":"Adds","inputSchema":{"type":"object"}},{"name":"twice","description":"`+plant+
		`","inputSchema":{"type":"object"}},{"name":"both","description":"Adds","description":"`+plant+`","inputSchema":{"type":"object"}},{"name":"","inputSchema":{}},`+
		`"no tool",{"name":"good","description":"Adds","inputSchema":{"type":"object"}}]}`)
	upstream.set("tools/call", `{"content":[]}`)
	f := newFixture(t, setup{
		upstreams: []v1alpha1.Upstream{toolsAt(serve(t, upstream))}, change: func(s *v1alpha1.MemoryTrustPolicySpec) { s.Actions = allowAll() },
	})
	a := f.rawAgent("tools", "2025-06-18")
	want := `{"tools":[{"name":"twice","description":"Adds","inputSchema":{"type":"object"}},{"name":"good","description":"Adds","inputSchema":{"type":"object"}}]}`
	if got := a.result("tools/list", "", ""); got != want {
		t.Errorf("%s", got)
	}
	if got := a.result("tools/call", "both", `"name":"both"`); !strings.Contains(got, `"isError":true`) {
		t.Errorf("both: %s", got)
	}
	upstream.set("tools/list", `{"tools":[{"name":"good","description":"Adds","inputSchema":{"type":"object"}}],"nextCursor":"again"}`)
	b := f.rawAgent("tools", "2025-06-18")
	if got := b.result("tools/call", "good", `"name":"good"`); !strings.Contains(got, "lists more tools") {
		t.Errorf("without an end: %s", got)
	}
}

// What an upstream says in an error is looked at like a result.
func TestErrorsAreScreened(t *testing.T) {
	upstream := newRawServer()
	upstream.set("tools/call", `error:{"code":-32050,"message":"`+plant+`","data":{"why":"`+plant+`","n":12345678901234567890}}`)
	up := memoryAt(serve(t, upstream))
	up.ToolRules = []v1alpha1.UpstreamToolRule{{Tools: []string{"*"}, Effect: v1alpha1.UpstreamEffectRead}}
	f := newFixture(t, setup{upstreams: []v1alpha1.Upstream{up}})
	for _, version := range []string{"2025-06-18", sessionless} {
		a := f.rawAgent("notes", version)
		got := a.ask("tools/call", "echo", `"name":"echo"`)
		if strings.Contains(got, "evil.example") || !strings.Contains(got, "-32050") || !strings.Contains(got, "12345678901234567890") {
			t.Errorf("%s: %s", version, got)
		}
	}
	upstream.set("tools/call", `error:{"code":-32050,"message":"There is no such entity."}`)
	if got := f.rawAgent("notes", "2025-06-18").ask("tools/call", "echo", `"name":"echo"`); !strings.Contains(got, "There is no such entity.") {
		t.Errorf("a plain error: %s", got)
	}
}

// An upstream asks nothing of the agent.
func TestRequestsOfUpstreamsAreRefused(t *testing.T) {
	refusals := make(chan error, 3)
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	server.AddTool(&mcp.Tool{Name: "ask", InputSchema: json.RawMessage(`{"type":"object"}`)}, askEverything(refusals))
	f := newFixture(t, setup{
		upstreams: []v1alpha1.Upstream{toolsAt(mount(t, server))}, change: func(s *v1alpha1.MemoryTrustPolicySpec) { s.Actions = allowAll() },
	})
	called(t, f.agent("tools", true, nil), "ask", args{})
	for range 3 {
		if err := next(t, "a refusal", refusals); err == nil {
			t.Error("a request of the upstream was answered")
		}
	}
}
