// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"memorytrust.dev/operator/internal/memory"
)

const (
	// maxPrepared bounds how many statements a reading connection keeps prepared.
	maxPrepared = 64
	// maxPreparedText leaves out statements with long lists, which hardly come again.
	maxPreparedText = 2 << 10
)

// reader is the pool of reading connections.
type reader struct {
	db    *sql.DB // query_only
	conns chan *readConn
	size  int
}

// readConn is one of them. Preparing a statement takes longer than many a statement runs, so those that come again stay
// prepared.
type readConn struct {
	*sql.Conn
	prepared map[string]*sql.Stmt
}

// source lends a reading connection: a reader one that is free, a connection itself.
type source interface {
	acquire(ctx context.Context) (conn *readConn, release func(), err error)
}

func openReader(ctx context.Context, db *sql.DB, size int) (*reader, error) {
	db.SetMaxOpenConns(size)
	db.SetMaxIdleConns(size)
	r := &reader{db: db, conns: make(chan *readConn, size)}
	for range size {
		conn, err := db.Conn(ctx)
		if err != nil {
			return nil, errors.Join(err, r.close())
		}
		r.conns <- &readConn{Conn: conn, prepared: map[string]*sql.Stmt{}}
		r.size++
	}
	return r, nil
}

func (r *reader) acquire(ctx context.Context) (*readConn, func(), error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	select {
	case conn, open := <-r.conns:
		if !open {
			return nil, nil, errClosed
		}
		return conn, func() { r.conns <- conn }, nil
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
}

func (c *readConn) acquire(context.Context) (*readConn, func(), error) { return c, func() {}, nil }

// close waits for running reads and closes the connections.
func (r *reader) close() error {
	var errs []error
	for range r.size {
		conn, open := <-r.conns
		if !open {
			return nil // closed before
		}
		for _, stmt := range conn.prepared {
			errs = append(errs, stmt.Close())
		}
		errs = append(errs, conn.Close())
	}
	close(r.conns)
	return errors.Join(append(errs, r.db.Close())...)
}

// snapshot runs read in one transaction: what it reads belongs together, and taking the file's lock once is cheaper.
func (r *reader) snapshot(ctx context.Context, doing string, read func(*readConn) error) (err error) {
	conn, release, err := r.acquire(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	defer release()
	if err := conn.run(ctx, "BEGIN"); err != nil {
		return mapError(ctx, doing, err)
	}
	defer func() {
		// A context that has ended must not leave the transaction open.
		err = errors.Join(err, mapError(ctx, doing, conn.run(context.WithoutCancel(ctx), "ROLLBACK")))
	}()
	return read(conn)
}

func (c *readConn) run(ctx context.Context, text string) error {
	stmt, err := c.statement(ctx, text)
	if err != nil {
		return err
	}
	_, err = stmt.ExecContext(ctx)
	return err
}

// statement returns a prepared statement, nil when it is not worth keeping.
func (c *readConn) statement(ctx context.Context, text string) (*sql.Stmt, error) {
	if len(text) > maxPreparedText {
		return nil, nil
	}
	if stmt := c.prepared[text]; stmt != nil {
		return stmt, nil
	}
	if len(c.prepared) >= maxPrepared {
		var errs []error
		for _, stmt := range c.prepared {
			errs = append(errs, stmt.Close())
		}
		clear(c.prepared)
		if err := errors.Join(errs...); err != nil {
			return nil, err
		}
	}
	stmt, err := c.PrepareContext(ctx, text)
	if err == nil {
		c.prepared[text] = stmt
	}
	return stmt, err
}

func (c *readConn) query(ctx context.Context, text string, args []any) (*sql.Rows, error) {
	stmt, err := c.statement(ctx, text)
	if err != nil {
		return nil, err
	}
	if stmt == nil {
		return c.QueryContext(ctx, text, args...)
	}
	return stmt.QueryContext(ctx, args...)
}

// collect runs a query and reads every row.
func collect[T any](ctx context.Context, from source, doing, query string, args []any,
	read func(scan func(...any) error) (T, error),
) (out []T, err error) {
	conn, release, err := from.acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	defer release()
	rows, err := conn.query(ctx, query, args)
	if err != nil {
		return nil, mapError(ctx, doing, err)
	}
	defer func() { err = errors.Join(err, mapError(ctx, doing, rows.Close())) }()
	for rows.Next() {
		item, err := read(rows.Scan)
		if err != nil {
			return nil, mapError(ctx, doing, err)
		}
		out = append(out, item)
	}
	return out, mapError(ctx, doing, rows.Err())
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
