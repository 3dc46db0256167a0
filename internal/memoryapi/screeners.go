// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryapi

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"

	"memorytrust.dev/operator/internal/inject"
	"memorytrust.dev/operator/internal/server/admin"
)

// Times a screener is waited for. A request ends after a minute at the API server, a decision after 34 s.
const (
	readTimeout   = 15 * time.Second
	decideTimeout = 28 * time.Second
	// dialTimeout is how long an address may take to accept a connection.
	dialTimeout = 2 * time.Second
)

// errNoScreener says that no pod of an agent runs that could be asked.
var errNoScreener = errors.New("no pod of it runs")

// silentError says that a screener did not answer. Whether it did what it was asked is not known unless it never was reached.
type silentError struct {
	err     error
	reached bool
}

func (e *silentError) Error() string { return "its screener does not answer" }
func (e *silentError) Unwrap() error { return e.err }

// Credentials make the TLS configuration for a screener; certs.Credentials does.
type Credentials interface {
	ClientConfig(serverName string) (*tls.Config, error)
}

// Screeners reach the screeners of agents. Each request has a connection of its own, with the certificates of this moment.
type Screeners struct {
	Credentials Credentials
	// Stores read agents without a running screener; nil: nothing does.
	Stores Stores
	// Port of the screeners; 0 means inject.AdminPort.
	Port int
}

// open connects once before anything is sent, so that an address where nobody listens costs little, and is known to have done nothing.
func (s *Screeners) open(ctx context.Context, agent Agent, address, principal string) (Decider, error) {
	config, err := s.Credentials.ClientConfig(admin.ServerName(agent.Namespace, agent.Name))
	if err != nil {
		return nil, err
	}
	port := s.Port
	if port == 0 {
		port = inject.AdminPort
	}
	target := net.JoinHostPort(address, strconv.Itoa(port))
	probe, err := (&net.Dialer{Timeout: dialTimeout}).DialContext(ctx, "tcp", target)
	if err != nil {
		return nil, err
	}
	_ = probe.Close()
	return admin.NewClient(target, config, principal, ""), nil
}

// read lets do work with a reader of the agent's memory. A screener that does not answer, or not yet, is followed by the next, from the
// start of do. It returns what do returns, errNoScreener, or a *silentError.
func (s *Screeners) read(ctx context.Context, agent Agent, principal string, do func(context.Context, Reader) error) error {
	last := errNoScreener
	for _, address := range agent.Addresses {
		err := s.with(ctx, agent, address, principal, readTimeout, func(ctx context.Context, d Decider) error { return do(ctx, d) })
		if err == nil || !elsewhere(err) || ctx.Err() != nil {
			return err
		}
		last = err
	}
	if len(agent.Addresses) == 0 && s.Stores != nil {
		return s.readStore(ctx, agent, principal, do)
	}
	return last
}

func (s *Screeners) readStore(ctx context.Context, agent Agent, principal string, do func(context.Context, Reader) error) error {
	bounded, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	reader, ok, err := s.Stores.Open(bounded, agent, principal)
	if err == nil && !ok {
		return errNoScreener
	}
	if err == nil {
		defer reader.Close()
		err = do(bounded, reader)
	}
	if err != nil && bounded.Err() != nil && ctx.Err() == nil {
		return unreadable("no pod of it runs, and its database takes too long")
	}
	return err
}

// decide lets do work with a screener of the agent. The next one is asked only if nothing can have reached the one before: a decision is
// never made twice.
func (s *Screeners) decide(ctx context.Context, agent Agent, principal string, do func(context.Context, Decider) error) error {
	last := errNoScreener
	for _, address := range agent.Addresses {
		err := s.with(ctx, agent, address, principal, decideTimeout, do)
		var silent *silentError
		if !errors.As(err, &silent) || silent.reached || ctx.Err() != nil {
			return err
		}
		last = err
	}
	return last
}

// with lets do work with one screener, and tells answers from silence.
func (s *Screeners) with(ctx context.Context, agent Agent, address, principal string, limit time.Duration, do func(context.Context, Decider) error) error {
	d, err := s.open(ctx, agent, address, principal)
	if err != nil {
		return &silentError{err: err}
	}
	defer d.Close()
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err = do(ctx, d)
	var failure *admin.Failure
	var own *silentError
	switch {
	case err == nil, errors.As(err, &failure), errors.As(err, &own), isStatus(err):
		return err
	}
	return &silentError{err: fmt.Errorf("%s: %w", address, err), reached: !neverSent(err)}
}

// neverSent reports whether a request failed before there was a connection to send it over.
func neverSent(err error) bool {
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" {
		return true
	}
	var unknown *tls.CertificateVerificationError
	return errors.As(err, &unknown)
}

// elsewhere reports whether another screener of the agent may answer better.
func elsewhere(err error) bool {
	var silent *silentError
	var failure *admin.Failure
	return errors.As(err, &silent) || errors.As(err, &failure) && failure.Status == http.StatusServiceUnavailable
}
