// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/bench"
	"memorytrust.dev/operator/internal/version"
)

// subject is what is measured, as flags say: the engine of this program under a policy, or an endpoint.
type subject struct {
	policyFile string
	lexicons   map[string]string
	endpoint   string
	timeout    time.Duration
	workers    int
}

func (s *subject) bind(f *pflag.FlagSet) {
	f.StringVar(&s.policyFile, "policy", "", "MemoryTrustPolicy file, YAML or JSON, or the runtime policy of an agent, to measure "+
		"under; all defaults without one")
	f.StringToStringVar(&s.lexicons, "lexicon", nil, "with --policy: NAME=PATH, the file or directory that stands for a ConfigMap of "+
		"spec.screening.lexiconRefs; repeatable")
	f.StringVar(&s.endpoint, "endpoint", "", "URL of another harness to measure instead: POST {id, text, source} -> {flagged}; "+
		"see docs/mempoisonbench.md")
	f.DurationVar(&s.timeout, "endpoint-timeout", bench.DefaultEndpointTimeout, "how long one answer of --endpoint may take")
	f.IntVar(&s.workers, "endpoint-workers", bench.DefaultEndpointWorkers, "how many requests to --endpoint run at once, 1 to 64")
}

// maxWorkers bounds --endpoint-workers.
const maxWorkers = 64

func (s *subject) check() error {
	switch {
	case s.workers < 1 || s.workers > maxWorkers:
		return fmt.Errorf("--endpoint-workers %d: use 1 to %d", s.workers, maxWorkers)
	case len(s.lexicons) > 0 && s.policyFile == "":
		return errors.New("--lexicon goes with --policy")
	case s.timeout <= 0:
		return errors.New("--endpoint-timeout: use more than nothing, such as 30s")
	}
	return nil
}

// policy returns the policy of the run.
func (s *subject) policy() (*bench.Policy, error) {
	if s.policyFile == "" {
		return bench.DefaultPolicy()
	}
	p, err := bench.ReadPolicy(s.policyFile, s.lexicons)
	if err != nil {
		return nil, unusable(err)
	}
	return p, nil
}

// external returns the endpoint, or nil where there is none.
func (s *subject) external() (*bench.Endpoint, error) {
	if s.endpoint == "" {
		return nil, nil
	}
	e, err := bench.NewEndpoint(s.endpoint, s.timeout)
	if err != nil {
		return nil, unusable(fmt.Errorf("--endpoint: %w", err))
	}
	return e, nil
}

// engineName names the engine of this program.
func engineName() string { return "memorytrust " + version.Version }

// modes are the spellings of trust modes on the command line.
var modes = map[string]v1alpha1.TrustMode{"prefix": v1alpha1.TrustModePrefix, "signed": v1alpha1.TrustModeSigned}

// oneOf returns an error that lists what a flag takes, unless value is among it.
func oneOf[T ~string](flag, value string, allowed ...T) error {
	if slices.Contains(allowed, T(value)) {
		return nil
	}
	names := make([]string, len(allowed))
	for i, a := range allowed {
		names[i] = string(a)
	}
	return fmt.Errorf("%s %q: use one of %s", flag, value, strings.Join(names, ", "))
}
