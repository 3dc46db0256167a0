// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memorytrust.dev/operator/internal/memory"
)

// written is a record with a history, newest version first.
func written(t *testing.T, s memory.Store) []memory.Record {
	t.Helper()
	c := Create(NewRecord("olives one"))
	c.Sign = fakeTag(1)
	r := mustCommit(t, s, c)
	versions := []memory.Record{r}
	for _, edit := range []func(*memory.Record){
		func(r *memory.Record) { r.Content, r.Metadata = "olives two", map[string]string{"verified_by": "bob"} },
		func(r *memory.Record) { r.State, r.ApprovedBy = memory.Approved, "alice" },
		func(r *memory.Record) { r.Content, r.Pinned = "olives three", true },
	} {
		c := change(memory.ChangeUpdate, r, edit)
		c.Reason = "on second thought"
		c.Sign = fakeTag(2)
		r = mustCommit(t, s, c)
		versions = append([]memory.Record{r}, versions...)
	}
	return versions
}

func mustVersions(t *testing.T, s memory.Store, h memory.History) []memory.Record {
	t.Helper()
	if h.Namespace == "" {
		h.Namespace = Namespace
	}
	if h.Limit == 0 {
		h.Limit = memory.MaxHistory
	}
	found, err := s.Versions(t.Context(), h)
	if err != nil {
		t.Fatalf("Versions: %v", err)
	}
	return found
}

