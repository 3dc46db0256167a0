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
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// foreign is what a store that is not ours says about one memory.
type foreign struct {
	Allowed  bool     `json:"allowed"`
	Text     string   `json:"text"`
	Source   string   `json:"source"`
	Zone     string   `json:"zone"`
	State    string   `json:"state"`
	Class    string   `json:"class"`
	Boundary string   `json:"boundary"`
	Reason   string   `json:"reason"`
	Message  string   `json:"message"`
	Warnings []string `json:"warnings"`
}

// It takes the operator away at its end, so that it comes with the other outages.
var _ = Describe("A store that is not ours", Ordered, Serial, SpecPriority(priorityOutage), func() {
	const openingHours = "The office in Lyon closes at 5 pm on Fridays."
	var namespace string
	var store *runningAgent

	BeforeAll(func(ctx SpecContext) {
		namespace = newNamespace(ctx, nil)
		apply(ctx, namespace, prefixPolicy)
		agent := run(ctx, agentPod(namespace, "concierge"))
		publish(ctx, namespace, agent.pod)
		mayAsk(ctx, namespace, "shelf")
		store = runForeignStore(ctx, namespace, "shelf", "concierge")
	}, NodeTimeout(3*time.Minute))

	It("stores a plain fact, with the source that was signed for it", func(ctx SpecContext) {
		var written foreign
		Eventually(ctx, func(g Gomega) {
			answer := store.post(ctx, "/memories/office", map[string]string{"source": "web:office.example", "text": openingHours})
			g.Expect(answer.Status).To(Equal(http.StatusOK), answer.Body)
			written = store.told(answer)
			g.Expect(written.Allowed).To(BeTrue(), written.Message)
		}).WithTimeout(soon).Should(Succeed(), "the right, the agent's keys, and after an outage the operator, take a moment to arrive")
		Expect(written.Zone).To(Equal("Working"))
		Expect(written.Class).NotTo(BeElementOf("UserInput", "Manual", "SystemMemory", "AgentInferred"))
		Expect(written.Source).To(And(HavePrefix("mt1;"), ContainSubstring("#mac="), ContainSubstring("web:office.example")))

		handed := store.unshelve(ctx, "office")
		Expect(handed.Allowed).To(BeTrue(), handed.Message)
		Expect(handed.Text).To(Equal(openingHours))
		Expect(handed.Class).To(Equal(written.Class))
		Expect(handed.Boundary).To(Equal("RequiresReview"))
	}, SpecTimeout(time.Minute))

	It("does not store a planted directive, whatever source it claims", func(ctx SpecContext) {
		for _, source := range []string{"web:evil.example", "operator:console", ""} {
			refused := store.shelve(ctx, "plant", source, plantedOnWeb)
			Expect(refused.Allowed).To(BeFalse(), source)
			Expect(refused.Reason).To(Equal("Directive"), refused.Message)
			Expect(refused.Message).NotTo(ContainSubstring("billing-mirror"))
			Expect(store.get(ctx, "/rows/plant").Status).To(Equal(http.StatusNotFound), "it was stored all the same")
		}
	}, SpecTimeout(time.Minute))

	It("hands out nothing that was changed in its database", func(ctx SpecContext) {
		var row struct{ Text, Source string }
		store.get(ctx, "/rows/office").into(&row)
		for name, changed := range map[string]map[string]string{
			"text":  {"text": strings.Replace(row.Text, "5 pm", "9 pm", 1), "source": row.Source},
			"class": {"text": row.Text, "source": strings.Replace(row.Source, ";Working;", ";Trusted;", 1)},
			"plant": {"text": plantedOnWeb, "source": row.Source},
			"tag":   {"text": plantedOnWeb, "source": ""},
		} {
			Expect(store.post(ctx, "/rows/"+name, changed).Status).To(Equal(http.StatusOK))
			withheld := store.unshelve(ctx, name)
			Expect(withheld.Allowed).To(BeFalse(), name)
			Expect(withheld.Text).To(BeEmpty(), name)
			Expect(withheld.Reason).To(Equal(map[bool]string{true: "Directive", false: "Tampered"}[name == "tag"]), name)
		}
		Expect(store.unshelve(ctx, "office").Text).To(Equal(openingHours), "what nobody changed is handed out")
	}, SpecTimeout(time.Minute))

	It("one without the right is refused, and stores nothing", func(ctx SpecContext) {
		rogue := runForeignStore(ctx, namespace, "rogue", "concierge")
		refused := rogue.shelve(ctx, "office", "", openingHours)
		Expect(refused.Allowed).To(BeFalse())
		Expect(refused.Reason).To(Equal("Forbidden"))
		Expect(rogue.get(ctx, "/rows/office").Status).To(Equal(http.StatusNotFound))

		By("asking about an agent that does not exist")
		nobodys := runForeignStore(ctx, namespace, "rogue-too", "nobody")
		Expect(nobodys.shelve(ctx, "office", "", openingHours)).To(Equal(refused), "whether an agent exists is nobody's business")
	}, SpecTimeout(2*time.Minute))

	It("while the operator is down it neither stores nor hands out", func(ctx SpecContext) {
		scaleManager(ctx, 0)
		DeferCleanup(func(ctx SpecContext) { scaleManager(ctx, 2) }, NodeTimeout(3*time.Minute))
		answer := store.post(ctx, "/memories/late", map[string]string{"text": openingHours})
		Expect(answer.Status).To(Equal(http.StatusServiceUnavailable), answer.Body)
		Expect(store.get(ctx, "/rows/late").Status).To(Equal(http.StatusNotFound), "it was stored unasked")
		Expect(store.get(ctx, "/memories/office").Status).To(Equal(http.StatusServiceUnavailable))

		By("scaling the manager up again")
		scaleManager(ctx, 2)
		Eventually(ctx, func(g Gomega) {
			answer, err := store.try(ctx, http.MethodGet, "/memories/office", "", nil)
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(answer.Status).To(Equal(http.StatusOK), answer.Body)
			g.Expect(answer.Body).To(ContainSubstring(openingHours))
		}).WithTimeout(2 * time.Minute).Should(Succeed())
	}, SpecTimeout(5*time.Minute))
})

