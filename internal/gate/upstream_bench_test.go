// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"memorytrust.dev/operator/internal/provenance"
)

// timed runs an operation and reports its median and its 99th percentile.
func timed(b *testing.B, run func()) {
	b.Helper()
	var durations []time.Duration
	for b.Loop() {
		start := time.Now()
		run()
		durations = append(durations, time.Since(start))
	}
	slices.Sort(durations)
	for name, at := range map[string]int{"p50-ms": 50, "p99-ms": 99} {
		b.ReportMetric(float64(durations[len(durations)*at/100].Microseconds())/1000, name)
	}
}

// everyday is a text of some fifteen words as an agent notes it.
func everyday(random *rand.Rand) string {
	who := []string{"The user", "A colleague", "The sister of the user", "The neighbor", "The team in Lyon"}
	what := []string{"bought", "mentioned", "returned", "painted", "lost", "ordered", "described"}
	where := []string{"in the garden", "at the office", "near the station", "during the holiday", "after the meeting"}
	pick := func(list []string) string { return list[random.IntN(len(list))] }
	return fmt.Sprintf("%s %s a %s with %d parts %s on day %d of the trip.", pick(who), pick(what), pick(topics), random.IntN(9000), pick(where), random.IntN(900))
}

// benchServed is a server with a ledger of n texts.
func benchServed(b *testing.B, n int) (*served, []string) {
	b.Helper()
	u := newServed(b, toolRules, limits(10000, 1_000_000))
	random := rand.New(rand.NewPCG(1, 2)) // #nosec G404 -- the same texts in every run
	texts := make([]string, n)
	for i := range texts {
		texts[i] = everyday(random)
	}
	for some := range slices.Chunk(texts, MaxUpstreamTexts) {
		u.stores("fill", some...)
	}
	u.clock = time.Now
	return u, texts
}

func BenchmarkUpstreamWrite(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		u, _ := benchServed(b, n)
		random := rand.New(rand.NewPCG(3, 4)) // #nosec G404 -- the same texts in every run
		for _, step := range []string{"admit", "admit+record"} {
			b.Run(fmt.Sprintf("ledger=%d/%s", n, step), func(b *testing.B) {
				timed(b, func() {
					a := u.admit("bench", everyday(random))
					if step != "admit" {
						must(b, u.RecordUpstream(u.ctx(), agent, a, nil))
					}
				})
			})
		}
	}
}

func BenchmarkUpstreamRead(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		u, texts := benchServed(b, n)
		random := rand.New(rand.NewPCG(5, 6)) // #nosec G404 -- the same texts in every run
		for name, next := range map[string]func(i int) string{
			"known":   func(int) string { return texts[random.IntN(len(texts))] },
			"unknown": func(int) string { return everyday(random) },
			"again":   func(i int) string { return "An old note of the server: " + texts[i%10] },
		} {
			b.Run(fmt.Sprintf("ledger=%d/%s", n, name), func(b *testing.B) {
				timed(b, func() {
					r := UpstreamRead{Upstream: "notes", Tool: "search", Session: "bench"}
					for k := range 10 {
						r.Texts = append(r.Texts, UpstreamText{Text: next(k)})
					}
					_, err := u.RecallUpstream(u.ctx(), agent, r)
					must(b, err)
				})
			})
		}
	}
}

func BenchmarkUpstreamCall(b *testing.B) {
	u, _ := benchServed(b, 100)
	u.fetched("bench", webPage)
	for name, call := range map[string]UpstreamCall{
		"authorize/inform":  {Upstream: "bank", Tool: "balance_get", Session: "bench", Arguments: json.RawMessage(`{"account":"main"}`)},
		"authorize/waiting": {Upstream: "bank", Tool: "pay_card", Session: "bench", Arguments: json.RawMessage(pay)},
	} {
		b.Run(name, func(b *testing.B) {
			timed(b, func() {
				_, err := u.AuthorizeUpstream(u.ctx(), agent, call)
				must(b, err)
			})
		})
	}
	random := rand.New(rand.NewPCG(7, 8)) // #nosec G404 -- the same texts in every run
	for _, words := range []int{20, 400} {
		b.Run(fmt.Sprintf("observe/words=%d", words), func(b *testing.B) {
			timed(b, func() {
				text := ""
				for range words / 20 {
					text += everyday(random) + "\n"
				}
				must(b, u.ObserveUpstream(u.ctx(), agent, UpstreamResult{
					Upstream: "bank", Tool: "get", Session: "bench", Class: provenance.ToolOutput, Texts: []string{text},
				}))
			})
		})
	}
	defs := make([]ToolDefinition, 0, 20)
	for i := range 20 {
		defs = append(defs, defined(fmt.Sprint("tool", i), "Adds a note to the list.")...)
	}
	b.Run("pin/tools=20", func(b *testing.B) { timed(b, func() { u.pins(defs...) }) })
}
