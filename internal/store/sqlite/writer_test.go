// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
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
	c := storetest.Create(storetest.NewRecord("gate"))
	c.Sign = func(memory.Record) ([]byte, error) {
		close(g.entered)
		<-g.open
		return nil, nil
	}
	go func() {
		_, err := s.Commit(context.Background(), c)
		g.done <- err
	}()
	<-g.entered
	return g
}

// Who gives up while others are served has written nothing.
func TestGivingUpWhileWaiting(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "memory.db"))
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
	close(g.open)
	if err := <-g.done; err != nil {
		t.Errorf("the one before: %v", err)
	}
	if _, err := s.Get(t.Context(), storetest.Namespace, given.ID); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("what was given up is there: %v", err)
	}
}

// A probe ends in time, also while the volume keeps the writer waiting.
func TestPingDoesNotHang(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "memory.db"))
	g := holdUp(s)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := s.Ping(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want DeadlineExceeded", err)
	}
	close(g.open)
	if err := <-g.done; err != nil {
		t.Error(err)
	}
	if err := s.Ping(t.Context()); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// A write that has begun is carried through, and its caller told so.
func TestContextEndsDuringCommit(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "memory.db"))
	ctx, cancel := context.WithCancel(t.Context())
	c := storetest.Create(storetest.NewRecord("x"))
	c.Sign = func(memory.Record) ([]byte, error) {
		cancel()
		return nil, nil
	}
	r, err := s.Commit(ctx, c)
	if err != nil || r.Seq != 1 {
		t.Fatalf("seq %d, error %v", r.Seq, err)
	}
	if _, err := s.Get(t.Context(), storetest.Namespace, r.ID); err != nil {
		t.Error(err)
	}
}

// When a batch cannot be written, every one of it is told, nothing of it is there, and what comes once there is room works.
func TestFullVolumeFailsTheBatch(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "memory.db"))
	if _, err := s.writer.conn.ExecContext(t.Context(), "PRAGMA max_page_count = 1"); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	const callers = 20
	errs := make(chan error, callers)
	for range callers {
		group.Go(func() {
			_, err := s.Commit(context.Background(), storetest.Create(storetest.NewRecord(strings.Repeat("secret words ", 5_000))))
			errs <- err
		})
	}
	group.Wait()
	for range callers {
		if err := <-errs; !errors.Is(err, memory.ErrUnavailable) || strings.Contains(err.Error(), "secret") {
			t.Errorf("got %v, want ErrUnavailable without content", err)
		}
	}
	if _, err := s.writer.conn.ExecContext(t.Context(), "PRAGMA max_page_count = 1000000"); err != nil {
		t.Fatal(err)
	}
	for i := range callers {
		if _, err := s.Commit(t.Context(), storetest.Create(storetest.NewRecord(fmt.Sprint("memory ", i)))); err != nil {
			t.Fatalf("after healing: %v", err)
		}
	}
	checkWhole(t, s)
}

// Requests that wait together become one transaction, and one of them that fails takes none of the others along.
func TestBatch(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "memory.db"))
	g := holdUp(s)
	var group sync.WaitGroup
	for i := range 30 {
		group.Go(func() {
			c := storetest.Create(storetest.NewRecord(fmt.Sprint("memory ", i)))
			fails := i%3 == 0
			if fails {
				c.Sign = func(memory.Record) ([]byte, error) { return nil, errors.New("no key") }
			}
			if _, err := s.Commit(context.Background(), c); (err != nil) != fails {
				t.Errorf("commit %d: error %v", i, err)
			}
		})
	}
	close(g.open)
	group.Wait()
	if err := <-g.done; err != nil {
		t.Error(err)
	}
	if cp, err := s.Checkpoint(t.Context()); err != nil || cp.Size != 21 {
		t.Errorf("log has %d entries, want 21, error %v", cp.Size, err)
	}
	checkLog(t, s)
}

// Another process may write between two batches; what the writer remembers is then worth nothing.
func TestForeignWrites(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	a, b := mustOpen(t, path), mustOpen(t, path)
	for i := range 40 {
		s := a
		if i%7 > 3 {
			s = b
		}
		r := storetest.NewRecord(fmt.Sprint("memory ", i))
		r.Namespace = fmt.Sprint("team-", i%5)
		if got, err := s.Commit(t.Context(), storetest.Create(r)); err != nil || got.Seq != uint64(i+1) {
			t.Fatalf("commit %d: seq %d, error %v", i, got.Seq, err)
		}
	}
	checkLog(t, a)
	if names, err := b.Namespaces(t.Context()); err != nil || len(names) != 5 {
		t.Errorf("namespaces %q, error %v", names, err)
	}
}
