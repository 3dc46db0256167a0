// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"memorytrust.dev/operator/internal/memory"
)

// MovedError says that the memory of a file was moved to another store. The file is left as it was then.
type MovedError struct {
	// Run names the move, here and in the other store.
	Run string
	// At is when it was made.
	At time.Time
	// Outcome is what was found equal, as the move wrote it.
	Outcome string
}

// Error implements error.
func (e *MovedError) Error() string {
	return "the memory was moved to another store at " + e.At.UTC().Format(time.RFC3339) + "; this file is not used any more"
}

// Errors of writes while a move ends, and after it.
var (
	errHeld  = fmt.Errorf("%w: the memory is being moved to another store, try again in a moment", memory.ErrUnavailable)
	errMoved = fmt.Errorf("%w: the memory was moved to another store", memory.ErrUnavailable)
)

// querier is a connection or a transaction.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// checkMoved returns a *MovedError for a file whose memory is elsewhere.
func checkMoved(ctx context.Context, db querier) error {
	var (
		moved MovedError
		at    int64
	)
	err := db.QueryRowContext(ctx, "SELECT run, at, outcome FROM moved").Scan(&moved.Run, &at, &moved.Outcome)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err != nil:
		return err
	}
	moved.At = fromMicros(at)
	return &moved
}

// Holds reports whether the store holds anything that would be missed: memories, or what is known of sessions and of what was said
// and read in them.
func (s *Store) Holds(ctx context.Context) (bool, error) {
	if err := s.written(ctx); err != nil {
		return false, err
	}
	return one(ctx, s.reader, "looking whether there is a memory", `SELECT EXISTS (SELECT 1 FROM audit) OR EXISTS (SELECT 1 FROM records)
		OR EXISTS (SELECT 1 FROM delivered) OR EXISTS (SELECT 1 FROM sessions) OR EXISTS (SELECT 1 FROM turns)
		OR EXISTS (SELECT 1 FROM traces)`, nil, value[bool])
}
