// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"context"
	"errors"
	"fmt"

	driver "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"memorytrust.dev/operator/internal/memory"
)

// Errors of Open that tell an operator what is wrong with the file; match with errors.Is. Other methods return
// ErrCorrupt as well.
var (
	// ErrForeign says that the file is not a memory store. It is left as it was.
	ErrForeign = errors.New("the file is not a memory store")
	// ErrNewerSchema says that a newer release wrote the file. It is left as it was.
	ErrNewerSchema = errors.New("the memory store was written by a newer release")
	// ErrCorrupt says that the file is damaged; it has to be restored from a copy.
	ErrCorrupt = errors.New("the memory store is damaged")
)

// mapError turns an error of the driver into one that callers decide by. The driver's text is replaced by the name of
// its result code: SQLite quotes statements, and those can hold words of a memory.
func mapError(ctx context.Context, doing string, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		// An interrupted statement reports a code of its own, or none.
		return fmt.Errorf("%s: %w", doing, ctx.Err())
	}
	var failure *driver.Error
	if !errors.As(err, &failure) {
		return fmt.Errorf("%s: %w", doing, err)
	}
	name := fmt.Sprintf("SQLite result code %d", failure.Code())
	switch failure.Code() & 0xff {
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN,
		sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_PERM,
		sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_NOLFS:
		return fmt.Errorf("%s: %w: %s: %s", doing, memory.ErrUnavailable, name, meaning(failure.Code()))
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT:
		return fmt.Errorf("%s: %w: %s", doing, ErrCorrupt, name)
	}
	return fmt.Errorf("%s: %s", doing, name)
}

func meaning(code int) string {
	switch code & 0xff {
	case sqlite3.SQLITE_FULL:
		return "the volume is full"
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
		return "the volume or file is read-only"
	case sqlite3.SQLITE_CANTOPEN:
		return "the file cannot be opened"
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL:
		return "another process holds the store"
	case sqlite3.SQLITE_NOMEM:
		return "out of memory"
	}
	return "the volume failed"
}
