// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"fmt"
	"path/filepath"
	"testing"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/store/storetest"
)

// fill writes n records without waiting for the disk.
func fill(t testing.TB, s *Store, n int, content func(i int) string) {
	t.Helper()
	if _, err := s.writer.ExecContext(t.Context(), "PRAGMA synchronous = OFF"); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if _, err := s.Commit(t.Context(), storetest.Create(storetest.NewRecord(content(i)))); err != nil {
			t.Fatal(err)
		}
	}
}

// However many records share a query's common words, the old one with its rare word comes first, and the rest of the
// answer is filled with the newest that have the common ones.
func TestSearchAmongManyCommonWords(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "memory.db"))
	fill(t, s, scoreBudget+100, func(i int) string {
		if i == 3 {
			return "the user keeps olives"
		}
		return fmt.Sprint("the user keeps item ", i)
	})
	found, err := s.Search(t.Context(), memory.Query{Namespace: storetest.Namespace, Text: "where are the olives of the user", Limit: 10})
	if err != nil || len(found) != 10 {
		t.Fatalf("found %d, error %v", len(found), err)
	}
	if found[0].Record.Content != "the user keeps olives" || found[0].Relevance != 1 || found[1].Relevance > .1 {
		t.Errorf("first is %q, the second has relevance %v", found[0].Record.Content, found[1].Relevance)
	}
	only, err := s.Search(t.Context(), memory.Query{Namespace: storetest.Namespace, Text: "the user", Limit: 10})
	if err != nil || len(only) != 10 {
		t.Errorf("common words alone found %d, error %v", len(only), err)
	}
}

func BenchmarkCommit(b *testing.B) {
	s := mustOpen(b, filepath.Join(b.TempDir(), "memory.db"))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Commit(b.Context(), storetest.Create(storetest.NewRecord("The user prefers olives from Kalamata."))); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSearch10k(b *testing.B) {
	s := mustOpen(b, filepath.Join(b.TempDir(), "memory.db"))
	fill(b, s, 10_000, func(i int) string {
		return fmt.Sprintf("The user noted on day %d that item%d of list %d belongs to the kitchen", i%365, i, i%97)
	})
	for name, text := range map[string]string{
		"rare words":     "item4711 of list 13",
		"rare word":      "item4711",
		"in every row":   "what did the user note about the kitchen",
		"without a text": "",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.Search(b.Context(), memory.Query{Namespace: storetest.Namespace, Text: text, Limit: 50}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("Counts", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Counts(b.Context(), storetest.Namespace); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("HeadSeq of 50", func(b *testing.B) {
		list, err := s.List(b.Context(), memory.Filter{Limit: 50})
		if err != nil {
			b.Fatal(err)
		}
		ids := make([]string, len(list))
		for i, r := range list {
			ids[i] = r.ID
		}
		for b.Loop() {
			if _, err := s.HeadSeq(b.Context(), ids); err != nil {
				b.Fatal(err)
			}
		}
	})
}
