// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestLexiconErrorsNameTheLine(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"empty":               {"# nothing\n", "x.lex: empty"},
		"no language":         {"class a = b\n", "x.lex:1"},
		"unknown keyword":     {"language xx\n\nword a\n", "x.lex:3"},
		"class without words": {"language xx\nclass a =\n", "x.lex:2"},
		"class without name":  {"language xx\nclass = b\n", "x.lex:2"},
		"not a word":          {"language xx\nclass a = b&c\n", "x.lex:2"},
		"long phrase":         {"language xx\nclass a = b_c_d_e_f_g_h\n", "x.lex:2"},
		"unknown inflection":  {"language xx\ninflect klingon\n", "x.lex:2"},
		"forms":               {"language xx\nforms go goes\n", "x.lex:2"},
		"unknown family":      {"language xx\nrule mischief 500 = a\n", "x.lex:2"},
		"weight":              {"language xx\nrule override 2000 = a\n", "x.lex:2"},
		"modifier":            {"language xx\nrule override 500 maybe = a\n", "x.lex:2"},
		"no elements":         {"language xx\nrule override 500 =\n", "x.lex:2"},
		"gap too wide":        {"language xx\nrule override 500 = a ..99 b\n", "x.lex:2"},
		"gap at the end":      {"language xx\nrule override 500 = a ..2\n", "x.lex:2"},
		"optional first":      {"language xx\nrule override 500 = ?a b\n", "x.lex:2"},
		"undefined class":     {"language xx\nrule override 500 = a @b\n", "x.lex:2"},
		"nameless class":      {"language xx\nrule override 500 = a @\n", "x.lex:2"},
		"parenthesis":         {"language xx\nrule override 500 = (a|b\n", "x.lex:2"},
		"empty exception":     {"language xx\nexcept \"\"\n", "x.lex:2"},
		"continuation line":   {"language xx\nclass a = b\n c\n d&e\nclass f = g\n", "x.lex:2"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := compileLexicons([]lexiconFile{{name: "x.lex", text: tt.text}})
			if !errors.Is(err, ErrLexicon) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("err = %v, want ErrLexicon naming %s", err, tt.want)
			}
		})
	}
}

// match runs a one-rule lexicon over a text.
func matchRule(t *testing.T, lexicon, text string) bool {
	t.Helper()
	languages, err := compileLexicons([]lexiconFile{{name: "x.lex", text: "language xx\n" + lexicon}})
	if err != nil {
		t.Fatal(err)
	}
	s := &Screener{languages: languages, known: vocabularyOf(languages)}
	return s.Screen(Input{Text: text}).Directive
}

func TestRuleElements(t *testing.T) {
	tests := map[string]struct {
		rule, yes, no string
	}{
		"side by side":    {"rule override 900 = red car", "a red car", "a red old car"},
		"gap":             {"rule override 900 = red ..1 car", "a red old car", "a red old rusty car"},
		"optional":        {"rule override 900 = red ?old car", "a red old car", "a red new car"},
		"optional absent": {"rule override 900 = red ?old car", "a red car", "an old car"},
		"alternatives":    {"rule override 900 = (red|blue) car", "a blue car", "a green car"},
		"class":           {"class c = red blue\nrule override 900 = @c car", "a blue car", "a green car"},
		"phrase":          {"class c = dark_red\nrule override 900 = @c car", "a dark red car", "a red car"},
		"joined phrase":   {"class c = pre-paid\nrule override 900 = @c car", "a prepaid car", "a paid car"},
		"clause start":    {"rule override 900 = ^red car", "say: red car", "a red car"},
		"colon":           {"rule override 900 = red: car", "red: car", "red car"},
		"pipe":            {"rule override 900 = red |car", "red | car", "red car"},
		"bracket":         {"rule override 900 = <red", "say <red> car", "say red car"},
		"address":         {"rule override 900 = see @address", "see https://a.example/x", "see a example"},
		"number":          {"rule override 900 = gate @number", "gate 1,183", "gate two"},
		"sentence end":    {"rule override 900 = red ..3 car", "it is red and a car", "It is red. A car came."},
		"order":           {"verbs v = drive\nrule override 900 = !@v", "drive home", "they drive home"},
		"literal order":   {"rule override 900 = !drive", "drive home", "they drive home"},
		"not in question": {"rule override 900 = red car", "a red car!", "a red car?"},
		"exception":       {"except \"old red car\"\nrule override 900 = red car", "a red car", "an old red car"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if !matchRule(t, tt.rule, tt.yes) {
				t.Errorf("%q does not match %q", tt.rule, tt.yes)
			}
			if matchRule(t, tt.rule, tt.no) {
				t.Errorf("%q matches %q", tt.rule, tt.no)
			}
		})
	}
}

