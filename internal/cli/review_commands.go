// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	memoryv1alpha1 "memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/internal/terminal"
)

const reviewHelp = `
  approve REASON      it may stay; out of Quarantine it goes to Working
  reject REASON       it may not stay; no recall delivers it
  promote REASON      one zone up; into Trusted, evidence is asked for
  quarantine REASON   out of reach of the agent, and still to decide
  skip                leave it undecided
  next                decide about it later in this review
  why                 what screening found, and what a recall makes of it
  neighbors           what it came from, what came from it, and others of its source
  content             all that it says
  undo                take the last decision of this review back
  help                this list
  quit                end the review; what is decided stays decided
`

// neighborsElsewhere is how the command is spelled outside of America.
const neighborsElsewhere = "neighbo" + "urs"

// reviewCommand is something that can be typed in a review.
type reviewCommand struct {
	names []string
	// do reports whether the memory at hand has to be shown again.
	do func(ctx context.Context, r *review, rest string) (again bool, err error)
}

// reviewCommands are all of them. The first name is the whole word; the others are short for it.
func reviewCommands() []reviewCommand {
	decide := func(name string) func(context.Context, *review, string) (bool, error) {
		return func(ctx context.Context, r *review, reason string) (bool, error) {
			return r.decide(ctx, verbNamed(name), reason)
		}
	}
	return []reviewCommand{
		{[]string{"approve", "a"}, decide("approve")},
		{[]string{"reject", "r"}, decide("reject")},
		{[]string{"promote", "p"}, decide(verbPromote)},
		{[]string{"quarantine"}, decide("quarantine")},
		{[]string{"skip", "s"}, func(_ context.Context, r *review, _ string) (bool, error) {
			r.queue = r.queue[1:]
			r.skipped++
			return true, nil
		}},
		{[]string{"next", "n"}, func(_ context.Context, r *review, _ string) (bool, error) {
			r.queue = append(r.queue[1:], r.queue[0])
			return true, nil
		}},
		{[]string{"why", "w"}, func(ctx context.Context, r *review, _ string) (bool, error) { return false, r.why(ctx) }},
		{[]string{"neighbors", neighborsElsewhere, "b"}, func(ctx context.Context, r *review, _ string) (bool, error) { return false, r.neighbors(ctx) }},
		{[]string{"content", "c"}, func(_ context.Context, r *review, _ string) (bool, error) {
			columns, _ := terminal.Size(r.Out)
			describe(r.Out, r.style, r.seen, columns)
			return false, nil
		}},
		{[]string{"undo", "u"}, func(ctx context.Context, r *review, _ string) (bool, error) { return r.undo(ctx) }},
		{[]string{"help", "h", "?"}, func(_ context.Context, r *review, _ string) (bool, error) {
			fmt.Fprint(r.Out, reviewHelp[1:])
			return false, nil
		}},
		{[]string{"quit", "q", "exit"}, func(context.Context, *review, string) (bool, error) { return false, errQuit }},
	}
}

// commandNamed returns what was typed. An empty line is no command: nobody decides by leaning on a key.
func commandNamed(word string) (reviewCommand, error) {
	for _, c := range reviewCommands() {
		for _, name := range c.names {
			if strings.EqualFold(word, name) {
				return c, nil
			}
		}
	}
	if word == "" {
		return reviewCommand{}, terminal.Usage("Type a command, or its first letter; help lists them.")
	}
	return reviewCommand{}, terminal.Usage(fmt.Sprintf("%q is no command; help lists them.", word))
}

