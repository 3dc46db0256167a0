// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package wire holds what the HTTP ports of a screener have in common: how bodies are checked before anything decodes them,
// how errors of the gate become RFC 9457 problems, how versions are named in headers, and what surrounds every handler. It
// decides nothing about memory.
package wire

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
)

// Location says which part of a request a field belongs to.
type Location string

// The locations.
const (
	InBody  Location = "body."
	InQuery Location = "query."
)

// elsewhere are fields that the gate names in its own words, or that always come in the same place.
var elsewhere = map[string]string{
	"namespace":      "query.namespace",
	"idempotencyKey": "header.Idempotency-Key",
	"commit":         "header.If-Match",
	"confidence":     "body.confidencePerMille",
	"salience":       "body.saliencePerMille",
	"pin":            "body.pinned",
	"body":           "body",
}

func (l Location) of(field string) string {
	if known, ok := elsewhere[field]; ok {
		return known
	}
	return string(l) + field
}

// Types of problems that share a status and call for different reactions.
const (
	TypeRules      = "urn:memorytrust:problem:rules"      // the decision does not meet the rules; "decided" says which
	TypeTransition = "urn:memorytrust:problem:transition" // the memory stands where this does not apply
	TypeChanged    = "urn:memorytrust:problem:changed"    // it changed meanwhile
	TypeTurnUsed   = "urn:memorytrust:problem:turn-used"  // the id of the turn was used before
)

// Texts of problems that more than one place gives.
const (
	NotReady  = "The screener has not loaded a policy and keys yet; it stores and delivers nothing until then. Try again in a moment."
	notFound  = "There is no memory with this id to be had here: it does not exist, is forgotten, or may not be delivered."
	storeDown = "The memory store does not take requests at the moment. Nothing was stored or delivered."
	givenUp   = "The request was given up before it was done."
)

// retryUnavailable is when to try again what is not available at the moment.
const retryUnavailable = time.Second

// Problem is an RFC 9457 problem, with what became of a decision that does not meet the rules.
type Problem struct {
	huma.ErrorModel
	Decided *gate.Decided `json:"decided,omitempty" doc:"The decision, with the rules that stand against it"`
}

// NewProblem returns a problem with the standard title of its status.
func NewProblem(status int, kind, detail string) *Problem {
	return &Problem{ErrorModel: huma.ErrorModel{Type: kind, Title: http.StatusText(status), Status: status, Detail: detail}}
}

// Error turns an error of the gate into a problem. What the caller cannot help is logged and not told in detail.
func Error(log *slog.Logger, where Location, err error) error {
	if known := refused(where, err); known != nil {
		return known
	}
	switch {
	case errors.Is(err, gate.ErrNotReady):
		return unavailable(NotReady)
	case errors.Is(err, memory.ErrUnavailable):
		log.Error("Memory store unavailable", "error", err.Error())
		return unavailable(storeDown)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return unavailable(givenUp)
	}
	log.Error("Request failed", "error", err.Error())
	return huma.Error500InternalServerError("Something is wrong with the screener or its store; its log says what.")
}

// refused returns the problem of an error that the caller can do something about, or nil.
func refused(where Location, err error) error {
	var (
		field     *memory.FieldError
		large     *gate.TooLargeError
		long      *http.MaxBytesError
		limit     *gate.LimitError
		forbidden *gate.ForbiddenError
		rules     *gate.RuleError
	)
	switch {
	case errors.As(err, &field):
		return huma.Error422UnprocessableEntity("validation failed",
			&huma.ErrorDetail{Message: field.Fix, Location: where.of(field.Field)})
	case errors.As(err, &large):
		return huma.NewError(http.StatusRequestEntityTooLarge, large.Error())
	case errors.As(err, &long):
		return huma.NewError(http.StatusRequestEntityTooLarge, "The body is longer than "+strconv.FormatInt(long.Limit, 10)+" bytes.")
	case errors.As(err, &limit):
		return retryAfter(huma.Error429TooManyRequests(limit.Error()), limit.RetryAfter)
	case errors.As(err, &forbidden):
		return huma.Error403Forbidden(forbidden.Error())
	case errors.As(err, &rules):
		p := NewProblem(http.StatusConflict, TypeRules, "The decision does not meet the rules; decided.rules says which, and nothing was changed.")
		p.Decided = &rules.Decided
		return p
	case errors.Is(err, gate.ErrTurnUsed):
		return NewProblem(http.StatusConflict, TypeTurnUsed, "Turn ids are used once: give every turn an id of its own. Nothing was kept of this one.")
	case errors.Is(err, gate.ErrPrecondition):
		return NewProblem(http.StatusPreconditionFailed, TypeChanged, "The memory is at another version than the one named in If-Match. "+
			"Nothing was changed; look again and repeat.")
	case errors.Is(err, memory.ErrTransition):
		return NewProblem(http.StatusConflict, TypeTransition, transition(err)+".")
	case errors.Is(err, memory.ErrNotFound):
		return huma.Error404NotFound(notFound)
	case errors.Is(err, memory.ErrConflict):
		return NewProblem(http.StatusConflict, TypeChanged, "The memory changed meanwhile; look again and repeat.")
	}
	return nil
}

// transition says what is not possible, and what is, without what the error was wrapped in.
func transition(err error) string {
	var refused *memory.TransitionError
	if errors.As(err, &refused) {
		return refused.Error()
	}
	return "This is " + memory.ErrTransition.Error()
}

func unavailable(detail string) error {
	return retryAfter(huma.Error503ServiceUnavailable(detail), retryUnavailable)
}

// retryAfter says when to try again: whole seconds, rounded up, at least one.
func retryAfter(err error, after time.Duration) error {
	return huma.ErrorWithHeaders(err, http.Header{"Retry-After": {retrySeconds(after)}})
}

func retrySeconds(after time.Duration) string {
	return strconv.Itoa(max(1, int(math.Ceil(after.Seconds()))))
}

// Write answers with a problem outside of huma.
func Write(w http.ResponseWriter, status int, detail string) {
	w.Header().Set("Content-Type", "application/problem+json")
	if status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", retrySeconds(retryUnavailable))
	}
	w.WriteHeader(status)
	// The client is gone if this fails.
	_ = json.NewEncoder(w).Encode(&huma.ErrorModel{Title: http.StatusText(status), Status: status, Detail: detail})
}

// WriteError answers with the problem of an error of the gate outside of huma.
func WriteError(w http.ResponseWriter, log *slog.Logger, err error) {
	err = Error(log, InQuery, err)
	var headers huma.HeadersError
	if errors.As(err, &headers) {
		for name, values := range headers.GetHeaders() {
			w.Header()[name] = values
		}
	}
	status := http.StatusInternalServerError
	var known huma.StatusError
	if errors.As(err, &known) {
		status = known.GetStatus()
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(known) // the client is gone if this fails
}
