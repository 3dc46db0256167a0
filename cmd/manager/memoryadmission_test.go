// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import "testing"

func TestManages(t *testing.T) {
	for name, tc := range map[string]struct {
		flag []string
		want bool
	}{
		"wherever the Role is bound": {nil, true},
		"the whole cluster":          {[]string{"*"}, true},
		"listed":                     {[]string{"a", "travel"}, true},
		"not listed":                 {[]string{"a"}, false},
	} {
		if got := (&settings{agentNamespaces: tc.flag}).manages("travel"); got != tc.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
