// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memorytrust.dev/operator/internal/memory"
)

func testRoots(t *testing.T, target Target) {
	s := target.Open(t)
	derive := func(parents ...string) string {
		return mustCreate(t, s, "x", func(r *memory.Record) { r.Parents = parents }).ID
	}
	a, b, foreign := derive(), derive(), memory.NewID()
	ab := derive(a, b)
	deep := ab
	for range 50 {
		deep = derive(deep)
	}
	diamond := derive(derive(a), derive(a), deep)
	outside := derive(foreign)
	later := mustCreate(t, s, "x", nil)
	mustCommit(t, s, change(memory.ChangeUpdate, later, func(r *memory.Record) { r.Parents = []string{b} }))
	got, err := s.Roots(t.Context(), []string{a, ab, deep, diamond, outside, later.ID, foreign, a})
	both := []string{a, b}
	slices.Sort(both)
	want := map[string][]string{
		a: {a}, ab: both, deep: both, diamond: both, outside: {foreign}, later.ID: {b}, foreign: {foreign},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("(-want +got):\n%s error %v", diff, err)
	}
}

// Lineage that goes in circles, or is very wide, has roots all the same.
func testRootsOfOddLineage(t *testing.T, target Target) {
	s := target.Open(t)
	first := mustCreate(t, s, "x", nil)
	second := mustCreate(t, s, "x", func(r *memory.Record) { r.Parents = []string{first.ID} })
	mustCommit(t, s, change(memory.ChangeUpdate, first, func(r *memory.Record) { r.Parents = []string{second.ID} }))
	wide := mustCreate(t, s, "x", func(r *memory.Record) {
		for range memory.MaxParents {
			r.Parents = append(r.Parents, memory.NewID())
		}
	})
	got, err := s.Roots(t.Context(), []string{first.ID, second.ID, wide.ID})
	want := map[string][]string{first.ID: {first.ID}, second.ID: {second.ID}, wide.ID: wide.Parents}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("(-want +got):\n%s error %v", diff, err)
	}
}

func testContradictions(t *testing.T, target Target) {
	s := target.Open(t)
	put := func(c memory.Contradiction) memory.Contradiction {
		t.Helper()
		if err := s.PutContradiction(t.Context(), c); err != nil {
			t.Fatalf("PutContradiction: %v", err)
		}
		return c
	}
	a, b, c := memory.NewID(), memory.NewID(), memory.NewID()
	first := put(memory.Contradiction{
		ID: memory.NewID(), Namespace: Namespace, A: a, B: b, SeqA: 1, SeqB: 2, Signs: []string{"numbers differ", `"quoted"`}, FoundAt: Epoch,
	})
	second := put(memory.Contradiction{ID: memory.NewID(), Namespace: Namespace, A: b, B: c, FoundAt: Epoch})
	there := put(memory.Contradiction{ID: memory.NewID(), Namespace: "team-b", A: a, B: b, FoundAt: Epoch})
	decided := first
	decided.Verdict, decided.DecidedBy, decided.DecidedAt, decided.Reason = memory.KeepA, "person/alice", Epoch.Add(time.Hour), "asked him"
	put(decided)
	s = target.Reopen(t, s)
	for name, tc := range map[string]struct {
		filter memory.ContradictionFilter
		want   []memory.Contradiction
	}{
		"all":               {memory.ContradictionFilter{}, []memory.Contradiction{decided, second, there}},
		"namespace":         {memory.ContradictionFilter{Namespace: Namespace}, []memory.Contradiction{decided, second}},
		"open":              {memory.ContradictionFilter{Namespace: Namespace, Open: true}, []memory.Contradiction{second}},
		"ids":               {memory.ContradictionFilter{IDs: []string{there.ID, memory.NewID()}}, []memory.Contradiction{there}},
		"either side":       {memory.ContradictionFilter{Namespace: Namespace, RecordIDs: []string{b}}, []memory.Contradiction{decided, second}},
		"of several":        {memory.ContradictionFilter{RecordIDs: []string{c, memory.NewID()}}, []memory.Contradiction{second}},
		"the next page":     {memory.ContradictionFilter{After: first.ID, Limit: 1}, []memory.Contradiction{second}},
		"nothing any more":  {memory.ContradictionFilter{After: there.ID}, nil},
		"another namespace": {memory.ContradictionFilter{Namespace: "team-c"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if tc.filter.Limit == 0 {
				tc.filter.Limit = 10
			}
			got, err := s.Contradictions(t.Context(), tc.filter)
			if diff := cmp.Diff(tc.want, got); err != nil || diff != "" {
				t.Errorf("(-want +got):\n%s error %v", diff, err)
			}
		})
	}
	// Found again, the other way round: one pair, with what was found last.
	again := put(memory.Contradiction{ID: memory.NewID(), Namespace: Namespace, A: b, B: a, FoundAt: Epoch.Add(time.Hour)})
	got, err := s.Contradictions(t.Context(), memory.ContradictionFilter{Namespace: Namespace, RecordIDs: []string{a}, Limit: 10})
	if diff := cmp.Diff([]memory.Contradiction{again}, got); err != nil || diff != "" {
		t.Errorf("the same pair again (-want +got):\n%s error %v", diff, err)
	}
}

func testContradictionsRefuse(t *testing.T, target Target) {
	s := target.Open(t)
	good := memory.Contradiction{ID: memory.NewID(), Namespace: Namespace, A: memory.NewID(), B: memory.NewID(), FoundAt: Epoch}
	if err := s.PutContradiction(t.Context(), good); err != nil {
		t.Fatal(err)
	}
	for name, edit := range map[string]func(*memory.Contradiction){
		"no id":        func(c *memory.Contradiction) { c.ID = "" },
		"no namespace": func(c *memory.Contradiction) { c.Namespace = "" },
		"one record":   func(c *memory.Contradiction) { c.B = c.A },
		"no record":    func(c *memory.Contradiction) { c.A = "x" },
	} {
		c := good
		edit(&c)
		var field *memory.FieldError
		if err := s.PutContradiction(t.Context(), c); !errors.As(err, &field) {
			t.Errorf("%s: got %v, want a FieldError", name, err)
		}
	}
	other := good
	other.B = memory.NewID()
	if err := s.PutContradiction(t.Context(), other); !errors.Is(err, memory.ErrConflict) {
		t.Errorf("the id of another pair: got %v, want ErrConflict", err)
	}
}

func testMarks(t *testing.T, target Target) {
	s := target.Open(t)
	set := func(name string, value uint64) {
		t.Helper()
		if err := s.SetMark(t.Context(), name, value); err != nil {
			t.Fatalf("SetMark: %v", err)
		}
	}
	set("scan", 3)
	set("scan/team-b", 1)
	set("scan", 7)
	set("most", math.MaxUint64)
	s = target.Reopen(t, s)
	for name, want := range map[string]uint64{"scan": 7, "scan/team-b": 1, "most": math.MaxUint64, "none": 0} {
		if got, err := s.Mark(t.Context(), name); err != nil || got != want {
			t.Errorf("mark %s is %d, want %d, error %v", name, got, want, err)
		}
	}
}
