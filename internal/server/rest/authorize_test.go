// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package rest

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
)

// withRules gives the fixture's policy rules about tool calls.
func withRules(f *fixture) {
	f.policy = func(p *v1alpha1.MemoryTrustPolicy) {
		p.Spec.Actions.Rules = []v1alpha1.ActionRule{
			{Name: "payments", Tools: []string{"pay_*"}, Authority: "Act", Sensitive: []string{"to"}},
			{Name: "deletions", Tools: []string{"*_delete"}, Authority: "Act", Otherwise: "Deny"},
			{Name: "lookups", Tools: []string{"*_get"}, Authority: "Inform"},
		}
	}
}

// authorize asks about a call and returns the answer.
func (f *fixture) authorize(body string) gate.Authorized {
	f.t.Helper()
	response, answer := f.do(call{method: http.MethodPost, path: "/v1/authorize", body: body})
	if response.StatusCode != http.StatusOK {
		f.t.Fatalf("%s answered %d: %s", body, response.StatusCode, answer)
	}
	var out gate.Authorized
	must(f.t, json.Unmarshal([]byte(answer), &out))
	return out
}

func TestAuthorize(t *testing.T) {
	f := newFixture(t, engine(), withRules)
	for body, want := range map[string]gate.ActionDecision{
		`{"tool": "account_get"}`:                            gate.ActionAllow,
		`{"tool": "account_delete", "arguments": {"id": 1}}`: gate.ActionDeny,
		`{"tool": "anything"}`:                               gate.ActionRequireApproval,
	} {
		if out := f.authorize(body); out.Decision != want || out.Message == "" {
			t.Errorf("%s: %+v, want %s", body, out, want)
		}
	}
	// The gate gets the arguments as they were sent: numbers keep their form.
	first := f.authorize(`{"tool": "pay_card", "arguments": {"to": "DE89370400440532013000", "amount": 12345678901234567890.10}, "session": "s"}`)
	same := f.authorize(`{"session": "s", "arguments": { "amount": 12345678901234567890.10, "to": "DE89370400440532013000" }, "tool": "pay_card"}`)
	other := f.authorize(`{"tool": "pay_card", "arguments": {"to": "DE89370400440532013000", "amount": 12345678901234567890.1}, "session": "s"}`)
	if first.ApprovalID == "" || same.ApprovalID != first.ApprovalID || other.ApprovalID == first.ApprovalID {
		t.Errorf("asked as %s, %s and %s", first.ApprovalID, same.ApprovalID, other.ApprovalID)
	}
	person := gate.Person{Principal: "carol@example.com"}
	seen, err := f.gate.Inspect(t.Context(), person, first.ApprovalID, gate.Reading{})
	must(t, err)
	if seen.Call == nil || seen.Call.Tool != "pay_card" || string(seen.Call.Arguments) != `{"amount":12345678901234567890.10,"to":"DE89370400440532013000"}` {
		t.Errorf("the person sees %+v", seen.Call)
	}
	_, err = f.gate.Decide(t.Context(), person, first.ApprovalID, gate.Decision{Action: memory.ActionApprove, Commit: seen.Commit, Reason: "known"})
	must(t, err)
	again := `{"tool": "pay_card", "arguments": {"to": "DE89370400440532013000", "amount": 12345678901234567890.10}, "session": "s"}`
	if out := f.authorize(again); out.Decision != gate.ActionAllow {
		t.Errorf("%+v", out)
	}
	if out := f.authorize(again); out.Decision != gate.ActionRequireApproval {
		t.Errorf("a second time: %+v", out)
	}
	if log := f.logged(); strings.Contains(log, "DE8937") {
		t.Error("an argument is in the log")
	}
}

func TestAuthorizeProblems(t *testing.T) {
	f := newFixture(t, engine(), withRules)
	long := `{"tool": "x", "arguments": {"a": "` + strings.Repeat("x", 60<<10) + `"}, "schema": {"a": "` + strings.Repeat("x", 60<<10) + `"}}`
	for name, tt := range map[string]struct {
		body   string
		status int
		says   string
	}{
		"no tool":          {`{}`, 422, "tool"},
		"a list":           {`{"tool": "x", "arguments": []}`, 422, "body.arguments"},
		"null":             {`{"tool": "x", "arguments": null}`, 422, "body.arguments"},
		"a name twice":     {`{"tool": "x", "arguments": {"to": 1, "to": 2}}`, 422, "twice"},
		"a schema twice":   {`{"tool": "x", "schema": {"a": 1, "a": 2}}`, 422, "body.schema"},
		"unknown":          {`{"tool": "x", "approvalId": "y"}`, 422, "approvalId"},
		"half a character": {`{"tool": "x", "arguments": {"a": "\ud800"}}`, 400, "surrogate"},
		"too long":         {`{"tool": "x", "arguments": {"a": "` + strings.Repeat("x", 70<<10) + `"}}`, 422, "65536"},
		"long":             {long, 200, "RequireApproval"},
	} {
		t.Run(name, func(t *testing.T) {
			response, answer := f.do(call{method: http.MethodPost, path: "/v1/authorize", body: tt.body})
			if response.StatusCode != tt.status || !strings.Contains(answer, tt.says) {
				t.Errorf("answered %d: %.300s", response.StatusCode, answer)
			}
		})
	}
}

// There is no way to decide about a request on either port.
func TestNobodyApprovesHere(t *testing.T) {
	f := newFixture(t, engine(), withRules)
	out := f.authorize(`{"tool": "pay_card", "arguments": {"to": "x"}}`)
	for _, path := range []string{"/v1/memories/" + out.ApprovalID + "/approve", "/v1/approvals/" + out.ApprovalID, "/v1/authorize/" + out.ApprovalID, "/v1/queue/" + out.ApprovalID} {
		for _, c := range []call{{path: path}, {path: path, channel: true, token: consoleToken}} {
			c.method, c.body = http.MethodPost, `{"reason": "please"}`
			if response, _ := f.do(c); response.StatusCode != http.StatusNotFound {
				t.Errorf("%s answered %d", path, response.StatusCode)
			}
		}
	}
	if response, _ := f.do(call{method: http.MethodPost, path: "/v1/authorize", body: `{"tool": "x"}`, channel: true, token: consoleToken}); response.StatusCode != http.StatusNotFound {
		t.Errorf("the channel port answered %d", response.StatusCode)
	}
	for _, method := range []string{http.MethodPatch, http.MethodDelete} {
		response, answer := f.do(call{method: method, path: "/v1/memories/" + out.ApprovalID, body: `{"tags": ["x"]}`})
		if method == http.MethodDelete {
			response, answer = f.do(call{method: method, path: "/v1/memories/" + out.ApprovalID})
		}
		if response.StatusCode != http.StatusNotFound {
			t.Errorf("%s answered %d: %s", method, response.StatusCode, answer)
		}
	}
}
