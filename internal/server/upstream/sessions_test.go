// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/policy"
)

// counting counts the sessions of an upstream, and checks who comes.
type counting struct {
	http.Handler
	mu       sync.Mutex
	opened   map[string]bool
	ended    map[string]bool
	refusals int
	wants    string // in the header Authorization, if not empty
	seen     []string
}

func count(h http.Handler) *counting {
	return &counting{Handler: h, opened: map[string]bool{}, ended: map[string]bool{}}
}

// ServeHTTP implements http.Handler.
func (c *counting) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	id := r.Header.Get(headerSession)
	if id != "" {
		c.opened[id] = true
	}
	if r.Method == http.MethodDelete {
		c.ended[id] = true
	}
	c.seen = append(c.seen, r.Header.Get("Authorization"))
	refuse := c.wants != "" && r.Header.Get("Authorization") != c.wants
	if refuse {
		c.refusals++
	}
	c.mu.Unlock()
	if refuse {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	c.Handler.ServeHTTP(w, r)
}

func (c *counting) want(credential string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wants = credential
}

func (c *counting) counts() (opened, ended int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.opened), len(c.ended)
}

func echoServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	add(s, "echo", "Says it again", func(in struct {
		Text string `json:"text"`
	}) (*mcp.CallToolResult, any, error) {
		return text(in.Text), nil, nil
	})
	return s
}

func httpOf(s *mcp.Server) http.Handler {
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil)
}

// Each session of an agent has one with the upstream, which ends with it; of agents without sessions, each memory session has one.
func TestOneSessionEach(t *testing.T) {
	c := count(httpOf(echoServer()))
	f := newFixture(t, setup{upstreams: []v1alpha1.Upstream{toolsAt(serve(t, c))}, change: anything})
	if opened, _ := c.counts(); opened != 0 {
		t.Errorf("%d sessions before an agent came", opened)
	}
	first, second := f.agent("tools", true, nil), f.agent("tools", true, nil)
	for range 3 {
		called(t, first, "echo", args{"text": "1"})
		called(t, second, "echo", args{"text": "2"})
	}
	if opened, _ := c.counts(); opened != 2 {
		t.Errorf("%d sessions of two agents", opened)
	}
	must(t, first.Close())
	eventually(t, "the session with the upstream ends", func() bool { _, ended := c.counts(); return ended == 1 })
	called(t, second, "echo", args{"text": "2"})
	for _, query := range []string{"", "?session=a", "?session=a", "?session=b", "?session=a&namespace=tenant"} {
		s, err := f.dial(f.url+policy.UpstreamPath("tools")+query, false, nil)
		must(t, err)
		called(t, s, "echo", args{"text": "3"})
		must(t, s.Close())
	}
	if opened, ended := c.counts(); opened != 2+4 || ended != 1 {
		t.Errorf("%d sessions were opened, and %d ended", opened, ended)
	}
}

// There is room for one more session, always: the one unused for longest goes.
func TestSessionsAreBounded(t *testing.T) {
	c := count(httpOf(echoServer()))
	f := newFixture(t, setup{upstreams: []v1alpha1.Upstream{toolsAt(serve(t, c))}, change: anything, maxSessions: 2})
	var agents []*rawAgent
	for range 3 {
		agents = append(agents, f.rawAgent("tools", "2025-06-18"))
	}
	if n := f.handler.sessions.count(); n != 2 {
		t.Errorf("%d sessions are open", n)
	}
	if got := agents[0].ask("tools/list", "", ""); !strings.Contains(got, "session not found") {
		t.Errorf("the first: %s", got)
	}
	agents[1].result("tools/list", "", "")
	agents[2].result("tools/list", "", "")
	eventually(t, "its session with the upstream ends", func() bool { _, ended := c.counts(); return ended == 1 })
	for i := range 5 {
		s, err := f.dial(f.url+policy.UpstreamPath("tools")+fmt.Sprintf("?session=s%d", i), false, nil)
		must(t, err)
		called(t, s, "echo", args{"text": "3"})
		must(t, s.Close())
	}
	eventually(t, "shared sessions with the upstream end", func() bool { _, ended := c.counts(); return ended == 1+3 })
}

