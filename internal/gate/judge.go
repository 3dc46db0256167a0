// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"strings"
	"time"

	"memorytrust.dev/operator/internal/judge"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/screen"
)

// Judge asks a language model about texts; *judge.Judge is one. It returns one answer per text, in their order.
type Judge interface {
	Ask(ctx context.Context, s judge.Settings, texts []string) []judge.Answer
}

// What a verdict says that is not the engine's: the kinds, which agents get to know, and reasons, for people.
const (
	// tierJudge is the tier of a directive that only the judge saw.
	tierJudge screen.Tier = "Judge"
	// familyJudge is its kind.
	familyJudge = "judge"
	// familyUnjudged is the kind of a text of untrusted origin of which nobody could say what it is.
	familyUnjudged = "unjudged"
	// familyBudget is the kind of one that the judge was not asked about, because the policy does not allow more in a minute.
	familyBudget = "judge-budget"

	reasonAbstained = familyUnjudged + ": writing the screen cannot judge"
	reasonLength    = familyUnjudged + ": longer than what the judge reads"
	reasonBudget    = familyBudget + ": more texts than the judge may be asked about in a minute"
	reasonNoAnswer  = familyUnjudged + ": the judge gave no answer"
)

// screening is the screening of one operation. All that it asks the judge has to be answered in the time that the policy gives
// one operation, however often it asks. The zero deadline is none yet.
type screening struct {
	gate     *Gate
	state    *policy.State
	deadline time.Time
}

func (g *Gate) screening(s *policy.State) *screening { return &screening{gate: g, state: s} }

// text is a text to be screened.
type text struct {
	words
	trusted bool // its origin
}

// verdicts screens texts, and has the judge look at those of untrusted origin in which nothing was found, all together.
func (c *screening) verdicts(ctx context.Context, texts ...text) []screen.Verdict {
	out := make([]screen.Verdict, len(texts))
	var asked []*screen.Verdict
	var about []words
	for i, t := range texts {
		out[i], _ = c.gate.screenText(c.state, t.words, t.trusted)
		if c.judged() && !out[i].Directive && !t.trusted {
			asked, about = append(asked, &out[i]), append(about, t.words)
		}
	}
	c.ask(ctx, about, asked)
	return out
}

// judged reports whether the policy in force has a judge.
func (c *screening) judged() bool { return c.state.Runtime.Screening.Judge != nil }

// verdict is verdicts for one text.
func (c *screening) verdict(ctx context.Context, w words, trusted bool) screen.Verdict {
	return c.verdicts(ctx, text{words: w, trusted: trusted})[0]
}

// ask has the judge look at texts of untrusted origin in which nothing was found so far, and adds what it says to their verdicts.
// It takes nothing away from them.
func (c *screening) ask(ctx context.Context, about []words, verdicts []*screen.Verdict) {
	j := c.state.Runtime.Screening.Judge
	if j == nil || len(about) == 0 {
		return
	}
	if c.deadline.IsZero() {
		c.deadline = time.Now().Add(j.Timeout())
	}
	ctx, cancel := context.WithDeadline(ctx, c.deadline)
	defer cancel()
	texts := make([]string, len(about))
	for i, w := range about {
		texts[i] = w.whole()
	}
	answers := c.gate.judge.Ask(ctx, judge.Settings{
		URL: j.URL, Model: j.Model, Key: c.state.JudgeKey, NeedsKey: j.Key, Timeout: j.Timeout(),
		TextsPerMinute: j.TextsPerMinute, CacheFor: j.CacheFor(), Revision: c.state.Runtime.Revision,
	}, texts)
	for i, v := range verdicts {
		var a judge.Answer
		if a.Unjudged = judge.CauseMalformed; i < len(answers) { // whoever answers less has not judged the rest
			a = answers[i]
		}
		c.gate.metrics.judged(a)
		addAnswer(v, a)
	}
}

