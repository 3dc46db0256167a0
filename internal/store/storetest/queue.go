// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

func testCounts(t *testing.T, target Target) {
	s := target.Open(t)
	put := func(key byte, zone memory.Zone, state memory.State) {
		r := NewRecord("x")
		r.Zone, r.State = zone, state
		c := Create(r)
		if key > 0 {
			c.Sign = fakeTag(key)
		}
		mustCommit(t, s, c)
	}
	put(1, memory.Working, memory.Active)
	put(1, memory.Working, memory.PendingReview)
	put(2, memory.Quarantine, memory.PendingReview)
	put(0, memory.Trusted, memory.Active)
	put(2, memory.Quarantine, memory.Rejected)
	put(2, memory.Working, memory.Forgotten)

	got, err := s.Counts(t.Context(), Namespace)
	want := memory.Counts{
		ByZone:        map[memory.Zone]int64{memory.Working: 2, memory.Quarantine: 1, memory.Trusted: 1},
		ByState:       map[memory.State]int64{memory.Active: 2, memory.PendingReview: 2},
		PendingReview: 2,
		Items:         2,
		ByKeyID:       map[string]int64{"1": 2, "2": 1},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("(-want +got):\n%s error %v", diff, err)
	}
}

func testCountsOfAll(t *testing.T, target Target) {
	s := target.Open(t)
	if names, err := s.Namespaces(t.Context()); err != nil || len(names) != 0 {
		t.Errorf("namespaces of an empty store: %q, error %v", names, err)
	}
	pending := func(r *memory.Record) { r.Zone, r.State = memory.Quarantine, memory.PendingReview }
	item := mustCreate(t, s, "item", pending)
	mustCreate(t, s, "folded", func(r *memory.Record) { pending(r); r.FoldedInto = item.ID })
	mustCreate(t, s, "disputed", func(r *memory.Record) { r.State = memory.Disputed })
	mustCreate(t, s, "there", func(r *memory.Record) { r.Namespace = "team-b" })
	mustCreate(t, s, "gone", func(r *memory.Record) { r.Namespace, r.State = "a-team", memory.Forgotten })
	for namespace, want := range map[string]memory.Counts{
		Namespace: {
			ByZone:  map[memory.Zone]int64{memory.Quarantine: 2, memory.Working: 1},
			ByState: map[memory.State]int64{memory.PendingReview: 2, memory.Disputed: 1}, PendingReview: 2, Items: 2,
		},
		"": {
			ByZone:  map[memory.Zone]int64{memory.Quarantine: 2, memory.Working: 2},
			ByState: map[memory.State]int64{memory.PendingReview: 2, memory.Disputed: 1, memory.Active: 1}, PendingReview: 2, Items: 2,
		},
		"a-team": {ByZone: map[memory.Zone]int64{}, ByState: map[memory.State]int64{}},
	} {
		want.ByKeyID = map[string]int64{}
		got, err := s.Counts(t.Context(), namespace)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("namespace %q (-want +got):\n%s error %v", namespace, diff, err)
		}
		if namespace == "" {
			continue
		}
		if items, err := s.Items(t.Context(), namespace); err != nil || items != want.Items {
			t.Errorf("namespace %q: %d items, want %d, error %v", namespace, items, want.Items, err)
		}
	}
	names, err := s.Namespaces(t.Context())
	if diff := cmp.Diff([]string{"a-team", Namespace, "team-b"}, names); err != nil || diff != "" {
		t.Errorf("namespaces (-want +got):\n%s error %v", diff, err)
	}
}

func testWaiting(t *testing.T, target Target) {
	s := target.Open(t)
	wait := func(content string, edit func(*memory.Record)) memory.Record {
		return mustCreate(t, s, content, func(r *memory.Record) {
			r.Zone, r.State, r.Class = memory.Quarantine, memory.PendingReview, provenance.ToolOutput
			if edit != nil {
				edit(r)
			}
		})
	}
	never := wait("never expires", nil)
	late := wait("late", func(r *memory.Record) { r.Expiry = Epoch.Add(2 * time.Hour) })
	soon := wait("soon", func(r *memory.Record) { r.Expiry = Epoch.Add(time.Hour) })
	wait("folded", func(r *memory.Record) { r.FoldedInto = soon.ID })
	wait("of another class", func(r *memory.Record) { r.Class = provenance.WebContent })
	wait("elsewhere", func(r *memory.Record) { r.Namespace = "team-b" })
	console := wait("by a channel", func(r *memory.Record) { r.Writer = memory.Writer{Channel: "console", Principal: "alice"} })
	wait("by a channel without a principal", func(r *memory.Record) { r.Writer = memory.Writer{Channel: "console"} })
	decided := wait("decided", nil)
	mustCommit(t, s, change(memory.ChangeReview, decided, func(r *memory.Record) { r.State = memory.Rejected }))

	item := func(r memory.Record) memory.WaitingItem {
		return memory.WaitingItem{ID: r.ID, Sketch: memory.Sketch(r.Content), Expiry: r.Expiry}
	}
	for name, tc := range map[string]struct {
		waiting memory.Waiting
		want    []memory.WaitingItem
	}{
		"own port":  {memory.Waiting{Namespace: Namespace, Class: provenance.ToolOutput}, []memory.WaitingItem{item(soon), item(late), item(never)}},
		"principal": {memory.Waiting{Namespace: Namespace, Principal: "alice", Class: provenance.ToolOutput}, []memory.WaitingItem{item(console)}},
		"nothing":   {memory.Waiting{Namespace: Namespace, Principal: "bob", Class: provenance.ToolOutput}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := s.Waiting(t.Context(), tc.waiting)
			if diff := cmp.Diff(tc.want, got); err != nil || diff != "" {
				t.Errorf("(-want +got):\n%s error %v", diff, err)
			}
		})
	}
}
