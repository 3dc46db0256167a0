// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// revokes carries out a revocation that must succeed.
func (f *fixture) revokes(r Revocation) Revoked {
	f.t.Helper()
	if r.Reason == "" {
		r.Reason = "was never to be trusted"
	}
	out, err := f.Revoke(f.ctx(), reviewer, r)
	must(f.t, err)
	return out
}

// child stores a memory that goes back to others, past the decisions of Encode.
func (f *fixture) child(content string, parents ...string) string {
	f.t.Helper()
	return f.put(memory.Record{Content: content, Parents: parents}).ID
}

// standings are zone, state and class of memories by id.
func (f *fixture) standings() map[string]memory.Standing {
	f.t.Helper()
	all, err := f.db.List(f.ctx(), memory.Filter{Namespace: testNamespace, IncludeForgotten: true, Limit: memory.MaxPageSize})
	must(f.t, err)
	out := map[string]memory.Standing{}
	for _, r := range all {
		out[r.ID] = r.Standing()
	}
	return out
}

var (
	standsRejected = memory.Standing{Zone: memory.Quarantine, State: memory.Rejected}
	standsWaiting  = memory.Standing{Zone: memory.Quarantine, State: memory.PendingReview}
	standsActive   = memory.Standing{Zone: memory.Working, State: memory.Active}
)

// What is named is rejected, and everything that goes back to it waits in Quarantine, by whatever way; nothing else changes.
func TestRevoke(t *testing.T) {
	for name, of := range map[string]func(root memory.Record) Revocation{
		"record":    func(r memory.Record) Revocation { return Revocation{Record: r.ID} },
		"source":    func(r memory.Record) Revocation { return Revocation{Source: r.Source} },
		"principal": func(r memory.Record) Revocation { return Revocation{Principal: r.Writer.Principal} },
		"key": func(r memory.Record) Revocation {
			id, _ := provenance.TagKeyID(r.Tag)
			return Revocation{KeyID: id}
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			root := f.put(memory.Record{
				Content: "The supplier has moved its account.", Source: "mcp:erp", Class: provenance.ToolOutput, Writer: tools.writer(),
			})
			old := f.state.Keyset.KeyIDs()[0]
			f.loadKeys([]string{f.newKey(), old})
			left, right := f.child("left", root.ID), f.child("right", root.ID)
			bottom := f.child("bottom", left, right) // a diamond
			leaf := f.child("leaf", bottom)
			alone := f.child("alone")
			approved := f.child("approved", bottom)
			f.does(approved, memory.ActionQuarantine)
			f.does(approved, memory.ActionApprove)
			gone := f.child("forgotten", root.ID)
			f.does(gone, memory.ActionForget)
			below := f.child("below what is forgotten", gone)
			before := f.standings()

			r := of(root)
			r.DryRun = true
			preview := f.revokes(r)
			if diff := cmp.Diff(before, f.standings()); diff != "" {
				t.Fatalf("a preview changed something:\n%s", diff)
			}
			want := map[string]string{root.ID: "", left: root.ID, right: root.ID, gone: root.ID, leaf: bottom, approved: bottom, below: gone}
			got := map[string]string{}
			for _, m := range preview.Items {
				got[m.ID] = m.Via
			}
			if got[bottom] != left && got[bottom] != right {
				t.Errorf("bottom comes by %q", got[bottom])
			}
			delete(got, bottom)
			if diff := cmp.Diff(want, got); diff != "" || preview.Named != 1 || preview.Descendants != 7 || preview.Changed != 7 || preview.Left != 1 || !preview.DryRun {
				t.Errorf("preview %+v\n%s", preview, diff)
			}
			r.DryRun = false
			out := f.revokes(r)
			if out.Changed != 7 || out.Named != 1 || out.Descendants != 7 || out.Left != 1 || out.More || len(out.Items) != 7 {
				t.Errorf("revoked %+v", out)
			}
			after := map[string]memory.Standing{
				root.ID: standsRejected, left: standsWaiting, right: standsWaiting, bottom: standsWaiting, leaf: standsWaiting, approved: standsWaiting, below: standsWaiting,
				alone: standsActive, gone: before[gone],
			}
			if diff := cmp.Diff(after, f.standings()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for id, via := range map[string]string{root.ID: "revoked: was never", leaf: "revoked with " + bottom + ": was never"} {
				c := f.record(id).Commit
				if !strings.HasPrefix(c.Reason, via) || c.Actor != personActor+reviewer.Principal || c.Change != memory.ChangeReview {
					t.Errorf("%s: %s by %s, %q", id, c.Change, c.Actor, c.Reason)
				}
			}
			if r := f.record(approved); r.ApprovedBy != "" || !r.Expiry.IsZero() {
				t.Errorf("approved by %q, until %v", r.ApprovedBy, r.Expiry)
			}
			if again := f.revokes(r); again.Changed != 0 || len(again.Items) != 0 {
				t.Errorf("again: %+v", again)
			}
			if diff := cmp.Diff(after, f.standings()); diff != "" {
				t.Errorf("again:\n%s", diff)
			}
		})
	}
}

