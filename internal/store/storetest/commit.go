// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

func testRoundTrip(t *testing.T, target Target) {
	s := target.Open(t)
	full := memory.Record{
		ID: memory.NewID(), Namespace: Namespace, Branch: "main", Zone: memory.Trusted, State: memory.Approved,
		ApprovedBy: "alice@example.com", Expiry: Epoch.Add(time.Hour), Class: provenance.UserInput, Source: "telegram:trusted:42",
		Writer: memory.Writer{Channel: "console", Principal: "alice@example.com"}, Parents: []string{memory.NewID(), memory.NewID()},
		Kind: "preference", Tags: []string{"food", "家"}, Subject: "Alice", Metadata: map[string]string{"model": "m-1", "quote": "\"家\""},
		Session: "s-1", Content: "Likes olives.", Directive: true,
		Reasons: []string{"standing rule"}, CappedBy: []string{"claim", "lineage"}, Confidence: 900, Salience: 1000, Pinned: true,
		Supersedes: []string{memory.NewID(), memory.NewID()}, FoldedInto: memory.NewID(),
		CreatedAt: Epoch, UpdatedAt: Epoch.Add(time.Microsecond),
	}
	bare := NewRecord("")
	for name, r := range map[string]memory.Record{"every field": full, "few fields": bare} {
		t.Run(name, func(t *testing.T) {
			c := Create(r)
			c.Sign = fakeTag(7)
			committed := mustCommit(t, s, c)
			want := r.Normalized()
			want.Seq, want.Tag = committed.Seq, committed.Tag
			want.Commit = memory.Commit{Change: memory.ChangeCreate, Actor: c.Actor, Reason: c.Reason}
			hash := want.CommitHash()
			want.Commit.Hash = hash[:]
			if diff := cmp.Diff(want, committed); diff != "" {
				t.Errorf("committed (-want +got):\n%s", diff)
			}
			got, err := s.Get(t.Context(), Namespace, r.ID)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("read back (-want +got):\n%s", diff)
			}
		})
	}
}

func testContent(t *testing.T, target Target) {
	s := target.Open(t)
	for name, content := range map[string]string{
		"newlines":       "a\r\nb\n\n\tc  ",
		"NUL":            "before\x00after",
		"quotes":         `"'; DROP TABLE records; --`,
		"decomposed":     "e\u0301 \ufb01 \u202e\u200b",
		"beyond the BMP": "🧂🫒 𝕬",
		"large":          strings.Repeat("olive tree ", 20_000),
	} {
		t.Run(name, func(t *testing.T) {
			r := mustCreate(t, s, content, nil)
			got, err := s.Get(t.Context(), Namespace, r.ID)
			if err != nil || got.Content != content {
				t.Errorf("got %d bytes, want %d, error %v", len(got.Content), len(content), err)
			}
		})
	}
}

func testRefusals(t *testing.T, target Target) {
	s := target.Open(t)
	for name, edit := range map[string]func(*memory.Change){
		"invalid UTF-8":       func(c *memory.Change) { c.Record.Content = "\xff" },
		"unknown zone":        func(c *memory.Change) { c.Record.Zone = "Attic" },
		"unknown class":       func(c *memory.Change) { c.Record.Class = "" },
		"no id":               func(c *memory.Change) { c.Record.ID = "" },
		"no actor":            func(c *memory.Change) { c.Actor = "" },
		"create with a seq":   func(c *memory.Change) { c.ExpectSeq = 1 },
		"unknown change type": func(c *memory.Change) { c.Type = "bless" },
	} {
		t.Run(name, func(t *testing.T) {
			c := Create(NewRecord("x"))
			edit(&c)
			_, err := s.Commit(t.Context(), c)
			var field *memory.FieldError
			if !errors.As(err, &field) {
				t.Errorf("got error %v, want a FieldError", err)
			}
		})
	}
	if cp, err := s.Checkpoint(t.Context()); err != nil || cp.Size != 0 {
		t.Errorf("log has %d entries after refusals, error %v", cp.Size, err)
	}
}

func testSigning(t *testing.T, target Target) {
	s := target.Open(t)
	var signed []memory.Record
	sign := func(r memory.Record) ([]byte, error) {
		signed = append(signed, r)
		return fakeTag(1)(r)
	}
	c := Create(NewRecord("first"))
	c.Sign = sign
	first := mustCommit(t, s, c)
	c = Create(NewRecord("second"))
	c.Sign = sign
	second := mustCommit(t, s, c)
	c = change(memory.ChangeReview, first, func(r *memory.Record) { r.State = memory.Approved })
	c.Sign = sign
	third := mustCommit(t, s, c)

	for i, r := range []memory.Record{first, second, third} {
		if want := uint64(i + 1); r.Seq != want || signed[i].Seq != want {
			t.Errorf("commit %d: seq %d, signed with seq %d, want %d", i, r.Seq, signed[i].Seq, want)
		}
		if len(signed[i].Tag) != 0 || len(r.Tag) == 0 {
			t.Errorf("commit %d: signed over tag %x, returned tag %x", i, signed[i].Tag, r.Tag)
		}
	}
	heads, err := s.Heads(t.Context(), []string{first.ID, second.ID, memory.NewID()})
	want := map[string]memory.Head{first.ID: headOf(third), second.ID: headOf(second)}
	if diff := cmp.Diff(want, heads); err != nil || diff != "" {
		t.Errorf("heads (-want +got):\n%s error %v", diff, err)
	}
}

