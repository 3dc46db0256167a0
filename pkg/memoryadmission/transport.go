// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryadmission

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

const (
	dialTimeout = time.Second
	idleTimeout = 90 * time.Second
	// connections to the webhook at the same time. Beyond that calls wait for one of them: when everything is slow for a moment, a
	// hundred handshakes on top would keep it so.
	connections = 16
)

// errRedirect says that the webhook redirects, which it never does: memory and token are for nobody else.
var errRedirect = errors.New("the webhook redirects")

// reloadingClient is an HTTP client that trusts the authorities in a file, and follows it: the operator renews its authority while
// the old one is still good.
type reloadingClient struct {
	file string

	mu      sync.Mutex
	pem     []byte
	current *http.Client
}

// get returns a client that trusts what is in the file now. While that cannot be read, the last one is good.
func (r *reloadingClient) get() (*http.Client, error) {
	pem, err := os.ReadFile(r.file)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil || bytes.Equal(pem, r.pem) {
		if r.current == nil {
			return nil, fmt.Errorf("authority of the webhook: %w", err)
		}
		return r.current, nil
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(pem) {
		if r.current != nil {
			return r.current, nil
		}
		return nil, fmt.Errorf("%s holds no certificate", r.file)
	}
	if r.current != nil {
		r.current.CloseIdleConnections()
	}
	r.pem, r.current = pem, newHTTPClient(roots)
	return r.current, nil
}

func newHTTPClient(roots *x509.CertPool) *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			Proxy:               nil, // the webhook is within the cluster, and what goes there is nobody's business
			DialContext:         (&net.Dialer{Timeout: dialTimeout}).DialContext,
			TLSClientConfig:     &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS13},
			TLSHandshakeTimeout: dialTimeout,
			MaxConnsPerHost:     connections,
			MaxIdleConnsPerHost: connections,
			IdleConnTimeout:     idleTimeout,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return errRedirect },
	}
}
