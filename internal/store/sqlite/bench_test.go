// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/store/storetest"
)

// BenchmarkCommit measures durable writes by several writers at once: ns/op is the time per write of all together.
func BenchmarkCommit(b *testing.B) {
	for _, writers := range []int{1, 8, 64} {
		b.Run(fmt.Sprintf("writers=%d", writers), func(b *testing.B) {
			s := mustOpen(b, filepath.Join(b.TempDir(), "memory.db"))
			texts := storetest.NewCorpus("English", 1)
			latencies := make([]time.Duration, b.N)
			contents := make([]string, min(b.N, 10_000))
			for i := range contents {
				contents[i] = texts.Sentence()
			}
			var group sync.WaitGroup
			b.ResetTimer()
			for w := range writers {
				group.Go(func() {
					for i := w; i < b.N; i += writers {
						begin := time.Now()
						if _, err := s.Commit(b.Context(), storetest.Create(storetest.NewRecord(contents[i%len(contents)]))); err != nil {
							b.Error(err)
							return
						}
						latencies[i] = time.Since(begin)
					}
				})
			}
			group.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "writes/s")
			storetest.ReportLatencies(b, latencies)
		})
	}
}

// millionEnv asks the benchmark of Search for a million records as well, in each script. Filling the stores takes minutes
// and some gigabytes of disk.
const millionEnv = "MEMORYTRUST_BENCH_MILLION"

// BenchmarkSearch measures a recall's search, 50 candidates of the zones an agent gets, by questions of half a dozen words
// of some record and of everyday words. Set MEMORYTRUST_BENCH_MILLION=1 for 1,000,000 records too.
func BenchmarkSearch(b *testing.B) {
	sizes := []int{1_000, 100_000}
	if os.Getenv(millionEnv) != "" {
		sizes = append(sizes, 1_000_000)
	}
	for _, records := range sizes {
		for _, script := range storetest.Scripts {
			b.Run(fmt.Sprintf("records=%d/script=%s", records, script), func(b *testing.B) { benchmarkSearch(b, records, script) })
		}
	}
}

func benchmarkSearch(b *testing.B, records int, script string) {
	s := mustOpen(b, filepath.Join(b.TempDir(), "memory.db"))
	fillBulk(b, s, records, storetest.NewCorpus(script, 1).Record)
	questions := storetest.NewCorpus(script, 2)
	texts := make([]string, 200)
	for i := range texts {
		texts[i] = questions.Question()
	}
	var latencies []time.Duration
	found := 0
	for b.Loop() {
		begin := time.Now()
		candidates, err := s.Search(b.Context(), memory.Query{
			Namespace: storetest.Namespace, Text: texts[len(latencies)%len(texts)], Limit: 50,
			Zones: []memory.Zone{memory.Working, memory.Trusted},
		})
		if err != nil {
			b.Fatal(err)
		}
		latencies = append(latencies, time.Since(begin))
		found += len(candidates)
	}
	b.ReportMetric(float64(found)/float64(len(latencies)), "candidates")
	storetest.ReportLatencies(b, latencies)
}

// BenchmarkReads measures what a recall and a poll do beside searching.
func BenchmarkReads(b *testing.B) {
	s := mustOpen(b, filepath.Join(b.TempDir(), "memory.db"))
	fill(b, s, 2_000, func(i int) string { return fmt.Sprint("item ", i) })
	list, err := s.List(b.Context(), memory.Filter{Limit: 50})
	if err != nil {
		b.Fatal(err)
	}
	ids := make([]string, len(list))
	for i, r := range list {
		ids[i] = r.ID
	}
	for name, read := range map[string]func() error{
		"Counts":      func() error { _, err := s.Counts(b.Context(), storetest.Namespace); return err },
		"Heads of 50": func() error { _, err := s.Heads(b.Context(), ids); return err },
		"Roots of 50": func() error { _, err := s.Roots(b.Context(), ids); return err },
		"newest 50": func() error {
			_, err := s.Search(b.Context(), memory.Query{Namespace: storetest.Namespace, Limit: 50})
			return err
		},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := read(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
