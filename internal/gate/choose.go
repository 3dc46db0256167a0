// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"slices"
	"time"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
)

// scored is a verified candidate with its place in the ranking. Record is the same in both.
type scored struct {
	verified
	memory.Ranked
}

// choice is what a recall makes of its candidates.
type choice struct {
	ranked   []scored               // all of them, best first
	picked   []scored               // what the answer holds, best first; in DryRun also what has a reason
	reasons  map[string]Reason      // by id: why it is withheld, as far as it was looked at
	left     map[string]memory.Left // by id: why it is not in the answer though nothing speaks against it
	reported []Withheld             // what would be in the answer if nothing spoke against it
}

// version names one version of a memory that verifies.
type version struct {
	id  string
	seq uint64
}

func versionOf(r memory.Record) version { return version{id: r.ID, seq: r.Seq} }

// doubt marks the memories of which nobody could say what they are.
func (c choice) doubt(looks map[version]look) {
	for _, memories := range [][]scored{c.ranked, c.picked} {
		for i := range memories {
			memories[i].doubt = looks[versionOf(memories[i].record)].doubt
		}
	}
}

// overBudget is how many memories did not fit into the budget of tokens.
func (c choice) overBudget() (n int) {
	for _, left := range c.left {
		if left == memory.LeftBudget {
			n++
		}
	}
	return n
}

// choose finds candidates and picks from them.
func (g *Gate) choose(ctx context.Context, s *policy.State, namespace string, q Recall, now time.Time) (choice, error) {
	limit := recallLimit(s.Runtime, q.Limit)
	screening, looks := g.screening(s), map[version]look{}
	for want := limit*overFetch + spareCandidates; ; want *= moreCandidates {
		found, err := g.candidates(ctx, s.Runtime, namespace, q, want)
		if err != nil {
			return choice{}, err
		}
		ranked, err := g.rank(ctx, s, namespace, q, found.found, now)
		if err != nil {
			return choice{}, err
		}
		roots, err := g.roots(ctx, ranked)
		if err != nil {
			return choice{}, err
		}
		p := picking{
			gate: g, state: s, runtime: s.Runtime, now: now, roots: roots, screening: screening, looks: looks,
			limits: memory.Limits{Results: limit, Tokens: q.Tokens, Reserved: memory.ReservedFor(limit)},
		}
		chosen := p.pick(ctx, ranked)
		// Copies of one text, or much that is withheld, may have crowded others out.
		crowded := len(chosen.picked) < limit && len(ranked)-len(chosen.picked) > chosen.overBudget()
		if !found.full || !crowded || want >= memory.MaxPageSize {
			return chosen, nil
		}
	}
}

// rank verifies and orders candidates. To a question without words, pinned memories in zone Trusted come first.
func (g *Gate) rank(
	ctx context.Context, s *policy.State, namespace string, q Recall, found []memory.Candidate, now time.Time,
) ([]scored, error) {
	records := make([]memory.Record, len(found))
	for i, c := range found {
		records[i] = c.Record
	}
	checked, err := g.verify(ctx, s, namespace, records)
	if err != nil {
		return nil, err
	}
	byID := make(map[string]verified, len(checked))
	there := found[:0:0]
	for i, v := range checked {
		if present(v.record) { // not forgotten while we looked
			c := found[i]
			c.Record = v.record
			there, byID[v.record.ID] = append(there, c), v
		}
	}
	ranked := memory.Rank(there, rankOptions(s.Runtime, now))
	out := make([]scored, len(ranked))
	for i, r := range ranked {
		out[i] = scored{verified: byID[r.Record.ID], Ranked: r}
	}
	if q.blank() {
		slices.SortStableFunc(out, func(a, b scored) int { return rankPin(a) - rankPin(b) })
	}
	return out, nil
}

func rankPin(s scored) int {
	if s.fault == "" && s.record.Pinned && s.record.Zone == memory.Trusted {
		return 0
	}
	return 1
}

func rankOptions(r *policy.Runtime, now time.Time) memory.RankOptions {
	return memory.RankOptions{Now: now, DecayPerDay: func(class provenance.Class) float64 {
		return float64(r.ClassRules(class).DecayPerDayPerMille) / 1000
	}}
}

// roots returns what the derived ones among memories go back to.
func (g *Gate) roots(ctx context.Context, ranked []scored) (map[string][]string, error) {
	var derived []string
	for _, r := range ranked {
		if len(r.record.Parents) > 0 {
			derived = append(derived, r.record.ID)
		}
	}
	if len(derived) == 0 {
		return nil, nil
	}
	return g.store.Roots(ctx, derived)
}

// picking picks from ranked memories what an answer holds.
type picking struct {
	gate      *Gate
	state     *policy.State
	runtime   *policy.Runtime
	now       time.Time
	roots     map[string][]string
	limits    memory.Limits
	screening *screening
	looks     map[version]look // what was found out in this recall about memories that nothing bars
}

// lazyRounds is how often memories are picked and then screened before all of them are screened.
const lazyRounds = 3

