// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/policy"
)

// rawServer is an upstream that says exactly what a test wants it to say.
type rawServer struct {
	mu sync.Mutex
	// answers are results by method, and for calls of tools by their name; what begins with "error:" is an error.
	answers map[string]string
	// special handles a method itself; it reports whether it did.
	special  func(w http.ResponseWriter, r *http.Request, method string, id json.RawMessage) bool
	requests []*http.Request
	bodies   []string
}

const rawTools = `{"tools":[{"name":"echo","description":"Say it again","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},` +
	`"x-vendor":{"deep":[1,2,12345678901234567890]}},"execution":{"taskSupport":"forbidden"},"_meta":{"vendor.example/ui":{"b":1,"a":2}},"zz":true}]}`

func newRawServer() *rawServer {
	return &rawServer{answers: map[string]string{
		"initialize": `{"protocolVersion":"2025-06-18","capabilities":{"tools":{"listChanged":true},"prompts":{},"resources":{"subscribe":true},"completions":{},"logging":{},` +
			`"experimental":{"x":{}}},"serverInfo":{"name":"raw","version":"9"},"instructions":"Use echo to hear something twice."}`,
		"tools/list":          rawTools,
		"ping":                `{}`,
		"logging/setLevel":    `{}`,
		"resources/subscribe": `{}`,
	}}
}

// ServeHTTP implements http.Handler.
func (s *rawServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	s.requests, s.bodies = append(s.requests, r), append(s.bodies, string(body))
	s.mu.Unlock()
	if r.Method != http.MethodPost {
		if s.special != nil && s.special(w, r, r.Method, nil) {
			return
		}
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	var message struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			Name string `json:"name"`
		} `json:"params"`
	}
	_ = json.Unmarshal(body, &message)
	if len(message.ID) == 0 {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	if s.special != nil && s.special(w, r, message.Method+" "+message.Params.Name, message.ID) {
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Mcp-Session-Id", "raw-session")
	_, _ = io.WriteString(w, s.answer(message.ID, message.Method, message.Params.Name))
}

func (s *rawServer) answer(id json.RawMessage, method, tool string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	result, ok := s.answers[method+" "+tool]
	if !ok {
		result, ok = s.answers[method]
	}
	if fault, isError := strings.CutPrefix(result, "error:"); isError || !ok {
		if !ok {
			fault = `{"code":-32601,"message":"unknown method"}`
		}
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":%s}`, id, fault)
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
}

func (s *rawServer) set(method, result string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers[method] = result
}

// seen returns what was sent of a method.
func (s *rawServer) seen(method string) (bodies []string, requests []*http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, b := range s.bodies {
		if strings.Contains(b, `"method":"`+method+`"`) {
			bodies, requests = append(bodies, b), append(requests, s.requests[i])
		}
	}
	return bodies, requests
}

// rawAgent speaks to an upstream of the fixture by hand.
type rawAgent struct {
	f       *fixture
	path    string
	headers map[string]string
	meta    string // of every request
	id      int
}

func (f *fixture) rawAgent(upstream, version string) *rawAgent {
	f.t.Helper()
	a := &rawAgent{f: f, path: policy.UpstreamPath(upstream), headers: map[string]string{headerVersion: version}}
	if version >= sessionless {
		a.meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + version + `","io.modelcontextprotocol/clientCapabilities":{}}`
		return a
	}
	resp, body := f.post(a.path, fmt.Sprintf(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},`+
		`"clientInfo":{"name":"raw","version":"1"}}}`, version), nil)
	a.headers[headerSession] = resp.Header.Get(headerSession)
	if a.headers[headerSession] == "" {
		f.t.Fatalf("no session: %s", body)
	}
	f.post(a.path, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, a.headers)
	return a
}

// ask makes a request, and returns the whole answer as JSON.
func (a *rawAgent) ask(method, name, params string) string {
	a.f.t.Helper()
	a.id++
	fields := strings.Trim(strings.Join([]string{params, a.meta}, ","), ",")
	headers := map[string]string{}
	for k, v := range a.headers {
		headers[k] = v
	}
	if a.meta != "" {
		headers["Mcp-Method"] = method
		if name != "" {
			headers["Mcp-Name"] = name
		}
	}
	_, body := a.f.post(a.path, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s}}`, a.id, method, fields), headers)
	if data, ok := lastEvent(body); ok {
		return data
	}
	return body
}

