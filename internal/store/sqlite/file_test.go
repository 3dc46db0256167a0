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
	genesis := first.CommitHash(nil)
	head := second.CommitHash(genesis[:])
	var got []byte
	if err := s.reader.QueryRowContext(t.Context(), "SELECT hash FROM versions WHERE seq = ?", second.Seq).Scan(&got); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, head[:]) {
		t.Errorf("stored hash %x, want %x, over the hash of the version before", got, head)
	}
	checkLog(t, s)
	for _, statement := range []string{"UPDATE versions SET hash = x'00'", "DELETE FROM versions", "UPDATE audit SET leaf = x'00'", "DELETE FROM audit"} {
		if _, err := s.writer.ExecContext(t.Context(), statement); err == nil {
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
func TestHeadSeqDistrustsForgedEntries(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "memory.db"))
	a, err := s.Commit(t.Context(), storetest.Create(storetest.NewRecord("a")))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.writer.ExecContext(t.Context(), "INSERT INTO audit (seq, record_id, leaf) SELECT 9, record_id, leaf FROM audit"); err != nil {
		t.Fatal(err)
	}
	heads, err := s.HeadSeq(t.Context(), []string{a.ID})
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
	for _, tc := range []struct {
		db           *sql.DB
		pragma, want string
	}{
		{s.writer, "synchronous", "2"}, {s.writer, "journal_mode", "wal"}, {s.writer, "foreign_keys", "1"},
		{s.writer, "trusted_schema", "0"}, {s.writer, "busy_timeout", "5000"},
		{s.reader, "query_only", "1"}, {s.reader, "trusted_schema", "0"}, {s.reader, "busy_timeout", "5000"},
	} {
		var got string
		if err := tc.db.QueryRowContext(t.Context(), "PRAGMA "+tc.pragma).Scan(&got); err != nil || got != tc.want {
			t.Errorf("%s is %q, want %q, error %v", tc.pragma, got, tc.want, err)
		}
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

// A volume that runs full or turns read-only is reported as unavailable, by Ping as well, reads go on, and the store
// works again once there is room.
func TestVolumeRefusesWrites(t *testing.T) {
	for name, tc := range map[string]struct{ refuse, heal string }{
		"full":      {"PRAGMA max_page_count = 1", "PRAGMA max_page_count = 1000000"},
		"read-only": {"PRAGMA query_only = 1", "PRAGMA query_only = 0"},
	} {
		t.Run(name, func(t *testing.T) {
			s := mustOpen(t, filepath.Join(t.TempDir(), "memory.db"))
			kept, err := s.Commit(t.Context(), storetest.Create(storetest.NewRecord("kept")))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.writer.ExecContext(t.Context(), tc.refuse); err != nil {
				t.Fatal(err)
			}
			secret := strings.Repeat("secret words ", 5_000)
			_, err = s.Commit(t.Context(), storetest.Create(storetest.NewRecord(secret)))
			if !errors.Is(err, memory.ErrUnavailable) || strings.Contains(err.Error(), "secret") {
				t.Errorf("Commit: got %v, want ErrUnavailable without content", err)
			}
			if name == "read-only" {
				if err := s.Ping(t.Context()); !errors.Is(err, memory.ErrUnavailable) {
					t.Errorf("Ping: got %v, want ErrUnavailable", err)
				}
			}
			if _, err := s.Get(t.Context(), storetest.Namespace, kept.ID); err != nil {
				t.Errorf("reading: %v", err)
			}
			if _, err := s.writer.ExecContext(t.Context(), tc.heal); err != nil {
				t.Fatal(err)
			}
			if r, err := s.Commit(t.Context(), storetest.Create(storetest.NewRecord(secret))); err != nil || r.Seq != 2 {
				t.Errorf("after healing: seq %d, error %v", r.Seq, err)
			}
		})
	}
}

// Two processes may hold one file for a moment, as when a pod is replaced; neither loses the other's writes.
func TestTwoStoresOnOneFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	a, b := mustOpen(t, path), mustOpen(t, path)
	for i, s := range []*Store{a, b, a, b} {
		r, err := s.Commit(t.Context(), storetest.Create(storetest.NewRecord("x")))
		if err != nil || r.Seq != uint64(i+1) {
			t.Fatalf("commit %d: seq %d, error %v", i, r.Seq, err)
		}
	}
	checkLog(t, a)
}

func TestBusyFileIsUnavailable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	holder := mustOpen(t, path)
	tx, err := holder.writer.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	_, err = tx.ExecContext(t.Context(), "UPDATE liveness SET at = 1")
	if err != nil {
		t.Fatal(err)
	}
	s := &Store{}
	if s.writer, err = connect(path, Options{BusyTimeout: 1}.withDefaults()); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if err := s.Ping(t.Context()); !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("got %v, want ErrUnavailable", err)
	}
}

func TestMigrationsAreNumbered(t *testing.T) {
	scripts, err := loadMigrations()
	if err != nil || len(scripts) == 0 {
		t.Errorf("%d migrations, error %v", len(scripts), err)
	}
}
