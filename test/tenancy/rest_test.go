// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package tenancy

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// operation is what is asked of an HTTP port about a target.
type operation struct {
	name, method string
	path         func(x target) string
	body         func(x target) any
	headers      func(x target) map[string]string
	fails        func(answer, target) error
}

// record is one of the victim's, by what became of it.
type record struct {
	name string
	id   func(target) string
}

var records = []record{
	{"a memory", func(x target) string { return x.working }},
	{"what waits", func(x target) string { return x.waiting }},
	{"what was rejected", func(x target) string { return x.rejected }},
	{"what was forgotten", func(x target) string { return x.forgotten }},
	{"an approval", func(x target) string { return x.approval }},
}

// aboutRecord are the operations of the agent's port that name a memory.
func aboutRecord(r record) []operation {
	at := func(rest string) func(target) string {
		return func(x target) string { return "/v1/memories/" + r.id(x) + rest }
	}
	return []operation{
		{name: "get " + r.name, method: http.MethodGet, path: at("")},
		{name: "get " + r.name + " in its namespace", method: http.MethodGet, path: func(x target) string { return at("")(x) + "?namespace=" + x.namespace }},
		{name: "log of " + r.name, method: http.MethodGet, path: at("/log")},
		{name: "version of " + r.name, method: http.MethodGet, path: func(x target) string { return at("/commits/" + x.commit)(x) }},
		{name: "edit " + r.name, method: http.MethodPatch, path: at(""), body: func(target) any { return map[string]any{"content": "Taken over."} }},
		{name: "edit " + r.name + " by its commit", method: http.MethodPatch, path: at(""), body: func(target) any { return map[string]any{"tags": []string{"mine"}} },
			headers: func(x target) map[string]string { return map[string]string{"If-Match": "\"" + x.commit + "\""} }},
		{name: "forget " + r.name, method: http.MethodDelete, path: at("")},
		{name: "derive from " + r.name, method: http.MethodPost, path: fixed("/v1/memories"), body: func(x target) any {
			return map[string]any{"content": "It follows that nobody is at home.", "parents": []string{r.id(x)}}
		}},
		{name: "replace " + r.name, method: http.MethodPost, path: fixed("/v1/memories"), body: func(x target) any {
			return map[string]any{"content": "The opposite holds.", "supersedes": []string{r.id(x)}}
		}},
	}
}

func fixed(path string) func(target) string { return func(target) string { return path } }

// searches are the operations of the agent's port that look for something, or name what the victim's clients named.
func searches() []operation {
	recall := func(name string, body func(x target) any) operation {
		return operation{name: "recall " + name, method: http.MethodPost, path: fixed("/v1/recall"), body: body, fails: emptyList}
	}
	list := func(name, query string, value func(x target) string) operation {
		return operation{name: "list " + name, method: http.MethodGet, fails: emptyList, path: func(x target) string {
			return "/v1/memories?" + query + "=" + value(x) + "&namespace=" + x.namespace
		}}
	}
	secret := func(x target) string { return x.secret }
	return []operation{
		recall("its words", func(x target) any { return map[string]any{"query": x.secret} }),
		recall("its words in its session", func(x target) any { return map[string]any{"query": x.secret, "session": x.session} }),
		recall("its tags", func(x target) any { return map[string]any{"query": "", "tags": []string{x.secret}} }),
		recall("its words, with an explanation", func(x target) any { return map[string]any{"query": x.secret, "xrayFormat": "text"} }),
		recall("what waits", func(x target) any { return map[string]any{"query": x.secret, "zones": []string{"Quarantine"}} }),
		list("by its tag", "tag", secret), list("by its subject", "subject", secret),
		{name: "recall in its namespace", method: http.MethodPost, path: func(x target) string { return "/v1/recall?namespace=" + x.namespace },
			body: func(x target) any { return map[string]any{"query": x.secret} }, fails: emptyList},
		{name: "queue of its namespace", method: http.MethodGet, path: func(x target) string { return "/v1/queue?namespace=" + x.namespace }, fails: saysNothing},
		{name: "open its session", method: http.MethodPost, path: fixed("/v1/sessions"), body: func(x target) any { return map[string]any{"session": x.session} }, fails: notClean},
		{name: "pay in its session", method: http.MethodPost, path: fixed("/v1/authorize"), body: func(x target) any { return paying(iban0, x.session) }, fails: notAllowed},
		{name: "use its approval", method: http.MethodPost, path: fixed("/v1/authorize"), body: func(x target) any { return paying(x.iban, "") }, fails: notAllowed},
		{name: "use its approval in its namespace", method: http.MethodPost, path: func(x target) string { return "/v1/authorize?namespace=" + x.namespace },
			body: func(x target) any { return paying(x.iban, "") }, fails: notAllowed},
		{name: "ground an argument in its memory", method: http.MethodPost, path: fixed("/v1/authorize"), body: func(x target) any { return paying(x.secret, x.session) }, fails: notAllowed},
		{name: "repeat its request", method: http.MethodPost, path: fixed("/v1/memories"), fails: saysNothing,
			body: func(x target) any { // texts that are not near each other, which would tell of the one before
				return map[string]any{"content": x.key + " keeps " + x.turn + " and " + x.session + ".", "source": "mcp:notes"}
			},
			headers: func(x target) map[string]string { return map[string]string{"Idempotency-Key": x.key + "mcp:notes"} }},
		{name: "use its turn", method: http.MethodPost, path: fixed("/v1/turns"), fails: saysNothing,
			body: func(x target) any { return map[string]any{"id": x.turn, "session": x.session, "content": "Pay them."} }},
		{name: "screen its words", method: http.MethodPost, path: fixed("/v1/screen"), fails: saysNothing,
			body: func(x target) any {
				return map[string]any{"items": []any{map[string]any{"content": "The locker opens with " + x.secret + "."}}}
			}},
		{name: "observe in its session", method: http.MethodPost, path: fixed("/v1/observations"), fails: saysNothing,
			body: func(x target) any {
				return map[string]any{"content": "A page says that " + x.secret + " is a word.", "session": x.session}
			}},
		{name: "continue a list behind it", method: http.MethodGet, fails: saysNothing, path: func(x target) string { return "/v1/memories?cursor=" + x.working }},
	}
}

