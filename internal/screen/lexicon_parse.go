// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// lexiconParser compiles lexicon files of one language, in order.
type lexiconParser struct {
	language *language
	classes  map[string]int
	used     map[string]int // class → line of its first use in a rule
	forms    map[string][3]string
	english  bool
	file     string
	line     int
}

func newLexiconParser(name string) *lexiconParser {
	p := &lexiconParser{
		language: &language{
			name: name, words: map[string]int{}, phrases: map[int]*entry{}, address: &entry{}, number: &entry{},
		},
		classes: map[string]int{},
		used:    map[string]int{},
		forms:   map[string][3]string{},
	}
	for _, class := range []string{classAddress, classNumber, classVerb} {
		p.class(class)
	}
	p.language.address.addClass(p.class(classAddress))
	p.language.number.addClass(p.class(classNumber))
	return p
}

func (p *lexiconParser) errorf(format string, args ...any) error {
	return fmt.Errorf("%w: %s:%d: %s", ErrLexicon, p.file, p.line, fmt.Sprintf(format, args...))
}

// statement is a logical line: the lines that continue it joined.
type statement struct {
	line int
	text string
}

// statements joins continuation lines, which start with white space, and drops
// comments and blank lines.
func statements(text string) iter.Seq[statement] {
	return func(yield func(statement) bool) {
		var last statement
		var body strings.Builder
		n := 0
		for line := range strings.Lines(text) {
			n++
			if i := strings.IndexByte(line, '#'); i >= 0 {
				line = line[:i]
			}
			part := strings.TrimSpace(line)
			switch {
			case part == "":
				continue
			case (line[0] == ' ' || line[0] == '\t') && last.line > 0:
				body.WriteByte(' ')
			default:
				if last.text = body.String(); last.line > 0 && !yield(last) {
					return
				}
				body.Reset()
				last.line = n
			}
			body.WriteString(part)
		}
		if last.text = body.String(); last.line > 0 {
			yield(last)
		}
	}
}

// languageOf reads the first statement of a lexicon, "language NAME".
func languageOf(file lexiconFile) (string, error) {
	if len(file.text) > maxLexicon {
		return "", fmt.Errorf("%w: %s: %d bytes, %d are possible", ErrLexicon, file.name, len(file.text), maxLexicon)
	}
	for first := range statements(file.text) {
		fields := strings.Fields(first.text)
		if len(fields) != 2 || fields[0] != "language" {
			return "", fmt.Errorf("%w: %s:%d: the first statement must be \"language NAME\"", ErrLexicon, file.name, first.line)
		}
		return fields[1], nil
	}
	return "", fmt.Errorf("%w: %s: empty", ErrLexicon, file.name)
}

func (p *lexiconParser) parse(file lexiconFile) error {
	p.file = file.name
	keywords := map[string]func(string) error{
		"inflect": p.parseInflect, "forms": p.parseForms, "class": p.parseClass, "verbs": p.parseVerbs,
		"rule": p.parseRule, "except": p.parseExcept,
		"script": p.parseScript, "elide": p.parseElide, "clitics": p.parseClitics,
	}
	first := true
	for s := range statements(file.text) {
		if first { // which languageOf has read
			first = false
			continue
		}
		p.line = s.line
		keyword, rest, _ := strings.Cut(s.text, " ")
		read, ok := keywords[keyword]
		if !ok {
			return p.errorf("unknown keyword %q", keyword)
		}
		if err := read(rest); err != nil {
			return err
		}
	}
	return nil
}

func (p *lexiconParser) parseInflect(rest string) error {
	if strings.TrimSpace(rest) != "english" {
		return p.errorf("inflection %q is not known; the only one is \"english\"", rest)
	}
	p.english = true
	return nil
}

