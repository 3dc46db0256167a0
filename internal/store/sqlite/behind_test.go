// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
	"memorytrust.dev/operator/internal/store/storetest"
)

// observation is a text that a session met.
func observation(session string, class provenance.Class, features ...uint64) memory.Trace {
	return memory.Trace{
		ID: memory.NewID(), Namespace: storetest.Namespace, Session: session, Class: class, At: storetest.Epoch, Features: features,
	}
}

// mark is what a session counts as.
func mark(t *testing.T, s *Store, session string) provenance.Class {
	t.Helper()
	class, met, err := s.LowestDelivered(t.Context(), storetest.Namespace, session, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	if !met {
		return provenance.UserInput
	}
	return class
}

// held keeps the journal from being written to the store, as if the process was killed before it could.
func held(t *testing.T, s *Store) {
	t.Helper()
	started, release := make(chan struct{}), make(chan struct{})
	go func() {
		_ = s.writer.do(context.Background(), "test", func(*writer) error {
			close(started)
			<-release
			return nil
		})
	}()
	<-started
	t.Cleanup(func() { close(release) })
}

// copied is the store as a process would find it that starts now, after the one that has it open was killed.
func copied(t *testing.T, path string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "memory.db")
	for _, suffix := range []string{"", "-wal", journalSuffix} {
		raw, err := os.ReadFile(path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to+suffix, raw, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return to
}

// What sessions met is found before it is in the store, and after a process that was killed before it was.
func TestMetOutlivesTheProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s := mustOpen(t, path)
	r, err := s.Commit(t.Context(), storetest.Create(storetest.NewRecord("olive trees")))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Observe(t.Context(), observation("early", provenance.ToolOutput, 1)); err != nil {
		t.Fatal(err)
	}
	if err := s.settled(t.Context()); err != nil {
		t.Fatal(err)
	}
	held(t, s)
	web := observation("a", provenance.WebContent, 7, 8, 9)
	if err := s.Observe(t.Context(), web); err != nil {
		t.Fatal(err)
	}
	shown := memory.Delivery{
		Namespace: storetest.Namespace, Session: "b", RecordID: r.ID, Seq: r.Seq, Class: provenance.Unknown, Score: .5, At: storetest.Epoch,
	}
	if err := s.LogDeliveries(t.Context(), []memory.Delivery{shown, shown}, []memory.Trace{
		{ID: r.ID, Namespace: storetest.Namespace, Record: true, Class: provenance.Unknown, At: storetest.Epoch, Features: []uint64{9, 20}},
	}); err != nil {
		t.Fatal(err)
	}
	for name, store := range map[string]*Store{"before": s, "after": mustOpen(t, copied(t, path))} {
		for session, want := range map[string]provenance.Class{
			"early": provenance.ToolOutput, "a": provenance.WebContent, "b": provenance.Unknown, "": provenance.Unknown, "other": provenance.UserInput,
		} {
			if got := mark(t, store, session); got != want {
				t.Errorf("%s: session %q counts as %s, want %s", name, session, got, want)
			}
		}
		if class, _, err := store.LowestUnbound(t.Context(), storetest.Namespace, time.Time{}); class != provenance.Unknown || err != nil {
			t.Errorf("%s: outside of opened sessions %s, error %v", name, class, err)
		}
		got, err := store.Deliveries(t.Context(), memory.DeliveryFilter{RecordID: r.ID, Limit: 9})
		if diff := cmp.Diff([]memory.Delivery{shown, shown}, got); err != nil || diff != "" {
			t.Errorf("%s: deliveries (-want +got):\n%s error %v", name, diff, err)
		}
		traced, err := store.Traced(t.Context(), storetest.Namespace, []uint64{7, 9}, 9)
		if err != nil || len(traced) != 2 || traced[0].ID != web.ID || traced[0].Features != 3 || len(traced[0].Shared) != 2 || traced[1].ID != r.ID {
			t.Errorf("%s: traced %+v, error %v", name, traced, err)
		}
		found, err := store.Search(t.Context(), memory.Query{Namespace: storetest.Namespace, Text: "olive", Limit: 1})
		if err != nil || len(found) != 1 || found[0].Recalls != 2 {
			t.Errorf("%s: found %+v, error %v", name, found, err)
		}
	}
}

// An entry that is in the store already is not written again, whenever the process was killed.
func TestMetIsKeptOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s := mustOpen(t, path)
	d := memory.Delivery{Namespace: storetest.Namespace, Session: "b", RecordID: memory.NewID(), Class: provenance.Unknown, At: storetest.Epoch}
	if err := s.LogDeliveries(t.Context(), []memory.Delivery{d}, nil); err != nil {
		t.Fatal(err)
	}
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
	got, err := mustOpen(t, again).Deliveries(t.Context(), memory.DeliveryFilter{Session: "b", Limit: 9})
	if err != nil || len(got) != 1 {
		t.Errorf("%d deliveries, want one; error %v", len(got), err)
	}
}

