// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"memorytrust.dev/operator/internal/memory"
)

// Errors of moves; match with errors.Is.
var (
	// ErrMoving says that a memory is being moved here and is not complete, so that there is none to open yet. It is a
	// memory.ErrUnavailable as well.
	ErrMoving = fmt.Errorf("%w: another store's memory is being moved here and is not complete", memory.ErrUnavailable)
	// ErrNotEmpty says that the agent has a memory here already, so that no other can be moved here.
	ErrNotEmpty = errors.New("the agent has a memory in the database already")
	// ErrOtherMove says that the database knows nothing of a move that the store it came from says was made, or that another move
	// has taken its place.
	ErrOtherMove = errors.New("the database does not hold the memory that was moved; is it the right one, and was it restored to an earlier point?")
)

// Move is what is known of the move of an agent's memory to the database.
type Move struct {
	// Run names it, here and in the store it came from.
	Run string
	// At is when it last did something.
	At time.Time
	// Sealed says that all of the memory is here and was compared.
	Sealed bool
	// Outcome is what was found equal, as the move wrote it.
	Outcome string
}

// Standing says what the database holds of an agent's memory.
type Standing struct {
	// Moving says that a move is not finished: what is there is not the agent's memory.
	Moving bool
	// Holds says that there is a memory.
	Holds bool
	// Move is the last one, nil where none was made.
	Move *Move
}

// Stand looks what the database holds of an agent's memory, without opening it. Errors are those of Open.
func Stand(ctx context.Context, opts Options) (s Standing, err error) {
	err = visit(ctx, opts, "looking for the memory", func(ctx context.Context, conn *pgx.Conn) error {
		s, err = stand(ctx, conn, opts.Agent)
		return err
	})
	return s, err
}

// visit does something on a connection of its own, once role and schema were checked.
func visit(ctx context.Context, opts Options, doing string, do func(context.Context, *pgx.Conn) error) error {
	opts, err := opts.withDefaults()
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	l := lane{base: context.WithoutCancel(ctx), connect: connector(opts), timeout: opts.Timeout}
	defer l.drop() //nolint:contextcheck // has a bound of its own
	conn, _, err := l.get(ctx)
	if err == nil {
		if err = checkIn(ctx, conn, opts.Agent); err == nil {
			err = do(ctx, conn)
		}
	}
	return mapError(ctx, doing, err)
}

// stand reads what Standing says. A memory is also one that has rows and no records: somebody wrote in the agent's name.
func stand(ctx context.Context, conn *pgx.Conn, agent string) (s Standing, err error) {
	var writes int64
	err = conn.QueryRow(ctx, "SELECT moving, writes FROM memorytrust.logs WHERE agent = $1", agent).Scan(&s.Moving, &writes)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return s, nil
	case err != nil:
		return s, err
	}
	if s.Holds = !s.Moving; s.Holds {
		if s.Holds, err = holds(ctx, conn, agent); err != nil {
			return s, err
		}
	}
	s.Move, err = readMove(ctx, conn, agent)
	return s, err
}

