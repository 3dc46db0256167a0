// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"memorytrust.dev/operator/api/v1alpha1"
)

func measured(subject v1alpha1.BenchmarkSubject, missed ...string) *v1alpha1.BenchmarkResult {
	return &v1alpha1.BenchmarkResult{
		JobName: "nightly-1", Outcome: v1alpha1.BenchmarkMeasured, Subject: subject,
		CompletedAt: metav1.NewTime(time.Unix(1796025600, 0)),
		Figures: &v1alpha1.BenchmarkFigures{
			Attacks: 58, AttacksSucceededOff: 58, AttackSuccessOffPerMille: 1000, Benign: 40, Missed: missed,
			Trials: &v1alpha1.BenchmarkShare{Count: 4, Of: 4},
		},
	}
}

func TestRunPassed(t *testing.T) {
	subject := v1alpha1.BenchmarkSubject{PolicyGeneration: 3, PolicyRevision: "abc", Image: "screener:1"}
	changed := func(change func(*v1alpha1.BenchmarkSubject)) v1alpha1.BenchmarkSubject {
		s := subject
		change(&s)
		return s
	}
	noResult := func(o v1alpha1.BenchmarkOutcome) *v1alpha1.BenchmarkResult {
		return &v1alpha1.BenchmarkResult{JobName: "nightly-1", Outcome: o, Message: "Out of luck", Subject: subject}
	}
	const figures = "0 of 58 attacks succeeded (with the defense off: 58), 0 of 40 harmless memories were withheld, trials right: 4 of 4"
	for name, c := range map[string]struct {
		last    *v1alpha1.BenchmarkResult
		now     v1alpha1.BenchmarkSubject
		want    string
		message string
	}{
		"never ran":     {nil, subject, "Unknown NeverRan", "No run"},
		"within limits": {measured(subject), subject, "True WithinLimits", figures},
		"limits missed": {measured(subject, "too many"), subject, "False LimitsMissed", figures + ". Limits missed: too many"},
		"a later generation of the same content": {
			measured(subject), changed(func(s *v1alpha1.BenchmarkSubject) { s.PolicyGeneration = 9 }), "True WithinLimits", figures,
		},
		"policy changed": {
			measured(subject), changed(func(s *v1alpha1.BenchmarkSubject) { s.PolicyRevision = "def" }), "Unknown PolicyChanged", "generation 3: " + figures,
		},
		"a failure is forgotten as well": {
			measured(subject, "x"), changed(func(s *v1alpha1.BenchmarkSubject) { s.PolicyRevision = "def" }), "Unknown PolicyChanged", figures,
		},
		"another screener": {
			measured(subject), changed(func(s *v1alpha1.BenchmarkSubject) { s.Image, s.PolicyRevision = "screener:2", "def" }), "Unknown ScreenerChanged", figures,
		},
		"other suites": {
			measured(subject), changed(func(s *v1alpha1.BenchmarkSubject) { s.Suites = []v1alpha1.BenchmarkSuite{"Texts"} }),
			"Unknown SuitesChanged", figures,
		},
		"failed":         {noResult(v1alpha1.BenchmarkFailed), subject, "Unknown RunFailed", "Out of luck: see kubectl logs job/nightly-1"},
		"timed out":      {noResult(v1alpha1.BenchmarkTimedOut), subject, "Unknown RunTimedOut", "Out of luck"},
		"lost":           {noResult(v1alpha1.BenchmarkLost), subject, "Unknown RunLost", "Out of luck"},
		"result missing": {noResult(v1alpha1.BenchmarkResultMissing), subject, "Unknown ResultMissing", "Out of luck"},
		"result invalid": {noResult(v1alpha1.BenchmarkResultInvalid), subject, "Unknown ResultInvalid", "Out of luck"},
		"no figures":     {noResult(v1alpha1.BenchmarkMeasured), subject, "Unknown ResultMissing", "Out of luck"},
	} {
		t.Run(name, func(t *testing.T) {
			got := runPassed(c.last, c.now)
			if have := string(got.Status) + " " + got.Reason; have != c.want || !strings.Contains(got.Message, c.message) {
				t.Errorf("%s: %s\nwant %s: %s", have, got.Message, c.want, c.message)
			}
		})
	}
}

