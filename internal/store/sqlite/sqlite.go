// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package sqlite keeps one agent's memory in a SQLite file on a local volume. Every acknowledged write is on disk:
// write-ahead logging with synchronous=FULL. There is one writing connection and a pool of reading ones. SQLite's
// locking does not work on network file systems, so the file must not be on one.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	driver "modernc.org/sqlite"

	"memorytrust.dev/operator/internal/memory"
)

// Options adjust a store. The zero value is right for a screener.
type Options struct {
	// BusyTimeout is how long to wait for another process that holds the file; 5 seconds when zero.
	BusyTimeout time.Duration
	// Readers is how many reads run at once; one per processor, at least 2 and at most 8, when zero.
	Readers int
}

func (o Options) withDefaults() Options {
	if o.BusyTimeout <= 0 {
		o.BusyTimeout = 5 * time.Second
	}
	if o.Readers <= 0 {
		o.Readers = min(max(runtime.GOMAXPROCS(0), 2), 8)
	}
	return o
}

// Store implements memory.Store.
type Store struct {
	writer *sql.DB // one connection, transactions begin IMMEDIATE
	reader *sql.DB // query_only
	commit commitStatements
}

var _ memory.Store = (*Store)(nil)

// Open opens the store in the file at path, making file and directory if they do not exist, and brings its schema up to
// date. It returns ErrForeign, ErrNewerSchema or ErrCorrupt for a file it must not use, and memory.ErrUnavailable when the
// volume does not take it.
func Open(ctx context.Context, path string, opts Options) (*Store, error) {
	opts = opts.withDefaults()
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("opening the memory store: %w", err)
	}
	fresh, err := prepareFile(absolute)
	if err != nil {
		return nil, fmt.Errorf("opening the memory store %s: %w", path, err)
	}
	s := &Store{}
	if err := s.open(ctx, absolute, fresh, opts); err != nil {
		return nil, errors.Join(mapError(ctx, "opening the memory store "+path, err), s.Close())
	}
	return s, nil
}

func (s *Store) open(ctx context.Context, path string, fresh bool, opts Options) error {
	writer, err := connect(path, opts, "synchronous(FULL)", "foreign_keys(1)")
	if err != nil {
		return err
	}
	writer.SetMaxOpenConns(1)
	writer.SetConnMaxIdleTime(0)
	s.writer = writer
	if !fresh {
		// The first read of a damaged file fails here and not in the middle of a migration.
		var tables int
		if err := writer.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
			return err
		}
	}
	// The schema comes before write-ahead logging; checkHeader relies on it.
	if err := migrate(ctx, writer); err != nil {
		return err
	}
	var mode string
	if err := writer.QueryRowContext(ctx, "PRAGMA journal_mode = WAL").Scan(&mode); err != nil {
		return err
	}
	if mode != "wal" {
		return fmt.Errorf("%w: the volume does not support write-ahead logging", memory.ErrUnavailable)
	}
	if s.commit, err = prepareCommit(ctx, writer); err != nil {
		return err
	}
	reader, err := connect(path, opts, "query_only(1)")
	if err != nil {
		return err
	}
	reader.SetMaxOpenConns(opts.Readers)
	reader.SetMaxIdleConns(opts.Readers)
	s.reader = reader
	return reader.PingContext(ctx)
}

// connect opens a pool on an existing file. The pragmas apply to each of its connections; trusted_schema=OFF keeps a
// tampered schema from calling functions with side effects.
func connect(path string, opts Options, pragmas ...string) (*sql.DB, error) {
	query := url.Values{"mode": {"rw"}, "_txlock": {"immediate"}}
	query.Add("_pragma", "busy_timeout("+strconv.FormatInt(opts.BusyTimeout.Milliseconds(), 10)+")")
	query.Add("_pragma", "trusted_schema(OFF)")
	for _, p := range pragmas {
		query.Add("_pragma", p)
	}
	dsn := url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: query.Encode()}
	connector, err := driver.NewConnector(dsn.String())
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(connector), nil
}

// Ping checks that the store can be written to, by writing.
func (s *Store) Ping(ctx context.Context) error {
	_, err := s.writer.ExecContext(ctx, "UPDATE liveness SET at = ? WHERE id = 1", time.Now().UnixMicro())
	return mapError(ctx, "probing the memory store", err)
}

// Close waits for running calls and closes the file.
func (s *Store) Close() error {
	var errs []error
	errs = append(errs, s.commit.close())
	for _, db := range []*sql.DB{s.reader, s.writer} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}
