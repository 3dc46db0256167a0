//go:build e2e

// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var _ = Describe("Uninstalling the operator", Serial, SpecPriority(priorityUninstall), func() {
	It("removes what is in the way of pods; CRDs, agents and their memory stay", func(ctx SpecContext) {
		if !installed {
			Skip("the operator was there before this suite: not ours to uninstall")
		}
		namespace := newNamespace(ctx, nil)
		apply(ctx, namespace, prefixPolicy)
		agent := run(ctx, agentPod(namespace, "concierge"))
		agent.tell(ctx, "operator:console", operatorsRule)

		uninstall(ctx)
		DeferCleanup(func(ctx SpecContext) {
			install(ctx)
			waitForManagers(ctx, 2)
		}, NodeTimeout(3*time.Minute))

		By("no webhook, admission policy or namespace is left")
		Expect(operatorsLeftovers(ctx)).To(BeEmpty())
		Eventually(ctx, gone(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: operatorNamespace}})).Should(Succeed())

		By("the kinds and their objects stay")
		output, err := kubectl(ctx, "", "get", "mtp,amem,provkey", "-n", namespace)
		Expect(err).NotTo(HaveOccurred())
		Expect(output).To(And(ContainSubstring("/guard"), ContainSubstring("agentmemory.memorytrust.dev/concierge")))

		By("pods start")
		bystander := unlabelledPod(namespace, "bystander")
		createPod(ctx, bystander)
		waitUntilReady(ctx, bystander)

		By("the agent keeps its memory, guarded")
		Expect(agent.browse(ctx, "web:evil.example", plantedOnWeb).Zone).To(Equal("Quarantine"))
		Expect(agent.ask(ctx, askAboutInvoice).Prompt).NotTo(ContainSubstring(plantedOnWeb))
		Expect(agent.ask(ctx, askAboutSeat).Prompt).To(ContainSubstring(operatorsRule))
		agent.expectSamePod(ctx)
	}, SpecTimeout(5*time.Minute))
})

// operatorsLeftovers names the cluster-wide objects of the operator that can stand in the way of others.
func operatorsLeftovers(ctx context.Context) []string {
	GinkgoHelper()
	output, err := kubectl(ctx, "", "get", "-o", "name", "mutatingwebhookconfigurations,validatingwebhookconfigurations,"+
		"validatingadmissionpolicies,validatingadmissionpolicybindings,clusterroles,clusterrolebindings")
	Expect(err).NotTo(HaveOccurred())
	var left []string
	for _, name := range strings.Fields(output) {
		if strings.Contains(name, "memorytrust") {
			left = append(left, name)
		}
	}
	return left
}