func testFailedSigning(t *testing.T, target Target) {
	s := target.Open(t)
	broken := errors.New("key is gone")
	c := Create(NewRecord("unsigned"))
	c.Sign = func(memory.Record) ([]byte, error) { return nil, broken }
	if _, err := s.Commit(t.Context(), c); !errors.Is(err, broken) {
		t.Fatalf("got error %v, want that of Sign", err)
	}
	if _, err := s.Get(t.Context(), Namespace, c.Record.ID); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("record is there: %v", err)
	}
	if got := mustCreate(t, s, "next", nil); got.Seq != 1 {
		t.Errorf("next seq is %d, want 1", got.Seq)
	}
}

func testConflicts(t *testing.T, target Target) {
	s := target.Open(t)
	r := mustCreate(t, s, "v1", nil)
	stale := r
	r = mustCommit(t, s, change(memory.ChangeUpdate, r, func(r *memory.Record) { r.Content = "v2" }))

	for name, c := range map[string]memory.Change{
		"older head":  change(memory.ChangeUpdate, stale, func(r *memory.Record) { r.Content = "v3" }),
		"taken id":    Create(stale),
		"head beyond": change(memory.ChangeUpdate, stale, func(*memory.Record) {}),
	} {
		t.Run(name, func(t *testing.T) {
			if name == "head beyond" {
				c.ExpectSeq = 99
			}
			if _, err := s.Commit(t.Context(), c); !errors.Is(err, memory.ErrConflict) {
				t.Errorf("got error %v, want ErrConflict", err)
			}
		})
	}
	absent := change(memory.ChangeUpdate, NewRecord("x"), func(*memory.Record) {})
	absent.ExpectSeq = 1
	if _, err := s.Commit(t.Context(), absent); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("update of nothing: got error %v, want ErrNotFound", err)
	}
	got, err := s.Get(t.Context(), Namespace, r.ID)
	if err != nil || got.Content != "v2" || got.Seq != r.Seq {
		t.Errorf("head is %q at %d, error %v", got.Content, got.Seq, err)
	}
}

func testNamespaces(t *testing.T, target Target) {
	s := target.Open(t)
	r := mustCreate(t, s, "olives of team a", nil)
	if _, err := s.Get(t.Context(), "team-b", r.ID); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("Get across namespaces: %v", err)
	}
	if found := mustSearch(t, s, memory.Query{Namespace: "team-b", Text: "olives"}); len(found) != 0 {
		t.Errorf("search across namespaces found %d", len(found))
	}
	moved := change(memory.ChangeUpdate, r, func(r *memory.Record) { r.Namespace = "team-b" })
	if _, err := s.Commit(t.Context(), moved); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("update across namespaces: %v", err)
	}
	copied := r
	copied.Namespace = "team-b"
	if _, err := s.Commit(t.Context(), Create(copied)); !errors.Is(err, memory.ErrConflict) {
		t.Errorf("same id in another namespace: %v", err)
	}
	if counts, err := s.Counts(t.Context(), "team-b"); err != nil || len(counts.ByZone) != 0 {
		t.Errorf("counts across namespaces: %v, error %v", counts, err)
	}
}

func testForgetting(t *testing.T, target Target) {
	s := target.Open(t)
	kept := mustCreate(t, s, "olives stay", nil)
	r := mustCreate(t, s, "olives go", nil)
	gone := mustCommit(t, s, change(memory.ChangeDelete, r, func(r *memory.Record) { r.State = memory.Forgotten }))

	got, err := s.Get(t.Context(), Namespace, r.ID)
	if err != nil || got.State != memory.Forgotten || got.Seq != gone.Seq {
		t.Errorf("head is %s at %d, error %v; want Forgotten at %d", got.State, got.Seq, err, gone.Seq)
	}
	if diff := cmp.Diff([]string{kept.Content}, contents(mustSearch(t, s, memory.Query{Text: "olives"}), ofCandidate)); diff != "" {
		t.Errorf("search (-want +got):\n%s", diff)
	}
	listed, err := s.List(t.Context(), memory.Filter{Namespace: Namespace, Limit: 10})
	if diff := cmp.Diff([]string{kept.Content}, contents(listed, ofRecord)); err != nil || diff != "" {
		t.Errorf("list (-want +got):\n%s error %v", diff, err)
	}
	listed, err = s.List(t.Context(), memory.Filter{Namespace: Namespace, IncludeForgotten: true, Limit: 10})
	if err != nil || len(listed) != 2 {
		t.Errorf("list with forgotten has %d, error %v", len(listed), err)
	}
}

func testCancelled(t *testing.T, target Target) {
	s := target.Open(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, call := range map[string]func() error{
		"Commit": func() error { _, err := s.Commit(ctx, Create(NewRecord("x"))); return err },
		"Get":    func() error { _, err := s.Get(ctx, Namespace, memory.NewID()); return err },
		"Search": func() error {
			_, err := s.Search(ctx, memory.Query{Namespace: Namespace, Text: "x", Limit: 1})
			return err
		},
		"Ping": func() error { return s.Ping(ctx) },
	} {
		if err := call(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got error %v, want context.Canceled", name, err)
		}
	}
	if r := mustCreate(t, s, "afterwards", nil); r.Seq != 1 {
		t.Errorf("seq %d after a canceled commit, want 1", r.Seq)
	}
}
