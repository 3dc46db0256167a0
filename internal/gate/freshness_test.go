// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"sync"
	"testing"

	"memorytrust.dev/operator/internal/memory"
)

func TestHeadWatch(t *testing.T) {
	var h headWatch
	first := memory.Record{ID: memory.NewID(), Seq: 7}
	h.saw(first, memory.Record{ID: "no id", Seq: 9})
	for seq, want := range map[uint64]bool{6: true, 7: false, 8: false} {
		if got := h.passed(first.ID, seq); got != want {
			t.Errorf("version %d is passed: %v", seq, got)
		}
	}
	h.saw(memory.Record{ID: first.ID, Seq: 3})
	if !h.passed(first.ID, 6) {
		t.Error("seeing an older version made it forget a newer one")
	}
	if h.passed(memory.NewID(), 1) || h.passed("no id", 1) {
		t.Error("what was never seen is passed")
	}
	for seq := range uint64(maxWatched) {
		h.saw(memory.Record{ID: memory.NewID(), Seq: seq + 1})
	}
	if !h.passed(first.ID, 6) {
		t.Error("it forgets before it has to")
	}
	if len(h.young) > maxWatched || len(h.aged) > maxWatched {
		t.Errorf("it keeps %d and %d", len(h.young), len(h.aged))
	}
}

// A memory that changes all the time is never taken for one that was rolled back.
func TestChangingIsNoRollback(t *testing.T) {
	f := newFixture(t)
	id := f.write(console, Write{Content: "The office is in Lyon."}).ID
	var changing, reading sync.WaitGroup
	done := make(chan struct{})
	changing.Go(func() {
		defer close(done)
		for i := range 60 {
			if _, err := f.Pin(f.ctx(), reviewer, id, i%2 == 0, commitOf(f.record(id)), "for the test"); err != nil {
				t.Errorf("change %d: %v", i, err)
				return
			}
		}
	})
	for range 2 {
		reading.Go(func() {
			for {
				if _, err := f.Get(f.ctx(), agent, id, Reading{}); err != nil {
					t.Errorf("withheld while it changes: %v", err)
					return
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	changing.Wait()
	reading.Wait()
}
