// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package correlate

import (
	"embed"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// ErrLexicon says that a lexicon cannot be read.
var ErrLexicon = errors.New("invalid correlation lexicon")

// Bounds of a lexicon, so that a text is read in time linear in its length whatever the lexicon says.
const (
	maxLexiconBytes = 256 << 10
	maxPhrases      = 100000 // of all files, alternatives counted one by one
	maxAlternatives = 1024   // of one line
	maxPhraseTokens = 32     // signs count one by one
	leastPrefix     = 2      // letters before a '*'
)

//go:embed lexicon/*.txt
var lexiconFiles embed.FS

// Lexicon holds the phrases of all languages. It is immutable and safe for concurrent use.
type Lexicon struct {
	exact  map[uint64][]atom // by the hash of a whole token
	prefix map[uint64][]atom // by the hash of its first letters
	common map[uint64]bool   // hashes of words that name nothing
	edges  map[edge]node     // a tree of atoms; the phrases are its paths from the root
	ends   map[node][]phrase // what the phrases that end here say
	atoms  atom
	nodes  node
	count  int // phrases
}

// node is a place in the tree of phrases; 0 is its root.
type node int32

type edge struct {
	from node
	by   atom
}

// atom is a word, or the beginning of words, that phrases are made of.
type atom int32

// gap stands for up to three words, or eight signs of a script without spaces; number for a word that begins with a digit.
const (
	gap      atom = -1
	number   atom = -2
	gapWords      = 3
	gapSigns      = 8
)

// role is what a phrase is there for.
type role uint8

const (
	roleSignal   role = iota
	roleNegation      // turns what follows in its clause around
	roleGuard         // says that somebody has to be asked
	roleExcept        // says nothing, whatever its words say elsewhere
)

// phrase is what a phrase says.
type phrase struct {
	signal   Signals
	role     role
	language uint8
}

// Embedded returns the lexicon of this release. A defect in it is a defect of the build.
var Embedded = sync.OnceValue(func() *Lexicon {
	entries, err := lexiconFiles.ReadDir("lexicon")
	if err != nil {
		panic(err)
	}
	files := map[string]string{}
	var names []string
	for _, e := range entries {
		text, err := lexiconFiles.ReadFile(path.Join("lexicon", e.Name()))
		if err != nil {
			panic(err)
		}
		files[e.Name()] = string(text)
		names = append(names, e.Name())
	}
	l, err := load(names, files)
	if err != nil {
		panic(err)
	}
	return l
})

// load reads lexicon files, in the order of names; lexicon/README.md describes the format. Errors wrap ErrLexicon and give
// the name of the file and the number of the line.
func load(names []string, files map[string]string) (*Lexicon, error) {
	l := &Lexicon{
		exact: map[uint64][]atom{}, prefix: map[uint64][]atom{}, common: map[uint64]bool{},
		edges: map[edge]node{}, ends: map[node][]phrase{},
	}
	p := parser{Lexicon: l, known: map[wordKey]atom{}}
	for i, name := range names {
		p.file, p.line, p.language, p.section = name, 0, uint8(i), "" // #nosec G115 -- a few dozen
		if err := p.read(files[name]); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// wordKey is a word, or the beginning of words.
type wordKey struct {
	hash   uint64
	begins bool
}

// parser reads lexicon files one after the other.
type parser struct {
	*Lexicon
	known    map[wordKey]atom
	file     string
	line     int
	language uint8
	section  string
}

func (p *parser) errorf(format string, args ...any) error {
	return fmt.Errorf("%w: %s:%d: %s", ErrLexicon, p.file, p.line, fmt.Sprintf(format, args...))
}

func (p *parser) read(text string) error {
	if len(text) > maxLexiconBytes {
		return p.errorf("a file has at most %d bytes", maxLexiconBytes)
	}
	if !utf8.ValidString(text) {
		return p.errorf("not valid UTF-8")
	}
	for line := range strings.Lines(text) {
		p.line++
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		switch {
		case line == "":
		case strings.HasPrefix(line, "["):
			name, ok := strings.CutSuffix(line[1:], "]")
			if !ok || !knownSection(name) {
				return p.errorf("unknown section; use [money], [disclose], [access], [delete], [act], [waive], [trust], [routine], " +
					"[guard], [negation], [except] or [common]")
			}
			p.section = name
		case p.section == "":
			return p.errorf("a phrase stands before the first section")
		default:
			if err := p.phrase(line); err != nil {
				return err
			}
		}
	}
	return nil
}

func knownSection(name string) bool {
	_, signal := sections[name]
	return signal || name == "guard" || name == "negation" || name == "except" || name == "common"
}

// phrase reads one line: words with alternatives, which stand for as many phrases.
func (p *parser) phrase(line string) error {
	variants := []string{""}
	for word := range strings.FieldsSeq(line) {
		var next []string
		for alternative := range strings.SplitSeq(word, "|") {
			if alternative == "" {
				return p.errorf("an alternative is empty")
			}
			for _, v := range variants {
				next = append(next, v+" "+strings.ReplaceAll(alternative, "_", " "))
			}
		}
		if variants = next; len(variants) > maxAlternatives {
			return p.errorf("a line stands for at most %d phrases; split it", maxAlternatives)
		}
	}
	for _, v := range variants {
		if err := p.add(v); err != nil {
			return err
		}
	}
	return nil
}

// add keeps one phrase.
func (p *parser) add(text string) error {
	if p.section == "common" {
		for _, t := range tokens(text) {
			p.common[t.hash] = true
		}
		return nil
	}
	f := phrase{language: p.language, signal: sections[p.section]}
	switch p.section {
	case "guard":
		f.role = roleGuard
	case "negation":
		f.role = roleNegation
	case "except":
		f.role = roleExcept
	}
	var path []atom
	for word := range strings.FieldsSeq(text) {
		atoms, err := p.word(word)
		if err != nil {
			return err
		}
		path = append(path, atoms...)
	}
	switch n := len(path); {
	case n == 0:
		return p.errorf("a phrase without letters")
	case n > maxPhraseTokens:
		return p.errorf("a phrase has at most %d words", maxPhraseTokens)
	case path[0] == gap || path[n-1] == gap:
		return p.errorf("'..' stands between words")
	}
	for i, a := range path[1:] {
		if a == gap && path[i] == gap {
			return p.errorf("'..' stands beside another")
		}
	}
	if p.count++; p.count > maxPhrases {
		return p.errorf("more than %d phrases", maxPhrases)
	}
	p.plant(path, f)
	return nil
}

// plant puts a phrase into the tree.
func (p *parser) plant(path []atom, f phrase) {
	at := node(0)
	for _, a := range path {
		next, known := p.edges[edge{at, a}]
		if !known {
			p.nodes++
			next = p.nodes
			p.edges[edge{at, a}] = next
		}
		at = next
	}
	if !slices.Contains(p.ends[at], f) {
		p.ends[at] = append(p.ends[at], f)
	}
}

// word returns the atoms of a word of a phrase: several where the word is cut, as "pre-approved" is.
func (p *parser) word(word string) ([]atom, error) {
	switch word {
	case "..":
		return []atom{gap}, nil
	case "<n>":
		return []atom{number}, nil
	}
	stem, open := strings.CutSuffix(word, "*")
	if strings.Contains(stem, "*") {
		return nil, p.errorf("'*' stands at the end of a word")
	}
	cut := tokens(stem)
	if len(cut) == 0 {
		return nil, p.errorf("a word without letters or digits")
	}
	out := make([]atom, 0, len(cut))
	for i, t := range cut {
		begins := open && i == len(cut)-1
		if begins && t.runes < leastPrefix && !t.sign {
			return nil, p.errorf("a beginning of a word has at least %d letters", leastPrefix)
		}
		begins = begins && !t.sign
		key := wordKey{t.hash, begins}
		a, known := p.known[key]
		if !known {
			a = p.atoms
			p.atoms++
			p.known[key] = a
			if begins {
				p.prefix[t.hash] = append(p.prefix[t.hash], a)
			} else {
				p.exact[t.hash] = append(p.exact[t.hash], a)
			}
		}
		out = append(out, a)
	}
	return out, nil
}