func TestPolicyBenchmarked(t *testing.T) {
	subject := v1alpha1.BenchmarkSubject{PolicyRevision: "abc"}
	good := policyBenchmark{name: "good", last: measured(subject), subject: subject}
	bad := policyBenchmark{name: "bad", last: measured(subject, "x"), subject: subject}
	stale := policyBenchmark{name: "stale", last: measured(subject), subject: v1alpha1.BenchmarkSubject{PolicyRevision: "def"}}
	for name, c := range map[string]struct {
		benchmarks []policyBenchmark
		problem    string
		want       string
		names      string
	}{
		"none":               {nil, "", "Unknown NoBenchmark", ""},
		"one":                {[]policyBenchmark{good}, "", "True WithinLimits", "MemoryBenchmark good: 0 of 58"},
		"the worst counts":   {[]policyBenchmark{bad, good, stale}, "", "False LimitsMissed", "MemoryBenchmark bad"},
		"unknown is no True": {[]policyBenchmark{good, stale}, "", "Unknown PolicyChanged", "MemoryBenchmark stale"},
		"cannot be measured": {[]policyBenchmark{good}, "spec.x: is wrong", "Unknown PolicyInvalid", "spec.x"},
	} {
		t.Run(name, func(t *testing.T) {
			got := policyBenchmarked(c.benchmarks, c.problem)
			if have := string(got.Status) + " " + got.Reason; have != c.want || !strings.Contains(got.Message, c.names) {
				t.Errorf("%s: %s\nwant %s: %s", have, got.Message, c.want, c.names)
			}
		})
	}
	newer := good
	newer.name, newer.last = "newer", measured(subject)
	newer.last.CompletedAt = metav1.NewTime(good.last.CompletedAt.Add(time.Hour))
	if got := lastBenchmark([]policyBenchmark{good, newer, {name: "never"}}); got == nil || got.Name != "newer" {
		t.Errorf("last benchmark %v", got)
	}
}

func TestEndRunKeepsAHistory(t *testing.T) {
	s := v1alpha1.MemoryBenchmarkStatus{}
	b := &v1alpha1.MemoryBenchmark{ObjectMeta: metav1.ObjectMeta{Name: "nightly"}}
	for i := range 5 {
		planRun(&s, b, "it is time", v1alpha1.BenchmarkSubject{PolicyRevision: "abc"}, time.Unix(int64(1000+i), 0))
		endRun(&s, runEnd{
			at: time.Unix(int64(2000+i), 0), outcome: v1alpha1.BenchmarkMeasured,
			figures: &v1alpha1.BenchmarkFigures{AttackSuccessOnPerMille: int32(i), Missed: []string{"x"}},
		}, 3)
	}
	if s.Run != nil || s.LastRun.JobName != "nightly-1004" || s.LastRun.Figures.AttackSuccessOnPerMille != 4 {
		t.Errorf("last run %+v", s.LastRun)
	}
	var got []int32
	for _, p := range s.History {
		got = append(got, *p.AttackSuccessOnPerMille)
	}
	if diff := cmp.Diff([]int32{3, 2, 1}, got); diff != "" {
		t.Error(diff)
	}
	if s.History[0].LimitsMissed == nil || *s.History[0].LimitsMissed != 1 {
		t.Errorf("limits missed %v", s.History[0].LimitsMissed)
	}
	if trimHistory(&s, 0); s.History != nil {
		t.Errorf("history %v", s.History)
	}
}

func TestPlanRunFollowsARequestOnce(t *testing.T) {
	asked := metav1.NewTime(time.Unix(1000, 0))
	b := &v1alpha1.MemoryBenchmark{ObjectMeta: metav1.ObjectMeta{Name: "nightly"}, Spec: v1alpha1.MemoryBenchmarkSpec{RequestedAt: &asked}}
	var s v1alpha1.MemoryBenchmarkStatus
	planRun(&s, b, "it is new", v1alpha1.BenchmarkSubject{}, time.Unix(999, 0))
	if s.LastRequestedAt != nil {
		t.Error("a request for later counts as followed")
	}
	planRun(&s, b, "it is new", v1alpha1.BenchmarkSubject{}, time.Unix(1001, 0))
	if diff := cmp.Diff(ptr.To(asked), s.LastRequestedAt); diff != "" {
		t.Error(diff)
	}
}
