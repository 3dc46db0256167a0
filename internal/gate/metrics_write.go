// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"github.com/prometheus/client_golang/prometheus"

	"memorytrust.dev/operator/internal/memory"
)

// Values of the label limit.
const (
	limitPending = "pending"
	limitRate    = "rate"
)

// Values of the label kind of proposals.
const (
	proposalEdit   = "edit"
	proposalForget = "forget"
	proposalAction = "action"
)

// writeMetrics counts what becomes of writes and what people decide.
type writeMetrics struct {
	limited        *prometheus.CounterVec
	proposals      *prometheus.CounterVec
	decisions      *prometheus.CounterVec
	folded         prometheus.Counter
	contradictions prometheus.Counter
	imported       prometheus.Counter
}

func newWriteMetrics() writeMetrics {
	vec := func(name, help, label string, values ...string) *prometheus.CounterVec {
		v := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "memorytrust_" + name, Help: help}, []string{label})
		for _, value := range values {
			v.WithLabelValues(value)
		}
		return v
	}
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Name: "memorytrust_" + name, Help: help})
	}
	m := writeMetrics{
		limited: vec("writes_limited_total", "Writes refused because of a limit of the policy.", "limit", limitPending, limitRate),
		proposals: vec("proposals_total", "Changes that only a person may make and that were asked for.", "kind",
			proposalEdit, proposalForget, proposalAction),
		decisions:      vec("decisions_total", "Decisions of people that were carried out, by action.", "action"),
		folded:         counter("writes_folded_total", "Writes that are near-duplicates of a waiting memory and share its fate."),
		contradictions: counter("contradictions_found_total", "Contradictions that scans found."),
		imported:       counter("imported_total", "Memories written by imports."),
	}
	for _, a := range decisions {
		m.decisions.WithLabelValues(string(a))
	}
	return m
}

func (m writeMetrics) collectors() []prometheus.Collector {
	return []prometheus.Collector{m.limited, m.proposals, m.decisions, m.folded, m.contradictions, m.imported}
}

// decided counts a decision; the actions are a closed set.
func (m writeMetrics) decided(a memory.Action) { m.decisions.WithLabelValues(string(a)).Inc() }
