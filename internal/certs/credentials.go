// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package certs

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
)

// Credentials are a certificate and the bundle to verify others with, kept in memory and exchanged as one when the
// Secret behind them changes. The zero value holds nothing yet. It is safe for concurrent use.
type Credentials struct {
	current atomic.Pointer[loaded]
}

type loaded struct {
	cert  tls.Certificate
	roots *x509.CertPool
}

// errNotLoaded makes handshakes fail, instead of panicking, before the first certificate is there.
var errNotLoaded = errors.New("certificate not loaded yet")

// Load takes the entries tls.crt, tls.key and ca.crt of a Secret. On error the credentials stay as they were.
func (c *Credentials) Load(data map[string][]byte) error {
	pair, err := tls.X509KeyPair(data[corev1.TLSCertKey], data[corev1.TLSPrivateKeyKey])
	if err != nil {
		return fmt.Errorf("loading the certificate: %w", err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(data[EntryBundle]) {
		return fmt.Errorf("loading the certificate: entry %s holds no certificate", EntryBundle)
	}
	c.current.Store(&loaded{cert: pair, roots: roots})
	return nil
}

// Loaded reports whether there is a certificate.
func (c *Credentials) Loaded() bool { return c.current.Load() != nil }

// Check is a readiness check: it fails until there is a certificate.
func (c *Credentials) Check(*http.Request) error {
	if !c.Loaded() {
		return errNotLoaded
	}
	return nil
}

// GetCertificate serves the certificate in a tls.Config of a server.
func (c *Credentials) GetCertificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	l := c.current.Load()
	if l == nil {
		return nil, errNotLoaded
	}
	return &l.cert, nil
}

// ClientConfig returns a configuration for one connection to the server of that name, with the certificate and bundle
// of this moment.
func (c *Credentials) ClientConfig(serverName string) (*tls.Config, error) {
	l := c.current.Load()
	if l == nil {
		return nil, errNotLoaded
	}
	return &tls.Config{
		MinVersion:   tls.VersionTLS13,
		Certificates: []tls.Certificate{l.cert},
		RootCAs:      l.roots,
		ServerName:   serverName,
	}, nil
}
