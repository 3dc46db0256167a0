// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package overlap

import (
	"slices"
	"strings"
	"testing"

	"memorytrust.dev/operator/internal/memory"
)

func TestWhole(t *testing.T) {
	for name, tt := range map[string]struct {
		a, b string
		same bool
	}{
		"itself":              {"The user likes tea.", "The user likes tea.", true},
		"case and signs":      {"The user likes tea.", "the user: LIKES téa", true},
		"invisible":           {"The user likes tea.", "The us\u200ber likes tea", true},
		"another word":        {"The user likes tea.", "The user likes coffee.", false},
		"another order":       {"The user likes tea.", "Tea likes the user.", false},
		"a part":              {"The user likes tea.", "The user likes tea and cake.", false},
		"Chinese":             {"用户喜欢喝绿茶", "用户喜欢喝绿茶。", true},
		"something of a name": {"Anna Maria Schmidt", "anna maria schmidt", true},
	} {
		a, okA := Whole(tt.a)
		b, okB := Whole(tt.b)
		if !okA || !okB || (a == b) != tt.same {
			t.Errorf("%s: %x %v and %x %v, want the same: %v", name, a, okA, b, okB, tt.same)
		}
	}
	for _, short := range []string{"", "yes", "Anna Schmidt", "person", "!?", "茶", "2026-10-12"} {
		if _, ok := Whole(short); ok {
			t.Errorf("%q counts as a text", short)
		}
	}
}

// Two short texts that say the same are one, however little of them Of keeps, and two that do not are not.
func TestWholeIsWeighed(t *testing.T) {
	weigh := func(a, b string) bool {
		own, of := WithWhole(a), WithWhole(b)
		m := memory.TraceMatch{Features: len(of)}
		for _, f := range own {
			if slices.Contains(of, f) {
				m.Shared = append(m.Shared, f)
			}
		}
		return Weigh(own, m)
	}
	if !weigh("User likes tea", "user likes tea!") {
		t.Error("an echo is not recognized")
	}
	if weigh("User likes tea", "User likes rain") {
		t.Error("another text is taken for an echo")
	}
	long := strings.Repeat("The quick brown fox number jumps over lazy dogs near rivers. ", 400)
	if got := WithWhole(long); len(got) > memory.MaxFeatures || !slices.IsSorted(got) {
		t.Errorf("%d features, sorted %v", len(got), slices.IsSorted(got))
	}
	if got := WithWhole("User likes tea"); !slices.IsSorted(got) || len(got) != len(Of("User likes tea"))+1 {
		t.Errorf("features %x", got)
	}
}
