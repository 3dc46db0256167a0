// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"github.com/prometheus/client_golang/prometheus"
)

// unmatchedRule is the label of calls that no rule matches.
const unmatchedRule = "unmatched"

// actionMetrics counts what was decided about tool calls. Rules are those of the policy: a closed set.
type actionMetrics struct {
	actions      *prometheus.CounterVec
	wouldActions *prometheus.CounterVec
}

func newActionMetrics() actionMetrics {
	vec := func(name, help string) *prometheus.CounterVec {
		v := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "memorytrust_" + name, Help: help}, []string{"decision", "rule"})
		for _, d := range []ActionDecision{ActionAllow, ActionRequireApproval, ActionDeny} {
			v.WithLabelValues(string(d), unmatchedRule)
		}
		return v
	}
	return actionMetrics{
		actions:      vec("actions_total", "Tool calls that were decided about, by decision and by the rule of the policy."),
		wouldActions: vec("would_actions_total", "Tool calls that DryRun let through, by what would have been decided and by the rule."),
	}
}

func (m actionMetrics) collectors() []prometheus.Collector {
	return []prometheus.Collector{m.actions, m.wouldActions}
}

// authorized counts a decision.
func (m actionMetrics) authorized(out Authorized) {
	counter, decision, rule := m.actions, out.Decision, out.Rule
	if out.Would != "" {
		counter, decision = m.wouldActions, out.Would
	}
	if rule == "" {
		rule = unmatchedRule
	}
	counter.WithLabelValues(string(decision), rule).Inc()
}
