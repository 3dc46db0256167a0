// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

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

// filterRecords are records that differ in what filters look at. Their contents start with text.
func filterRecords(text string) []memory.Record {
	records := make([]memory.Record, 0, 9)
	for name, edit := range map[string]func(*memory.Record){
		"plain":       func(*memory.Record) {},
		"trusted":     func(r *memory.Record) { r.Zone, r.Class = memory.Trusted, provenance.Manual },
		"quarantined": func(r *memory.Record) { r.Zone, r.State = memory.Quarantine, memory.PendingReview },
		"rejected":    func(r *memory.Record) { r.Zone, r.State = memory.Quarantine, memory.Rejected },
		"elsewhere":   func(r *memory.Record) { r.Namespace = "team-b" },
		"fact":        func(r *memory.Record) { r.Kind, r.Tags = "fact", []string{"food"} },
		"rule":        func(r *memory.Record) { r.Kind, r.Tags = "rule", []string{"food", "家 \"home\""} },
		"old":         func(r *memory.Record) { r.CreatedAt = Epoch.Add(-24 * time.Hour) },
		"of Alice":    func(r *memory.Record) { r.Subject, r.Tags = "Alice", []string{"foo"} },
	} {
		r := NewRecord(text + " " + name)
		edit(&r)
		records = append(records, r)
	}
	return records
}

// recordFilters are filters that a search can have as well.
func recordFilters() map[string]memory.Filter {
	filters := map[string]memory.Filter{
		"live":                {},
		"zone":                {Zones: []memory.Zone{memory.Quarantine}},
		"trusted alone":       {Zones: []memory.Zone{memory.Trusted}},
		"working alone":       {Zones: []memory.Zone{memory.Working}},
		"two zones":           {Zones: []memory.Zone{memory.Working, memory.Trusted}},
		"a kind":              {Kinds: []string{"fact"}},
		"kinds":               {Kinds: []string{"fact", "rule"}},
		"no kind":             {Kinds: []string{""}},
		"a tag":               {Tags: []string{"food"}},
		"all tags":            {Tags: []string{"food", "家 \"home\""}},
		"part of a tag":       {Tags: []string{"home"}},
		"since":               {Since: Epoch},
		"until":               {Until: Epoch},
		"a time with nothing": {Since: Epoch.Add(time.Hour), Until: Epoch.Add(2 * time.Hour)},
		"kind and zone":       {Kinds: []string{"fact"}, Zones: []memory.Zone{memory.Trusted}},
	}
	for name, f := range filters {
		f.Namespace, f.Limit = Namespace, 1000
		filters[name] = f
	}
	filters["another namespace"] = memory.Filter{Namespace: "team-b", Limit: 1000}
	filters["unknown namespace"] = memory.Filter{Namespace: "team-c", Limit: 1000}
	return filters
}

func testFilters(t *testing.T, target Target) {
	s := target.Open(t)
	ids := map[string]string{}
	for _, r := range filterRecords("r") {
		ids[r.Content] = mustCommit(t, s, Create(r)).ID
	}
	folded := mustCreate(t, s, "r folded", func(r *memory.Record) { r.FoldedInto = ids["r plain"] })
	filters := recordFilters()
	for name, f := range map[string]memory.Filter{
		"every one":      {Namespace: "", IncludeForgotten: true},
		"class":          {Class: provenance.Manual},
		"state":          {States: []memory.State{memory.PendingReview}},
		"rejected":       {States: []memory.State{memory.Rejected}, IncludeForgotten: true},
		"not rejected":   {States: []memory.State{memory.Rejected}},
		"subject":        {Subject: "Alice"},
		"subject's part": {Subject: "Ali"},
		"items":          {Items: true, Zones: []memory.Zone{memory.Working, memory.Trusted}, Kinds: []string{""}, Since: Epoch},
		"folded":         {FoldedInto: ids["r plain"]},
		"ids":            {IDs: []string{ids["r fact"], folded.ID, memory.NewID()}},
	} {
		f.Limit = 1000
		filters[name] = f
	}
	for name, want := range map[string]string{
		"live":                "fact, folded, of Alice, old, plain, quarantined, rule, trusted",
		"zone":                "quarantined",
		"trusted alone":       "trusted",
		"working alone":       "fact, folded, of Alice, old, plain, rule",
		"two zones":           "fact, folded, of Alice, old, plain, rule, trusted",
		"a kind":              "fact",
		"kinds":               "fact, rule",
		"no kind":             "folded, of Alice, old, plain, quarantined, trusted",
		"a tag":               "fact, rule",
		"all tags":            "rule",
		"part of a tag":       "",
		"since":               "fact, folded, of Alice, plain, quarantined, rule, trusted",
		"until":               "old",
		"a time with nothing": "",
		"kind and zone":       "",
		"another namespace":   "elsewhere",
		"unknown namespace":   "",
		"every one":           "elsewhere, fact, folded, of Alice, old, plain, quarantined, rejected, rule, trusted",
		"class":               "trusted",
		"state":               "quarantined",
		"rejected":            "rejected",
		"not rejected":        "",
		"subject":             "of Alice",
		"subject's part":      "",
		"items":               "elsewhere, of Alice, plain, trusted",
		"folded":              "folded",
		"ids":                 "fact, folded",
	} {
		t.Run(name, func(t *testing.T) {
			found, err := s.List(t.Context(), filters[name])
			got := contents(found, ofRecord)
			slices.Sort(got)
			for i := range got {
				got[i] = strings.TrimPrefix(got[i], "r ")
			}
			if got := strings.Join(got, ", "); err != nil || got != want {
				t.Errorf("got %q, want %q, error %v", got, want, err)
			}
		})
	}
}

// A listing by change continues where the last one ended, whatever was written in between.
func testChangedAfter(t *testing.T, target Target) {
	s := target.Open(t)
	first := mustCreate(t, s, "first", nil)
	mustCreate(t, s, "second", nil)
	third := mustCreate(t, s, "third", nil)
	mustCommit(t, s, change(memory.ChangeUpdate, first, func(r *memory.Record) { r.Content = "first again" }))
	for after, want := range map[uint64][]string{
		1: {"second", "third", "first again"}, third.Seq: {"first again"}, 4: {},
	} {
		got, err := s.List(t.Context(), memory.Filter{Namespace: Namespace, ChangedAfter: after, Limit: 10})
		if diff := cmp.Diff(want, contents(got, ofRecord)); err != nil || diff != "" {
			t.Errorf("after %d (-want +got):\n%s error %v", after, diff, err)
		}
	}
}
