// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"fmt"
	"slices"
	"testing"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// What is true, and what somebody wants believed instead.
const (
	realFact   = "The vendor's bank account for invoices is DE44 5001 0517 5407 3249 31."
	poisonFact = "The vendor's bank account for invoices is GB29 NWBK 6016 1331 9268 19."
)

func (f *fixture) scanned() Scanned {
	f.t.Helper()
	out, err := f.ScanContradictions(f.ctx(), reviewer)
	must(f.t, err)
	return out
}

func (f *fixture) open() []InspectedContradiction {
	f.t.Helper()
	page, err := f.Contradictions(f.ctx(), reviewer, ContradictionQuery{Open: true})
	must(f.t, err)
	return page.Items
}

// A poisoned fact that contradicts a real one is in the queue after the scan. The real one is as it was, and nothing is
// resolved by itself.
func TestPoisonIsInTheQueueAfterAScan(t *testing.T) {
	for name, poison := range map[string]func(*fixture) string{
		"agent's, active": func(f *fixture) string { return f.write(agent, Write{Content: poisonFact}).ID },
		"web, pending":    func(f *fixture) string { return f.write(agent, Write{Content: poisonFact, Source: "web:x"}).ID },
		"web, approved": func(f *fixture) string {
			id := f.write(agent, Write{Content: poisonFact, Source: "web:x"}).ID
			f.does(id, memory.ActionApprove)
			return id
		},
		"web, quarantined": func(f *fixture) string {
			id := f.write(agent, Write{Content: poisonFact, Source: "web:x"}).ID
			f.does(id, memory.ActionQuarantine)
			return id
		},
	} {
		for _, poisonFirst := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, first %v", name, poisonFirst), func(t *testing.T) {
				f := newFixture(t)
				f.write(agent, Write{Content: "The garden has a fountain."})
				var real, planted string
				if poisonFirst {
					planted = poison(f)
				}
				real = f.write(console, Write{Content: realFact}).ID
				if !poisonFirst {
					planted = poison(f)
				}
				before := f.record(real)
				if out := f.scanned(); out.Found != 1 || out.More {
					t.Fatalf("the scan says %+v", out)
				}
				if after := f.record(real); after.Seq != before.Seq {
					t.Errorf("the real one became %s", after.State)
				}
				queue := f.review()
				if len(queue.Items) != 1 || queue.Items[0].Memory.ID != planted || len(queue.Items[0].Contradictions) != 1 {
					t.Fatalf("the queue has %+v", queue.Items)
				}
				open := f.open()
				if len(open) != 1 || !open[0].Open || open[0].A.Content == "" || open[0].B.Content == "" || len(open[0].Signs) == 0 {
					t.Errorf("open: %+v", open)
				}
				if out := f.scanned(); out.Found != 0 {
					t.Errorf("found again: %+v", out)
				}
			})
		}
	}
}

func TestScanGoesOnWhereItStopped(t *testing.T) {
	f := newFixture(t)
	for i := range 60 {
		f.put(memory.Record{Content: fmt.Sprintf("The server room of building number %d was painted in color %d last year.", i, i)})
	}
	pairs, runs := 0, 0
	for {
		out := f.scanned()
		if out.Pairs > memory.MaxPairsPerScan {
			t.Fatalf("%d pairs in one run", out.Pairs)
		}
		pairs += out.Pairs
		if runs++; !out.More {
			break
		}
		if runs > 20 {
			t.Fatal("the scan does not come to an end")
		}
	}
	if runs < 2 || pairs <= memory.MaxPairsPerScan {
		t.Errorf("%d pairs in %d runs", pairs, runs)
	}
	if out := f.scanned(); out.Records != 0 {
		t.Errorf("nothing changed, and yet %+v", out)
	}
}

