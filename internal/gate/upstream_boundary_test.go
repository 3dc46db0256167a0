// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// withLedger is a server with a text of the user, one of the agent, one that waits, and tools, one of which waits; in a gate with
// one memory. It returns what is recorded, by id, beside the memory.
func withLedger(t *testing.T) (*served, memory.Record, map[string]memory.Record) {
	t.Helper()
	u := newServed(t)
	u.opens(chat, "c")
	u.says(chat, "c", "1", tea)
	u.stores("c", tea)
	u.stores("w", publicFact)
	u.admit("w", plant)
	u.pin("add", "Adds a note.")
	u.pin("add", "Adds a note twice.")
	mine := u.record(u.write(agent, Write{Content: "The user owns a bicycle."}).ID)
	all, err := u.db.List(u.ctx(), memory.Filter{Namespace: testNamespace, Limit: 100})
	must(t, err)
	beside := map[string]memory.Record{}
	for _, r := range all {
		if r.ID != mine.ID {
			beside[r.ID] = r
		}
	}
	if len(beside) != 5 {
		t.Fatalf("%d records", len(beside))
	}
	return u, mine, beside
}

// Nothing that is recorded of upstreams comes out with the agent's own memory, whatever it asks and in DryRun as well.
func TestLedgerIsNoMemory(t *testing.T) {
	u, mine, beside := withLedger(t)
	for _, enforcement := range []func(*v1alpha1.MemoryTrustPolicySpec){enforce, dryRun} {
		u.change(enforcement)
		for _, q := range []Recall{
			{}, {Query: "green tea morning"}, {Query: "note upstream"}, {Kinds: []string{kindUpstream}}, {Kinds: []string{kindTool}, Query: "note"},
			{Zones: memory.Zones, Query: publicFact, XRay: true},
		} {
			out := u.recall(q)
			for _, m := range out.Memories {
				if m.ID != mine.ID {
					t.Errorf("%+v delivers %q", q, m.Content)
				}
			}
			if len(out.Withheld) > 0 || out.XRay != nil && len(out.XRay.Items) > 1 {
				t.Errorf("%+v tells of %+v, %+v", q, out.Withheld, out.XRay)
			}
		}
		for _, l := range []Listing{{}, {Kinds: []string{kindUpstream}}, {Zone: memory.Quarantine}, {Subject: "upstream notes"}} {
			page, err := u.List(u.ctx(), agent, l)
			must(t, err)
			for _, m := range page.Memories {
				if m.ID != mine.ID {
					t.Errorf("%+v lists %q", l, m.Content)
				}
			}
			if len(page.Withheld) > 0 {
				t.Errorf("%+v tells of %+v", l, page.Withheld)
			}
		}
		queue, err := u.Queue(u.ctx(), agent, QueueQuery{})
		must(t, err)
		told, err := json.Marshal(queue)
		must(t, err)
		for _, r := range beside { // that something waits is no secret
			if strings.Contains(string(told), r.Content) || r.Subject != "" && strings.Contains(string(told), r.Subject) {
				t.Errorf("the queue tells %s", told)
			}
		}
		for id, r := range beside {
			for way, try := range map[string]func() error{
				"get":    func() error { _, err := u.Get(u.ctx(), agent, id, Reading{}); return err },
				"log":    func() error { _, err := u.Log(u.ctx(), agent, id, LogQuery{}); return err },
				"commit": func() error { _, err := u.Get(u.ctx(), agent, id, Reading{Commit: commitOf(r)}); return err },
				"forget": func() error { _, err := u.Forget(u.ctx(), agent, id, ForgetRequest{}); return err },
				"edit":   func() error { _, err := u.Edit(u.ctx(), agent, id, Edit{Content: ptr("x")}); return err },
			} {
				if err := try(); !errors.Is(err, memory.ErrNotFound) {
					t.Errorf("%s of %s: %v", way, r.Kind, err)
				}
			}
			for field, w := range map[string]Write{
				"parents": {Content: "A note.", Parents: []string{id}}, "supersedes": {Content: "A note.", Supersedes: []string{id}},
			} {
				if _, err := u.Encode(u.ctx(), agent, w); fieldOf(err) != field {
					t.Errorf("%s of %s: %v", field, r.Kind, err)
				}
			}
		}
	}
	for _, kind := range []string{kindUpstream, kindTool, "MemoryTrust.dev/upstream"} {
		if _, err := u.Encode(u.ctx(), console, Write{Content: "x", Kind: kind}); fieldOf(err) != "kind" {
			t.Errorf("kind %s: %v", kind, err)
		}
	}
}