// parseForms reads "forms BASE THIRD PAST GERUND", an irregular verb.
func (p *lexiconParser) parseForms(rest string) error {
	f := strings.Fields(rest)
	if len(f) != 4 {
		return p.errorf("forms needs four words: base, third person, past, gerund")
	}
	p.forms[f[0]] = [3]string{f[1], f[2], f[3]}
	return nil
}

// parseScript reads "script NAME…": the language is written without spaces.
func (p *lexiconParser) parseScript(rest string) error {
	names := strings.Fields(rest)
	if len(names) == 0 {
		return p.errorf("script needs the name of a script")
	}
	for _, name := range names {
		table := unicode.Scripts[name]
		switch {
		case table != nil && slices.Contains(ideographScripts, table):
			p.language.script |= runeIdeograph
		case table != nil && slices.Contains(syllabicScripts, table):
			p.language.script |= runeSyllabic
		default:
			return p.errorf("%q is not a script written without spaces", name)
		}
	}
	return nil
}

// parseElide reads "elide WORDS": words that end in an apostrophe and are written
// together with the next one.
func (p *lexiconParser) parseElide(rest string) error {
	words := strings.Fields(strings.ToLower(plainText(rest)))
	if len(words) == 0 {
		return p.errorf("elide needs words")
	}
	for _, w := range words {
		bare, ok := strings.CutSuffix(w, "'")
		if size, _ := wordLength(bare); !ok || bare == "" || size != len(bare) {
			return p.errorf("%q is not a word with an apostrophe at its end", w)
		}
		p.language.elided = append(p.language.elided, w)
	}
	return nil
}

// parseClitics reads "clitics LETTERS…".
func (p *lexiconParser) parseClitics(rest string) error {
	words := strings.Fields(strings.ToLower(plainText(rest)))
	if len(words) == 0 {
		return p.errorf("clitics needs letters")
	}
	for _, w := range words {
		if size, _ := wordLength(w); size != len(w) {
			return p.errorf("%q are not letters", w)
		}
	}
	p.language.clitics = append(p.language.clitics, words...)
	if len(p.language.clitics) > maxClitics {
		return p.errorf("more than %d clitics", maxClitics)
	}
	return nil
}

// definition splits "NAME = words" and resolves the class.
func (p *lexiconParser) definition(rest string) (name string, words []string, err error) {
	name, list, ok := strings.Cut(rest, "=")
	name = strings.TrimSpace(name)
	if !ok || name == "" || strings.ContainsAny(name, " @") {
		return "", nil, p.errorf("expected \"NAME = words\"")
	}
	words = strings.Fields(list)
	if len(words) == 0 {
		return "", nil, p.errorf("class %q has no words", name)
	}
	return name, words, nil
}

func (p *lexiconParser) parseClass(rest string) error {
	name, words, err := p.definition(rest)
	if err != nil {
		return err
	}
	class, err := p.classFor(name)
	if err != nil {
		return err
	}
	for _, word := range words {
		if err := p.addPhrase(word, class); err != nil {
			return err
		}
	}
	return nil
}

// parseVerbs fills four classes: NAME with the base forms, which may be
// imperatives, NAME.s, NAME.ed and NAME.ing with the other forms.
func (p *lexiconParser) parseVerbs(rest string) error {
	name, verbs, err := p.definition(rest)
	if err != nil {
		return err
	}
	var classes [5]int
	for i, n := range []string{name, name + ".s", name + ".ed", name + ".ing", classVerb} {
		if classes[i], err = p.classFor(n); err != nil {
			return err
		}
	}
	for _, verb := range verbs {
		for _, class := range []int{classes[0], classes[4]} {
			if err := p.addPhrase(verb, class); err != nil {
				return err
			}
		}
		if !p.english || strings.HasSuffix(verb, "*") {
			continue
		}
		for i, form := range p.inflect(verb) {
			if err := p.addPhrase(form, classes[i+1]); err != nil {
				return err
			}
		}
	}
	return nil
}

