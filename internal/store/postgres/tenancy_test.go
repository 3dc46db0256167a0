// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package postgres

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
	"memorytrust.dev/operator/internal/store/postgres/pgtest"
	"memorytrust.dev/operator/internal/store/storetest"
)

func anyDatabase(t testing.TB) pgtest.Database {
	t.Helper()
	return pgtest.Any(t)
}

// tablesOf lists the tables that hold rows of agents.
func tablesOf(t *testing.T, conn *pgx.Conn) []string {
	t.Helper()
	rows, err := conn.Query(t.Context(), `SELECT table_name FROM information_schema.columns
		WHERE table_schema = 'memorytrust' AND column_name = 'agent' AND table_name <> 'agents' ORDER BY 1`)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return tables
}

func mustPurge(t *testing.T, s *Store, r memory.Record) {
	t.Helper()
	sum := sha256.Sum256([]byte(r.Content))
	seq := r.Seq
	r.State, r.Content, r.Erased = memory.Forgotten, "", sum[:]
	if _, err := s.Commit(t.Context(), memory.Change{Type: memory.ChangePurge, Record: r, Actor: "person/alice", ExpectSeq: seq}); err != nil {
		t.Fatal(err)
	}
}

// writeEverywhere leaves rows in every table.
func writeEverywhere(t *testing.T, s *Store) {
	t.Helper()
	r := storetest.NewRecord("olives")
	r.Tags, r.Parents = []string{"food"}, []string{memory.NewID()}
	c := storetest.Create(r)
	c.Trace, c.Key = []uint64{1, 2}, memory.IdempotencyKey{Key: "k", Digest: make([]byte, 32)}
	c.Fragment = &memory.Fragment{
		Namespace: r.Namespace, RecordID: r.ID, Root: r.ID, Class: provenance.WebContent, At: storetest.Epoch,
		Mentions: []memory.FragmentMention{{Entity: 5, Signals: 1}},
	}
	done, err := s.Commit(t.Context(), c)
	d := memory.Delivery{Namespace: r.Namespace, Session: "s", RecordID: done.ID, Seq: done.Seq, Class: done.Class, At: storetest.Epoch}
	user := memory.Writer{Channel: "chat", Principal: "alice"}
	_, opening := s.OpenSession(t.Context(), memory.OpenedSession{Namespace: r.Namespace, ID: "s", Writer: user, OpenedAt: storetest.Epoch, Tag: []byte("t")})
	err = errors.Join(err, opening, s.LogDeliveries(t.Context(), []memory.Delivery{d, {Namespace: r.Namespace, Class: done.Class, At: d.At}}, nil),
		s.SetMark(t.Context(), "m", 1),
		s.PutTurn(t.Context(), memory.Turn{Namespace: r.Namespace, Session: "s", ID: "1", Writer: user, Content: "x", At: d.At, Tag: []byte("t")}),
		s.PutContradiction(t.Context(), memory.Contradiction{ID: memory.NewID(), Namespace: r.Namespace, A: memory.NewID(), B: memory.NewID(), FoundAt: d.At}),
		s.writer.do(t.Context(), "noting a move", func(t *transaction) error {
			t.write("INSERT INTO memorytrust.moves (agent, run, at, sealed, outcome) VALUES ($1, 'r', 1, true, '')", t.agent)
			return nil
		}))
	if err != nil {
		t.Fatal(err)
	}
}

