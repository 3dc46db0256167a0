// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"memorytrust.dev/operator/internal/provenance"
)

// projected writes files the way the kubelet projects a volume: each generation in a directory of its own, reached
// through ..data, which is replaced in one step.
type projected struct {
	t          *testing.T
	dir        string
	generation int
}

func (p *projected) write(files map[string][]byte) {
	p.t.Helper()
	p.generation++
	name := fmt.Sprintf("..2026_%d", p.generation)
	old, _ := os.Readlink(filepath.Join(p.dir, dataLink))
	must(p.t, os.Mkdir(filepath.Join(p.dir, name), 0o700))
	for file, data := range files {
		must(p.t, os.WriteFile(filepath.Join(p.dir, name, file), data, 0o600))
		link := filepath.Join(p.dir, file)
		if _, err := os.Lstat(link); err != nil {
			must(p.t, os.Symlink(filepath.Join(dataLink, file), link))
		}
	}
	fresh := filepath.Join(p.dir, "..data_tmp")
	must(p.t, os.Symlink(name, fresh))
	must(p.t, os.Rename(fresh, filepath.Join(p.dir, dataLink)))
	if old != "" {
		must(p.t, os.RemoveAll(filepath.Join(p.dir, old)))
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// configFiles returns a good set of files.
func configFiles(t *testing.T) map[string][]byte {
	t.Helper()
	dir := t.TempDir()
	must(t, Standalone{KeyDir: dir}.Init())
	files, err := readFiles(dir)
	must(t, err)
	files[FileCA] = files[FileTLSCert]
	files[FileAgentID] = []byte(testAgentID + "\n")
	files[FilePolicy], err = compiled(t, "signed.yaml").Encode()
	must(t, err)
	files[FileChannels], err = json.Marshal(ChannelDigests{
		"console": DigestToken([]byte("console-token-0123456789")),
		"gone":    DigestToken([]byte("token-of-a-removed-channel")),
	})
	must(t, err)
	return files
}

func TestLoadDir(t *testing.T) {
	volume := &projected{t: t, dir: t.TempDir()}
	volume.write(configFiles(t))
	s, err := LoadDir(volume.dir)
	must(t, err)
	if s.Runtime.PolicyName != "signed" || s.Keyset.PrimaryID() == "" || s.Certificate == nil || s.ClientCAs == nil {
		t.Errorf("incomplete state: %+v", s)
	}
	if c, err := s.Authenticate("console-token-0123456789"); err != nil || c.Name != "console" || c.Principal != "alice@example.com" {
		t.Errorf("the console's token gives %+v, %v", c, err)
	}
	for _, token := range []string{"", "console-token-012345678", "token-of-a-removed-channel"} {
		if c, err := s.Authenticate(token); err == nil {
			t.Errorf("token %q gives channel %+v", token, c)
		}
	}
}

// A channel whose digest did not arrive yet has an all-zero digest in no table: nothing can match it.
func TestChannelWithoutDigestAuthenticatesNobody(t *testing.T) {
	s, err := NewState(compiled(t, "signed.yaml"), nil, nil, nil, nil)
	must(t, err)
	if c, err := s.Authenticate(""); err == nil {
		t.Errorf("an empty token gives channel %+v", c)
	}
}

func TestLoadDirRefuses(t *testing.T) {
	_, otherKey, err := provenance.NewKey()
	must(t, err)
	tests := map[string]struct {
		change func(map[string][]byte)
		says   string
	}{
		"no policy":        {func(f map[string][]byte) { delete(f, FilePolicy) }, FilePolicy},
		"damaged policy":   {func(f map[string][]byte) { f[FilePolicy] = []byte("{") }, FilePolicy},
		"no agentID":       {func(f map[string][]byte) { delete(f, FileAgentID) }, FileAgentID},
		"other agent's":    {func(f map[string][]byte) { f[FileAgentID] = []byte("another") }, "another agent"},
		"no primary":       {func(f map[string][]byte) { delete(f, FilePrimary) }, FilePrimary},
		"primary not here": {func(f map[string][]byte) { f[FilePrimary] = []byte("1") }, "primary"},
		"no keys": {func(f map[string][]byte) {
			for name := range f {
				if strings.HasPrefix(name, KeyPrefix) {
					delete(f, name)
				}
			}
		}, "no key"},
		"key under a wrong name": {func(f map[string][]byte) { f["key-77.json"] = otherKey }, "77"},
		"bad digests":            {func(f map[string][]byte) { f[FileChannels] = []byte(`{"console":"abc"}`) }, "console"},
		"digests no JSON":        {func(f map[string][]byte) { f[FileChannels] = []byte(`secret`) }, FileChannels},
		"bad issuer":             {func(f map[string][]byte) { f[FileIssuer] = []byte(`{"issuer":"x","jwks":{"keys":[]}}`) }, FileIssuer},
		"bad certificate":        {func(f map[string][]byte) { f[FileTLSCert] = []byte("x") }, FileTLSCert},
		"no CA":                  {func(f map[string][]byte) { delete(f, FileCA) }, FileCA},
		"bad CA":                 {func(f map[string][]byte) { f[FileCA] = []byte("x") }, FileCA},
		"oversized file":         {func(f map[string][]byte) { f[FileChannels] = make([]byte, maxFileBytes+1) }, "longer"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			files := configFiles(t)
			tt.change(files)
			volume := &projected{t: t, dir: t.TempDir()}
			volume.write(files)
			_, err := LoadDir(volume.dir)
			if err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Fatalf("error %v, want one with %q", err, tt.says)
			}
			if strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "keyData") {
				t.Errorf("the error quotes a file: %v", err)
			}
		})
	}
	if _, err := LoadDir(filepath.Join(t.TempDir(), "absent")); err == nil {
		t.Error("a missing directory was read")
	}
}

