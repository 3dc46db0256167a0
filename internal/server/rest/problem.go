// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package rest

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
)

// location says which part of a request a field belongs to.
type location string

const (
	inBody  location = "body."
	inQuery location = "query."
)

// Texts of problems that more than one place gives.
const (
	notReady  = "The screener has not loaded a policy and keys yet; it stores and delivers nothing until then. Try again in a moment."
	notFound  = "There is no memory with this id to be had here: it does not exist, is forgotten, or may not be delivered."
	storeDown = "The memory store does not take requests at the moment. Nothing was stored or delivered."
)

// problem turns an error of the gate into a problem. What the caller cannot help is logged and not told in detail.
func problem(log *slog.Logger, where location, err error) error {
	var field *memory.FieldError
	var large *gate.TooLargeError
	switch {
	case errors.As(err, &field):
		return huma.Error422UnprocessableEntity("validation failed",
			&huma.ErrorDetail{Message: field.Fix, Location: string(where) + field.Field})
	case errors.As(err, &large):
		return huma.NewError(http.StatusRequestEntityTooLarge, large.Error())
	case errors.Is(err, gate.ErrNotReady):
		return huma.Error503ServiceUnavailable(notReady)
	case errors.Is(err, memory.ErrNotFound):
		return huma.Error404NotFound(notFound)
	case errors.Is(err, memory.ErrConflict):
		return huma.Error409Conflict("The memory changed meanwhile; look again and repeat.")
	case errors.Is(err, memory.ErrUnavailable):
		log.Error("Memory store unavailable", "error", err.Error())
		return huma.Error503ServiceUnavailable(storeDown)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return huma.Error503ServiceUnavailable("The request was given up before it was done.")
	}
	log.Error("Request failed", "error", err.Error())
	return huma.Error500InternalServerError("Something is wrong with the screener or its store; its log says what.")
}

// writeProblem answers with a problem outside of huma.
func writeProblem(w http.ResponseWriter, status int, detail string) {
	w.Header().Set("Content-Type", "application/problem+json")
	if status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "1")
	}
	w.WriteHeader(status)
	// The client is gone if this fails.
	_ = json.NewEncoder(w).Encode(&huma.ErrorModel{Title: http.StatusText(status), Status: status, Detail: detail})
}
