// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

func testPaging(t *testing.T, target Target) {
	s := target.Open(t)
	var want []string
	for i := range 25 {
		want = append(want, mustCreate(t, s, fmt.Sprint("m", i), nil).ID)
	}
	var got []string
	after := ""
	for range 10 {
		page, err := s.List(t.Context(), memory.Filter{Namespace: Namespace, After: after, Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		for _, r := range page {
			got = append(got, r.ID)
		}
		after = page[len(page)-1].ID
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
	for _, limit := range []int{0, -1, memory.MaxPageSize + 1} {
		var field *memory.FieldError
		if _, err := s.List(t.Context(), memory.Filter{Limit: limit}); !errors.As(err, &field) {
			t.Errorf("List with limit %d: %v, want a FieldError", limit, err)
		}
		if _, err := s.Search(t.Context(), memory.Query{Namespace: Namespace, Limit: limit}); !errors.As(err, &field) {
			t.Errorf("Search with limit %d: %v, want a FieldError", limit, err)
		}
	}
}

func testFilters(t *testing.T, target Target) {
	s := target.Open(t)
	mustCreate(t, s, "working", nil)
	mustCreate(t, s, "trusted", func(r *memory.Record) { r.Zone, r.Class = memory.Trusted, provenance.Manual })
	mustCreate(t, s, "quarantined", func(r *memory.Record) { r.Zone, r.State = memory.Quarantine, memory.PendingReview })
	mustCreate(t, s, "rejected", func(r *memory.Record) { r.Zone, r.State = memory.Quarantine, memory.Rejected })
	mustCreate(t, s, "elsewhere", func(r *memory.Record) { r.Namespace = "team-b" })

	for name, tc := range map[string]struct {
		filter memory.Filter
		want   []string
	}{
		"live":           {memory.Filter{Namespace: Namespace}, []string{"working", "trusted", "quarantined"}},
		"every one":      {memory.Filter{IncludeForgotten: true}, []string{"working", "trusted", "quarantined", "rejected", "elsewhere"}},
		"zone":           {memory.Filter{Namespace: Namespace, Zones: []memory.Zone{memory.Quarantine}}, []string{"quarantined"}},
		"two zones":      {memory.Filter{Namespace: Namespace, Zones: []memory.Zone{memory.Working, memory.Trusted}}, []string{"working", "trusted"}},
		"class":          {memory.Filter{Namespace: Namespace, Class: provenance.Manual}, []string{"trusted"}},
		"state":          {memory.Filter{Namespace: Namespace, States: []memory.State{memory.PendingReview}}, []string{"quarantined"}},
		"rejected":       {memory.Filter{States: []memory.State{memory.Rejected}, IncludeForgotten: true}, []string{"rejected"}},
		"nothing":        {memory.Filter{Namespace: "team-c"}, []string{}},
		"zone and class": {memory.Filter{Namespace: Namespace, Zones: []memory.Zone{memory.Working}, Class: provenance.Manual}, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			tc.filter.Limit = 100
			got, err := s.List(t.Context(), tc.filter)
			if diff := cmp.Diff(tc.want, contents(got, ofRecord)); err != nil || diff != "" {
				t.Errorf("(-want +got):\n%s error %v", diff, err)
			}
		})
	}
}

func testSearchWords(t *testing.T, target Target) {
	s := target.Open(t)
	for _, content := range []string{
		"The user prefers Café Müller on Fridays", "日本語の好みはお茶です", "ผู้ใช้ชอบชาเย็น", "Пользователь любит оливки", "fullwidth ＡＢＣ",
	} {
		mustCreate(t, s, content, nil)
	}
	mustCreate(t, s, "quarantined olives", func(r *memory.Record) { r.Zone, r.State = memory.Quarantine, memory.PendingReview })
	delivered := []memory.Zone{memory.Working, memory.Trusted}
	for text, want := range map[string]string{
		"fridays":                "The user prefers Café Müller on Fridays",
		"cafe":                   "The user prefers Café Müller on Fridays",
		"what about MULLER?":     "The user prefers Café Müller on Fridays",
		"お茶":                     "日本語の好みはお茶です",
		"本語の":                    "日本語の好みはお茶です",
		"ชาเย็น":                 "ผู้ใช้ชอบชาเย็น",
		"ОЛИВКИ":                 "Пользователь любит оливки",
		"abc":                    "fullwidth ＡＢＣ",
		"olives":                 "",
		"茶語":                     "",
		"zebra":                  "",
		"?!":                     "",
		strings.Repeat("ab", 90): "",
	} {
		found := mustSearch(t, s, memory.Query{Text: text, Zones: delivered})
		if got := strings.Join(contents(found, ofCandidate), "|"); got != want {
			t.Errorf("search %.20q found %q, want %q", text, got, want)
		}
	}
}

func testSearchRanks(t *testing.T, target Target) {
	s := target.Open(t)
	for i := range 20 {
		mustCreate(t, s, fmt.Sprintf("the user noted item %d in a list of the usual things", i), nil)
	}
	mustCreate(t, s, "olives, olives and capers", nil)
	mustCreate(t, s, "a long text about many a thing of the kitchen that also mentions olives once, among so much else", nil)
	found := mustSearch(t, s, memory.Query{Text: "olives capers", Limit: 5})
	if len(found) != 2 || !strings.HasPrefix(found[0].Record.Content, "olives") {
		t.Fatalf("found %q", contents(found, ofCandidate))
	}
	if found[0].Relevance != 1 || found[1].Relevance <= 0 || found[1].Relevance >= 1 {
		t.Errorf("relevance %v and %v, want 1 and something between 0 and 1", found[0].Relevance, found[1].Relevance)
	}
	if found := mustSearch(t, s, memory.Query{Text: "user noted item", Limit: 7}); len(found) != 7 {
		t.Errorf("limit 7 gave %d", len(found))
	}
	first := contents(mustSearch(t, s, memory.Query{Text: "usual things", Limit: 20}), ofCandidate)
	second := contents(mustSearch(t, s, memory.Query{Text: "usual things", Limit: 20}), ofCandidate)
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("order changes from one search to the next:\n%s", diff)
	}
}

func testSearchFollowsEdits(t *testing.T, target Target) {
	s := target.Open(t)
	r := mustCreate(t, s, "likes olives", nil)
	r = mustCommit(t, s, change(memory.ChangeUpdate, r, func(r *memory.Record) { r.Content = "likes capers" }))
	if found := mustSearch(t, s, memory.Query{Text: "olives"}); len(found) != 0 {
		t.Errorf("old text still found: %q", contents(found, ofCandidate))
	}
	if found := mustSearch(t, s, memory.Query{Text: "capers"}); len(found) != 1 || found[0].Record.Seq != r.Seq {
		t.Errorf("new text: found %d", len(found))
	}
	r = mustCommit(t, s, change(memory.ChangeDelete, r, func(r *memory.Record) { r.State = memory.Forgotten }))
	mustCommit(t, s, change(memory.ChangeUpdate, r, func(r *memory.Record) { r.State = memory.Active }))
	if found := mustSearch(t, s, memory.Query{Text: "capers"}); len(found) != 1 {
		t.Errorf("after coming back: found %d", len(found))
	}
}

func testSearchAnyText(t *testing.T, target Target) {
	s := target.Open(t)
	mustCreate(t, s, "olives", nil)
	for _, text := range []string{
		`"`, `""`, `'; --`, "olives AND", "NEAR(", "olives*", "body:olives", "^olives", "-olives", "{a b}", "a + b", "\x00", "\xff\xfe",
		strings.Repeat("w ", 10_000), strings.Repeat("語", 5_000), "\u0301", "OR OR OR", "(((((",
	} {
		mustSearch(t, s, memory.Query{Text: text})
	}
	for _, text := range []string{"olives AND", "NOT olives", "olives*", "body:olives", `"olives`} {
		if found := mustSearch(t, s, memory.Query{Text: text}); len(found) != 1 {
			t.Errorf("search %q found %d, want the word to count and the rest to be plain text", text, len(found))
		}
	}
}

func testSearchRecent(t *testing.T, target Target) {
	s := target.Open(t)
	for i := range 4 {
		mustCreate(t, s, fmt.Sprint("m", i), nil)
	}
	mustCreate(t, s, "quarantined", func(r *memory.Record) { r.Zone = memory.Quarantine })
	found := mustSearch(t, s, memory.Query{Text: " ", Zones: []memory.Zone{memory.Working}, Limit: 3})
	if diff := cmp.Diff([]string{"m3", "m2", "m1"}, contents(found, ofCandidate)); diff != "" {
		t.Errorf("newest first (-want +got):\n%s", diff)
	}
	for _, c := range found {
		if c.Relevance != 1 {
			t.Errorf("relevance %v, want 1", c.Relevance)
		}
	}
}

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
		ByKeyID:       map[string]int64{"1": 2, "2": 1},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("(-want +got):\n%s error %v", diff, err)
	}
}
