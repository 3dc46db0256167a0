// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package action is the pure part of deciding about tool calls: which rule of a policy applies to a call, which of its
// arguments are sensitive, whether a text names their values, and the one form in which a call is hashed. It knows nothing of
// stores, sessions and transports.
package action

import (
	"fmt"
	"regexp"
	"slices"
	"unicode/utf8"

	"memorytrust.dev/operator/internal/memory"
)

// Bounds of rules; the markers of the API say the same.
const (
	MaxRules         = 64
	MaxTools         = 16   // patterns of one rule
	MaxPatternBytes  = 128  // of one pattern
	MaxWhenRunes     = 1024 // of a condition
	MaxSensitive     = 16   // paths of one rule
	MaxPathRunes     = 128  // of one path
	maxRuleNameBytes = 63
)

// Otherwise says what becomes of a call that has not got the authority it needs.
type Otherwise string

// What can become of it.
const (
	RequireApproval Otherwise = "RequireApproval" // a person decides about this one call
	Deny            Otherwise = "Deny"
)

// Rule says what calls of some tools need. The first rule that matches a call applies.
type Rule struct {
	Name      string           `json:"name"`
	Tools     []string         `json:"tools"`               // patterns; '*' stands for any run of characters
	When      string           `json:"when,omitempty"`      // CEL over args and tool; empty: always
	Authority memory.Authority `json:"authority"`           // Act or Inform
	Sensitive []string         `json:"sensitive,omitempty"` // paths, see ParsePath; empty: every argument
	Otherwise Otherwise        `json:"otherwise"`
}

// FieldError says which field of the rules cannot be used, and what it takes.
type FieldError struct {
	Field   string // for example rules[2].when
	Problem string
}

// Error implements error.
func (e *FieldError) Error() string { return e.Field + ": " + e.Problem }

var (
	ruleName    = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)
	toolPattern = regexp.MustCompile(`^[A-Za-z0-9._:/@*-]+$`)
)

// Rules are rules that can be matched. They are immutable and safe for concurrent use.
type Rules struct {
	rules []compiledRule
}

type compiledRule struct {
	Rule
	tools     []Pattern
	when      *condition // nil: always
	sensitive []Path
}

// Compile checks rules and makes them ready to match. It returns a *FieldError for the first that cannot be used.
func Compile(rules []Rule) (*Rules, error) {
	if len(rules) > MaxRules {
		return nil, &FieldError{"rules", fmt.Sprintf("%d entries are too many: at most %d", len(rules), MaxRules)}
	}
	out := &Rules{}
	for i, r := range rules {
		field := fmt.Sprintf("rules[%d]", i)
		if slices.ContainsFunc(rules[:i], func(before Rule) bool { return before.Name == r.Name }) {
			return nil, &FieldError{field + ".name", fmt.Sprintf("%.80q is there twice", r.Name)}
		}
		compiled, err := compileRule(field, r)
		if err != nil {
			return nil, err
		}
		out.rules = append(out.rules, compiled)
	}
	return out, nil
}

func compileRule(field string, r Rule) (compiledRule, error) {
	if err := r.check(field); err != nil {
		return compiledRule{}, err
	}
	out := compiledRule{Rule: r}
	for _, text := range r.Tools {
		out.tools = append(out.tools, NewPattern(text))
	}
	for i, text := range r.Sensitive {
		path, err := ParsePath(text)
		if err != nil {
			return compiledRule{}, &FieldError{fmt.Sprintf("%s.sensitive[%d]", field, i), err.Error()}
		}
		out.sensitive = append(out.sensitive, path)
	}
	if r.When != "" {
		when, err := compileCondition(r.When)
		if err != nil {
			return compiledRule{}, &FieldError{field + ".when", err.Error()}
		}
		out.when = when
	}
	return out, nil
}

// check checks what needs no compiling.
func (r Rule) check(field string) error {
	switch {
	case len(r.Name) > maxRuleNameBytes || !ruleName.MatchString(r.Name):
		return &FieldError{field + ".name", fmt.Sprintf("%.80q is no name: use lower-case letters, digits and '-'", r.Name)}
	case r.Authority != memory.Act && r.Authority != memory.Inform:
		return &FieldError{field + ".authority", fmt.Sprintf("%.40q is not supported: use Act or Inform", r.Authority)}
	case r.Otherwise != RequireApproval && r.Otherwise != Deny:
		return &FieldError{field + ".otherwise", fmt.Sprintf("%.40q is not supported: use RequireApproval or Deny", r.Otherwise)}
	case len(r.Tools) == 0 || len(r.Tools) > MaxTools:
		return &FieldError{field + ".tools", fmt.Sprintf("give 1 to %d patterns", MaxTools)}
	case len(r.Sensitive) > MaxSensitive:
		return &FieldError{field + ".sensitive", fmt.Sprintf("%d entries are too many: at most %d", len(r.Sensitive), MaxSensitive)}
	case utf8.RuneCountInString(r.When) > MaxWhenRunes:
		return &FieldError{field + ".when", fmt.Sprintf("is too long: at most %d characters", MaxWhenRunes)}
	}
	for i, p := range r.Tools {
		if err := CheckPattern(p); err != nil {
			return &FieldError{fmt.Sprintf("%s.tools[%d]", field, i), err.Error()}
		}
	}
	return nil
}

// unmatched is what a call needs that no rule speaks of: it fails closed.
var unmatched = Rule{Authority: memory.Act, Otherwise: RequireApproval}

// Match says which rule applies to a call.
type Match struct {
	Rule      Rule   // without a name where none matches
	Sensitive []Path // of the rule; none: every argument is sensitive
	// Failed names the rule whose condition could not be evaluated, so that the call is decided like one that no rule matches.
	Failed string
}

// Match returns the first rule that matches the call. Where none does, or where it cannot be told whether one does, the
// answer is the same: authority Act for every argument, and otherwise a person's approval.
func (r *Rules) Match(tool string, args map[string]any) Match {
	if r == nil {
		return Match{Rule: unmatched}
	}
	var converted map[string]any // for conditions; made once it is needed
	for _, rule := range r.rules {
		if !rule.names(tool) {
			continue
		}
		if rule.when == nil {
			return Match{Rule: rule.Rule, Sensitive: rule.sensitive}
		}
		if converted == nil {
			var ok bool
			if converted, ok = celObject(args); !ok {
				return Match{Rule: unmatched, Failed: rule.Name}
			}
		}
		holds, err := rule.when.holds(tool, converted)
		switch {
		case err != nil:
			return Match{Rule: unmatched, Failed: rule.Name}
		case holds:
			return Match{Rule: rule.Rule, Sensitive: rule.sensitive}
		}
	}
	return Match{Rule: unmatched}
}

func (r compiledRule) names(tool string) bool {
	return slices.ContainsFunc(r.tools, func(p Pattern) bool { return p.Matches(tool) })
}
