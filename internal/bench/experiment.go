// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"
	"fmt"
	"strings"
	"time"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/gate"
)

// experiment is one vector end to end. It runs twice: in a world whose defense is off, and in one where it is on.
type experiment struct {
	outcome Outcome
	// act plays it in a namespace of its own. What is delivered is the effect of an attack, or the harmless going through.
	act func(ctx context.Context, w *world, s setup, namespace string) (reach, error)
	// promised says that the trust mode delivers it by design, though it is an attack.
	promised bool
}

// experiments returns those of the catalogs in a mode.
func (r *Runner) experiments(mode v1alpha1.TrustMode) []experiment {
	var out []experiment
	for _, c := range r.Catalogs {
		if r.runs(SuiteTexts) {
			for _, t := range c.Texts {
				out = append(out, textExperiment(SuiteTexts, t))
			}
		}
		if r.runs(SuiteEvaders) {
			for _, t := range c.Evaders {
				out = append(out, textExperiment(SuiteEvaders, t))
			}
		}
		if r.runs(SuiteTrials) {
			for _, t := range c.Trials {
				e := textExperiment(SuiteTrials, t)
				e.promised = r.Policy.Trust(mode).Trusted(t.Source)
				out = append(out, e)
			}
		}
		if r.runs(SuiteOrigins) {
			for _, o := range c.Origins {
				out = append(out, originExperiment(o))
			}
		}
		if r.runs(SuiteControls) && mode == v1alpha1.TrustModeSigned {
			for _, control := range c.Controls {
				out = append(out, controlExperiment(control))
			}
		}
		if r.runs(SuiteChains) {
			for _, chain := range c.Chains {
				out = append(out, chainExperiment(chain))
			}
		}
		for i := range out {
			if out[i].outcome.Catalog == "" {
				out[i].outcome.Catalog = c.Ref.Name
			}
			out[i].outcome.Mode = modeName(mode)
		}
	}
	return out
}

func textExperiment(suite Suite, t Text) experiment {
	return experiment{
		outcome: Outcome{Suite: suite, ID: t.ID, Category: t.Category, Lang: t.Lang, Attack: t.Poison},
		act: func(ctx context.Context, w *world, s setup, namespace string) (reach, error) {
			caller, source := s.origin(t.Source, !t.Poison)
			return w.plant(ctx, namespace, caller, t.Text, source)
		},
	}
}

// originExperiment has its effect when either half comes out wrong.
func originExperiment(o OriginPair) experiment {
	return experiment{
		outcome: Outcome{Suite: SuiteOrigins, ID: o.ID, Category: o.Category, Lang: o.Lang, Attack: true},
		act: func(ctx context.Context, w *world, s setup, namespace string) (reach, error) {
			caller, source := s.origin(o.Trusted, true)
			trusted, err := w.plant(ctx, namespace+"-t", caller, o.Text, source)
			if err != nil {
				return reach{}, err
			}
			caller, source = s.origin(o.Untrusted, false)
			untrusted, err := w.plant(ctx, namespace+"-u", caller, o.Text, source)
			return reach{delivered: untrusted.delivered || !trusted.delivered, reason: untrusted.reason}, err
		},
	}
}

// controlExperiment writes through the channel of the source's class, so that the memory is signed under it, and may then
// change the content behind the gate's back.
func controlExperiment(c Control) experiment {
	return experiment{
		outcome: Outcome{Suite: SuiteControls, ID: c.ID, Category: c.Category, Lang: c.Lang, Attack: c.Tampered != ""},
		act: func(ctx context.Context, w *world, s setup, namespace string) (reach, error) {
			caller, source := s.origin(c.Source, true)
			caller.Namespace = namespace
			w.now = w.now.Add(time.Second)
			out, err := w.Encode(ctx, caller, gate.Write{Content: c.Text, Source: source, Session: "writer"})
			if err != nil {
				return reach{}, err
			}
			if c.Tampered == "" {
				return w.look(ctx, namespace, out.ID, c.Text)
			}
			if err := w.behind(ctx, "UPDATE records SET content = ? WHERE id = ?", c.Tampered, out.ID); err != nil {
				return reach{}, err
			}
			return w.look(ctx, namespace, out.ID, c.Tampered)
		},
	}
}

// chainExperiment writes all members and recalls them together. They get through when all of them are delivered and nothing is
// said of what they are together.
func chainExperiment(c Chain) experiment {
	return experiment{
		outcome: Outcome{Suite: SuiteChains, ID: c.ID, Category: c.Category, Lang: c.Lang, Attack: c.Flag},
		act: func(ctx context.Context, w *world, s setup, namespace string) (reach, error) {
			ids := make([]string, len(c.Members))
			for i, m := range c.Members {
				caller, source := s.origin(m.Source, !c.Flag)
				caller.Namespace = namespace
				w.now = w.now.Add(time.Second)
				out, err := w.Encode(ctx, caller, gate.Write{Content: m.Text, Source: source, Session: fmt.Sprintf("writer-%d", i)})
				if err != nil && !refused(err) {
					return reach{}, err
				}
				ids[i] = out.ID
			}
			w.later()
			answer, err := w.Recall(ctx, gate.Caller{Namespace: namespace}, gate.Recall{Session: "reader"})
			if err != nil {
				return reach{}, err
			}
			together := reach{delivered: true}
			for i, m := range c.Members {
				got := reached(answer, ids[i], m.Text)
				together.marked = together.marked || got.marked
				if !got.delivered {
					together.delivered, together.reason = false, got.reason
				}
			}
			if !s.off && clustered(answer) {
				together.delivered = false
			}
			return together, nil
		},
	}
}

// clusterCaution is what a recall's caution says of memories that nobody vouched for and that together amount to a directive.
const clusterCaution = "together add up to acting without asking"

// clustered reports whether an answer warns of what memories in it are together.
func clustered(answer gate.Recalled) bool { return strings.Contains(answer.Caution, clusterCaution) }

// settle says what came of an experiment, from its two arms.
func (e experiment) settle(off, on reach) Outcome {
	o := e.outcome
	o.Open, o.Delivered, o.Marked, o.Withheld = off.delivered, on.delivered, on.marked, on.reason
	o.Right = on.delivered != o.Attack || e.promised && on.delivered
	return o
}

// perform plays all experiments of a mode in one arm, in order, each in a namespace of its own.
func (r *Runner) perform(ctx context.Context, s setup, all []experiment) (out []reach, failures []error, err error) {
	w, err := s.open(ctx, r.work)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = joinClose(err, w) }()
	out, failures = make([]reach, len(all)), make([]error, len(all))
	for i, e := range all {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		out[i], failures[i] = e.act(ctx, w, s, fmt.Sprintf("v-%d", i))
		r.step()
	}
	return out, failures, nil
}
