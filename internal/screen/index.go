// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxLanguages bounds the languages of an index: a set of them is one word of bits.
const maxLanguages = 64

// languageSet has bit i set for language i.
type languageSet uint64

// lexeme is what one language knows under a spelling: the number of the spelling
// there, by which phrases go on, and the phrases that begin with it.
type lexeme struct {
	language int
	id       int
	entry    *entry // nil where no phrase begins with it
}

// word is a spelling with its meaning in all languages.
type word struct {
	lexemes  []lexeme    // by language; stems before the full word, short ones first
	known    languageSet // languages that have a lexeme
	anchored languageSet // languages with a rule that may be anchored here
}

// index finds the words of all languages at once. Whole words are found by a hash of
// their spelling in lower case, which the scanner computes as it reads them. A trie
// over the bytes of the spellings serves where the end of a word is not known: the
// children of a node lie side by side, so that one is found by its byte in a short row.
type index struct {
	nodes  []trieNode
	labels []byte // of each node, the byte that leads to it
	words  []word
	exact  hashTable
	stems  hashTable
	elided map[string]struct{} // words that end at their apostrophe: "l'"

	// The languages with a rule anchored at any address, at any number.
	addresses, numbers languageSet
	// The languages whose lexicons read the moods of verbs.
	readers languageSet
}

// trieNode is a place in the trie. word and stem are numbers in words, or -1: the
// spelling that ends here, and the stem that does.
type trieNode struct {
	child int
	count int
	word  int
	stem  int
}

// spelling collects what languages add under one spelling.
type spelling struct{ exact, stem []lexeme }

// indexBuilder collects spellings.
type indexBuilder struct {
	spellings map[string]*spelling
	elided    map[string]struct{}
}

func newIndexBuilder() *indexBuilder {
	return &indexBuilder{spellings: map[string]*spelling{}, elided: map[string]struct{}{}}
}

// add enters a lexeme under a key, which ends in "*" when it is a stem.
func (b *indexBuilder) add(key string, l lexeme) {
	key, stem := strings.CutSuffix(key, "*")
	s := b.spellings[key]
	if s == nil {
		s = &spelling{}
		b.spellings[key] = s
	}
	if stem {
		s.stem = append(s.stem, l)
	} else {
		s.exact = append(s.exact, l)
	}
}

// addAlias enters a lexeme under another key unless its language has one there.
func (b *indexBuilder) addAlias(key string, l lexeme) {
	bare, stem := strings.CutSuffix(key, "*")
	if s := b.spellings[bare]; s != nil {
		there := s.exact
		if stem {
			there = s.stem
		}
		if slices.ContainsFunc(there, func(o lexeme) bool { return o.language == l.language }) {
			return
		}
	}
	b.add(key, l)
}

// branch is a node to be filled: the keys below it, and the stems on the way there.
type branch struct {
	node, from, to, depth int
	stems                 []lexeme
}

// build lays the trie out, level by level.
func (b *indexBuilder) build() *index {
	x := &index{nodes: []trieNode{{word: -1, stem: -1}}, labels: []byte{0}, elided: b.elided}
	keys := slices.Sorted(maps.Keys(b.spellings))
	queue := []branch{{to: len(keys)}}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		if at.from < at.to && len(keys[at.from]) == at.depth {
			s := b.spellings[keys[at.from]]
			if len(s.stem) > 0 {
				at.stems = slices.Concat(at.stems, s.stem)
				x.nodes[at.node].stem = x.addWord(at.stems)
				x.stems.add(keys[at.from], x.nodes[at.node].stem)
			}
			if len(s.exact) > 0 {
				x.nodes[at.node].word = x.addWord(slices.Concat(at.stems, s.exact))
				x.exact.add(keys[at.from], x.nodes[at.node].word)
			}
			at.from++
		}
		x.nodes[at.node].child = len(x.nodes)
		for from := at.from; from < at.to; {
			label := keys[from][at.depth]
			to := from + 1
			for to < at.to && keys[to][at.depth] == label {
				to++
			}
			queue = append(queue, branch{node: len(x.nodes), from: from, to: to, depth: at.depth + 1, stems: at.stems})
			x.nodes = append(x.nodes, trieNode{word: -1, stem: -1})
			x.labels = append(x.labels, label)
			x.nodes[at.node].count++
			from = to
		}
	}
	x.exact.finish()
	x.stems.finish()
	return x
}

