// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

func testCommitAll(t *testing.T, target Target) {
	s := target.Open(t)
	old := mustCreate(t, s, "old", nil)
	replaced := change(memory.ChangeReview, old, func(r *memory.Record) { r.State = memory.Superseded })
	newer := NewRecord("new")
	newer.Supersedes, newer.Parents = []string{old.ID}, []string{old.ID}
	c := Create(newer)
	c.Sign = fakeTag(4)
	got, err := s.CommitAll(t.Context(), []memory.Change{c, replaced})
	if err != nil || len(got) != 2 {
		t.Fatalf("got %d records, error %v", len(got), err)
	}
	if got[0].Seq != 2 || got[1].Seq != 3 || got[0].ID != newer.ID || len(got[0].Tag) == 0 {
		t.Errorf("got seq %d of %q and %d of %q", got[0].Seq, got[0].Content, got[1].Seq, got[1].Content)
	}
	for _, want := range got {
		r, err := s.Get(t.Context(), Namespace, want.ID)
		if diff := cmp.Diff(want, r); err != nil || diff != "" {
			t.Errorf("(-committed +read):\n%s error %v", diff, err)
		}
	}
	if got, err := s.CommitAll(t.Context(), nil); err != nil || len(got) != 0 {
		t.Errorf("committing nothing: %d records, error %v", len(got), err)
	}
}

// Whatever fails, and wherever in the list: none of the changes is there afterwards.
func testCommitAllOrNothing(t *testing.T, target Target) {
	s := target.Open(t)
	kept := mustCreate(t, s, "kept", nil)
	unsigned := Create(NewRecord("unsigned"))
	unsigned.Sign = func(memory.Record) ([]byte, error) { return nil, errors.New("no key") }
	panics := Create(NewRecord("panics"))
	panics.Sign = func(memory.Record) ([]byte, error) { panic("no key") }
	stale := change(memory.ChangeUpdate, kept, func(*memory.Record) {})
	stale.ExpectSeq = 7
	absent := change(memory.ChangeUpdate, NewRecord("absent"), func(*memory.Record) {})
	absent.ExpectSeq = 1
	invalid := Create(NewRecord("invalid"))
	invalid.Record.Zone = "Attic"
	for name, bad := range map[string]memory.Change{
		"failed signing": unsigned, "panic": panics, "older head": stale, "no such record": absent, "bad field": invalid, "taken id": Create(kept),
	} {
		t.Run(name, func(t *testing.T) {
			good, alsoGood := NewRecord("olives before"), NewRecord("olives after")
			good.Namespace = "team-new"
			if _, err := s.CommitAll(t.Context(), []memory.Change{Create(good), bad, Create(alsoGood)}); err == nil {
				t.Fatal("went through")
			}
			for _, r := range []memory.Record{good, alsoGood} {
				if _, err := s.Get(t.Context(), r.Namespace, r.ID); !errors.Is(err, memory.ErrNotFound) {
					t.Errorf("%q is there: %v", r.Content, err)
				}
			}
		})
	}
	twice := []memory.Change{change(memory.ChangeUpdate, kept, func(*memory.Record) {}), change(memory.ChangeUpdate, kept, func(*memory.Record) {})}
	var field *memory.FieldError
	if _, err := s.CommitAll(t.Context(), twice); !errors.As(err, &field) {
		t.Errorf("two changes of one record: %v, want a FieldError", err)
	}
	if names, err := s.Namespaces(t.Context()); err != nil || len(names) != 1 {
		t.Errorf("namespaces %q, error %v", names, err)
	}
	if found := mustSearch(t, s, memory.Query{Text: "olives"}); len(found) != 0 {
		t.Errorf("search finds %d", len(found))
	}
	if next := mustCreate(t, s, "next", nil); next.Seq != 2 {
		t.Errorf("next seq is %d, want 2", next.Seq)
	}
}

