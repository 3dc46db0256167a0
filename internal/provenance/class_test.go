// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package provenance

import "testing"

func TestClassOrder(t *testing.T) {
	for i, c := range Classes {
		if !c.Valid() {
			t.Errorf("%s is no class", c)
		}
		if got, want := c.High(), c == UserInput || c == Manual || c == SystemMemory; got != want {
			t.Errorf("%s: high %v, want %v", c, got, want)
		}
		for j, other := range Classes {
			if got, want := c.Below(other), i > j; got != want {
				t.Errorf("%s below %s: %v, want %v", c, other, got, want)
			}
		}
	}
	for _, c := range []Class{"", "userInput", "Root"} {
		if c.Valid() || c.High() || c.Below(Unknown) || !c.Below(WebContent) {
			t.Errorf("%q does not rank as Unknown", c)
		}
	}
}

func TestMin(t *testing.T) {
	for _, tc := range []struct {
		in   []Class
		want Class
	}{
		{nil, UserInput},
		{[]Class{Manual}, Manual},
		{[]Class{UserInput, WebContent, Manual}, WebContent},
		{[]Class{SubagentTrace, ToolOutput}, ToolOutput},
		{[]Class{UserInput, ""}, Unknown},
		{[]Class{UserInput, "Root"}, Unknown},
		{[]Class{Unknown, "Root"}, Unknown},
	} {
		if got := Min(tc.in...); got != tc.want {
			t.Errorf("Min(%v) = %s, want %s", tc.in, got, tc.want)
		}
	}
}
