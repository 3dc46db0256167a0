// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// Approving lets a memory in. It raises neither class nor authority, and the zone from Quarantine to Working only.
func TestApprovalRaisesNothing(t *testing.T) {
	f := newFixture(t)
	for _, class := range provenance.Classes {
		for _, zone := range memory.Zones {
			for _, state := range memory.States {
				r := f.put(memory.Record{
					Content: fmt.Sprintf("%s %s %s.", class, zone, state), Class: class, Zone: zone, State: state, Writer: console.writer(),
				})
				_, err := f.decide(r.ID, Decision{Action: memory.ActionApprove})
				if _, possible := memory.Next(memory.ActionApprove, r.Standing()); (err == nil) != (possible == nil) {
					t.Errorf("%s: %v", r.Content, err)
				}
				after := f.record(r.ID)
				raised := after.Zone != r.Zone && (r.Zone != memory.Quarantine || after.Zone != memory.Working)
				if after.Class != r.Class || raised || err == nil && memory.AuthorityOf(after, f.now) == memory.Act {
					t.Errorf("%s: became %s, %s, %s", r.Content, after.Class, after.Zone, memory.AuthorityOf(after, f.now))
				}
				if err == nil && (after.ApprovedBy != reviewer.Principal || after.Commit.Actor != "person/"+reviewer.Principal) {
					t.Errorf("%s: approved by %q, committed by %q", r.Content, after.ApprovedBy, after.Commit.Actor)
				}
			}
		}
	}
}

// Every action leads where the table says, and undoing it leads back into reach of a decision.
func TestDecisionsFollowTheTable(t *testing.T) {
	f := newFixture(t)
	for _, action := range decidable {
		if action == memory.ActionPromote {
			continue
		}
		for _, zone := range memory.Zones {
			for _, state := range memory.States {
				r := f.put(memory.Record{Content: fmt.Sprintf("%s from %s %s.", action, zone, state), Zone: zone, State: state})
				want, impossible := memory.Next(action, r.Standing())
				out, err := f.decide(r.ID, Decision{Action: action})
				if impossible != nil {
					if !errors.Is(err, memory.ErrTransition) {
						t.Errorf("%s: %v", r.Content, err)
					}
					continue
				}
				must(t, err)
				f.becomes(r.ID, want.Zone, want.State)
				if !out.Done || out.Zone != want.Zone || out.State != want.State || out.Message == "" || out.Commit != commitOf(f.record(r.ID)) {
					t.Errorf("%s: answered %+v", r.Content, out)
				}
			}
		}
	}
}

func TestDecisionNamesTheCommitItSaw(t *testing.T) {
	f := newFixture(t)
	id := f.write(agent, Write{Content: publicFact, Source: "web:x"}).ID
	seen := commitOf(f.record(id))
	f.edit(agent, id, Edit{Content: ptr("Something the person has not seen.")})
	if _, err := f.Decide(f.ctx(), reviewer, id, Decision{Action: memory.ActionApprove, Commit: seen, Reason: "ok"}); !errors.Is(err, ErrPrecondition) {
		t.Errorf("approved what nobody saw: %v", err)
	}
	f.becomes(id, memory.Working, memory.PendingReview)
	now := commitOf(f.record(id))
	for field, tt := range map[string]struct {
		person Person
		d      Decision
	}{
		"commit":    {reviewer, Decision{Action: memory.ActionApprove, Reason: "ok"}},
		"reason":    {reviewer, Decision{Action: memory.ActionApprove, Commit: now, Reason: " "}},
		"principal": {Person{}, Decision{Action: memory.ActionApprove, Commit: now, Reason: "ok"}},
		"action":    {reviewer, Decision{Action: memory.ActionSettle, Commit: now, Reason: "ok"}},
		"zone":      {reviewer, Decision{Action: memory.ActionPromote, Commit: now, Reason: "ok"}},
		"namespace": {Person{Principal: "x", Namespace: "A B"}, Decision{Action: memory.ActionApprove, Commit: now, Reason: "ok"}},
	} {
		if _, err := f.Decide(f.ctx(), tt.person, id, tt.d); fieldOf(err) != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	elsewhere := Person{Principal: "x", Namespace: "tenant-b"}
	if _, err := f.Decide(f.ctx(), elsewhere, id, Decision{Action: memory.ActionApprove, Commit: now, Reason: "ok"}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("decided across namespaces: %v", err)
	}
}

func TestConcurrentDecisionsOneWins(t *testing.T) {
	f := newFixture(t)
	id := f.write(agent, Write{Content: publicFact, Source: "web:x"}).ID
	for range 5 {
		f.write(agent, Write{Content: publicFact + "!", Source: "web:x"})
	}
	seen := commitOf(f.record(id))
	actions := []memory.Action{memory.ActionApprove, memory.ActionReject, memory.ActionQuarantine, memory.ActionForget}
	errs := make([]error, 2*len(actions))
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() {
			_, errs[i] = f.Decide(f.ctx(), reviewer, id, Decision{Action: actions[i%len(actions)], Commit: seen, Reason: "r"})
		})
	}
	wg.Wait()
	won := 0
	for _, err := range errs {
		switch {
		case err == nil:
			won++
		case !errors.Is(err, ErrPrecondition):
			t.Errorf("lost with %v", err)
		}
	}
	if won != 1 {
		t.Errorf("%d won", won)
	}
	versions, err := f.db.Versions(f.ctx(), memory.History{Namespace: testNamespace, ID: id, Limit: 100})
	must(t, err)
	if len(versions) != 2 {
		t.Errorf("%d versions", len(versions))
	}
}

