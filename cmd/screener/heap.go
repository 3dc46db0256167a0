// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"log/slog"
	"os"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// How the heap is kept. The lexicons are some 30 MB that never change; to mark them takes some 20 ms of a processor, and calls of the
// agent that come meanwhile wait. So the heap may grow to four times of what is in use before that is done, where Go's default is
// twice, within the share of the container's memory limit that is left beside the caches of SQLite, which are not in it.
const (
	gcPercent   = 300
	memoryShare = .7
)

// keepHeap sets both, unless the environment does: GOGC and GOMEMLIMIT.
func keepHeap(log *slog.Logger) {
	if _, set := os.LookupEnv("GOGC"); !set {
		debug.SetGCPercent(gcPercent)
	}
	if _, err := memlimit.Set(memlimit.WithRatio(memoryShare)); err != nil {
		log.Info("There is no memory limit to keep to", "reason", err.Error())
	}
}
