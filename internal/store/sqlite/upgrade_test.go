// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"bytes"
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
	"memorytrust.dev/operator/internal/store/storetest"
)

// A file of schema 1 is upgraded in place: nothing of it is lost, and everything works on.
func TestUpgradeOfSchema1(t *testing.T) {
	f := newOldFile(t)
	versions, forgotten, waiting := f.history()
	f.close()
	s := mustOpen(t, f.path)
	ctx := t.Context()
	for name, want := range map[string]memory.Record{"edited": versions[0], "forgotten": forgotten, "waiting": waiting} {
		got, err := s.Get(ctx, storetest.Namespace, want.ID)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s (-want +got):\n%s error %v", name, diff, err)
		}
	}
	got, err := s.Versions(ctx, memory.History{Namespace: storetest.Namespace, ID: versions[0].ID, Limit: 10})
	if diff := cmp.Diff(versions, got); err != nil || diff != "" {
		t.Errorf("versions (-want +got):\n%s error %v", diff, err)
	}
	heads, err := s.Heads(ctx, []string{versions[0].ID})
	if h := heads[versions[0].ID]; err != nil || h.Seq != versions[0].Seq || !bytes.Equal(h.Commit[:], versions[0].Commit.Hash) {
		t.Errorf("head %v, error %v", h, err)
	}
	for text, want := range map[string]int{"zanzibarian": 1, "capers": 1, "お茶": 0, "": 2} {
		found, err := s.Search(ctx, memory.Query{Namespace: storetest.Namespace, Text: text, Limit: 10})
		if err != nil || len(found) != want {
			t.Errorf("search %q found %d, want %d, error %v", text, len(found), want, err)
		}
		if text == "zanzibarian" && found[0].Recalls != 3 {
			t.Errorf("%d recalls, want 3", found[0].Recalls)
		}
	}
	items, err := s.Waiting(ctx, memory.Waiting{Namespace: storetest.Namespace, Class: provenance.AgentInferred})
	if err != nil || len(items) != 1 || items[0].Sketch != memory.Sketch(waiting.Content) {
		t.Errorf("waiting %v, error %v", items, err)
	}
	listed, err := s.List(ctx, memory.Filter{Namespace: storetest.Namespace, Tags: []string{"food"}, Limit: 10})
	if err != nil || len(listed) != 1 {
		t.Errorf("%d with the tag, error %v", len(listed), err)
	}
	if class, ok, err := s.LowestDelivered(ctx, storetest.Namespace, "s", time.Time{}); err != nil || !ok || class != provenance.UserInput {
		t.Errorf("lowest delivered %q %v, error %v", class, ok, err)
	}
	if class, ok, err := s.LowestUnbound(ctx, storetest.Namespace, time.Time{}); err != nil || !ok || class != provenance.UserInput {
		t.Errorf("lowest delivered outside of opened sessions %q %v, error %v", class, ok, err)
	}
	roots, err := s.Roots(ctx, []string{versions[0].ID})
	if diff := cmp.Diff(map[string][]string{versions[0].ID: versions[0].Parents}, roots); err != nil || diff != "" {
		t.Errorf("roots (-want +got):\n%s error %v", diff, err)
	}
	checkLog(t, s)
}

// What was written before goes on to be changed and purged, and its hashes say of which layout they are.
func TestWritingAfterUpgrade(t *testing.T) {
	f := newOldFile(t)
	versions, _, _ := f.history()
	f.close()
	s := mustOpen(t, f.path)
	next := versions[0]
	next.Content = "likes figs"
	updated, err := s.Commit(t.Context(), memory.Change{Type: memory.ChangeUpdate, Record: next, Actor: "agent", ExpectSeq: next.Seq})
	if err != nil || !bytes.Equal(updated.Commit.Parents[0], versions[0].Commit.Hash) {
		t.Fatalf("parent %x, error %v", updated.Commit.Parents, err)
	}
	found, err := s.Search(t.Context(), memory.Query{Namespace: storetest.Namespace, Text: "olives figs", Limit: 10})
	if err != nil || len(found) != 1 || found[0].Record.Content != "likes figs" {
		t.Errorf("found %d, error %v", len(found), err)
	}
	layouts, err := collect(t.Context(), s.reader, "test", "SELECT layout FROM versions ORDER BY seq", nil, value[int])
	if diff := cmp.Diff([]int{1, 1, 1, 1, 1, 1, 2}, layouts); err != nil || diff != "" {
		t.Errorf("layouts (-want +got):\n%s error %v", diff, err)
	}
	mustPurge(t, s, updated)
	checkNoTrace(t, f.path, "zanzibarian")
	checkLog(t, s)
}

// A file that does not hang together is not half upgraded.
func TestUpgradeOfDamagedFile(t *testing.T) {
	for name, damage := range map[string][]string{
		"a version that does not parse": {"DROP TRIGGER versions_stay", "UPDATE versions SET body = 'x' WHERE seq = 5",
			"CREATE TRIGGER versions_stay BEFORE UPDATE ON versions BEGIN SELECT RAISE(ABORT, 'versions are immutable'); END"},
		"a version without an audit entry": {"DROP TRIGGER audit_kept", "DELETE FROM audit WHERE seq = 5",
			"CREATE TRIGGER audit_kept BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newOldFile(t)
			f.history()
			for _, statement := range damage {
				f.exec(statement)
			}
			f.close()
			for range 2 {
				if s, err := Open(t.Context(), f.path, Options{}); !errors.Is(err, ErrCorrupt) || s != nil {
					t.Fatalf("got %v, want ErrCorrupt", err)
				}
			}
			db, err := sql.Open("sqlite", f.path)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = db.Close() }()
			var version, records int
			err = db.QueryRowContext(t.Context(), "SELECT user_version, (SELECT count(*) FROM records) FROM pragma_user_version").Scan(&version, &records)
			if err != nil || version != 1 || records != 3 {
				t.Errorf("schema %d with %d records, error %v; want it as it was", version, records, err)
			}
		})
	}
}
