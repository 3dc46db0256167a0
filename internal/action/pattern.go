// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package action

import "strings"

// pattern is what stands between the stars of a pattern: one part more than there are stars.
type pattern []string

func newPattern(text string) pattern { return strings.Split(text, "*") }

// matches reports whether the pattern matches the whole of a name. A star stands for any run of characters, also none, and
// everything else for itself. Its time grows with the product of the two lengths at most.
func (p pattern) matches(name string) bool {
	if len(p) == 1 {
		return p[0] == name
	}
	first, last := p[0], p[len(p)-1]
	if len(name) < len(first)+len(last) || !strings.HasPrefix(name, first) || !strings.HasSuffix(name, last) {
		return false
	}
	rest := name[len(first) : len(name)-len(last)]
	for _, part := range p[1 : len(p)-1] { // the leftmost place leaves most to the parts after it
		at := strings.Index(rest, part)
		if at < 0 {
			return false
		}
		rest = rest[at+len(part):]
	}
	return true
}
