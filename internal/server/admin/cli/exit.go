// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"

	"memorytrust.dev/operator/internal/server/admin"
)

// Exit codes.
const (
	ExitDone    = 0
	ExitFailed  = 1
	ExitUsage   = 2
	ExitRefused = 3 // the rules stand against it
	ExitChanged = 4 // the memory changed since it was looked at
)

// UsageError says what is wrong with the command line.
type UsageError struct{ Fix string }

// Error implements error.
func (e *UsageError) Error() string { return e.Fix }

// Usage returns a *UsageError.
func Usage(fix string) error { return &UsageError{Fix: fix} }

// errRefused ends a preview of what the rules stand against.
var errRefused = errors.New("refused: the decision does not meet the rules")

// ExitCode returns what a program ends with.
func ExitCode(err error) int {
	var usage *UsageError
	var failure *admin.Failure
	switch {
	case err == nil:
		return ExitDone
	case errors.As(err, &usage):
		return ExitUsage
	case errors.Is(err, errRefused):
		return ExitRefused
	case errors.As(err, &failure) && failure.Refused():
		return ExitRefused
	case errors.As(err, &failure) && failure.Changed():
		return ExitChanged
	}
	return ExitFailed
}