// A session stays with its upstream, its namespace and its memory session, whatever later requests name.
func TestASessionStaysWhatItIs(t *testing.T) {
	one, two := toolsAt(mount(t, echoServer())), toolsAt(mount(t, echoServer()))
	two.Name = "two"
	f := newFixture(t, setup{upstreams: []v1alpha1.Upstream{one, two}, change: anything})
	a := f.rawAgent("tools", "2025-06-18")
	for name, path := range map[string]string{
		"upstream": policy.UpstreamPath("two"), "namespace": a.path + "?namespace=tenant", "session": a.path + "?session=mine",
	} {
		resp, body := f.post(path, `{"jsonrpc":"2.0","id":9,"method":"tools/list","params":{}}`, a.headers)
		if resp.StatusCode != http.StatusBadRequest || !strings.Contains(body, name) {
			t.Errorf("%s: %s %s", name, resp.Status, body)
		}
	}
	a.result("tools/list", "", "")
}

// A policy that leaves an upstream as it is leaves its sessions alone; one that changes it ends them.
func TestPolicyReloads(t *testing.T) {
	c := count(httpOf(echoServer()))
	up := toolsAt(serve(t, c))
	other := toolsAt(mount(t, echoServer()))
	other.Name = "other"
	f := newFixture(t, setup{upstreams: []v1alpha1.Upstream{up, other}, change: anything})
	a, modern := f.rawAgent("tools", "2025-06-18"), f.rawAgent("tools", sessionless)
	a.result("tools/list", "", "")
	modern.result("tools/list", "", "")
	other.TimeoutSeconds = 7
	f.apply(setup{upstreams: []v1alpha1.Upstream{up, other}, change: anything})
	f.reload()
	a.result("tools/list", "", "")
	modern.result("tools/list", "", "")
	if opened, ended := c.counts(); opened != 2 || ended != 0 {
		t.Errorf("another upstream changed: %d sessions were opened, %d ended", opened, ended)
	}
	up.TimeoutSeconds = 7
	f.apply(setup{upstreams: []v1alpha1.Upstream{up, other}, change: anything})
	f.reload()
	if got := a.ask("tools/list", "", ""); !strings.Contains(got, "session not found") {
		t.Errorf("a session over the change: %s", got)
	}
	modern.result("tools/list", "", "")
	eventually(t, "sessions over the change end", func() bool { _, ended := c.counts(); return ended == 2 })
	f.apply(setup{upstreams: []v1alpha1.Upstream{other}, change: anything})
	f.reload()
	eventually(t, "sessions of what is gone end", func() bool { opened, ended := c.counts(); return opened == ended })
	if resp, body := f.post(policy.UpstreamPath("tools"), `{}`, nil); resp.StatusCode != http.StatusNotFound || !strings.Contains(body, "spec.upstreams") {
		t.Errorf("what is gone: %s %s", resp.Status, body)
	}
}

