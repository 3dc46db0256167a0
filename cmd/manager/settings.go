// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"time"

	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/util/validation"

	"memorytrust.dev/operator/internal/certs"
	"memorytrust.dev/operator/internal/controller"
)

// namespaceEnv holds the operator's namespace; its Deployment sets it from the pod's metadata.
const namespaceEnv = "OPERATOR_NAMESPACE"

// settings are what the flags set.
type settings struct {
	screenerImage     string
	operatorNamespace string
	agentNamespaces   []string
	webhookService    string

	webhookPort    int
	metricsAddress string
	healthAddress  string
	leaderElect    bool
	verbosity      int
	showVersion    bool

	// memoryAdmissionJudge says that the manager asks the judges of policies itself, for stores that ask it.
	memoryAdmissionJudge bool

	certs             certs.Options
	poll              controller.PollOptions
	countsInterval    time.Duration
	isolationInterval time.Duration
	namespaceRetry    time.Duration
}

func defaultSettings() *settings {
	return &settings{
		operatorNamespace: os.Getenv(namespaceEnv),
		webhookService:    "memorytrust-webhook",
		webhookPort:       9443,
		metricsAddress:    ":8443",
		healthAddress:     ":8081",
		leaderElect:       true,
		certs:             certs.DefaultOptions(),
		poll:              controller.DefaultPollOptions(),
		countsInterval:    5 * time.Minute,
		isolationInterval: 5 * time.Minute,
		namespaceRetry:    15 * time.Second,

		memoryAdmissionJudge: true,
	}
}

func (s *settings) flags() *pflag.FlagSet {
	f := pflag.NewFlagSet("manager", pflag.ContinueOnError)
	f.StringVar(&s.screenerImage, "screener-image", "", "image of the screener that is injected into agents' pods (required)")
	f.StringVar(&s.operatorNamespace, "operator-namespace", s.operatorNamespace, "namespace the operator runs in; $"+namespaceEnv+" when unset")
	f.StringSliceVar(&s.agentNamespaces, "agent-namespaces", nil, "namespaces of agents whose Secrets the operator may hold, by comma; * for the whole cluster; unset: wherever its Role is bound")
	f.StringVar(&s.webhookService, "webhook-service", s.webhookService, "name of the Service in front of the webhook server")
	f.IntVar(&s.webhookPort, "webhook-port", s.webhookPort, "port of the webhook server")
	f.StringVar(&s.metricsAddress, "metrics-address", s.metricsAddress, "address of the metrics server, HTTPS with authentication and authorization; 0 turns it off")
	f.StringVar(&s.healthAddress, "health-address", s.healthAddress, "address of /healthz and /readyz")
	f.BoolVar(&s.leaderElect, "leader-elect", s.leaderElect, "elect a leader among the replicas; only it runs the reconcilers")
	f.IntVarP(&s.verbosity, "verbosity", "v", 0, "0 logs transitions, 1 and higher log more")
	f.BoolVar(&s.showVersion, "version", false, "print the version and exit")
	f.DurationVar(&s.certs.CALifetime, "ca-lifetime", s.certs.CALifetime, "how long a certificate authority of the operator is valid")
	f.DurationVar(&s.certs.LeafLifetime, "certificate-lifetime", s.certs.LeafLifetime, "how long certificates of webhook, manager and screeners are valid")
	f.DurationVar(&s.certs.Overlap, "ca-overlap", s.certs.Overlap, "how long a new authority is known to everybody before it signs")
	f.DurationVar(&s.certs.Skew, "clock-skew", s.certs.Skew, "how far clocks may differ")
	f.DurationVar(&s.poll.Interval, "poll-interval", s.poll.Interval, "how often screeners that are in sync are asked for their status")
	f.DurationVar(&s.poll.FastInterval, "poll-fast-interval", s.poll.FastInterval, "how often screeners are asked until they are in sync")
	f.DurationVar(&s.poll.FastWindow, "poll-fast-window", s.poll.FastWindow, "how long after a change screeners are asked at the fast interval")
	f.DurationVar(&s.countsInterval, "status-counts-interval", s.countsInterval, "least time between two writes of a status in which only counts changed")
	f.DurationVar(&s.isolationInterval, "isolation-interval", s.isolationInterval, "how often the rights of agents' ServiceAccounts are looked up")
	f.DurationVar(&s.namespaceRetry, "namespace-retry", s.namespaceRetry, "how soon a namespace that could not be managed is tried again")
	f.BoolVar(&s.memoryAdmissionJudge, "memory-admission-judge", s.memoryAdmissionJudge, "have memory admission ask the judges of policies; the manager connects to their endpoints then")
	return f
}

// validate names the flag that is wrong and what it takes.
func (s *settings) validate() error {
	var errs []error
	if s.screenerImage == "" {
		errs = append(errs, errors.New("--screener-image is required"))
	}
	if s.operatorNamespace == "" {
		errs = append(errs, fmt.Errorf("--operator-namespace or $%s is required", namespaceEnv))
	}
	if slices.Contains(s.agentNamespaces, controller.AllNamespaces) && len(s.agentNamespaces) > 1 {
		errs = append(errs, errors.New("--agent-namespaces is either * or a list of namespaces"))
	}
	for _, n := range s.agentNamespaces {
		if n != controller.AllNamespaces && len(validation.IsDNS1123Label(n)) > 0 {
			errs = append(errs, fmt.Errorf("--agent-namespaces: %q is no name of a namespace", n))
		}
		if n == s.operatorNamespace {
			errs = append(errs, fmt.Errorf("--agent-namespaces: %q is the operator's own namespace, which must not run agents", n))
		}
	}
	if err := s.certs.Validate(); err != nil {
		errs = append(errs, fmt.Errorf("--ca-lifetime, --certificate-lifetime, --ca-overlap, --clock-skew: %w", err))
	}
	intervals := []struct {
		flag  string
		value time.Duration
	}{
		{"poll-interval", s.poll.Interval}, {"poll-fast-interval", s.poll.FastInterval},
		{"isolation-interval", s.isolationInterval}, {"namespace-retry", s.namespaceRetry},
	}
	for _, i := range intervals {
		if i.value <= 0 {
			errs = append(errs, fmt.Errorf("--%s must be positive", i.flag))
		}
	}
	return errors.Join(errs...)
}

// logLevel turns a verbosity of logr into a level of slog, where more is less.
func logLevel(verbosity int) slog.Level { return slog.Level(-min(max(verbosity, 0), 9)) }
