// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package certs

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"slices"
	"testing"
	"time"
)

var testOptions = Options{
	CALifetime: 90 * 24 * time.Hour, LeafLifetime: 9 * 24 * time.Hour, Overlap: 24 * time.Hour, Skew: 5 * time.Minute,
}

var start = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

func mustPlan(t *testing.T, s State, now time.Time) (State, []Step, time.Time) {
	t.Helper()
	next, steps, again, err := Plan(s, now, testOptions)
	if err != nil {
		t.Fatal(err)
	}
	return next, steps, again
}

func mustSigner(t *testing.T, at time.Time) *Signer {
	t.Helper()
	s, err := newSigner(at, testOptions)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestPlan(t *testing.T) {
	day := 24 * time.Hour
	first := mustSigner(t, start)
	second := mustSigner(t, start.Add(60*day))
	settled := State{Current: first, Bundle: []*x509.Certificate{first.Cert}}
	published := State{Current: first, Next: second, Bundle: []*x509.Certificate{first.Cert, second.Cert}}
	promoted := State{Current: second, Bundle: []*x509.Certificate{first.Cert, second.Cert}}

	tests := map[string]struct {
		state      State
		now        time.Time
		wantSteps  []Step
		wantSigner *x509.Certificate // nil: a new one
		wantBundle int
	}{
		"nothing yet":                  {State{}, start, []Step{StepCreated}, nil, 1},
		"settled":                      {settled, start.Add(30 * day), nil, first.Cert, 1},
		"just before two thirds":       {settled, start.Add(60*day - time.Hour), nil, first.Cert, 1},
		"two thirds over":              {settled, start.Add(60*day + time.Hour), []Step{StepPublished}, first.Cert, 2},
		"published, overlap not over":  {published, start.Add(60*day + 23*time.Hour), nil, first.Cert, 2},
		"published, overlap over":      {published, start.Add(61 * day), []Step{StepPromoted}, second.Cert, 2},
		"promoted, old one still good": {promoted, start.Add(89 * day), nil, second.Cert, 2},
		"old one over, within skew":    {promoted, start.Add(90*day + time.Minute), nil, second.Cert, 2},
		"old one over":                 {promoted, start.Add(90*day + time.Hour), []Step{StepDropped}, second.Cert, 1},
		"operator was away, successor known": {
			published, start.Add(91 * day), []Step{StepPromoted, StepDropped}, second.Cert, 1,
		},
		"operator was away for long":       {settled, start.Add(100 * day), []Step{StepCreated, StepDropped}, nil, 1},
		"clock went back":                  {settled, start.Add(-2 * day), nil, first.Cert, 1},
		"clock went back in the overlap":   {published, start.Add(10 * day), nil, first.Cert, 2},
		"bundle lost an authority in use":  {State{Current: first}, start.Add(day), []Step{StepRepaired}, first.Cert, 1},
		"signing key lost, bundle is kept": {State{Bundle: settled.Bundle}, start.Add(day), []Step{StepCreated}, nil, 2},
		"signing key lost in the overlap": {
			State{Next: second, Bundle: published.Bundle}, start.Add(60*day + time.Hour), []Step{StepPromoted}, second.Cert, 2,
		},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got, steps, again := mustPlan(t, tc.state, tc.now)
			if !slices.Equal(steps, tc.wantSteps) {
				t.Errorf("steps = %v, want %v", steps, tc.wantSteps)
			}
			if tc.wantSigner != nil && !got.Current.Cert.Equal(tc.wantSigner) {
				t.Error("another authority signs than expected")
			}
			if tc.wantSigner == nil && (got.Current == nil || got.Current.Cert.NotBefore.Before(tc.now.Add(-time.Hour))) {
				t.Error("expected a new authority")
			}
			if len(got.Bundle) != tc.wantBundle {
				t.Errorf("bundle holds %d authorities, want %d", len(got.Bundle), tc.wantBundle)
			}
			if _, steps, _ := mustPlan(t, got, tc.now); len(steps) != 0 {
				t.Errorf("a second plan at the same time changes something: %v", steps)
			}
			if again.Before(tc.now) {
				t.Errorf("plans again at %s, before now", again)
			}
		})
	}
}

