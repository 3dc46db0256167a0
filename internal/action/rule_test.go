// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package action

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"memorytrust.dev/operator/internal/memory"
)

// rules compiles what a test says; authority and otherwise are filled in.
func rules(t testing.TB, list ...Rule) *Rules {
	t.Helper()
	for i := range list {
		if list[i].Authority == "" {
			list[i].Authority = memory.Inform
		}
		if list[i].Otherwise == "" {
			list[i].Otherwise = RequireApproval
		}
	}
	out, err := Compile(list)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func object(t testing.TB, text string) map[string]any {
	t.Helper()
	out, err := ParseObject([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestMatch(t *testing.T) {
	r := rules(t,
		Rule{Name: "small", Tools: []string{"pay_*"}, When: "args.amount <= 50", Authority: memory.Act},
		Rule{Name: "domain", Tools: []string{"mail_send"}, When: "args.to.all(a, a.endsWith('@example.com'))"},
		Rule{Name: "urgent", Tools: []string{"page"}, When: "has(args.urgent) && args.urgent == true && tool.startsWith('p')"},
		Rule{Name: "costly", Tools: []string{"costly"}, When: "args.a.all(x, args.a.all(y, args.a.all(z, x + y + z < 0 || true)))"},
		Rule{Name: "pattern", Tools: []string{"re"}, When: "args.s.matches(args.p)"},
		Rule{Name: "any-payment", Tools: []string{"pay_*", "refund"}, Otherwise: Deny},
	)
	long := "[" + strings.Repeat("1,", 200) + "1]"
	for name, tt := range map[string]struct{ tool, args, rule, failed string }{
		"condition holds":              {"pay_card", `{"amount": 50}`, "small", ""},
		"a fraction":                   {"pay_card", `{"amount": 49.99}`, "small", ""},
		"written as a fraction":        {"pay_card", `{"amount": 50.0}`, "small", ""},
		"next rule":                    {"pay_card", `{"amount": 50.01}`, "any-payment", ""},
		"beyond integers":              {"pay_card", `{"amount": 99999999999999999999}`, "any-payment", ""},
		"other pattern of a rule":      {"refund", `{}`, "any-payment", ""},
		"argument is missing":          {"pay_card", `{}`, "", "small"},
		"argument of another type":     {"pay_card", `{"amount": "50"}`, "", "small"},
		"argument is null":             {"pay_card", `{"amount": null}`, "", "small"},
		"number beyond all numbers":    {"pay_card", `{"amount": 1e999}`, "", "small"},
		"every element":                {"mail_send", `{"to": ["a@example.com", "b@example.com"]}`, "domain", ""},
		"one element is another":       {"mail_send", `{"to": ["a@example.com", "b@evil.example"]}`, "", ""},
		"no list":                      {"mail_send", `{"to": "a@example.com"}`, "", "domain"},
		"asked for with has":           {"page", `{}`, "", ""},
		"and it is there":              {"page", `{"urgent": true}`, "urgent", ""},
		"too much work":                {"costly", `{"a": ` + long + `}`, "", "costly"},
		"pattern that is none":         {"re", `{"s": "a", "p": "("}`, "", "pattern"},
		"no rule":                      {"delete", `{}`, "", ""},
		"a name in other case":         {"Refund", `{}`, "", ""},
		"a name with something behind": {"refund2", `{}`, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			m := r.Match(tt.tool, object(t, tt.args))
			if m.Rule.Name != tt.rule || m.Failed != tt.failed {
				t.Errorf("rule %q, failed %q; want %q and %q", m.Rule.Name, m.Failed, tt.rule, tt.failed)
			}
			if tt.rule == "" && (m.Rule.Authority != memory.Act || m.Rule.Otherwise != RequireApproval || m.Sensitive != nil) {
				t.Errorf("what no rule matches needs %+v, sensitive %v", m.Rule, m.Sensitive)
			}
		})
	}
}

func TestMatchWithoutRules(t *testing.T) {
	var none *Rules
	for name, r := range map[string]*Rules{"none": none, "empty": rules(t)} {
		if m := r.Match("anything", nil); m.Rule.Authority != memory.Act || m.Rule.Otherwise != RequireApproval {
			t.Errorf("%s: %+v", name, m.Rule)
		}
	}
}

// Conditions read what they are given and nothing else.
func TestConditionsHaveNoWayOut(t *testing.T) {
	for _, when := range []string{
		"http.get('http://example.com') == ''", "env('HOME') == ''", "args.x.format([1]) == ''", "base64.decode(args.x) == b''",
		"cel.bind(x, args, true)", "optional.of(1).hasValue()", "sets.contains([1], [1])", "math.greatest(1, 2) == 2", "net.isIP(args.x)",
	} {
		if _, err := compileCondition(when); err == nil {
			t.Errorf("%s compiles", when)
		}
	}
}

func TestCompileNamesTheField(t *testing.T) {
	_, err := Compile([]Rule{
		{Name: "a", Tools: []string{"*"}, Authority: memory.Act, Otherwise: Deny},
		{Name: "b", Tools: []string{"*"}, Authority: memory.Act, Otherwise: Deny, When: "args.x =="},
	})
	var field *FieldError
	if !errors.As(err, &field) || field.Field != "rules[1].when" {
		t.Errorf("error %v, want a *FieldError for rules[1].when", err)
	}
}

func TestPattern(t *testing.T) {
	for name, tt := range map[string]struct {
		pattern, name string
		want          bool
	}{
		"equal":                   {"pay", "pay", true},
		"other":                   {"pay", "pax", false},
		"begins":                  {"pay*", "pay/card.now", true},
		"nothing":                 {"pay*", "pay", true},
		"ends":                    {"*.delete", "a.b.delete", true},
		"middle":                  {"a*c*e", "abcde", true},
		"middle out of order":     {"a*d*c*e", "abcde", false},
		"ends overlap":            {"aba*aba", "ababa", false},
		"everything":              {"*", "", true},
		"stars":                   {"**a**", "bab", true},
		"not the whole":           {"a*b", "xab", false},
		"what regexp would match": {"a.c", "abc", false},
		"question mark":           {"a?c", "abc", false},
	} {
		if got := NewPattern(tt.pattern).Matches(tt.name); got != tt.want {
			t.Errorf("%s: %q on %q is %v", name, tt.pattern, tt.name, got)
		}
	}
}

func FuzzPattern(f *testing.F) {
	for _, seed := range [][2]string{{"a*b", "axb"}, {"**", ""}, {"*a*a*a*", "aaaa"}, {"x*", "x\n"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, pattern, name string) {
		if len(pattern) > 64 || len(name) > 256 {
			return
		}
		parts := strings.Split(pattern, "*")
		for i := range parts {
			parts[i] = regexp.QuoteMeta(parts[i])
		}
		re, err := regexp.Compile(`(?s)\A` + strings.Join(parts, ".*") + `\z`)
		if err != nil || strings.ToValidUTF8(name, "") != name {
			return
		}
		if got, want := NewPattern(pattern).Matches(name), re.MatchString(name); got != want {
			t.Errorf("%q on %q is %v, as a regular expression %v", pattern, name, got, want)
		}
	})
}