// The role of an agent reaches no row of another agent in any table, whatever it tries, and a role that speaks for nobody reaches
// no table.
func TestRolesAreApart(t *testing.T) {
	db := anyDatabase(t)
	a, b := newTenant(t, db), newTenant(t, db)
	writeEverywhere(t, a.open(t))
	writeEverywhere(t, b.open(t))
	intruder := connectAs(t, b.opts.URL)
	tables := tablesOf(t, a.admin)
	if len(tables) < 20 {
		t.Fatalf("only %d tables", len(tables))
	}
	for _, table := range tables {
		name := "memorytrust." + table
		var there int
		if err := a.admin.QueryRow(t.Context(), "SELECT count(*) FROM "+name+" WHERE agent = $1", a.agent).Scan(&there); err != nil || there == 0 {
			t.Errorf("%s holds no row to reach, error %v", table, err)
		}
		for attempt, statement := range map[string]string{
			"read":        "SELECT 1 FROM " + name + " WHERE agent = $1",
			"read others": "SELECT 1 FROM " + name + " WHERE agent <> (SELECT agent FROM memorytrust.agents) AND $1 <> ''",
			"delete":      "DELETE FROM " + name + " WHERE agent = $1",
			"take over":   "UPDATE " + name + " SET agent = (SELECT agent FROM memorytrust.agents) WHERE agent = $1",
			"give away":   "UPDATE " + name + " SET agent = $1",
			"copy":        "INSERT INTO " + name + " SELECT ($1, " + restOf(t, a.admin, table) + " FROM " + name,
			"lock":        "SELECT 1 FROM " + name + " WHERE agent = $1 FOR UPDATE",
			"empty":       "TRUNCATE " + name + " -- $1",
		} {
			if attempt == "copy" {
				statement = strings.Replace(statement, "SELECT (", "SELECT ", 1)
			}
			args := []any{a.agent}
			if attempt == "empty" {
				args = nil
			}
			tag, err := intruder.Exec(t.Context(), statement, args...)
			if err == nil && tag.RowsAffected() > 0 || attempt == "empty" && err == nil {
				t.Errorf("%s: %s reached %d rows", table, attempt, tag.RowsAffected())
			}
		}
		var left int
		if err := a.admin.QueryRow(t.Context(), "SELECT count(*) FROM "+name+" WHERE agent = $1", a.agent).Scan(&left); err != nil || left != there {
			t.Errorf("%s has %d rows of %d left, error %v", table, left, there, err)
		}
	}
	for _, statement := range []string{
		"INSERT INTO memorytrust.agents (role, agent) VALUES (current_user || '2', '" + a.agent + "')",
		"UPDATE memorytrust.agents SET agent = '" + a.agent + "'", "DELETE FROM memorytrust.agents",
		"ALTER TABLE memorytrust.records DISABLE ROW LEVEL SECURITY", "SET ROLE " + a.role, "SET row_security = off; SELECT 1 FROM memorytrust.records",
		"UPDATE memorytrust.schema SET version = 0", "UPDATE memorytrust.versions SET body = ''", "UPDATE memorytrust.logs SET moving = true",
		"UPDATE memorytrust.contents SET sha256 = ''", "CREATE TABLE memorytrust.mine (x int)",
	} {
		if _, err := intruder.Exec(t.Context(), statement); err == nil {
			t.Errorf("%q went through", statement)
		}
	}
	var agents int
	if err := intruder.QueryRow(t.Context(), "SELECT count(*) FROM memorytrust.agents").Scan(&agents); err != nil || agents != 1 {
		t.Errorf("a role sees %d agents, error %v", agents, err)
	}
	stranger := connectAs(t, db.Role(t, a.admin, b.role+"_stranger"))
	if _, err := stranger.Exec(t.Context(), "SELECT 1 FROM memorytrust.records"); codeOf(err) != codeDenied {
		t.Errorf("a stranger: %v", err)
	}
}

// restOf lists the columns of a table but the first.
func restOf(t *testing.T, conn *pgx.Conn, table string) string {
	t.Helper()
	var columns string
	err := conn.QueryRow(t.Context(), `SELECT string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position) FROM information_schema.columns
		WHERE table_schema = 'memorytrust' AND table_name = $1 AND ordinal_position > 1`, table).Scan(&columns)
	if err != nil {
		t.Fatal(err)
	}
	return columns
}

func connectAs(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(t.Context()) })
	return conn
}

// Many replicas of an agent write at the same time: no update is lost, and the log has neither holes nor twins.
func TestReplicasWriteTogether(t *testing.T) {
	n := newTenant(t, anyDatabase(t))
	stores := []*Store{n.open(t), n.open(t), n.open(t)}
	counter, err := stores[0].Commit(t.Context(), storetest.Create(storetest.NewRecord("0")))
	if err != nil {
		t.Fatal(err)
	}
	const writers, each = 9, 12
	var group sync.WaitGroup
	for w := range writers {
		s := stores[w%len(stores)]
		group.Go(func() {
			for done := 0; done < each; {
				r, err := s.Get(t.Context(), storetest.Namespace, counter.ID)
				if err != nil {
					t.Errorf("reading: %v", err)
					return
				}
				var count int
				_, _ = fmt.Sscan(r.Content, &count)
				seen := r.Seq
				r.Content = fmt.Sprint(count + 1)
				_, err = s.Commit(t.Context(), memory.Change{Type: memory.ChangeUpdate, Record: r, Actor: "agent", ExpectSeq: seen})
				switch {
				case err == nil:
					done++
				case !errors.Is(err, memory.ErrConflict):
					t.Errorf("writing: %v", err)
					return
				}
			}
		})
	}
	group.Wait()
	for i, s := range stores {
		r, err := s.Get(t.Context(), storetest.Namespace, counter.ID)
		if err != nil || r.Content != fmt.Sprint(writers*each) {
			t.Errorf("store %d counts %s of %d updates, error %v", i, r.Content, writers*each, err)
		}
		heads, err := s.Heads(t.Context(), []string{counter.ID})
		if err != nil || heads[counter.ID].Seq != writers*each+1 {
			t.Errorf("store %d: head is %d, error %v", i, heads[counter.ID].Seq, err)
		}
	}
	checkWhole(t, stores[0])
}

