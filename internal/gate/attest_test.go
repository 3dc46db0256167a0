// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// legacy writes what is believed by its prefix only.
func (f *fixture) legacy(content string) string {
	f.t.Helper()
	return f.write(agent, Write{Content: content, Source: "operator:console"}).ID
}

// A person's name makes a memory count in mode Signed that nobody else vouches for, as information and no more.
func TestAttestOne(t *testing.T) {
	f := newFixture(t)
	id := f.legacy(operatorRule)
	f.change(signed)
	if got := f.recall(Recall{}); reasonOf(got, id) != ReasonDirective {
		t.Fatalf("before: %+v", got)
	}
	out := f.does(id, memory.ActionAttest)
	after := f.becomes(id, memory.Working, memory.Approved)
	if after.ApprovedBy != reviewer.Principal || after.Commit.Actor != "person/"+reviewer.Principal || after.Class != provenance.Manual {
		t.Errorf("became %+v", after)
	}
	if !out.Done || out.Message == "" {
		t.Errorf("answered %+v", out)
	}
	got := f.recall(Recall{})
	if !delivers(got, operatorRule) || got.Memories[0].Authority != memory.Inform {
		t.Errorf("after: %+v", got)
	}
}

func TestAttestOneRefuses(t *testing.T) {
	f := newFixture(t)
	ours := f.write(console, Write{Content: operatorRule}).ID
	var refused *ForbiddenError
	if _, err := f.decide(ours, Decision{Action: memory.ActionAttest}); !errors.As(err, &refused) {
		t.Errorf("what may justify actions: %v", err)
	}
	if f.becomes(ours, memory.Trusted, memory.Active); memory.AuthorityOf(f.record(ours), f.now) != memory.Act {
		t.Error("it lost its authority")
	}
	for name, id := range map[string]string{
		"in Quarantine": quarantined(f), "pending": waiting(f), "rejected": rejected(f), "forgotten": forgotten(f),
	} {
		if _, err := f.decide(id, Decision{Action: memory.ActionAttest}); !errors.Is(err, memory.ErrTransition) {
			t.Errorf("%s: %v", name, err)
		}
	}
	tampered := f.legacy("The office is in Lyon.")
	f.sql("UPDATE records SET content = 'The office is in Paris.' WHERE id = ?", tampered)
	if _, err := f.decide(tampered, Decision{Action: memory.ActionAttest}); !errors.Is(err, memory.ErrTransition) {
		t.Errorf("tampered: %v", err)
	}
}

// many is one memory for each way to be left out, and two that can be attested.
func many(f *fixture) (good []string, left map[SkipReason]string) {
	f.t.Helper()
	good = []string{f.legacy("The office is in Lyon."), f.legacy("The build takes nine minutes.")}
	left = map[SkipReason]string{
		SkipDirective:   f.legacy(operatorRule),
		SkipNotActive:   f.legacy("Ada works in Lyon."),
		SkipQuarantined: f.legacy("Ada works in Nice."),
		SkipExpired:     f.legacy("Ada works in Paris."),
		SkipUnverified:  f.legacy("Ada works in Metz."),
		SkipTrusted:     f.write(console, Write{Content: "Ada works in Lille.", Source: "operator:console"}).ID,
		SkipLowClass:    f.put(memory.Record{Content: "Ada works in Brest.", Source: "operator:console"}).ID,
	}
	for reason, change := range map[SkipReason]func(*memory.Record){
		SkipNotActive:   func(r *memory.Record) { r.State = memory.Disputed },
		SkipQuarantined: func(r *memory.Record) { r.Zone, r.State = memory.Quarantine, memory.PendingReview },
		SkipExpired:     func(r *memory.Record) { r.Expiry = f.now },
	} {
		f.amend(f.record(left[reason]), memory.ChangeReview, change)
	}
	f.sql("UPDATE records SET content = 'Ada works in Rome.' WHERE id = ?", left[SkipUnverified])
	return good, left
}

func skippedFor(out Attested) map[SkipReason]string {
	got := map[SkipReason]string{}
	for _, s := range out.Skipped {
		got[s.Reason] = fmt.Sprint(s.Memories, s.IDs)
	}
	return got
}

