// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import "github.com/prometheus/client_golang/prometheus"

// Values of the label where of correlations.
const (
	correlatedWrite  = "write"
	correlatedRecall = "recall"
)

// correlateMetrics counts clusters of memories that were found.
type correlateMetrics struct {
	correlations *prometheus.CounterVec
}

func newCorrelateMetrics() correlateMetrics {
	m := correlateMetrics{correlations: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "memorytrust_correlations_total",
		Help: "Writes and reads at which memories of untrusted origin were found that together add up to acting without asking.",
	}, []string{"where"})}
	m.correlations.WithLabelValues(correlatedWrite)
	m.correlations.WithLabelValues(correlatedRecall)
	return m
}

func (m correlateMetrics) collectors() []prometheus.Collector {
	return []prometheus.Collector{m.correlations}
}