// Only the upstream gets the credential, and a new one is used from the next session on, which begins when the old one is refused.
func TestCredentials(t *testing.T) {
	c := count(httpOf(echoServer()))
	c.want("Bearer first")
	up := toolsAt(serve(t, c))
	up.CredentialSecretRef = &v1alpha1.SecretKeyRef{Name: "key"}
	s := setup{upstreams: []v1alpha1.Upstream{up}, change: anything, credentials: map[string]string{"tools": "first"}}
	f := newFixture(t, s)
	a := f.rawAgent("tools", "2025-06-18")
	a.result("tools/call", "echo", `"name":"echo","arguments":{"text":"hi"}`)
	c.want("Bearer second")
	if got := a.result("tools/call", "echo", `"name":"echo","arguments":{"text":"hi"}`); !strings.Contains(got, "does not take the screener's credential") {
		t.Errorf("with the old credential: %s", got)
	}
	must(t, os.WriteFile(f.files.Credentials["tools"], []byte("second\n"), 0o600))
	f.reload()
	if got := a.result("tools/call", "echo", `"name":"echo","arguments":{"text":"hi"}`); strings.Contains(got, "isError\":true") {
		t.Errorf("with the new credential: %s", got)
	}
	for _, secret := range []string{"first", "second"} {
		if strings.Contains(f.log.String(), secret) {
			t.Errorf("the log has a credential: %s", f.log.String())
		}
	}
}

// The credential goes nowhere else: not where a redirect points, and not where the old transport's server says its messages go.
func TestCredentialsDoNotLeak(t *testing.T) {
	var leaked atomic.Int32
	elsewhere := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Api-Key") != "" {
			leaked.Add(1)
		}
		w.WriteHeader(http.StatusOK)
	}))
	redirecting := toolsAt(serve(t, http.RedirectHandler(elsewhere, http.StatusTemporaryRedirect)))
	pointing := toolsAt(serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprintf(w, "event: endpoint\ndata: %s\n\n", elsewhere)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})))
	redirecting.Name, pointing.Name, pointing.Transport = "redirecting", "pointing", v1alpha1.UpstreamTransportSSE
	credentials := map[string]string{}
	ups := []v1alpha1.Upstream{redirecting, pointing}
	for i := range ups {
		ups[i].CredentialSecretRef, ups[i].CredentialHeader = &v1alpha1.SecretKeyRef{Name: "key"}, "X-API-Key"
		credentials[ups[i].Name] = "s3cret"
	}
	f := newFixture(t, setup{upstreams: ups, credentials: credentials, change: anything})
	for name, told := range map[string]string{"redirecting": "redirects", "pointing": "another place"} {
		_, err := f.dial(f.url+policy.UpstreamPath(name), true, nil)
		if err == nil || !strings.Contains(err.Error(), told) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if leaked.Load() != 0 {
		t.Error("the credential went elsewhere")
	}
}

// The old transport, and commands, are no different.
func TestTransports(t *testing.T) {
	server := echoServer()
	sse := toolsAt(serve(t, mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return server }, nil)))
	sse.Name, sse.Transport = "sse", v1alpha1.UpstreamTransportSSE
	command := toolsAt("http://localhost/unused")
	command.Name = "command"
	stateless := toolsAt(serve(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true,
	})))
	stateless.Name = "stateless"
	t.Setenv(asServer, "1")
	f := newFixture(t, setup{
		upstreams: []v1alpha1.Upstream{sse, command, stateless}, change: anything, commands: map[string][]string{"command": {os.Args[0]}},
	})
	for _, name := range []string{"sse", "command", "stateless"} {
		for generation, legacy := range generations {
			s := f.agent(name, legacy, nil)
			for range 2 {
				if out := called(t, s, "echo", args{"text": "héllo 12345678901234567890"}); out.text != "héllo 12345678901234567890\n" {
					t.Errorf("%s, %s: %s", name, generation, out.raw)
				}
			}
			if got := names(t, s); got != "echo" {
				t.Errorf("%s, %s: offered %s", name, generation, got)
			}
		}
	}
}

// asServer tells the test binary to be a server on its standard streams.
const asServer = "MEMORYTRUST_TEST_SERVER"

// TestMain runs the tests, or a server for them.
func TestMain(m *testing.M) {
	if os.Getenv(asServer) != "" {
		if err := os.Unsetenv(asServer); err == nil {
			_ = runServer()
			return
		}
	}
	os.Exit(m.Run())
}

