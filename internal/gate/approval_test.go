// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/action"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// asked is a fixture in which the agent asked for a payment in session "s", and the answer.
func asked(t *testing.T, change ...func(*v1alpha1.MemoryTrustPolicySpec)) (*fixture, Authorized) {
	t.Helper()
	f := newFixture(t, append([]func(*v1alpha1.MemoryTrustPolicySpec){users, toolRules}, change...)...)
	f.poisoned("s")
	out := f.authorize("s", "pay_card", pay)
	if out.Decision != ActionRequireApproval || out.ApprovalID == "" {
		t.Fatalf("%+v", out)
	}
	return f, out
}

// The request is in the person's queue, with everything they need to decide, and nowhere else.
func TestRequestWaits(t *testing.T) {
	f, out := asked(t)
	record := f.becomes(out.ApprovalID, memory.Quarantine, memory.PendingReview)
	want := `{"arguments":{"amount":120,"note":"invoice 4711","to":"` + lyon + `"},"policy":"` + f.state.Runtime.Revision + `","session":"s","tool":"pay_card"}`
	if record.Content != want || record.Kind != kindAction || record.Subject != "pay_card" || record.Session != "s" {
		t.Errorf("the request is %s: %s", record.Kind, record.Content)
	}
	if want := f.now.Add(time.Hour); !record.Expiry.Equal(want) || !out.Expires.Equal(want) {
		t.Errorf("it waits until %v, the answer says %v, want %v", record.Expiry, out.Expires, want)
	}
	if record.Class != provenance.WebContent || len(record.Parents) != 1 || record.Parents[0] != out.Responsible[0].ID {
		t.Errorf("class %s, parents %v", record.Class, record.Parents)
	}
	var item *ReviewItem
	for _, i := range f.review().Items {
		if i.Memory.ID == out.ApprovalID {
			item = &i
		}
	}
	if item == nil {
		t.Fatal("it is not in the queue")
	}
	reasons := []string{"rule payments", "mark of the session: WebContent", "not named by the user: to, amount"}
	if diff := cmp.Diff(reasons, item.Memory.Reasons); diff != "" {
		t.Errorf("reasons differ (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]memory.Action{"Approve", "Reject", "Forget", "Purge"}, item.Actions); diff != "" {
		t.Errorf("what can be decided differs (-want +got):\n%s", diff)
	}
	// Asking again asks nothing new, in whatever order the arguments come.
	again := f.authorize("s", "pay_card", `{ "note":"invoice 4711", "amount":120, "to":"`+lyon+`" }`)
	if again.ApprovalID != out.ApprovalID || f.review().Total != 2 {
		t.Errorf("asked again as %s, %d items wait", again.ApprovalID, f.review().Total)
	}
}

func TestApprovalIsUsedOnce(t *testing.T) {
	f, first := asked(t)
	reg := prometheus.NewRegistry()
	f.metrics = NewMetrics(reg)
	decided := f.does(first.ApprovalID, memory.ActionApprove)
	if decided.Zone != memory.Quarantine || decided.State != memory.Approved || !strings.Contains(decided.Message, "once, within 5m0s") {
		t.Errorf("%+v", decided)
	}
	approved := f.becomes(first.ApprovalID, memory.Quarantine, memory.Approved)
	if approved.ApprovedBy != reviewer.Principal || !approved.Expiry.Equal(f.now.Add(5*time.Minute)) {
		t.Errorf("approved by %s until %v", approved.ApprovedBy, approved.Expiry)
	}
	out := f.authorize("s", "pay_card", pay)
	if out.Decision != ActionAllow || out.ApprovalID != first.ApprovalID || !strings.Contains(out.Message, "approved exactly this call") {
		t.Errorf("%+v", out)
	}
	used := f.becomes(first.ApprovalID, memory.Quarantine, memory.Forgotten)
	if used.Commit.Reason != usedReason || used.Commit.Actor != "agent" {
		t.Errorf("used up by %s: %s", used.Commit.Actor, used.Commit.Reason)
	}
	second := f.authorize("s", "pay_card", pay)
	if second.Decision != ActionRequireApproval || second.ApprovalID == first.ApprovalID {
		t.Errorf("the second call is %s with %s", second.Decision, second.ApprovalID)
	}
	want := map[string]float64{"Allow payments": 1, "RequireApproval payments": 1}
	for _, m := range gathered(t, reg, "memorytrust_actions_total") {
		if want[m.labels] != m.value {
			t.Errorf("%s counted %v, want %v", m.labels, m.value, want[m.labels])
		}
	}
}

// Of calls at the same time exactly one uses an approval.
func TestApprovalIsUsedOnceAtTheSameTime(t *testing.T) {
	f, first := asked(t)
	f.does(first.ApprovalID, memory.ActionApprove)
	const calls = 16
	var group sync.WaitGroup
	answers := make([]Authorized, calls)
	for i := range calls {
		group.Go(func() {
			var err error
			answers[i], err = f.Authorize(f.ctx(), agent, ActionRequest{Tool: "pay_card", Arguments: json.RawMessage(pay), Session: "s"})
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	allowed, requests := 0, map[string]bool{}
	for _, a := range answers {
		if a.Decision == ActionAllow {
			allowed++
			continue
		}
		requests[a.ApprovalID] = true
	}
	if allowed != 1 || len(requests) != 1 || requests[first.ApprovalID] {
		t.Errorf("%d calls were allowed, the others wait as %v", allowed, requests)
	}
}

// conflicting lets another change come before each commit that uses an approval.
type conflicting struct {
	memory.Store
	before func()
}

func (c *conflicting) Commit(ctx context.Context, change memory.Change) (memory.Record, error) {
	if change.Reason == usedReason && c.before != nil {
		before := c.before
		c.before = nil
		before()
	}
	return c.Store.Commit(ctx, change)
}

// A person who takes the approval back in the very moment it is used wins, or the call does.
func TestApprovalIsTakenBack(t *testing.T) {
	f, first := asked(t)
	f.does(first.ApprovalID, memory.ActionApprove)
	f.pending.Store = &conflicting{Store: f.db, before: func() { f.does(first.ApprovalID, memory.ActionForget) }}
	out := f.authorize("s", "pay_card", pay)
	if out.Decision != ActionRequireApproval || out.ApprovalID == first.ApprovalID {
		t.Errorf("%+v", out)
	}
}

// Who revokes a memory does not want the call that it led to.
func TestApprovalGoesWithWhatItCameFrom(t *testing.T) {
	f, out := asked(t)
	f.does(out.ApprovalID, memory.ActionApprove)
	f.revokes(Revocation{Record: out.Responsible[0].ID, Reason: "the page was planted"})
	if again := f.authorize("s", "pay_card", pay); again.Decision != ActionRequireApproval {
		t.Errorf("what goes back to a revoked memory is %s", again.Decision)
	}
	if r := f.record(out.ApprovalID); r.Live() {
		t.Errorf("the approval is %s", r.State)
	}
}

// An approval is of exactly one call.
func TestApprovalOfAnotherCall(t *testing.T) {
	schema := json.RawMessage(`{"type": "object"}`)
	tests := map[string]struct {
		does    func(f *fixture, id string)
		request func(r *ActionRequest)
		allowed bool
		id      string // of the request: "same", or another when empty
	}{
		"the same":             {allowed: true, id: "same"},
		"written otherwise":    {request: args(`{"note":"invoice\u00204711","to":"` + lyon + `","amount":120}`), allowed: true, id: "same"},
		"another amount":       {request: args(strings.ReplaceAll(pay, "120", "1200"))},
		"the amount otherwise": {request: args(strings.ReplaceAll(pay, "120", "120.0"))},
		"another account":      {request: args(strings.ReplaceAll(pay, lyon, evil))},
		"another note":         {request: args(strings.ReplaceAll(pay, "4711", "4712"))},
		"one argument more":    {request: args(strings.Replace(pay, "{", `{"cc": null, `, 1))},
		"another tool":         {request: func(r *ActionRequest) { r.Tool = "pay_cash" }},
		"another session":      {request: func(r *ActionRequest) { r.Session = "t" }},
		"no session":           {request: func(r *ActionRequest) { r.Session = "" }},
		"another schema":       {request: func(r *ActionRequest) { r.Schema = json.RawMessage(`{"type":"object","x":1}`) }},
		"no schema":            {request: func(r *ActionRequest) { r.Schema = nil }},
		"another policy": {does: func(f *fixture, _ string) {
			f.change(func(s *v1alpha1.MemoryTrustPolicySpec) { s.Limits.MaxRecallResults = 7 })
		}},
		"a policy that denies": {does: func(f *fixture, _ string) {
			f.change(func(s *v1alpha1.MemoryTrustPolicySpec) { s.Actions.Rules[0].Otherwise = "Deny" })
		}, id: "none"},
		"its time is over":      {does: func(f *fixture, _ string) { f.now = f.now.Add(5 * time.Minute) }},
		"just in time":          {does: func(f *fixture, _ string) { f.now = f.now.Add(5*time.Minute - time.Second) }, allowed: true, id: "same"},
		"taken back":            {does: func(f *fixture, id string) { f.does(id, memory.ActionForget) }},
		"purged":                {does: func(f *fixture, id string) { f.does(id, memory.ActionPurge) }},
		"signed with a new key": {does: func(f *fixture, _ string) { f.resigned() }, allowed: true, id: "same"},
		"the key is gone":       {does: func(f *fixture, _ string) { f.load(f.newKey()) }},
		"forged: a longer time": {does: func(f *fixture, id string) {
			f.now = f.now.Add(10 * time.Minute)
			f.sql("UPDATE records SET expiry = ? WHERE id = ?", f.now.Add(time.Hour).UnixMicro(), id)
		}},
		"forged: another call": {does: func(f *fixture, id string) {
			f.sql("UPDATE records SET content = replace(content, '120', '1200') WHERE id = ?", id)
		}, request: args(strings.ReplaceAll(pay, "120", "1200"))},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, users, toolRules)
			f.poisoned("s")
			r := ActionRequest{Tool: "pay_card", Arguments: json.RawMessage(pay), Session: "s", Schema: schema}
			first, err := f.Authorize(f.ctx(), agent, r)
			must(t, err)
			f.does(first.ApprovalID, memory.ActionApprove)
			if tt.does != nil {
				tt.does(f, first.ApprovalID)
			}
			if tt.request != nil {
				tt.request(&r)
			}
			out, err := f.Authorize(f.ctx(), agent, r)
			must(t, err)
			if (out.Decision == ActionAllow) != tt.allowed {
				t.Errorf("%s: %s", out.Decision, out.Message)
			}
			switch tt.id {
			case "same":
				if out.ApprovalID != first.ApprovalID {
					t.Errorf("decided by %s", out.ApprovalID)
				}
			case "none":
				if out.ApprovalID != "" || out.Decision != ActionDeny {
					t.Errorf("%+v", out)
				}
			default:
				if out.ApprovalID == "" || out.ApprovalID == first.ApprovalID {
					t.Errorf("decided by %q", out.ApprovalID)
				}
			}
		})
	}
}

func args(text string) func(*ActionRequest) {
	return func(r *ActionRequest) { r.Arguments = json.RawMessage(text) }
}

// resigned makes another key the primary one, and signs with it what there is.
func (f *fixture) resigned() {
	f.t.Helper()
	f.loadKeys([]string{f.newKey(), f.state.Keyset.PrimaryID()})
	m, _ := f.looking()
	m.look(f.ctx())
}

// What the database says without a signature is nothing.
func TestForgedApproval(t *testing.T) {
	tests := map[string]func(f *fixture, id string){
		"state": func(f *fixture, id string) { f.sql("UPDATE records SET state = 'Approved' WHERE id = ?", id) },
		"state and person": func(f *fixture, id string) {
			f.sql("UPDATE records SET state = 'Approved', approved_by = 'carol@example.com' WHERE id = ?", id)
		},
		"used one back to what it was": func(f *fixture, id string) {
			f.does(id, memory.ActionApprove)
			approved := f.record(id)
			if out := f.authorize("s", "pay_card", pay); out.Decision != ActionAllow {
				f.t.Fatalf("%+v", out)
			}
			f.sql("UPDATE records SET state = 'Approved', approved_by = ?, expiry = ?, seq = ?, tag = ?, commit_hash = ?, commit_parents = ?, change = ?, actor = ?, reason = ?, updated_at = ? WHERE id = ?",
				approved.ApprovedBy, approved.Expiry.UnixMicro(), approved.Seq, approved.Tag, approved.Commit.Hash, approved.Commit.Parents[0], string(approved.Commit.Change), approved.Commit.Actor,
				approved.Commit.Reason, approved.UpdatedAt.UnixMicro(), id)
		},
		"approval of a rejected one": func(f *fixture, id string) {
			f.does(id, memory.ActionReject)
			f.sql("UPDATE records SET state = 'Approved', approved_by = 'carol@example.com' WHERE id = ?", id)
		},
		"memory made a call": func(f *fixture, id string) {
			r := f.record(id)
			w := f.write(agent, Write{Content: r.Content})
			f.sql("UPDATE records SET kind = ?, zone = 'Quarantine', state = 'Approved', approved_by = 'carol@example.com', expiry = ? WHERE id = ?",
				kindAction, f.now.Add(time.Minute).UnixMicro(), w.ID)
			f.sql("UPDATE tags SET rid = (SELECT rid FROM records WHERE id = ?)", w.ID)
		},
	}
	for name, forge := range tests {
		t.Run(name, func(t *testing.T) {
			f, first := asked(t)
			forge(f, first.ApprovalID)
			if out := f.authorize("s", "pay_card", pay); out.Decision != ActionRequireApproval || out.ApprovalID == first.ApprovalID {
				t.Errorf("%s by %s (forged %s)", out.Decision, out.ApprovalID, first.ApprovalID)
			}
		})
	}
}

// The hash in the tags only finds a request: whoever rewrites everything that needs no key has not approved another call.
func TestApprovalFoundUnderAnotherHash(t *testing.T) {
	f, first := asked(t)
	f.does(first.ApprovalID, memory.ActionApprove)
	other := strings.ReplaceAll(pay, lyon, evil)
	parsed, err := action.ParseObject([]byte(other))
	must(t, err)
	_, hash := actionContent(f.state.Runtime, ActionRequest{Tool: "pay_card", Session: "s"}, parsed, nil)
	r := f.record(first.ApprovalID)
	r.Tags = []string{hash}
	f.consistent(r)
	f.sql("UPDATE tags SET tag = ? WHERE rid = (SELECT rid FROM records WHERE id = ?)", hash, r.ID)
	if v, err := f.newest(f.ctx(), f.state, testNamespace, r.ID); err != nil || v.fault != "" {
		t.Fatalf("the forged row does not verify (%s, %v), so that this shows nothing", v.fault, err)
	}
	if out := f.authorize("s", "pay_card", other); out.Decision != ActionRequireApproval || out.ApprovalID == first.ApprovalID {
		t.Errorf("%s by %s", out.Decision, out.ApprovalID)
	}
}

func TestRejectedRequest(t *testing.T) {
	f, first := asked(t)
	f.now = f.now.Add(30 * time.Minute)
	if out := f.does(first.ApprovalID, memory.ActionReject); !strings.Contains(out.Message, "denied until") {
		t.Errorf("message %q", out.Message)
	}
	out := f.authorize("s", "pay_card", pay)
	if out.Decision != ActionDeny || out.ApprovalID != first.ApprovalID || !out.Expires.Equal(f.now.Add(time.Hour)) {
		t.Errorf("%+v", out)
	}
	if out := f.authorize("s", "pay_card", strings.ReplaceAll(pay, "120", "121")); out.Decision != ActionRequireApproval {
		t.Errorf("another amount: %+v", out)
	}
	// What the user says in so many words is not for the person who reviews to deny.
	f.says(chat, "s", "1", order)
	if out := f.authorize("s", "pay_card", pay); out.Decision != ActionAllow {
		t.Errorf("after the user's order: %+v", out)
	}
	f.says(chat, "s", "2", "Thanks.")
	// It can be reopened and approved.
	f.does(first.ApprovalID, memory.ActionReopen)
	f.does(first.ApprovalID, memory.ActionApprove)
	if out := f.authorize("s", "pay_card", pay); out.Decision != ActionAllow || out.ApprovalID != first.ApprovalID {
		t.Errorf("after reopening: %+v", out)
	}
	// It holds for a time.
	f, first = asked(t)
	f.does(first.ApprovalID, memory.ActionReject)
	f.now = f.now.Add(time.Hour)
	if out := f.authorize("s", "pay_card", pay); out.Decision != ActionRequireApproval || out.ApprovalID == first.ApprovalID {
		t.Errorf("after an hour: %+v", out)
	}
}

// What people cannot decide about a call.
func TestDecisionsAboutCalls(t *testing.T) {
	tests := map[string]struct {
		before    []memory.Action
		does      func(f *fixture)
		action    memory.Action
		forbidden bool // a *ForbiddenError; otherwise a *memory.TransitionError
	}{
		"promoted":            {action: memory.ActionPromote},
		"promoted, approved":  {before: []memory.Action{memory.ActionApprove}, action: memory.ActionPromote},
		"attested":            {action: memory.ActionAttest},
		"quarantined":         {action: memory.ActionQuarantine},
		"approved twice":      {before: []memory.Action{memory.ActionApprove}, action: memory.ActionApprove},
		"rejected, approved":  {before: []memory.Action{memory.ActionApprove}, action: memory.ActionReject},
		"approved, rejected":  {before: []memory.Action{memory.ActionReject}, action: memory.ActionApprove},
		"reopened, withdrawn": {before: []memory.Action{memory.ActionForget}, action: memory.ActionReopen},
		"approved too late":   {does: func(f *fixture) { f.now = f.now.Add(time.Hour) }, action: memory.ActionApprove, forbidden: true},
		"approved under another policy": {does: func(f *fixture) {
			f.change(func(s *v1alpha1.MemoryTrustPolicySpec) { s.Limits.MaxRecallResults = 7 })
		}, action: memory.ActionApprove, forbidden: true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f, first := asked(t)
			for _, a := range tt.before {
				f.does(first.ApprovalID, a)
			}
			if tt.does != nil {
				tt.does(f)
			}
			before := f.record(first.ApprovalID)
			_, err := f.decide(first.ApprovalID, Decision{Action: tt.action, Zone: memory.Working})
			var transition *memory.TransitionError
			var forbidden *ForbiddenError
			if errors.As(err, &forbidden) != tt.forbidden || errors.As(err, &transition) == tt.forbidden {
				t.Errorf("error %v", err)
			}
			if after := f.record(first.ApprovalID); after.Seq != before.Seq {
				t.Errorf("it changed to %s, %s", after.Zone, after.State)
			}
		})
	}
	t.Run("pinned", func(t *testing.T) {
		f, first := asked(t)
		f.does(first.ApprovalID, memory.ActionApprove)
		var forbidden *ForbiddenError
		if _, err := f.Pin(f.ctx(), reviewer, first.ApprovalID, true, commitOf(f.record(first.ApprovalID)), "x"); !errors.As(err, &forbidden) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("a forged one can be put back to wait", func(t *testing.T) {
		f, first := asked(t)
		f.sql("UPDATE records SET state = 'Approved' WHERE id = ?", first.ApprovalID)
		f.does(first.ApprovalID, memory.ActionQuarantine)
		if r := f.becomes(first.ApprovalID, memory.Quarantine, memory.PendingReview); r.Expiry.IsZero() || r.Class != provenance.Unknown {
			t.Errorf("expiry %v, class %s", r.Expiry, r.Class)
		}
	})
	t.Run("a preview changes nothing", func(t *testing.T) {
		f, first := asked(t)
		out, err := f.decide(first.ApprovalID, Decision{Action: memory.ActionApprove, DryRun: true})
		must(t, err)
		if out.Zone != memory.Quarantine || out.State != memory.Approved || out.Done {
			t.Errorf("%+v", out)
		}
		f.becomes(first.ApprovalID, memory.Quarantine, memory.PendingReview)
	})
}

// A call that a person is asked about is no memory, whatever was decided and whatever the policy's mode.
func TestCallsAreNoMemories(t *testing.T) {
	states := map[string][]memory.Action{"waiting": nil, "approved": {memory.ActionApprove}}
	for state, actions := range states {
		for mode, enforcement := range map[string]func(*v1alpha1.MemoryTrustPolicySpec){"enforced": enforce, "dry run": dryRun} {
			t.Run(state+", "+mode, func(t *testing.T) {
				f, first := asked(t)
				for _, a := range actions {
					f.does(first.ApprovalID, a)
				}
				f.change(enforcement)
				f.isNoMemory(first.ApprovalID)
			})
		}
	}
}

// isNoMemory tries every way in which a memory could be had, changed, or count.
func (f *fixture) isNoMemory(id string) {
	f.t.Helper()
	before := f.record(id)
	for _, q := range []Recall{{}, {Query: lyon}, {Query: "pay_card invoice 4711"}, {Zones: []memory.Zone{memory.Quarantine}}, {Kinds: []string{kindAction}}, {Tags: before.Tags}} {
		q.XRay = true
		out := f.recall(q)
		if reasonOf(out, id) != "" || delivers(out, before.Content) || strings.Contains(out.XRay.Text(), id) {
			f.t.Errorf("a recall for %+v finds it", q)
		}
		x, err := f.Explain(f.ctx(), reviewer, q)
		must(f.t, err)
		if strings.Contains(x.Text(), id) {
			f.t.Errorf("the X-ray of %+v finds it", q)
		}
	}
	page, err := f.List(f.ctx(), agent, Listing{Kinds: []string{kindAction}})
	must(f.t, err)
	if len(page.Memories)+len(page.Withheld) != 0 {
		f.t.Errorf("it is listed: %+v", page)
	}
	content := "Nothing to see."
	for what, err := range map[string]error{
		"get":       second(f.Get(f.ctx(), agent, id, Reading{})),
		"log":       second(f.Log(f.ctx(), agent, id, LogQuery{})),
		"forget":    second(f.Forget(f.ctx(), agent, id, ForgetRequest{})),
		"edit":      second(f.Edit(f.ctx(), agent, id, Edit{Content: &content})),
		"parent":    second(f.Encode(f.ctx(), agent, Write{Content: "x", Parents: []string{id}})),
		"supersede": second(f.Encode(f.ctx(), agent, Write{Content: "x", Supersedes: []string{id}})),
	} {
		var field *memory.FieldError
		if !errors.Is(err, memory.ErrNotFound) && !errors.As(err, &field) {
			f.t.Errorf("%s: error %v", what, err)
		}
	}
	// Another that says the same shares nothing with it, and neither does one that says the opposite.
	same := f.write(agent, Write{Content: before.Content, Source: "web:evil.example"})
	f.write(chat, Write{Content: strings.ReplaceAll(before.Content, "120", "130")})
	if _, err := f.ScanContradictions(f.ctx(), reviewer); err != nil || same.FoldedInto != "" {
		f.t.Errorf("folded into %q, scan: %v", same.FoldedInto, err)
	}
	for _, c := range f.open() {
		if c.A.ID == id || c.B.ID == id {
			f.t.Errorf("it is part of a contradiction: %+v", c)
		}
	}
	f.change(func(s *v1alpha1.MemoryTrustPolicySpec) {
		s.Zones.Classes = []v1alpha1.ClassRules{{Class: v1alpha1.SourceClass(before.Class), StaleAfterSeconds: 60}}
	})
	f.now = f.now.Add(2 * time.Minute)
	aged, err := f.age(f.ctx(), &deciding{gate: f.Gate, state: f.state, namespace: testNamespace, actor: agingActor, now: f.now})
	must(f.t, err)
	if after := f.record(id); after.Seq != before.Seq {
		f.t.Errorf("it changed to %s, %s (%d aged)", after.Zone, after.State, aged)
	}
}

func second[T any](_ T, err error) error { return err }

// Neither an export nor an import carries an approval anywhere.
func TestApprovalsStayHere(t *testing.T) {
	f, first := asked(t)
	f.does(first.ApprovalID, memory.ActionApprove)
	var file strings.Builder
	must(t, f.Export(f.ctx(), reviewer, &file))
	if strings.Contains(file.String(), first.ApprovalID) || strings.Contains(file.String(), kindAction) {
		t.Error("it is in the export")
	}
	// An export of before, or one that somebody made with the agent's key.
	twin := f.twin(t)
	approved := f.record(first.ApprovalID)
	header, lines := exportHeader{Format: exportFormat, AgentID: testAgentID, Namespace: testNamespace}, strings.Builder{}
	e := &exporting{hash: sha256.New(), out: &lines}
	must(t, e.write(header))
	must(t, e.write(exported(approved)))
	must(t, e.sign(f.state, 1))
	if out := twin.imports(lines.String()); !out.Signed || out.Restored != 0 || out.Refused != 1 {
		t.Errorf("%+v", out)
	}
	approved.Tag = nil
	line, err := json.Marshal(exported(approved))
	must(t, err)
	if out := twin.imports(string(line)); out.Restored != 0 || out.Refused != 1 {
		t.Errorf("unsigned: %+v", out)
	}
}

// Requests and approvals leave the queue when their time is over.
func TestRequestsExpire(t *testing.T) {
	f, waiting := asked(t)
	approved := f.authorize("s", "pay_card", strings.ReplaceAll(pay, "120", "121"))
	f.does(approved.ApprovalID, memory.ActionApprove)
	rejected := f.authorize("s", "pay_card", strings.ReplaceAll(pay, "120", "122"))
	f.does(rejected.ApprovalID, memory.ActionReject)
	m, _ := f.looking()
	m.look(f.ctx())
	f.becomes(waiting.ApprovalID, memory.Quarantine, memory.PendingReview)
	f.becomes(approved.ApprovalID, memory.Quarantine, memory.Approved)
	f.now = f.now.Add(time.Hour)
	m.look(f.ctx())
	f.becomes(waiting.ApprovalID, memory.Quarantine, memory.Forgotten)
	f.becomes(approved.ApprovalID, memory.Quarantine, memory.Forgotten)
	f.becomes(rejected.ApprovalID, memory.Quarantine, memory.Rejected)
}

// Asking is bounded by rate and by what may wait; neither bound allows anything.
func TestRequestsAreBounded(t *testing.T) {
	few := func(s *v1alpha1.MemoryTrustPolicySpec) { s.Limits.MaxPending = 2 }
	f, _ := asked(t, few) // with the memory from the web, two wait in its class
	_, err := f.Authorize(f.ctx(), agent, ActionRequest{Tool: "pay_card", Arguments: json.RawMessage(`{"to": "x"}`), Session: "s"})
	var limit *LimitError
	if !errors.As(err, &limit) || limit.Limit != "spec.limits.maxPending" {
		t.Errorf("error %v", err)
	}
	if out := f.authorize("s", "pay_card", pay); out.Decision != ActionRequireApproval {
		t.Errorf("what waits already: %+v", out)
	}
	slow := func(s *v1alpha1.MemoryTrustPolicySpec) { s.Limits.WritesPerMinute = 1 }
	f, _ = asked(t, slow)
	for i := range 100 {
		_, err = f.Authorize(f.ctx(), agent, ActionRequest{Tool: "pay_card", Arguments: json.RawMessage(`{"to": "` + strings.Repeat("x", i+1) + `"}`), Session: "s"})
		if err != nil {
			break
		}
	}
	if !errors.As(err, &limit) || limit.Limit != "spec.limits.writesPerMinute" {
		t.Errorf("error %v", err)
	}
}

// A long approvalLifetimeSeconds does not keep a request longer than anything waits.
func TestRequestLifetime(t *testing.T) {
	f, out := asked(t, func(s *v1alpha1.MemoryTrustPolicySpec) {
		s.Actions.ApprovalLifetimeSeconds, s.Zones.PendingExpirySeconds = 3600, 7200
	})
	if !out.Expires.Equal(f.now.Add(2 * time.Hour)) {
		t.Errorf("it waits until %v", out.Expires)
	}
}
