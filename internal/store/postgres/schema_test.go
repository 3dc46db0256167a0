// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"memorytrust.dev/operator/internal/store/postgres/pgtest"
	"memorytrust.dev/operator/internal/store/storetest"
)

func TestMigrationsAreNumbered(t *testing.T) {
	scripts, err := loadMigrations()
	if err != nil || len(scripts) == 0 {
		t.Errorf("%d migrations, error %v", len(scripts), err)
	}
}

func mustExec(t *testing.T, conn *pgx.Conn, statements ...string) {
	t.Helper()
	for _, statement := range statements {
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// tryOpen opens the memory of an agent and closes it again.
func tryOpen(url, agent string) error {
	s, err := Open(context.Background(), Options{URL: url, Agent: agent})
	if err == nil {
		err = s.Close()
	}
	return err
}

// However many replicas and administrators come to an empty database at once, it is set up once and all of them can work.
func TestManyMigrateAtOnce(t *testing.T) {
	server := pgtest.Own(t)
	db := pgtest.Of(server)
	admin := db.Admin(t)
	owner := db.Role(t, admin, "owner")
	mustExec(t, admin, "GRANT CREATE ON DATABASE postgres TO owner")
	const replicas, tenants = 8, 4
	for i := range tenants {
		db.Role(t, admin, fmt.Sprint("tenant", i))
	}
	var group sync.WaitGroup
	for range replicas {
		group.Go(func() {
			if err := tryOpen(owner, "alone"); err != nil {
				t.Errorf("a replica: %v", err)
			}
		})
	}
	for i := range 2 * tenants {
		conn := connectAs(t, owner)
		group.Go(func() {
			if err := Provision(context.Background(), conn, fmt.Sprint("agent", i%tenants), fmt.Sprint("tenant", i%tenants)); err != nil {
				t.Errorf("an administrator: %v", err)
			}
		})
	}
	group.Wait()
	for i := range tenants {
		if err := tryOpen(server.URL(fmt.Sprint("tenant", i)), fmt.Sprint("agent", i)); err != nil {
			t.Errorf("tenant %d: %v", i, err)
		}
	}
	var version, rows int
	err := admin.QueryRow(t.Context(), "SELECT max(version), count(*) FROM memorytrust.schema").Scan(&version, &rows)
	if scripts, _ := loadMigrations(); err != nil || version != len(scripts) || rows != 1 {
		t.Errorf("version %d in %d rows, error %v", version, rows, err)
	}
}

// What must not be used is refused, with what to do about it, and left as it is.
func TestOpenRefuses(t *testing.T) {
	server := pgtest.Own(t)
	db := pgtest.Of(server)
	admin := db.Admin(t)
	owner, tenant := db.Role(t, admin, "owner"), db.Role(t, admin, "tenant")
	mustExec(t, admin, "GRANT CREATE ON DATABASE postgres TO owner", "CREATE ROLE unheld LOGIN BYPASSRLS")
	version := func(number int) func() {
		return func() { mustExec(t, admin, fmt.Sprintf("UPDATE memorytrust.schema SET version = %d", number)) }
	}
	scripts, err := loadMigrations()
	if err != nil {
		t.Fatal(err)
	}
	known := len(scripts)
	if err := tryOpen(tenant, "a"); !errors.Is(err, ErrOlderSchema) {
		t.Errorf("without a schema: %v, want ErrOlderSchema", err)
	}
	if err := Provision(t.Context(), connectAs(t, owner), "a", "tenant"); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		before     func()
		url, agent string
		want       error
		says       []string
	}{
		"a newer schema":              {version(99), tenant, "a", ErrNewerSchema, []string{"99", fmt.Sprint(known)}},
		"a newer schema, its owner":   {version(99), owner, "b", ErrNewerSchema, []string{"99", fmt.Sprint(known)}},
		"an older schema":             {version(known - 1), tenant, "a", ErrOlderSchema, []string{fmt.Sprint(known - 1), fmt.Sprint(known), "provision"}},
		"a superuser":                 {version(known), server.URL("postgres"), "a", ErrPrivileged, []string{"role of its own"}},
		"a role that is not held":     {version(known), server.URL("unheld"), "a", ErrPrivileged, nil},
		"another agent":               {version(known), tenant, "b", ErrNotProvisioned, []string{"another agent"}},
		"no agent":                    {version(known), tenant, "", nil, []string{"name the agent"}},
		"a role that may not use it":  {version(known), db.Role(t, admin, "stranger"), "a", ErrNotProvisioned, nil},
		"a connection string of none": {version(known), "postgres://secret@", "a", nil, nil},
	} {
		tc.before()
		err := tryOpen(tc.url, tc.agent)
		if err == nil || tc.want != nil && !errors.Is(err, tc.want) {
			t.Errorf("%s: got %v, want %v", name, err, tc.want)
		}
		for _, part := range tc.says {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v does not say %q", name, err, part)
			}
		}
	}
	version(99)()
	if err := Migrate(t.Context(), connectAs(t, owner)); !errors.Is(err, ErrNewerSchema) {
		t.Errorf("migrating backwards: %v", err)
	}
	version(known)()
	if err := tryOpen(tenant, "a"); err != nil {
		t.Errorf("after all this: %v", err)
	}
}

func TestProvisionRefuses(t *testing.T) {
	n := newTenant(t, anyDatabase(t))
	var admin string
	if err := n.admin.QueryRow(t.Context(), "SELECT rolname FROM pg_roles WHERE rolsuper LIMIT 1").Scan(&admin); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		agent, role string
		want        error
	}{
		"no such role":       {n.agent, n.role + "_none", ErrNotProvisioned},
		"of another agent":   {n.agent + "-other", n.role, ErrNotProvisioned},
		"a superuser":        {n.agent, admin, ErrPrivileged},
		"no agent":           {"", n.role, nil},
		"a very long agent":  {strings.Repeat("a", maxAgentBytes+1), n.role, nil},
		"a role with quotes": {n.agent, `x"; DROP SCHEMA memorytrust CASCADE; --`, ErrNotProvisioned},
	} {
		if err := Provision(t.Context(), n.admin, tc.agent, tc.role); err == nil || tc.want != nil && !errors.Is(err, tc.want) {
			t.Errorf("%s: got %v, want %v", name, err, tc.want)
		}
	}
	if err := Provision(t.Context(), n.admin, n.agent, n.role); err != nil {
		t.Errorf("again: %v", err)
	}
	if _, err := n.open(t).Commit(t.Context(), storetest.Create(storetest.NewRecord("x"))); err != nil {
		t.Error(err)
	}
}

// What Script prints sets a database up as Provision does.
func TestScript(t *testing.T) {
	server := pgtest.Own(t)
	db := pgtest.Of(server)
	admin := db.Admin(t)
	role := db.Role(t, admin, "it's-a-role")
	script, err := Script("agent'1", "it's-a-role")
	if err != nil {
		t.Fatal(err)
	}
	mustExec(t, admin, script)
	s, err := Open(t.Context(), Options{URL: role, Agent: "agent'1"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if _, err := s.Commit(t.Context(), storetest.Create(storetest.NewRecord("x"))); err != nil {
		t.Error(err)
	}
}
