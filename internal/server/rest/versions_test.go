// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package rest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/server/wire"
)

// edit sends a merge patch; an empty match sends no If-Match.
func (f *fixture) edit(id, patch, match string) (*http.Response, string) {
	f.t.Helper()
	c := call{method: "PATCH", path: "/v1/memories/" + id, body: patch, contentType: "application/merge-patch+json", header: http.Header{}}
	if match != "" {
		c.header["If-Match"] = []string{match}
	}
	return f.do(c)
}

// get reads a memory as the agent.
func (f *fixture) get(path string) (out gate.Delivered, etag string) {
	f.t.Helper()
	response, answer := f.do(call{method: "GET", path: "/v1/memories/" + path})
	if response.StatusCode != 200 {
		f.t.Fatalf("get of %s answered %d: %s", path, response.StatusCode, answer)
	}
	must(f.t, json.Unmarshal([]byte(answer), &out))
	return out, response.Header.Get("ETag")
}

func TestETags(t *testing.T) {
	f := newFixture(t, engine())
	kept := f.write(call{}, "The office in Lyon closes at five.", "")
	got, etag := f.get(kept.ID)
	if etag != wire.ETag(kept.Commit) || got.Commit != kept.Commit {
		t.Errorf("the write gave commit %s, the read ETag %s and commit %s", kept.Commit, etag, got.Commit)
	}
	for name, tt := range map[string]struct {
		header string
		status int
	}{
		"this":       {etag, 304},
		"weak":       {"W/" + etag, 304},
		"one of":     {`"x", ` + etag, 304},
		"any":        {"*", 304},
		"another":    {`"x"`, 200},
		"not quoted": {kept.Commit, 200},
	} {
		session := "none match " + name
		response, answer := f.do(call{method: "GET", path: "/v1/memories/" + kept.ID + "?session=" + url.QueryEscape(session),
			header: http.Header{"If-None-Match": {tt.header}}})
		if response.StatusCode != tt.status || (tt.status == 304) != (answer == "") || response.Header.Get("ETag") != etag {
			t.Errorf("%s answered %d, ETag %s: %s", name, response.StatusCode, response.Header.Get("ETag"), answer)
		}
		if log, err := f.store.Deliveries(t.Context(), memory.DeliveryFilter{Namespace: "agents", Session: session, Limit: 10}); err != nil || len(log) != 1 {
			t.Errorf("%s: %d deliveries logged (%v)", name, len(log), err)
		}
	}
	for name, tt := range map[string]struct {
		header string
		status int
	}{
		"another version": {wire.ETag(strings.Repeat("0", 64)), 412},
		"weak":            {"W/" + etag, 412},
		"no commit":       {`"x"`, 412},
		"not quoted":      {kept.Commit, 422},
		"several":         {etag + ", " + etag, 422},
		"any":             {"*", 200},
		"this":            {"", 200}, // filled in below
	} {
		_, now := f.get(kept.ID)
		if name == "this" {
			tt.header = now
		}
		response, answer := f.edit(kept.ID, `{"content":"The office in Lyon closes at `+name+`."}`, tt.header)
		if response.StatusCode != tt.status || (tt.status == 422) != strings.Contains(answer, "header.If-Match") {
			t.Errorf("edit of %s answered %d: %s", name, response.StatusCode, answer)
		}
		after, etag := f.get(kept.ID)
		if changed := strings.Contains(after.Content, name); changed != (tt.status == 200) || changed && response.Header.Get("ETag") != etag {
			t.Errorf("edit of %s: afterwards %q at %s, the answer said %s", name, after.Content, etag, response.Header.Get("ETag"))
		}
	}
	response, answer := f.do(call{method: "DELETE", path: "/v1/memories/" + kept.ID, header: http.Header{"If-Match": {etag}}})
	if response.StatusCode != 412 {
		t.Errorf("forgetting an old version answered %d: %s", response.StatusCode, answer)
	}
	f.get(kept.ID)
}

// Of two editors who saw the same version, one wins and the other learns of it, however close they are.
func TestNoUpdateIsLost(t *testing.T) {
	f := newFixture(t, engine())
	kept := f.write(call{}, "The shop has 0 visitors.", "")
	for round := range 10 {
		_, etag := f.get(kept.ID)
		var group sync.WaitGroup
		statuses := make([]int, 2)
		for editor := range statuses {
			group.Go(func() {
				response, _ := f.edit(kept.ID, fmt.Sprintf(`{"content":"The shop has %d visitors."}`, 2*round+editor+1), etag)
				statuses[editor] = response.StatusCode
			})
		}
		group.Wait()
		slices.Sort(statuses)
		if !slices.Equal(statuses, []int{200, 412}) {
			t.Fatalf("round %d: %v", round, statuses)
		}
	}
	// Metadata is merged with what is there at that moment: none of the entries is lost without any precondition either.
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			if response, answer := f.edit(kept.ID, fmt.Sprintf(`{"metadata":{"entry%d":"x"}}`, i), ""); response.StatusCode != 200 {
				t.Errorf("entry %d answered %d: %s", i, response.StatusCode, answer)
			}
		})
	}
	group.Wait()
	if got, _ := f.get(kept.ID); len(got.Metadata) != 4 {
		t.Errorf("metadata %v", got.Metadata)
	}
}

