// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// lookups counts what the store is asked.
type lookups struct {
	memory.Store
	lists, queues int
}

func (c *lookups) List(ctx context.Context, f memory.Filter) ([]memory.Record, error) {
	c.lists++
	return c.Store.List(ctx, f)
}

func (c *lookups) Waiting(ctx context.Context, w memory.Waiting) ([]memory.WaitingItem, error) {
	c.queues++
	return c.Store.Waiting(ctx, w)
}

func (u *served) counts() *lookups {
	c := &lookups{Store: u.Gate.store}
	u.Gate.store = c
	return c
}

// What was read once, or written by this gate, is not read again while the log stays as it is; a row that is changed beneath it does
// not count, and is found out as soon as the row is looked at.
func TestKeptRecords(t *testing.T) {
	u := newServed(t)
	u.stores("w", tea, publicFact)
	c := u.counts()
	u.delivers("after the write", tea, provenance.AgentInferred, memory.Safe)
	u.delivers("again", tea, provenance.AgentInferred, memory.Safe)
	if c.lists != 0 {
		t.Errorf("read %d times what this gate wrote", c.lists)
	}
	_, err := u.behind().ExecContext(u.ctx(), "UPDATE records SET class = 'UserInput' WHERE id = ?", u.entry(tea).ID)
	must(t, err)
	u.delivers("changed beneath it", tea, provenance.AgentInferred, memory.Safe)
	u.keepsNothing()
	u.withholds("looked at", tea, ReasonTampered)
}

// A commit of another replica is noticed, of a record that is kept and of one that was known not to be there.
func TestKeptRecordsOfAnotherReplica(t *testing.T) {
	u := newServed(t)
	u.stores("w", tea)
	u.delivers("kept", tea, provenance.AgentInferred, memory.Safe)
	id := ledgerID(testNamespace, u.name, publicFact, false)
	there := func() bool {
		found, err := u.byID(u.ctx(), u.state, testNamespace, []string{id})
		must(t, err)
		return len(found) == 1
	}
	if there() {
		t.Fatal("the text is known before it was written")
	}
	other := *u
	f := *u.fixture
	other.fixture = &f
	f.Gate = New(Config{Store: u.db, Screener: engine(), Now: f.clock, State: f.Gate.state})
	other.stores("w2", publicFact)
	if !there() {
		t.Error("what the other wrote is not found")
	}
	other.does(u.entry(tea).ID, memory.ActionQuarantine)
	u.withholds("quarantined by the other", tea, ReasonQuarantined)
}

// The queue that is kept is the one that the store lists, whatever comes and goes.
func TestKeptQueue(t *testing.T) {
	u := newServed(t)
	whose := memory.Waiting{Namespace: testNamespace, Class: provenance.WebContent}
	same := func(when string) {
		t.Helper()
		got, err := u.kept.queue(u.ctx(), u.Gate.store, whose)
		must(t, err)
		want, err := u.db.Waiting(u.ctx(), whose)
		must(t, err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-store +kept):\n%s", when, diff)
		}
	}
	same("empty")
	var ids []string
	for i, content := range []string{"The first of them waits.", "Another one is about trains.", "The third is of the garden."} {
		r := memory.Record{
			Content: content, Class: provenance.WebContent, Zone: memory.Working, State: memory.PendingReview,
			Expiry: u.now.Add(time.Duration(9-i) * time.Hour),
		}
		if i == 1 {
			r.Expiry = time.Time{}
		}
		ids = append(ids, u.put(r).ID)
		same(content)
	}
	c := u.counts()
	u.does(ids[0], memory.ActionApprove)
	same("one approved")
	u.does(ids[2], memory.ActionReject)
	same("one rejected")
	if c.queues != 0 {
		t.Errorf("listed %d times", c.queues)
	}
}

// Another key in force is asked about what is kept.
func TestKeptRecordsUnderAnotherKey(t *testing.T) {
	u := newServed(t)
	u.stores("w", tea)
	u.delivers("kept", tea, provenance.AgentInferred, memory.Safe)
	u.load(u.newKey())
	u.withholds("another key", tea, ReasonKeyUnavailable)
}
