// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"context"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/prometheus/client_golang/prometheus"
)

// Metrics counts what passes to and from upstreams. Labels are closed sets: upstreams of the policy, methods of the protocol.
type Metrics struct {
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	sessions *prometheus.CounterVec
}

// NewMetrics returns metrics registered with reg, or with nothing when reg is nil. It panics if reg has them already.
func NewMetrics(reg prometheus.Registerer) *Metrics {
	m := &Metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "memorytrust_upstream_requests_total", Help: "Requests of the agent to upstreams, by upstream, method and whether they failed.",
		}, []string{"upstream", "method", "result"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "memorytrust_upstream_request_seconds", Help: "Duration of requests to upstreams, the upstream's own time included.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10, 60},
		}, []string{"upstream"}),
		sessions: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "memorytrust_upstream_sessions_total", Help: "Sessions that agents asked for, by upstream and whether it could be reached.",
		}, []string{"upstream", "result"}),
	}
	if reg != nil {
		reg.MustRegister(m.requests, m.duration, m.sessions)
	}
	return m
}

func result(err error) string {
	if err != nil {
		return "error"
	}
	return "ok"
}

func (m *Metrics) session(upstream string, err error) {
	m.sessions.WithLabelValues(upstream, result(err)).Inc()
}

// counted counts the requests that are handed on.
func (m *Metrics) counted(upstream string) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if !slices.Contains(forwarded, method) {
				return next(ctx, method, req)
			}
			start := time.Now()
			res, err := next(ctx, method, req)
			m.requests.WithLabelValues(upstream, method, result(err)).Inc()
			m.duration.WithLabelValues(upstream).Observe(time.Since(start).Seconds())
			return res, err
		}
	}
}
