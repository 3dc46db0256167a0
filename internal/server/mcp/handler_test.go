// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package mcp

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
)

func initialize(version string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`, version)
}

// rawCall is a message that stores a memory.
const rawCall = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"remember","arguments":{"content":"The raw client was here."}}}`

func TestProtocolVersions(t *testing.T) {
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
		t.Run(version, func(t *testing.T) {
			f := newFixture(t)
			resp, body := f.post("", initialize(version), nil)
			var opened struct {
				Result mcp.InitializeResult `json:"result"`
			}
			must(t, json.Unmarshal([]byte(body), &opened))
			if opened.Result.ProtocolVersion != version || opened.Result.ServerInfo.Name != "memorytrust" {
				t.Fatalf("%s", body)
			}
			headers := map[string]string{sessionHeader: resp.Header.Get(sessionHeader)}
			if version >= "2025-06-18" {
				headers[versionHeader] = version
			}
			if resp, _ := f.post("", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, headers); resp.StatusCode != http.StatusAccepted {
				t.Fatalf("initialized: %s", resp.Status)
			}
			if _, body := f.post("", rawCall, headers); !strings.Contains(body, "Stored in Working") {
				t.Errorf("%s", body)
			}
			stored := f.list(t, "agents")
			if len(stored) != 1 || stored[0].Session != headers[sessionHeader] {
				t.Errorf("stored %+v", stored)
			}
		})
	}
	t.Run("2026-07-28", func(t *testing.T) {
		f := newFixture(t)
		const version = "2026-07-28"
		meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
		discover := `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta + `}}`
		_, body := f.post("", discover, map[string]string{versionHeader: version, "Mcp-Method": "server/discover"})
		if !strings.Contains(body, version) || !strings.Contains(body, "2024-11-05") || !strings.Contains(body, `"cacheScope":"private"`) {
			t.Errorf("%s", body)
		}
		store := strings.Replace(rawCall, `"params":{`, `"params":{`+meta+",", 1)
		resp, body := f.post("?session=mine", store, map[string]string{versionHeader: version, "Mcp-Method": "tools/call", "Mcp-Name": "remember"})
		if !strings.Contains(body, "Stored in Working") || resp.Header.Get(sessionHeader) != "" {
			t.Errorf("%s", body)
		}
		if stored := f.list(t, "agents"); len(stored) != 1 || stored[0].Session != "mine" {
			t.Errorf("stored %+v", stored)
		}
	})
}

func (f *fixture) list(t *testing.T, namespace string) []memory.Record {
	t.Helper()
	records, err := f.store.List(t.Context(), memory.Filter{Namespace: namespace, Limit: 100})
	must(t, err)
	return records
}

func TestNamespacesAreApart(t *testing.T) {
	for name, legacy := range map[string]bool{"sessions": true, "no sessions": false} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			a, b := f.client("?namespace=tenant-a", legacy), f.client("?namespace=tenant-b", legacy)
			w := value[gate.Written](t, called(t, a, "remember", args{"content": "The door code is 4711."}))
			called(t, a, "create_entities", entities(person("Ada", "likes tea")))
			if records := f.list(t, "tenant-a"); len(records) != 3 || len(f.list(t, "agents")) != 0 {
				t.Fatalf("%d records", len(records))
			}
			for tool, in := range map[string]args{
				"recall": {"query": "door code"}, "list": {}, "read_graph": {}, "search_nodes": {"query": "a"}, "x_ray": {"query": "door code"},
				"open_nodes": {"names": []string{"Ada"}}, "queue": {},
			} {
				if r := called(t, b, tool, in); strings.Contains(r.raw, "4711") || strings.Contains(r.raw, "tea") {
					t.Errorf("%s: %s", tool, r.raw)
				}
			}
			refused(t, b, "show", args{"id": w.ID}, "no memory")
			refused(t, b, "forget", args{"id": w.ID}, "no memory")
			refused(t, b, "revise", args{"id": w.ID, "expected_commit": w.Commit, "content": "x"}, "no memory")
			if _, err := b.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "memory://" + w.ID}); err == nil {
				t.Error("a resource of another namespace was read")
			}
			if r := called(t, a, "recall", args{"query": "door code"}); !strings.Contains(r.raw, "4711") {
				t.Errorf("its own namespace: %s", r.raw)
			}
		})
	}
}

// A session stays in its namespace, whatever later requests name.
func TestASessionKeepsItsNamespace(t *testing.T) {
	f := newFixture(t)
	resp, _ := f.post("?namespace=tenant-a", initialize("2025-06-18"), nil)
	headers := map[string]string{sessionHeader: resp.Header.Get(sessionHeader)}
	for _, query := range []string{"", "?namespace=tenant-b"} {
		if resp, body := f.post(query, rawCall, headers); resp.StatusCode != http.StatusBadRequest || !strings.Contains(body, "namespace") {
			t.Errorf("%q: %s %s", query, resp.Status, body)
		}
	}
	if _, body := f.post("?namespace=tenant-a", rawCall, headers); !strings.Contains(body, "Stored") {
		t.Errorf("%s", body)
	}
	if len(f.list(t, "tenant-a")) != 1 || len(f.list(t, "tenant-b"))+len(f.list(t, "agents")) != 0 {
		t.Error("stored elsewhere")
	}
}

func TestHostileRequests(t *testing.T) {
	f := newFixture(t)
	for name, tc := range map[string]struct {
		query, body string
		headers     map[string]string
		status      int
		says        string
	}{
		"no JSON":              {body: `{"jsonrpc"`, status: 400, says: "not valid JSON"},
		"no UTF-8":             {body: "{\"a\":\"\xff\"}", status: 400, says: "UTF-8"},
		"half a character":     {body: strings.Replace(rawCall, "The raw", "\\ud800 raw", 1), status: 400, says: "surrogate"},
		"too long":             {body: `{"jsonrpc":"2.0","x":"` + strings.Repeat("a", MaxBodyBytes) + `"}`, status: 413, says: "bytes"},
		"no message":           {body: `{}`, status: 400},
		"no session":           {body: rawCall, headers: map[string]string{sessionHeader: "ABC"}, status: 404, says: "session"},
		"other origin":         {body: initialize("2025-06-18"), headers: map[string]string{"Origin": "https://evil.example"}, status: 403, says: "origins"},
		"other type":           {body: initialize("2025-06-18"), headers: map[string]string{"Content-Type": "text/plain"}, status: 415},
		"two namespaces":       {query: "?namespace=a&namespace=b", body: initialize("2025-06-18"), status: 400, says: "namespace"},
		"version of no kind":   {body: initialize("2025-06-18"), headers: map[string]string{versionHeader: "2025-01-01"}, status: 400},
		"a bad namespace":      {query: "?namespace=../other", body: initialize("2025-06-18"), status: 200, says: "namespace"},
		"a bad session":        {query: "?namespace=x&session=" + strings.Repeat("s", 200), body: discoverMessage, headers: discoverHeaders, status: 400, says: "session"},
		"version of the times": {body: initialize("2099-01-01"), headers: map[string]string{versionHeader: "2099-01-01"}, status: 400, says: "protocolVersion"},
		"unknown method": {body: strings.Replace(discoverMessage, "server/discover", "memory/approve", 1),
			headers: map[string]string{versionHeader: "2026-07-28", "Mcp-Method": "memory/approve"}, status: 404, says: "-32601"},
	} {
		t.Run(name, func(t *testing.T) {
			resp, body := f.post(tc.query, tc.body, tc.headers)
			if resp.StatusCode != tc.status || !strings.Contains(body, tc.says) {
				t.Errorf("%s: %.300s", resp.Status, body)
			}
			if strings.Contains(body, "instructions") {
				t.Errorf("a session was opened: %.300s", body)
			}
		})
	}
	if n := f.server.sessions.count(); n != 0 {
		t.Errorf("%d sessions are open", n)
	}
	for _, method := range []string{http.MethodGet, http.MethodPut, http.MethodHead} {
		req, err := http.NewRequestWithContext(t.Context(), method, f.url, http.NoBody)
		must(t, err)
		resp, err := http.DefaultClient.Do(req)
		must(t, err)
		_ = resp.Body.Close()
		if resp.StatusCode != http.StatusMethodNotAllowed || resp.Header.Get("Allow") != "POST, DELETE" {
			t.Errorf("%s: %s", method, resp.Status)
		}
	}
	if len(f.list(t, "agents")) != 0 {
		t.Error("something was stored")
	}
}

const discoverMessage = `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{` +
	`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`

var discoverHeaders = map[string]string{versionHeader: "2026-07-28", "Mcp-Method": "server/discover"}

// There is room for one more session, always: the one unused for longest goes.
func TestSessionsAreBounded(t *testing.T) {
	f := newFixture(t)
	f.serve(2)
	open := func() map[string]string {
		resp, _ := f.post("", initialize("2025-06-18"), nil)
		return map[string]string{sessionHeader: resp.Header.Get(sessionHeader)}
	}
	first, second := open(), open()
	if resp, _ := f.post("", rawCall, first); resp.StatusCode != http.StatusOK {
		t.Fatalf("first: %s", resp.Status)
	}
	third := open()
	if f.server.sessions.count() != 2 {
		t.Errorf("%d sessions", f.server.sessions.count())
	}
	for name, tc := range map[string]struct {
		headers map[string]string
		status  int
	}{"used": {first, 200}, "unused": {second, 404}, "new": {third, 200}} {
		if resp, body := f.post("", rawCall, tc.headers); resp.StatusCode != tc.status {
			t.Errorf("%s: %s %s", name, resp.Status, body)
		}
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, f.url, http.NoBody)
	must(t, err)
	req.Header.Set(sessionHeader, first[sessionHeader])
	resp, err := http.DefaultClient.Do(req)
	must(t, err)
	_ = resp.Body.Close()
	if resp, _ := f.post("", rawCall, first); resp.StatusCode != http.StatusNotFound {
		t.Errorf("after DELETE: %s", resp.Status)
	}
}
