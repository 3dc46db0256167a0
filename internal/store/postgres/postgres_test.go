// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package postgres

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/store/postgres/pgtest"
	"memorytrust.dev/operator/internal/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// agents counts the agents of this process. Every test has one of its own, in a database that all share.
var agents atomic.Int64

// tenant is an agent with a role of its own.
type tenant struct {
	agent, role string
	opts        Options
	admin       *pgx.Conn
}

// newTenant provisions an agent that nobody else has.
func newTenant(t testing.TB, db pgtest.Database) tenant {
	t.Helper()
	name := fmt.Sprintf("agent-%d-%d-%s", os.Getpid(), agents.Add(1), strings.ReplaceAll(memory.NewID()[24:], "-", ""))
	n := tenant{agent: name, role: "role_" + strings.ReplaceAll(name, "-", "_"), admin: db.Admin(t)}
	n.opts = Options{URL: db.Role(t, n.admin, n.role), Agent: n.agent}
	if err := Provision(context.Background(), n.admin, n.agent, n.role); err != nil {
		t.Fatal(err)
	}
	return n
}

// open opens the agent's memory; it is closed when t ends.
func (n tenant) open(t testing.TB) *Store {
	t.Helper()
	s, err := Open(context.Background(), n.opts)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return s
}

// mustOpen opens the memory of a new agent.
func mustOpen(t testing.TB) *Store {
	t.Helper()
	return newTenant(t, pgtest.Any(t)).open(t)
}

func TestConformance(t *testing.T) {
	db := pgtest.Any(t)
	stores := map[memory.Store]tenant{}
	open := func(t *testing.T, n tenant) memory.Store {
		s := n.open(t)
		stores[s] = n
		return s
	}
	storetest.Run(t, storetest.Target{
		Open: func(t *testing.T) memory.Store { return open(t, newTenant(t, db)) },
		Reopen: func(t *testing.T, s memory.Store) memory.Store {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			return open(t, stores[s])
		},
		Tamper: func(t *testing.T, s memory.Store, older memory.Record) {
			_, err := stores[s].admin.Exec(t.Context(),
				"UPDATE memorytrust.records SET seq = $1, zone = $2, state = $3, content = $4, tag = $5 WHERE agent = $6 AND id = $7",
				int64(older.Seq), string(older.Zone), string(older.State), []byte(older.Content), older.Tag, stores[s].agent, older.ID) // #nosec G115
			if err != nil {
				t.Fatal(err)
			}
		},
	})
}
