// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/judge"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/screen"
)

// strange is text in writing that the screen below cannot judge; sly is a directive that only the judge sees.
const (
	strange = "⟨⟩ strange writing ⟨⟩"
	sly     = "A sly remark about invoices and account 77."
)

// abstaining screens like the engine, except that it cannot judge strange writing.
type abstaining struct{}

func (abstaining) Screen(in screen.Input) screen.Verdict {
	if strings.Contains(in.Text, strange) {
		return screen.Verdict{Abstained: !in.Trusted}
	}
	return engine().Screen(in)
}

// judging answers in the place of a model: sly is a directive, unless cause says why it does not answer.
type judging struct {
	calls    [][]string
	settings judge.Settings
	deadline time.Time
	cause    judge.Cause
	short    bool // answers about one text less
}

func (j *judging) Ask(ctx context.Context, s judge.Settings, texts []string) []judge.Answer {
	j.calls, j.settings = append(j.calls, texts), s
	j.deadline, _ = ctx.Deadline()
	out := make([]judge.Answer, len(texts))
	for i, text := range texts {
		switch {
		case j.cause != "":
			out[i].Unjudged = j.cause
		case strings.Contains(text, sly):
			out[i] = judge.Answer{Directive: true, Reason: "redirection"}
		default:
			out[i].Reason = judge.ReasonNone
		}
	}
	if j.short {
		return out[:len(out)-1]
	}
	return out
}

// sent returns everything that was sent to the judge.
func (j *judging) sent() []string { return slices.Concat(j.calls...) }

func withJudge(s *v1alpha1.MemoryTrustPolicySpec) {
	s.Screening.Judge = &v1alpha1.JudgeSpec{URL: "https://judge.example/v1", Model: "m", APIKeySecretRef: &v1alpha1.SecretKeyRef{Name: "judge"}}
}

// judged returns a fixture with a judge.
func judged(t testing.TB, change ...func(*v1alpha1.MemoryTrustPolicySpec)) (*fixture, *judging) {
	t.Helper()
	f, j := newFixture(t, append(change, withJudge)...), &judging{}
	f.judge = j
	f.state.JudgeKey = "k"
	return f, j
}

// What becomes of a text that nothing can judge, by class, review mode and enforcement.
func TestAbstained(t *testing.T) {
	for name, tc := range map[string]struct {
		caller Caller
		source string
		change func(*v1alpha1.MemoryTrustPolicySpec)
		zone   memory.Zone
		state  memory.State
		review memory.Boundary
		coarse []string
	}{
		"agent, Mark":           {caller: agent, zone: memory.Working, state: memory.PendingReview, review: memory.RequiresReview, coarse: []string{"unjudged"}},
		"agent, Withhold":       {caller: agent, change: withhold, zone: memory.Quarantine, state: memory.PendingReview, review: memory.Blocked, coarse: []string{"unjudged"}},
		"tool, Mark":            {caller: agent, source: "mcp:search", zone: memory.Working, state: memory.PendingReview, review: memory.RequiresReview, coarse: []string{"unjudged"}},
		"tool, Withhold":        {caller: agent, source: "mcp:search", change: withhold, zone: memory.Quarantine, state: memory.PendingReview, review: memory.Blocked, coarse: []string{"unjudged"}},
		"channel of tools":      {caller: tools, zone: memory.Working, state: memory.PendingReview, review: memory.RequiresReview, coarse: []string{reasonAbstained}},
		"trusted by prefix":     {caller: agent, source: "operator:console", zone: memory.Working, state: memory.Active, review: memory.Safe},
		"trusted channel":       {caller: console, zone: memory.Trusted, state: memory.Active, review: memory.Safe},
		"agent, Withhold, both": {caller: agent, change: func(s *v1alpha1.MemoryTrustPolicySpec) { withhold(s); dryRun(s) }, zone: memory.Quarantine, state: memory.PendingReview, review: memory.Blocked, coarse: []string{"unjudged"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.screener = abstaining{}
			if tc.change != nil {
				f.change(tc.change)
			}
			out := f.write(tc.caller, Write{Content: strange, Source: tc.source})
			if out.Zone != tc.zone || out.State != tc.state || out.Verdict.Directive {
				t.Errorf("%s %s, directive %v; want %s %s", out.Zone, out.State, out.Verdict.Directive, tc.zone, tc.state)
			}
			if diff := cmp.Diff(append([]string{}, tc.coarse...), out.Verdict.Reasons); diff != "" {
				t.Errorf("reasons (-want +got):\n%s", diff)
			}
			got := f.recall(Recall{Query: "strange writing"})
			dry := f.state.Runtime.Enforcement == v1alpha1.EnforcementDryRun
			if delivered := len(got.Memories) == 1; delivered != (tc.review != memory.Blocked || dry) {
				t.Fatalf("delivered %v: %+v", delivered, got)
			}
			if len(got.Memories) == 1 && got.Memories[0].Boundary != tc.review {
				t.Errorf("boundary %s, want %s", got.Memories[0].Boundary, tc.review)
			}
			if n := counted(t, f.metrics.abstained); (n > 0) != (tc.coarse != nil) {
				t.Errorf("counted %v", n)
			}
		})
	}
}

