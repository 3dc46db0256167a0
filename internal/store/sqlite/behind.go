// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"memorytrust.dev/operator/internal/memory"
)

// Bounds of what is not in the store yet. Who comes when there is more waits until there is less.
const (
	maxMet        = 8192     // things that sessions met; a commit counts as several
	maxMetEntries = 512      // entries
	maxMetBytes   = 16 << 20 // of the journal
	// linger is how long an entry waits for others, so that one transaction has many of them, and metAtOnce how many things a
	// transaction has, so that other writes have their turn.
	linger    = 100 * time.Millisecond
	metAtOnce = 256
	// metRetry is when a transaction that failed is tried again.
	metRetry = time.Second
)

// metMark names how far the journal is in the store: the number of the last entry that is.
const metMark = "met"

// behind keeps what sessions met: at once in memory, where every later question finds it, and in the journal, which outlives the
// process; in the store a little later, many of them together. What lowers a session is on disk before it is acknowledged, and the
// rest is whenever the store is.
type behind struct {
	writer  *writer
	journal *journal
	wake    chan struct{} // something is pending
	hurry   chan struct{} // somebody waits for it
	quit    chan struct{}
	stopped chan struct{}
	once    sync.Once

	mu      sync.Mutex
	last    uint64           // number of the newest entry
	pending []entry          // those that are not in the store, or were not a moment ago
	weight  int              // of them
	commits map[string]bool  // ids of the records in them
	size    uint64           // of the audit log with them, while there are any
	failed  error            // why the last transaction failed
	visit   [visitBytes]byte // last one of another process
	shared  bool             // another process was here when that was last looked at
	refuse  error            // what entries are answered with while the memory is moved, and afterwards
	turned  chan struct{}
	known   standings
}

func startBehind(w *writer, j *journal, last uint64) *behind {
	b := &behind{
		writer: w, journal: j, last: last, wake: make(chan struct{}, 1), hurry: make(chan struct{}, 1), quit: make(chan struct{}),
		stopped: make(chan struct{}), turned: make(chan struct{}), known: newStandings(), commits: map[string]bool{},
	}
	go b.loop()
	return b
}

// stop brings what is pending into the store and closes the journal. What cannot be brought there stays in the journal.
func (b *behind) stop() error {
	var err error
	b.once.Do(func() {
		close(b.quit)
		<-b.stopped
		b.mu.Lock()
		defer b.mu.Unlock()
		err = b.journal.close(len(b.pending) == 0)
		b.failed = errClosed
	})
	return err
}

// add acknowledges an entry: whoever asks from now on finds it, also after the process was killed.
func (b *behind) add(ctx context.Context, e entry) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for {
		b.mu.Lock()
		if err := b.refuse; err != nil {
			b.mu.Unlock()
			return err
		}
		if b.failed == nil && !b.full() {
			break
		}
		closed := errors.Is(b.failed, errClosed)
		b.mu.Unlock()
		if closed {
			return errClosed
		}
		if err := b.flush(ctx); err != nil {
			return err
		}
	}
	defer b.mu.Unlock()
	e.n = b.last + 1
	frame := e.frame()
	if len(frame) > maxEntryBytes {
		return errLongEntry
	}
	if err := b.journal.append(frame, b.known.lowers(e.rows)); err != nil {
		return err
	}
	b.last, b.weight, b.pending = e.n, b.weight+e.weight(), append(b.pending, e)
	for _, c := range e.commits {
		b.commits[c.record.ID], b.size = true, c.record.Seq
	}
	b.known.note(e.rows)
	signal(b.wake)
	return nil
}

// errLongEntry says that an entry has to go to the store at once.
var errLongEntry = errors.New("the entry is too long for the journal")

func (b *behind) full() bool {
	return b.weight >= maxMet || len(b.pending) >= maxMetEntries || b.journal.size >= maxMetBytes
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// flush waits until everything that was acknowledged is in the store.
func (b *behind) flush(ctx context.Context) error {
	b.mu.Lock()
	last := b.last
	for {
		if len(b.pending) == 0 || b.pending[0].n > last {
			b.mu.Unlock()
			return nil
		}
		turned := b.turned
		b.mu.Unlock()
		signal(b.hurry)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-b.stopped:
			return errClosed
		case <-turned:
		}
		b.mu.Lock()
		if err := b.failed; err != nil {
			b.mu.Unlock()
			return err
		}
	}
}

// holds reports whether a trace of one of these records is not in the store yet.
func (b *behind) holds(ids map[string]bool) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range b.pending {
		for _, t := range e.traces {
			if ids[t.ID] {
				return true
			}
		}
	}
	return false
}

// unwritten returns the entries that may not be in the store.
func (b *behind) unwritten() []entry {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.pending // nothing in it ever changes
}

