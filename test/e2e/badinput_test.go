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
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/api/v1alpha1"
)

var _ = Describe("Bad input", func() {
	It("in a policy gets a clear error", func(ctx SpecContext) {
		namespace := newNamespace(ctx, nil)

		By("an unknown field")
		_, err := kubectl(ctx, strings.Replace(prefixPolicy, "spec:", "spec:\n  enforcment: DryRun", 1), "apply", "-n", namespace, "-f", "-")
		Expect(err).To(MatchError(And(ContainSubstring("unknown field"), ContainSubstring("spec.enforcment"))))

		By("no store: losing memory is a decision")
		_, err = kubectl(ctx, strings.Replace(prefixPolicy, "store: {type: Ephemeral}", "enforcement: Enforce", 1), "apply", "-n", namespace, "-f", "-")
		Expect(err).To(MatchError(ContainSubstring("spec.store")))

		By("Signed without a channel")
		_, err = kubectl(ctx, strings.Replace(prefixPolicy, "spec:", "spec:\n  trust: {mode: Signed}", 1), "apply", "-n", namespace, "-f", "-")
		Expect(err).To(MatchError(ContainSubstring("spec.trust.channels")))

		By("a selector that is none")
		apply(ctx, namespace, strings.Replace(prefixPolicy, "selector: {}",
			"selector: {matchExpressions: [{key: team, operator: Sometimes, values: [travel]}]}", 1))
		Eventually(ctx, func(g Gomega) {
			g.Expect(policyCondition(ctx, namespace, "guard")).To(And(HavePrefix("False"), ContainSubstring("selector"), ContainSubstring("Sometimes")))
		}).WithTimeout(soon).Should(Succeed())
	}, SpecTimeout(2*time.Minute))

	It("in the form of two policies for one pod shows in both; the older one is in force", func(ctx SpecContext) {
		namespace := newNamespace(ctx, nil)
		apply(ctx, namespace, strings.Replace(prefixPolicy, "name: guard", "name: older", 1))
		time.Sleep(1100 * time.Millisecond) // creation times have a resolution of a second
		apply(ctx, namespace, strings.Replace(prefixPolicy, "name: guard", "name: newer", 1))
		agent := run(ctx, agentPod(namespace, "concierge"))
		Expect(agent.pod.Annotations).To(HaveKeyWithValue(v1alpha1.AnnotationPolicy, "older"))
		Eventually(ctx, func(g Gomega) {
			g.Expect(policyCondition(ctx, namespace, "older")).To(ContainSubstring("newer"))
			g.Expect(policyCondition(ctx, namespace, "newer")).To(And(HavePrefix("False"), ContainSubstring("older")))
			g.Expect(agentMemory(ctx, namespace, "concierge").Status.PolicyName).To(Equal("older"))
		}).WithTimeout(soon).Should(Succeed())
	}, SpecTimeout(2*time.Minute))

	It("from an agent gets a clear error, and the screener lives", func(ctx SpecContext) {
		namespace := newNamespace(ctx, nil)
		apply(ctx, namespace, strings.Replace(prefixPolicy, "spec:", "spec:\n  limits: {maxContentBytes: 1024}", 1))
		agent := run(ctx, agentPod(namespace, "concierge"))
		screener := agent.screener()
		const asJSON = "application/json"
		for _, bad := range []struct {
			what, contentType, body string
			status                  int
			says                    string
		}{
			{"a memory over the policy's limit", asJSON, `{"content":"` + strings.Repeat("x", 1025) + `"}`, http.StatusRequestEntityTooLarge, "1024"},
			{"a body far over it", asJSON, `{"content":"` + strings.Repeat("x", 64<<10) + `"}`, http.StatusRequestEntityTooLarge, ""},
			{"invalid UTF-8", asJSON, "{\"content\":\"caf\xe9 at noon\"}", http.StatusBadRequest, "UTF-8"},
			{"broken JSON", asJSON, `{"content":`, http.StatusBadRequest, ""},
			{"another content type", "text/plain", `{"content":"x"}`, http.StatusUnsupportedMediaType, ""},
			{"an unknown field", asJSON, `{"content":"x","trusted":true}`, http.StatusUnprocessableEntity, "trusted"},
			{"no content", asJSON, `{"source":"x"}`, http.StatusUnprocessableEntity, "content"},
		} {
			By(bad.what)
			answer := screener.send(ctx, http.MethodPost, "/v1/memories", bad.contentType, []byte(bad.body))
			Expect(answer.Status).To(Equal(bad.status), answer.Body)
			Expect(answer.Body).To(ContainSubstring(bad.says))
		}
		Expect(screener.post(ctx, "/v1/memories", map[string]string{"content": callersFact, "source": "voice:public"}).Status).To(Equal(http.StatusCreated))
		agent.expectSamePod(ctx)
	}, SpecTimeout(2*time.Minute))
})

// policyCondition returns the condition Ready of a policy.
func policyCondition(ctx context.Context, namespace, name string) string {
	GinkgoHelper()
	var policy v1alpha1.MemoryTrustPolicy
	Expect(k8s.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, &policy)).To(Succeed())
	return conditionOf(policy.Status.Conditions, v1alpha1.ConditionReady)
}
