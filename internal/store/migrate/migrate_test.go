// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/store/postgres"
	"memorytrust.dev/operator/internal/store/postgres/pgtest"
	"memorytrust.dev/operator/internal/store/sqlite"
	"memorytrust.dev/operator/internal/store/storetest"
)

// Whatever the stores' own tests write to an embedded store and look for after it was opened again, they find in the database.
func TestConformance(t *testing.T) {
	db := pgtest.Any(t)
	worlds := map[memory.Store]*world{}
	storetest.Run(t, storetest.Target{
		Open: func(t *testing.T) memory.Store {
			w := newWorld(t, db)
			worlds[w.store] = w
			return w.store
		},
		Reopen: func(t *testing.T, s memory.Store) memory.Store {
			w := worlds[s]
			if w == nil {
				t.Fatal("opened twice")
			}
			_, err := Run(t.Context(), w.options())
			must(t, err)
			return w.moved()
		},
	})
}

// What is searched for is found with the same relevance, in the same order, and every version, proof and hash is the same.
func TestSameMemory(t *testing.T) {
	w := newWorld(t, pgtest.Any(t))
	w.fill(1200)
	ctx, texts := t.Context(), storetest.NewCorpus("English", 9)
	var questions []memory.Query
	for range 30 {
		questions = append(questions, memory.Query{Namespace: storetest.Namespace, Text: texts.Question(), Limit: 20})
	}
	questions = append(questions, memory.Query{Namespace: storetest.Namespace, Tags: []string{"tag-3"}, Limit: 50})
	ask := func(s memory.Store) (out [][]memory.Candidate) {
		for _, q := range questions {
			found, err := s.Search(ctx, q)
			must(t, err)
			out = append(out, found)
		}
		return out
	}
	before := ask(w.store)
	head, err := w.store.Checkpoint(ctx)
	must(t, err)
	var phases []Phase
	o := w.options()
	o.Progress = func(p Progress) {
		if len(phases) == 0 || phases[len(phases)-1] != p.Phase {
			phases = append(phases, p.Phase)
		}
		if p.Copied > p.Total {
			t.Errorf("%d of %d rows", p.Copied, p.Total)
		}
	}
	outcome, err := Run(ctx, o)
	must(t, err)
	if diff := cmp.Diff([]Phase{Copying, Verifying, Switching, Done}, phases); diff != "" {
		t.Error(diff)
	}
	if outcome.AuditRoot != base64.StdEncoding.EncodeToString(head.Root) || outcome.AuditSize != 1200 || outcome.Rows["records"] != 1200 ||
		outcome.Rows["words"] == 0 || len(outcome.Digest) != 64 {
		t.Errorf("outcome %+v", outcome)
	}
	if _, err := w.store.Commit(ctx, storetest.Create(storetest.NewRecord("late"))); !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("a write to the embedded store after the move: %v", err)
	}
	after := w.moved()
	if diff := cmp.Diff(before, ask(after)); diff != "" {
		t.Error(diff)
	}
	there, err := after.Checkpoint(ctx)
	must(t, err)
	if diff := cmp.Diff(head, there); diff != "" {
		t.Error(diff)
	}
	move, err := after.Moved(ctx)
	must(t, err)
	var kept Outcome
	must(t, json.Unmarshal([]byte(move.Outcome), &kept))
	if diff := cmp.Diff(outcome, kept); diff != "" || !move.Sealed {
		t.Error(diff)
	}
	// Numbers go on where they were.
	r, err := after.Commit(ctx, storetest.Create(storetest.NewRecord("the next one")))
	must(t, err)
	if r.Seq != 1201 {
		t.Errorf("the next entry of the log is %d", r.Seq)
	}
}

// crowd is writers that go on during a move, and what was acknowledged to them.
type crowd struct {
	w            *world
	stop         chan struct{}
	mu           sync.Mutex
	acknowledged map[string]string // ids by content
	refused      int
}

// write writes new memories and edits, each with a delivery, until the crowd stops.
func (c *crowd) write(n int) {
	var mine []memory.Record
	for i := 0; ; i++ {
		select {
		case <-c.stop:
			return
		default:
		}
		content := fmt.Sprintf("writer %d says %d", n, i)
		change := storetest.Create(storetest.NewRecord(content))
		change.Key = memory.IdempotencyKey{Key: content, Digest: make([]byte, 32)}
		if len(mine) > 0 && i%5 == 4 {
			r := mine[i%len(mine)]
			r.Content, r.UpdatedAt = content, r.UpdatedAt.Add(time.Second)
			change = memory.Change{Type: memory.ChangeUpdate, Record: r, Actor: "agent", ExpectSeq: r.Seq}
		}
		r, err := c.w.store.Commit(c.w.t.Context(), change)
		c.note(content, r.ID, err)
		time.Sleep(2 * time.Millisecond) // others want to run as well
		if err != nil {
			continue
		}
		mine = append(slices.DeleteFunc(mine, func(m memory.Record) bool { return m.ID == r.ID }), r)
		err = c.w.store.LogDeliveries(c.w.t.Context(), []memory.Delivery{{
			Namespace: storetest.Namespace, Session: content, RecordID: r.ID, Seq: r.Seq, Class: r.Class, At: storetest.Epoch,
		}}, nil)
		if err != nil && !errors.Is(err, memory.ErrUnavailable) {
			c.w.t.Errorf("delivery: %v", err)
		}
	}
}

