// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// maxAgentBytes bounds the id of an agent, which stands in front of every key.
const maxAgentBytes = 128

// Provision makes a role speak for an agent: it brings the schema up to date, lets the role use it, and binds the role to the
// agent. The connection is one of the role that owns the schema, or of one that may make it; the role itself is made by whoever
// keeps its password. Provisioning again changes nothing. It returns ErrNotProvisioned when there is no such role or it speaks
// for another agent, ErrPrivileged for a role that row level security does not hold, and the errors of Migrate.
func Provision(ctx context.Context, owner *pgx.Conn, agent, role string) error {
	return provision(ctx, owner, agent, role, false)
}

// ProvisionReader is Provision of a role that reads the agent's memory, for OpenReadOnly, and can change nothing of it.
func ProvisionReader(ctx context.Context, owner *pgx.Conn, agent, role string) error {
	return provision(ctx, owner, agent, role, true)
}

func provision(ctx context.Context, owner *pgx.Conn, agent, role string, readsOnly bool) error {
	if agent == "" || len(agent) > maxAgentBytes || role == "" {
		return fmt.Errorf("name the agent, in at most %d bytes, and its role", maxAgentBytes)
	}
	if err := Migrate(ctx, owner); err != nil {
		return fmt.Errorf("migrating the memory store: %w", err)
	}
	err := locked(ctx, owner, func(int) error {
		var privileged bool
		err := owner.QueryRow(ctx, "SELECT rolsuper OR rolbypassrls FROM pg_catalog.pg_roles WHERE rolname = $1", role).Scan(&privileged)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return fmt.Errorf("%w: there is no role %q: make it with CREATE ROLE … LOGIN first", ErrNotProvisioned, role)
		case err != nil:
			return err
		case privileged:
			return ErrPrivileged
		}
		if _, err := owner.Exec(ctx, grantUsage(role)); err != nil {
			return err
		}
		return bind(ctx, owner, agent, role, readsOnly)
	})
	if err != nil {
		return fmt.Errorf("provisioning the role %q: %w", role, err)
	}
	return nil
}

func grantUsage(role string) string {
	return "GRANT USAGE ON SCHEMA memorytrust TO " + pgx.Identifier{role}.Sanitize()
}

// bind says which agent a role speaks for, and whether it only reads. It never changes: who could change it could read another
// agent's memory.
func bind(ctx context.Context, owner *pgx.Conn, agent, role string, readsOnly bool) error {
	const insert = "INSERT INTO memorytrust.agents (role, agent, reads_only) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
	if _, err := owner.Exec(ctx, insert, role, agent, readsOnly); err != nil {
		return err
	}
	var (
		bound string
		reads bool
	)
	if err := owner.QueryRow(ctx, "SELECT agent, reads_only FROM memorytrust.agents WHERE role = $1", role).Scan(&bound, &reads); err != nil {
		return err
	}
	switch {
	case bound != agent:
		return fmt.Errorf("%w: it speaks for another agent: use a role of its own for every agent", ErrNotProvisioned)
	case reads != readsOnly:
		return fmt.Errorf("%w: use one role for those who read the memory and another for its screeners", ErrNotProvisioned)
	}
	return nil
}

// claim checks that the role of the connection speaks for the agent. An owner of the schema that speaks for nobody yet does so
// from now on: a database of one agent needs one role.
func claim(ctx context.Context, conn *pgx.Conn, agent string) error {
	role, bound, reads, err := speaksFor(ctx, conn)
	switch {
	case err != nil:
		return err
	case reads:
		return fmt.Errorf("%w: it only reads", ErrNotProvisioned)
	case bound == agent:
		return nil
	case bound != "":
		return fmt.Errorf("%w: it speaks for another agent", ErrNotProvisioned)
	}
	owner, err := ownsSchema(ctx, conn)
	if err != nil {
		return err
	}
	if !owner {
		return fmt.Errorf("%w: it speaks for no agent: provision it with the role that owns the schema", ErrNotProvisioned)
	}
	return bind(ctx, conn, agent, role, false)
}

// speaksFor returns the role of the connection, the agent it speaks for, empty for none, and whether it only reads.
func speaksFor(ctx context.Context, conn *pgx.Conn) (role, agent string, reads bool, err error) {
	err = conn.QueryRow(ctx, `SELECT r.role, coalesce(a.agent, ''), coalesce(a.reads_only, false)
		FROM (SELECT CAST(current_user AS text) AS role) r LEFT JOIN memorytrust.agents a ON a.role = r.role`).Scan(&role, &agent, &reads)
	return role, agent, reads, err
}

// Script is what Provision does in an empty database, as SQL, for those who keep databases by scripts of their own.
func Script(agent, role string) (string, error) {
	scripts, err := loadMigrations()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("BEGIN;\n" + createSchema)
	for _, script := range scripts {
		b.WriteString(script)
	}
	fmt.Fprintf(&b, "UPDATE memorytrust.schema SET version = %d WHERE id = 1;\n%s;\n", len(scripts), grantUsage(role))
	fmt.Fprintf(&b, "INSERT INTO memorytrust.agents (role, agent) VALUES (%s, %s);\nCOMMIT;\n", quote(role), quote(agent))
	return b.String(), nil
}

// quote writes a text as a literal of SQL.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
