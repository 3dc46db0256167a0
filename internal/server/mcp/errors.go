// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package mcp

import (
	"context"
	"errors"
	"fmt"
	"math"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
)

// callError is an error of a tool whose text is meant for the model.
type callError string

// Error implements error.
func (e callError) Error() string { return string(e) }

// Texts of errors that more than one place gives.
const (
	notFound = "There is no memory with this id to be had here: it does not exist, is forgotten, or may not be delivered. " +
		"Use recall or list to find one."
	internalFault = "Something is wrong with the screener or its store; its log says what."
)

// explain turns an error of the gate into a text for the model: which argument, and what to do. What the caller cannot help
// is logged and not told in detail.
func (s *service) explain(err error, arguments map[string]string) string {
	var (
		told      callError
		field     *memory.FieldError
		large     *gate.TooLargeError
		limit     *gate.LimitError
		forbidden *gate.ForbiddenError
	)
	switch {
	case errors.As(err, &told):
		return told.Error()
	case errors.As(err, &field):
		name := field.Field
		if renamed, ok := arguments[name]; ok {
			name = renamed
		}
		return name + ": " + field.Fix
	case errors.As(err, &large):
		return "content: " + large.Error()
	case errors.As(err, &limit):
		return fmt.Sprintf("Not stored, %s. Try again in %d seconds.", limit.Error(), int(math.Ceil(limit.RetryAfter.Seconds())))
	case errors.As(err, &forbidden):
		return forbidden.Error()
	case errors.Is(err, gate.ErrPrecondition), errors.Is(err, memory.ErrConflict):
		return "expected_commit: the memory changed meanwhile; look at it again with show, and repeat with the commit it has now."
	case errors.Is(err, memory.ErrNotFound):
		return notFound
	}
	return s.fault(err)
}

// fault is explain for errors that no argument is to blame for.
func (s *service) fault(err error) string {
	switch {
	case errors.Is(err, gate.ErrNotReady):
		return "The screener has not loaded a policy and keys yet; it stores and delivers nothing until then. Try again in a moment."
	case errors.Is(err, memory.ErrUnavailable):
		s.log.Error("Memory store unavailable", "error", err.Error())
		return "The memory store does not take requests at the moment. Nothing was stored or delivered. Try again later."
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "The request was given up before it was done."
	}
	s.log.Error("Tool call failed", "error", err.Error())
	return internalFault
}
