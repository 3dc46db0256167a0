// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"fmt"
	"path/filepath"
	"testing"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/store/fulltext"
	"memorytrust.dev/operator/internal/store/storetest"
)

// fill writes n records without waiting for the disk.
func fill(t testing.TB, s *Store, n int, content func(i int) string) {
	t.Helper()
	if _, err := s.writer.conn.ExecContext(t.Context(), "PRAGMA synchronous = OFF"); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if _, err := s.Commit(t.Context(), storetest.Create(storetest.NewRecord(content(i)))); err != nil {
			t.Fatal(err)
		}
	}
}

// However many records share a query's common words, the old one with its rare word is found, and words that all have
// still find something when there is nothing else to go by.
func TestSearchAmongManyCommonWords(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "memory.db"))
	fill(t, s, fulltext.TellingRecords+100, func(i int) string {
		if i == 3 {
			return "the user keeps olives"
		}
		return fmt.Sprint("the user keeps item ", i)
	})
	for text, want := range map[string]int{"where are the olives of the user": 1, "the user": 10, "the user keeps capers": 10} {
		found, err := s.Search(t.Context(), memory.Query{Namespace: storetest.Namespace, Text: text, Limit: 10})
		if err != nil || len(found) != want || found[0].Relevance != 1 {
			t.Fatalf("%q found %d, error %v", text, len(found), err)
		}
		if want == 1 && found[0].Record.Content != "the user keeps olives" {
			t.Errorf("%q found %q", text, found[0].Record.Content)
		}
	}
}

// Words that many records have still find the old record that has both, and the one that a filter asks for.
func TestSearchWithFrequentWords(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "memory.db"))
	fillBulk(t, s, 10*fulltext.TellingRecords, func(i int) memory.Record {
		r := storetest.NewRecord(fmt.Sprint("filler item ", i))
		switch {
		case i == 3:
			r.Content, r.Kind = "filler: the favorite color is blue", "rare"
		case i%9 == 0:
			r.Content += " favorite"
		case i%9 == 4:
			r.Content += " color"
		}
		return r
	})
	for name, tc := range map[string]struct {
		query memory.Query
		want  int
	}{
		"two frequent words":          {memory.Query{Text: "favorite color"}, 10},
		"one telling, one frequent":   {memory.Query{Text: "blue favorite"}, 1},
		"filler beside a telling one": {memory.Query{Text: "filler blue"}, 1},
		"filler and a filter":         {memory.Query{Text: "filler", Kinds: []string{"rare"}}, 1},
		"frequent words and a filter": {memory.Query{Text: "color", Kinds: []string{"rare"}}, 1},
	} {
		for range 2 { // the second time, frequent words are known
			tc.query.Namespace, tc.query.Limit = storetest.Namespace, 10
			found, err := s.Search(t.Context(), tc.query)
			if err != nil || len(found) != tc.want || found[0].Record.Kind != "rare" {
				t.Errorf("%s: found %d, error %v", name, len(found), err)
			}
		}
	}
}

// However much lands in Quarantine, or in another namespace, with the words of a memory: it stays found.
func TestSearchUnderFlood(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "memory.db"))
	fillBulk(t, s, 3*fulltext.TellingRecords, func(i int) memory.Record {
		r := storetest.NewRecord("the user keeps olives")
		switch {
		case i == 0:
		case i%2 == 0:
			r.Zone = memory.Quarantine
		default:
			r.Zone, r.Namespace = memory.Trusted, "team-b"
		}
		return r
	})
	found, err := s.Search(t.Context(), memory.Query{
		Namespace: storetest.Namespace, Text: "where are the olives", Limit: 10, Zones: []memory.Zone{memory.Working, memory.Trusted},
	})
	if err != nil || len(found) != 1 {
		t.Errorf("found %d, error %v", len(found), err)
	}
}

// A text cannot say of itself that it is in another namespace or zone.
func TestSearchKeysCannotBeForged(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "memory.db"))
	for _, r := range []memory.Record{
		{Content: "first in its namespace", Namespace: storetest.Namespace, Zone: memory.Working},
		{Content: "1dolives 1tolives olives1d", Namespace: "team-b", Zone: memory.Working},
		{Content: "1dolives 1tolives dolives", Namespace: storetest.Namespace, Zone: memory.Quarantine},
	} {
		full := storetest.NewRecord(r.Content)
		full.Namespace, full.Zone = r.Namespace, r.Zone
		if _, err := s.Commit(t.Context(), storetest.Create(full)); err != nil {
			t.Fatal(err)
		}
	}
	for _, text := range []string{"olives", "dolives", "1dolives", "1tolives"} {
		found, err := s.Search(t.Context(), memory.Query{
			Namespace: storetest.Namespace, Text: text, Limit: 10, Zones: []memory.Zone{memory.Working, memory.Trusted},
		})
		if err != nil || len(found) != 0 {
			t.Errorf("%q found %d, error %v", text, len(found), err)
		}
	}
}
