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
	"memorytrust.dev/operator/internal/store/postgres/pgtest"
	"memorytrust.dev/operator/internal/store/storetest"
)

// openBehind opens the memory of a new agent by way of a proxy, and writes a memory, so that everything is prepared.
func openBehind(t *testing.T, timeout time.Duration) (*Store, *pgtest.Proxy) {
	t.Helper()
	server := pgtest.Shared(t)
	n := newTenant(t, pgtest.Of(server))
	proxy := pgtest.NewProxy(t, server)
	n.opts.URL, n.opts.Timeout = proxy.URL(n.role), timeout
	s := n.open(t)
	if _, err := s.Commit(t.Context(), storetest.Create(storetest.NewRecord("before"))); err != nil {
		t.Fatal(err)
	}
	return s, proxy
}

// disturbed is a change during whose commit something happens.
func disturbed(content string, disturb func()) memory.Change {
	c := storetest.Create(storetest.NewRecord(content))
	var once sync.Once
	c.Sign = func(memory.Record) ([]byte, error) {
		once.Do(disturb)
		return nil, nil
	}
	return c
}

// A connection that breaks while the server commits leaves nobody in doubt: what was written is acknowledged, and what was not is
// written again, once.
func TestConnectionLostWhileCommitting(t *testing.T) {
	for name, mode := range map[string]pgtest.Mode{"after the server did": pgtest.LoseReplies, "before the server did": pgtest.LoseAll} {
		t.Run(name, func(t *testing.T) {
			s, proxy := openBehind(t, 5*time.Second)
			r, err := s.Commit(t.Context(), disturbed("olives", func() { proxy.Set(mode) }))
			if err != nil || r.Seq != 2 {
				t.Fatalf("seq %d, error %v", r.Seq, err)
			}
			got, err := s.Get(t.Context(), storetest.Namespace, r.ID)
			if err != nil || got.Seq != r.Seq {
				t.Errorf("read seq %d, error %v", got.Seq, err)
			}
			next, err := s.Commit(t.Context(), storetest.Create(storetest.NewRecord("afterwards")))
			if err != nil || next.Seq != 3 {
				t.Errorf("next seq %d, error %v", next.Seq, err)
			}
			checkLog(t, s)
		})
	}
}

// An outcome that cannot be looked up is not called a success, and the answer comes in time. What became of it shows later.
func TestUnknownOutcome(t *testing.T) {
	s, proxy := openBehind(t, 500*time.Millisecond)
	begin := time.Now()
	c := disturbed("olives", func() {
		proxy.Refuse(true)
		proxy.Set(pgtest.LoseReplies)
	})
	if _, err := s.Commit(t.Context(), c); !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("got %v, want ErrUnavailable", err)
	}
	if waited := time.Since(begin); waited > 20*time.Second {
		t.Errorf("answered after %v", waited)
	}
	proxy.Refuse(false)
	eventually(t, func() error { return s.Ping(t.Context()) })
	if got, err := s.Get(t.Context(), storetest.Namespace, c.Record.ID); err != nil || got.Seq != 2 {
		t.Errorf("seq %d, error %v; the server had committed", got.Seq, err)
	}
	checkLog(t, s)
}

// eventually waits until an action that may fail while a server starts succeeds.
func eventually(t *testing.T, do func() error) {
	t.Helper()
	for begin := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		err := do()
		if err == nil {
			return
		}
		if time.Since(begin) > time.Minute {
			t.Fatalf("still failing: %v", err)
		}
	}
}

// load is writers that write and read until they are stopped.
type load struct {
	stop  chan struct{}
	group sync.WaitGroup

	mu           sync.Mutex
	acknowledged []memory.Record
	failures     int
	unexpected   error
	longest      time.Duration
}

func startLoad(stores ...*Store) *load {
	l := &load{stop: make(chan struct{})}
	for w := range 8 {
		l.group.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-l.stop:
					return
				default:
					l.write(stores[w%len(stores)], fmt.Sprintf("memory %d of writer %d", i, w))
				}
			}
		})
	}
	return l
}

func (l *load) write(s *Store, content string) {
	begin := time.Now()
	r, err := s.Commit(context.Background(), storetest.Create(storetest.NewRecord(content)))
	if err == nil {
		d := memory.Delivery{Namespace: storetest.Namespace, Session: "s", RecordID: r.ID, Seq: r.Seq, Class: r.Class, At: storetest.Epoch}
		if logging := s.LogDeliveries(context.Background(), []memory.Delivery{d}, nil); logging != nil && !errors.Is(logging, memory.ErrUnavailable) {
			err = logging
		}
	}
	_, reading := s.Get(context.Background(), storetest.Namespace, r.ID)
	waited := time.Since(begin)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.longest = max(l.longest, waited)
	if reading != nil && !errors.Is(reading, memory.ErrUnavailable) && !errors.Is(reading, memory.ErrNotFound) {
		l.unexpected = reading
	}
	switch {
	case err == nil:
		l.acknowledged = append(l.acknowledged, r)
	case errors.Is(err, memory.ErrUnavailable):
		l.failures++
		time.Sleep(10 * time.Millisecond) // as a client that is told to try again
	default:
		l.unexpected = err
	}
}

// await waits until so many more writes were acknowledged.
func (l *load) await(t *testing.T, more int) {
	t.Helper()
	count := func() int {
		l.mu.Lock()
		defer l.mu.Unlock()
		return len(l.acknowledged)
	}
	before := count()
	for begin := time.Now(); count() < before+more; time.Sleep(5 * time.Millisecond) {
		if time.Since(begin) > time.Minute {
			t.Fatalf("%d writes acknowledged in a minute, want %d", count()-before, more)
		}
	}
}

