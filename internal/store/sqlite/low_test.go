// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
	"memorytrust.dev/operator/internal/store/storetest"
)

// What is kept ready of low deliveries is what the store would answer, while they come and in whatever order their times are.
func TestLowDeliveriesAreThoseOfTheStore(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "memory.db"))
	random := rand.New(rand.NewPCG(1, 2)) // #nosec G404 -- the same in every run
	known := 0
	for i := range 400 {
		at := storetest.Epoch.Add(time.Duration(i+random.IntN(20)) * time.Second)
		d := memory.Delivery{
			Namespace: storetest.Namespace, Session: fmt.Sprint("s", random.IntN(3)), RecordID: memory.NewID(),
			Class: provenance.Classes[random.IntN(len(provenance.Classes))], At: at,
		}
		if err := s.LogDeliveries(t.Context(), []memory.Delivery{d}, nil); err != nil {
			t.Fatal(err)
		}
		if i < 100 && i%20 > 0 || i%5 > 0 {
			continue
		}
		for _, below := range []provenance.Class{provenance.AgentInferred, provenance.ToolOutput, provenance.Unknown} {
			for _, f := range []memory.DeliveryFilter{
				{Session: "s1", Limit: maxLow}, {Session: "s2", Limit: 3}, {Since: at.Add(-50 * time.Second), Limit: maxLow}, {Session: "none", Limit: 9},
			} {
				f.Namespace, f.Below = storetest.Namespace, below
				want, err := s.readDeliveries(t.Context(), f)
				if err != nil {
					t.Fatal(err)
				}
				got, ready, err := s.lowDeliveries(t.Context(), f)
				if err != nil || !ready {
					continue
				}
				known++
				byTime := cmpopts.SortSlices(func(a, b memory.Delivery) bool { return a.RecordID < b.RecordID })
				if diff := cmp.Diff(want, got, byTime, cmpopts.EquateEmpty()); diff != "" {
					t.Fatalf("after %d, %+v (-store +kept):\n%s", i, f, diff)
				}
			}
		}
	}
	if known < 500 {
		t.Errorf("only %d questions were answered from what is kept", known)
	}
}

// What a purge takes away does not come back with what was met before it, and a later version adds to what is known of the first.
func TestTracesThatAreNotWrittenYet(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s := mustOpen(t, path)
	for name, then := range map[string]func(memory.Record) memory.Change{
		"purged": func(r memory.Record) memory.Change {
			sum := sha256.Sum256([]byte(r.Content))
			c := memory.Change{Type: memory.ChangePurge, Record: r, Actor: "person/alice", ExpectSeq: r.Seq}
			c.Record.State, c.Record.Content, c.Record.Erased = memory.Forgotten, "", sum[:]
			return c
		},
		"edited": func(r memory.Record) memory.Change {
			return memory.Change{Type: memory.ChangeUpdate, Record: r, Actor: "person/alice", ExpectSeq: r.Seq, Trace: []uint64{3}}
		},
	} {
		r, err := s.Commit(t.Context(), storetest.Create(storetest.NewRecord("olive "+name)))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.LogDeliveries(t.Context(), []memory.Delivery{{
			Namespace: storetest.Namespace, Session: "s", RecordID: r.ID, Seq: r.Seq, Class: r.Class, At: storetest.Epoch,
		}}, []memory.Trace{{ID: r.ID, Namespace: storetest.Namespace, Record: true, Class: r.Class, At: storetest.Epoch, Features: []uint64{1, 2}}}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Commit(t.Context(), then(r)); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := s.settled(t.Context()); err != nil {
			t.Fatal(err)
		}
		got, err := s.Traced(t.Context(), storetest.Namespace, []uint64{1, 3}, 9)
		if err != nil {
			t.Fatal(err)
		}
		features := 0
		for _, m := range got {
			if m.ID == r.ID {
				features = m.Features
			}
		}
		if want := map[string]int{"purged": 0, "edited": 3}[name]; features != want {
			t.Errorf("%s: known by %d features, want %d", name, features, want)
		}
	}
}
