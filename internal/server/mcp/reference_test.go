// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package mcp

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
)

func person(name string, observations ...string) args {
	return args{"name": name, "entityType": "person", "observations": append([]string{}, observations...)}
}

func related(from, to, relationType string) args {
	return args{"from": from, "to": to, "relationType": relationType}
}

func entities(e ...args) args  { return args{"entities": e} }
func relations(r ...args) args { return args{"relations": r} }

// wantGraph compares a graph tool's structured content and text.
func wantGraph(t *testing.T, r result, want graph) {
	t.Helper()
	if diff := cmp.Diff(want, value[graph](t, r)); diff != "" {
		t.Errorf("graph (-want +got):\n%s", diff)
	}
	text, err := marshal(want, "  ")
	must(t, err)
	if r.texts[0] != string(text) {
		t.Errorf("text:\n%s\nwant:\n%s", r.texts[0], text)
	}
}

func TestGraph(t *testing.T) {
	eachProtocol(t, func(t *testing.T, _ *fixture, s *mcp.ClientSession) {
		wantGraph(t, called(t, s, "read_graph", nil), graph{Entities: []entity{}, Relations: []relation{}})
		r := called(t, s, "create_entities", entities(person("Ada", "likes tea", "lives in Lyon"), person("Bob"), person("Ada", "twice")))
		if got := value[entitiesOutput](t, r); len(got.Entities) != 2 || len(r.texts) != 1 {
			t.Errorf("created %s", r.raw)
		}
		r = called(t, s, "create_entities", entities(person("Bob", "again"), person("Cleo")))
		if got := value[entitiesOutput](t, r); len(got.Entities) != 1 || got.Entities[0].Name != "Cleo" {
			t.Errorf("created %s", r.raw)
		}
		r = called(t, s, "create_relations", relations(related("Ada", "Bob", "knows"), related("Bob", "Nobody", "waits for")))
		if got := value[relationsOutput](t, r); len(got.Relations) != 2 {
			t.Errorf("created %s", r.raw)
		}
		r = called(t, s, "create_relations", relations(related("Ada", "Bob", "knows"), related("Ada", "Bob", "likes")))
		if got := value[relationsOutput](t, r); len(got.Relations) != 1 {
			t.Errorf("created %s", r.raw)
		}
		r = called(t, s, "add_observations", args{"observations": []args{{"entityName": "Ada", "contents": []string{"likes tea", "plays chess"}}}})
		if got := value[addedOutput](t, r); cmp.Diff([]added{{"Ada", []string{"plays chess"}}}, got.Results) != "" {
			t.Errorf("added %s", r.raw)
		}
		refused(t, s, "add_observations", args{"observations": []args{
			{"entityName": "Bob", "contents": []string{"not stored"}}, {"entityName": "Zoe", "contents": []string{"x"}},
		}}, "Entity with name Zoe not found")

		ada := entity{"Ada", "person", []string{"likes tea", "lives in Lyon", "plays chess"}}
		bob, cleo := entity{"Bob", "person", []string{}}, entity{"Cleo", "person", []string{}}
		knows, likes, waits := relation{"Ada", "Bob", "knows"}, relation{"Ada", "Bob", "likes"}, relation{"Bob", "Nobody", "waits for"}
		wantGraph(t, called(t, s, "read_graph", nil), graph{[]entity{ada, bob, cleo}, []relation{knows, waits, likes}})
		wantGraph(t, called(t, s, "search_nodes", args{"query": "CHESS"}), graph{[]entity{ada}, []relation{knows, likes}})
		wantGraph(t, called(t, s, "search_nodes", args{"query": "bo"}), graph{[]entity{bob}, []relation{knows, waits, likes}})
		wantGraph(t, called(t, s, "open_nodes", args{"names": []string{"Cleo", "Zoe"}}), graph{[]entity{cleo}, []relation{}})
		wantGraph(t, called(t, s, "open_nodes", args{"names": []string{"Ada"}}), graph{[]entity{ada}, []relation{knows, likes}})

		r = called(t, s, "delete_observations", args{"deletions": []args{{"entityName": "Ada", "observations": []string{"likes tea", "never said"}}}})
		if r.texts[0] != "Observations deleted successfully" || len(r.texts) != 1 {
			t.Errorf("deleted %s", r.raw)
		}
		called(t, s, "delete_relations", relations(related("Ada", "Bob", "likes"), related("Ada", "Cleo", "likes")))
		ada.Observations = []string{"lives in Lyon", "plays chess"}
		wantGraph(t, called(t, s, "read_graph", nil), graph{[]entity{ada, bob, cleo}, []relation{knows, waits}})
		called(t, s, "delete_entities", args{"entityNames": []string{"Bob", "Zoe"}})
		wantGraph(t, called(t, s, "read_graph", nil), graph{[]entity{ada, cleo}, []relation{}})
	})
}

