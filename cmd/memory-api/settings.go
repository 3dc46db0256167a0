// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"memorytrust.dev/operator/internal/memoryapi"
	"memorytrust.dev/operator/internal/readers"
)

// settings are what the flags set.
type settings struct {
	options     memoryapi.Options
	readersDir  string
	verbosity   int
	showVersion bool
}

func defaultSettings() *settings {
	return &settings{readersDir: "/etc/memory-api/readers", options: memoryapi.Options{
		Port: 8443, ServingDirectory: "/etc/memory-api/serving", ClientDirectory: "/etc/memory-api/client", PublishBundle: true,
		ShutdownDelay: 5 * time.Second,
	}}
}

func (s *settings) flags() *pflag.FlagSet {
	f, o := pflag.NewFlagSet("memory-api", pflag.ContinueOnError), &s.options
	f.StringVar(&o.Kubeconfig, "kubeconfig", "", "kubeconfig of the API server; in a cluster none is needed")
	f.IntVar(&o.Port, "port", o.Port, "port of the API, HTTPS; health and metrics are there as well")
	f.StringVar(&o.ServingDirectory, "serving-dir", o.ServingDirectory, "directory with the API's certificate as tls.crt and tls.key, and its authorities as ca.crt")
	f.StringVar(&o.ClientDirectory, "client-dir", o.ClientDirectory, "directory with the certificate for screeners as tls.crt and tls.key, and their authorities as ca.crt")
	f.StringVar(&s.readersDir, "readers-dir", s.readersDir, "directory with credentials for agents' databases, one file each, as Secret "+readers.Secret+" has them; empty, nothing is read from databases")
	f.BoolVar(&o.PublishBundle, "publish-ca-bundle", o.PublishBundle, "keep the caBundle of APIService "+memoryapi.APIServiceName+" equal to ca.crt of --serving-dir")
	f.DurationVar(&o.ShutdownDelay, "shutdown-delay", o.ShutdownDelay, "how long requests are served after the process is told to end")
	f.IntVarP(&s.verbosity, "verbosity", "v", 0, "0 logs transitions and decisions, 1 and higher log more")
	f.BoolVar(&s.showVersion, "version", false, "print the version and exit")
	return f
}

// validate names the flag that is wrong and what it takes.
func (s *settings) validate() error {
	var errs []error
	if s.options.Port < 1 || s.options.Port > 65535 {
		errs = append(errs, errors.New("--port is from 1 to 65535"))
	}
	for flag, value := range map[string]string{"serving-dir": s.options.ServingDirectory, "client-dir": s.options.ClientDirectory} {
		if value == "" {
			errs = append(errs, fmt.Errorf("--%s is required", flag))
		}
	}
	if s.options.ShutdownDelay < 0 {
		errs = append(errs, errors.New("--shutdown-delay must not be negative"))
	}
	return errors.Join(errs...)
}
