// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5"
)

// Migrations are numbered from 1 without gaps; the number of the last one applied is memorytrust.schema.version. A released
// migration never changes, and leaves screeners of the release before working, which go on while pods are replaced. One that
// touches rows has to lift FORCE ROW LEVEL SECURITY while it does.
//
//go:embed migrations/*.sql
var migrationFiles embed.FS

const (
	// oldestServer is what server_version_num of PostgreSQL 13.0 is.
	oldestServer = 130000
	// startAttempts is how often the first statements of a schema are tried, which two that run them at once can fail.
	startAttempts = 20
)

// createSchema makes what migrations are counted in. Its one row is what those who migrate at the same time wait for.
const createSchema = `CREATE SCHEMA IF NOT EXISTS memorytrust;
CREATE TABLE IF NOT EXISTS memorytrust.schema (id bigint PRIMARY KEY CHECK (id = 1), version bigint NOT NULL);
INSERT INTO memorytrust.schema (id, version) VALUES (1, 0) ON CONFLICT DO NOTHING;
`

// loadMigrations returns the migrations in order.
func loadMigrations() ([]string, error) {
	names, err := fs.Glob(migrationFiles, "migrations/*.sql") // sorted
	if err != nil {
		return nil, err
	}
	scripts := make([]string, len(names))
	for i, name := range names {
		var number int
		if _, err := fmt.Sscanf(name, "migrations/%04d_", &number); err != nil || number != i+1 {
			return nil, fmt.Errorf("migration %s is out of order", name)
		}
		text, err := migrationFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		scripts[i] = string(text)
	}
	return scripts, nil
}

func checkServer(ctx context.Context, conn *pgx.Conn) error {
	var number int64
	if err := conn.QueryRow(ctx, "SELECT CAST(current_setting('server_version_num') AS bigint)").Scan(&number); err != nil {
		return err
	}
	if number < oldestServer {
		return fmt.Errorf("%w: its version number is %d", ErrTooOld, number)
	}
	return nil
}

func checkRole(ctx context.Context, conn *pgx.Conn) error {
	var privileged bool
	err := conn.QueryRow(ctx, "SELECT rolsuper OR rolbypassrls FROM pg_catalog.pg_roles WHERE rolname = current_user").Scan(&privileged)
	if err == nil && privileged {
		return ErrPrivileged
	}
	return err
}

// prepareSchema checks the schema's version, and brings it up to date if the role may.
func prepareSchema(ctx context.Context, conn *pgx.Conn) error {
	scripts, err := loadMigrations()
	if err != nil {
		return err
	}
	version, err := schemaVersion(ctx, conn)
	if err != nil || version == len(scripts) {
		return err
	}
	if version > len(scripts) {
		return newerSchema(version, len(scripts))
	}
	owner, err := ownsSchema(ctx, conn)
	if err != nil {
		return err
	}
	if !owner {
		return fmt.Errorf("%w: it has version %d, this release needs %d: provision the agent again with the role that owns the schema",
			ErrOlderSchema, version, len(scripts))
	}
	return Migrate(ctx, conn)
}

func newerSchema(version, known int) error {
	return fmt.Errorf("%w: it has version %d, this release knows up to %d: use a newer release", ErrNewerSchema, version, known)
}

// schemaVersion is 0 where there is no schema.
func schemaVersion(ctx context.Context, conn *pgx.Conn) (version int, err error) {
	err = conn.QueryRow(ctx, "SELECT version FROM memorytrust.schema WHERE id = 1").Scan(&version)
	switch codeOf(err) {
	case codeUndefinedTable, codeInvalidSchema:
		return 0, nil
	case codeDenied:
		return 0, fmt.Errorf("%w: it may not use the schema memorytrust", ErrNotProvisioned)
	}
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, nil
	}
	return version, err
}

// ownsSchema reports whether the role may change the schema, or make it where there is none.
func ownsSchema(ctx context.Context, conn *pgx.Conn) (owner bool, err error) {
	err = conn.QueryRow(ctx, `SELECT coalesce(
		(SELECT pg_catalog.pg_has_role(current_user, n.nspowner, 'USAGE') FROM pg_catalog.pg_namespace n WHERE n.nspname = 'memorytrust'),
		pg_catalog.has_database_privilege(current_database(), 'CREATE'))`).Scan(&owner)
	return owner, err
}

// Migrate brings the schema up to date, or makes it. The connection is one of the role that owns the schema, or of one that may
// make it. Any number may run it at once. It returns ErrTooOld, or ErrNewerSchema with both versions.
func Migrate(ctx context.Context, owner *pgx.Conn) error {
	scripts, err := loadMigrations()
	if err != nil {
		return err
	}
	if err := checkServer(ctx, owner); err != nil {
		return err
	}
	if err := startSchema(ctx, owner); err != nil {
		return err
	}
	for {
		done, err := migrateOne(ctx, owner, scripts)
		if err != nil || done {
			return err
		}
	}
}

// startSchema makes the table of the version. Of several that make the same thing at once all but one can fail, also with IF NOT
// EXISTS; the next attempt finds it.
func startSchema(ctx context.Context, conn *pgx.Conn) error {
	var err error
	for range startAttempts {
		var there bool
		err = conn.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_class c
			JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'memorytrust' AND c.relname = 'schema')`).Scan(&there)
		if err != nil || there {
			return err
		}
		if _, err = conn.Exec(ctx, createSchema); err == nil {
			return nil
		}
		switch codeOf(err) {
		case codeUniqueViolation, codeDuplicateSchema, codeDuplicateTable, codeInternal, codeSerialization:
		default:
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
	return err
}

// migrateOne applies the next migration in one transaction together with its number. The version is read once its row is held, so
// that of those who migrate at once every step is done by one.
func migrateOne(ctx context.Context, conn *pgx.Conn, scripts []string) (done bool, err error) {
	err = locked(ctx, conn, func(version int) error {
		switch {
		case version > len(scripts):
			return newerSchema(version, len(scripts))
		case version == len(scripts):
			done = true
			return nil
		}
		if _, err := conn.Exec(ctx, scripts[version]); err != nil {
			return err
		}
		_, err := conn.Exec(ctx, "UPDATE memorytrust.schema SET version = $1 WHERE id = 1", version+1)
		return err
	})
	return done, err
}

// locked runs change in a transaction that holds the schema's row.
func locked(ctx context.Context, conn *pgx.Conn, change func(version int) error) error {
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		// Whoever waits for a migration of others waits longer than for a write.
		if _, err := tx.Exec(ctx, "SET LOCAL statement_timeout = '10min'"); err != nil {
			return err
		}
		var version int
		if err := tx.QueryRow(ctx, "SELECT version FROM memorytrust.schema WHERE id = 1 FOR UPDATE").Scan(&version); err != nil {
			return err
		}
		return change(version)
	})
}
