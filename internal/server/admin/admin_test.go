// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package admin

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
	"memorytrust.dev/operator/internal/screen"
	"memorytrust.dev/operator/internal/store/sqlite"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// authority signs test certificates.
type authority struct {
	t    *testing.T
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	must(t, err)
	cert, err := x509.ParseCertificate(der)
	must(t, err)
	return &authority{t: t, cert: cert, key: key}
}

func (a *authority) leaf(usage x509.ExtKeyUsage, names ...string) tls.Certificate {
	a.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(a.t, err)
	der, err := x509.CreateCertificate(rand.Reader, &x509.Certificate{
		SerialNumber: big.NewInt(2), DNSNames: names, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{usage},
	}, a.cert, &key.PublicKey, a.key)
	must(a.t, err)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

func (a *authority) pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.cert)
	return pool
}

// fixture is a running admin port.
type fixture struct {
	t       *testing.T
	addr    string
	store   *sqlite.Store
	runtime *policy.Runtime
	keys    *provenance.Keyset
	state   atomic.Pointer[policy.State]
	gate    *gate.Gate
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{t: t}
	var err error
	f.store, err = sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "memory.db"), sqlite.Options{})
	must(t, err)
	t.Cleanup(func() { must(t, f.store.Close()) })
	p := &v1alpha1.MemoryTrustPolicy{}
	p.Name = "test"
	p.Spec.Store.Type = v1alpha1.StoreTypeEphemeral
	f.runtime, err = policy.Compile(p, "agents", "helper", "0b0e7a52-6f3c-4c1e-9a55-3d3f0a4f1c11")
	must(t, err)
	id, entry, err := provenance.NewKey()
	must(t, err)
	f.keys, err = provenance.ParseKeyset(id, map[string][]byte{id: entry})
	must(t, err)

	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	f.addr = l.Addr().String()
	state := func() (*policy.State, bool) { s := f.state.Load(); return s, s != nil }
	engine, err := screen.New()
	must(t, err)
	f.gate = gate.New(gate.Config{Store: f.store, Screener: engine, State: state})
	server := NewServer(Source{
		Store: f.store, State: state, Rejected: func() string { return "policy.json: too new" }, Gate: f.gate, Stores: movable{},
	}, slog.New(slog.DiscardHandler))
	go func() { _ = server.ServeTLS(l, "", "") }()
	t.Cleanup(func() { _ = server.Close() })
	return f
}

// load puts certificates in force: the screener's own and the CA of the manager.
func (f *fixture) load(ca *authority) {
	f.t.Helper()
	cert := ca.leaf(x509.ExtKeyUsageServerAuth, ServerName("agents", "helper"))
	s, err := policy.NewState(f.runtime, f.keys, nil, &cert, ca.pool())
	must(f.t, err)
	f.state.Store(s)
}

// get asks for a path as a client with these certificates and roots.
func (f *fixture) get(path string, roots *x509.CertPool, client ...tls.Certificate) (*http.Response, []byte, error) {
	transport := &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{
		RootCAs: roots, ServerName: ServerName("agents", "helper"), MinVersion: tls.VersionTLS13,
		// Sends the certificate even where the server's list of authorities does not fit it.
		GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			if len(client) == 0 {
				return &tls.Certificate{}, nil
			}
			return &client[0], nil
		},
	}}
	response, err := (&http.Client{Transport: transport}).Get("https://" + f.addr + path)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	return response, body, err
}

