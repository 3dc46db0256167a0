// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"log/slog"
	"net"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/certs"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
	"memorytrust.dev/operator/internal/server/admin"
	"memorytrust.dev/operator/internal/store/sqlite"
)

// scripted answers with what the test sets, and counts questions.
type scripted struct {
	mu     sync.Mutex
	answer admin.Status
	err    error
	asked  int
	now    int
	most   int
	block  chan struct{}
}

func (s *scripted) Status(ctx context.Context, _ Target) (admin.Status, error) {
	s.mu.Lock()
	s.asked++
	s.now++
	s.most = max(s.most, s.now)
	answer, err, block := s.answer, s.err, s.block
	s.mu.Unlock()
	if block != nil {
		select {
		case <-block:
		case <-ctx.Done():
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now--
	return answer, err
}

func (s *scripted) set(answer admin.Status, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer, s.err = answer, err
}

func startPoller(t *testing.T, source StatusSource, o PollOptions) (*Poller, <-chan struct{}) {
	t.Helper()
	gauges, err := newScreenerMetrics(prometheus.NewRegistry())
	if err != nil {
		t.Fatal(err)
	}
	p := newPoller(source, o, gauges)
	events := p.subscribe()
	told := make(chan struct{}, 100)
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { _ = p.Start(ctx) })
	go func() {
		for range events {
			told <- struct{}{}
		}
	}()
	t.Cleanup(func() {
		cancel()
		running.Wait()
	})
	return p, told
}

var pollAgent = types.NamespacedName{Namespace: "ns", Name: "a"}

func targets(n int) []Target {
	var out []Target
	for i := range n {
		name := string(rune('a' + i))
		out = append(out, Target{Agent: pollAgent, Pod: name, UID: types.UID(name), IP: "10.0.0.1"})
	}
	return out
}

func waitTold(t *testing.T, told <-chan struct{}) {
	t.Helper()
	select {
	case <-told:
	case <-time.After(10 * time.Second):
		t.Fatal("nobody was told")
	}
}

// Soon after a change screeners are asked more often than later.
func TestPollerSlowsDown(t *testing.T) {
	gauges, err := newScreenerMetrics(prometheus.NewRegistry())
	if err != nil {
		t.Fatal(err)
	}
	o := DefaultPollOptions()
	p := newPoller(&scripted{}, o, gauges)
	next := func() time.Duration {
		t.Helper()
		pod := p.agents[pollAgent].pods["a"]
		pod.asking = true
		before := time.Now()
		p.note(t.Context(), targets(1)[0], admin.Status{PolicyRevision: "r1"}, nil)
		return pod.due.Sub(before)
	}
	for _, revision := range []string{"r0", "r1"} { // the second change starts over
		p.Track(pollAgent, targets(1), want{revision: revision})
	}
	for _, expected := range []time.Duration{2, 4, 8, 16, 32, 60, 60} {
		expected *= time.Second
		if got := next(); got < expected-expected/8 || got > expected+expected/8 {
			t.Errorf("asked again after %s, want about %s", got, expected)
		}
	}
	p.Track(pollAgent, targets(1), want{revision: "r1"})
	if got := next(); got < 50*time.Second {
		t.Errorf("asked again after %s though nothing changed", got)
	}
}

func TestPollerTellsChangesOnly(t *testing.T) {
	source := &scripted{answer: admin.Status{PolicyRevision: "r1"}}
	p, told := startPoller(t, source, PollOptions{
		Interval: 20 * time.Millisecond, FastInterval: 20 * time.Millisecond, FastWindow: time.Minute, Timeout: time.Second, Concurrency: 2,
	})
	p.Track(pollAgent, targets(1), want{revision: "r1"})
	waitTold(t, told)
	if r := p.Reports(pollAgent)["a"]; r.reachable != metav1.ConditionTrue || r.status.PolicyRevision != "r1" {
		t.Fatalf("report = %+v", r)
	}
	for {
		source.mu.Lock()
		enough := source.asked > 5
		source.mu.Unlock()
		if enough {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	if len(told) != 0 {
		t.Error("told although nothing changed")
	}
	source.set(admin.Status{}, errors.New("gone"))
	waitTold(t, told)
	if r := p.Reports(pollAgent)["a"]; r.reachable != metav1.ConditionFalse || r.status.PolicyRevision != "r1" {
		t.Errorf("report = %+v, want unreachable with the last answer", r)
	}
	p.Track(pollAgent, nil, want{})
	if len(p.Reports(pollAgent)) != 0 {
		t.Error("an agent without pods is still known")
	}
}

func TestPollerNote(t *testing.T) {
	o := PollOptions{Interval: time.Hour, FastInterval: time.Second, FastWindow: time.Minute}
	inSync := admin.Status{PolicyRevision: "r", PrimaryKeyID: "1", KeyIDs: []string{"2", "1"}}
	wanted := want{revision: "r", primary: "1", keyIDs: []string{"1", "2"}}
	tests := map[string]struct {
		answers  []error // nil: in sync unless outdated
		outdated bool
		window   time.Duration // left of the fast window
		fast     bool
		want     metav1.ConditionStatus
	}{
		"in sync":                      {[]error{nil}, false, time.Minute, false, metav1.ConditionTrue},
		"outdated in the window":       {[]error{nil}, true, time.Minute, true, metav1.ConditionTrue},
		"outdated after the window":    {[]error{nil}, true, -time.Second, false, metav1.ConditionTrue},
		"one failure":                  {[]error{nil, errors.New("x")}, false, -time.Second, true, metav1.ConditionTrue},
		"two failures":                 {[]error{nil, errors.New("x"), errors.New("x")}, false, -time.Second, false, metav1.ConditionFalse},
		"first question fails":         {[]error{errors.New("x")}, false, time.Minute, true, metav1.ConditionUnknown},
		"recovered after two failures": {[]error{errors.New("x"), errors.New("x"), nil}, false, -time.Second, false, metav1.ConditionTrue},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			gauges, err := newScreenerMetrics(prometheus.NewRegistry())
			if err != nil {
				t.Fatal(err)
			}
			p := newPoller(nil, o, gauges)
			p.Track(pollAgent, targets(1), wanted)
			p.agents[pollAgent].fastUntil = time.Now().Add(tc.window)
			p.agents[pollAgent].pods["a"].quiet = o.Interval
			status := inSync
			if tc.outdated {
				status.PolicyRevision = "old"
			}
			for _, err := range tc.answers {
				p.note(t.Context(), targets(1)[0], status, err)
			}
			pod := p.agents[pollAgent].pods["a"]
			if pod.report.reachable != tc.want {
				t.Errorf("reachable = %s, want %s", pod.report.reachable, tc.want)
			}
			if fast := time.Until(pod.due) < time.Minute; fast != tc.fast {
				t.Errorf("asked again soon = %v, want %v", fast, tc.fast)
			}
		})
	}
}

func TestPollerBoundsConcurrency(t *testing.T) {
	source := &scripted{block: make(chan struct{})}
	p, told := startPoller(t, source, PollOptions{
		Interval: time.Hour, FastInterval: 20 * time.Millisecond, FastWindow: 0, Timeout: 10 * time.Second, Concurrency: 3,
	})
	p.Track(pollAgent, targets(12), want{})
	for {
		source.mu.Lock()
		busy := source.now
		source.mu.Unlock()
		if busy == 3 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	close(source.block)
	for range 12 {
		waitTold(t, told)
	}
	source.mu.Lock()
	defer source.mu.Unlock()
	if source.most > 3 {
		t.Errorf("%d questions at a time", source.most)
	}
}

// TestScreenerClient asks a real admin server.
func TestScreenerClient(t *testing.T) {
	authority, _, _, err := certs.Plan(certs.State{}, time.Now(), certs.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	other, _, _, err := certs.Plan(certs.State{}, time.Now(), certs.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	credentials := func(signer, verifier certs.State, name string, usage x509.ExtKeyUsage) *certs.Credentials {
		pair, err := signer.Issue(certs.LeafRequest{DNSNames: []string{name}, Usage: usage}, time.Now(), certs.DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		c := &certs.Credentials{}
		if err := c.Load(map[string][]byte{"tls.crt": pair.CertPEM, "tls.key": pair.KeyPEM, "ca.crt": verifier.BundlePEM()}); err != nil {
			t.Fatal(err)
		}
		return c
	}
	address := serveAdmin(t, authority, admin.ServerName("ns", "a"))
	const client = x509.ExtKeyUsageClientAuth
	tests := map[string]struct {
		credentials *certs.Credentials
		agent       string
		ok          bool
	}{
		"the manager":                   {credentials(authority, authority, admin.ClientName, client), "a", true},
		"another client":                {credentials(authority, authority, "x.memorytrust.internal", client), "a", false},
		"a screener as client":          {credentials(authority, authority, admin.ClientName, x509.ExtKeyUsageServerAuth), "a", false},
		"another authority's manager":   {credentials(other, authority, admin.ClientName, client), "a", false},
		"a screener of another agent":   {credentials(authority, authority, admin.ClientName, client), "b", false},
		"a screener nobody vouches for": {credentials(authority, other, admin.ClientName, client), "a", false},
		"no certificate yet":            {&certs.Credentials{}, "a", false},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			c := &ScreenerClient{Credentials: tc.credentials, DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
				return (&net.Dialer{}).DialContext(ctx, network, address)
			}}
			status, err := c.Status(t.Context(), Target{Agent: types.NamespacedName{Namespace: "ns", Name: tc.agent}, IP: "10.0.0.1"})
			if (err == nil) != tc.ok {
				t.Fatalf("error = %v, want success %v", err, tc.ok)
			}
			if tc.ok && status.PolicyRevision == "" {
				t.Errorf("status = %+v", status)
			}
		})
	}
}

// serveAdmin runs a screener's admin port and returns its address.
func serveAdmin(t *testing.T, authority certs.State, name string) string {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "memory.db"), sqlite.Options{})
	must(err)
	t.Cleanup(func() { _ = store.Close() })
	p := testPolicy("p", 0, nil)
	p.Spec.Store.Type = v1alpha1.StoreTypeEphemeral
	compiled, err := policy.Compile(&p, "ns", "a", testAgentID)
	must(err)
	m := newKeyMaker(t, 1)
	keys, err := provenance.ParseKeyset(m.ids[0], m.entries)
	must(err)
	pair, err := authority.Issue(certs.LeafRequest{DNSNames: []string{name}, Usage: x509.ExtKeyUsageServerAuth}, time.Now(), certs.DefaultOptions())
	must(err)
	leaf, err := tls.X509KeyPair(pair.CertPEM, pair.KeyPEM)
	must(err)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority.BundlePEM())
	state, err := policy.NewState(compiled, keys, nil, &leaf, roots)
	must(err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	server := admin.NewServer(admin.Source{
		Store: store, State: func() (*policy.State, bool) { return state, true }, Rejected: func() string { return "" },
	}, slog.New(slog.DiscardHandler))
	go func() { _ = server.ServeTLS(listener, "", "") }()
	t.Cleanup(func() { _ = server.Close() })
	return listener.Addr().String()
}
