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
		"stem too short":      {"language xx\nclass a = ab*\n", "x.lex:2"},
		"star inside":         {"language xx\nclass a = ab*cde\n", "x.lex:2"},
		"word too long":       {"language xx\nclass a = " + strings.Repeat("ab", 30) + "\n", "x.lex:2"},
		"two scripts":         {"language xx\nscript Han\nclass a = api密钥\n", "x.lex:3"},
		"no script":           {"language xx\nscript\n", "x.lex:2"},
		"unknown script":      {"language xx\nscript Klingon\n", "x.lex:2"},
		"script with spaces":  {"language xx\nscript Latin\n", "x.lex:2"},
		"elide":               {"language xx\nelide le\n", "x.lex:2"},
		"elide nothing":       {"language xx\nelide '\n", "x.lex:2"},
		"clitics":             {"language xx\nclitics +\n", "x.lex:2"},
		"too many clitics":    {"language xx\nclitics" + strings.Repeat(" b", 25) + "\n", "x.lex:2"},
		"exception":           {"language xx\nexcept a&b\n", "x.lex:2"},
		"too large":           {"language xx\n" + strings.Repeat("# comment\n", 110_000), "x.lex: 1"},
		"continuation line":   {"language xx\nclass a = b\n c\n d&e\nclass f = g\n", "x.lex:2"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := newLexicon([]lexiconFile{{name: "x.lex", text: tt.text}})
			if !errors.Is(err, ErrLexicon) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("err = %v, want ErrLexicon naming %s", err, tt.want)
			}
		})
	}
}

// screenerOf returns a Screener with nothing but the given lexicons.
func screenerOf(t *testing.T, texts ...string) *Screener {
	t.Helper()
	files := make([]lexiconFile, len(texts))
	for i, text := range texts {
		files[i] = lexiconFile{name: "x.lex", text: text}
	}
	words, err := newLexicon(files)
	if err != nil {
		t.Fatal(err)
	}
	thresholds, err := Thresholds{}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	return &Screener{lexicon: words, thresholds: thresholds}
}

// matchRule runs a one-rule lexicon over a text.
func matchRule(t *testing.T, lexicon, text string) bool {
	t.Helper()
	return screenerOf(t, "language xx\n"+lexicon).Screen(Input{Text: text}).Directive
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
	words, err := defaultLexicon()
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(words.languages, func(l *language) bool { return l.name == "en" })
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
		m := newMatcher(words.languages[at])
		var s scanner
		s.open(text, words.index)
		m.tokens, m.question = s.next()
		m.lookUp()
		m.readMoods()
		verb := slices.IndexFunc(m.tokens, func(t token) bool { return text[t.start:t.end] == "approve" })
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
				words[i] = strings.ToLower(text[tok.start:tok.end])
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
	f.Add("language zz\nscript Han Thai\nelide l'\nclitics b\nclass a = 不要 stem* l'_x\nrule override 900 = @a ..2 付款\n", "请不要付款 bstemming")
	f.Add("language q\n\trule override 9 = a\n", "")
	f.Fuzz(func(t *testing.T, lexicon, text string) {
		words, err := newLexicon([]lexiconFile{{name: "x.lex", text: lexicon}})
		if err != nil {
			if !errors.Is(err, ErrLexicon) {
				t.Fatalf("err = %v does not wrap ErrLexicon", err)
			}
			return
		}
		thresholds, err := Thresholds{}.withDefaults()
		if err != nil {
			t.Fatal(err)
		}
		s := &Screener{lexicon: words, thresholds: thresholds}
		checkVerdict(t, s.Screen(Input{Text: text}))
	})
}

// A lexicon as large as allowed loads in linear time, whatever it consists of.
func BenchmarkLexiconFlood(b *testing.B) {
	for name, unit := range map[string]string{
		"continuation":  " a\n",
		"classes":       "class a = b\n",
		"rules":         "rule override 900 = red ..2 car\n",
		"exceptions":    "except \"a b c\"\n",
		"alternatives":  "rule override 900 = (a|b|c|d|e|f|g|h|i|j|k|l|m) ..3 (a|b|c)\n",
		"blank":         "\n",
		"comment marks": "#",
	} {
		text := "language xx\nclass x = y\n" + strings.Repeat(unit, (maxLexicon-100)/len(unit))
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := newLexicon([]lexiconFile{{name: "x.lex", text: text}}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
