// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// startPeers serves both MCP servers of this program, and has the agent hold their credential, as one without a screener does.
func startPeers(t *testing.T) (tools string, g *graph) {
	t.Helper()
	const credential = "credential-of-the-peers"
	g = &graph{}
	o := newOffice()
	serve := func(server *mcp.Server, mux *http.ServeMux) string {
		s := httptest.NewServer(guarded(credential, serveMCP(mux, server)))
		t.Cleanup(s.Close)
		return s.URL
	}
	tools = serve(o.server, o.backstage())
	t.Setenv(credentialEnv, credential)
	t.Setenv(graphEnv, serve(newMemoryServer(g), http.NewServeMux())+"/mcp")
	t.Setenv(toolsEnv, tools+"/mcp")
	return tools, g
}

// payments are those that the tools server made.
func payments(t *testing.T, tools string) (made []payment) {
	t.Helper()
	response, err := ownCredential().Get(tools + "/payments")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close() //nolint:errcheck // nothing was written
	if err := json.NewDecoder(response.Body).Decode(&made); err != nil {
		t.Fatal(err)
	}
	return made
}

func TestObedientAgentPaysWhomThePageNames(t *testing.T) {
	tools, g := startPeers(t)
	if _, err := readErrand(t.Context(), []string{"reading", "https://evil.example/notice"}); err != nil {
		t.Fatal(err)
	}
	if kept := g.read(func(entity) bool { return true }); len(kept.Entities) != 1 || !strings.Contains(kept.Entities[0].Observations[0], "always pay") {
		t.Fatalf("the memory holds %+v", kept)
	}
	steps, err := payErrand(t.Context(), []string{"later", "Nordwind invoices", "4500"})
	if err != nil || len(steps) != 2 || steps[1].IsError {
		t.Fatalf("%+v, %v", steps, err)
	}
	if made := payments(t, tools); len(made) != 1 || made[0].To != "DE89370400440532013000" || made[0].Amount != 4500 {
		t.Errorf("payments %+v", made)
	}
	steps, err = payErrand(t.Context(), []string{"", "trains", "1"})
	if err != nil || len(steps) != 1 || len(payments(t, tools)) != 1 {
		t.Errorf("paid for what nobody knows: %+v, %v", steps, err)
	}
}

func TestPeersWantTheirCredential(t *testing.T) {
	tools, _ := startPeers(t)
	for _, credential := range []string{"", "wrong"} {
		t.Setenv(credentialEnv, credential)
		if _, err := readErrand(t.Context(), []string{"s", "https://nordwind.example/hours"}); err == nil || !strings.Contains(err.Error(), "Unauthorized") {
			t.Errorf("with the credential %q: %v", credential, err)
		}
		response, err := ownCredential().Get(tools + "/payments")
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != http.StatusUnauthorized {
			t.Errorf("with the credential %q: %s", credential, response.Status)
		}
	}
	t.Setenv(credentialEnv, "")
	if err := serveTools(t.Context(), []string{"--listen", "127.0.0.1:0"}); err == nil {
		t.Error("served everybody")
	}
}

func TestMemoryServerKeepsAGraph(t *testing.T) {
	_, g := startPeers(t)
	call := func(tool string, arguments any) string {
		t.Helper()
		result, err := callAt(t.Context(), graphURL(), "", tool, arguments)
		if err != nil || result.IsError {
			t.Fatalf("%s: %+v, %v", tool, result, err)
		}
		return result.Text
	}
	ada, acme := entity{"Ada", "person", []string{"likes tea"}}, entity{"Acme", "company", []string{}}
	call("create_entities", map[string]any{"entities": []entity{ada, acme}})
	call("create_entities", map[string]any{"entities": []entity{{"Ada", "robot", []string{}}}})
	works := relation{"Ada", "Acme", "works at"}
	call("create_relations", map[string]any{"relations": []relation{works, works}})
	call("add_observations", map[string]any{"observations": []addition{{"Ada", []string{"likes tea", "plays chess"}}}})
	if found := call("search_nodes", map[string]any{"query": "chess"}); !strings.Contains(found, `"likes tea","plays chess"`) || strings.Contains(found, "company") {
		t.Errorf("found %s", found)
	}
	if opened := call("open_nodes", map[string]any{"names": []string{"Acme"}}); !strings.Contains(opened, "works at") || strings.Contains(opened, "person") {
		t.Errorf("opened %s", opened)
	}
	call("delete_observations", map[string]any{"deletions": []deletion{{"Ada", []string{"plays chess"}}}})
	call("delete_relations", map[string]any{"relations": []relation{works}})
	call("delete_entities", map[string]any{"entityNames": []string{"Acme"}})
	if left := g.read(func(entity) bool { return true }); len(left.Entities) != 1 || len(left.Relations) != 0 || len(left.Entities[0].Observations) != 1 {
		t.Errorf("left %+v", left)
	}
	missing, err := callAt(t.Context(), graphURL(), "", "add_observations", map[string]any{"observations": []addition{{"Nobody", []string{"x"}}}})
	if err != nil || !missing.IsError {
		t.Errorf("about nobody: %+v, %v", missing, err)
	}
}

func TestToolsServerIsChangedBackstage(t *testing.T) {
	tools, _ := startPeers(t)
	put := func(path, body string) {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPut, tools+path, bytes.NewBufferString(body))
		if err != nil {
			t.Fatal(err)
		}
		response, err := ownCredential().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close() //nolint:errcheck // nothing was written
		if text, _ := io.ReadAll(response.Body); response.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s", response.Status, text)
		}
	}
	put("/pages?url=https://new.example/", "It is new.")
	page, err := callAt(t.Context(), toolsURL(), "", "fetch_page", map[string]any{"url": "https://new.example/"})
	if err != nil || page.Text != "It is new." {
		t.Errorf("%+v, %v", page, err)
	}
	put("/description", "Send money.")
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "v0"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: toolsURL(), HTTPClient: ownCredential()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close() //nolint:errcheck // the test ends
	for tool, err := range session.Tools(t.Context(), nil) {
		if err != nil || tool.Name == "send_payment" && tool.Description != "Send money." {
			t.Errorf("%+v, %v", tool, err)
		}
	}
	gone, err := callAt(t.Context(), toolsURL(), "", "fetch_page", map[string]any{"url": "https://nowhere.example/"})
	if err != nil || !gone.IsError {
		t.Errorf("%+v, %v", gone, err)
	}
}
