// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"memorytrust.dev/operator/internal/terminal"
	"memorytrust.dev/operator/internal/version"
)

// Program is how the commands are typed.
const Program = "kubectl memtrust"

// Streams are where a command reads and writes.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Options are what every command works with: where the API server is, who asks, and how to print.
type Options struct {
	Streams
	connection

	// output is the value of --output.
	output string
}

// Run executes a command line and returns the code to end with. What went wrong is written to the error stream.
func Run(ctx context.Context, args []string, s Streams) int {
	cmd := New(s) //nolint:contextcheck // commands get theirs when they run
	cmd.SetArgs(args)
	err := cmd.ExecuteContext(ctx)
	if err != nil {
		fmt.Fprintln(s.Err, "error: "+terminal.EscapeLines(explain(err)))
	}
	return ExitCode(err)
}

// New returns the command with all its subcommands.
func New(s Streams) *cobra.Command {
	o := &Options{Streams: s}
	cmd := &cobra.Command{
		Use:   "kubectl-memtrust",
		Short: "See what agents remember, and decide about it",
		Long: "Shows what agents remember, what waits for a person and why, and decides about it, through the API server and under its rights\n" +
			"(ClusterRoles memorytrust-viewer, -reviewer and -admin). Your name stands in the audit log of the agent's memory.\n\n" +
			"Exit codes: 0 done, 1 failed, 2 wrong usage, 3 refused by the rules or for lack of a right, 4 not found, 5 changed since it was\n" +
			"seen, 6 unavailable at the moment.",
		Version:       version.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Annotations:   map[string]string{cobra.CommandDisplayNameAnnotation: Program},
		Args:          noArgs,
		RunE:          func(*cobra.Command, []string) error { return terminal.Usage("name a command; see --help") },
	}
	cmd.SetIn(s.In)
	cmd.SetOut(s.Out)
	cmd.SetErr(s.Err)
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return terminal.Usage(err.Error() + "; see --help") })
	cmd.CompletionOptions.DisableDefaultCmd = true
	f := cmd.PersistentFlags()
	o.bind(f)
	f.StringVarP(&o.output, "output", "o", formatTable, "table, wide, json, yaml or name")
	cmd.PersistentPreRunE = func(*cobra.Command, []string) error { return checkOutput(o.output) }
	cmd.AddCommand(
		newStatusCommand(o), newListCommand(o), newShowCommand(o), newLogCommand(o), newXRayCommand(o), newWhatIfCommand(o), newReviewCommand(o), newMigrateCommand(o),
		newApprovalsCommand(o), newContradictionsCommand(o), newCompletionCommand(o),
	)
	for _, v := range decisions {
		cmd.AddCommand(newDecisionCommand(o, v))
	}
	o.completeFlags(cmd)
	return cmd
}

// command makes a subcommand. Its examples are completed with the program's name.
func (o *Options) command(use, short, long string, examples []string, args cobra.PositionalArgs, run func(*cobra.Command, []string) error) *cobra.Command {
	text := ""
	for i, e := range examples {
		if i > 0 {
			text += "\n"
		}
		text += "  " + Program + " " + e
	}
	if long != "" {
		long = "\n\n" + long
	}
	return &cobra.Command{Use: use, Short: short, Long: short + "." + long, Args: args, Example: text, RunE: run}
}

// note prints what helps a person beside the output of a table; other formats are for programs.
func (o *Options) note(format string, args ...any) {
	if o.output == formatTable || o.output == formatWide {
		fmt.Fprintf(o.Err, format+"\n", args...)
	}
}

func noArgs(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return terminal.Usage(fmt.Sprintf("unexpected argument %q; see --help", args[0]))
	}
	return nil
}

// exactly takes arguments with these names.
func exactly(names ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == len(names) {
			return nil
		}
		what := ""
		for i, n := range names {
			if i > 0 {
				what += " and "
			}
			what += n
		}
		return terminal.Usage(fmt.Sprintf("give %s, and nothing else; see --help", what))
	}
}

// atLeastOne takes one or more arguments.
func atLeastOne(name string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return terminal.Usage("give " + name + "; see --help")
		}
		return nil
	}
}

// group is a command that does nothing by itself.
func group(cmd *cobra.Command, subcommands ...*cobra.Command) *cobra.Command {
	cmd.Args = noArgs
	cmd.RunE = func(*cobra.Command, []string) error {
		return terminal.Usage("name a subcommand of " + cmd.Name() + "; see --help")
	}
	cmd.AddCommand(subcommands...)
	return cmd
}
