// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"strings"
	"testing"

	"memorytrust.dev/operator/api/v1alpha1"
)

// The table is what the program works with: it is read, and says of every tool what it does.
func TestKnownServers(t *testing.T) {
	servers := known()
	if len(servers) < 4 {
		t.Fatalf("%d servers", len(servers))
	}
	for _, s := range servers {
		if s.Name == "" || s.Source == "" || len(s.Tools) < 4 {
			t.Errorf("%+v", s)
		}
		reads, writes, deletes := 0, 0, 0
		for _, tool := range s.Tools {
			switch tool.Effect {
			case v1alpha1.UpstreamEffectRead:
				reads++
			case v1alpha1.UpstreamEffectWrite:
				writes++
			case v1alpha1.UpstreamEffectDelete:
				deletes++
			}
		}
		if reads == 0 || writes == 0 || deletes == 0 {
			t.Errorf("%s: %d tools read, %d write, %d delete", s.Name, reads, writes, deletes)
		}
		// Every server is told from all others by its own tools.
		if got := recognize(func(name string) bool { _, ok := s.Tools[name]; return ok }); got != s {
			t.Errorf("%s is taken for another", s.Name)
		}
	}
}

func TestRecognize(t *testing.T) {
	for name, tt := range map[string]struct {
		tools string
		want  string
	}{
		"reference":        {"create_entities create_relations add_observations delete_entities delete_observations delete_relations read_graph search_nodes open_nodes", "reference memory server"},
		"with more":        {"create_entities create_relations add_observations read_graph search_nodes open_nodes shell", "reference memory server"},
		"a part":           {"create_entities read_graph", ""},
		"Graphiti":         {"add_memory search_nodes search_memory_facts get_episodes delete_episode delete_entity_edge get_entity_edge clear_graph", "Graphiti"},
		"older Graphiti":   {"add_episode search_nodes search_facts get_episodes delete_episode get_entity_edge", "Graphiti"},
		"Redis":            {"create_long_term_memories search_long_term_memory memory_prompt set_working_memory", "Redis agent-memory-server"},
		"mem0":             {"add_memory search_memories get_memories get_memory update_memory delete_memory", "mem0"},
		"OpenMemory":       {"add_memories search_memory list_memories delete_all_memories", "OpenMemory (mem0, self-hosted)"},
		"something else":   {"fetch pay", ""},
		"nothing":          {"", ""},
		"one known by two": {"search_nodes", ""},
	} {
		t.Run(name, func(t *testing.T) {
			tools := set(strings.Fields(tt.tools)...)
			got := ""
			if s := recognize(func(name string) bool { return tools[name] }); s != nil {
				got = s.Name
			}
			if got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestTablesThatAreNone(t *testing.T) {
	for name, table := range map[string]string{
		"unknown word":       "servers: [{name: a, requires: [x], tools: {x: {effect: Read}}, content: [y]}]",
		"unknown effect":     "servers: [{name: a, requires: [x], tools: {x: {effect: Call}}}]",
		"no requirement":     "servers: [{name: a, tools: {x: {effect: Read}}}]",
		"not its own tool":   "servers: [{name: a, requires: [y], tools: {x: {effect: Read}}}]",
		"no path":            "servers: [{name: a, requires: [x], tools: {x: {effect: Write, control: ['a[0]']}}}]",
		"lookup that writes": "servers: [{name: a, requires: [x], tools: {x: {effect: Write}, y: {effect: Delete, lookup: {tool: x}}}}]",
	} {
		if _, err := parseKnown([]byte(table)); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
}
