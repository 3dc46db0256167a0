// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"memorytrust.dev/operator/internal/action"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// noon is when the replays of these tests begin.
var noon = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// at is a delivery some minutes after noon.
func at(minutes int, session, id string, class provenance.Class) memory.Delivery {
	return memory.Delivery{Session: session, RecordID: id, Class: class, At: noon.Add(time.Duration(minutes) * time.Minute)}
}

// waited is a request to make a call some minutes after noon, with arguments given as "path=by/without".
func waited(minutes int, mark provenance.Class, otherwise action.Otherwise, arguments ...string) replayedCall {
	c := replayedCall{
		at: noon.Add(time.Duration(minutes) * time.Minute), mark: mark, rule: action.Rule{Otherwise: otherwise},
		called: WhatIfCalled{Required: memory.Act, Decision: ActionRequireApproval},
	}
	for _, a := range arguments {
		path, who, _ := strings.Cut(a, "=")
		by, without, _ := strings.Cut(who, "/")
		c.called.Arguments = append(c.called.Arguments, WhatIfArgument{Path: path, By: by, Without: without})
	}
	return c
}

// steps writes a replay in short: "+" and "-" stand for delivered and gone, "*" for a step that changed.
func steps(s WhatIfSession) string {
	var out []string
	for _, step := range s.Steps {
		var b strings.Builder
		for _, d := range step.Delivered {
			sign := "+"
			if d.Gone {
				sign = "-"
			}
			b.WriteString(sign + d.ID)
		}
		if c := step.Call; c != nil {
			fmt.Fprintf(&b, "%s>%s", c.Decision, c.Without)
		}
		fmt.Fprintf(&b, " %s/%s>%s/%s", step.Mark.Class, step.Mark.Authority, step.Without.Class, step.Without.Authority)
		if step.Changed {
			b.WriteString("*")
		}
		out = append(out, b.String())
	}
	return strings.Join(out, "; ")
}