func TestPreviewChangesNothing(t *testing.T) {
	f := newFixture(t)
	id := f.write(agent, Write{Content: publicFact, Source: "web:x"}).ID
	f.write(agent, Write{Content: publicFact + "!", Source: "web:x"})
	before, err := f.db.Checkpoint(f.ctx())
	must(t, err)
	for _, a := range []memory.Action{memory.ActionApprove, memory.ActionReject, memory.ActionQuarantine, memory.ActionForget, memory.ActionPurge} {
		out, err := f.decide(id, Decision{Action: a, DryRun: true})
		if err != nil || out.Done || !out.DryRun || len(out.Affected) != 1 || out.Commit != "" || out.Message == "" {
			t.Errorf("%s: %+v, %v", a, out, err)
		}
	}
	after, err := f.db.Checkpoint(f.ctx())
	must(t, err)
	if after.Size != before.Size {
		t.Errorf("%d commits were made", after.Size-before.Size)
	}
}

// What is folded shares the fate of its lead.
func TestFoldedShareTheFate(t *testing.T) {
	for action, want := range map[memory.Action]memory.Standing{
		memory.ActionApprove:    {Zone: memory.Working, State: memory.Superseded},
		memory.ActionReject:     {Zone: memory.Working, State: memory.Rejected},
		memory.ActionForget:     {Zone: memory.Working, State: memory.Forgotten},
		memory.ActionPurge:      {Zone: memory.Working, State: memory.Forgotten},
		memory.ActionQuarantine: {Zone: memory.Quarantine, State: memory.PendingReview},
	} {
		f := newFixture(t)
		lead := f.write(agent, Write{Content: publicFact, Source: "web:x"}).ID
		folded := f.write(agent, Write{Content: publicFact + "!", Source: "web:x"}).ID
		out := f.does(lead, action)
		f.becomes(folded, want.Zone, want.State)
		if len(out.Affected) != 1 || out.Affected[0] != (Affected{ID: folded, Why: whyFolded, State: want.State}) {
			t.Errorf("%s: affected %+v", action, out.Affected)
		}
	}
}

func TestReopen(t *testing.T) {
	f := newFixture(t)
	lead := f.write(agent, Write{Content: publicFact, Source: "web:x"}).ID
	folded := f.write(agent, Write{Content: publicFact + "!", Source: "web:x"}).ID
	f.does(lead, memory.ActionReject)
	f.does(folded, memory.ActionReopen)
	if q := f.review(); q.Total != 1 || q.Items[0].Memory.ID != folded {
		t.Errorf("what was reopened is not in the queue: %+v", q)
	}
	f.becomes(folded, memory.Quarantine, memory.PendingReview)
}

// promotable is a memory from the web that is let in, and two independent ones that say the same.
func promotable(f *fixture) (id string, support []string) {
	f.t.Helper()
	fact := "The office in Lyon closes at 5 pm on Fridays."
	id = f.write(agent, Write{Content: fact, Source: "web:x", Tags: []string{"office"}}).ID
	f.does(id, memory.ActionApprove)
	return id, []string{f.write(console, Write{Content: fact}).ID, f.write(bob, Write{Content: fact}).ID}
}

func evidence(content string) memory.Anchor {
	return memory.Anchor{SourceID: "ticket:4711", EvidenceSHA256: hex.EncodeToString(digest(content))}
}

