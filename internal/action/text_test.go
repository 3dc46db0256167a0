// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package action

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

func number(s string) json.Number { return json.Number(s) }

func TestNamesStrings(t *testing.T) {
	for name, tt := range map[string]struct {
		value, text string
		want        bool
	}{
		"a word":                       {"Bob", "Send it to bob, please", true},
		"in other case":                {"ALICE SMITH", "for Alice Smith", true},
		"over a line":                  {"Alice Smith", "for Alice\n  Smith", true},
		"an address":                   {"bob@example.com", "Mail (bob@example.com).", true},
		"in brackets":                  {"bob@example.com", "Bob <bob@example.com>", true},
		"a URL":                        {"https://example.com/a?b=c", "see https://example.com/a?b=c!", true},
		"a sentence":                   {"Hello, world!", "Write: Hello, world! Then stop.", true},
		"a possessive":                 {"Alice", "to Alice's account", true},
		"an emoji beside":              {"bob", "👍bob👍", true},
		"Markdown":                     {"bob", "to **bob**", true},
		"composed otherwise":           {"Jose\u0301", "to José", true},
		"wide characters":              {"ＢＯＢ", "to bob", true},
		"the German sz":                {"STRASSE 5", "straße 5", true},
		"Chinese around Latin":         {"bob@example.com", "给bob@example.com谢谢", true},
		"Han before Hiragana":          {"田中", "田中に送って", true},
		"part of a word":               {"bob", "bobby", false},
		"part of an address":           {"example.com", "bob@example.com", false},
		"part of a domain":             {"bob@evil.example", "bob@evil.example.org", false},
		"another domain":               {"evil.example", "not-evil.example", false},
		"part of a path":               {"https://example.com/", "https://example.com/pay", false},
		"part of a query":              {"https://example.com/a", "https://example.com/a?b=c", false},
		"part of a file name":          {"/etc/passwd", "/etc/passwd.bak", false},
		"before a plus":                {"bob", "bob+x@example.com", false},
		"part of a Han name":           {"王伟", "给王伟强", false},
		"a Cyrillic look-alike":        {"раypal.com", "paypal.com", false},
		"a Greek look-alike":           {"Αlice", "to Alice", false},
		"a dotless i":                  {"bıll", "bill", false},
		"a zero for an o":              {"b0b", "bob", false},
		"an invisible space":           {"bo\u200bb", "bob", false},
		"something invisible behind":   {"bob", "bob\u200bby", false},
		"a soft hyphen":                {"bob", "bob\u00adby", false},
		"a dash for a hyphen":          {"evil–corp", "evil-corp", false},
		"nothing":                      {"", "anything", false},
		"spaces":                       {"  ", "a  b", false},
		"signs only":                   {"*", "* a list", false},
		"a slash":                      {"/", "a / b", false},
		"approval of something else":   {"eve@evil.example", "ok, continue", false},
		"an amount in it":              {"100", "ok, continue", false},
		"an account":                   {"DE89370400440532013000", "to DE89 3704 0044 0532 0130 00 now", true},
		"an account in groups":         {"DE89 3704 0044 0532 0130 00", "to DE89370400440532013000.", true},
		"an account with dashes":       {"de89-3704-0044-0532-0130-00", "DE89 3704 0044 0532 0130 00", true},
		"a British account":            {"GB29NWBK60161331926819", "to GB29 NWBK 6016 1331 9268 19", true},
		"a card":                       {"4111111111111111", "my card 4111-1111-1111-1111", true},
		"a telephone":                  {"+49301234567", "call +49 30 1234567 today", true},
		"an order":                     {"A12B34C56", "order A12-B34-C56", true},
		"part of an account":           {"3704 0044 0532 0130 00", "to DE89 3704 0044 0532 0130 00", false},
		"part of an account, together": {"370400440532013000", "to DE89 3704 0044 0532 0130 00", false},
		"a group of an account":        {"0532", "to DE89 3704 0044 0532 0130 00", false},
		"an account and its beginning": {"DE89370400440532", "to DE89 3704 0044 0532 0130 00", false},
		"another account":              {"DE89370400440532013001", "to DE89 3704 0044 0532 0130 00", false},
		"an account cut from a longer": {"12345678", "no. 123456789", false},
		"an account within a word":     {"123456", "DE123456", false},
		"one of two accounts":          {"1234-5678", "from 12345678 20261101", true},
		"after as much as is an IBAN":  {"1111 2222 3333", "aa11" + strings.Repeat(" 1111", 8) + " 2222 3333", true},
		"an amount before an account":  {"250", "pay 250 DE89 3704 0044 0532 0130 00", true},
		"a date":                       {"2026-11-01", "on 2026-11-01 at 10", true},
		"part of a date":               {"2026-11", "on 2026-11-01", false},
		"an amount as a string":        {"100.00", "pay 100 euros", true},
		"a string of zeros":            {"0100", "pay 100 euros", false},
		"a negative string":            {"-100000", "pay 100000 euros", false},
		"a long value":                 {strings.Repeat("x", maxTextBytes+1), strings.Repeat("x", maxTextBytes+1), false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Grounded(tt.value, tt.text); got != tt.want {
				t.Errorf("%q in %q is %v", tt.value, tt.text, got)
			}
		})
	}
}

