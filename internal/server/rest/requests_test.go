// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package rest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
)

func TestIdempotency(t *testing.T) {
	f := newFixture(t, engine())
	send := func(key, body string, c call) (*http.Response, gate.Written) {
		t.Helper()
		c.method, c.body, c.header = "POST", body, http.Header{"Idempotency-Key": {key}}
		if c.path == "" {
			c.path = "/v1/memories"
		}
		response, answer := f.do(c)
		var out gate.Written
		if response.StatusCode == 201 {
			must(t, json.Unmarshal([]byte(answer), &out))
		}
		return response, out
	}
	body := `{"content":"The office in Lyon closes at five.","tags":["a"]}`
	response, first := send("key-1", body, call{})
	if response.StatusCode != 201 || response.Header.Get("Idempotency-Replayed") != "" {
		t.Fatalf("first: %d, replayed %q", response.StatusCode, response.Header.Get("Idempotency-Replayed"))
	}
	for name, again := range map[string]string{
		"same":              body,
		"white space":       " " + strings.ReplaceAll(body, ":", " : "),
		"other field order": `{"tags":["a"],"content":"The office in Lyon closes at five."}`,
	} {
		response, out := send("key-1", again, call{})
		if response.StatusCode != 201 || response.Header.Get("Idempotency-Replayed") != "true" || out.ID != first.ID || out.Commit != first.Commit {
			t.Errorf("%s: %d, replayed %q, %+v", name, response.StatusCode, response.Header.Get("Idempotency-Replayed"), out)
		}
	}
	if response, _ := send("key-1", `{"content":"Something else."}`, call{}); response.StatusCode != 422 {
		t.Errorf("another request under the key: %d", response.StatusCode)
	}
	// A key belongs to who uses it, and to the tenant.
	for name, c := range map[string]call{
		"another tenant": {path: "/v1/memories?namespace=other"}, "a channel": {channel: true, token: consoleToken},
	} {
		if response, out := send("key-1", body, c); response.StatusCode != 201 || out.ID == first.ID || response.Header.Get("Idempotency-Replayed") != "" {
			t.Errorf("%s: %d, %+v", name, response.StatusCode, out)
		}
	}
	for name, key := range map[string]string{"too long": strings.Repeat("k", 129), "not ASCII": "sch\u00fcssel"} {
		response, answer := f.do(call{method: "POST", path: "/v1/memories", body: body, header: http.Header{"Idempotency-Key": {key}}})
		if response.StatusCode != 422 || !strings.Contains(answer, "header.Idempotency-Key") || strings.Contains(answer, key) {
			t.Errorf("%s: %d %s", name, response.StatusCode, answer)
		}
	}
	// The same request twice at once stores one memory.
	var group sync.WaitGroup
	ids := make([]string, 8)
	for i := range ids {
		group.Go(func() {
			if response, out := send("key-2", `{"content":"The museum opens at nine."}`, call{}); response.StatusCode == 201 {
				ids[i] = out.ID
			} else if response.StatusCode != 409 {
				t.Errorf("at once: %d", response.StatusCode)
			}
		})
	}
	group.Wait()
	slices.Sort(ids)
	ids = slices.Compact(slices.DeleteFunc(ids, func(id string) bool { return id == "" }))
	if len(ids) != 1 {
		t.Errorf("stored %d times", len(ids))
	}
}

func FuzzIdempotencyKey(f *testing.F) {
	for _, seed := range []string{"", "a", "550e8400-e29b-41d4-a716-446655440000", "\x00", "ü", strings.Repeat("x", 129)} {
		f.Add(seed, "agents")
	}
	f.Fuzz(func(t *testing.T, key, namespace string) {
		body := WriteRequest{Content: "a"}
		got, err := idempotencyKey(key, namespace, body)
		if err != nil || key == "" {
			if len(got.Digest) != 0 {
				t.Fatal("a refused key has a digest")
			}
			return
		}
		if got.Key != key || len(key) > memory.MaxIdempotencyKeyBytes || strings.ContainsFunc(key, func(r rune) bool { return r < 0x20 || r > 0x7e }) {
			t.Fatalf("%q was taken as %q", key, got.Key)
		}
		if other, _ := idempotencyKey(key, namespace+"x", body); string(other.Digest) == string(got.Digest) {
			t.Fatal("two namespaces have one digest")
		}
	})
}

