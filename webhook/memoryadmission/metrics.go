// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryadmission

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"

	"memorytrust.dev/operator/pkg/memoryadmission"
)

// Metrics of memory admission. Labels are closed sets: never callers, agents or content.
var (
	calls = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "memorytrust_memory_admission_calls_total",
		Help: "Reviews that stores asked for, by the status of the answer.",
	}, []string{"code"})

	reviews = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "memorytrust_memory_admission_requests_total",
		Help: "Memories that stores asked about, by operation and result: allowed, would_refuse (DryRun), or the reason why not.",
	}, []string{"operation", "result"})

	durations = prometheus.NewHistogram(prometheus.HistogramOpts{
		Name:    "memorytrust_memory_admission_duration_seconds",
		Help:    "Time to answer one review.",
		Buckets: []float64{.0005, .001, .0025, .005, .01, .02, .05, .1, .25, .5, 1, 2},
	})

	lookups = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "memorytrust_memory_admission_lookups_total",
		Help: "What memory admission had to know: token, access or policy, by where it was found: cache, fresh or error.",
	}, []string{"what", "result"})
)

// What is looked up, and where it was found.
const (
	lookupToken  = "token"
	lookupAccess = "access"
	lookupPolicy = "policy"

	foundCached = "cache"
	foundFresh  = "fresh"
	foundError  = "error"
)

// register adds the metrics to a registry; a registry that has them already is fine.
func register(registry prometheus.Registerer) error {
	for _, c := range []prometheus.Collector{calls, reviews, durations, lookups} {
		var present prometheus.AlreadyRegisteredError
		if err := registry.Register(c); err != nil && !errors.As(err, &present) {
			return err
		}
	}
	return nil
}

// observe counts one answered request.
func observe(operation memoryadmission.Operation, response memoryadmission.Response) {
	result := "allowed"
	switch {
	case response.Status != nil:
		result = response.Status.Reason
	case response.AuditAnnotations[memoryadmission.AnnotationWould] != "":
		result = "would_refuse"
	}
	reviews.WithLabelValues(string(operation), result).Inc()
}