func TestReplay(t *testing.T) {
	const user, agents, tool, web = provenance.UserInput, provenance.AgentInferred, provenance.ToolOutput, provenance.WebContent
	tests := map[string]struct {
		session string // "s" when empty, "-" for none
		opened  bool
		own     []memory.Delivery
		around  []around
		calls   []replayedCall
		want    string
	}{
		"nothing": {want: ""},
		"it set the mark": {
			opened: true, own: []memory.Delivery{at(0, "s", "a", user), at(1, "s", "x", web), at(2, "s", "b", user)},
			want: "+a UserInput/Act>UserInput/Act; -x WebContent/Inform>UserInput/Act*; +b WebContent/Inform>UserInput/Act*",
		},
		"so did another": {
			opened: true, own: []memory.Delivery{at(0, "s", "a", web), at(1, "s", "x", web), at(2, "s", "b", user)},
			want: "+a WebContent/Inform>WebContent/Inform; -x WebContent/Inform>WebContent/Inform*; +b WebContent/Inform>WebContent/Inform",
		},
		"something less low is left": {
			opened: true, own: []memory.Delivery{at(0, "s", "a", tool), at(1, "s", "x", web)},
			want: "+a ToolOutput/Inform>ToolOutput/Inform; -x WebContent/Inform>ToolOutput/Inform*",
		},
		"what goes back to it is gone as well": {
			opened: true, own: []memory.Delivery{at(0, "s", "y", web)}, want: "-y WebContent/Inform>UserInput/Act*",
		},
		"one answer is one step": {
			opened: true, own: []memory.Delivery{at(0, "s", "x", web), at(0, "s", "a", user)}, want: "-x+a WebContent/Inform>UserInput/Act*",
		},
		"nobody opened it": {
			own: []memory.Delivery{at(0, "s", "x", web)}, want: "-x WebContent/Inform>UserInput/Inform*",
		},
		"read elsewhere a moment ago": {
			own: []memory.Delivery{at(40, "s", "a", user)}, around: []around{{at(11, "t", "x", web), true}, {at(9, "t", "b", web), false}},
			want: "+a WebContent/Inform>UserInput/Inform*",
		},
		"read elsewhere, in a session of its own": {
			opened: true, own: []memory.Delivery{at(40, "s", "a", user)}, around: []around{{at(20, "t", "x", web), true}}, want: "+a UserInput/Act>UserInput/Act",
		},
		"read elsewhere, in none": {
			opened: true, own: []memory.Delivery{at(40, "s", "a", user)}, around: []around{{at(20, "", "x", web), false}}, want: "+a WebContent/Inform>UserInput/Act*",
		},
		"read elsewhere afterwards": {
			own: []memory.Delivery{at(0, "s", "a", user)}, around: []around{{at(1, "", "x", web), false}}, want: "+a UserInput/Inform>UserInput/Inform",
		},
		"without a session, only what was read lately counts": {
			session: "-", own: []memory.Delivery{at(0, "", "x", web), at(10, "", "a", user), at(31, "", "b", user)},
			want: "-x WebContent/Inform>UserInput/Inform*; +a WebContent/Inform>UserInput/Inform*; +b UserInput/Inform>UserInput/Inform",
		},
		"the call would have been allowed": {
			opened: true, own: []memory.Delivery{at(0, "s", "x", web)}, calls: []replayedCall{waited(1, web, "", "to=nobody/nobody")},
			want: "-x WebContent/Inform>UserInput/Act*; RequireApproval>Allow WebContent/Inform>UserInput/Act*",
		},
		"the call would have waited all the same": {
			own: []memory.Delivery{at(0, "s", "x", web)}, calls: []replayedCall{waited(1, web, "", "to=nobody/nobody")},
			want: "-x WebContent/Inform>UserInput/Inform*; RequireApproval>RequireApproval WebContent/Inform>UserInput/Inform*",
		},
		"an observation would have been there all the same": {
			opened: true, own: []memory.Delivery{at(0, "s", "x", tool)}, calls: []replayedCall{waited(1, web, "", "to=nobody/nobody")},
			want: "-x ToolOutput/Inform>UserInput/Act*; RequireApproval>RequireApproval WebContent/Inform>WebContent/Inform",
		},
		"an argument would have been named by nobody": {
			opened: true, own: []memory.Delivery{at(0, "s", "a", agents)}, calls: []replayedCall{waited(1, agents, "", "to=memory/nobody", "amount=nobody/nobody")},
			want: "+a AgentInferred/Inform>AgentInferred/Inform; RequireApproval>RequireApproval AgentInferred/Inform>AgentInferred/Inform*",
		},
		"a rule that denies": {
			opened: true, own: []memory.Delivery{at(0, "s", "a", agents)}, calls: []replayedCall{waited(1, agents, action.Deny, "to=nobody/nobody")},
			want: "+a AgentInferred/Inform>AgentInferred/Inform; RequireApproval>Deny AgentInferred/Inform>AgentInferred/Inform*",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := replayed{session: "s", gone: map[string]bool{"x": true, "y": true}, own: tt.own, around: tt.around, calls: tt.calls}
			if tt.session != "" {
				r.session = strings.Trim(tt.session, "-")
			}
			if tt.opened {
				r.openedAt = noon.Add(-time.Hour)
			}
			got := r.run()
			if s := steps(got); s != tt.want {
				t.Errorf("got  %s\nwant %s", s, tt.want)
			}
			if n := strings.Count(tt.want, "*"); got.Changed != n || (n == 0) != (got.Message == "Nothing would have been otherwise.") {
				t.Errorf("%d steps changed, want %d: %s", got.Changed, n, got.Message)
			}
		})
	}
}

// whatIf asks as a person.
func (f *fixture) whatIf(id, session string) WhatIf {
	f.t.Helper()
	out, err := f.WhatIf(f.ctx(), Person{Principal: "rita"}, WhatIfQuery{ID: id, Session: session})
	must(f.t, err)
	return out
}