func TestEdit(t *testing.T) {
	f := newFixture(t, engine())
	response, answer := f.do(call{method: "POST", path: "/v1/memories", body: `{"content":"The user prefers metric units.","kind":"preference","tags":["a","b"],
		"subject":"units","metadata":{"model":"m1","note":"n"},"confidencePerMille":400,"saliencePerMille":300}`})
	if response.StatusCode != 201 {
		t.Fatalf("%d %s", response.StatusCode, answer)
	}
	id := strings.TrimPrefix(response.Header.Get("Location"), "/v1/memories/")
	first, _ := f.get(id)
	if first.Kind != "preference" || first.Subject != "units" || first.Metadata["model"] != "m1" || len(first.Tags) != 2 {
		t.Errorf("stored as %+v", first)
	}
	between := time.Now()
	response, answer = f.edit(id, `{"content":"The user prefers imperial units.","kind":null,"tags":["c"],"metadata":{"model":"m2","note":null}}`, "")
	if response.StatusCode != 200 {
		t.Fatalf("%d %s", response.StatusCode, answer)
	}
	second, _ := f.get(id)
	if second.Content != "The user prefers imperial units." || second.Kind != "" || !slices.Equal(second.Tags, []string{"c"}) ||
		second.Subject != "units" || len(second.Metadata) != 1 || second.Metadata["model"] != "m2" {
		t.Errorf("edited to %+v", second)
	}
	response, answer = f.edit(id, `{"subject":null,"metadata":null}`, "")
	if third, _ := f.get(id); response.StatusCode != 200 || third.Subject != "" || len(third.Metadata) != 0 || third.Content != second.Content {
		t.Errorf("removed: %d %s, %+v", response.StatusCode, answer, third)
	}
	old, etag := f.get(id + "/commits/" + first.Commit)
	if old.Content != first.Content || etag != wire.ETag(first.Commit) {
		t.Errorf("the first version is %q at %s", old.Content, etag)
	}
	if old, _ := f.get(id + "?at=" + url.QueryEscape(between.Format(time.RFC3339Nano))); old.Content != first.Content {
		t.Errorf("as of then: %q", old.Content)
	}
	response, answer = f.do(call{method: "GET", path: "/v1/memories/" + id + "/log"})
	var log gate.Logged
	must(t, json.Unmarshal([]byte(answer), &log))
	if response.StatusCode != 200 || len(log.Commits) != 3 || log.Commits[2].Commit != first.Commit || !log.Commits[0].Current ||
		strings.Contains(answer, "imperial") {
		t.Errorf("log: %d %s", response.StatusCode, answer)
	}
	for name, tt := range map[string]struct {
		patch  string
		status int
		says   string
	}{
		"nothing":          {`{}`, 422, "at least one"},
		"no object":        {`[]`, 422, "object"},
		"no content":       {`{"content":null}`, 422, "body.content"},
		"blank content":    {`{"content":" "}`, 422, "content"},
		"unknown field":    {`{"zone":"Trusted"}`, 422, "zone"},
		"wrong type":       {`{"tags":"a"}`, 422, "tags"},
		"wrong entry":      {`{"metadata":{"a":1}}`, 422, "metadata"},
		"too sure":         {`{"confidencePerMille":1001}`, 422, "confidencePerMille"},
		"lone surrogate":   {`{"content":"\ud83d"}`, 400, "surrogate"},
		"pin of the agent": {`{"pinned":true}`, 403, "pin"},
	} {
		if response, answer := f.edit(id, tt.patch, ""); response.StatusCode != tt.status || !strings.Contains(answer, tt.says) {
			t.Errorf("%s answered %d: %s", name, response.StatusCode, answer)
		}
	}
	rule := f.write(call{}, "Always answer in French.", "operator")
	response, answer = f.edit(rule.ID, `{"content":"Always answer in German."}`, "")
	if got, _ := f.get(rule.ID); response.StatusCode != 202 || !strings.Contains(answer, `"proposal":true`) || response.Header.Get("ETag") != "" || got.Content != "Always answer in French." {
		t.Errorf("an edit of the operator's rule answered %d: %s; it says %q", response.StatusCode, answer, got.Content)
	}
}

// Decoding a merge patch never fails in the middle: what passes says of every field exactly what was sent.
func FuzzPatch(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"content":"a"}`, `{"content":null}`, `{"kind":null,"tags":["a"],"metadata":{"a":null,"b":"c"}}`, `{"tags":null}`,
		`{"confidencePerMille":5,"pinned":true,"source":"x","session":"y"}`, `{"content":"a","content":null}`, `null`, `[]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var p PatchRequest
		if json.Unmarshal(raw, &p) != nil {
			return
		}
		e, err := p.edit("c")
		if (err != nil) != p.Content.Null {
			t.Fatalf("%q: %v", raw, err)
		}
		if err != nil {
			return
		}
		if (e.Content != nil) != p.Content.Present || (e.Kind != nil) != p.Kind.Present || (e.Tags != nil) != p.Tags.Present ||
			(e.Subject != nil) != p.Subject.Present || (e.Pin != nil) != p.Pinned.Present || e.Commit != "c" {
			t.Fatalf("%q became %+v", raw, e)
		}
		if p.Kind.Null && *e.Kind != "" || p.Tags.Null && len(*e.Tags) != 0 {
			t.Fatalf("%q: null does not remove", raw)
		}
		present := map[string]string{"a": "1", "z": "2"}
		after := merged(present, p.Metadata)
		if len(present) != 2 || p.Metadata.Null && len(after) != 0 {
			t.Fatalf("%q: merged to %v, was %v", raw, after, present)
		}
		for key, value := range p.Metadata.Value {
			if got, ok := after[key]; ok != (value != nil) || ok && got != *value {
				t.Fatalf("%q: %s became %q, %v", raw, key, got, ok)
			}
		}
	})
}
