// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryadmission

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/pkg/memoryadmission"
)

// api is an API server that answers about tokens and rights, and counts.
type api struct {
	*fake.Clientset
	mu     sync.Mutex
	tokens []authenticationv1.TokenReviewSpec
	access []authorizationv1.SubjectAccessReviewSpec

	token   authenticationv1.TokenReviewStatus
	allowed bool
	err     error
	wait    chan struct{} // closed when it may answer; nil for at once
}

func newAPI() *api {
	a := &api{Clientset: fake.NewClientset(), allowed: true}
	a.token = authenticationv1.TokenReviewStatus{
		Authenticated: true, Audiences: []string{memoryadmission.TokenAudience},
		User: authenticationv1.UserInfo{Username: "system:serviceaccount:travel:store", Groups: []string{"g"}},
	}
	a.PrependReactor("create", "tokenreviews", func(action clienttesting.Action) (bool, runtime.Object, error) {
		if a.wait != nil {
			<-a.wait
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		review := created(action).(*authenticationv1.TokenReview)
		a.tokens = append(a.tokens, review.Spec)
		review.Status = a.token
		return true, review, a.err
	})
	a.PrependReactor("create", "subjectaccessreviews", func(action clienttesting.Action) (bool, runtime.Object, error) {
		a.mu.Lock()
		defer a.mu.Unlock()
		review := created(action).(*authorizationv1.SubjectAccessReview)
		a.access = append(a.access, review.Spec)
		review.Status.Allowed = a.allowed
		return true, review, a.err
	})
	return a
}

func created(action clienttesting.Action) runtime.Object {
	return action.(clienttesting.CreateAction).GetObject()
}

// signedToken is a token that says what it was made for; nobody verifies it here.
func signedToken(t *testing.T, audience string, expiry time.Time) string {
	t.Helper()
	// HMAC is no algorithm of a cluster, so that the header is replaced by one that is.
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.HS256, Key: []byte(strings.Repeat("k", 32))}, nil)
	must(t, err)
	token, err := jwt.Signed(signer).Claims(jwt.Claims{Audience: jwt.Audience{audience}, Expiry: jwt.NewNumericDate(expiry)}).Serialize()
	must(t, err)
	_, rest, _ := strings.Cut(token, ".")
	return "eyJhbGciOiJSUzI1NiJ9." + rest // {"alg":"RS256"}
}

func TestTokensAreRemembered(t *testing.T) {
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	for name, tc := range map[string]struct {
		expiry time.Duration
		change func(*api)
		kept   time.Duration
		err    error
	}{
		"accepted":                    {time.Hour, func(*api) {}, tokenTTL, nil},
		"accepted, and about to end":  {20 * time.Second, func(*api) {}, 20 * time.Second, nil},
		"refused":                     {time.Hour, func(a *api) { a.token.Authenticated = false }, badTokenTTL, errUnauthenticated},
		"of nobody":                   {time.Hour, func(a *api) { a.token.User.Username = "" }, badTokenTTL, errUnauthenticated},
		"audience that nobody checks": {time.Hour, func(a *api) { a.token.Audiences = nil }, badTokenTTL, errUnauthenticated},
		"no answer":                   {time.Hour, func(a *api) { a.err = errors.New("down") }, 0, errors.ErrUnsupported},
	} {
		t.Run(name, func(t *testing.T) {
			server, clock := newAPI(), clocktesting.NewFakePassiveClock(now)
			tc.change(server)
			a := newAuthenticator(server.AuthenticationV1().TokenReviews(), clock)
			token := signedToken(t, memoryadmission.TokenAudience, now.Add(tc.expiry))
			ask := func() {
				t.Helper()
				id, err := a.authenticate(t.Context(), token)
				if (err == nil) != (tc.err == nil) || (id == nil) != (tc.err != nil) ||
					errors.Is(tc.err, errUnauthenticated) != errors.Is(err, errUnauthenticated) {
					t.Fatalf("%v, %v", id, err)
				}
			}
			ask()
			if tc.kept > 0 {
				clock.SetTime(now.Add(tc.kept - time.Millisecond))
				ask()
				if len(server.tokens) != 1 {
					t.Errorf("asked %d times while it is remembered", len(server.tokens))
				}
			}
			clock.SetTime(now.Add(tc.kept + time.Second))
			ask()
			if len(server.tokens) != 2 {
				t.Errorf("asked %d times after %s", len(server.tokens), tc.kept)
			}
		})
	}
}

