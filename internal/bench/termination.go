// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
)

// MaxTerminationBytes is how much the kubelet reads of a container's termination message.
const MaxTerminationBytes = 4096

// Termination is the result of a run in short, for the termination message of a Job's container. Shares are pairs of count and
// total, so that whoever reads it can work out what it needs.
type Termination struct {
	SchemaVersion int    `json:"v"`
	Passed        bool   `json:"passed"`
	Summary       string `json:"summary"`            // the figures of each mode in words
	Policy        string `json:"policy,omitempty"`   // name
	Revision      string `json:"revision,omitempty"` // hash of the policy
	Catalogs      string `json:"catalogs"`           // name, version and beginning of the hash of each
	// Content-only.
	Recall         *Fraction `json:"recall,omitempty"`
	ContentFalse   *Fraction `json:"contentFalsePositives,omitempty"`
	Pairs          *Fraction `json:"pairs,omitempty"`
	ContentEvaders *Fraction `json:"evaders,omitempty"`
	// End to end.
	Modes []TerminationMode `json:"modes"`
	// Categories hold, by category, attack success with the defense on in the worst mode. As many as fit, worst first.
	Categories map[string]Fraction `json:"categories,omitempty"`
	Omitted    int                 `json:"omittedCategories,omitempty"`
	Errors     int                 `json:"errors,omitempty"`
	Missed     []string            `json:"missed,omitempty"`
	Worse      int                 `json:"worse,omitempty"` // than the baseline
}

// TerminationMode are the figures of one trust mode.
type TerminationMode struct {
	Mode           string    `json:"mode"`
	Off            Fraction  `json:"attackSuccessOff"`
	On             Fraction  `json:"attackSuccessOn"`
	FalsePositives Fraction  `json:"falsePositives"`
	Trials         *Fraction `json:"trials,omitempty"` // as the mode promises
	Controls       *Fraction `json:"controls,omitempty"`
	Chains         *Fraction `json:"chains,omitempty"`         // flagged, or passed where harmless
	Actions        *Fraction `json:"actionAttacks,omitempty"`  // that had their effect
	Allowed        *Fraction `json:"actionsAllowed,omitempty"` // of users
	Dormancy       *Fraction `json:"dormancy,omitempty"`       // plants that reach the agent
}

// Fraction is a count and what it is of.
type Fraction [2]int

func fraction(s Share) Fraction { return Fraction{s.Count, s.Of} }

// some is a fraction of something, or nil.
func some(s Share) *Fraction {
	if s.Of == 0 {
		return nil
	}
	f := fraction(s)
	return &f
}

// Termination returns the result as compact JSON of at most MaxTerminationBytes. What does not fit is left out, categories
// first.
func (r *Result) Termination() ([]byte, error) {
	t := r.termination()
	names := worstFirst(t.Categories)
	for {
		raw, err := compact(t)
		if err != nil || len(raw) <= MaxTerminationBytes {
			return raw, err
		}
		switch {
		case len(names) > 0:
			delete(t.Categories, names[len(names)-1])
			names = names[:len(names)-1]
			t.Omitted++
		case len(t.Missed) > 1:
			t.Missed = append(t.Missed[:len(t.Missed)-2:len(t.Missed)-2], "…")
		case len(t.Catalogs) > 256 || len(t.Summary) > 256 || len(t.Policy) > 256:
			t.Catalogs, t.Summary, t.Policy = cut(t.Catalogs), cut(t.Summary), cut(t.Policy)
		default:
			return nil, errors.New("the figures do not fit into a termination message")
		}
	}
}

func compact(t Termination) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false) // an escaped sign takes six bytes
	err := encoder.Encode(t)
	return bytes.TrimSpace(out.Bytes()), err
}

func cut(s string) string { return strings.ToValidUTF8(s[:min(len(s), 256)], "") }

func (r *Result) termination() Termination {
	t := Termination{
		SchemaVersion: ResultSchema, Passed: r.Passed(), Modes: []TerminationMode{}, Categories: map[string]Fraction{},
		Errors: r.Errors, Missed: slices.Clone(r.Missed), Worse: len(r.Worse),
	}
	if r.Policy != nil {
		t.Policy, t.Revision = r.Policy.Name, r.Policy.Revision
	}
	var names, lines []string
	for _, c := range r.Catalogs {
		names = append(names, c.Name+" "+c.Version+" "+c.SHA256[:min(len(c.SHA256), 12)])
	}
	t.Catalogs = strings.Join(names, ", ")
	if c := r.Total.Content; c != nil {
		t.Recall, t.ContentFalse, t.Pairs, t.ContentEvaders = some(c.Recall), some(c.FalsePositives), some(c.Pairs), some(c.Evaders)
	}
	for _, m := range r.Total.Modes {
		t.Modes = append(t.Modes, r.terminationMode(m))
		lines = append(lines, m.headline())
	}
	t.Summary = strings.Join(lines, "; ")
	for _, g := range r.ByCategory {
		f, seen := t.Categories[g.Name]
		if on := fraction(g.AttackSuccess.On); g.Mode != modeContent && on[1] > 0 && (!seen || on[0] > f[0]) {
			t.Categories[g.Name] = on
		}
	}
	return t
}

func (r *Result) terminationMode(m ModeFigures) TerminationMode {
	out := TerminationMode{
		Mode: m.Mode, Off: fraction(m.AttackSuccess.Off), On: fraction(m.AttackSuccess.On), FalsePositives: fraction(m.FalsePositives.On),
		Trials: some(m.TrialsRight), Controls: some(m.Controls),
		Chains: some(NewShare(m.ChainsFlagged.Count+m.ChainsPassed.Count, m.ChainsFlagged.Of+m.ChainsPassed.Of)),
	}
	for _, a := range r.Actions {
		if a.Mode == m.Mode {
			out.Actions, out.Allowed = some(a.AttackSuccess.On), some(a.Allowed.On)
		}
	}
	for _, d := range r.Dormancy {
		if d.Mode == m.Mode {
			out.Dormancy = some(d.AttackSuccess.On)
		}
	}
	return out
}

// worstFirst lists categories by their rate, the worst first.
func worstFirst(categories map[string]Fraction) []string {
	names := make([]string, 0, len(categories))
	for n := range categories {
		names = append(names, n)
	}
	slices.SortFunc(names, func(a, b string) int {
		x, y := categories[a], categories[b]
		if d := y[0]*x[1] - x[0]*y[1]; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return names
}
