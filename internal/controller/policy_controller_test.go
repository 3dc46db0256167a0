// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"memorytrust.dev/operator/api/v1alpha1"
)

var _ = Describe("A policy", func() {
	var ns string
	policy := &v1alpha1.MemoryTrustPolicy{}
	BeforeEach(func() { ns = newNamespace() })

	It("is ready without agents, and counts those it gets", func() {
		newPolicy(ns, "standard")
		eventuallyCondition(policy, ns, "standard", v1alpha1.ConditionReady, metav1.ConditionTrue, ReasonNoAgents)
		runPod(ns, "a-1", "concierge")
		runPod(ns, "b-1", "booking")
		eventuallyCondition(policy, ns, "standard", v1alpha1.ConditionReady, metav1.ConditionTrue, ReasonApplied)
		eventuallyCondition(policy, ns, "standard", v1alpha1.ConditionKeysReady, metav1.ConditionTrue, ReasonAvailable)
		eventuallyCondition(policy, ns, "standard", v1alpha1.ConditionScreenersInSync, metav1.ConditionTrue, ReasonAllInSync)
		Expect(policy.Status.Agents).To(Equal(v1alpha1.AgentCounts{Matched: 2, Injected: 2, InSync: 2}))
		Expect(policy.Status.ObservedGeneration).To(Equal(policy.Generation))

		eventuallyCondition(policy, ns, "standard", v1alpha1.ConditionProtected, metav1.ConditionFalse, ReasonNotProtected,
			Equal("Missing: spec.trust.mode Signed; OriginAuthenticated of agent booking, concierge; ActionsEnforced of agent booking, concierge"))
	})

	It("with a bad selector says which field and selects nothing", func() {
		newPolicy(ns, "typo", func(p *v1alpha1.MemoryTrustPolicy) {
			p.Spec.Selector.MatchExpressions = []metav1.LabelSelectorRequirement{{Key: "team", Operator: "Near", Values: []string{"a"}}}
		})
		eventuallyCondition(policy, ns, "typo", v1alpha1.ConditionReady, metav1.ConditionFalse, ReasonInvalidSelector,
			And(ContainSubstring("spec.selector"), ContainSubstring("Near")))

		newPolicy(ns, "works")
		runPod(ns, "a-1", "concierge")
		eventuallyCondition(policy, ns, "works", v1alpha1.ConditionReady, metav1.ConditionTrue, ReasonApplied)
	})

	It("that overlaps with another names it, and the older one wins", func() {
		newPolicy(ns, "z-first")
		runPod(ns, "a-1", "concierge")
		eventuallyCondition(policy, ns, "z-first", v1alpha1.ConditionReady, metav1.ConditionTrue, ReasonApplied)

		second := newPolicy(ns, "a-second", func(p *v1alpha1.MemoryTrustPolicy) { p.Spec.Enforcement = v1alpha1.EnforcementDryRun })
		Eventually(func() bool { // creation times have seconds only; with equal ones the name would decide
			first := &v1alpha1.MemoryTrustPolicy{}
			get(NewWithT(GinkgoT()), first, ns, "z-first")
			if first.CreationTimestamp.Before(&second.CreationTimestamp) {
				return true
			}
			Expect(k8s.Delete(ctx, second)).To(Succeed())
			second = newPolicy(ns, "a-second", func(p *v1alpha1.MemoryTrustPolicy) { p.Spec.Enforcement = v1alpha1.EnforcementDryRun })
			return false
		}).Should(BeTrue())
		eventuallyCondition(policy, ns, "a-second", v1alpha1.ConditionReady, metav1.ConditionFalse, ReasonOverlapped,
			And(ContainSubstring("MemoryTrustPolicy z-first goes before this one"), ContainSubstring("agent concierge")))
		Eventually(func() string {
			return eventuallyCondition(policy, ns, "z-first", v1alpha1.ConditionReady, metav1.ConditionTrue, ReasonApplied)
		}).Should(ContainSubstring("it goes before a-second"))

		By("deleting the winner")
		Expect(k8s.Delete(ctx, &v1alpha1.MemoryTrustPolicy{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "z-first"}})).To(Succeed())
		eventuallyCondition(policy, ns, "a-second", v1alpha1.ConditionReady, metav1.ConditionTrue, ReasonApplied)
		Eventually(func(g Gomega) {
			g.Expect(get(g, &v1alpha1.AgentMemory{}, ns, "concierge").Status.PolicyName).To(Equal("a-second"))
		}).Should(Succeed())
	})

	It("is not in sync while a screener lags behind", func() {
		p := newPolicy(ns, "standard")
		runPod(ns, ns+"-lags", "concierge")
		eventuallySynced(ns, "concierge")
		screeners.set(ns+"-lags", frozen)
		changePolicy(p, func(s *v1alpha1.MemoryTrustPolicySpec) { s.Enforcement = v1alpha1.EnforcementDryRun })
		eventuallyCondition(policy, ns, "standard", v1alpha1.ConditionScreenersInSync, metav1.ConditionFalse, ReasonOutdated,
			ContainSubstring("concierge"))
		eventuallyCondition(policy, ns, "standard", v1alpha1.ConditionReady, metav1.ConditionTrue, ReasonApplied)
		Expect(policy.Status.Agents.InSync).To(BeZero())
		eventuallyCondition(&v1alpha1.AgentMemory{}, ns, "concierge", v1alpha1.ConditionSynced, metav1.ConditionFalse, ReasonOutdated,
			ContainSubstring(ns+"-lags"))
		screeners.set(ns+"-lags", loads)
		eventuallyCondition(policy, ns, "standard", v1alpha1.ConditionScreenersInSync, metav1.ConditionTrue, ReasonAllInSync)
	})

	It("says what Signed would cost while it is in DryRun", func() {
		newPolicy(ns, "standard", func(p *v1alpha1.MemoryTrustPolicy) {
			p.Spec.Enforcement, p.Spec.Trust.Mode = v1alpha1.EnforcementDryRun, v1alpha1.TrustModePrefix
			p.Spec.Trust.Channels = []v1alpha1.Channel{{
				Name: "console", Class: "Manual", Principal: "ops", TokenSecretRef: &v1alpha1.SecretKeyRef{Name: "console-token"},
			}}
		})
		screeners.setLosses(ns+"-a", map[string]int64{"NotAuthenticated": 3, "Tampered": 1})
		screeners.setLosses(ns+"-b", map[string]int64{"NotAuthenticated": 4})
		runPod(ns, ns+"-a", "concierge")
		runPod(ns, ns+"-b", "booking")
		want := []v1alpha1.TrustLoss{{Reason: "NotAuthenticated", Memories: 7}, {Reason: "Tampered", Memories: 1}}
		Eventually(func(g Gomega) {
			g.Expect(get(g, &v1alpha1.AgentMemory{}, ns, "booking").Status.LosingTrust).To(Equal([]v1alpha1.TrustLoss{{Reason: "NotAuthenticated", Memories: 4}}))
			g.Expect(get(g, policy, ns, "standard").Status.LosingTrust).To(Equal(want))
		}).Should(Succeed())
		eventuallyCondition(policy, ns, "standard", v1alpha1.ConditionProtected, metav1.ConditionFalse, ReasonNotProtected)

		By("changing to Signed")
		changePolicy(policy, func(s *v1alpha1.MemoryTrustPolicySpec) { s.Trust.Mode = v1alpha1.TrustModeSigned })
		eventuallyCondition(policy, ns, "standard", v1alpha1.ConditionProtected, metav1.ConditionFalse, ReasonTrustWouldBeLost,
			ContainSubstring("8 memories lose trust (NotAuthenticated 7, Tampered 1)"))
		Eventually(func(g Gomega) { g.Expect(eventReasons(ns)).To(ContainElement(ReasonTrustWouldBeLost)) }).Should(Succeed())

		By("attesting them")
		screeners.setLosses(ns+"-a", map[string]int64{})
		screeners.setLosses(ns+"-b", map[string]int64{})
		eventuallyCondition(policy, ns, "standard", v1alpha1.ConditionProtected, metav1.ConditionFalse, ReasonNotProtected)
		Expect(policy.Status.LosingTrust).To(BeEmpty())
	})

	It("leaves an event when a condition turns", func() {
		newPolicy(ns, "standard")
		runPod(ns, "sneaked-in", "concierge", func(p *corev1.Pod) { p.Spec.InitContainers = nil })
		Eventually(func(g Gomega) {
			g.Expect(eventReasons(ns)).To(ContainElements(ReasonScreenerMissing, "KeyGenerated"))
		}).Should(Succeed())
	})
})