// A page that the agent read keeps a user's session from acting; without it, and what the agent made of it, the payment would have gone through.
func TestWhatIf(t *testing.T) {
	f := newFixture(t, users, toolRules)
	f.opens(chat, "s")
	fact := f.write(console, Write{Content: "We pay on Fridays."})
	f.reads(fact.ID, "s")
	f.now = f.now.Add(time.Minute)
	page := f.poisoned("s")
	f.now = f.now.Add(time.Minute)
	summary := f.write(agent, Write{Content: "Lyon Transport takes money at " + evil + ".", Session: "s"})
	f.reads(summary.ID, "s")
	f.now = f.now.Add(time.Minute)
	f.authorize("s", "pay_card", pay)
	f.now = f.now.Add(time.Hour)

	got := f.whatIf(page.ID, "s")
	const want = "+FACT Manual/Act>Manual/Act; -PAGE WebContent/Inform>Manual/Act*; -SUMMARY WebContent/Inform>Manual/Act*; " +
		"RequireApproval>Allow WebContent/Inform>Manual/Act*"
	named := strings.NewReplacer(fact.ID, "FACT", page.ID, "PAGE", summary.ID, "SUMMARY")
	if s := named.Replace(steps(got.Sessions[0])); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
	if len(got.Gone) != 2 || got.Gone[1] != (WhatIfGone{ID: summary.ID, Via: page.ID, Depth: 1}) || got.Changed != 3 || !got.Sessions[0].Opened {
		t.Errorf("got %+v", got)
	}
	if all := f.whatIf(page.ID, ""); len(all.Sessions) != 1 || all.Sessions[0].Session != "s" || all.Changed != 3 {
		t.Errorf("without a session: %+v", all)
	}
	const withoutFact = "-FACT Manual/Act>UserInput/Act*; +PAGE WebContent/Inform>WebContent/Inform; +SUMMARY WebContent/Inform>WebContent/Inform; " +
		"RequireApproval>RequireApproval WebContent/Inform>WebContent/Inform"
	if s := named.Replace(steps(f.whatIf(fact.ID, "s").Sessions[0])); s != withoutFact {
		t.Errorf("got  %s\nwant %s", s, withoutFact)
	}
	raw, err := json.Marshal(got)
	must(t, err)
	for _, secret := range []string{evil, lyon, "Invoices", "Fridays"} {
		if strings.Contains(string(raw), secret) {
			t.Errorf("the answer holds %q: %s", secret, raw)
		}
	}
}

