// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/inject"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
	"memorytrust.dev/operator/internal/server/admin"
)

func persistent(p *v1alpha1.MemoryTrustPolicy) {
	p.Spec.Store = v1alpha1.StoreSpec{
		Type: v1alpha1.StoreTypePersistent,
		Persistent: &v1alpha1.PersistentStore{
			Size: resource.MustParse("2Gi"), StorageClassName: ptr.To("fast"),
		},
	}
}

func signed(p *v1alpha1.MemoryTrustPolicy) {
	p.Spec.Trust = v1alpha1.TrustSpec{Mode: v1alpha1.TrustModeSigned, Channels: []v1alpha1.Channel{
		{Name: "console", Class: v1alpha1.SourceClassManual, Principal: "ops", TokenSecretRef: &v1alpha1.SecretKeyRef{Name: "console-token"}},
		{Name: "search", Class: v1alpha1.SourceClassToolOutput, Principal: "search", TokenSecretRef: &v1alpha1.SecretKeyRef{Name: "search-token", Key: "bearer"}},
	}}
}

var _ = Describe("An agent", func() {
	var ns string
	names := inject.NamesFor("concierge")
	BeforeEach(func() { ns = newNamespace() })

	It("gets everything its pods mount, owned by its AgentMemory", func() {
		newPolicy(ns, "standard", persistent)
		runPod(ns, "concierge-1", "concierge")
		memory := eventuallySynced(ns, "concierge")

		Expect(memory.Spec.AgentID).To(MatchRegexp(`^[0-9a-f-]{36}$`))
		Expect(memory.Spec.ServiceAccountName).To(Equal("concierge-sa"))
		Expect(memory.OwnerReferences).To(BeEmpty(), "deleting the policy must not delete the identity")
		Expect(memory.Finalizers).To(BeEmpty())

		g := NewWithT(GinkgoT())
		key := get(g, &corev1.Secret{}, ns, names.KeySecret)
		Expect(key).To(ownedByAgent(memory))
		Expect(key.Labels).To(HaveKeyWithValue(v1alpha1.LabelKeySource, v1alpha1.KeySourceGenerated))
		Expect(string(key.Data[policy.FileAgentID])).To(Equal(memory.Spec.AgentID))
		ring := readKeyring(key)
		_, err := provenance.ParseKeyset(ring.primary, ring.entries)
		Expect(err).NotTo(HaveOccurred())

		config := get(g, &corev1.ConfigMap{}, ns, names.PolicyConfigMap)
		Expect(config).To(ownedByAgent(memory))
		compiled, err := policy.Decode([]byte(config.Data[policy.FilePolicy]))
		Expect(err).NotTo(HaveOccurred())
		Expect(compiled.AgentID).To(Equal(memory.Spec.AgentID))
		Expect(memory.Status.PolicyRevision).To(Equal(compiled.Revision))
		Expect(memory.Status.PolicyName).To(Equal("standard"))

		secret := get(g, &corev1.Secret{}, ns, names.TLSSecret)
		Expect(secret).To(ownedByAgent(memory))
		pair, err := tls.X509KeyPair(secret.Data[policy.FileTLSCert], secret.Data[policy.FileTLSKey])
		Expect(err).NotTo(HaveOccurred())
		roots := x509.NewCertPool()
		Expect(roots.AppendCertsFromPEM(secret.Data[policy.FileCA])).To(BeTrue())
		_, err = pair.Leaf.Verify(x509.VerifyOptions{Roots: roots, DNSName: admin.ServerName(ns, "concierge")})
		Expect(err).NotTo(HaveOccurred())
		Expect(config.Data[policy.FileCA]).To(Equal(string(secret.Data[policy.FileCA])))

		channels := get(g, &corev1.Secret{}, ns, names.ChannelsSecret)
		Expect(channels).To(ownedByAgent(memory))
		Expect(channels.Data[policy.FileChannels]).To(MatchJSON(`{}`))

		claim := get(g, &corev1.PersistentVolumeClaim{}, ns, names.StoreClaim)
		Expect(claim.OwnerReferences).To(BeEmpty(), "the memory outlives everything")
		Expect(claim.Spec.Resources.Requests.Storage().String()).To(Equal("2Gi"))
		Expect(*claim.Spec.StorageClassName).To(Equal("fast"))

		provkey := get(g, &v1alpha1.ProvenanceKey{}, ns, "concierge")
		Expect(provkey).To(ownedByAgent(memory))
	})

	It("is left alone without a policy, without a running pod, or without a proper name", func() {
		runPod(ns, "early", "concierge")
		runPod(ns, "odd", "Not_A_Name")
		newPolicy(ns, "elsewhere", func(p *v1alpha1.MemoryTrustPolicy) {
			p.Spec.Selector.MatchLabels = map[string]string{"team": "other"}
		})
		runPod(ns, "plain", "other", func(p *corev1.Pod) { delete(p.Labels, v1alpha1.LabelAgent) })
		Consistently(func(g Gomega) {
			var memories v1alpha1.AgentMemoryList
			g.Expect(k8s.List(ctx, &memories, client.InNamespace(ns))).To(Succeed())
			g.Expect(memories.Items).To(BeEmpty())
		}, time.Second).Should(Succeed())
	})

	It("gets a changed policy, and its pods are told", func() {
		p := newPolicy(ns, "standard")
		pod := runPod(ns, "concierge-1", "concierge")
		before := eventuallySynced(ns, "concierge").Status.PolicyRevision
		var touched string
		Eventually(func(g Gomega) {
			touched = get(g, pod, ns, pod.Name).Annotations[v1alpha1.AnnotationSync]
			g.Expect(touched).NotTo(BeEmpty())
		}).Should(Succeed())

		changePolicy(p, func(s *v1alpha1.MemoryTrustPolicySpec) { s.Review = v1alpha1.ReviewModeWithhold })
		Eventually(func(g Gomega) {
			config := get(g, &corev1.ConfigMap{}, ns, names.PolicyConfigMap)
			g.Expect(config.Data[policy.FilePolicy]).To(ContainSubstring("Withhold"))
			memory := get(g, &v1alpha1.AgentMemory{}, ns, "concierge")
			g.Expect(memory.Status.PolicyRevision).NotTo(Equal(before))
			g.Expect(memory.Status.Pods).To(HaveLen(1))
			g.Expect(memory.Status.Pods[0].PolicyRevision).To(Equal(memory.Status.PolicyRevision))
			g.Expect(get(g, pod, ns, pod.Name).Annotations[v1alpha1.AnnotationSync]).NotTo(Equal(touched))
		}).Should(Succeed())
	})

	It("keeps its last policy when that is deleted", func() {
		p := newPolicy(ns, "standard")
		runPod(ns, "concierge-1", "concierge")
		eventuallySynced(ns, "concierge")
		config := get(NewWithT(GinkgoT()), &corev1.ConfigMap{}, ns, names.PolicyConfigMap)

		Expect(k8s.Delete(ctx, p)).To(Succeed())
		eventuallyCondition(&v1alpha1.AgentMemory{}, ns, "concierge", v1alpha1.ConditionPolicyAttached, metav1.ConditionFalse, ReasonNoPolicy,
			ContainSubstring("standard, stays in force"))
		after := get(NewWithT(GinkgoT()), &corev1.ConfigMap{}, ns, names.PolicyConfigMap)
		Expect(after.Data).To(Equal(config.Data))
		eventuallySynced(ns, "concierge")

		By("applying it again")
		newPolicy(ns, "standard")
		eventuallyCondition(&v1alpha1.AgentMemory{}, ns, "concierge", v1alpha1.ConditionPolicyAttached, metav1.ConditionTrue, ReasonPolicyInForce)
	})

	It("follows its policy while it has no pods", func() {
		p := newPolicy(ns, "standard")
		pod := runPod(ns, "concierge-1", "concierge")
		eventuallySynced(ns, "concierge")
		deletePod(pod)
		eventuallyCondition(&v1alpha1.AgentMemory{}, ns, "concierge", v1alpha1.ConditionSynced, metav1.ConditionTrue, ReasonNoPods)

		changePolicy(p, func(s *v1alpha1.MemoryTrustPolicySpec) { s.Review = v1alpha1.ReviewModeWithhold })
		Eventually(func(g Gomega) {
			g.Expect(get(g, &corev1.ConfigMap{}, ns, names.PolicyConfigMap).Data[policy.FilePolicy]).To(ContainSubstring("Withhold"))
		}).Should(Succeed())
	})

	It("gets a new identity after its AgentMemory was deleted, only while there are pods and a policy", func() {
		newPolicy(ns, "standard")
		pod := runPod(ns, "concierge-1", "concierge")
		first := eventuallySynced(ns, "concierge")
		Expect(k8s.Delete(ctx, first)).To(Succeed())
		Eventually(func(g Gomega) {
			second := get(g, &v1alpha1.AgentMemory{}, ns, "concierge")
			g.Expect(second.UID).NotTo(Equal(first.UID))
			g.Expect(second.Spec.AgentID).NotTo(Equal(first.Spec.AgentID))
		}).Should(Succeed())

		By("never overwriting the keys of the old identity")
		eventuallyCondition(&v1alpha1.ProvenanceKey{}, ns, "concierge", v1alpha1.ConditionReady, metav1.ConditionFalse, ReasonAgentIDMismatch,
			ContainSubstring(first.Spec.AgentID))
		key := get(NewWithT(GinkgoT()), &corev1.Secret{}, ns, names.KeySecret)
		Expect(string(key.Data[policy.FileAgentID])).To(Equal(first.Spec.AgentID))

		By("making new ones once the garbage collector removed them")
		Expect(k8s.Delete(ctx, key)).To(Succeed())
		Eventually(func(g Gomega) {
			memory := get(g, &v1alpha1.AgentMemory{}, ns, "concierge")
			key := get(g, &corev1.Secret{}, ns, names.KeySecret)
			g.Expect(string(key.Data[policy.FileAgentID])).To(Equal(memory.Spec.AgentID))
			g.Expect(key).To(ownedByAgent(memory))
		}).Should(Succeed())

		By("not coming back without pods")
		deletePod(pod)
		eventuallyCondition(&v1alpha1.AgentMemory{}, ns, "concierge", v1alpha1.ConditionSynced, metav1.ConditionTrue, ReasonNoPods)
		Expect(k8s.Delete(ctx, &v1alpha1.AgentMemory{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "concierge"}})).To(Succeed())
		Consistently(func() error {
			return client.IgnoreNotFound(k8s.Get(ctx, client.ObjectKey{Namespace: ns, Name: "concierge"}, &v1alpha1.AgentMemory{}))
		}, time.Second).Should(Succeed())
		Expect(k8s.Get(ctx, client.ObjectKey{Namespace: ns, Name: "concierge"}, &v1alpha1.AgentMemory{})).NotTo(Succeed())
	})

	It("authenticates the channels that have a token, and says what the others lack", func() {
		p := newPolicy(ns, "standard", signed)
		runPod(ns, "concierge-1", "concierge")
		memory := &v1alpha1.AgentMemory{}
		eventuallyCondition(memory, ns, "concierge", v1alpha1.ConditionOriginAuthenticated, metav1.ConditionFalse, ReasonChannelTokenMissing,
			ContainSubstring("console-token"))

		By("giving one of them its token")
		token := &corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "console-token", Labels: map[string]string{v1alpha1.LabelKeySource: v1alpha1.KeySourceChannel}},
			StringData: map[string]string{"token": "correct horse battery staple\n"},
		}
		Expect(k8s.Create(ctx, token)).To(Succeed())
		eventuallyCondition(memory, ns, "concierge", v1alpha1.ConditionOriginAuthenticated, metav1.ConditionTrue, ReasonChannelTokenMissing)
		Eventually(func(g Gomega) {
			digests := policy.ChannelDigests{}
			g.Expect(json.Unmarshal(get(g, &corev1.Secret{}, ns, names.ChannelsSecret).Data[policy.FileChannels], &digests)).To(Succeed())
			g.Expect(digests).To(Equal(policy.ChannelDigests{"console": policy.DigestToken([]byte("correct horse battery staple"))}))
		}).Should(Succeed())
		policyMessage := func() string {
			return eventuallyCondition(&v1alpha1.MemoryTrustPolicy{}, ns, p.Name, v1alpha1.ConditionReady, metav1.ConditionFalse, ReasonChannelTokenMissing)
		}
		Eventually(policyMessage).Should(And(
			ContainSubstring("search-token with label memorytrust.dev/key-source=channel"), Not(ContainSubstring("console-token"))))

		By("giving the other one a token that is too short")
		short := &corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "search-token", Labels: map[string]string{v1alpha1.LabelKeySource: v1alpha1.KeySourceChannel}},
			StringData: map[string]string{"bearer": "hunter2"},
		}
		Expect(k8s.Create(ctx, short)).To(Succeed())
		Eventually(policyMessage).Should(And(ContainSubstring("shorter than 16 bytes"), Not(ContainSubstring("hunter2"))))

		By("changing a token")
		token.StringData = map[string]string{"token": "another long random token"}
		Expect(k8s.Update(ctx, token)).To(Succeed())
		Eventually(func(g Gomega) {
			g.Expect(string(get(g, &corev1.Secret{}, ns, names.ChannelsSecret).Data[policy.FileChannels])).
				To(ContainSubstring(policy.DigestToken([]byte("another long random token"))))
		}).Should(Succeed())
	})

	It("shows pods without a screener, unreachable screeners and another release", func() {
		newPolicy(ns, "standard")
		runPod(ns, "sneaked-in", "concierge", func(p *corev1.Pod) { p.Spec.InitContainers = nil })
		memory := &v1alpha1.AgentMemory{}
		eventuallyCondition(memory, ns, "concierge", v1alpha1.ConditionSynced, metav1.ConditionFalse, ReasonScreenerMissing,
			ContainSubstring("sneaked-in"))
		Eventually(func(g Gomega) {
			p := get(g, &v1alpha1.MemoryTrustPolicy{}, ns, "standard")
			g.Expect(p.Status.Agents).To(Equal(v1alpha1.AgentCounts{Matched: 1, Missing: 1}))
		}).Should(Succeed())
		deletePod(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "sneaked-in"}})

		runPod(ns, ns+"-old", "concierge", func(p *corev1.Pod) { p.Spec.InitContainers[0].Image = "registry.example/screener:v0.0.9" })
		eventuallyCondition(memory, ns, "concierge", v1alpha1.ConditionSynced, metav1.ConditionTrue, ReasonVersionSkew,
			ContainSubstring(ns+"-old"))

		screeners.set(ns+"-old", down)
		eventuallyCondition(memory, ns, "concierge", v1alpha1.ConditionSynced, metav1.ConditionUnknown, ReasonScreenerUnreachable)
		Expect(memory.Status.Pods).To(ConsistOf(HaveField("Reachable", metav1.ConditionFalse)))
		screeners.set(ns+"-old", loads)
		eventuallyCondition(memory, ns, "concierge", v1alpha1.ConditionSynced, metav1.ConditionTrue, ReasonVersionSkew)
	})

	It("is served although its claim cannot grow, and says why", func() {
		p := newPolicy(ns, "standard", persistent)
		runPod(ns, "concierge-1", "concierge")
		eventuallySynced(ns, "concierge")
		changePolicy(p, func(s *v1alpha1.MemoryTrustPolicySpec) {
			s.Review = v1alpha1.ReviewModeWithhold
			s.Store.Persistent.Size = resource.MustParse("4Gi") // the claim is not bound, so that it cannot be changed
		})
		eventuallyCondition(&v1alpha1.AgentMemory{}, ns, "concierge", v1alpha1.ConditionSynced, metav1.ConditionFalse, ReasonStoreFailed,
			ContainSubstring(names.StoreClaim))
		Eventually(func(g Gomega) {
			g.Expect(get(g, &corev1.ConfigMap{}, ns, names.PolicyConfigMap).Data[policy.FilePolicy]).To(ContainSubstring("Withhold"))
		}).Should(Succeed())
	})

	It("is isolated only while its ServiceAccount has no dangerous rights", func() {
		newPolicy(ns, "standard")
		runPod(ns, "concierge-1", "concierge")
		memory := &v1alpha1.AgentMemory{}
		eventuallyCondition(memory, ns, "concierge", v1alpha1.ConditionAgentIsolated, metav1.ConditionTrue, ReasonIsolated)

		Expect(k8s.Create(ctx, &rbacv1.Role{
			ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "too-much"},
			Rules: []rbacv1.PolicyRule{
				{APIGroups: []string{""}, Resources: []string{"secrets"}, Verbs: []string{"get"}},
				{APIGroups: []string{""}, Resources: []string{"pods/exec"}, Verbs: []string{"create"}},
			},
		})).To(Succeed())
		binding := &rbacv1.RoleBinding{
			ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "too-much"},
			RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: "too-much"},
			Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: ns, Name: "concierge-sa"}},
		}
		Expect(k8s.Create(ctx, binding)).To(Succeed())
		eventuallyCondition(memory, ns, "concierge", v1alpha1.ConditionAgentIsolated, metav1.ConditionFalse, ReasonExcessRights,
			ContainSubstring("ServiceAccount concierge-sa can get secrets, create pods/exec"))
		Expect(k8s.Delete(ctx, binding)).To(Succeed())
		eventuallyCondition(memory, ns, "concierge", v1alpha1.ConditionAgentIsolated, metav1.ConditionTrue, ReasonIsolated)
	})

	It("is written to only when something changed", func() {
		newPolicy(ns, "standard", persistent)
		runPod(ns, ns+"-1", "concierge")
		runPod(ns, ns+"-2", "concierge")
		eventuallySynced(ns, "concierge")
		settle(ns)
		before := versions(ns)
		Consistently(func() map[string]string { return versions(ns) }, 5*time.Second, 500*time.Millisecond).Should(Equal(before))

		By("counting memories")
		screeners.setZones(ns+"-1", map[string]int64{"Quarantine": 1, "Working": 3})
		Eventually(func(g Gomega) {
			memory := get(g, &v1alpha1.AgentMemory{}, ns, "concierge")
			g.Expect(memory.Status.Memories).To(Equal(v1alpha1.MemoryCounts{Quarantine: 1, Working: 3}))
			g.Expect(memory.Status.AuditCheckpoint).To(Equal(&v1alpha1.AuditCheckpoint{Size: 7, RootHash: "cm9vdA=="}))
			p := get(g, &v1alpha1.MemoryTrustPolicy{}, ns, "standard")
			g.Expect(p.Status.Memories).To(Equal(memory.Status.Memories), "the first quarantined memory is a transition")
		}).Should(Succeed())
		settle(ns)
		before = versions(ns)
		screeners.setZones(ns+"-1", map[string]int64{"Quarantine": 2, "Working": 4})
		Consistently(func() map[string]string { return versions(ns) }, 2*time.Second, 500*time.Millisecond).Should(Equal(before),
			"counts wait for their turn")
	})
})
