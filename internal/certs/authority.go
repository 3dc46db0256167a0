// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package certs

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"math/big"
	"time"
)

// Signer is one certificate authority with its private key.
type Signer struct {
	Cert *x509.Certificate
	Key  crypto.Signer
}

// permittedDomains limits what an authority can vouch for: screeners and the manager, and Services of the cluster (the
// webhook). Somebody who steals the key gains nothing outside.
var permittedDomains = []string{"memorytrust.internal", "svc"}

// newSigner makes an authority valid from now.
func newSigner(now time.Time, o Options) (*Signer, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("generating a CA key: %w", err)
	}
	serial, err := newSerial()
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: serial,
		// The name differs between generations so that a verifier picks the right one from the bundle.
		Subject:                     pkix.Name{CommonName: fmt.Sprintf("MemoryTrust CA %x", serial.Bytes()[:4])},
		NotBefore:                   now.Add(-o.Skew),
		NotAfter:                    now.Add(o.CALifetime),
		IsCA:                        true,
		BasicConstraintsValid:       true,
		MaxPathLenZero:              true,
		KeyUsage:                    x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
		PermittedDNSDomainsCritical: true,
		PermittedDNSDomains:         permittedDomains,
	}
	cert, err := sign(template, template, key.Public(), key)
	if err != nil {
		return nil, fmt.Errorf("signing a CA certificate: %w", err)
	}
	return &Signer{Cert: cert, Key: key}, nil
}

// newSerial returns a random positive serial number of 127 bits, at least 4 bytes long.
func newSerial() (*big.Int, error) {
	b := make([]byte, 16)
	if _, err := rand.Read(b); err != nil {
		return nil, fmt.Errorf("generating a serial number: %w", err)
	}
	b[0] = b[0]&0x7f | 0x40
	return new(big.Int).SetBytes(b), nil
}

func sign(template, parent *x509.Certificate, pub crypto.PublicKey, key crypto.Signer) (*x509.Certificate, error) {
	der, err := x509.CreateCertificate(rand.Reader, template, parent, pub, key)
	if err != nil {
		return nil, err
	}
	return x509.ParseCertificate(der)
}
