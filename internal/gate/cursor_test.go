// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// A cursor goes on where it stopped, in the listing it came from and in no other.
func TestCursorsBelongToTheirListing(t *testing.T) {
	f := newFixture(t)
	for i := range 5 {
		f.put(memory.Record{Content: fmt.Sprintf("Fact %d.", i), Kind: "fact", Tags: []string{"a"}, State: memory.PendingReview})
	}
	first, err := f.List(f.ctx(), agent, Listing{Kinds: []string{"fact"}, Limit: 2})
	must(t, err)
	if first.Next == "" {
		t.Fatal("no cursor")
	}
	var ids []string
	for cursor := ""; ; {
		page, err := f.List(f.ctx(), agent, Listing{Kinds: []string{"fact"}, Limit: 2, Cursor: cursor, Session: cursor[:min(len(cursor), 3)]})
		must(t, err)
		for _, m := range page.Memories {
			ids = append(ids, m.ID)
		}
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	if len(ids) != 5 {
		t.Errorf("pages show %d of 5", len(ids))
	}
	for i := 1; i < len(ids); i++ {
		if ids[i] <= ids[i-1] {
			t.Errorf("%s comes after %s", ids[i], ids[i-1])
		}
	}
	elsewhere := map[string]func(cursor string) error{
		"no filter": func(c string) error { _, err := f.List(f.ctx(), agent, Listing{Cursor: c}); return err },
		"another kind": func(c string) error {
			_, err := f.List(f.ctx(), agent, Listing{Cursor: c, Kinds: []string{"rule"}})
			return err
		},
		"one more filter": func(c string) error {
			_, err := f.List(f.ctx(), agent, Listing{Cursor: c, Kinds: []string{"fact"}, Class: provenance.Manual})
			return err
		},
		"another time": func(c string) error {
			_, err := f.List(f.ctx(), agent, Listing{Cursor: c, Kinds: []string{"fact"}, Since: f.now})
			return err
		},
		"another tenant": func(c string) error {
			_, err := f.List(f.ctx(), Caller{Namespace: "n"}, Listing{Cursor: c, Kinds: []string{"fact"}})
			return err
		},
		"the queue": func(c string) error { _, err := f.Queue(f.ctx(), agent, QueueQuery{Cursor: c}); return err },
		"a log":     func(c string) error { _, err := f.Log(f.ctx(), agent, ids[0], LogQuery{Cursor: c}); return err },
	}
	for name, ask := range elsewhere {
		var field *memory.FieldError
		if err := ask(first.Next); !errors.As(err, &field) || field.Field != "cursor" {
			t.Errorf("%s takes it: %v", name, err)
		}
	}
}

func FuzzReadCursor(f *testing.F) {
	f.Add(nextCursor("01928b7a-5c1e-7aaa-8bbb-0123456789ab", "list"))
	f.Add(nextCursor("7", "list"))
	f.Add("")
	f.Add("e30")
	f.Add(strings.Repeat("A", maxCursorBytes+1))
	f.Fuzz(func(t *testing.T, text string) {
		after, err := readCursor(text, "list")
		var field *memory.FieldError
		if err != nil && (!errors.As(err, &field) || field.Field != "cursor" || after != "") {
			t.Fatalf("%q: %q, %v", text, after, err)
		}
		if err == nil && text != "" && after == "" {
			t.Fatalf("%q names no place", text)
		}
		if id, err := readIDCursor(text, "list"); err == nil && id != "" && !memory.ValidID(id) {
			t.Fatalf("%q gives the id %q", text, id)
		}
		if seq, err := readSeqCursor(text, "list"); err == nil && text != "" && seq == 0 {
			t.Fatalf("%q gives no seq", text)
		}
	})
}