// Whatever is read while volumes are swapped, policy and agentID must be of one generation.
func TestLoadDirIsConsistentUnderSwaps(t *testing.T) {
	volume := &projected{t: t, dir: t.TempDir()}
	first := configFiles(t)
	volume.write(first)
	p := manifest(t, "signed.yaml")
	r, err := Compile(p, "agents", "helper", "another-agent-id")
	must(t, err)
	second := configFiles(t)
	second[FilePolicy], err = r.Encode()
	must(t, err)
	second[FileAgentID] = []byte("another-agent-id")

	stop := make(chan struct{})
	var readers sync.WaitGroup
	var mixed, loaded atomic.Int64
	for range 2 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				_, err := LoadDir(volume.dir)
				switch {
				case err == nil:
					loaded.Add(1)
				case strings.Contains(err.Error(), "another agent"):
					mixed.Add(1)
				}
			}
		})
	}
	for i := range 100 {
		volume.write([]map[string][]byte{first, second}[i%2])
	}
	close(stop)
	readers.Wait()
	if mixed.Load() != 0 {
		t.Errorf("%d reads mixed two generations", mixed.Load())
	}
	if s, err := LoadDir(volume.dir); err != nil {
		t.Errorf("after the swaps: %v (%v)", err, s)
	}
}

func TestWatcher(t *testing.T) {
	volume := &projected{t: t, dir: t.TempDir()}
	reports := make(chan error, 16)
	w := NewWatcher(volume.dir, WatcherOptions{Poll: time.Hour, Report: func(err error) { reports <- err }})
	if _, ok := w.Current(); ok || w.Rejected() == "" {
		t.Fatal("an empty directory gave a state, or no reason")
	}
	if err := <-reports; err == nil {
		t.Fatal("nothing to read was taken")
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); w.Run(ctx) }()
	defer func() { cancel(); <-done }()

	files := configFiles(t)
	volume.write(files)
	if err := <-reports; err != nil {
		t.Fatalf("good files were rejected: %v", err)
	}
	first, ok := w.Current()
	if !ok || w.Rejected() != "" {
		t.Fatalf("no state, rejected %q", w.Rejected())
	}

	broken := configFiles(t)
	broken[FilePolicy] = []byte("{}")
	volume.write(broken)
	if err := <-reports; err == nil {
		t.Fatal("a bad update was taken")
	}
	if s, ok := w.Current(); !ok || s != first || !strings.Contains(w.Rejected(), FilePolicy) {
		t.Errorf("the last good state is gone, or the reason: %q", w.Rejected())
	}

	p := manifest(t, "prefix.yaml")
	r, err := Compile(p, "agents", "helper", testAgentID)
	must(t, err)
	files[FilePolicy], err = r.Encode()
	must(t, err)
	volume.write(files)
	if err := <-reports; err != nil {
		t.Fatalf("the repaired files were rejected: %v", err)
	}
	if s, _ := w.Current(); s.Runtime.Revision != r.Revision || w.Rejected() != "" {
		t.Errorf("revision %s, want %s; rejected %q", s.Runtime.Revision, r.Revision, w.Rejected())
	}
}

