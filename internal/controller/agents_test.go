// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/inject"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/server/admin"
)

var born = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

func testPolicy(name string, age time.Duration, match map[string]string) v1alpha1.MemoryTrustPolicy {
	return v1alpha1.MemoryTrustPolicy{
		ObjectMeta: metav1.ObjectMeta{Name: name, CreationTimestamp: metav1.NewTime(born.Add(-age))},
		Spec:       v1alpha1.MemoryTrustPolicySpec{Selector: metav1.LabelSelector{MatchLabels: match}},
	}
}

func testPod(name string, labels map[string]string, change ...func(*corev1.Pod)) *corev1.Pod {
	all := map[string]string{v1alpha1.LabelAgent: "concierge"}
	for k, v := range labels {
		all[k] = v
	}
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name), Labels: all},
		Spec:       corev1.PodSpec{InitContainers: []corev1.Container{{Name: "setup"}, {Name: inject.ContainerName, Image: "now"}}},
		Status: corev1.PodStatus{Phase: corev1.PodRunning, PodIP: "10.0.0.1", InitContainerStatuses: []corev1.ContainerStatus{
			{Name: inject.ContainerName, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}},
		}},
	}
	for _, c := range change {
		c(pod)
	}
	return pod
}

func TestResolve(t *testing.T) {
	any, blue, red := map[string]string(nil), map[string]string{"team": "blue"}, map[string]string{"team": "red"}
	deleted := testPolicy("deleted", 9*time.Hour, any)
	deleted.DeletionTimestamp = &metav1.Time{Time: born}
	tests := map[string]struct {
		policies []v1alpha1.MemoryTrustPolicy
		pods     []*corev1.Pod
		last     string
		want     string
		overlaps []string
	}{
		"none":                             {nil, []*corev1.Pod{testPod("a", nil)}, "", "", nil},
		"one":                              {[]v1alpha1.MemoryTrustPolicy{testPolicy("p", 0, any)}, []*corev1.Pod{testPod("a", nil)}, "", "p", nil},
		"older wins":                       {[]v1alpha1.MemoryTrustPolicy{testPolicy("a", 0, any), testPolicy("z", time.Hour, any)}, []*corev1.Pod{testPod("a", nil)}, "", "z", []string{"a"}},
		"then the name":                    {[]v1alpha1.MemoryTrustPolicy{testPolicy("z", 0, any), testPolicy("a", 0, any)}, []*corev1.Pod{testPod("a", nil)}, "", "a", []string{"z"}},
		"pods of one agent share a policy": {[]v1alpha1.MemoryTrustPolicy{testPolicy("b", 0, blue), testPolicy("r", time.Hour, red)}, []*corev1.Pod{testPod("a", blue), testPod("b", red)}, "", "r", []string{"b"}},
		"a policy on its way out is gone":  {[]v1alpha1.MemoryTrustPolicy{deleted, testPolicy("p", 0, any)}, []*corev1.Pod{testPod("a", nil)}, "deleted", "p", nil},
		"without pods the last one":        {[]v1alpha1.MemoryTrustPolicy{testPolicy("p", 0, red), testPolicy("older", time.Hour, any)}, nil, "p", "p", nil},
		"without pods and it is deleted":   {[]v1alpha1.MemoryTrustPolicy{testPolicy("older", time.Hour, any)}, nil, "p", "", nil},
		"pods outrank the last one":        {[]v1alpha1.MemoryTrustPolicy{testPolicy("p", 0, red)}, []*corev1.Pod{testPod("a", blue)}, "p", "", nil},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got := resolve(tc.policies, tc.pods, tc.last)
			gotName := ""
			if got.policy != nil {
				gotName = got.policy.Name
			}
			if gotName != tc.want || !cmp.Equal(got.overlapping, tc.overlaps, cmpopts.EquateEmpty()) {
				t.Errorf("resolve = %q overlapping %v, want %q and %v", gotName, got.overlapping, tc.want, tc.overlaps)
			}
		})
	}
}