// TestNoMomentOfDistrust runs two years in steps of three hours, with readers that see bundles and leafs a while
// late, and checks that whatever they still use verifies with whatever they still have.
func TestNoMomentOfDistrust(t *testing.T) {
	request := LeafRequest{DNSNames: []string{"a.b.screener.memorytrust.internal"}, Usage: x509.ExtKeyUsageServerAuth}
	const step, lag = 3 * time.Hour, 6 * time.Hour
	var state State
	var leaf Pair
	type snapshot struct {
		at     time.Time
		bundle []*x509.Certificate
		leaf   Pair
	}
	var history []snapshot
	signers := map[string]bool{}
	for now := start; now.Before(start.Add(2 * 365 * 24 * time.Hour)); now = now.Add(step) {
		state, _, _ = mustPlan(t, state, now)
		if !state.RenewAt(leaf, request, now).After(now) {
			var err error
			if leaf, err = state.Issue(request, now, testOptions); err != nil {
				t.Fatal(err)
			}
		}
		signers[string(state.Current.Cert.Raw)] = true
		history = append(history, snapshot{now, state.Bundle, leaf})
		var late snapshot
		for i := len(history) - 1; i >= 0 && !history[i].at.Before(now.Add(-lag)); i-- {
			late = history[i]
		}
		// Leafs of now against bundles of then, and the other way round.
		verifies(t, now, late.bundle, leaf, request)
		verifies(t, now, state.Bundle, late.leaf, request)
	}
	if len(signers) < 8 {
		t.Errorf("only %d authorities signed in two years", len(signers))
	}
	if len(state.Bundle) > 3 {
		t.Errorf("the bundle grew to %d", len(state.Bundle))
	}
}

func verifies(t *testing.T, now time.Time, bundle []*x509.Certificate, p Pair, r LeafRequest) {
	t.Helper()
	cert, err := parsePair(p)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	for _, c := range bundle {
		roots.AddCert(c)
	}
	_, err = cert.Verify(x509.VerifyOptions{Roots: roots, DNSName: r.DNSNames[0], CurrentTime: now, KeyUsages: []x509.ExtKeyUsage{r.Usage}})
	if err != nil {
		t.Fatalf("at %s: %v", now, err)
	}
}

func TestRenewAt(t *testing.T) {
	state, _, _ := mustPlan(t, State{}, start)
	other, _, _ := mustPlan(t, State{}, start)
	request := LeafRequest{DNSNames: []string{"memorytrust-webhook.memorytrust-system.svc"}, Usage: x509.ExtKeyUsageServerAuth}
	good, err := state.Issue(request, start, testOptions)
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := other.Issue(request, start, testOptions)
	if err != nil {
		t.Fatal(err)
	}
	stranger, err := state.Issue(LeafRequest{DNSNames: []string{"example.org"}, Usage: x509.ExtKeyUsageServerAuth}, start, testOptions)
	if err != nil {
		t.Fatal(err)
	}
	twoThirds := start.Add(testOptions.LeafLifetime * 2 / 3)
	tests := map[string]struct {
		pair    Pair
		request LeafRequest
		now     time.Time
		atOnce  bool
	}{
		"fresh":           {good, request, start, false},
		"clock went back": {good, request, start.Add(-time.Hour), false},
		"absent":          {Pair{}, request, start, true},
		"over":            {good, request, start.Add(10 * 24 * time.Hour), true},
		"other authority": {foreign, request, start, true},
		"other key":       {Pair{CertPEM: good.CertPEM, KeyPEM: foreign.KeyPEM}, request, start, true},
		"other name":      {good, LeafRequest{DNSNames: []string{"x.svc"}, Usage: request.Usage}, start, true},
		"other use":       {good, LeafRequest{DNSNames: request.DNSNames, Usage: x509.ExtKeyUsageClientAuth}, start, true},
		"name the authority may not vouch for": {
			stranger, LeafRequest{DNSNames: []string{"example.org"}, Usage: request.Usage}, start, true,
		},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got := state.RenewAt(tc.pair, tc.request, tc.now)
			if got.IsZero() != tc.atOnce {
				t.Fatalf("RenewAt = %v, at once = %v", got, tc.atOnce)
			}
			if !tc.atOnce && got.Sub(twoThirds).Abs() > testOptions.Skew {
				t.Errorf("RenewAt = %v, want about %v", got, twoThirds)
			}
		})
	}
}