func TestNamesNumbers(t *testing.T) {
	for name, tt := range map[string]struct {
		value, text string
		want        bool
	}{
		"plain":                          {"100", "pay 100 euros", true},
		"with cents":                     {"100", "pay 100.00", true},
		"with cents in the call":         {"100.00", "pay 100", true},
		"as an exponent":                 {"1e2", "pay 100", true},
		"thousands":                      {"1000", "pay 1,000", true},
		"thousands and cents":            {"1000", "pay 1,000.00", true},
		"German thousands and cents":     {"1000", "1.000,00 Euro", true},
		"German cents":                   {"12.5", "12,50 Euro", true},
		"Swiss thousands":                {"1234567.5", "1'234'567.50 Franken", true},
		"typographic apostrophes":        {"1000000", "1’000’000", false},
		"French thousands":               {"12000", "12\u202f000 euros", true},
		"millions":                       {"1234567", "1,234,567 units", true},
		"German millions":                {"1234567", "1.234.567 Stück", true},
		"with a sign of money":           {"100", "$100, please", true},
		"with a sign of money behind":    {"100", "100€", true},
		"per cent":                       {"15", "15% off", true},
		"at the end":                     {"100", "pay 100.", true},
		"negative":                       {"-5", "set it to -5", true},
		"negative with another sign":     {"-5", "set it to \u22125", true},
		"zero":                           {"0", "set it to 0", true},
		"a fraction":                     {"0.125", "factor 0.125", true},
		"a German fraction":              {"0.125", "Faktor 0,125", true},
		"and not its digits":             {"125", "Faktor 0,125", false},
		"a long German fraction":         {"1234.567", "1234,567 Liter", true},
		"after what begins like an IBAN": {"500", "gate ab12 near 500 north", true},
		"in Chinese":                     {"100", "转账100元", true},
		"wide digits":                    {"100", "pay １００", true},
		"in an account":                  {"12", "DE1234", false},
		"in a word":                      {"100", "100k", false},
		"in a larger number":             {"100", "pay 1,100", false},
		"the cents":                      {"50", "pay 12.50", false},
		"the thousands":                  {"1", "pay 1,000", false},
		"in a group of an account":       {"532", "to DE89 3704 0044 0532 0130 00", false},
		"in a group without zeros":       {"3704", "to DE89 3704 0044 0532 0130 00", false},
		"a thousand times as much":       {"1500", "send 1.500 BTC", false},
		"what it says":                   {"1.5", "send 1.500 BTC", true},
		"German, as another amount says": {"1500", "1.500 Euro, davon 12,50 sofort", true},
		"and not the fraction":           {"1.5", "1.500 Euro, davon 12,50 sofort", false},
		"both ways at once":              {"1500", "1.500 and 12,50 and 3.75", false},
		"a range":                        {"100", "50-100", false},
		"its beginning":                  {"50", "50-100", false},
		"a date":                         {"11", "2026-11-01", false},
		"a time":                         {"30", "at 12:30", false},
		"a fraction of two":              {"2", "1/2", false},
		"a version":                      {"1.2", "v1.2", false},
		"an address of a machine":        {"10.0", "10.0.0.1", false},
		"the other sign":                 {"5", "set it to -5", false},
		"and back":                       {"-5", "set it to 5", false},
		"a negative account":             {"-123456", "account 123456", false},
		"a superscript":                  {"102", "10² square meters", false},
		"the number before it":           {"10", "10² square meters", false},
		"a fraction sign":                {"112", "1½", false},
		"ten thousands in Chinese":       {"100", "转账100万元", false},
		"leading zeros":                  {"7", "agent 007", false},
		"a name of a domain":             {"100", "100.com", false},
		"a huge exponent":                {"1e999999999", "1e999999999", false},
		"an account as a number":         {"12345678", "account 1234 5678", true},
		"nothing said":                   {"100", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Grounded(number(tt.value), tt.text); got != tt.want {
				t.Errorf("%s in %q is %v", tt.value, tt.text, got)
			}
		})
	}
}

