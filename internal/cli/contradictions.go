// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	memoryv1alpha1 "memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/internal/terminal"
)

func newContradictionsCommand(o *Options) *cobra.Command {
	cmd := o.command("contradictions", "Memories that cannot both hold", "Pairs that a scan found: list and show them, and decide. A is the older one.",
		[]string{"contradictions list -n travel", "contradictions resolve " + exampleID + " keep-a --reason 'as in the contract'"}, nil, nil)
	return group(cmd, newContradictionsListCommand(o), newContradictionsShowCommand(o), newResolveCommand(o))
}

func newContradictionsListCommand(o *Options) *cobra.Command {
	var c choice
	var decided bool
	cmd := o.command("list", "List contradictions that nobody decided", "With --decided, those that somebody did as well.",
		[]string{"contradictions list -n travel", "contradictions list -A --decided -o wide"}, noArgs,
		func(cmd *cobra.Command, _ []string) error {
			s, err := c.selection()
			if err != nil {
				return err
			}
			if c.limit < 0 {
				return terminal.Usage("--limit: give a number of contradictions, or 0 for all")
			}
			if !decided {
				s.add("open", "true")
			}
			api, namespace, err := o.connect()
			if err != nil {
				return err
			}
			items, more, err := api.listContradictions(cmd.Context(), c.in(namespace), s, c.limit)
			if err != nil {
				return err
			}
			return o.printContradictions(items, more, c)
		})
	f := cmd.Flags()
	f.BoolVarP(&c.all, "all-namespaces", "A", false, "of all namespaces")
	f.StringVar(&c.agent, "agent", "", "of this agent only")
	f.BoolVar(&decided, "decided", false, "also those that were decided")
	limitFlag(f, &c.limit)
	return cmd
}

func (o *Options) printContradictions(items []memoryv1alpha1.Contradiction, more bool, c choice) error {
	names, rows := make([]string, len(items)), make([][]string, len(items))
	header := []string{"NAME", "AGENT", "A", "B", "STATE", "VERDICT", "AGE"}
	if o.output == formatWide {
		header = append(header, "CLASS A", "CLASS B", "BY")
	}
	for i, pair := range items {
		names[i] = contradictionName(pair.Name)
		s := pair.Status
		row := []string{pair.Name, s.Agent, s.A.Name, s.B.Name, s.State, s.Verdict, age(pair.CreationTimestamp)}
		if o.output == formatWide {
			row = append(row, s.A.Class, s.B.Class, s.DecidedBy)
		}
		for j := range row {
			row[j] = terminal.Escape(row[j])
		}
		if c.all {
			row = slices.Insert(row, 0, terminal.Escape(pair.Namespace))
		}
		rows[i] = row
	}
	if c.all {
		header = slices.Insert(header, 0, "NAMESPACE")
	}
	list := &memoryv1alpha1.ContradictionList{Items: append([]memoryv1alpha1.Contradiction{}, items...)}
	if err := o.print(list, names, func(w io.Writer) {
		if len(rows) > 0 {
			o.table(w, header, rows)
		}
	}); err != nil {
		return err
	}
	switch {
	case more:
		o.note("Only the first %d; --limit 0 shows all.", len(items))
	case len(items) == 0:
		o.note("No contradictions%s.", where(c))
	}
	return nil
}

func newContradictionsShowCommand(o *Options) *cobra.Command {
	cmd := o.command("show CONTRADICTION", "Show both memories of a contradiction", "JSON and YAML are its ContradictionContent.",
		[]string{"contradictions show " + exampleID + " -n travel"}, exactly("the name of a contradiction"),
		func(cmd *cobra.Command, args []string) error {
			c, namespace, err := o.connect()
			if err != nil {
				return err
			}
			var pair memoryv1alpha1.Contradiction
			if err := c.get(cmd.Context(), namespace, resourceContradictions, bare(args[0]), "", &pair); err != nil {
				return err
			}
			content := &memoryv1alpha1.ContradictionContent{}
			if err := c.get(cmd.Context(), namespace, resourceContradictions, bare(args[0]), "content", content); err != nil {
				return err
			}
			return o.print(content, []string{contradictionName(pair.Name)}, func(w io.Writer) {
				columns, _ := terminal.Size(o.Out)
				describeContradiction(w, o.style(), pair, content, columns)
			})
		})
	cmd.ValidArgsFunction = o.completeContradictions
	return cmd
}

func describeContradiction(w io.Writer, s terminal.Style, pair memoryv1alpha1.Contradiction, content *memoryv1alpha1.ContradictionContent, columns int) {
	st := pair.Status
	fmt.Fprintf(w, "%s  %s\n", s.Bold("Contradiction "+terminal.Escape(pair.Name)), paint(s, terminal.Escape(st.State)))
	decided := ""
	if st.Verdict != "" {
		decided = st.Verdict + " by " + st.DecidedBy + " at " + when(st.DecidedAt)
	}
	terminal.Fields(w, columns, "Agent", pair.Namespace+"/"+st.Agent, "Found", when(&pair.CreationTimestamp), "Signs", strings.Join(content.Signs, "; "),
		"Decided", decided, "Why", content.Reason)
	for _, side := range []struct {
		name string
		side memoryv1alpha1.ContradictionSide
		text memoryv1alpha1.Text
	}{{"A", st.A, content.A}, {"B", st.B, content.B}} {
		fmt.Fprintf(w, "%s %s  %s, %s, %s, %s\n", s.Bold(side.name), terminal.Escape(side.side.Name), paint(s, terminal.Escape(side.side.Zone)),
			paint(s, terminal.Escape(side.side.State)), terminal.Escape(side.side.Class), terminal.Clip(side.side.Source, maxCell))
		terminal.Block(w, side.text.Content, columns, 0)
	}
}

