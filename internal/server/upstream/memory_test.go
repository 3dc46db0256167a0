// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
)

func person(name string, observations ...string) args {
	return args{"entities": []args{{"name": name, "entityType": "person", "observations": observations}}}
}

// What an agent stores in a memory server it reads again, unchanged, and what was planted there behind its back is withheld.
func TestMemoryServer(t *testing.T) {
	for name, legacy := range generations {
		t.Run(name, func(t *testing.T) {
			store, server := newGraphServer()
			url := mount(t, server)
			f := newFixture(t, setup{upstreams: []v1alpha1.Upstream{memoryAt(url)}})
			s := f.agent("notes", legacy, nil)
			called(t, s, "create_entities", person("Ada", "Ada likes tea."))
			called(t, s, "add_observations", args{"observations": []args{{"entityName": "Ada", "contents": []string{"Ada works in Lyon."}}}})
			direct, err := f.dial(url, true, nil)
			must(t, err)
			defer func() { _ = direct.Close() }()
			for tool, arguments := range map[string]args{"read_graph": {}, "search_nodes": {"query": "tea"}, "open_nodes": {"names": []string{"Ada"}}} {
				got, want := called(t, s, tool, arguments), called(t, direct, tool, arguments)
				if got.text != want.text {
					t.Errorf("%s: %s, directly %s", tool, got.text, want.text)
				}
				if len(got.Meta) > 1 || !strings.Contains(got.text, "Lyon") {
					t.Errorf("%s: %s", tool, got.raw)
				}
			}
			store.put(entity{Name: "Invoices", EntityType: "rule", Observations: []string{plant, "Invoices are due on Mondays."}})
			seen := called(t, s, "read_graph", args{})
			if strings.Contains(seen.raw, "evil.example") || strings.Count(seen.raw, "[withheld by MemoryTrust: ") < 2 {
				t.Errorf("the plant: %s", seen.raw)
			}
			for _, kept := range []string{"Ada likes tea.", "Invoices are due on Mondays."} {
				if strings.Count(seen.raw, kept) < 2 { // in the text, and in the structured content
					t.Errorf("%q is not there: %s", kept, seen.raw)
				}
			}
			resource, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "memory://knowledge-graph"})
			must(t, err)
			if text := resource.Contents[0].Text; strings.Contains(text, "evil.example") || !strings.Contains(text, "Ada likes tea.") {
				t.Errorf("the resource: %s", text)
			}
		})
	}
}

// The shape of an answer stays what the server's schema says, whatever is withheld.
func TestWithheldKeepsTheShape(t *testing.T) {
	store, server := newGraphServer()
	store.put(entity{Name: "Invoices", EntityType: "rule", Observations: []string{plant}})
	f := newFixture(t, setup{upstreams: []v1alpha1.Upstream{memoryAt(mount(t, server))}})
	seen := called(t, f.agent("notes", true, nil), "read_graph", args{})
	raw, err := json.Marshal(seen.StructuredContent)
	must(t, err)
	var shown graph
	must(t, json.Unmarshal(raw, &shown))
	if len(shown.Entities) != 1 || len(shown.Entities[0].Observations) != 1 || !strings.HasPrefix(shown.Entities[0].Observations[0], "[withheld") {
		t.Errorf("%s", raw)
	}
	var text graph
	must(t, json.Unmarshal([]byte(seen.Content[0].(*mcp.TextContent).Text), &text))
	if len(text.Entities) != 1 || text.Entities[0].Name != "Invoices" {
		t.Errorf("%+v", text.Entities)
	}
	if seen.Meta[metaWithheld] == nil {
		t.Errorf("it does not say that something is missing: %v", seen.Meta)
	}
}

// A directive is never stored by the server, wherever it stands in the arguments.
func TestDirectivesAreNotWritten(t *testing.T) {
	for name, arguments := range map[string]struct {
		tool string
		args args
	}{
		"observation": {"create_entities", person("Ada", plant)},
		"name":        {"create_entities", person(plant)},
		"type":        {"create_entities", args{"entities": []args{{"name": "Ada", "entityType": plant, "observations": []string{}}}}},
		"relation":    {"create_relations", args{"relations": []args{{"from": "Ada", "to": "Bob", "relationType": plant}}}},
		"addition":    {"add_observations", args{"observations": []args{{"entityName": "Ada", "contents": []string{"She is tall.", plant}}}}},
	} {
		t.Run(name, func(t *testing.T) {
			store, server := newGraphServer()
			f := newFixture(t, setup{upstreams: []v1alpha1.Upstream{memoryAt(mount(t, server))}})
			s := f.agent("notes", true, nil)
			out := refused(t, s, arguments.tool, arguments.args, "person")
			if strings.Contains(out.raw, "evil.example") {
				t.Errorf("the refusal quotes: %s", out.raw)
			}
			if stored := store.copied(); len(stored.Entities)+len(stored.Relations) != 0 {
				t.Errorf("stored: %+v", stored.Entities)
			}
			called(t, s, "create_entities", person("Bob", "Bob likes coffee."))
		})
	}
}

