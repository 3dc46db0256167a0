// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// noted is a change that CommitBehind may bring into the tables later.
func noted(content string, edit func(*memory.Change)) memory.Change {
	r := NewRecord(content)
	r.Kind, r.Class = memory.ReservedKinds+"upstream", provenance.WebContent
	c := Create(r)
	c.Sign = fakeTag(7)
	if edit != nil {
		edit(&c)
	}
	return c
}

func mustCommitBehind(t *testing.T, s memory.Store, changes ...memory.Change) []memory.Record {
	t.Helper()
	out, err := s.CommitBehind(t.Context(), changes)
	if err != nil || len(out) != len(changes) {
		t.Fatalf("CommitBehind: %d records, error %v", len(out), err)
	}
	return out
}

// questions are about a record that was acknowledged: what the answer has to be, and what it is.
func questions(t *testing.T, s memory.Store, parent string) map[string]func(r memory.Record) (want, got any, err error) {
	return map[string]func(r memory.Record) (want, got any, err error){
		"by id": func(r memory.Record) (any, any, error) {
			got, err := s.Get(t.Context(), Namespace, r.ID)
			return r, got, err
		},
		"in a list of ids": func(r memory.Record) (any, any, error) {
			got, err := s.List(t.Context(), memory.Filter{Namespace: Namespace, IDs: []string{r.ID}, Limit: 9})
			return []memory.Record{r}, got, err
		},
		"in a list": func(r memory.Record) (any, any, error) {
			got, err := s.List(t.Context(), memory.Filter{Namespace: Namespace, ChangedAfter: r.Seq - 1, Limit: 9})
			return []memory.Record{r}, got, err
		},
		"in the audit log": func(r memory.Record) (any, any, error) {
			got, err := s.Heads(t.Context(), []string{r.ID})
			return map[string]memory.Head{r.ID: {Seq: r.Seq, Commit: [32]byte(r.Commit.Hash)}}, got, err
		},
		"by the size of the log": func(r memory.Record) (any, any, error) {
			got, err := s.Size(t.Context())
			return r.Seq, got, err
		},
		"in the checkpoint": func(r memory.Record) (any, any, error) {
			got, err := s.Checkpoint(t.Context())
			return r.Seq, uint64(got.Size), err // #nosec G115 -- counts entries
		},
		"in its history": func(r memory.Record) (any, any, error) {
			got, err := s.Versions(t.Context(), memory.History{Namespace: Namespace, ID: r.ID, Limit: 9})
			return []memory.Record{r}, got, err
		},
		"among descendants": func(r memory.Record) (any, any, error) {
			got, err := s.Descendants(t.Context(), []string{parent}, 99)
			if err != nil {
				return nil, nil, err
			}
			found := false
			for _, d := range got {
				found = found || d.ID == r.ID
			}
			return true, found, nil
		},
		"by its root": func(r memory.Record) (any, any, error) {
			got, err := s.Roots(t.Context(), []string{r.ID})
			return map[string][]string{r.ID: {parent}}, got, err
		},
		"by its words": func(r memory.Record) (any, any, error) {
			got, err := s.Traced(t.Context(), Namespace, []uint64{r.Seq + 1000}, 9)
			if err != nil || len(got) != 1 {
				return 1, len(got), err
			}
			return memory.Trace{ID: r.ID, Namespace: Namespace, Record: true, Class: r.Class, At: Epoch}, got[0].Trace, nil
		},
		"by what it speaks of": func(r memory.Record) (any, any, error) {
			got, err := s.Fragments(t.Context(), Namespace, []uint64{r.Seq + 2000}, Epoch)
			return []memory.EntityFragment{entityFragment(r, r.ID, r.Seq+2000, waives, Epoch)}, got, err
		},
		"by what it tells of it": func(r memory.Record) (any, any, error) {
			got, err := s.Telling(t.Context(), Namespace, []uint64{r.Seq + 2000})
			return []uint64{r.Seq + 2000}, got, err
		},
	}
}

// Whatever is asked right after a record was acknowledged knows it, as if it had been committed. Each question is asked of a record of
// its own, so that no other question brought it into the tables before.
func testCommitBehind(t *testing.T, target Target) {
	s := target.Open(t)
	parent := mustCreate(t, s, "parent", nil)
	for what, find := range questions(t, s, parent.ID) {
		t.Run(what, func(t *testing.T) {
			size, err := s.Size(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			r := mustCommitBehind(t, s, noted("note: "+what, func(c *memory.Change) {
				c.Record.Parents = []string{parent.ID}
				c.Trace = []uint64{size + 1 + 1000}
				c.Fragment = fragmentOf(c.Record, c.Record.ID, waives, Epoch, size+1+2000)
			}))[0]
			if tag, _ := fakeTag(7)(r); r.Seq != size+1 || !bytes.Equal(r.Tag, tag) || len(r.Commit.Hash) == 0 {
				t.Errorf("acknowledged as %d of %d, with the tag %q", r.Seq, size, r.Tag)
			}
			want, got, err := find(r)
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("(-acknowledged +found):\n%s error %v", diff, err)
			}
		})
	}
	counts := func() (int64, int64) {
		counts, err := s.Counts(t.Context(), Namespace)
		if err != nil {
			t.Fatal(err)
		}
		items, err := s.Items(t.Context(), Namespace)
		if err != nil {
			t.Fatal(err)
		}
		return counts.ByZone[memory.Working], items
	}
	all, waiting := counts()
	mustCommitBehind(t, s, noted("one more", func(c *memory.Change) { c.Record.State = memory.PendingReview }))
	if now, items := counts(); now != all+1 || items != waiting+1 {
		t.Errorf("%d in Working after %d, %d wait after %d", now, all, items, waiting)
	}
	s = target.Reopen(t, s)
	if now, items := counts(); now != all+1 || items != waiting+1 {
		t.Errorf("in a store that is opened again %d in Working, want %d, %d wait, want %d", now, all+1, items, waiting+1)
	}
}