func testIdempotency(t *testing.T, target Target) {
	s := target.Open(t)
	digest := sha256.Sum256([]byte("the request"))
	console := memory.Writer{Channel: "console", Principal: "alice"}
	keyed := func(w memory.Writer, namespace string) memory.Change {
		r := NewRecord("once")
		r.Writer, r.Namespace = w, namespace
		c := Create(r)
		c.Key = memory.IdempotencyKey{Key: "k-1", Digest: digest[:]}
		return c
	}
	first := mustCommit(t, s, keyed(memory.Writer{}, Namespace))
	if _, err := s.Commit(t.Context(), keyed(memory.Writer{}, Namespace)); !errors.Is(err, memory.ErrConflict) {
		t.Errorf("the same key again: %v, want ErrConflict", err)
	}
	mustCommit(t, s, keyed(console, Namespace))
	mustCommit(t, s, keyed(memory.Writer{}, "team-b"))
	s = target.Reopen(t, s)
	id, got, err := s.Idempotent(t.Context(), Namespace, memory.Writer{}, "k-1")
	if err != nil || id != first.ID || string(got) != string(digest[:]) {
		t.Errorf("got %q, digest %x, error %v", id, got, err)
	}
	for name, lookUp := range map[string]func() error{
		"another key":       func() error { _, _, err := s.Idempotent(t.Context(), Namespace, memory.Writer{}, "k-2"); return err },
		"another namespace": func() error { _, _, err := s.Idempotent(t.Context(), "team-c", console, "k-1"); return err },
		"another writer": func() error {
			_, _, err := s.Idempotent(t.Context(), Namespace, memory.Writer{Channel: "console", Principal: "bob"}, "k-1")
			return err
		},
	} {
		if err := lookUp(); !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("%s: got %v, want ErrNotFound", name, err)
		}
	}
	failing := keyed(memory.Writer{}, Namespace)
	failing.Key.Key = "k-3"
	failing.Sign = func(memory.Record) ([]byte, error) { return nil, errors.New("no key") }
	if _, err := s.Commit(t.Context(), failing); err == nil {
		t.Error("a failing commit went through")
	}
	failing.Sign = nil
	mustCommit(t, s, failing)

	if err := s.ForgetKeys(t.Context(), Epoch); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Idempotent(t.Context(), Namespace, memory.Writer{}, "k-1"); err != nil {
		t.Errorf("a key of this moment is gone: %v", err)
	}
	if err := s.ForgetKeys(t.Context(), Epoch.Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Idempotent(t.Context(), Namespace, memory.Writer{}, "k-1"); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("an old key is still there: %v", err)
	}
}

// Of many repetitions at once one takes effect.
func testIdempotencyRace(t *testing.T, target Target) {
	s := target.Open(t)
	digest := sha256.Sum256(nil)
	var group sync.WaitGroup
	won := make(chan string, 16)
	for range cap(won) {
		group.Go(func() {
			c := Create(NewRecord("once"))
			c.Key = memory.IdempotencyKey{Key: "k", Digest: digest[:]}
			if r, err := s.Commit(background(), c); err == nil {
				won <- r.ID
			} else if !errors.Is(err, memory.ErrConflict) {
				t.Errorf("got %v, want ErrConflict", err)
			}
		})
	}
	group.Wait()
	id, _, err := s.Idempotent(t.Context(), Namespace, memory.Writer{}, "k")
	if len(won) != 1 || err != nil || id != <-won {
		t.Errorf("%d won, the key is of %q, error %v", len(won), id, err)
	}
}

// Writes that fail among others at the same time leave those as they are.
func testFailuresStayApart(t *testing.T, target Target) {
	s := target.Open(t)
	taken := mustCreate(t, s, "taken", nil)
	var group sync.WaitGroup
	const writers = 24
	for w := range writers {
		group.Go(func() {
			for i := range 5 {
				bad := w%3 == 0
				c := Create(NewRecord(fmt.Sprintf("olive %d of %d", i, w)))
				if bad {
					c = Create(taken)
				}
				if r, err := s.Commit(background(), c); (err != nil) != bad || bad && !errors.Is(err, memory.ErrConflict) {
					t.Errorf("writer %d: seq %d, error %v", w, r.Seq, err)
				}
				d := memory.Delivery{Namespace: Namespace, Session: "s", RecordID: taken.ID, Seq: 1, Class: provenance.Manual, At: Epoch}
				if err := s.LogDeliveries(background(), []memory.Delivery{d}, nil); err != nil {
					t.Errorf("writer %d: logging: %v", w, err)
				}
			}
		})
	}
	group.Wait()
	const good = writers / 3 * 2 * 5
	if cp, err := s.Checkpoint(t.Context()); err != nil || cp.Size != good+1 {
		t.Errorf("log has %d entries, want %d, error %v", cp.Size, good+1, err)
	}
	if size, err := s.Size(t.Context()); err != nil || size != good+1 {
		t.Errorf("the log says that it has %d entries, want %d, error %v", size, good+1, err)
	}
	if found := mustSearch(t, s, memory.Query{Text: "olive", Limit: 1000}); len(found) != good {
		t.Errorf("search finds %d, want %d", len(found), good)
	}
	if found := mustSearch(t, s, memory.Query{Text: "taken"}); len(found) != 1 || found[0].Recalls != writers*5 {
		t.Errorf("found %d, want one with %d recalls", len(found), writers*5)
	}
}