// However much a ledger holds, the agent's own memories are found and listed.
func TestLedgerCrowdsNothingOut(t *testing.T) {
	u := newServed(t)
	var texts []string
	for i := range 900 {
		texts = append(texts, fmt.Sprintf("The user likes bicycle number %d of the %s.", i, topics[i%len(topics)]))
	}
	mine := u.write(agent, Write{Content: "The user likes a bicycle of steel best of all of the things in the garage."})
	u.stores("w", texts...)
	for _, q := range []Recall{{}, {Query: "user likes bicycle"}} {
		if out := u.recall(q); len(out.Memories) != 1 || out.Memories[0].ID != mine.ID {
			t.Errorf("%+v finds %d memories", q, len(out.Memories))
		}
	}
	if page, err := u.List(u.ctx(), agent, Listing{Limit: 1}); err != nil || len(page.Memories) != 1 {
		t.Errorf("%+v, %v", page, err)
	}
}

// People see it all, under a subject that says what it is, and it is counted, exported and kept like memories.
func TestLedgerForPeople(t *testing.T) {
	u, _, beside := withLedger(t)
	page, err := u.Browse(u.ctx(), reviewer, Browsing{Listing: Listing{Subject: "upstream notes"}})
	if err != nil || len(page.Memories) != 3 {
		t.Errorf("%d texts, %v", len(page.Memories), err)
	}
	for id, r := range beside {
		seen, err := u.Inspect(u.ctx(), reviewer, id, Reading{})
		if err != nil || seen.Content != r.Content || !strings.HasPrefix(seen.Subject, "upstream notes") || seen.Fault != "" {
			t.Errorf("%+v, %v", seen, err)
		}
	}
	if total := u.review().Total; total != 2 {
		t.Errorf("%d items wait", total)
	}
	counts, err := u.Zones(u.ctx(), agent)
	if err != nil || counts.Zones[memory.Quarantine] != 3 || counts.Zones[memory.Trusted] != 1 || counts.Zones[memory.Working] != 2 {
		t.Errorf("%+v, %v", counts, err)
	}
	report, err := u.TrustReport(u.ctx(), reviewer)
	if err != nil || report.Claiming != 1 || report.Trusted != 1 {
		t.Errorf("%+v, %v", report, err)
	}
	var file bytes.Buffer
	must(t, u.Export(u.ctx(), reviewer, &file))
	fresh := newServed(t)
	fresh.keys = u.keys
	fresh.loadKeys(u.state.Keyset.KeyIDs())
	out, err := fresh.Import(fresh.ctx(), reviewer, &file)
	if err != nil || out.Restored != 6 {
		t.Fatalf("%+v, %v", out, err)
	}
	fresh.delivers("after an import", tea, provenance.UserInput, memory.Safe)
	fresh.withholds("after an import", plant, ReasonQuarantined)
	if p := fresh.pin("add", "Adds a note three times."); p.State != PinWaiting {
		t.Errorf("after an import: %+v", p)
	}
	// What another agent exported is not believed.
	file.Reset()
	must(t, u.Export(u.ctx(), reviewer, &file))
	stranger := newServed(t)
	if out, err := stranger.Import(stranger.ctx(), reviewer, &file); err != nil || out.Refused != 5 || out.Restored != 1 {
		t.Errorf("of another agent: %+v, %v", out, err)
	}
}

