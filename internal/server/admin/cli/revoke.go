// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/server/admin"
	"memorytrust.dev/operator/internal/terminal"
)

// revoke takes out what was never to be trusted, and all that goes back to it.
func (s *console) revoke() *cobra.Command {
	var r admin.RevokeRequest
	cmd := s.command("revoke", "Take out what was never to be trusted, and all that goes back to it",
		"What is named is rejected. Memories that go back to it by their lineage, or wait folded into it, go into Quarantine and wait for review.\n"+
			"Look at the list first (--dry-run). An interrupted run is repeated; nothing is changed twice.",
		[]string{
			"revoke --source web:nordwind.example --reason 'the site was taken over' --dry-run",
			"revoke --record " + exampleID + " --reason 'planted'",
			"revoke --principal runner --reason 'its token leaked' -o json",
			"revoke --key 2046411234 --reason 'the key leaked' --dry-run",
		}, noArgs,
		func(cmd *cobra.Command, _ []string, c *admin.Client) error {
			if r.Reason == "" {
				return Usage("--reason: say why; it stands in the history")
			}
			given := 0
			for _, what := range []string{r.Record, r.Source, r.Principal, r.KeyID} {
				if what != "" {
					given++
				}
			}
			if given != 1 {
				return Usage("give exactly one of --record, --source, --principal and --key")
			}
			out, err := revokeAll(cmd.Context(), c, r)
			if err != nil {
				return err
			}
			return s.revoked(cmd, out)
		})
	f := cmd.Flags()
	f.StringVar(&r.Reason, "reason", "", "why; stands in the history (required)")
	f.StringVar(&r.Record, "record", "", "this memory")
	f.StringVar(&r.Source, "source", "", "memories of exactly this source")
	f.StringVar(&r.Principal, "principal", "", "memories written by this principal, through any channel")
	f.StringVar(&r.KeyID, "key", "", "memories whose newest version was signed by the key with this id")
	f.BoolVar(&r.DryRun, "dry-run", false, "list what would be revoked, and change nothing")
	return cmd
}

// revokeAll reads every page of a preview, and repeats what stopped at its bound. An error has the number of those done before.
func revokeAll(ctx context.Context, c *admin.Client, r admin.RevokeRequest) (gate.Revoked, error) {
	r.Limit = gate.MaxRevoked
	var all gate.Revoked
	for {
		out, err := c.Revoke(ctx, r)
		if err != nil {
			if all.Changed > 0 && !r.DryRun {
				err = fmt.Errorf("after %d memories: %w", all.Changed, err)
			}
			return all, err
		}
		out.Items = append(all.Items, out.Items...)
		if !r.DryRun {
			out.Changed += all.Changed
			out.Left = max(0, out.Left-all.Changed) // what this run has changed before is not left as it was
		}
		all = out
		switch {
		case r.DryRun && out.Next != "":
			r.Cursor = out.Next
		case !r.DryRun && out.More:
		default:
			return all, nil
		}
	}
}

func (s *console) revoked(cmd *cobra.Command, out gate.Revoked) error {
	names := make([]string, len(out.Items))
	cells := make([][]string, len(out.Items))
	for i, m := range out.Items {
		becomes := "-"
		if m.Becomes != "" {
			becomes = string(memory.Quarantine) + ", " + string(m.Becomes)
		}
		names[i] = m.ID
		cells[i] = []string{terminal.Escape(m.ID), strconv.Itoa(m.Depth), terminal.Escape(string(m.Class)), terminal.Escape(string(m.Zone)), terminal.Escape(string(m.State)), terminal.Escape(becomes), terminal.Escape(m.Via)}
	}
	if err := s.print(cmd, out, names, func(w io.Writer) {
		if len(cells) > 0 {
			rows(w, []string{"MEMORY", "DEPTH", "CLASS", "ZONE", "STATE", "BECOMES", "VIA"}, cells)
		}
		verb := "Changed"
		if out.DryRun {
			verb = "Would change"
		}
		fmt.Fprintf(w, "%s %d memories: %d named, %d that go back to them, %d left as they are.\n", verb, out.Changed, out.Named, out.Descendants, out.Left)
	}); err != nil {
		return err
	}
	switch {
	case out.DryRun:
		s.hint(cmd, "Nothing was changed. The same command without --dry-run does it.")
	case out.Changed > 0:
		s.hint(cmd, "To undo: %s reopen MEMORY --reason ... for what was rejected, then %s approve MEMORY --reason ..., one by one.", s.Program, s.Program)
	}
	return nil
}
