// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package rest

import (
	"net/http"
	"strings"
	"testing"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
	"memorytrust.dev/operator/internal/server/wire/wiretest"
)

// plantExample stores the memory that examples are about, and returns its commit.
func (f *fixture) plantExample() string {
	f.t.Helper()
	now := memory.Timestamp(f.now())
	record, err := f.store.Commit(f.t.Context(), memory.Change{
		Type: memory.ChangeCreate, Actor: "agent",
		Record: memory.Record{
			ID: exampleID, Namespace: "agents", Zone: memory.Working, State: memory.Active, Class: provenance.AgentInferred,
			Source: "agent", Content: "The user prefers metric units.", Metadata: map[string]string{"note": "from the first call"},
			CreatedAt: now, UpdatedAt: now,
		},
		Sign: func(r memory.Record) ([]byte, error) {
			return f.state.Keyset.Sign(r.Tuple(f.state.Runtime.AgentID).Message())
		},
	})
	must(f.t, err)
	return hexOf(record.Commit.Hash)
}

// Every example of the served description works as it stands.
func TestExamplesWork(t *testing.T) {
	_, spec := newFixture(t, engine()).do(call{method: "GET", path: OpenAPIPath})
	requests := wiretest.Examples(t, []byte(spec))
	if len(requests) < 15 {
		t.Fatalf("%d examples", len(requests))
	}
	for _, r := range requests {
		t.Run(r.Name, func(t *testing.T) {
			f := newFixture(t, engine())
			commit := f.plantExample()
			path := strings.ReplaceAll(r.Path, exampleCommit, commit)
			response, answer := f.do(call{method: r.Method, path: path, body: r.Body, contentType: r.ContentType, header: http.Header{}})
			if response.StatusCode != r.Want {
				t.Errorf("%s %s answered %d, the description says %d: %s", r.Method, path, response.StatusCode, r.Want, answer)
			}
		})
	}
}

// Every operation takes the namespace.
func TestEveryOperationTakesTheNamespace(t *testing.T) {
	_, spec := newFixture(t, engine()).do(call{method: "GET", path: OpenAPIPath})
	for _, r := range wiretest.Examples(t, []byte(spec)) {
		if !strings.Contains(strings.Join(r.Parameters, " "), "query.namespace") {
			t.Errorf("%s takes no namespace", r.Name)
		}
	}
}
