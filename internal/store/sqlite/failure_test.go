// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/store/storetest"
)

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
			if _, err := s.writer.conn.ExecContext(t.Context(), tc.refuse); err != nil {
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
			if _, err := s.writer.conn.ExecContext(t.Context(), tc.heal); err != nil {
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
	waiting, err := Open(t.Context(), path, Options{BusyTimeout: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = waiting.Close() }()
	tx, err := holder.writer.conn.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := waiting.Ping(t.Context()); !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("got %v, want ErrUnavailable", err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := waiting.Ping(t.Context()); err != nil {
		t.Errorf("once the file is free: %v", err)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// A copy of the file made earlier, put back in its place, is an older state and no damage; so is a file that lost its
// write-ahead log. Whoever keeps checkpoints can tell.
func TestOlderStates(t *testing.T) {
	for name, cut := range map[string]func(t *testing.T, s *Store, path, older string){
		"a copy": func(t *testing.T, s *Store, path, older string) {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			copyFile(t, path, older)
			s = mustOpen(t, path)
			fill(t, s, 20, func(int) string { return "memory written later" })
		},
		"a lost write-ahead log": func(t *testing.T, s *Store, path, older string) {
			if _, err := s.writer.conn.ExecContext(t.Context(), "PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
				t.Fatal(err)
			}
			fill(t, s, 20, func(int) string { return "memory written later" })
			copyFile(t, path, older)
		},
	} {
		t.Run(name, func(t *testing.T) {
			path, older := filepath.Join(t.TempDir(), "memory.db"), filepath.Join(t.TempDir(), "memory.db")
			s, err := Open(t.Context(), path, Options{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = s.Close() })
			fill(t, s, 10, func(int) string { return "memory" })
			cut(t, s, path, older)
			restored := mustOpen(t, older)
			checkWhole(t, restored)
			r, err := restored.Commit(t.Context(), storetest.Create(storetest.NewRecord("memory that goes on")))
			if err != nil || r.Seq != 11 {
				t.Errorf("seq %d, error %v", r.Seq, err)
			}
			checkWhole(t, restored)
		})
	}
}

// Damage in the middle of the file shows as such when it is read, and nothing of the file's content gets into the error.
func TestDamagedPages(t *testing.T) {
	path := written(t)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const page = 4096
	for at := page; at+page <= len(data); at += page {
		if bytes.Contains(data[at:at+page], []byte("olive olive")) {
			copy(data[at:], bytes.Repeat([]byte{0xa5}, 200))
		}
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), path, Options{})
	if err == nil {
		defer func() { _ = s.Close() }()
		_, err = s.List(t.Context(), memory.Filter{Limit: 1000})
	}
	if !errors.Is(err, ErrCorrupt) || strings.Contains(err.Error(), "olive") {
		t.Errorf("got %v, want ErrCorrupt without content", err)
	}
}

func TestClosedStore(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "memory.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	}
	_, read := s.Get(t.Context(), storetest.Namespace, memory.NewID())
	_, write := s.Commit(t.Context(), storetest.Create(storetest.NewRecord("x")))
	for name, err := range map[string]error{"reading": read, "writing": write} {
		if !errors.Is(err, memory.ErrUnavailable) {
			t.Errorf("%s: got %v, want ErrUnavailable", name, err)
		}
	}
}
