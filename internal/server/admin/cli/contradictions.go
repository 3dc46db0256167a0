// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/server/admin"
	"memorytrust.dev/operator/internal/terminal"
)

func (s *console) contradictions() *cobra.Command {
	var all bool
	var limit int
	cmd := s.command("contradictions", "Show memories that cannot both hold", "Pairs that a scan found; A is the older one.",
		[]string{"contradictions", "contradictions --all -o json"}, noArgs,
		func(cmd *cobra.Command, _ []string, c *admin.Client) error {
			found, more, err := collect(cmd.Context(), limit, func(ctx context.Context, cursor string, n int) ([]gate.InspectedContradiction, string, error) {
				page, err := c.Contradictions(ctx, all, cursor, n)
				return page.Items, page.Next, err
			})
			if err != nil {
				return err
			}
			names := make([]string, len(found))
			for i, pair := range found {
				names[i] = pair.ID
			}
			if err := s.print(cmd, gate.ContradictionPage{Items: found}, names, func(w io.Writer) { pairs(w, found) }); err != nil {
				return err
			}
			s.hint(cmd, "%d shown. Decide with '%s resolve CONTRADICTION VERDICT --reason ...'.", len(found), s.Program)
			s.hintMore(cmd, more)
			return nil
		})
	cmd.Flags().BoolVar(&all, "all", false, "also those that were decided")
	limitFlag(cmd.Flags(), &limit)
	return cmd
}

func pairs(w io.Writer, found []gate.InspectedContradiction) {
	for _, pair := range found {
		state := "open"
		if !pair.Open {
			state = string(pair.Verdict) + " by " + pair.DecidedBy
		}
		fmt.Fprintf(w, "%s  %s, found %s: %s\n", terminal.Escape(pair.ID), terminal.Escape(state), when(pair.FoundAt), terminal.Escape(strings.Join(pair.Signs, "; ")))
		for _, side := range []struct {
			name string
			m    gate.Inspected
		}{{"A", pair.A}, {"B", pair.B}} {
			fmt.Fprintf(w, "  %s %s  %s, %s, %s\n      %s\n", side.name, terminal.Escape(side.m.ID), side.m.Class, side.m.Zone, side.m.State, terminal.Escape(side.m.Content))
		}
	}
}

func (s *console) scan() *cobra.Command {
	return s.command("scan", "Look for contradictions now", "What is found waits for a person; nothing is resolved by itself.",
		[]string{"scan"}, noArgs,
		func(cmd *cobra.Command, _ []string, c *admin.Client) error {
			found, err := c.Scan(cmd.Context())
			if err != nil {
				return err
			}
			if err := s.print(cmd, found, nil, func(w io.Writer) {
				fmt.Fprintf(w, "Compared %d memories, %d pairs: %d contradictions found.\n", found.Records, found.Pairs, found.Found)
			}); err != nil {
				return err
			}
			s.hint(cmd, "Nothing was changed but the list of contradictions; there is nothing to undo.")
			if found.More {
				s.hint(cmd, "The scan stopped at its bound of pairs; the next one goes on from there.")
			}
			return nil
		})
}

// verdicts are the decisions about a contradiction as they are typed.
var verdicts = map[string]memory.ContradictionVerdict{
	"keep-a": memory.KeepA, "keep-b": memory.KeepB, "merge": memory.Merge, "both-valid": memory.BothValid,
	"needs-more-context": memory.NeedsMoreContext,
}

func (s *console) resolve() *cobra.Command {
	var reason, content string
	var dryRun bool
	cmd := s.command("resolve CONTRADICTION VERDICT", "Decide a contradiction",
		"VERDICT is keep-a, keep-b, merge (with --content), both-valid or needs-more-context. What is not kept is superseded.",
		[]string{
			"resolve 0193a1f0-9a10-7d31-8b5e-6f2a7c4d1e05 keep-a --reason 'as in the contract'",
			"resolve 0193a1f0-9a10-7d31-8b5e-6f2a7c4d1e05 merge --content 'Open until six, Fridays until five.' --reason 'both are right'",
		}, exactly("the id of a contradiction", "a verdict"),
		func(cmd *cobra.Command, args []string, c *admin.Client) error {
			verdict, ok := verdicts[strings.ToLower(args[1])]
			switch {
			case !ok:
				return Usage("the verdict is keep-a, keep-b, merge, both-valid or needs-more-context")
			case reason == "":
				return Usage("--reason: say why; it stands in the history")
			case (verdict == memory.Merge) != (content != ""):
				return Usage("--content goes with merge, and merge needs it")
			}
			decided, err := c.Resolve(cmd.Context(), args[0], verdict, reason, content, dryRun)
			if err := s.report(cmd, decided, err, none); err != nil {
				return err
			}
			if decided.Done {
				s.undoResolve(cmd, decided)
			}
			return nil
		})
	cmd.Flags().StringVar(&reason, "reason", "", "why; stands in the history (required)")
	cmd.Flags().StringVar(&content, "content", "", "with merge: the memory that replaces both")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "say what would happen, and change nothing")
	return cmd
}

// undoResolve says how to take a decision about a contradiction back.
func (s *console) undoResolve(cmd *cobra.Command, d gate.Decided) {
	for _, a := range d.Affected {
		if a.State == memory.Superseded {
			s.hint(cmd, "To undo: %s quarantine %s --reason ..., then approve it.", s.Program, a.ID)
		}
	}
}
