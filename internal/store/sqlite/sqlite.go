// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package sqlite keeps one agent's memory in a SQLite file on a local volume. Every acknowledged write is on disk:
// write-ahead logging with synchronous=FULL. There is one writing connection and a pool of reading ones. SQLite's
// locking does not work on network file systems, so the file must not be on one. What sessions met, deliveries and
// observations, goes through a journal beside the file: it outlives the process, and where the machine goes down and takes
// some of it along, every session counts as low from then on.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	driver "modernc.org/sqlite"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/store/fulltext"
)

// Options adjust a store. The zero value is right for a screener.
type Options struct {
	// WriteThrough puts what sessions met into the store at once, as it is done anyway while another process has the store open.
	WriteThrough bool
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
	file   *sql.DB // one connection, which the writer holds
	writer *writer
	reader *reader
	behind *behind   // nil: what sessions met goes to the file at once
	guest  io.Closer // of the journal that another process has; nil where none has
	// order keeps apart changes that get their place in the audit log when they are acknowledged and those that get it in their
	// transaction: while one of the latter is on its way, it is not known where the former would be.
	order sync.RWMutex

	postings    postings
	present     presence
	turns       keptTurns
	frequencies fulltext.Frequencies
	exporting   atomic.Bool // while an Export goes on, and after one that moved the memory
}

var _ memory.Store = (*Store)(nil)

// Open opens the store in the file at path, making file and directory if they do not exist, and brings its schema up to
// date. It returns ErrForeign, ErrNewerSchema or ErrCorrupt for a file it must not use, a *MovedError for one whose memory is
// elsewhere, and memory.ErrUnavailable when the volume does not take it.
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
	// Where fdatasync is not to be had, fsync does the same, more slowly.
	_, _ = driver.Fdatasync(true)
	file, err := connect(path, opts, "synchronous(FULL)", "foreign_keys(1)", "secure_delete(1)")
	if err != nil {
		return err
	}
	file.SetMaxOpenConns(1)
	file.SetConnMaxIdleTime(0)
	s.file = file
	if !fresh {
		// The first read of a damaged file fails here and not in the middle of a migration.
		var tables int
		if err := file.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
			return err
		}
	}
	// The schema comes before write-ahead logging; checkHeader relies on it.
	if err := migrate(ctx, file); err != nil {
		return err
	}
	if err := checkMoved(ctx, file); err != nil {
		return err
	}
	var mode string
	if err := file.QueryRowContext(ctx, "PRAGMA journal_mode = WAL").Scan(&mode); err != nil {
		return err
	}
	if mode != "wal" {
		return fmt.Errorf("%w: the volume does not support write-ahead logging", memory.ErrUnavailable)
	}
	conn, err := file.Conn(ctx)
	if err != nil {
		return err
	}
	stmts, err := prepareStatements(ctx, conn)
	if err != nil {
		return errors.Join(err, conn.Close())
	}
	s.writer = startWriter(conn, stmts, &s.postings, &s.present)
	readers, err := connect(path, opts, "query_only(1)", "cache_size(-8192)")
	if err != nil {
		return err
	}
	if s.reader, err = openReader(ctx, readers, opts.Readers); err != nil {
		return err
	}
	return s.openBehind(ctx, path, opts)
}

// openBehind opens the journal and brings what is in it into the store.
func (s *Store) openBehind(ctx context.Context, path string, opts Options) error {
	j, left, err := openJournal(path, currentBoot())
	if errors.Is(err, errJournalHeld) || errors.Is(err, errNoLocks) {
		s.guest, err = visitJournal(ctx, path)
		return err
	}
	if err != nil {
		return err
	}
	last, err := s.writer.recover(ctx, left)
	if err == nil && opts.WriteThrough {
		if err = j.close(true); err == nil {
			s.guest, err = visitJournal(ctx, path)
		}
		return err
	}
	if err == nil {
		err = j.begin()
	}
	if err != nil {
		return errors.Join(err, j.close(false))
	}
	here := visited(j.file) // whoever comes later announces it
	if err := s.present.load(ctx, s.reader); err != nil {
		return errors.Join(err, j.close(false))
	}
	s.behind = startBehind(s.writer, j, last)
	s.behind.shared = here
	return nil
}

// connect opens a pool on an existing file. The pragmas apply to each of its connections; trusted_schema=OFF keeps a
// tampered schema from calling functions with side effects.
func connect(path string, opts Options, pragmas ...string) (*sql.DB, error) {
	query := url.Values{"mode": {"rw"}, "_txlock": {"immediate"}}
	query.Add("_pragma", "busy_timeout("+strconv.FormatInt(opts.BusyTimeout.Milliseconds(), 10)+")")
	query.Add("_pragma", "trusted_schema(OFF)")
	query.Add("_pragma", "temp_store(2)") // sorting must not leave contents in files elsewhere
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

// Close waits for running calls and closes the file.
func (s *Store) Close() error {
	var errs []error
	if s.behind != nil {
		errs = append(errs, s.behind.stop())
	}
	if s.writer != nil {
		errs = append(errs, s.writer.stop())
	}
	if s.guest != nil {
		errs = append(errs, s.guest.Close())
		s.guest = nil
	}
	if s.reader != nil {
		errs = append(errs, s.reader.close())
	}
	if s.file != nil {
		errs = append(errs, s.file.Close())
	}
	return errors.Join(errs...)
}
