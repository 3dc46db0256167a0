//go:build e2e

// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"fmt"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/internal/inject"
)

var _ = Describe("While the operator is in trouble", Ordered, ContinueOnFailure, Serial, SpecPriority(priorityOutage), func() {
	var namespace string
	var agent *runningAgent

	BeforeAll(func(ctx SpecContext) {
		namespace = newNamespace(ctx, nil)
		apply(ctx, namespace, prefixPolicy)
		agent = run(ctx, agentPod(namespace, "concierge"))
		agent.browse(ctx, "web:evil.example", plantedOnWeb)
		agent.tell(ctx, "operator:console", operatorsRule)
	}, NodeTimeout(2*time.Minute))

	It("the leader is killed: admission goes on, and another leads", func(ctx SpecContext) {
		leader := leadingPod(ctx)
		By("killing " + leader.Name)
		Expect(k8s.Delete(ctx, leader, client.GracePeriodSeconds(0))).To(Succeed())

		refused := 0
		for i := range 40 {
			if createDuringOutage(ctx, namespace, fmt.Sprintf("during-%d", i)) {
				refused++
			}
			time.Sleep(100 * time.Millisecond)
		}
		AddReportEntry("leader killed", fmt.Sprintf("%d of 40 opted-in pods refused meanwhile, none unprotected", refused), ReportEntryVisibilityAlways)

		By("a new agent gets its keys from the new leader")
		begin := time.Now()
		newcomer := run(ctx, agentPod(namespace, "newcomer"))
		AddReportEntry("new agent ready after the leader's end", "after "+within(begin), ReportEntryVisibilityAlways)
		Expect(newcomer.browse(ctx, "web:evil.example", plantedOnWeb).Zone).To(Equal("Quarantine"))
		waitForManagers(ctx, 2)
		Expect(leadingPod(ctx).UID).NotTo(Equal(leader.UID))
	}, SpecTimeout(4*time.Minute))

	Context("no replica runs", func() {
		BeforeAll(func(ctx SpecContext) {
			By("scaling the manager to zero")
			scaleManager(ctx, 0)
			DeferCleanup(func(ctx SpecContext) { scaleManager(ctx, 2) }, NodeTimeout(3*time.Minute))
		}, NodeTimeout(3*time.Minute))

		It("opted-in pods are refused and others start", func(ctx SpecContext) {
			serviceAccount(ctx, namespace, "late")
			err := k8s.Create(ctx, agentPod(namespace, "late"))
			Expect(err).To(MatchError(ContainSubstring("memorytrust")), "an opted-in pod was let in without the webhook")
			bystander := unlabelledPod(namespace, "bystander")
			createPod(ctx, bystander)
			waitUntilReady(ctx, bystander)
		}, SpecTimeout(time.Minute))

		It("running agents keep their memory, guarded", func(ctx SpecContext) {
			Expect(agent.browse(ctx, "voice:public", plantedByVoice).Zone).To(Equal("Quarantine"))
			Expect(agent.ask(ctx, askAboutMeeting).Prompt).NotTo(ContainSubstring(plantedByVoice))
			Expect(agent.ask(ctx, askAboutSeat).Prompt).To(ContainSubstring(operatorsRule))
			agent.expectSamePod(ctx)
		}, SpecTimeout(time.Minute))

		It("a Deployment made meanwhile is held, and runs once the operator is back", func(ctx SpecContext) {
			serviceAccount(ctx, namespace, "held")
			deployment := agentDeployment(namespace, "held", 1)
			Expect(k8s.Create(ctx, deployment)).To(Succeed())
			Consistently(ctx, func(g Gomega) {
				var pods corev1.PodList
				g.Expect(k8s.List(ctx, &pods, client.InNamespace(namespace), client.MatchingLabels(deployment.Spec.Selector.MatchLabels))).To(Succeed())
				g.Expect(pods.Items).To(BeEmpty())
			}).Should(Succeed())

			By("scaling the manager up again")
			scaleManager(ctx, 2)
			Eventually(ctx, func(g Gomega) {
				g.Expect(k8s.Get(ctx, client.ObjectKeyFromObject(deployment), deployment)).To(Succeed())
				g.Expect(deployment.Status.ReadyReplicas).To(BeEquivalentTo(1))
			}).WithTimeout(2 * time.Minute).Should(Succeed())
			var pods corev1.PodList
			Expect(k8s.List(ctx, &pods, client.InNamespace(namespace), client.MatchingLabels(deployment.Spec.Selector.MatchLabels))).To(Succeed())
			Expect(pods.Items).To(HaveLen(1))
			Expect(screenerStatus(&pods.Items[0])).NotTo(BeNil())
		}, SpecTimeout(5*time.Minute))
	})
})

// createDuringOutage asks the API server to admit an opted-in and an unlabelled pod, without storing them. The first may
// be refused, which it tells, but not be let in without the screener; the second must be let in.
func createDuringOutage(ctx context.Context, namespace, name string) (refused bool) {
	GinkgoHelper()
	serviceAccount(ctx, namespace, "concierge")
	pod := agentPod(namespace, name)
	pod.Labels = map[string]string{"memorytrust.dev/agent": "concierge"}
	pod.Spec.ServiceAccountName = "concierge"
	err := k8s.Create(ctx, pod, client.DryRunAll)
	if err == nil {
		Expect(pod.Spec.InitContainers).To(ContainElement(HaveField("Name", inject.ContainerName)), "an opted-in pod was let in unprotected")
	}
	Expect(k8s.Create(ctx, unlabelledPod(namespace, name+"-other"), client.DryRunAll)).To(Succeed(), "a pod that did not opt in was refused")
	return err != nil
}

// leadingPod returns the manager pod that holds the lease.
func leadingPod(ctx context.Context) *corev1.Pod {
	GinkgoHelper()
	var leases coordinationv1.LeaseList
	Expect(k8s.List(ctx, &leases, client.InNamespace(operatorNamespace))).To(Succeed())
	pods := managerPods(ctx)
	for i := range leases.Items {
		holder := ptr.Deref(leases.Items[i].Spec.HolderIdentity, "")
		for j := range pods {
			if strings.HasPrefix(holder, pods[j].Name) {
				return &pods[j]
			}
		}
	}
	Fail("no manager pod holds the lease")
	return nil
}
