// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package screen

import "unicode/utf8"

// runTrie finds the spellings of scripts that are written without spaces, where every
// character may begin a word. It goes down by characters, with one look into a hash
// table for each: most places are left after the first or second.
type runTrie struct {
	edges []runEdge // open addressing, at most one in four taken
	taken int
	nodes []runNode // the first is the root
}

// runEdge leads from a node by a character to another; to is 0 where the place is free.
type runEdge struct {
	from, to int32
	by       rune
}

// runNode has the numbers of the words that end there, the full word and the stem, or -1.
type runNode struct{ word, stem int32 }

// place returns where an edge is, or is to be put.
func (t *runTrie) place(from int32, by rune) *runEdge {
	h := uint32(from)*0x9E3779B1 ^ uint32(by)*0x85EBCA6B //nolint:gosec // bits to be mixed
	for at := int(h^h>>15) & (len(t.edges) - 1); ; at = (at + 1) & (len(t.edges) - 1) {
		if e := &t.edges[at]; e.to == 0 || e.from == from && e.by == by {
			return e
		}
	}
}

// node returns the node of a spelling, making it.
func (t *runTrie) node(spelling string) *runNode {
	if t.nodes == nil {
		t.nodes, t.edges = []runNode{{word: -1, stem: -1}}, make([]runEdge, 64)
	}
	at := int32(0)
	for _, r := range spelling {
		e := t.place(at, r)
		if e.to == 0 {
			if t.taken++; 4*t.taken > len(t.edges) {
				t.grow()
				e = t.place(at, r)
			}
			*e = runEdge{from: at, to: int32(len(t.nodes)), by: r} //nolint:gosec // fewer than the bytes of all lexicons
			t.nodes = append(t.nodes, runNode{word: -1, stem: -1})
		}
		at = e.to
	}
	return &t.nodes[at]
}

func (t *runTrie) grow() {
	old := t.edges
	t.edges = make([]runEdge, 2*len(old))
	for _, e := range old {
		if e.to != 0 {
			*t.place(e.from, e.by) = e
		}
	}
}

// step goes down by the character at the start of s. It returns the bytes read, 0 where
// no spelling goes on so.
func (t *runTrie) step(from int32, s string) (to int32, size int) {
	r, size := utf8.DecodeRuneInString(s)
	if len(t.nodes) == 0 {
		return 0, 0
	}
	e := t.place(from, lowerRune(r))
	if e.to == 0 {
		return 0, 0
	}
	return e.to, size
}