func TestResolve(t *testing.T) {
	type standing struct{ a, b memory.State }
	tests := map[string]struct {
		r        Resolution
		want     standing
		affected int
		open     int
	}{
		"keep a":       {Resolution{Verdict: memory.KeepA}, standing{memory.Active, memory.Superseded}, 1, 0},
		"keep b":       {Resolution{Verdict: memory.KeepB}, standing{memory.Superseded, memory.Approved}, 2, 0},
		"both valid":   {Resolution{Verdict: memory.BothValid}, standing{memory.Active, memory.Approved}, 1, 0},
		"more context": {Resolution{Verdict: memory.NeedsMoreContext}, standing{memory.Active, memory.Disputed}, 0, 0},
		"merge": {Resolution{Verdict: memory.Merge, Content: "The vendor has two accounts."},
			standing{memory.Superseded, memory.Superseded}, 3, 0},
		"preview": {Resolution{Verdict: memory.KeepB, DryRun: true}, standing{memory.Active, memory.Disputed}, 2, 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			a := f.write(console, Write{Content: realFact}).ID
			b := f.write(agent, Write{Content: poisonFact}).ID
			f.scanned()
			tt.r.Reason = "asked the vendor"
			out, err := f.ResolveContradiction(f.ctx(), reviewer, f.open()[0].ID, tt.r)
			must(t, err)
			if got := (standing{f.record(a).State, f.record(b).State}); got != tt.want {
				t.Errorf("a is %s, b is %s", got.a, got.b)
			}
			if len(out.Affected) != tt.affected || out.Done == tt.r.DryRun || out.Message == "" {
				t.Errorf("answered %+v", out)
			}
			if open := f.open(); len(open) != tt.open {
				t.Errorf("%d are open", len(open))
			}
			if f.record(a).Class != provenance.Manual || f.record(b).Class != provenance.AgentInferred {
				t.Error("a class changed")
			}
			if tt.r.Verdict == memory.Merge {
				merged := f.becomes(out.Affected[0].ID, memory.Working, memory.Approved)
				if merged.Class != provenance.AgentInferred || !slices.Equal(merged.Parents, []string{a, b}) || merged.ApprovedBy != reviewer.Principal ||
					memory.AuthorityOf(merged, f.now) == memory.Act {
					t.Errorf("merged into %+v", merged)
				}
				if mayForget(agent, merged) {
					t.Error("the agent may change what a person wrote")
				}
			}
		})
	}
}

func TestResolveRefused(t *testing.T) {
	f := newFixture(t)
	f.write(console, Write{Content: realFact})
	f.write(agent, Write{Content: poisonFact})
	f.scanned()
	id := f.open()[0].ID
	for field, r := range map[string]Resolution{
		"verdict": {Verdict: "Odd", Reason: "r"},
		"reason":  {Verdict: memory.KeepA},
		"content": {Verdict: memory.Merge, Reason: "r"},
	} {
		if _, err := f.ResolveContradiction(f.ctx(), reviewer, id, r); fieldOf(err) != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	_, err := f.ResolveContradiction(f.ctx(), reviewer, id, Resolution{Verdict: memory.KeepA, Reason: "r"})
	must(t, err)
	if _, err := f.ResolveContradiction(f.ctx(), reviewer, id, Resolution{Verdict: memory.KeepB, Reason: "r"}); fieldOf(err) != "verdict" {
		t.Errorf("decided twice: %v", err)
	}
}

// A pair is raised again when one of the two says something new, or when a person has had time to find out more.
func TestContradictionsComeBack(t *testing.T) {
	f := newFixture(t)
	f.write(console, Write{Content: realFact})
	b := f.write(agent, Write{Content: poisonFact}).ID
	f.scanned()
	id := f.open()[0].ID
	_, err := f.ResolveContradiction(f.ctx(), reviewer, id, Resolution{Verdict: memory.BothValid, Reason: "two accounts"})
	must(t, err)
	if out := f.scanned(); out.Found != 0 || len(f.open()) != 0 {
		t.Errorf("found again at once: %+v", out)
	}
	f.edit(agent, b, Edit{Content: ptr("The vendor's bank account for invoices is FR76 3000 6000 0112 3456 7890 189.")})
	if out := f.scanned(); out.Found != 1 {
		t.Errorf("not found after an edit: %+v", out)
	}
	_, err = f.ResolveContradiction(f.ctx(), reviewer, f.open()[0].ID, Resolution{Verdict: memory.NeedsMoreContext, Reason: "asking"})
	must(t, err)
	f.scanned()
	if len(f.open()) != 0 {
		t.Error("open again at once")
	}
	f.now = f.now.Add(memory.ContradictionCooldown)
	f.scanned()
	if len(f.open()) != 1 {
		t.Error("not open after the cooldown")
	}
	// One that lost a side is closed.
	f.does(b, memory.ActionForget)
	f.scanned()
	if len(f.open()) != 0 {
		t.Error("open without a second memory")
	}
}

// Tampered rows take no part: neither do they dispute anything, nor are they signed again.
func TestScanLeavesTamperedAlone(t *testing.T) {
	f := newFixture(t)
	f.write(agent, Write{Content: realFact})
	b := f.write(agent, Write{Content: "The vendor's bank account is unknown."}).ID
	f.sql("UPDATE records SET content = ? WHERE id = ?", poisonFact, b)
	before := f.record(b)
	if out := f.scanned(); out.Found != 0 || f.record(b).Seq != before.Seq {
		t.Errorf("%+v", out)
	}
}

func TestNamespacesAreScannedApart(t *testing.T) {
	f := newFixture(t)
	f.write(console, Write{Content: realFact})
	tenant := Caller{Namespace: "tenant-b"}
	f.write(tenant, Write{Content: poisonFact})
	if out := f.scanned(); out.Found != 0 {
		t.Errorf("%+v", out)
	}
	out, err := f.ScanContradictions(f.ctx(), Person{Principal: "x", Namespace: "tenant-b"})
	if err != nil || out.Found != 0 {
		t.Errorf("%+v, %v", out, err)
	}
}
