// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package admin

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/server/wire"
)

// Bounds of a connection. Exports and imports go on for as long as something moves, see paced.
const (
	requestTimeout = 10 * time.Second
	writeTimeout   = 60 * time.Second
	maxHeaderBytes = 8 << 10
)

// maxInFlight is how many requests of people are worked on at a time; further ones wait. The status is outside of it: the
// manager must not wait for an export.
const maxInFlight = 16

// errNotLoaded ends a handshake before there is a certificate to show.
var errNotLoaded = errors.New("no certificate loaded yet")

// Source is what an admin port tells about and works on.
type Source struct {
	Store memory.Store
	// State returns what is in force; false as long as nothing was ever loaded.
	State func() (*policy.State, bool)
	// Rejected returns why the newest files were not taken, or "".
	Rejected func() string
	// Gate does what people decide; without it there is the status only.
	Gate *gate.Gate
	// Upstreams tells what is known of the upstreams; nil where none are served.
	Upstreams func() []UpstreamStatus
	// Stores tells where the memory is and moves it; nil where it stays where it is.
	Stores Stores
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
	if src.Gate != nil {
		mux.Handle("/", people(src.Gate, stores(src.Stores), log))
	}
	return &http.Server{
		Handler:           wire.Recovered(log, mux),
		TLSConfig:         ServerTLS(src.State),
		ReadHeaderTimeout: requestTimeout,
		ReadTimeout:       requestTimeout,
		WriteTimeout:      writeTimeout,
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
			if !ok || s.ClientCAs == nil {
				return nil, errNotLoaded
			}
			certificate := s.AdminCertificate
			if certificate == nil {
				certificate = s.Certificate
			}
			if certificate == nil {
				return nil, errNotLoaded
			}
			return &tls.Config{
				MinVersion:       tls.VersionTLS13,
				Certificates:     []tls.Certificate{*certificate},
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
