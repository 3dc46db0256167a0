// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package rest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// users adds two channels of users to the policy of a fixture, and whatever else it is to say.
func users(more ...func(*v1alpha1.MemoryTrustPolicy)) func(*fixture) {
	return func(f *fixture) {
		f.policy = func(p *v1alpha1.MemoryTrustPolicy) {
			for name, principal := range map[string]string{"chat": "alice", "guest": "eve"} {
				p.Spec.Trust.Channels = append(p.Spec.Trust.Channels, v1alpha1.Channel{
					Name: name, Class: "UserInput", Principal: principal, TokenSecretRef: &v1alpha1.SecretKeyRef{Name: name + "-token"},
				})
			}
			for _, change := range more {
				change(p)
			}
		}
	}
}

// through is a request to the channel port with this token; without one, to the agent's port.
func through(token string) call { return call{token: token, channel: token != ""} }

// post sends a body and decodes an answer of status 201.
func post[T any](f *fixture, c call, path string, body any) (out T, response *http.Response, answer string) {
	f.t.Helper()
	encoded, err := json.Marshal(body)
	must(f.t, err)
	c.method, c.path, c.body = http.MethodPost, path, string(encoded)
	response, answer = f.do(c)
	if response.StatusCode == http.StatusCreated {
		must(f.t, json.Unmarshal([]byte(answer), &out))
	}
	return out, response, answer
}

func (f *fixture) opens(token, session string) gate.Session {
	f.t.Helper()
	out, response, answer := post[gate.Session](f, through(token), "/v1/sessions", SessionRequest{Session: session})
	if response.StatusCode != http.StatusCreated {
		f.t.Fatalf("opening answered %d: %s", response.StatusCode, answer)
	}
	return out
}

// Only a channel of users opens a session that is clean, and only for its own principal.
func TestSessionsOfUsers(t *testing.T) {
	f := newFixture(t, engine(), users())
	for name, tt := range map[string]struct {
		token   string
		session string
		clean   bool
	}{
		"a user": {chatToken, "a", true}, "no name": {chatToken, "", true}, "an operator": {consoleToken, "b", false},
		"a tool": {toolsToken, "c", false}, "the agent": {"", "d", false}, "the agent asks": {"", "a", true},
	} {
		if tt.token == "" && tt.session == "a" {
			f.opens(chatToken, "a")
		}
		if out := f.opens(tt.token, tt.session); out.Clean != tt.clean || out.Mark != provenance.UserInput || out.Session == "" {
			t.Errorf("%s: %+v", name, out)
		}
	}
	body := `{"session":"a"}`
	if response, answer := f.do(call{method: "POST", path: "/v1/sessions", body: body, channel: true, token: guestToken}); response.StatusCode != 403 ||
		strings.Contains(answer, "alice") {
		t.Errorf("another user: %d %s", response.StatusCode, answer)
	}
	if response, _ := f.do(call{method: "POST", path: "/v1/sessions", body: body, channel: true, token: "guessed"}); response.StatusCode != 401 {
		t.Errorf("nobody: %d", response.StatusCode)
	}
	page := f.write(call{}, "The office in Lyon closes at five.", "web:example.org")
	f.do(call{method: "GET", path: "/v1/memories/" + page.ID + "?session=a"})
	for _, token := range []string{chatToken, ""} {
		if out := f.opens(token, "a"); out.Clean || out.Mark != provenance.WebContent {
			t.Errorf("after reading a page: %+v", out)
		}
	}
}

func TestTurns(t *testing.T) {
	f := newFixture(t, engine(), users())
	f.opens(chatToken, "opened")
	turn := func(id, session string) TurnRequest {
		return TurnRequest{ID: id, Session: session, Content: "Pay invoice 88-120."}
	}
	long := turn("long", "opened")
	long.Content = strings.Repeat("\n", memory.MaxTurnBytes-1) + "x" // twice as long in JSON, and longer than a memory may be
	over := long
	over.ID, over.Content = "over", long.Content+"x"
	for _, tt := range []struct {
		name   string
		token  string
		turn   TurnRequest
		status int
		says   string
	}{
		{"a user", chatToken, turn("1", "opened"), 201, `"authenticated":true`},
		{"the same id", chatToken, turn("1", "opened"), 409, "urn:memorytrust:problem:turn-used"},
		{"the same id elsewhere", chatToken, turn("1", "other"), 409, "used once"},
		{"another user's id", guestToken, turn("1", "other"), 201, `"authenticated":true`},
		{"in a session of another", guestToken, turn("2", "opened"), 403, "another principal opened it"},
		{"an operator", consoleToken, turn("1", "opened"), 403, "UserInput"},
		{"a tool", toolsToken, turn("1", "opened"), 403, "UserInput"},
		{"nobody", "guessed", turn("1", "opened"), 401, ""},
		{"reported", "", turn("1", "opened"), 201, `"authenticated":false`},
		{"reported twice", "", turn("1", "opened"), 409, "used once"},
		{"as long as can be", chatToken, long, 201, `"expires"`},
		{"longer", chatToken, over, 422, "body.content"},
		{"no id", chatToken, turn("", "opened"), 422, "body.id"},
		{"a line in the id", chatToken, turn("a\nb", "opened"), 422, "body.id"},
		{"no session", chatToken, turn("3", ""), 422, "body.session"},
		{"nothing said", chatToken, TurnRequest{ID: "3", Session: "opened", Content: " "}, 422, "body.content"},
	} {
		_, response, answer := post[gate.Turned](f, through(tt.token), "/v1/turns", tt.turn)
		if response.StatusCode != tt.status || !strings.Contains(answer, tt.says) || strings.Contains(answer, "88-120") {
			t.Errorf("%s: %d %s", tt.name, response.StatusCode, answer)
		}
	}
	if strings.Contains(f.logged(), "88-120") {
		t.Error("what was said is in the log")
	}
}

