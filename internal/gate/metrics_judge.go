// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"memorytrust.dev/operator/internal/judge"
)

// Values of the label result, beside the causes for which there is none.
const (
	judgedClean     = "clean"
	judgedDirective = "directive"
	judgeAnswered   = "answered"
)

// judgeMetrics counts what could not be judged, and what the judge says.
type judgeMetrics struct {
	abstained prometheus.Counter
	texts     *prometheus.CounterVec
	cached    prometheus.Counter
	calls     *prometheus.CounterVec
	took      prometheus.Histogram
}

func newJudgeMetrics() judgeMetrics {
	m := judgeMetrics{
		abstained: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "memorytrust_screen_abstained_total", Help: "Screenings of texts of untrusted origin in writing that the screen cannot judge.",
		}),
		texts: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "memorytrust_judge_texts_total",
			Help: "Texts that the judge was to judge, by what it says or why it does not; those without an answer are marked for review.",
		}, []string{"result"}),
		cached: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "memorytrust_judge_cached_total", Help: "Texts whose answer was known from an earlier call.",
		}),
		calls: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "memorytrust_judge_calls_total", Help: "Calls of the judge's endpoint, by whether it answered or why not.",
		}, []string{"result"}),
		took: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "memorytrust_judge_call_duration_seconds", Help: "Duration of calls of the judge's endpoint.",
			Buckets: []float64{.05, .1, .25, .5, 1, 2.5, 5, 10, 20, 30},
		}),
	}
	for _, result := range []string{judgedClean, judgedDirective} {
		m.texts.WithLabelValues(result)
	}
	m.calls.WithLabelValues(judgeAnswered)
	for _, cause := range judge.Causes {
		m.texts.WithLabelValues(string(cause))
	}
	for _, cause := range []judge.Cause{judge.CauseTimeout, judge.CauseUnavailable, judge.CauseMalformed} {
		m.calls.WithLabelValues(string(cause))
	}
	return m
}

func (m judgeMetrics) collectors() []prometheus.Collector {
	return []prometheus.Collector{m.abstained, m.texts, m.cached, m.calls, m.took}
}

// judged counts an answer about one text.
func (m judgeMetrics) judged(a judge.Answer) {
	result := judgedClean
	switch {
	case a.Unjudged != "":
		result = string(a.Unjudged)
	case a.Directive:
		result = judgedDirective
	}
	m.texts.WithLabelValues(result).Inc()
	if a.Cached {
		m.cached.Inc()
	}
}

// judgeCalled counts a call.
func (m judgeMetrics) judgeCalled(failed judge.Cause, _ int, took time.Duration) {
	result := judgeAnswered
	if failed != "" {
		result = string(failed)
	}
	m.calls.WithLabelValues(result).Inc()
	m.took.Observe(took.Seconds())
}