func promotion(corroborators ...string) Decision {
	return Decision{
		Action: memory.ActionPromote, Zone: memory.Trusted, Anchor: evidence("minutes of the meeting"), Corroborators: corroborators,
	}
}

func unmet(rules []memory.Rule) string {
	var names []string
	for _, r := range memory.Unmet(rules) {
		names = append(names, r.Name)
	}
	return strings.Join(names, ",")
}

func TestPromotion(t *testing.T) {
	f := newFixture(t)
	id, support := promotable(f)
	preview, err := f.decide(id, Decision{Action: memory.ActionPromote, Zone: memory.Trusted, Corroborators: support[:1], DryRun: true})
	must(t, err)
	if preview.Done || unmet(preview.Rules) != "anchor,corroboration" || preview.Zone != memory.Working {
		t.Errorf("the preview says %+v", preview)
	}
	d := promotion(support[:1]...)
	var rules *RuleError
	if _, err := f.decide(id, d); !errors.As(err, &rules) || unmet(rules.Decided.Rules) != "corroboration" {
		t.Errorf("promoted on the word of one: %v", err)
	}
	f.becomes(id, memory.Working, memory.Approved)

	d.Corroborators = nil // they are looked for
	out, err := f.decide(id, d)
	must(t, err)
	r := f.becomes(id, memory.Trusted, memory.Approved)
	if !out.Done || r.Class != provenance.WebContent || memory.AuthorityOf(r, f.now) != memory.Inform || r.Commit.Change != memory.ChangePromote {
		t.Errorf("became %s with authority %s by %s", r.Class, memory.AuthorityOf(r, f.now), r.Commit.Change)
	}
	if !strings.Contains(r.Commit.Reason, d.Anchor.SourceID) || !strings.Contains(r.Commit.Reason, d.Anchor.EvidenceSHA256) {
		t.Errorf("the evidence is not kept: %q", r.Commit.Reason)
	}
	for _, m := range f.recall(Recall{Query: "office Lyon closes"}).Memories {
		if m.ID == id && m.Authority != memory.Inform {
			t.Errorf("delivered with authority %s", m.Authority)
		}
	}
}

// One zone at a time, whatever is asked for.
func TestPromotionIsOneStep(t *testing.T) {
	f := newFixture(t)
	id := f.write(agent, Write{Content: plant, Source: "web:x"}).ID
	preview, err := f.decide(id, Decision{Action: memory.ActionPromote, Zone: memory.Trusted, DryRun: true})
	must(t, err)
	if unmet(preview.Rules) != "transition" {
		t.Errorf("from Quarantine to Trusted: %+v", preview.Rules)
	}
	_, err = f.decide(id, Decision{Action: memory.ActionPromote, Zone: memory.Working})
	must(t, err)
	f.becomes(id, memory.Working, memory.Approved)
}

