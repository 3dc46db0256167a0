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

// word is one of a few common words or of many rare ones, as in language.
func word(zipf *rand.Zipf) string {
	return "w" + strconv.FormatUint(zipf.Uint64()*2_654_435_761%1_000_003, 36)
}

func newWords(random *rand.Rand) *rand.Zipf { return rand.NewZipf(random, 1.2, 5, 20_000) }

// note is a text of some twenty words.
func note(random *rand.Rand, i int) string {
	words := newWords(random)
	var b strings.Builder
	fmt.Fprintf(&b, "The %s of team %d", topics[i%len(topics)], i%97)
	for range 16 {
		b.WriteString(" " + word(words))
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

// BenchmarkRecall asks with words that tell memories apart, as people mostly do, and with words that a tenth or all of the
// memories have.
func BenchmarkRecall(b *testing.B) {
	words := newWords(rand.New(rand.NewPCG(3, 4))) // #nosec G404 -- the same questions in every run
	questions := map[string]func(i int) string{
		"telling": func(int) string {
			return "What about " + word(words) + ", " + word(words) + " and " + word(words) + "?"
		},
		"common": func(i int) string { return fmt.Sprintf("What about the %s of team %d?", topics[i%len(topics)], i%97) },
	}
	for _, n := range []int{1_000, 10_000, 100_000} {
		f := newFixture(b)
		f.fill(n)
		f.clock = time.Now
		for name, question := range questions {
			b.Run(fmt.Sprintf("records=%d/words=%s", n, name), func(b *testing.B) { f.benchRecall(b, question) })
		}
	}
}

func (f *fixture) benchRecall(b *testing.B, question func(i int) string) {
	var durations []time.Duration
	for b.Loop() {
		start := time.Now()
		f.recall(Recall{Query: question(len(durations)), Session: "bench"})
		durations = append(durations, time.Since(start))
	}
	slices.Sort(durations)
	for name, at := range map[string]int{"p50-ms": 50, "p99-ms": 99} {
		b.ReportMetric(float64(durations[len(durations)*at/100].Microseconds())/1000, name)
	}
}

// What every write in a session asks for: how it stands, and what its user said last.
func BenchmarkStanding(b *testing.B) {
	f := newFixture(b, users)
	f.opens(chat, "opened")
	f.says(chat, "opened", "1", strings.Repeat(said+" ", 40))
	for session, ask := range map[string]func() error{
		"opened": func() error {
			_, err := f.standingOf(f.ctx(), f.state, testNamespace, "opened", f.now)
			return err
		},
		"invented": func() error {
			_, err := f.standingOf(f.ctx(), f.state, testNamespace, "invented", f.now)
			return err
		},
		"turn": func() error {
			_, ok, err := f.currentTurn(f.ctx(), f.state, testNamespace, "opened", f.now)
			if err == nil && !ok {
				b.Error("no turn")
			}
			return err
		},
	} {
		b.Run(session, func(b *testing.B) {
			for b.Loop() {
				must(b, ask())
			}
		})
	}
}
