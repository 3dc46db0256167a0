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

	"github.com/spf13/pflag"

	"memorytrust.dev/operator/internal/version"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	switch err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); {
	case err == nil, errors.Is(err, pflag.ErrHelp):
	default:
		fmt.Fprintln(os.Stderr, "screener:", err)
		stop()
		os.Exit(1) //nolint:gocritic // stop was called
	}
}

// run parses flags and serves until ctx ends.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parseFlags(args, stdout)
	if err != nil {
		return err
	}
	if o.version {
		fmt.Fprintln(stdout, version.Version)
		return nil
	}
	log := slog.New(slog.NewJSONHandler(stderr, nil))
	slog.SetDefault(log)
	s, err := newScreener(ctx, o, log)
	if err != nil {
		return err
	}
	if o.standalone() {
		s.greet(stderr)
	}
	return s.serve(ctx)
}