// Corroboration is by independent principals of a high class and by what they say, not by tags.
func TestFalseCorroborationIsRefused(t *testing.T) {
	f := newFixture(t)
	id, support := promotable(f)
	fact := f.record(id).Content
	another := f.write(console, Write{Content: fact}).ID
	derived := f.write(bob, Write{Content: fact, Parents: []string{support[0]}}).ID
	child := f.write(bob, Write{Content: fact, Parents: []string{id}}).ID
	tagged := f.write(bob, Write{Content: "Ada likes tea.", Tags: []string{"office"}, Subject: "office"}).ID
	web := f.write(agent, Write{Content: fact, Source: "web:y"}).ID
	claimed := f.write(agent, Write{Content: fact, Source: "operator"}).ID
	tampered := f.write(bob, Write{Content: fact}).ID
	f.sql("UPDATE records SET salience = 1 WHERE id = ?", tampered)
	for name, other := range map[string]string{
		"same principal": another, "same root": derived, "its own child": child, "only by tags": tagged, "low class": web,
		"by prefix only": claimed, "tampered": tampered, "itself": id, "the same twice": support[0],
	} {
		var rules *RuleError
		if _, err := f.decide(id, promotion(support[0], other)); !errors.As(err, &rules) || unmet(rules.Decided.Rules) != "corroboration" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := f.decide(id, promotion(memory.NewID())); fieldOf(err) != "corroborators" {
		t.Errorf("absent: %v", err)
	}
	f.becomes(id, memory.Working, memory.Approved)
}

// Rejecting the one that was in the way lets the other stand again, and only then.
func TestRejectingReleases(t *testing.T) {
	f := newFixture(t)
	real := f.put(memory.Record{Content: "The office is in Lyon.", State: memory.Disputed})
	first := f.put(memory.Record{Content: "The office is in Nice.", Class: provenance.WebContent, State: memory.PendingReview})
	second := f.put(memory.Record{Content: "The office is in Rome.", Class: provenance.WebContent, State: memory.PendingReview})
	for _, other := range []memory.Record{first, second} {
		must(t, f.db.PutContradiction(f.ctx(), memory.Contradiction{
			ID: memory.NewID(), Namespace: testNamespace, A: real.ID, B: other.ID, SeqA: real.Seq, SeqB: other.Seq, Signs: []string{"names differ"},
			FoundAt: f.now,
		}))
	}
	f.does(first.ID, memory.ActionReject)
	f.becomes(real.ID, memory.Working, memory.Disputed)
	out := f.does(second.ID, memory.ActionReject)
	f.becomes(real.ID, memory.Working, memory.Approved)
	if len(out.Affected) != 1 || out.Affected[0].Why != whyReleased {
		t.Errorf("affected %+v", out.Affected)
	}
	open, err := f.Contradictions(f.ctx(), reviewer, ContradictionQuery{Open: true})
	must(t, err)
	if len(open.Items) != 0 {
		t.Errorf("%d contradictions are open", len(open.Items))
	}
}

// A purge leaves nothing of the text in any answer, nor in what carried it.
func TestPurgeLeavesNoText(t *testing.T) {
	f := newFixture(t)
	const secret = "zebra-crossing-4711"
	text := "The vault code of the office in Lyon is " + secret + "."
	id := f.write(agent, Write{
		Content: text, Source: "web:x", Subject: secret, Tags: []string{secret}, Metadata: map[string]string{"k": secret}, Kind: secret,
	}).ID
	folded := f.write(agent, Write{Content: text + "!", Source: "web:x"}).ID
	f.edit(agent, id, Edit{Content: ptr(text + " Since May.")})
	proposal := f.edit(console, id, Edit{Content: ptr(text + " Until June.")})
	request, err := f.Forget(f.ctx(), console, id, ForgetRequest{})
	must(t, err)
	if !proposal.Proposal || request.Done {
		t.Fatal("nothing was proposed")
	}
	f.does(id, memory.ActionPurge)
	for _, gone := range []string{id, folded, proposal.ID} {
		r := f.record(gone)
		if r.State != memory.Forgotten || len(r.Erased) == 0 {
			t.Errorf("%s is %s", gone, r.State)
		}
	}
	answers := []any{f.recall(Recall{Query: "vault code Lyon"}), f.recall(Recall{})}
	for _, who := range []string{id, folded, proposal.ID, request.ReviewID} {
		seen, err := f.Inspect(f.ctx(), reviewer, who, Reading{})
		must(t, err)
		if who == id && (!seen.Purged || seen.Fault != "") {
			t.Errorf("shown as %+v", seen)
		}
		log, _, err := f.InspectLog(f.ctx(), reviewer, who, LogQuery{})
		must(t, err)
		answers = append(answers, seen, log)
	}
	listed, err := f.List(f.ctx(), agent, Listing{})
	must(t, err)
	browsed, err := f.Browse(f.ctx(), reviewer, Browsing{States: memory.States})
	must(t, err)
	var export strings.Builder
	must(t, f.Export(f.ctx(), reviewer, &export))
	answers = append(answers, listed, browsed, f.review(), export.String())
	for _, a := range answers {
		if out, err := json.Marshal(a); err != nil || strings.Contains(string(out), secret) {
			t.Errorf("an answer holds the text (%v): %s", err, out)
		}
	}
	for _, a := range []memory.Action{memory.ActionReopen, memory.ActionPurge, memory.ActionApprove} {
		if _, err := f.decide(id, Decision{Action: a}); !errors.Is(err, memory.ErrTransition) {
			t.Errorf("%s of what was purged: %v", a, err)
		}
	}
}

// What does not verify can be taken away, and is never signed as something trusted.
func TestTamperedCanOnlyBeTakenAway(t *testing.T) {
	for _, action := range decidable {
		f := newFixture(t)
		id := f.write(agent, Write{Content: publicFact, Source: "web:x"}).ID
		f.sql(`UPDATE records SET zone = 'Trusted', class = 'Manual', state = 'PendingReview', channel = 'console', principal = 'alice',
			approved_by = 'alice', pinned = 1 WHERE id = ?`, id)
		seen, err := f.Inspect(f.ctx(), reviewer, id, Reading{})
		must(t, err)
		if seen.Fault != ReasonTampered || seen.Authority != memory.None || seen.Boundary != memory.Blocked {
			t.Errorf("shown as %+v", seen)
		}
		_, err = f.decide(id, Decision{Action: action, Zone: memory.Trusted})
		if !contains(distrustful, action) {
			if !errors.Is(err, memory.ErrTransition) {
				t.Errorf("%s: %v", action, err)
			}
			continue
		}
		must(t, err)
		r := f.record(id)
		if r.Class != provenance.Unknown || r.Zone != memory.Quarantine || r.ApprovedBy != "" || r.Pinned {
			t.Errorf("%s: signed again as %s in %s", action, r.Class, r.Zone)
		}
		v, err := f.newest(f.ctx(), f.state, testNamespace, id)
		if err != nil || v.fault != "" {
			t.Errorf("%s: %s, %v", action, v.fault, err)
		}
	}
}

// An old row that was put back is no way to undo a decision, and can be decided about.
func TestRolledBackRow(t *testing.T) {
	f := newFixture(t)
	id := f.write(agent, Write{Content: publicFact, Source: "web:x"}).ID
	old := f.record(id)
	f.does(id, memory.ActionReject)
	f.sql("UPDATE records SET seq = ?, state = ?, tag = ?, commit_hash = ?, commit_parents = NULL, change = ?, actor = ?, reason = '' WHERE id = ?",
		old.Seq, string(old.State), old.Tag, old.Commit.Hash, string(old.Commit.Change), old.Commit.Actor, id)
	if _, err := f.decide(id, Decision{Action: memory.ActionApprove}); !errors.Is(err, memory.ErrTransition) {
		t.Errorf("approved: %v", err)
	}
	f.does(id, memory.ActionForget)
	if r := f.becomes(id, memory.Quarantine, memory.Forgotten); r.Class != provenance.Unknown {
		t.Errorf("class %s", r.Class)
	}
}

func TestPinByAPerson(t *testing.T) {
	f := newFixture(t)
	pin := func(id string, pinned bool) (Decided, error) {
		return f.Pin(f.ctx(), reviewer, id, pinned, commitOf(f.record(id)), "matters")
	}
	rule := f.write(console, Write{Content: operatorRule}).ID
	if out, err := pin(rule, true); err != nil || !out.Done || !f.record(rule).Pinned {
		t.Errorf("pinned: %+v, %v", out, err)
	}
	if r := f.record(rule); memory.AuthorityOf(r, f.now) != memory.Act || r.Commit.Actor != "person/"+reviewer.Principal {
		t.Errorf("pinning left authority %s, by %s", memory.AuthorityOf(r, f.now), r.Commit.Actor)
	}
	if _, err := pin(rule, false); err != nil || f.record(rule).Pinned {
		t.Errorf("unpinned: %v", err)
	}
	var forbidden *ForbiddenError
	web := f.write(agent, Write{Content: publicFact, Source: "web:x"}).ID
	f.does(web, memory.ActionApprove)
	if _, err := pin(web, true); !errors.As(err, &forbidden) {
		t.Errorf("a memory from the web was pinned: %v", err)
	}
	claimed := f.write(agent, Write{Content: "The user prefers tea.", Source: "operator"}).ID
	if _, err := pin(claimed, true); !errors.As(err, &forbidden) {
		t.Errorf("a claim was pinned: %v", err)
	}
	if _, err := f.Pin(f.ctx(), reviewer, rule, true, commitOf(f.record(web)), "x"); !errors.Is(err, ErrPrecondition) {
		t.Errorf("another commit: %v", err)
	}
	// A pin does not outlive what it rests on.
	must(t, func() error { _, err := pin(rule, true); return err }())
	f.does(rule, memory.ActionQuarantine)
	if f.record(rule).Pinned {
		t.Error("pinned in Quarantine")
	}
}

func contains(actions []memory.Action, a memory.Action) bool {
	for _, b := range actions {
		if a == b {
			return true
		}
	}
	return false
}

func TestReviewQueue(t *testing.T) {
	f := newFixture(t, func(s *v1alpha1.MemoryTrustPolicySpec) { s.Review = v1alpha1.ReviewModeWithhold })
	var ids []string
	for i := range 5 {
		ids = append(ids, f.write(agent, Write{Content: strings.Repeat(string(rune('a'+i)), 40), Source: "web:x"}).ID)
	}
	f.write(agent, Write{Content: "Waits for nobody."})
	var got []string
	query := QueueQuery{Limit: 2}
	for {
		page, err := f.Review(f.ctx(), reviewer, query)
		must(t, err)
		if page.Total != 5 {
			t.Fatalf("%d wait", page.Total)
		}
		for _, item := range page.Items {
			got = append(got, item.Memory.ID)
			if item.Memory.Content == "" || !contains(item.Actions, memory.ActionApprove) || contains(item.Actions, memory.ActionEdit) {
				t.Errorf("item %+v", item)
			}
		}
		if page.Next == "" {
			break
		}
		query.Cursor = page.Next
	}
	if strings.Join(got, ",") != strings.Join(ids, ",") {
		t.Errorf("shown %v, want %v", got, ids)
	}
	if _, err := f.Review(f.ctx(), reviewer, QueueQuery{Cursor: "x"}); fieldOf(err) != "cursor" {
		t.Errorf("a bad cursor: %v", err)
	}
	if _, err := f.Review(f.ctx(), Person{}, QueueQuery{}); fieldOf(err) != "principal" {
		t.Errorf("nobody: %v", err)
	}
}

// What people read is no delivery to the agent, and an older version is shown as it was.
func TestInspect(t *testing.T) {
	f := newFixture(t)
	id := f.write(agent, Write{Content: "First."}).ID
	first, at := commitOf(f.record(id)), f.now
	f.now = f.now.Add(time.Hour)
	f.edit(agent, id, Edit{Content: ptr("Second.")})
	hidden := f.write(agent, Write{Content: plant, Source: "web:x"}).ID
	for name, tt := range map[string]struct {
		id   string
		q    Reading
		want string
	}{
		"newest":    {id, Reading{}, "Second."},
		"by commit": {id, Reading{Commit: first}, "First."},
		"by time":   {id, Reading{At: at}, "First."},
		"Blocked":   {hidden, Reading{}, plant},
	} {
		got, err := f.Inspect(f.ctx(), reviewer, tt.id, tt.q)
		if err != nil || got.Content != tt.want || got.Fault != "" || got.KeyID == "" || got.Commit == "" {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	if _, err := f.Inspect(f.ctx(), reviewer, id, Reading{Commit: strings.Repeat("ab", 32)}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("a commit that never was: %v", err)
	}
	var versions []string
	q := LogQuery{Limit: 1}
	for {
		page, next, err := f.InspectLog(f.ctx(), reviewer, id, q)
		must(t, err)
		for _, v := range page {
			versions = append(versions, v.Content)
		}
		if next == "" {
			break
		}
		q.Cursor = next
	}
	if strings.Join(versions, " ") != "Second. First." {
		t.Errorf("versions %v", versions)
	}
	log, err := f.db.Deliveries(f.ctx(), memory.DeliveryFilter{Namespace: testNamespace, Limit: 10})
	if err != nil || len(log) != 0 {
		t.Errorf("%d deliveries, %v", len(log), err)
	}
}

func TestBrowse(t *testing.T) {
	f := newFixture(t)
	hidden := f.write(agent, Write{Content: plant, Source: "web:x"}).ID
	f.write(agent, Write{Content: publicFact})
	f.does(f.write(agent, Write{Content: "Rejected.", Source: "web:y"}).ID, memory.ActionReject)
	page, err := f.Browse(f.ctx(), reviewer, Browsing{Listing: Listing{Zone: memory.Quarantine}})
	must(t, err)
	if len(page.Memories) != 1 || page.Memories[0].ID != hidden || page.Memories[0].Content != "" {
		t.Errorf("%+v", page)
	}
	page, err = f.Browse(f.ctx(), reviewer, Browsing{States: []memory.State{memory.Rejected}})
	must(t, err)
	if len(page.Memories) != 1 || page.Memories[0].State != memory.Rejected {
		t.Errorf("%+v", page)
	}
	first, err := f.Browse(f.ctx(), reviewer, Browsing{Listing: Listing{Limit: 1}})
	must(t, err)
	second, err := f.Browse(f.ctx(), reviewer, Browsing{Listing: Listing{Limit: 1, Cursor: first.Next}})
	must(t, err)
	if first.Memories[0].ID != hidden || second.Memories[0].ID == hidden {
		t.Errorf("pages %+v, %+v", first, second)
	}
	if _, err := f.Browse(f.ctx(), reviewer, Browsing{States: []memory.State{"Odd"}}); fieldOf(err) != "state" {
		t.Errorf("an unknown state: %v", err)
	}
}
