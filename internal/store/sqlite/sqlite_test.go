// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"os"
	"path/filepath"
	"testing"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/store/storetest"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(writerEnv); path != "" {
		os.Exit(writeForever(path))
	}
	if path := os.Getenv(meeterEnv); path != "" {
		os.Exit(meetAndWait(path))
	}
	os.Exit(m.Run())
}

// opened remembers where the stores of a test are.
type opened map[memory.Store]string

func (o opened) openWith(t *testing.T, path string, opts Options) memory.Store {
	t.Helper()
	s := mustOpenWith(t, path, opts)
	o[s] = path
	return s
}

func mustOpen(t testing.TB, path string) *Store {
	t.Helper()
	return mustOpenWith(t, path, Options{})
}

func mustOpenWith(t testing.TB, path string, opts Options) *Store {
	t.Helper()
	s, err := Open(t.Context(), path, opts)
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

func TestConformance(t *testing.T) {
	for name, opts := range map[string]Options{"behind": {}, "through": {WriteThrough: true}} {
		t.Run(name, func(t *testing.T) {
			stores := opened{}
			storetest.Run(t, storetest.Target{
				Open: func(t *testing.T) memory.Store {
					return stores.openWith(t, filepath.Join(t.TempDir(), "memory.db"), opts)
				},
				Reopen: func(t *testing.T, s memory.Store) memory.Store {
					if err := s.Close(); err != nil {
						t.Fatal(err)
					}
					return stores.openWith(t, stores[s], opts)
				},
				Tamper: tamper,
			})
		})
	}
}

func tamper(t *testing.T, s memory.Store, older memory.Record) {
	t.Helper()
	_, err := s.(*Store).writer.conn.ExecContext(t.Context(),
		"UPDATE records SET seq = ?, zone = ?, state = ?, content = ?, tag = ? WHERE id = ?",
		older.Seq, older.Zone, older.State, older.Content, older.Tag, older.ID)
	if err != nil {
		t.Fatal(err)
	}
}
