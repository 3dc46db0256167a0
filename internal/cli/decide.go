// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	memoryv1alpha1 "memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/internal/terminal"
)

const exampleID = "0193a1f0-7c5e-7b7a-9d43-0a4c1f0e9b21"

// subject is a kind of thing that is decided about.
type subject struct {
	resource string
	noun     string // in messages
	prefix   string // of its commands, after the program
	name     func(id string) string
}

var (
	aboutMemories  = subject{resource: resourceMemories, noun: "memory", name: memoryName}
	aboutApprovals = subject{resource: resourceApprovals, noun: "call", prefix: "approvals ", name: approvalName}
)

// deciding are the flags of a decision.
type deciding struct {
	reason, commit string
	dryRun, sure   bool
	proof          evidence
}

func (d *deciding) bind(f *pflag.FlagSet, v verb) {
	f.StringVar(&d.reason, "reason", "", "why; stands in the history (required)")
	f.StringVar(&d.commit, "commit", "", "the version you saw; the newest one by default")
	f.BoolVar(&d.dryRun, "dry-run", false, "say what would happen, rule by rule, and change nothing")
	switch v.name {
	case verbPurge:
		f.BoolVar(&d.sure, "yes", false, "erase it for good")
	case verbPromote:
		d.proof.bind(f)
	}
}

// check says what is wrong with a decision that nobody needs to be asked about.
func (d *deciding) check(v verb, names []string) error {
	switch {
	case strings.TrimSpace(d.reason) == "":
		return terminal.Usage("--reason is missing: say why, it stands in the history: --reason 'checked with the author'")
	case v.name == verbPurge && !d.sure && !d.dryRun:
		return terminal.Usage("purge cannot be undone: give --yes as well, or --dry-run to see what it would do")
	case d.commit != "" && len(names) > 1:
		return terminal.Usage("--commit is the version of one: give a single name with it")
	}
	return d.proof.check()
}

func newDecisionCommand(o *Options, v verb) *cobra.Command {
	return decisionCommand(o, v, aboutMemories, "MEMORY...", o.completeMemories(v))
}

func decisionCommand(o *Options, v verb, about subject, args string, complete cobra.CompletionFunc) *cobra.Command {
	var d deciding
	example := about.prefix + v.name + " " + exampleID + " --reason 'checked with the author'"
	long := strings.TrimSpace(v.long + "\nThe decision is about the version that --commit names, or that is the newest when the command starts: show NAME prints it. " +
		"If it changes\nmeanwhile, nothing is decided and the exit code is 5.")
	cmd := o.command(v.name+" "+args, v.short, long, []string{example + v.flags, example + v.flags + " --dry-run"}, atLeastOne("the name of a "+about.noun),
		func(cmd *cobra.Command, names []string) error {
			if err := d.check(v, names); err != nil {
				return err
			}
			c, namespace, err := o.connect()
			if err != nil {
				return err
			}
			m := maker{Options: o, client: c, about: about, namespace: namespace}
			return o.each(names, func(name string) error { return m.make(cmd.Context(), v, bare(name), d) })
		})
	d.bind(cmd.Flags(), v)
	cmd.ValidArgsFunction = complete
	return cmd
}

// each does something for every name. Of several, those after a failure are done nevertheless.
func (o *Options) each(names []string, do func(string) error) error {
	if len(names) == 1 {
		return do(names[0])
	}
	out := &partialError{total: len(names)}
	for i, name := range names {
		if i > 0 && o.output == formatYAML {
			fmt.Fprintln(o.Out, "---")
		}
		if err := do(name); err != nil {
			fmt.Fprintf(o.Err, "error: %s: %s\n", terminal.Escape(name), terminal.EscapeLines(explain(err)))
			out.first = cmp.Or(out.first, err)
			out.bad++
		}
	}
	if out.bad > 0 {
		return out
	}
	return nil
}

// maker makes decisions.
type maker struct {
	*Options
	client    *client
	about     subject
	namespace string
}

// make decides about one thing and prints what became of it.
func (m maker) make(ctx context.Context, v verb, id string, d deciding) error {
	spec, err := m.spec(ctx, v, id, d)
	if err != nil {
		return err
	}
	made, err := m.send(ctx, v, id, spec)
	if err != nil {
		return err
	}
	if err := m.print(made, []string{m.about.name(id)}, func(w io.Writer) { outcome(w, m.Options, v, m.about.noun, id, made) }); err != nil {
		return err
	}
	if made.Spec.DryRun && unmet(made.Status.Rules) {
		return errRefused
	}
	m.tellUndo(m.undo(v, id, made))
	return nil
}

