// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"embed"
	"errors"
	"io/fs"
	"path"
	"slices"
	"sync"
)

//go:embed lexicon/*.lex
var embeddedLexicons embed.FS

// ErrLexicon is wrapped by every error about the text of a lexicon.
var ErrLexicon = errors.New("invalid lexicon")

const (
	// maxClasses bounds the word classes of one language, literals in rules included.
	maxClasses = 1024
	// maxElements bounds the elements of one rule.
	maxElements = 12
	// maxGap bounds the tokens a rule may skip between two elements.
	maxGap = 15
	// maxPhrase bounds the words of one lexicon entry.
	maxPhrase = 6
	// maxWindow is the span of tokens a rule can reach over from its first one; it
	// is the width of the bit set the matcher works in.
	maxWindow = 64
)

// classSet is a set of word classes of one language.
type classSet [maxClasses / 64]uint64

func (s *classSet) add(c int) { s[c/64] |= 1 << (c % 64) }

func (s *classSet) has(c int) bool { return s[c/64]&(1<<(c%64)) != 0 }

// classWord is a word of a classSet that is not zero, with its place.
type classWord struct {
	at   int
	bits uint64
}

// words returns the non-zero words of a set.
func (s *classSet) words() []classWord {
	var out []classWord
	for i, w := range s {
		if w != 0 {
			out = append(out, classWord{at: i, bits: w})
		}
	}
	return out
}

// intersects compares the set with the non-zero words of another, which are few.
func (s *classSet) intersects(other []classWord) bool {
	for _, w := range other {
		if s[w.at]&w.bits != 0 {
			return true
		}
	}
	return false
}

// hasAny reports whether the set holds one of the classes. An entry has few
// classes, so testing them one by one is faster than comparing two sets.
func (s *classSet) hasAny(classes []int) bool {
	for _, c := range classes {
		if s.has(c) {
			return true
		}
	}
	return false
}

// entry is a node of the phrase trie: the classes of the words leading to it, and
// the words that may follow.
type entry struct {
	classes []int // ascending
	next    map[string]*entry
	roles   roles // of these classes
	starts  []int // rules whose first element this entry can be
}

func (e *entry) addClass(class int) {
	if at, found := slices.BinarySearch(e.classes, class); !found {
		e.classes = slices.Insert(e.classes, at, class)
	}
}

// language is a compiled lexicon: the phrases of one language with their classes,
// and the rules over them.
type language struct {
	name    string
	words   map[string]*entry
	address *entry // stands for every address token
	number  *entry // stands for every number token
	rules   []rule
}

// rule is a sequence of elements that makes a finding.
type rule struct {
	family   Family
	weight   int // per mille
	elements []element
	ask      bool          // also in questions
	ordered  bool          // has an element that demands a mood
	needs    [][]classWord // of each obligatory element, the classes of its alternatives
}

// element is one place of a rule.
type element struct {
	any          classSet // the classes of all alternatives
	alternatives []alternative
	gap          int  // tokens that may stand before it
	optional     bool // may be left out
	start        bool // at the start of a clause
	piped        bool // after a "|"
	bracket      bool // in brackets: <system>
	colon        bool // followed by a colon or closing bracket
}

// alternative is one way to match an element: any of these classes in that mood.
type alternative struct {
	any  classSet
	mood moodDemand
}

// Names of the classes that the engine itself gives to tokens or reads moods from.
const (
	classAddress = "address"
	classNumber  = "number"
	classVerb    = "verb"
)

// lexiconFile is the text of a lexicon with a name for error messages.
type lexiconFile struct {
	name string
	text string
}

// compileLexicons parses files and merges those of the same language, in order.
func compileLexicons(files []lexiconFile) ([]*language, error) {
	var parsers []*lexiconParser
	for _, file := range files {
		name, err := languageOf(file)
		if err != nil {
			return nil, err
		}
		at := slices.IndexFunc(parsers, func(p *lexiconParser) bool { return p.language.name == name })
		if at < 0 {
			at = len(parsers)
			parsers = append(parsers, newLexiconParser(name))
		}
		if err := parsers[at].parse(file); err != nil {
			return nil, err
		}
	}
	var languages []*language
	for _, p := range parsers {
		if err := p.finish(); err != nil {
			return nil, err
		}
		languages = append(languages, p.language)
	}
	return languages, nil
}

func embeddedFiles() ([]lexiconFile, error) {
	names, err := fs.Glob(embeddedLexicons, "lexicon/*.lex")
	if err != nil {
		return nil, err
	}
	files := make([]lexiconFile, 0, len(names))
	for _, name := range names {
		data, err := embeddedLexicons.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files = append(files, lexiconFile{name: path.Base(name), text: string(data)})
	}
	return files, nil
}

// defaultLanguages are the embedded lexicons. A defect in them is a defect of the
// build, caught by the tests, so New reports it instead of hiding it.
var defaultLanguages = sync.OnceValues(func() ([]*language, error) {
	files, err := embeddedFiles()
	if err != nil {
		return nil, err
	}
	return compileLexicons(files)
})

var defaultVocabulary = sync.OnceValue(func() vocabulary {
	languages, err := defaultLanguages()
	if err != nil {
		return vocabulary{}
	}
	return vocabularyOf(languages)
})

// vocabularyOf collects every word that occurs in an entry of the languages.
func vocabularyOf(languages []*language) vocabulary {
	known := vocabulary{}
	var walk func(words map[string]*entry)
	walk = func(words map[string]*entry) {
		for word, e := range words {
			known[word] = struct{}{}
			walk(e.next)
		}
	}
	for _, l := range languages {
		walk(l.words)
	}
	return known
}
