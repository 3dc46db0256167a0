// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"memorytrust.dev/operator/api/v1alpha1"
)

// Reasons of MemoryBenchmark, and of the condition BenchmarkPassed of MemoryTrustPolicy.
const (
	// ReasonCanRun surfaces when nothing keeps the benchmark from running.
	ReasonCanRun = "CanRun"
	// ReasonSuspended surfaces when spec.mode is Suspended.
	ReasonSuspended = "Suspended"
	// ReasonInvalidSchedule surfaces when spec.schedule or spec.timeZone cannot be used.
	ReasonInvalidSchedule = "InvalidSchedule"
	// ReasonPolicyMissing surfaces when there is no MemoryTrustPolicy of the name.
	ReasonPolicyMissing = "PolicyMissing"
	// ReasonJobRefused surfaces when the API server refuses the Job or its ConfigMap.
	ReasonJobRefused = "JobRefused"
	// ReasonRunUnderWay surfaces while a run is under way.
	ReasonRunUnderWay = "RunUnderWay"
	// ReasonRunPlanned surfaces while a run is due and has no Job yet.
	ReasonRunPlanned = "RunPlanned"
	// ReasonNoRun surfaces while no run is under way.
	ReasonNoRun = "NoRun"
	// ReasonWithinLimits surfaces when the last run kept to the limits of the policy.
	ReasonWithinLimits = "WithinLimits"
	// ReasonLimitsMissed surfaces when the last run missed a limit of the policy.
	ReasonLimitsMissed = "LimitsMissed"
	// ReasonNeverRan surfaces until a first run is over.
	ReasonNeverRan = "NeverRan"
	// ReasonPolicyChanged surfaces when the policy, its lexicons or its limits are others than the last run measured.
	ReasonPolicyChanged = "PolicyChanged"
	// ReasonScreenerChanged surfaces when the operator injects another screener than the last run measured.
	ReasonScreenerChanged = "ScreenerChanged"
	// ReasonSuitesChanged surfaces when spec.suites are others than the last run ran.
	ReasonSuitesChanged = "SuitesChanged"
	// ReasonRunFailed surfaces when the last run ended without having measured.
	ReasonRunFailed = "RunFailed"
	// ReasonRunTimedOut surfaces when the last run took longer than spec.timeoutSeconds.
	ReasonRunTimedOut = "RunTimedOut"
	// ReasonRunLost surfaces when the Job of the last run was deleted before its end was seen.
	ReasonRunLost = "RunLost"
	// ReasonResultMissing surfaces when the last run left no result.
	ReasonResultMissing = "ResultMissing"
	// ReasonResultInvalid surfaces when the result of the last run could not be read.
	ReasonResultInvalid = "ResultInvalid"
	// ReasonNoBenchmark surfaces when no MemoryBenchmark refers to the policy.
	ReasonNoBenchmark = "NoBenchmark"
)

// outcomeReasons are the reasons of runs that measured nothing.
var outcomeReasons = map[v1alpha1.BenchmarkOutcome]string{
	v1alpha1.BenchmarkFailed:        ReasonRunFailed,
	v1alpha1.BenchmarkTimedOut:      ReasonRunTimedOut,
	v1alpha1.BenchmarkLost:          ReasonRunLost,
	v1alpha1.BenchmarkResultMissing: ReasonResultMissing,
	v1alpha1.BenchmarkResultInvalid: ReasonResultInvalid,
}

// benchmarkObserved is what the conditions of a MemoryBenchmark are computed from, beside its status.
type benchmarkObserved struct {
	generation int64
	suspended  bool
	// obstacle keeps runs from being started; nil normally.
	obstacle *finding
	// policyGone is why there is nothing to compare the last run with; nil normally.
	policyGone *finding
	// subject is what a run would measure now.
	subject v1alpha1.BenchmarkSubject
	next    time.Time
}

