// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
)

// Metrics counts what the gate does. Labels are closed sets: never ids, sources, sessions or content.
type Metrics struct {
	writeMetrics
	originMetrics
	lineageMetrics
	actionMetrics
	judgeMetrics
	correlateMetrics
	upstreamMetrics
	writes         *prometheus.CounterVec
	deliveries     *prometheus.CounterVec
	withheld       *prometheus.CounterVec
	wouldWithhold  *prometheus.CounterVec
	duration       *prometheus.HistogramVec
	reloads        *prometheus.CounterVec
	forgotten      prometheus.Counter
	screenFailures prometheus.Counter
	trustLoss      *prometheus.GaugeVec
}

// NewMetrics returns metrics registered with reg, or with nothing when reg is nil. It panics if reg has them already.
func NewMetrics(reg prometheus.Registerer) *Metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: "memorytrust_" + name, Help: help}, labels)
	}
	m := &Metrics{
		writeMetrics:     newWriteMetrics(),
		originMetrics:    newOriginMetrics(),
		lineageMetrics:   newLineageMetrics(),
		actionMetrics:    newActionMetrics(),
		judgeMetrics:     newJudgeMetrics(),
		correlateMetrics: newCorrelateMetrics(),
		upstreamMetrics:  newUpstreamMetrics(),
		writes:           counter("writes_total", "Memories stored, by zone, source class and whether screening found a directive.", "zone", "class", "directive"),
		deliveries:       counter("deliveries_total", "Memories delivered to a caller, by zone.", "zone"),
		withheld:         counter("withheld_total", "Memories kept from a caller, by reason.", "reason"),
		wouldWithhold:    counter("would_withhold_total", "Memories that DryRun delivered and Enforce would have withheld, by reason.", "reason"),
		reloads:          counter("policy_reloads_total", "Updates of policy, keys and certificates, by result.", "result"),
		forgotten: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "memorytrust_forgotten_total", Help: "Memories forgotten on request."}),
		screenFailures: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "memorytrust_screen_failures_total", Help: "Texts the screener failed on; they count as directives."}),
		trustLoss: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "memorytrust_trust_loss_memories", Help: "Memories that trust mode Signed does not trust though Prefix does, by reason; looked at hourly.",
		}, []string{"reason"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "memorytrust_operation_duration_seconds", Help: "Duration of the gate's operations.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5},
		}, []string{"operation"}),
	}
	for _, reason := range Reasons {
		m.withheld.WithLabelValues(string(reason))
		m.wouldWithhold.WithLabelValues(string(reason))
	}
	if reg != nil {
		reg.MustRegister(m.writeMetrics.collectors()...)
		reg.MustRegister(m.originMetrics.collectors()...)
		reg.MustRegister(m.lineageMetrics.collectors()...)
		reg.MustRegister(m.actionMetrics.collectors()...)
		reg.MustRegister(m.judgeMetrics.collectors()...)
		reg.MustRegister(m.correlateMetrics.collectors()...)
		reg.MustRegister(m.upstreamMetrics.collectors()...)
		reg.MustRegister(m.writes, m.deliveries, m.withheld, m.wouldWithhold, m.reloads, m.forgotten, m.screenFailures, m.duration, m.trustLoss)
	}
	return m
}

// Reloaded counts an update of the runtime state; err is why it was rejected.
func (m *Metrics) Reloaded(err error) {
	result := "loaded"
	if err != nil {
		result = "rejected"
	}
	m.reloads.WithLabelValues(result).Inc()
}

func (m *Metrics) time(operation string) func() {
	start := time.Now()
	return func() { m.duration.WithLabelValues(operation).Observe(time.Since(start).Seconds()) }
}

func (m *Metrics) wrote(r memory.Record) {
	m.writes.WithLabelValues(string(r.Zone), string(r.Class), strconv.FormatBool(r.Directive)).Inc()
}

func (m *Metrics) delivered(items []Delivered, withheld map[Reason]int, dryRun bool) {
	for _, item := range items {
		m.deliveries.WithLabelValues(zoneLabel(item.Zone)).Inc()
	}
	counter := m.withheld
	if dryRun {
		counter = m.wouldWithhold
	}
	for reason, n := range withheld {
		counter.WithLabelValues(string(reason)).Add(float64(n))
	}
}

// zoneLabel keeps the label a closed set even if a row was tampered with and DryRun delivers it.
func zoneLabel(z memory.Zone) string {
	switch z {
	case memory.Quarantine, memory.Working, memory.Trusted:
		return string(z)
	}
	return "Unknown"
}

// scrapeTimeout bounds counting for one scrape.
const scrapeTimeout = 3 * time.Second

// StoreCollector reports memories by zone, counted at every scrape.
type StoreCollector struct {
	store   memory.Store
	state   func() (*policy.State, bool)
	records *prometheus.Desc
	pending *prometheus.Desc
}

// NewStoreCollector returns a collector over what is stored for the agent, in all of its namespaces.
func NewStoreCollector(store memory.Store, state func() (*policy.State, bool)) *StoreCollector {
	return &StoreCollector{
		store: store, state: state,
		records: prometheus.NewDesc("memorytrust_records", "Live memories, by zone.", []string{"zone"}, nil),
		pending: prometheus.NewDesc("memorytrust_pending_review", "Memories that wait for a person.", nil, nil),
	}
}

// Describe implements prometheus.Collector.
func (c *StoreCollector) Describe(out chan<- *prometheus.Desc) {
	out <- c.records
	out <- c.pending
}

// Collect implements prometheus.Collector. It reports nothing while nothing is loaded or the store does not answer.
func (c *StoreCollector) Collect(out chan<- prometheus.Metric) {
	if _, ok := c.state(); !ok {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTimeout)
	defer cancel()
	counts, err := c.store.Counts(ctx, "")
	if err != nil {
		return
	}
	for _, z := range zones {
		out <- prometheus.MustNewConstMetric(c.records, prometheus.GaugeValue, float64(counts.ByZone[z]), string(z))
	}
	out <- prometheus.MustNewConstMetric(c.pending, prometheus.GaugeValue, float64(counts.PendingReview))
}