// holds reports whether an agent has rows that say something of its memory.
func holds(ctx context.Context, conn *pgx.Conn, agent string) (there bool, err error) {
	err = conn.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM memorytrust.audit WHERE agent = $1) OR EXISTS (SELECT 1 FROM memorytrust.records WHERE agent = $1)
		OR EXISTS (SELECT 1 FROM memorytrust.delivered WHERE agent = $1) OR EXISTS (SELECT 1 FROM memorytrust.sessions WHERE agent = $1)
		OR EXISTS (SELECT 1 FROM memorytrust.turns WHERE agent = $1) OR EXISTS (SELECT 1 FROM memorytrust.traces WHERE agent = $1)`, agent).Scan(&there)
	return there, err
}

func readMove(ctx context.Context, conn *pgx.Conn, agent string) (*Move, error) {
	var (
		m  Move
		at int64
	)
	err := conn.QueryRow(ctx, "SELECT run, at, sealed, outcome FROM memorytrust.moves WHERE agent = $1", agent).Scan(&m.Run, &at, &m.Sealed, &m.Outcome)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil //nolint:nilnil // none was made
	}
	m.At = fromMicros(at)
	return &m, err
}

// checkComplete refuses a memory that is not there as a whole.
func checkComplete(ctx context.Context, conn *pgx.Conn, agent string) error {
	var moving bool
	err := conn.QueryRow(ctx, "SELECT coalesce((SELECT moving FROM memorytrust.logs WHERE agent = $1), false)", agent).Scan(&moving)
	if err == nil && moving {
		return ErrMoving
	}
	return err
}

// FinishMove puts a memory in force that was moved to the database, once the store it came from says that it was. Where that was done
// before it does nothing. It returns ErrOtherMove where the database holds the memory of no such move, and the errors of Open.
func FinishMove(ctx context.Context, opts Options, run string) error {
	return visit(ctx, opts, "finishing a move", func(ctx context.Context, conn *pgx.Conn) error {
		return finishMove(ctx, conn, opts.Agent, run)
	})
}

func finishMove(ctx context.Context, conn *pgx.Conn, agent, run string) error {
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		var there string
		var sealed bool
		err := tx.QueryRow(ctx, "SELECT run, sealed FROM memorytrust.moves WHERE agent = $1 FOR UPDATE", agent).Scan(&there, &sealed)
		switch {
		case errors.Is(err, pgx.ErrNoRows), err == nil && (there != run || !sealed):
			return ErrOtherMove
		case err != nil:
			return err
		}
		_, err = tx.Exec(ctx, finish, agent)
		return err
	})
}

// finish puts what was moved in force, with the numbers that are given out from here on.
const finish = `UPDATE memorytrust.logs l SET moving = false, writes = l.writes + 1,
	size = coalesce((SELECT max(seq) FROM memorytrust.audit WHERE agent = $1), 0),
	records = coalesce((SELECT max(rid) FROM memorytrust.records WHERE agent = $1), 0),
	namespaces = coalesce((SELECT max(id) FROM memorytrust.namespaces WHERE agent = $1), 0),
	deliveries = coalesce((SELECT max(id) FROM memorytrust.deliveries WHERE agent = $1), 0),
	turns = coalesce((SELECT max(n) FROM memorytrust.turns WHERE agent = $1), 0),
	traces = coalesce((SELECT max(n) FROM memorytrust.traces WHERE agent = $1), 0)
	WHERE l.agent = $1 AND l.moving`

// SettleMove ends a move that did nothing for a time, so that the agent has a memory again when the store it came from is gone: one
// that is complete is put in force, of any other the rows are deleted. It reports whether it did; ErrMoving says that the move goes on.
func SettleMove(ctx context.Context, opts Options, idle time.Duration) error {
	opts.Timeout = max(opts.Timeout, importTimeout)
	return visit(ctx, opts, "settling a move", func(ctx context.Context, conn *pgx.Conn) error {
		s, err := stand(ctx, conn, opts.Agent)
		switch {
		case err != nil || !s.Moving:
			return err
		case s.Move != nil && time.Since(s.Move.At) < idle:
			return ErrMoving
		case s.Move != nil && s.Move.Sealed:
			return finishMove(ctx, conn, opts.Agent, s.Move.Run)
		}
		if err := takeMove(ctx, conn, opts.Agent, "settled"); err != nil {
			return err
		}
		if err := discard(ctx, conn, opts.Agent, "settled"); err != nil {
			return err
		}
		_, err = conn.Exec(ctx, "UPDATE memorytrust.logs SET moving = false WHERE agent = $1", opts.Agent)
		return err
	})
}

// Moved returns the move that the memory came by; nil where it was here from the start.
func (s *Store) Moved(ctx context.Context) (m *Move, err error) {
	const doing = "looking how the memory came here"
	err = s.reader.with(ctx, doing, func(c *readConn) error {
		ctx, cancel := context.WithTimeout(ctx, c.timeout)
		defer cancel()
		m, err = readMove(ctx, c.Conn, s.agent)
		return mapError(ctx, doing, err)
	})
	return m, err
}