// Where the machine went down, what was met last may be lost, so that no session that there was counts for more than Unknown. One
// that begins later does.
func TestMachineWentDown(t *testing.T) {
	for name, damage := range map[string]func([]byte) []byte{
		"another boot": func(raw []byte) []byte {
			copy(raw[len(journalMagic):], "00000000-0000-4000-8000-000000000000")
			return raw
		},
		"and lost entries": func([]byte) []byte {
			return append([]byte(journalMagic+"another boot"), make([]byte, 60)...)[:journalHeader]
		},
		"a header cut off":   func(raw []byte) []byte { return raw[:journalHeader-1] },
		"a header of zeroes": func(raw []byte) []byte { return make([]byte, len(raw)) },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "memory.db")
			s := mustOpen(t, path)
			opened := memory.OpenedSession{
				Namespace: storetest.Namespace, ID: "opened", Writer: memory.Writer{Channel: "chat", Principal: "alice"}, OpenedAt: storetest.Epoch,
				Tag: []byte("tag"),
			}
			if _, err := s.OpenSession(t.Context(), opened); err != nil {
				t.Fatal(err)
			}
			if err := s.Observe(t.Context(), observation("met", provenance.ToolOutput, 1)); err != nil {
				t.Fatal(err)
			}
			if err := s.settled(t.Context()); err != nil {
				t.Fatal(err)
			}
			after := copied(t, path)
			raw, err := os.ReadFile(after + journalSuffix)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(after+journalSuffix, damage(raw), 0o600); err != nil {
				t.Fatal(err)
			}
			down := mustOpen(t, after)
			for session, want := range map[string]provenance.Class{
				"opened": provenance.Unknown, "met": provenance.Unknown, "": provenance.Unknown, "new": provenance.UserInput,
			} {
				if got := mark(t, down, session); got != want {
					t.Errorf("session %q counts as %s, want %s", session, got, want)
				}
			}
			since := time.Now().Add(-time.Minute)
			if class, _, err := down.LowestUnbound(t.Context(), storetest.Namespace, since); class != provenance.Unknown || err != nil {
				t.Errorf("outside of opened sessions %s, error %v", class, err)
			}
		})
	}
	path := filepath.Join(t.TempDir(), "memory.db")
	s := mustOpen(t, path)
	if err := s.Observe(t.Context(), observation("met", provenance.ToolOutput, 1)); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path + journalSuffix); err != nil || info.Size() != 0 {
		t.Errorf("a store that was closed leaves %+v in its journal, error %v", info, err)
	}
	if got := mark(t, mustOpen(t, path), "met"); got != provenance.ToolOutput {
		t.Errorf("after the store was closed the session counts as %s", got)
	}
}

// The end of a journal that was cut off while an entry was written is no entry.
func TestTornJournal(t *testing.T) {
	whole := entry{n: 1, rows: []met{{Delivery: memory.Delivery{Namespace: "a", Class: provenance.WebContent, At: storetest.Epoch}}}}.frame()
	torn := entry{n: 2}.frame()
	for cut := range len(torn) {
		if got := decodeFrames(append(bytes.Clone(whole), torn[:cut]...)); len(got) != 1 || got[0].n != 1 {
			t.Errorf("cut at %d: %+v", cut, got)
		}
	}
	flipped := append(bytes.Clone(whole), torn...)
	flipped[len(flipped)-1] ^= 1
	if got := decodeFrames(flipped); len(got) != 1 {
		t.Errorf("flipped: %+v", got)
	}
}

// While another process works with the store, each finds at once what the other's sessions met.
func TestTwoProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	first := mustOpen(t, path)
	if err := first.Observe(t.Context(), observation("s", provenance.ToolOutput, 1)); err != nil {
		t.Fatal(err)
	}
	second := mustOpen(t, path) // each file that is opened has locks of its own, as if it was another process
	stores := map[string]*Store{"first": first, "second": second}
	for i, class := range []provenance.Class{provenance.WebContent, provenance.Unknown} {
		by := []string{"second", "first"}[i]
		for name, s := range stores {
			if got := mark(t, s, "s"); got.Below(class) || got == class {
				t.Errorf("%s: before, the session counts as %s", name, got)
			}
		}
		if err := stores[by].Observe(t.Context(), observation("s", class, 1)); err != nil {
			t.Fatal(err)
		}
		for name, s := range stores {
			if got := mark(t, s, "s"); got != class {
				t.Errorf("%s: after what %s met, the session counts as %s, want %s", name, by, got, class)
			}
		}
	}
	r, err := second.Commit(t.Context(), storetest.Create(storetest.NewRecord("olive trees")))
	if err != nil {
		t.Fatal(err)
	}
	if size, err := first.Size(t.Context()); size != r.Seq || err != nil {
		t.Errorf("the first finds a log of %d entries, want %d; error %v", size, r.Seq, err)
	}
}

