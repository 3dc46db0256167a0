// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Tier says which part of the engine reached a verdict.
type Tier string

const (
	// TierNone means that nothing in the text was found to be a directive.
	TierNone Tier = "None"
	// TierLexical means that rules of the lexicon matched.
	TierLexical Tier = "Lexical"
)

// Family is a coarse kind of directive. Families are stable names, safe to show
// to whoever wrote the text: they say what kind of thing was seen, not where.
type Family string

// The families, most severe first. The order decides which reasons come first.
const (
	// FamilyOverride cancels or replaces the instructions of the agent.
	FamilyOverride Family = "override"
	// FamilyShell runs code fetched from elsewhere or destroys files.
	FamilyShell Family = "shell"
	// FamilyExfiltration hands secrets or conversations to someone else.
	FamilyExfiltration Family = "exfiltration"
	// FamilyConcealment hides what is done from the user.
	FamilyConcealment Family = "concealment"
	// FamilyBypass removes a confirmation, approval, check or log.
	FamilyBypass Family = "bypass"
	// FamilyPreauthorization declares something approved or verified in advance.
	FamilyPreauthorization Family = "pre-authorization"
	// FamilyRedirection sends money, messages or requests to another place.
	FamilyRedirection Family = "redirection"
	// FamilyAuthorityClaim speaks as the system, an administrator or the operator.
	FamilyAuthorityClaim Family = "authority-claim"
	// FamilyPersona gives the agent another identity or an unrestricted mode.
	FamilyPersona Family = "persona"
	// FamilyStandingRule orders behavior for all later cases.
	FamilyStandingRule Family = "standing-rule"
	// FamilyPreferenceRule orders behavior in the form of somebody's wish.
	FamilyPreferenceRule Family = "preference-rule"
	// FamilyTrustEndorsement tells the agent whom or what to believe or recommend.
	FamilyTrustEndorsement Family = "trust-endorsement"
	// FamilyMemoryWrite tells the agent to keep an instruction in its memory.
	FamilyMemoryWrite Family = "memory-write"
	// FamilyCommand is an order to act now that supports the other families.
	FamilyCommand Family = "command"
)

var families = []Family{
	FamilyOverride, FamilyShell, FamilyExfiltration, FamilyConcealment, FamilyBypass,
	FamilyPreauthorization, FamilyRedirection, FamilyAuthorityClaim, FamilyPersona,
	FamilyStandingRule, FamilyPreferenceRule, FamilyTrustEndorsement, FamilyMemoryWrite,
	FamilyCommand,
}

// Families returns every family the engine can report, most severe first.
func Families() []Family { return slices.Clone(families) }

func (f Family) severity() int { return slices.Index(families, f) }

const (
	// MaxReasons is the largest number of reasons in a Verdict.
	MaxReasons = 8
	// MaxReasonRunes is the length of the longest reason, in runes.
	MaxReasonRunes = 80
	// DirectivePerMille is the score, of 1000, from which a text is a directive.
	// A rule that is proof by itself weighs more, a supporting signal less; two
	// supporting signals of 300 stay below, a 300 and a 350 pass.
	DirectivePerMille = 500
)

// Verdict is what screening found in one text.
type Verdict struct {
	// Directive is true when the text tries to install standing behavior.
	Directive bool `json:"directive"`
	// Reasons explain a directive to a person: the family, then the trigger words
	// that matched and nothing else of the text. At most MaxReasons of at most
	// MaxReasonRunes runes each, most severe first, control characters escaped.
	Reasons []string `json:"reasons,omitempty"`
	// Families are the kinds found, most severe first, without repeats.
	Families []string `json:"families,omitempty"`
	// Tier is the part of the engine that decided.
	Tier Tier `json:"tier"`
	// ScorePerMille is the strength of the evidence, 0 to 1000. It is set for clean
	// texts too, where it stays below DirectivePerMille.
	ScorePerMille int `json:"scorePerMille"`
	// View names the view of the text with the strongest evidence, empty when clean.
	View string `json:"view,omitempty"`
}

// finding is one rule that matched.
type finding struct {
	family Family
	weight int
	words  string
}

// reason renders a finding for a person, within MaxReasonRunes.
func (f finding) reason() string {
	var b strings.Builder
	b.WriteString(string(f.family))
	b.WriteString(`: "`)
	room := MaxReasonRunes - utf8.RuneCountInString(string(f.family)) - len(`: ""`)
	for _, r := range f.words {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '"' || r == utf8.RuneError {
			r = '·'
		}
		if room == 1 {
			b.WriteRune('…')
			break
		}
		b.WriteRune(r)
		room--
	}
	b.WriteByte('"')
	return b.String()
}

// describe fills reasons and families from the findings of a directive.
func (v *Verdict) describe(found []finding) {
	slices.SortStableFunc(found, func(a, b finding) int {
		if d := a.family.severity() - b.family.severity(); d != 0 {
			return d
		}
		if d := b.weight - a.weight; d != 0 {
			return d
		}
		return strings.Compare(a.words, b.words)
	})
	for _, f := range found {
		if !slices.Contains(v.Families, string(f.family)) {
			v.Families = append(v.Families, string(f.family))
		}
		reason := f.reason()
		if len(v.Reasons) < MaxReasons && !slices.Contains(v.Reasons, reason) {
			v.Reasons = append(v.Reasons, reason)
		}
	}
}
