// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"memorytrust.dev/operator/pkg/memoryadmission"
)

// foreignStore is a store of memories that is not MemoryTrust's: a map behind HTTP. It keeps text and source and nothing else, and asks
// the operator before it stores and before it hands out. Where there is no answer it does neither.
type foreignStore struct {
	admission *memoryadmission.Client
	agent     memoryadmission.Agent

	mu       sync.Mutex
	memories map[string]foreignMemory
}

// foreignMemory is all that the store has room for.
type foreignMemory struct {
	Text   string `json:"text"`
	Source string `json:"source"` // signed
}

// verdict is what the store tells about one memory.
type verdict struct {
	Allowed  bool     `json:"allowed"`
	Text     string   `json:"text,omitempty"` // of a recall
	Source   string   `json:"source,omitempty"`
	Zone     string   `json:"zone,omitempty"`
	State    string   `json:"state,omitempty"`
	Class    string   `json:"class,omitempty"`
	Boundary string   `json:"boundary,omitempty"`
	Reason   string   `json:"reason,omitempty"`
	Message  string   `json:"message,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
}

// runStore serves a store for the agent NAMESPACE NAME until ctx ends; DIRECTORY holds ca.crt and token.
func runStore(ctx context.Context, args []string) error {
	if len(args) != 3 {
		return errUsage
	}
	client, err := memoryadmission.New(memoryadmission.Options{
		CAFile: filepath.Join(args[0], "ca.crt"), TokenFile: filepath.Join(args[0], "token"),
	})
	if err != nil {
		return err
	}
	s := &foreignStore{
		admission: client, agent: memoryadmission.Agent{Namespace: args[1], Name: args[2]}, memories: map[string]foreignMemory{},
	}
	slog.Info("Store started", "namespace", args[1], "agent", args[2])
	server := &http.Server{Addr: listenAddress, Handler: s.handler(), ReadHeaderTimeout: 5 * time.Second}
	go func() {
		<-ctx.Done()
		_ = server.Close()
	}()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func (s *foreignStore) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { respond(w, "ok", nil) })
	mux.HandleFunc("POST /memories/{key}", s.write)
	mux.HandleFunc("GET /memories/{key}", s.read)
	// What somebody with access to the database can do.
	mux.HandleFunc("GET /rows/{key}", func(w http.ResponseWriter, r *http.Request) {
		found, ok := s.get(r.PathValue("key"))
		if !ok {
			http.NotFound(w, r)
			return
		}
		respond(w, found, nil)
	})
	mux.HandleFunc("POST /rows/{key}", func(w http.ResponseWriter, r *http.Request) {
		var row foreignMemory
		if decode(w, r, &row) {
			s.put(r.PathValue("key"), row)
			respond(w, row, nil)
		}
	})
	return mux
}

func (s *foreignStore) get(key string) (foreignMemory, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found, ok := s.memories[key]
	return found, ok
}

func (s *foreignStore) put(key string, m foreignMemory) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.memories[key] = m
}

// write stores what may be stored, with the source that was signed for it.
func (s *foreignStore) write(w http.ResponseWriter, r *http.Request) {
	var in input
	if !decode(w, r, &in) {
		return
	}
	key := r.PathValue("key")
	answer, ok := s.ask(w, r, memoryadmission.Request{
		Operation: memoryadmission.Encode, Memory: memoryadmission.Memory{ID: key, Content: in.Text}, ClaimedSource: in.origin(),
	})
	if !ok {
		return
	}
	if answer.Allowed {
		s.put(key, foreignMemory{Text: in.Text, Source: answer.Source})
	}
	respond(w, answer, nil)
}

// read hands out what may be handed out.
func (s *foreignStore) read(w http.ResponseWriter, r *http.Request) {
	key := r.PathValue("key")
	found, ok := s.get(key)
	if !ok {
		http.NotFound(w, r)
		return
	}
	answer, ok := s.ask(w, r, memoryadmission.Request{
		Operation: memoryadmission.Recall, Memory: memoryadmission.Memory{ID: key, Content: found.Text}, SignedSource: found.Source,
	})
	if !ok {
		return
	}
	if answer.Allowed {
		answer.Text = found.Text
	}
	respond(w, answer, nil)
}

// ask asks the operator. Where that gives no answer, the store gives none either.
func (s *foreignStore) ask(w http.ResponseWriter, r *http.Request, request memoryadmission.Request) (verdict, bool) {
	request.Agent = s.agent
	response, err := s.admission.Do(r.Context(), request)
	if err != nil {
		slog.Error("Memory admission gives no answer, nothing is stored or handed out", "operation", request.Operation, "error", err)
		http.Error(w, "memory admission gives no answer: "+err.Error(), http.StatusServiceUnavailable)
		return verdict{}, false
	}
	out := verdict{
		Allowed: response.Allowed, Source: response.SignedSource, Zone: string(response.Zone), State: response.State,
		Class: response.Class, Boundary: string(response.Boundary), Warnings: response.Warnings,
	}
	if response.Status != nil {
		out.Reason, out.Message = response.Status.Reason, response.Status.Message
	}
	return out, true
}