// A memory that was clean when it was written and cannot be judged any more, after a change of thresholds for example, is marked.
func TestAbstainedSinceItWasWritten(t *testing.T) {
	f := newFixture(t)
	out := f.put(memory.Record{Content: strange})
	f.screener = abstaining{}
	for name, d := range map[string]Delivered{
		"recall": f.recall(Recall{Query: "strange writing"}).Memories[0],
		"get":    f.get(t, out.ID),
		"list":   f.listed(t)[0],
	} {
		if d.Boundary != memory.RequiresReview || d.Authority != memory.Inform {
			t.Errorf("%s: %s %s, want it marked", name, d.Boundary, d.Authority)
		}
	}
}

func (f *fixture) get(t *testing.T, id string) Delivered {
	t.Helper()
	d, err := f.Get(f.ctx(), agent, id, Reading{})
	must(t, err)
	return d
}

func (f *fixture) listed(t *testing.T) []Delivered {
	t.Helper()
	l, err := f.List(f.ctx(), agent, Listing{})
	must(t, err)
	return l.Memories
}

func TestJudgeAtWrites(t *testing.T) {
	for name, tc := range map[string]struct {
		caller Caller
		write  Write
		cause  judge.Cause
		asked  bool
		zone   memory.Zone
		state  memory.State
		coarse []string
	}{
		"clean":                 {caller: agent, write: Write{Content: publicFact}, asked: true, zone: memory.Working, state: memory.Active},
		"directive":             {caller: agent, write: Write{Content: sly}, asked: true, zone: memory.Quarantine, state: memory.PendingReview, coarse: []string{"judge"}},
		"directive of a tool":   {caller: tools, write: Write{Content: sly}, asked: true, zone: memory.Quarantine, state: memory.PendingReview, coarse: []string{"judge: redirection"}},
		"beside the content":    {caller: agent, write: Write{Content: publicFact, Metadata: map[string]string{"note": sly}}, asked: true, zone: memory.Quarantine, state: memory.PendingReview, coarse: []string{"judge"}},
		"found by the screen":   {caller: agent, write: Write{Content: plant}, zone: memory.Quarantine, state: memory.PendingReview, coarse: nil},
		"trusted channel":       {caller: console, write: Write{Content: sly}, zone: memory.Trusted, state: memory.Active},
		"trusted by prefix":     {caller: agent, write: Write{Content: sly, Source: "operator:console"}, zone: memory.Working, state: memory.Active},
		"timeout":               {caller: agent, write: Write{Content: publicFact}, cause: judge.CauseTimeout, asked: true, zone: memory.Working, state: memory.PendingReview, coarse: []string{"unjudged"}},
		"budget":                {caller: agent, write: Write{Content: publicFact}, cause: judge.CauseBudget, asked: true, zone: memory.Working, state: memory.PendingReview, coarse: []string{"judge-budget"}},
		"screen cannot judge":   {caller: agent, write: Write{Content: strange}, asked: true, zone: memory.Working, state: memory.PendingReview, coarse: []string{"unjudged"}},
		"neither of them can":   {caller: agent, write: Write{Content: strange}, cause: judge.CauseBudget, asked: true, zone: memory.Working, state: memory.PendingReview, coarse: []string{"unjudged", "judge-budget"}},
		"strange and directive": {caller: agent, write: Write{Content: strange + sly}, asked: true, zone: memory.Quarantine, state: memory.PendingReview, coarse: []string{"judge"}},
	} {
		t.Run(name, func(t *testing.T) {
			f, j := judged(t)
			f.screener, j.cause = abstaining{}, tc.cause
			out := f.write(tc.caller, tc.write)
			if out.Zone != tc.zone || out.State != tc.state {
				t.Errorf("%s %s, want %s %s", out.Zone, out.State, tc.zone, tc.state)
			}
			if tc.coarse != nil || !out.Verdict.Directive {
				if diff := cmp.Diff(append([]string{}, tc.coarse...), out.Verdict.Reasons); diff != "" {
					t.Errorf("reasons (-want +got):\n%s", diff)
				}
			}
			if asked := len(j.calls) > 0; asked != tc.asked {
				t.Errorf("asked %v: %q", asked, j.calls)
			}
			if strings.Contains(out.Message, "account 77") {
				t.Errorf("the answer quotes the memory: %s", out.Message)
			}
		})
	}
}

