// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"bytes"
	"crypto/sha256"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/store/storetest"
)

func mustPurge(t *testing.T, s *Store, r memory.Record) {
	t.Helper()
	sum := sha256.Sum256([]byte(r.Content))
	seq := r.Seq
	r.State, r.Content, r.Erased = memory.Forgotten, "", sum[:]
	if _, err := s.Commit(t.Context(), memory.Change{Type: memory.ChangePurge, Record: r, Actor: "person/alice", ExpectSeq: seq}); err != nil {
		t.Fatal(err)
	}
}

// checkNoTrace looks for words in the raw bytes of the store's files, in any case.
func checkNoTrace(t *testing.T, path string, traces ...string) {
	t.Helper()
	files, err := filepath.Glob(path + "*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, trace := range traces {
			if bytes.Contains(bytes.ToLower(data), []byte(trace)) {
				t.Errorf("%s still holds %q", filepath.Base(name), trace)
			}
		}
	}
}

// A purge leaves no word of any version in the files: not in free pages, the index or the write-ahead log.
func TestPurgeLeavesNoTrace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s := mustOpen(t, path)
	fill(t, s, 300, func(int) string { return "another memory of the kitchen" })
	long := strings.Repeat("zanzibarian spices ", 2_000)
	r, err := s.Commit(t.Context(), storetest.Create(storetest.NewRecord(long)))
	if err != nil {
		t.Fatal(err)
	}
	fill(t, s, 300, func(int) string { return "another memory of the garden" })
	for _, content := range []string{"quixotical words", long + " again", "unfindable 漢字の秘密"} {
		next := r
		next.Content = content
		if r, err = s.Commit(t.Context(), memory.Change{Type: memory.ChangeUpdate, Record: next, Actor: "agent", ExpectSeq: r.Seq}); err != nil {
			t.Fatal(err)
		}
	}
	traces := []string{"zanzibarian", "quixotical", "unfindable", "漢字の秘密", "字の"}
	if data, err := os.ReadFile(path + "-wal"); err != nil || !bytes.Contains(data, []byte("zanzibarian")) {
		t.Fatalf("the test looks in the wrong place, error %v", err)
	}
	mustPurge(t, s, r)
	checkNoTrace(t, path, traces...)
	if _, err := s.writer.conn.ExecContext(t.Context(), "INSERT INTO records_fts (records_fts) VALUES ('integrity-check')"); err != nil {
		t.Errorf("the index is damaged: %v", err)
	}
	if found, err := s.Search(t.Context(), memory.Query{Namespace: storetest.Namespace, Text: "kitchen", Limit: 1000}); err != nil || len(found) != 300 {
		t.Errorf("found %d others, error %v", len(found), err)
	}
}

// A reader that holds an old state keeps the write-ahead log from being emptied; the next write makes up for it.
func TestPurgeBesideALongRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s, err := Open(t.Context(), path, Options{BusyTimeout: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	r, err := s.Commit(t.Context(), storetest.Create(storetest.NewRecord("zanzibarian spices")))
	if err != nil {
		t.Fatal(err)
	}
	err = s.reader.snapshot(t.Context(), "test", func(conn *readConn) error {
		_, err := one(t.Context(), conn, "test", "SELECT count(*) FROM records", nil, value[int])
		mustPurge(t, s, r)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	checkNoTrace(t, path, "zanzibarian")
}

// What no purge asked for cannot be erased or rewritten by mistake.
func TestContentsAreImmutable(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "memory.db"))
	if _, err := s.Commit(t.Context(), storetest.Create(storetest.NewRecord("x"))); err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		"UPDATE contents SET content = NULL", "UPDATE contents SET content = 'y'", "UPDATE contents SET sha256 = x'00'", "DELETE FROM contents",
	} {
		if _, err := s.writer.conn.ExecContext(t.Context(), statement); err == nil {
			t.Errorf("%q went through", statement)
		}
	}
}
