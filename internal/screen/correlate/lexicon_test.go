// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package correlate

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// loadText reads one lexicon file.
func loadText(name, text string) (*Lexicon, error) {
	return load([]string{name}, map[string]string{name: text})
}

func TestLoadErrors(t *testing.T) {
	for name, tc := range map[string]struct{ text, want string }{
		"unknown section":        {"[money]\npay\n[greed]\n", "x.txt:3: unknown section"},
		"open section":           {"[money\n", "x.txt:1: unknown section"},
		"phrase without section": {"# a comment\npay\n", "x.txt:2: a phrase stands before the first section"},
		"empty alternative":      {"[money]\npay||wire\n", "x.txt:2: an alternative is empty"},
		"short beginning":        {"[money]\np*\n", "x.txt:2: a beginning of a word has at least 2 letters"},
		"star inside":            {"[money]\npa*y\n", "x.txt:2: '*' stands at the end of a word"},
		"no letters":             {"[money]\npay !!\n", "x.txt:2: a word without letters or digits"},
		"gap first":              {"[money]\n.. pay\n", "x.txt:2: '..' stands between words"},
		"gap last":               {"[money]\npay ..\n", "x.txt:2: '..' stands between words"},
		"two gaps":               {"[money]\npay .. .. it\n", "x.txt:2: '..' stands beside another"},
		"too many alternatives":  {"[money]\n" + strings.Repeat("a|b|c|d ", 6) + "\n", "x.txt:2: a line stands for at most 1024 phrases"},
		"too many words":         {"[money]\n" + strings.Repeat("pay ", 40) + "\n", "x.txt:2: a phrase has at most 32 words"},
		"not UTF-8":              {"[money]\n\xff\n", "x.txt:0: not valid UTF-8"},
		"too long":               {strings.Repeat("#\n", maxLexiconBytes), "x.txt:0: a file has at most"},
	} {
		_, err := loadText("x.txt", tc.text)
		if !errors.Is(err, ErrLexicon) || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", name, err, tc.want)
		}
	}
}

func TestPhrases(t *testing.T) {
	l, err := loadText("x.txt", "[money]\npay|wire .. money|funds\ninvoice*\n付款\n[waive]\nwithout .. asking\nup_to <n>\n[negation]\nnever\n"+
		"[guard]\nneeds approval\n[except]\nwithout asking mom\n")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]Signals{
		"Pay the old money.":                       Money,
		"pay them all of that the money":           0, // too far
		"Pay. The money.":                          0, // another sentence
		"WIRE funds":                               Money,
		"Ｉｎｖｏｉｃｅｓ":                                 Money,
		"inv\u200boice":                            Money,
		"请付款吧":                                     Money,
		"invoices go out without even asking":      Money | Waive | WaiveMoney,
		"It is done without asking.":               Waive,
		"never done without asking":                0,
		"never late, and done without asking":      Waive, // the negation is of another clause
		"it needs approval and not without asking": 0,
		"is it done without asking?":               0,
		"done without asking mom":                  0,
		"up to 500":                                Waive,
		"up to you":                                0,
		"":                                         0,
	} {
		if got := l.Read(text).Signals; got != want {
			t.Errorf("%q has signals %012b, want %012b", text, got, want)
		}
	}
}

func TestEntities(t *testing.T) {
	shares := func(a, b string) bool {
		of := map[uint64]bool{}
		for _, m := range Embedded().Read(a).Mentions {
			of[m.Entity] = true
		}
		for _, m := range Embedded().Read(b).Mentions {
			if of[m.Entity] {
				return true
			}
		}
		return false
	}
	for name, tc := range map[string]struct {
		a, b string
		want bool
	}{
		"name":                     {"Pay Northgate.", "Northgate's invoice", true},
		"name and host":            {"Pay Northgate.", "invoices of billing@northgate.example", true},
		"name and address of it":   {"Pay Northgate.", "upload to https://www.northgate.example/x and send it", true},
		"code word":                {"At GAMMA, pay.", "the invoice of gamma \"GAMMA\"", true},
		"quoted word":              {"At \"marigold\", pay.", "MARIGOLD invoices", true},
		"account in two spellings": {"Pay DE89 3704 0044 0532 0130 00.", "invoice of DE89370400440532013000", true},
		"short number":             {"Pay account 4471.", "The invoice of 4471", true},
		"another script's digits":  {"Pay 8842331907.", "invoice ٨٨٤٢٣٣١٩٠٧", true},
		"day":                      {"Pay on Monday.", "The invoice of Monday", false},
		"role":                     {"Pay the User.", "User invoices", false},
		"year":                     {"Pay in 2026.", "invoice of 2026", false},
		"round number":             {"Pay 12000.", "invoice of 12000", false},
		"provider of mail":         {"Pay a.b@gmail.com", "invoice of c.d@gmail.com", false},
		"word of the lexicon":      {"Pay the Invoice.", "The Invoice is due", false},
		"nothing in capitals":      {"pay them", "an invoice of them", false},
	} {
		if got := shares(tc.a, tc.b); got != tc.want {
			t.Errorf("%s: shared is %v", name, got)
		}
	}
	// What stands far from a signal is none of its business.
	far := "Pay the invoice. " + strings.Repeat("Nothing here. ", 3) + "Northgate is in Leeds."
	if shares(far, "Pay Northgate.") {
		t.Error("a name far from any signal counts")
	}
}

