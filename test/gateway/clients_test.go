// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gateway

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// patience bounds one request of the tests.
const patience = 30 * time.Second

// bearer shows a credential with each request.
type bearer string

// RoundTrip implements http.RoundTripper.
func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// connect opens a session of the official Go client. A credential is what an agent without a screener holds.
func connect(t *testing.T, endpoint, session, credential string) *mcp.ClientSession {
	t.Helper()
	if session != "" {
		endpoint += "?" + url.Values{"session": {session}}.Encode()
	}
	return connectWith(t, endpoint, credential, nil)
}

func connectWith(t *testing.T, endpoint, credential string, options *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	transport := &mcp.StreamableClientTransport{Endpoint: endpoint, HTTPClient: &http.Client{}}
	if credential != "" {
		transport.HTTPClient.Transport = bearer(credential)
	}
	return open(t, transport, options)
}

// open opens a session over any transport.
func open(t *testing.T, transport mcp.Transport, options *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "gateway-test", Version: "v0"}, options)
	connection, err := client.Connect(t.Context(), transport, nil)
	must(t, err)
	t.Cleanup(func() { _ = connection.Close() })
	return connection
}

// called is what came of a call.
type called struct {
	text    string // all of it, also what is structured
	isError bool
	meta    mcp.Meta
	raw     *mcp.CallToolResult
}

// call calls a tool, which must have a result.
func call(t *testing.T, c *mcp.ClientSession, tool string, arguments any) called {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	result, err := c.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	return calledOf(t, result)
}

func calledOf(t *testing.T, result *mcp.CallToolResult) called {
	t.Helper()
	whole, err := json.Marshal(result)
	must(t, err)
	return called{text: string(whole), isError: result.IsError, meta: result.Meta, raw: result}
}

// said is the text of a result, as a model reads it.
func (c called) said() string {
	var parts []string
	for _, block := range c.raw.Content {
		if text, ok := block.(*mcp.TextContent); ok {
			parts = append(parts, text.Text)
		}
	}
	return strings.Join(parts, "\n")
}

// reply is an HTTP answer, read whole.
type reply struct {
	status int
	header http.Header
	body   string
}

func (r reply) into(t *testing.T, v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(r.body), v); err != nil {
		t.Fatalf("%d %s: %v", r.status, r.body, err)
	}
}

// send sends a request once.
func send(t *testing.T, client *http.Client, method, address string, header http.Header, body string) reply {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, address, bytes.NewBufferString(body))
	must(t, err)
	for name, values := range header {
		request.Header[name] = values
	}
	if request.Header.Get("Content-Type") == "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := client.Do(request)
	must(t, err)
	defer response.Body.Close() //nolint:errcheck // nothing was written
	content, err := io.ReadAll(response.Body)
	must(t, err)
	return reply{response.StatusCode, response.Header, string(content)}
}

// rest talks to the agent's port.
func (s *screener) rest(t *testing.T, path string, body any) reply {
	t.Helper()
	return send(t, http.DefaultClient, http.MethodPost, "http://"+s.agent+path, nil, encoded(t, body))
}

// chat talks to the channel port as the backend of the user's chat.
func (s *screener) chat(t *testing.T, path string, body any) reply {
	t.Helper()
	certificate, err := os.ReadFile(s.data + ".keys/tls.crt")
	must(t, err)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(certificate)
	client := &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: "localhost", MinVersion: tls.VersionTLS13}, DisableKeepAlives: true,
	}}
	return send(t, client, http.MethodPost, "https://"+s.channel+path, http.Header{"Authorization": {"Bearer " + chatToken}}, encoded(t, body))
}

// person runs an admin command of the screener as a person does.
func (s *screener) person(t *testing.T, args ...string) string {
	t.Helper()
	args = append([]string{"admin", "--data", s.data, "--addr", s.admin, "--as", "alice"}, args...)
	out, err := exec.CommandContext(t.Context(), programs.screener, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return string(out)
}

func encoded(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	must(t, err)
	return string(raw)
}

// planted puts something straight into a memory server, as somebody does who got at its store.
func planted(t *testing.T, up *peer, entities ...map[string]any) {
	t.Helper()
	direct := connect(t, up.url+"/mcp", "", up.credential)
	if out := call(t, direct, "create_entities", map[string]any{"entities": entities}); out.isError {
		t.Fatal(out.text)
	}
}

func entity(name, kind string, observations ...string) map[string]any {
	if observations == nil {
		observations = []string{}
	}
	return map[string]any{"name": name, "entityType": kind, "observations": observations}
}

// payment is one that the tools server made.
type payment struct {
	To     string
	Amount float64
}

// payments are all that a tools server made.
func payments(t *testing.T, up *peer) (made []payment) {
	t.Helper()
	send(t, &http.Client{Transport: bearer(up.credential)}, http.MethodGet, up.url+"/payments", nil, "").into(t, &made)
	return made
}

// reset makes a server as it was at its start.
func (p *peer) reset(t *testing.T) {
	t.Helper()
	if r := send(t, &http.Client{Transport: bearer(p.credential)}, http.MethodDelete, p.url+"/", nil, ""); r.status != http.StatusOK {
		t.Fatal(r)
	}
}

// put changes something in a tools server.
func put(t *testing.T, up *peer, path, body string) {
	t.Helper()
	if r := send(t, &http.Client{Transport: bearer(up.credential)}, http.MethodPut, up.url+path, nil, body); r.status != http.StatusOK {
		t.Fatal(r)
	}
}