// decide makes a decision about the version that was shown.
func (r *review) decide(ctx context.Context, v verb, reason string) (again bool, err error) {
	at := r.queue[0]
	if reason == "" {
		if reason, err = r.lines.ask(ctx, "Reason (it stands in the history; empty leaves it undecided): "); err != nil {
			return false, err
		}
	}
	if reason == "" {
		fmt.Fprintln(r.Out, "Nothing was decided.")
		r.wrong(terminal.Usage("a decision needs a reason"))
		return false, nil
	}
	m := r.maker(at)
	spec := memoryv1alpha1.MemoryDecisionSpec{Commit: r.seen.status.Commit, Reason: reason}
	if v.name == verbPromote {
		if ok, err := r.evidence(ctx, &spec); !ok || err != nil {
			return false, err
		}
	}
	did, err := m.send(ctx, v, at.id, spec)
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case apierrors.IsConflict(err):
		fmt.Fprintln(r.Out, r.style.Caution("It changed since it was shown; nothing was decided.")+" This is how it stands now:")
		r.wrong(err)
		return true, nil
	case err != nil:
		r.report("Nothing was decided:", err)
		return false, nil
	}
	outcome(r.Out, r.Options, v, m.about.noun, at.id, did)
	r.tellUndo(append([]string{"undo, or later: " + m.line(v.undo, at.id, "undo "+v.name)}, m.bringBack(did.Status.Affected)...))
	r.last = at
	r.decided = append(r.decided, made{of: at, verb: v, commit: did.Status.Commit})
	r.queue = r.queue[1:]
	if v.name == "quarantine" { // it still waits
		r.queue = append(r.queue, at)
	}
	return true, nil
}

// evidence asks for what backs a promotion to Trusted. It reports whether that can be used.
func (r *review) evidence(ctx context.Context, spec *memoryv1alpha1.MemoryDecisionSpec) (bool, error) {
	var e evidence
	if r.seen.status.Zone != zoneQuarantine {
		source, err := r.lines.ask(ctx, "Evidence, a ticket, a document or an address (empty: none): ")
		if err != nil {
			return false, err
		}
		if e.source = source; source != "" {
			of, err := r.lines.ask(ctx, "File with it, or its SHA-256: ")
			if err != nil {
				return false, err
			}
			if raw, err := hex.DecodeString(of); err == nil && len(raw) == sha256.Size {
				e.digest = of
			} else {
				e.file = of
			}
		}
	}
	err := e.check()
	if err == nil {
		err = e.add(spec, r.seen.status.Zone)
	}
	if err != nil {
		r.report("Nothing was decided:", err)
		return false, nil
	}
	return true, nil
}

// report says why something was not done.
func (r *review) report(what string, err error) {
	columns, _ := terminal.Size(r.Out)
	fmt.Fprintln(r.Out, r.style.Bad(what))
	for line := range strings.Lines(explain(err)) {
		terminal.Paragraph(r.Out, strings.TrimSuffix(line, "\n"), columns)
	}
	r.wrong(err)
}

// undo takes the last decision of the review back, and puts the memory before the others.
func (r *review) undo(ctx context.Context) (again bool, err error) {
	if len(r.decided) == 0 {
		fmt.Fprintln(r.Out, "There is nothing to undo in this review.")
		r.wrong(terminal.Usage("there was nothing to undo"))
		return false, nil
	}
	last := r.decided[len(r.decided)-1]
	m, back := r.maker(last.of), verbNamed(last.verb.undo)
	did, err := m.send(ctx, back, last.of.id, memoryv1alpha1.MemoryDecisionSpec{Commit: last.commit, Reason: "undo " + last.verb.name})
	if err != nil {
		r.report("Not undone:", err)
		return false, nil
	}
	outcome(r.Out, r.Options, back, m.about.noun, last.of.id, did)
	r.decided = r.decided[:len(r.decided)-1]
	r.undone++
	r.last = last.of
	r.queue = append([]waiting{last.of}, r.without(last.of)...)
	return true, nil
}

func (r *review) without(w waiting) []waiting {
	out := make([]waiting, 0, len(r.queue))
	for _, q := range r.queue {
		if q != w {
			out = append(out, q)
		}
	}
	return out
}

// why says what speaks against the memory at hand, and what a recall would make of it.
func (r *review) why(ctx context.Context) error {
	st := r.seen.status
	columns, _ := terminal.Size(r.Out)
	reasons := r.seen.text.Reasons
	if len(reasons) == 0 {
		reasons = st.Reasons
	}
	found := "nothing"
	if len(reasons) > 0 {
		found = strings.Join(reasons, "; ")
	}
	terminal.Fields(r.Out, columns, "Screening found", found, "Class", cappedClass(st), "Signature", cmp.Or(st.Fault, "verifies"))
	x, err := r.client.xray(ctx, r.queue[0].namespace, r.queue[0].id, "", "")
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		fmt.Fprintln(r.Out, "What a recall makes of it is not known: "+terminal.Escape(explain(err)))
	default:
		explainXRay(r.Out, r.style, x, columns)
	}
	return nil
}
