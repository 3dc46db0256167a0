// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// Nothing of one tenant is reached from another, whatever is asked, and however exactly it is named.
func TestNamespacesAreIsolated(t *testing.T) {
	f := newFixture(t)
	neighbor := Caller{Namespace: "neighbor"}
	r := f.put(memory.Record{Namespace: "neighbor", Content: "The sesame code of the office.", State: memory.PendingReview, Class: provenance.WebContent})
	first := commitOf(r)
	r = f.amend(r, memory.ChangeUpdate, func(r *memory.Record) { r.Content = "The sesame code of the office is new." })
	reads := map[string]func(c Caller) (any, error){
		"recall":  func(c Caller) (any, error) { return f.Recall(f.ctx(), c, Recall{Query: "sesame office", XRay: true}) },
		"recent":  func(c Caller) (any, error) { return f.Recall(f.ctx(), c, Recall{}) },
		"get":     func(c Caller) (any, error) { return f.Get(f.ctx(), c, r.ID, Reading{}) },
		"version": func(c Caller) (any, error) { return f.Get(f.ctx(), c, r.ID, Reading{Commit: first}) },
		"as of": func(c Caller) (any, error) {
			return f.Get(f.ctx(), c, r.ID, Reading{At: r.UpdatedAt.Add(-time.Second)})
		},
		"list":  func(c Caller) (any, error) { return f.List(f.ctx(), c, Listing{}) },
		"log":   func(c Caller) (any, error) { return f.Log(f.ctx(), c, r.ID, LogQuery{}) },
		"queue": func(c Caller) (any, error) { return f.Queue(f.ctx(), c, QueueQuery{}) },
		"explain": func(c Caller) (any, error) {
			return f.Explain(f.ctx(), Person{Principal: "p", Namespace: c.Namespace}, Recall{Query: "sesame"})
		},
		"deliveries": func(c Caller) (any, error) {
			return f.Deliveries(f.ctx(), Person{Principal: "p", Namespace: c.Namespace}, DeliveryQuery{ID: r.ID})
		},
	}
	found := func(answer any) bool {
		text, err := json.Marshal(answer)
		must(t, err)
		return strings.Contains(string(text), r.ID) || strings.Contains(string(text), "code of the office")
	}
	if _, err := f.Get(f.ctx(), neighbor, r.ID, Reading{Session: "s"}); err != nil {
		t.Fatal(err)
	}
	for name, read := range reads {
		if answer, err := read(neighbor); err != nil || !found(answer) {
			t.Errorf("%s does not find it where it is: %+v, %v", name, answer, err)
		}
		for _, c := range []Caller{agent, {Namespace: "another"}} {
			if answer, err := read(c); (err != nil && !errors.Is(err, memory.ErrNotFound)) || found(answer) {
				t.Errorf("%s finds it from %q: %+v, %v", name, c.Namespace, answer, err)
			}
		}
		var field *memory.FieldError
		for _, bad := range []string{"../neighbor", "Neighbor", "a b", strings.Repeat("n", 64), "neighbor\x00"} {
			if _, err := read(Caller{Namespace: bad}); !errors.As(err, &field) || field.Field != "namespace" {
				t.Errorf("%s in namespace %q: %v", name, bad, err)
			}
		}
	}
	for c, want := range map[string]int64{"": 0, "neighbor": 1, "another": 0} {
		counts, err := f.Zones(f.ctx(), Caller{Namespace: c})
		must(t, err)
		opened, err := f.OpenSession(f.ctx(), Caller{Namespace: c}, "")
		must(t, err)
		recalled, err := f.Recall(f.ctx(), Caller{Namespace: c}, Recall{})
		must(t, err)
		if counts.Items != want || counts.Zones[memory.Working] != want || opened.PendingReview != want || recalled.PendingReview != want {
			t.Errorf("namespace %q counts %+v, session %+v, recall %d; want %d", c, counts, opened, recalled.PendingReview, want)
		}
	}
}

// A row that was moved into another tenant's namespace is not what was signed there.
func TestMovedRowIsTampered(t *testing.T) {
	f := newFixture(t)
	r := f.put(memory.Record{Namespace: "neighbor", Content: publicFact})
	f.sql("UPDATE records SET namespace = ? WHERE id = ?", testNamespace, r.ID)
	if _, err := f.Get(f.ctx(), agent, r.ID, Reading{}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("get of a moved row: %v", err)
	}
	if got := reasonOf(f.recall(Recall{}), r.ID); got != ReasonTampered {
		t.Errorf("recall says %q", got)
	}
}

// What a session read in one namespace does not mark it in another.
func TestSessionMarksAreOfANamespace(t *testing.T) {
	f := newFixture(t)
	r := f.put(memory.Record{Namespace: "neighbor", Content: publicFact, Class: provenance.WebContent})
	if _, err := f.Get(f.ctx(), Caller{Namespace: "neighbor"}, r.ID, Reading{Session: "s"}); err != nil {
		t.Fatal(err)
	}
	for namespace, want := range map[string]provenance.Class{testNamespace: provenance.UserInput, "neighbor": provenance.WebContent} {
		for _, session := range []string{"s", ""} {
			if got, err := f.standingOf(f.ctx(), f.state, namespace, session, f.now); err != nil || got.mark != want {
				t.Errorf("mark of session %q in %s is %s, %v", session, namespace, got.mark, err)
			}
		}
	}
}
