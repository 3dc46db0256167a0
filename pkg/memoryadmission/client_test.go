// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryadmission

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// webhook answers as a test says, and counts.
type webhook struct {
	*httptest.Server
	calls  atomic.Int32
	answer func(http.ResponseWriter, Review)
	bearer atomic.Value
	most   atomic.Int32
}

func newWebhook(t *testing.T, answer func(http.ResponseWriter, Review)) *webhook {
	t.Helper()
	w := &webhook{answer: answer}
	w.Server = httptest.NewTLSServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		w.calls.Add(1)
		w.bearer.Store(r.Header.Get("Authorization"))
		var review Review
		if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
			t.Error(err)
		}
		w.most.Store(max(w.most.Load(), int32(len(review.Requests)))) // #nosec G115 -- a few
		w.answer(out, review)
	}))
	t.Cleanup(w.Close)
	return w
}

// allowAll answers every request, in the reverse order.
func allowAll(out http.ResponseWriter, r Review) {
	answer := Review{APIVersion: APIVersion, Kind: Kind}
	for i := len(r.Requests) - 1; i >= 0; i-- {
		answer.Responses = append(answer.Responses, Response{UID: r.Requests[i].UID, Allowed: true, Class: r.Requests[i].Memory.ID})
	}
	send(out, http.StatusOK, answer)
}

func send(out http.ResponseWriter, code int, answer Review) {
	out.Header().Set("Content-Type", "application/json")
	out.WriteHeader(code)
	_ = json.NewEncoder(out).Encode(answer)
}

// client trusts the webhook by its file.
func (w *webhook) client(t *testing.T, change ...func(*Options)) *Client {
	t.Helper()
	o := Options{URL: w.URL + Path, CAFile: w.caFile(t), TokenFile: file(t, "token\n")}
	for _, c := range change {
		c(&o)
	}
	c, err := New(o)
	must(t, err)
	return c
}

func (w *webhook) caFile(t *testing.T) string {
	t.Helper()
	return file(t, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: w.Certificate().Raw})))
}

func file(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestReviewKeepsTheOrder(t *testing.T) {
	w := newWebhook(t, allowAll)
	var requests []Request
	for i := range 2*MaxRequests + 1 {
		requests = append(requests, Request{Memory: Memory{ID: fmt.Sprint(i)}})
	}
	responses, err := w.client(t).Review(context.Background(), requests...)
	must(t, err)
	for i, r := range responses {
		if r.Class != fmt.Sprint(i) {
			t.Fatalf("%d: %+v", i, r)
		}
	}
	if len(responses) != len(requests) || w.calls.Load() != 3 || w.most.Load() != MaxRequests || w.bearer.Load() != "Bearer token" {
		t.Errorf("%d responses, %d calls of at most %d, %v", len(responses), w.calls.Load(), w.most.Load(), w.bearer.Load())
	}
	if requests[0].UID != "" {
		t.Error("the caller's request was changed")
	}
}

func TestLongReviewsAreSplit(t *testing.T) {
	w := newWebhook(t, allowAll)
	long := Request{Memory: Memory{Content: strings.Repeat("x", MaxBodyBytes*2/5)}}
	responses, err := w.client(t, func(o *Options) { o.Timeout = 20 * time.Second }).Review(context.Background(), long, long, long, long)
	must(t, err)
	if len(responses) != 4 || w.calls.Load() != 2 {
		t.Errorf("%d responses in %d calls", len(responses), w.calls.Load())
	}
}

func TestNoAnswerAllowsNothing(t *testing.T) {
	answers := func(change func(*Review)) func(http.ResponseWriter, Review) {
		return func(out http.ResponseWriter, r Review) {
			answer := Review{APIVersion: APIVersion, Kind: Kind, Responses: []Response{{UID: r.Requests[0].UID, Allowed: true}}}
			change(&answer)
			send(out, http.StatusOK, answer)
		}
	}
	for name, tc := range map[string]struct {
		answer func(http.ResponseWriter, Review)
		calls  int32
		bad    bool // ErrBadAnswer; otherwise a *StatusError
	}{
		"another uid":    {answers(func(r *Review) { r.Responses[0].UID = "x" }), 1, true},
		"one too many":   {answers(func(r *Review) { r.Responses = append(r.Responses, Response{UID: "x", Allowed: true}) }), 1, true},
		"the same twice": {answers(func(r *Review) { r.Responses = append(r.Responses, r.Responses[0]) }), 1, true},
		"none":           {answers(func(r *Review) { r.Responses = nil }), 1, true},
		"another kind":   {answers(func(r *Review) { r.Kind = "AdmissionReview" }), 1, true},
		"a page":         {func(out http.ResponseWriter, _ Review) { fmt.Fprint(out, "<html>allowed</html>") }, 1, true},
		"forbidden":      {func(out http.ResponseWriter, _ Review) { out.WriteHeader(http.StatusForbidden) }, 1, false},
		"unavailable":    {func(out http.ResponseWriter, _ Review) { out.WriteHeader(http.StatusServiceUnavailable) }, attempts, false},
		"a reason": {func(out http.ResponseWriter, _ Review) {
			send(out, 401, Review{APIVersion: APIVersion, Kind: Kind, Status: &Status{Reason: "Unauthorized"}})
		}, 1, false},
		"another's error": {func(out http.ResponseWriter, _ Review) { http.Error(out, "bad gateway", http.StatusBadGateway) }, attempts, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWebhook(t, tc.answer)
			response, err := w.client(t).Do(context.Background(), Request{})
			var refused *StatusError
			if response.Allowed || errors.Is(err, ErrBadAnswer) != tc.bad || errors.As(err, &refused) == tc.bad || w.calls.Load() != tc.calls {
				t.Errorf("%+v, %v after %d calls", response, err, w.calls.Load())
			}
			if name == "a reason" && refused.Status.Reason != "Unauthorized" {
				t.Errorf("%v", refused)
			}
		})
	}
}