// end stops the load and checks that the store has all that was acknowledged.
func (l *load) end(t *testing.T, s *Store) {
	t.Helper()
	close(l.stop)
	l.group.Wait()
	if l.unexpected != nil {
		t.Errorf("failed otherwise than with ErrUnavailable: %v", l.unexpected)
	}
	for _, want := range l.acknowledged {
		got, err := s.Get(t.Context(), storetest.Namespace, want.ID)
		if err != nil || got.Seq != want.Seq {
			t.Errorf("acknowledged with seq %d, read seq %d, error %v", want.Seq, got.Seq, err)
		}
	}
	checkWhole(t, s)
	t.Logf("%d writes acknowledged, %d failed, the longest took %v", len(l.acknowledged), l.failures, l.longest)
}

// A server that is killed, or restarted, under load loses nothing that was acknowledged, and nobody has to start anything again.
func TestServerGoesDownUnderLoad(t *testing.T) {
	for name, down := range map[string]func(*pgtest.Server) error{
		"killed": func(s *pgtest.Server) error { return errors.Join(s.Kill(), s.Start()) }, "restarted": (*pgtest.Server).Restart,
	} {
		t.Run(name, func(t *testing.T) {
			server := pgtest.Own(t)
			n := newTenant(t, pgtest.Of(server))
			a, b := n.open(t), n.open(t)
			l := startLoad(a, b)
			for range 3 {
				l.await(t, 30)
				if err := down(server); err != nil {
					t.Fatal(err)
				}
			}
			l.await(t, 30)
			l.end(t, a)
			if l.longest > 30*time.Second {
				t.Errorf("a write took %v", l.longest)
			}
		})
	}
}

// A store that nobody used while its server was restarted goes on as if nothing had been.
func TestRestartWhileIdle(t *testing.T) {
	server := pgtest.Own(t)
	s := newTenant(t, pgtest.Of(server)).open(t)
	use := func() {
		t.Helper()
		r, err := s.Commit(t.Context(), storetest.Create(storetest.NewRecord("olives")))
		if err != nil {
			t.Errorf("writing: %v", err)
		}
		if _, err := s.Get(t.Context(), storetest.Namespace, r.ID); err != nil {
			t.Errorf("reading: %v", err)
		}
		if _, err := s.Search(t.Context(), memory.Query{Namespace: storetest.Namespace, Text: "olives", Limit: 1}); err != nil {
			t.Errorf("searching: %v", err)
		}
	}
	use()
	if err := server.Restart(); err != nil {
		t.Fatal(err)
	}
	use()
	checkWhole(t, s)
}

// A server that stands still keeps nobody waiting for long, also not those who come later, and everything works once it goes on.
func TestServerStandsStill(t *testing.T) {
	server := pgtest.Own(t)
	n := newTenant(t, pgtest.Of(server))
	n.opts.Timeout = 300 * time.Millisecond
	s := n.open(t)
	kept, err := s.Commit(t.Context(), storetest.Create(storetest.NewRecord("kept")))
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Pause(); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 5 {
		for name, call := range map[string]func() error{
			"Commit": func() error {
				_, err := s.Commit(context.Background(), storetest.Create(storetest.NewRecord("x")))
				return err
			},
			"Get":  func() error { _, err := s.Get(context.Background(), storetest.Namespace, kept.ID); return err },
			"Ping": func() error { return s.Ping(context.Background()) },
		} {
			group.Go(func() {
				begin := time.Now()
				if err := call(); !errors.Is(err, memory.ErrUnavailable) {
					t.Errorf("%s: got %v, want ErrUnavailable", name, err)
				}
				if waited := time.Since(begin); waited > 30*time.Second {
					t.Errorf("%s: answered after %v", name, waited)
				}
			})
		}
	}
	group.Wait()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := s.Get(ctx, storetest.Namespace, kept.ID); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a call with a deadline: got %v, want DeadlineExceeded", err)
	}
	if err := server.Resume(); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() error {
		_, err := s.Commit(t.Context(), storetest.Create(storetest.NewRecord("goes on")))
		return err
	})
	if _, err := s.Get(t.Context(), storetest.Namespace, kept.ID); err != nil {
		t.Errorf("reading: %v", err)
	}
	checkWhole(t, s)
}

// A replica that stops in the middle of a write does not hold up the others for long, and what it does when it goes on is as if it
// had only now begun.
func TestReplicaStopsInTheMiddle(t *testing.T) {
	n := newTenant(t, pgtest.Any(t))
	n.opts.Timeout = 400 * time.Millisecond
	a, b := n.open(t), n.open(t)
	holding, goOn, result := make(chan struct{}), make(chan struct{}), make(chan error)
	var stopped memory.Record
	go func() {
		var err error
		stopped, err = a.Commit(context.Background(), disturbed("stopped", func() {
			close(holding)
			<-goOn
		}))
		result <- err
	}()
	<-holding
	begin := time.Now()
	if _, err := b.Commit(t.Context(), storetest.Create(storetest.NewRecord("waits"))); err != nil && !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
	if waited := time.Since(begin); waited > 20*time.Second {
		t.Errorf("answered after %v", waited)
	}
	eventually(t, func() error {
		_, err := b.Commit(t.Context(), storetest.Create(storetest.NewRecord("goes first")))
		return err
	})
	close(goOn)
	if err := <-result; err != nil {
		t.Errorf("the one that stopped: %v", err)
	}
	if got, err := b.Get(t.Context(), storetest.Namespace, stopped.ID); err != nil || got.Seq != stopped.Seq {
		t.Errorf("seq %d, want %d, error %v", got.Seq, stopped.Seq, err)
	}
	checkWhole(t, b)
}