func (c *crowd) note(content, id string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case err == nil:
		c.acknowledged[content] = id
	case errors.Is(err, memory.ErrUnavailable):
		c.refused++
	default:
		c.w.t.Errorf("write: %v", err)
	}
}

// check checks that all that was acknowledged is in a store, once.
func (c *crowd) check(s memory.Store) {
	c.w.t.Helper()
	for content, id := range c.acknowledged {
		versions, err := s.Versions(c.w.t.Context(), memory.History{Namespace: storetest.Namespace, ID: id, Limit: 500})
		must(c.w.t, err)
		if !slices.ContainsFunc(versions, func(r memory.Record) bool { return r.Content == content }) {
			c.w.t.Fatalf("%q was acknowledged and is lost", content)
		}
	}
	times := map[string]int{}
	for page := ""; ; {
		list, err := s.List(c.w.t.Context(), memory.Filter{Namespace: storetest.Namespace, After: page, Limit: 1000})
		must(c.w.t, err)
		for _, r := range list {
			if times[r.Content]++; strings.HasPrefix(r.Content, "writer") && times[r.Content] > 1 {
				c.w.t.Fatalf("%q is there twice", r.Content)
			}
		}
		if len(list) < 1000 {
			return
		}
		page = list[len(list)-1].ID
	}
}

// Writers go on during a move. What was acknowledged is there afterwards, once, and what was refused is not.
func TestWritersGoOn(t *testing.T) {
	w := newWorld(t, pgtest.Any(t))
	w.fill(600)
	c := &crowd{w: w, stop: make(chan struct{}), acknowledged: map[string]string{}}
	var writers sync.WaitGroup
	for n := range 4 {
		writers.Go(func() { c.write(n) })
	}
	outcome, err := Run(t.Context(), w.options())
	must(t, err)
	time.Sleep(20 * time.Millisecond)
	close(c.stop)
	writers.Wait()
	t.Logf("%d writes during the move, %d refused, held for %d ms", len(c.acknowledged), c.refused, outcome.Held)
	if len(c.acknowledged) == 0 || c.refused == 0 {
		t.Fatal("nobody wrote before and after the switch")
	}
	after := w.moved()
	c.check(after)
	checkpoint, err := after.Checkpoint(t.Context())
	must(t, err)
	if int(checkpoint.Size) != 600+len(c.acknowledged) {
		t.Errorf("the log has %d entries, %d were acknowledged", checkpoint.Size, 600+len(c.acknowledged))
	}
}

// An agent has one memory: a second move is refused, and so is one onto a memory that is there.
func TestRefusals(t *testing.T) {
	w := newWorld(t, pgtest.Any(t))
	w.fill(20)
	if n, err := Check(t.Context(), w.options()); err != nil || n < 20 {
		t.Errorf("check: %d rows, %v", n, err)
	}
	s, err := postgres.Open(t.Context(), w.target)
	must(t, err)
	_, err = s.Commit(t.Context(), storetest.Create(storetest.NewRecord("was here first")))
	must(t, err)
	must(t, s.Close())
	for name, try := range map[string]func() error{
		"check": func() error { _, err := Check(t.Context(), w.options()); return err },
		"run":   func() error { _, err := Run(t.Context(), w.options()); return err },
	} {
		if err := try(); !errors.Is(err, postgres.ErrNotEmpty) {
			t.Errorf("%s onto a memory that is there: %v", name, err)
		}
	}
	w.goesOn()

	other := newWorld(t, pgtest.Any(t))
	other.fill(5)
	_, err = Run(t.Context(), other.options())
	must(t, err)
	if _, err := Run(t.Context(), other.options()); err == nil {
		t.Error("a second move is made")
	}
}

// goesOn checks that the embedded store takes writes, and that nobody takes what is in the database for the memory.
func (w *world) goesOn() {
	w.t.Helper()
	ctx := context.Background()
	if _, err := w.store.Commit(ctx, storetest.Create(storetest.NewRecord("goes on"))); err != nil {
		w.t.Fatalf("the embedded store does not go on: %v", err)
	}
}

