// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Command mempoisonbench measures how well memory is defended, by this screener or by any other harness.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"memorytrust.dev/operator/internal/bench"
	"memorytrust.dev/operator/internal/server/admin/cli"
	"memorytrust.dev/operator/internal/terminal"
	"memorytrust.dev/operator/internal/version"
)

// Exit codes. The help text documents them.
const (
	exitDone       = 0
	exitFailed     = 1 // it could not run
	exitUsage      = 2 // the command line or a file given cannot be used
	exitLimits     = 3 // it ran, and the result misses the limits
	exitWorse      = 4 // it ran, and the result is worse than the baseline
	exitIncomplete = 5 // some texts were not answered, so that the figures are of the others
)

const about = `mempoisonbench measures how well an agent's memory is defended against poisoning.

  eval   puts your own texts before the screen, and counts what is flagged
  run    runs the catalogs of attacks and harmless memories, with the defense off and on

Exit codes: 0 done and within all limits; 1 it could not run; 2 the command line or a file cannot be used; 3 the
result misses a limit; 4 the result is worse than the baseline; 5 some texts were not answered.`

func main() {
	slog.SetDefault(slog.New(slog.DiscardHandler)) // what the gate logs of attacks is counted, and would tear the progress bar
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// program is what one call of the program works with.
type program struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	// screener makes the engine of a policy; tests put another one in.
	screener func(*bench.Policy) (bench.Screener, error)
}

// run does what the command line says and returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := program{stdin: stdin, stdout: stdout, stderr: stderr, screener: (*bench.Policy).Screener}
	return p.run(ctx, args)
}

func (p program) run(ctx context.Context, args []string) int {
	cmd := p.command() //nolint:contextcheck // commands get ctx from ExecuteContext
	cmd.SetArgs(args)
	cmd.SetIn(p.stdin)
	cmd.SetOut(p.stdout)
	cmd.SetErr(p.stderr)
	err := cmd.ExecuteContext(ctx)
	if err != nil {
		fmt.Fprintln(p.stderr, "mempoisonbench:", terminal.EscapeLines(err.Error()))
	}
	return exitCode(err)
}

// outcomeError ends a run that went through with a result that is not good enough.
type outcomeError struct {
	code int
	what string
}

// Error implements error.
func (e *outcomeError) Error() string { return e.what }

func exitCode(err error) int {
	var (
		outcome *outcomeError
		usage   *cli.UsageError
	)
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &outcome):
		return outcome.code
	case errors.As(err, &usage):
		return exitUsage
	}
	return exitFailed
}

// unusable is an error of what was given.
func unusable(err error) error { return cli.Usage(err.Error()) }

func (p program) command() *cobra.Command {
	cmd := &cobra.Command{
		Use: "mempoisonbench", Short: "Measure how well memory is defended against poisoning", Long: about,
		SilenceErrors: true, SilenceUsage: true, Version: version.Version,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return cli.Usage(fmt.Sprintf("unknown command %q; see --help", args[0]))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.SetVersionTemplate("{{.Version}}\n")
	cmd.CompletionOptions.DisableDefaultCmd = true
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return cli.Usage(err.Error() + "; see --help") })
	cmd.AddCommand(p.evalCommand(), p.runCommand())
	return cmd
}