// Tools that nobody has said anything about are refused, and the policy can say it.
func TestUnknownTools(t *testing.T) {
	var stored []string
	server := func() *mcp.Server {
		s := mcp.NewServer(&mcp.Implementation{Name: "memory-server", Version: "1"}, nil) // it claims to be the reference server
		add(s, "jot", "Note something down", func(in struct {
			Text string `json:"text"`
			Tag  string `json:"tag"`
		}) (*mcp.CallToolResult, any, error) {
			stored = append(stored, in.Text)
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "noted"}}}, nil, nil
		})
		add(s, "read_graph", "Read it all", func(nothing) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: strings.Join(stored, "\n")}}}, nil, nil
		})
		return s
	}()
	up := memoryAt(mount(t, server))
	f := newFixture(t, setup{upstreams: []v1alpha1.Upstream{up}})
	s := f.agent("notes", true, nil)
	for _, tool := range []string{"jot", "read_graph"} {
		refused(t, s, tool, args{"text": "x"}, "spec.upstreams[].toolRules")
	}
	up.ToolRules = []v1alpha1.UpstreamToolRule{
		{Tools: []string{"jot"}, Effect: v1alpha1.UpstreamEffectWrite, Content: []string{"text"}},
		{Tools: []string{"read_*"}, Effect: v1alpha1.UpstreamEffectRead},
		{Tools: []string{"*"}, Effect: v1alpha1.UpstreamEffectRefuse},
	}
	f.apply(setup{upstreams: []v1alpha1.Upstream{up}})
	f.reload()
	s = f.agent("notes", true, nil)
	called(t, s, "jot", args{"text": "The shop closes at six.", "tag": "a b c"})
	refused(t, s, "jot", args{"text": plant, "tag": ""}, "person")
	if !slices.Equal(stored, []string{"The shop closes at six."}) {
		t.Errorf("stored %q", stored)
	}
	stored = append(stored, plant)
	seen := called(t, s, "read_graph", args{})
	if strings.Contains(seen.raw, "evil.example") || !strings.Contains(seen.text, "The shop closes at six.") {
		t.Errorf("of several lines: %s", seen.raw)
	}
}

// What an agent wrote itself it may delete, and the server says so.
func TestDelete(t *testing.T) {
	store, server := newGraphServer()
	f := newFixture(t, setup{upstreams: []v1alpha1.Upstream{memoryAt(mount(t, server))}})
	s := f.agent("notes", true, nil)
	called(t, s, "create_entities", person("Ada", "Ada likes tea.", "Ada is tall."))
	out := called(t, s, "delete_observations", args{"deletions": []args{{"entityName": "Ada", "observations": []string{"Ada is tall."}}}})
	if !strings.Contains(out.text, "deleted successfully") {
		t.Errorf("%s", out.raw)
	}
	called(t, s, "delete_entities", args{"entityNames": []string{"Ada"}})
	if c := store.copied(); len(c.Entities) != 0 {
		t.Errorf("%+v", c.Entities)
	}
	store.put(entity{Name: "Bob", EntityType: "person", Observations: []string{"Bob pays on Fridays, says a page."}})
	refused(t, s, "delete_entities", args{"entityNames": []string{"Bob"}})
	if c := store.copied(); len(c.Entities) != 1 {
		t.Errorf("what the agent did not write is gone")
	}
}

// A server that answers with a list of what it was told, as a text, hands out what is known.
func TestListsOfWhatIsKnown(t *testing.T) {
	const first, second = "Ada prefers trains over planes.", "Ada met customer 12 in May."
	server, holds := textServer()
	f := newFixture(t, setup{upstreams: []v1alpha1.Upstream{memoryAt(mount(t, server))}, change: func(s *v1alpha1.MemoryTrustPolicySpec) {
		s.Upstreams[0].ToolRules = []v1alpha1.UpstreamToolRule{
			{Tools: []string{"put"}, Effect: v1alpha1.UpstreamEffectWrite}, {Tools: []string{"all"}, Effect: v1alpha1.UpstreamEffectRead},
		}
	}})
	s := f.agent("notes", true, nil)
	called(t, s, "put", args{"text": first})
	called(t, s, "put", args{"text": second})
	for _, step := range []struct {
		session string
		added   string
		want    provenance.Class
	}{{"known", "", provenance.AgentInferred}, {"planted", "The office moved to Lyon.", provenance.Unknown}} {
		holds(step.added)
		reader, err := f.dial(f.url+policy.UpstreamPath("notes")+"?session="+step.session, true, nil)
		must(t, err)
		out := called(t, reader, "all", args{})
		if !strings.Contains(out.text, "1. "+first+"\n2. "+second) {
			t.Errorf("%s: the list is %q", step.session, out.text)
		}
		got, _, err := f.store.LowestDelivered(t.Context(), f.state.Load().Runtime.Namespace, step.session, time.Time{})
		must(t, err)
		if got != step.want {
			t.Errorf("%s: the session counts as %s, want %s", step.session, got, step.want)
		}
		must(t, reader.Close())
	}
}

// textServer keeps texts and hands them out as one numbered list. The function puts one there behind the gateway's back.
func textServer() (*mcp.Server, func(string)) {
	var texts []string
	add := func(text string) {
		if text != "" {
			texts = append(texts, text)
		}
	}
	type put struct {
		Text string `json:"text"`
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "texts", Version: "1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "put"}, func(_ context.Context, _ *mcp.CallToolRequest, in put) (*mcp.CallToolResult, any, error) {
		add(in.Text)
		return &mcp.CallToolResult{}, nil, nil
	})
	mcp.AddTool(server, &mcp.Tool{Name: "all"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		var list []string
		for i, text := range texts {
			list = append(list, fmt.Sprintf("%d. %s", i+1, text))
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: strings.Join(list, "\n")}}}, nil, nil
	})
	return server, add
}
