// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// maxBatch bounds how many requests share one transaction. Waiting for the server's disk is what a write costs, so that a batch of
// 64 is nearly as fast as one write; more would only make the first of them, and other writers of the agent, wait.
const maxBatch = 64

// maxAttempts bounds how often a batch is run whose transaction is known to have changed nothing.
const maxAttempts = 3

// writer is the one goroutine of this store that writes. It takes whatever requests have come in meanwhile into one transaction,
// and answers them when the server committed it.
type writer struct {
	lane     lane
	agent    string
	requests chan *request // unbuffered: who is not being served yet can still give up
	quit     chan struct{}
	stopped  chan struct{}
	close    sync.Once

	known known // of the database, from one transaction to the next
}

// request is a write that waits for its turn.
type request struct {
	ctx context.Context
	// run reads what it needs, decides, and queues what is to be written once nothing can refuse it any more. It can run again, when
	// the transaction came to nothing.
	run  func(*transaction) error
	err  error
	done chan struct{}
}

func startWriter(conn lane, agent string) *writer {
	w := &writer{
		lane: conn, agent: agent, requests: make(chan *request), quit: make(chan struct{}), stopped: make(chan struct{}),
	}
	go w.loop()
	return w
}

// stop ends the goroutine once what it works on is done, and closes the connection.
func (w *writer) stop() {
	w.close.Do(func() {
		close(w.quit)
		<-w.stopped
		w.lane.drop()
	})
}

// do runs a write in the next transaction and returns when that is committed. While the write waits for its turn, the end of ctx
// takes it back; once it has begun, do returns its outcome, whatever becomes of ctx.
func (w *writer) do(ctx context.Context, doing string, run func(*transaction) error) error {
	r, err := w.submit(ctx, run)
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	<-r.done
	return r.outcome(doing)
}

// submit hands a request over. It does not wait longer for its turn than for the server.
func (w *writer) submit(ctx context.Context, run func(*transaction) error) (*request, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r := &request{ctx: ctx, run: run, done: make(chan struct{})}
	select {
	case w.requests <- r:
		return r, nil
	default:
	}
	busy := time.NewTimer(w.lane.timeout)
	defer busy.Stop()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-w.quit:
		return nil, errClosed
	case <-busy.C:
		return nil, errBusy
	case w.requests <- r:
		return r, nil
	}
}

// outcome is the error of a request that is done.
func (r *request) outcome(doing string) error {
	var lost *lostError
	if errors.As(r.err, &lost) {
		return translate(doing, lost.error)
	}
	if r.err != nil {
		return fmt.Errorf("%s: %w", doing, r.err)
	}
	return nil
}

func (w *writer) loop() {
	defer close(w.stopped)
	batch := make([]*request, 0, maxBatch)
	for {
		select {
		case <-w.quit:
			return
		case first := <-w.requests:
			batch = w.collect(append(batch[:0], first))
		}
		w.runBatch(batch)
		for _, r := range batch {
			close(r.done)
		}
	}
}

// collect takes along what waits already.
func (w *writer) collect(batch []*request) []*request {
	for len(batch) < maxBatch {
		select {
		case r := <-w.requests:
			batch = append(batch, r)
		default:
			return batch
		}
	}
	return batch
}

// runBatch runs the requests in one transaction and sets their errors. What ends the transaction ends all of them, unless it is
// something that one of them wrote: then each runs alone, and it is the only one to fail.
func (w *writer) runBatch(batch []*request) {
	err := w.runTogether(batch)
	if err == nil {
		return
	}
	if len(batch) > 1 && isRefusal(err) {
		for i := range batch {
			w.runBatch(batch[i : i+1])
		}
		return
	}
	for _, r := range batch {
		r.err = &lostError{err}
	}
}

// lostError is what ended a transaction.
type lostError struct{ error }

// runTogether runs the requests in one transaction, again if it is known that it changed nothing and there is hope that another
// attempt does.
func (w *writer) runTogether(batch []*request) error {
	for attempt := 1; ; attempt++ {
		conn, fresh, err := w.lane.get(w.lane.base)
		if err != nil {
			return err
		}
		t := newTransaction(w, conn)
		err = t.run(batch)
		if err == nil {
			w.known = t.known
			return nil
		}
		w.known = known{}
		if t.committing && isLost(err) {
			if w.settle(t) {
				return nil
			}
			if w.lane.conn == nil {
				return errUnknown
			}
		} else {
			t.rollBack()
		}
		again := isContention(err) || isLost(err) && !fresh && !isTimeout(err)
		if !again || attempt == maxAttempts {
			return err
		}
	}
}

// settle finds out whether the server committed a transaction before the connection was lost. Without an answer there is no
// connection either. The row of the log is held until a transaction is over, so that whoever gets hold of it finds either what it
// wrote or nothing, and nothing for good.
func (w *writer) settle(t *transaction) (committed bool) {
	ctx, cancel := context.WithTimeout(w.lane.base, w.lane.timeout)
	defer cancel()
	for {
		w.lane.drop()
		w.lane.failed = time.Time{}
		if conn, _, err := w.lane.get(ctx); err == nil {
			if committed, err := t.isCommitted(ctx, conn); err == nil {
				return committed
			}
		}
		select {
		case <-ctx.Done():
			w.lane.drop()
			return false
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// isLost reports whether an error says nothing about the transaction but that nobody answers any more.
func isLost(err error) bool {
	code := codeOf(err)
	if code == "" {
		return !isOurs(err)
	}
	if isFatal(err) {
		return true
	}
	switch code[:min(len(code), 2)] {
	case "08", "57", "58", "XX":
		return code != codeStatementTimeout
	}
	return code == codeReadOnly
}

// isContention reports whether a transaction came to nothing because of others.
func isContention(err error) bool {
	code := codeOf(err)
	return code == codeSerialization || code == codeDeadlock
}

// isRefusal reports whether the server refuses what a request wrote: a value that does not fit.
func isRefusal(err error) bool {
	switch code := codeOf(err); code[:min(len(code), 2)] {
	case "22", "23", "54":
		return true
	}
	return false
}

// Ping checks that the store can be written to, by writing. It does not outlast ctx, also when the server hangs.
func (s *Store) Ping(ctx context.Context) error {
	const doing = "probing the memory store"
	r, err := s.writer.submit(ctx, func(t *transaction) error {
		t.probe = true
		return nil
	})
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	select {
	case <-r.done:
		return r.outcome(doing)
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", doing, ctx.Err())
	}
}