// result is ask for requests that succeed; it returns the result byte for byte.
func (a *rawAgent) result(method, name, params string) string {
	a.f.t.Helper()
	answer := a.ask(method, name, params)
	var message struct {
		Result json.RawMessage `json:"result"`
	}
	if err := json.Unmarshal([]byte(answer), &message); err != nil || len(message.Result) == 0 {
		a.f.t.Fatalf("%s: %s", method, answer)
	}
	return string(message.Result)
}

// lastEvent returns the data of the last event of a stream.
func lastEvent(stream string) (string, bool) {
	at := strings.LastIndex(stream, "data: ")
	if at < 0 {
		return "", false
	}
	data, _, _ := strings.Cut(stream[at+len("data: "):], "\n")
	return data, true
}

// awkward is a result that a decoder and an encoder would not leave as it is.
const awkward = `{"zeta":1,"content":[{"type":"text","text":"caf\u00e9 \ud83d\ude00 </b> \u2028","annotations":{"priority":0.5},"vendor":[1,2]}],` +
	`"structuredContent":{"b":12345678901234567890,"a":1e400,"c":{"x":"y"},"d":1.10},"isError":false,"_meta":{"v.example/k":[]}}`

// What nobody withholds passes byte for byte: fields the protocol does not know, long numbers, the order of members, escapes.
func TestResultsPassByteForByte(t *testing.T) {
	for _, kind := range []v1alpha1.UpstreamKind{v1alpha1.UpstreamKindMemory, v1alpha1.UpstreamKindTools} {
		t.Run(string(kind), func(t *testing.T) {
			upstream := newRawServer()
			upstream.set("tools/call", awkward)
			up := v1alpha1.Upstream{Name: "raw", URL: serve(t, upstream), Kind: kind}
			if kind == v1alpha1.UpstreamKindMemory {
				up.ToolRules = []v1alpha1.UpstreamToolRule{{Tools: []string{"*"}, Effect: v1alpha1.UpstreamEffectRead}}
			}
			f := newFixture(t, setup{upstreams: []v1alpha1.Upstream{up}, change: func(s *v1alpha1.MemoryTrustPolicySpec) { s.Actions = allowAll() }})
			a := f.rawAgent("raw", "2025-06-18")
			if got := a.result("tools/list", "", ""); got != rawTools {
				t.Errorf("the list: %s\nwant %s", got, rawTools)
			}
			if got := a.result("tools/call", "echo", `"name":"echo","arguments":{"text":"hi"}`); got != awkward {
				t.Errorf("the result: %s\nwant %s", got, awkward)
			}
			modern := f.rawAgent("raw", sessionless)
			got := modern.result("tools/call", "echo", `"name":"echo","arguments":{"text":"hi"}`)
			for _, part := range []string{`"resultType":"complete"`, `"b":12345678901234567890,"a":1e400`, `caf\u00e9 \ud83d\ude00 </b> \u2028`, `"v.example/k":[]`} {
				if !strings.Contains(got, part) {
					t.Errorf("without sessions, %s is not there: %s", part, got)
				}
			}
			if got := modern.result("tools/list", "", ""); !strings.Contains(got, strings.TrimSuffix(strings.TrimPrefix(rawTools, "{"), "}")) ||
				!strings.Contains(got, `"cacheScope":"private"`) {
				t.Errorf("without sessions, the list: %s", got)
			}
		})
	}
}

// allowAll lets every tool call pass, for tests of what else happens to it.
func allowAll() v1alpha1.ActionsSpec {
	return v1alpha1.ActionsSpec{Rules: []v1alpha1.ActionRule{{Name: "all", Tools: []string{"*"}, Authority: "Inform"}}}
}

