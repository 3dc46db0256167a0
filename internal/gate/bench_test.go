// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

func BenchmarkEncode(b *testing.B) {
	f := newFixture(b)
	f.clock = time.Now
	i := 0
	for b.Loop() {
		f.now = f.now.Add(time.Second)
		f.write(agent, Write{Content: fmt.Sprintf("Note %d: %s", i, publicFact), Session: "bench"})
		i++
	}
}

// Topics make the words of a filled store overlap the way notes do.
var topics = []string{"invoice", "office", "meeting", "flight", "contract", "garden", "recipe", "server", "budget", "holiday"}

// note is a text of some twenty words, of which a few are common and most are rare, as in language.
func note(random *rand.Rand, i int) string {
	zipf := rand.NewZipf(random, 1.2, 5, 20_000)
	var b strings.Builder
	fmt.Fprintf(&b, "The %s of team %d", topics[i%len(topics)], i%97)
	for range 16 {
		fmt.Fprintf(&b, " w%s", strconv.FormatUint(zipf.Uint64()*2_654_435_761%1_000_003, 36))
	}
	return b.String() + "."
}

// fill stores n notes of several origins.
func (f *fixture) fill(n int) {
	f.t.Helper()
	origins := []memory.Record{
		{Class: provenance.AgentInferred, Source: agentSource},
		{Class: provenance.WebContent, Source: "web:example.org", State: memory.PendingReview},
		{Class: provenance.ToolOutput, Source: "mcp:search", State: memory.PendingReview},
		{Class: provenance.Manual, Source: "operator", Zone: memory.Trusted, Writer: console.writer()},
	}
	random := rand.New(rand.NewPCG(1, 2)) // #nosec G404 -- the same notes in every run
	changes := make([]memory.Change, 0, 500)
	for i := range n {
		r := origins[i%len(origins)]
		r.ID, r.Namespace, r.CreatedAt, r.UpdatedAt = memory.NewID(), testNamespace, f.now, f.now
		if r.Zone == "" {
			r.Zone = memory.Working
		}
		if r.State == "" {
			r.State = memory.Active
		}
		r.Content = note(random, i)
		changes = append(changes, memory.Change{
			Type: memory.ChangeCreate, Record: r.Capped(), Actor: r.Writer.String(), Sign: signer(f.state),
		})
		if len(changes) == cap(changes) || i == n-1 {
			_, err := f.store.CommitAll(f.ctx(), changes)
			must(f.t, err)
			changes = changes[:0]
		}
	}
}

func BenchmarkRecall(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprintf("%dk", n/1000), func(b *testing.B) {
			f := newFixture(b)
			f.fill(n)
			f.clock = time.Now
			var durations []time.Duration
			i := 0
			b.ResetTimer()
			for b.Loop() {
				start := time.Now()
				r := f.recall(Recall{Query: fmt.Sprintf("What about the %s of team %d?", topics[i%len(topics)], i%97), Session: "bench"})
				durations = append(durations, time.Since(start))
				if len(r.Memories) == 0 {
					b.Fatal("no memories")
				}
				i++
			}
			slices.Sort(durations)
			for name, at := range map[string]int{"p50-ms": 50, "p99-ms": 99} {
				b.ReportMetric(float64(durations[len(durations)*at/100].Microseconds())/1000, name)
			}
		})
	}
}
