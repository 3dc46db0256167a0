// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package overlap

import (
	"cmp"
	"slices"
	"strings"
)

// named is what a text names: strong features, and weak ones.
type named struct {
	strong, weak []uint64
	elements     []element
}

// element is a name of several words, a short number or a domain. One alone says little: many texts have it.
type element struct {
	hash uint64
	at   int // offset in the text
}

// Two elements make a feature where they stand near each other: at most nearBytes apart, with at most one other between.
const (
	nearBytes = 240
	nearNames = 2
)

// identify finds what a prepared text names.
func identify(text string, units []unit) named {
	n := named{elements: properNames(text, units)}
	for i := 0; i < len(text); {
		if !alphanumeric(text[i]) && text[i] != '+' {
			i++
			continue
		}
		end := runEnd(text, i)
		i = max(end, n.read(text, i, end))
	}
	slices.SortFunc(n.elements, func(a, b element) int { return cmp.Compare(a.at, b.at) })
	for i, a := range n.elements {
		for _, b := range n.elements[i+1 : min(len(n.elements), i+1+nearNames)] {
			if a.hash != b.hash && b.at-a.at <= nearBytes {
				n.weak = append(n.weak, feature(kindWeak, mix(min(a.hash, b.hash))^max(a.hash, b.hash)))
			}
		}
	}
	return n
}

func (n *named) addStrong(canonical string) {
	n.strong = append(n.strong, feature(kindStrong, hashString(canonical)))
}

func (n *named) addElement(canonical string, at int) uint64 {
	hash := hashString(canonical)
	n.elements = append(n.elements, element{hash: hash, at: at})
	return hash
}

func hashString(s string) uint64 {
	hash := uint64(hashSeed)
	for _, r := range s {
		hash = addRune(hash, r)
	}
	return hash
}

// runEnd is the end of the run of signs of identifiers that begins at i. Commas and apostrophes belong to it between digits.
func runEnd(text string, i int) int {
	end := i
	for ; end < len(text); end++ {
		c := text[end]
		if c == ',' || c == '\'' {
			if end > i && end+1 < len(text) && isDigit(text[end-1]) && isDigit(text[end+1]) {
				continue
			}
			break
		}
		if !alphanumeric(c) && strings.IndexByte("-._/@:+%?=&#~", c) < 0 {
			break
		}
	}
	for end > i+1 && strings.IndexByte("-._/:+%?=&#~,'", text[end-1]) >= 0 {
		end--
	}
	return end
}

// read takes the run from i to end apart. It returns where what it read ends: an account written in groups goes on behind
// spaces.
func (n *named) read(text string, i, end int) int {
	run := text[i:end]
	switch {
	case strings.IndexByte(run, '@') > 0 && n.email(run):
		return end
	case strings.IndexByte(run, '.') > 0 && n.address(run, i):
		return end
	case !strings.ContainsAny(run, "0123456789"):
		return end
	}
	grouped, last := joinGroups(text, i, end)
	if last > end {
		n.code(grouped, i)
	}
	if !clock(run) {
		for piece := range strings.FieldsFuncSeq(run, func(r rune) bool { return strings.ContainsRune(":=&?#%~+", r) }) {
			n.piece(piece, i)
		}
	}
	if last > end {
		n.groups(text[end:last], end)
	}
	return last
}

// groups reads the groups behind the first one of an account one by one as well: where the groups end may not be clear.
func (n *named) groups(rest string, at int) {
	for group := range strings.FieldsSeq(rest) {
		n.piece(group, at)
	}
}

// email reads an e-mail address. Its domain is not looked at: colleagues and customers of one provider share it.
func (n *named) email(run string) bool {
	at := strings.IndexByte(run, '@')
	local, domain := run[:at], run[at+1:]
	if cut := strings.LastIndexAny(local, ":/?=&#,"); cut >= 0 {
		local = local[cut+1:]
	}
	if cut := strings.IndexAny(domain, "/?:#&"); cut >= 0 {
		domain = domain[:cut]
	}
	if local == "" || !domainName(domain) || strings.Contains(run[:at], "://") {
		return false
	}
	n.addStrong(strings.ToLower(local + "@" + domain))
	return true
}

// address reads the address of a page or a host. The page is strong, and the host alone is weak: much can be there.
func (n *named) address(run string, at int) bool {
	_, bare, scheme := strings.Cut(run, "://")
	if !scheme {
		bare = run
	}
	bare, _, _ = strings.Cut(strings.ToLower(bare), "#")
	host, rest := bare, ""
	if cut := strings.IndexAny(bare, "/?"); cut >= 0 {
		host, rest = bare[:cut], bare[cut:]
	}
	if cut := strings.LastIndexByte(host, '@'); cut >= 0 {
		host = host[cut+1:]
	}
	host, _, _ = strings.Cut(host, ":")
	if global, ok := ipAddress(host); ok {
		if global {
			n.addStrong(host)
		}
		return true
	}
	if !domainName(host) || !scheme && !strings.HasPrefix(host, "www.") && rest == "" && !bareHost(run) {
		return false
	}
	host = strings.TrimPrefix(host, "www.")
	page, query, _ := strings.Cut(rest, "?")
	if page = strings.TrimRight(page, "/"); page == "" && query != "" {
		page = "?" + query
	}
	if page != "" {
		n.addStrong(host + page)
	}
	if !commonDomain(host) {
		n.weak = append(n.weak, feature(kindWeak, n.addElement(host, at)))
	}
	return true
}
