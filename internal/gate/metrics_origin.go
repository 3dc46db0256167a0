// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"strconv"

	"github.com/prometheus/client_golang/prometheus"

	"memorytrust.dev/operator/internal/provenance"
)

// originMetrics counts what is said about where words come from.
type originMetrics struct {
	turns        *prometheus.CounterVec
	observations *prometheus.CounterVec
	opened       prometheus.Counter
}

func newOriginMetrics() originMetrics {
	m := originMetrics{
		turns: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "memorytrust_turns_total",
			Help: "User turns handed in, by whether a channel vouches for them."}, []string{"authenticated"}),
		observations: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "memorytrust_observations_total",
			Help: "Texts reported that the agent met outside of its memory, by source class."}, []string{"class"}),
		opened: prometheus.NewCounter(prometheus.CounterOpts{Name: "memorytrust_sessions_opened_total",
			Help: "Sessions that channels of class UserInput opened."}),
	}
	for _, vouched := range []bool{false, true} {
		m.turns.WithLabelValues(strconv.FormatBool(vouched))
	}
	for _, class := range provenance.Classes {
		m.observations.WithLabelValues(string(class))
	}
	return m
}

func (m originMetrics) collectors() []prometheus.Collector {
	return []prometheus.Collector{m.turns, m.observations, m.opened}
}

func (m originMetrics) turned(authenticated bool) {
	m.turns.WithLabelValues(strconv.FormatBool(authenticated)).Inc()
}

func (m originMetrics) observed(class provenance.Class) {
	m.observations.WithLabelValues(string(class)).Inc()
}
