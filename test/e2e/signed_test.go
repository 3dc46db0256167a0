//go:build e2e

// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/inject"
	"memorytrust.dev/operator/internal/server/admin"
)

const signedPolicy = `
apiVersion: memorytrust.dev/v1alpha1
kind: MemoryTrustPolicy
metadata:
  name: guard
spec:
  selector: {}
  trust:
    mode: Signed
    channels:
    - name: console
      class: Manual
      principal: alice@example.com
      tokenSecretRef: {name: console-token}
  store: {type: Ephemeral}
`

var _ = Describe("From Prefix to Signed", Ordered, func() {
	const firstToken, secondToken = "first-token-of-the-console", "second-token-of-the-console"
	var namespace string
	var agent *runningAgent

	BeforeAll(func(ctx SpecContext) {
		namespace = newNamespace(ctx, nil)
		apply(ctx, namespace, prefixPolicy)
		agent = run(ctx, agentPod(namespace, "concierge"))
	}, NodeTimeout(2*time.Minute))

	It("a claimed origin stops to be trusted for a directive, and a fact stays", func(ctx SpecContext) {
		rule := agent.tell(ctx, "operator:console", operatorsRule)
		Expect(rule.Zone).To(Equal("Working"))
		Expect(rule.Authority).To(Equal("Inform"))
		agent.browse(ctx, "voice:public", callersFact)
		Expect(agent.ask(ctx, askAboutSeat).Prompt).To(ContainSubstring(operatorsRule))

		By("kubectl apply of mode Signed")
		Expect(k8s.Create(ctx, channelToken(namespace, firstToken))).To(Succeed())
		begin := time.Now()
		apply(ctx, namespace, signedPolicy)
		Eventually(ctx, func(g Gomega) {
			asked := agent.ask(ctx, askAboutSeat)
			g.Expect(asked.Prompt).NotTo(ContainSubstring(operatorsRule))
			g.Expect(asked.Withheld).To(ContainElement(HaveField("ID", rule.ID)))
		}).WithTimeout(soon).Should(Succeed())
		AddReportEntry("Signed in force", "after "+within(begin), ReportEntryVisibilityAlways)
		Expect(agent.ask(ctx, askAboutOrder).Prompt).To(ContainSubstring(callersFact))
		Expect(agent.tell(ctx, "operator:console", "Always pick the aisle seat on flights.").Zone).To(Equal("Quarantine"))
	}, SpecTimeout(2*time.Minute))

	It("what comes through the authenticated channel is trusted", func(ctx SpecContext) {
		var written stored
		way := channelTo(ctx, agent.pod, firstToken)
		Eventually(ctx, func(g Gomega) { // the token comes in another volume than the policy
			response := way.post(ctx, "/v1/memories", map[string]string{"content": operatorsRule})
			g.Expect(response.Status).To(Equal(http.StatusCreated), response.Body)
			response.into(&written)
		}).WithTimeout(soon).Should(Succeed())
		Expect(written.Zone).To(Equal("Trusted"))
		Expect(written.Authority).To(Equal("Act"))
		Expect(written.Class).To(Equal("Manual"))
		Expect(agent.ask(ctx, askAboutSeat).Memories).To(ContainElement(And(HaveField("ID", written.ID), HaveField("Boundary", "Safe"))))
	}, SpecTimeout(2*time.Minute))

	It("a wrong token, none, and the agent's own port are not the channel", func(ctx SpecContext) {
		for _, token := range []string{"", "wrong", firstToken + "x"} {
			Expect(channelTo(ctx, agent.pod, token).post(ctx, "/v1/memories", map[string]string{"content": operatorsRule}).Status).
				To(Equal(http.StatusUnauthorized), "token %q", token)
		}
		agents := agent.screener()
		agents.token = firstToken
		var written stored
		agents.post(ctx, "/v1/memories", map[string]string{"content": operatorsRule, "source": "operator:console"}).into(&written)
		Expect(written.Zone).To(Equal("Quarantine"))
	}, SpecTimeout(time.Minute))

	It("a new token in the Secret takes effect", func(ctx SpecContext) {
		secret := channelToken(namespace, secondToken)
		Expect(k8s.Update(ctx, secret)).To(Succeed())
		fact := map[string]string{"content": "The office closes at six on Fridays."}
		renewed, former := channelTo(ctx, agent.pod, secondToken), channelTo(ctx, agent.pod, firstToken)
		begin := time.Now()
		Eventually(ctx, func() int { return renewed.post(ctx, "/v1/memories", fact).Status }).WithTimeout(soon).Should(Equal(http.StatusCreated))
		AddReportEntry("new channel token in force", "after "+within(begin), ReportEntryVisibilityAlways)
		Expect(former.post(ctx, "/v1/memories", fact).Status).To(Equal(http.StatusUnauthorized))
		agent.expectSamePod(ctx)
	}, SpecTimeout(time.Minute))

	It("the status says that origins are authenticated", func(ctx SpecContext) {
		Eventually(ctx, func(g Gomega) {
			var memory v1alpha1.AgentMemory
			g.Expect(k8s.Get(ctx, client.ObjectKey{Namespace: namespace, Name: "concierge"}, &memory)).To(Succeed())
			g.Expect(conditionOf(memory.Status.Conditions, v1alpha1.ConditionOriginAuthenticated)).To(HavePrefix("True"))
			g.Expect(conditionOf(memory.Status.Conditions, v1alpha1.ConditionSynced)).To(HavePrefix("True"))
		}).WithTimeout(90 * time.Second).Should(Succeed())
	}, SpecTimeout(2*time.Minute))
})

// channelToken is the Secret that signedPolicy refers to.
func channelToken(namespace, token string) *corev1.Secret {
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace,
			Name:      "console-token",
			Labels:    map[string]string{v1alpha1.LabelKeySource: v1alpha1.KeySourceChannel},
		},
		StringData: map[string]string{"token": token},
	}
}

// channelTo is a way to the channel port of a pod, with the CA that the operator publishes for clients.
func channelTo(ctx context.Context, pod *corev1.Pod, token string) caller {
	GinkgoHelper()
	agent := pod.Labels[v1alpha1.LabelAgent]
	var published corev1.ConfigMap
	name := inject.NamesFor(agent).PolicyConfigMap
	Expect(k8s.Get(ctx, client.ObjectKey{Namespace: pod.Namespace, Name: name}, &published)).To(Succeed())
	roots := x509.NewCertPool()
	Expect(roots.AppendCertsFromPEM([]byte(published.Data["ca.crt"]))).To(BeTrue(), "ConfigMap %s holds no CA", name)
	address := forward(pod.Namespace, pod.Name, inject.ChannelPort)
	return secure(address, token, &tls.Config{RootCAs: roots, ServerName: admin.ServerName(pod.Namespace, agent)})
}
