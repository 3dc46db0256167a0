// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// waives and acts are signals of fragments: asking is waived, money is moved.
const (
	waives = 0x20
	acts   = 0x01
)

// createFragment creates a record with a fragment about one entity.
func createFragment(t *testing.T, s memory.Store, root string, signals uint16, at time.Time, entities ...uint64) memory.Record {
	t.Helper()
	r := NewRecord("A part of a plan.")
	if root == "" {
		root = r.ID
	}
	c := Create(r)
	c.Fragment = fragmentOf(r, root, signals, at, entities...)
	return mustCommit(t, s, c)
}

func fragmentOf(r memory.Record, root string, signals uint16, at time.Time, entities ...uint64) *memory.Fragment {
	f := &memory.Fragment{Namespace: r.Namespace, RecordID: r.ID, Root: root, Class: provenance.WebContent, At: at}
	for _, e := range entities {
		f.Mentions = append(f.Mentions, memory.FragmentMention{Entity: e, Signals: signals})
	}
	return f
}

func fragments(t *testing.T, s memory.Store, since time.Time, entities ...uint64) []memory.EntityFragment {
	t.Helper()
	out, err := s.Fragments(t.Context(), Namespace, entities, since)
	if err != nil {
		t.Fatalf("Fragments: %v", err)
	}
	return out
}

func entityFragment(r memory.Record, root string, entity uint64, signals uint16, at time.Time) memory.EntityFragment {
	return memory.EntityFragment{
		Entity: entity, RecordID: r.ID, Root: root, Class: provenance.WebContent, Signals: signals, At: at,
	}
}

func testFragments(t *testing.T, target Target) {
	s := target.Open(t)
	first := createFragment(t, s, "", acts, Epoch, 5, highFeature)
	second := createFragment(t, s, first.ID, waives, Epoch.Add(time.Hour), 5)
	elsewhere := NewRecord("Of another tenant.")
	elsewhere.Namespace = "team-b"
	c := Create(elsewhere)
	c.Fragment = fragmentOf(elsewhere, elsewhere.ID, waives, Epoch, 5)
	mustCommit(t, s, c)
	s = target.Reopen(t, s)

	want := []memory.EntityFragment{
		entityFragment(first, first.ID, 5, acts, Epoch), entityFragment(second, first.ID, 5, waives, Epoch.Add(time.Hour)),
		entityFragment(first, first.ID, highFeature, acts, Epoch),
	}
	got := fragments(t, s, time.Time{}, 5, highFeature, 77)
	slices.SortStableFunc(got, func(a, b memory.EntityFragment) int { // the order of entities is the store's
		if a.Entity == b.Entity {
			return 0
		}
		return map[bool]int{true: -1, false: 1}[a.Entity < b.Entity]
	})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("fragments (-want +got):\n%s", diff)
	}
	telling, err := s.Telling(t.Context(), Namespace, []uint64{highFeature, 5, 77})
	if err != nil || !slices.Equal(telling, []uint64{5}) {
		t.Errorf("telling are %v, error %v", telling, err)
	}
	if telling, err = s.Telling(t.Context(), "team-c", []uint64{5}); err != nil || len(telling) != 0 {
		t.Errorf("of another namespace telling are %v, error %v", telling, err)
	}
	if got := fragments(t, s, Epoch.Add(time.Minute), 5); len(got) != 1 || got[0].RecordID != second.ID {
		t.Errorf("since a minute later there are %+v", got)
	}
	if got := fragments(t, s, time.Time{}); len(got) != 0 {
		t.Errorf("no entity has %d fragments", len(got))
	}
}

// All versions of a record have one root, and what earlier ones said stays.
func testFragmentsOfVersions(t *testing.T, target Target) {
	s := target.Open(t)
	root := memory.NewID()
	r := createFragment(t, s, root, acts, Epoch, 5)
	next := change(memory.ChangeUpdate, r, func(r *memory.Record) { r.Content = "Another part of it." })
	next.Fragment = fragmentOf(r, r.ID, waives, Epoch.Add(time.Minute), 5)
	mustCommit(t, s, next)
	got := fragments(t, s, time.Time{}, 5)
	if len(got) != 2 || got[0].Root != root || got[1].Root != root {
		t.Errorf("versions have fragments %+v, want two of root %s", got, root)
	}
}