func (w *world) isHidden() {
	w.t.Helper()
	if s, err := postgres.Open(context.Background(), w.target); !errors.Is(err, postgres.ErrMoving) || !errors.Is(err, memory.ErrUnavailable) {
		_ = s.Close()
		w.t.Fatalf("half a memory opens: %v", err)
	}
}

// A move that fails in any phase leaves the memory where it is; the next one begins anew and moves it.
func TestFailsInAnyPhase(t *testing.T) {
	for _, phase := range []Phase{Copying, Verifying, Switching} {
		t.Run(string(phase), func(t *testing.T) {
			w := newWorld(t, pgtest.Any(t))
			w.fill(250)
			o := w.options()
			stop := errors.New("stop")
			o.enter = func(p Phase) error {
				if p == phase {
					return stop
				}
				return nil
			}
			if _, err := Run(t.Context(), o); !errors.Is(err, stop) {
				t.Fatalf("%v", err)
			}
			w.goesOn()
			if phase != Copying {
				w.isHidden()
			}
			_, err := Run(t.Context(), w.options())
			must(t, err)
			checkpoint, err := w.moved().Checkpoint(t.Context())
			must(t, err)
			if checkpoint.Size != 251 {
				t.Errorf("%d entries", checkpoint.Size)
			}
		})
	}
}

// A process that ends in any phase leaves the memory where it was, or where it is, and never in both places.
func TestKilledInAnyPhase(t *testing.T) {
	for _, phase := range []Phase{Copying, Verifying, Switching, Done} {
		t.Run(string(phase), func(t *testing.T) {
			w := newWorld(t, pgtest.Any(t))
			w.fill(250)
			// A second process stands in for the one after the first: the first one never gets to do anything after it stopped.
			o := w.options()
			reached, never := make(chan struct{}), make(chan struct{})
			o.enter = func(p Phase) error {
				if p == phase {
					close(reached)
					<-never
				}
				return nil
			}
			o.Progress = func(p Progress) {
				if p.Phase == Done && phase == Done {
					close(reached)
					<-never
				}
			}
			go func() { _, _ = Run(context.WithoutCancel(t.Context()), o) }()
			<-reached
			if phase == Done {
				checkpoint, err := w.moved().Checkpoint(t.Context())
				must(t, err)
				if checkpoint.Size != 250 {
					t.Errorf("%d entries", checkpoint.Size)
				}
				return
			}
			w.store = w.open()
			w.goesOn()
			_, err := Run(t.Context(), w.options())
			must(t, err)
			checkpoint, err := w.moved().Checkpoint(t.Context())
			must(t, err)
			if checkpoint.Size != 251 {
				t.Errorf("%d entries", checkpoint.Size)
			}
		})
	}
}

// The memory has moved once the file says so, also when nobody got to tell the database.
func TestDatabaseNotTold(t *testing.T) {
	server := pgtest.Own(t)
	w := newWorld(t, pgtest.Of(server))
	w.fill(30)
	o := w.options()
	m := &move{Options: o, run: newRun(), outcome: Outcome{Rows: map[string]int64{}}}
	m.Hold = DefaultHold
	var err error
	m.from, err = w.store.Export(t.Context())
	must(t, err)
	m.to, err = postgres.OpenImport(t.Context(), w.target, m.run)
	must(t, err)
	for _, step := range []func(context.Context) error{m.copy, m.verify, m.finish} {
		must(t, step(t.Context()))
	}
	m.to.Close()
	w.isHidden()
	if err := postgres.FinishMove(t.Context(), w.target, newRun()); !errors.Is(err, postgres.ErrOtherMove) {
		t.Errorf("another move is finished: %v", err)
	}
	// Whoever comes without the file waits, and then takes what is complete.
	if err := postgres.SettleMove(t.Context(), w.target, time.Hour); !errors.Is(err, postgres.ErrMoving) {
		t.Errorf("a move that goes on is settled: %v", err)
	}
	must(t, postgres.SettleMove(t.Context(), w.target, 0))
	checkpoint, err := w.moved().Checkpoint(t.Context())
	must(t, err)
	if checkpoint.Size != 30 {
		t.Errorf("%d entries", checkpoint.Size)
	}
}