// A token for the API server counts as a user's, and as no channel's; what it says about itself only chooses the question.
func TestAudience(t *testing.T) {
	for audience, bound := range map[string]bool{memoryadmission.TokenAudience: true, "https://kubernetes.default.svc": false} {
		server := newAPI()
		a := newAuthenticator(server.AuthenticationV1().TokenReviews(), clocktesting.NewFakePassiveClock(time.Now()))
		id, err := a.authenticate(t.Context(), signedToken(t, audience, time.Now().Add(time.Hour)))
		must(t, err)
		if id.bound != bound || (len(server.tokens[0].Audiences) > 0) != bound {
			t.Errorf("%s: bound %v, asked for %v", audience, id.bound, server.tokens[0].Audiences)
		}
	}
	server := newAPI()
	a := newAuthenticator(server.AuthenticationV1().TokenReviews(), clocktesting.NewFakePassiveClock(time.Now()))
	if id, err := a.authenticate(t.Context(), "opaque"); err != nil || id.bound {
		t.Errorf("a token that is no JWT: %+v %v", id, err)
	}
}

func TestRightsAreRemembered(t *testing.T) {
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	id := &identity{user: authenticationv1.UserInfo{Username: "u", UID: "1", Extra: map[string]authenticationv1.ExtraValue{"e": {"x"}}}}
	id.key = userKey(id.user)
	ask := target{agent: memoryadmission.Agent{Namespace: "travel", Name: "concierge"}}
	promote := ask
	promote.promote = true
	for name, ttl := range map[string]time.Duration{"allowed": allowedTTL, "denied": deniedTTL} {
		t.Run(name, func(t *testing.T) {
			server, clock := newAPI(), clocktesting.NewFakePassiveClock(now)
			server.allowed = name == "allowed"
			a := newAuthorizer(server.AuthorizationV1().SubjectAccessReviews(), clock)
			for _, at := range []time.Duration{0, ttl - time.Millisecond, ttl + time.Millisecond} {
				clock.SetTime(now.Add(at))
				if got, err := a.allowed(t.Context(), id, ask); err != nil || got != server.allowed {
					t.Errorf("%v %v", got, err)
				}
			}
			if len(server.access) != 2 {
				t.Errorf("asked %d times", len(server.access))
			}
		})
	}
	server := newAPI()
	a := newAuthorizer(server.AuthorizationV1().SubjectAccessReviews(), clocktesting.NewFakePassiveClock(now))
	other := *id
	other.user.Groups = []string{"admins"}
	other.key = userKey(other.user)
	for _, question := range []struct {
		id *identity
		t  target
	}{{id, ask}, {id, promote}, {&other, ask}, {id, target{agent: memoryadmission.Agent{Namespace: "travel", Name: "other"}}}} {
		_, err := a.allowed(t.Context(), question.id, question.t)
		must(t, err)
	}
	if len(server.access) != 4 {
		t.Errorf("%d questions: rights of one were taken for those of another", len(server.access))
	}
	if got := server.access[1].ResourceAttributes; got.Verb != "promote" || got.Subresource != "" || got.Resource != "agentmemories" {
		t.Errorf("promote asks for %+v", got)
	}
	if got := server.access[0].ResourceAttributes; got.Verb != "create" || got.Subresource != "admission" || got.Name != "concierge" || got.Namespace != "travel" {
		t.Errorf("encode asks for %+v", got)
	}
	server.err = errors.New("down")
	if got, err := a.allowed(t.Context(), id, target{}); got || err == nil {
		t.Errorf("without an answer: %v %v", got, err)
	}
}

