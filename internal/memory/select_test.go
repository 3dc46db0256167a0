// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memory

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memorytrust.dev/operator/internal/provenance"
)

// ranked makes records in the order of their ids, best first.
func ranked(records ...Record) []Ranked {
	out := make([]Ranked, 0, len(records))
	for i, r := range records {
		out = append(out, Ranked{Candidate: Candidate{Record: r}, Score: 1 - float64(i)/100})
	}
	return out
}

func web(id, content string) Record {
	return Record{ID: id, Zone: Working, Class: provenance.WebContent, Content: content}
}

func trustedRecord(id, content string) Record {
	return Record{ID: id, Zone: Trusted, Class: provenance.Manual, Content: content}
}

// distinct is n texts that have nothing to do with each other.
func distinct(n int) []string {
	rnd := rand.New(rand.NewPCG(5, 6))
	out := make([]string, n)
	for i := range out {
		b := make([]byte, 60)
		for j := range b {
			b[j] = byte('a' + rnd.IntN(26))
		}
		out[i] = string(b)
	}
	return out
}

func TestSelect(t *testing.T) {
	text := distinct(8)
	long := strings.Repeat("a word ", 100)
	same := "The refund limit for customers of the premium plan is five hundred euros a month."
	for name, tc := range map[string]struct {
		ranked []Ranked
		roots  map[string][]string
		limits Limits
		want   string
		left   map[string]Left
	}{
		"best first": {
			ranked: ranked(web("a", text[0]), web("b", text[1]), web("c", text[2])), limits: Limits{Results: 2},
			want: "a b", left: map[string]Left{"c": LeftRank},
		},
		"no results asked for": {
			ranked: ranked(web("a", text[0])), limits: Limits{}, want: "", left: map[string]Left{"a": LeftRank},
		},
		"two of a root": {
			ranked: ranked(web("a", text[0]), web("b", text[1]), web("c", text[2]), web("d", text[3])), limits: Limits{Results: 4},
			roots: map[string][]string{"a": {"r"}, "b": {"q", "r"}, "c": {"r"}, "d": {"q"}},
			want:  "a b d", left: map[string]Left{"c": LeftRoot},
		},
		"one of a root": {
			ranked: ranked(web("a", text[0]), web("b", text[1]), web("r", text[2])), limits: Limits{Results: 3, PerRoot: 1},
			roots: map[string][]string{"a": {"r"}, "b": {"s"}},
			want:  "a b", left: map[string]Left{"r": LeftRoot},
		},
		"near-duplicates": {
			ranked: ranked(web("a", same), web("b", same+"!"), web("c", "Note: "+same), web("d", text[3])), limits: Limits{Results: 4},
			want: "a b d", left: map[string]Left{"c": LeftRoot},
		},
		"near-duplicates of a high class stand for themselves": {
			ranked: ranked(web("a", same), web("b", same+"!"), trustedRecord("c", "Note: "+same)), limits: Limits{Results: 4},
			want: "a b c", left: map[string]Left{},
		},
		"derived ones do not crowd out their origin": {
			ranked: ranked(web("a", text[0]), web("b", text[1]), trustedRecord("r", text[2])), limits: Limits{Results: 3},
			roots: map[string][]string{"a": {"r"}, "b": {"r"}, "r": {"r"}},
			want:  "a b r", left: map[string]Left{},
		},
		"a high class crowds itself": {
			ranked: ranked(trustedRecord("a", text[0]), trustedRecord("b", text[1]), trustedRecord("c", text[2])), limits: Limits{Results: 3},
			roots: map[string][]string{"a": {"r"}, "b": {"r"}, "c": {"r"}},
			want:  "a b", left: map[string]Left{"c": LeftRoot},
		},
		"reserved": {
			ranked: ranked(web("a", text[0]), web("b", text[1]), web("c", text[2]), trustedRecord("t", text[3]), trustedRecord("u", text[4])),
			limits: Limits{Results: 3, Reserved: 1},
			want:   "a b t", left: map[string]Left{"c": LeftRank, "u": LeftRank},
		},
		"reserved, and none there": {
			ranked: ranked(web("a", text[0]), web("b", text[1])), limits: Limits{Results: 2, Reserved: 1}, want: "a b", left: map[string]Left{},
		},
		"more reserved than there is room": {
			ranked: ranked(web("a", text[0]), trustedRecord("t", text[1]), trustedRecord("u", text[2])), limits: Limits{Results: 1, Reserved: 5},
			want: "t", left: map[string]Left{"a": LeftRank, "u": LeftRank},
		},
		"budget skips what does not fit": {
			ranked: ranked(web("a", "short text"), web("b", long), web("c", "another one")), limits: Limits{Results: 3, Tokens: 20},
			want: "a c", left: map[string]Left{"b": LeftBudget},
		},
		"not even the first": {
			ranked: ranked(web("a", long)), limits: Limits{Results: 3, Tokens: 20}, want: "", left: map[string]Left{"a": LeftBudget},
		},
		"reserved ones have to fit too": {
			ranked: ranked(web("a", "short text"), trustedRecord("t", long)), limits: Limits{Results: 3, Tokens: 20, Reserved: 1},
			want: "a", left: map[string]Left{"t": LeftBudget},
		},
	} {
		t.Run(name, func(t *testing.T) {
			picked, left := Select(tc.ranked, tc.roots, tc.limits)
			var ids []string
			for _, p := range picked {
				ids = append(ids, p.Record.ID)
			}
			if got := strings.Join(ids, " "); got != tc.want {
				t.Errorf("picked %q, want %q", got, tc.want)
			}
			if diff := cmp.Diff(tc.left, left); diff != "" {
				t.Errorf("left (-want +got):\n%s", diff)
			}
		})
	}
}

