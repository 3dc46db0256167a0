// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// What is unhurried outlives the deadlines of its server.
func TestUnhurried(t *testing.T) {
	server := httptest.NewUnstartedServer(Unhurried(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
			return
		case <-time.After(300 * time.Millisecond):
		}
		w.WriteHeader(http.StatusNoContent)
	})))
	server.Config.ReadTimeout, server.Config.WriteTimeout = 50*time.Millisecond, 50*time.Millisecond
	server.Start()
	defer server.Close()
	response, err := http.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusNoContent {
		t.Errorf("answered %d", response.StatusCode)
	}
}