// post serves one review without a cluster.
func post(t *testing.T, h *handler, body string) (int, memoryadmission.Review) {
	t.Helper()
	recorder := httptest.NewRecorder()
	request := httptest.NewRequest(http.MethodPost, memoryadmission.Path, strings.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer opaque")
	h.ServeHTTP(recorder, request)
	var review memoryadmission.Review
	must(t, json.Unmarshal(recorder.Body.Bytes(), &review))
	if review.APIVersion != memoryadmission.APIVersion || review.Kind != memoryadmission.Kind {
		t.Errorf("answers %+v", review)
	}
	return recorder.Code, review
}

func newTestHandler(server *api, readers Readers) *handler {
	clock := clocktesting.NewFakePassiveClock(time.Now())
	return newHandler(newAuthenticator(server.AuthenticationV1().TokenReviews(), clock), &reviewer{
		access: newAuthorizer(server.AuthorizationV1().SubjectAccessReviews(), clock),
		states: newStates(nil, readers, true),
	})
}

func TestFailsClosed(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(*api, *handler)
		code   int
		reason string
	}{
		"the API server is down": {func(a *api, _ *handler) { a.err = errors.New("down") }, 503, memoryadmission.ReasonUnavailable},
		"the token is refused":   {func(a *api, _ *handler) { a.token.Authenticated = false }, 401, memoryadmission.ReasonUnauthorized},
		"too much at the same time": {func(_ *api, h *handler) {
			must(t, h.inFlight.Acquire(context.Background(), inFlightBytes))
		}, 429, memoryadmission.ReasonTooManyRequests},
	} {
		t.Run(name, func(t *testing.T) {
			server := newAPI()
			h := newTestHandler(server, nil)
			tc.change(server, h)
			code, review := post(t, h, goodSingle)
			if code != tc.code || review.Status == nil || review.Status.Reason != tc.reason || review.Response != nil {
				t.Errorf("%d %+v", code, review)
			}
		})
	}
	server := newAPI()
	server.allowed = false
	code, review := post(t, newTestHandler(server, nil), goodSingle)
	if code != 200 || review.Response == nil || review.Response.Allowed || review.Response.Status.Reason != memoryadmission.ReasonForbidden {
		t.Errorf("without the right: %d %+v", code, review)
	}
}

// anyAgent is a cache that has every agent.
type anyAgent struct{ client.Reader }

func (anyAgent) Get(context.Context, client.ObjectKey, client.Object, ...client.GetOption) error {
	return nil
}

// A call that takes too long is answered when its budget is spent, and nothing is allowed. One that breaks takes nobody with it.
func TestBudget(t *testing.T) {
	for name, tc := range map[string]struct {
		readers Readers
		reason  string
	}{
		"a namespace that does not open": {func(string) (client.Reader, bool) { return nil, false }, memoryadmission.ReasonNotReady},
		"one that is not managed":        {func(string) (client.Reader, bool) { return nil, true }, memoryadmission.ReasonNotReady},
		"something that breaks":          {func(string) (client.Reader, bool) { panic("broken") }, memoryadmission.ReasonUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			h := newTestHandler(newAPI(), tc.readers)
			h.reviewer.states.agents, h.budget = anyAgent{}, 50*time.Millisecond
			code, review := post(t, h, goodSingle)
			if code != 200 || review.Response == nil || review.Response.Allowed || review.Response.UID != "1" || review.Response.Status.Reason != tc.reason {
				t.Errorf("%d %+v", code, review)
			}
		})
	}
}

func TestBearer(t *testing.T) {
	for header, want := range map[string]string{
		"Bearer abc": "abc", "bearer abc": "abc", "Basic abc": "", "Bearer": "", "Bearer a b": "", "": "",
	} {
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		if header != "" {
			r.Header.Set("Authorization", header)
		}
		if got := bearerOf(r); got != want {
			t.Errorf("%q: %q", header, got)
		}
	}
	twice := httptest.NewRequest(http.MethodPost, "/", nil)
	twice.Header["Authorization"] = []string{"Bearer a", "Bearer b"}
	if got := bearerOf(twice); got != "" {
		t.Errorf("two headers: %q", got)
	}
}