func TestAttestMany(t *testing.T) {
	f := newFixture(t)
	good, left := many(f)
	want := map[SkipReason]string{}
	for reason, id := range left {
		want[reason] = fmt.Sprint(1, []string{id})
	}
	for _, dry := range []bool{true, false} {
		out, err := f.Attest(f.ctx(), reviewer, Attestation{Source: "operator:console", Reason: "from before", DryRun: dry})
		must(t, err)
		if diff := cmp.Diff(good, out.IDs); diff != "" || out.Attested != 2 || out.More || out.DryRun != dry {
			t.Errorf("dry run %v: %+v (-want +got):\n%s", dry, out, diff)
		}
		if diff := cmp.Diff(want, skippedFor(out)); diff != "" {
			t.Errorf("dry run %v, skipped (-want +got):\n%s", dry, diff)
		}
		for _, id := range good {
			if attested := f.record(id).State == memory.Approved; attested == dry {
				t.Errorf("dry run %v: %+v", dry, f.record(id))
			}
		}
	}
	for _, id := range good {
		if r := f.becomes(id, memory.Working, memory.Approved); r.ApprovedBy != reviewer.Principal || r.Commit.Reason != "from before" {
			t.Errorf("became %+v", r)
		}
	}
	for reason, id := range left {
		if r := f.record(id); r.ApprovedBy != "" {
			t.Errorf("%s was attested: %+v", reason, r)
		}
	}
	again, err := f.Attest(f.ctx(), reviewer, Attestation{Source: "operator:console", Reason: "from before"})
	must(t, err)
	if again.Attested != 0 || len(again.IDs) != 0 {
		t.Errorf("the second time: %+v", again)
	}
}

// Named by their ids, memories of low classes are attested as well; each counts once.
func TestAttestNamed(t *testing.T) {
	f := newFixture(t)
	note := f.write(agent, Write{Content: "The build takes nine minutes."}).ID
	gone := memory.NewID()
	out, err := f.Attest(f.ctx(), reviewer, Attestation{IDs: []string{note, note, gone, "nonsense\nx"}, Reason: "measured it"})
	must(t, err)
	if out.Attested != 1 || f.record(note).State != memory.Approved {
		t.Errorf("answered %+v", out)
	}
	if diff := cmp.Diff(map[SkipReason]string{SkipNotFound: fmt.Sprint(2, []string{gone})}, skippedFor(out)); diff != "" {
		t.Errorf("skipped (-want +got):\n%s", diff)
	}
	if strings.Contains(out.Message, "nonsense") {
		t.Errorf("the message quotes the request: %q", out.Message)
	}
}

func TestAttestByClass(t *testing.T) {
	f := newFixture(t)
	manual := f.legacy("The office is in Lyon.")
	system := f.write(agent, Write{Content: "The build takes nine minutes.", Source: "dream"}).ID
	out, err := f.Attest(f.ctx(), reviewer, Attestation{Class: provenance.Manual, Reason: "from before"})
	must(t, err)
	if out.Attested != 1 || f.record(manual).State != memory.Approved || f.record(system).State != memory.Active {
		t.Errorf("answered %+v", out)
	}
}