func testFragmentsDropped(t *testing.T, target Target) {
	s := target.Open(t)
	purged := createFragment(t, s, "", acts, Epoch, 5)
	child := createFragment(t, s, purged.ID, waives, Epoch, 5)
	rejected := createFragment(t, s, "", acts, Epoch, 6)
	kept := createFragment(t, s, "", acts, Epoch, 5, 6)

	mustCommit(t, s, purge(purged))
	if got := fragments(t, s, time.Time{}, 5); len(got) != 1 || got[0].RecordID != kept.ID {
		t.Errorf("after a purge of the root of %s, fragments %+v", child.ID, got)
	}
	mustCommit(t, s, change(memory.ChangeReview, rejected, func(r *memory.Record) {
		r.Zone, r.State = memory.Quarantine, memory.Rejected
	}))
	if got := fragments(t, s, time.Time{}, 6); len(got) != 1 || got[0].RecordID != kept.ID {
		t.Errorf("after a rejection, fragments %+v", got)
	}
	if err := s.ForgetFragments(t.Context(), Epoch); err != nil {
		t.Fatal(err)
	}
	if got := fragments(t, s, time.Time{}, 5, 6); len(got) != 2 {
		t.Errorf("%d fragments are left that are not too old", len(got))
	}
	if err := s.ForgetFragments(t.Context(), Epoch.Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	if got := fragments(t, s, time.Time{}, 5, 6); len(got) != 0 {
		t.Errorf("%d fragments are left that are too old", len(got))
	}
}

// A flood of fragments about one entity pushes out its own, and not the one that tells.
func testFragmentsBounded(t *testing.T, target Target) {
	s := target.Open(t)
	telling := createFragment(t, s, "", waives, Epoch, 5)
	root := memory.NewID()
	for i := range memory.MaxRootFragments + 3 {
		createFragment(t, s, root, acts, Epoch.Add(time.Duration(i)*time.Second), 5)
	}
	if got := len(fragments(t, s, time.Time{}, 5)); got != memory.MaxRootFragments+1 {
		t.Errorf("%d fragments, want those of %d of one root and one other", got, memory.MaxRootFragments)
	}
	for i := range memory.MaxEntityFragments + 10 {
		createFragment(t, s, "", acts, Epoch.Add(time.Duration(i+1)*time.Minute), 5)
	}
	got := fragments(t, s, time.Time{}, 5)
	if len(got) != memory.MaxEntityFragments {
		t.Errorf("%d fragments of one entity, want %d", len(got), memory.MaxEntityFragments)
	}
	if !slices.ContainsFunc(got, func(f memory.EntityFragment) bool { return f.RecordID == telling.ID }) {
		t.Error("a flood pushed out the fragment that waives asking")
	}
}

func testFragmentsRefuse(t *testing.T, target Target) {
	s := target.Open(t)
	for name, edit := range map[string]func(*memory.Fragment){
		"another record":    func(f *memory.Fragment) { f.RecordID = memory.NewID() },
		"another namespace": func(f *memory.Fragment) { f.Namespace = "team-b" },
		"no root":           func(f *memory.Fragment) { f.Root = "" },
		"no class":          func(f *memory.Fragment) { f.Class = "Nonsense" },
		"no time":           func(f *memory.Fragment) { f.At = time.Time{} },
		"too many entities": func(f *memory.Fragment) {
			f.Mentions = make([]memory.FragmentMention, memory.MaxFragmentMentions+1)
		},
	} {
		c := Create(NewRecord("A part of a plan."))
		c.Fragment = fragmentOf(c.Record, c.Record.ID, acts, Epoch, 5)
		edit(c.Fragment)
		if _, err := s.Commit(t.Context(), c); err == nil {
			t.Errorf("%s: was taken", name)
		}
	}
	if got := fragments(t, s, time.Time{}, 5); len(got) != 0 {
		t.Errorf("%d fragments of refused commits", len(got))
	}
	if _, err := s.Fragments(t.Context(), Namespace, make([]uint64, memory.MaxPageSize+1), time.Time{}); err == nil {
		t.Errorf("%d entities were taken", memory.MaxPageSize+1)
	}
}