func TestLookAt(t *testing.T) {
	pods := []*corev1.Pod{
		testPod("good", nil),
		testPod("done", nil, func(p *corev1.Pod) { p.Status.Phase = corev1.PodSucceeded }),
		testPod("failed", nil, func(p *corev1.Pod) { p.Status.Phase = corev1.PodFailed }),
		testPod("leaving", nil, func(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{Time: born} }),
		testPod("bare", nil, func(p *corev1.Pod) { p.Spec.InitContainers = nil }),
		testPod("fake", nil, func(p *corev1.Pod) {
			p.Spec.Containers, p.Spec.InitContainers = p.Spec.InitContainers, nil // ours is an init container, wherever the name is
		}),
		testPod("older-release", nil, func(p *corev1.Pod) { p.Spec.InitContainers[1].Image = "then" }),
		testPod("starting", nil, func(p *corev1.Pod) { p.Status.InitContainerStatuses[0].State = corev1.ContainerState{} }),
		testPod("no-address", nil, func(p *corev1.Pod) { p.Status.PodIP = "" }),
	}
	f := lookAt(pods, "now")
	names := func(pods []*corev1.Pod) []string {
		var out []string
		for _, p := range pods {
			out = append(out, p.Name)
		}
		return out
	}
	got := map[string][]string{
		"live": names(f.live), "injected": names(f.injected), "running": names(f.running), "missing": f.missing, "skewed": f.skewed,
	}
	want := map[string][]string{
		"live":     {"bare", "fake", "good", "no-address", "older-release", "starting"},
		"injected": {"good", "no-address", "older-release", "starting"},
		"running":  {"good", "older-release"},
		"missing":  {"bare", "fake"},
		"skewed":   {"older-release"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("pods (-want +got):\n%s", diff)
	}
}

// TestRestartIsNoTransition: a status that was complete stays as it is until the screeners have been asked again.
func TestRestartIsNoTransition(t *testing.T) {
	p := testPolicy("p", 0, nil)
	o := agentObserved{
		resolution: resolution{policy: &p}, policyName: "p", revision: "r1", trust: v1alpha1.TrustModePrefix,
		want:    want{revision: "r1", primary: "7", keyIDs: []string{"7"}},
		fleet:   lookAt([]*corev1.Pod{testPod("a", nil), testPod("b", nil)}, "now"),
		version: "v1",
		reports: map[types.UID]report{},
	}
	for _, uid := range []types.UID{"a", "b"} {
		o.reports[uid] = report{reachable: metav1.ConditionTrue, status: admin.Status{
			Version: "v1", PolicyRevision: "r1", PrimaryKeyID: "7", KeyIDs: []string{"7"},
			Zones: map[string]int64{"Working": 2}, AuditRoot: "x", AuditSize: 4,
		}}
	}
	before := agentStatus(v1alpha1.AgentMemoryStatus{}, o)
	if before.Memories.Working != 4 || len(before.Pods) != 2 {
		t.Fatalf("status = %+v", before)
	}
	o.reports = map[types.UID]report{"a": {reachable: metav1.ConditionUnknown}}
	if after := agentStatus(before, o); !cmp.Equal(before, after) {
		t.Errorf("a restart changed the status:\n%s", cmp.Diff(before, after))
	}
}

func TestStatusListsAtMostTwentyPods(t *testing.T) {
	var pods []*corev1.Pod
	for i := range 30 {
		pods = append(pods, testPod(string(rune('A'+i)), nil))
	}
	s := agentStatus(v1alpha1.AgentMemoryStatus{}, agentObserved{fleet: lookAt(pods, "now")})
	if len(s.Pods) != 20 || s.PodCount != 30 {
		t.Errorf("%d pods listed, %d counted", len(s.Pods), s.PodCount)
	}
}

func TestCountsOnly(t *testing.T) {
	a := v1alpha1.AgentMemoryStatus{PolicyName: "p", Memories: v1alpha1.MemoryCounts{Quarantine: 1, Working: 5}}
	more := a
	more.Memories.Working = 6
	first := a
	first.Memories.PendingReview = 1
	renamed := more
	renamed.PolicyName = "q"
	for name, tc := range map[string]struct {
		next v1alpha1.AgentMemoryStatus
		want bool
	}{"one more": {more, true}, "the first to review": {first, false}, "something else as well": {renamed, false}} {
		if got := countsOnly(a, tc.next); got != tc.want {
			t.Errorf("%s: countsOnly = %v", name, got)
		}
	}
}

func TestChannelDigest(t *testing.T) {
	channel := v1alpha1.Channel{Name: "console", TokenSecretRef: &v1alpha1.SecretKeyRef{Name: "s"}}
	secret := func(label, key, token string) *corev1.Secret {
		return &corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{v1alpha1.LabelKeySource: label}},
			Data:       map[string][]byte{key: []byte(token)},
		}
	}
	const good = "0123456789abcdef"
	for name, tc := range map[string]struct {
		secret *corev1.Secret
		found  bool
		works  bool
	}{
		"good":            {secret("channel", "token", good), true, true},
		"trailing line":   {secret("channel", "token", good+"\r\n"), true, true},
		"absent":          {&corev1.Secret{}, false, false},
		"other label":     {secret("generated", "token", good), true, false},
		"other entry":     {secret("channel", "password", good), true, false},
		"short":           {secret("channel", "token", good[1:]), true, false},
		"short but lines": {secret("channel", "token", good[1:]+"\n\n\n"), true, false},
	} {
		digest, problem := channelDigest(channel, tc.secret, tc.found)
		if tc.works != (problem == "") || tc.works && digest != policy.DigestToken([]byte(good)) {
			t.Errorf("%s: digest %q, problem %q", name, digest, problem)
		}
	}
}

