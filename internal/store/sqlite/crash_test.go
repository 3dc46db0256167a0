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

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/store/storetest"
)

// writerEnv makes the test binary a process that writes to the store at this path until it is killed.
const writerEnv = "MEMORYTRUST_TEST_WRITER"

// writers is how many goroutines write at once, so that what is killed is a batch.
const writers = 8

// writeForever prints the id of a record as soon as its commit is acknowledged.
func writeForever(path string) int {
	s, err := Open(context.Background(), path, Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	failed := make(chan error, writers)
	for w := range writers {
		go func() {
			for i := 0; ; i++ {
				if err := writeSome(s, fmt.Sprintf("memory %d of writer %d", i, w), i%4 == 0); err != nil {
					failed <- err
					return
				}
			}
		}()
	}
	fmt.Fprintln(os.Stderr, <-failed)
	return 1
}

// writeSome commits one or two records and logs their delivery.
func writeSome(s *Store, content string, two bool) error {
	changes := []memory.Change{storetest.Create(storetest.NewRecord(content))}
	if two {
		changes = append(changes, storetest.Create(storetest.NewRecord(content+" and more")))
	}
	records, err := s.CommitAll(context.Background(), changes)
	if err != nil {
		return err
	}
	for _, r := range records {
		fmt.Println(r.ID)
	}
	d := memory.Delivery{Namespace: storetest.Namespace, Session: "s", RecordID: records[0].ID, Seq: records[0].Seq, Class: records[0].Class, At: storetest.Epoch}
	return s.LogDeliveries(context.Background(), []memory.Delivery{d}, nil)
}

// Killing the process at any moment loses no acknowledged write, and the next process opens the file.
func TestKilledWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	var acknowledged []string
	for _, writes := range []int{1, 40, 200, 7, 90} {
		acknowledged = append(acknowledged, runAndKill(t, path, writes)...)
		s, err := Open(t.Context(), path, Options{})
		if err != nil {
			t.Fatalf("opening after a kill: %v", err)
		}
		heads, err := s.Heads(t.Context(), acknowledged)
		if err != nil || len(heads) != len(acknowledged) {
			t.Errorf("log has %d of %d acknowledged writes, error %v", len(heads), len(acknowledged), err)
		}
		for _, id := range acknowledged {
			if r, err := s.Get(t.Context(), storetest.Namespace, id); err != nil || headOf(r) != heads[id] {
				t.Errorf("acknowledged record %s: seq %d, log says %d, error %v", id, r.Seq, heads[id].Seq, err)
			}
		}
		checkWhole(t, s)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func headOf(r memory.Record) memory.Head {
	return memory.Head{Seq: r.Seq, Commit: [32]byte(r.Commit.Hash)}
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
	problem, err := one(t.Context(), s.reader, "test", "PRAGMA integrity_check", nil, value[string])
	if err != nil || problem != "ok" {
		t.Errorf("integrity check: %q, error %v", problem, err)
	}
	var records, versions, entries, last, indexed int64
	_, err = one(t.Context(), s.reader, "test", `SELECT (SELECT count(*) FROM records), (SELECT count(*) FROM versions),
		(SELECT count(*) FROM audit), (SELECT max(seq) FROM audit),
		(SELECT count(*) FROM records_fts WHERE records_fts MATCH '1dmemory')`, nil, func(scan func(...any) error) (struct{}, error) {
		return struct{}{}, scan(&records, &versions, &entries, &last, &indexed)
	})
	if err != nil || records != versions || versions != entries || entries != last || indexed != records {
		t.Errorf("%d records, %d indexed, %d versions, %d entries up to %d, error %v", records, indexed, versions, entries, last, err)
	}
	delivered, err := one(t.Context(), s.reader, "test",
		"SELECT (SELECT count(*) FROM deliveries) - (SELECT coalesce(sum(recalls), 0) FROM recalls)", nil, value[int])
	if err != nil || delivered != 0 {
		t.Errorf("deliveries and recalls differ by %d, error %v", delivered, err)
	}
	if _, err := s.writer.conn.ExecContext(t.Context(), "INSERT INTO records_fts (records_fts) VALUES ('integrity-check')"); err != nil {
		t.Errorf("index: %v", err)
	}
	checkLog(t, s)
}
