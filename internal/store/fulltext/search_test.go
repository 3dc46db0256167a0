// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package fulltext

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/store/words"
)

// texts are an index in memory: what a record holds, by its number, which begins with 1.
type texts struct {
	entries []map[string]bool
	counted int // calls of Count
}

func (x *texts) add(namespace int64, zone memory.Zone, content string) {
	entries := map[string]bool{}
	for _, e := range Entries(Keys(namespace, zone), words.Of(content)) {
		entries[e] = true
	}
	x.entries = append(x.entries, entries)
}

func (x *texts) matches(e Expression, record int) bool {
	for _, group := range e {
		if !slices.ContainsFunc(group, func(word string) bool { return x.entries[record][word] }) {
			return false
		}
	}
	return true
}

func (x *texts) Newest(list []Expression, limit int) ([][]int64, error) {
	out := make([][]int64, len(list))
	for i, e := range list {
		for record := len(x.entries) - 1; record >= 0 && len(out[i]) < limit; record-- {
			if x.matches(e, record) {
				out[i] = append(out[i], int64(record+1))
			}
		}
	}
	return out, nil
}

func (x *texts) Count(list []Expression, limit int) ([]int, error) {
	x.counted++
	out := make([]int, len(list))
	for i, e := range list {
		all, _ := x.Newest([]Expression{e}, limit)
		out[i] = len(all[0])
	}
	return out, nil
}

func TestKeysAndEntries(t *testing.T) {
	for zone, want := range map[memory.Zone]string{
		memory.Working: "7dtea", memory.Trusted: "7dtea 7ttea", memory.Quarantine: "7qtea", "Attic": "7qtea",
	} {
		if got := strings.Join(Entries(Keys(7, zone), []string{"tea"}), " "); got != want {
			t.Errorf("zone %s: entries %q, want %q", zone, got, want)
		}
	}
	if got := Entries("", []string{"tea"}); len(got) != 0 {
		t.Errorf("without a key: %q", got)
	}
	for name, tc := range map[string]struct {
		zones []memory.Zone
		want  []string
	}{
		"all":              {nil, []string{"7d", "7q"}},
		"what agents get":  {[]memory.Zone{memory.Working, memory.Trusted}, []string{"7d"}},
		"trusted alone":    {[]memory.Zone{memory.Trusted}, []string{"7t"}},
		"quarantine alone": {[]memory.Zone{memory.Quarantine}, []string{"7q"}},
		"odd company":      {[]memory.Zone{memory.Trusted, memory.Quarantine}, []string{"7t", "7q"}},
	} {
		if diff := cmp.Diff(tc.want, searchKeys(7, tc.zones)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Which records are worth looking at depends on what the words of the question tell.
func TestRun(t *testing.T) {
	x := &texts{}
	const all = 10 * TellingRecords
	for i := range all {
		content := "filler " + fmt.Sprint(i)
		switch {
		case i == 3:
			content += " favorite color blue"
		case i%9 == 0:
			content += " favorite"
		case i%9 == 4:
			content += " color"
		}
		x.add(1, memory.Working, content)
	}
	x.add(2, memory.Working, "elsewhere filler favorite color blue")
	x.add(1, memory.Quarantine, "held filler favorite color blue")
	for name, tc := range map[string]struct {
		text     string
		best     int64 // 0: any
		matches  int   // how many
		partial  bool
		atScores int // different scores
	}{
		"nothing":                   {"zebra", 0, 0, false, 0},
		"a telling word":            {"blue", 4, 1, false, 1},
		"telling beside frequent":   {"favorite blue", 4, 1, true, 1},
		"telling beside filler":     {"filler blue", 4, 1, true, 1},
		"two frequent words":        {"favorite color", 4, 2*(TellingRecords+1) + 1, true, 3},
		"filler alone":              {"filler", all, walkRecords, true, 1},
		"a word of another zone":    {"held", 0, 0, false, 0},
		"a word of another tenant":  {"elsewhere", 0, 0, false, 0},
		"what keys are made of":     {"1dblue", 0, 0, false, 0},
		"no word":                   {"?!", 0, 0, false, 0},
		"more words than are asked": {strings.Repeat("zebra yak ", 40) + "blue", 4, 1, false, 1},
	} {
		var frequencies Frequencies
		for _, known := range []bool{false, true} {
			x.counted = 0
			found, err := Search{
				Index: x, Frequencies: &frequencies, Namespace: 1, Zones: []memory.Zone{memory.Working, memory.Trusted}, Size: all, Text: tc.text,
			}.Run()
			if err != nil || len(found.Matches) != tc.matches || found.Partial != tc.partial {
				t.Errorf("%s: %d matches, partial %v, error %v; want %d, %v", name, len(found.Matches), found.Partial, err, tc.matches, tc.partial)
			}
			if tc.best > 0 && (len(found.Matches) == 0 || found.Matches[0].Record != tc.best) {
				t.Errorf("%s: the best is not record %d", name, tc.best)
			}
			scores := map[float64]bool{}
			for _, m := range found.Matches {
				scores[m.Score] = true
			}
			if len(scores) != tc.atScores {
				t.Errorf("%s: %d different scores, want %d", name, len(scores), tc.atScores)
			}
			if known && x.counted > 0 {
				t.Errorf("%s: counts again what it knows", name)
			}
		}
	}
}

// Load reads no more than it needs, and a short text comes before a long one that matches as well.
func TestLoad(t *testing.T) {
	var matches []Match
	for i := range 100 {
		matches = append(matches, Match{Record: int64(i), Score: 1})
	}
	read := 0
	got, err := Load(matches, 10, func(chunk []Match) ([]Loaded, error) {
		var out []Loaded
		for _, m := range chunk {
			read++
			if m.Record%2 == 0 { // a filter lets every other one through
				terms := 60
				if m.Record == 8 {
					terms = 5
				}
				out = append(out, Loaded{Match: m, Terms: terms, Candidate: memory.Candidate{Record: memory.Record{ID: fmt.Sprint(m.Record)}}})
			}
		}
		return out, nil
	})
	if err != nil || len(got) != 10 || read >= 50 {
		t.Fatalf("%d candidates after reading %d, error %v", len(got), read, err)
	}
	if got[0].Record.ID != "8" || got[0].Relevance != 1 || got[1].Relevance >= 1 || got[1].Record.ID != "0" {
		t.Errorf("first %s at %v, then %s at %v", got[0].Record.ID, got[0].Relevance, got[1].Record.ID, got[1].Relevance)
	}
	if none, err := LoadInOrder(nil, 10, nil); err != nil || none != nil {
		t.Errorf("of nothing: %v, error %v", none, err)
	}
}