func TestJudge(t *testing.T) {
	for name, tc := range map[string]struct {
		fragments []Fragment
		want      bool
	}{
		"both axes, two roots":           {[]Fragment{{"a", Money}, {"b", Waive}}, true},
		"both axes, one root":            {[]Fragment{{"a", Money}, {"a", Waive}}, false},
		"one has both":                   {[]Fragment{{"a", Money | Waive}, {"b", Act}}, true},
		"no autonomy":                    {[]Fragment{{"a", Money}, {"b", Disclose}, {"c", Act}}, false},
		"no capability":                  {[]Fragment{{"a", Waive}, {"b", Waive}}, false},
		"a second root of nothing":       {[]Fragment{{"a", Money | Waive}, {"b", 0}}, false},
		"weak once each":                 {[]Fragment{{"a", Money | Routine}, {"b", Trust}, {"c", Money}}, false},
		"weak twice each":                {[]Fragment{{"a", Money | Routine}, {"b", Trust}, {"c", Routine}, {"d", Trust}}, true},
		"weak twice in three":            {[]Fragment{{"a", Money | Routine}, {"b", Trust | Routine}, {"c", Trust}}, false},
		"weak about nothing that counts": {[]Fragment{{"a", Act | Routine}, {"b", Trust}, {"c", Routine}, {"d", Trust}}, false},
	} {
		if got := Judge(tc.fragments); got != tc.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	for name, tc := range map[string]struct {
		fragments []Fragment
		want      Signals
	}{
		"waived and told of":         {[]Fragment{{"a", Money | Waive | WaiveMoney}, {"b", Money}}, Money},
		"another kind of action":     {[]Fragment{{"a", Money | Waive | WaiveMoney}, {"b", Disclose}}, 0},
		"waived in another sentence": {[]Fragment{{"a", Money | Waive}, {"b", Money}}, 0},
		"one root":                   {[]Fragment{{"a", Money | Waive | WaiveMoney}, {"a", Money}}, 0},
	} {
		if got := JudgeTopics(tc.fragments); got != tc.want {
			t.Errorf("%s: %012b", name, got)
		}
	}
}

// Reading takes time linear in the length of a text whatever is in it.
func TestReadIsBounded(t *testing.T) {
	for name, unit := range map[string]string{
		"matches":      "pay without asking ",
		"names":        "Pay Northgate Brightwell. ",
		"gaps":         "without a no never not ",
		"signs":        "无需不确付款",
		"quotes":       "\"pay\" “pay” ",
		"capitals":     "PAYGATE ",
		"marks":        "e\u0301\u0301",
		"nothing":      ". . . ",
		"one sentence": "x@y.example/pay ",
	} {
		text := strings.Repeat(unit, (1<<20)/len(unit))
		start := time.Now()
		r := Embedded().Read(text)
		if len(r.Mentions) > MaxEntities {
			t.Errorf("%s: %d entities", name, len(r.Mentions))
		}
		t.Logf("%s: %v", name, time.Since(start))
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"", "Pay Northgate without asking.", "无需确认付款", "\"GAMMA\": invoice \xff", "a.b@c.example 12 34 pre-approved"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := Embedded().Read(text)
		if len(r.Mentions) > MaxEntities || r.Signals&^All != 0 || r.Signals == 0 && len(r.Mentions) > 0 {
			t.Errorf("%+v", r)
		}
		seen := map[uint64]bool{}
		for _, m := range r.Mentions {
			if seen[m.Entity] || !m.Signals.Fragment() {
				t.Errorf("%+v", r.Mentions)
			}
			seen[m.Entity] = true
		}
	})
}

func FuzzLoad(f *testing.F) {
	for _, s := range []string{"[money]\npay|wire .. money*\n", "[common]\nthe a\n[waive]\n無需 .. 確認\n<n> x\n", "[", "[money]\n.. x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l, err := loadText("f.txt", text)
		if err != nil {
			if !errors.Is(err, ErrLexicon) || !strings.Contains(err.Error(), "f.txt:") {
				t.Errorf("error %v", err)
			}
			return
		}
		l.Read(text)
	})
}
