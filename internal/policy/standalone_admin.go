// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"time"
)

// Files of the admin port in the key directory of a standalone screener.
const (
	fileAdminCA         = "admin-ca.crt" // signs both certificates below; its key is thrown away
	fileAdminCert       = "admin.crt"
	fileAdminKey        = "admin.key"
	fileAdminClientCert = "admin-client.crt" // with the name AdminClientName
	fileAdminClientKey  = "admin-client.key"
)

// AdminFiles are what a client of a standalone screener's admin port needs, as paths of PEM files.
type AdminFiles struct {
	CA   string // authority of the server's certificate
	Cert string // client certificate
	Key  string // its key
}

// AdminFiles returns where the files lie. Whoever can read them decides about all memories of the agent.
func (s Standalone) AdminFiles() AdminFiles {
	return AdminFiles{CA: s.path(fileAdminCA), Cert: s.path(fileAdminClientCert), Key: s.path(fileAdminClientKey)}
}

// initAdmin makes the certificates of the admin port where one of them is missing, damaged or expired. They are made together,
// because nobody keeps the key of their authority: with it gone, nothing else is ever signed that the port takes.
func (s Standalone) initAdmin() error {
	if _, _, err := s.loadAdmin(); err == nil {
		if _, err := s.adminPair(fileAdminClientCert, fileAdminClientKey); err == nil {
			return nil
		}
	}
	ca, err := template("MemoryTrust screener admin CA")
	if err != nil {
		return err
	}
	ca.IsCA, ca.BasicConstraintsValid, ca.KeyUsage, ca.MaxPathLenZero = true, true, x509.KeyUsageCertSign, true
	authority, err := issue(ca, nil)
	if err != nil {
		return err
	}
	server, err := template("MemoryTrust screener", x509.ExtKeyUsageServerAuth)
	if err != nil {
		return err
	}
	localhost(server)
	client, err := template("MemoryTrust screener admin", x509.ExtKeyUsageClientAuth)
	if err != nil {
		return err
	}
	client.DNSNames = []string{AdminClientName}
	for _, leaf := range []struct {
		template  *x509.Certificate
		cert, key string
	}{{server, fileAdminCert, fileAdminKey}, {client, fileAdminClientCert, fileAdminClientKey}} {
		pair, err := issue(leaf.template, authority)
		if err != nil {
			return err
		}
		if err := s.writePair(leaf.cert, leaf.key, pair); err != nil {
			return err
		}
	}
	return writeDurable(s.path(fileAdminCA), certificatePEM(authority)) // last: without it the others count for nothing
}

// loadAdmin reads the server's certificate and the authority that clients are verified with.
func (s Standalone) loadAdmin() (*tls.Certificate, *x509.CertPool, error) {
	cert, err := s.adminPair(fileAdminCert, fileAdminKey)
	if err != nil {
		return nil, nil, err
	}
	ca, err := readBounded(s.path(fileAdminCA))
	if err != nil {
		return nil, nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(ca) {
		return nil, nil, errors.New(fileAdminCA + ": no certificate in it")
	}
	return cert, pool, nil
}

// adminPair reads a certificate that is signed by the authority and has not expired.
func (s Standalone) adminPair(certFile, keyFile string) (*tls.Certificate, error) {
	pair, err := tls.LoadX509KeyPair(s.path(certFile), s.path(keyFile))
	if err != nil {
		return nil, err
	}
	ca, err := readBounded(s.path(fileAdminCA))
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(ca)
	_, err = pair.Leaf.Verify(x509.VerifyOptions{Roots: pool, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny}})
	return &pair, err
}

// template returns what all certificates that a standalone screener makes have in common.
func template(name string, usage ...x509.ExtKeyUsage) (*x509.Certificate, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return nil, err
	}
	return &x509.Certificate{
		SerialNumber: serial,
		Subject:      pkix.Name{CommonName: name},
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(selfSignedLife),
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  usage,
	}, nil
}

// localhost adds the names a standalone screener is reached under.
func localhost(c *x509.Certificate) {
	c.DNSNames, c.IPAddresses = []string{"localhost"}, []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}
}

// issue makes a key and a certificate for it, signed by an authority or, without one, by itself.
func issue(c *x509.Certificate, authority *tls.Certificate) (*tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	parent, signer := c, any(key)
	if authority != nil {
		parent, signer = authority.Leaf, authority.PrivateKey
	}
	der, err := x509.CreateCertificate(rand.Reader, c, parent, &key.PublicKey, signer)
	if err != nil {
		return nil, err
	}
	leaf, err := x509.ParseCertificate(der)
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}, err
}

// writePair writes the key first, so that a certificate is never there without one.
func (s Standalone) writePair(certFile, keyFile string, pair *tls.Certificate) error {
	der, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		return err
	}
	if err := writeDurable(s.path(keyFile), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})); err != nil {
		return err
	}
	return writeDurable(s.path(certFile), certificatePEM(pair))
}

func certificatePEM(pair *tls.Certificate) []byte {
	var b bytes.Buffer
	for _, der := range pair.Certificate {
		b.Write(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	}
	return b.Bytes()
}