func TestAttestRefuses(t *testing.T) {
	f := newFixture(t)
	for name, a := range map[string]Attestation{
		"nothing":         {Reason: "x"},
		"no reason":       {Source: "operator"},
		"two ways":        {Source: "operator", Class: provenance.Manual, Reason: "x"},
		"low class":       {Class: provenance.AgentInferred, Reason: "x"},
		"no class":        {Class: "Nonsense", Reason: "x"},
		"too many ids":    {IDs: make([]string, MaxAttestedIDs+1), Reason: "x"},
		"endless source":  {Source: strings.Repeat("x", provenance.MaxSourceBytes+1), Reason: "x"},
		"blank as reason": {Source: "operator", Reason: " "},
	} {
		var field *memory.FieldError
		if _, err := f.Attest(f.ctx(), reviewer, a); !errors.As(err, &field) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A memory that changes between the look and the commit is left to whoever changed it, and the others are attested.
func TestAttestConflict(t *testing.T) {
	f := newFixture(t)
	a, b := f.legacy("The office is in Lyon."), f.legacy("The build takes nine minutes.")
	w, err := f.person(reviewer, "from before")
	must(t, err)
	run := &attesting{deciding: w, asked: Attestation{IDs: []string{a, b}}, skipped: map[SkipReason]*Skipped{}}
	must(t, run.named(f.ctx()))
	f.does(a, memory.ActionForget)
	must(t, run.flush(f.ctx()))
	out := run.answer()
	if diff := cmp.Diff(map[SkipReason]string{SkipChanged: fmt.Sprint(1, []string{a})}, skippedFor(out)); diff != "" || out.Attested != 1 {
		t.Errorf("%+v (-want +got):\n%s", out, diff)
	}
	f.becomes(a, memory.Working, memory.Forgotten)
	f.becomes(b, memory.Working, memory.Approved)
}

// Whatever trustLoss says for a memory is the difference between the two modes in what they deliver unscreened.
func TestTrustLossIsTheDifferenceOfTheModes(t *testing.T) {
	f := newFixture(t)
	byPrefix, bySignature := f.state.Runtime, *f.state.Runtime
	bySignature.TrustMode = "Signed"
	for _, class := range provenance.Classes {
		for _, zone := range memory.Zones {
			for _, state := range memory.States {
				for _, writer := range []memory.Writer{{}, console.writer()} {
					for _, fault := range []Reason{"", ReasonTampered, ReasonKeyUnavailable} {
						for _, by := range []string{"", "carol"} {
							v := verified{fault: fault, record: memory.Record{Class: class, Zone: zone, State: state, Writer: writer, ApprovedBy: by}}
							if !claims(v.record, f.now) {
								continue
							}
							loss := trustLoss(v)
							losing := trusted(byPrefix, v) && !trusted(&bySignature, v)
							if told := loss == LossNotAuthenticated || loss == LossNotTrustedZone; told != losing {
								t.Errorf("%+v: loses trust %v, told %q", v, losing, loss)
							}
							if (loss == "") != trusted(&bySignature, v) {
								t.Errorf("%+v: trusted in Signed %v, told %q", v, trusted(&bySignature, v), loss)
							}
						}
					}
				}
			}
		}
	}
}

func TestTrustReport(t *testing.T) {
	f := newFixture(t)
	rule, fact := f.legacy(operatorRule), f.legacy("The office is in Lyon.")
	f.write(console, Write{Content: "The build takes nine minutes."})
	f.write(agent, Write{Content: publicFact, Source: "web:example.org"})
	below := f.put(memory.Record{Content: "Ada works in Lyon.", Class: provenance.Manual, Writer: console.writer()})
	tampered := f.legacy("Ada works in Nice.")
	f.sql("UPDATE records SET content = 'Ada works in Rome.' WHERE id = ?", tampered)
	f.amend(f.record(f.legacy("Ada works in Metz.")), memory.ChangeReview, func(r *memory.Record) { r.Expiry = f.now })
	f.does(f.legacy("Ada works in Lille."), memory.ActionForget)

	got, err := f.TrustReport(f.ctx(), reviewer)
	must(t, err)
	want := TrustReport{
		At: f.now, PolicyRevision: f.state.Runtime.Revision, TrustMode: "Prefix", Enforcement: "Enforce", Claiming: 5, Trusted: 1,
		Losing: []TrustLoss{
			{LossTampered, 1, []string{tampered}}, {LossNotTrustedZone, 1, []string{below.ID}}, {LossNotAuthenticated, 2, []string{rule, fact}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	f.load(f.newKey())
	if got, err = f.TrustReport(f.ctx(), reviewer); err != nil || len(got.Losing) != 1 || got.Losing[0].Reason != LossKeyUnavailable || got.Losing[0].Memories != 5 {
		t.Errorf("without the key: %+v, %v", got, err)
	}
}

// The status shows what the last look found: anew after a change of policy, after attesting, and hourly.
func TestTrustLossInBackground(t *testing.T) {
	f := newFixture(t)
	f.legacy("The office is in Lyon.")
	m, log := f.looking()
	if f.TrustLoss() != nil {
		t.Error("counts before the first look")
	}
	look := func(want int64) {
		t.Helper()
		m.look(f.ctx())
		if got := f.TrustLoss(); got[string(LossNotAuthenticated)] != want {
			t.Errorf("losses %v, want %d", got, want)
		}
	}
	look(1)
	if !strings.Contains(log.String(), "NotAuthenticated") {
		t.Errorf("the log says nothing: %s", log)
	}
	f.legacy("The build takes nine minutes.")
	look(1) // not due yet
	f.change(dryRun, signed)
	look(2)
	f.legacy("Ada works in Nice.")
	f.now = f.now.Add(time.Hour)
	look(2) // Signed does not believe the prefix of what is written now
	_, err := f.Attest(f.ctx(), reviewer, Attestation{Source: "operator:console", Reason: "from before"})
	must(t, err)
	look(0)
}

func BenchmarkTrustReport(b *testing.B) {
	f := newFixture(b)
	const n = 10_000
	var batch []memory.Change
	for i := range n {
		batch = append(batch, memory.Change{Type: memory.ChangeCreate, Actor: "agent", Sign: signer(f.state), Record: memory.Record{
			ID: memory.NewID(), Namespace: testNamespace, Branch: memory.MainBranch, Zone: memory.Working, State: memory.Active,
			Content: fmt.Sprintf("Office number %d is in Lyon and closes at five in the afternoon.", i), Class: provenance.Manual,
			Source: "operator:console", CreatedAt: f.now, UpdatedAt: f.now,
		}})
		if len(batch) == 500 {
			_, err := f.store.CommitAll(f.ctx(), batch)
			must(b, err)
			batch = nil
		}
	}
	for b.Loop() {
		report, err := f.TrustReport(f.ctx(), reviewer)
		if err != nil || report.Claiming != n {
			b.Fatal(report, err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/n, "µs/memory")
}
