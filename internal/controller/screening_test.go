// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/inject"
	"memorytrust.dev/operator/internal/policy"
)

const goodLexicon = "language en\nclass acme.x = blorp\nrule override 900 = @acme.x\n"

var _ = Describe("The screening of a policy", func() {
	var ns string
	names := inject.NamesFor("concierge")
	BeforeEach(func() { ns = newNamespace() })

	runtimePolicy := func(g Gomega) *policy.Runtime {
		r, err := policy.Decode([]byte(get(g, &corev1.ConfigMap{}, ns, names.PolicyConfigMap).Data[policy.FilePolicy]))
		g.Expect(err).NotTo(HaveOccurred())
		return r
	}
	ready := func(status metav1.ConditionStatus, reason string, words ...string) {
		GinkgoHelper()
		Eventually(func() string {
			return eventuallyCondition(&v1alpha1.MemoryTrustPolicy{}, ns, "standard", v1alpha1.ConditionReady, status, reason)
		}).Should(And(ContainSubstring(append(words, "")[0]), Not(ContainSubstring("sk-1234"))))
	}
	lexicon := func(labels map[string]string, data map[string]string) *corev1.ConfigMap {
		return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "acme-words", Labels: labels}, Data: data}
	}
	ours := map[string]string{v1alpha1.LabelPolicySource: v1alpha1.PolicySourceLexicon}

	It("takes lexicons from ConfigMaps, and keeps the last good policy while they cannot be used", func() {
		p := newPolicy(ns, "standard")
		runPod(ns, "concierge-1", "concierge")
		ready(metav1.ConditionTrue, ReasonApplied)
		before := runtimePolicy(Default).Revision

		By("naming a ConfigMap that is not there")
		changePolicy(p, func(s *v1alpha1.MemoryTrustPolicySpec) {
			s.Screening.LexiconRefs = []v1alpha1.LexiconRef{{Name: "acme-words"}}
		})
		ready(metav1.ConditionFalse, ReasonLexiconInvalid, "ConfigMap acme-words with label memorytrust.dev/policy-source=lexicon")
		eventuallyCondition(&v1alpha1.AgentMemory{}, ns, "concierge", v1alpha1.ConditionSynced, metav1.ConditionFalse, ReasonLexiconInvalid,
			ContainSubstring("last good policy stays in force"))
		Expect(runtimePolicy(Default).Revision).To(Equal(before))

		By("making one without the label")
		source := lexicon(nil, map[string]string{"en.lex": goodLexicon})
		Expect(k8s.Create(ctx, source)).To(Succeed())
		Consistently(func(g Gomega) { g.Expect(runtimePolicy(g).Revision).To(Equal(before)) }, "300ms").Should(Succeed())

		By("labeling it")
		source.Labels = ours
		Expect(k8s.Update(ctx, source)).To(Succeed())
		ready(metav1.ConditionTrue, ReasonApplied)
		Eventually(func(g Gomega) {
			g.Expect(runtimePolicy(g).Screening.Lexicons).To(Equal([]policy.Lexicon{{Name: "ConfigMap acme-words, key en.lex", Text: goodLexicon}}))
		}).Should(Succeed())
		good := runtimePolicy(Default).Revision

		By("breaking it")
		source.Data = map[string]string{"en.lex": goodLexicon + "rule nonsense 900 = x\n"}
		Expect(k8s.Update(ctx, source)).To(Succeed())
		ready(metav1.ConditionFalse, ReasonLexiconInvalid, "ConfigMap acme-words, key en.lex:4")
		Expect(runtimePolicy(Default).Revision).To(Equal(good))

		By("filling it beyond the bound")
		source.Data = map[string]string{"en.lex": goodLexicon, "long.lex": "language en\n# " + strings.Repeat("x", 262144) + "\n"}
		Expect(k8s.Update(ctx, source)).To(Succeed())
		ready(metav1.ConditionFalse, ReasonLexiconInvalid, "at most 262144 bytes together")

		By("mending it, with one entry more")
		source.Data = map[string]string{"en.lex": goodLexicon, "fr.lex": "language fr\nclass acme.y = blorpe\nrule override 900 = @acme.y\n"}
		Expect(k8s.Update(ctx, source)).To(Succeed())
		ready(metav1.ConditionTrue, ReasonApplied)
		Eventually(func(g Gomega) { g.Expect(runtimePolicy(g).Screening.Lexicons).To(HaveLen(2)) }).Should(Succeed())
		eventuallySynced(ns, "concierge")

		By("deleting it")
		last := runtimePolicy(Default).Revision
		Expect(k8s.Delete(ctx, source)).To(Succeed())
		ready(metav1.ConditionFalse, ReasonLexiconInvalid, "acme-words")
		Expect(runtimePolicy(Default).Revision).To(Equal(last))
	})

	It("takes one entry of a ConfigMap, and says which is missing", func() {
		Expect(k8s.Create(ctx, lexicon(ours, map[string]string{"en.lex": goodLexicon, "broken.lex": "?"}))).To(Succeed())
		p := newPolicy(ns, "standard", func(p *v1alpha1.MemoryTrustPolicy) {
			p.Spec.Screening.LexiconRefs = []v1alpha1.LexiconRef{{Name: "acme-words", Key: "de.lex"}}
		})
		ready(metav1.ConditionFalse, ReasonLexiconInvalid, "no entry de.lex")
		changePolicy(p, func(s *v1alpha1.MemoryTrustPolicySpec) { s.Screening.LexiconRefs[0].Key = "en.lex" })
		ready(metav1.ConditionTrue, ReasonNoAgents)
	})

	It("hands the key of the judge to screeners and to nobody else", func() {
		newPolicy(ns, "standard", func(p *v1alpha1.MemoryTrustPolicy) {
			p.Spec.Screening.Judge = &v1alpha1.JudgeSpec{
				URL: "http://judge.models.svc:8000/v1", Model: "m", APIKeySecretRef: &v1alpha1.SecretKeyRef{Name: "judge-key", Key: "key"},
			}
		})
		runPod(ns, "concierge-1", "concierge")
		ready(metav1.ConditionFalse, ReasonJudgeKeyMissing, "Secret judge-key with label memorytrust.dev/key-source=judge")
		keyFile := func(g Gomega) string {
			return string(get(g, &corev1.Secret{}, ns, names.ChannelsSecret).Data[policy.FileJudgeKey])
		}

		By("making the Secret")
		secret := &corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "judge-key", Labels: map[string]string{v1alpha1.LabelKeySource: v1alpha1.KeySourceJudge}},
			StringData: map[string]string{"key": "sk-1234\n"},
		}
		Expect(k8s.Create(ctx, secret)).To(Succeed())
		ready(metav1.ConditionTrue, ReasonApplied)
		Eventually(func(g Gomega) { g.Expect(keyFile(g)).To(Equal("sk-1234\n")) }).Should(Succeed())
		r := runtimePolicy(Default)
		Expect(r.Screening.Judge).To(Equal(&policy.Judge{
			URL: "http://judge.models.svc:8000/v1", Model: "m", Key: true, TimeoutSeconds: 10, TextsPerMinute: 60, CacheSeconds: 86400,
		}))
		Expect(get(Default, &corev1.ConfigMap{}, ns, names.PolicyConfigMap).Data[policy.FilePolicy]).NotTo(ContainSubstring("sk-1234"))

		By("exchanging the key")
		secret.StringData = map[string]string{"key": "sk-5678"}
		Expect(k8s.Update(ctx, secret)).To(Succeed())
		Eventually(func(g Gomega) { g.Expect(keyFile(g)).To(Equal("sk-5678")) }).Should(Succeed())

		By("spoiling it")
		secret.StringData = map[string]string{"key": "two words"}
		Expect(k8s.Update(ctx, secret)).To(Succeed())
		ready(metav1.ConditionFalse, ReasonJudgeKeyMissing, "entry key of Secret judge-key cannot be used")
		Eventually(func(g Gomega) { g.Expect(keyFile(g)).To(BeEmpty()) }).Should(Succeed())

		By("deleting the Secret")
		Expect(k8s.Delete(ctx, secret)).To(Succeed())
		ready(metav1.ConditionFalse, ReasonJudgeKeyMissing, "there is no Secret judge-key")
	})
})