// spec puts a decision together. It reads what is decided about where the version was not named.
func (m maker) spec(ctx context.Context, v verb, id string, d deciding) (memoryv1alpha1.MemoryDecisionSpec, error) {
	spec := memoryv1alpha1.MemoryDecisionSpec{Commit: d.commit, Reason: d.reason, DryRun: d.dryRun}
	zone := ""
	if spec.Commit == "" || v.name == verbPromote && d.proof.zone == "" {
		commit, now, err := m.head(ctx, id)
		if err != nil {
			return spec, err
		}
		zone = now
		spec.Commit = cmp.Or(spec.Commit, commit)
	}
	if v.name == verbPromote {
		return spec, d.proof.add(&spec, zone)
	}
	return spec, nil
}

// head returns the commit and the zone of the newest version.
func (m maker) head(ctx context.Context, id string) (commit, zone string, err error) {
	if m.about.resource == resourceApprovals {
		var a memoryv1alpha1.Approval
		err = m.client.get(ctx, m.namespace, m.about.resource, id, "", &a)
		return a.Status.Commit, "", err
	}
	var r memoryv1alpha1.Memory
	err = m.client.get(ctx, m.namespace, m.about.resource, id, "", &r)
	return r.Status.Commit, r.Status.Zone, err
}

// send asks for a decision.
func (m maker) send(ctx context.Context, v verb, id string, spec memoryv1alpha1.MemoryDecisionSpec) (*memoryv1alpha1.MemoryDecision, error) {
	out := &memoryv1alpha1.MemoryDecision{}
	return out, m.client.create(ctx, m.namespace, m.about.resource, id, v.name, &memoryv1alpha1.MemoryDecision{Spec: spec}, out)
}

// undo are the commands that take a decision back; none if nothing does, or nothing was done.
func (m maker) undo(v verb, id string, made *memoryv1alpha1.MemoryDecision) []string {
	if !made.Status.Done || made.Spec.DryRun {
		return nil
	}
	var out []string
	if v.undo != "" {
		out = append(out, m.line(m.about.prefix+v.undo, id, "undo "+v.name))
	}
	return append(out, m.bringBack(made.Status.Affected)...)
}

// bringBack are the commands that bring back what a decision replaced.
func (m maker) bringBack(affected []memoryv1alpha1.AffectedMemory) []string {
	var out []string
	for _, a := range affected {
		if a.State == "Superseded" {
			out = append(out, m.line("quarantine", a.Name, "bring back what was replaced"), m.line("approve", a.Name, "bring back what was replaced"))
		}
	}
	return out
}

// line is a command as it is typed.
func (m maker) line(command, id, reason string) string {
	return Program + " " + command + " " + id + m.flags(m.namespace) + " --reason " + terminal.Quote(reason)
}

// tellUndo prints how to take a decision back: beside the output where a program reads that.
func (m maker) tellUndo(commands []string) {
	w := m.Err
	if m.output == formatTable || m.output == formatWide {
		w = m.Out
	}
	for _, c := range commands {
		fmt.Fprintln(w, "To undo: "+terminal.Escape(c))
	}
}

func unmet(rules []memoryv1alpha1.DecisionRule) bool {
	return slices.ContainsFunc(rules, func(r memoryv1alpha1.DecisionRule) bool { return !r.Met })
}

// outcome writes what became of a decision.
func outcome(w io.Writer, o *Options, v verb, noun, id string, made *memoryv1alpha1.MemoryDecision) {
	st, s := made.Status, o.style()
	did := s.Good(v.done)
	switch {
	case made.Spec.DryRun:
		did = s.Caution("Only tried to " + v.name)
	case !st.Done:
		did = s.Bad("Did not " + v.name)
	}
	fmt.Fprintf(w, "%s %s %s.\n", did, noun, terminal.Escape(id))
	effects(w, o, st)
}

// effects writes where a decision leads to, its rules, what else it changes, and what the screener says about it.
func effects(w io.Writer, o *Options, st memoryv1alpha1.DecisionStatus) {
	s := o.style()
	columns, _ := terminal.Size(o.Out)
	if st.Zone != "" || st.State != "" {
		fmt.Fprintf(w, "Zone %s, state %s.\n", paint(s, terminal.Escape(st.Zone)), paint(s, terminal.Escape(st.State)))
	}
	for _, rule := range st.Rules {
		mark := s.Good("met    ")
		if !rule.Met {
			mark = s.Bad("not met")
		}
		fmt.Fprintf(w, "  %s  %s: %s\n", mark, terminal.Escape(rule.Name), terminal.Escape(rule.Explain))
	}
	for _, a := range st.Affected {
		fmt.Fprintf(w, "  also %s (%s): state %s\n", terminal.Escape(a.Name), terminal.Escape(a.Why), terminal.Escape(a.State))
	}
	if st.Message != "" {
		terminal.Paragraph(w, st.Message, columns)
	}
	if st.Commit != "" {
		fmt.Fprintf(w, "Commit %s\n", terminal.Escape(st.Commit))
	}
}
