// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestEndpoint(t *testing.T) {
	source := "web:x.example"
	tests := map[string]struct {
		answer http.HandlerFunc
		want   Answer
		fails  string
	}{
		"flagged": {
			answer: says(200, `{"flagged": true, "abstained": true, "score": 912.4, "reasons": ["because"]}`),
			want:   Answer{Flagged: true, ScorePerMille: 912, Reasons: []string{"because"}},
		},
		"passed":        {answer: says(200, `{"flagged": false, "more": {}}`)},
		"abstained":     {answer: says(200, `{"flagged": false, "abstained": true}`), want: Answer{Abstained: true}},
		"error status":  {answer: says(500, `{"flagged": false}`), fails: "status 500"},
		"nothing in it": {answer: says(200, `{}`), fails: `no "flagged"`},
		"null in it":    {answer: says(200, `{"flagged": null}`), fails: `no "flagged"`},
		"no JSON":       {answer: says(200, `no`), fails: "not the JSON object"},
		"text for bool": {answer: says(200, `{"flagged": "false"}`), fails: "not the JSON object"},
		"two answers":   {answer: says(200, `{"flagged": false} {"flagged": true}`), fails: "not the JSON object"},
		"too long":      {answer: says(200, `{"flagged": false, "x": "`+strings.Repeat("x", maxEndpointAnswer)+`"}`), fails: "longer than"},
		"redirect":      {answer: func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/other", http.StatusFound) }, fails: "status 302"},
		"no answer":     {answer: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, fails: "no answer"},
		"answer too late": {answer: func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
		}, fails: "no answer"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(test.answer)
			defer server.Close()
			e, err := NewEndpoint(server.URL, 300*time.Millisecond)
			if err != nil {
				t.Fatal(err)
			}
			got, err := e.Answer(t.Context(), Vector{ID: "a", Text: "x", Source: &source})
			switch {
			case test.fails == "" && err != nil:
				t.Fatal(err)
			case test.fails != "" && (err == nil || !strings.Contains(err.Error(), test.fails)):
				t.Fatalf("error %v, want %q", err, test.fails)
			}
			if got.Flagged != test.want.Flagged || got.Abstained != test.want.Abstained || got.ScorePerMille != test.want.ScorePerMille ||
				strings.Join(got.Reasons, "") != strings.Join(test.want.Reasons, "") {
				t.Errorf("answer %+v, want %+v", got, test.want)
			}
		})
	}
}

func says(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// The request is the one that is documented: three fields, source null where only the content counts.
func TestEndpointRequest(t *testing.T) {
	var bodies []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		bodies = append(bodies, r.Method+" "+r.URL.Path+" "+r.Header.Get("Content-Type")+" "+string(raw))
		_ = json.NewEncoder(w).Encode(map[string]bool{"flagged": false})
	}))
	defer server.Close()
	e, err := NewEndpoint(server.URL+"/judge?key=secret", 0)
	if err != nil {
		t.Fatal(err)
	}
	source := "web:x.example"
	for _, v := range []Vector{{ID: "a", Text: "x"}, {ID: "b", Text: "y", Source: &source}} {
		if _, err := e.Answer(t.Context(), v); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{
		`POST /judge application/json {"id":"a","text":"x","source":null}`,
		`POST /judge application/json {"id":"b","text":"y","source":"web:x.example"}`,
	}
	if strings.Join(bodies, "\n") != strings.Join(want, "\n") {
		t.Errorf("requests %q, want %q", bodies, want)
	}
	if name := e.Name(); strings.Contains(name, "secret") || !strings.HasSuffix(name, "/judge") {
		t.Errorf("named %q", name)
	}
}

func TestNewEndpointRefuses(t *testing.T) {
	for _, address := range []string{"", "localhost:9000", "ftp://x", "http://", "http://[", "/judge"} {
		if _, err := NewEndpoint(address, 0); err == nil {
			t.Errorf("%q was taken", address)
		}
	}
}
