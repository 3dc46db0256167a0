// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

func testDeliveries(t *testing.T, target Target) {
	s := target.Open(t)
	deliver := func(session string, class provenance.Class, at time.Time) memory.Delivery {
		return memory.Delivery{Namespace: Namespace, Session: session, RecordID: memory.NewID(), Seq: 1, Class: class, Score: .5, At: at}
	}
	if err := s.LogDeliveries(t.Context(), nil, nil); err != nil {
		t.Errorf("logging nothing: %v", err)
	}
	err := s.LogDeliveries(t.Context(), []memory.Delivery{
		deliver("a", provenance.WebContent, Epoch.Add(-time.Hour)),
		deliver("a", provenance.Manual, Epoch),
		deliver("a", provenance.ToolOutput, Epoch.Add(time.Minute)),
		deliver("b", provenance.UserInput, Epoch.Add(time.Minute)),
		deliver("c", provenance.Class("Nonsense"), Epoch),
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s = target.Reopen(t, s)
	for name, tc := range map[string]struct {
		session string
		since   time.Time
		want    provenance.Class
		none    bool
	}{
		"since then":          {session: "a", since: Epoch, want: provenance.ToolOutput},
		"further back":        {session: "a", since: Epoch.Add(-2 * time.Hour), want: provenance.WebContent},
		"from the beginning":  {session: "a", want: provenance.WebContent},
		"other session":       {session: "b", since: Epoch, want: provenance.UserInput},
		"any session":         {since: Epoch.Add(time.Minute), want: provenance.ToolOutput},
		"no class is Unknown": {session: "c", since: Epoch, want: provenance.Unknown},
		"too late":            {session: "a", since: Epoch.Add(time.Hour), none: true},
		"no such session":     {session: "z", none: true},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok, err := s.LowestDelivered(t.Context(), Namespace, tc.session, tc.since)
			if err != nil || ok == tc.none || got != tc.want {
				t.Errorf("got %q %v, error %v", got, ok, err)
			}
		})
	}
}

func testDeliveriesList(t *testing.T, target Target) {
	s := target.Open(t)
	x, y := memory.NewID(), memory.NewID()
	all := []memory.Delivery{
		{Namespace: Namespace, Session: "a", RecordID: x, Seq: 1, Class: provenance.Manual, Score: .5, At: Epoch},
		{Namespace: Namespace, Session: "a", RecordID: y, Seq: 2, Class: provenance.WebContent, Score: 1, At: Epoch.Add(time.Second)},
		{Namespace: Namespace, Session: "b", RecordID: x, Seq: 3, Class: provenance.UserInput, At: Epoch.Add(time.Second)},
		{Namespace: "team-b", Session: "a", RecordID: x, Seq: 1, Class: provenance.Unknown, At: Epoch.Add(time.Minute)},
	}
	if err := s.LogDeliveries(t.Context(), all, nil); err != nil {
		t.Fatal(err)
	}
	s = target.Reopen(t, s)
	for name, tc := range map[string]struct {
		filter memory.DeliveryFilter
		want   []memory.Delivery
	}{
		"all":              {memory.DeliveryFilter{}, []memory.Delivery{all[3], all[2], all[1], all[0]}},
		"the newest":       {memory.DeliveryFilter{Limit: 1}, all[3:]},
		"namespace":        {memory.DeliveryFilter{Namespace: Namespace}, []memory.Delivery{all[2], all[1], all[0]}},
		"session":          {memory.DeliveryFilter{Namespace: Namespace, Session: "a"}, []memory.Delivery{all[1], all[0]}},
		"record":           {memory.DeliveryFilter{Namespace: Namespace, RecordID: x}, []memory.Delivery{all[2], all[0]}},
		"of low classes":   {memory.DeliveryFilter{Below: provenance.Manual}, []memory.Delivery{all[3], all[1]}},
		"below the lowest": {memory.DeliveryFilter{Below: provenance.Unknown}, nil},
		"since":            {memory.DeliveryFilter{Since: Epoch.Add(time.Second)}, []memory.Delivery{all[3], all[2], all[1]}},
		"of one namespace since": {
			memory.DeliveryFilter{Namespace: Namespace, Below: provenance.UserInput, Since: Epoch.Add(time.Second)}, []memory.Delivery{all[1]},
		},
		"session of elsewhere": {memory.DeliveryFilter{Namespace: "team-b", Session: "b"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if tc.filter.Limit == 0 {
				tc.filter.Limit = 10
			}
			got, err := s.Deliveries(t.Context(), tc.filter)
			if diff := cmp.Diff(tc.want, got); err != nil || diff != "" {
				t.Errorf("(-want +got):\n%s error %v", diff, err)
			}
		})
	}
	if c, ok, err := s.LowestDelivered(t.Context(), Namespace, "", Epoch); err != nil || !ok || c != provenance.WebContent {
		t.Errorf("lowest of the namespace is %q %v, error %v; another namespace's must not count", c, ok, err)
	}
	if _, ok, err := s.LowestDelivered(t.Context(), "team-c", "a", time.Time{}); err != nil || ok {
		t.Errorf("something was delivered in an unknown namespace, error %v", err)
	}
}