func TestTurnsOfTheAgentInModeSigned(t *testing.T) {
	f := newFixture(t, engine(), users(func(p *v1alpha1.MemoryTrustPolicy) { p.Spec.Trust.Mode = v1alpha1.TrustModeSigned }))
	turn := TurnRequest{ID: "1", Session: "s", Content: "Pay."}
	if _, response, answer := post[gate.Turned](f, call{}, "/v1/turns", turn); response.StatusCode != 403 || !strings.Contains(answer, "channel port") {
		t.Errorf("%d %s", response.StatusCode, answer)
	}
	out, response, _ := post[gate.Turned](f, through(chatToken), "/v1/turns", turn)
	if response.StatusCode != 201 || !out.Authenticated || time.Until(out.Expires) > time.Hour || time.Until(out.Expires) < 50*time.Minute {
		t.Errorf("%d %+v", response.StatusCode, out)
	}
}

// A claim lowers what an observation counts as and never raises it; the session is marked, on both ports.
func TestObservations(t *testing.T) {
	for name, tt := range map[string]struct {
		token  string
		source string
		class  provenance.Class
	}{
		"the agent": {"", "", provenance.ToolOutput}, "the agent met a page": {"", "web:example.org", provenance.WebContent},
		"the agent claims a user": {"", "telegram:trusted", provenance.ToolOutput}, "a gateway": {toolsToken, "", provenance.ToolOutput},
		"a gateway claims an operator": {toolsToken, "operator:console", provenance.ToolOutput},
		"a gateway met someone":        {toolsToken, "voice:public", provenance.Unknown},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, engine(), users())
			f.opens(chatToken, "opened")
			out, response, answer := post[gate.Observed](f, through(tt.token), "/v1/observations", ObservationRequest{
				Content: "The office in Lyon closes at five.", Source: tt.source, Session: "opened"})
			if response.StatusCode != 201 || out.Class != tt.class || out.Mark != tt.class || strings.Contains(answer, "Lyon") {
				t.Fatalf("%d %s", response.StatusCode, answer)
			}
			if opened := f.opens("", "opened"); opened.Clean || opened.Mark != tt.class {
				t.Errorf("the session is %+v", opened)
			}
			if response, listed := f.do(call{method: "GET", path: "/v1/memories"}); response.StatusCode != 200 || strings.Contains(listed, "Lyon") {
				t.Errorf("it was stored: %s", listed)
			}
			if strings.Contains(f.logged(), "Lyon") {
				t.Error("it is in the log")
			}
		})
	}
	f := newFixture(t, engine())
	for name, tt := range map[string]struct {
		body   ObservationRequest
		status int
	}{
		"nothing": {ObservationRequest{Content: " "}, 422}, "too much": {ObservationRequest{Content: strings.Repeat("x", 4097)}, 413},
		"a long source": {ObservationRequest{Content: "x", Source: strings.Repeat("s", 513)}, 422},
	} {
		if _, response, answer := post[gate.Observed](f, call{}, "/v1/observations", tt.body); response.StatusCode != tt.status {
			t.Errorf("%s: %d %s", name, response.StatusCode, answer)
		}
	}
}

// Turns, observations and opened sessions count as writes of their principal.
func TestRatesOfWhatIsSaid(t *testing.T) {
	for name, send := range map[string]func(f *fixture, n int) *http.Response{
		"turns": func(f *fixture, n int) *http.Response {
			_, response, _ := post[gate.Turned](f, through(chatToken), "/v1/turns", TurnRequest{ID: fmt.Sprint(n), Session: "s", Content: "Pay."})
			return response
		},
		"reported turns": func(f *fixture, n int) *http.Response {
			_, response, _ := post[gate.Turned](f, call{}, "/v1/turns", TurnRequest{ID: fmt.Sprint(n), Session: "s", Content: "Pay."})
			return response
		},
		"observations": func(f *fixture, _ int) *http.Response {
			_, response, _ := post[gate.Observed](f, call{}, "/v1/observations", ObservationRequest{Content: "The office closes."})
			return response
		},
		"sessions": func(f *fixture, n int) *http.Response {
			_, response, _ := post[gate.Session](f, through(chatToken), "/v1/sessions", SessionRequest{Session: fmt.Sprint(n)})
			return response
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, engine(), users(func(p *v1alpha1.MemoryTrustPolicy) { p.Spec.Limits.WritesPerMinute = 60 }))
			for n := range 100 {
				switch response := send(f, n); response.StatusCode {
				case http.StatusCreated:
				case http.StatusTooManyRequests:
					if response.Header.Get("Retry-After") == "" {
						t.Error("no Retry-After")
					}
					return
				default:
					t.Fatalf("answered %d", response.StatusCode)
				}
			}
			t.Error("never refused")
		})
	}
}
