// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"fmt"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"memorytrust.dev/operator/api/v1alpha1"
)

// benchmarkMetrics are the results of benchmarks as gauges, and a count of runs.
type benchmarkMetrics struct {
	success, falsePositives, passed, completed *prometheus.GaugeVec
	runs                                       *prometheus.CounterVec
}

func newBenchmarkMetrics(registry prometheus.Registerer) (*benchmarkMetrics, error) {
	benchmark := []string{"namespace", "benchmark"}
	gauge := func(name, help string, more ...string) *prometheus.GaugeVec {
		return prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "memorytrust_benchmark_" + name, Help: help}, append(benchmark[:2:2], more...))
	}
	m := &benchmarkMetrics{
		success: gauge("attack_success_ratio",
			"Share of attacks that reach the agent, as the last run measured, by defense: off, or on under the policy.", "defense"),
		falsePositives: gauge("false_positives_ratio", "Share of harmless memories that the policy withholds, as the last run measured."),
		passed:         gauge("passed", "1 while the condition Passed of the benchmark is True, 0 while it is False; absent while it is Unknown."),
		completed:      gauge("last_run_timestamp_seconds", "When the last run was over."),
		runs: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "memorytrust_benchmark_runs_total", Help: "Runs that are over, by outcome.",
		}, append(benchmark[:2:2], "outcome")),
	}
	for _, c := range []prometheus.Collector{m.success, m.falsePositives, m.passed, m.completed, m.runs} {
		if err := registry.Register(c); err != nil {
			return nil, fmt.Errorf("registering metrics: %w", err)
		}
	}
	return m, nil
}

// observe sets the gauges of one benchmark by its status.
func (m *benchmarkMetrics) observe(name types.NamespacedName, s *v1alpha1.MemoryBenchmarkStatus) {
	if s.LastRun == nil {
		return
	}
	m.completed.WithLabelValues(name.Namespace, name.Name).Set(float64(s.LastRun.CompletedAt.Unix()))
	switch c := meta.FindStatusCondition(s.Conditions, v1alpha1.ConditionPassed); {
	case c == nil || c.Status == metav1.ConditionUnknown:
		m.passed.DeleteLabelValues(name.Namespace, name.Name)
	case c.Status == metav1.ConditionTrue:
		m.passed.WithLabelValues(name.Namespace, name.Name).Set(1)
	default:
		m.passed.WithLabelValues(name.Namespace, name.Name).Set(0)
	}
	f := s.LastRun.Figures
	if f == nil {
		return
	}
	m.success.WithLabelValues(name.Namespace, name.Name, "off").Set(ratio(f.AttacksSucceededOff, f.Attacks))
	m.success.WithLabelValues(name.Namespace, name.Name, "on").Set(ratio(f.AttacksSucceededOn, f.Attacks))
	m.falsePositives.WithLabelValues(name.Namespace, name.Name).Set(ratio(f.BenignWithheld, f.Benign))
}

func ratio(count, of int32) float64 {
	if of == 0 {
		return 0
	}
	return float64(count) / float64(of)
}

// ended counts a run that is over.
func (m *benchmarkMetrics) ended(name types.NamespacedName, outcome v1alpha1.BenchmarkOutcome) {
	m.runs.WithLabelValues(name.Namespace, name.Name, string(outcome)).Inc()
}

// forget removes what there is of a benchmark that is gone.
func (m *benchmarkMetrics) forget(name types.NamespacedName) {
	labels := prometheus.Labels{"namespace": name.Namespace, "benchmark": name.Name}
	for _, g := range []*prometheus.GaugeVec{m.success, m.falsePositives, m.passed, m.completed} {
		g.DeletePartialMatch(labels)
	}
	m.runs.DeletePartialMatch(labels)
}
