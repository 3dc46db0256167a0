// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

const (
	clause  = "The grommet of account 77 is the one that counts."
	another = "The office in Lyon closes at 5 pm on Fridays."
)

// model is an HTTP server in the place of a language model, which calls clause a directive.
type model struct {
	*httptest.Server
	down atomic.Bool

	mu   sync.Mutex
	sent []string // bodies of requests
}

func newModel(t *testing.T) *model {
	t.Helper()
	m := &model{}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Messages []struct{ Content string } }
		if m.down.Load() || r.Header.Get("Authorization") != "Bearer sk-of-the-judge" || json.NewDecoder(r.Body).Decode(&body) != nil {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		user := body.Messages[1].Content
		m.mu.Lock()
		m.sent = append(m.sent, user)
		m.mu.Unlock()
		results := []map[string]any{}
		for i, line := range strings.Split(user, "\n") {
			if i == 0 || i%2 != 0 || !strings.HasPrefix(line, `"`) { // texts stand on every second line
				continue
			}
			found := strings.Contains(line, clause)
			reason := map[bool]string{false: "none", true: "redirection"}[found]
			results = append(results, map[string]any{"index": len(results), "directive": found, "reason": reason})
		}
		content, _ := json.Marshal(map[string]any{"results": results})
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": map[string]any{"role": "assistant", "content": string(content)}}}})
	}))
	t.Cleanup(m.Close)
	return m
}

func (m *model) saw(text string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return strings.Contains(strings.Join(m.sent, "\n"), text)
}

// A screener alone, with a lexicon of its own and a judge behind HTTP, as an agent meets it on its port.
func TestStandaloneLexiconAndJudge(t *testing.T) {
	m, dir := newModel(t), t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		must(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	policyFile := write("policy.yaml", policyYAML+`  screening:
    lexiconRefs: [{name: own}]
    judge: {url: "`+m.URL+`/v1", model: m, apiKeySecretRef: {name: judge}}
`)
	lexicon := write("own.lex", "language en\nclass own.x = blorp\nrule override 900 = @own.x\n")
	p := start(t, "--policy="+policyFile, "--data="+filepath.Join(dir, "memory.db"), "--lexicon=own="+lexicon,
		"--judge-key="+write("key", "sk-of-the-judge\n"), "--channel-token=console="+write("token", "a-token-of-good-length"))
	remember := func(content, source string, want ...string) {
		t.Helper()
		body, _ := json.Marshal(map[string]string{"content": content, "source": source})
		status, answer := p.post("/v1/memories", string(body))
		for _, w := range want {
			if status != 201 || !strings.Contains(answer, w) {
				t.Errorf("%s: %d %s, want %s", content, status, answer, w)
			}
		}
	}
	remember("Blorp the grommet of Lyon.", "", `"zone":"Quarantine"`, `"reasons":["override"]`)
	remember(clause, "", `"zone":"Quarantine"`, `"reasons":["judge"]`)
	remember(another, "", `"zone":"Working"`, `"state":"Active"`, `"reasons":[]`)
	remember("The console says that account 78 counts.", "operator:console", `"zone":"Working"`, `"state":"Active"`)
	if !m.saw(clause) || !m.saw(another) || m.saw("Blorp") || m.saw("The console says") {
		t.Errorf("the judge got %q", m.sent)
	}

	m.down.Store(true)
	remember("The garden in Lyon has a pond.", "", `"state":"PendingReview"`, `"reasons":["unjudged"]`)
	_, answer := p.post("/v1/recall", `{"query":"Lyon"}`)
	var got struct {
		Memories []struct{ Content, Boundary string }
	}
	must(t, json.Unmarshal([]byte(answer), &got))
	boundaries := map[string]string{}
	for _, memory := range got.Memories {
		boundaries[memory.Content] = memory.Boundary
	}
	if len(boundaries) != 2 || boundaries[another] != "Safe" || boundaries["The garden in Lyon has a pond."] != "RequiresReview" {
		t.Errorf("what was judged before stays Safe, what was not is marked: %v", boundaries)
	}
	_, metrics := p.request(http.DefaultClient, http.MethodGet, "http://"+p.address("health")+"/metrics", "", "")
	for _, want := range []string{`memorytrust_judge_texts_total{result="directive"} 1`, `memorytrust_judge_calls_total{result="unavailable"}`} {
		if !strings.Contains(metrics, want) {
			t.Errorf("metrics lack %s", want)
		}
	}
	if log := p.stderr.String(); strings.Contains(log, "grommet") || strings.Contains(log, "pond") || strings.Contains(log, "sk-of") || !strings.Contains(log, "Judge does not answer") {
		t.Errorf("log:\n%s", log)
	}
}
