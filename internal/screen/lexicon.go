// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"sync"
	"unicode/utf8"
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
	// maxWord bounds the letters of one word of an entry.
	maxWord = 48
	// maxLexicon bounds a file, in bytes, and with it the time to load one: three times the
	// largest that comes with the program.
	maxLexicon = 256 << 10
	// maxClitics bounds the clitics of one language, each of which multiplies its words.
	maxClitics = 24
)

// classSet is a set of word classes of one language.
type classSet [maxClasses / 64]uint64

func (s *classSet) add(c int) { s[uint(c)/64] |= 1 << (uint(c) % 64) }

func (s *classSet) has(c int) bool { return s[uint(c)/64%uint(len(s))]>>(uint(c)%64)&1 != 0 }

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

// entry is a node of the phrase trie of a language: the classes of the words leading
// to it, and the words that may follow, by their number in the language.
type entry struct {
	classes   []int // that rules ask for, ascending
	next      map[int]*entry
	followers []follower // next, ascending by word
	phrase    bool       // it is a phrase of the lexicon, not just the beginning of some
	roles     roles      // of its classes
	sketch    sketch     // of its classes
	remarks   bool       // it is, or begins, a remark on quotations
}

// remark reports whether the entry only says something about quotations: no rule, and no
// reading of moods, asks for it, so that it need not be a word of its own.
func (e *entry) remark() bool {
	return e.roles != 0 && e.roles&^(roleMention|roleFollow) == 0 && len(e.classes) == 0
}

// follower is an entry behind another, with the number of the word that leads there.
type follower struct {
	word  int
	entry *entry
}

// follower returns the entry that a word leads to, nil when there is none.
func (e *entry) follower(word int) *entry {
	from, to := 0, len(e.followers)
	for from < to {
		middle := int(uint(from+to) / 2)
		switch f := &e.followers[middle]; {
		case f.word == word:
			return f.entry
		case f.word < word:
			from = middle + 1
		default:
			to = middle
		}
	}
	return nil
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
	place   int            // among the languages of the index
	words   map[string]int // by spelling, the number of a word
	phrases map[int]*entry // by the number of their first word
	clitics []string
	elided  []string
	moods   bool      // it tells how orders are built
	script  runeClass // the kind of script written without spaces, 0 when it has spaces
	address *entry    // stands for every address token
	number  *entry    // stands for every number token
	rules   []rule

	anchors     classSet // classes that rules are anchored at
	anchored    [][]int  // by class, these rules
	addressMark mark     // what an address says, what a number does
	numberMark  mark
}

// rule is a sequence of elements that makes a finding.
type rule struct {
	family   Family
	weight   int // per mille
	elements []element
	anchor   int     // the element that decides whether the rule is looked at
	needs    [][]int // the classes of the other obligatory ones, the rarest first
	ask      bool    // also in questions
	ordered  bool    // has an element that demands a mood
}

// element is one place of a rule.
type element struct {
	classes      []int // of all alternatives
	alternatives []alternative
	gap          int  // tokens that may stand before it
	length       int  // of the longest phrase of the classes, in tokens
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
	languages := make([]*language, 0, len(parsers))
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

// lexicon is a set of languages with the index over their words.
type lexicon struct {
	languages []*language
	index     *index
}

// newLexicon compiles files and indexes their words.
func newLexicon(files []lexiconFile) (*lexicon, error) {
	languages, err := compileLexicons(files)
	if err != nil {
		return nil, err
	}
	if len(languages) > maxLanguages {
		return nil, fmt.Errorf("%w: %d languages, %d are possible", ErrLexicon, len(languages), maxLanguages)
	}
	builder := newIndexBuilder()
	var addresses, numbers, readers languageSet
	spread := map[string]int{}
	for _, l := range languages {
		for spelling := range l.words {
			spread[spelling]++
		}
	}
	for i, l := range languages {
		l.place = i
		cost := l.commonness(spread)
		l.anchor(cost)
		builder.marks = append(builder.marks, l.marks(cost))
		l.enter(builder)
		for _, w := range l.elided {
			builder.elided[w] = struct{}{}
		}
		if l.moods {
			readers |= 1 << i
		}
		if l.addressMark.telling {
			addresses |= 1 << i
		}
		if l.numberMark.telling {
			numbers |= 1 << i
		}
	}
	x := builder.build()
	x.addresses, x.numbers, x.readers = addresses, numbers, readers
	return &lexicon{languages: languages, index: x}, nil
}

// enter adds the words of the language to an index: as they are spelled, and then,
// where that is not the spelling of another word, behind a clitic and without the
// accents of Latin letters.
func (l *language) enter(b *indexBuilder) {
	spellings := slices.Sorted(maps.Keys(l.words))
	for _, e := range l.phrases {
		e.markRemarks()
	}
	others := l.wordsBesideRemarks()
	lexemeOf := func(spelling string) lexeme {
		id := l.words[spelling]
		return lexeme{language: l.place, id: id, entry: l.phrases[id], remark: !others[id]}
	}
	for _, s := range spellings {
		b.add(s, lexemeOf(s))
	}
	for _, s := range spellings {
		for _, c := range l.clitics {
			b.addAlias(c+s, lexemeOf(s))
		}
		if bare := stripLatinMarks(s); bare != s && utf8.RuneCountInString(bare) >= minUnaccented {
			b.addAlias(bare, lexemeOf(s))
		}
	}
}

// markRemarks notes whether the entry is, or begins, a remark on quotations.
func (e *entry) markRemarks() bool {
	e.remarks = e.roles&(roleMention|roleFollow) != 0
	for _, next := range e.next {
		e.remarks = next.markRemarks() || e.remarks
	}
	return e.remarks
}

// wordsBesideRemarks tells, by their numbers, the words that are in phrases which are more
// than a remark on a quotation.
func (l *language) wordsBesideRemarks() []bool {
	others := make([]bool, len(l.words))
	var walk func(path []int, level map[int]*entry)
	walk = func(path []int, level map[int]*entry) {
		for id, e := range level {
			words := slices.Concat(path, []int{id})
			if e.phrase && !e.remark() {
				for _, word := range words {
					others[word] = true
				}
			}
			walk(words, e.next)
		}
	}
	walk(nil, l.phrases)
	return others
}

// minUnaccented is the shortest word, in letters, that is also known without its
// accents: among shorter ones the accent tells different words apart.
const minUnaccented = 5

// defaultLexicon holds the embedded files. A defect in them is a defect of the
// build, caught by the tests, so New reports it instead of hiding it.
var defaultLexicon = sync.OnceValues(func() (*lexicon, error) {
	files, err := embeddedFiles()
	if err != nil {
		return nil, err
	}
	return newLexicon(files)
})