// What the agent says reaches the upstream as it was said, and nothing of the hop to the screener does.
func TestRequestsPass(t *testing.T) {
	upstream := newRawServer()
	upstream.set("tools/call", `{"content":[]}`)
	upstream.set("prompts/get", `{"messages":[]}`)
	upstream.set("completion/complete", `{"completion":{"values":["a"]}}`)
	f := newFixture(t, setup{
		upstreams: []v1alpha1.Upstream{toolsAt(serve(t, upstream))}, change: func(s *v1alpha1.MemoryTrustPolicySpec) { s.Actions = allowAll() },
	})
	a := f.rawAgent("tools", "2025-06-18")
	a.headers["Authorization"], a.headers["Cookie"], a.headers["X-Agent"] = "Bearer agents-own", "a=b", "1"
	a.result("tools/call", "echo", `"name":"echo","arguments":{"n":12345678901234567890,"b":[1,{}],"a":"<é>"},"_meta":{"trace.example/id":"t1","progressToken":7}`)
	bodies, requests := upstream.seen("tools/call")
	if len(bodies) != 1 {
		t.Fatalf("%d calls", len(bodies))
	}
	var sent struct {
		Params struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
			Meta      map[string]any  `json:"_meta"`
		} `json:"params"`
	}
	must(t, json.Unmarshal([]byte(bodies[0]), &sent))
	if got := string(sent.Params.Arguments); got != `{"n":12345678901234567890,"b":[1,{}],"a":"<é>"}` {
		t.Errorf("arguments: %s", got)
	}
	if sent.Params.Meta["trace.example/id"] != "t1" || sent.Params.Meta["progressToken"] == 7.0 || sent.Params.Meta["progressToken"] == nil {
		t.Errorf("_meta: %v", sent.Params.Meta)
	}
	for _, header := range []string{"Authorization", "Cookie", "X-Agent"} {
		if v := requests[0].Header.Get(header); v != "" {
			t.Errorf("the agent's %s reached the upstream: %s", header, v)
		}
	}
	if strings.Contains(strings.Join(upstream.bodies, ""), asIs) {
		t.Error("a name of our own reached the upstream")
	}
	a.result("prompts/get", "p", `"name":"p","arguments":{"k":"v"}`)
	if bodies, _ := upstream.seen("prompts/get"); len(bodies) != 1 || !strings.Contains(bodies[0], `"arguments":{"k":"v"}`) {
		t.Errorf("prompt: %v", bodies)
	}
	a.result("completion/complete", "", `"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"k","value":"v"}`)
	a.result("ping", "", "")
	a.result("logging/setLevel", "", `"level":"warning"`)
	if bodies, _ := upstream.seen("logging/setLevel"); len(bodies) != 1 || !strings.Contains(bodies[0], "warning") {
		t.Errorf("log level: %v", bodies)
	}
}

// An agent is told of the upstream what the upstream says of itself, as far as it is handed on.
func TestIntroduction(t *testing.T) {
	upstream := newRawServer()
	f := newFixture(t, setup{upstreams: []v1alpha1.Upstream{toolsAt(serve(t, upstream))}})
	for name, legacy := range generations {
		t.Run(name, func(t *testing.T) {
			opened := f.agent("tools", legacy, nil).InitializeResult()
			if opened.Instructions != "Use echo to hear something twice." || opened.ServerInfo.Name != "raw" || opened.ServerInfo.Version != "9" {
				t.Errorf("%+v, %+v", opened, opened.ServerInfo)
			}
			c := opened.Capabilities
			if c.Tools == nil || !c.Tools.ListChanged || c.Prompts == nil || c.Resources == nil || !c.Resources.Subscribe || c.Completions == nil ||
				(c.Logging != nil) != legacy || c.Experimental != nil {
				t.Errorf("capabilities: %+v", c)
			}
		})
	}
	upstream.set("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"raw","version":"10"},"instructions":"`+plant+`"}`)
	opened := f.agent("tools", true, nil).InitializeResult()
	if strings.Contains(opened.Instructions, "evil.example") || !strings.Contains(opened.Instructions, "kept back") {
		t.Errorf("instructions: %s", opened.Instructions)
	}
}
