// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"memorytrust.dev/operator/internal/memory"
)

func testSearchWords(t *testing.T, target Target) {
	s := target.Open(t)
	for _, content := range []string{
		"The user prefers Café Müller on Fridays", "日本語の好みはお茶です", "用户喜欢喝绿茶", "사용자는 커피를 좋아합니다", "ผู้ใช้ชอบชาเย็น",
		"Пользователь любит оливки и ёлки", "fullwidth ＡＢＣ",
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
		"绿茶":                     "用户喜欢喝绿茶",
		"喝":                      "用户喜欢喝绿茶",
		"커피":                     "사용자는 커피를 좋아합니다",
		"커피가":                    "사용자는 커피를 좋아합니다",
		"елки":                   "Пользователь любит оливки и ёлки",
		"ชาเย็น":                 "ผู้ใช้ชอบชาเย็น",
		"ชา":                     "ผู้ใช้ชอบชาเย็น",
		"ОЛИВКИ":                 "Пользователь любит оливки и ёлки",
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
	mustCreate(t, s, strings.Repeat("capers ", 50), nil)
	stuffed := mustSearch(t, s, memory.Query{Text: "capers", Limit: 5})
	if len(stuffed) != 2 || stuffed[0].Record.Content[0] == 'o' && stuffed[0].Relevance < stuffed[1].Relevance {
		t.Errorf("found %q", contents(stuffed, ofCandidate))
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
	mustCreate(t, s, "pinned", func(r *memory.Record) { r.Pinned = true })
	for i := range 4 {
		mustCreate(t, s, fmt.Sprint("m", i), nil)
	}
	mustCreate(t, s, "quarantined", func(r *memory.Record) { r.Zone = memory.Quarantine })
	mustCreate(t, s, "elsewhere", func(r *memory.Record) { r.Namespace = "team-b" })
	found := mustSearch(t, s, memory.Query{Text: " ", Zones: []memory.Zone{memory.Working}, Limit: 3})
	if diff := cmp.Diff([]string{"pinned", "m3", "m2"}, contents(found, ofCandidate)); diff != "" {
		t.Errorf("pinned first, then newest (-want +got):\n%s", diff)
	}
	for _, c := range found {
		if c.Relevance != 1 {
			t.Errorf("relevance %v, want 1", c.Relevance)
		}
	}
}

// A search with filters finds what a listing with the same filters holds, in every script.
func testSearchFilters(t *testing.T, target Target) {
	s := target.Open(t)
	texts := map[string]string{
		"English": "olives", "Chinese": "绿茶", "Japanese": "お茶", "Korean": "커피", "Thai": "ชาเย็น", "Russian": "оливки",
	}
	for _, text := range texts {
		for _, r := range filterRecords(text) {
			mustCommit(t, s, Create(r))
		}
	}
	for name, filter := range recordFilters() {
		for script, text := range texts {
			t.Run(name+"/"+script, func(t *testing.T) {
				listed, err := s.List(t.Context(), filter)
				if err != nil {
					t.Fatal(err)
				}
				var want []string
				for _, r := range listed {
					if strings.Contains(r.Content, text) {
						want = append(want, r.Content)
					}
				}
				got := contents(mustSearch(t, s, memory.Query{
					Namespace: filter.Namespace, Text: text, Zones: filter.Zones, Kinds: filter.Kinds, Tags: filter.Tags,
					Since: filter.Since, Until: filter.Until,
				}), ofCandidate)
				slices.Sort(want)
				slices.Sort(got)
				if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("(-listed +found):\n%s", diff)
				}
			})
		}
	}
}

func testRecallCounts(t *testing.T, target Target) {
	s := target.Open(t)
	often := mustCreate(t, s, "olives often", nil)
	mustCreate(t, s, "olives never", nil)
	for i := range 3 {
		err := s.LogDeliveries(t.Context(), []memory.Delivery{{
			Namespace: Namespace, Session: "s", RecordID: often.ID, Seq: often.Seq, Class: often.Class, At: Epoch.Add(time.Duration(-i) * time.Hour),
		}}, nil)
		if err != nil {
			t.Fatal(err)
		}
	}
	s = target.Reopen(t, s)
	for _, text := range []string{"olives", ""} {
		for _, c := range mustSearch(t, s, memory.Query{Text: text}) {
			recalls, last := int64(0), time.Time{}
			if c.Record.ID == often.ID {
				recalls, last = 3, Epoch
			}
			if c.Recalls != recalls || !c.LastRecalled.Equal(last) {
				t.Errorf("search %q: %q was recalled %d times, last at %v", text, c.Record.Content, c.Recalls, c.LastRecalled)
			}
		}
	}
}
