// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package postgres

import (
	"bytes"
	"testing"

	"memorytrust.dev/operator/internal/audit"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/store/storetest"
)

// checkLog recomputes the audit log from its leaves and the leaves from the versions.
func checkLog(t *testing.T, s *Store) {
	t.Helper()
	type row struct {
		leaf, hash []byte
		prev       int64
	}
	rows, err := collect(t.Context(), s.reader, "test", `SELECT a.leaf, v.hash, v.prev_seq FROM memorytrust.audit a
		JOIN memorytrust.versions v ON v.agent = a.agent AND v.seq = a.seq WHERE a.agent = $1 ORDER BY a.seq`, []any{s.agent},
		func(scan func(...any) error) (r row, err error) { err = scan(&r.leaf, &r.hash, &r.prev); return r, err })
	if err != nil {
		t.Fatal(err)
	}
	var hashes []audit.Hash
	reader := audit.HashReaderFunc(func(indexes []int64) (out []audit.Hash, err error) {
		for _, i := range indexes {
			out = append(out, hashes[i])
		}
		return out, nil
	})
	for i, r := range rows {
		e, err := audit.DecodeEntry(r.leaf)
		if err != nil || e.Seq != uint64(i+1) || !bytes.Equal(e.RecordHash[:], r.hash) || e.PrevSeq != uint64(r.prev) { // #nosec G115
			t.Fatalf("entry %d does not match its version: %+v, error %v", i+1, e, err)
		}
		stored, err := audit.Append(int64(i), r.leaf, reader)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range stored {
			hashes = append(hashes, h.Hash)
		}
	}
	want, err := audit.Root(int64(len(rows)), reader)
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Checkpoint(t.Context())
	if err != nil || got.Size != int64(len(rows)) || !bytes.Equal(got.Root, want[:]) {
		t.Errorf("checkpoint %x of %d is not the root of the leaves %x, error %v", got.Root, got.Size, want, err)
	}
}

// checkWhole checks that rows, versions, audit entries and their hashes agree.
func checkWhole(t *testing.T, s *Store) {
	t.Helper()
	var records, numbered, versions, entries, size, live, indexed, delivered int64
	_, err := one(t.Context(), s.reader, "test", `SELECT
		(SELECT count(*) FROM memorytrust.records WHERE agent = $1), (SELECT records FROM memorytrust.logs WHERE agent = $1),
		(SELECT count(*) FROM memorytrust.versions WHERE agent = $1), (SELECT count(*) FROM memorytrust.audit WHERE agent = $1),
		(SELECT size FROM memorytrust.logs WHERE agent = $1),
		(SELECT count(*) FROM memorytrust.records WHERE agent = $1 AND terms > 0 AND state NOT IN ('Forgotten', 'Rejected')),
		(SELECT count(DISTINCT rid) FROM memorytrust.words WHERE agent = $1),
		(SELECT count(*) FROM memorytrust.deliveries WHERE agent = $1)
			- (SELECT CAST(coalesce(sum(recalls), 0) AS bigint) FROM memorytrust.recalls WHERE agent = $1)`,
		[]any{s.agent}, func(scan func(...any) error) (struct{}, error) {
			return struct{}{}, scan(&records, &numbered, &versions, &entries, &size, &live, &indexed, &delivered)
		})
	if err != nil || records != numbered || versions != entries || entries != size || indexed != live || delivered != 0 {
		t.Errorf("%d records of %d, %d indexed of %d, %d versions, %d entries of %d, deliveries and recalls differ by %d, error %v",
			records, numbered, indexed, live, versions, entries, size, delivered, err)
	}
	checkLog(t, s)
}

// A leaf that does not say what its row says vouches for nothing.
func TestHeadsDistrustForgedEntries(t *testing.T) {
	n := newTenant(t, anyDatabase(t))
	s := n.open(t)
	a, err := s.Commit(t.Context(), storetest.Create(storetest.NewRecord("a")))
	if err != nil {
		t.Fatal(err)
	}
	_, err = n.admin.Exec(t.Context(), `INSERT INTO memorytrust.audit (agent, seq, record_id, leaf)
		SELECT agent, 9, record_id, leaf FROM memorytrust.audit WHERE agent = $1`, n.agent)
	if err != nil {
		t.Fatal(err)
	}
	heads, err := s.Heads(t.Context(), []string{a.ID})
	if err != nil || len(heads) != 0 {
		t.Errorf("heads %v, error %v; want none", heads, err)
	}
}

// Nothing that stands in a table after a purge holds a word of what was erased.
func TestPurgeLeavesNoWord(t *testing.T) {
	n := newTenant(t, anyDatabase(t))
	s := n.open(t)
	r, err := s.Commit(t.Context(), storetest.Create(storetest.NewRecord("zanzibarian spices")))
	if err != nil {
		t.Fatal(err)
	}
	next := r
	next.Content = "quixotical words"
	if r, err = s.Commit(t.Context(), memory.Change{Type: memory.ChangeUpdate, Record: next, Actor: "agent", ExpectSeq: r.Seq}); err != nil {
		t.Fatal(err)
	}
	held := func() (tables []string) {
		for _, table := range tablesOf(t, n.admin) {
			var rows int
			// Rows as text show bytea in hexadecimal.
			err := n.admin.QueryRow(t.Context(), "SELECT count(*) FROM memorytrust."+table+` t WHERE t.agent = $1 AND (
				t::text ~ 'zanzibarian|spices|quixotical' OR t::text ~ encode('zanzibarian', 'hex') OR t::text ~ encode('quixotical', 'hex'))`,
				n.agent).Scan(&rows)
			if err != nil {
				t.Fatal(err)
			}
			if rows > 0 {
				tables = append(tables, table)
			}
		}
		return tables
	}
	if tables := held(); len(tables) != 3 {
		t.Fatalf("the test looks in the wrong place: %q", tables)
	}
	mustPurge(t, s, r)
	if tables := held(); len(tables) != 0 {
		t.Errorf("still there in %q", tables)
	}
}
