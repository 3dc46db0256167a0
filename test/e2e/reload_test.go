//go:build e2e

// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"net/http"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/api/v1alpha1"
)

const dryRunPolicy = `
apiVersion: memorytrust.dev/v1alpha1
kind: MemoryTrustPolicy
metadata:
  name: guard
spec:
  selector: {}
  enforcement: DryRun
  store: {type: Ephemeral}
`

const enforcePolicy = `
apiVersion: memorytrust.dev/v1alpha1
kind: MemoryTrustPolicy
metadata:
  name: guard
spec:
  selector: {}
  enforcement: Enforce
  limits: {maxContentBytes: 1024}
  store: {type: Ephemeral}
`

var _ = Describe("New policy and keys reach a running sidecar", Ordered, ContinueOnFailure, func() {
	var namespace string
	var agent *runningAgent

	BeforeAll(func(ctx SpecContext) {
		namespace = newNamespace(ctx, nil)
		apply(ctx, namespace, dryRunPolicy)
		agent = run(ctx, agentPod(namespace, "concierge"))
	}, NodeTimeout(2*time.Minute))

	AfterEach(func(ctx SpecContext) {
		By("nothing was restarted for it")
		agent.expectSamePod(ctx)
	}, NodeTimeout(time.Minute))

	It("DryRun to Enforce, and a lower limit", func(ctx SpecContext) {
		By("in DryRun nothing is withheld")
		agent.browse(ctx, "web:evil.example", plantedOnWeb)
		Expect(agent.ask(ctx, askAboutInvoice).Prompt).To(ContainSubstring(plantedOnWeb))
		long := strings.Repeat("The museum opens at ten. ", 80)
		agent.browse(ctx, "web:museum.example", long)

		By("kubectl apply of Enforce")
		begin := time.Now()
		apply(ctx, namespace, enforcePolicy)
		Eventually(ctx, func(g Gomega) {
			asked := agent.ask(ctx, askAboutInvoice)
			g.Expect(asked.Prompt).NotTo(ContainSubstring(plantedOnWeb))
			g.Expect(asked.Withheld).NotTo(BeEmpty())
		}).WithTimeout(soon).Should(Succeed())
		AddReportEntry("policy edit in force", "after "+within(begin), ReportEntryVisibilityAlways)

		refused := agent.post(ctx, "/browse", map[string]string{"source": "web:museum.example", "text": long})
		Expect(refused.Status).To(Equal(http.StatusRequestEntityTooLarge), refused.Body)
		Expect(agent.browse(ctx, "web:evil.example", plantedOnWeb).Zone).To(Equal("Quarantine"))
	}, SpecTimeout(2*time.Minute))

	It("a rotated key", func(ctx SpecContext) {
		before := agent.tell(ctx, "operator:console", operatorsRule)
		key := keyOf(ctx, namespace, "concierge")
		old := key.Status.PrimaryKeyID
		Expect(old).NotTo(BeEmpty())

		By("setting spec.rotation.requestedAt")
		begin := time.Now()
		patch := client.MergeFrom(key.DeepCopy())
		key.Spec.Rotation.RequestedAt = &metav1.Time{Time: time.Now()}
		Expect(k8s.Patch(ctx, key, patch)).To(Succeed())
		Eventually(ctx, func(g Gomega) {
			key := keyOf(ctx, namespace, "concierge")
			g.Expect(key.Status.PrimaryKeyID).NotTo(Equal(old))
			g.Expect(key.Status.Keys).To(HaveLen(2))
			g.Expect(conditionOf(key.Status.Conditions, v1alpha1.ConditionRotating)).To(HavePrefix("False"))
			g.Expect(key.Status.Screeners).To(Equal(v1alpha1.ScreenerCounts{Running: 1, Loaded: 1}))
			var memory v1alpha1.AgentMemory
			g.Expect(k8s.Get(ctx, client.ObjectKey{Namespace: namespace, Name: "concierge"}, &memory)).To(Succeed())
			g.Expect(memory.Status.Pods).To(ConsistOf(HaveField("PrimaryKeyID", key.Status.PrimaryKeyID)))
		}).WithTimeout(2 * soon).Should(Succeed()) // two hops: added for verification, then primary
		AddReportEntry("key rotated", "after "+within(begin), ReportEntryVisibilityAlways)

		By("what the old key signed still verifies, and so does what the new one signs")
		Expect(agent.ask(ctx, askAboutSeat).Memories).To(ContainElement(HaveField("ID", before.ID)))
		after := agent.browse(ctx, "voice:public", callersFact)
		Expect(agent.ask(ctx, askAboutOrder).Memories).To(ContainElement(HaveField("ID", after.ID)))
	}, SpecTimeout(3*time.Minute))
})

// keyOf returns the ProvenanceKey of an agent.
func keyOf(ctx context.Context, namespace, agent string) *v1alpha1.ProvenanceKey {
	GinkgoHelper()
	var keys v1alpha1.ProvenanceKeyList
	Expect(k8s.List(ctx, &keys, client.InNamespace(namespace))).To(Succeed())
	for i := range keys.Items {
		if keys.Items[i].Spec.AgentRef.Name == agent {
			return &keys.Items[i]
		}
	}
	Fail("agent " + agent + " has no ProvenanceKey")
	return nil
}