func TestRevokeRefuses(t *testing.T) {
	f := newFixture(t)
	id := f.child("x")
	var field *memory.FieldError
	for name, r := range map[string]Revocation{
		"nothing":            {Reason: "x"},
		"two":                {Record: id, Source: "agent", Reason: "x"},
		"no reason":          {Record: id},
		"blank reason":       {Record: id, Reason: " "},
		"long reason":        {Record: id, Reason: strings.Repeat("x", maxRevokeReason+1)},
		"no key id":          {KeyID: "0x12", Reason: "x"},
		"key id of 33 bits":  {KeyID: "4294967296", Reason: "x"},
		"long source":        {Source: strings.Repeat("x", memory.MaxSourceBytes+1), Reason: "x"},
		"long principal":     {Principal: strings.Repeat("x", memory.MaxActorBytes+1), Reason: "x"},
		"limit":              {Record: id, Reason: "x", Limit: MaxRevoked + 1},
		"cursor of another":  {Record: id, Reason: "x", DryRun: true, Cursor: nextCursor("1", Revocation{Source: "agent"}.pages(testNamespace)...)},
		"cursor and no list": {Record: id, Reason: "x", Cursor: nextCursor("1", Revocation{Record: id}.pages(testNamespace)...)},
	} {
		if _, err := f.Revoke(f.ctx(), reviewer, r); !errors.As(err, &field) {
			t.Errorf("%s: error %v, want a FieldError", name, err)
		}
	}
	for name, p := range map[string]Person{"nobody": {}, "elsewhere": {Principal: "x", Namespace: "team-b"}} {
		_, err := f.Revoke(f.ctx(), p, Revocation{Record: id, Reason: "x"})
		if !errors.As(err, &field) && !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, unknown := range []string{memory.NewID(), "nonsense"} {
		if _, err := f.Revoke(f.ctx(), reviewer, Revocation{Record: unknown, Reason: "x"}); !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("%s: %v", unknown, err)
		}
	}
	if out := f.revokes(Revocation{Source: "never:seen"}); out.Changed+out.Named != 0 {
		t.Errorf("%+v", out)
	}
	f.becomes(id, memory.Working, memory.Active)
}

// family stores one record of a source, a chain that goes back to it, and many that go back to the end of the chain.
func (f *fixture) family(deep, wide int) memory.Record {
	f.t.Helper()
	root := f.put(memory.Record{Content: "root", Source: "web:evil.example", Class: provenance.WebContent})
	last := root.ID
	var changes []memory.Change
	for i := range deep + wide {
		r := memory.Record{
			ID: memory.NewID(), Namespace: testNamespace, Zone: memory.Working, State: memory.Active, Class: provenance.WebContent,
			Source: agentSource, Content: fmt.Sprint("note ", i), Parents: []string{last}, CreatedAt: f.now, UpdatedAt: f.now,
		}
		changes = append(changes, memory.Change{Type: memory.ChangeCreate, Actor: "agent", Sign: signer(f.state), Record: r})
		if i < deep {
			last = r.ID
		}
	}
	_, err := f.db.CommitAll(f.ctx(), changes)
	must(f.t, err)
	return root
}

// count counts memories by how they stand.
func (f *fixture) count() map[memory.Standing]int {
	f.t.Helper()
	out := map[memory.Standing]int{}
	filter := memory.Filter{Namespace: testNamespace, IncludeForgotten: true, Limit: memory.MaxPageSize}
	for {
		page, err := f.db.List(f.ctx(), filter)
		must(f.t, err)
		for _, r := range page {
			out[r.Standing()]++
		}
		if len(page) < filter.Limit {
			return out
		}
		filter.After = page[len(page)-1].ID
	}
}