// Keys are rotated, texts age, and no scan for contradictions looks at them.
func TestLedgerIsLookedAfter(t *testing.T) {
	u, _, beside := withLedger(t)
	old := u.state.Keyset.PrimaryID()
	next := u.newKey()
	u.loadKeys([]string{next, old})
	m := &maintenance{gate: u.Gate, log: slog.New(slog.NewTextHandler(io.Discard, nil)), started: u.now}
	signed, err := m.resign(u.ctx(), u.state, []string{testNamespace}, u.now)
	if err != nil || signed != len(beside)+1 {
		t.Fatalf("%d signed, %v", signed, err)
	}
	u.loadKeys([]string{next})
	u.delivers("under the new key", tea, provenance.UserInput, memory.Safe)
	if p := u.pin("add", "Adds a note."); p.State != PinPinned {
		t.Errorf("under the new key: %+v", p)
	}
	u.stores("w", "The office opens at 9.", "The office opens at 10.")
	if out := u.scanned(); out.Found != 0 || out.Pairs != 0 {
		t.Errorf("%+v", out)
	}
	u.change(func(s *v1alpha1.MemoryTrustPolicySpec) {
		s.Zones.Classes = append(s.Zones.Classes,
			v1alpha1.ClassRules{Class: "AgentInferred", StaleAfterSeconds: 3600}, v1alpha1.ClassRules{Class: "ToolOutput", StaleAfterSeconds: 3600})
	})
	u.now = u.now.Add(2 * time.Hour)
	_, err = u.age(u.ctx(), &deciding{gate: u.Gate, state: u.state, namespace: testNamespace, actor: agingActor, now: u.now})
	must(t, err)
	u.delivers("aged", publicFact, provenance.AgentInferred, memory.RequiresReview)
	u.becomes(u.entry(publicFact).ID, memory.Working, memory.Stale)
	if p := u.pin("add", "Adds a note."); p.State != PinPinned {
		t.Errorf("aged: %+v", p)
	}
	u.now = u.now.Add(30 * 24 * time.Hour)
	_, err = u.tidyQueue(u.ctx(), &deciding{gate: u.Gate, state: u.state, namespace: testNamespace, actor: queueActor, now: u.now})
	must(t, err)
	u.becomes(u.entry(plant).ID, memory.Quarantine, memory.Forgotten)
	u.withholds("nobody decided", plant, ReasonQuarantined)
	if p := u.pin("add", "Adds a note twice."); p.State != PinWaiting {
		t.Errorf("nobody decided: %+v", p)
	}
}

// A text of the user in an upstream keeps the authority of a session that read it, and names arguments there, as a memory of our
// own does; what is not the user's names none.
func TestLedgerGrounds(t *testing.T) {
	u := newServed(t, toolRules)
	u.opens(chat, "c")
	u.says(chat, "c", "1", order)
	u.stores("c", order)
	u.opens(chat, "s")
	if v := u.gets("s", order); v.Withheld || v.Class != provenance.UserInput {
		t.Errorf("%+v", v)
	}
	if out := u.authorize("s", "pay_card", pay); out.Decision != ActionAllow {
		t.Errorf("in a session that met nothing low: %+v", out)
	}
	u.fetched("s", "It is sunny.")
	if out := u.authorize("s", "pay_card", pay); out.Decision != ActionAllow || out.Arguments[0].By != groundedByMemory {
		t.Errorf("after a page: %+v", out)
	}
	u.opens(chat, "other")
	u.fetched("other", "It is sunny.")
	if out := u.authorize("other", "pay_card", pay); out.Decision != ActionRequireApproval {
		t.Errorf("in a session that was not handed it: %+v", out)
	}
	u.does(u.userEntry(order).ID, memory.ActionQuarantine)
	if out := u.authorize("s", "pay_card", pay); out.Decision != ActionRequireApproval {
		t.Errorf("after a person took it away: %+v", out)
	}
}

// What the agent keeps in an upstream on its own, or of a page, names no argument.
func TestLedgerOfTheAgentGroundsNothing(t *testing.T) {
	for name, text := range map[string]string{"its own": order, "of a page": webPage} {
		u := newServed(t, toolRules)
		u.fetched("c", webPage)
		u.store("c", text)
		u.gets("s", text)
		if out := u.authorize("s", "pay_card", pay); out.Decision != ActionRequireApproval {
			t.Errorf("%s: %+v", name, out)
		}
	}
}

// Revoking takes texts of an upstream away together with what was made of them, in memory and in the upstream.
func TestLedgerIsRevoked(t *testing.T) {
	u := newServed(t)
	page := u.write(agent, Write{Content: webPage, Source: "web:nordwind.example"})
	u.later()
	const noted = "Nordwind is paid to DE89370400440532013000."
	u.stores("w", noted, tea)
	u.stores("w", "Suppliers by account: DE89370400440532013000 is the one for energy.")
	out := u.revokes(Revocation{Source: "web:nordwind.example", Reason: "the page was planted"})
	if out.Named != 1 || out.Descendants < 1 {
		t.Fatalf("%+v of %s", out, page.ID)
	}
	u.withholds("made of it", noted, ReasonQuarantined)
	u.withholds("made of it again", "Suppliers by account: DE89370400440532013000 is the one for energy.", ReasonQuarantined)
	u.delivers("not of it", tea, provenance.AgentInferred, memory.Safe)
	u.revokes(Revocation{KeyID: u.state.Keyset.PrimaryID(), Reason: "the key leaked"})
	u.withholds("signed with the key", tea, ReasonQuarantined)
}