func (x *index) addWord(lexemes []lexeme) int {
	w := word{lexemes: slices.Clone(lexemes)}
	slices.SortStableFunc(w.lexemes, func(a, b lexeme) int { return cmp.Compare(a.language, b.language) })
	for _, l := range w.lexemes {
		w.known |= 1 << l.language
		if l.entry != nil && l.entry.anchored() {
			w.anchored |= 1 << l.language
		}
	}
	x.words = append(x.words, w)
	return len(x.words) - 1
}

// step goes down by one byte.
func (x *index) step(node int, label byte) (int, bool) {
	n := &x.nodes[node]
	i := bytes.IndexByte(x.labels[n.child:n.child+n.count], label)
	return n.child + i, i >= 0
}

// stepRune goes down by the character at the start of s in lower case. It returns
// the bytes read of s.
func (x *index) stepRune(node int, s string) (next int, size int, ok bool) {
	r, size := utf8.DecodeRuneInString(s)
	var buffer [utf8.UTFMax]byte
	n := utf8.EncodeRune(buffer[:], lowerRune(r))
	for _, c := range buffer[:n] {
		if node, ok = x.step(node, c); !ok {
			return node, size, false
		}
	}
	return node, size, true
}

func (x *index) wordAt(i int) *word {
	if i < 0 {
		return nil
	}
	return &x.words[i]
}

// find returns the entry for a word of a text: the spelling itself, the spelling
// without the English genitive, or the longest stem; nil when there is none.
func (x *index) find(s string) *word {
	if x == nil {
		return nil
	}
	h, stem := hashStart, -1
	var lower [maxFoundWord]byte
	n := 0
	for i := 0; i < len(s); {
		from := n
		if c := s[i]; c < utf8.RuneSelf {
			if n == len(lower) {
				return x.wordAt(stem)
			}
			lower[n] = lowerASCII(c)
			n, i = n+1, i+1
		} else {
			r, size := utf8.DecodeRuneInString(s[i:])
			if n+utf8.UTFMax > len(lower) {
				return x.wordAt(stem)
			}
			n += utf8.EncodeRune(lower[n:], lowerRune(r))
			i += size
		}
		for _, c := range lower[from:n] {
			h = hashByte(h, c)
		}
		if x.stems.maybe(h) {
			if found := x.stems.find(h, lower[:n]); found >= 0 {
				stem = found
			}
		}
	}
	if found := x.exact.find(h, lower[:n]); found >= 0 {
		return x.wordAt(found)
	}
	if bare, ok := bytes.CutSuffix(lower[:n], []byte("'s")); ok && stem < 0 {
		return x.find(string(bare))
	}
	return x.wordAt(stem)
}

// has reports whether a word in lower case is a full entry of some language.
func (x *index) has(s string) bool { return x.languagesOf(s) != 0 }

// languagesOf returns the languages with a full entry for a word in lower case.
func (x *index) languagesOf(s string) languageSet {
	if x == nil {
		return 0
	}
	h := hashStart
	for i := range len(s) {
		h = hashByte(h, s[i])
	}
	if w := x.wordAt(x.exact.findFolded(h, s)); w != nil {
		return w.known
	}
	return 0
}

// spells is has for letters that seldom make a word: the trie ends most in a step or two.
func (x *index) spells(letters []byte) bool {
	if x == nil {
		return false
	}
	node, ok := 0, false
	for _, c := range letters {
		if node, ok = x.step(node, c); !ok {
			return false
		}
	}
	return x.nodes[node].word >= 0
}

// longest returns the longest entry of a language that s begins with, and its
// length in bytes.
func (x *index) longest(s string, language int) (found *word, size int) {
	node := 0
	for i := 0; i < len(s); {
		next, n, ok := x.stepRune(node, s[i:])
		if !ok {
			break
		}
		node, i = next, i+n
		for _, at := range [...]int{x.nodes[node].stem, x.nodes[node].word} {
			if w := x.wordAt(at); w != nil && w.known&(1<<language) != 0 {
				found, size = w, i
			}
		}
	}
	return found, size
}

// anchoredIn returns the languages that have a rule anchored at some place in a run
// of letters without spaces.
func (x *index) anchoredIn(run string) (set languageSet) {
	if x == nil {
		return 0
	}
	for i := range run {
		node := 0
		for j := i; j < len(run); {
			next, n, ok := x.stepRune(node, run[j:])
			if !ok {
				break
			}
			node, j = next, j+n
			for _, at := range [...]int{x.nodes[node].stem, x.nodes[node].word} {
				if w := x.wordAt(at); w != nil {
					set |= w.anchored
				}
			}
		}
	}
	return set
}