// What has no name cannot be named.
func TestNamesNothingElse(t *testing.T) {
	const text = "true false null nil [] {} 0 1 yes no"
	for name, v := range map[string]any{
		"true": true, "false": false, "null": nil, "an empty list": []any{}, "an empty object": map[string]any{}, "a list": []any{"yes"},
	} {
		if Grounded(v, text) {
			t.Errorf("%s is grounded", name)
		}
	}
}

// A text that is longer than what is looked at is not cut within a word.
func TestTextIsBounded(t *testing.T) {
	text := strings.Repeat("a ", maxTextBytes/2-2) + "bobby and eve"
	if Grounded("bobb", text) || Grounded("eve", text) || !Grounded("a", text) {
		t.Error("the end of a long text was cut within a word, or was looked at")
	}
}

func TestQueryHasTheFormsOfAValue(t *testing.T) {
	for name, tt := range map[string]struct {
		value any
		want  []string
	}{
		"account": {"DE89-3704-0044", []string{"de8937040044", "de89 3704 0044"}},
		"number":  {number("1234567.50"), []string{"1234567.50", "1,234,567", "1.234.567", "1234567,50"}},
		"small":   {number("12"), []string{"12"}},
		"words":   {"Alice Smith", []string{"alice smith"}},
	} {
		query := Query(tt.value)
		for _, want := range tt.want {
			if !strings.Contains(query, want) {
				t.Errorf("%s: query %q lacks %q", name, query, want)
			}
		}
	}
	if len(Query(strings.Repeat("x y ", 10000))) > 3*maxQueryBytes || Query(true) != "" {
		t.Error("a query is too long, or asks for what has no name")
	}
}

func FuzzGrounded(f *testing.F) {
	for _, seed := range [][2]string{
		{"bob@example.com", "mail bob@example.com."}, {"DE89 3704 0044 0532 0130 00", "de89370400440532013000"}, {"100", "1.000,00 and 1,000"},
		{"1", "1'1,1.1"}, {"田中", "田中に100万"}, {"a-", "a--a"}, {"x²", "x²"}, {"\u00ad", "a\u00adb"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, value, text string) {
		prepared := NewText(text)
		named := prepared.Names(value)
		if named && strings.TrimSpace(fold(value)) == "" {
			t.Fatalf("%q is named by %q", value, text)
		}
		// Whatever is said stands in what was said, between words of their own.
		if whole := fold(value); named && !NewText("before, "+value+" , after").Names(value) && isASCII(whole) {
			t.Fatalf("%q is not named when it is quoted", value)
		}
		if n, ok := jsonDecimal(value); ok {
			_ = prepared.Names(json.Number(value))
			if again, ok := jsonDecimal(value + "e0"); ok && !strings.ContainsAny(value, "eE") && again != n {
				t.Fatalf("%q is not itself", value)
			}
		}
		// Words that were not said are not named.
		if prepared.Names("zqx"+value+"zqx") && !strings.Contains(fold(text), "zqx") {
			t.Fatalf("%q was not said in %q", value, text)
		}
	})
}

// Folding piece by piece gives what folding the whole would.
func FuzzFold(f *testing.F) {
	for _, seed := range []string{"Straße", "A\u0301 e\u0301\u0302x", "ﾊﾞ x\u3099", "a\u00a0\u2009b\u3000c\u2028d", "ＡＢ１²½Ⅻ", "İI\u0307", " x  y ", "\u0345a\u0345", "a\u0300b\u0316"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if strings.ContainsFunc(s, isOtherNumber) || !utf8.ValidString(s) || strings.ContainsAny(s, "\u00a0\u202f\u2009") {
			return
		}
		want := strings.Join(strings.Fields(norm.NFKC.String(cases.Fold().String(norm.NFKC.String(s)))), " ")
		if got := fold(s); got != want {
			t.Errorf("%q becomes %q, want %q", s, got, want)
		}
	})
}
