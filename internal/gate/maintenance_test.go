// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/memory"
)

// looking is scheduled work that begins now, and what it logs.
func (f *fixture) looking() (*maintenance, *bytes.Buffer) {
	var log bytes.Buffer
	return &maintenance{gate: f.Gate, log: slog.New(slog.NewTextHandler(&log, nil)), started: f.now}, &log
}

// The first scan comes an interval after the start, in every namespace, and a restart does not put it off.
func TestScheduledScan(t *testing.T) {
	f := newFixture(t)
	tenant := Caller{Namespace: "tenant-b"}
	f.write(console, Write{Content: realFact})
	f.write(agent, Write{Content: poisonFact})
	f.write(tenant, Write{Content: realFact, Source: "operator"})
	f.write(tenant, Write{Content: poisonFact})
	m, log := f.looking()
	m.look(f.ctx())
	if len(f.open()) != 0 {
		t.Fatal("scanned at the start")
	}
	interval := f.state.Runtime.ScanInterval()
	f.now = f.now.Add(interval)
	m.look(f.ctx())
	if len(f.open()) != 1 {
		t.Fatal("not scanned after an interval")
	}
	elsewhere, err := f.Contradictions(f.ctx(), Person{Principal: "x", Namespace: "tenant-b"}, ContradictionQuery{Open: true})
	if err != nil || len(elsewhere.Items) != 1 {
		t.Errorf("the other namespace: %+v, %v", elsewhere, err)
	}
	if strings.Contains(log.String(), "vendor") || !strings.Contains(log.String(), "contradictions=1") {
		t.Errorf("logged %s", log)
	}

	f.write(agent, Write{Content: "The vendor's bank account for invoices is FR76 3000 6000 0112 3456 7890 189."})
	f.now = f.now.Add(interval / 2)
	m, _ = f.looking() // a restart
	f.now = f.now.Add(interval / 2)
	m.look(f.ctx())
	if n := len(f.open()); n < 2 {
		t.Errorf("%d open: the restart put the scan off", n)
	}
}

func TestAging(t *testing.T) {
	f := newFixture(t, func(s *v1alpha1.MemoryTrustPolicySpec) {
		s.Zones.Classes = []v1alpha1.ClassRules{{Class: "AgentInferred", StaleAfterSeconds: 3600}}
	})
	old := f.write(agent, Write{Content: "The build takes nine minutes."}).ID
	edited := f.write(agent, Write{Content: "The deploy takes an hour."}).ID
	rule := f.write(console, Write{Content: operatorRule}).ID
	f.now = f.now.Add(f.state.Runtime.ScanInterval() - time.Minute)
	f.edit(agent, edited, Edit{Content: ptr("The deploy takes two hours.")})
	m, _ := f.looking()
	m.started = time.Time{}
	f.now = f.now.Add(time.Minute)
	m.look(f.ctx())
	if r := f.becomes(old, memory.Working, memory.Stale); r.Commit.Actor != agingActor {
		t.Errorf("aged by %s", r.Commit.Actor)
	}
	f.becomes(edited, memory.Working, memory.Active)
	f.becomes(rule, memory.Trusted, memory.Active)
}

// What nobody decided about in time leaves the queue, and so does what was folded into something that does not wait.
func TestQueueIsTidied(t *testing.T) {
	f := newFixture(t)
	expiring := f.write(agent, Write{Content: publicFact, Source: "web:x"}).ID
	pending := memory.Record{Zone: memory.Working, State: memory.PendingReview, Class: "WebContent", Source: "web:x", Content: "Said again."}
	want := map[string]memory.Standing{expiring: {Zone: memory.Working, State: memory.Forgotten}}
	for state, becomes := range map[memory.State]memory.State{
		memory.Rejected: memory.Rejected, memory.Forgotten: memory.Forgotten, memory.Approved: memory.Superseded, memory.PendingReview: memory.PendingReview,
		memory.Active: memory.PendingReview,
	} {
		lead := pending
		lead.State = state
		orphan := pending
		orphan.FoldedInto = f.put(lead).ID
		id := f.put(orphan).ID
		want[id] = memory.Standing{Zone: memory.Working, State: becomes}
	}
	f.now = f.record(expiring).Expiry
	m, _ := f.looking()
	m.started = time.Time{}
	m.look(f.ctx())
	for id, standing := range want {
		f.becomes(id, standing.Zone, standing.State)
	}
	for _, item := range f.review().Items {
		if item.Memory.FoldedInto != "" {
			t.Errorf("the queue shows %+v", item.Memory)
		}
	}
	if n := f.review().Total; n != 2 { // a lead with one that is folded, and the one whose lead became something else
		t.Errorf("%d items wait", n)
	}
	f.does(expiring, memory.ActionReopen)
}

func TestKeysAreForgottenAfterADay(t *testing.T) {
	f := newFixture(t)
	write := Write{Content: publicFact, Idempotency: memory.IdempotencyKey{Key: "k", Digest: digest("a")}}
	first := f.write(agent, write)
	m, _ := f.looking()
	f.now = f.now.Add(keyLifetime / 2)
	m.look(f.ctx())
	if out := f.write(agent, write); out.ID != first.ID {
		t.Error("forgotten after half a day")
	}
	f.now = f.now.Add(keyLifetime/2 + time.Second)
	m.look(f.ctx())
	if out := f.write(agent, write); out.ID == first.ID {
		t.Error("remembered after a day")
	}
}

// Errors are logged, without contents, and the next look tries again.
func TestScheduledWorkSurvivesErrors(t *testing.T) {
	f := newFixture(t)
	f.write(console, Write{Content: realFact})
	f.write(agent, Write{Content: poisonFact})
	m, log := f.looking()
	f.now = f.now.Add(f.state.Runtime.ScanInterval())
	broken := &brokenStore{Store: f.store, broken: true}
	f.store = broken
	m.look(f.ctx())
	if !strings.Contains(log.String(), "level=ERROR") || strings.Contains(log.String(), "vendor") {
		t.Errorf("logged %q", log)
	}
	broken.broken = false
	m.look(f.ctx())
	if len(f.open()) != 1 {
		t.Error("not tried again")
	}
}

// brokenStore fails to list.
type brokenStore struct {
	memory.Store
	broken bool
}

func (b *brokenStore) List(ctx context.Context, f memory.Filter) ([]memory.Record, error) {
	if b.broken {
		return nil, memory.ErrUnavailable
	}
	return b.Store.List(ctx, f)
}

func TestRunEndsWithItsContext(t *testing.T) {
	f := newFixture(t)
	f.state = nil // nothing is loaded: it waits
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			f.Run(ctx, slog.New(slog.DiscardHandler))
			close(done)
		}()
		time.Sleep(3 * lookAround)
		cancel()
		<-done
	})
}
