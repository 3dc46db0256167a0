// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
	"memorytrust.dev/operator/internal/store/postgres"
	"memorytrust.dev/operator/internal/store/postgres/pgtest"
	"memorytrust.dev/operator/internal/store/sqlite"
	"memorytrust.dev/operator/internal/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

var agents atomic.Int64

// world is an agent with an embedded store, and a role in a database.
type world struct {
	t      testing.TB
	path   string
	store  *sqlite.Store
	admin  *pgx.Conn
	target postgres.Options
}

func newWorld(t testing.TB, db pgtest.Database) *world {
	t.Helper()
	n := agents.Add(1)
	w := &world{t: t, path: filepath.Join(t.TempDir(), "memory.db"), admin: db.Admin(t)}
	agent, role := fmt.Sprintf("agent-%d-%d", os.Getpid(), n), fmt.Sprintf("mover_%d_%d", os.Getpid(), n)
	w.target = postgres.Options{URL: db.Role(t, w.admin, role), Agent: agent}
	must(t, postgres.Provision(context.Background(), w.admin, agent, role))
	w.store = w.open()
	return w
}

// open opens the embedded store; it is closed when the test ends.
func (w *world) open() *sqlite.Store {
	w.t.Helper()
	s, err := sqlite.Open(context.Background(), w.path, sqlite.Options{})
	must(w.t, err)
	w.t.Cleanup(func() { _ = s.Close() })
	return s
}

func (w *world) options() Options { return Options{Source: w.store, Target: w.target} }

// moved opens the database in the place of an embedded store that was moved, as a screener does.
func (w *world) moved() *postgres.Store {
	w.t.Helper()
	must(w.t, w.store.Close())
	_, err := sqlite.Open(context.Background(), w.path, sqlite.Options{})
	var moved *sqlite.MovedError
	if !errors.As(err, &moved) {
		w.t.Fatalf("the embedded store opens: %v", err)
	}
	must(w.t, postgres.FinishMove(context.Background(), w.target, moved.Run))
	s, err := postgres.Open(context.Background(), w.target)
	must(w.t, err)
	w.t.Cleanup(func() { _ = s.Close() })
	return s
}

// fill writes something of everything.
func (w *world) fill(records int) {
	w.t.Helper()
	ctx, texts := w.t.Context(), storetest.NewCorpus("English", 3)
	var changes []memory.Change
	for i := range records {
		r := texts.Record(i)
		r.Tags = []string{fmt.Sprint("tag-", i%5)}
		c := storetest.Create(r)
		c.Trace = []uint64{uint64(i), uint64(i) + 1, 1 << 63}
		if i%3 == 0 {
			c.Fragment = &memory.Fragment{
				Namespace: r.Namespace, RecordID: r.ID, Root: r.ID, Class: provenance.WebContent, At: storetest.Epoch,
				Mentions: []memory.FragmentMention{{Entity: uint64(i) | 1<<63, Signals: 32}},
			}
		}
		if i > 0 && i%4 == 0 {
			c.Record.Parents = []string{changes[i-1].Record.ID}
		}
		changes = append(changes, c)
	}
	for len(changes) > 0 {
		n := min(len(changes), 200)
		written, err := w.store.CommitAll(ctx, changes[:n])
		must(w.t, err)
		changes = changes[n:]
		must(w.t, w.store.LogDeliveries(ctx, []memory.Delivery{{
			Namespace: storetest.Namespace, Session: "s", RecordID: written[0].ID, Seq: written[0].Seq, Class: written[0].Class, Score: .25, At: storetest.Epoch,
		}}, nil))
	}
	must(w.t, w.store.SetMark(ctx, "task", 1<<63))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
