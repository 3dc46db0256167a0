// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package certs

import (
	"bytes"
	"crypto"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/util/cert"
	"k8s.io/client-go/util/keyutil"
)

// Entries of the Secrets. A TLS Secret also has the standard tls.crt and tls.key.
const (
	// EntryBundle holds the authorities to verify with.
	EntryBundle = "ca.crt"

	entryNextCert = "next.crt"
	entryNextKey  = "next.key"
)

// BundlePEM returns the bundle, PEM.
func (s State) BundlePEM() []byte { return encodeCerts(s.Bundle...) }

// Encode returns the entries of the Secret that keeps s.
func (s State) Encode() (map[string][]byte, error) {
	data := map[string][]byte{EntryBundle: s.BundlePEM()}
	for _, e := range []struct {
		signer    *Signer
		cert, key string
	}{
		{s.Current, corev1.TLSCertKey, corev1.TLSPrivateKeyKey},
		{s.Next, entryNextCert, entryNextKey},
	} {
		if e.signer == nil {
			continue
		}
		keyPEM, err := encodeKey(e.signer.Key)
		if err != nil {
			return nil, err
		}
		data[e.cert], data[e.key] = encodeCerts(e.signer.Cert), keyPEM
	}
	return data, nil
}

// Decode reads the entries of the Secret that Encode wrote. What is damaged is left out and reported in the error; the
// state is usable in any case, and Plan makes up for what is missing.
func Decode(data map[string][]byte) (State, error) {
	var s State
	var errs []error
	if len(data[EntryBundle]) > 0 {
		bundle, err := cert.ParseCertsPEM(data[EntryBundle])
		if err != nil {
			errs = append(errs, fmt.Errorf("entry %s: %w", EntryBundle, err))
		}
		s.Bundle = bundle
	}
	var err error
	if s.Current, err = decodeSigner(data, corev1.TLSCertKey, corev1.TLSPrivateKeyKey); err != nil {
		errs = append(errs, err)
	}
	if s.Next, err = decodeSigner(data, entryNextCert, entryNextKey); err != nil {
		errs = append(errs, err)
	}
	return s, errors.Join(errs...)
}

func decodeSigner(data map[string][]byte, certEntry, keyEntry string) (*Signer, error) {
	if len(data[certEntry]) == 0 && len(data[keyEntry]) == 0 {
		return nil, nil
	}
	pair, err := tls.X509KeyPair(data[certEntry], data[keyEntry])
	if err != nil {
		return nil, fmt.Errorf("entries %s and %s: %w", certEntry, keyEntry, err)
	}
	key, ok := pair.PrivateKey.(crypto.Signer)
	if !ok || !pair.Leaf.IsCA {
		return nil, fmt.Errorf("entry %s: not a certificate authority", certEntry)
	}
	return &Signer{Cert: pair.Leaf, Key: key}, nil
}

// parsePair reads a leaf and checks that key and certificate belong together.
func parsePair(p Pair) (*x509.Certificate, error) {
	pair, err := tls.X509KeyPair(p.CertPEM, p.KeyPEM)
	if err != nil {
		return nil, err
	}
	return pair.Leaf, nil
}

func encodeCerts(certs ...*x509.Certificate) []byte {
	var b bytes.Buffer
	for _, c := range certs {
		b.Write(pem.EncodeToMemory(&pem.Block{Type: cert.CertificateBlockType, Bytes: c.Raw}))
	}
	return b.Bytes()
}

func encodeKey(key crypto.Signer) ([]byte, error) {
	b, err := keyutil.MarshalPrivateKeyToPEM(key)
	if err != nil {
		return nil, fmt.Errorf("encoding a key: %w", err)
	}
	return b, nil
}