// Going back to exactly the files in force clears the reason even though nothing is swapped.
func TestWatcherClearsRejection(t *testing.T) {
	volume := &projected{t: t, dir: t.TempDir()}
	good := configFiles(t)
	volume.write(good)
	w := NewWatcher(volume.dir, WatcherOptions{})
	volume.write(map[string][]byte{FilePolicy: []byte("{}")})
	w.Reload()
	if w.Rejected() == "" {
		t.Fatal("a bad update was taken")
	}
	volume.write(good)
	w.Reload()
	if w.Rejected() != "" {
		t.Errorf("still rejected: %s", w.Rejected())
	}
}

func TestWatcherPollsWithoutEvents(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "late") // cannot be watched: it is not there yet
	reports := make(chan error, 16)
	w := NewWatcher(dir, WatcherOptions{Poll: time.Millisecond, Report: func(err error) { reports <- err }})
	if err := <-reports; err == nil {
		t.Fatal("nothing to read was taken")
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); w.Run(ctx) }()
	defer func() { cancel(); <-done }()
	must(t, os.Mkdir(dir, 0o700))
	(&projected{t: t, dir: dir}).write(configFiles(t))
	for err := range reports { // reasons change while the files appear one by one
		if err == nil {
			return
		}
	}
}

func TestStandalone(t *testing.T) {
	dir := t.TempDir()
	token := filepath.Join(dir, "console.token")
	must(t, os.WriteFile(token, []byte("a-long-enough-token\n"), 0o600))
	s := Standalone{PolicyFile: "testdata/signed.yaml", KeyDir: filepath.Join(dir, "keys"), Tokens: map[string]string{"console": token}}
	must(t, s.Init())
	first, err := s.Load()
	must(t, err)
	if c, err := first.Authenticate("a-long-enough-token"); err != nil || c.Name != "console" {
		t.Errorf("the token gives %+v, %v", c, err)
	}
	entries, err := os.ReadDir(s.KeyDir)
	must(t, err)
	for _, e := range entries {
		if info, err := e.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v (%v), want 0600", e.Name(), info.Mode(), err)
		}
	}

	must(t, s.Init())
	second, err := s.Load()
	must(t, err)
	if first.Runtime.AgentID != second.Runtime.AgentID || first.Keyset.PrimaryID() != second.Keyset.PrimaryID() {
		t.Error("a second start made a new identity or key")
	}
	if first.fingerprint != second.fingerprint {
		t.Error("the same files give another fingerprint")
	}

	for _, file := range []string{fileAdminCA, fileAdminCert, fileAdminKey, fileAdminClientCert, fileAdminClientKey} {
		before, err := os.ReadFile(filepath.Join(s.KeyDir, fileAdminCA))
		must(t, err)
		must(t, s.Init())
		if again, err := os.ReadFile(filepath.Join(s.KeyDir, fileAdminCA)); err != nil || !bytes.Equal(before, again) {
			t.Errorf("a start with everything there made new certificates (%v)", err)
		}
		must(t, os.Remove(filepath.Join(s.KeyDir, file)))
		must(t, s.Init())
		checkAdminFiles(t, s)
	}

	s.Tokens = map[string]string{"nobody": token}
	if _, err := s.Load(); err == nil || !strings.Contains(err.Error(), "nobody") {
		t.Errorf("a token for no channel: %v", err)
	}
	must(t, os.WriteFile(token, []byte("short"), 0o600))
	s.Tokens = map[string]string{"console": token}
	if _, err := s.Load(); err == nil || !strings.Contains(err.Error(), "at least 16") {
		t.Errorf("a short token: %v", err)
	}
}

// checkAdminFiles checks that the admin port takes the client certificate, and clients that port.
func checkAdminFiles(t *testing.T, s Standalone) {
	t.Helper()
	state, err := s.Load()
	must(t, err)
	files := s.AdminFiles()
	client, err := tls.LoadX509KeyPair(files.Cert, files.Key)
	must(t, err)
	if _, err := client.Leaf.Verify(x509.VerifyOptions{
		Roots: state.ClientCAs, DNSName: AdminClientName, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}); err != nil {
		t.Errorf("the client certificate: %v", err)
	}
	ca, err := os.ReadFile(files.CA)
	must(t, err)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(ca)
	for _, name := range []string{"127.0.0.1", "localhost", "::1"} {
		if _, err := state.AdminCertificate.Leaf.Verify(x509.VerifyOptions{Roots: roots, DNSName: name}); err != nil {
			t.Errorf("the server certificate for %s: %v", name, err)
		}
	}
	if _, err := state.Certificate.Leaf.Verify(x509.VerifyOptions{Roots: roots, DNSName: "localhost"}); err == nil {
		t.Error("the channel port has a certificate of the admin port's authority")
	}
}