func testVersions(t *testing.T, target Target) {
	s := target.Open(t)
	v := written(t, s)
	mustCreate(t, s, "another record", nil)
	id := v[0].ID
	s = target.Reopen(t, s)
	for name, tc := range map[string]struct {
		history memory.History
		want    []memory.Record
	}{
		"all":                     {memory.History{}, v},
		"the newest":              {memory.History{Limit: 1}, v[:1]},
		"a page":                  {memory.History{Before: v[0].Seq, Limit: 2}, v[1:3]},
		"by commit":               {memory.History{Commit: v[2].Commit.Hash}, v[2:3]},
		"by a commit of no one":   {memory.History{Commit: make([]byte, 32)}, nil},
		"as of its time":          {memory.History{At: v[1].UpdatedAt, Limit: 1}, v[1:2]},
		"as of a moment after":    {memory.History{At: v[1].UpdatedAt.Add(time.Millisecond)}, v[1:]},
		"as of before there were": {memory.History{At: Epoch.Add(-time.Second)}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			tc.history.ID = id
			if diff := cmp.Diff(tc.want, mustVersions(t, s, tc.history)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	for i, r := range v {
		if hash := r.CommitHash(); string(hash[:]) != string(r.Commit.Hash) {
			t.Errorf("version %d: hash is not that of what it says", i)
		}
		if i > 0 && string(v[i-1].Commit.Parents[0]) != string(r.Commit.Hash) {
			t.Errorf("version %d is not the parent of the next", i)
		}
	}
	if len(v[3].Commit.Parents) != 0 {
		t.Error("the first version has a parent")
	}
}

func testVersionsRefuse(t *testing.T, target Target) {
	s := target.Open(t)
	r := mustCreate(t, s, "x", nil)
	for name, h := range map[string]memory.History{
		"unknown record":    {Namespace: Namespace, ID: memory.NewID(), Limit: 1},
		"another namespace": {Namespace: "team-b", ID: r.ID, Limit: 1},
	} {
		if _, err := s.Versions(t.Context(), h); !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("%s: got %v, want ErrNotFound", name, err)
		}
	}
	for _, limit := range []int{0, memory.MaxHistory + 1} {
		var field *memory.FieldError
		if _, err := s.Versions(t.Context(), memory.History{Namespace: Namespace, ID: r.ID, Limit: limit}); !errors.As(err, &field) {
			t.Errorf("limit %d: got %v, want a FieldError", limit, err)
		}
	}
}

// purge returns the change that erases r.
func purge(r memory.Record) memory.Change {
	sum := sha256.Sum256([]byte(r.Content))
	return change(memory.ChangePurge, r, func(r *memory.Record) { r.State, r.Content, r.Erased = memory.Forgotten, "", sum[:] })
}

func testPurge(t *testing.T, target Target) {
	s := target.Open(t)
	v := written(t, s)
	other := mustCreate(t, s, "olives of another record", nil)
	c := purge(v[0])
	c.Sign = fakeTag(3)
	purged := mustCommit(t, s, c)
	s = target.Reopen(t, s)

	got := mustVersions(t, s, memory.History{ID: purged.ID})
	if len(got) != 5 {
		t.Fatalf("%d versions, want 5", len(got))
	}
	for i, r := range got {
		want := purged
		if i > 0 {
			want = v[i-1]
			sum := sha256.Sum256([]byte(want.Content))
			want.Content, want.Erased = "", sum[:]
		}
		if diff := cmp.Diff(want, r); diff != "" {
			t.Errorf("version %d (-want +got):\n%s", i, diff)
		}
	}
	head, err := s.Get(t.Context(), Namespace, purged.ID)
	if diff := cmp.Diff(purged, head); err != nil || diff != "" {
		t.Errorf("head (-want +got):\n%s error %v", diff, err)
	}
	found := mustSearch(t, s, memory.Query{Text: "olives"})
	if diff := cmp.Diff([]string{other.Content}, contents(found, ofCandidate)); diff != "" {
		t.Errorf("search (-want +got):\n%s", diff)
	}
	if found := mustSearch(t, s, memory.Query{Text: "one two three"}); len(found) != 0 {
		t.Errorf("search finds %d purged texts", len(found))
	}
	again := mustCommit(t, s, change(memory.ChangeUpdate, head, func(r *memory.Record) {
		r.State, r.Content, r.Erased = memory.Active, v[0].Content, nil
	}))
	if got := mustVersions(t, s, memory.History{ID: again.ID}); got[0].Content != v[0].Content || got[1].Content+got[2].Content != "" {
		t.Error("writing the same text again brings erased versions back, or is erased with them")
	}
	if found := mustSearch(t, s, memory.Query{Text: "three"}); len(found) != 1 {
		t.Errorf("search finds %d of what was written anew, want 1", len(found))
	}
}

func testPurgeRefuses(t *testing.T, target Target) {
	s := target.Open(t)
	r := mustCreate(t, s, "kept olives", nil)
	wrong := purge(r)
	wrong.Record.Erased = make([]byte, sha256.Size)
	unfinished := purge(r)
	unfinished.Sign = func(memory.Record) ([]byte, error) { return nil, errors.New("no key") }
	stale := purge(r)
	stale.ExpectSeq = 99
	for name, c := range map[string]memory.Change{"hash of another text": wrong, "failed signing": unfinished, "older head": stale} {
		if _, err := s.Commit(t.Context(), c); err == nil {
			t.Errorf("%s: purged", name)
		}
	}
	if got := mustVersions(t, s, memory.History{ID: r.ID}); len(got) != 1 || got[0].Content != "kept olives" {
		t.Errorf("versions after refusals: %q", contents(got, ofRecord))
	}
	if found := mustSearch(t, s, memory.Query{Text: "olives"}); len(found) != 1 {
		t.Errorf("search finds %d, want 1", len(found))
	}
}

// A long history and a long text stay whole.
func testLongHistory(t *testing.T, target Target) {
	s := target.Open(t)
	text := strings.Repeat("olive tree ", 2_000)
	r := mustCreate(t, s, text, nil)
	for i := range 20 {
		r = mustCommit(t, s, change(memory.ChangeUpdate, r, func(r *memory.Record) {
			if i%2 == 0 {
				r.Content = fmt.Sprint("short ", i)
			} else {
				r.Content = text
			}
		}))
	}
	for i, r := range mustVersions(t, s, memory.History{ID: r.ID}) {
		if long := i%2 == 0; long != (r.Content == text) {
			t.Errorf("version %d from the newest has %d bytes", i, len(r.Content))
		}
	}
}
