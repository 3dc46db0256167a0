// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryadmission

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/semaphore"
	logf "sigs.k8s.io/controller-runtime/pkg/log"

	"memorytrust.dev/operator/pkg/memoryadmission"
)

// Budget is how long one review may take. What is not decided by then is not allowed.
const Budget = time.Second

const (
	// inFlightBytes bounds the bodies that are held at the same time.
	inFlightBytes = 16 << 20
	// leastBytes is what a body counts for at least, so that many small ones are bounded too.
	leastBytes = 64 << 10
	// slack is how long after the budget an answer may still be written.
	slack = time.Second
)

// handler serves reviews.
type handler struct {
	authenticator *authenticator
	reviewer      *reviewer
	inFlight      *semaphore.Weighted
	budget        time.Duration
}

func newHandler(a *authenticator, r *reviewer) *handler {
	return &handler{authenticator: a, reviewer: r, inFlight: semaphore.NewWeighted(inFlightBytes), budget: Budget}
}

// ServeHTTP implements http.Handler.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	ctx, cancel := context.WithTimeout(r.Context(), h.budget)
	defer cancel()
	// Whoever sends slowly holds nothing for longer than the budget. A transport without deadlines has its own.
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(start.Add(h.budget))
	_ = control.SetWriteDeadline(start.Add(h.budget + slack))
	review, status := h.serve(ctx, w, r)
	code := http.StatusOK
	if status != nil {
		review, code = memoryadmission.Review{Status: status}, status.Code
	}
	review.APIVersion, review.Kind = memoryadmission.APIVersion, memoryadmission.Kind
	h.write(ctx, w, review, code)
	calls.WithLabelValues(strconv.Itoa(code)).Inc()
	durations.Observe(time.Since(start).Seconds())
}

// serve answers one call. A status is why it is not answered; headers that go with it are set.
func (h *handler) serve(ctx context.Context, w http.ResponseWriter, r *http.Request) (memoryadmission.Review, *memoryadmission.Status) {
	none := memoryadmission.Review{}
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		return none, &memoryadmission.Status{Code: http.StatusMethodNotAllowed, Reason: memoryadmission.ReasonInvalid, Message: "use POST"}
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return none, &memoryadmission.Status{Code: http.StatusUnsupportedMediaType, Reason: memoryadmission.ReasonInvalid,
			Message: "send Content-Type: application/json"}
	}
	id, status := h.authenticate(ctx, w, r)
	if status != nil {
		return none, status
	}
	weight := weightOf(r.ContentLength)
	if !h.inFlight.TryAcquire(weight) {
		w.Header().Set("Retry-After", "1")
		return none, &memoryadmission.Status{Code: http.StatusTooManyRequests, Reason: memoryadmission.ReasonTooManyRequests,
			Message: "not allowed: too much is asked at the same time; ask again in a second"}
	}
	defer h.inFlight.Release(weight)
	body, status := readBody(ctx, w, r)
	if status != nil {
		return none, status
	}
	asked, status := decode(body)
	if status != nil {
		return none, status
	}
	responses := h.reviewer.review(ctx, id, asked.requests)
	if asked.single {
		return memoryadmission.Review{Response: &responses[0]}, nil
	}
	return memoryadmission.Review{Responses: responses}, nil
}

// authenticate says who calls, before anything of the body is read.
func (h *handler) authenticate(ctx context.Context, w http.ResponseWriter, r *http.Request) (*identity, *memoryadmission.Status) {
	id, err := h.authenticator.authenticate(ctx, bearerOf(r))
	switch {
	case errors.Is(err, errUnauthenticated):
		w.Header().Set("WWW-Authenticate", "Bearer")
		return nil, &memoryadmission.Status{Code: http.StatusUnauthorized, Reason: memoryadmission.ReasonUnauthorized,
			Message: "send Authorization: Bearer and a token that the cluster takes, best one of a ServiceAccount for audience " +
				memoryadmission.TokenAudience}
	case err != nil:
		logf.FromContext(ctx).WithName("memory-admission").V(1).Info("Caller cannot be looked up", "error", err.Error())
		return nil, unavailable()
	}
	return id, nil
}

// bearerOf returns the bearer token of a request (RFC 6750, section 2.1); empty for none.
func bearerOf(r *http.Request) string {
	values := r.Header.Values("Authorization")
	if len(values) != 1 {
		return ""
	}
	scheme, token, ok := strings.Cut(values[0], " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") || strings.ContainsAny(token, " \t") {
		return ""
	}
	return token
}

// weightOf is what a body of a length counts for; -1 is a length that nobody said.
func weightOf(length int64) int64 {
	if length < 0 || length > memoryadmission.MaxBodyBytes {
		length = memoryadmission.MaxBodyBytes
	}
	return max(length, leastBytes)
}

func readBody(ctx context.Context, w http.ResponseWriter, r *http.Request) ([]byte, *memoryadmission.Status) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, memoryadmission.MaxBodyBytes))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, &memoryadmission.Status{Code: http.StatusRequestEntityTooLarge, Reason: memoryadmission.ReasonTooLarge,
			Message: "a review has at most " + strconv.Itoa(memoryadmission.MaxBodyBytes) + " bytes: ask in several"}
	case err != nil && ctx.Err() != nil:
		return nil, timedOut()
	case err != nil:
		return nil, invalid("the body could not be read")
	}
	return body, nil
}

func (h *handler) write(ctx context.Context, w http.ResponseWriter, review memoryadmission.Review, code int) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(code)
	if err := json.NewEncoder(w).Encode(review); err != nil {
		logf.FromContext(ctx).WithName("memory-admission").V(1).Info("Answer could not be sent")
	}
}
