// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memory

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

func TestCutFragments(t *testing.T) {
	at := func(n int) time.Time { return time.Unix(int64(n), 0) }
	var flood []EntityFragment
	for i := range MaxEntityFragments + 25 {
		flood = append(flood, EntityFragment{Root: fmt.Sprint("root", i), Signals: 0x01, At: at(i + 10)})
	}
	for name, tc := range map[string]struct {
		list []EntityFragment
		stay []int // places that must stay
		left int
	}{
		"few":                 {flood[:10], nil, 10},
		"many roots":          {flood, nil, MaxEntityFragments},
		"the one that waives": {append([]EntityFragment{{Root: "old", Signals: 0x20, At: at(0)}}, flood...), []int{0}, MaxEntityFragments},
		"one that says something else": {
			append([]EntityFragment{{Root: "old", Signals: 0x40, At: at(0)}}, flood...), []int{0}, MaxEntityFragments},
		"the newest of what many say": {flood, []int{len(flood) - 1}, MaxEntityFragments},
		"waiving among waivers": {append([]EntityFragment{{Root: "old", Signals: 0x01, At: at(0)}},
			slices.Repeat([]EntityFragment{{Root: "x", Signals: 0x20, At: at(5)}}, MaxRootFragments+5)...), []int{0}, MaxRootFragments + 1},
	} {
		drop := CutFragments(tc.list)
		if left := len(tc.list) - len(drop); left != tc.left {
			t.Errorf("%s: %d stay, want %d", name, left, tc.left)
		}
		for _, i := range tc.stay {
			if slices.Contains(drop, i) {
				t.Errorf("%s: %d goes", name, i)
			}
		}
	}
}

func TestCutEntities(t *testing.T) {
	at := func(n int) time.Time { return time.Unix(int64(n), 0) }
	list := []EntityUse{
		{1, 0x20, at(0)}, {2, 0x40, at(1)}, {3, 0x01, at(2)}, {4, 0x01, at(3)}, {5, 0x80, at(4)}, {6, 0x21, at(5)},
	}
	for most, want := range map[int][]uint64{6: nil, 5: {3}, 4: {3, 4}, 3: {3, 4, 2}, 1: {3, 4, 2, 5, 1}} {
		if got := CutEntities(list, most); !slices.Equal(got, want) {
			t.Errorf("of 6 at most %d: %v go, want %v", most, got, want)
		}
	}
}
