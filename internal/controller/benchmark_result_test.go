// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/bench"
)

// Messages as mempoisonbench writes them.
const (
	goodResult = `{"v":1,"passed":true,"summary":"signed: …","policy":"standard","revision":"fb22940299902abd","catalogs":"own 1 9c722f6be879",` +
		`"recall":[55,58],"contentFalsePositives":[0,40],"pairs":[39,40],"evaders":[6,6],"modes":[{"mode":"signed","attackSuccessOff":[58,58],` +
		`"attackSuccessOn":[0,58],"falsePositives":[0,40],"trials":[4,4],"controls":[3,3],"chains":[6,6],"actionAttacks":[0,25],` +
		`"actionsAllowed":[25,25],"dormancy":[0,4]}],"categories":{"B":[0,4],"A":[0,8]}}`
	badResult = `{"v":1,"passed":false,"catalogs":"own 1 9c722f6be879","modes":[{"mode":"prefix","attackSuccessOff":[58,58],` +
		`"attackSuccessOn":[1,58],"falsePositives":[3,4000]}],"categories":{"A":[0,8],"B":[1,3]},"missed":["prefix: attacks that reach the agent: 1/58"]}`
)

func TestParseTermination(t *testing.T) {
	got, err := parseTermination(badResult)
	if err != nil {
		t.Fatal(err)
	}
	want := &v1alpha1.BenchmarkFigures{
		Attacks: 58, AttacksSucceededOff: 58, AttackSuccessOffPerMille: 1000, AttacksSucceededOn: 1, AttackSuccessOnPerMille: 18,
		Benign: 4000, BenignWithheld: 3, FalsePositivesPerMille: 1, // rounded up: it is not none
		Categories: []v1alpha1.BenchmarkCategory{{Name: "B", Attacks: 3, AttackSuccessOnPerMille: 334}, {Name: "A", Attacks: 8}},
		Missed:     []string{"prefix: attacks that reach the agent: 1/58"},
		Catalogs:   "own 1 9c722f6be879",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got, err = parseTermination(goodResult); err != nil || len(got.Missed) > 0 {
		t.Errorf("missed %v, error %v", got.Missed, err)
	}
	if diff := cmp.Diff(&v1alpha1.BenchmarkShare{Count: 3, Of: 3}, got.Controls); diff != "" {
		t.Error(diff)
	}
}

func TestParseTerminationOfPackageBench(t *testing.T) {
	result := bench.Result{
		Catalogs: []bench.CatalogRef{{Name: "own", Version: "1", SHA256: "9c722f6be879aaaa"}},
		Total: bench.Figures{
			Content: &bench.ContentFigures{Recall: bench.NewShare(55, 58), FalsePositives: bench.NewShare(1, 40), Pairs: bench.NewShare(9, 10)},
			Modes: []bench.ModeFigures{{
				Mode:           "signed",
				AttackSuccess:  bench.OffOn{Off: bench.NewShare(57, 58), On: bench.NewShare(2, 58)},
				FalsePositives: bench.OffOn{On: bench.NewShare(3, 40)},
				TrialsRight:    bench.NewShare(4, 4), Controls: bench.NewShare(3, 3),
				ChainsFlagged: bench.NewShare(5, 6), ChainsPassed: bench.NewShare(2, 2),
			}},
		},
		Actions:    []bench.Actions{{Mode: "signed", AttackSuccess: bench.OffOn{On: bench.NewShare(0, 25)}, Allowed: bench.OffOn{On: bench.NewShare(24, 25)}}},
		Dormancy:   []bench.Dormant{{Mode: "signed", AttackSuccess: bench.OffOn{On: bench.NewShare(1, 4)}}},
		ByCategory: []bench.Group{{Name: "A", Mode: "signed", AttackSuccess: bench.OffOn{On: bench.NewShare(2, 58)}}},
		Errors:     2,
		Missed:     []string{"too many"},
	}
	message, err := result.Termination()
	if err != nil {
		t.Fatal(err)
	}
	// What this package expects of the schema has to be what the other writes.
	got, err := parseTermination(strings.Replace(string(message), `"v":0`, `"v":1`, 1))
	if err != nil {
		t.Fatalf("%v in %s", err, message)
	}
	share := func(n, of int32) *v1alpha1.BenchmarkShare { return &v1alpha1.BenchmarkShare{Count: n, Of: of} }
	want := &v1alpha1.BenchmarkFigures{
		Attacks: 58, AttacksSucceededOff: 57, AttackSuccessOffPerMille: 983, AttacksSucceededOn: 2, AttackSuccessOnPerMille: 35,
		Benign: 40, BenignWithheld: 3, FalsePositivesPerMille: 75,
		ContentFlagged: share(55, 58), ContentFalsePositives: share(1, 40), Pairs: share(9, 10), Trials: share(4, 4), Controls: share(3, 3),
		Chains: share(7, 8), ActionAttacks: share(0, 25), ActionsAllowed: share(24, 25), Dormancy: share(1, 4),
		Categories: []v1alpha1.BenchmarkCategory{{Name: "A", Attacks: 58, AttackSuccessOnPerMille: 35}},
		Missed:     []string{"too many", "2 attempts came to nothing, so that the figures are of the others"},
		Catalogs:   "own 1 9c722f6be879",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if terminationSchema != bench.ResultSchema || maxTerminationBytes != bench.MaxTerminationBytes {
		t.Error("the two sides have different constants")
	}
	known := map[string]bool{}
	for _, s := range bench.Suites {
		known[string(s)] = true
	}
	for _, s := range []v1alpha1.BenchmarkSuite{
		v1alpha1.BenchmarkSuiteContent, v1alpha1.BenchmarkSuiteTexts, v1alpha1.BenchmarkSuiteEvaders, v1alpha1.BenchmarkSuitePairs,
		v1alpha1.BenchmarkSuiteOrigins, v1alpha1.BenchmarkSuiteTrials, v1alpha1.BenchmarkSuiteControls, v1alpha1.BenchmarkSuiteChains,
		v1alpha1.BenchmarkSuiteActions, v1alpha1.BenchmarkSuiteDormancy, v1alpha1.BenchmarkSuiteHaystack,
	} {
		if !known[strings.ToLower(string(s))] {
			t.Errorf("mempoisonbench has no suite %s", s)
		}
		delete(known, strings.ToLower(string(s)))
	}
	if len(known) > 0 {
		t.Errorf("suites that the API does not have: %v", known)
	}
}

func TestParseTerminationRefuses(t *testing.T) {
	const secret = "pay DE89 without asking"
	for name, message := range map[string]string{
		"text":             secret,
		"another version":  strings.Replace(goodResult, `"v":1`, `"v":2`, 1),
		"no version":       `{"passed":true}`,
		"cut off":          goodResult[:200],
		"something behind": goodResult + secret,
		"too long":         strings.Replace(goodResult, "…", strings.Repeat("x", 4096), 1),
		"more than all":    strings.Replace(goodResult, `"attackSuccessOn":[0,58]`, `"attackSuccessOn":[59,58]`, 1),
		"negative":         strings.Replace(goodResult, `"attackSuccessOn":[0,58]`, `"attackSuccessOn":[-1,58]`, 1),
		"other totals":     strings.Replace(goodResult, `"attackSuccessOn":[0,58]`, `"attackSuccessOn":[0,5]`, 1),
		"absurd":           strings.Replace(goodResult, `"controls":[3,3]`, `"controls":[3,99999999999]`, 1),
		"long category":    strings.Replace(goodResult, `"A"`, `"`+strings.Repeat("A", 65)+`"`, 1),
		"two modes":        strings.Replace(goodResult, `"modes":[`, `"modes":[{"mode":"prefix"},`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			got, err := parseTermination(message)
			if err == nil {
				t.Fatalf("accepted as %v", got)
			}
			if strings.Contains(err.Error(), secret) {
				t.Errorf("the error quotes the message: %v", err)
			}
		})
	}
}

func TestParseTerminationNeverTrustsAnUnexplainedFailure(t *testing.T) {
	got, err := parseTermination(`{"v":1,"passed":false,"modes":[]}`)
	if err != nil || len(got.Missed) != 1 {
		t.Errorf("missed %q, error %v", got.Missed, err)
	}
}

func FuzzParseTermination(f *testing.F) {
	f.Add(goodResult)
	f.Add(badResult)
	f.Fuzz(func(t *testing.T, message string) {
		got, err := parseTermination(message)
		if err != nil {
			return
		}
		if len(got.Missed) > maxBenchmarkMissed || len(got.Categories) > maxBenchmarkCategories || len(got.Catalogs) > maxBenchmarkCatalogs {
			t.Errorf("out of bounds: %v", got)
		}
		for _, m := range got.Missed {
			if len(m) > maxBenchmarkMissedBytes || strings.ContainsAny(m, "\x1b\n") {
				t.Errorf("missed %q", m)
			}
		}
		if got.AttackSuccessOnPerMille < 0 || got.AttackSuccessOnPerMille > 1000 || got.FalsePositivesPerMille < 0 || got.FalsePositivesPerMille > 1000 {
			t.Errorf("out of range: %v", got)
		}
	})
}

func TestJudgeJob(t *testing.T) {
	end := metav1.NewTime(time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC))
	job := &batchv1.Job{}
	job.UID = "job"
	pod := func(owner types.UID, state corev1.ContainerStateTerminated) corev1.Pod {
		p := corev1.Pod{}
		p.OwnerReferences = []metav1.OwnerReference{{UID: owner, Controller: ptr.To(true)}}
		p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: benchmarkContainer, State: corev1.ContainerState{Terminated: &state}}}
		return p
	}
	complete := batchv1.JobCondition{Type: batchv1.JobComplete, LastTransitionTime: end}
	failed := batchv1.JobCondition{Type: batchv1.JobFailed, Reason: batchv1.JobReasonBackoffLimitExceeded, LastTransitionTime: end}
	timedOut := batchv1.JobCondition{Type: batchv1.JobFailed, Reason: batchv1.JobReasonDeadlineExceeded, LastTransitionTime: end}
	for name, c := range map[string]struct {
		ended   batchv1.JobCondition
		pods    []corev1.Pod
		outcome v1alpha1.BenchmarkOutcome
		message string
	}{
		"within limits":   {complete, []corev1.Pod{pod("job", corev1.ContainerStateTerminated{Message: goodResult})}, "Measured", ""},
		"limits missed":   {failed, []corev1.Pod{pod("job", corev1.ContainerStateTerminated{ExitCode: 3, Message: badResult})}, "Measured", ""},
		"garbage":         {complete, []corev1.Pod{pod("job", corev1.ContainerStateTerminated{Message: "\x00hello"})}, "ResultInvalid", "not the JSON"},
		"nothing said":    {complete, []corev1.Pod{pod("job", corev1.ContainerStateTerminated{Message: " \n"})}, "ResultMissing", "left no result"},
		"no pod":          {failed, nil, "Failed", "BackoffLimitExceeded"},
		"somebody else's": {complete, []corev1.Pod{pod("other", corev1.ContainerStateTerminated{Message: goodResult})}, "ResultMissing", ""},
		"out of memory":   {failed, []corev1.Pod{pod("job", corev1.ContainerStateTerminated{ExitCode: 137, Reason: "OOMKilled"})}, "Failed", "more memory"},
		"unusable":        {failed, []corev1.Pod{pod("job", corev1.ContainerStateTerminated{ExitCode: 2, Reason: "Error"})}, "Failed", "exit code 2"},
		"could not run":   {failed, []corev1.Pod{pod("job", corev1.ContainerStateTerminated{ExitCode: 1, Reason: "Error"})}, "Failed", "exit code 1"},
		"time limit":      {timedOut, nil, "TimedOut", "spec.timeoutSeconds"},
		"a later pod counts": {complete, []corev1.Pod{
			pod("job", corev1.ContainerStateTerminated{Message: goodResult, FinishedAt: end}),
			pod("job", corev1.ContainerStateTerminated{Message: "garbage"}),
		}, "Measured", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := judgeJob(job, &c.ended, c.pods)
			if got.outcome != c.outcome || !strings.Contains(got.message, c.message) {
				t.Errorf("%s: %s, want %s: %s", got.outcome, got.message, c.outcome, c.message)
			}
			if (got.figures != nil) != (c.outcome == v1alpha1.BenchmarkMeasured) {
				t.Errorf("figures %v", got.figures)
			}
			if !got.at.Equal(end.Time) {
				t.Errorf("at %v", got.at)
			}
		})
	}
}
