// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Command kubectl-memtrust is the kubectl plugin with which people see what agents remember, and decide about it.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"memorytrust.dev/operator/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := cli.Run(ctx, os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
	stop()
	os.Exit(code)
}