func TestStripPod(t *testing.T) {
	pod := testPod("a", nil, func(p *corev1.Pod) {
		p.Annotations = map[string]string{v1alpha1.AnnotationSync: "x", "kubectl.kubernetes.io/last-applied-configuration": "{...}"}
		p.Spec.Containers = []corev1.Container{{Name: "agent", Image: "i", Env: []corev1.EnvVar{
			{Name: "API_KEY", Value: "secret"},
			{Name: "PAY", ValueFrom: &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{LocalObjectReference: corev1.LocalObjectReference{Name: "pay"}, Key: "token"}}},
		}}}
		p.Spec.ServiceAccountName = "sa"
	})
	out, err := stripPod(pod)
	if err != nil {
		t.Fatal(err)
	}
	slim, ok := out.(*corev1.Pod)
	if !ok {
		t.Fatalf("got %T", out)
	}
	if slim.Spec.Containers[0].Env != nil || len(slim.Annotations) != 1 {
		t.Error("environment or foreign annotations are kept")
	}
	pay := []v1alpha1.Upstream{{Name: "pay", CredentialSecretRef: &v1alpha1.SecretKeyRef{Name: "pay"}}}
	if got := credentialHolders([]*corev1.Pod{slim}, pay); !cmp.Equal(got, []string{"a"}) {
		t.Errorf("pods that hold the credential: %v", got)
	}
	if !cmp.Equal(lookAt([]*corev1.Pod{pod}, "now").skewed, lookAt([]*corev1.Pod{slim}, "now").skewed) ||
		len(lookAt([]*corev1.Pod{slim}, "now").running) != 1 || serviceAccountOf(slim) != "sa" || slim.UID != pod.UID {
		t.Error("something the reconcilers look at is gone")
	}
	if _, err := stripPod("tombstone"); err != nil {
		t.Error(err)
	}
}
