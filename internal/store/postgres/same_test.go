// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package postgres

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/store/sqlite"
	"memorytrust.dev/operator/internal/store/storetest"
)

// The same records give the same results with the same relevance, and the same audit log, as in a SQLite file.
func TestSameAsSQLite(t *testing.T) {
	for _, script := range storetest.Scripts {
		t.Run(script, func(t *testing.T) {
			file, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "memory.db"), sqlite.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = file.Close() }()
			stores := []memory.Store{mustOpen(t), file}
			texts := storetest.NewCorpus(script, 1)
			const records, batch = 1200, 400
			for range records / batch {
				changes := make([]memory.Change, batch)
				for i := range changes {
					r := texts.Record(i)
					if i%7 == 0 {
						r.Zone = memory.Trusted
					}
					if i%11 == 0 {
						r.Kind = "fact"
					}
					changes[i] = storetest.Create(r)
				}
				for _, s := range stores {
					if _, err := s.CommitAll(t.Context(), changes); err != nil {
						t.Fatal(err)
					}
				}
			}
			checkSameLog(t, stores)
			for i := range 40 {
				q := memory.Query{Namespace: storetest.Namespace, Text: texts.Question(), Limit: 20}
				switch i % 4 {
				case 0:
					q.Zones = []memory.Zone{memory.Working, memory.Trusted}
				case 1:
					q.Zones = []memory.Zone{memory.Trusted}
				case 2:
					q.Kinds = []string{"fact"}
				}
				checkSameResults(t, stores, q)
			}
		})
	}
}

func checkSameLog(t *testing.T, stores []memory.Store) {
	t.Helper()
	a, errA := stores[0].Checkpoint(t.Context())
	b, errB := stores[1].Checkpoint(t.Context())
	if diff := cmp.Diff(b, a); errA != nil || errB != nil || diff != "" {
		t.Errorf("audit log (-SQLite +PostgreSQL):\n%s errors %v, %v", diff, errA, errB)
	}
}

func checkSameResults(t *testing.T, stores []memory.Store, q memory.Query) {
	t.Helper()
	type result struct {
		ID        string
		Relevance float64
	}
	var results [2][]result
	for i, s := range stores {
		found, err := s.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range found {
			results[i] = append(results[i], result{c.Record.ID, c.Relevance})
		}
	}
	if !slices.Equal(results[0], results[1]) {
		t.Errorf("%q in %v, kinds %v: PostgreSQL found %d, SQLite %d:\n%s", q.Text, q.Zones, q.Kinds, len(results[0]), len(results[1]),
			cmp.Diff(results[1], results[0]))
	}
}