// Half a copy whose store is gone is deleted, and the agent has a memory again.
func TestSettleHalf(t *testing.T) {
	w := newWorld(t, pgtest.Any(t))
	w.fill(30)
	o := w.options()
	o.enter = func(p Phase) error {
		if p == Verifying {
			return errors.New("gone")
		}
		return nil
	}
	if _, err := Run(t.Context(), o); err == nil {
		t.Fatal("moved")
	}
	must(t, postgres.SettleMove(t.Context(), w.target, 0))
	s, err := postgres.Open(t.Context(), w.target)
	must(t, err)
	defer func() { _ = s.Close() }()
	if namespaces, err := s.Namespaces(t.Context()); err != nil || len(namespaces) > 0 {
		t.Errorf("%v are left, %v", namespaces, err)
	}
	if _, err := s.Commit(t.Context(), storetest.Create(storetest.NewRecord("new"))); err != nil {
		t.Error(err)
	}
}

// Whatever is altered in the copy before it is compared stops the move.
func TestTampered(t *testing.T) {
	for name, statement := range map[string]string{
		"content":        "UPDATE memorytrust.contents SET content = 'x' WHERE agent = $1 AND seq = 7",
		"record":         "UPDATE memorytrust.records SET zone = 'Trusted' WHERE agent = $1 AND rid = 1",
		"leaf":           "UPDATE memorytrust.audit SET leaf = 'x' WHERE agent = $1 AND seq = 7",
		"hash":           "UPDATE memorytrust.audit_hashes SET hash = sha256('x') WHERE agent = $1 AND idx = 3",
		"missing":        "DELETE FROM memorytrust.lineage WHERE agent = $1",
		"added":          "INSERT INTO memorytrust.tags VALUES ($1, 'zzz', 1)",
		"delivery":       "UPDATE memorytrust.deliveries SET class = 'UserInput' WHERE agent = $1",
		"index, missing": "DELETE FROM memorytrust.words WHERE agent = $1 AND rid = 5",
		"index, added":   "INSERT INTO memorytrust.words VALUES ($1, 'zzz', 5)",
		"session's mark": "DELETE FROM memorytrust.delivered WHERE agent = $1",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, pgtest.Any(t))
			w.fill(60)
			o := w.options()
			o.enter = func(p Phase) error {
				if p == Verifying {
					// A superuser is held by nothing.
					tag, err := w.admin.Exec(t.Context(), statement, w.target.Agent)
					if err == nil && tag.RowsAffected() == 0 {
						err = errors.New("nothing was altered")
					}
					must(t, err)
				}
				return nil
			}
			if _, err := Run(t.Context(), o); !errors.Is(err, ErrDiffers) {
				t.Fatalf("%v", err)
			}
			w.goesOn()
			w.isHidden()
			_, err := Run(t.Context(), w.options())
			must(t, err)
		})
	}
}

// A server that is killed in the middle of the copy and comes back is waited for; one that stays away ends the move.
func TestServerKilled(t *testing.T) {
	server := pgtest.Own(t)
	w := newWorld(t, pgtest.Of(server))
	w.fill(1200)
	killed := false
	o := w.options()
	o.Progress = func(p Progress) {
		if !killed && p.Copied > p.Total/3 {
			killed = true
			must(t, server.Restart())
		}
	}
	_, err := Run(t.Context(), o)
	must(t, err)
	if !killed {
		t.Fatal("the server was not killed")
	}
	checkpoint, err := w.moved().Checkpoint(t.Context())
	must(t, err)
	if checkpoint.Size != 1200 {
		t.Errorf("%d entries", checkpoint.Size)
	}
}

// Writes are not held for longer than is allowed: the memory stays where it is.
func TestHeldTooLong(t *testing.T) {
	w := newWorld(t, pgtest.Any(t))
	w.fill(200)
	o := w.options()
	o.Hold = time.Nanosecond
	if _, err := Run(t.Context(), o); !errors.Is(err, ErrHeldTooLong) {
		t.Fatalf("%v", err)
	}
	w.goesOn()
}

// One move goes on at a time.
func TestOneAtATime(t *testing.T) {
	w := newWorld(t, pgtest.Any(t))
	w.fill(10)
	e, err := w.store.Export(t.Context())
	must(t, err)
	if _, err := Run(t.Context(), w.options()); !errors.Is(err, sqlite.ErrExporting) {
		t.Errorf("%v", err)
	}
	must(t, e.Abort(t.Context()))
	_, err = Run(t.Context(), w.options())
	must(t, err)
}

// BenchmarkMove moves memories as they are written by agents: a row of the benchmark is a row of a table.
func BenchmarkMove(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		w := newWorld(b, pgtest.Any(b))
		w.fill(2000)
		b.StartTimer()
		began := time.Now()
		outcome, err := Run(b.Context(), w.options())
		must(b, err)
		var rows int64
		for _, n := range outcome.Rows {
			rows += n
		}
		b.ReportMetric(float64(rows)/time.Since(began).Seconds(), "rows/s")
		b.ReportMetric(float64(outcome.Held), "held-ms")
	}
}
