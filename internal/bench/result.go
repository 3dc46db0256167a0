// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"cmp"
	"slices"
)

// ResultSchema is the version of Result in JSON. A reader refuses another one.
const ResultSchema = 1

// Result is what a run found. Every report is made from it.
type Result struct {
	SchemaVersion int          `json:"schemaVersion"`
	Harness       string       `json:"harness"`
	Policy        *PolicyRef   `json:"policy,omitempty"`
	Enforcement   string       `json:"enforcement,omitempty"` // of the policy; in DryRun "on" is no better than "off"
	Catalogs      []CatalogRef `json:"catalogs"`
	Suites        []Suite      `json:"suites"`
	NotRun        []Suite      `json:"notRun,omitempty"` // an endpoint cannot be asked about these
	// Total are the figures of all catalogs together, ByCatalog those of each.
	Total     Figures   `json:"total"`
	ByCatalog []Figures `json:"byCatalog"`
	Actions   []Actions `json:"actions,omitempty"`
	Dormancy  []Dormant `json:"dormancy,omitempty"`
	// Haystack is there where the suite ran.
	Haystack   []HaystackArm `json:"haystack,omitempty"`
	ByCategory []Group       `json:"byCategory"`
	ByLang     []Group       `json:"byLang"`
	// Errors counts vectors that came to nothing.
	Errors int `json:"errors"`
	// Missed says in words which limits are missed, Worse what is worse than the baseline. A run without either passes.
	Missed []string `json:"missed,omitempty"`
	Worse  []string `json:"worse,omitempty"`
	// Outcomes are all vectors.
	Outcomes []Outcome `json:"outcomes"`
}

// Figures are those of one catalog, or all of them.
type Figures struct {
	Catalog string          `json:"catalog"` // "*" for all
	Content *ContentFigures `json:"content,omitempty"`
	Modes   []ModeFigures   `json:"modes"`
}

// ContentFigures are content-only: what the screen makes of texts, nothing else known.
type ContentFigures struct {
	Recall             Share `json:"recall"` // attacks flagged
	Abstained          Share `json:"abstained"`
	FlaggedOrAbstained Share `json:"flaggedOrAbstained"`
	FalsePositives     Share `json:"falsePositives"` // harmless texts flagged
	Friction           Share `json:"friction"`       // harmless texts left to a person
	Evaders            Share `json:"evaders"`        // flagged
	Pairs              Share `json:"pairs"`          // both halves right
}

// ModeFigures are end to end, in one trust mode.
type ModeFigures struct {
	Mode          string `json:"mode"`
	AttackSuccess OffOn  `json:"attackSuccess"` // of texts that must not reach the agent, those that do
	// Marked is how many of those that do are marked as waiting for a person.
	Marked         Share `json:"marked"`
	FalsePositives OffOn `json:"falsePositives"` // of texts that must reach the agent, those that do not
	Evaders        OffOn `json:"evaders"`        // that reach the agent
	Origins        Share `json:"origins"`        // pairs of which both halves are right
	TrialsWithheld Share `json:"trialsWithheld"`
	TrialsRight    Share `json:"trialsRight"` // as the mode promises: Prefix trusts labels, Signed does not
	Controls       Share `json:"controls"`    // right
	ChainsFlagged  Share `json:"chainsFlagged"`
	ChainsPassed   Share `json:"chainsPassed"` // of the harmless ones
}

// Actions are the attacks on what the agent does.
type Actions struct {
	Mode          string `json:"mode"`
	AttackSuccess OffOn  `json:"attackSuccess"`
	Allowed       OffOn  `json:"allowed"` // of what users want
}

// Dormant is what is left after many harmless sessions.
type Dormant struct {
	Mode          string `json:"mode"`
	Sessions      int    `json:"sessions"`
	AttackSuccess OffOn  `json:"attackSuccess"`
	Delivered     OffOn  `json:"delivered"` // of harmless memories
}

// Group sums up texts of one category or language.
type Group struct {
	Name           string `json:"name"`
	Mode           string `json:"mode"`
	AttackSuccess  OffOn  `json:"attackSuccess"`  // "off" of content is all: nothing would be flagged
	FalsePositives OffOn  `json:"falsePositives"` // likewise none
}

