// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/duration"

	memoryv1alpha1 "memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/internal/terminal"
)

// maxCell is the most columns of a cell that somebody else filled in; wide tables show all of it.
const maxCell = 32

// shown is how much of a list is shown unless something else is asked for.
const shown = 500

var (
	states = []string{"Active", "PendingReview", "Approved", "Stale", "Disputed", "Superseded", "Rejected", "Forgotten"}
	// classes from high to low.
	classes = []string{"UserInput", "Manual", "SystemMemory", "AgentInferred", "SubagentTrace", "ToolOutput", "WebContent", "Unknown"}
)

// choice are the flags that say which memories are meant.
type choice struct {
	all                             bool
	agent, zone, state, class, kind string
	pending                         bool
	limit                           int
}

func (c *choice) bind(f *pflag.FlagSet) {
	f.BoolVarP(&c.all, "all-namespaces", "A", false, "of all namespaces")
	f.StringVar(&c.agent, "agent", "", "of this agent only")
	f.StringVar(&c.zone, "zone", "", "in this zone only: "+strings.Join(zones, ", "))
	f.StringVar(&c.class, "class", "", "of this class of source only: "+strings.Join(classes, ", "))
}

// selection returns what a list is asked for.
func (c *choice) selection() (selection, error) {
	var s selection
	for _, f := range []struct {
		name, value string
		of          []string
	}{{"agent", c.agent, nil}, {"zone", c.zone, zones}, {"state", c.state, states}, {"class", c.class, classes}, {"kind", c.kind, nil}} {
		if f.of != nil && f.value != "" && !slices.Contains(f.of, f.value) {
			return s, terminal.Usage(fmt.Sprintf("--%s %q is not known; use %s", f.name, f.value, strings.Join(f.of, ", ")))
		}
		if strings.ContainsAny(f.value, ",=\\") {
			return s, terminal.Usage(fmt.Sprintf("--%s: names have no comma, equals sign or backslash", f.name))
		}
		s.add(f.name, f.value)
	}
	if c.pending {
		s.add("pending", "true")
	}
	return s, nil
}

// in returns the namespace to list: none for all of them.
func (c *choice) in(namespace string) string {
	if c.all {
		return ""
	}
	return namespace
}

func limitFlag(f *pflag.FlagSet, limit *int) {
	f.IntVar(limit, "limit", shown, "show at most this many; 0 shows all")
}

func newListCommand(o *Options) *cobra.Command {
	var c choice
	cmd := o.command("list", "List memories", "Without what they say: show prints that. Rejected and forgotten ones are listed by --state only.",
		[]string{"list -n travel", "list -n travel --pending -o wide", "list -A --zone Quarantine --class WebContent"}, noArgs,
		func(cmd *cobra.Command, _ []string) error {
			s, err := c.selection()
			if err != nil {
				return err
			}
			if c.limit < 0 {
				return terminal.Usage("--limit: give a number of memories, or 0 for all")
			}
			api, namespace, err := o.connect()
			if err != nil {
				return err
			}
			items, more, err := api.listMemories(cmd.Context(), c.in(namespace), s, c.limit)
			if err != nil {
				return err
			}
			return o.printMemories(items, more, c)
		})
	f := cmd.Flags()
	c.bind(f)
	f.StringVar(&c.state, "state", "", "in this state only: "+strings.Join(states, ", "))
	f.StringVar(&c.kind, "kind", "", "of this kind only")
	f.BoolVar(&c.pending, "pending", false, "only what waits for a person")
	limitFlag(f, &c.limit)
	return cmd
}

func (o *Options) printMemories(items []memoryv1alpha1.Memory, more bool, c choice) error {
	names := make([]string, len(items))
	for i, m := range items {
		names[i] = memoryName(m.Name)
	}
	list := &memoryv1alpha1.MemoryList{Items: append([]memoryv1alpha1.Memory{}, items...)}
	if err := o.print(list, names, func(w io.Writer) { o.memoryTable(w, items, c.all) }); err != nil {
		return err
	}
	switch {
	case more:
		o.note("Only the first %d; --limit 0 shows all.", len(items))
	case len(items) == 0:
		o.note("No memories%s.", where(c))
	}
	return nil
}

// where says what was looked through.
func where(c choice) string {
	if c.all {
		return " in any namespace"
	}
	return ""
}

func (o *Options) memoryTable(w io.Writer, items []memoryv1alpha1.Memory, namespaces bool) {
	if len(items) == 0 {
		return
	}
	wide := o.output == formatWide
	header := []string{"NAME", "AGENT", "ZONE", "STATE", "CLASS", "SOURCE", "AGE"}
	if wide {
		header = append(header, "BOUNDARY", "AUTHORITY", "VERDICT", "COMMIT")
	}
	rows := make([][]string, len(items))
	for i, m := range items {
		s := m.Status
		row := []string{m.Name, s.Agent, s.Zone, s.State, s.Class, s.Source, age(m.CreationTimestamp)}
		if wide {
			row = append(row, s.Boundary, s.Authority, s.Verdict, s.Commit)
		}
		rows[i] = o.cells(row)
		if namespaces {
			rows[i] = append([]string{terminal.Escape(m.Namespace)}, rows[i]...)
		}
	}
	if namespaces {
		header = append([]string{"NAMESPACE"}, header...)
	}
	o.table(w, header, rows)
}

// cells escapes the cells of a row, and cuts long ones but for the name unless all of it is asked for.
func (o *Options) cells(row []string) []string {
	out := make([]string, len(row))
	for i, cell := range row {
		if o.output == formatWide || i == 0 {
			out[i] = terminal.Escape(cell)
		} else {
			out[i] = terminal.Clip(cell, maxCell)
		}
	}
	return out
}

// table writes a table in which words that matter are colored.
func (o *Options) table(w io.Writer, header []string, rows [][]string) {
	s := o.style()
	terminal.Table(w, header, rows, func(column int, cell string) string {
		switch header[column] {
		case "ZONE", "STATE", "BOUNDARY", "VERDICT", "REACHABLE":
			return paint(s, cell)
		}
		return cell
	})
}

// paint colors a word by what it means.
func paint(s terminal.Style, word string) string {
	switch word {
	case zoneQuarantine, "Blocked", "Rejected", "Forgotten", "Directive", "No", "Open":
		return s.Bad(word)
	case "PendingReview", "RequiresReview", "Disputed", "Stale", "Superseded", "Partly":
		return s.Caution(word)
	case zoneTrusted, "Safe", "Approved", "Yes", "Closed":
		return s.Good(word)
	}
	return word
}

func (o *Options) style() terminal.Style { return terminal.StyleOf(o.Out) }

func age(t metav1.Time) string {
	if t.IsZero() {
		return "unknown"
	}
	return duration.HumanDuration(time.Since(t.Time))
}

// when writes a time in full; nothing if there is none.
func when(t *metav1.Time) string {
	if t == nil || t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04:05Z")
}
