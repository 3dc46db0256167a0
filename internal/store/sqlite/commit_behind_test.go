// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
	"memorytrust.dev/operator/internal/store/storetest"
)

const killedID = "0198c5a0-0000-7000-8000-000000000001"

// ledgered is a new record that may be written behind.
func ledgered(id string) memory.Change {
	r := storetest.NewRecord("Ada prefers trains over planes.")
	r.ID, r.Kind, r.Class, r.Parents = id, memory.ReservedKinds+"upstream", provenance.WebContent, []string{memory.NewID()}
	c := storetest.Create(r)
	c.Sign = func(r memory.Record) ([]byte, error) { return sealed(r), nil }
	c.Trace = []uint64{21, 22}
	c.Fragment = &memory.Fragment{
		Namespace: r.Namespace, RecordID: id, Root: id, Class: r.Class, At: storetest.Epoch,
		Mentions: []memory.FragmentMention{{Entity: 1<<63 + 5, Signals: 3}},
	}
	return c
}

// sealed is the tag of a record at its place.
func sealed(r memory.Record) []byte {
	sum := sha256.Sum256(fmt.Append(nil, r.ID, r.Seq, r.Content))
	return append([]byte{1, 0, 0, 0, 9}, sum[:]...)
}

func complete(t testing.TB, c memory.Change, seq uint64) *commit {
	t.Helper()
	commits, err := newCommits([]memory.Change{c})
	if err == nil {
		err = commits[0].sealAs(seq)
	}
	if err != nil {
		t.Fatal(err)
	}
	return commits[0]
}

func sameCommit(a, b *commit) bool {
	return cmp.Equal(a.record, b.record) && cmp.Equal(a.change.Fragment, b.change.Fragment)
}

func acknowledged(t *testing.T, s *Store, ids ...string) []memory.Record {
	t.Helper()
	var changes []memory.Change
	for _, id := range ids {
		changes = append(changes, ledgered(id))
	}
	out, err := s.CommitBehind(t.Context(), changes)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// inTables is how many entries the audit log has in the file.
func inTables(t *testing.T, s *Store) int64 {
	t.Helper()
	n, err := one(t.Context(), s.reader, "test", "SELECT count(*) FROM audit", nil, value[int64])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// A record counts before it is in the tables, and a process that starts after this one was killed finds it as it was acknowledged: same
// place, same tag, same hash, with what is kept of it.
func TestRecordsOutliveTheProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s := mustOpen(t, path)
	if _, err := s.Commit(t.Context(), storetest.Create(storetest.NewRecord("olive trees"))); err != nil {
		t.Fatal(err)
	}
	held(t, s)
	want := acknowledged(t, s, memory.NewID(), memory.NewID())
	if size, err := s.Size(t.Context()); size != 3 || err != nil || inTables(t, s) != 1 {
		t.Errorf("a log of %d entries, %d of them in the tables, error %v", size, inTables(t, s), err)
	}
	if traced, err := s.Traced(t.Context(), storetest.Namespace, []uint64{21}, 9); err != nil || len(traced) != 2 {
		t.Errorf("traced before they are in the tables: %+v, error %v", traced, err)
	}
	after := mustOpen(t, copied(t, path))
	for _, r := range want {
		got, err := after.Get(t.Context(), storetest.Namespace, r.ID)
		if diff := cmp.Diff(r, got); err != nil || diff != "" {
			t.Errorf("(-acknowledged +found):\n%s error %v", diff, err)
		}
		heads, err := after.Heads(t.Context(), []string{r.ID})
		if err != nil || heads[r.ID].Seq != r.Seq {
			t.Errorf("the audit log has it at %d, want %d; error %v", heads[r.ID].Seq, r.Seq, err)
		}
	}
	if got, err := after.Fragments(t.Context(), storetest.Namespace, []uint64{1<<63 + 5}, storetest.Epoch); err != nil || len(got) != 2 {
		t.Errorf("fragments %+v, error %v", got, err)
	}
	if got, err := after.Traced(t.Context(), storetest.Namespace, []uint64{21}, 9); err != nil || len(got) != 2 {
		t.Errorf("traced %+v, error %v", got, err)
	}
	next, err := after.Commit(t.Context(), storetest.Create(storetest.NewRecord("figs")))
	if err != nil || next.Seq != 4 {
		t.Errorf("the next has place %d, error %v", next.Seq, err)
	}
	checkLog(t, after)
}

// A record that was in the tables when the process was killed is not written again.
func TestRecordsAreKeptOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s := mustOpen(t, path)
	acknowledged(t, s, memory.NewID())
	journal, err := os.ReadFile(path + journalSuffix)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.settled(t.Context()); err != nil {
		t.Fatal(err)
	}
	again := copied(t, path)
	if err := os.WriteFile(again+journalSuffix, journal, 0o600); err != nil {
		t.Fatal(err)
	}
	if n := inTables(t, mustOpen(t, again)); n != 1 {
		t.Errorf("%d entries in the audit log, want one", n)
	}
}

