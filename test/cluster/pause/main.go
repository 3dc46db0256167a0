// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Command pause holds the namespaces of a pod: it sleeps until it is told to stop.
package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGINT, syscall.SIGTERM)
	<-stop
}
