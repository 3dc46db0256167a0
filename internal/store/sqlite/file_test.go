// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"bytes"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	driver "modernc.org/sqlite"

	"memorytrust.dev/operator/internal/audit"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/store/storetest"
)

// checkLog recomputes the audit log from its leaves and the leaves from the versions.
func checkLog(t *testing.T, s *Store) {
	t.Helper()
	type row struct {
		leaf, hash []byte
		prev       uint64
	}
	rows, err := collect(t.Context(), s.reader, "test",
		"SELECT a.leaf, v.hash, v.prev_seq FROM audit a JOIN versions v USING (seq) ORDER BY seq", nil,
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
		if err != nil || e.Seq != uint64(i+1) || !bytes.Equal(e.RecordHash[:], r.hash) || e.PrevSeq != r.prev {
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
	if err != nil || !bytes.Equal(got.Root, want[:]) {
		t.Errorf("checkpoint %x is not the root of the leaves %x, error %v", got.Root, want, err)
	}
}

func TestVersionsFormAChain(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "memory.db"))
	first, err := s.Commit(t.Context(), storetest.Create(storetest.NewRecord("v1")))
	if err != nil {
		t.Fatal(err)
	}
	next := first
	next.Content = "v2"
	second, err := s.Commit(t.Context(), memory.Change{Type: memory.ChangeUpdate, Record: next, Actor: "operator", ExpectSeq: first.Seq})
	if err != nil {
		t.Fatal(err)
	}
	head := second.CommitHash()
	if !bytes.Equal(second.Commit.Parents[0], first.Commit.Hash) {
		t.Errorf("the parent of the second is %x", second.Commit.Parents[0])
	}
	got, err := one(t.Context(), s.reader, "test", "SELECT hash FROM versions WHERE seq = ?", []any{second.Seq}, value[[]byte])
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, head[:]) {
		t.Errorf("stored hash %x, want %x, over the hash of the version before", got, head)
	}
	checkLog(t, s)
	for _, statement := range []string{"UPDATE versions SET hash = x'00'", "DELETE FROM versions", "UPDATE audit SET leaf = x'00'", "DELETE FROM audit"} {
		if _, err := s.writer.conn.ExecContext(t.Context(), statement); err == nil {
			t.Errorf("%q went through", statement)
		}
	}
}

func TestLineageIsKept(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "memory.db"))
	r := storetest.NewRecord("derived")
	r.Parents = []string{memory.NewID(), memory.NewID()}
	if _, err := s.Commit(t.Context(), storetest.Create(r)); err != nil {
		t.Fatal(err)
	}
	got, err := collect(t.Context(), s.reader, "test", "SELECT parent FROM lineage WHERE child = ? ORDER BY parent", []any{r.ID},
		func(scan func(...any) error) (p string, err error) { err = scan(&p); return p, err })
	if diff := cmp.Diff(r.Normalized().Parents, got); err != nil || diff != "" {
		t.Errorf("(-want +got):\n%s error %v", diff, err)
	}
}

// A leaf that does not say what its row says vouches for nothing.
func TestHeadsDistrustForgedEntries(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "memory.db"))
	a, err := s.Commit(t.Context(), storetest.Create(storetest.NewRecord("a")))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.writer.conn.ExecContext(t.Context(), "INSERT INTO audit (seq, record_id, leaf) SELECT 9, record_id, leaf FROM audit"); err != nil {
		t.Fatal(err)
	}
	heads, err := s.Heads(t.Context(), []string{a.ID})
	if err != nil || len(heads) != 0 {
		t.Errorf("heads %v, error %v; want none", heads, err)
	}
}

func TestFileModes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "memory with ?#% signs.db")
	s := mustOpen(t, path)
	if _, err := s.Commit(t.Context(), storetest.Create(storetest.NewRecord("x"))); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{filepath.Dir(path): 0o700, path: 0o600, path + "-wal": 0o600} {
		info, err := os.Stat(name)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: mode %v, want %v, error %v", filepath.Base(name), info.Mode().Perm(), want, err)
		}
	}
	if err := os.Chmod(path, 0o664); err != nil {
		t.Fatal(err)
	}
	mustOpen(t, path)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode stays %v, error %v", info.Mode().Perm(), err)
	}
}

