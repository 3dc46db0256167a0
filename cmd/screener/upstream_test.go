// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"memorytrust.dev/operator/internal/policy"
)

// upstreamsYAML has a server with tools behind the screener, and one that runs as a command.
const upstreamsYAML = `  actions:
    rules:
      - {name: all, tools: ["*"], authority: Inform}
  upstreams:
    - {name: tools, kind: Tools, url: "URL", credentialSecretRef: {name: tools-key}}
    - {name: here, kind: Tools, url: "http://localhost/unused"}
`

// serveEcho is what the test binary does instead of testing when it is started as an upstream.
const serveEcho = "MEMORYTRUST_TEST_ECHO"

func TestMain(m *testing.M) {
	if os.Getenv(serveEcho) != "" {
		_ = echo().Run(context.Background(), &sdk.StdioTransport{})
		return
	}
	os.Exit(m.Run())
}

func echo() *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "echo", Version: "1"}, nil)
	sdk.AddTool(s, &sdk.Tool{Name: "echo", Description: "Says it again"},
		func(_ context.Context, _ *sdk.CallToolRequest, in struct {
			Text string `json:"text"`
		}) (*sdk.CallToolResult, any, error) {
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: in.Text}}}, nil, nil
		})
	return s
}

// A screener started by hand hands calls on to servers behind it, with a credential that only it has, and says so.
func TestUpstreamsAlone(t *testing.T) {
	dir := t.TempDir()
	server := echo()
	handler := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, nil)
	behind := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer s3cret" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	defer behind.Close()
	defer behind.CloseClientConnections()
	key, file, console := filepath.Join(dir, "key"), filepath.Join(dir, "policy.yaml"), filepath.Join(dir, "console")
	must(t, os.WriteFile(key, []byte("s3cret\n"), 0o600))
	must(t, os.WriteFile(console, []byte("a-token-of-good-length\n"), 0o600))
	must(t, os.WriteFile(file, []byte(policyYAML+strings.ReplaceAll(upstreamsYAML, "URL", behind.URL+"/mcp")), 0o600))
	t.Setenv(serveEcho, "1")
	p := start(t, "--policy="+file, "--data="+filepath.Join(dir, "memory.db"), "--channel-token=console="+console, "--upstream-credential=tools="+key,
		"--upstream-command=here="+os.Args[0])
	for _, name := range []string{"tools", "here"} {
		s, err := sdk.NewClient(&sdk.Implementation{Name: "agent", Version: "1"}, nil).
			Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: "http://" + p.address("agent") + policy.UpstreamPath(name)}, nil)
		must(t, err)
		out, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "echo", Arguments: map[string]any{"text": "hello"}})
		must(t, err)
		if text, ok := out.Content[0].(*sdk.TextContent); !ok || text.Text != "hello" || out.IsError {
			t.Errorf("%s: %+v", name, out.Content[0])
		}
		must(t, s.Close())
	}
	if strings.Contains(p.stderr.String(), "s3cret") {
		t.Error("the credential is in the log")
	}
	if status, _ := p.request(http.DefaultClient, http.MethodPost, "http://"+p.address("health")+"/upstreams/tools/mcp", "{}", ""); status != http.StatusNotFound {
		t.Errorf("on the health port: %d", status)
	}
}

func TestUpstreamFlags(t *testing.T) {
	for name, tt := range map[string]struct {
		args []string
		says string
	}{
		"a command":         {[]string{"--policy=p.yaml", "--upstream-command=notes=npx -y @modelcontextprotocol/server-memory --a=b,c"}, ""},
		"no name":           {[]string{"--policy=p.yaml", "--upstream-command=npx"}, "looks like"},
		"no command":        {[]string{"--policy=p.yaml", "--upstream-command=notes="}, "looks like"},
		"two":               {[]string{"--policy=p.yaml", "--upstream-command=notes=a", "--upstream-command=notes=b"}, "two commands"},
		"in a cluster":      {[]string{"--config-dir=x", "--upstream-command=notes=a"}, "--config-dir"},
		"credential there":  {[]string{"--config-dir=x", "--upstream-credential=notes=a"}, "--config-dir"},
		"a credential file": {[]string{"--policy=p.yaml", "--upstream-credential=notes=a"}, ""},
	} {
		o, err := parse(tt.args...)
		if (err == nil) != (tt.says == "") || (err != nil && !strings.Contains(err.Error(), tt.says)) {
			t.Errorf("%s: error %v, want one with %q", name, err, tt.says)
		}
		if name == "a command" {
			commands, err := o.commands()
			must(t, err)
			if got := strings.Join(commands["notes"], "|"); got != "npx|-y|@modelcontextprotocol/server-memory|--a=b,c" {
				t.Errorf("the command is %s", got)
			}
		}
	}
}

// A command for an upstream that the policy does not have is a mistake, not something to be silent about.
func TestCommandForNobody(t *testing.T) {
	dir := t.TempDir()
	file, console := filepath.Join(dir, "policy.yaml"), filepath.Join(dir, "console")
	must(t, os.WriteFile(file, []byte(policyYAML), 0o600))
	must(t, os.WriteFile(console, []byte("a-token-of-good-length\n"), 0o600))
	err := run(t.Context(), []string{"--policy=" + file, "--data=" + filepath.Join(dir, "memory.db"), "--channel-token=console=" + console,
		"--upstream-command=notes=true", "--agent-addr=127.0.0.1:0", "--channel-addr=", "--health-addr=127.0.0.1:0", "--admin-addr="}, nil, io.Discard, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "notes") {
		t.Errorf("%v", err)
	}
}
