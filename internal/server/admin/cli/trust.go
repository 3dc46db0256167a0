// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/server/admin"
	"memorytrust.dev/operator/internal/terminal"
)

func (s *console) trustReport() *cobra.Command {
	return s.command("trust-report", "Show what trust mode Signed would not trust",
		"Looks at all memories that are of class UserInput, Manual or SystemMemory. Run it before changing a policy from Prefix to Signed.",
		[]string{"trust-report", "trust-report -o json"}, noArgs,
		func(cmd *cobra.Command, _ []string, c *admin.Client) error {
			report, err := c.TrustReport(cmd.Context())
			if err != nil {
				return err
			}
			var names []string
			cells := make([][]string, len(report.Losing))
			for i, loss := range report.Losing {
				names = append(names, loss.Examples...)
				cells[i] = []string{string(loss.Reason), strconv.FormatInt(loss.Memories, 10), escaped(loss.Examples, 3)}
			}
			if err := s.print(cmd, report, names, func(w io.Writer) {
				fmt.Fprintf(w, "%d memories claim trust; Signed trusts %d of them. In force: %s, %s.\n",
					report.Claiming, report.Trusted, terminal.Escape(string(report.TrustMode)), terminal.Escape(string(report.Enforcement)))
				if len(cells) > 0 {
					rows(w, []string{"REASON", "MEMORIES", "FOR EXAMPLE"}, cells)
				}
			}); err != nil {
				return err
			}
			if len(report.Losing) > 0 {
				s.hint(cmd, "Look at them with '%s show MEMORY'; '%s attest' puts your name to what may count.", s.Program, s.Program)
			}
			return nil
		})
}

// escaped joins the first ids of a list.
func escaped(ids []string, most int) string {
	more := ""
	if len(ids) > most {
		ids, more = ids[:most], " …"
	}
	return terminal.Escape(strings.Join(ids, " ")) + more
}

// attest takes one memory, like the other decisions, or says which of many.
func (s *console) attest() *cobra.Command {
	var r admin.AttestRequest
	var commit string
	cmd := s.command("attest [MEMORY]", "Put your name to memories that no channel vouches for",
		"They are trusted under mode Signed from then on, as information; zone and class stay. One memory is shown first. Of many, directives and what waits for review\n"+
			"are left out: they are attested one by one.",
		[]string{"attest " + exampleID + " --reason 'checked with the author'", "attest --source operator:console --reason 'from before the channel' --dry-run",
			"attest --class SystemMemory --reason 'reviewed with the owner'", "attest --ids " + exampleID + " --reason 'read all of them'"},
		func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return Usage("give the id of one memory, or --ids, --source or --class; see --help")
			}
			return nil
		},
		func(cmd *cobra.Command, args []string, c *admin.Client) error {
			if r.Reason == "" {
				return Usage("--reason: say why; it stands in the history")
			}
			many := len(r.IDs) > 0 || r.Source != "" || r.Class != ""
			if many == (len(args) == 1) {
				return Usage("give either the id of one memory, or one of --ids, --source and --class")
			}
			if many {
				return s.attestMany(cmd, c, r)
			}
			head, err := s.look(cmd, c, args[0], commit)
			if err != nil {
				return err
			}
			decided, err := c.Decide(cmd.Context(), args[0], "attest", head.Commit, admin.DecisionRequest{Reason: r.Reason, DryRun: r.DryRun})
			return s.report(cmd, decided, err, "quarantine %s")
		})
	f := cmd.Flags()
	f.StringVar(&r.Reason, "reason", "", "why; stands in the history (required)")
	f.StringVar(&commit, "commit", "", "of one memory: the version that was seen; that which the command shows by default")
	f.StringSliceVar(&r.IDs, "ids", nil, "these memories, at most 1000")
	f.StringVar(&r.Source, "source", "", "those of exactly this source that claim trust")
	f.StringVar(&r.Class, "class", "", "those of this class: UserInput, Manual or SystemMemory")
	f.BoolVar(&r.DryRun, "dry-run", false, "say what would happen and change nothing")
	return cmd
}

func (s *console) attestMany(cmd *cobra.Command, c *admin.Client, r admin.AttestRequest) error {
	out, err := c.Attest(cmd.Context(), r)
	if err != nil {
		return err
	}
	if err := s.print(cmd, out, out.IDs, func(w io.Writer) { attested(w, out) }); err != nil {
		return err
	}
	if out.More {
		s.hint(cmd, "There are more: the same command goes on.")
	}
	if !out.DryRun && out.Attested > 0 {
		s.hint(cmd, "To undo: %s quarantine MEMORY --reason ..., one by one; '-o name' lists them.", s.Program)
	}
	return nil
}

func attested(w io.Writer, out gate.Attested) {
	verb := "Attested"
	if out.DryRun {
		verb = "Would attest"
	}
	fmt.Fprintf(w, "%s %d memories.\n", verb, out.Attested)
	if len(out.Skipped) == 0 {
		return
	}
	cells := make([][]string, len(out.Skipped))
	for i, skipped := range out.Skipped {
		cells[i] = []string{string(skipped.Reason), strconv.Itoa(skipped.Memories), escaped(skipped.IDs, 3)}
	}
	rows(w, []string{"LEFT OUT", "MEMORIES", "FOR EXAMPLE"}, cells)
}