// pick screens no more than it must: what is not picked is not screened, and what turns out to be withheld makes room for
// others. That gives the same as screening everything first, since what is not picked has no influence on what is. The judge is
// asked last, about all that would be in the answer.
func (p picking) pick(ctx context.Context, ranked []scored) choice {
	out := choice{ranked: ranked, reasons: map[string]Reason{}}
	open := make([]scored, 0, len(ranked))
	for i, r := range ranked {
		reason := bar(p.runtime, r.verified, p.now)
		if reason == "" || p.dryRun() {
			open = append(open, r)
		}
		if reason != "" {
			out.reasons[r.record.ID] = reason
			if i < p.limits.Results && !p.dryRun() {
				out.reported = append(out.reported, Withheld{ID: r.record.ID, Reason: reason})
			}
		}
	}
	for round := 0; ; round++ {
		out.picked, out.left = p.fit(open)
		check := out.picked
		if round >= lazyRounds {
			check = open
		}
		dirty := p.screen(check, out.reasons)
		if len(dirty) == 0 || p.dryRun() {
			dirty = p.judge(ctx, check, out.reasons)
		}
		if len(dirty) == 0 || p.dryRun() {
			break
		}
		out.reported = append(out.reported, reportedOf(out.picked, out.reasons)...)
		open = slices.DeleteFunc(open, func(r scored) bool { return dirty[r.record.ID] })
	}
	if p.dryRun() {
		out.reported = reportedOf(out.picked, out.reasons)
	}
	out.doubt(p.looks)
	return out
}

func (p picking) dryRun() bool { return p.runtime.Enforcement == v1alpha1.EnforcementDryRun }

// screen looks at memories that were not looked at before. It notes why they are withheld and returns which are.
func (p picking) screen(memories []scored, reasons map[string]Reason) (dirty map[string]bool) {
	for _, m := range memories {
		id := m.record.ID
		if reasons[id] != "" {
			continue
		}
		found, before := p.looks[versionOf(m.record)]
		if !before {
			found = p.screening.look(m.verified, p.now)
			p.looks[versionOf(m.record)] = found
		}
		dirty = noteReason(id, found, reasons, dirty)
	}
	return dirty
}

// judge asks about memories that screen let pass and that were not asked about before, all together.
func (p picking) judge(ctx context.Context, memories []scored, reasons map[string]Reason) (dirty map[string]bool) {
	if !p.screening.judged() {
		return nil
	}
	var open []verified
	var looks []look
	for _, m := range memories {
		if found := p.looks[versionOf(m.record)]; found.survivor && reasons[m.record.ID] == "" {
			open, looks = append(open, m.verified), append(looks, found)
		}
	}
	p.screening.askAbout(ctx, open, looks)
	for i, v := range open {
		p.looks[versionOf(v.record)] = looks[i]
		dirty = noteReason(v.record.ID, looks[i], reasons, dirty)
	}
	return dirty
}

// noteReason notes why a memory is withheld, if it is.
func noteReason(id string, found look, reasons map[string]Reason, dirty map[string]bool) map[string]bool {
	if found.reason == "" {
		return dirty
	}
	if reasons[id] = found.reason; dirty == nil {
		dirty = map[string]bool{}
	}
	dirty[id] = true
	return dirty
}

func reportedOf(picked []scored, reasons map[string]Reason) (out []Withheld) {
	for _, m := range picked {
		if reason := reasons[m.record.ID]; reason != "" {
			out = append(out, Withheld{ID: m.record.ID, Reason: reason})
		}
	}
	return out
}

// fit selects within the limits. The budget is that of the whole context, with the label of each line, of which Select
// knows nothing: what the labels take is taken off until the context fits.
func (p picking) fit(open []scored) ([]scored, map[string]memory.Left) {
	limits := p.limits
	for {
		picked, left := p.selected(open, limits)
		if p.limits.Tokens == 0 || len(picked) == 0 {
			return picked, left
		}
		lines, contents := p.tokens(picked)
		if lines <= p.limits.Tokens {
			return picked, left
		}
		if limits.Tokens = contents - (lines - p.limits.Tokens); limits.Tokens <= 0 {
			for _, m := range picked {
				left[m.record.ID] = memory.LeftBudget
			}
			return nil, left
		}
	}
}

// tokens is what picked memories take in the context, and what their contents alone would.
func (p picking) tokens(picked []scored) (lines, contents int) {
	d := p.gate.deliver(p.state, "", "", p.now)
	for _, m := range picked {
		lines += memory.Tokens(contextBlock([]Delivered{d.shown(m.verified, m.Score)}))
		contents += memory.Tokens(m.record.Content)
	}
	return lines, contents
}

func (p picking) selected(open []scored, limits memory.Limits) ([]scored, map[string]memory.Left) {
	ranked := make([]memory.Ranked, len(open))
	byID := make(map[string]scored, len(open))
	for i, m := range open {
		ranked[i], byID[m.record.ID] = m.Ranked, m
	}
	picked, left := memory.Select(ranked, p.roots, limits)
	out := make([]scored, len(picked))
	for i, r := range picked {
		out[i] = byID[r.Record.ID]
	}
	return out, left
}