func TestEncodeDecode(t *testing.T) {
	first, second := mustSigner(t, start), mustSigner(t, start)
	state := State{Current: first, Next: second, Bundle: []*x509.Certificate{first.Cert, second.Cert}}
	data, err := state.Encode()
	if err != nil {
		t.Fatal(err)
	}
	got, err := Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	if !got.Current.Cert.Equal(first.Cert) || !got.Next.Cert.Equal(second.Cert) || len(got.Bundle) != 2 {
		t.Error("state changed on the way")
	}

	data["tls.key"] = data["next.key"]
	got, err = Decode(data)
	if err == nil {
		t.Error("a key of another certificate was accepted")
	}
	if got.Current != nil || got.Next == nil || len(got.Bundle) != 2 {
		t.Error("damage to one entry must leave the others usable")
	}
	if _, err := Decode(map[string][]byte{"ca.crt": []byte("-----BEGIN")}); err == nil {
		t.Error("a damaged bundle was accepted")
	}
}

func TestOptionsValidate(t *testing.T) {
	if err := DefaultOptions().Validate(); err != nil {
		t.Error(err)
	}
	bad := DefaultOptions()
	bad.LeafLifetime = bad.CALifetime / 2
	if bad.Validate() == nil {
		t.Error("leafs that outlive the exchange of authorities were accepted")
	}
	if (Options{}).Validate() == nil {
		t.Error("zero lifetimes were accepted")
	}
}

func TestCredentialsSwapWithoutRestart(t *testing.T) {
	var server, client Credentials
	if server.Check(nil) == nil {
		t.Error("ready without a certificate")
	}
	if _, err := server.GetCertificate(nil); err == nil {
		t.Error("a certificate out of nothing")
	}
	const name = "agent.ns.screener.memorytrust.internal"
	now := time.Now()
	state, _, _ := mustPlan(t, State{}, now)
	load := func(c *Credentials, usage x509.ExtKeyUsage) []byte {
		p, err := state.Issue(LeafRequest{DNSNames: []string{name}, Usage: usage}, now, testOptions)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Load(map[string][]byte{"tls.crt": p.CertPEM, "tls.key": p.KeyPEM, "ca.crt": state.BundlePEM()}); err != nil {
			t.Fatal(err)
		}
		cert, err := parsePair(p)
		if err != nil {
			t.Fatal(err)
		}
		return cert.Raw
	}
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{MinVersion: tls.VersionTLS13, GetCertificate: server.GetCertificate})
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close() //nolint:errcheck // the test is over
	go serveHandshakes(listener)
	load(&client, x509.ExtKeyUsageClientAuth)
	for range 2 {
		want := load(&server, x509.ExtKeyUsageServerAuth)
		config, err := client.ClientConfig(name)
		if err != nil {
			t.Fatal(err)
		}
		conn, err := tls.Dial("tcp", listener.Addr().String(), config)
		if err != nil {
			t.Fatal(err)
		}
		if got := conn.ConnectionState().PeerCertificates[0].Raw; !bytes.Equal(got, want) {
			t.Error("the server did not serve its newest certificate")
		}
		_ = conn.Close()
	}
	if server.Load(map[string][]byte{"tls.crt": []byte("x")}) == nil || server.Check(nil) != nil {
		t.Error("bad entries must be refused and leave the certificate in place")
	}
}

func serveHandshakes(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		_, _ = io.Copy(io.Discard, conn)
		_ = conn.Close()
	}
}

func FuzzDecode(f *testing.F) {
	s, err := newSigner(start, testOptions)
	if err != nil {
		f.Fatal(err)
	}
	data, err := State{Current: s, Bundle: []*x509.Certificate{s.Cert}}.Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data["ca.crt"], data["tls.crt"], data["tls.key"])
	f.Add([]byte("-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----"), []byte(nil), []byte("x"))
	f.Fuzz(func(t *testing.T, bundle, crt, key []byte) {
		state, _ := Decode(map[string][]byte{"ca.crt": bundle, "tls.crt": crt, "tls.key": key})
		if state.Current != nil && (state.Current.Cert == nil || state.Current.Key == nil) {
			t.Fatal("half an authority")
		}
		next, _, _, err := Plan(state, start, testOptions)
		if err != nil || next.Current == nil || !slices.ContainsFunc(next.Bundle, next.Current.Cert.Equal) {
			t.Fatalf("no usable plan: %v", err)
		}
	})
}