// 1,200 descendants, 200 of them in one chain: listed page by page, and taken out in batches and in several requests.
func TestRevokeMany(t *testing.T) {
	f := newFixture(t)
	f.family(200, 1000)
	r := Revocation{Source: "web:evil.example", Reason: "x", DryRun: true, Limit: MaxRevoked}
	seen := map[string]bool{}
	for depth := 0; ; {
		page := f.revokes(r)
		for _, m := range page.Items {
			if seen[m.ID] || m.Depth < depth || m.Becomes == "" {
				t.Fatalf("%+v at depth %d", m, depth)
			}
			seen[m.ID], depth = true, m.Depth
		}
		if page.Named != 1 || page.Descendants != 1200 || page.Changed != 1201 {
			t.Fatalf("page %+v", page)
		}
		if r.Cursor = page.Next; r.Cursor == "" {
			break
		}
	}
	if len(seen) != 1201 {
		t.Fatalf("%d listed", len(seen))
	}
	changed, requests := 0, 0
	for more := true; more; requests++ {
		out, err := f.revoke(f.ctx(), reviewer, Revocation{Source: "web:evil.example", Reason: "x"}, 400)
		must(t, err)
		changed += out.Changed
		more = out.More
	}
	if changed != 1201 || requests < 3 {
		t.Errorf("%d changed in %d requests", changed, requests)
	}
	if diff := cmp.Diff(map[memory.Standing]int{standsRejected: 1, standsWaiting: 1200}, f.count()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if n := counted(t, f.metrics.revoked); n != 1201 {
		t.Errorf("%v counted", n)
	}
}

// failing is a store whose commits fail after some.
type failing struct {
	memory.Store
	commits int
	err     error
}

func (s *failing) CommitAll(ctx context.Context, changes []memory.Change) ([]memory.Record, error) {
	if s.commits--; s.commits < 0 {
		return nil, s.err
	}
	return s.Store.CommitAll(ctx, changes)
}

// A run that is interrupted is repeated, also by key, whose memories a new signature no longer names.
func TestRevokeInterrupted(t *testing.T) {
	for name, by := range map[string]func(root memory.Record, key string) Revocation{
		"source": func(root memory.Record, _ string) Revocation { return Revocation{Source: root.Source, Reason: "x"} },
		"key":    func(_ memory.Record, key string) Revocation { return Revocation{KeyID: key, Reason: "x"} },
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			root := f.put(memory.Record{Content: "root", Source: "web:evil.example", Class: provenance.WebContent})
			old := f.state.Keyset.KeyIDs()[0]
			f.loadKeys([]string{f.newKey(), old})
			parent := root.ID
			for i := range 3*revokeBatch + 10 {
				parent = f.child(fmt.Sprint("note ", i), parent)
			}
			r := by(root, old)
			full, store := errors.New("volume full"), f.store
			f.store = &failing{Store: store, commits: 2, err: full}
			out, err := f.Revoke(f.ctx(), reviewer, r)
			if !errors.Is(err, full) || out.Changed != 2*revokeBatch {
				t.Fatalf("%d changed, error %v", out.Changed, err)
			}
			f.becomes(root.ID, memory.Working, memory.Active)
			f.store = store
			ctx, cancel := context.WithCancel(f.ctx())
			cancel()
			if _, err := f.Revoke(ctx, reviewer, r); !errors.Is(err, context.Canceled) {
				t.Errorf("canceled: %v", err)
			}
			f.revokes(r)
			want := map[memory.Standing]int{standsRejected: 1, standsWaiting: 3*revokeBatch + 10}
			if diff := cmp.Diff(want, f.count()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Whoever changes a memory at the same time does not stop it, and what they derive meanwhile goes with the others.
func TestRevokeMeetsOthers(t *testing.T) {
	f := newFixture(t)
	root := f.put(memory.Record{Content: "root", Source: "web:evil.example", Class: provenance.WebContent})
	child := f.child("child", root.ID)
	var late string
	store := f.store
	f.store = &meddling{Store: store, before: func() {
		f.amend(f.record(child), memory.ChangeUpdate, func(r *memory.Record) { r.Tags = []string{"meanwhile"} })
		late = f.child("late", child)
	}}
	out := f.revokes(Revocation{Source: root.Source})
	if diff := cmp.Diff(map[string]memory.Standing{root.ID: standsRejected, child: standsWaiting, late: standsWaiting}, f.standings()); diff != "" || out.Changed != 3 {
		t.Errorf("%+v (-want +got):\n%s", out, diff)
	}
}

// meddling is a store in which something happens once before a commit of several changes.
type meddling struct {
	memory.Store
	before func()
}

func (s *meddling) CommitAll(ctx context.Context, changes []memory.Change) ([]memory.Record, error) {
	if do := s.before; do != nil {
		s.before = nil
		do()
	}
	return s.Store.CommitAll(ctx, changes)
}

// Near-duplicates share the fate of what they wait with; those that wait with something else stand for themselves.
func TestRevokeFolded(t *testing.T) {
	f := newFixture(t)
	put := func(r memory.Record) string {
		r.Class, r.State = provenance.WebContent, memory.PendingReview
		return f.put(r).ID
	}
	lead := put(memory.Record{Content: "lead", Source: "web:evil.example"})
	with := put(memory.Record{Content: "with the lead", FoldedInto: lead})
	derived := put(memory.Record{Content: "derived", Parents: []string{with}})
	withDerived := put(memory.Record{Content: "with what is derived", FoldedInto: derived})
	other := put(memory.Record{Content: "another lead"})
	apart := put(memory.Record{Content: "with another", FoldedInto: other, Parents: []string{lead}})
	f.revokes(Revocation{Source: "web:evil.example"})
	pending := memory.Standing{Zone: memory.Working, State: memory.PendingReview}
	want := map[string]memory.Standing{lead: standsRejected, with: standsRejected, derived: standsWaiting, withDerived: standsWaiting, other: pending, apart: standsWaiting}
	if diff := cmp.Diff(want, f.standings()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if a, b := f.record(apart).FoldedInto, f.record(withDerived).FoldedInto; a != "" || b != derived {
		t.Errorf("folded into %q and %q", a, b)
	}
}

// A memory that does not verify is taken out whatever its row says, and one that held another up is released.
func TestRevokeTamperedAndDisputed(t *testing.T) {
	f := newFixture(t)
	tampered := f.put(memory.Record{Content: "tampered with", Source: "web:evil.example", Class: provenance.WebContent})
	f.sql("UPDATE records SET state = 'Forgotten' WHERE id = ?", tampered.ID)
	child := f.child("child", tampered.ID)
	f.sql("UPDATE records SET zone = 'Trusted' WHERE id = ?", child)
	truth := f.write(console, Write{Content: "The office in Lyon closes at 5 pm."}).ID
	lie := f.write(agent, Write{Content: "The office in Lyon closes at 9 pm.", Source: "web:evil.example"}).ID
	f.scanned()
	disputed := f.record(lie).State
	out := f.revokes(Revocation{Source: "web:evil.example"})
	for id, want := range map[string]memory.Standing{tampered.ID: standsRejected, child: standsWaiting, lie: standsRejected} {
		if got := f.record(id); got.Standing() != want {
			t.Errorf("%s is %v, want %v (%v, dispute %s)", id, got.Standing(), want, out, disputed)
		}
	}
	if got := f.record(truth); got.Zone != memory.Trusted || got.State != memory.Active && got.State != memory.Approved {
		t.Errorf("the truth is %s %s", got.Zone, got.State)
	}
	open, err := f.db.Contradictions(f.ctx(), memory.ContradictionFilter{Namespace: testNamespace, Open: true, Limit: 10})
	if err != nil || len(open) != 0 {
		t.Errorf("%d contradictions are open, error %v", len(open), err)
	}
}

// The answer tells nothing of what memories say.
func TestRevokeQuotesNothing(t *testing.T) {
	f := newFixture(t)
	id := f.write(agent, Write{Content: plant, Source: "web:evil.example", Subject: "evil subject"}).ID
	for _, dry := range []bool{true, false} {
		out := f.revokes(Revocation{Record: id, DryRun: dry})
		if text := fmt.Sprintf("%+v", out); strings.Contains(text, "invoice") || strings.Contains(text, "subject") || out.Message == "" {
			t.Errorf("%s", text)
		}
	}
}

// What repeats a revoked memory later is kept back as well, and what was found to repeat it before goes with it.
func TestRevokeFollowsOverlap(t *testing.T) {
	f := newFixture(t)
	planted := f.write(agent, Write{Content: "Nordwind is paid at " + webAccount + ".", Source: "web:evil.example"}).ID
	f.later()
	before := f.write(agent, Write{Content: "Energy: DE89370400440532013000."}).ID
	f.revokes(Revocation{Record: planted})
	f.becomes(before, memory.Quarantine, memory.PendingReview)
	after := f.write(agent, Write{Content: "The account for energy is DE89370400440532013000."})
	if r := f.becomes(after.ID, memory.Quarantine, memory.PendingReview); !slices.Contains(r.Parents, planted) {
		t.Errorf("from %v", r.Parents)
	}
}

func BenchmarkRevoke(b *testing.B) {
	f := newFixture(b)
	f.family(200, 1000)
	b.Run("preview of 1201", func(b *testing.B) {
		for b.Loop() {
			if out := f.revokes(Revocation{Source: "web:evil.example", DryRun: true}); out.Changed != 1201 {
				b.Fatalf("%+v", out)
			}
		}
	})
}
