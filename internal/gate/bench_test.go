// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

func BenchmarkEncode(b *testing.B) {
	f := newFixture(b)
	f.clock = time.Now
	for b.Loop() {
		f.write(agent, Write{Content: publicFact, Source: "voice:public", Session: "bench"})
	}
}

// Topics make the words of a filled store overlap the way notes do.
var topics = []string{"invoice", "office", "meeting", "flight", "contract", "garden", "recipe", "server", "budget", "holiday"}

func BenchmarkRecall10k(b *testing.B) {
	f := newFixture(b)
	f.clock = time.Now
	for i := range 10_000 {
		f.write(agent, Write{
			Content: fmt.Sprintf("Note %d: the %s of team %d was moved to day %d, see the %s for details.",
				i, topics[i%len(topics)], i%97, i%28, topics[(i/7)%len(topics)]),
			Source: []string{"", "web:example.org", "mcp:search", "operator"}[i%4],
		})
	}
	var durations []time.Duration
	i := 0
	b.ResetTimer()
	for b.Loop() {
		start := time.Now()
		r := f.recall(Recall{Query: fmt.Sprintf("What about the %s of team %d?", topics[i%len(topics)], i%97), Session: "bench"})
		durations = append(durations, time.Since(start))
		if len(r.Memories) != DefaultRecallResults {
			b.Fatalf("%d memories", len(r.Memories))
		}
		i++
	}
	slices.Sort(durations)
	b.ReportMetric(float64(durations[len(durations)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(durations[len(durations)*95/100].Microseconds())/1000, "p95-ms")
}
