// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"github.com/prometheus/client_golang/prometheus"
)

// Values of the labels operation and outcome. Upstreams are those of the policy: a closed set.
const (
	upstreamWrite  = "write"
	upstreamDelete = "delete"
	upstreamCall   = "call"
	upstreamTool   = "tool"

	upstreamAllowed     = "Allowed"
	upstreamRefused     = "Refused"
	upstreamWaits       = "Waits"
	upstreamWouldRefuse = "WouldRefuse"

	upstreamKnown         = "Known"
	upstreamUnknown       = "Unknown"
	upstreamWithheld      = "Withheld"
	upstreamWouldWithhold = "WouldWithhold"
)

// upstreamMetrics counts what was decided about upstreams.
type upstreamMetrics struct {
	upstreamDecisions *prometheus.CounterVec
	upstreamTexts     *prometheus.CounterVec
	upstreamRewrites  *prometheus.CounterVec
}

func newUpstreamMetrics() upstreamMetrics {
	vec := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: "memorytrust_upstream_" + name, Help: help}, labels)
	}
	return upstreamMetrics{
		upstreamDecisions: vec("decisions_total",
			"Calls of upstreams that were decided about, and definitions of their tools, by upstream, operation and outcome.",
			"upstream", "operation", "outcome"),
		upstreamTexts: vec("texts_total",
			"Texts that Memory upstreams handed out: delivered and known to the ledger or unknown, withheld, or withheld but for DryRun.",
			"upstream", "outcome"),
		upstreamRewrites: vec("answers_total",
			"Texts that Memory upstreams answered writes with, by whether they were recorded as what was sent in other words.",
			"upstream", "recorded"),
	}
}

func (m upstreamMetrics) collectors() []prometheus.Collector {
	return []prometheus.Collector{m.upstreamDecisions, m.upstreamTexts, m.upstreamRewrites}
}

func (m upstreamMetrics) upstreamDecided(upstream, operation, outcome string) {
	m.upstreamDecisions.WithLabelValues(upstream, operation, outcome).Inc()
}

// upstreamAuthorized counts a decision about a call.
func (m upstreamMetrics) upstreamAuthorized(upstream, operation string, out Authorized) {
	outcome := upstreamRefused
	switch {
	case out.Would != "" && out.Would != ActionAllow:
		outcome = upstreamWouldRefuse
	case out.Decision == ActionAllow:
		outcome = upstreamAllowed
	case out.Decision == ActionRequireApproval:
		outcome = upstreamWaits
	}
	m.upstreamDecided(upstream, operation, outcome)
}

func (m upstreamMetrics) upstreamRead(r *reading) {
	withheld := upstreamWithheld
	if r.dryRun() {
		withheld = upstreamWouldWithhold
	}
	for outcome, n := range map[string]int{upstreamKnown: r.known, upstreamUnknown: r.unknown, withheld: r.total()} {
		if n > 0 {
			m.upstreamTexts.WithLabelValues(r.upstream, outcome).Add(float64(n))
		}
	}
}