// A command that is not there, or that says nothing the protocol knows, harms nobody else.
func TestFaultyCommands(t *testing.T) {
	ups := []v1alpha1.Upstream{toolsAt(mount(t, echoServer()))}
	commands := map[string][]string{"absent": {"/no/such/program"}, "babbling": {"/bin/echo", "hello"}, "silent": {"/bin/sleep", "60"}}
	for name := range commands {
		up := toolsAt("http://localhost/unused")
		up.Name, up.TimeoutSeconds = name, 1
		ups = append(ups, up)
	}
	f := newFixture(t, setup{upstreams: ups, change: anything, commands: commands})
	for name := range commands {
		if _, err := f.dial(f.url+policy.UpstreamPath(name), true, nil); err == nil || !strings.Contains(err.Error(), "upstream "+name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	called(t, f.agent("tools", true, nil), "echo", args{"text": "x"})
}

// Requests that are none are refused before anything is asked of an upstream.
func TestHostileRequests(t *testing.T) {
	c := count(httpOf(echoServer()))
	f := newFixture(t, setup{upstreams: []v1alpha1.Upstream{toolsAt(serve(t, c))}, change: anything})
	open := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	here := policy.UpstreamPath("tools")
	for name, tc := range map[string]struct {
		path, body string
		headers    map[string]string
		status     int
		says       string
	}{
		"no upstream":      {path: policy.UpstreamPath("others"), body: open, status: 404, says: "spec.upstreams"},
		"no path":          {path: "/upstreams/tools", body: open, status: 404, says: "/upstreams/<name>/mcp"},
		"more path":        {path: here + "/x", body: open, status: 404},
		"no JSON":          {body: `{"jsonrpc"`, status: 400, says: "not valid JSON"},
		"no UTF-8":         {body: "{\"a\":\"\xff\"}", status: 400, says: "UTF-8"},
		"too long":         {body: `{"jsonrpc":"2.0","x":"` + strings.Repeat("a", MaxBodyBytes) + `"}`, status: 413, says: "bytes"},
		"no session":       {body: `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, headers: map[string]string{headerSession: "ABC"}, status: 404, says: "session"},
		"other origin":     {body: open, headers: map[string]string{"Origin": "https://evil.example"}, status: 403, says: "origins"},
		"other type":       {body: open, headers: map[string]string{"Content-Type": "text/plain"}, status: 415},
		"two namespaces":   {path: here + "?namespace=a&namespace=b", body: open, status: 400, says: "namespace"},
		"unknown method":   {body: `{"jsonrpc":"2.0","id":1,"method":"memory/approve","params":{}}`, status: 400},
		"before a session": {body: `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`, status: 200, says: "initialization"},
	} {
		t.Run(name, func(t *testing.T) {
			path := tc.path
			if path == "" {
				path = here
			}
			resp, body := f.post(path, tc.body, tc.headers)
			if resp.StatusCode != tc.status || !strings.Contains(body, tc.says) {
				t.Errorf("%s: %.300s", resp.Status, body)
			}
		})
	}
	for name, headers := range map[string]map[string]string{"a page": {"Sec-Fetch-Site": "cross-site"}, "another": {"Origin": "https://evil.example"}} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, f.url+here, http.NoBody)
		must(t, err)
		for k, v := range headers {
			req.Header.Set(k, v)
		}
		resp, err := http.DefaultClient.Do(req)
		must(t, err)
		_ = resp.Body.Close()
		if resp.StatusCode != http.StatusForbidden {
			t.Errorf("%s reads: %s", name, resp.Status)
		}
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, f.url+here, http.NoBody)
	must(t, err)
	resp, err := http.DefaultClient.Do(req)
	must(t, err)
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusMethodNotAllowed || resp.Header.Get("Allow") != "GET, POST, DELETE" {
		t.Errorf("PUT: %s", resp.Status)
	}
	if opened, _ := c.counts(); opened != 0 {
		t.Errorf("%d sessions with the upstream were opened", opened)
	}
}
