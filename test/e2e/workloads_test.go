//go:build e2e

// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/api/v1alpha1"
)

var _ = Describe("Workloads of agents", func() {
	var namespace string

	BeforeEach(func(ctx SpecContext) {
		namespace = newNamespace(ctx, nil)
		apply(ctx, namespace, prefixPolicy)
	}, NodeTimeout(time.Minute))

	It("a Job completes: the sidecar does not hold it up", func(ctx SpecContext) {
		serviceAccount(ctx, namespace, "clerk")
		pod := agentPod(namespace, "clerk")
		pod.Spec.Containers[0].Args = []string{"job"}
		pod.Spec.Containers[0].ReadinessProbe = nil
		pod.Spec.RestartPolicy = corev1.RestartPolicyNever
		job := &batchv1.Job{
			ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "clerk"},
			Spec: batchv1.JobSpec{
				BackoffLimit: ptr.To[int32](0),
				Template:     corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: pod.Labels}, Spec: pod.Spec},
			},
		}
		Expect(k8s.Create(ctx, job)).To(Succeed())
		Eventually(ctx, func(g Gomega) {
			g.Expect(k8s.Get(ctx, client.ObjectKeyFromObject(job), job)).To(Succeed())
			g.Expect(job.Status.Failed).To(BeZero())
			g.Expect(job.Status.Succeeded).To(BeEquivalentTo(1))
		}).Should(Succeed())

		output, err := kubectl(ctx, "", "logs", "-n", namespace, "job/clerk", "-c", agentContainer)
		Expect(err).NotTo(HaveOccurred())
		Expect(output).To(ContainSubstring("The shuttle to the airport leaves at 06:40."))
	}, SpecTimeout(2*time.Minute))

	It("a Deployment of two replicas shares one key", func(ctx SpecContext) {
		serviceAccount(ctx, namespace, "desk")
		deployment := agentDeployment(namespace, "desk", 2)
		Expect(k8s.Create(ctx, deployment)).To(Succeed())
		Eventually(ctx, func(g Gomega) {
			g.Expect(k8s.Get(ctx, client.ObjectKeyFromObject(deployment), deployment)).To(Succeed())
			g.Expect(deployment.Status.ReadyReplicas).To(BeEquivalentTo(2))
		}).Should(Succeed())

		var pods corev1.PodList
		Expect(k8s.List(ctx, &pods, client.InNamespace(namespace), client.MatchingLabels(deployment.Spec.Selector.MatchLabels))).To(Succeed())
		Expect(pods.Items).To(HaveLen(2))
		for i := range pods.Items {
			replica := reach(&pods.Items[i])
			Expect(replica.browse(ctx, "web:evil.example", plantedOnWeb).Zone).To(Equal("Quarantine"))
			Expect(replica.ask(ctx, askAboutInvoice).Prompt).NotTo(ContainSubstring(plantedOnWeb))
		}
		Eventually(ctx, func(g Gomega) {
			var memory v1alpha1.AgentMemory
			g.Expect(k8s.Get(ctx, client.ObjectKey{Namespace: namespace, Name: "desk"}, &memory)).To(Succeed())
			g.Expect(memory.Status.PodCount).To(BeEquivalentTo(2))
			g.Expect(memory.Status.Pods).To(HaveLen(2))
			for _, pod := range memory.Status.Pods {
				g.Expect(pod.Reachable).To(Equal(metav1.ConditionTrue), pod.Name)
				g.Expect(pod.PrimaryKeyID).To(And(Not(BeEmpty()), Equal(memory.Status.Pods[0].PrimaryKeyID)))
			}
		}).WithTimeout(90 * time.Second).Should(Succeed())
	}, SpecTimeout(3*time.Minute))
})
