// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/terminal"
)

// print writes a value in the format asked for. Names are ids, one a line.
func (s *console) print(cmd *cobra.Command, value any, names []string, table func(w io.Writer)) error {
	out := cmd.OutOrStdout()
	switch s.output {
	case formatJSON:
		encoder := json.NewEncoder(out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(value)
	case formatYAML:
		raw, err := yaml.Marshal(value)
		if err != nil {
			return err
		}
		_, err = out.Write(raw)
		return err
	case formatName:
		for _, name := range names {
			if _, err := fmt.Fprintln(out, terminal.Escape(name)); err != nil {
				return err
			}
		}
		return nil
	}
	table(out)
	return nil
}

// rows writes a table; cells must be escaped.
func rows(w io.Writer, header []string, cells [][]string) {
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tab, strings.Join(header, "\t"))
	for _, row := range cells {
		fmt.Fprintln(tab, strings.Join(row, "\t"))
	}
	_ = tab.Flush() // standard output is gone if this fails
}

// fields writes names and values, one pair a line, and leaves out empty values.
func fields(w io.Writer, pairs ...string) {
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			fmt.Fprintf(tab, "%s:\t%s\n", pairs[i], terminal.Escape(pairs[i+1]))
		}
	}
	_ = tab.Flush()
}

func when(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04:05Z")
}

// yes is a field that matters when it is so.
func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}

// describe writes a memory as a person has to see it before deciding.
func describe(w io.Writer, m gate.Inspected) {
	purged := ""
	if m.Purged {
		purged = "erased"
	}
	fields(w,
		"Memory", m.ID, "Namespace", m.Namespace, "Zone", string(m.Zone), "State", string(m.State), "Boundary", string(m.Boundary),
		"Authority", string(m.Authority), "Class", string(m.Class), "Capped by", strings.Join(m.CappedBy, ", "),
		"Source", m.Source, "Writer", m.Writer, "Fault", string(m.Fault), "Approved by", m.ApprovedBy, "Directive", yes(m.Directive),
		"Reasons", strings.Join(m.Reasons, "; "), "Kind", m.Kind, "Tags", strings.Join(m.Tags, ", "), "Subject", m.Subject,
		"Metadata", metadata(m.Metadata), "Session", m.Session, "Pinned", yes(m.Pinned), "Derived from", strings.Join(m.Parents, ", "),
		"Replaces", strings.Join(m.Supersedes, ", "), "Folded into", m.FoldedInto, "Written", when(m.CreatedAt),
		"Expires", when(m.Expiry), "Version", string(m.Change)+" by "+m.Actor+" at "+when(m.UpdatedAt), "Why", m.Reason,
		"Commit", m.Commit, "Key", m.KeyID, "Content", purged)
	if m.Call != nil {
		describeCall(w, *m.Call)
		return
	}
	for line := range strings.Lines(m.Content) {
		fmt.Fprintln(w, "  | "+terminal.Escape(strings.TrimSuffix(line, "\n")))
	}
}

// describeCall writes the tool call that a person is asked about, one argument a line.
func describeCall(w io.Writer, call gate.ActionCall) {
	fields(w, "Tool", call.Tool, "Schema", call.Schema, "Policy", call.Policy)
	fmt.Fprintln(w, "Arguments:")
	var indented bytes.Buffer
	if json.Indent(&indented, call.Arguments, "", "  ") != nil {
		indented.Reset()
		indented.Write(call.Arguments)
	}
	for line := range strings.Lines(indented.String()) {
		fmt.Fprintln(w, "  | "+terminal.Escape(strings.TrimSuffix(line, "\n")))
	}
}

// summary is what an item of the queue says, in a few words.
func summary(m gate.Inspected, runes int) string {
	if m.Call != nil {
		return terminal.Shorten("call "+m.Call.Tool+" "+string(m.Call.Arguments), runes)
	}
	return terminal.Shorten(m.Content, runes)
}

func metadata(m map[string]string) string {
	if len(m) == 0 {
		return ""
	}
	raw, err := json.Marshal(m) // sorted by key
	if err != nil {
		return ""
	}
	return string(raw)
}

// outcome writes what became of a decision.
func outcome(w io.Writer, d gate.Decided) {
	state := "not done"
	switch {
	case d.DryRun:
		state = "only tried"
	case d.Done:
		state = "done"
	}
	fmt.Fprintf(w, "%s %s: %s; zone %s, state %s.\n", terminal.Escape(string(d.Action)), terminal.Escape(d.ID), state, terminal.Escape(string(d.Zone)), terminal.Escape(string(d.State)))
	for _, rule := range d.Rules {
		mark := "met    "
		if !rule.Met {
			mark = "not met"
		}
		fmt.Fprintf(w, "  %s  %s: %s\n", mark, terminal.Escape(rule.Name), terminal.Escape(rule.Explain))
	}
	for _, a := range d.Affected {
		fmt.Fprintf(w, "  also %s (%s): state %s\n", terminal.Escape(a.ID), terminal.Escape(a.Why), terminal.Escape(string(a.State)))
	}
	if d.Commit != "" {
		fmt.Fprintf(w, "Commit %s\n", terminal.Escape(d.Commit))
	}
	fmt.Fprintln(w, terminal.Escape(d.Message))
}
