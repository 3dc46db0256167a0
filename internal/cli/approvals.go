// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	memoryv1alpha1 "memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/internal/terminal"
)

func newApprovalsCommand(o *Options) *cobra.Command {
	cmd := o.command("approvals", "Tool calls that wait for a person",
		"A call that the policy lets an agent make only if somebody approves it: list and show what waits, and decide.",
		[]string{"approvals list -n travel", "approvals approve " + exampleID + " --reason 'the guest asked for it on the phone'"}, nil, nil)
	group(cmd, newApprovalsListCommand(o), newApprovalsShowCommand(o))
	for _, v := range approvalVerbs {
		cmd.AddCommand(decisionCommand(o, v, aboutApprovals, "CALL...", o.completeApprovals))
	}
	return cmd
}

func newApprovalsListCommand(o *Options) *cobra.Command {
	var c choice
	cmd := o.command("list", "List tool calls that wait, were approved, or were rejected", "Those that are over are listed by --state Forgotten only.",
		[]string{"approvals list -n travel --state PendingReview", "approvals list -A -o wide"}, noArgs,
		func(cmd *cobra.Command, _ []string) error {
			s, err := c.selection()
			if err != nil {
				return err
			}
			if c.limit < 0 {
				return terminal.Usage("--limit: give a number of calls, or 0 for all")
			}
			api, namespace, err := o.connect()
			if err != nil {
				return err
			}
			items, more, err := api.listApprovals(cmd.Context(), c.in(namespace), s, c.limit)
			if err != nil {
				return err
			}
			return o.printApprovals(items, more, c)
		})
	f := cmd.Flags()
	f.BoolVarP(&c.all, "all-namespaces", "A", false, "of all namespaces")
	f.StringVar(&c.agent, "agent", "", "of this agent only")
	f.StringVar(&c.state, "state", "", "in this state only: PendingReview, Approved, Rejected, Forgotten")
	limitFlag(f, &c.limit)
	return cmd
}

func (o *Options) printApprovals(items []memoryv1alpha1.Approval, more bool, c choice) error {
	names, rows := make([]string, len(items)), make([][]string, len(items))
	header := []string{"NAME", "AGENT", "TOOL", "STATE", "MISSING", "EXPIRES", "AGE"}
	if o.output == formatWide {
		header = append(header, "MARK", "SESSION", "RULE", "COMMIT")
	}
	for i, a := range items {
		names[i] = approvalName(a.Name)
		s := a.Status
		row := []string{a.Name, s.Agent, s.Tool, s.State, strings.Join(s.Missing, ","), when(s.Expires), age(a.CreationTimestamp)}
		if o.output == formatWide {
			row = append(row, s.Mark, s.Session, s.Rule, s.Commit)
		}
		rows[i] = o.cells(row)
		if c.all {
			rows[i] = slices.Insert(rows[i], 0, terminal.Escape(a.Namespace))
		}
	}
	if c.all {
		header = slices.Insert(header, 0, "NAMESPACE")
	}
	list := &memoryv1alpha1.ApprovalList{Items: append([]memoryv1alpha1.Approval{}, items...)}
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
		o.note("No tool calls wait%s.", where(c))
	}
	return nil
}

func newApprovalsShowCommand(o *Options) *cobra.Command {
	cmd := o.command("show CALL", "Show a tool call with its arguments", "JSON and YAML are the MemoryContent of the request.",
		[]string{"approvals show " + exampleID + " -n travel"}, exactly("the name of a call"),
		func(cmd *cobra.Command, args []string) error {
			c, namespace, err := o.connect()
			if err != nil {
				return err
			}
			var a memoryv1alpha1.Approval
			if err := c.get(cmd.Context(), namespace, resourceApprovals, bare(args[0]), "", &a); err != nil {
				return err
			}
			content := &memoryv1alpha1.MemoryContent{}
			if err := c.get(cmd.Context(), namespace, resourceApprovals, bare(args[0]), "content", content); err != nil {
				return err
			}
			return o.print(content, []string{approvalName(a.Name)}, func(w io.Writer) {
				columns, _ := terminal.Size(o.Out)
				describeApproval(w, o.style(), a, content, columns)
			})
		})
	cmd.ValidArgsFunction = o.completeApprovals
	return cmd
}

// describeApproval writes a tool call that a person is asked about, one argument a line.
func describeApproval(w io.Writer, s terminal.Style, a memoryv1alpha1.Approval, content *memoryv1alpha1.MemoryContent, columns int) {
	st := a.Status
	fmt.Fprintf(w, "%s  %s\n", s.Bold("Call "+terminal.Escape(a.Name)), paint(s, terminal.Escape(st.State)))
	call := content.Text.Call
	if call == nil {
		call = &memoryv1alpha1.ToolCall{Tool: st.Tool}
	}
	terminal.Fields(w, columns,
		"Agent", a.Namespace+"/"+st.Agent, "Tool", call.Tool, "Upstream", call.Upstream, "Session", st.Session, "Mark of the session", st.Mark, "Rule", st.Rule,
		"Not named by the user", strings.Join(st.Missing, ", "), "Because of", strings.Join(st.Responsible, ", "), "Fault", st.Fault,
		"Approved by", st.ApprovedBy, "Asked", when(&a.CreationTimestamp), "Expires", when(st.Expires), "Schema", call.SchemaSHA256,
		"Policy", call.PolicyRevision, "Commit", content.Commit)
	fmt.Fprintln(w, "Arguments:")
	if call.Arguments == nil {
		fmt.Fprintln(w, s.Faint("  none"))
		return
	}
	var indented bytes.Buffer
	if json.Indent(&indented, call.Arguments.Raw, "", "  ") != nil {
		indented.Reset()
		indented.Write(call.Arguments.Raw)
	}
	terminal.Block(w, indented.String(), columns, 0)
}
