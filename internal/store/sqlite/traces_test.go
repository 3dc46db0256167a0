// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/memory/overlap"
	"memorytrust.dev/operator/internal/provenance"
	"memorytrust.dev/operator/internal/store/storetest"
)

// A write looks for traces, and must not walk through all that share an everyday feature.
func TestTracePlans(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "memory.db"))
	for name, tc := range map[string]struct{ query, want, never string }{
		"shared":   {selectShared, "USING PRIMARY KEY (namespace=? AND feature=?)", "TEMP B-TREE"},
		"traces":   {selectTraces, "SEARCH t USING INTEGER PRIMARY KEY", "SCAN t"},
		"drop":     {dropFeatures, "PRIMARY KEY (namespace=? AND feature=? AND rank=? AND trace=?)", "SCAN features"},
		"old":      {"SELECT n FROM traces WHERE record = 0 AND at < 1 ORDER BY at LIMIT 9", "traces_age (at<?)", "TEMP B-TREE"},
		"children": {selectChildren, "lineage_children (parent=?)", "SCAN l"},
	} {
		args := make([]any, strings.Count(tc.query, "?"))
		for i := range args {
			args[i] = "[1]"
		}
		steps, err := collect(t.Context(), s.reader, "test", "EXPLAIN QUERY PLAN "+tc.query, args,
			func(scan func(...any) error) (step string, err error) {
				var skip int
				err = scan(&skip, &skip, &skip, &step)
				return step, err
			})
		plan := strings.Join(steps, "; ")
		if err != nil || !strings.Contains(plan, tc.want) || strings.Contains(plan, tc.never) {
			t.Errorf("%s: plan is %q, error %v", name, plan, err)
		}
	}
}

// A trace that is missing behind the store's back takes no write along.
func TestMissingTrace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s, err := Open(t.Context(), path, Options{WriteThrough: true}) // otherwise it would be remembered
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	o := memory.Trace{
		ID: memory.NewID(), Namespace: storetest.Namespace, Class: provenance.WebContent, At: storetest.Epoch, Features: []uint64{1},
	}
	if err := s.Observe(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if err := s.settled(t.Context()); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), "DELETE FROM traces"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := s.Traced(t.Context(), storetest.Namespace, []uint64{1}, 1)
	if err != nil || len(got) != 0 {
		t.Errorf("got %v, error %v", got, err)
	}
}

// fillTraces keeps n traces of observations in a few transactions.
func fillTraces(b *testing.B, s *Store, n int, features func() []uint64) {
	b.Helper()
	const batch = 5000
	for range n / batch {
		traces := make([]memory.Trace, batch)
		for i := range traces {
			traces[i] = memory.Trace{
				ID: memory.NewID(), Namespace: storetest.Namespace, Class: provenance.WebContent, At: storetest.Epoch, Features: features(),
			}
		}
		list, err := newTraces(traces)
		if err == nil {
			err = s.writer.do(b.Context(), "filling", func(w *writer) error { return w.addTraces(list) })
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkTraced looks for the traces that share features with a memory of some 16 words, among 100,000 of texts like it.
func BenchmarkTraced(b *testing.B) {
	s := mustOpen(b, filepath.Join(b.TempDir(), "memory.db"))
	texts := storetest.NewCorpus("English", 1)
	fillTraces(b, s, 100_000, func() []uint64 { return overlap.Of(texts.Sentence()) })
	own := make([][]uint64, 200)
	for i := range own {
		own[i] = overlap.Of(texts.Sentence())
	}
	var latencies []time.Duration
	found := 0
	for b.Loop() {
		begin := time.Now()
		matches, err := s.Traced(b.Context(), storetest.Namespace, own[len(latencies)%len(own)], 64)
		if err != nil {
			b.Fatal(err)
		}
		latencies = append(latencies, time.Since(begin))
		found += len(matches)
	}
	b.ReportMetric(float64(found)/float64(len(latencies)), "matches")
	storetest.ReportLatencies(b, latencies)
}

// BenchmarkCommitTraced measures what keeping a trace of 25 features adds to a durable write, with 20,000 traces there.
func BenchmarkCommitTraced(b *testing.B) {
	s := mustOpen(b, filepath.Join(b.TempDir(), "memory.db"))
	random := rand.New(rand.NewPCG(1, 2)) // #nosec G404 -- no secret
	trace := func(n int) []uint64 {
		features := make([]uint64, n)
		for i := range features {
			features[i] = random.Uint64()
		}
		slices.Sort(features)
		return features
	}
	fillTraces(b, s, 20_000, func() []uint64 { return trace(25) })
	for _, features := range []int{0, 25} {
		b.Run(fmt.Sprint("features=", features), func(b *testing.B) {
			var latencies []time.Duration
			for b.Loop() {
				c := storetest.Create(storetest.NewRecord("The office in Lyon closes at 5 pm on Fridays, says the caller."))
				c.Trace = trace(features)
				begin := time.Now()
				if _, err := s.Commit(b.Context(), c); err != nil {
					b.Fatal(err)
				}
				latencies = append(latencies, time.Since(begin))
			}
			storetest.ReportLatencies(b, latencies)
		})
	}
}
