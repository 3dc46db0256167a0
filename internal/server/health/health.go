// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package health serves what the kubelet and Prometheus ask a screener for. Nothing in it is secret.
package health

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// readyTimeout is below the probe timeout the sidecar is injected with, so that the answer says why.
const readyTimeout = 900 * time.Millisecond

// NewHandler serves /healthz (the process answers), /readyz (ready returns nil) and /metrics.
func NewHandler(ready func(context.Context) error, registry *prometheus.Registry, log *slog.Logger) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { say(w, http.StatusOK, "ok") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
		defer cancel()
		if err := ready(ctx); err != nil {
			log.Debug("Not ready", "error", err.Error())
			say(w, http.StatusServiceUnavailable, "not ready: "+err.Error())
			return
		}
		say(w, http.StatusOK, "ok")
	})
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError}))
	return mux
}

func say(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text + "\n")) // the client is gone if this fails
}