// verdicts are the decisions about a contradiction, as they are typed.
var verdicts = []struct{ typed, sent, means string }{
	{"keep-a", "KeepA", "the older one holds"},
	{"keep-b", "KeepB", "the newer one holds"},
	{"merge", "Merge", "--content takes the place of both"},
	{"both-valid", "BothValid", "they do not contradict each other"},
	{"needs-more-context", "NeedsMoreContext", "it cannot be decided yet"},
}

// verdictOf reads a verdict as it is typed, or as the API has it.
func verdictOf(typed string) (string, error) {
	names := make([]string, len(verdicts))
	for i, v := range verdicts {
		if strings.EqualFold(typed, v.typed) || strings.EqualFold(typed, v.sent) {
			return v.sent, nil
		}
		names[i] = v.typed
	}
	return "", terminal.Usage(fmt.Sprintf("VERDICT %q is not known; use %s", typed, strings.Join(names, ", ")))
}

func newResolveCommand(o *Options) *cobra.Command {
	var spec memoryv1alpha1.ContradictionResolutionSpec
	cmd := o.command("resolve CONTRADICTION VERDICT", "Decide a contradiction",
		"VERDICT is keep-a, keep-b, merge (with --content), both-valid or needs-more-context. What is not kept is superseded.",
		[]string{
			"contradictions resolve " + exampleID + " keep-a --reason 'as in the contract'",
			"contradictions resolve " + exampleID + " merge --content 'Open until six, Fridays until five.' --reason 'both are right'",
		}, exactly("the name of a contradiction", "a verdict"),
		func(cmd *cobra.Command, args []string) error {
			var err error
			if spec.Verdict, err = verdictOf(args[1]); err != nil {
				return err
			}
			switch {
			case strings.TrimSpace(spec.Reason) == "":
				return terminal.Usage("--reason is missing: say why, it stands in the history: --reason 'as in the contract'")
			case (spec.Verdict == "Merge") != (spec.Content != ""):
				return terminal.Usage("--content goes with merge, and merge needs it")
			}
			c, namespace, err := o.connect()
			if err != nil {
				return err
			}
			id := bare(args[0])
			made := &memoryv1alpha1.ContradictionResolution{}
			if err := c.create(cmd.Context(), namespace, resourceContradictions, id, "resolve", &memoryv1alpha1.ContradictionResolution{Spec: spec}, made); err != nil {
				return err
			}
			return maker{Options: o, client: c, about: aboutMemories, namespace: namespace}.resolved(id, made)
		})
	f := cmd.Flags()
	f.StringVar(&spec.Reason, "reason", "", "why; stands in the history (required)")
	f.StringVar(&spec.Content, "content", "", "with merge: the memory that replaces both")
	f.BoolVar(&spec.DryRun, "dry-run", false, "say what would happen, and change nothing")
	cmd.ValidArgsFunction = o.completeResolve
	return cmd
}

// resolved prints what became of a decision about a contradiction, and how to take it back.
func (m maker) resolved(id string, made *memoryv1alpha1.ContradictionResolution) error {
	if err := m.print(made, []string{contradictionName(id)}, func(w io.Writer) {
		s := m.style()
		did := s.Good("Decided")
		switch {
		case made.Spec.DryRun:
			did = s.Caution("Only tried to decide")
		case !made.Status.Done:
			did = s.Bad("Did not decide")
		}
		fmt.Fprintf(w, "%s contradiction %s: %s.\n", did, terminal.Escape(id), terminal.Escape(made.Spec.Verdict))
		effects(w, m.Options, made.Status)
	}); err != nil {
		return err
	}
	if made.Spec.DryRun && unmet(made.Status.Rules) {
		return errRefused
	}
	if made.Status.Done && !made.Spec.DryRun {
		m.tellUndo(m.unresolve(made.Status.Affected))
		if made.Spec.Verdict == "NeedsMoreContext" {
			m.note("It can be decided any time: %s", terminal.Escape(m.line("contradictions resolve", id+" VERDICT", "...")))
		}
	}
	return nil
}

// unresolve are the commands that take a decision about a contradiction back: what was merged goes, and what was replaced comes back.
func (m maker) unresolve(affected []memoryv1alpha1.AffectedMemory) []string {
	var out []string
	for _, a := range affected {
		if a.Why == "merged" {
			out = append(out, m.line("quarantine", a.Name, "undo merge"))
		}
	}
	return append(out, m.bringBack(affected)...)
}
