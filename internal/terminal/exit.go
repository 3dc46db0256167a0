// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package terminal

// Codes that programs for people end with.
const (
	ExitDone        = 0
	ExitFailed      = 1 // an error that none of the others names
	ExitUsage       = 2 // the command line is wrong; the message names the flag and the fix
	ExitRefused     = 3 // the rules stand against it, or the caller has no right to it
	ExitNotFound    = 4 // there is no such thing
	ExitChanged     = 5 // it changed since it was looked at; nothing was decided
	ExitUnavailable = 6 // who would have to answer does not at the moment
)

// UsageError says what is wrong with a command line and what to write instead.
type UsageError struct{ Fix string }

// Error implements error.
func (e *UsageError) Error() string { return e.Fix }

// Usage returns a *UsageError.
func Usage(fix string) error { return &UsageError{Fix: fix} }
