// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
)

func TestProblems(t *testing.T) {
	rules := &gate.RuleError{Decided: gate.Decided{ID: "id", Rules: []memory.Rule{{Name: "anchor", Explain: "name the source"}}}}
	for name, tt := range map[string]struct {
		err    error
		status int
		retry  string
		says   string
		logged string
	}{
		"field":         {&memory.FieldError{Field: "tags", Fix: "give fewer"}, 422, "", `"query.tags"`, ""},
		"namespace":     {&memory.FieldError{Field: "namespace", Fix: "x"}, 422, "", `"query.namespace"`, ""},
		"commit":        {&memory.FieldError{Field: "commit", Fix: "x"}, 422, "", `"header.If-Match"`, ""},
		"key":           {&memory.FieldError{Field: "idempotencyKey", Fix: "x"}, 422, "", `"header.Idempotency-Key"`, ""},
		"confidence":    {&memory.FieldError{Field: "confidence", Fix: "x"}, 422, "", `"body.confidencePerMille"`, ""},
		"large":         {&gate.TooLargeError{Limit: 7}, 413, "", "7 bytes", ""},
		"body":          {&http.MaxBytesError{Limit: 9}, 413, "", "9 bytes", ""},
		"limit":         {&gate.LimitError{Limit: "spec.limits.maxPending", Fix: "review", RetryAfter: 1200 * time.Millisecond}, 429, "2", "maxPending", ""},
		"limit, soon":   {&gate.LimitError{Limit: "x", Fix: "y"}, 429, "1", "x", ""},
		"forbidden":     {&gate.ForbiddenError{What: "pinning", Fix: "a person may"}, 403, "", "pinning", ""},
		"precondition":  {gate.ErrPrecondition, 412, "", TypeChanged, ""},
		"rules":         {rules, 409, "", `"anchor"`, ""},
		"rules' type":   {rules, 409, "", TypeRules, ""},
		"conflict":      {memory.ErrConflict, 409, "", TypeChanged, ""},
		"turn used":     {gate.ErrTurnUsed, 409, "", TypeTurnUsed, ""},
		"transition":    {&memory.TransitionError{Action: memory.ActionApprove, From: memory.Standing{Zone: memory.Working, State: memory.Active}}, 409, "", TypeTransition, ""},
		"not found":     {memory.ErrNotFound, 404, "", "no memory", ""},
		"not ready":     {gate.ErrNotReady, 503, "1", "not loaded", ""},
		"unavailable":   {memory.ErrUnavailable, 503, "1", "does not take requests", "unavailable"},
		"anything else": {errors.New("a secret path"), 500, "", "its log says what", "a secret path"},
	} {
		var log bytes.Buffer
		w := httptest.NewRecorder()
		WriteError(w, slog.New(slog.NewTextHandler(&log, nil)), fmt.Errorf("wrapped in a secret path: %w", tt.err))
		if w.Code != tt.status || w.Header().Get("Retry-After") != tt.retry || w.Header().Get("Content-Type") != "application/problem+json" ||
			!strings.Contains(w.Body.String(), tt.says) || strings.Contains(w.Body.String(), "secret") {
			t.Errorf("%s: %d, Retry-After %q: %s", name, w.Code, w.Header().Get("Retry-After"), w.Body)
		}
		if (tt.logged == "") != (log.Len() == 0) || !strings.Contains(log.String(), tt.logged) {
			t.Errorf("%s: logged %q", name, log.String())
		}
	}
}

func TestIfMatch(t *testing.T) {
	commit := strings.Repeat("ab", 32)
	for header, want := range map[string]struct {
		commit string
		fails  string // precondition or field
	}{
		"": {}, "*": {}, ETag(commit): {commit: commit}, "W/" + ETag(commit): {fails: "precondition"},
		ETag(strings.ToUpper(commit)): {fails: "precondition"}, ETag("x"): {fails: "precondition"}, ETag(""): {fails: "precondition"},
		commit: {fails: "field"}, ETag(commit) + "," + ETag(commit): {fails: "field"}, `"`: {fails: "field"}, `""` + commit + `""`: {fails: "field"},
	} {
		got, err := IfMatch(header)
		var field *memory.FieldError
		if got != want.commit || errors.Is(err, gate.ErrPrecondition) != (want.fails == "precondition") || errors.As(err, &field) != (want.fails == "field") {
			t.Errorf("%q: %q, %v", header, got, err)
		}
	}
}

// A header either names one commit, or any, or is refused; and whatever it names is a commit.
func FuzzIfMatch(f *testing.F) {
	for _, seed := range []string{"", "*", `"a"`, "W/\"a\"", ETag(strings.Repeat("0", 64)), `"a","b"`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		commit, err := IfMatch(header)
		if err != nil && commit != "" {
			t.Fatal("refused, and named")
		}
		if commit != "" && (!validCommit(commit) || !NoneMatch(header, commit) || strings.TrimSpace(header) != ETag(commit)) {
			t.Fatalf("%q names %q", header, commit)
		}
	})
}
