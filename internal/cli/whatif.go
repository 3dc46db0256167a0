// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	memoryv1alpha1 "memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/internal/terminal"
)

// maxWhatIfSessions is how many sessions the memory API goes through for one answer.
const maxWhatIfSessions = 50

// maxStep is the most columns of what a step was.
const maxStep = 56

func newWhatIfCommand(o *Options) *cobra.Command {
	var without, session string
	var limit int
	cmd := o.command("whatif --without MEMORY", "Show what would have been without a memory",
		"Goes through the reads of a session, how it stood after them, and the tool calls that a person was asked about once more, as if the\n"+
			"memory and what goes back to it had never been delivered. Nothing is changed by asking.",
		[]string{"whatif --without " + exampleID + " -n travel", "whatif --without " + exampleID + " --session s-17 -o wide"}, noArgs,
		func(cmd *cobra.Command, _ []string) error {
			switch {
			case without == "":
				return terminal.Usage("--without: name the memory to leave out")
			case limit < 1 || limit > maxWhatIfSessions:
				return terminal.Usage(fmt.Sprintf("--limit: give a number of sessions from 1 to %d", maxWhatIfSessions))
			}
			c, namespace, err := o.connect()
			if err != nil {
				return err
			}
			w := &memoryv1alpha1.MemoryWhatIf{}
			err = c.get(cmd.Context(), namespace, resourceMemories, bare(without), "whatif", w, "session", session, "limit", strconv.Itoa(limit))
			if err != nil {
				return err
			}
			return o.printWhatIf(w)
		})
	f := cmd.Flags()
	f.StringVar(&without, "without", "", "the memory to leave out; required")
	f.StringVar(&session, "session", "", "the session to go through; those it was delivered to by default, the newest first")
	f.IntVar(&limit, "limit", 10, "go through at most this many sessions")
	_ = cmd.RegisterFlagCompletionFunc("without", o.completeMemory) // the flag exists
	return cmd
}

// printWhatIf writes what would have been. With -o name, it names what is left out.
func (o *Options) printWhatIf(w *memoryv1alpha1.MemoryWhatIf) error {
	names := make([]string, len(w.Gone))
	for i, g := range w.Gone {
		names[i] = memoryName(g.Name)
	}
	err := o.print(w, names, func(out io.Writer) {
		columns, _ := terminal.Size(o.Out)
		o.describeWhatIf(out, w, columns)
	})
	if err == nil {
		for _, limit := range w.Limits {
			o.note("%s", terminal.Escape(limit))
		}
		if w.More {
			o.note("It was delivered to further sessions; --limit shows more of them, --session one.")
		}
	}
	return err
}

func (o *Options) describeWhatIf(out io.Writer, w *memoryv1alpha1.MemoryWhatIf, columns int) {
	s := o.style()
	fmt.Fprintln(out, s.Bold("Without memory "+terminal.Escape(w.Name)))
	if descendants := int64(len(w.Gone)) - 1 + w.GoneOver; descendants > 0 {
		terminal.Paragraph(out, fmt.Sprintf("Left out with it, as they go back to it: %d", descendants), columns)
		if o.output == formatWide {
			for _, g := range w.Gone[1:] {
				fmt.Fprintf(out, "  %s by %s, %d away\n", terminal.Escape(g.Name), terminal.Escape(g.Via), g.Depth)
			}
		}
	}
	message := terminal.Escape(w.Message)
	if w.Changed > 0 {
		message = s.Caution(message)
	}
	fmt.Fprintln(out, message)
	for _, session := range w.Sessions {
		o.whatIfSession(out, s, session)
	}
}

func (o *Options) whatIfSession(out io.Writer, s terminal.Style, session memoryv1alpha1.WhatIfSession) {
	name, opened := "What was done without a session", ""
	if session.Session != "" {
		name, opened = "Session "+session.Session, ", which no user opened"
		if session.Opened {
			opened = ", which a user opened"
		}
	}
	fmt.Fprintf(out, "\n%s%s: %s\n", s.Bold(terminal.Escape(name)), opened, terminal.Escape(session.Message))
	if session.Truncated {
		fmt.Fprintln(out, "There is more before these steps, or around them, than was looked at.")
	}
	if len(session.Steps) == 0 {
		return
	}
	rows := make([][]string, len(session.Steps))
	for i, step := range session.Steps {
		changed := ""
		if step.Changed {
			changed = "*"
		}
		at := step.At
		rows[i] = o.cells([]string{changed, when(&at), o.stepText(step), markText(step.Mark), markText(step.Without), decisionText(step.Call)})
		if o.output != formatWide {
			rows[i][2] = terminal.Clip(o.stepText(step), maxStep) // the name of a memory fits
		}
	}
	o.table(out, []string{"", "AT", "STEP", "MARK", "WITHOUT", "DECISION"}, rows)
}

// stepText says what a step was. What would not have been delivered is named; the others are counted, or named in wide output.
func (o *Options) stepText(step memoryv1alpha1.WhatIfStep) string {
	if c := step.Call; c != nil {
		text := "call " + c.Tool
		if o.output == formatWide {
			for _, a := range c.Arguments {
				text += fmt.Sprintf(", %s by %s", a.Path, a.By)
				if a.Without != a.By {
					text += " → " + a.Without
				}
			}
		}
		return text
	}
	var parts []string
	others := 0
	for _, d := range step.Delivered {
		switch {
		case d.Gone:
			parts = append(parts, "−"+d.Name)
		case o.output == formatWide:
			parts = append(parts, d.Name)
		default:
			others++
		}
	}
	if others > 0 {
		text := strconv.Itoa(others)
		if len(parts) > 0 {
			text += " more"
		}
		parts = append(parts, text)
	}
	return "read " + strings.Join(parts, ", ")
}

func markText(m memoryv1alpha1.WhatIfMark) string { return m.Class + ", " + m.Authority }

func decisionText(c *memoryv1alpha1.WhatIfCall) string {
	if c == nil {
		return ""
	}
	text := c.Decision
	if c.Without != c.Decision {
		text += " → " + c.Without
	}
	if c.OtherPolicy {
		text += " (another policy is in force now)"
	}
	return text
}
