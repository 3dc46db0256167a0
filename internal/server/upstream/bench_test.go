// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memorytrust.dev/operator/api/v1alpha1"
)

// measured are the calls of the benchmark: a tool, a read of ten texts and a write, directly and through the gateway.
func measured(b *testing.B) (direct, through map[string]func() error) {
	store, graph := newGraphServer()
	tools := echoServer()
	graphURL, toolsURL := mount(b, graph), mount(b, tools)
	f := newFixture(b, setup{upstreams: []v1alpha1.Upstream{memoryAt(graphURL), toolsAt(toolsURL)}, change: anything})
	notes, echo := f.agent("notes", true, nil), f.agent("tools", true, nil)
	var facts []string
	for i := range 9 {
		facts = append(facts, fmt.Sprintf("Ada met customer %d in May and wrote offer %d.", i, i*31))
	}
	called(b, notes, "create_entities", person("Ada", facts...))
	directNotes, err := f.dial(graphURL, true, nil)
	must(b, err)
	directTools, err := f.dial(toolsURL, true, nil)
	must(b, err)
	n := 0
	calls := func(notes, echo *mcp.ClientSession) map[string]func() error {
		call := func(s *mcp.ClientSession, tool string, arguments func() any) func() error {
			return func() error {
				out, err := s.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: arguments()})
				if err == nil && out.IsError {
					err = fmt.Errorf("%s failed", tool)
				}
				return err
			}
		}
		return map[string]func() error{
			"tool call":        call(echo, "echo", func() any { return args{"text": "Offer 17 was sent to customer 3 on Monday."} }),
			"read of 10 texts": call(notes, "open_nodes", func() any { return args{"names": []string{"Ada"}} }),
			"write": call(notes, "create_entities", func() any {
				n++
				store.mu.Lock()
				store.Entities = store.Entities[:min(len(store.Entities), 2)]
				store.mu.Unlock()
				return person(fmt.Sprintf("Bob%d", n), fmt.Sprintf("Bob%d prefers trains over planes.", n))
			}),
		}
	}
	return calls(directNotes, directTools), calls(notes, echo)
}

// BenchmarkGateway measures calls directly and through the gateway, with percentiles. Its lines are the overhead table of
// docs/gateway.md. A session that met the answer of a tool writes with the class of that, and with more to compare.
func BenchmarkGateway(b *testing.B) {
	direct, through := measured(b)
	for _, m := range []struct{ name, call string }{
		{"write", "write"}, {"tool call", "tool call"}, {"read of 10 texts", "read of 10 texts"}, {"write after answers of tools", "write"},
	} {
		for way, call := range map[string]func() error{"direct": direct[m.call], "gateway": through[m.call]} {
			b.Run(m.name+"/"+way, func(b *testing.B) {
				b.ReportAllocs()
				var took []time.Duration
				for b.Loop() {
					start := time.Now()
					if err := call(); err != nil {
						b.Fatal(err)
					}
					took = append(took, time.Since(start))
				}
				slices.Sort(took)
				b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
				b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
			})
		}
	}
}
