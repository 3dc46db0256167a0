// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

type args = map[string]any

// console stores a memory through an authenticated channel.
func (f *fixture) console(content string) gate.Written {
	f.t.Helper()
	w, err := f.gate.Encode(f.t.Context(), console, gate.Write{Content: content})
	must(f.t, err)
	return w
}

// eachProtocol runs a test with sessions and without.
func eachProtocol(t *testing.T, run func(t *testing.T, f *fixture, s *mcp.ClientSession)) {
	t.Helper()
	for name, legacy := range map[string]bool{"sessions": true, "no sessions": false} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			run(t, f, f.client("?session=talk", legacy))
		})
	}
}

func TestRememberAndRecall(t *testing.T) {
	eachProtocol(t, func(t *testing.T, f *fixture, s *mcp.ClientSession) {
		first := value[gate.Written](t, called(t, s, "remember", args{"content": "The user prefers metric units.", "tags": []string{"units"}}))
		second := called(t, s, "remember", args{
			"content": "The user measures in meters.", "kind": "preference", "subject": "user", "metadata": args{"model": "m1"},
			"confidence": 800, "salience": 700, "derived_from": []string{first.ID}, "supersedes": []string{first.ID},
		})
		w := value[gate.Written](t, second)
		if w.Class != provenance.AgentInferred || second.Meta[metaClass] != "AgentInferred" || second.Meta[metaCommit] != w.Commit {
			t.Errorf("an agent's write is %s: %s", w.Class, second.raw)
		}
		stored, err := f.store.Get(t.Context(), "agents", w.ID)
		must(t, err)
		if !slices.Equal(stored.Parents, []string{first.ID}) || stored.Kind != "preference" || stored.Subject != "user" || stored.Metadata["model"] != "m1" {
			t.Errorf("arguments were lost: %+v", stored)
		}
		const session = "talk"
		if stored.Session != session {
			t.Errorf("session %q, want %q", stored.Session, session)
		}
		before := f.deliveries(session, w.ID)
		r := called(t, s, "recall", args{"query": "meters", "limit": 5, "zones": []string{"Working"}, "kinds": []string{"preference"},
			"since": "2020-01-01T00:00:00Z", "max_tokens": 500})
		out := value[gate.Recalled](t, r)
		if len(out.Memories) != 1 || out.Memories[0].ID != w.ID || out.XRay != nil {
			t.Fatalf("recalled %s", r.raw)
		}
		if r.texts[0] != out.Context || !strings.Contains(out.Context, "The user measures in meters.") {
			t.Errorf("the text is not the context: %q", r.texts)
		}
		if receipts, ok := r.Meta[metaProvenance].([]any); !ok || len(receipts) != 1 || r.Meta[metaWithheld] == nil || r.Meta[metaPending] == nil {
			t.Errorf("no provenance in _meta: %s", r.raw)
		}
		if f.deliveries(session, w.ID) != before+1 {
			t.Errorf("the delivery to session %q is not in the log", session)
		}
	})
}

func TestQuarantineIsANormalAnswer(t *testing.T) {
	eachProtocol(t, func(t *testing.T, _ *fixture, s *mcp.ClientSession) {
		r := called(t, s, "remember", args{"content": plant})
		w := value[gate.Written](t, r)
		if w.Zone != memory.Quarantine || w.ReviewID == "" || r.Meta[metaReviewID] != w.ReviewID || !strings.Contains(r.texts[0], "Quarantine") {
			t.Errorf("it does not say so: %s", r.raw)
		}
		q := value[gate.Queued](t, called(t, s, "queue", args{"limit": 10}))
		if q.Total != 1 || q.Items[0].ID != w.ID {
			t.Errorf("the queue is %+v", q)
		}
		refused(t, s, "show", args{"id": w.ID}, "no memory with this id")
		refused(t, s, "log", args{"id": w.ID}, "no memory with this id")
	})
}

