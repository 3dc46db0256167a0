// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package mcp

import (
	"fmt"
	"testing"

	"memorytrust.dev/operator/api/v1alpha1"
)

// unhurried lifts the limit of writes a minute.
func unhurried(s *v1alpha1.MemoryTrustPolicySpec) { s.Limits.WritesPerMinute = 100000 }

// BenchmarkRecallTool is a recall as an agent makes it, over HTTP, among a thousand memories.
func BenchmarkRecallTool(b *testing.B) {
	f := newFixture(b, unhurried)
	s := f.client("", true)
	for i := range 1000 {
		called(b, s, "remember", args{"content": fmt.Sprintf("Locker %d on floor %d belongs to team %d.", i, i%7, i%31)})
	}
	for b.Loop() {
		called(b, s, "recall", args{"query": "which team has locker 77"})
	}
}

// BenchmarkGraph reads a graph of 3,000 records: whole, by a search, and one entity of it.
func BenchmarkGraph(b *testing.B) {
	f := newFixture(b, unhurried)
	s := f.client("", true)
	for batch := range 4 {
		var made []args
		for i := range 250 {
			n := batch*250 + i
			made = append(made, person(fmt.Sprintf("person %d", n), fmt.Sprintf("has number %d", n), fmt.Sprintf("sits in room %d", n%90)))
		}
		called(b, s, "create_entities", entities(made...))
	}
	for name, run := range map[string]func(){
		"read_graph":   func() { called(b, s, "read_graph", nil) },
		"search_nodes": func() { called(b, s, "search_nodes", args{"query": "room 17"}) },
		"open_nodes":   func() { called(b, s, "open_nodes", args{"names": []string{"person 500"}}) },
		"add_observations": func() {
			called(b, s, "add_observations", args{"observations": []args{{"entityName": "person 500", "contents": []string{}}}})
		},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				run()
			}
		})
	}
}