// inflect returns third person, past and gerund of an English verb; of a phrase
// such as "turn_off", of its first word.
func (p *lexiconParser) inflect(verb string) [3]string {
	head, tail := verb, ""
	if i := strings.IndexAny(verb, "_-"); i > 0 {
		head, tail = verb[:i], verb[i:]
	}
	forms, ok := p.forms[verb]
	if ok {
		return forms
	}
	if forms, ok = p.forms[head]; !ok {
		forms = inflectEnglish(head)
	}
	for i := range forms {
		forms[i] += tail
	}
	return forms
}

// class returns the number of a class, creating it; -1 when there are too many.
func (p *lexiconParser) class(name string) int {
	if c, ok := p.classes[name]; ok {
		return c
	}
	if len(p.classes) == maxClasses {
		return -1
	}
	p.classes[name] = len(p.classes)
	return p.classes[name]
}

func (p *lexiconParser) classFor(name string) (int, error) {
	c := p.class(name)
	if c < 0 {
		return 0, p.errorf("more than %d classes", maxClasses)
	}
	return c, nil
}

// addPhrase puts a phrase into a class. "_" separates the words of a phrase; "-"
// does the same and also stands for the spelling in one word.
func (p *lexiconParser) addPhrase(phrase string, class int) error {
	spellings := []string{phrase}
	if strings.Contains(phrase, "-") {
		spellings = append(spellings, strings.ReplaceAll(phrase, "-", ""))
	}
	for _, spelling := range spellings {
		words := phraseWords(spelling)
		if len(words) == 0 || len(words) > maxPhrase {
			return p.errorf("phrase %q has %d words, 1 to %d are possible", phrase, len(words), maxPhrase)
		}
		for i, w := range words {
			if err := p.checkWord(w, i > 0); err != nil {
				return err
			}
		}
		p.insert(words).addClass(class)
	}
	return nil
}

func phraseWords(phrase string) []string {
	return strings.FieldsFunc(strings.ToLower(plainText(phrase)), func(r rune) bool { return r == '_' || r == '-' || r == ' ' })
}

// checkWord refuses what the scanner never finds as a word of a text, and stems that
// nearly every text has; behind the first word of a phrase they may be shorter.
func (p *lexiconParser) checkWord(w string, later bool) error {
	bare, stem := strings.CutSuffix(w, "*")
	bare = strings.TrimSuffix(bare, "'")
	size, _ := wordLength(bare)
	letters := utf8.RuneCountInString(bare)
	switch {
	case bare == "" || size != len(bare):
		return p.errorf("%q is not a word", w)
	case letters > maxWord:
		return p.errorf("%q has %d letters, %d are possible", w, letters, maxWord)
	case stem && (letters < minStem || letters < minLatinStem && isASCII(bare) && !later):
		return p.errorf("the stem %q is too short to tell anything", w)
	}
	return nil
}

// Shortest stems, in letters.
const (
	minStem      = 2
	minLatinStem = 3
)

// insert returns the entry of a phrase, creating it.
func (p *lexiconParser) insert(words []string) *entry {
	level := &p.language.phrases
	var e *entry
	for _, w := range words {
		id, ok := p.language.words[w]
		if !ok {
			id = len(p.language.words)
			p.language.words[w] = id
		}
		if *level == nil {
			*level = map[int]*entry{}
		}
		if e = (*level)[id]; e == nil {
			e = &entry{}
			(*level)[id] = e
		}
		level = &e.next
	}
	return e
}

// parseExcept reads a phrase that is to be looked over.
func (p *lexiconParser) parseExcept(rest string) error {
	words := phraseWords(strings.Trim(rest, `" `))
	if len(words) == 0 || len(words) > maxPhrase {
		return p.errorf("an exception needs 1 to %d words", maxPhrase)
	}
	for i, w := range words {
		if err := p.checkWord(w, i > 0); err != nil {
			return err
		}
	}
	class, err := p.classFor(classExcept)
	if err != nil {
		return err
	}
	p.insert(words).addClass(class)
	return nil
}

