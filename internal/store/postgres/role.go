// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// provisionWait is how long to wait for a connection of the owner, and for one step of what is done with it.
const provisionWait = 30 * time.Second

// ProvisionURI is Provision with a role that need not exist yet: it is made, and its password set, by the owner that the URI
// names. Errors hold no credentials.
func ProvisionURI(ctx context.Context, ownerURI, agent, role, password string) error {
	return provisionURI(ctx, ownerURI, role, password, func(owner *pgx.Conn) error { return Provision(ctx, owner, agent, role) })
}

// ProvisionReaderURI is ProvisionReader in the same way.
func ProvisionReaderURI(ctx context.Context, ownerURI, agent, role, password string) error {
	return provisionURI(ctx, ownerURI, role, password, func(owner *pgx.Conn) error { return ProvisionReader(ctx, owner, agent, role) })
}

func provisionURI(ctx context.Context, ownerURI, role, password string, provision func(owner *pgx.Conn) error) (err error) {
	config, err := parseURL(ownerURI, provisionWait)
	if err != nil {
		return err
	}
	owner, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return fmt.Errorf("connecting to %s: %w", config.Host, withoutConfig(err))
	}
	defer func() { err = errors.Join(err, owner.Close(context.WithoutCancel(ctx))) }()
	if err := makeRole(ctx, owner, role, password); err != nil {
		return fmt.Errorf("making the role %q: %w", role, err)
	}
	return provision(owner)
}

// makeRole makes a role that may log in and nothing else, or gives an existing one the password.
func makeRole(ctx context.Context, owner *pgx.Conn, role, password string) error {
	name, secret := pgx.Identifier{role}.Sanitize(), quote(password)
	_, err := owner.Exec(ctx, "CREATE ROLE "+name+" LOGIN NOINHERIT NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD "+secret)
	var refused *pgconn.PgError
	if errors.As(err, &refused) && (refused.Code == "42710" || refused.Code == "23505") { // duplicate_object; unique_violation in a race
		_, err = owner.Exec(ctx, "ALTER ROLE "+name+" LOGIN PASSWORD "+secret)
	}
	return err
}

// withoutConfig is what went wrong without what was connected with.
func withoutConfig(err error) error {
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		return refused
	}
	var connect *pgconn.ConnectError
	if errors.As(err, &connect) {
		return errors.Unwrap(connect)
	}
	return err
}
