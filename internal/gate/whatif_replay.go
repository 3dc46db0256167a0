// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"slices"
	"strings"
	"time"

	"memorytrust.dev/operator/internal/action"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// replayed is what is known of a session, to be gone through again.
type replayed struct {
	session  string
	openedAt time.Time // by a channel of users; zero: never
	gone     map[string]bool
	own      []memory.Delivery // to the session, oldest first
	around   []around          // to others, oldest first
	calls    []replayedCall    // oldest first
	cut      bool              // there is more than was read
}

// around is a delivery to another session, or to none. It counts for sessionWindow: for every session that no user opened, and for one
// that a user opened if it is bound to no such session itself.
type around struct {
	memory.Delivery
	bound bool // to a session that a user opened
}

// replayedCall is a request to call a tool that waited for a person.
type replayedCall struct {
	at     time.Time
	mark   provenance.Class // of the session, as it was told to the person; empty: not known
	rule   action.Rule      // that applies under the policy in force
	many   bool             // it has more sensitive arguments than are looked at
	called WhatIfCalled     // but for what would have been
}

// run goes through the steps with and without what is gone. It changes nothing and asks nobody.
func (r replayed) run() WhatIfSession {
	out := WhatIfSession{Session: r.session, Opened: !r.openedAt.IsZero(), Steps: []WhatIfStep{}, Truncated: r.cut}
	out.Steps = append(out.Steps, r.reads()...)
	for _, c := range r.calls {
		out.Steps = append(out.Steps, r.call(c))
	}
	slices.SortStableFunc(out.Steps, func(a, b WhatIfStep) int { return a.At.Compare(b.At) })
	for _, step := range out.Steps {
		if step.Changed {
			out.Changed++
		}
	}
	out.Message = out.said()
	return out
}

// reads are the steps in which memories were delivered: those of one moment were one answer.
func (r replayed) reads() (out []WhatIfStep) {
	for i := 0; i < len(r.own); {
		step := WhatIfStep{Kind: WhatIfRead, At: r.own[i].At}
		for ; i < len(r.own) && r.own[i].At.Equal(step.At); i++ {
			d := r.own[i]
			gone := r.gone[d.RecordID]
			step.Delivered = append(step.Delivered, WhatIfDelivered{ID: d.RecordID, Class: provenance.Min(d.Class), Score: d.Score, Gone: gone})
			step.Changed = step.Changed || gone
		}
		step.Mark, step.Without = r.standing(step.At, nil), r.standing(step.At, r.gone)
		step.Changed = step.Changed || step.Mark != step.Without
		out = append(out, step)
	}
	return out
}

// call is the step in which a person was asked.
func (r replayed) call(c replayedCall) WhatIfStep {
	step := WhatIfStep{Kind: WhatIfCall, At: c.at, Mark: r.standing(c.at, nil), Without: r.standing(c.at, r.gone)}
	if c.mark != "" && c.mark.Below(step.Mark.Class) { // by what is not in the log, as an observation
		step.Mark = r.markOf(c.at, c.mark)
		step.Without = r.markOf(c.at, provenance.Min(step.Without.Class, c.mark))
	}
	called := c.called
	called.Without = c.without(step.Without.Authority)
	step.Call = &called
	step.Changed = called.Without != called.Decision || step.Mark != step.Without || called.groundedOtherwise()
	return step
}

// groundedOtherwise reports whether an argument would have been named by somebody else, or by nobody.
func (c WhatIfCalled) groundedOtherwise() bool {
	return slices.ContainsFunc(c.Arguments, func(a WhatIfArgument) bool { return a.Without != a.By })
}

// without is what would have been decided in a session with an authority.
func (c replayedCall) without(authority memory.Authority) ActionDecision {
	all := len(c.called.Arguments) > 0 && !c.many
	for _, arg := range c.called.Arguments {
		all = all && (arg.Without == groundedByTurn || arg.Without == groundedByMemory)
	}
	switch {
	case c.called.Required != memory.Act, authority == memory.Act, all:
		return ActionAllow
	case c.rule.Otherwise == action.Deny:
		return ActionDeny
	}
	return ActionRequireApproval
}

// standing is how the session stood at a moment, as Gate.standingOf has it, without what is gone.
func (r replayed) standing(at time.Time, gone map[string]bool) WhatIfMark {
	mark, opened := provenance.UserInput, r.openedBy(at)
	for _, d := range r.own {
		if !d.At.After(at) && !gone[d.RecordID] && (r.session != "" || !d.At.Before(at.Add(-sessionWindow))) {
			mark = provenance.Min(mark, d.Class)
		}
	}
	for _, d := range r.around {
		if d.At.After(at) || d.At.Before(at.Add(-sessionWindow)) || gone[d.RecordID] || opened && d.bound {
			continue
		}
		mark = provenance.Min(mark, d.Class)
	}
	return r.markOf(at, mark)
}

func (r replayed) openedBy(at time.Time) bool { return !r.openedAt.IsZero() && !r.openedAt.After(at) }

func (r replayed) markOf(at time.Time, mark provenance.Class) WhatIfMark {
	return WhatIfMark{Class: mark, Authority: sessionStanding{mark: mark, opened: r.openedBy(at)}.authority()}
}

// said tells in words what became of the steps.
func (s WhatIfSession) said() string {
	var gone, marks, decisions, arguments int
	for _, step := range s.Steps {
		for _, d := range step.Delivered {
			if d.Gone {
				gone++
			}
		}
		if step.Mark != step.Without {
			marks++
		}
		if step.Call != nil && step.Call.Without != step.Call.Decision {
			decisions++
		}
		if step.Call != nil && step.Call.groundedOtherwise() {
			arguments++
		}
	}
	var parts []string
	for _, part := range []struct {
		n               int
		one, many, text string
	}{
		{gone, "memory", "memories", " would not have been delivered"},
		{marks, "step", "steps", " would have met a session that stands otherwise"},
		{decisions, "call", "calls", " would have been decided otherwise"},
		{arguments, "call", "calls", " would have had arguments that others named, or nobody"},
	} {
		if part.n > 0 {
			parts = append(parts, countOf(part.n, part.one, part.many)+part.text)
		}
	}
	if len(parts) == 0 {
		return "Nothing would have been otherwise."
	}
	return strings.Join(parts, "; ") + "."
}