func TestAnotherReplicaIsTried(t *testing.T) {
	var w *webhook
	w = newWebhook(t, func(out http.ResponseWriter, r Review) {
		if w.calls.Load() == 1 {
			panic(http.ErrAbortHandler) // the connection breaks
		}
		allowAll(out, r)
	})
	if response, err := w.client(t).Do(context.Background(), Request{}); err != nil || !response.Allowed {
		t.Errorf("%+v %v", response, err)
	}
}

func TestUnreachable(t *testing.T) {
	w := newWebhook(t, allowAll)
	c := w.client(t)
	w.Close()
	if response, err := c.Do(context.Background(), Request{}); err == nil || response.Allowed {
		t.Errorf("%+v %v", response, err)
	}
	slow := newWebhook(t, func(http.ResponseWriter, Review) { time.Sleep(300 * time.Millisecond) })
	limited := slow.client(t, func(o *Options) { o.Timeout = 50 * time.Millisecond })
	if _, err := limited.Do(context.Background(), Request{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	elsewhere := newWebhook(t, allowAll)
	w := newWebhook(t, func(out http.ResponseWriter, _ Review) {
		out.Header().Set("Location", elsewhere.URL)
		out.WriteHeader(http.StatusTemporaryRedirect)
	})
	if _, err := w.client(t).Do(context.Background(), Request{}); err == nil || elsewhere.calls.Load() != 0 {
		t.Errorf("%v, %d calls", err, elsewhere.calls.Load())
	}
}

// Authority and token are renewed while the store runs.
func TestFilesAreReadAgain(t *testing.T) {
	w := newWebhook(t, allowAll)
	authority, token := file(t, "no certificate"), file(t, "")
	c := w.client(t, func(o *Options) { o.CAFile, o.TokenFile = authority, token })
	if _, err := c.Do(context.Background(), Request{}); err == nil {
		t.Error("without a token")
	}
	must(t, os.WriteFile(token, []byte("first"), 0o600))
	if _, err := c.Do(context.Background(), Request{}); err == nil {
		t.Error("without an authority")
	}
	good, err := os.ReadFile(w.caFile(t))
	must(t, err)
	must(t, os.WriteFile(authority, good, 0o600))
	for _, want := range []string{"first", "second"} {
		must(t, os.WriteFile(token, []byte(want), 0o600))
		if _, err := c.Do(context.Background(), Request{}); err != nil || w.bearer.Load() != "Bearer "+want {
			t.Errorf("%v %v", w.bearer.Load(), err)
		}
	}
	must(t, os.Remove(authority))
	if _, err := c.Do(context.Background(), Request{}); err != nil {
		t.Errorf("while the file is being replaced: %v", err)
	}
}

func TestNew(t *testing.T) {
	for name, o := range map[string]Options{
		"no token":     {CAFile: "ca"},
		"no authority": {TokenFile: "token"},
		"plain HTTP":   {URL: "http://webhook/memory-admission", CAFile: "ca", TokenFile: "token"},
		"no host":      {URL: "https:///memory-admission", CAFile: "ca", TokenFile: "token"},
		"a password":   {URL: "https://a:b@webhook/", CAFile: "ca", TokenFile: "token"},
	} {
		if _, err := New(o); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	if c, err := New(Options{CAFile: "ca", TokenFile: "token"}); err != nil || c.url != DefaultURL {
		t.Errorf("%v", err)
	}
}
