// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/store/storetest"
)

// gate is a commit that holds the writer up until it is opened.
type gate struct {
	entered, open chan struct{}
	done          chan error
}

func holdUp(s *Store) *gate {
	g := &gate{make(chan struct{}), make(chan struct{}), make(chan error, 1)}
	c := disturbed("gate", func() {
		close(g.entered)
		<-g.open
	})
	go func() {
		_, err := s.Commit(context.Background(), c)
		g.done <- err
	}()
	<-g.entered
	return g
}

// Who gives up while others are served has written nothing.
func TestGivingUpWhileWaiting(t *testing.T) {
	s := mustOpen(t)
	g := holdUp(s)
	ctx, cancel := context.WithCancel(t.Context())
	given := storetest.NewRecord("given up")
	result := make(chan error)
	go func() {
		_, err := s.Commit(ctx, storetest.Create(given))
		result <- err
	}()
	cancel()
	if err := <-result; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	probe, stop := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer stop()
	if err := s.Ping(probe); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a probe: got %v, want DeadlineExceeded", err)
	}
	close(g.open)
	if err := <-g.done; err != nil {
		t.Errorf("the one before: %v", err)
	}
	if _, err := s.Get(t.Context(), storetest.Namespace, given.ID); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("what was given up is there: %v", err)
	}
}

// A write that has begun is carried through, and its caller told so.
func TestContextEndsDuringCommit(t *testing.T) {
	s := mustOpen(t)
	ctx, cancel := context.WithCancel(t.Context())
	r, err := s.Commit(ctx, disturbed("x", cancel))
	if err != nil || r.Seq != 1 {
		t.Fatalf("seq %d, error %v", r.Seq, err)
	}
	if _, err := s.Get(t.Context(), storetest.Namespace, r.ID); err != nil {
		t.Error(err)
	}
}

// Requests that wait together become one transaction, and one of them that fails takes none of the others along: not one that
// fails before it wrote anything, and not one whose values the server refuses.
func TestBatch(t *testing.T) {
	s := mustOpen(t)
	g := holdUp(s)
	var group sync.WaitGroup
	for i := range 30 {
		group.Go(func() {
			c := storetest.Create(storetest.NewRecord(fmt.Sprint("memory ", i)))
			c.Record.Namespace = fmt.Sprint("team-", i%6)
			fails := i%3 == 0
			if fails {
				c.Sign = func(memory.Record) ([]byte, error) { return nil, errors.New("no key") }
			}
			if _, err := s.Commit(context.Background(), c); (err != nil) != fails {
				t.Errorf("commit %d: error %v", i, err)
			}
		})
	}
	group.Go(func() {
		d := memory.Delivery{Namespace: storetest.Namespace, Session: "\x00", RecordID: memory.NewID(), Class: "Manual", At: storetest.Epoch}
		if err := s.LogDeliveries(context.Background(), []memory.Delivery{d}, nil); err == nil || errors.Is(err, memory.ErrUnavailable) {
			t.Errorf("a session that cannot be: error %v", err)
		}
	})
	time.Sleep(50 * time.Millisecond)
	close(g.open)
	group.Wait()
	if err := <-g.done; err != nil {
		t.Error(err)
	}
	if cp, err := s.Checkpoint(t.Context()); err != nil || cp.Size != 21 {
		t.Errorf("log has %d entries, want 21, error %v", cp.Size, err)
	}
	checkWhole(t, s)
	if names, err := s.Namespaces(t.Context()); err != nil || len(names) != 5 {
		t.Errorf("namespaces %q, error %v", names, err)
	}
}

// A record that is written and changed again within one transaction is found by what it says in the end.
func TestBatchOfOneRecord(t *testing.T) {
	s := mustOpen(t)
	r, err := s.Commit(t.Context(), storetest.Create(storetest.NewRecord("olives")))
	if err != nil {
		t.Fatal(err)
	}
	g := holdUp(s)
	var group sync.WaitGroup
	for _, content := range []string{"capers olives", "figs"} {
		group.Go(func() {
			next := r
			next.Content = content
			for {
				_, err := s.Commit(context.Background(), memory.Change{Type: memory.ChangeUpdate, Record: next, Actor: "agent", ExpectSeq: next.Seq})
				if err == nil {
					return
				}
				if !errors.Is(err, memory.ErrConflict) {
					t.Error(err)
					return
				}
				if next, err = s.Get(context.Background(), storetest.Namespace, r.ID); err != nil {
					t.Error(err)
					return
				}
				next.Content = content
			}
		})
	}
	close(g.open)
	group.Wait()
	if err := <-g.done; err != nil {
		t.Error(err)
	}
	last, err := s.Get(t.Context(), storetest.Namespace, r.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"olives", "capers", "figs"} {
		found, err := s.Search(t.Context(), memory.Query{Namespace: storetest.Namespace, Text: word, Limit: 5})
		want := 0
		if last.Content == "figs" == (word == "figs") {
			want = 1
		}
		if err != nil || len(found) != want {
			t.Errorf("%q finds %d, want %d in %q, error %v", word, len(found), want, last.Content, err)
		}
	}
	checkWhole(t, s)
}
