// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"memorytrust.dev/operator/internal/store/storetest"
)

// writerEnv makes the test binary a process that writes to the store at this path until it is killed.
const writerEnv = "MEMORYTRUST_TEST_WRITER"

// writeForever prints the id of a record as soon as its commit is acknowledged.
func writeForever(path string) int {
	s, err := Open(context.Background(), path, Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	for i := 0; ; i++ {
		r, err := s.Commit(context.Background(), storetest.Create(storetest.NewRecord(fmt.Sprint("memory ", i))))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		fmt.Println(r.ID)
	}
}

// Killing the process at any moment loses no acknowledged write, and the next process opens the file.
func TestKilledWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	var acknowledged []string
	for _, writes := range []int{1, 40, 200} {
		acknowledged = append(acknowledged, runAndKill(t, path, writes)...)
		s, err := Open(t.Context(), path, Options{})
		if err != nil {
			t.Fatalf("opening after a kill: %v", err)
		}
		heads, err := s.HeadSeq(t.Context(), acknowledged)
		if err != nil || len(heads) != len(acknowledged) {
			t.Errorf("log has %d of %d acknowledged writes, error %v", len(heads), len(acknowledged), err)
		}
		for _, id := range acknowledged {
			if r, err := s.Get(t.Context(), storetest.Namespace, id); err != nil || r.Seq != heads[id] {
				t.Errorf("acknowledged record %s: seq %d, log says %d, error %v", id, r.Seq, heads[id], err)
			}
		}
		checkWhole(t, s)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// runAndKill starts a writer, kills it after some acknowledgements and returns all it gave.
func runAndKill(t *testing.T, path string, writes int) []string {
	t.Helper()
	writer := exec.Command(os.Args[0]) // #nosec G204 -- this very binary
	writer.Env = append(os.Environ(), writerEnv+"="+path)
	writer.Stderr = os.Stderr
	out, err := writer.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := writer.Start(); err != nil {
		t.Fatal(err)
	}
	var ids []string
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		ids = append(ids, strings.TrimSpace(lines.Text()))
		if len(ids) == writes {
			if err := writer.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := writer.Wait(); err == nil || len(ids) < writes {
		t.Fatalf("writer ended by itself after %d writes", len(ids))
	}
	if last := ids[len(ids)-1]; len(last) != 36 {
		ids = ids[:len(ids)-1] // cut off in the middle of a line
	}
	return ids
}

// checkWhole checks that rows, versions, audit entries and their hashes agree.
func checkWhole(t *testing.T, s *Store) {
	t.Helper()
	var problem string
	if err := s.reader.QueryRowContext(t.Context(), "PRAGMA integrity_check").Scan(&problem); err != nil || problem != "ok" {
		t.Errorf("integrity check: %q, error %v", problem, err)
	}
	var records, versions, entries, last, indexed int64
	err := s.reader.QueryRowContext(t.Context(), `SELECT (SELECT count(*) FROM records), (SELECT count(*) FROM versions),
		(SELECT count(*) FROM audit), (SELECT max(seq) FROM audit),
		(SELECT count(*) FROM records_fts WHERE records_fts MATCH 'memory')`).Scan(&records, &versions, &entries, &last, &indexed)
	if err != nil || records != versions || versions != entries || entries != last || indexed != records {
		t.Errorf("%d records, %d indexed, %d versions, %d entries up to %d, error %v", records, indexed, versions, entries, last, err)
	}
	checkLog(t, s)
}