// setBenchmarkConditions sets all conditions of a status whose runs are up to date.
func setBenchmarkConditions(s *v1alpha1.MemoryBenchmarkStatus, o benchmarkObserved) {
	s.ObservedGeneration = o.generation
	s.NextScheduledAt = nil
	if !o.next.IsZero() {
		s.NextScheduledAt = ptr.To(metav1.NewTime(o.next))
	}
	benchmarkReady(o).set(&s.Conditions, v1alpha1.ConditionReady, o.generation)
	benchmarkRunning(s.Run).set(&s.Conditions, v1alpha1.ConditionRunning, o.generation)
	passed := runPassed(s.LastRun, o.subject)
	if o.policyGone != nil {
		passed = *o.policyGone
	}
	passed.set(&s.Conditions, v1alpha1.ConditionPassed, o.generation)
}

// benchmarkReady is about whether the benchmark can run, and never about results.
func benchmarkReady(o benchmarkObserved) finding {
	switch {
	case o.obstacle != nil:
		return *o.obstacle
	case o.suspended:
		return yes(ReasonSuspended, "No run is started while spec.mode is Suspended")
	case o.next.IsZero():
		return yes(ReasonCanRun, "The benchmark runs when spec.requestedAt is set to a new time")
	}
	return yes(ReasonCanRun, "The benchmark runs by its schedule, and when spec.requestedAt is set to a new time")
}

func benchmarkRunning(run *v1alpha1.BenchmarkRun) finding {
	if run == nil {
		return no(ReasonNoRun, "No run is under way")
	}
	if run.StartedAt == nil {
		return no(ReasonRunPlanned, "Job %s is about to be made, because %s", run.JobName, run.Cause)
	}
	return yes(ReasonRunUnderWay, "Job %s is under way, because %s", run.JobName, run.Cause)
}

// runPassed says what the last run is worth to whoever would measure that subject now.
func runPassed(last *v1alpha1.BenchmarkResult, now v1alpha1.BenchmarkSubject) finding {
	if last == nil {
		return unknown(ReasonNeverRan, "No run is over yet")
	}
	if reason, ok := outcomeReasons[last.Outcome]; ok || last.Figures == nil {
		return unknown(cmp.Or(reason, ReasonResultMissing), "%s: see kubectl logs job/%s", cmp.Or(last.Message, "Nothing was measured"), last.JobName)
	}
	figures := figuresInWords(last.Figures)
	switch {
	case last.Subject.Image != now.Image:
		return unknown(ReasonScreenerChanged, "The last run measured another release of the screener: %s", figures)
	case last.Subject.PolicyRevision != now.PolicyRevision:
		return unknown(ReasonPolicyChanged, "The policy changed since the last run, which measured generation %d: %s",
			last.Subject.PolicyGeneration, figures)
	case !slices.Equal(last.Subject.Suites, now.Suites):
		return unknown(ReasonSuitesChanged, "The last run ran other suites: %s", figures)
	case len(last.Figures.Missed) > 0:
		return no(ReasonLimitsMissed, "%s. Limits missed: %s", figures, strings.Join(last.Figures.Missed, "; "))
	}
	return yes(ReasonWithinLimits, "%s", figures)
}

// figuresInWords says what a run measured in one line.
func figuresInWords(f *v1alpha1.BenchmarkFigures) string {
	var parts []string
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	if f.Attacks > 0 {
		add("%d of %d attacks succeeded (with the defense off: %d)", f.AttacksSucceededOn, f.Attacks, f.AttacksSucceededOff)
	}
	if f.Benign > 0 {
		add("%d of %d harmless memories were withheld", f.BenignWithheld, f.Benign)
	}
	for _, s := range []struct {
		what  string
		share *v1alpha1.BenchmarkShare
	}{
		{"found by their text alone", f.ContentFlagged}, {"harmless texts taken for directives", f.ContentFalsePositives},
		{"pairs told apart", f.Pairs}, {"trials right", f.Trials}, {"controls right", f.Controls}, {"chains right", f.Chains},
		{"attacks on actions succeeded", f.ActionAttacks}, {"actions of users allowed", f.ActionsAllowed},
		{"sleeping attacks succeeded", f.Dormancy},
	} {
		if s.share != nil {
			add("%s: %d of %d", s.what, s.share.Count, s.share.Of)
		}
	}
	if len(parts) == 0 {
		return "nothing was measured"
	}
	return strings.Join(parts, ", ")
}