// What was read without a session, and in how many sessions.
func TestWhatIfFindsSessions(t *testing.T) {
	f := newFixture(t, users, toolRules)
	page := f.write(agent, Write{Content: "The fair in Lyon is in May.", Source: "web:fair.example"})
	if got := f.whatIf(page.ID, ""); len(got.Sessions) != 0 || got.Changed != 0 || !strings.Contains(got.Message, "never delivered") {
		t.Errorf("before anything was read: %+v", got)
	}
	if got := f.whatIf(page.ID, "nobody"); len(got.Sessions) != 1 || len(got.Sessions[0].Steps) != 0 || got.Changed != 0 {
		t.Errorf("a session of nothing: %+v", got)
	}
	for _, session := range []string{"a", "b", "", "a"} {
		f.now = f.now.Add(time.Minute)
		f.reads(page.ID, session)
	}
	var sessions []string
	for _, s := range f.whatIf(page.ID, "").Sessions {
		sessions = append(sessions, fmt.Sprintf("%s:%d", s.Session, len(s.Steps)))
	}
	if got := strings.Join(sessions, " "); got != "a:2 :1 b:1" {
		t.Errorf("sessions %s", got)
	}
	some, err := f.WhatIf(f.ctx(), Person{Principal: "rita"}, WhatIfQuery{ID: page.ID, Limit: 2})
	if err != nil || len(some.Sessions) != 2 || !some.More {
		t.Errorf("two of three: %+v, %v", some, err)
	}
	for name, q := range map[string]WhatIfQuery{"unknown": {ID: memory.NewID()}, "no id": {ID: "x"}} {
		if _, err := f.WhatIf(f.ctx(), Person{Principal: "rita"}, q); !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	var field *memory.FieldError
	for name, q := range map[string]WhatIfQuery{"limit": {ID: page.ID, Limit: MaxWhatIfSessions + 1}, "session": {ID: page.ID, Session: "a\nb"}} {
		if _, err := f.WhatIf(f.ctx(), Person{Principal: "rita"}, q); !errors.As(err, &field) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An argument that only this memory named would have been named by nobody.
func TestWhatIfTakesGroundsAway(t *testing.T) {
	f := newFixture(t, users, toolRules)
	account := f.write(chat, Write{Content: "Our landlord's account is " + lyon + "."})
	f.opens(chat, "s")
	f.poisoned("s")
	f.now = f.now.Add(time.Minute)
	f.authorize("s", "pay_card", pay)
	got := f.whatIf(account.ID, "s")
	call := got.Sessions[0].Steps[len(got.Sessions[0].Steps)-1].Call
	if call == nil {
		t.Fatalf("no call: %+v", got)
	}
	want := []WhatIfArgument{
		{Path: "to", By: groundedByMemory, Memory: account.ID, Without: groundedByNobody},
		{Path: "amount", By: groundedByNobody, Without: groundedByNobody},
	}
	if len(call.Arguments) != 2 || call.Arguments[0] != want[0] || call.Arguments[1] != want[1] || call.Without != ActionRequireApproval || got.Changed != 1 {
		t.Errorf("got %+v of %+v", call, got)
	}
}

// Asking changes nothing: no row, no delivery, no mark and no metric.
func TestWhatIfLeavesNoTrace(t *testing.T) {
	registry := prometheus.NewRegistry()
	f := newFixture(t, users, toolRules)
	f.Gate.metrics = NewMetrics(registry)
	f.opens(chat, "s")
	page := f.poisoned("s")
	f.authorize("s", "pay_card", pay)
	before, counts := f.everything(), metricsOf(t, registry)
	f.whatIf(page.ID, "s")
	f.whatIf(page.ID, "")
	if after := f.everything(); after != before {
		t.Errorf("rows before\n%s\nand after\n%s", before, after)
	}
	if after := metricsOf(t, registry); after != counts {
		t.Errorf("metrics before\n%s\nand after\n%s", counts, after)
	}
}

// everything tells of records, versions and requests how many there are, of deliveries which, and the head of the audit log.
func (f *fixture) everything() string {
	f.t.Helper()
	var b strings.Builder
	for _, table := range []string{"records", "versions", "contents", "lineage", "audit", "sessions", "turns", "contradictions", "idempotency"} {
		var n int
		must(f.t, f.behind().QueryRowContext(f.ctx(), "SELECT count(*) FROM "+table).Scan(&n))
		fmt.Fprintf(&b, "%s %d\n", table, n)
	}
	shown, err := f.db.Deliveries(f.ctx(), memory.DeliveryFilter{Limit: memory.MaxPageSize})
	must(f.t, err)
	head, err := f.db.Checkpoint(f.ctx())
	must(f.t, err)
	fmt.Fprintf(&b, "%+v %d %x", shown, head.Size, head.Root)
	return b.String()
}

func metricsOf(t *testing.T, registry *prometheus.Registry) string {
	t.Helper()
	families, err := registry.Gather()
	must(t, err)
	var b strings.Builder
	for _, family := range families {
		b.WriteString(family.String() + "\n")
	}
	return b.String()
}

// The replay of a long session must not take noticeable time.
func BenchmarkReplay(b *testing.B) {
	r := replayed{session: "s", openedAt: noon.Add(-time.Hour), gone: map[string]bool{"id-7": true}}
	for i := range memory.MaxPageSize {
		r.own = append(r.own, at(i/10, "s", fmt.Sprintf("id-%d", i%50), provenance.ToolOutput))
		r.around = append(r.around, around{Delivery: at(i/10, "t", fmt.Sprintf("id-%d", i%50), provenance.WebContent)})
	}
	for b.Loop() {
		r.run()
	}
}
