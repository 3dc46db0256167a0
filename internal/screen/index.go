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
	remark   bool   // it is there for remarks on quotations only
}

// word is a spelling with its meaning in all languages.
type word struct {
	lexemes  []lexeme    // by language; stems before the full word, short ones first
	marks    []mark      // by language
	listed   languageSet // languages that have a lexeme
	known    languageSet // those of them that have it for more than remarks on quotations
	marked   languageSet // languages that have a mark
	anchored languageSet // languages that are to be looked at where the word occurs
	remarks  bool        // a remark on quotations begins with it, in whatever language
	dividing languageSet // languages whose runs without spaces are cut at it
}

// has reports whether a language knows the word by a number.
func (w *word) has(language, id int) bool {
	for i := range w.lexemes {
		if l := &w.lexemes[i]; l.id == id && l.language == language {
			return true
		}
	}
	return false
}

// index finds the words of all languages at once. Whole words are found by a hash of
// their spelling in lower case, which the scanner computes as it reads them. A trie
// over the bytes of the spellings serves where the end of a word is not known: the
// children of a node lie side by side, so that one is found by its byte in a short row.
// Spellings of scripts without spaces have a trie of their own.
type index struct {
	nodes  []trieNode
	labels []byte // of each node, the byte that leads to it
	runs   runTrie
	words  []word
	exact  hashTable
	stems  hashTable
	// The heads of stems, and whether there are shorter stems.
	stemHeads  filter
	shortStems bool
	elided     map[string]struct{} // words that end at their apostrophe: "l'"
	// The length of the longest spelling with an apostrophe, with an English genitive, in bytes.
	apostrophes int

	// The languages with a rule anchored at any address, at any number.
	addresses, numbers languageSet
	// The languages whose lexicons read the moods of verbs.
	readers languageSet
	// The languages that may be looked at for a word written without spaces.
	unspaced languageSet
}

// trieNode is a place in the trie. word is the number in words of the spelling that ends
// here, or -1.
type trieNode struct {
	child int
	count int
	word  int
}

// spelling collects what languages add under one spelling.
type spelling struct{ exact, stem []lexeme }

// indexBuilder collects spellings.
type indexBuilder struct {
	spellings map[string]*spelling
	elided    map[string]struct{}
	marks     []map[int]*mark // by language and number of the word
}

func newIndexBuilder() *indexBuilder {
	return &indexBuilder{spellings: map[string]*spelling{}, elided: map[string]struct{}{}}
}

// unspaced reports whether a spelling is one of a script written without spaces.
func unspaced(spelling string) bool {
	first, _ := utf8.DecodeRuneInString(spelling)
	return classOf(first)&runeUnspaced != 0
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
	x := &index{nodes: []trieNode{{word: -1}}, labels: []byte{0}, elided: b.elided}
	keys := slices.Sorted(maps.Keys(b.spellings))
	queue := []branch{{to: len(keys)}}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		if at.from < at.to && len(keys[at.from]) == at.depth {
			at.stems = x.enter(b, keys[at.from], at)
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
			x.nodes = append(x.nodes, trieNode{word: -1})
			x.labels = append(x.labels, label)
			x.nodes[at.node].count++
			from = to
		}
	}
	x.exact.finish()
	x.stems.finish()
	x.stemHeads, x.shortStems = headsOf(x.stems.keys)
	return x
}

// enter makes the words of a spelling that ends at a branch. It returns the stems that a
// longer spelling has.
func (x *index) enter(b *indexBuilder, key string, at branch) []lexeme {
	s, stems, stem, word := b.spellings[key], at.stems, -1, -1
	if len(s.stem) > 0 {
		stems = slices.Concat(stems, s.stem)
		stem = x.addWord(stems, b.marks)
		x.stems.add(key, stem)
	}
	if len(s.exact) > 0 {
		word = x.addWord(slices.Concat(stems, s.exact), b.marks)
		x.exact.add(key, word)
	}
	x.nodes[at.node].word = word
	if strings.Contains(key, "'") {
		x.apostrophes = max(x.apostrophes, len(key)+len("'s"))
	}
	if unspaced(key) {
		*x.runs.node(key) = runNode{word: int32(word), stem: int32(stem)}
		x.unspaced |= x.anchoredAt(word) | x.anchoredAt(stem)
	}
	return stems
}

// addWord enters a word with these lexemes, and the marks that they have.
func (x *index) addWord(lexemes []lexeme, marks []map[int]*mark) int {
	w := word{lexemes: slices.Clone(lexemes)}
	slices.SortStableFunc(w.lexemes, func(a, b lexeme) int { return cmp.Compare(a.language, b.language) })
	for _, l := range w.lexemes {
		w.listed |= 1 << l.language
		w.remarks = w.remarks || l.entry != nil && l.entry.remarks
		if !l.remark {
			w.known |= 1 << l.language
		}
		if l.entry == nil || !l.entry.remark() {
			w.dividing |= 1 << l.language
		}
		k := marks[l.language][l.id]
		if k == nil {
			continue
		}
		if last := len(w.marks) - 1; last >= 0 && w.marks[last].language == l.language {
			w.marks[last].merge(k)
			w.marks[last].finish()
		} else {
			own := *k
			own.classes, own.phrases = slices.Clone(k.classes), slices.Clone(k.phrases)
			w.marks = append(w.marks, own)
		}
		w.marked |= 1 << l.language
		if k.telling {
			w.anchored |= 1 << l.language
		}
	}
	x.words = append(x.words, w)
	return len(x.words) - 1
}

// anchoredAt returns the languages to be looked at for a word given by its number.
func (x *index) anchoredAt(i int) languageSet {
	if w := x.wordAt(i); w != nil {
		return w.anchored
	}
	return 0
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
	h, stem, stems := hashStart, -1, true
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
		for at, c := range lower[from:n] {
			h = hashByte(h, c)
			if from+at == stemHead-1 && !x.shortStems {
				stems = x.stemHeads.maybe(h)
			}
		}
		if stems && n >= stemHead || x.shortStems {
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
	if w := x.wordAt(x.exact.findFolded(hashOf(s), s)); w != nil {
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

// longest returns the longest entry of a language that s, of a script without spaces,
// begins with, and its length in bytes. It passes over remarks.
func (x *index) longest(s string, language int) (found *word, size int) {
	node := int32(0)
	for i := 0; i < len(s); {
		next, n := x.runs.step(node, s[i:])
		if n == 0 {
			break
		}
		node, i = next, i+n
		at := x.runs.nodes[node]
		for _, w := range [...]*word{x.wordAt(int(at.stem)), x.wordAt(int(at.word))} {
			if w != nil && w.dividing&(1<<language) != 0 {
				found, size = w, i
			}
		}
	}
	return found, size
}

// anchoredIn returns the languages that are to be looked at for some place in a run of
// letters without spaces.
func (x *index) anchoredIn(run string) (set languageSet) {
	if x == nil {
		return 0
	}
	for i := range run {
		if set == x.unspaced {
			return set
		}
		node := int32(0)
		for j := i; j < len(run); {
			next, n := x.runs.step(node, run[j:])
			if n == 0 {
				break
			}
			node, j = next, j+n
			at := x.runs.nodes[node]
			set |= x.anchoredAt(int(at.word)) | x.anchoredAt(int(at.stem))
		}
	}
	return set
}