// A journal that is older than the store, because somebody put it there, adds nothing: the places of its records are taken.
func TestJournalOfAnotherTime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s := mustOpen(t, path)
	held(t, s)
	r := acknowledged(t, s, memory.NewID())[0]
	late := copied(t, path)
	other := mustOpen(t, filepath.Join(t.TempDir(), "other.db"))
	mine, err := other.Commit(t.Context(), storetest.Create(storetest.NewRecord("figs")))
	if err != nil {
		t.Fatal(err)
	}
	to := copied(t, other.path(t))
	journal, err := os.ReadFile(late + journalSuffix)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to+journalSuffix, journal, 0o600); err != nil {
		t.Fatal(err)
	}
	after := mustOpen(t, to)
	if _, err := after.Get(t.Context(), storetest.Namespace, r.ID); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("error %v for a record of another store", err)
	}
	if got, err := after.Get(t.Context(), storetest.Namespace, mine.ID); err != nil || got.Seq != 1 {
		t.Errorf("at %d, error %v", got.Seq, err)
	}
	checkLog(t, after)
}

func (s *Store) path(t *testing.T) string {
	t.Helper()
	path, err := one(t.Context(), s.reader, "test", "SELECT file FROM pragma_database_list WHERE name = 'main'", nil, value[string])
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// While another process works with the store, records are in the tables when they are acknowledged.
func TestRecordsOfTwoProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	first := mustOpen(t, path)
	early := acknowledged(t, first, memory.NewID())[0]
	second := mustOpen(t, path)
	late := acknowledged(t, first, memory.NewID())[0]
	mine := acknowledged(t, second, memory.NewID())[0]
	if early.Seq != 1 || late.Seq != 2 || mine.Seq != 3 || inTables(t, second) != 3 {
		t.Errorf("places %d, %d, %d of %d", early.Seq, late.Seq, mine.Seq, inTables(t, second))
	}
	checkLog(t, first)
}

// A store whose disk takes no more acknowledges nothing, and what it acknowledged before comes into the tables once it does again.
func TestRecordsWhereTheDiskIsFull(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "memory.db"))
	exec := func(statement string) {
		t.Helper()
		err := s.writer.do(context.Background(), "test", func(w *writer) error { return w.script(statement) })
		if err != nil {
			t.Fatal(err)
		}
	}
	exec("CREATE TEMP TRIGGER full BEFORE INSERT ON main.audit BEGIN SELECT raise(ROLLBACK, 'disk full'); END")
	r := acknowledged(t, s, memory.NewID())[0]
	if _, err := s.Get(t.Context(), storetest.Namespace, r.ID); err == nil {
		t.Error("a record is found that could not be written")
	}
	if _, err := s.CommitBehind(t.Context(), []memory.Change{ledgered(memory.NewID())}); err == nil {
		t.Error("a record was acknowledged while none can be written")
	}
	exec("DROP TRIGGER temp.full")
	for {
		got, err := s.Get(t.Context(), storetest.Namespace, r.ID)
		if err == nil {
			if diff := cmp.Diff(r, got); diff != "" {
				t.Errorf("(-acknowledged +found):\n%s", diff)
			}
			break
		}
		if t.Context().Err() != nil {
			t.Fatal(err)
		}
	}
	checkLog(t, s)
}

// A purge leaves nothing of a text in the journal.
func TestPurgedFromTheJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s := mustOpen(t, path)
	r := acknowledged(t, s, memory.NewID())[0]
	sum := sha256.Sum256([]byte(r.Content))
	gone := r
	gone.Content, gone.Erased, gone.State = "", sum[:], memory.Forgotten
	if _, err := s.Commit(t.Context(), memory.Change{Type: memory.ChangePurge, Record: gone, Actor: "person/alice", ExpectSeq: r.Seq}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path + journalSuffix); err != nil || info.Size() != journalHeader {
		t.Errorf("the journal has %d bytes, error %v", info.Size(), err)
	}
}
