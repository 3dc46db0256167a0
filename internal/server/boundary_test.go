// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package server_test looks at the agent's port as a whole, across its transports.
package server_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/server/rest"
)

func hexOf(b []byte) string { return hex.EncodeToString(b) }

// request is one attempt over REST.
type request struct{ path, body string }

// Whatever an agent does on its port, nothing of a Blocked memory comes out, and everything that does come out is in the
// delivery log. Routes, tools and resources are taken from what the port itself says it has: one that has no attempts here
// fails the test.
func TestAgentPortKeepsTheBoundary(t *testing.T) {
	w := newWorld(t)
	attempts := w.routes() + w.tools() + w.resources()
	// What an agent finds out by asking for things that are not there is the same as for things that are Blocked.
	attempts += w.noOracle()
	// Keeping everything back would pass all of that: what may come out must.
	for _, way := range []string{
		"GET /v1/memories", "GET /v1/memories/{id}", "GET /v1/memories/{id}/commits/{commit}", "POST /v1/recall",
		"tool recall", "tool list", "tool show", "tool read_graph", "tool open_nodes", "tool search_nodes", "resource memory://{id}",
	} {
		if w.delivered[way] == 0 {
			t.Errorf("%s delivered nothing at all", way)
		}
	}
	t.Logf("escape attempts: %d, successful: 0", attempts)
}

// check looks at one answer to what was sent on one of the ways in.
func (w *world) check(way, sent, answer string, before map[string]int) {
	w.t.Helper()
	if len(answer) > 1<<22 {
		w.t.Errorf("%s: an answer of %d bytes", sent, len(answer))
	}
	lower := strings.ToLower(answer)
	for name, s := range w.blocked {
		if secret := tail(s.marker); strings.Contains(lower, secret) && !strings.Contains(sent, secret) {
			w.t.Errorf("%s: %s came out", sent, name)
		}
	}
	for id, marker := range w.open {
		if !strings.Contains(lower, tail(marker)) {
			continue
		}
		w.delivered[way]++
		if after := w.deliveries(id); after <= before[id] {
			w.t.Errorf("%s: %s came out and is not in the delivery log", sent, marker)
		}
	}
}

func (w *world) deliveries(id string) int {
	w.t.Helper()
	log, err := w.gate.Deliveries(w.ctx(), person, gate.DeliveryQuery{ID: id, Limit: 1000})
	w.must(err)
	return len(log)
}

// counted returns the deliveries so far of everything that may come out.
func (w *world) counted() map[string]int {
	before := map[string]int{}
	for id := range w.open {
		before[id] = w.deliveries(id)
	}
	return before
}

// ids are all ids there are.
func (w *world) ids() []string {
	var ids []string
	for _, s := range w.blocked {
		ids = append(ids, s.id)
	}
	for id := range w.open {
		ids = append(ids, id)
	}
	return ids
}

// queries ask for each memory by its marker and by what all of them are about.
func (w *world) queries() []string {
	queries := []string{"", "invoice evil example", "booking office visitor depot", "always forward every invoice"}
	for _, s := range w.blocked {
		queries = append(queries, s.marker)
	}
	for _, marker := range w.open {
		queries = append(queries, marker)
	}
	return queries
}

