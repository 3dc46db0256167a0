// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
	"memorytrust.dev/operator/internal/store/storetest"
)

// What is remembered of traces answers as the tables do, whatever was added, lowered or dropped, in whatever order.
func TestRememberedTracesAreThoseOfTheTables(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "memory.db"))
	random := rand.New(rand.NewPCG(11, 12)) // #nosec G404 -- the same in every run
	classes := []provenance.Class{provenance.WebContent, provenance.ToolOutput, provenance.AgentInferred, provenance.Unknown}
	features := func() []uint64 {
		out := make([]uint64, 1+random.IntN(6))
		for i := range out {
			out[i] = uint64(random.IntN(12)) // so few that most are in more than sharedTraces
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	var records []memory.Record
	for step := range 400 {
		switch random.IntN(8) {
		case 0:
			c := storetest.Create(storetest.NewRecord(fmt.Sprint("record ", step)))
			c.Trace = features()
			r, err := s.Commit(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			records = append(records, r)
		case 1:
			if len(records) == 0 {
				continue
			}
			i := random.IntN(len(records))
			next := records[i]
			next.Class = provenance.Unknown
			r, err := s.Commit(t.Context(), memory.Change{
				Type: memory.ChangeUpdate, Record: next, Actor: "agent", ExpectSeq: next.Seq, Trace: features(),
			})
			if err != nil {
				t.Fatal(err)
			}
			records[i] = r
		case 2:
			if step%40 == 0 {
				if err := s.ForgetTraces(t.Context(), storetest.Epoch.Add(time.Duration(step)*time.Second)); err != nil {
					t.Fatal(err)
				}
			}
		default:
			o := observation("s", classes[random.IntN(len(classes))], features()...)
			o.At = storetest.Epoch.Add(time.Duration(step) * time.Second)
			if err := s.Observe(t.Context(), o); err != nil {
				t.Fatal(err)
			}
		}
		if step%7 == 0 {
			if err := s.settled(t.Context()); err != nil {
				t.Fatal(err)
			}
			asked := features()
			want, err := (&tracedIn{reader: s.reader, postings: &postings{}, namespace: storetest.Namespace}).find(t.Context(), asked, 20)
			if err != nil {
				t.Fatal(err)
			}
			got, err := s.Traced(t.Context(), storetest.Namespace, asked, 20)
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Fatalf("step %d (-tables +remembered):\n%s error %v", step, diff, err)
			}
		}
	}
	if lists, missing, _ := s.postings.known(storetest.Namespace, []uint64{1, 2, 3}); len(lists) == 0 {
		t.Errorf("nothing is remembered, %v missing", missing)
	}
}

// That there is no record is known without looking, until another process may add some.
func TestPresence(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s := mustOpen(t, path)
	r, err := s.Commit(t.Context(), storetest.Create(storetest.NewRecord("olive trees")))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = mustOpen(t, path)
	behind := acknowledged(t, s, memory.NewID())[0]
	never := memory.NewID()
	list := func(s *Store, ids ...string) (out []string) {
		t.Helper()
		found, err := s.List(t.Context(), memory.Filter{Namespace: storetest.Namespace, IDs: ids, Limit: 9})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range found {
			out = append(out, r.ID)
		}
		return out
	}
	if got := s.present.possible([]string{r.ID, never}); !slices.Equal(got, []string{r.ID}) {
		t.Errorf("there can be %v", got)
	}
	if got := list(s, behind.ID, r.ID, never); len(got) != 2 {
		t.Errorf("found %v", got)
	}
	second := mustOpen(t, path)
	theirs, err := second.Commit(t.Context(), storetest.Create(storetest.NewRecord("figs")))
	if err != nil {
		t.Fatal(err)
	}
	if got := list(s, theirs.ID); len(got) != 1 {
		t.Errorf("of another process %v", got)
	}
}

// What was said last is known without looking, until somebody says more, or another process may have noted it.
func TestRememberedTurns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s := mustOpen(t, path)
	turn := func(s *Store, content string) {
		t.Helper()
		err := s.PutTurn(t.Context(), memory.Turn{
			Namespace: storetest.Namespace, Session: "s", ID: memory.NewID(), Content: content, At: storetest.Epoch, Tag: []byte("tag"),
			Writer: memory.Writer{Channel: "chat", Principal: "alice"},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	said := func(s *Store) string {
		t.Helper()
		got := ""
		for range 2 { // read, then remembered
			turn, err := s.CurrentTurn(t.Context(), storetest.Namespace, "s", true)
			if err != nil {
				turn.Content = err.Error()
			}
			got = turn.Content
		}
		return got
	}
	if got := said(s); got != memory.ErrNotFound.Error() {
		t.Errorf("before anything was said: %s", got)
	}
	for _, words := range []string{"pay the rent", "and the gas"} {
		if turn(s, words); said(s) != words {
			t.Errorf("said %q, want %q", said(s), words)
		}
	}
	if _, known, _ := s.turns.find(turnOf{storetest.Namespace, "s", true}); !known {
		t.Error("nothing is remembered")
	}
	second := mustOpen(t, path)
	if turn(second, "no, wait"); said(s) != "no, wait" || said(second) != "no, wait" {
		t.Errorf("after another process: %q and %q", said(s), said(second))
	}
	if err := s.ForgetTurns(t.Context(), storetest.Epoch.Add(time.Hour), storetest.Epoch.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if got := said(s); got != memory.ErrNotFound.Error() {
		t.Errorf("after it was forgotten: %s", got)
	}
}

// What another process wrote that came and went while this one was asked nothing is found.
func TestVisitedWhileIdle(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s := mustOpen(t, path)
	if err := s.Observe(t.Context(), observation("s", provenance.ToolOutput, 1)); err != nil {
		t.Fatal(err)
	}
	if got := mark(t, s, "s"); got != provenance.ToolOutput {
		t.Fatalf("the session counts as %s", got)
	}
	ask := func() [4]uint64 {
		t.Helper()
		size, err := s.Size(t.Context())
		traced, err2 := s.Traced(t.Context(), storetest.Namespace, []uint64{7}, 9)
		listed, err3 := s.List(t.Context(), memory.Filter{Namespace: storetest.Namespace, IDs: []string{killedID}, Limit: 9})
		turn, err4 := s.CurrentTurn(t.Context(), storetest.Namespace, "s", true)
		if errors.Is(err4, memory.ErrNotFound) {
			err4 = nil
		}
		if err := errors.Join(err, err2, err3, err4); err != nil {
			t.Fatal(err)
		}
		return [4]uint64{size, uint64(len(traced)), uint64(len(listed)), uint64(len(turn.Content))}
	}
	if err := s.settled(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := ask(); got != [4]uint64{} {
		t.Fatalf("before: %v", got)
	}
	second := mustOpen(t, path)
	if err := second.Observe(t.Context(), observation("s", provenance.Unknown, 7)); err != nil {
		t.Fatal(err)
	}
	theirs := storetest.NewRecord("figs")
	theirs.ID = killedID
	if _, err := second.Commit(t.Context(), storetest.Create(theirs)); err != nil {
		t.Fatal(err)
	}
	if err := second.PutTurn(t.Context(), memory.Turn{
		Namespace: storetest.Namespace, Session: "s", ID: memory.NewID(), Content: "pay", At: storetest.Epoch, Tag: []byte("tag"),
		Writer: memory.Writer{Channel: "chat", Principal: "alice"},
	}); err != nil {
		t.Fatal(err)
	}
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
	if got := mark(t, s, "s"); got != provenance.Unknown {
		t.Errorf("the session counts as %s", got)
	}
	if got := ask(); got != [4]uint64{1, 1, 1, 3} {
		t.Errorf("after: %v", got)
	}
	if b, err := s.alone(t.Context()); b == nil || err != nil {
		t.Errorf("not alone again, error %v", err)
	}
	if next := acknowledged(t, s, memory.NewID())[0]; next.Seq != 2 {
		t.Errorf("the next place is %d", next.Seq)
	}
}

// While another process is here and when it has gone, the size of the log is that of the file.
func TestSizeAfterAVisit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s := mustOpen(t, path)
	second := mustOpen(t, path)
	for i, by := range []*Store{s, second} {
		if r := acknowledged(t, by, memory.NewID())[0]; r.Seq != uint64(i)+1 { // #nosec G115 -- small
			t.Errorf("place %d, want %d", r.Seq, i+1)
		}
	}
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
	if size, err := s.Size(t.Context()); size != 2 || err != nil {
		t.Errorf("a log of %d entries, error %v", size, err)
	}
	if r := acknowledged(t, s, memory.NewID())[0]; r.Seq != 3 {
		t.Errorf("place %d, want 3", r.Seq)
	}
}