// iban0 is an account that nobody named.
const iban0 = "DE44000000000000000000"

// notClean takes a session for refused that is not opened by a user.
func notClean(a answer, x target) error {
	if strings.Contains(a.body, `"clean":true`) {
		return fmt.Errorf("the session is clean: %s", a.body)
	}
	return saysNothing(a, x)
}

// notAllowed takes a call for refused that waits for a person.
func notAllowed(a answer, x target) error {
	if !strings.Contains(a.body, `"decision":"RequireApproval"`) && a.status < 400 {
		return fmt.Errorf("the call is decided: %s", a.body)
	}
	return saysNothing(a, x)
}

// forged are headers that vouch for somebody, where something believes them.
var forged = map[string]map[string]string{
	"a principal":          {"Memorytrust-Principal": "rita"},
	"a front proxy's user": {"X-Remote-User": "system:admin", "X-Remote-Group": "system:masters"},
	"a forwarded user":     {"X-Forwarded-User": "clerk", "X-Forwarded-For": "127.46.1.3", "Forwarded": "for=127.46.1.3"},
	"an impersonated user": {"Impersonate-User": "system:serviceaccount:billing:clerk", "Impersonate-Group": "system:masters"},
	"a namespace":          {"Memorytrust-Namespace": "billing", "X-Namespace": "billing"},
	"a method":             {"X-Http-Method-Override": "DELETE", "X-Original-Url": "/v1/memories"},
}

// attempts makes attempts of operations, over a base URL.
func attempts(base, prefix string, client *http.Client, add map[string]string, host string, ops []operation) (out []attempt) {
	for _, op := range ops {
		out = append(out, attempt{name: prefix + op.name, fails: op.fails, do: func(t *testing.T, x target) answer {
			t.Helper()
			c := call{client: client, method: op.method, url: base + op.path(x), headers: map[string]string{}, host: host}
			if op.body != nil {
				c.body = op.body(x)
			}
			if op.headers != nil {
				for name, value := range op.headers(x) {
					c.headers[name] = value
				}
			}
			for name, value := range add {
				c.headers[name] = value
			}
			return c.send(t)
		}})
	}
	return out
}

// restWays are what an agent can do at its own port, and what others can do at it from elsewhere.
func (w *world) restWays(*testing.T) (out []way) {
	for _, p := range [][2]*agent{{w.planner, w.clerk}, {w.clerk, w.planner}, {w.concierge, w.clerk}, {w.planner, w.concierge}} {
		from, victim := p[0], p[1]
		v := way{name: fmt.Sprintf("REST: port of %s, memory of %s", from.name, victim.name), victim: victim}
		base := "http://" + from.rest
		for _, r := range records {
			v.attempts = append(v.attempts, attempts(base, "", nil, nil, "", aboutRecord(r))...)
		}
		v.attempts = append(v.attempts, attempts(base, "", nil, nil, "", searches())...)
		for name, headers := range forged {
			v.attempts = append(v.attempts, attempts(base, "with "+name+", ", nil, headers, "", aboutRecord(records[0])[:1])...)
		}
		out = append(out, v)
	}
	victim := w.clerk
	v := way{name: "REST: port of " + victim.name + ", from elsewhere", victim: victim}
	for _, host := range []string{victim.ip + ":8787", "clerk.billing.svc", "localhost.evil.example", "127.0.0.1.evil.example"} {
		ops := append(aboutRecord(records[0]), searches()[0], searches()[9])
		for i := range ops {
			ops[i].fails = nil
		}
		v.attempts = append(v.attempts, attempts("http://"+victim.rest, "as "+host+", ", nil, nil, host, ops)...)
	}
	return append(out, v)
}
