// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"fmt"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/inject"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/server/admin"
)

func testUpstream(name string, kind v1alpha1.UpstreamKind, secret string) v1alpha1.Upstream {
	u := v1alpha1.Upstream{Name: name, Kind: kind, URL: "http://" + name + ".tools.svc:8000/mcp"}
	if secret != "" {
		u.CredentialSecretRef = &v1alpha1.SecretKeyRef{Name: secret}
	}
	return u
}

func TestActionsEnforced(t *testing.T) {
	tools, memories := v1alpha1.UpstreamKindTools, v1alpha1.UpstreamKindMemory
	guarded := []v1alpha1.Upstream{testUpstream("pay", tools, "pay"), testUpstream("graph", memories, "")}
	holder := func() *corev1.Pod {
		pod := testPod("a", nil)
		pod.Spec.Volumes = []corev1.Volume{{VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: "pay"}}}}
		return pod
	}
	for name, tc := range map[string]struct {
		upstreams []v1alpha1.Upstream
		change    func(*agentObserved)
		want      string
		says      string
	}{
		"guarded":            {guarded, nil, "True UpstreamsGuarded", "pay"},
		"no policy":          {guarded, func(o *agentObserved) { o.resolution.policy = nil }, "Unknown NoPolicy", ""},
		"no upstream":        {nil, nil, "False NoUpstreams", "spec.upstreams"},
		"memories only":      {guarded[1:], nil, "False NoUpstreams", "as kind Tools"},
		"dry run":            {guarded, func(o *agentObserved) { o.resolution.policy.Spec.Enforcement = v1alpha1.EnforcementDryRun }, "False DryRun", "Enforce"},
		"a server is open":   {append(guarded, testUpstream("mail", tools, "")), nil, "False UpstreamOpen", "mail"},
		"no credential":      {guarded, func(o *agentObserved) { o.credentials.problems = []string{"upstream pay: why"} }, "False UpstreamCredentialMissing", "why"},
		"not read yet":       {guarded, func(o *agentObserved) { o.credentials = nil }, "Unknown Progressing", ""},
		"shared":             {guarded, func(o *agentObserved) { o.fleet = lookAt([]*corev1.Pod{holder()}, "now") }, "False CredentialShared", "a"},
		"older screener":     {guarded, func(o *agentObserved) { o.reports["a"] = report{reachable: metav1.ConditionTrue} }, "False Outdated", "a"},
		"screener is silent": {guarded, func(o *agentObserved) { o.reports["a"] = report{reachable: metav1.ConditionFalse} }, "Unknown ScreenerUnreachable", "a"},
		"no pods":            {guarded, func(o *agentObserved) { o.fleet = fleet{} }, "True UpstreamsGuarded", ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := testPolicy("p", 0, nil)
			p.Spec.Upstreams = tc.upstreams
			o := agentObserved{
				resolution: resolution{policy: &p}, credentials: &upstreamCredentials{}, fleet: lookAt([]*corev1.Pod{testPod("a", nil)}, "now"),
				reports: map[types.UID]report{"a": {reachable: metav1.ConditionTrue, status: admin.Status{
					Upstreams: []admin.UpstreamStatus{{Name: "graph"}, {Name: "pay", Connected: true}},
				}}},
			}
			if tc.change != nil {
				tc.change(&o)
			}
			f := actionsEnforced(o)
			if got := fmt.Sprintf("%s %s", f.Status, f.Reason); got != tc.want || !strings.Contains(f.Message, tc.says) {
				t.Errorf("ActionsEnforced = %s: %s, want %s and %q", got, f.Message, tc.want, tc.says)
			}
		})
	}
}

func TestOpenMemoryUpstreamsAreNotProtected(t *testing.T) {
	spec := &v1alpha1.MemoryTrustPolicySpec{
		Enforcement: v1alpha1.EnforcementEnforce, Trust: v1alpha1.TrustSpec{Mode: v1alpha1.TrustModeSigned},
		Upstreams: []v1alpha1.Upstream{
			testUpstream("graph", v1alpha1.UpstreamKindMemory, ""), testUpstream("mem0", v1alpha1.UpstreamKindMemory, "mem0"),
		},
	}
	f := protected(policyObserved{spec: spec})
	if !strings.Contains(f.Message, "spec.upstreams[graph].credentialSecretRef") || strings.Contains(f.Message, "spec.upstreams[mem0]") {
		t.Errorf("Protected: %s", f.Message)
	}
}

var _ = Describe("An upstream", func() {
	It("has its credential handed to screeners and to nobody else", func() {
		ns := newNamespace()
		names := inject.NamesFor("concierge")
		newPolicy(ns, "standard", func(p *v1alpha1.MemoryTrustPolicy) {
			p.Spec.Upstreams = []v1alpha1.Upstream{testUpstream("pay", v1alpha1.UpstreamKindTools, "pay")}
		})
		ready := func(status metav1.ConditionStatus, reason, says string) {
			GinkgoHelper()
			eventuallyCondition(&v1alpha1.MemoryTrustPolicy{}, ns, "standard", v1alpha1.ConditionReady, status, reason, ContainSubstring(says))
		}
		enforced := func(status metav1.ConditionStatus, reason string) {
			GinkgoHelper()
			eventuallyCondition(&v1alpha1.AgentMemory{}, ns, "concierge", v1alpha1.ConditionActionsEnforced, status, reason)
		}
		runPod(ns, "concierge-1", "concierge")
		ready(metav1.ConditionFalse, ReasonUpstreamCredentialMissing, "Secret pay with label memorytrust.dev/key-source=upstream")
		enforced(metav1.ConditionFalse, ReasonUpstreamCredentialMissing)

		By("making the Secret")
		secret := &corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "pay", Labels: map[string]string{v1alpha1.LabelKeySource: v1alpha1.KeySourceUpstream}},
			StringData: map[string]string{"token": "pay-me-1\n"},
		}
		Expect(k8s.Create(ctx, secret)).To(Succeed())
		ready(metav1.ConditionTrue, ReasonApplied, "")
		enforced(metav1.ConditionTrue, ReasonUpstreamsGuarded)
		file := func(g Gomega) string {
			return string(get(g, &corev1.Secret{}, ns, names.ChannelsSecret).Data[policy.FileCredential("pay")])
		}
		Eventually(func(g Gomega) { g.Expect(file(g)).To(Equal("pay-me-1\n")) }).Should(Succeed())
		Expect(get(Default, &corev1.ConfigMap{}, ns, names.PolicyConfigMap).Data[policy.FilePolicy]).
			To(And(ContainSubstring(`"name": "pay"`), Not(ContainSubstring("pay-me"))))

		By("exchanging it")
		secret.StringData = map[string]string{"token": "pay-me-2"}
		Expect(k8s.Update(ctx, secret)).To(Succeed())
		Eventually(func(g Gomega) { g.Expect(file(g)).To(Equal("pay-me-2")) }).Should(Succeed())

		By("spoiling it")
		secret.StringData = map[string]string{"token": "two\nlines"}
		Expect(k8s.Update(ctx, secret)).To(Succeed())
		ready(metav1.ConditionFalse, ReasonUpstreamCredentialMissing, "entry token of Secret pay cannot be used")
		Eventually(func(g Gomega) { g.Expect(file(g)).To(BeEmpty()) }).Should(Succeed())
		enforced(metav1.ConditionFalse, ReasonUpstreamCredentialMissing)
	})
})
