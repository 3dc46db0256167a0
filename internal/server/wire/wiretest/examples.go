// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package wiretest runs the examples that an API gives of itself.
package wiretest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"memorytrust.dev/operator/internal/server/wire"
)

// Request is an example as a client would send it.
type Request struct {
	Name        string // of the operation and the example
	Method      string
	Path        string // with the example values of path parameters
	ContentType string
	Body        string
	Parameters  []string // names of the operation's parameters, as "header.If-Match"
	Want        int      // the status that the description promises
}

// document is what is read of a description.
type document struct {
	OpenAPI string                          `json:"openapi"`
	Paths   map[string]map[string]operation `json:"paths"`
}

type operation struct {
	ID         string `json:"operationId"`
	Parameters []struct {
		Name   string `json:"name"`
		In     string `json:"in"`
		Schema struct {
			Examples []any `json:"examples"`
		} `json:"schema"`
	} `json:"parameters"`
	RequestBody *struct {
		Content map[string]struct {
			Examples map[string]struct {
				Value json.RawMessage `json:"value"`
			} `json:"examples"`
		} `json:"content"`
	} `json:"requestBody"`
	Responses map[string]any `json:"responses"`
}

// Examples returns one request for every example of a description, and one for every operation without a body. An operation
// with a JSON body and no example, or with a path parameter and no example value, fails the test.
func Examples(t *testing.T, spec []byte) []Request {
	t.Helper()
	var d document
	if err := json.Unmarshal(spec, &d); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(d.OpenAPI, "3.1") {
		t.Errorf("OpenAPI version %q", d.OpenAPI)
	}
	var out []Request
	for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
		for _, method := range slices.Sorted(maps.Keys(d.Paths[path])) {
			op := d.Paths[path][method]
			base := Request{Name: op.ID, Method: strings.ToUpper(method), Path: path, Want: op.promised(t)}
			for _, p := range op.Parameters {
				base.Parameters = append(base.Parameters, p.In+"."+p.Name)
				if p.In != "path" {
					continue
				}
				if len(p.Schema.Examples) == 0 {
					t.Errorf("%s: the path parameter %s has no example", op.ID, p.Name)
					continue
				}
				base.Path = strings.ReplaceAll(base.Path, "{"+p.Name+"}", fmt.Sprint(p.Schema.Examples[0]))
			}
			out = append(out, op.requests(t, base)...)
		}
	}
	return out
}

// promised is the lowest good status of an operation.
func (o operation) promised(t *testing.T) int {
	t.Helper()
	for _, status := range slices.Sorted(maps.Keys(o.Responses)) {
		if status >= "200" && status < "300" {
			return int(status[0]-'0')*100 + int(status[1]-'0')*10 + int(status[2]-'0')
		}
	}
	t.Errorf("%s promises no good answer", o.ID)
	return 0
}

func (o operation) requests(t *testing.T, base Request) []Request {
	t.Helper()
	if o.RequestBody == nil {
		return []Request{base}
	}
	var out []Request
	for contentType, media := range o.RequestBody.Content {
		for name, example := range media.Examples {
			r := base
			r.Name, r.ContentType, r.Body = base.Name+"/"+name, contentType, string(example.Value)
			out = append(out, r)
		}
		if len(media.Examples) == 0 && contentType != wire.NDJSON {
			t.Errorf("%s has no example of %s", o.ID, contentType)
		}
	}
	return out
}
