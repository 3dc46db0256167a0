// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package action

import (
	"fmt"
	"strings"
)

// Pattern is a pattern of tool names: what stands between its stars, one part more than there are stars.
type Pattern []string

// NewPattern reads a pattern. CheckPattern says whether it is one.
func NewPattern(text string) Pattern { return strings.Split(text, "*") }

// CheckPattern says what is wrong with a pattern, or nil.
func CheckPattern(text string) error {
	if len(text) > MaxPatternBytes || !toolPattern.MatchString(text) {
		return fmt.Errorf("%.140q is no pattern: use letters, digits, '.', '_', ':', '/', '@', '-' and '*', at most %d, for example payments_*",
			text, MaxPatternBytes)
	}
	return nil
}

// Matches reports whether the pattern matches the whole of a name. A star stands for any run of characters, also none, and
// everything else for itself. Its time grows with the product of the two lengths at most.
func (p Pattern) Matches(name string) bool {
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
