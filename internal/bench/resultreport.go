// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Write writes the result. JSON holds every vector.
func (r *Result) Write(w io.Writer, f Format) error {
	if f == FormatJSON {
		return writeJSON(w, r)
	}
	sheets := []*sheet{r.headSheet(), r.contentSheet(), r.modeSheet(), r.checkSheet(), r.actionSheet(), r.haystackSheet(),
		r.groupSheet("by category", r.ByCategory), r.groupSheet("by language", r.ByLang), r.verdictSheet()}
	for _, s := range sheets {
		if len(s.cells) > 0 {
			write(w, f, []*sheet{s})
		}
	}
	return nil
}

func (r *Result) headSheet() *sheet {
	s := &sheet{title: "what ran", header: []string{"what", "value"}}
	s.add("harness", r.Harness)
	if r.Policy != nil {
		s.add("policy", fmt.Sprintf("%s, revision %s, enforcement %s", r.Policy.Name, r.Policy.Revision, r.Enforcement))
	}
	for _, c := range r.Catalogs {
		s.add("catalog", fmt.Sprintf("%s %s, %d vectors, sha256 %.12s", c.Name, c.Version, c.Vectors, c.SHA256))
	}
	s.add("suites", joinSuites(r.Suites))
	if len(r.NotRun) > 0 {
		s.add("not run", joinSuites(r.NotRun)+": an endpoint is only asked about single texts")
	}
	return s
}

// catalogs are the figures of each catalog, and of all where there are several.
func (r *Result) catalogs() []Figures {
	if len(r.ByCatalog) > 1 {
		return append(r.ByCatalog[:len(r.ByCatalog):len(r.ByCatalog)], r.Total)
	}
	return r.ByCatalog
}

func (r *Result) contentSheet() *sheet {
	s := &sheet{title: "content only: texts before the screen, nothing else known", header: []string{
		"catalog", "attacks flagged", "or abstained", "false positives", "friction", "evaders flagged", "pairs right",
	}}
	for _, f := range r.catalogs() {
		if c := f.Content; c != nil {
			s.add(f.Catalog, whole(c.Recall), whole(c.FlaggedOrAbstained), whole(c.FalsePositives), whole(c.Friction),
				whole(c.Evaders), whole(c.Pairs))
		}
	}
	return s
}

func (r *Result) modeSheet() *sheet {
	s := &sheet{title: "end to end: written as the source would, recalled later", header: []string{
		"catalog", "mode", "attack success off", "attack success on", "of it marked", "false positives off", "false positives on",
	}}
	for _, f := range r.catalogs() {
		for _, m := range f.Modes {
			s.add(f.Catalog, m.Mode, whole(m.AttackSuccess.Off), whole(m.AttackSuccess.On), short(m.Marked),
				whole(m.FalsePositives.Off), whole(m.FalsePositives.On))
		}
	}
	return s
}

func (r *Result) checkSheet() *sheet {
	s := &sheet{title: "provenance, chains and evaders, end to end", header: []string{
		"catalog", "mode", "trials withheld", "as the mode promises", "controls right", "origins right", "chains flagged",
		"chains passed", "evaders off", "evaders on",
	}}
	for _, f := range r.catalogs() {
		for _, m := range f.Modes {
			s.add(f.Catalog, m.Mode, short(m.TrialsWithheld), short(m.TrialsRight), short(m.Controls), short(m.Origins),
				short(m.ChainsFlagged), short(m.ChainsPassed), short(m.Evaders.Off), short(m.Evaders.On))
		}
	}
	s.notes = append(s.notes, "Mode prefix trusts a label by its structure and delivers what stands under one; mode signed does not.")
	return s
}

func (r *Result) actionSheet() *sheet {
	s := &sheet{title: "actions and dormancy, end to end", header: []string{
		"suite", "mode", "attack success off", "attack success on", "harmless goes through off", "on",
	}}
	for _, a := range r.Actions {
		s.add("actions", a.Mode, short(a.AttackSuccess.Off), short(a.AttackSuccess.On), short(a.Allowed.Off), short(a.Allowed.On))
	}
	for _, d := range r.Dormancy {
		s.add(fmt.Sprintf("dormancy, %d sessions", d.Sessions), d.Mode, short(d.AttackSuccess.Off), short(d.AttackSuccess.On),
			short(d.Delivered.Off), short(d.Delivered.On))
	}
	return s
}

func (r *Result) haystackSheet() *sheet {
	s := &sheet{title: "haystack: one planted memory among others", header: []string{
		"arm", "others", "reaches the prompt", "of it marked", "median rank",
	}}
	for _, a := range r.Haystack {
		s.add(a.Arm, strconv.Itoa(a.Distractors), whole(a.Reached), short(a.Marked), strconv.Itoa(a.MedianRank))
	}
	return s
}

// groupSheet has a row for each name, and columns for what was measured by content and in each mode.
func (r *Result) groupSheet(title string, groups []Group) *sheet {
	s := &sheet{title: title + ": attacks missed, harmless stopped", header: []string{"name"}}
	var modes, names []string
	at := map[[2]string]Group{}
	for _, g := range groups {
		at[[2]string{g.Name, g.Mode}] = g
		if !slices.Contains(modes, g.Mode) {
			modes = append(modes, g.Mode)
			s.header = append(s.header, g.Mode+" missed", g.Mode+" stopped")
		}
		if !slices.Contains(names, g.Name) {
			names = append(names, g.Name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		row := []string{name}
		for _, mode := range modes {
			g := at[[2]string{name, mode}]
			row = append(row, short(g.AttackSuccess.On), short(g.FalsePositives.On))
		}
		s.add(row...)
	}
	return s
}

func (r *Result) verdictSheet() *sheet {
	s := &sheet{title: "verdict", header: []string{"verdict", "why"}}
	for _, m := range r.Missed {
		s.add("limit missed", m)
	}
	for _, w := range r.Worse {
		s.add("worse than the baseline", w)
	}
	if r.Errors > 0 {
		s.add("incomplete", fmt.Sprintf("%d vectors came to nothing; they count neither for nor against", r.Errors))
	}
	if len(s.cells) == 0 {
		s.add("passed", "all limits kept")
	}
	return s
}

// whole shows a share with its interval, short without.
func whole(s Share) string {
	if s.Of == 0 {
		return "-"
	}
	return s.String() + " = " + s.percent()
}

func short(s Share) string {
	if s.Of == 0 {
		return "-"
	}
	return s.String()
}

// Passed reports whether the run keeps to its limits and its baseline and is complete.
func (r *Result) Passed() bool { return len(r.Missed)+len(r.Worse)+r.Errors == 0 }

// headline says the figures of a mode in one line.
func (m ModeFigures) headline() string {
	var parts []string
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	add("attack success %s %% to %s %%", digits(m.AttackSuccess.Off.Rate), digits(m.AttackSuccess.On.Rate))
	add("false positives %s", m.FalsePositives.On)
	return m.Mode + ": " + strings.Join(parts, ", ")
}