// addAnswer adds what the judge says to a verdict that is no directive.
func addAnswer(v *screen.Verdict, a judge.Answer) {
	switch {
	case a.Directive:
		*v = screen.Verdict{
			Directive: true, Tier: tierJudge, ScorePerMille: max(v.ScorePerMille, screen.DefaultDirectivePerMille),
			Families: []string{familyJudge}, Reasons: []string{familyJudge + ": " + string(a.Reason)},
		}
	case a.Unjudged != "":
		family, reason := familyUnjudged, reasonNoAnswer+" ("+string(a.Unjudged)+")"
		switch a.Unjudged {
		case judge.CauseBudget:
			family, reason = familyBudget, reasonBudget
		case judge.CauseLength:
			reason = reasonLength
		}
		v.Abstained = true
		v.Families, v.Reasons = union(v.Families, []string{family}), union(v.Reasons, []string{reason})
	}
}

// whole is everything of a memory that can carry words, as one text.
func (w words) whole() string {
	if beside := w.beside(); beside != "" {
		return w.content + "\n\n" + beside
	}
	return w.content
}

// unjudged reports whether reasons say that nobody could say what a text is.
func unjudged(reasons []string) bool {
	for _, r := range reasons {
		if family, _, _ := strings.Cut(r, ":"); family == familyUnjudged || family == familyBudget {
			return true
		}
	}
	return false
}

// look is what is found out about a stored memory before it is delivered.
type look struct {
	reason Reason // why it must not reach the agent; empty if nothing speaks against it
	// doubt: its origin is not trusted and nobody could say what it is. It is delivered marked, whatever its state.
	doubt bool
	// survivor: its origin is not trusted, and nothing was found. It is for the judge.
	survivor bool
}

// look screens a memory again, because the lexicon may have learned since it was written. The judge is not asked.
func (c *screening) look(v verified, now time.Time) look {
	r := c.state.Runtime
	if !remains(v.record) || !speaks(v.record) {
		return look{reason: ReasonQuarantined}
	}
	if reason := bar(r, v, now); reason != "" || trusted(r, v) {
		return look{reason: reason}
	}
	verdict, ok := c.gate.screenText(c.state, wordsOf(v.record), false)
	switch {
	case !ok:
		return look{reason: ReasonUnreadable}
	case verdict.Directive:
		return look{reason: ReasonDirective}
	}
	return look{doubt: verdict.Abstained, survivor: true}
}

// examine looks at memories and asks the judge about all survivors together.
func (c *screening) examine(ctx context.Context, memories []verified, now time.Time) []look {
	out := make([]look, len(memories))
	for i, v := range memories {
		out[i] = c.look(v, now)
	}
	c.askAbout(ctx, memories, out)
	return out
}

// askAbout asks the judge about the survivors among memories that were looked at.
func (c *screening) askAbout(ctx context.Context, memories []verified, looks []look) {
	if !c.judged() {
		return
	}
	var about []words
	var verdicts []*screen.Verdict
	var at []int
	for i, l := range looks {
		if l.survivor {
			about, verdicts, at = append(about, wordsOf(memories[i].record)), append(verdicts, &screen.Verdict{Abstained: l.doubt}), append(at, i)
		}
	}
	c.ask(ctx, about, verdicts)
	for n, i := range at {
		looks[i].survivor = false
		if looks[i].doubt = verdicts[n].Abstained; verdicts[n].Directive {
			looks[i].reason = ReasonDirective
		}
	}
}

// examineOne is examine for one memory; the memory returned carries the doubt.
func (c *screening) examineOne(ctx context.Context, v verified, now time.Time) (verified, Reason) {
	found := c.examine(ctx, []verified{v}, now)[0]
	v.doubt = found.doubt
	return v, found.reason
}

// coarse are the kinds among the reasons of a record that only its writing knows: those of the judge, and that it was not judged.
func coarse(r memory.Record) (out []string) {
	for _, reason := range r.Reasons {
		switch family, _, _ := strings.Cut(reason, ":"); family {
		case familyJudge, familyUnjudged, familyBudget:
			out = union(out, []string{family})
		}
	}
	return out
}