// Only what is of untrusted origin is sent, and what the judge finds is withheld.
func TestJudgeAtRecall(t *testing.T) {
	f, j := judged(t)
	f.judge = &judging{} // everything is clean when it is written
	for i := range 17 {
		f.write(agent, Write{Content: fmt.Sprintf("Invoice number %d was settled.", i)})
	}
	trustedText := "Invoice rule of the operator: file them by date."
	f.write(console, Write{Content: trustedText})
	found := f.put(memory.Record{Content: "Invoice notes. " + sly})
	f.judge = j

	got := f.recall(Recall{Query: "invoice", Limit: 20})
	if len(j.calls) != 1 || len(j.calls[0]) != 18 {
		t.Errorf("calls %q, want one of 18 texts", j.calls)
	}
	if slices.Contains(j.sent(), trustedText) || len(j.sent()) == 0 {
		t.Errorf("sent %q", j.sent())
	}
	if reasonOf(got, found.ID) != ReasonDirective || delivers(got, found.Content) || len(got.Memories) != 18 {
		t.Errorf("%d delivered, withheld %+v", len(got.Memories), got.Withheld)
	}
	silent(t, got, sly)
	if j.settings.Key != "k" || !j.settings.NeedsKey || j.settings.Revision != f.state.Runtime.Revision || time.Until(j.deadline) > 10*time.Second {
		t.Errorf("settings %+v, deadline in %s", j.settings, time.Until(j.deadline))
	}
	for _, m := range got.Memories {
		if m.Boundary != memory.Safe {
			t.Errorf("%s is %s though the judge found nothing", m.Content, m.Boundary)
		}
	}
}

// A recall of twenty memories is one call, and so is a page of a list.
func TestJudgeAtRecallAsksOnce(t *testing.T) {
	f, j := judged(t)
	for i := range 20 {
		f.put(memory.Record{Content: fmt.Sprintf("Invoice number %d was settled.", i)})
	}
	if got := f.recall(Recall{Query: "invoice", Limit: 20}); len(got.Memories) != 20 || len(j.calls) != 1 || len(j.calls[0]) != 20 {
		t.Errorf("%d memories, %d calls", len(got.Memories), len(j.calls))
	}
	j.calls = nil
	if l := f.listed(t); len(l) != 20 || len(j.calls) != 1 || len(j.calls[0]) != 20 {
		t.Errorf("list: %d memories, %d calls", len(l), len(j.calls))
	}
}

// While the judge does not answer, nothing of untrusted origin is delivered as Safe, however it is read.
func TestJudgeDoesNotAnswer(t *testing.T) {
	for _, cause := range judge.Causes {
		f, j := judged(t)
		own := f.put(memory.Record{Content: publicFact})
		j.cause = cause
		for name, d := range map[string]Delivered{
			"recall": f.recall(Recall{Query: "Lyon"}).Memories[0], "get": f.get(t, own.ID), "list": f.listed(t)[0],
		} {
			if d.Boundary != memory.RequiresReview || d.Authority != memory.Inform {
				t.Errorf("%s, %s: %s %s", cause, name, d.Boundary, d.Authority)
			}
		}
		if got := f.recall(Recall{Query: "Lyon"}); got.Caution == "" {
			t.Errorf("%s: no caution", cause)
		}
	}
	f, j := judged(t)
	f.put(memory.Record{Content: publicFact})
	j.short = true
	if d := f.recall(Recall{Query: "Lyon"}).Memories[0]; d.Boundary != memory.RequiresReview {
		t.Errorf("a judge that leaves a text out: %s", d.Boundary)
	}
}

// The judge takes no suspicion away: what the screen holds for a directive is withheld, whatever it says.
func TestJudgeClearsNothing(t *testing.T) {
	f, j := judged(t)
	planted := f.put(memory.Record{Content: plant})
	if got := f.recall(Recall{Query: "invoice"}); reasonOf(got, planted.ID) != ReasonDirective || len(j.sent()) != 0 {
		t.Errorf("withheld %+v, sent %q", got.Withheld, j.sent())
	}
	f.screener = abstaining{}
	f.put(memory.Record{Content: strange})
	if got := f.recall(Recall{Query: "strange"}); got.Memories[0].Boundary != memory.RequiresReview {
		t.Errorf("boundary %s of what the screen cannot judge and the judge finds clean", got.Memories[0].Boundary)
	}
}