func jsonOf(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// restAttempts are the attempts for each operation of the agent's port.
func (w *world) restAttempts() map[string][]request {
	later := url.QueryEscape(w.now.Add(time.Hour).Format(time.RFC3339))
	earlier := url.QueryEscape(w.now.Add(-time.Second).Format(time.RFC3339))
	a := map[string][]request{
		"GET /v1/memories": {
			{path: "/v1/memories?limit=100"}, {path: "/v1/memories?zone=Quarantine"}, {path: "/v1/memories?zone=Trusted"},
			{path: "/v1/memories?class=WebContent"}, {path: "/v1/memories?kind=observation"}, {path: "/v1/memories?kind=relation"},
			{path: "/v1/memories?kind=entity"}, {path: "/v1/memories?subject=Depot"}, {path: "/v1/memories?until=" + later},
		},
		"GET /v1/zones":     {{path: "/v1/zones"}},
		"GET /v1/queue":     {{path: "/v1/queue"}, {path: "/v1/queue?limit=100"}},
		"POST /v1/sessions": {{path: "/v1/sessions", body: `{}`}, {path: "/v1/sessions", body: `{"session":"before"}`}},
		"POST /v1/screen":   {{path: "/v1/screen", body: `{"items":[{"content":"` + planted("zqscreened") + `"}]}`}},
		"POST /v1/memories": {{path: "/v1/memories", body: `{"content":"The kettle is in the kitchen."}`}},
	}
	for _, s := range w.blocked {
		said := planted(s.marker)
		a["POST /v1/turns"] = append(a["POST /v1/turns"],
			request{path: "/v1/turns", body: jsonOf(map[string]any{"id": s.id, "session": "before", "content": said})},
			request{path: "/v1/turns", body: jsonOf(map[string]any{"id": s.id, "session": "again", "content": said})}, // the id was used
			request{path: "/v1/turns", body: jsonOf(map[string]any{"id": s.marker, "session": s.id, "content": "Tell me about " + s.marker + "."})})
		a["POST /v1/observations"] = append(a["POST /v1/observations"],
			request{path: "/v1/observations", body: jsonOf(map[string]any{"content": said, "session": "before"})},
			request{path: "/v1/observations", body: jsonOf(map[string]any{"content": "It is about " + s.marker + ".", "source": "operator:" + s.marker})},
			request{path: "/v1/observations", body: jsonOf(map[string]any{"content": s.id, "session": s.marker, "source": "web:" + s.id})})
		a["POST /v1/sessions"] = append(a["POST /v1/sessions"], request{path: "/v1/sessions", body: jsonOf(map[string]any{"session": s.marker})})
		for _, call := range w.calls(s.id, s.marker) {
			a["POST /v1/authorize"] = append(a["POST /v1/authorize"], request{path: "/v1/authorize", body: jsonOf(call)})
		}
	}
	for id, marker := range w.open {
		a["POST /v1/turns"] = append(a["POST /v1/turns"],
			request{path: "/v1/turns", body: jsonOf(map[string]any{"id": id, "session": "before", "content": "Tell me about " + marker + "."})})
		a["POST /v1/observations"] = append(a["POST /v1/observations"],
			request{path: "/v1/observations", body: jsonOf(map[string]any{"content": "It is about " + marker + ".", "session": "before"})})
		for _, call := range w.calls(id, marker) {
			a["POST /v1/authorize"] = append(a["POST /v1/authorize"], request{path: "/v1/authorize", body: jsonOf(call)})
		}
	}
	for _, q := range w.queries() {
		a["POST /v1/recall"] = append(a["POST /v1/recall"],
			request{path: "/v1/recall", body: jsonOf(map[string]any{"query": q, "limit": 200})},
			request{path: "/v1/recall", body: jsonOf(map[string]any{"query": q, "limit": 200, "xray": true, "zones": []string{"Quarantine", "Working", "Trusted"}})},
			request{path: "/v1/recall", body: jsonOf(map[string]any{"query": q, "xrayFormat": "markdown", "xray": true})},
			request{path: "/v1/recall", body: jsonOf(map[string]any{"query": q, "xrayFormat": "text", "xray": true})},
		)
	}
	for _, id := range w.ids() {
		one := "/v1/memories/" + id
		a["GET /v1/memories/{id}"] = append(a["GET /v1/memories/{id}"],
			request{path: one}, request{path: one + "?session=before"}, request{path: one + "?at=" + earlier}, request{path: one + "?at=" + later})
		a["GET /v1/memories/{id}/log"] = append(a["GET /v1/memories/{id}/log"], request{path: one + "/log"})
		a["POST /v1/memories"] = append(a["POST /v1/memories"],
			request{path: "/v1/memories", body: jsonOf(map[string]any{"content": "A note about it.", "parents": []string{id}})},
			request{path: "/v1/memories", body: jsonOf(map[string]any{"content": "Another note about it.", "supersedes": []string{id}})})
	}
	for id := range w.open {
		head, err := w.store.Get(w.ctx(), "agents", id)
		w.must(err)
		a["GET /v1/memories/{id}/commits/{commit}"] = append(a["GET /v1/memories/{id}/commits/{commit}"],
			request{path: "/v1/memories/" + id + "/commits/" + hexOf(head.Commit.Hash)})
	}
	for _, s := range w.blocked {
		for _, commit := range s.commits {
			a["GET /v1/memories/{id}/commits/{commit}"] = append(a["GET /v1/memories/{id}/commits/{commit}"],
				request{path: "/v1/memories/" + s.id + "/commits/" + commit})
		}
		// Changing what is Blocked must not bring it out either.
		a["PATCH /v1/memories/{id}"] = append(a["PATCH /v1/memories/{id}"], request{path: "/v1/memories/" + s.id, body: `{"tags":["mine"]}`})
		a["DELETE /v1/memories/{id}"] = append(a["DELETE /v1/memories/{id}"], request{path: "/v1/memories/" + s.id})
	}
	return a
}

// calls are tool calls that name a memory, ask for what it says, or try to decide about it.
func (w *world) calls(id, marker string) []map[string]any {
	return []map[string]any{
		{"tool": "pay_card", "arguments": map[string]any{"to": marker, "amount": 1}, "session": "before"},
		{"tool": "pay_card", "arguments": map[string]any{"to": id}, "schema": map[string]any{"title": marker}},
		{"tool": marker, "arguments": map[string]any{marker: []any{id, true, nil}}},
		{"tool": "approve", "arguments": map[string]any{"id": id, "approvalId": id, "decision": "Allow"}},
	}
}

// routes makes every attempt on every operation that the port's own description lists.
func (w *world) routes() (attempts int) {
	described := w.send(http.MethodGet, rest.OpenAPIPath, "")
	var spec struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	w.must(json.Unmarshal([]byte(described), &spec))
	if len(spec.Paths) < 8 {
		w.t.Fatalf("the port describes %d paths", len(spec.Paths))
	}
	table := w.restAttempts()
	for path, operations := range spec.Paths {
		for method := range operations {
			operation := strings.ToUpper(method) + " " + path
			if len(table[operation]) == 0 {
				w.t.Errorf("%s has no attempts in this test; add some", operation)
			}
			for _, attempt := range table[operation] {
				before := w.counted()
				answer := w.send(strings.ToUpper(method), attempt.path, attempt.body)
				w.check(operation, operation+" "+attempt.path+" "+attempt.body, answer, before)
				attempts++
			}
		}
	}
	return attempts
}

// send makes one request and returns headers and body of the answer as text.
func (w *world) send(method, path, body string) string {
	w.t.Helper()
	request, err := http.NewRequestWithContext(w.ctx(), method, w.url+path, strings.NewReader(body))
	w.must(err)
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := http.DefaultClient.Do(request)
	w.must(err)
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(response.Body)
	w.must(err)
	if path == rest.OpenAPIPath {
		return string(content)
	}
	if response.StatusCode >= 500 {
		w.t.Errorf("%s %s answered %d: %s", method, path, response.StatusCode, content)
	}
	return fmt.Sprint(response.Header, string(content))
}

// toolAttempts are the attempts for each tool.
func (w *world) toolAttempts() map[string][]map[string]any {
	names := []string{"Depot", "Ledger", planted("zqnamed")}
	a := map[string][]map[string]any{
		"remember": {{"content": "The kettle is in the pantry."}},
		"list":     {{}, {"zone": "Quarantine"}, {"zone": "Trusted"}, {"limit": 100}},
		"queue":    {{}},
		"create_entities": {{"entities": []map[string]any{
			{"name": planted("zqnamed"), "entityType": "rule", "observations": []string{}}, {"name": "Ledger", "entityType": "book", "observations": []string{"It is green."}},
		}}},
		"create_relations":    {{"relations": []map[string]any{{"from": "Depot", "to": "Ledger", "relationType": "keeps"}}}},
		"add_observations":    {{"observations": []map[string]any{{"entityName": "Depot", "contents": []string{"It has two doors."}}}}},
		"read_graph":          {{}},
		"open_nodes":          {{"names": names}},
		"delete_observations": {{"deletions": []map[string]any{{"entityName": "Depot", "observations": []string{planted("zqobserved")}}}}},
		"delete_relations":    {{"relations": []map[string]any{{"from": "Depot", "to": "Ledger", "relationType": planted("zqrelated")}}}},
		"delete_entities":     {{"entityNames": []string{planted("zqnamed")}}},
	}
	for _, q := range w.queries() {
		a["recall"] = append(a["recall"], map[string]any{"query": q})
		a["x_ray"] = append(a["x_ray"], map[string]any{"query": q})
		a["search_nodes"] = append(a["search_nodes"], map[string]any{"query": q})
	}
	for _, id := range w.ids() {
		a["show"] = append(a["show"], map[string]any{"id": id}, map[string]any{"id": id, "at": w.now.Add(-time.Second).Format(time.RFC3339)})
		a["log"] = append(a["log"], map[string]any{"id": id})
	}
	for _, s := range w.blocked {
		for _, call := range w.calls(s.id, s.marker) {
			delete(call, "session") // the URL names it
			a["authorize"] = append(a["authorize"], call)
		}
		for _, commit := range s.commits {
			a["show"] = append(a["show"], map[string]any{"id": s.id, "commit": commit})
		}
		a["revise"] = append(a["revise"], map[string]any{"id": s.id, "content": "Nothing of interest."})
		a["forget"] = append(a["forget"], map[string]any{"id": s.id})
		a["remember"] = append(a["remember"], map[string]any{"content": "A remark about it.", "derived_from": []string{s.id}})
	}
	return a
}

func (w *world) tools() (attempts int) {
	listed, err := w.client.ListTools(w.ctx(), nil)
	w.must(err)
	table := w.toolAttempts()
	for _, tool := range listed.Tools {
		if len(table[tool.Name]) == 0 {
			w.t.Errorf("tool %s has no attempts in this test; add some", tool.Name)
		}
		for _, arguments := range table[tool.Name] {
			before := w.counted()
			result, err := w.client.CallTool(w.ctx(), &sdk.CallToolParams{Name: tool.Name, Arguments: arguments})
			w.check("tool "+tool.Name, fmt.Sprint("tool ", tool.Name, " ", arguments), fmt.Sprint(jsonOf(result), err), before)
			attempts++
		}
	}
	return attempts
}

// resources reads everything that is listed, and every template with every id.
func (w *world) resources() (attempts int) {
	listed, err := w.client.ListResources(w.ctx(), nil)
	w.must(err)
	templates, err := w.client.ListResourceTemplates(w.ctx(), nil)
	w.must(err)
	ways := map[string]string{}
	for _, r := range listed.Resources {
		ways[r.URI] = "resource " + r.URI
	}
	for _, template := range templates.ResourceTemplates {
		if strings.Count(template.URITemplate, "{") != 1 || !strings.Contains(template.URITemplate, "{id}") {
			w.t.Errorf("resource template %s has no attempts in this test; add some", template.URITemplate)
		}
		for _, id := range w.ids() {
			ways[strings.ReplaceAll(template.URITemplate, "{id}", id)] = "resource " + template.URITemplate
		}
	}
	for uri := range ways {
		before := w.counted()
		result, err := w.client.ReadResource(w.ctx(), &sdk.ReadResourceParams{URI: uri})
		w.check(ways[uri], "resource "+uri, fmt.Sprint(jsonOf(result), err), before)
		attempts++
	}
	prompts, err := w.client.ListPrompts(w.ctx(), nil)
	if err == nil && len(prompts.Prompts) > 0 {
		w.t.Errorf("there are prompts, and no attempts on them in this test; add some")
	}
	return attempts
}

// noOracle compares the answers for what is Blocked with those for what does not exist.
func (w *world) noOracle() (attempts int) {
	const absent = "0195a1b2-0000-7000-8000-000000000001"
	for _, suffix := range []string{"", "/log", "?at=" + url.QueryEscape(w.now.Format(time.RFC3339))} {
		want := w.statusAndBody(http.MethodGet, "/v1/memories/"+absent+suffix, "")
		for name, s := range w.blocked {
			if got := w.statusAndBody(http.MethodGet, "/v1/memories/"+s.id+suffix, ""); got != want {
				w.t.Errorf("GET …%s of %s answers %s, of what does not exist %s", suffix, name, got, want)
			}
			attempts++
		}
	}
	return attempts
}

func (w *world) statusAndBody(method, path, body string) string {
	w.t.Helper()
	request, err := http.NewRequestWithContext(w.ctx(), method, w.url+path, strings.NewReader(body))
	w.must(err)
	response, err := http.DefaultClient.Do(request)
	w.must(err)
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(response.Body)
	w.must(err)
	return fmt.Sprint(response.StatusCode, " ", string(content))
}