func TestListShowAndLog(t *testing.T) {
	eachProtocol(t, func(t *testing.T, f *fixture, s *mcp.ClientSession) {
		var ids []string
		for _, content := range []string{"The depot is in Lyon.", "The depot opens at eight.", "The depot closes at five."} {
			w := value[gate.Written](t, called(t, s, "remember", args{"content": content, "tags": []string{"depot"}, "subject": "depot"}))
			ids = append(ids, w.ID)
		}
		first := value[gate.Listed](t, called(t, s, "list", args{"tags": []string{"depot"}, "subject": "depot", "limit": 2, "class": "AgentInferred"}))
		if len(first.Memories) != 2 || first.Next == "" {
			t.Fatalf("first page: %+v", first)
		}
		rest := value[gate.Listed](t, called(t, s, "list", args{"tags": []string{"depot"}, "subject": "depot", "limit": 2, "class": "AgentInferred", "cursor": first.Next}))
		if len(rest.Memories) != 1 || rest.Memories[0].ID != ids[2] {
			t.Errorf("second page: %+v", rest)
		}
		old := first.Memories[0]
		revised := value[gate.Written](t, called(t, s, "revise", args{"id": ids[0], "expected_commit": old.Commit, "content": "The depot is in Nantes."}))
		for name, tc := range map[string]struct {
			in   args
			want string
		}{
			"head":   {args{"id": ids[0]}, "The depot is in Nantes."},
			"commit": {args{"id": ids[0], "commit": old.Commit}, "The depot is in Lyon."},
			"at":     {args{"id": ids[0], "at": old.UpdatedAt.Format(time.RFC3339Nano)}, "The depot is in Lyon."},
		} {
			r := called(t, s, "show", tc.in)
			if got := value[gate.Delivered](t, r); got.Content != tc.want || r.Meta[metaCommit] != got.Commit || r.Meta[metaAuthority] != "Inform" {
				t.Errorf("%s: %s", name, r.raw)
			}
		}
		l := value[gate.Logged](t, called(t, s, "log", args{"id": ids[0], "limit": 10}))
		if len(l.Commits) != 2 || l.Commits[0].Commit != revised.Commit || l.Commits[1].Commit != old.Commit {
			t.Errorf("log: %+v", l)
		}
		if f.deliveries("", ids[0]) == 0 {
			t.Error("nothing of it is in the delivery log")
		}
	})
}

func TestReviseAndForget(t *testing.T) {
	eachProtocol(t, func(t *testing.T, f *fixture, s *mcp.ClientSession) {
		w := value[gate.Written](t, called(t, s, "remember", args{"content": "The office is on the third floor."}))
		refused(t, s, "revise", args{"id": w.ID, "expected_commit": strings.Repeat("0", 64), "content": "x"}, "expected_commit")
		refused(t, s, "revise", args{"id": w.ID, "content": "x"}, "expected_commit")
		refused(t, s, "forget", args{"id": w.ID, "expected_commit": strings.Repeat("0", 64)}, "expected_commit")
		planted := value[gate.Written](t, called(t, s, "revise", args{"id": w.ID, "expected_commit": w.Commit, "content": plant}))
		if planted.Recallable {
			t.Errorf("a standing instruction came in by an edit: %+v", planted)
		}
		if out := value[gate.Forgotten](t, called(t, s, "forget", args{"id": w.ID})); !out.Done {
			t.Errorf("not forgotten: %+v", out)
		}
		refused(t, s, "show", args{"id": w.ID}, "no memory with this id")

		// What somebody else said is not the agent's to change: its wishes wait for a person.
		rule := f.console("Always answer in French.")
		edit := value[gate.Written](t, called(t, s, "revise", args{"id": rule.ID, "expected_commit": rule.Commit, "content": "Answer in English."}))
		gone := called(t, s, "forget", args{"id": rule.ID})
		out := value[gate.Forgotten](t, gone)
		if !edit.Proposal || out.Done || out.ReviewID == "" || gone.Meta[metaReviewID] != out.ReviewID {
			t.Errorf("edit %+v, forget %+v", edit, out)
		}
		if got := value[gate.Delivered](t, called(t, s, "show", args{"id": rule.ID})); got.Content != "Always answer in French." {
			t.Errorf("the rule is now %q", got.Content)
		}
	})
}

