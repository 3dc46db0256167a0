// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// speak writes TEXT through the channel port at ADDRESS, whose certificate is for NAME. DIRECTORY holds ca.crt, the authority
// of that certificate, and token, which the kubelet renews: it is read anew each time.
func speak(ctx context.Context, args []string) error {
	if len(args) != 4 {
		return errUsage
	}
	directory, address, name, text := args[0], args[1], args[2], args[3]
	token, err := os.ReadFile(filepath.Join(directory, "token"))
	if err != nil {
		return err
	}
	authority, err := os.ReadFile(filepath.Join(directory, "ca.crt"))
	if err != nil {
		return err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(authority) {
		return errors.New("ca.crt holds no certificate")
	}
	transport := &bearer{token: strings.TrimSpace(string(token)), next: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: name, MinVersion: tls.VersionTLS13},
	}}
	client := &http.Client{Transport: transport, Timeout: 15 * time.Second}
	var result stored
	if err := postJSON(ctx, client, "https://"+address+"/v1/memories", map[string]string{"content": text}, &result); err != nil {
		return err
	}
	fmt.Printf("zone %s, state %s, class %s, authority %s\n", result.Zone, result.State, result.Class, result.Authority)
	return nil
}

// bearer adds a token to each request.
type bearer struct {
	token string
	next  http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (b *bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return b.next.RoundTrip(r)
}
