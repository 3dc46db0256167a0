// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"memorytrust.dev/operator/internal/memory"
)

// ReadOnly is the memory of an agent for who looks at it and changes nothing. It holds one connection, and its reads take turns.
type ReadOnly struct{ store Store }

// OpenReadOnly opens the memory of an agent with a role that was provisioned by ProvisionReader, and with no other: what must not
// write cannot. It returns ErrNotProvisioned for another role, and the errors of Open.
func OpenReadOnly(ctx context.Context, opts Options) (*ReadOnly, error) {
	const doing = "opening the memory store to read it"
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	opts.readOnly = true
	reading := lane{base: context.WithoutCancel(ctx), connect: connector(opts), timeout: opts.Timeout}
	conn, _, err := reading.get(ctx)
	if err != nil {
		return nil, mapError(ctx, doing, err)
	}
	if err := enterReadOnly(ctx, conn, opts.Agent); err != nil {
		reading.drop() //nolint:contextcheck // has a bound of its own
		return nil, mapError(ctx, doing, err)
	}
	return &ReadOnly{Store{agent: opts.Agent, reader: newReader(reading)}}, nil
}

// enterReadOnly is enter of who makes nothing.
func enterReadOnly(ctx context.Context, conn *pgx.Conn, agent string) error {
	for _, check := range []func(context.Context, *pgx.Conn) error{checkServer, checkRole, checkSchema} {
		if err := check(ctx, conn); err != nil {
			return err
		}
	}
	_, bound, reads, err := speaksFor(ctx, conn)
	switch {
	case err != nil:
		return err
	case bound != agent:
		return fmt.Errorf("%w: it does not speak for it", ErrNotProvisioned)
	case !reads:
		return fmt.Errorf("%w: it can write; use one that only reads", ErrNotProvisioned)
	}
	return checkComplete(ctx, conn, agent)
}

// checkSchema is prepareSchema of who changes nothing.
func checkSchema(ctx context.Context, conn *pgx.Conn) error {
	scripts, err := loadMigrations()
	if err != nil {
		return err
	}
	version, err := schemaVersion(ctx, conn)
	switch {
	case err != nil:
		return err
	case version > len(scripts):
		return newerSchema(version, len(scripts))
	case version < len(scripts):
		return fmt.Errorf("%w: it has version %d, this release needs %d", ErrOlderSchema, version, len(scripts))
	}
	return nil
}

// Close waits for the running read and closes the connection.
func (r *ReadOnly) Close() { r.store.reader.close() }

// Get is Store.Get.
func (r *ReadOnly) Get(ctx context.Context, namespace, id string) (memory.Record, error) {
	return r.store.Get(ctx, namespace, id)
}

// List is Store.List.
func (r *ReadOnly) List(ctx context.Context, f memory.Filter) ([]memory.Record, error) {
	return r.store.List(ctx, f)
}

// Versions is Store.Versions.
func (r *ReadOnly) Versions(ctx context.Context, h memory.History) ([]memory.Record, error) {
	return r.store.Versions(ctx, h)
}

// Heads is Store.Heads.
func (r *ReadOnly) Heads(ctx context.Context, ids []string) (map[string]memory.Head, error) {
	return r.store.Heads(ctx, ids)
}

// Contradictions is Store.Contradictions.
func (r *ReadOnly) Contradictions(ctx context.Context, f memory.ContradictionFilter) ([]memory.Contradiction, error) {
	return r.store.Contradictions(ctx, f)
}

// Deliveries is Store.Deliveries.
func (r *ReadOnly) Deliveries(ctx context.Context, f memory.DeliveryFilter) ([]memory.Delivery, error) {
	return r.store.Deliveries(ctx, f)
}
