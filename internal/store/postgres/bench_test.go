// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package postgres

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/memory/overlap"
	"memorytrust.dev/operator/internal/provenance"
	"memorytrust.dev/operator/internal/store/fulltext"
	"memorytrust.dev/operator/internal/store/postgres/pgtest"
	"memorytrust.dev/operator/internal/store/storetest"
	"memorytrust.dev/operator/internal/store/words"
)

// fillBulk writes n records with SQL: rows and index, as search needs them, without versions and audit entries.
func fillBulk(b testing.TB, s *Store, n int, record func(i int) memory.Record) {
	b.Helper()
	const batch = 1_000
	for done := 0; done < n; done += batch {
		err := s.writer.do(b.Context(), "filling", func(t *transaction) error {
			t.lookUpNamespaces(storetest.Namespace)
			if err := t.flush(); err != nil {
				return err
			}
			id := t.namespaceID(storetest.Namespace)
			t.writeNamespaces()
			for i := done; i < min(n, done+batch); i++ {
				r := record(i)
				r.Seq, r.Commit.Hash = uint64(i+1), []byte("none") // #nosec G115 -- small
				t.head.records++
				list := words.Of(r.Content)
				bound, err := values(t.agent, r.Normalized(), 0, len(list), t.head.records)
				if err != nil {
					return err
				}
				t.write(insertRecord, bound...)
				for _, word := range fulltext.Entries(fulltext.Keys(id, r.Zone), list) {
					t.entries[entry{word, t.head.records}] = true
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// settled lets the server look at the tables as it does by itself after a while, so that what is measured are its usual plans.
func settled(b *testing.B) {
	b.Helper()
	if _, err := pgtest.Any(b).Admin(b).Exec(b.Context(), "VACUUM ANALYZE"); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkCommit measures durable writes by several writers at once: ns/op is the time per write of all together. Two stores are
// two replicas of one agent.
func BenchmarkCommit(b *testing.B) {
	for _, stores := range []int{1, 2} {
		for _, writers := range []int{1, 8, 64} {
			b.Run(fmt.Sprintf("stores=%d/writers=%d", stores, writers), func(b *testing.B) { benchmarkCommit(b, stores, writers) })
		}
	}
}

func benchmarkCommit(b *testing.B, stores, writers int) {
	n := newTenant(b, pgtest.Any(b))
	open := make([]*Store, stores)
	for i := range open {
		open[i] = n.open(b)
	}
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
				c := storetest.Create(storetest.NewRecord(contents[i%len(contents)]))
				if _, err := open[w%stores].Commit(b.Context(), c); err != nil {
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
}

// BenchmarkSearch measures a recall's search, 50 candidates of the zones an agent gets, by questions of half a dozen words
// of some record and of everyday words.
func BenchmarkSearch(b *testing.B) {
	for _, records := range []int{1_000, 100_000} {
		for _, script := range storetest.Scripts {
			b.Run(fmt.Sprintf("records=%d/script=%s", records, script), func(b *testing.B) { benchmarkSearch(b, records, script) })
		}
	}
}

func benchmarkSearch(b *testing.B, records int, script string) {
	s := mustOpen(b)
	fillBulk(b, s, records, storetest.NewCorpus(script, 1).Record)
	settled(b)
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
	s := mustOpen(b)
	fill(b, s, 2_000, func(i int) string { return fmt.Sprint("item ", i) })
	settled(b)
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

// fill commits n records, many at once.
func fill(t testing.TB, s *Store, n int, content func(i int) string) {
	t.Helper()
	const batch = 500
	for done := 0; done < n; done += batch {
		var changes []memory.Change
		for i := done; i < min(n, done+batch); i++ {
			changes = append(changes, storetest.Create(storetest.NewRecord(content(i))))
		}
		if _, err := s.CommitAll(t.Context(), changes); err != nil {
			t.Fatal(err)
		}
	}
}

// BenchmarkTraced looks for the traces that share features with a memory of some 16 words, among 20,000 of texts like it.
func BenchmarkTraced(b *testing.B) {
	s := mustOpen(b)
	texts := storetest.NewCorpus("English", 1)
	const all, batch = 20_000, 1_000
	for range all / batch {
		traces := make([]memory.Trace, batch)
		for i := range traces {
			traces[i] = memory.Trace{
				ID: memory.NewID(), Namespace: storetest.Namespace, Class: provenance.WebContent, At: storetest.Epoch,
				Features: overlap.Of(texts.Sentence()),
			}
		}
		list, err := newTraces(traces)
		if err == nil {
			err = s.writer.do(b.Context(), "filling", func(t *transaction) error { return t.addTraces(list) })
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	settled(b)
	own := make([][]uint64, 200)
	for i := range own {
		own[i] = overlap.Of(texts.Sentence())
	}
	var latencies []time.Duration
	for b.Loop() {
		begin := time.Now()
		if _, err := s.Traced(b.Context(), storetest.Namespace, own[len(latencies)%len(own)], 64); err != nil {
			b.Fatal(err)
		}
		latencies = append(latencies, time.Since(begin))
	}
	storetest.ReportLatencies(b, latencies)
}
