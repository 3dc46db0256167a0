// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/inject"
	"memorytrust.dev/operator/internal/policy"
)

var _ = Describe("A rule about tool calls", func() {
	It("that cannot be read is named in the policy's status, with and without agents, and the last good rules stay", func() {
		ns := newNamespace()
		p := newPolicy(ns, "standard", func(p *v1alpha1.MemoryTrustPolicy) {
			p.Spec.Actions.Rules = []v1alpha1.ActionRule{{Name: "payments", Tools: []string{"pay_*"}, When: "args.amount <", Authority: "Act"}}
		})
		says := And(ContainSubstring("spec.actions.rules[0].when"), ContainSubstring("line 1"))
		eventuallyCondition(&v1alpha1.MemoryTrustPolicy{}, ns, p.Name, v1alpha1.ConditionReady, metav1.ConditionFalse, ReasonPolicyInvalid, says)

		By("writing it right")
		changePolicy(p, func(s *v1alpha1.MemoryTrustPolicySpec) { s.Actions.Rules[0].When = "args.amount < 10" })
		eventuallyCondition(&v1alpha1.MemoryTrustPolicy{}, ns, p.Name, v1alpha1.ConditionReady, metav1.ConditionTrue, ReasonNoAgents)
		runPod(ns, "concierge-1", "concierge")
		eventuallySynced(ns, "concierge")

		By("writing it wrong again")
		changePolicy(p, func(s *v1alpha1.MemoryTrustPolicySpec) { s.Actions.Rules[0].When = "args.amount" })
		eventuallyCondition(&v1alpha1.MemoryTrustPolicy{}, ns, p.Name, v1alpha1.ConditionReady, metav1.ConditionFalse, ReasonPolicyInvalid,
			ContainSubstring("spec.actions.rules[0].when: must be true or false"))
		Expect(get(Default, &corev1.ConfigMap{}, ns, inject.NamesFor("concierge").PolicyConfigMap).Data[policy.FilePolicy]).To(ContainSubstring(`"when": "args.amount \u003c 10"`))
	})
})
