// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A screener whose policy says Postgres knows where the database is, or says that it does not.
func TestStandaloneStoreURI(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		must(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	manifest := func(store string) string {
		return write("policy.yaml", "apiVersion: memorytrust.dev/v1alpha1\nkind: MemoryTrustPolicy\nmetadata: {name: p}\nspec:\n  selector: {}\n  store: "+store+"\n")
	}
	s := Standalone{KeyDir: filepath.Join(dir, "keys"), PolicyFile: manifest("{type: Postgres, postgres: {ownerSecretRef: {name: pg}}}")}
	must(t, s.Init())
	if _, err := s.Load(); err == nil || !strings.Contains(err.Error(), "--store-uri") {
		t.Errorf("without a URI: %v", err)
	}
	s.StoreURIFile = write("uri", "postgres://a:s3cret@db/memory\n")
	state, err := s.Load()
	must(t, err)
	if !state.Runtime.Postgres || state.StoreURI != "postgres://a:s3cret@db/memory" {
		t.Errorf("store %q, postgres %v", state.StoreURI, state.Runtime.Postgres)
	}
	write("uri", "postgres://a:0ther@db/memory")
	changed, err := s.Load()
	must(t, err)
	if changed.fingerprint == state.fingerprint {
		t.Error("a new URI goes unnoticed")
	}
	write("uri", "\n")
	if _, err := s.Load(); err == nil || !strings.Contains(err.Error(), "empty") {
		t.Errorf("an empty file: %v", err)
	}
	write("uri", "postgres://a:0ther@db/memory")
	s.PolicyFile = manifest("{type: Ephemeral}")
	if prepared, err := s.Load(); err != nil || prepared.Runtime.Postgres || prepared.StoreURI == "" {
		t.Errorf("a database to move the memory to: %v", err)
	}
}
