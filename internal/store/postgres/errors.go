// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"memorytrust.dev/operator/internal/memory"
)

// Errors of Open and Provision that tell an operator what is wrong with the database or the role; match with errors.Is. Other
// methods return ErrCorrupt as well.
var (
	// ErrTooOld says that the server is older than PostgreSQL 13.
	ErrTooOld = errors.New("the server is too old: use PostgreSQL 13 or newer")
	// ErrPrivileged says that the role passes by row level security, so that nothing keeps it away from other agents' memory.
	ErrPrivileged = errors.New("the role is a superuser or has BYPASSRLS: use a role of its own for every agent")
	// ErrNewerSchema says that a newer release made or upgraded the schema. It is left as it is.
	ErrNewerSchema = errors.New("the schema was written by a newer release")
	// ErrOlderSchema says that the schema has to be upgraded, by the role that owns it.
	ErrOlderSchema = errors.New("the schema is older than this release needs")
	// ErrNotProvisioned says that the role does not speak for the agent.
	ErrNotProvisioned = errors.New("the role is not provisioned for the agent")
	// ErrCorrupt says that rows do not say what they should; they have to be restored from a backup.
	ErrCorrupt = errors.New("the memory store is damaged")
)

var (
	errClosed  = fmt.Errorf("%w: the store is closed", memory.ErrUnavailable)
	errBusy    = fmt.Errorf("%w: other requests take all of its time", memory.ErrUnavailable)
	errUnknown = fmt.Errorf("%w: the connection was lost while the server committed, and the outcome cannot be looked up yet",
		memory.ErrUnavailable)
)

// SQLSTATE codes (https://www.postgresql.org/docs/current/errcodes-appendix.html) that are looked at one by one.
const (
	codeUndefinedTable     = "42P01"
	codeInvalidSchema      = "3F000"
	codeDenied             = "42501"
	codeUniqueViolation    = "23505"
	codeDuplicateSchema    = "42P06"
	codeDuplicateTable     = "42P07"
	codeInternal           = "XX000"
	codeSerialization      = "40001"
	codeDeadlock           = "40P01"
	codeReadOnly           = "25006"
	codeStatementTimeout   = "57014"
	codeLockTimeout        = "55P03"
	codeTransactionAborted = "25P02"
	codeNotInCharacterSet  = "22021"
	codeDataCorrupted      = "XX001"
	codeIndexCorrupted     = "XX002"
)

// codeOf is the SQLSTATE of a server's error, or empty.
func codeOf(err error) string {
	var failure *pgconn.PgError
	if errors.As(err, &failure) {
		return failure.Code
	}
	return ""
}

// isFatal reports whether the server ended the connection with its error.
func isFatal(err error) bool {
	var failure *pgconn.PgError
	return errors.As(err, &failure) && (failure.SeverityUnlocalized == "FATAL" || failure.SeverityUnlocalized == "PANIC")
}

// mapError turns an error of driver or server into one that callers decide by. The server's text is replaced by its code: it
// quotes values, and those can hold words of a memory.
func mapError(ctx context.Context, doing string, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		// A call that is cut off reports the connection it broke.
		return fmt.Errorf("%s: %w", doing, ctx.Err())
	}
	return translate(doing, err)
}

// translate is mapError of what nobody waits for any more than the store itself.
func translate(doing string, err error) error {
	var connecting *pgconn.ConnectError
	if errors.As(err, &connecting) {
		return fmt.Errorf("%s: %w: %s", doing, memory.ErrUnavailable, connectMeaning(connecting))
	}
	var failure *pgconn.PgError
	if errors.As(err, &failure) {
		return mapServerError(doing, failure)
	}
	var scanning pgx.ScanArgError
	if errors.As(err, &scanning) {
		return fmt.Errorf("%s: %w: a row has a value of a wrong type", doing, ErrCorrupt)
	}
	if errors.Is(err, context.DeadlineExceeded) || pgconn.Timeout(err) {
		return fmt.Errorf("%s: %w: the server does not answer in time", doing, memory.ErrUnavailable)
	}
	if isOurs(err) {
		return fmt.Errorf("%s: %w", doing, err)
	}
	return fmt.Errorf("%s: %w: the connection was lost", doing, memory.ErrUnavailable)
}

// isOurs reports whether an error was made in this package or by a caller's code, and not by the network.
func isOurs(err error) bool {
	var field *memory.FieldError
	for _, known := range []error{
		memory.ErrNotFound, memory.ErrConflict, memory.ErrUnavailable, ErrTooOld, ErrPrivileged, ErrNewerSchema, ErrOlderSchema,
		ErrNotProvisioned, ErrCorrupt, ErrNotEmpty, ErrOtherMove,
	} {
		if errors.Is(err, known) {
			return true
		}
	}
	return errors.As(err, &field)
}

// connectMeaning says why there is no connection. The driver's text names hosts, the role and the database, and no password.
func connectMeaning(err *pgconn.ConnectError) string {
	var failure *pgconn.PgError
	if errors.As(err, &failure) {
		return fmt.Sprintf("the server refuses the connection, SQLSTATE %s: %s", failure.Code, meaning(failure.Code))
	}
	if errors.Is(err, context.DeadlineExceeded) || pgconn.Timeout(err) {
		return "no connection in time"
	}
	return err.Error()
}

func mapServerError(doing string, failure *pgconn.PgError) error {
	name := "SQLSTATE " + failure.Code
	switch failure.Code {
	case codeDataCorrupted, codeIndexCorrupted:
		return fmt.Errorf("%s: %w: %s", doing, ErrCorrupt, name)
	case codeReadOnly, codeSerialization, codeDeadlock, codeLockTimeout, codeDenied, codeInvalidSchema, codeUndefinedTable:
		return fmt.Errorf("%s: %w: %s: %s", doing, memory.ErrUnavailable, name, meaning(failure.Code))
	}
	switch failure.Code[:min(len(failure.Code), 2)] {
	case "08", "28", "3D", "53", "57", "58":
		return fmt.Errorf("%s: %w: %s: %s", doing, memory.ErrUnavailable, name, meaning(failure.Code))
	}
	if isFatal(failure) {
		return fmt.Errorf("%s: %w: %s: %s", doing, memory.ErrUnavailable, name, meaning(failure.Code))
	}
	return fmt.Errorf("%s: %s", doing, name)
}

func meaning(code string) string {
	switch code {
	case codeReadOnly:
		return "the server is a standby or takes no writes"
	case codeStatementTimeout:
		return "the server needs too long"
	case codeSerialization, codeDeadlock:
		return "other writers were in the way"
	case codeLockTimeout:
		return "another writer of the agent holds its log"
	case codeDenied:
		return "the role has no right to it; provision it again"
	case codeInvalidSchema, codeUndefinedTable:
		return "the schema is gone"
	}
	switch code[:min(len(code), 2)] {
	case "08":
		return "the connection failed"
	case "28":
		return "the role or its password is not accepted"
	case "3D":
		return "there is no such database"
	case "53":
		return "the server is out of disk, memory or connections"
	case "57":
		return "the server is stopping or starting"
	}
	return "the server failed"
}