// What a model writes into the graph is screened like any other write, and what is held back shows nowhere.
func TestGraphHoldsBackPlants(t *testing.T) {
	eachProtocol(t, func(t *testing.T, f *fixture, s *mcp.ClientSession) {
		r := called(t, s, "create_entities", entities(person("Ada", "likes tea", plant), person(plant, "harmless")))
		if got := value[entitiesOutput](t, r); cmp.Diff([]entity{{"Ada", "person", []string{"likes tea"}}}, got.Entities) != "" {
			t.Errorf("created %s", r.raw)
		}
		if len(r.texts) != 2 || !strings.Contains(r.texts[1], "Quarantine") || r.Meta[metaReviewIDs] == nil {
			t.Errorf("it does not say what waits: %s", r.raw)
		}
		r = called(t, s, "add_observations", args{"observations": []args{{"entityName": "Ada", "contents": []string{plant, "plays chess"}}}})
		if got := value[addedOutput](t, r); cmp.Diff([]added{{"Ada", []string{"plays chess"}}}, got.Results) != "" || len(r.texts) != 2 {
			t.Errorf("added %s", r.raw)
		}
		called(t, s, "create_relations", relations(related("Ada", plant, "knows"), related("Ada", "Bob", plant), related("Ada", "Bob", "knows")))
		refused(t, s, "add_observations", args{"observations": []args{{"entityName": "Bob", "contents": []string{"x"}}}}, "not found")

		want := graph{[]entity{{"Ada", "person", []string{"likes tea", "plays chess"}}}, []relation{{"Ada", "Bob", "knows"}}}
		for tool, in := range map[string]args{
			"read_graph": {}, "search_nodes": {"query": "a"}, "open_nodes": {"names": []string{"Ada", plant}},
		} {
			r := called(t, s, tool, in)
			wantGraph(t, r, want)
			if strings.Contains(r.raw, "evil.example") {
				t.Errorf("%s quotes what it holds back: %s", tool, r.raw)
			}
		}
		if r := called(t, s, "read_graph", nil); len(r.texts) != 2 || r.Meta[metaWithheld] == float64(0) {
			t.Errorf("it does not say that something is missing: %s", r.raw)
		}
		if r := called(t, s, "search_nodes", args{"query": "evil"}); strings.Contains(r.raw, plant) {
			t.Errorf("a search finds it: %s", r.raw)
		}
		called(t, s, "delete_entities", args{"entityNames": []string{plant}})
		counts, err := f.gate.Zones(t.Context(), gate.Caller{})
		must(t, err)
		if counts.Zones[memory.Quarantine] == 0 {
			t.Error("an agent deleted what waits for a person")
		}
	})
}

// A relation whose own words are harmless must not bring out the name of an entity that is held back.
func TestGraphHidesRelationsOfHeldBackEntities(t *testing.T) {
	f := newFixture(t)
	s := f.client("", true)
	called(t, s, "create_entities", entities(person("Ada"), person("Mallory", "x")))
	called(t, s, "create_relations", relations(related("Ada", "Mallory", "knows"), related("Mallory", "Ada", "knows"), related("Ada", "Bob", "knows")))
	for _, m := range value[gate.Listed](t, called(t, s, "list", args{"kinds": []string{"entity"}, "subject": "Mallory"})).Memories {
		_, err := f.gate.Decide(t.Context(), gate.Person{Principal: "alice"}, m.ID, gate.Decision{Action: memory.ActionQuarantine, Reason: "looks planted", Commit: m.Commit})
		must(t, err)
	}
	for tool, in := range map[string]args{
		"read_graph": {}, "search_nodes": {"query": "a"}, "open_nodes": {"names": []string{"Ada", "Mallory"}},
	} {
		r := called(t, s, tool, in)
		wantGraph(t, r, graph{[]entity{{"Ada", "person", []string{}}}, []relation{{"Ada", "Bob", "knows"}}})
		if strings.Contains(r.raw, "Mallory") {
			t.Errorf("%s names it: %s", tool, r.raw)
		}
	}
}

