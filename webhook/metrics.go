// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package webhook

import (
	"errors"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"memorytrust.dev/operator/internal/inject"
)

var (
	decisions = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "memorytrust_admission_total",
		Help: "Admission decisions about pods, by result (allowed, denied, error) and reason.",
	}, []string{"result", "reason"})

	durations = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "memorytrust_admission_duration_seconds",
		Help:    "Time to decide about one pod, by webhook (mutate, validate).",
		Buckets: prometheus.ExponentialBuckets(0.0002, 4, 8), // 0.2 ms to 3 s; the API server waits for 5 s
	}, []string{"webhook"})
)

// register adds the metrics to a registry; a registry that has them already is fine.
func register(registry prometheus.Registerer) error {
	for _, c := range []prometheus.Collector{decisions, durations} {
		var present prometheus.AlreadyRegisteredError
		if err := registry.Register(c); err != nil && !errors.As(err, &present) {
			return err
		}
	}
	return nil
}

func observe(webhook string, response admission.Response, reason inject.Reason, took time.Duration) {
	result := "denied"
	switch {
	case response.Allowed:
		result = "allowed"
	case response.Result != nil && response.Result.Code != http.StatusForbidden:
		result = "error"
	}
	decisions.WithLabelValues(result, string(reason)).Inc()
	durations.WithLabelValues(webhook).Observe(took.Seconds())
}