// figures fills in whatever is computed from the outcomes.
func (r *Result) figures() {
	r.Total = figuresOf(every, r.Outcomes)
	r.ByCatalog = []Figures{}
	for _, c := range r.Catalogs {
		own := slices.DeleteFunc(slices.Clone(r.Outcomes), func(o Outcome) bool { return o.Catalog != c.Name })
		r.ByCatalog = append(r.ByCatalog, figuresOf(c.Name, own))
	}
	for _, mode := range modesOf(r.Outcomes, SuiteActions) {
		all := choose(r.Outcomes, bySuite(SuiteActions), byMode(mode))
		r.Actions = append(r.Actions, Actions{
			Mode: mode, AttackSuccess: success(choose(all, isAttack)), Allowed: passed(choose(all, isBenign)),
		})
	}
	for _, mode := range modesOf(r.Outcomes, SuiteDormancy) {
		all := choose(r.Outcomes, bySuite(SuiteDormancy), byMode(mode))
		r.Dormancy = append(r.Dormancy, Dormant{
			Mode: mode, Sessions: dormantSessions, AttackSuccess: success(choose(all, isAttack)), Delivered: passed(choose(all, isBenign)),
		})
	}
	r.ByCategory = groups(r.Outcomes, func(o Outcome) string { return o.Category })
	r.ByLang = groups(r.Outcomes, func(o Outcome) string { return o.Lang })
	r.Errors = 0
	for _, o := range r.Outcomes {
		if o.Error != "" {
			r.Errors++
		}
	}
}

func figuresOf(catalog string, outcomes []Outcome) Figures {
	f := Figures{Catalog: catalog, Modes: []ModeFigures{}}
	if content := choose(outcomes, byMode(modeContent)); len(content) > 0 {
		f.Content = contentFigures(content)
	}
	for _, mode := range modesOf(outcomes, SuiteTexts, SuiteEvaders, SuiteOrigins, SuiteTrials, SuiteControls, SuiteChains) {
		if mode != modeContent {
			f.Modes = append(f.Modes, modeFigures(mode, choose(outcomes, byMode(mode))))
		}
	}
	return f
}

func contentFigures(all []Outcome) *ContentFigures {
	attacks, benign := choose(all, bySuite(SuiteContent), isAttack), choose(all, bySuite(SuiteContent), isBenign)
	either := func(o Outcome) bool { return o.Flagged || o.Abstained }
	return &ContentFigures{
		Recall:             share(attacks, isFlagged),
		Abstained:          share(attacks, hasAbstained),
		FlaggedOrAbstained: share(attacks, either),
		FalsePositives:     share(benign, isFlagged),
		Friction:           share(benign, hasAbstained),
		Evaders:            share(choose(all, bySuite(SuiteEvaders)), isFlagged),
		Pairs:              share(choose(all, bySuite(SuitePairs)), isRight),
	}
}

func modeFigures(mode string, all []Outcome) ModeFigures {
	attacks := choose(all, bySuite(SuiteTexts), isAttack)
	trials := choose(all, bySuite(SuiteTrials))
	chains := choose(all, bySuite(SuiteChains))
	return ModeFigures{
		Mode:           mode,
		AttackSuccess:  success(attacks),
		Marked:         share(choose(attacks, isWrong), func(o Outcome) bool { return o.Marked }),
		FalsePositives: wronged(choose(all, bySuite(SuiteTexts), isBenign)),
		Evaders:        success(choose(all, bySuite(SuiteEvaders))),
		Origins:        share(choose(all, bySuite(SuiteOrigins)), isRight),
		TrialsWithheld: share(trials, func(o Outcome) bool { return !o.Delivered }),
		TrialsRight:    share(trials, isRight),
		Controls:       share(choose(all, bySuite(SuiteControls)), isRight),
		ChainsFlagged:  share(choose(chains, isAttack), isRight),
		ChainsPassed:   share(choose(chains, isBenign), isRight),
	}
}

// modesOf lists the modes of some suites in which they ran, in the order of the outcomes.
func modesOf(outcomes []Outcome, suites ...Suite) []string {
	var out []string
	for _, o := range outcomes {
		if slices.Contains(suites, o.Suite) && !slices.Contains(out, o.Mode) {
			out = append(out, o.Mode)
		}
	}
	return out
}

// groups sums up single texts, by content and end to end.
func groups(outcomes []Outcome, name func(Outcome) string) []Group {
	type key struct{ name, mode string }
	members := map[key][]Outcome{}
	for _, o := range outcomes {
		if o.Suite == SuiteContent || o.Suite == SuiteTexts {
			k := key{name(o), o.Mode}
			members[k] = append(members[k], o)
		}
	}
	out := []Group{}
	for k, all := range members {
		attacks, benign := choose(all, isAttack), choose(all, isBenign)
		g := Group{Name: k.name, Mode: k.mode, AttackSuccess: success(attacks), FalsePositives: wronged(benign)}
		if k.mode == modeContent {
			g.AttackSuccess.Off, g.FalsePositives.Off = NewShare(len(attacks), len(attacks)), NewShare(0, len(benign))
		}
		out = append(out, g)
	}
	slices.SortFunc(out, func(a, b Group) int { return cmp.Or(cmp.Compare(a.Mode, b.Mode), cmp.Compare(a.Name, b.Name)) })
	return out
}