// Whatever there is to choose from: nothing is lost or doubled, the order stays, and the limits hold.
func TestSelectKeepsItsLimits(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	texts := distinct(12)
	for range 300 {
		var records []Record
		roots := map[string][]string{}
		for i := range rnd.IntN(40) {
			r := web(fmt.Sprintf("%03d", i), texts[rnd.IntN(len(texts))])
			if rnd.IntN(3) == 0 {
				r = trustedRecord(r.ID, r.Content)
			}
			for range rnd.IntN(3) {
				roots[r.ID] = append(roots[r.ID], fmt.Sprint("root", rnd.IntN(6)))
			}
			records = append(records, r)
		}
		l := Limits{Results: rnd.IntN(12), PerRoot: rnd.IntN(4), Reserved: rnd.IntN(4), Tokens: rnd.IntN(3) * 100}
		picked, left := Select(ranked(records...), maps.Clone(roots), l)
		checkSelection(t, records, picked, left, roots, l)
	}
}

func checkSelection(t *testing.T, records []Record, picked []Ranked, left map[string]Left, roots map[string][]string, l Limits) {
	t.Helper()
	tokens, low, texts := 0, map[string]int{}, map[string]int{}
	for i, p := range picked {
		tokens += Tokens(p.Record.Content)
		if i > 0 && picked[i-1].Score < p.Score {
			t.Error("not in order")
		}
		if _, also := left[p.Record.ID]; also {
			t.Error("picked and left")
		}
		if p.Record.Class.High() {
			continue
		}
		texts[p.Record.Content]++
		for _, root := range sortedSet(roots[p.Record.ID]) {
			low[root]++
		}
	}
	perRoot := l.PerRoot
	if perRoot == 0 {
		perRoot = ResultsPerRoot
	}
	for what, counts := range map[string]map[string]int{"root": low, "text": texts} {
		for key, n := range counts {
			if n > perRoot {
				t.Errorf("%d results of one %s %s, want %d at most", n, what, key, perRoot)
			}
		}
	}
	if len(picked) > l.Results || l.Tokens > 0 && tokens > l.Tokens || len(picked)+len(left) != len(records) {
		t.Errorf("%d picked of %d with %d tokens, %d left: limits %+v", len(picked), len(records), tokens, len(left), l)
	}
}

func TestReservedFor(t *testing.T) {
	for results, want := range map[int]int{-1: 0, 0: 0, 1: 0, 2: 1, 4: 1, 7: 1, 8: 2, 20: 5, 200: 50} {
		if got := ReservedFor(results); got != want {
			t.Errorf("%d: %d, want %d", results, got, want)
		}
	}
}