// What is committed afterwards, by whatever way, follows in the audit log, and nothing is acknowledged twice or by halves.
func testCommitBehindOrder(t *testing.T, target Target) {
	s := target.Open(t)
	first := mustCommitBehind(t, s, noted("a", nil), noted("b", nil))
	again := noted("again", nil)
	again.Record.ID = first[0].ID
	for what, commit := range map[string]func() error{
		"the same id behind": func() error {
			_, err := s.CommitBehind(t.Context(), []memory.Change{noted("new", nil), again})
			return err
		},
		"the same id":                func() error { _, err := s.Commit(t.Context(), again); return err },
		"the same id, in the tables": func() error { _, err := s.CommitBehind(t.Context(), []memory.Change{again}); return err },
	} {
		if err := commit(); !errors.Is(err, memory.ErrConflict) {
			t.Errorf("%s: error %v", what, err)
		}
	}
	unsigned := noted("unsigned", nil)
	unsigned.Sign = func(memory.Record) ([]byte, error) { return nil, errors.New("no key") }
	if _, err := s.CommitBehind(t.Context(), []memory.Change{noted("new", nil), unsigned}); err == nil {
		t.Error("a record that could not be signed was acknowledged")
	}
	invalid := noted("invalid", nil)
	invalid.Record.Zone = "Attic"
	var field *memory.FieldError
	if _, err := s.CommitBehind(t.Context(), []memory.Change{invalid}); !errors.As(err, &field) {
		t.Errorf("error %v for a zone that is none", err)
	}
	strange := noted("strange", func(c *memory.Change) { c.Fragment = fragmentOf(NewRecord("other"), "", acts, Epoch, 1) })
	if _, err := s.CommitBehind(t.Context(), []memory.Change{strange}); !errors.As(err, &field) {
		t.Errorf("error %v for a fragment of another record", err)
	}
	if none, err := s.CommitBehind(t.Context(), nil); err != nil || len(none) != 0 {
		t.Errorf("committing nothing: %d records, error %v", len(none), err)
	}
	later := mustCreate(t, s, "later", nil)
	edited := change(memory.ChangeUpdate, first[1], func(r *memory.Record) { r.Content = "b, edited" })
	version := mustCommitBehind(t, s, edited)[0] // follows on a version: it is no new record
	quarantined := mustCommitBehind(t, s, noted("caught", func(c *memory.Change) { c.Record.Zone = memory.Quarantine }))[0]
	last := mustCommitBehind(t, s, noted("last", nil))[0]
	if first[0].Seq != 1 || first[1].Seq != 2 || later.Seq != 3 || version.Seq != 4 || quarantined.Seq != 5 || last.Seq != 6 {
		t.Errorf("places %d, %d, %d, %d, %d, %d", first[0].Seq, first[1].Seq, later.Seq, version.Seq, quarantined.Seq, last.Seq)
	}
	if !bytes.Equal(version.Commit.Parents[0], first[1].Commit.Hash) {
		t.Error("a version does not follow on the one that was acknowledged")
	}
}

// Writers of both kinds at once get places of their own, and the log is whole.
func testCommitBehindConcurrently(t *testing.T, target Target) {
	s := target.Open(t)
	const writers, each = 8, 12
	var mu sync.Mutex
	places := map[uint64]string{}
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				c := noted(fmt.Sprintf("note %d of %d", i, w), nil)
				commit := s.CommitBehind
				if w%2 == 0 {
					c.Record.Kind = ""
					commit = s.CommitAll
				}
				out, err := commit(t.Context(), []memory.Change{c})
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				places[out[0].Seq] = out[0].ID
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if size, err := s.Size(t.Context()); len(places) != writers*each || size != writers*each || err != nil {
		t.Fatalf("%d places in a log of %d entries, want %d; error %v", len(places), size, writers*each, err)
	}
	s = target.Reopen(t, s)
	for seq, id := range places {
		r, err := s.Get(t.Context(), Namespace, id)
		if tag, _ := fakeTag(7)(r); err != nil || r.Seq != seq || !bytes.Equal(r.Tag, tag) {
			t.Errorf("%s is at %d with the tag %q, was acknowledged at %d; error %v", id, r.Seq, r.Tag, seq, err)
		}
	}
}
