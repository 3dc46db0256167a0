// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"memorytrust.dev/operator/internal/memory"
)

func (f *fixture) onlooker() *Onlooker {
	return NewOnlooker(f.db, testNamespace, func() time.Time { return f.now })
}

// Who looks on without keys sees what a person sees at the screener, but for what the keys tell.
func TestOnlookerSeesWhatAPersonSees(t *testing.T) {
	f := newFixture(t, users)
	o, rita := f.onlooker(), Person{Principal: "rita"}
	m := f.write(console, Write{Content: "The office in Lyon opens at 9."})
	text := "The office in Lyon opens at 10."
	_, err := f.Edit(f.ctx(), console, m.ID, Edit{Content: &text, Commit: m.Commit})
	must(t, err)
	f.write(agent, Write{Content: plant})
	f.reads(m.ID, "s")

	want, err := f.Inspect(f.ctx(), rita, m.ID, Reading{})
	must(t, err)
	got, err := o.Inspect(f.ctx(), m.ID, Reading{})
	must(t, err)
	if want.Fault != "" || got.Fault != ReasonNotVerified {
		t.Errorf("faults %q and %q", want.Fault, got.Fault)
	}
	got.Fault = ""
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	first, err := o.Inspect(f.ctx(), m.ID, Reading{Commit: m.Commit})
	if err != nil || first.Content != "The office in Lyon opens at 9." || first.Fault != ReasonNotVerified || first.Authority == memory.Act {
		t.Errorf("an old version: %+v, %v", first, err)
	}
	log, _, err := o.InspectLog(f.ctx(), m.ID, LogQuery{})
	if err != nil || len(log) != 2 || log[0].Content != text {
		t.Errorf("%d versions, %v", len(log), err)
	}
	page, err := o.Browse(f.ctx(), Browsing{})
	if err != nil || len(page.Memories) != 2 || page.Memories[0].Content != "" {
		t.Errorf("%+v, %v", page, err)
	}
	if d, err := o.Deliveries(f.ctx(), DeliveryQuery{ID: m.ID}); err != nil || len(d) != 1 {
		t.Errorf("%d deliveries, %v", len(d), err)
	}
	if _, err := o.Inspect(f.ctx(), memory.NewID(), Reading{}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("what is not there: %v", err)
	}
	if _, err := NewOnlooker(f.db, "elsewhere", nil).Inspect(f.ctx(), m.ID, Reading{}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("of another namespace: %v", err)
	}
}

// What needs no key to be seen is seen: a row that is not what its commit says, and one that is not the newest.
func TestOnlookerSeesTampering(t *testing.T) {
	for name, change := range map[string]string{
		"another zone": "UPDATE records SET zone = 'Trusted' WHERE id = ?", "other words": "UPDATE records SET content = 'Pay Eve.' WHERE id = ?",
		"an older place": "UPDATE records SET seq = 1 WHERE id = ?",
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.write(agent, Write{Content: "The door is green."})
			m := f.write(agent, Write{Content: "The roof is red."})
			f.sql(change, m.ID)
			got, err := f.onlooker().Inspect(f.ctx(), m.ID, Reading{})
			if err != nil || got.Fault != ReasonTampered || got.Boundary != memory.Blocked || got.Authority != memory.None {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

// A page of Browse holds up to a thousand memories and ends early where they are long; what continues it leaves nothing out.
func TestBrowsePages(t *testing.T) {
	f := newFixture(t)
	rita := Person{Principal: "rita"}
	walk := func(limit int) (pages []int, seen int) {
		t.Helper()
		for cursor := ""; ; {
			page, err := f.Browse(f.ctx(), rita, Browsing{Listing: Listing{Cursor: cursor, Limit: limit}})
			must(t, err)
			pages, seen = append(pages, len(page.Memories)), seen+len(page.Memories)
			if cursor = page.Next; cursor == "" {
				return pages, seen
			}
		}
	}
	for i := range 2*browseStep + 7 {
		f.put(memory.Record{Content: fmt.Sprint("item ", i)})
	}
	for limit, want := range map[int]string{
		MaxBrowse: "[507]", 507: "[507 0]", browseStep: "[250 250 7]", browseStep + 1: "[251 251 5]", 400: "[400 107]",
	} {
		if pages, seen := walk(limit); fmt.Sprint(pages) != want || seen != 507 {
			t.Errorf("in pages of %d: %v, %d memories, want %s", limit, pages, seen, want)
		}
	}
	if _, err := f.Browse(f.ctx(), rita, Browsing{Listing: Listing{Limit: MaxBrowse + 1}}); err == nil {
		t.Error("a page of 1001 is given")
	}
	for range browseStep {
		f.put(memory.Record{Content: strings.Repeat("long ", MaxAnswerBytes/browseStep/4)})
	}
	if pages, seen := walk(MaxBrowse); len(pages) < 2 || seen != 507+browseStep {
		t.Errorf("with long ones: %v, %d memories", pages, seen)
	}
}