// Records that say one thing in their text, which is screened, and another in their fields are no part of the graph.
func TestGraphShowsOnlyWhatWasScreened(t *testing.T) {
	f := newFixture(t)
	s := f.client("", true)
	called(t, s, "remember", args{"content": "nothing to see", "kind": "entity", "subject": "Eve", "metadata": args{"entityType": "person"}})
	called(t, s, "remember", args{"content": "nothing to see", "kind": "relation", "subject": "Eve", "metadata": args{"to": "Ada", "relationType": "owns"}})
	called(t, s, "remember", args{"content": "Ada (person)", "kind": "entity", "subject": "Ada", "metadata": args{"entityType": "person"}})
	wantGraph(t, called(t, s, "read_graph", nil), graph{[]entity{{"Ada", "person", []string{}}}, []relation{}})
}

// What others said about an entity is not the agent's to delete.
func TestGraphDeletesBecomeProposals(t *testing.T) {
	f := newFixture(t)
	s := f.client("", true)
	called(t, s, "create_entities", entities(person("Ada", "likes tea")))
	_, err := f.gate.Encode(t.Context(), console, gate.Write{Content: "is the boss", Kind: "observation", Subject: "Ada"})
	must(t, err)
	r := called(t, s, "delete_observations", args{"deletions": []args{{"entityName": "Ada", "observations": []string{"is the boss", "likes tea"}}}})
	if r.texts[0] != "Observations deleted successfully" || len(r.texts) != 2 || !strings.Contains(r.texts[1], "only a person may forget it") {
		t.Errorf("%s", r.raw)
	}
	wantGraph(t, called(t, s, "read_graph", nil), graph{[]entity{{"Ada", "person", []string{"is the boss"}}}, []relation{}})
}

// A call that cannot be stored whole stores nothing.
func TestGraphChecksBeforeItWrites(t *testing.T) {
	f := newFixture(t)
	s := f.client("", true)
	long := strings.Repeat("n", 257)
	for name, tc := range map[string]struct {
		tool string
		in   args
		word string
	}{
		"long name":          {"create_entities", entities(person("Ada"), person(long)), "entities[1].name"},
		"empty name":         {"create_entities", entities(person("Ada"), person("")), "entities[1].name"},
		"control character":  {"create_entities", entities(person("Ada"), person("a\u0007")), "entities[1].name"},
		"empty observation":  {"create_entities", entities(person("Ada", "x", " ")), "entities[0].observations[1]"},
		"long type":          {"create_entities", entities(person("Ada"), args{"name": "B", "entityType": long, "observations": []string{}}), "entities[1].entityType"},
		"too many":           {"create_entities", entities(person("Ada", strings.Split(strings.Repeat("x ", 1001), " ")[:1000]...)), "at most 1000"},
		"long end":           {"create_relations", relations(related("Ada", "Bob", "knows"), related("Ada", long, "knows")), "relations[1].to"},
		"missing type":       {"create_relations", relations(args{"from": "Ada", "to": "Bob"}), "relationType"},
		"long observation":   {"add_observations", args{"observations": []args{{"entityName": "Ada", "contents": []string{strings.Repeat("x", 65537)}}}}, "observations[0].contents[0]"},
		"entities no list":   {"create_entities", args{"entities": 3}, "entities"},
		"names not strings":  {"open_nodes", args{"names": []int{1}}, "names"},
		"too many to delete": {"delete_entities", args{"entityNames": make([]string, 1001)}, "entityNames: give at most 1000"},
		"nameless to delete": {"delete_observations", args{"deletions": []args{{"observations": []string{"x"}}}}, "entityName"},
	} {
		t.Run(name, func(t *testing.T) { refused(t, s, tc.tool, tc.in, tc.word) })
	}
	wantGraph(t, called(t, s, "read_graph", nil), graph{Entities: []entity{}, Relations: []relation{}})
}

