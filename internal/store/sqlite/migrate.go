// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
)

// Migrations are numbered from 1 without gaps; the number of the last one applied is the file's user_version. A released
// migration never changes.
//
//go:embed migrations/*.sql
var migrationFiles embed.FS

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

// migrate brings the schema up to date, each step in one transaction together with its number.
func migrate(ctx context.Context, db *sql.DB) error {
	scripts, err := loadMigrations()
	if err != nil {
		return err
	}
	for {
		done, err := migrateOne(ctx, db, scripts)
		if err != nil || done {
			return err
		}
	}
}

// migrateOne applies the next migration. The version is read inside the transaction, so that two processes opening one
// file do not apply it twice.
func migrateOne(ctx context.Context, db *sql.DB, scripts []string) (done bool, err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return false, err
	}
	defer func() {
		if rollback := tx.Rollback(); !errors.Is(rollback, sql.ErrTxDone) {
			err = errors.Join(err, rollback)
		}
	}()
	var version int
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return false, err
	}
	switch {
	case version > len(scripts):
		return false, fmt.Errorf("%w: schema %d, this release knows up to %d", ErrNewerSchema, version, len(scripts))
	case version == len(scripts):
		return true, nil
	}
	if _, err := tx.ExecContext(ctx, scripts[version]); err != nil {
		return false, err
	}
	if upgrade := upgrades[version+1]; upgrade != nil {
		if err := upgrade(ctx, tx); err != nil {
			return false, err
		}
	}
	// A pragma takes no parameters.
	stamp := fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d;", applicationID, version+1)
	if _, err := tx.ExecContext(ctx, stamp); err != nil {
		return false, err
	}
	return false, tx.Commit()
}
