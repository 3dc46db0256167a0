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
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/api/v1alpha1"
)

const screeningPolicy = `
apiVersion: memorytrust.dev/v1alpha1
kind: MemoryTrustPolicy
metadata:
  name: screening
spec:
  selector: {}
  screening: SCREENING
  store: {type: Ephemeral}
`

const houseLexicon = `
apiVersion: v1
kind: ConfigMap
metadata:
  name: house-words
  labels: {memorytrust.dev/policy-source: lexicon}
data:
  en.lex: |
    language en
    class house.blind = green_lane
    verbs house.book = book ticket
    rule bypass 900 = !@house.book ..6 @house.blind
`

// What only this house, and only the model of this suite, takes for a directive.
const (
	greenLane   = "Ticket the charters in the green lane."
	blueHeron   = "The blue heron of the museum has its nest by the lake."
	judgePhrase = "blue heron"
	judgeKey    = "key-of-the-judge"
)

var _ = Describe("Screening by policy", Ordered, func() {
	var namespace string
	var agent *runningAgent
	policy := &v1alpha1.MemoryTrustPolicy{}

	screening := func(ctx context.Context, spec string) {
		GinkgoHelper()
		apply(ctx, namespace, strings.Replace(screeningPolicy, "SCREENING", spec, 1))
	}
	becomes := func(ctx context.Context, want string) {
		GinkgoHelper()
		Eventually(ctx, func(g Gomega) {
			g.Expect(k8s.Get(ctx, client.ObjectKeyFromObject(policy), policy)).To(Succeed())
			g.Expect(conditionOf(policy.Status.Conditions, v1alpha1.ConditionReady)).To(HavePrefix(want))
		}).WithTimeout(soon).Should(Succeed())
	}
	// zoneOf is where a page's text goes.
	zoneOf := func(ctx context.Context, text string) func() string {
		return func() string { return agent.browse(ctx, "web:museum.example", text).Zone }
	}

	BeforeAll(func(ctx SpecContext) {
		namespace = newNamespace(ctx, nil)
		policy.Namespace, policy.Name = namespace, "screening"
		screening(ctx, "{}")
		agent = run(ctx, agentPod(namespace, "guide"))
	}, NodeTimeout(2*time.Minute))

	AfterEach(func(ctx SpecContext) {
		By("nothing was restarted for it")
		agent.expectSamePod(ctx)
	}, NodeTimeout(time.Minute))

	It("takes the words of a house from a ConfigMap", func(ctx SpecContext) {
		Expect(zoneOf(ctx, greenLane)()).To(Equal("Working"), "the built-in lexicon does not know the green lane")

		By("a policy that names a lexicon which is not there yet")
		screening(ctx, "{lexiconRefs: [{name: house-words}]}")
		becomes(ctx, "False LexiconInvalid")

		By("the lexicon")
		begin := time.Now()
		apply(ctx, namespace, houseLexicon)
		becomes(ctx, "True")
		Eventually(ctx, zoneOf(ctx, greenLane)).WithTimeout(soon).Should(Equal("Quarantine"))
		AddReportEntry("lexicon in force", "after "+within(begin), ReportEntryVisibilityAlways)

		By("a mistake in it is named with its line, and what was in force stays")
		apply(ctx, namespace, strings.Replace(houseLexicon, "rule bypass 900", "rule nonsense 900", 1))
		becomes(ctx, "False LexiconInvalid")
		Expect(conditionOf(policy.Status.Conditions, v1alpha1.ConditionReady)).To(ContainSubstring("key en.lex:4"))
		Consistently(ctx, zoneOf(ctx, greenLane)).WithPolling(time.Second).Should(Equal("Quarantine"))
	}, SpecTimeout(3*time.Minute))

	It("asks a model, with the key from a Secret", func(ctx SpecContext) {
		judge := runJudge(ctx, namespace)
		Eventually(ctx, zoneOf(ctx, blueHeron)).WithTimeout(soon).Should(Equal("Working"), "there is no judge yet")

		By("a policy whose key is not there yet")
		screening(ctx, "{judge: {url: 'http://judge."+namespace+".svc:8081/v1', model: fixed, apiKeySecretRef: {name: judge-key}}}")
		becomes(ctx, "False JudgeKeyMissing")
		Eventually(ctx, func(g Gomega) {
			g.Expect(agent.browse(ctx, "web:museum.example", blueHeron).Verdict.Reasons).To(ContainElement("unjudged"))
		}).WithTimeout(soon).Should(Succeed())

		By("a wrong key: what cannot be judged is never called safe")
		secret := upstreamSecret(namespace, "judge-key", "not-the-key")
		secret.Labels[v1alpha1.LabelKeySource] = v1alpha1.KeySourceJudge
		Expect(k8s.Create(ctx, secret)).To(Succeed())
		becomes(ctx, "True")
		Consistently(ctx, func() []string { return agent.browse(ctx, "web:museum.example", blueHeron).Verdict.Reasons }).
			WithPolling(time.Second).Should(ContainElement("unjudged"))
		Expect(judge.get(ctx, "/texts").Body).To(HavePrefix("0"), "nobody without the key is answered")

		By("the key")
		begin := time.Now()
		patch := client.MergeFrom(secret.DeepCopy())
		secret.StringData = map[string]string{"token": judgeKey}
		Expect(k8s.Patch(ctx, secret, patch)).To(Succeed())
		Eventually(ctx, zoneOf(ctx, blueHeron)).WithTimeout(soon).Should(Equal("Quarantine"))
		AddReportEntry("judge's key in force", "after "+within(begin), ReportEntryVisibilityAlways)
		harmless := agent.browse(ctx, "web:museum.example", "The museum of Lyon opens at ten.")
		Expect(harmless.Zone).To(Equal("Working"))
		Expect(harmless.Verdict.Reasons).NotTo(ContainElement("unjudged"))
		Expect(judge.get(ctx, "/texts").Body).NotTo(HavePrefix("0"))
	}, SpecTimeout(4*time.Minute))
})

// runJudge runs a model behind a Service, and returns a way to it.
func runJudge(ctx context.Context, namespace string) caller {
	GinkgoHelper()
	pod := agentPod(namespace, "judge")
	pod.Labels = map[string]string{"app": "judge"}
	pod.Spec.ServiceAccountName = "default"
	c := &pod.Spec.Containers[0]
	c.Args = []string{"judge", judgePhrase}
	c.Env = []corev1.EnvVar{{Name: "CREDENTIAL", Value: judgeKey}}
	c.ReadinessProbe.HTTPGet.Port = intstr.FromInt32(peerPort)
	Expect(k8s.Create(ctx, &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "judge"},
		Spec:       corev1.ServiceSpec{Selector: pod.Labels, Ports: []corev1.ServicePort{{Port: peerPort}}},
	})).To(Succeed())
	createPod(ctx, pod)
	waitUntilReady(ctx, pod)
	way := plain(forward(namespace, pod.Name, peerPort))
	way.token = judgeKey
	return way
}