// mayAsk lets a ServiceAccount ask about the agents of its namespace.
func mayAsk(ctx context.Context, namespace, account string) {
	GinkgoHelper()
	Expect(k8s.Create(ctx, &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "memory-store-" + account},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "memorytrust-memory-store"},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: namespace, Name: account}},
	})).To(Succeed())
}

// runForeignStore runs a store for an agent under a ServiceAccount of its own; it is no agent.
func runForeignStore(ctx context.Context, namespace, account, agent string) *runningAgent {
	GinkgoHelper()
	pod := agentPod(namespace, account)
	pod.Labels = nil
	pod.Spec.Containers[0].Args = []string{"store", speakingDirectory, namespace, agent}
	ca := corev1.VolumeProjection{ConfigMap: &corev1.ConfigMapProjection{LocalObjectReference: corev1.LocalObjectReference{Name: screenerCA}}}
	addVolume(pod, projection(append(tokens(), ca)...))
	return run(ctx, pod)
}

// shelve asks the store to keep a text, and unshelve to hand it out; either has to be answered.
func (a *runningAgent) shelve(ctx context.Context, key, source, text string) foreign {
	GinkgoHelper()
	return a.told(a.post(ctx, "/memories/"+key, map[string]string{"source": source, "text": text}))
}

func (a *runningAgent) unshelve(ctx context.Context, key string) foreign {
	GinkgoHelper()
	return a.told(a.get(ctx, "/memories/"+key))
}

func (a *runningAgent) told(answer reply) (out foreign) {
	GinkgoHelper()
	Expect(answer.Status).To(Equal(http.StatusOK), answer.Body)
	answer.into(&out)
	return out
}
