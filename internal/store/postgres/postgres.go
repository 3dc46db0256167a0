// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package postgres keeps agents' memory in a PostgreSQL database, many agents in one, each behind row level security of its
// own, with as many writers of one agent as it has pods. Every acknowledged write was committed by the server: an outcome that
// got lost with its connection is looked up before it is answered. A store holds at most two connections: one that writes,
// many requests in one transaction, and one that reads.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/store/fulltext"
)

// Options say where the memory of an agent is. URL or URLFrom, and Agent, are needed.
type Options struct {
	// URL is a connection string as libpq takes it, "postgres://role:password@host/database?sslmode=verify-full". Unless it says
	// sslmode=disable, a connection that leaves the machine is encrypted or not made.
	URL string
	// URLFrom, unless it is nil, is asked for the connection string whenever a connection is made, instead of URL, so that new
	// credentials are used without a restart.
	URLFrom func() (string, error)
	// Agent is the id of the agent whose memory this is: the role must be provisioned for it.
	Agent string
	// Timeout is how long to wait for a connection, and for the server to do what one step of a request asks; 5 seconds when zero.
	// A request that meets a server which does not answer ends after a small number of them.
	Timeout time.Duration

	readOnly bool // see OpenReadOnly
}

func (o Options) withDefaults() (Options, error) {
	if o.Agent == "" {
		return o, errors.New("name the agent whose memory it is")
	}
	if o.URLFrom == nil {
		fixed := o.URL
		o.URLFrom = func() (string, error) { return fixed, nil }
	}
	if o.Timeout <= 0 {
		o.Timeout = 5 * time.Second
	}
	return o, nil
}

// Store implements memory.Store.
type Store struct {
	agent  string
	writer *writer
	reader *reader

	frequencies fulltext.Frequencies
}

var _ memory.Store = (*Store)(nil)

// Open opens the memory of an agent. Where the role owns the schema, or may make it, the schema is brought up to date first, and
// the role speaks for the agent if it speaks for none yet; another role has to be provisioned. It returns ErrTooOld, ErrPrivileged,
// ErrNewerSchema, ErrOlderSchema or ErrNotProvisioned for a database or role that must not be used, ErrMoving while the memory of
// another store is being moved here, and memory.ErrUnavailable when the server cannot be reached.
func Open(ctx context.Context, opts Options) (*Store, error) {
	const doing = "opening the memory store"
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	writing := lane{base: context.WithoutCancel(ctx), connect: connector(opts), timeout: opts.Timeout}
	reading := writing
	conn, _, err := writing.get(ctx)
	if err != nil {
		return nil, mapError(ctx, doing, err)
	}
	if err := enter(ctx, conn, opts.Agent); err != nil {
		writing.drop() //nolint:contextcheck // has a bound of its own
		return nil, mapError(ctx, doing, err)
	}
	return &Store{
		agent:  opts.Agent,
		writer: startWriter(writing, opts.Agent), //nolint:contextcheck // what has begun is carried through
		reader: newReader(reading),
	}, nil
}

// checkIn checks server, role, schema and agent, in this order.
func checkIn(ctx context.Context, conn *pgx.Conn, agent string) error {
	for _, step := range []func(context.Context, *pgx.Conn) error{checkServer, checkRole, prepareSchema} {
		if err := step(ctx, conn); err != nil {
			return err
		}
	}
	return claim(ctx, conn, agent)
}

// enter checks in, and that the agent's memory is there as a whole.
func enter(ctx context.Context, conn *pgx.Conn, agent string) error {
	if err := checkIn(ctx, conn, agent); err != nil {
		return err
	}
	if err := checkComplete(ctx, conn, agent); err != nil {
		return err
	}
	_, err := conn.Exec(ctx, `INSERT INTO memorytrust.logs
		(agent, size, writes, records, namespaces, deliveries, turns, traces, at) VALUES ($1, 0, 0, 0, 0, 0, 0, 0, 0)
		ON CONFLICT DO NOTHING`, agent)
	return err
}

// Close waits for running calls and closes the connections.
func (s *Store) Close() error {
	s.writer.stop()
	s.reader.close()
	return nil
}