// A volume that takes no more keeps nothing back in memory: who met something is told that it was not noted.
func TestJournalThatCannotBeWritten(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "memory.db"))
	closed, err := os.Open(os.DevNull) // cannot be written to
	if err != nil {
		t.Fatal(err)
	}
	s.behind.mu.Lock()
	real := s.behind.journal.file
	s.behind.journal.file = closed
	s.behind.mu.Unlock()
	err = s.behind.take(t.Context(), s.reader, entry{rows: []met{{Delivery: memory.Delivery{
		Namespace: storetest.Namespace, Session: "s", Class: provenance.WebContent, At: storetest.Epoch,
	}}}})
	s.behind.mu.Lock()
	s.behind.journal.file = real
	s.behind.mu.Unlock()
	if !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("error %v", err)
	}
	if got := mark(t, s, "s"); got != provenance.UserInput {
		t.Errorf("the session counts as %s, though nothing was acknowledged", got)
	}
}

// More than the journal takes waits for the store, and nothing of it is lost.
func TestBackPressure(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "memory.db"))
	const n = 3 * maxMetEntries
	for i := range n {
		if err := s.Observe(t.Context(), observation(fmt.Sprint("s", i%7), provenance.WebContent, uint64(i))); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.settled(t.Context()); err != nil {
		t.Fatal(err)
	}
	kept, err := one(t.Context(), s.reader, "test", "SELECT count(*) FROM traces", nil, value[int])
	if err != nil || kept != n {
		t.Errorf("%d of %d are kept, error %v", kept, n, err)
	}
}

func FuzzEntry(f *testing.F) {
	f.Add([]byte{})
	f.Add(entry{n: 1}.encode(nil))
	f.Add(entry{
		n: 7, rows: []met{{Delivery: memory.Delivery{Namespace: "a", Session: "s", RecordID: "r", Class: "c", Score: .5, At: storetest.Epoch}, unbound: true}},
		traces: []memory.Trace{{ID: "i", Namespace: "a", Record: true, At: storetest.Epoch, Features: []uint64{1, 1 << 63}}},
	}.encode(nil))
	f.Add(entry{n: 8, commits: []*commit{complete(f, ledgered(killedID), 1)}}.encode(nil))
	f.Fuzz(func(t *testing.T, raw []byte) {
		e, err := decodeEntry(raw)
		if err != nil {
			return
		}
		again, err := decodeEntry(e.encode(nil))
		if diff := cmp.Diff(e, again, cmp.AllowUnexported(entry{}, met{}), cmp.Comparer(sameCommit), cmp.Comparer(func(a, b float64) bool { return a == b || a != a && b != b })); err != nil || diff != "" {
			t.Errorf("(-first +again):\n%s error %v", diff, err)
		}
	})
}

// meeterEnv makes the test binary a process that notes what a session met, says so, and waits to be killed.
const meeterEnv = "MEMORYTRUST_TEST_MEETER"

func meetAndWait(path string) int {
	s, err := Open(context.Background(), path, Options{})
	if err == nil {
		err = s.Observe(context.Background(), observation("s", provenance.WebContent, 5, 6))
	}
	if err == nil {
		_, err = s.CommitBehind(context.Background(), []memory.Change{ledgered(killedID)})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println("noted")
	select {}
}

// A process that is killed as soon as it has answered loses neither the mark of a session, nor what its words are recognized by, nor a
// record that it acknowledged.
func TestKilledRightAfterTheAnswer(t *testing.T) {
	for range 3 {
		path := filepath.Join(t.TempDir(), "memory.db")
		cmd := exec.Command(os.Args[0]) // #nosec G204 -- this test
		cmd.Env = append(os.Environ(), meeterEnv+"="+path)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		_, err = out.Read(make([]byte, 1))
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if err != nil {
			t.Fatal(err)
		}
		s := mustOpen(t, path)
		if got := mark(t, s, "s"); got != provenance.WebContent {
			t.Errorf("the session counts as %s", got)
		}
		if got, err := s.Traced(t.Context(), storetest.Namespace, []uint64{5}, 1); err != nil || len(got) != 1 {
			t.Errorf("traced %v, error %v", got, err)
		}
		if got, err := s.Get(t.Context(), storetest.Namespace, killedID); err != nil || !bytes.Equal(got.Tag, sealed(got)) {
			t.Errorf("record %+v, error %v", got, err)
		}
	}
}

// What a version left behind that put no records into the journal is recovered like anything else.
func TestJournalOfAnEarlierVersion(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s := mustOpen(t, path)
	held(t, s)
	if err := s.Observe(t.Context(), observation("s", provenance.WebContent, 5)); err != nil {
		t.Fatal(err)
	}
	earlier := copied(t, path)
	raw, err := os.ReadFile(earlier + journalSuffix)
	if err != nil {
		t.Fatal(err)
	}
	copy(raw, journalMagic1)
	if err := os.WriteFile(earlier+journalSuffix, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	after := mustOpen(t, earlier)
	if got := mark(t, after, "s"); got != provenance.WebContent {
		t.Errorf("the session counts as %s, want what it met", got)
	}
}