// What one replica learns of sessions, fragments and traces, all know.
func TestReplicasShare(t *testing.T) {
	n := newTenant(t, anyDatabase(t))
	a, b := n.open(t), n.open(t)
	writeEverywhere(t, a)
	if o, err := b.OpenedSession(t.Context(), storetest.Namespace, "s"); err != nil || o.Writer.Principal != "alice" {
		t.Errorf("session of %q, error %v", o.Writer.Principal, err)
	}
	if f, err := b.Fragments(t.Context(), storetest.Namespace, []uint64{5}, time.Time{}); err != nil || len(f) != 1 {
		t.Errorf("%d fragments, error %v", len(f), err)
	}
	if m, err := b.Traced(t.Context(), storetest.Namespace, []uint64{1}, 5); err != nil || len(m) != 1 {
		t.Errorf("%d traces, error %v", len(m), err)
	}
	if class, ok, err := b.LowestDelivered(t.Context(), storetest.Namespace, "s", time.Time{}); err != nil || !ok || class != provenance.AgentInferred {
		t.Errorf("lowest class %q, error %v", class, err)
	}
}

// A store never holds more than two connections.
func TestTwoConnections(t *testing.T) {
	n := newTenant(t, anyDatabase(t))
	s := n.open(t)
	l := startLoad(s)
	most := 0
	for range 20 {
		l.await(t, 5)
		var now int
		if err := n.admin.QueryRow(t.Context(), "SELECT count(*) FROM pg_stat_activity WHERE usename = $1", n.role).Scan(&now); err != nil {
			t.Fatal(err)
		}
		most = max(most, now)
	}
	l.end(t, s)
	if most != 2 {
		t.Errorf("%d connections, want 2", most)
	}
}

// What the server expects a query to find tells nothing of other agents' rows, also once it has looked at them.
func TestPlansTellNothing(t *testing.T) {
	db := anyDatabase(t)
	a, b := newTenant(t, db), newTenant(t, db)
	s := a.open(t)
	for i := range 300 {
		r := storetest.NewRecord("olives")
		r.Tags, r.Subject, r.Source = []string{"secretly"}, "the safe", "web:safe.example"
		c := storetest.Create(r)
		c.Trace = []uint64{uint64(i % 3), 77}
		if _, err := s.Commit(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	mustExec(t, a.admin, "ANALYZE memorytrust.records, memorytrust.tags, memorytrust.words, memorytrust.versions, memorytrust.contents, memorytrust.features")
	intruder := connectAs(t, b.opts.URL)
	guess := func(where string) string {
		rows, err := intruder.Query(t.Context(), "EXPLAIN SELECT 1 FROM memorytrust."+where)
		if err != nil {
			t.Fatal(err)
		}
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatal(err)
		}
		return lines[0]
	}
	r, err := s.List(t.Context(), memory.Filter{Namespace: storetest.Namespace, Limit: 300})
	if err != nil {
		t.Fatal(err)
	}
	var word string
	if err := a.admin.QueryRow(t.Context(), "SELECT word FROM memorytrust.words WHERE agent = $1 LIMIT 1", a.agent).Scan(&word); err != nil {
		t.Fatal(err)
	}
	for there, absent := range map[string]string{
		"tags WHERE tag = 'secretly'":                    "tags WHERE tag = 'nowhere'",
		"records WHERE subject = 'the safe'":             "records WHERE subject = 'the shed'",
		"records WHERE source = 'web:safe.example'":      "records WHERE source = 'web:shed.example'",
		"records WHERE content = 'olives'":               "records WHERE content = 'grapes'",
		"records WHERE id < '" + r[0].ID + "'":           "records WHERE id < '" + r[299].ID + "'",
		"records WHERE id = '" + r[0].ID + "'":           "records WHERE id = '" + memory.NewID() + "'",
		"versions WHERE record_id < '" + r[150].ID + "'": "versions WHERE record_id < '" + r[0].ID + "'",
		"contents WHERE sha256 = sha256('olives')":       "contents WHERE sha256 = sha256('grapes')",
		"words WHERE word = '" + word + "'":              "words WHERE word = 'nowhere'",
		"features WHERE feature = 77":                    "features WHERE feature = 78",
	} {
		if got, want := guess(there), guess(absent); got != want {
			t.Errorf("%s: %s\n%s: %s", there, got, absent, want)
		}
	}
}
