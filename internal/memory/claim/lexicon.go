// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package claim

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"memorytrust.dev/operator/internal/memory/fold"
)

//go:embed lexicon/contradiction.txt
var lexiconText string

// role is what a word can mean to the contradiction scan; the file lexicon/contradiction.txt says what each is for.
type role string

const (
	roleStop       role = "stop"
	roleChange     role = "change"
	roleNegation   role = "negation"
	roleOpposite   role = "opposite"
	roleWeekday    role = "weekday"
	roleMonth      role = "month"
	roleAM         role = "am"
	rolePM         role = "pm"
	roleClock      role = "clock"
	roleCurrency   role = "currency"
	roleIdentifier role = "identifier"
	roleEvent      role = "event"
	roleEnding     role = "ending"

	// Of statements that name somebody. These lists are compared with accents, but office and common.
	roleLink      role = "link"
	rolePast      role = "past"
	roleAgent     role = "agent"
	roleAuxiliary role = "auxiliary"
	roleArticle   role = "article"
	roleOwner     role = "owner"
	roleOffice    role = "office"
	roleSeveral   role = "several"
	roleTitle     role = "title"
	roleCommon    role = "common"
)

// language is the words of one language. Keys are folded.
type language struct {
	name      string
	roles     map[role]map[string]string // word to what it stands for: the number of a weekday, the code of a currency
	opposites map[string]map[string]bool
	endings   []string
	naming    map[role]map[string]bool // lists for statements that name somebody, in lower case
	shapes    map[role]wordShapes      // office and common among them, folded
	longest   int                      // runes of the longest word, for scripts without spaces
}

// wordShapes is a list that has beginnings and endings of words besides whole ones.
type wordShapes struct {
	whole        map[string]bool
	begins, ends []string
}

// latinLanguages are told apart by their words; every other one is known by its script. The first wins a tie.
var latinLanguages = []string{"en", "fr", "es", "de", "pt", "it", "nl"}

var languages = mustParseLexicon(lexiconText)

func mustParseLexicon(text string) map[string]*language {
	out, err := parseLexicon(text)
	if err != nil {
		panic("lexicon/contradiction.txt: " + err.Error()) // part of the binary: a test loads it
	}
	return out
}

