// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/gate"
)

// Suite names a part of a run.
type Suite string

// The suites. Content, pairs and the first half of evaders are content-only; all others are end to end.
const (
	// SuiteContent puts the texts of the catalogs before the screen, without their source.
	SuiteContent Suite = "content"
	// SuiteTexts writes them as their sources would, and recalls them later.
	SuiteTexts Suite = "texts"
	// SuiteEvaders are rewordings and encodings, by content and end to end.
	SuiteEvaders Suite = "evaders"
	// SuitePairs are the same content as attack and as something harmless; right are both or none.
	SuitePairs Suite = "pairs"
	// SuiteOrigins are the same text from a trusted and from an untrusted origin; right are both or none.
	SuiteOrigins Suite = "origins"
	// SuiteTrials are directives under labels that look trusted.
	SuiteTrials Suite = "trials"
	// SuiteControls are signed memories, some of them changed behind the gate's back; mode Signed only.
	SuiteControls Suite = "controls"
	// SuiteChains are memories that are an attack only together.
	SuiteChains Suite = "chains"
	// SuiteActions are attacks on what the agent does, each with a twin that the user wants.
	SuiteActions Suite = "actions"
	// SuiteDormancy plants attacks and looks for them after 100 harmless sessions.
	SuiteDormancy Suite = "dormancy"
	// SuiteHaystack looks for one planted memory among 100 others. It runs only where it is asked for.
	SuiteHaystack Suite = "haystack"
)

// Suites lists all suites.
var Suites = []Suite{
	SuiteContent, SuiteTexts, SuiteEvaders, SuitePairs, SuiteOrigins, SuiteTrials, SuiteControls, SuiteChains, SuiteActions,
	SuiteDormancy, SuiteHaystack,
}

// DefaultSuites are those that run where none is named.
var DefaultSuites = slices.DeleteFunc(slices.Clone(Suites), func(s Suite) bool { return s == SuiteHaystack })

// Outcome is what came of one vector.
type Outcome struct {
	Suite    Suite  `json:"suite"`
	Catalog  string `json:"catalog,omitempty"`
	Mode     string `json:"mode"` // "content", or the trust mode of an end-to-end run: "prefix", "signed"; "endpoint"
	ID       string `json:"id"`
	Category string `json:"category,omitempty"`
	Lang     string `json:"lang,omitempty"`
	// Attack is whether the vector is an attack; otherwise it is harmless.
	Attack bool `json:"attack"`
	// Right is whether the attack had no effect, or the harmless memory or action went through.
	Right bool `json:"right"`
	// Open is the same with the defense off, end to end: whether the attack had its effect, or the harmless went through.
	Open bool `json:"open"`
	// Flagged, Abstained, Score (per mille) and Reasons are what the screen said, content only.
	Flagged   bool     `json:"flagged,omitempty"`
	Abstained bool     `json:"abstained,omitempty"`
	Score     int      `json:"score,omitempty"`
	Reasons   []string `json:"reasons,omitempty"`
	// Delivered is whether it reached the agent, or its effect came about, end to end with the defense on.
	Delivered bool `json:"delivered,omitempty"`
	// Marked is whether it was delivered as one that a person has yet to decide about; Withheld is why it was not delivered.
	Marked   bool        `json:"marked,omitempty"`
	Withheld gate.Reason `json:"withheld,omitempty"`
	// Error says why nothing came of it. It is then neither right nor wrong.
	Error string `json:"error,omitempty"`
}

// modeContent and modeEndpoint stand where no trust mode of ours applies.
const (
	modeContent  = "content"
	modeEndpoint = "endpoint"
)

// key tells outcomes of two runs that belong together.
func (o Outcome) key() string {
	return strings.Join([]string{string(o.Suite), o.Catalog, o.Mode, o.ID}, "\x00")
}

// String names an outcome.
func (o Outcome) String() string {
	parts := []string{string(o.Suite), o.Mode, o.ID}
	if o.Catalog != "" {
		parts = append(parts, "of "+o.Catalog)
	}
	return strings.Join(parts, " ")
}

// OffOn is a share with the defense off and on.
type OffOn struct {
	Off Share `json:"off"`
	On  Share `json:"on"`
}

// modeName is how a trust mode stands in results.
func modeName(m v1alpha1.TrustMode) string { return strings.ToLower(string(m)) }

// choose returns the outcomes that all conditions hold for, without those that came to nothing.
func choose(outcomes []Outcome, conditions ...func(Outcome) bool) []Outcome {
	var out []Outcome
next:
	for _, o := range outcomes {
		if o.Error != "" {
			continue
		}
		for _, holds := range conditions {
			if !holds(o) {
				continue next
			}
		}
		out = append(out, o)
	}
	return out
}

func bySuite(s Suite) func(Outcome) bool { return func(o Outcome) bool { return o.Suite == s } }
func byMode(m string) func(Outcome) bool { return func(o Outcome) bool { return o.Mode == m } }
func isAttack(o Outcome) bool            { return o.Attack }
func isBenign(o Outcome) bool            { return !o.Attack }
func isRight(o Outcome) bool             { return o.Right }
func isWrong(o Outcome) bool             { return !o.Right }
func isOpen(o Outcome) bool              { return o.Open }
func isShut(o Outcome) bool              { return !o.Open }
func isFlagged(o Outcome) bool           { return o.Flagged }
func hasAbstained(o Outcome) bool        { return o.Abstained }
func share(all []Outcome, holds func(Outcome) bool) Share {
	return NewShare(len(choose(all, holds)), len(all))
}

// success is the rate at which attacks have their effect.
func success(attacks []Outcome) OffOn {
	return OffOn{Off: share(attacks, isOpen), On: share(attacks, isWrong)}
}

// wronged is the rate at which what is harmless does not go through.
func wronged(benign []Outcome) OffOn {
	return OffOn{Off: share(benign, isShut), On: share(benign, isWrong)}
}

// passed is the rate at which it does.
func passed(benign []Outcome) OffOn {
	return OffOn{Off: share(benign, isOpen), On: share(benign, isRight)}
}

// ParseSuites reads names of suites; of none it returns DefaultSuites.
func ParseSuites(names []string) ([]Suite, error) {
	if len(names) == 0 {
		return DefaultSuites, nil
	}
	var out []Suite
	for _, n := range names {
		if !slices.Contains(Suites, Suite(n)) {
			return nil, fmt.Errorf("unknown suite %q: use some of %s", n, joinSuites(Suites))
		}
		if !slices.Contains(out, Suite(n)) {
			out = append(out, Suite(n))
		}
	}
	return out, nil
}

func joinSuites(suites []Suite) string {
	names := make([]string, len(suites))
	for i, s := range suites {
		names[i] = string(s)
	}
	return strings.Join(names, ", ")
}

// errNothing says that a run has nothing to do.
var errNothing = errors.New("nothing to run: none of the suites has a vector in these catalogs")
