// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"memorytrust.dev/operator/internal/memory"
)

// After another key became the primary one, everything is signed with it, as it is, and the old key can go.
func TestSigningAnew(t *testing.T) {
	f := newFixture(t)
	first := f.state.Keyset.PrimaryID()
	rule := f.write(console, Write{Content: operatorRule}).ID
	fact := f.write(agent, Write{Content: publicFact, Source: "web:x"}).ID
	waiting := f.write(agent, Write{Content: plant, Source: "web:x"}).ID
	tenant := f.write(Caller{Namespace: "tenant-b"}, Write{Content: "The vault opens at nine."}).ID
	rejected := f.write(agent, Write{Content: "The van is parked at the north gate.", Source: "web:x"}).ID
	f.does(rejected, memory.ActionReject)
	forged := f.write(agent, Write{Content: "The spare key lies under the mat."}).ID
	f.sql("UPDATE records SET content = 'The spare key lies in the safe.' WHERE id = ?", forged)
	before := map[string]memory.Record{}
	for _, id := range []string{rule, fact, waiting, rejected, forged} {
		before[id] = f.record(id)
	}

	second := f.newKey()
	m, _ := f.looking()
	m.look(f.ctx())
	if f.record(rule).Seq != before[rule].Seq {
		t.Fatal("signed anew with one key")
	}
	f.loadKeys([]string{second, first})
	f.now = f.now.Add(time.Minute)
	m.look(f.ctx())

	for _, id := range []string{rule, fact, waiting, rejected} {
		was, is := before[id], f.record(id)
		if is.Commit.Actor != keysActor || is.Seq == was.Seq || !is.UpdatedAt.Equal(was.UpdatedAt) || is.Content != was.Content ||
			is.Zone != was.Zone || is.State != was.State || is.Class != was.Class || is.Writer != was.Writer {
			t.Errorf("%+v became %+v", was, is)
		}
	}
	if f.record(forged).Seq != before[forged].Seq {
		t.Error("what does not verify was signed")
	}
	seqs := map[string]uint64{rule: f.record(rule).Seq, waiting: f.record(waiting).Seq}
	m.look(f.ctx())
	for id, seq := range seqs {
		if f.record(id).Seq != seq {
			t.Error("signed twice")
		}
	}

	f.loadKeys([]string{second}) // the old key is gone
	if d, err := f.Get(f.ctx(), agent, rule, Reading{}); err != nil || d.Authority != memory.Act {
		t.Errorf("the rule: %+v, %v", d, err)
	}
	if d, err := f.Get(f.ctx(), Caller{Namespace: "tenant-b"}, tenant, Reading{}); err != nil || d.ID != tenant {
		t.Errorf("the other tenant's: %+v, %v", d, err)
	}
	if _, err := f.Get(f.ctx(), agent, forged, Reading{}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("the forged one: %v", err)
	}
	f.does(rejected, memory.ActionReopen)
}

// Signing anew and changing the same memories at the same time lose nothing.
func TestSigningAnewWhileOthersWrite(t *testing.T) {
	f := newFixture(t)
	first := f.state.Keyset.PrimaryID()
	ids := make([]string, 40)
	for i := range ids {
		ids[i] = f.write(agent, Write{Content: fmt.Sprintf("Shelf %d holds the blue folders.", i)}).ID
	}
	second := f.newKey()
	f.loadKeys([]string{second, first})
	m, _ := f.looking()
	done := make(chan struct{})
	go func() {
		defer close(done)
		m.look(f.ctx())
	}()
	for i, id := range ids {
		content := fmt.Sprintf("Shelf %d holds the red folders.", i)
		for {
			if _, err := f.Edit(f.ctx(), agent, id, Edit{Content: &content}); err == nil {
				break
			} else if !errors.Is(err, memory.ErrConflict) {
				t.Fatal(err)
			}
		}
	}
	<-done
	m.look(f.ctx())
	f.loadKeys([]string{second})
	for i, id := range ids {
		if d, err := f.Get(f.ctx(), agent, id, Reading{}); err != nil || d.Content != fmt.Sprintf("Shelf %d holds the red folders.", i) {
			t.Errorf("%d: %+v, %v", i, d, err)
		}
	}
}
