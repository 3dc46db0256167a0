//go:build e2e

// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/api/v1alpha1"
)

var _ = Describe("A deleted policy", func() {
	It("stays in force where it was, and says so; new agents are refused", func(ctx SpecContext) {
		namespace := newNamespace(ctx, nil)
		apply(ctx, namespace, prefixPolicy)
		agent := run(ctx, agentPod(namespace, "concierge"))
		agent.tell(ctx, "operator:console", operatorsRule)
		agent.browse(ctx, "web:evil.example", plantedOnWeb)

		By("kubectl delete mtp")
		_, err := kubectl(ctx, "", "delete", "mtp", "guard", "-n", namespace)
		Expect(err).NotTo(HaveOccurred())
		Eventually(ctx, func(g Gomega) {
			memory := agentMemory(ctx, namespace, "concierge")
			g.Expect(conditionOf(memory.Status.Conditions, v1alpha1.ConditionPolicyAttached)).To(HavePrefix("False"))
			g.Expect(memory.Status.PolicyName).To(Equal("guard"))
		}).WithTimeout(soon).Should(Succeed())

		Consistently(ctx, func(g Gomega) {
			g.Expect(agent.ask(ctx, askAboutInvoice).Prompt).NotTo(ContainSubstring(plantedOnWeb))
			g.Expect(agent.ask(ctx, askAboutSeat).Prompt).To(ContainSubstring(operatorsRule))
		}).Should(Succeed())
		Expect(agent.browse(ctx, "voice:public", plantedByVoice).Zone).To(Equal("Quarantine"))
		agent.expectSamePod(ctx)

		serviceAccount(ctx, namespace, "newcomer")
		Expect(k8s.Create(ctx, agentPod(namespace, "newcomer"), client.DryRunAll)).To(MatchError(ContainSubstring("MemoryTrustPolicy")))
	}, SpecTimeout(3*time.Minute))
})
