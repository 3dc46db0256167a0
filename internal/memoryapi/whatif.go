// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryapi

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	api "memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/internal/gate"
)

// replayer is a Reader that can go through sessions again: a running screener, which knows the policy in force.
type replayer interface {
	WhatIf(ctx context.Context, id, session string, limit int) (gate.WhatIf, error)
}

// whatIf is the subresource of that name.
type whatIf struct{ of records }

// New implements rest.Storage.
func (whatIf) New() runtime.Object { return &api.MemoryWhatIf{} }

// Destroy implements rest.Storage.
func (whatIf) Destroy() {}

// NewGetOptions implements rest.GetterWithOptions.
func (whatIf) NewGetOptions() (options runtime.Object, subpath bool, name string) {
	return &api.MemoryWhatIfOptions{}, false, ""
}

// Get says what sessions would have been like without a memory.
func (s whatIf) Get(ctx context.Context, name string, options runtime.Object) (runtime.Object, error) {
	o, ok := options.(*api.MemoryWhatIfOptions)
	if !ok {
		return nil, apierrors.NewInternalError(fmt.Errorf("options of type %T", options))
	}
	c, at, err := s.of.find(ctx, name)
	if err != nil {
		return nil, err
	}
	var w gate.WhatIf
	err = s.of.Screeners.read(ctx, at.agent, c.principal(), func(ctx context.Context, r Reader) (err error) {
		again, ok := r.(replayer)
		if !ok {
			return unavailable("a session can be gone through again by a running screener of agent " + at.agent.Name + " only, which knows the policy in force; none runs")
		}
		w, err = again.WhatIf(ctx, name, o.Session, int(o.Limit))
		return err
	})
	if err != nil {
		return nil, s.of.about(name).failed(ctx, at.agent, err)
	}
	out := whatIfOf(w)
	out.ObjectMeta, out.Agent, out.Session = objectMeta(at.agent, name, at.value.CreatedAt), at.agent.Name, o.Session
	return out, nil
}

func whatIfOf(w gate.WhatIf) *api.MemoryWhatIf {
	out := &api.MemoryWhatIf{GoneOver: int64(w.GoneOver), More: w.More, Changed: int64(w.Changed), Limits: w.Limits, Message: w.Message}
	for _, g := range w.Gone {
		out.Gone = append(out.Gone, api.WhatIfGone{Name: g.ID, Via: g.Via, Depth: int64(g.Depth)})
	}
	for _, s := range w.Sessions {
		session := api.WhatIfSession{Session: s.Session, Opened: s.Opened, Changed: int64(s.Changed), Truncated: s.Truncated, Message: s.Message}
		for _, step := range s.Steps {
			session.Steps = append(session.Steps, whatIfStep(step))
		}
		out.Sessions = append(out.Sessions, session)
	}
	return out
}

func whatIfStep(step gate.WhatIfStep) api.WhatIfStep {
	out := api.WhatIfStep{Kind: step.Kind, At: metav1.NewTime(step.At), Changed: step.Changed, Mark: whatIfMark(step.Mark), Without: whatIfMark(step.Without)}
	for _, d := range step.Delivered {
		out.Delivered = append(out.Delivered, api.WhatIfDelivered{Name: d.ID, Class: string(d.Class), ScorePerMille: perMille(d.Score), Gone: d.Gone})
	}
	if c := step.Call; c != nil {
		out.Call = &api.WhatIfCall{
			Approval: c.ID, Tool: c.Tool, Rule: c.Rule, Required: string(c.Required), Decision: string(c.Decision), Without: string(c.Without),
			Became: string(c.Became), OtherPolicy: c.OtherPolicy,
		}
		for _, a := range c.Arguments {
			out.Call.Arguments = append(out.Call.Arguments, api.WhatIfArgument{Path: a.Path, By: a.By, Memory: a.Memory, Without: a.Without})
		}
	}
	return out
}

func whatIfMark(m gate.WhatIfMark) api.WhatIfMark {
	return api.WhatIfMark{Class: string(m.Class), Authority: string(m.Authority)}
}
