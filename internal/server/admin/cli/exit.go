// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"net"
	"net/http"

	"memorytrust.dev/operator/internal/server/admin"
	"memorytrust.dev/operator/internal/terminal"
)

// Exit codes: those that all programs for people have.
const (
	ExitDone        = terminal.ExitDone
	ExitFailed      = terminal.ExitFailed
	ExitUsage       = terminal.ExitUsage
	ExitRefused     = terminal.ExitRefused     // the rules stand against it
	ExitNotFound    = terminal.ExitNotFound    // there is no such memory
	ExitChanged     = terminal.ExitChanged     // the memory changed since it was looked at
	ExitUnavailable = terminal.ExitUnavailable // the screener does not answer, or not yet
)

// UsageError says what is wrong with the command line.
type UsageError = terminal.UsageError

// Usage returns a *UsageError.
func Usage(fix string) error { return terminal.Usage(fix) }

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
	case errors.As(err, &failure):
		return codeOf(failure)
	case errors.As(err, new(*net.OpError)):
		return ExitUnavailable
	}
	return ExitFailed
}

func codeOf(f *admin.Failure) int {
	switch {
	case f.Refused():
		return ExitRefused
	case f.Changed():
		return ExitChanged
	case f.Status == http.StatusNotFound:
		return ExitNotFound
	case f.Status == http.StatusServiceUnavailable, f.Status == http.StatusTooManyRequests:
		return ExitUnavailable
	}
	return ExitFailed
}