// What a person approved is delivered as it is, and tags cannot smuggle in under that approval what only the judge would see.
func TestJudgeAndApproval(t *testing.T) {
	f, j := judged(t)
	approved := f.put(memory.Record{Content: sly, State: memory.Approved, ApprovedBy: "alice"})
	if got := f.recall(Recall{Query: "sly"}); !delivers(got, sly) || len(j.sent()) != 0 {
		t.Errorf("delivered %v, sent %q", delivers(got, sly), j.sent())
	}
	note := map[string]string{"note": sly}
	out, err := f.Edit(f.ctx(), agent, approved.ID, Edit{Metadata: &note})
	must(t, err)
	if out.Zone != memory.Quarantine {
		t.Errorf("zone %s after an edit beside the content", out.Zone)
	}
}

func TestJudgeScreensItemsTogether(t *testing.T) {
	f, j := judged(t)
	items := []ScreenItem{{Content: publicFact}, {Content: sly}, {Content: plant}, {Content: sly, Source: "operator:console"}}
	got, err := f.Screen(f.ctx(), agent, items)
	must(t, err)
	want := []memory.Zone{memory.Working, memory.Quarantine, memory.Quarantine, memory.Working}
	for i, s := range got {
		if s.Zone != want[i] {
			t.Errorf("item %d: %s, want %s", i, s.Zone, want[i])
		}
	}
	if diff := cmp.Diff([][]string{{publicFact, sly}}, j.calls); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
}

// In DryRun the judge is asked and counted, and nothing is kept back.
func TestJudgeInDryRun(t *testing.T) {
	f, j := judged(t, dryRun)
	f.put(memory.Record{Content: sly})
	f.put(memory.Record{Content: "invoices: " + plant})
	got := f.recall(Recall{Query: "invoices"})
	if len(got.Memories) != 2 || len(j.calls) != 1 || !got.Degraded {
		t.Errorf("%d memories, %d calls", len(got.Memories), len(j.calls))
	}
	if n := counted(t, f.metrics.wouldWithhold.WithLabelValues(string(ReasonDirective))); n != 2 {
		t.Errorf("%v would have been withheld, want 2", n)
	}
}

// What waits because of the judge tells the agent so, in one word.
func TestJudgeInQueue(t *testing.T) {
	f, j := judged(t)
	f.write(agent, Write{Content: sly})
	j.cause = judge.CauseBudget
	f.write(agent, Write{Content: publicFact})
	q, err := f.Queue(f.ctx(), agent, QueueQuery{})
	must(t, err)
	var got []string
	for _, item := range q.Items {
		got = append(got, item.Reasons...)
	}
	if diff := cmp.Diff([]string{"judge", "judge-budget"}, got); diff != "" {
		t.Errorf("reasons (-want +got):\n%s", diff)
	}
}

func TestJudgeMetrics(t *testing.T) {
	f, j := judged(t)
	f.write(agent, Write{Content: publicFact})
	f.write(agent, Write{Content: sly})
	j.cause = judge.CauseTimeout
	f.write(agent, Write{Content: "The garden has a pond."})
	for result, want := range map[string]float64{"clean": 1, "directive": 1, "timeout": 1, "budget": 0} {
		if n := counted(t, f.metrics.texts.WithLabelValues(result)); float64(n) != want {
			t.Errorf("%s: %v, want %v", result, n, want)
		}
	}
}

// The gate screens with the lexicons and thresholds of the policy in force.
func TestEngineOfThePolicy(t *testing.T) {
	f := newFixture(t)
	f.screener = nil
	const text = "Blorp the grommet."
	if out := f.write(agent, Write{Content: text}); out.Verdict.Directive {
		t.Fatal("a directive before any lexicon says so")
	}
	f.lexicons = "language en\nclass acme.x = blorp\nrule override 900 = @acme.x\n"
	f.change()
	out := f.write(agent, Write{Content: "Please " + text})
	if !out.Verdict.Directive || out.Zone != memory.Quarantine {
		t.Errorf("with the lexicon: %+v", out)
	}
	if got := f.recall(Recall{Query: "grommet"}); len(got.Memories) != 0 || len(got.Withheld) == 0 {
		t.Errorf("a recall after the lexicon changed delivers %+v", got.Memories)
	}
}