// parseRule reads "FAMILY WEIGHT [ask] = elements".
func (p *lexiconParser) parseRule(rest string) error {
	head, body, ok := strings.Cut(rest, "=")
	f := strings.Fields(head)
	if !ok || len(f) < 2 || len(f) > 3 {
		return p.errorf("expected \"rule FAMILY WEIGHT = elements\"")
	}
	r := rule{family: Family(f[0])}
	if r.family.severity() < 0 {
		return p.errorf("family %q is not known", f[0])
	}
	weight, err := strconv.Atoi(f[1])
	if err != nil || weight < 1 || weight > 1000 {
		return p.errorf("weight %q is not a number from 1 to 1000", f[1])
	}
	r.weight = weight
	if len(f) == 3 {
		if f[2] != "ask" {
			return p.errorf("unknown modifier %q", f[2])
		}
		r.ask = true
	}
	if err := p.parseElements(&r, body); err != nil {
		return err
	}
	p.language.rules = append(p.language.rules, r)
	return nil
}

func (p *lexiconParser) parseElements(r *rule, body string) error {
	gap := 0
	for _, field := range strings.Fields(body) {
		if n, ok := strings.CutPrefix(field, ".."); ok {
			g, err := strconv.Atoi(n)
			if err != nil || g < 0 || g > maxGap {
				return p.errorf("gap %q is not ..0 to ..%d", field, maxGap)
			}
			gap = g
			continue
		}
		e, err := p.parseElement(field)
		if err != nil {
			return err
		}
		e.gap, gap = gap, 0
		r.ordered = r.ordered || slices.ContainsFunc(e.alternatives, func(a alternative) bool { return a.mood != moodAny })
		r.elements = append(r.elements, e)
	}
	switch {
	case len(r.elements) == 0 || len(r.elements) > maxElements:
		return p.errorf("a rule needs 1 to %d elements", maxElements)
	case r.elements[0].optional || r.elements[0].gap > 0:
		return p.errorf("the first element can be neither optional nor after a gap")
	case gap > 0:
		return p.errorf("a gap at the end has no meaning")
	}
	return nil
}

// moodMarks are the prefixes that demand a mood, longest first.
var moodMarks = []struct {
	mark   string
	demand moodDemand
}{
	{"!!-", moodStrongProhibition}, {"!!", moodStrongOrder}, {"!-", moodProhibition}, {"!*", moodEither}, {"!", moodOrder}, {"", moodAny},
}

func cutMood(s string) (moodDemand, string) {
	for _, m := range moodMarks {
		if rest, ok := strings.CutPrefix(s, m.mark); ok {
			return m.demand, rest
		}
	}
	return moodAny, s
}

// parseElement reads "[?][^][|][<][mood]body[:]". The body is "@class", a literal
// word or phrase, or alternatives of these in parentheses, which may each have
// their own mood.
func (p *lexiconParser) parseElement(field string) (element, error) {
	var e element
	body := field
	for _, mark := range []struct {
		prefix string
		set    *bool
	}{{"?", &e.optional}, {"^", &e.start}, {"|", &e.piped}, {"<", &e.bracket}} {
		if rest, ok := strings.CutPrefix(body, mark.prefix); ok {
			*mark.set, body = true, rest
		}
	}
	body, e.colon = strings.CutSuffix(body, ":")
	demand, body := cutMood(body)
	inner, opened := strings.CutPrefix(body, "(")
	inner, closed := strings.CutSuffix(inner, ")")
	if opened != closed {
		return e, p.errorf("element %q: unbalanced parenthesis", field)
	}
	literals := map[moodDemand][]string{}
	for _, text := range strings.Split(inner, "|") {
		own, text := cutMood(text)
		if own == moodAny {
			own = demand
		}
		name, named := strings.CutPrefix(text, "@")
		if !named {
			literals[own] = append(literals[own], text)
			continue
		}
		class, err := p.usedClass(name)
		if err != nil {
			return e, err
		}
		e.add(class, own)
	}
	for own, words := range literals {
		class, err := p.literalClass(words)
		if err != nil {
			return e, err
		}
		if own != moodAny {
			if err := p.makeVerbs(words); err != nil {
				return e, err
			}
		}
		e.add(class, own)
	}
	return e, nil
}