// loop brings entries into the store.
func (b *behind) loop() {
	defer close(b.stopped)
	retry := time.NewTimer(0)
	<-retry.C
	for {
		select {
		case <-b.quit:
			for b.write() == nil && len(b.unwritten()) > 0 {
			}
			return
		case <-b.hurry:
		case <-retry.C:
		case <-b.wake:
			timer := time.NewTimer(linger)
			select {
			case <-timer.C:
			case <-b.hurry:
			case <-b.quit:
			}
			timer.Stop()
		}
		if b.write() != nil {
			retry.Reset(metRetry)
		}
	}
}

// write brings what is pending into the store, in one transaction.
func (b *behind) write() error {
	list := atOnce(b.unwritten())
	var err error
	if len(list) > 0 {
		err = b.writer.do(context.Background(), "keeping what sessions met", func(w *writer) error { return w.addMet(list) })
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failed = err
	if err == nil {
		b.pending = append([]entry(nil), b.pending[len(list):]...)
		for _, e := range list {
			b.weight -= e.weight()
			for _, c := range e.commits {
				delete(b.commits, c.record.ID)
			}
		}
		if len(b.pending) == 0 {
			err = b.journal.clear()
		} else {
			signal(b.hurry)
		}
	}
	close(b.turned)
	b.turned = make(chan struct{})
	return err
}

// atOnce returns the first of the entries, as many as go into one transaction.
func atOnce(entries []entry) []entry {
	weight := 0
	for i, e := range entries {
		if weight += e.weight(); weight > metAtOnce && i > 0 {
			return entries[:i]
		}
	}
	return entries
}

// addMet writes entries into the store, and how far they go.
func (w *writer) addMet(entries []entry) error {
	if len(entries) == 0 {
		return nil
	}
	if err := w.addCommits(entries); err != nil {
		return err
	}
	var delivered, all, unbound []deliveryRow
	for _, e := range entries {
		for _, m := range e.rows {
			row := rowOf(m.Delivery)
			all = append(all, row)
			if !m.observed {
				delivered = append(delivered, row)
			}
			if m.unbound {
				unbound = append(unbound, row)
			}
		}
	}
	if err := w.addDelivered(delivered); err != nil {
		return err
	}
	if err := addRows(w, latest(all), w.stmts.deliverClass); err != nil {
		return err
	}
	if err := addRows(w, latest(unbound), w.stmts.deliverUnboundTo); err != nil {
		return err
	}
	for _, e := range entries {
		traces, err := newTraces(e.traces)
		if err != nil {
			return err
		}
		if err := w.addTraces(traces); err != nil {
			return err
		}
	}
	return w.exec(w.stmts.mark, metMark, int64(entries[len(entries)-1].n)) // #nosec G115 -- bits
}

// addDelivered puts deliveries into the log, and counts them as recalls of their records.
func (w *writer) addDelivered(rows []deliveryRow) error {
	if err := addRows(w, rows, w.stmts.deliver); err != nil {
		return err
	}
	return addRows(w, recallsOf(rows), w.stmts.countRecall)
}

// addRows runs statements that take rows as one JSON array.
func addRows[T any](w *writer, rows []T, statements ...*sql.Stmt) error {
	if len(rows) == 0 {
		return nil
	}
	list, err := json.Marshal(rows)
	if err != nil {
		return fmt.Errorf("logging deliveries: %w", err)
	}
	for _, s := range statements {
		if err := w.exec(s, string(list)); err != nil {
			return err
		}
	}
	return nil
}

// latest returns of the rows of each session and class the last: a read of many memories meets few classes.
func latest(rows []deliveryRow) []deliveryRow {
	var out []deliveryRow
	places := map[[3]any]int{}
	for _, r := range rows {
		key := [3]any{r[atNamespace], r[atSession], r[atClass]}
		i, known := places[key]
		if !known {
			places[key] = len(out)
			out = append(out, r)
			continue
		}
		if out[i][atTime].(int64) < r[atTime].(int64) { //nolint:forcetypeassert // see rowOf
			out[i] = r
		}
	}
	return out
}

// recallRow is record, how often it was recalled, and when last.
type recallRow [3]any

// recallsOf counts the deliveries of each record.
func recallsOf(rows []deliveryRow) []recallRow {
	var out []recallRow
	places := map[any]int{}
	for _, r := range rows {
		i, known := places[r[atRecord]]
		if !known {
			i = len(out)
			places[r[atRecord]] = i
			out = append(out, recallRow{r[atRecord], 0, r[atTime]})
		}
		out[i][1] = out[i][1].(int) + 1            //nolint:forcetypeassert // as above
		if out[i][2].(int64) < r[atTime].(int64) { //nolint:forcetypeassert // see rowOf
			out[i][2] = r[atTime]
		}
	}
	return out
}

func rowOf(d memory.Delivery) deliveryRow {
	return deliveryRow{d.Namespace, d.Session, d.RecordID, d.Seq, d.Class, d.Score, d.At.UnixMicro()}
}
