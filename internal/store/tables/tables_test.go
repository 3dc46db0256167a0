// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package tables

import (
	"testing"
)

// Rows that differ are never taken for each other, whatever moves from one column into the next.
func TestRowsDiffer(t *testing.T) {
	rows := []Row{
		{"ab", "c"}, {"a", "bc"}, {"abc", nil}, {nil, "abc"}, {[]byte("ab"), "c"}, {int64(1), "c"}, {true, "c"}, {1.0, "c"}, {[]int64{1}, "c"},
		{[]int64{}, "c"}, {"", "c"}, {nil, "c"}, {false, "c"}, {int64(0), "c"}, {int64(-1), "c"}, {[]int64{1, 2}, nil}, {[]int64{1}, int64(2)},
	}
	for i, a := range rows {
		for j, b := range rows {
			if a.Equal(b) != (i == j) || (a.String() == b.String()) != (i == j) {
				t.Errorf("%v and %v", a, b)
			}
		}
	}
}

// A digest is that of the rows that are in it, in whatever order they came and went.
func TestDigest(t *testing.T) {
	table, other := Named("tags"), Named("lineage")
	a, b, c := Row{"x", int64(1)}, Row{"x", int64(2)}, Row{"y", int64(1)}
	var one, two, none Digest
	one.Add(table, a, b)
	two.Add(table, c, b)
	two.Add(table, a)
	if one == two {
		t.Fatal("another row makes no difference")
	}
	two.Remove(table, c)
	if one != two {
		t.Error("the order makes a difference")
	}
	two.Remove(table, b)
	two.Add(other, b)
	if one == two {
		t.Error("the table makes no difference")
	}
	one.Remove(table, a, b)
	if one != none {
		t.Error("what was taken out is still in")
	}
}