// A graph of many pages comes whole, and one that is larger than an answer says so.
func TestGraphPaging(t *testing.T) {
	f := newFixture(t)
	s := f.client("", true)
	const n = 120
	var batch []args
	for i := range n {
		batch = append(batch, person(fmt.Sprintf("person %03d", i), fmt.Sprintf("has number %d", i), fmt.Sprintf("sits in room %d", i)))
	}
	called(t, s, "create_entities", entities(batch...))
	r := called(t, s, "read_graph", nil)
	g := value[graph](t, r)
	if len(g.Entities) != n || g.Entities[n-1].Observations[1] != fmt.Sprintf("sits in room %d", n-1) || len(r.texts) != 1 {
		t.Fatalf("%d entities, %d texts", len(g.Entities), len(r.texts))
	}
	small := &service{gate: f.gate, log: nil, maxRecords: 100}
	cut, err := small.readGraph(t.Context(), conversation{}, readGraphInput{})
	must(t, err)
	if len(cut.value.Entities) >= n || cut.meta[metaTruncated] != true || !strings.Contains(cut.text[1], "larger than one answer") {
		t.Errorf("%d entities, %v, %q", len(cut.value.Entities), cut.meta, cut.text[1])
	}
}

// Two calls at a time do not make two entities of one name.
func TestGraphWritesDoNotRace(t *testing.T) {
	f := newFixture(t)
	var wait sync.WaitGroup
	for range 8 {
		s := f.client("", true)
		wait.Go(func() { called(t, s, "create_entities", entities(person("Ada", "likes tea"))) })
	}
	wait.Wait()
	wantGraph(t, called(t, f.client("", true), "read_graph", nil), graph{[]entity{{"Ada", "person", []string{"likes tea"}}}, []relation{}})
}

// Text that JavaScript and Go write differently as JSON.
func TestGraphTextIsThatOfJavaScript(t *testing.T) {
	f := newFixture(t)
	s := f.client("", true)
	called(t, s, "create_entities", entities(person("Ada", "a <b> & c \u2028 \u2029 \\u2028 \u007f \t \u0001 日本 😀")))
	want := "{\n  \"entities\": [\n    {\n      \"name\": \"Ada\",\n      \"entityType\": \"person\",\n      \"observations\": [\n" +
		"        \"a <b> & c \u2028 \u2029 \\\\u2028 \u007f \\t \\u0001 日本 😀\"\n      ]\n    }\n  ],\n  \"relations\": []\n}"
	if got := called(t, s, "read_graph", nil).texts[0]; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// A memory of a low class says so in what an answer says about itself.
func TestGraphSaysHowLowItGoes(t *testing.T) {
	f := newFixture(t)
	s := f.client("", true)
	called(t, s, "create_entities", entities(person("Ada")))
	tools := gate.Caller{Channel: policy.Channel{Name: "tools", Class: provenance.WebContent, Principal: "runner"}}
	_, err := f.gate.Encode(t.Context(), tools, gate.Write{Content: "was seen in Oslo", Kind: "observation", Subject: "Ada"})
	must(t, err)
	r := called(t, s, "open_nodes", args{"names": []string{"Ada"}})
	if r.Meta[metaLowest] != "WebContent" || r.Meta[metaReview] != float64(1) || len(r.texts) != 2 || !strings.Contains(r.texts[1], "not been reviewed") {
		t.Errorf("%s", r.raw)
	}
}

// A call that is stopped half-way says how far it came.
func TestGraphSaysHowFarItCame(t *testing.T) {
	f := newFixture(t, func(s *v1alpha1.MemoryTrustPolicySpec) { s.Limits.WritesPerMinute = 30 })
	s := f.client("", true)
	var batch []args
	for i := range 100 {
		batch = append(batch, person(fmt.Sprintf("person %d", i)))
	}
	refused(t, s, "create_entities", entities(batch...), "spec.limits.writesPerMinute", "Try again in", "write what is missing")
	if g := value[graph](t, called(t, s, "read_graph", nil)); len(g.Entities) == 0 || len(g.Entities) == len(batch) {
		t.Errorf("%d entities", len(g.Entities))
	}
	refused(t, s, "remember", args{"content": "The well is dry."}, "Not stored", "spec.limits.writesPerMinute")
}
