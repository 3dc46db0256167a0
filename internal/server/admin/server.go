// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package admin

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/version"
)

// Bounds of a connection: the manager asks one short question a minute.
const (
	requestTimeout = 10 * time.Second
	maxHeaderBytes = 8 << 10
)

// errNotLoaded ends a handshake before there is a certificate to show.
var errNotLoaded = errors.New("no certificate loaded yet")

// Source is where a screener's status comes from.
type Source struct {
	Store memory.Store
	// State returns what is in force; false as long as nothing was ever loaded.
	State func() (*policy.State, bool)
	// Rejected returns why the newest files were not taken, or "".
	Rejected func() string
}

// NewServer returns the admin server, to be started with ServeTLS and empty file names. It takes certificates from the
// state in force at every handshake, so that a renewed one needs no restart, and accepts no client but the manager.
func NewServer(src Source, log *slog.Logger) *http.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+StatusPath, func(w http.ResponseWriter, r *http.Request) {
		status, err := src.status(r.Context())
		if err != nil {
			log.Error("Status not available", "error", err.Error())
			http.Error(w, "status not available", http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(status) // the manager is gone if this fails
	})
	return &http.Server{
		Handler:           mux,
		TLSConfig:         ServerTLS(src.State),
		ReadHeaderTimeout: requestTimeout,
		ReadTimeout:       requestTimeout,
		WriteTimeout:      requestTimeout,
		IdleTimeout:       requestTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
}

// ServerTLS returns the TLS configuration of the admin port: TLS 1.3, and a client certificate of the manager that
// chains to the CA of the state in force.
func ServerTLS(state func() (*policy.State, bool)) *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS13,
		GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) {
			s, ok := state()
			if !ok || s.Certificate == nil || s.ClientCAs == nil {
				return nil, errNotLoaded
			}
			return &tls.Config{
				MinVersion:       tls.VersionTLS13,
				Certificates:     []tls.Certificate{*s.Certificate},
				ClientAuth:       tls.RequireAndVerifyClientCert,
				ClientCAs:        s.ClientCAs,
				VerifyConnection: onlyManager,
				// A resumed session would outlive the CA that vouched for it.
				SessionTicketsDisabled: true,
			}, nil
		},
	}
}

// onlyManager compares names exactly: no wildcard, no common name, no second name beside it.
func onlyManager(c tls.ConnectionState) error {
	if len(c.VerifiedChains) == 0 || len(c.PeerCertificates) == 0 {
		return errors.New("no verified client certificate")
	}
	if leaf := c.PeerCertificates[0]; !named(leaf, ClientName) {
		return fmt.Errorf("the client is not %s", ClientName)
	}
	return nil
}

func named(leaf *x509.Certificate, name string) bool {
	return len(leaf.DNSNames) == 1 && leaf.DNSNames[0] == name
}

func (s Source) status(ctx context.Context) (Status, error) {
	state, ok := s.State()
	if !ok {
		return Status{}, errNotLoaded
	}
	r := state.Runtime
	counts, err := s.Store.Counts(ctx, r.Namespace)
	if err != nil {
		return Status{}, err
	}
	checkpoint, err := s.Store.Checkpoint(ctx)
	if err != nil {
		return Status{}, err
	}
	out := Status{
		Version:        version.Version,
		Namespace:      r.Namespace,
		Agent:          r.Agent,
		AgentID:        r.AgentID,
		PolicyRevision: r.Revision,
		PolicyRejected: s.Rejected(),
		PrimaryKeyID:   state.Keyset.PrimaryID(),
		KeyIDs:         state.Keyset.KeyIDs(),
		Zones:          map[string]int64{},
		States:         map[string]int64{},
		PendingReview:  counts.PendingReview,
		RecordsByKeyID: counts.ByKeyID,
		AuditSize:      checkpoint.Size,
		AuditRoot:      base64.StdEncoding.EncodeToString(checkpoint.Root),
	}
	for zone, n := range counts.ByZone {
		out.Zones[string(zone)] = n
	}
	for state, n := range counts.ByState {
		out.States[string(state)] = n
	}
	return out, nil
}
