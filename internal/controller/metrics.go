// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"fmt"

	"github.com/prometheus/client_golang/prometheus"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// screenerMetrics are counts as the screeners report them. They are up to date after every poll, while statuses
// follow with a delay.
type screenerMetrics struct {
	memories  *prometheus.GaugeVec
	pending   *prometheus.GaugeVec
	screeners *prometheus.GaugeVec
}

func newScreenerMetrics(registry prometheus.Registerer) (*screenerMetrics, error) {
	agent := []string{"namespace", "agent"}
	m := &screenerMetrics{
		memories: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "memorytrust_agent_memories", Help: "Live memories of an agent by zone.",
		}, append(agent, "zone")),
		pending: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "memorytrust_agent_pending_reviews", Help: "Memories of an agent that wait for a person.",
		}, agent),
		screeners: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "memorytrust_agent_screeners", Help: "Running screeners of an agent by state: in_sync, outdated or unreachable.",
		}, append(agent, "state")),
	}
	for _, c := range []prometheus.Collector{m.memories, m.pending, m.screeners} {
		if err := registry.Register(c); err != nil {
			return nil, fmt.Errorf("registering metrics: %w", err)
		}
	}
	return m, nil
}

// observe sets the gauges of one agent.
func (m *screenerMetrics) observe(agent types.NamespacedName, a *polledAgent) {
	reports := make(map[types.UID]report, len(a.pods))
	states := map[string]int{"in_sync": 0, "outdated": 0, "unreachable": 0}
	for uid, pod := range a.pods {
		reports[uid] = pod.report
		switch {
		case pod.report.reachable != metav1.ConditionTrue:
			states["unreachable"]++
		case a.want.metBy(pod.report.status):
			states["in_sync"]++
		default:
			states["outdated"]++
		}
	}
	counts := sumStatus(reports)
	for zone, n := range map[string]int64{"Quarantine": counts.Quarantine, "Working": counts.Working, "Trusted": counts.Trusted} {
		m.memories.WithLabelValues(agent.Namespace, agent.Name, zone).Set(float64(n))
	}
	m.pending.WithLabelValues(agent.Namespace, agent.Name).Set(float64(counts.PendingReview))
	for state, n := range states {
		m.screeners.WithLabelValues(agent.Namespace, agent.Name, state).Set(float64(n))
	}
}

// forget removes the gauges of one agent.
func (m *screenerMetrics) forget(agent types.NamespacedName) {
	labels := prometheus.Labels{"namespace": agent.Namespace, "agent": agent.Name}
	for _, g := range []*prometheus.GaugeVec{m.memories, m.pending, m.screeners} {
		g.DeletePartialMatch(labels)
	}
}