func TestPragmas(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "memory.db"))
	reading, release, err := s.reader.acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	for _, tc := range []struct {
		conn         *sql.Conn
		pragma, want string
	}{
		{s.writer.conn, "synchronous", "2"}, {s.writer.conn, "journal_mode", "wal"}, {s.writer.conn, "foreign_keys", "1"},
		{s.writer.conn, "trusted_schema", "0"}, {s.writer.conn, "busy_timeout", "5000"}, {s.writer.conn, "secure_delete", "1"},
		{s.writer.conn, "temp_store", "2"},
		{reading.Conn, "query_only", "1"}, {reading.Conn, "trusted_schema", "0"}, {reading.Conn, "busy_timeout", "5000"},
		{reading.Conn, "temp_store", "2"},
	} {
		var got string
		if err := tc.conn.QueryRowContext(t.Context(), "PRAGMA "+tc.pragma).Scan(&got); err != nil || got != tc.want {
			t.Errorf("%s is %q, want %q, error %v", tc.pragma, got, tc.want, err)
		}
	}
	if !driver.FdatasyncEnabled() {
		t.Error("commits wait for fsync instead of fdatasync")
	}
}

// written makes a store with some records and returns its closed file.
func written(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "memory.db")
	s, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 50 {
		if _, err := s.Commit(t.Context(), storetest.Create(storetest.NewRecord(strings.Repeat("olive ", 200)))); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func execIn(t *testing.T, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.ExecContext(t.Context(), statement)
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestOpenRefuses(t *testing.T) {
	for name, tc := range map[string]struct {
		make func(t *testing.T) string
		want error
	}{
		"a newer schema": {func(t *testing.T) string {
			path := written(t)
			execIn(t, path, "PRAGMA user_version = 999")
			return path
		}, ErrNewerSchema},
		"a database of another application": {func(t *testing.T) string {
			path := filepath.Join(t.TempDir(), "other.db")
			execIn(t, path, "CREATE TABLE notes (text)")
			return path
		}, ErrForeign},
		"a file that is no database": {func(t *testing.T) string {
			return writeFile(t, []byte("my shopping list: olives\n"))
		}, ErrForeign},
		"a header cut off": {func(t *testing.T) string {
			return writeFile(t, []byte(headerMagic+"\x10\x00"))
		}, ErrCorrupt},
		"a file cut off": {func(t *testing.T) string {
			path := written(t)
			if err := os.Truncate(path, 3*4096); err != nil {
				t.Fatal(err)
			}
			return path
		}, ErrCorrupt},
		"an emptied file with a log beside it": {func(t *testing.T) string {
			path := writeFile(t, nil)
			if err := os.WriteFile(path+"-wal", []byte("frames"), 0o600); err != nil {
				t.Fatal(err)
			}
			return path
		}, ErrCorrupt},
		"a directory":                     {func(t *testing.T) string { return t.TempDir() }, memory.ErrUnavailable},
		"a directory that takes no files": {func(*testing.T) string { return "/proc/memory.db" }, memory.ErrUnavailable},
		"a path below a file": {func(t *testing.T) string {
			return filepath.Join(writeFile(t, nil), "memory.db")
		}, memory.ErrUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			path := tc.make(t)
			before, _ := os.ReadFile(path)
			s, err := Open(t.Context(), path, Options{})
			if !errors.Is(err, tc.want) {
				t.Fatalf("got %v, want %v", err, tc.want)
			}
			if s != nil {
				t.Error("got a store beside the error")
			}
			after, _ := os.ReadFile(path)
			if !bytes.Equal(before, after) {
				t.Error("the file was changed")
			}
		})
	}
}

func writeFile(t *testing.T, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file.db")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestMigrationsAreNumbered(t *testing.T) {
	scripts, err := loadMigrations()
	if err != nil || len(scripts) == 0 {
		t.Errorf("%d migrations, error %v", len(scripts), err)
	}
}
