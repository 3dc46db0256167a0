// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"time"
)

// listenAddress of the agent; the container's network is the pod's.
const listenAddress = ":8080"

// maxRequest bounds, in bytes, what is read of a request; above what a memory may have, so that its limit shows.
const maxRequest = 4 << 20

// input is the body of /browse and /tell.
type input struct {
	URL    string `json:"url,omitempty"`
	Source string `json:"source,omitempty"`
	Text   string `json:"text"`
}

// origin is the source as given, or "web:" and the host of the URL.
func (in input) origin() string {
	if in.Source != "" || in.URL == "" {
		return in.Source
	}
	if page, err := url.Parse(in.URL); err == nil && page.Hostname() != "" {
		return "web:" + page.Hostname()
	}
	return "web:" + in.URL
}

// serve runs the agent until ctx ends.
func serve(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	requireMemory := flags.Bool("require-memory", false, "end with an error unless MEMORY_URL answers at the first attempt")
	if err := flags.Parse(args); err != nil {
		return err
	}
	a := newAgent()
	if *requireMemory {
		if err := mustReach(ctx, a); err != nil {
			return err
		}
	}
	slog.Info("Agent started", "protected", a.protected)
	server := &http.Server{Addr: listenAddress, Handler: a.handler(), ReadHeaderTimeout: 5 * time.Second}
	go func() {
		<-ctx.Done()
		_ = server.Close()
	}()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func mustReach(ctx context.Context, a *agent) error {
	behindURL, ok := a.memory.(*remote)
	if !ok {
		return errors.New("--require-memory: MEMORY_URL is not set")
	}
	if err := behindURL.reachable(ctx); err != nil {
		return fmt.Errorf("--require-memory: %w", err)
	}
	return nil
}

func (a *agent) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.HandleFunc("POST /browse", a.handleInput)
	mux.HandleFunc("POST /tell", a.handleInput)
	mux.HandleFunc("POST /ask", a.handleAsk)
	return mux
}

// handleInput remembers what was read or told; for the agent both are text with a source.
func (a *agent) handleInput(w http.ResponseWriter, r *http.Request) {
	var in input
	if !decode(w, r, &in) {
		return
	}
	result, err := a.memory.remember(r.Context(), in.origin(), in.Text)
	respond(w, result, err)
}

func (a *agent) handleAsk(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Question string `json:"question"`
	}
	if !decode(w, r, &in) {
		return
	}
	result, err := a.ask(r.Context(), in.Question)
	respond(w, result, err)
}

func decode(w http.ResponseWriter, r *http.Request, into any) bool {
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxRequest)).Decode(into); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return false
	}
	return true
}

// respond passes the status of the memory on, so that callers see what the agent got.
func respond(w http.ResponseWriter, result any, err error) {
	var refused *statusError
	switch {
	case errors.As(err, &refused):
		http.Error(w, refused.body, refused.status)
	case err != nil:
		http.Error(w, err.Error(), http.StatusBadGateway)
	default:
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(result)
	}
}
