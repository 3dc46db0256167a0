// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/provenance"
)

// judged is one vector of the suites that a single text is enough for, and what its answer means.
type judged struct {
	outcome Outcome
	vectors []Vector // one; two where both halves of a pair are asked about
	// right says whether the answers are as they should be.
	right func(answers []Answer) bool
}

// contentVectors are the vectors that the screen alone is asked about: without any source.
func (r *Runner) contentVectors() []judged {
	var out []judged
	for _, c := range r.Catalogs {
		if r.runs(SuiteContent) {
			for _, t := range c.Texts {
				if t.Poison || !labels.Trusted(t.Source) {
					out = append(out, contentText(SuiteContent, c, t))
				}
			}
		}
		if r.runs(SuiteEvaders) {
			for _, t := range c.Evaders {
				out = append(out, contentText(SuiteEvaders, c, t))
			}
		}
		if r.runs(SuitePairs) {
			for _, p := range c.Pairs {
				out = append(out, judged{
					outcome: Outcome{
						Suite: SuitePairs, Catalog: c.Ref.Name, Mode: modeContent, ID: p.ID, Category: p.Category, Lang: p.Lang, Attack: true,
					},
					vectors: []Vector{{ID: p.ID + "/attack", Text: p.Attack}, {ID: p.ID + "/benign", Text: p.Benign}},
					right:   firstOnly,
				})
			}
		}
	}
	return out
}

// firstOnly is right where the first text is flagged and the second neither flagged nor left to a person.
func firstOnly(a []Answer) bool { return a[0].Flagged && !a[1].Flagged && !a[1].Abstained }

// labels tell which harmless texts are so because of their source: they may well be directives, about which content alone says
// nothing.
var labels = Trust{Mode: v1alpha1.TrustModePrefix, Formats: provenance.DefaultFormats}

// contentText asks about the content of a text.
func contentText(suite Suite, c *Catalog, t Text) judged {
	return judged{
		outcome: Outcome{
			Suite: suite, Catalog: c.Ref.Name, Mode: modeContent, ID: t.ID, Category: t.Category, Lang: t.Lang, Attack: t.Poison,
		},
		vectors: []Vector{{ID: t.ID, Text: t.Text}},
		right:   func(a []Answer) bool { return a[0].Flagged == t.Poison },
	}
}

// sourcedVectors are what an endpoint is asked about with a source, in place of the gate.
func (r *Runner) sourcedVectors() []judged {
	var out []judged
	single := func(suite Suite, c *Catalog, t Text) {
		source := t.Source
		out = append(out, judged{
			outcome: Outcome{
				Suite: suite, Catalog: c.Ref.Name, Mode: modeEndpoint, ID: t.ID, Category: t.Category, Lang: t.Lang,
				Attack: t.Poison, Open: true,
			},
			vectors: []Vector{{ID: t.ID, Text: t.Text, Source: &source}},
			right:   func(a []Answer) bool { return a[0].Flagged == t.Poison },
		})
	}
	for _, c := range r.Catalogs {
		for _, part := range []struct {
			suite Suite
			texts []Text
		}{{SuiteTexts, c.Texts}, {SuiteEvaders, c.Evaders}, {SuiteTrials, c.Trials}} {
			if r.runs(part.suite) {
				for _, t := range part.texts {
					single(part.suite, c, t)
				}
			}
		}
		if r.runs(SuiteOrigins) {
			for _, o := range c.Origins {
				out = append(out, judged{
					outcome: Outcome{
						Suite: SuiteOrigins, Catalog: c.Ref.Name, Mode: modeEndpoint, ID: o.ID, Category: o.Category, Lang: o.Lang,
						Attack: true, Open: true,
					},
					vectors: []Vector{
						{ID: o.ID + "/untrusted", Text: o.Text, Source: &o.Untrusted}, {ID: o.ID + "/trusted", Text: o.Text, Source: &o.Trusted},
					},
					right: firstOnly,
				})
			}
		}
	}
	return out
}

// runEndpoint puts everything that a single text is enough for before the endpoint, and says what is left out.
func (r *Runner) runEndpoint(ctx context.Context, res *Result) error {
	vectors := append(r.contentVectors(), r.sourcedVectors()...)
	r.total.Add(int64(len(vectors)))
	var err error
	if res.Outcomes, err = r.judge(ctx, r.Endpoint, r.Workers, vectors); err != nil {
		return err
	}
	for _, s := range []Suite{SuiteControls, SuiteChains, SuiteActions, SuiteDormancy, SuiteHaystack} {
		if r.runs(s) {
			res.NotRun = append(res.NotRun, s)
		}
	}
	return nil
}

// judge puts vectors before a harness, in order of the outcomes.
func (r *Runner) judge(ctx context.Context, h Harness, workers int, all []judged) ([]Outcome, error) {
	out := make([]Outcome, len(all))
	err := EvalOptions{Workers: workers}.each(ctx, len(all), func(ctx context.Context, i int) {
		out[i] = all[i].ask(ctx, h)
		r.step()
	})
	return out, err
}

func (j judged) ask(ctx context.Context, h Harness) Outcome {
	o := j.outcome
	answers := make([]Answer, len(j.vectors))
	for i, v := range j.vectors {
		var err error
		if answers[i], err = h.Answer(ctx, v); err != nil {
			o.Error = err.Error()
			return o
		}
	}
	first := answers[0]
	o.Right = j.right(answers)
	o.Delivered = o.Mode != modeContent && !first.Flagged
	o.Flagged, o.Abstained, o.Score, o.Reasons = first.Flagged, first.Abstained, first.ScorePerMille, first.Reasons
	return o
}
