// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memorytrust.dev/operator/internal/store/postgres/pgtest"
)

const postgresPolicy = `
apiVersion: memorytrust.dev/v1alpha1
kind: MemoryTrustPolicy
metadata: {name: shared}
spec:
  selector: {}
  store: {type: Postgres, postgres: {ownerSecretRef: {name: pg}}}
`

// Two screeners of one agent share its memory, and one that starts again finds it.
func TestSharedDatabase(t *testing.T) {
	server := pgtest.Own(t)
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		must(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	args := []string{"--policy=" + write("policy.yaml", postgresPolicy), "--data=" + filepath.Join(dir, "memory.db"), "--admin-addr=",
		"--store-uri=" + write("uri", server.URL("postgres"))}
	// Without a cluster one role may do everything; that it is no superuser is the database's to arrange.
	admin, err := server.Connect(t.Context())
	must(t, err)
	_, err = admin.Exec(t.Context(), "CREATE ROLE shared LOGIN; GRANT CREATE ON DATABASE postgres TO shared")
	must(t, err)
	must(t, admin.Close(t.Context()))
	write("uri", server.URL("shared"))

	first, second := start(t, args...), start(t, args...)
	code, body := first.post("/v1/memories", `{"content": "The boiler is serviced by Ada Okafor."}`)
	if code != http.StatusCreated {
		t.Fatalf("write: %d %s", code, body)
	}
	recalled := func(p *process) {
		t.Helper()
		if code, body := p.post("/v1/recall", `{"query": "boiler"}`); code != http.StatusOK || !strings.Contains(body, "Ada Okafor") {
			t.Errorf("recall: %d %s", code, body)
		}
	}
	recalled(second)
	first.stop()
	second.stop()
	recalled(start(t, args...))
	if _, err := os.Stat(filepath.Join(dir, "memory.db")); err == nil {
		t.Error("there is a memory in a file as well")
	}
}
