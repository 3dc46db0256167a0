// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"log/slog"
	"os"
	"runtime/debug"
	"testing"
)

func TestKeepHeap(t *testing.T) {
	percent, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(-1)
	t.Cleanup(func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	})
	t.Setenv("GOMEMLIMIT", "1GiB") // the process has started without it
	t.Setenv("GOGC", "50")
	keepHeap(slog.New(slog.DiscardHandler))
	if got := debug.SetGCPercent(100); got != 100 {
		t.Errorf("GOGC was overruled: %d", got)
	}
	if got := debug.SetMemoryLimit(-1); got != limit {
		t.Errorf("GOMEMLIMIT was overruled: %d", got)
	}
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		if err := os.Unsetenv(name); err != nil {
			t.Fatal(err)
		}
	}
	keepHeap(slog.New(slog.DiscardHandler))
	if got := debug.SetGCPercent(100); got != gcPercent {
		t.Errorf("the heap grows by %d percent, want %d", got, gcPercent)
	}
	if got := debug.SetMemoryLimit(-1); got <= 0 {
		t.Errorf("a memory limit of %d", got)
	}
}
