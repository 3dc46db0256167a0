// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package health

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
)

func TestHandler(t *testing.T) {
	registry := prometheus.NewRegistry()
	counter := prometheus.NewCounter(prometheus.CounterOpts{Name: "memorytrust_test_total", Help: "Counts."})
	registry.MustRegister(counter)
	counter.Inc()
	var notReady error
	h := NewHandler(func(context.Context) error { return notReady }, registry, slog.New(slog.DiscardHandler))
	get := func(path string) (int, string) {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		return w.Code, w.Body.String()
	}
	for path, want := range map[string]string{"/healthz": "ok", "/readyz": "ok", "/metrics": "memorytrust_test_total 1"} {
		if status, body := get(path); status != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("%s answered %d: %s", path, status, body)
		}
	}
	notReady = errors.New("no keys")
	if status, body := get("/readyz"); status != http.StatusServiceUnavailable || !strings.Contains(body, "no keys") {
		t.Errorf("/readyz answered %d: %s", status, body)
	}
	if status, _ := get("/healthz"); status != http.StatusOK {
		t.Errorf("/healthz answered %d while not ready: the kubelet would restart a screener that waits for its keys", status)
	}
}
