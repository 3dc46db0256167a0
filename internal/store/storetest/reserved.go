// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"memorytrust.dev/operator/internal/memory"
)

// Records of reserved kinds are found by their ids and by their kind, and by no search: not by their words, not as the newest,
// not once they changed, and not where so many of them match that memories would have no place beside them.
func testReservedKinds(t *testing.T, target Target) {
	s := target.Open(t)
	system := func(r *memory.Record) { r.Kind = memory.ReservedKinds + "upstream" }
	mine := mustCreate(t, s, "olives of mine", nil)
	var theirs []string
	for i := range 60 {
		theirs = append(theirs, mustCreate(t, s, fmt.Sprintf("olives of theirs %d", i), system).ID)
	}
	first, err := s.Get(t.Context(), Namespace, theirs[0])
	if err != nil {
		t.Fatal(err)
	}
	first.Zone = memory.Trusted
	mustCommit(t, s, memory.Change{Type: memory.ChangeReview, Record: first, Actor: "person/alice", ExpectSeq: first.Seq})
	for what, q := range map[string]memory.Query{
		"words": {Text: "olives"}, "telling words": {Text: "theirs"}, "the newest": {}, "one zone": {Zones: []memory.Zone{memory.Trusted}, Text: "olives"},
		"the kind": {Kinds: []string{memory.ReservedKinds + "upstream"}}, "kind and words": {Kinds: []string{memory.ReservedKinds + "upstream"}, Text: "olives"},
	} {
		q.Limit = 10
		var want []string
		if what == "words" || what == "the newest" {
			want = []string{mine.ID}
		}
		var got []string
		for _, c := range mustSearch(t, s, q) {
			got = append(got, c.Record.ID)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("searching %s (-want +got):\n%s", what, diff)
		}
	}
	for what, tt := range map[string]struct {
		filter memory.Filter
		want   []string
	}{
		"memories":        {memory.Filter{Memories: true}, []string{mine.ID}},
		"the kind":        {memory.Filter{Kinds: []string{memory.ReservedKinds + "upstream"}}, theirs},
		"ids":             {memory.Filter{IDs: []string{theirs[7]}}, theirs[7:8]},
		"ids of memories": {memory.Filter{IDs: []string{theirs[7], mine.ID}, Memories: true}, []string{mine.ID}},
		"all":             {memory.Filter{}, append([]string{mine.ID}, theirs...)},
	} {
		tt.filter.Namespace, tt.filter.Limit = Namespace, 1000
		listed, err := s.List(t.Context(), tt.filter)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range listed {
			got = append(got, r.ID)
		}
		slices.Sort(tt.want)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("listing %s (-want +got):\n%s", what, diff)
		}
	}
}