// A walk over all pages meets every memory that was there when it began, once, while others are written.
func TestCursorWalk(t *testing.T) {
	f := newFixture(t, engine())
	const count = 250
	want := map[string]bool{}
	for i := range count {
		out, err := f.gate.Encode(t.Context(), gate.Caller{}, gate.Write{Content: fmt.Sprintf("Room %d is on floor %d.", i, i%7)})
		must(t, err)
		want[out.ID] = true
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var group sync.WaitGroup
	group.Go(func() {
		for i := 0; ctx.Err() == nil; i++ {
			_, _ = f.gate.Encode(ctx, gate.Caller{}, gate.Write{Content: fmt.Sprintf("Meanwhile, guest %d came.", i)})
		}
	})
	seen := map[string]int{}
	// New memories come after old ones: the walk is over when all old ones must have been met.
	for cursor, met, pages := "", 0, 0; met < count && pages < count; pages++ {
		response, answer := f.do(call{method: "GET", path: "/v1/memories?limit=7&cursor=" + url.QueryEscape(cursor)})
		var page gate.Listed
		must(t, json.Unmarshal([]byte(answer), &page))
		if response.StatusCode != 200 || len(page.Memories) > 7 {
			t.Fatalf("%d, %d memories", response.StatusCode, len(page.Memories))
		}
		for _, m := range page.Memories {
			if seen[m.ID]++; want[m.ID] {
				met++
			}
		}
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	cancel()
	group.Wait()
	for id := range want {
		if seen[id] != 1 {
			t.Errorf("%s was met %d times", id, seen[id])
		}
	}
	for name, path := range map[string]string{
		"no cursor": "/v1/memories?cursor=!!!", "forged": "/v1/memories?cursor=e30", "queue": "/v1/queue?cursor=%00",
	} {
		if response, answer := f.do(call{method: "GET", path: path}); response.StatusCode != 422 || !strings.Contains(answer, "query.cursor") {
			t.Errorf("%s answered %d: %s", name, response.StatusCode, answer)
		}
	}
}

func TestTooManyWrites(t *testing.T) {
	f := newFixture(t, engine(), func(f *fixture) {
		f.policy = func(p *v1alpha1.MemoryTrustPolicy) { p.Spec.Limits.WritesPerMinute = 1 }
	})
	limited := 0
	for i := range 70 {
		response, answer := f.do(call{method: "POST", path: "/v1/memories", body: fmt.Sprintf(`{"content":"Room %d is free."}`, i)})
		switch response.StatusCode {
		case 201:
		case 429:
			limited++
			seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
			if err != nil || seconds < 1 || !strings.Contains(answer, "spec.limits.writesPerMinute") {
				t.Errorf("Retry-After %q: %s", response.Header.Get("Retry-After"), answer)
			}
		default:
			t.Fatalf("%d %s", response.StatusCode, answer)
		}
	}
	if limited == 0 {
		t.Error("no write was limited")
	}
}

// What belongs to one tenant is not there for another, whatever route is taken.
func TestNamespacesAreApart(t *testing.T) {
	f := newFixture(t, engine())
	response, answer := f.do(call{method: "POST", path: "/v1/memories?namespace=acme", body: `{"content":"The vault of acme is in Lyon."}`})
	var kept gate.Written
	must(t, json.Unmarshal([]byte(answer), &kept))
	if at := response.Header.Get("Location"); response.StatusCode != 201 || at != "/v1/memories/"+kept.ID+"?namespace=acme" {
		t.Fatalf("%d, Location %q: %s", response.StatusCode, at, answer)
	}
	if response, _ := f.do(call{method: "GET", path: response.Header.Get("Location")}); response.StatusCode != 200 {
		t.Errorf("its own tenant's read answered %d", response.StatusCode)
	}
	item := "/v1/memories/" + kept.ID
	for _, namespace := range []string{"", "other"} {
		for name, c := range map[string]call{
			"get":     {method: "GET", path: item},
			"log":     {method: "GET", path: item + "/log"},
			"commit":  {method: "GET", path: item + "/commits/" + kept.Commit},
			"edit":    {method: "PATCH", path: item, body: `{"content":"Mine."}`},
			"forget":  {method: "DELETE", path: item},
			"list":    {method: "GET", path: "/v1/memories"},
			"recall":  {method: "POST", path: "/v1/recall", body: `{"query":"vault of acme","xrayFormat":"text"}`},
			"queue":   {method: "GET", path: "/v1/queue"},
			"zones":   {method: "GET", path: "/v1/zones"},
			"session": {method: "POST", path: "/v1/sessions", body: "{}"},
			"derive":  {method: "POST", path: "/v1/memories", body: `{"content":"Derived.","parents":["` + kept.ID + `"]}`},
			"replace": {method: "POST", path: "/v1/memories", body: `{"content":"Replaced.","supersedes":["` + kept.ID + `"]}`},
		} {
			if namespace != "" {
				c.path += "?namespace=" + namespace
			}
			response, answer := f.do(c)
			byID := strings.HasPrefix(c.path, item)
			if byID && response.StatusCode != 404 || strings.Contains(answer, "Lyon") || strings.Contains(answer, `"Working":1`) ||
				!byID && strings.Contains(answer, kept.ID) {
				t.Errorf("%s by %q answered %d: %s", name, namespace, response.StatusCode, answer)
			}
		}
	}
	if response, answer := f.do(call{method: "GET", path: "/v1/zones?namespace=A%2Fb"}); response.StatusCode != 422 || !strings.Contains(answer, "query.namespace") {
		t.Errorf("a bad name answered %d: %s", response.StatusCode, answer)
	}
	if _, answer := f.do(call{method: "GET", path: item + "?namespace=acme"}); !strings.Contains(answer, "Lyon") {
		t.Errorf("the memory was touched: %s", answer)
	}
}

func TestRecallExplains(t *testing.T) {
	f := newFixture(t, engine())
	f.write(call{}, "The office in Lyon closes at five.", "web:example.org")
	f.write(call{}, plant, "web:evil.example")
	for body, want := range map[string]struct{ has, hasNot string }{
		`{"query":"office invoice"}`:                           {"", `"xray`},
		`{"query":"office invoice","xray":true}`:               {`"xray":{`, `"xrayText"`},
		`{"query":"office invoice","xrayFormat":"json"}`:       {`"xray":{`, `"xrayText"`},
		`{"query":"office invoice","xrayFormat":"text"}`:       {`"xrayText":"`, `"xray":`},
		`{"query":"office invoice","xrayFormat":"markdown"}`:   {`"xrayText":"#`, `"xray":`},
		`{"query":"office invoice","tags":["nothing has it"]}`: {`"memories":[]`, "Lyon"},
	} {
		response, answer := f.do(call{method: "POST", path: "/v1/recall", body: body})
		if response.StatusCode != 200 || !strings.Contains(answer, want.has) || strings.Contains(answer, want.hasNot) || strings.Contains(answer, secretWord) {
			t.Errorf("%s answered %d: %s", body, response.StatusCode, answer)
		}
	}
}

func TestMethods(t *testing.T) {
	f := newFixture(t, engine())
	kept := f.write(call{}, "The office in Lyon closes at five.", "")
	for name, tt := range map[string]struct {
		call   call
		status int
	}{
		"HEAD of a memory":    {call{method: "HEAD", path: "/v1/memories/" + kept.ID}, 200},
		"HEAD of the list":    {call{method: "HEAD", path: "/v1/memories"}, 200},
		"HEAD of no memory":   {call{method: "HEAD", path: "/v1/memories/" + exampleID}, 404},
		"OPTIONS":             {call{method: "OPTIONS", path: "/v1/memories"}, 405},
		"PUT":                 {call{method: "PUT", path: "/v1/memories/" + kept.ID, body: "{}"}, 405},
		"TRACE":               {call{method: "TRACE", path: "/v1/memories"}, 405},
		"unknown":             {call{method: "FROB", path: "/v1/recall"}, 405},
		"approve, from here":  {call{method: "POST", path: "/v1/memories/" + kept.ID + "/approve", body: `{"reason":"x"}`}, 404},
		"body with DELETE":    {call{method: "DELETE", path: "/v1/memories/" + kept.ID, body: "{}"}, 400},
		"patch as a form":     {call{method: "PATCH", path: "/v1/memories/" + kept.ID, body: "a=b", contentType: "application/x-www-form-urlencoded"}, 415},
		"patch of operations": {call{method: "PATCH", path: "/v1/memories/" + kept.ID, body: "[]", contentType: "application/json-patch+json"}, 415},
		"MCP without handler": {call{method: "POST", path: "/mcp", body: "{}"}, 404},
	} {
		response, answer := f.do(tt.call)
		if response.StatusCode != tt.status || tt.call.method == "HEAD" && answer != "" {
			t.Errorf("%s answered %d: %s", name, response.StatusCode, answer)
		}
		if tt.status == 405 && response.Header.Get("Allow") == "" {
			t.Errorf("%s: no Allow header", name)
		}
	}
	f.get(kept.ID)
}

// MCP has the same guard against other host names, and bounds of its own.
func TestMCPBesideREST(t *testing.T) {
	mcp := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
		}
		_, _ = fmt.Fprintf(w, "%d bytes", len(body))
	})
	f := newFixture(t, engine(), func(f *fixture) { f.mcp = mcp })
	if response, answer := f.do(call{method: "POST", path: MCPPath, body: "not JSON \xff"}); response.StatusCode != 200 || !strings.Contains(answer, "10 bytes") {
		t.Errorf("a call answered %d: %s", response.StatusCode, answer)
	}
	if response, _ := f.do(call{method: "POST", path: MCPPath, body: strings.Repeat("x", 200_000)}); response.StatusCode != 413 {
		t.Errorf("a call that is too long answered %d", response.StatusCode)
	}
	if response, _ := f.do(call{method: "POST", path: MCPPath, body: "{}", host: "rebound.evil.example"}); response.StatusCode != 421 {
		t.Errorf("another host name answered %d", response.StatusCode)
	}
	if response, _ := f.do(call{method: "GET", path: "/v1/zones"}); response.StatusCode != 200 {
		t.Errorf("beside MCP, REST answers %d", response.StatusCode)
	}
}