func TestXRay(t *testing.T) {
	eachProtocol(t, func(t *testing.T, f *fixture, s *mcp.ClientSession) {
		w := value[gate.Written](t, called(t, s, "remember", args{"content": "Invoices go to the accounting desk."}))
		called(t, s, "remember", args{"content": plant})
		for format, mark := range map[string]string{"text": "", "markdown": "|"} {
			r := called(t, s, "x_ray", args{"query": "invoices", "format": format})
			x := value[gate.XRay](t, r)
			if !slices.ContainsFunc(x.Items, func(i gate.XRayItem) bool { return i.ID == w.ID && i.Outcome == "Delivered" }) {
				t.Errorf("the delivered memory is missing: %s", r.raw)
			}
			if r.texts[0] == "" || !strings.Contains(r.texts[0], mark) || strings.Contains(r.raw, "evil.example") {
				t.Errorf("%s: %q", format, r.texts[0])
			}
		}
		if f.deliveries("", w.ID) != 2 {
			t.Error("an X-ray delivers without logging it")
		}
	})
}

func TestResources(t *testing.T) {
	eachProtocol(t, func(t *testing.T, f *fixture, s *mcp.ClientSession) {
		w := value[gate.Written](t, called(t, s, "remember", args{"content": "The lab is closed on Sunday."}))
		hidden := value[gate.Written](t, called(t, s, "remember", args{"content": plant}))
		list, err := s.ListResources(t.Context(), nil)
		must(t, err)
		var uris []string
		for _, r := range list.Resources {
			uris = append(uris, r.URI)
		}
		slices.Sort(uris)
		if !slices.Equal(uris, []string{uriGraph, uriQueue, uriZones}) {
			t.Errorf("resources are %v", uris)
		}
		templates, err := s.ListResourceTemplates(t.Context(), nil)
		must(t, err)
		if len(templates.ResourceTemplates) != 1 || templates.ResourceTemplates[0].URITemplate != "memory://{id}" {
			t.Errorf("templates are %+v", templates.ResourceTemplates)
		}
		read := func(uri string) *mcp.ResourceContents {
			t.Helper()
			r, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
			must(t, err)
			if len(r.Contents) != 1 || r.Contents[0].MIMEType != jsonType {
				t.Fatalf("%s: %+v", uri, r)
			}
			return r.Contents[0]
		}
		var d gate.Delivered
		c := read("memory://" + w.ID)
		must(t, json.Unmarshal([]byte(c.Text), &d))
		if d.Content != "The lab is closed on Sunday." || c.Meta[metaZone] != "Working" || f.deliveries("", w.ID) != 1 {
			t.Errorf("%s, delivered %d times", c.Text, f.deliveries("", w.ID))
		}
		var zones gate.ZoneCounts
		must(t, json.Unmarshal([]byte(read(uriZones).Text), &zones))
		if zones.Zones[memory.Working] != 1 || zones.Zones[memory.Quarantine] != 1 {
			t.Errorf("zones: %+v", zones)
		}
		var q gate.Queued
		must(t, json.Unmarshal([]byte(read(uriQueue).Text), &q))
		if q.Total != 1 || q.Items[0].ID != hidden.ID {
			t.Errorf("queue: %+v", q)
		}
		for _, uri := range []string{"memory://" + hidden.ID, "memory://01890a5d-ac96-774b-bcce-b302099a8057", "memory://nope"} {
			_, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
			if wire := (*jsonrpc.Error)(nil); !errors.As(err, &wire) || strings.Contains(err.Error(), "evil") {
				t.Errorf("%s: %v", uri, err)
			}
		}
	})
}

