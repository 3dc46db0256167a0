// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package admin

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
)

// A person takes out what a source brought in, and what goes back to it, through the port.
func TestRevoke(t *testing.T) {
	f, ca := newFixture(t), newAuthority(t)
	f.load(ca)
	c, ctx := f.client(ca, ""), t.Context()
	root := f.write("Nordwind is paid at DE89370400440532013000.", "web:nordwind.example", "")
	child := f.write("For energy use the account DE89 3704 0044 0532 0130 00.", "", "")
	kept := f.write("The user prefers green tea.", "", "")
	elsewhere := f.write("A page of another tenant.", "web:nordwind.example", "team-b")

	r := RevokeRequest{Source: "web:nordwind.example", Reason: "the site was taken over", DryRun: true, Limit: 1}
	page, err := c.Revoke(ctx, r)
	must(t, err)
	if !page.DryRun || page.Named != 1 || page.Descendants != 1 || page.Changed != 2 || len(page.Items) != 1 || page.Items[0].ID != root.ID || page.Next == "" {
		t.Fatalf("preview %+v", page)
	}
	r.Cursor = page.Next
	page, err = c.Revoke(ctx, r)
	must(t, err)
	if len(page.Items) != 1 || page.Items[0].ID != child.ID || page.Items[0].Via != root.ID || page.Items[0].Depth != 1 || page.Next != "" {
		t.Errorf("second page %+v", page)
	}
	states := func(want map[string]memory.State) {
		t.Helper()
		for id, state := range want {
			m, err := f.gate.Inspect(ctx, gate.Person{Principal: alice}, id, gate.Reading{})
			must(t, err)
			if m.State != state {
				t.Errorf("%s is %s, want %s", m.Content, m.State, state)
			}
		}
	}
	states(map[string]memory.State{root.ID: memory.PendingReview, child.ID: memory.PendingReview, kept.ID: memory.Active})
	r.DryRun, r.Cursor = false, ""
	done, err := c.Revoke(ctx, r)
	must(t, err)
	if done.DryRun || done.Changed != 2 || done.More || done.Message == "" {
		t.Errorf("revoked %+v", done)
	}
	states(map[string]memory.State{root.ID: memory.Rejected, child.ID: memory.PendingReview, kept.ID: memory.Active})
	if m, err := f.gate.Inspect(ctx, gate.Person{Principal: alice, Namespace: "team-b"}, elsewhere.ID, gate.Reading{}); err != nil || m.State == memory.Rejected {
		t.Errorf("another tenant's is %s, error %v", m.State, err)
	}
	log, err := c.Log(ctx, child.ID, "", 1)
	must(t, err)
	if v := log.Versions[0]; v.Actor != "person/"+alice || !strings.Contains(v.Reason, root.ID) || !strings.Contains(v.Reason, r.Reason) || v.Zone != memory.Quarantine {
		t.Errorf("log %+v", v)
	}
	again, err := c.Revoke(ctx, r)
	if err != nil || again.Changed != 0 {
		t.Errorf("again %+v, error %v", again, err)
	}
}

func TestRevokeRefusals(t *testing.T) {
	f, ca := newFixture(t), newAuthority(t)
	f.load(ca)
	c := f.client(ca, "")
	id := f.write("Something.", "", "").ID
	for name, tc := range map[string]struct {
		request RevokeRequest
		want    int
	}{
		"nothing":        {RevokeRequest{Reason: "x"}, http.StatusUnprocessableEntity},
		"two":            {RevokeRequest{Record: id, KeyID: "1", Reason: "x"}, http.StatusUnprocessableEntity},
		"no reason":      {RevokeRequest{Record: id}, http.StatusUnprocessableEntity},
		"long reason":    {RevokeRequest{Record: id, Reason: strings.Repeat("x", 925)}, http.StatusUnprocessableEntity},
		"no key id":      {RevokeRequest{KeyID: "x", Reason: "x"}, http.StatusUnprocessableEntity},
		"foreign cursor": {RevokeRequest{Record: id, Reason: "x", DryRun: true, Cursor: "x"}, http.StatusUnprocessableEntity},
		"no such memory": {RevokeRequest{Record: memory.NewID(), Reason: "x"}, http.StatusNotFound},
	} {
		if _, err := c.Revoke(t.Context(), tc.request); status(err) != tc.want {
			t.Errorf("%s: %v, want status %d", name, err, tc.want)
		}
	}
	other := f.client(newAuthority(t), "")
	if _, err := other.Revoke(t.Context(), RevokeRequest{Record: id, Reason: "x"}); err == nil || status(err) > 0 {
		t.Errorf("without the manager's certificate: %v", err)
	}
	m, err := f.gate.Inspect(t.Context(), gate.Person{Principal: alice}, id, gate.Reading{})
	if err != nil || m.State != memory.Active {
		t.Errorf("it is %s, error %v", m.State, err)
	}
}

// 1,200 descendants are listed and taken out through the port.
func TestRevokeManyThroughThePort(t *testing.T) {
	f, ca := newFixture(t), newAuthority(t)
	f.load(ca)
	c, ctx := f.client(ca, ""), t.Context()
	root := f.write("The root of all.", "web:nordwind.example", "")
	parent, now := root.ID, memory.Timestamp(time.Now())
	sign := func(r memory.Record) ([]byte, error) { return f.keys.Sign(r.Tuple(f.runtime.AgentID).Message()) }
	var changes []memory.Change
	for i := range 1200 {
		record := memory.Record{
			ID: memory.NewID(), Namespace: "agents", Zone: memory.Working, State: memory.Active, Class: "WebContent", Source: "agent",
			Content: fmt.Sprint("note ", i), Parents: []string{parent}, CreatedAt: now, UpdatedAt: now,
		}
		changes = append(changes, memory.Change{Type: memory.ChangeCreate, Record: record, Actor: "agent", Sign: sign})
		if i < 100 {
			parent = record.ID
		}
	}
	_, err := f.store.CommitAll(ctx, changes)
	must(t, err)
	r := RevokeRequest{Record: root.ID, Reason: "planted", DryRun: true, Limit: gate.MaxRevoked}
	listed := 0
	for {
		page, err := c.Revoke(ctx, r)
		must(t, err)
		listed += len(page.Items)
		if r.Cursor = page.Next; r.Cursor == "" {
			break
		}
	}
	r.DryRun = false
	done, err := c.Revoke(ctx, r)
	must(t, err)
	if listed != 1201 || done.Changed != 1201 || len(done.Items) != gate.MaxRevoked {
		t.Errorf("%d listed, %d changed, %d of them listed", listed, done.Changed, len(done.Items))
	}
}