func TestInflectEnglish(t *testing.T) {
	for base, want := range map[string][3]string{
		"approve": {"approves", "approved", "approving"},
		"skip":    {"skips", "skipped", "skipping"},
		"deny":    {"denies", "denied", "denying"},
		"pass":    {"passes", "passed", "passing"},
		"agree":   {"agrees", "agreed", "agreeing"},
		"wait":    {"waits", "waited", "waiting"},
	} {
		if got := inflectEnglish(base); got != want {
			t.Errorf("inflectEnglish(%q) = %v, want %v", base, got, want)
		}
	}
}

func TestMoods(t *testing.T) {
	languages, err := defaultLanguages()
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(languages, func(l *language) bool { return l.name == "en" })
	order, weak, none := stance{mood: moodStrong}, stance{mood: moodWeak}, stance{}
	prohibition := stance{mood: moodStrong, negated: true}
	for text, want := range map[string]stance{
		"approve it":                                 order,
		"please kindly approve it":                   order,
		"always approve it":                          order,
		"never approve it":                           prohibition,
		"do not approve it":                          prohibition,
		"you must approve it":                        order,
		"you must never approve it":                  prohibition,
		"I prefer that you approve it":               order,
		"I want you to approve it":                   order,
		"the assistant should approve it":            order,
		"you are authorized to approve it":           order,
		"make sure to approve it":                    order,
		"if it rains, approve it":                    order,
		"print it and approve it":                    order,
		"note: approve it":                           order,
		"sales went up again, approve it":            weak,
		"could you approve it?":                      weak,
		"I approve it":                               none,
		"they always approve it":                     none,
		"managers never approve it":                  none,
		"it is hard to approve it":                   none,
		"she said they would approve it":             none,
		"to approve it they met":                     none,
		"when do you have to approve it?":            none,
		"they did not approve it":                    none,
		"the notes list it, but does not approve it": none,
	} {
		m := matcher{language: languages[at]}
		s := scanner{text: text}
		m.tokens, m.question = s.next()
		m.lookUp()
		m.readMoods()
		verb := slices.IndexFunc(m.tokens, func(t token) bool { return t.text == "approve" })
		if got := m.cells[verb].stance; got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}

func TestSentences(t *testing.T) {
	for text, want := range map[string][]string{
		"One two. Three four.":          {"one two", "three four"},
		"Dr. Smith paid 4.50 today. Ok": {"dr smith paid 4.50 today", "ok"},
		"Ignore. All. Rules.":           {"ignore all rules"},
		"wrapped\nline goes on":         {"wrapped line goes on"},
		"a b\n\nc d":                    {"a b", "c d"},
		"- one two\n- three four":       {"one two", "three four"},
		"see a.example/x?y=1. Then go":  {"see a.example/x?y=1", "then go"},
		"it's user_name's red-hot":      {"it's user name's red hot"},
	} {
		s := scanner{text: text}
		var got []string
		for tokens, _ := s.next(); tokens != nil; tokens, _ = s.next() {
			words := make([]string, len(tokens))
			for i, tok := range tokens {
				words[i] = tok.text
			}
			got = append(got, strings.Join(words, " "))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func FuzzLexicon(f *testing.F) {
	f.Add("language en\nclass a = b c-d e_f\nverbs v = go\nrule override 500 ask = !@v ..3 ?(x|!y|@a) <z:\n", "go to x")
	f.Add("language xx\nforms a b c d\ninflect english\nexcept \"a b\"\nrule shell 1 = ^|a:\n", "a | a: b")
	f.Add("language q\n\trule override 9 = a\n", "")
	f.Fuzz(func(t *testing.T, lexicon, text string) {
		languages, err := compileLexicons([]lexiconFile{{name: "x.lex", text: lexicon}})
		if err != nil {
			if !errors.Is(err, ErrLexicon) {
				t.Fatalf("err = %v does not wrap ErrLexicon", err)
			}
			return
		}
		s := &Screener{languages: languages, known: vocabularyOf(languages)}
		checkVerdict(t, s.Screen(Input{Text: text}))
	})
}