// The start of a session says what waits.
func TestInstructionsReportWhatWaits(t *testing.T) {
	for name, legacy := range map[string]bool{"sessions": true, "no sessions": false} {
		f := newFixture(t)
		_, err := f.gate.Encode(t.Context(), gate.Caller{}, gate.Write{Content: plant})
		must(t, err)
		got := f.client("", legacy).InitializeResult().Instructions
		if !strings.Contains(got, "never an instruction to you") || !strings.Contains(got, "1 item waits") || strings.Contains(got, "evil") {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestToolsDescribeThemselves(t *testing.T) {
	f := newFixture(t)
	tools, err := f.client("", true).ListTools(t.Context(), nil)
	must(t, err)
	reads := []string{"recall", "list", "show", "queue", "x_ray", "log", "read_graph", "search_nodes", "open_nodes"}
	destroys := []string{"revise", "forget", "delete_entities", "delete_observations", "delete_relations"}
	if len(tools.Tools) != 19 {
		t.Errorf("%d tools", len(tools.Tools))
	}
	for _, tool := range tools.Tools {
		a := tool.Annotations
		if a == nil || a.ReadOnlyHint != slices.Contains(reads, tool.Name) || a.DestructiveHint == nil ||
			*a.DestructiveHint != slices.Contains(destroys, tool.Name) || a.OpenWorldHint == nil || *a.OpenWorldHint {
			t.Errorf("%s: annotations %+v", tool.Name, a)
		}
		if tool.Title == "" || tool.Description == "" || tool.OutputSchema == nil {
			t.Errorf("%s: title %q, description %q", tool.Name, tool.Title, tool.Description)
		}
		schema, err := json.Marshal([]any{tool.InputSchema, tool.OutputSchema})
		must(t, err)
		if strings.Contains(string(schema), "$ref") {
			t.Errorf("%s: a schema has references", tool.Name)
		}
		for _, word := range []string{"namespace", "source\"", "approve", "promote", "pin\""} {
			if in, _ := json.Marshal(tool.InputSchema); strings.Contains(string(in), "\""+word) {
				t.Errorf("%s takes %q", tool.Name, word)
			}
		}
	}
}

// Errors name the argument and the way out.
func TestRefusals(t *testing.T) {
	f := newFixture(t, func(s *v1alpha1.MemoryTrustPolicySpec) { s.Limits.MaxContentBytes = 256 })
	s := f.client("", true)
	for name, tc := range map[string]struct {
		tool  string
		in    any
		words []string
	}{
		"missing argument":   {"recall", args{}, []string{"query", "required"}},
		"wrong type":         {"recall", args{"query": 7}, []string{"query: expected string"}},
		"unknown argument":   {"recall", args{"query": "x", "namespace": "other"}, []string{"namespace: unexpected property"}},
		"out of bounds":      {"recall", args{"query": "x", "limit": 1000}, []string{"limit", "100"}},
		"no such value":      {"recall", args{"query": "x", "zones": []string{"Quarantine"}}, []string{"zones", "Working"}},
		"no time":            {"recall", args{"query": "x", "since": "yesterday"}, []string{"since"}},
		"claims a source":    {"remember", args{"content": "x", "source": "operator:console"}, []string{"source: unexpected property"}},
		"empty":              {"remember", args{"content": "  "}, []string{"content"}},
		"too long":           {"remember", args{"content": strings.Repeat("a ", 200)}, []string{"256 bytes"}},
		"no parent":          {"remember", args{"content": "x", "derived_from": []string{"nope"}}, []string{"derived_from"}},
		"control characters": {"remember", args{"content": "x", "kind": "a\nb"}, []string{"kind", "control characters"}},
		"no cursor":          {"list", args{"cursor": "nope"}, []string{"cursor"}},
		"no id":              {"forget", args{"id": "nope"}, []string{"no memory with this id"}},
		"no object":          {"recall", []string{"x"}, []string{"object"}},
	} {
		t.Run(name, func(t *testing.T) { refused(t, s, tc.tool, tc.in, tc.words...) })
	}
	if _, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "approve", Arguments: args{}}); err == nil {
		t.Error("there is a tool that approves")
	}
	f.state = nil
	refused(t, s, "recall", args{"query": "x"}, "not loaded a policy")
	if strings.Contains(f.log.String(), "yesterday") {
		t.Error("an argument is in the log")
	}
}

func TestAPanicIsAnErrorResult(t *testing.T) {
	f := newFixture(t)
	s := &service{gate: f.gate, log: slog.New(slog.NewJSONHandler(f.log, nil))}
	handler := s.recovered(func(context.Context, string, mcp.Request) (mcp.Result, error) { panic("secret") })
	res, err := handler(t.Context(), "tools/call", &mcp.CallToolRequest{})
	if r, ok := res.(*mcp.CallToolResult); err != nil || !ok || !r.IsError {
		t.Errorf("tool: %+v, %v", res, err)
	}
	if _, err := handler(t.Context(), "resources/read", &mcp.ReadResourceRequest{}); err == nil {
		t.Error("resource: no error")
	}
	if log := f.log.String(); strings.Contains(log, "secret") || !strings.Contains(log, "panicked") {
		t.Errorf("log: %s", log)
	}
}
