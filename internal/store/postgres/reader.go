// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package postgres

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"memorytrust.dev/operator/internal/memory"
)

// reader is the reading connection. Reads take turns.
type reader struct {
	lane lane
	turn chan struct{} // holds one value while nobody reads; closed with the store
}

// readConn is the connection during one read.
type readConn struct {
	*pgx.Conn
	timeout time.Duration
	pending []string // statements that go with the next query
	rows    int      // rows read so far
	empty   bool     // what is asked for cannot be there
}

// source runs reads: a reader on its connection once that is free, a connection at once.
type source interface {
	with(ctx context.Context, doing string, read func(*readConn) error) error
}

func newReader(conn lane) *reader {
	r := &reader{lane: conn, turn: make(chan struct{}, 1)}
	r.turn <- struct{}{}
	return r
}

func (r *reader) enter(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	busy := time.NewTimer(2 * r.lane.timeout)
	defer busy.Stop()
	select {
	case _, open := <-r.turn:
		if !open {
			return errClosed
		}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-busy.C:
		return errBusy
	}
}

// close waits for the running read and closes the connection.
func (r *reader) close() {
	if _, open := <-r.turn; open {
		r.lane.drop()
		close(r.turn)
	}
}

// with runs read, again on a new connection if the one there was turns out to be lost: a server that was restarted meanwhile is no
// reason to fail.
func (r *reader) with(ctx context.Context, doing string, read func(*readConn) error) error {
	if err := r.enter(ctx); err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	defer func() { r.turn <- struct{}{} }()
	for {
		conn, fresh, err := r.lane.get(ctx)
		if err != nil {
			return mapError(ctx, doing, err)
		}
		c := &readConn{Conn: conn, timeout: r.lane.timeout + time.Second} // the server's own bound comes first
		err = read(c)
		lost := conn.IsClosed() || conn.PgConn().TxStatus() != 'I'
		if lost {
			r.lane.drop() //nolint:contextcheck // has a bound of its own
		}
		if err == nil || !lost || fresh || c.rows > 0 || ctx.Err() != nil || isTimeout(err) {
			return err
		}
	}
}

func (c *readConn) with(_ context.Context, _ string, read func(*readConn) error) error {
	return read(c)
}

// snapshot runs read in one transaction: what it reads belongs together.
func (r *reader) snapshot(ctx context.Context, doing string, read func(*readConn) error) error {
	return r.with(ctx, doing, func(c *readConn) error {
		c.pending = []string{"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"}
		err := read(c)
		if c.IsClosed() || c.PgConn().TxStatus() == 'I' {
			return err
		}
		// A context that has ended must not leave the transaction open. What comes of it shows in the status.
		bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeWait)
		defer cancel()
		_, _ = c.Exec(bounded, "COMMIT")
		return err
	})
}

// numbered replaces the question marks of a query by the numbered parameters of PostgreSQL. No query has any for something else.
func numbered(query string) string {
	if !strings.Contains(query, "?") {
		return query
	}
	var b strings.Builder
	for n := 1; ; n++ {
		before, after, found := strings.Cut(query, "?")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteString("$" + strconv.Itoa(n))
		query = after
	}
}

// rowsOf runs a query and hands every row to each, which must copy what it keeps.
func (c *readConn) rowsOf(ctx context.Context, query string, args []any, each func(scan func(...any) error) error) error {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	var batch pgx.Batch
	for _, statement := range c.pending {
		batch.Queue(statement)
	}
	c.pending = nil
	batch.Queue(numbered(query), args...).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			c.rows++
			if err := each(rows.Scan); err != nil {
				return err
			}
		}
		return rows.Err()
	})
	return c.SendBatch(ctx, &batch).Close()
}

// collect runs a query and reads every row. No row equals a text that PostgreSQL cannot hold.
func collect[T any](ctx context.Context, from source, doing, query string, args []any,
	read func(scan func(...any) error) (T, error),
) (out []T, err error) {
	err = from.with(ctx, doing, func(c *readConn) error {
		err := c.rowsOf(ctx, query, args, func(scan func(...any) error) error {
			item, err := read(scan)
			if err == nil {
				out = append(out, item)
			}
			return err
		})
		if code := codeOf(err); code == codeNotInCharacterSet || code == codeTransactionAborted && c.empty {
			c.empty = true
			return nil
		}
		return mapError(ctx, doing, err)
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// one runs a query for one row and reads it; without a row it returns memory.ErrNotFound.
func one[T any](ctx context.Context, from source, doing, query string, args []any,
	read func(scan func(...any) error) (T, error),
) (T, error) {
	list, err := collect(ctx, from, doing, query, args, read)
	if err != nil || len(list) == 0 {
		var none T
		if err == nil {
			err = memory.ErrNotFound
		}
		return none, err
	}
	return list[0], nil
}

// value reads a row of one column.
func value[T any](scan func(...any) error) (v T, err error) {
	err = scan(&v)
	return v, err
}