func testCheckpoint(t *testing.T, target Target) {
	s := target.Open(t)
	seen := map[string]bool{}
	for i := range 20 {
		cp, err := s.Checkpoint(t.Context())
		if err != nil || cp.Size != int64(i) || len(cp.Root) != 32 || seen[string(cp.Root)] {
			t.Fatalf("after %d commits: size %d, root %x, error %v", i, cp.Size, cp.Root, err)
		}
		seen[string(cp.Root)] = true
		mustCreate(t, s, fmt.Sprint("m", i), nil)
	}
	before, err := s.Checkpoint(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s = target.Reopen(t, s)
	after, err := s.Checkpoint(t.Context())
	if err != nil || !bytes.Equal(before.Root, after.Root) || before.Size != after.Size {
		t.Errorf("reopening changed the checkpoint: %v to %v, error %v", before, after, err)
	}
}

func testConcurrentCommits(t *testing.T, target Target) {
	s := target.Open(t)
	const writers, each = 8, 15
	var group sync.WaitGroup
	seqs := make(chan uint64, writers*each)
	for w := range writers {
		group.Go(func() {
			for i := range each {
				r, err := s.Commit(background(), Create(NewRecord(fmt.Sprintf("olive %d of writer %d", i, w))))
				if err != nil {
					t.Errorf("writer %d: %v", w, err)
					return
				}
				seqs <- r.Seq
				if got, err := s.Get(background(), Namespace, r.ID); err != nil || got.Seq != r.Seq {
					t.Errorf("writer %d does not read its own write: seq %d, error %v", w, got.Seq, err)
				}
				if _, err := s.Search(background(), memory.Query{Namespace: Namespace, Text: "olive", Limit: 10}); err != nil {
					t.Errorf("writer %d: search: %v", w, err)
				}
			}
		})
	}
	group.Wait()
	close(seqs)
	seen := map[uint64]bool{}
	for seq := range seqs {
		if seen[seq] || seq == 0 || seq > writers*each {
			t.Errorf("seq %d is wrong or given twice", seq)
		}
		seen[seq] = true
	}
	if cp, err := s.Checkpoint(t.Context()); err != nil || cp.Size != writers*each {
		t.Errorf("log has %d entries, want %d, error %v", cp.Size, writers*each, err)
	}
}

func testOneWriterWins(t *testing.T, target Target) {
	s := target.Open(t)
	r := mustCreate(t, s, "contended", nil)
	const writers = 8
	errs := make(chan error, writers)
	for w := range writers {
		go func() {
			c := change(memory.ChangeUpdate, r, func(r *memory.Record) { r.Content = fmt.Sprint("by ", w) })
			_, err := s.Commit(background(), c)
			errs <- err
		}()
	}
	won := 0
	for range writers {
		switch err := <-errs; {
		case err == nil:
			won++
		case !errors.Is(err, memory.ErrConflict):
			t.Errorf("got error %v, want ErrConflict", err)
		}
	}
	if won != 1 {
		t.Errorf("%d writers won, want 1", won)
	}
}

func testDurable(t *testing.T, target Target) {
	s := target.Open(t)
	r := mustCreate(t, s, "remember olives", nil)
	gone := mustCreate(t, s, "forget olives", nil)
	mustCommit(t, s, change(memory.ChangeDelete, gone, func(r *memory.Record) { r.State = memory.Forgotten }))
	s = target.Reopen(t, s)
	if found := mustSearch(t, s, memory.Query{Text: "olives"}); len(found) != 1 || found[0].Record.ID != r.ID {
		t.Errorf("after reopening found %q", contents(found, ofCandidate))
	}
	if next := mustCreate(t, s, "more", nil); next.Seq != 4 {
		t.Errorf("seq after reopening is %d, want 4", next.Seq)
	}
	if err := s.Ping(t.Context()); err != nil {
		t.Errorf("Ping: %v", err)
	}
}

func testTampered(t *testing.T, target Target) {
	if target.Tamper == nil {
		return
	}
	s := target.Open(t)
	first := mustCreate(t, s, "trusted once", func(r *memory.Record) { r.Zone = memory.Trusted })
	second := mustCommit(t, s, change(memory.ChangeReview, first, func(r *memory.Record) { r.Zone = memory.Quarantine }))
	target.Tamper(t, s, first)

	row, err := s.Get(t.Context(), Namespace, first.ID)
	if err != nil || row.Seq != first.Seq || row.Zone != memory.Trusted {
		t.Fatalf("row is %s at %d, error %v: it was not tampered with", row.Zone, row.Seq, err)
	}
	heads, err := s.Heads(t.Context(), []string{first.ID})
	if diff := cmp.Diff(map[string]memory.Head{first.ID: headOf(second)}, heads); err != nil || diff != "" {
		t.Errorf("heads follow the row and not the log (-want +got):\n%s error %v", diff, err)
	}
	onRow := change(memory.ChangeUpdate, row, func(r *memory.Record) { r.Tags = []string{"mine"} })
	if _, err := s.Commit(t.Context(), onRow); !errors.Is(err, memory.ErrConflict) {
		t.Errorf("building on the rolled-back row: got error %v, want ErrConflict", err)
	}
	removal := change(memory.ChangeDelete, row, func(r *memory.Record) { r.State = memory.Forgotten })
	removal.ExpectSeq = heads[first.ID].Seq
	if _, err := s.Commit(t.Context(), removal); err != nil {
		t.Errorf("removing it against the log's head: %v", err)
	}
}
