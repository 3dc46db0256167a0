// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"errors"
	"time"
)

// ErrPrecondition says that a memory is not at the commit the caller named any more. Nothing was changed.
var ErrPrecondition = errors.New("the memory is at another commit than the one named")

// LimitError says that a caller has used up what the policy allows it, and when to try again.
type LimitError struct {
	Limit      string        // field of the policy: "spec.limits.maxPending"
	Fix        string        // what helps
	RetryAfter time.Duration // at least a second
}

// Error implements error.
func (e *LimitError) Error() string { return e.Limit + ": " + e.Fix }

// ForbiddenError says that a caller may not do what it asked for, whatever it says.
type ForbiddenError struct {
	What string // what is forbidden: "pinning"
	Fix  string // who may do it, and how
}

// Error implements error.
func (e *ForbiddenError) Error() string { return e.What + ": " + e.Fix }

// RuleError says which rules stand against a decision. Nothing was changed.
type RuleError struct{ Decided Decided }

// Error implements error.
func (e *RuleError) Error() string { return "the decision does not meet the rules" }
