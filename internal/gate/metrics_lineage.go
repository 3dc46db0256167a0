// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
)

// Values of the label of repeated texts, and of the label role of revoked memories.
const (
	repeatedMemory      = "memory"
	repeatedWithheld    = "withheld"
	repeatedObservation = "observation"

	revokedNamed      = "named"
	revokedDescendant = "descendant"
)

// lineageMetrics counts what writes were made from.
type lineageMetrics struct {
	repeated *prometheus.CounterVec
	ofTurns  *prometheus.CounterVec
	revoked  *prometheus.CounterVec
}

func newLineageMetrics() lineageMetrics {
	vec := func(name, help, label string, values ...string) *prometheus.CounterVec {
		v := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "memorytrust_" + name, Help: help}, []string{label})
		for _, value := range values {
			v.WithLabelValues(value)
		}
		return v
	}
	return lineageMetrics{
		repeated: vec("writes_repeating_total", "Writes found to repeat another text, by what that is.", "repeats",
			repeatedMemory, repeatedWithheld, repeatedObservation),
		ofTurns: vec("writes_of_turns_total", "Writes that say what a user said in a turn, by whether a channel vouches for the turn.",
			"authenticated", "true", "false"),
		revoked: vec("revoked_total", "Memories that revocations took away, by whether they were named or go back to one that was.", "role",
			revokedNamed, revokedDescendant),
	}
}

func (m lineageMetrics) collectors() []prometheus.Collector {
	return []prometheus.Collector{m.repeated, m.ofTurns, m.revoked}
}

// repeats counts a write once for each kind of text that it repeats.
func (m lineageMetrics) repeats(sources []source) {
	kinds := map[string]bool{}
	for _, s := range sources {
		switch {
		case !s.trace.Record:
			kinds[repeatedObservation] = true
		case s.held:
			kinds[repeatedWithheld] = true
		default:
			kinds[repeatedMemory] = true
		}
	}
	for kind := range kinds {
		m.repeated.WithLabelValues(kind).Inc()
	}
}

func (m lineageMetrics) quoted(authenticated bool) {
	m.ofTurns.WithLabelValues(strconv.FormatBool(authenticated)).Inc()
}
