// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package certs

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"slices"
	"time"
)

// LeafRequest says what a leaf certificate is for.
type LeafRequest struct {
	// DNSNames of the certificate; the first is also its common name as far as 64 characters hold it.
	DNSNames []string
	// Usage is x509.ExtKeyUsageServerAuth or x509.ExtKeyUsageClientAuth.
	Usage x509.ExtKeyUsage
}

// Pair is a leaf certificate with its key, PEM.
type Pair struct {
	CertPEM []byte
	KeyPEM  []byte
}

// ErrNoAuthority says that there is no authority yet to sign with.
var ErrNoAuthority = errors.New("no certificate authority yet")

// Issue signs a new leaf with the current authority. Its life ends with the authority's at the latest.
func (s State) Issue(r LeafRequest, now time.Time, o Options) (Pair, error) {
	if s.Current == nil {
		return Pair{}, ErrNoAuthority
	}
	if len(r.DNSNames) == 0 {
		return Pair{}, errors.New("a certificate needs a DNS name")
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return Pair{}, fmt.Errorf("generating a key: %w", err)
	}
	serial, err := newSerial()
	if err != nil {
		return Pair{}, err
	}
	ca := s.Current.Cert
	template := &x509.Certificate{
		SerialNumber:          serial,
		Subject:               pkix.Name{CommonName: commonName(r.DNSNames[0])},
		DNSNames:              r.DNSNames,
		NotBefore:             latest(now.Add(-o.Skew), ca.NotBefore),
		NotAfter:              earliest(now.Add(o.LeafLifetime), ca.NotAfter),
		KeyUsage:              x509.KeyUsageDigitalSignature,
		ExtKeyUsage:           []x509.ExtKeyUsage{r.Usage},
		BasicConstraintsValid: true,
	}
	cert, err := sign(template, ca, key.Public(), s.Current.Key)
	if err != nil {
		return Pair{}, fmt.Errorf("signing a certificate: %w", err)
	}
	keyPEM, err := encodeKey(key)
	if err != nil {
		return Pair{}, err
	}
	return Pair{CertPEM: encodeCerts(cert), KeyPEM: keyPEM}, nil
}

// commonName shortens a DNS name to what a common name may hold (RFC 5280, ub-common-name). Nobody verifies by it.
func commonName(dnsName string) string { return dnsName[:min(len(dnsName), 64)] }

// RenewAt tells when the leaf in p must be replaced: after two thirds of its life, or at once (the zero time) when it
// is unreadable, is for something else than r, or does not verify against the bundle.
func (s State) RenewAt(p Pair, r LeafRequest, now time.Time) time.Time {
	cert, err := parsePair(p)
	if err != nil || !slices.Equal(cert.DNSNames, r.DNSNames) {
		return time.Time{}
	}
	roots := x509.NewCertPool()
	for _, c := range s.Bundle {
		roots.AddCert(c)
	}
	_, err = cert.Verify(x509.VerifyOptions{
		Roots:     roots,
		DNSName:   r.DNSNames[0],
		KeyUsages: []x509.ExtKeyUsage{r.Usage},
		// A clock that went back must not cause a renewal that the clock going forth again would undo.
		CurrentTime: latest(now, cert.NotBefore),
	})
	if err != nil {
		return time.Time{}
	}
	return cert.NotBefore.Add(cert.NotAfter.Sub(cert.NotBefore) * 2 / 3)
}

func earliest(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