func parseLexicon(text string) (map[string]*language, error) {
	out := map[string]*language{}
	shared := map[role][]string{} // such as currencies, which belong to every language
	for n, line := range strings.Split(text, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		head, words, found := strings.Cut(line, ":")
		what, lang, named := strings.Cut(head, " ")
		if !found || !named {
			return nil, fmt.Errorf("line %d is no list", n+1)
		}
		if lang == "xx" {
			shared[role(what)] = strings.Fields(words)
			continue
		}
		if out[lang] == nil {
			out[lang] = &language{name: lang, roles: map[role]map[string]string{}, opposites: map[string]map[string]bool{},
				naming: map[role]map[string]bool{}, shapes: map[role]wordShapes{}}
		}
		if err := out[lang].add(role(what), strings.Fields(words)); err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
	}
	for _, l := range out {
		for what, words := range shared {
			if err := l.add(what, words); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

func (l *language) add(what role, words []string) error {
	switch what {
	case roleStop, roleChange, roleNegation, roleAM, rolePM, roleClock, roleIdentifier, roleEvent:
		for _, w := range words {
			l.put(what, w, w)
		}
	case roleLink, rolePast, roleAgent, roleAuxiliary, roleArticle, roleOwner, roleSeveral, roleTitle:
		l.putNaming(what, words)
	case roleOffice, roleCommon:
		l.putNaming(what, words)
		l.putShapes(what, words)
	case roleEnding:
		for _, w := range words {
			l.endings = append(l.endings, fold.Word(w))
		}
	case roleWeekday, roleMonth:
		for i, alternatives := range words {
			for _, w := range strings.Split(alternatives, "|") {
				l.put(what, w, strconv.Itoa(i+1))
			}
		}
	case roleCurrency:
		for _, pair := range words {
			w, code, _ := strings.Cut(pair, "=")
			l.put(what, w, code)
		}
	case roleOpposite:
		for _, pair := range words {
			a, b, ok := strings.Cut(pair, "/")
			if !ok {
				return fmt.Errorf("no pair with a slash: %s", pair)
			}
			l.oppose(fold.Word(a), fold.Word(b))
			l.oppose(fold.Word(b), fold.Word(a))
			l.put(what, a, a)
			l.put(what, b, b)
		}
	default:
		return fmt.Errorf("no list is called %q", what)
	}
	return nil
}

func (l *language) put(what role, word, value string) {
	if l.roles[what] == nil {
		l.roles[what] = map[string]string{}
	}
	key := fold.Word(word)
	l.roles[what][key] = value
	l.longest = max(l.longest, utf8.RuneCountInString(word))
}

func (l *language) putNaming(what role, words []string) {
	if l.naming[what] == nil {
		l.naming[what] = map[string]bool{}
	}
	for _, w := range words {
		l.naming[what][strings.ToLower(norm.NFKC.String(w))] = true
	}
}

func (l *language) putShapes(what role, words []string) {
	shapes := l.shapes[what]
	if shapes.whole == nil {
		shapes.whole = map[string]bool{}
	}
	for _, w := range words {
		begin, isBegin := strings.CutSuffix(w, "-")
		end, isEnd := strings.CutPrefix(w, "-")
		switch {
		case isBegin:
			shapes.begins = append(shapes.begins, fold.Word(begin))
		case isEnd:
			shapes.ends = append(shapes.ends, fold.Word(end))
		default:
			shapes.whole[fold.Word(w)] = true
		}
	}
	l.shapes[what] = shapes
}

func (l *language) oppose(a, b string) {
	if l.opposites[a] == nil {
		l.opposites[a] = map[string]bool{}
	}
	l.opposites[a][b] = true
}

// is returns what a folded word stands for in a role.
func (l *language) is(what role, word string) (string, bool) {
	v, ok := l.roles[what][word]
	return v, ok
}

// knows reports whether a folded word is in any list but those of endings.
func (l *language) knows(word string) bool {
	for _, words := range l.roles {
		if _, ok := words[word]; ok {
			return true
		}
	}
	return false
}

// LittleEnglish reports whether a word, in lower case, is an English one that says nothing of what a text is about: the, of.
func LittleEnglish(word string) bool {
	_, little := languages["en"].is(roleStop, word)
	return little
}

// languageOf guesses the language of a text: by the script of most letters, and among Latin ones by the words that say
// nothing else.
func languageOf(text string) *language {
	counts := map[string]int{}
	kana := false
	for _, r := range text {
		switch {
		case r < 0x370 && unicode.IsLetter(r):
			counts["latin"]++
		case unicode.Is(unicode.Han, r):
			counts["zh"]++
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			counts["zh"]++
			kana = true
		case unicode.Is(unicode.Hangul, r):
			counts["ko"]++
		case unicode.Is(unicode.Cyrillic, r):
			counts["ru"]++
		case unicode.Is(unicode.Arabic, r):
			counts["ar"]++
		case unicode.Is(unicode.Devanagari, r):
			counts["hi"]++
		case unicode.Is(unicode.Thai, r):
			counts["th"]++
		}
	}
	best := "latin"
	for _, lang := range []string{"zh", "ko", "ru", "ar", "hi", "th"} {
		weight := 2 // a name in Latin letters outweighs many signs of these scripts
		if counts[lang]*weight > counts[best] {
			best = lang
		}
	}
	switch {
	case best == "zh" && kana:
		return languages["ja"]
	case best != "latin":
		return languages[best]
	}
	return latinLanguage(text)
}

func latinLanguage(text string) *language {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
	best, most := languages[latinLanguages[0]], 0
	for _, name := range latinLanguages {
		l, hits := languages[name], 0
		for _, w := range words {
			w = fold.Word(w)
			if _, ok := l.is(roleStop, w); ok {
				hits++
			} else if _, ok := l.is(roleNegation, w); ok {
				hits++
			} else if _, ok := l.is(roleWeekday, w); ok {
				hits++
			}
		}
		if hits > most {
			best, most = l, hits
		}
	}
	return best
}
