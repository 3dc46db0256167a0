// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/policy"
)

func benchPolicy(change ...func(*v1alpha1.MemoryTrustPolicySpec)) *v1alpha1.MemoryTrustPolicy {
	p := &v1alpha1.MemoryTrustPolicy{
		ObjectMeta: metav1.ObjectMeta{Namespace: "travel", Name: "standard", Generation: 7},
		Spec:       v1alpha1.MemoryTrustPolicySpec{Store: v1alpha1.StoreSpec{Type: v1alpha1.StoreTypeEphemeral}},
	}
	for _, c := range change {
		c(&p.Spec)
	}
	return p
}

func rendered(t *testing.T, p *v1alpha1.MemoryTrustPolicy, lexicons ...policy.Lexicon) benchmarkInput {
	t.Helper()
	in, err := renderBenchmark(p, lexicons)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func TestRenderBenchmarkRevision(t *testing.T) {
	base := rendered(t, benchPolicy()).revision
	for name, c := range map[string]struct {
		change func(*v1alpha1.MemoryTrustPolicySpec)
		same   bool
	}{
		"selector": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Selector.MatchLabels = map[string]string{"a": "b"} }, true},
		"sidecar":  {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Sidecar.URLEnv = []string{"MEM0_URL"} }, true},
		"store":    {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Store.Type = v1alpha1.StoreTypePersistent }, true},
		"judge": {func(s *v1alpha1.MemoryTrustPolicySpec) {
			s.Screening.Judge = &v1alpha1.JudgeSpec{URL: "https://api.example.com/v1", Model: "m"}
		}, true},
		"default limits": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Benchmark.Limits.PairsPerMille = ptr.To[int32](500) }, true},
		"enforcement":    {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Enforcement = v1alpha1.EnforcementDryRun }, false},
		"review":         {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Review = v1alpha1.ReviewModeWithhold }, false},
		"thresholds":     {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Screening.Thresholds.IntentPerMille = 1000 }, false},
		"limits":         {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Benchmark.Limits.AttackSuccessPerMille = ptr.To[int32](1) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := rendered(t, benchPolicy(c.change)).revision; (got == base) != c.same {
				t.Errorf("same revision: %v", got == base)
			}
		})
	}
}

func TestRenderBenchmarkIsAPolicyFile(t *testing.T) {
	p := benchPolicy(func(s *v1alpha1.MemoryTrustPolicySpec) {
		s.Trust.Mode = v1alpha1.TrustModeSigned
		s.Trust.Channels = []v1alpha1.Channel{{
			Name: "console", Class: "Manual", Principal: "ops", TokenSecretRef: &v1alpha1.SecretKeyRef{Name: "console-token"},
		}}
		s.Screening.LexiconRefs = []v1alpha1.LexiconRef{{Name: "a"}, {Name: "b"}}
	})
	lexicon := policy.Lexicon{Name: "a/en.lex", Text: "language en\n"}
	in := rendered(t, p, lexicon)
	parsed, err := policy.ParseManifest([]byte(in.files[benchmarkPolicyFile]))
	if err != nil {
		t.Fatal(err)
	}
	if parsed.Name != "standard" || parsed.Spec.Trust.Mode != v1alpha1.TrustModeSigned || len(parsed.Spec.Trust.Channels) != 1 {
		t.Errorf("parsed %+v", parsed)
	}
	if diff := cmp.Diff([]v1alpha1.LexiconRef{{Name: benchmarkLexiconDir}}, parsed.Spec.Screening.LexiconRefs); diff != "" {
		t.Error(diff)
	}
	if in.files["lexicon-00.lex"] != lexicon.Text {
		t.Errorf("files %v", in.files)
	}
}

