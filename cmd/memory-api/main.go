// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Command memory-api serves the aggregated API memory.memorytrust.dev, through which people see agents' memories and decide about them.
package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"

	"github.com/go-logr/logr"
	"github.com/spf13/pflag"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"

	"memorytrust.dev/operator/internal/memoryapi"
	"memorytrust.dev/operator/internal/version"
)

func main() {
	s := defaultSettings()
	if err := s.flags().Parse(os.Args[1:]); err != nil {
		if errors.Is(err, pflag.ErrHelp) {
			os.Exit(0)
		}
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if s.showVersion {
		fmt.Println(version.Version)
		return
	}
	if err := s.validate(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	handler := slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: slog.Level(-min(max(s.verbosity, 0), 9))})
	slog.SetDefault(slog.New(handler)) // and with it package log, which net/http writes to
	logger := logr.FromSlogHandler(handler)
	ctrl.SetLogger(logger)
	klog.SetLogger(logger) // the API server's packages log through it
	s.options.Stores = memoryapi.NewPostgresStores(s.readersDir)
	logger.Info("Starting", "version", version.Version, "port", s.options.Port)
	if err := memoryapi.Run(ctrl.SetupSignalHandler(), s.options); err != nil {
		logger.Error(err, "Memory API failed")
		os.Exit(1)
	}
}