// add puts a class among the alternatives with its mood.
func (e *element) add(class int, demand moodDemand) {
	if !slices.Contains(e.classes, class) {
		e.classes = append(e.classes, class)
	}
	i := slices.IndexFunc(e.alternatives, func(a alternative) bool { return a.mood == demand })
	if i < 0 {
		i = len(e.alternatives)
		e.alternatives = append(e.alternatives, alternative{mood: demand})
	}
	e.alternatives[i].any.add(class)
}

// usedClass returns a class that a rule refers to, and notes the place for the
// error about a class that stays without words.
func (p *lexiconParser) usedClass(name string) (int, error) {
	if name == "" {
		return 0, p.errorf("a class needs a name after @")
	}
	if _, ok := p.used[name]; !ok {
		p.used[name] = p.line
	}
	return p.classFor(name)
}

// literalClass makes a class of the words a rule names itself. "=" cannot occur in
// the name of a class, so it does not meet any other.
func (p *lexiconParser) literalClass(words []string) (int, error) {
	class, err := p.classFor("=" + strings.Join(words, "|"))
	if err != nil {
		return 0, err
	}
	for _, word := range words {
		if err := p.addPhrase(word, class); err != nil {
			return 0, err
		}
	}
	return class, nil
}

// makeVerbs lets words take a mood: a rule that demands one of a literal word says
// thereby that it is the base form of a verb.
func (p *lexiconParser) makeVerbs(words []string) error {
	for _, word := range words {
		if err := p.addPhrase(word, p.class(classVerb)); err != nil {
			return err
		}
	}
	return nil
}

// finish checks that every class used in a rule has words and prepares the entries
// for matching.
func (p *lexiconParser) finish() error {
	var defined classSet
	p.visit(func(e *entry) {
		for _, class := range e.classes {
			defined.add(class)
		}
	})
	for name, line := range p.used {
		if !defined.has(p.classes[name]) {
			p.line = line
			return p.errorf("class %q has no words", name)
		}
	}
	p.visit(func(e *entry) {
		for name, role := range roleClasses {
			if class, ok := p.classes[name]; ok && slices.Contains(e.classes, class) {
				e.roles |= role
			}
		}
	})
	_, p.language.moods = p.classes[classReader]
	p.dropClasses()
	return nil
}

// dropClasses takes from the entries the classes that no rule asks for: those that are
// there for the roles they give.
func (p *lexiconParser) dropClasses() {
	var asked classSet
	for i := range p.language.rules {
		for j := range p.language.rules[i].elements {
			for _, class := range p.language.rules[i].elements[j].classes {
				asked.add(class)
			}
		}
	}
	p.visit(func(e *entry) {
		e.phrase = len(e.classes) > 0
		e.classes = slices.DeleteFunc(e.classes, func(class int) bool { return !asked.has(class) })
		for _, class := range e.classes {
			e.sketch.add(class)
		}
		for _, word := range slices.Sorted(maps.Keys(e.next)) {
			e.followers = append(e.followers, follower{word: word, entry: e.next[word]})
		}
	})
}

func (p *lexiconParser) visit(f func(*entry)) {
	f(p.language.address)
	f(p.language.number)
	var walk func(map[int]*entry)
	walk = func(words map[int]*entry) {
		for _, e := range words {
			f(e)
			walk(e.next)
		}
	}
	walk(p.language.phrases)
}