func TestRenderBenchmarkRefusesWhatNoScreenerTakes(t *testing.T) {
	_, err := renderBenchmark(benchPolicy(func(s *v1alpha1.MemoryTrustPolicySpec) {
		s.Actions.Rules = []v1alpha1.ActionRule{{Name: "x", Tools: []string{"*"}, When: "args.amount >"}}
	}), nil)
	if err == nil || !strings.Contains(err.Error(), "spec.actions") {
		t.Errorf("error %v", err)
	}
}

func TestBenchmarkJob(t *testing.T) {
	p := benchPolicy(func(s *v1alpha1.MemoryTrustPolicySpec) {
		s.Trust.Mode = v1alpha1.TrustModeSigned
		s.Trust.Channels = []v1alpha1.Channel{{
			Name: "console", Class: "Manual", Principal: "ops", TokenSecretRef: &v1alpha1.SecretKeyRef{Name: "console-token"},
		}}
		s.Benchmark.Limits = v1alpha1.BenchmarkLimits{AttackSuccessPerMille: ptr.To[int32](5)}
	})
	b := &v1alpha1.MemoryBenchmark{
		ObjectMeta: metav1.ObjectMeta{Namespace: "travel", Name: "nightly", UID: "b"},
		Spec: v1alpha1.MemoryBenchmarkSpec{
			TimeoutSeconds: 60, Suites: []v1alpha1.BenchmarkSuite{"Texts", "Chains"},
			Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{"cpu": resource.MustParse("50m")}},
		},
	}
	in := rendered(t, p)
	run := &v1alpha1.BenchmarkRun{JobName: "nightly-1", Subject: benchmarkSubject(b, p, in, screenerImage)}
	job := benchmarkJob(b, run, in)
	if job.Name != "nightly-1" || job.Namespace != "travel" || metav1.GetControllerOf(job).UID != "b" {
		t.Errorf("metadata %+v", job.ObjectMeta)
	}
	spec := job.Spec
	if *spec.BackoffLimit != 0 || *spec.ActiveDeadlineSeconds != 60 || *spec.TTLSecondsAfterFinished != 86400 {
		t.Errorf("spec %+v", spec)
	}
	if _, labeled := spec.Template.Labels[v1alpha1.LabelAgent]; labeled {
		t.Error("the pod looks like an agent's")
	}
	pod := spec.Template.Spec
	if len(pod.Containers) != 1 || len(pod.InitContainers) != 0 || pod.AutomountServiceAccountToken == nil || *pod.AutomountServiceAccountToken {
		t.Errorf("pod %+v", pod)
	}
	for _, v := range pod.Volumes {
		if v.ConfigMap == nil && v.EmptyDir == nil {
			t.Errorf("volume %+v", v)
		}
	}
	c := pod.Containers[0]
	if c.Image != screenerImage || !slices.Equal(c.Command, []string{"/mempoisonbench"}) || len(c.Env)+len(c.EnvFrom) > 0 {
		t.Errorf("container %+v", c)
	}
	want := []string{
		"run", "--policy=/etc/memorytrust/policy.yaml", "--mode=signed", "--termination-message=/dev/termination-log", "--temp-dir=/tmp",
		"--max-attack-success-per-mille=5", "--max-false-positives-per-mille=20", "--min-pairs-per-mille=500", "--suite=chains", "--suite=texts",
	}
	if diff := cmp.Diff(want, c.Args); diff != "" {
		t.Error(diff)
	}
	if cpu := c.Resources.Requests["cpu"]; cpu.String() != "50m" {
		t.Errorf("a request of %s CPU is above the limit", cpu.String())
	}
	if memory := c.Resources.Limits["memory"]; memory.String() != "1Gi" {
		t.Errorf("limit of %s memory", memory.String())
	}
}

func TestBenchmarkConfigIsOneOfTheOperatorsNames(t *testing.T) {
	a, b := benchmarkConfigName("nightly"), benchmarkConfigName("weekly")
	if a == b || !strings.HasPrefix(a, "mt-") || len(strings.Split(a, "-")[1]) != 16 {
		t.Errorf("names %s, %s", a, b)
	}
}