// planRun notes a run that is about to start.
func planRun(s *v1alpha1.MemoryBenchmarkStatus, b *v1alpha1.MemoryBenchmark, cause string, subject v1alpha1.BenchmarkSubject, now time.Time) {
	s.Run = &v1alpha1.BenchmarkRun{
		JobName: fmt.Sprintf("%s-%d", b.Name, now.Unix()), Cause: cause, PlannedAt: metav1.NewTime(now), Subject: subject,
	}
	if asked := b.Spec.RequestedAt; asked != nil && !asked.After(now) {
		s.LastRequestedAt = asked.DeepCopy()
	}
}

// endRun makes the run under way the last one, and the last one history.
func endRun(s *v1alpha1.MemoryBenchmarkStatus, end runEnd, historyLimit int32) {
	if s.LastRun != nil {
		s.History = slices.Insert(s.History, 0, pastRun(s.LastRun))
	}
	run := s.Run
	s.LastRun = &v1alpha1.BenchmarkResult{
		JobName: run.JobName, Cause: run.Cause, StartedAt: run.StartedAt, CompletedAt: metav1.NewTime(end.at), Subject: run.Subject,
		Outcome: end.outcome, Message: cutText(end.message, maxBenchmarkMessage), Figures: end.figures,
	}
	s.Run = nil
	trimHistory(s, historyLimit)
}

// trimHistory keeps as many earlier runs as the spec says.
func trimHistory(s *v1alpha1.MemoryBenchmarkStatus, limit int32) {
	if len(s.History) > int(limit) {
		s.History = s.History[:limit]
	}
	if len(s.History) == 0 {
		s.History = nil
	}
}

func pastRun(r *v1alpha1.BenchmarkResult) v1alpha1.BenchmarkPastRun {
	p := v1alpha1.BenchmarkPastRun{CompletedAt: r.CompletedAt, Outcome: r.Outcome, PolicyRevision: r.Subject.PolicyRevision}
	if f := r.Figures; f != nil {
		p.AttackSuccessOnPerMille, p.FalsePositivesPerMille = ptr.To(f.AttackSuccessOnPerMille), ptr.To(f.FalsePositivesPerMille)
		p.LimitsMissed = ptr.To(int32(len(f.Missed))) //nolint:gosec // bounded
	}
	return p
}

// policyBenchmark is one MemoryBenchmark of a policy, and what a run of it would measure now.
type policyBenchmark struct {
	name    string
	last    *v1alpha1.BenchmarkResult
	subject v1alpha1.BenchmarkSubject
}

// policyBenchmarked is the condition BenchmarkPassed: that of the benchmark that came out worst. problem is why the policy cannot be
// measured at all; empty normally.
func policyBenchmarked(benchmarks []policyBenchmark, problem string) finding {
	if len(benchmarks) == 0 {
		return unknown(ReasonNoBenchmark, "No MemoryBenchmark refers to the policy: make one, and it says here what the policy is worth")
	}
	if problem != "" {
		return unknown(ReasonPolicyInvalid, "The policy cannot be measured: %s", problem)
	}
	rank := map[metav1.ConditionStatus]int{metav1.ConditionFalse: 0, metav1.ConditionUnknown: 1, metav1.ConditionTrue: 2}
	var worst finding
	for i, b := range benchmarks { // sorted by name
		f := runPassed(b.last, b.subject)
		f.Message = "MemoryBenchmark " + b.name + ": " + f.Message
		if i == 0 || rank[f.Status] < rank[worst.Status] {
			worst = f
		}
	}
	return worst
}

// lastBenchmark is the newest run that measured; nil when none did.
func lastBenchmark(benchmarks []policyBenchmark) *v1alpha1.LastBenchmark {
	var newest *v1alpha1.LastBenchmark
	for _, b := range benchmarks {
		if b.last == nil || b.last.Figures == nil || newest != nil && !newest.CompletedAt.Before(&b.last.CompletedAt) {
			continue
		}
		f := b.last.Figures
		newest = &v1alpha1.LastBenchmark{
			Name: b.name, CompletedAt: b.last.CompletedAt, AttackSuccessOffPerMille: f.AttackSuccessOffPerMille,
			AttackSuccessOnPerMille: f.AttackSuccessOnPerMille, FalsePositivesPerMille: f.FalsePositivesPerMille,
		}
	}
	return newest
}
