// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memorytrust.dev/operator/internal/server/admin"
	"memorytrust.dev/operator/internal/store/postgres/pgtest"
)

const embeddedPolicy = `
apiVersion: memorytrust.dev/v1alpha1
kind: MemoryTrustPolicy
metadata: {name: own}
spec:
  selector: {}
  store: {type: Ephemeral}
`

// movable is a screener with an embedded store and a database beside it.
type movable struct {
	*process
	dir    string
	args   []string
	client *admin.Client
}

func startMovable(t *testing.T, policy string) *movable {
	t.Helper()
	m := &movable{dir: t.TempDir()}
	server := pgtest.Own(t)
	superuser, err := server.Connect(t.Context())
	must(t, err)
	_, err = superuser.Exec(t.Context(), "CREATE ROLE shared LOGIN; GRANT CREATE ON DATABASE postgres TO shared")
	must(t, err)
	must(t, superuser.Close(t.Context()))
	m.write(t, "policy.yaml", policy)
	m.write(t, "uri", server.URL("shared"))
	m.args = []string{
		"--policy=" + filepath.Join(m.dir, "policy.yaml"), "--store-uri=" + filepath.Join(m.dir, "uri"), "--data=" + filepath.Join(m.dir, "memory.db"),
		"--agent-addr=" + freeAddress(t), "--admin-addr=" + freeAddress(t),
	}
	m.start(t)
	return m
}

func (m *movable) write(t *testing.T, name, text string) {
	t.Helper()
	must(t, os.WriteFile(filepath.Join(m.dir, name), []byte(text), 0o600))
}

func (m *movable) start(t *testing.T) {
	t.Helper()
	m.process = start(t, m.args...)
	client, err := (&reach{data: filepath.Join(m.dir, "memory.db"), addr: m.address("admin")}).connect("alice", "")
	must(t, err)
	t.Cleanup(client.Close)
	m.client = client
}

// freeAddress is an address where nobody listens, for servers that start twice.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// status waits until the store is as it should be.
func (m *movable) status(t *testing.T, want func(admin.StoreStatus) bool) admin.StoreStatus {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		status, err := m.client.Store(t.Context())
		if err == nil && want(status) {
			return status
		}
		if time.Now().After(deadline) {
			t.Fatalf("store %+v, %v\n%s", status, err, m.stderr)
		}
	}
}

func (m *movable) remember(t *testing.T, text string) {
	t.Helper()
	if code, body := m.post("/v1/memories", fmt.Sprintf(`{"content": %q}`, text)); code != http.StatusCreated {
		t.Fatalf("write: %d %s", code, body)
	}
}

func (m *movable) recalls(t *testing.T, query, text string) {
	t.Helper()
	if code, body := m.post("/v1/recall", fmt.Sprintf(`{"query": %q}`, query)); code != http.StatusOK || !strings.Contains(body, text) {
		t.Errorf("recall: %d %s", code, body)
	}
}

// A person has a memory moved; the screener goes on with the database by itself, and so does the next one, whatever the policy says.
func TestMoves(t *testing.T) {
	m := startMovable(t, embeddedPolicy)
	m.remember(t, "The boiler is serviced by Ada Okafor.")
	if status, err := m.client.Migrate(t.Context(), true); err != nil || status.Kind != admin.StoreEmbedded || !status.Prepared || status.Migration.Total == 0 {
		t.Fatalf("dry run: %+v, %v", status, err)
	}
	if status, err := m.client.Migrate(t.Context(), false); err != nil || status.Migration == nil {
		t.Fatalf("%+v, %v", status, err)
	}
	isMoved := func(s admin.StoreStatus) bool { return s.Kind == admin.StorePostgres }
	done := m.status(t, isMoved)
	if d := done.Migration; d == nil || d.Phase != "Done" || d.AuditSize != 1 || d.AuditRoot == "" || d.Rows["records"] != 1 || len(d.Digest) != 64 || d.Ended.IsZero() {
		t.Errorf("%+v", d)
	}
	m.recalls(t, "boiler", "Ada Okafor")
	m.remember(t, "The roof is of slate.")
	var failure *admin.Failure
	if _, err := m.client.Migrate(t.Context(), false); !errors.As(err, &failure) || failure.Status != http.StatusConflict || !strings.Contains(failure.Detail, "already") {
		t.Errorf("a second move: %v", err)
	}
	m.stop()
	m.start(t)
	m.recalls(t, "boiler", "Ada Okafor")
	m.recalls(t, "roof", "slate")

	// A new pod has no file; the agent's memory is in the database all the same.
	m.stop()
	must(t, os.Remove(filepath.Join(m.dir, "memory.db")))
	m.start(t)
	m.recalls(t, "roof", "slate")
	m.status(t, isMoved)

	// Under the policy that says so as well.
	m.write(t, "policy.yaml", postgresPolicy)
	m.recalls(t, "boiler", "Ada Okafor")
	m.stop()
	m.start(t)
	m.recalls(t, "roof", "slate")
}

// A policy that changes to a database puts no memory out of sight: the screener keeps it, says so, and moves it when it is told to.
func TestPolicyChangesFirst(t *testing.T) {
	m := startMovable(t, embeddedPolicy)
	m.remember(t, "The boiler is serviced by Ada Okafor.")
	m.write(t, "policy.yaml", postgresPolicy)
	m.status(t, func(s admin.StoreStatus) bool { return s.Left })
	m.recalls(t, "boiler", "Ada Okafor")
	m.remember(t, "The roof is of slate.")
	m.stop()
	m.start(t)
	m.status(t, func(s admin.StoreStatus) bool { return s.Left && s.Kind == admin.StoreEmbedded })
	m.recalls(t, "roof", "slate")
	if _, err := m.client.Migrate(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	m.status(t, func(s admin.StoreStatus) bool { return s.Kind == admin.StorePostgres })
	m.recalls(t, "boiler", "Ada Okafor")
	m.recalls(t, "roof", "slate")
}

// Where there is nothing to move, a policy that changes to a database is followed at once.
func TestNothingToMove(t *testing.T) {
	m := startMovable(t, embeddedPolicy)
	m.write(t, "policy.yaml", postgresPolicy)
	m.status(t, func(s admin.StoreStatus) bool { return s.Kind == admin.StorePostgres && s.Migration == nil })
	m.remember(t, "The roof is of slate.")
	m.recalls(t, "roof", "slate")
}

// Without a database there is nothing to move to, and the answer says what helps.
func TestNotPrepared(t *testing.T) {
	s := startStandalone(t)
	client, err := (&reach{data: filepath.Join(s.dir, "memory.db"), addr: s.address("admin")}).connect("alice", "")
	must(t, err)
	defer client.Close()
	var failure *admin.Failure
	if _, err := client.Migrate(t.Context(), false); !errors.As(err, &failure) || !strings.Contains(failure.Detail, "ownerSecretRef") {
		t.Errorf("%v", err)
	}
}
