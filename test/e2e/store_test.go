//go:build e2e

// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/inject"
)

const persistentPolicy = `
apiVersion: memorytrust.dev/v1alpha1
kind: MemoryTrustPolicy
metadata:
  name: guard
spec:
  selector: {}
  store: {type: Persistent}
`

var _ = Describe("A Persistent store", Ordered, ContinueOnFailure, func() {
	const name = "concierge"
	names := inject.NamesFor(name)
	var namespace string
	var agent *runningAgent
	var fact stored

	BeforeAll(func(ctx SpecContext) {
		namespace = newNamespace(ctx, nil)
		apply(ctx, namespace, persistentPolicy)
		agent = run(ctx, agentPod(namespace, name))
		fact = agent.browse(ctx, "voice:public", callersFact)
	}, NodeTimeout(2*time.Minute))

	BeforeEach(func() { agent = reach(agent.pod) }) // a way lasts as long as the spec that opened it

	It("survives the pod", func(ctx SpecContext) {
		replace(ctx, &agent)
		Expect(agent.ask(ctx, askAboutOrder).Memories).To(ContainElement(HaveField("ID", fact.ID)))
	}, SpecTimeout(2*time.Minute))

	It("withholds what a lost key signed, until the key is restored", func(ctx SpecContext) {
		By("backing the Secret up, and deleting it")
		secret := keySecret(ctx, namespace, name)
		backup, err := kubectl(ctx, "", "get", "secret", "-n", namespace, "-l", v1alpha1.LabelKeySource+"="+v1alpha1.KeySourceGenerated,
			"-o", "go-template-file=config/samples/backup-keys.tmpl")
		Expect(err).NotTo(HaveOccurred())
		Expect(k8s.Delete(ctx, secret)).To(Succeed())

		By("the operator makes a new key, and the memory says what is missing")
		begin := time.Now()
		Eventually(ctx, func(g Gomega) {
			asked := agent.ask(ctx, askAboutOrder)
			g.Expect(asked.Prompt).NotTo(ContainSubstring(callersFact))
			g.Expect(asked.Withheld).To(ContainElement(And(HaveField("ID", fact.ID), HaveField("Reason", "KeyUnavailable"))))
		}).WithTimeout(soon).Should(Succeed())
		AddReportEntry("lost key noticed and replaced", "after "+within(begin), ReportEntryVisibilityAlways)
		renewed := keySecret(ctx, namespace, name)
		Expect(renewed.Data["primary"]).NotTo(Equal(secret.Data["primary"]))
		Expect(renewed.Data["agentID"]).To(Equal(secret.Data["agentID"]), "the identity is in the AgentMemory and stays")
		later := agent.browse(ctx, "voice:public", "The second caller's order number was #2207.")

		By("restoring the Secret from the backup")
		_, err = kubectl(ctx, backup, "apply", "--server-side", "--force-conflicts", "-f", "-")
		Expect(err).NotTo(HaveOccurred())
		begin = time.Now()
		Eventually(ctx, func(g Gomega) {
			g.Expect(agent.ask(ctx, askAboutOrder).Memories).To(ContainElements(HaveField("ID", fact.ID), HaveField("ID", later.ID)),
				"what was signed before the loss and after it verifies")
		}).WithTimeout(soon).Should(Succeed())
		AddReportEntry("restored key in force", "after "+within(begin), ReportEntryVisibilityAlways)
		agent.expectSamePod(ctx)
		Expect(agent.browse(ctx, "voice:public", "The third caller's order number was #3310.").Zone).To(Equal("Working"))
		Expect(keySecret(ctx, namespace, name).Annotations).NotTo(HaveKey(corev1.LastAppliedConfigAnnotation), "keys belong into data only")
	}, SpecTimeout(3*time.Minute))

	It("outlives its AgentMemory, whose keys go: what they signed no longer verifies", func(ctx SpecContext) {
		memory := agentMemory(ctx, namespace, name)
		formerID := memory.Spec.AgentID
		stop(ctx, agent.pod)
		By("kubectl delete amem")
		_, err := kubectl(ctx, "", "delete", "amem", name, "-n", namespace)
		Expect(err).NotTo(HaveOccurred())
		for _, secret := range []string{names.KeySecret, names.TLSSecret} {
			Eventually(ctx, gone(ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: secret}})).
				WithTimeout(90 * time.Second).Should(Succeed())
		}
		var claim corev1.PersistentVolumeClaim
		Expect(k8s.Get(ctx, client.ObjectKey{Namespace: namespace, Name: names.StoreClaim}, &claim)).To(Succeed())
		Expect(claim.DeletionTimestamp).To(BeNil())
		Expect(claim.Status.Phase).To(Equal(corev1.ClaimBound))

		By("the next pod gets a new identity, and the old memories are withheld")
		agent = run(ctx, agentPod(namespace, name))
		Expect(agentMemory(ctx, namespace, name).Spec.AgentID).NotTo(Equal(formerID))
		asked := agent.ask(ctx, askAboutOrder)
		Expect(asked.Prompt).NotTo(ContainSubstring(callersFact))
		Expect(asked.Withheld).To(ContainElement(HaveField("ID", fact.ID)))
	}, SpecTimeout(4*time.Minute))
})

func agentMemory(ctx context.Context, namespace, name string) *v1alpha1.AgentMemory {
	GinkgoHelper()
	var memory v1alpha1.AgentMemory
	Expect(k8s.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, &memory)).To(Succeed())
	return &memory
}

// keySecret returns the Secret that holds an agent's keyset, as an administrator reads it.
func keySecret(ctx context.Context, namespace, agent string) *corev1.Secret {
	GinkgoHelper()
	var secret corev1.Secret
	Expect(k8s.Get(ctx, client.ObjectKey{Namespace: namespace, Name: inject.NamesFor(agent).KeySecret}, &secret)).To(Succeed())
	return &secret
}

// stop deletes a pod and waits until it is gone.
func stop(ctx context.Context, pod *corev1.Pod) {
	GinkgoHelper()
	Expect(k8s.Delete(ctx, pod)).To(Succeed())
	Eventually(ctx, gone(ctx, pod.DeepCopy())).Should(Succeed())
}

// replace deletes the agent's pod and runs another of the same name.
func replace(ctx context.Context, agent **runningAgent) {
	GinkgoHelper()
	old := (*agent).pod
	stop(ctx, old)
	*agent = run(ctx, agentPod(old.Namespace, old.Name))
	Expect((*agent).pod.UID).NotTo(Equal(old.UID))
}
