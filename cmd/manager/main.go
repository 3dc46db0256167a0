// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Command manager is the control plane of MemoryTrust: reconcilers on the leader, admission of pods on every replica.
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

	"memorytrust.dev/operator/internal/version"
)

func main() {
	o := defaultSettings()
	flags := o.flags()
	if err := flags.Parse(os.Args[1:]); err != nil {
		if errors.Is(err, pflag.ErrHelp) {
			os.Exit(0)
		}
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if o.showVersion {
		fmt.Println(version.Version)
		return
	}
	if err := o.validate(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	handler := slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: logLevel(o.verbosity)})
	slog.SetDefault(slog.New(handler)) // and with it package log, which net/http writes to
	logger := logr.FromSlogHandler(handler)
	ctrl.SetLogger(logger)
	klog.SetLogger(logger) // client-go logs through it
	log := ctrl.Log.WithName("setup")
	if err := run(ctrl.SetupSignalHandler(), ctrl.GetConfigOrDie, o); err != nil {
		log.Error(err, "Manager failed")
		os.Exit(1)
	}
}