func TestStatus(t *testing.T) {
	f, ca := newFixture(t), newAuthority(t)
	f.load(ca)
	now := memory.Timestamp(time.Now())
	var record memory.Record
	for namespace, zone := range map[string]memory.Zone{"tenant-b": memory.Working, "agents": memory.Quarantine} {
		var err error
		record, err = f.store.Commit(t.Context(), memory.Change{
			Type: memory.ChangeCreate, Actor: "agent",
			Record: memory.Record{
				ID: memory.NewID(), Namespace: namespace, Zone: zone, State: memory.PendingReview,
				Class: provenance.WebContent, Content: "a secret of the user", CreatedAt: now, UpdatedAt: now,
			},
			Sign: func(r memory.Record) ([]byte, error) { return f.keys.Sign(r.Tuple(f.runtime.AgentID).Message()) },
		})
		must(t, err)
	}
	response, body, err := f.get(StatusPath, ca.pool(), ca.leaf(x509.ExtKeyUsageClientAuth, ClientName))
	must(t, err)
	if response.StatusCode != http.StatusOK {
		t.Fatalf("answered %s", response.Status)
	}
	var s Status
	must(t, json.Unmarshal(body, &s))
	key := f.keys.PrimaryID()
	if s.Namespace != "agents" || s.Agent != "helper" || s.AgentID != f.runtime.AgentID || s.PolicyRevision != f.runtime.Revision ||
		s.PolicyRejected == "" || s.PrimaryKeyID != key || len(s.KeyIDs) != 1 || s.Zones["Quarantine"] != 1 || s.Zones["Working"] != 1 ||
		s.States["PendingReview"] != 2 || s.PendingReview != 2 || s.Items != 2 || s.RecordsByKeyID[key] != 2 || s.AuditSize != 2 {
		t.Errorf("status %s", body)
	}
	if root, err := base64.StdEncoding.DecodeString(s.AuditRoot); err != nil || len(root) != 32 {
		t.Errorf("audit root %q", s.AuditRoot)
	}
	for _, secret := range []string{record.Content, record.ID} {
		if strings.Contains(string(body), secret) {
			t.Errorf("the status holds %q", secret)
		}
	}
	if response, _, err := f.get("/v1/records", ca.pool(), ca.leaf(x509.ExtKeyUsageClientAuth, ClientName)); err != nil || response.StatusCode != 400 {
		t.Errorf("another path, without a principal: %v, %v", response, err)
	}
}

func TestOnlyTheManagerIsAccepted(t *testing.T) {
	f, ca, other := newFixture(t), newAuthority(t), newAuthority(t)
	if _, _, err := f.get(StatusPath, ca.pool(), ca.leaf(x509.ExtKeyUsageClientAuth, ClientName)); err == nil {
		t.Error("answered before a certificate was loaded")
	}
	f.load(ca)
	for name, client := range map[string][]tls.Certificate{
		"none":                  nil,
		"another CA":            {other.leaf(x509.ExtKeyUsageClientAuth, ClientName)},
		"another name":          {ca.leaf(x509.ExtKeyUsageClientAuth, "agent.memorytrust.internal")},
		"wildcard":              {ca.leaf(x509.ExtKeyUsageClientAuth, "*.memorytrust.internal")},
		"several names":         {ca.leaf(x509.ExtKeyUsageClientAuth, "other.internal", ClientName)},
		"another screener":      {ca.leaf(x509.ExtKeyUsageServerAuth, ServerName("agents", "other"))},
		"not made for a client": {ca.leaf(x509.ExtKeyUsageServerAuth, ClientName)},
	} {
		if response, _, err := f.get(StatusPath, ca.pool(), client...); err == nil {
			t.Errorf("%s was answered %s", name, response.Status)
		}
	}
	if _, _, err := f.get(StatusPath, ca.pool(), ca.leaf(x509.ExtKeyUsageClientAuth, ClientName)); err != nil {
		t.Errorf("the manager was refused: %v", err)
	}
}

// New certificates count from the next handshake on, without a restart.
func TestRotationNeedsNoRestart(t *testing.T) {
	f, old, fresh := newFixture(t), newAuthority(t), newAuthority(t)
	f.load(old)
	manager := old.leaf(x509.ExtKeyUsageClientAuth, ClientName)
	if _, _, err := f.get(StatusPath, old.pool(), manager); err != nil {
		t.Fatal(err)
	}
	f.load(fresh)
	if _, _, err := f.get(StatusPath, fresh.pool(), manager); err == nil {
		t.Error("a certificate of the removed CA was taken")
	}
	if _, _, err := f.get(StatusPath, fresh.pool(), fresh.leaf(x509.ExtKeyUsageClientAuth, ClientName)); err != nil {
		t.Errorf("after the rotation: %v", err)
	}
}
