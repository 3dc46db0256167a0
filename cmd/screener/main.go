// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Command screener owns the way to an agent's memory: it screens and signs what is written, and checks what is recalled.
// It runs as a sidecar of an agent's pod, or alone beside an agent on any machine.
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

	"memorytrust.dev/operator/internal/server/admin/cli"
	"memorytrust.dev/operator/internal/terminal"
	"memorytrust.dev/operator/internal/version"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "screener:", terminal.Escape(err.Error()))
	}
	os.Exit(cli.ExitCode(err))
}

// run does what the command line says: it serves until ctx ends, or runs a command.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	cmd := newCommand() //nolint:contextcheck // commands get ctx from ExecuteContext
	cmd.SetArgs(args)
	cmd.SetIn(stdin)
	cmd.SetOut(stdout)
	cmd.SetErr(stderr)
	return cmd.ExecuteContext(ctx)
}

// newCommand returns the program: a server, with commands beside it.
func newCommand() *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use: "screener", Short: "A trust boundary between an agent and its memory", Long: about, Example: example,
		SilenceErrors: true, SilenceUsage: true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return cli.Usage(fmt.Sprintf("unexpected argument %q; see --help", args[0]))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.complete(cmd.Flags()); err != nil {
				return cli.Usage(err.Error())
			}
			return o.serve(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	o.bind(cmd.Flags())
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return cli.Usage(err.Error() + "; see --help") })
	cmd.AddCommand(adminCommand(), mcpCommand())
	return cmd
}

// serve runs the screener until ctx ends.
func (o options) serve(ctx context.Context, stdout, stderr io.Writer) error {
	if o.version {
		fmt.Fprintln(stdout, version.Version)
		return nil
	}
	log := slog.New(slog.NewJSONHandler(stderr, nil))
	slog.SetDefault(log)
	keepHeap(log)
	for {
		s, err := newScreener(ctx, o, log)
		if err != nil {
			return err
		}
		if o.standalone() {
			s.greet(stderr)
		}
		switch err := s.serve(ctx); {
		case !errors.Is(err, errStoreMoved):
			return err
		case ctx.Err() != nil:
			return nil
		}
		log.Info("Memory is elsewhere, starting again there")
	}
}
