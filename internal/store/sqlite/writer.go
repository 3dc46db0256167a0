// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	driver "modernc.org/sqlite"

	"memorytrust.dev/operator/internal/audit"
	"memorytrust.dev/operator/internal/memory"
)

// maxBatch bounds how many requests share one transaction. Waiting for the disk is what a write costs, so that a batch of
// 64 is nearly as fast as one write; more would only make the first of them wait.
const maxBatch = 64

var errClosed = fmt.Errorf("%w: the store is closed", memory.ErrUnavailable)

// writer is the one goroutine that writes. It takes whatever requests have come in meanwhile into one transaction, each
// behind a savepoint of its own, and answers them when the transaction is on disk. What it remembers from one batch to the
// next is checked against the file at the start of each, since another process may write to it.
type writer struct {
	conn     *sql.Conn
	stmts    statements
	requests chan *request // unbuffered: who is not being served yet can still give up
	quit     chan struct{}
	stopped  chan struct{}
	close    sync.Once

	size       int64                // entries in the audit log; -1 when it has to be read
	hashes     map[int64]audit.Hash // of the log, those appended last
	namespaces map[string]int64
	committed  atomic.Int64 // entries in the audit log on disk; -1 when that has to be read
	truncate   bool         // the write-ahead log is to be emptied: it may hold what was purged, or the volume was full
	reindex    []indexing
	traced     []traceChange // of the transaction
	postings   *postings
	present    *presence
	refuse     error // what requests are answered with while the memory is moved, and afterwards
}

// indexing is a change of the full-text index. Changes wait for the end of the batch: at every savepoint SQLite would
// write out what it has gathered of them, and one write for the batch is what makes them cheap.
type indexing struct {
	stmt *sql.Stmt
	rid  int64
	text string
}

// request is a write that waits for its turn.
type request struct {
	ctx    context.Context
	run    func(*writer) error
	always bool // also while writes are held
	err    error
	done   chan struct{}
}

func startWriter(conn *sql.Conn, stmts statements, known *postings, present *presence) *writer {
	w := &writer{
		conn: conn, stmts: stmts, postings: known, present: present, requests: make(chan *request), quit: make(chan struct{}), stopped: make(chan struct{}),
		size: -1,
		// A process that was killed right after a purge has left the text in the log.
		truncate: true,
	}
	w.committed.Store(-1)
	go w.loop()
	return w
}

// stop ends the goroutine once what it works on is done, and closes the connection.
func (w *writer) stop() error {
	var err error
	w.close.Do(func() {
		close(w.quit)
		<-w.stopped
		err = errors.Join(w.stmts.close(), w.conn.Close())
	})
	return err
}

// do runs a write in the next transaction and returns when that is on disk. While the write waits for its turn, the end
// of ctx takes it back; once it has begun, do returns its outcome, whatever becomes of ctx.
func (w *writer) do(ctx context.Context, doing string, run func(*writer) error) error {
	return w.doRequest(&request{ctx: ctx, run: run}, doing)
}

// doAlways is do for what a hold of writes does not keep back.
func (w *writer) doAlways(ctx context.Context, doing string, run func(*writer) error) error {
	return w.doRequest(&request{ctx: ctx, run: run, always: true}, doing)
}

func (w *writer) doRequest(r *request, doing string) error {
	if err := w.submit(r); err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	<-r.done
	return r.outcome(doing)
}

// submit hands a request over.
func (w *writer) submit(r *request) error {
	r.done = make(chan struct{})
	select {
	case <-r.ctx.Done():
		return r.ctx.Err()
	case <-w.quit:
		return errClosed
	case w.requests <- r:
		return nil
	}
}

// outcome is the error of a request that is done.
func (r *request) outcome(doing string) error {
	if r.err != nil && errors.Is(r.err, r.ctx.Err()) {
		return fmt.Errorf("%s: %w", doing, r.err)
	}
	return mapError(context.WithoutCancel(r.ctx), doing, r.err)
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

// runBatch runs the requests in one transaction and sets their errors. What ends the transaction ends all of them.
func (w *writer) runBatch(batch []*request) {
	err := w.begin()
	if err == nil {
		if err = w.runAll(batch); err == nil {
			err = w.finish()
		}
		w.committed.Store(w.size)
		if err == nil {
			w.postings.changed(w.traced)
		} else {
			w.forget()
			w.postings.forget()
			w.committed.Store(-1)
			_ = w.exec(w.stmts.rollback) // fails when SQLite has rolled back already
		}
	}
	if err != nil {
		for _, r := range batch {
			r.err = err
		}
		w.truncate = true
		return
	}
	if w.truncate {
		w.truncate = w.truncateLog() != nil
	}
}

func (w *writer) begin() error {
	w.reindex, w.traced = w.reindex[:0], w.traced[:0]
	if err := w.exec(w.stmts.begin); err != nil {
		return err
	}
	var size int64
	if err := w.row(w.stmts.size).Scan(&size); err != nil {
		_ = w.exec(w.stmts.rollback)
		return err
	}
	if size != w.size {
		w.forget()
		w.size = size
	}
	return nil
}

// finish brings the index up to date and ends the transaction.
func (w *writer) finish() error {
	for _, change := range w.reindex {
		if err := w.exec(change.stmt, change.rid, change.text); err != nil {
			return err
		}
	}
	return w.exec(w.stmts.commit)
}

// runAll runs each request behind a savepoint. It returns an error when the transaction as a whole is lost.
func (w *writer) runAll(batch []*request) error {
	for _, r := range batch {
		if r.err = r.ctx.Err(); r.err != nil {
			continue
		}
		if w.refuse != nil && !r.always {
			r.err = w.refuse
			continue
		}
		if err := w.exec(w.stmts.savepoint); err != nil {
			return err
		}
		before, traced := len(w.reindex), len(w.traced)
		if r.err = r.run(w); r.err == nil {
			if err := w.exec(w.stmts.release); err != nil {
				return err
			}
			continue
		}
		w.forget()
		w.reindex, w.traced = w.reindex[:before], w.traced[:traced]
		if err := w.undo(); err != nil {
			// There is no savepoint any more: a full disk, for one, rolls back the whole transaction.
			var cause *driver.Error
			if errors.As(r.err, &cause) {
				return r.err
			}
			return err
		}
	}
	return nil
}

// undo goes back to the savepoint and drops it.
func (w *writer) undo() error {
	if err := w.exec(w.stmts.undo); err != nil {
		return err
	}
	if err := w.exec(w.stmts.release); err != nil {
		return err
	}
	return w.row(w.stmts.size).Scan(&w.size)
}

// forget drops what is remembered of the file.
func (w *writer) forget() {
	w.size, w.hashes, w.namespaces = -1, nil, nil
}

// truncateLog empties the write-ahead log into the file. It waits for readers, at most the busy timeout; should that not
// be enough, the next write tries again.
func (w *writer) truncateLog() error {
	var busy, frames, moved int
	err := w.conn.QueryRowContext(context.Background(), "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &moved)
	if err == nil && busy != 0 {
		return memory.ErrUnavailable
	}
	return err
}

// row and exec run a statement to its end: a request that is given up must not take the transaction of others along.
func (w *writer) row(stmt *sql.Stmt, args ...any) *sql.Row {
	return stmt.QueryRowContext(context.Background(), args...)
}

func (w *writer) exec(stmt *sql.Stmt, args ...any) error {
	_, err := stmt.ExecContext(context.Background(), args...)
	return err
}
