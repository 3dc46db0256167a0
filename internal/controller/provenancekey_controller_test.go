// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/inject"
	"memorytrust.dev/operator/internal/policy"
)

func eventReasons(namespace string) []string {
	GinkgoHelper()
	var list eventsv1.EventList
	Expect(k8s.List(ctx, &list, client.InNamespace(namespace))).To(Succeed())
	var reasons []string
	for i := range list.Items {
		reasons = append(reasons, list.Items[i].Reason)
	}
	return reasons
}

var _ = Describe("A provenance key", func() {
	var ns string
	names := inject.NamesFor("concierge")
	key := &v1alpha1.ProvenanceKey{}
	secret := func() *corev1.Secret {
		GinkgoHelper()
		return get(NewWithT(GinkgoT()), &corev1.Secret{}, ns, names.KeySecret)
	}
	requestRotation := func(at time.Time) {
		GinkgoHelper()
		Eventually(func(g Gomega) {
			k := get(g, &v1alpha1.ProvenanceKey{}, ns, "concierge")
			t := metav1.NewTime(at)
			k.Spec.Rotation.RequestedAt = &t
			g.Expect(k8s.Update(ctx, k)).To(Succeed())
		}).Should(Succeed())
	}
	BeforeEach(func() {
		ns = newNamespace()
		newPolicy(ns, "standard")
	})

	It("keeps what its status remembers from a step that saw an older one", func() {
		runPod(ns, ns+"-1", "concierge")
		eventuallySynced(ns, "concierge")
		settle(ns)
		stale := get(NewWithT(GinkgoT()), &v1alpha1.ProvenanceKey{}, ns, "concierge")
		newer := stale.DeepCopy()
		newer.Status.Keys[0].PrimaryAt = &metav1.Time{Time: time.Now().Add(-time.Hour).Truncate(time.Second)}
		Expect(k8s.Status().Update(ctx, newer)).To(Succeed())
		r := &ProvenanceKeyReconciler{client: k8s, clock: clock.RealClock{}, counts: newCountsWriter(0), recorder: &events.FakeRecorder{}}
		f := unknown(ReasonNoAgent, "As an older cache has it")
		err := r.writeStatus(ctx, &keyScope{key: stale, status: keyStatusInput{obstacle: &f}})
		Expect(apierrors.IsConflict(err)).To(BeTrue(), "%v", err)
		Expect(get(NewWithT(GinkgoT()), key, ns, "concierge").Status.Keys).To(Equal(newer.Status.Keys))
	})

	It("rotates in two steps and waits for every running screener", func() {
		runPod(ns, ns+"-1", "concierge")
		runPod(ns, ns+"-2", "concierge")
		eventuallySynced(ns, "concierge")
		eventuallyCondition(key, ns, "concierge", v1alpha1.ConditionReady, metav1.ConditionTrue, ReasonAvailable)
		old := key.Status.PrimaryKeyID
		Expect(key.Status.Keys).To(ConsistOf(And(HaveField("ID", old), HaveField("State", v1alpha1.KeyStatePrimary))))

		screeners.set(ns+"-2", frozen)
		requestRotation(time.Now())
		eventuallyCondition(key, ns, "concierge", v1alpha1.ConditionRotating, metav1.ConditionTrue, ReasonRotating,
			ContainSubstring(ns+"-2"))
		Expect(keyIDs(secret())).To(HaveLen(2))
		Consistently(func() string { return readKeyring(secret()).primary }, time.Second).Should(Equal(old), "the old key signs until all know the new one")
		Expect(key.Status.PrimaryKeyID).To(Equal(old))

		screeners.set(ns+"-2", loads)
		eventuallyCondition(key, ns, "concierge", v1alpha1.ConditionRotating, metav1.ConditionFalse, ReasonIdle)
		Eventually(func(g Gomega) {
			k := get(g, key, ns, "concierge")
			g.Expect(k.Status.PrimaryKeyID).NotTo(Equal(old))
			g.Expect(k.Status.Keys).To(ConsistOf(
				And(HaveField("ID", old), HaveField("State", v1alpha1.KeyStateVerifyOnly)),
				And(HaveField("ID", k.Status.PrimaryKeyID), HaveField("PrimaryAt", Not(BeNil()))),
			))
			g.Expect(k.Status.Screeners).To(Equal(v1alpha1.ScreenerCounts{Running: 2, Loaded: 2}))
			g.Expect(k.Status.LastRotationAt.Time).To(BeTemporally("==", k.Spec.Rotation.RequestedAt.Time))
		}).Should(Succeed())
		eventuallySynced(ns, "concierge")
		Expect(secret().Annotations).NotTo(HaveKey(annotationNextKey))
		Expect(eventReasons(ns)).To(ContainElements("RotationStarted", "RotationCompleted"))

		By("not rotating again for the same request")
		settle(ns)
		Expect(keyIDs(secret())).To(HaveLen(2))
	})

	It("switches at once when the agent has no pods", func() {
		pod := runPod(ns, "concierge-1", "concierge")
		eventuallySynced(ns, "concierge")
		old := readKeyring(secret()).primary
		deletePod(pod)
		eventuallyCondition(&v1alpha1.AgentMemory{}, ns, "concierge", v1alpha1.ConditionSynced, metav1.ConditionTrue, ReasonNoPods)
		requestRotation(time.Now())
		Eventually(func(g Gomega) {
			ring := readKeyring(get(g, &corev1.Secret{}, ns, names.KeySecret))
			g.Expect(ring.primary).NotTo(Equal(old))
			g.Expect(ring.ids()).To(HaveLen(2))
		}).Should(Succeed())
	})

	It("that was lost is replaced, and healed by its backup", func() {
		runPod(ns, "concierge-1", "concierge")
		eventuallySynced(ns, "concierge")
		backup := secret()
		lost := readKeyring(backup).primary
		eventuallyCondition(key, ns, "concierge", v1alpha1.ConditionReady, metav1.ConditionTrue, ReasonAvailable)

		Expect(k8s.Delete(ctx, backup.DeepCopy())).To(Succeed())
		eventuallyCondition(key, ns, "concierge", v1alpha1.ConditionReady, metav1.ConditionTrue, ReasonKeyRegenerated,
			And(ContainSubstring(lost), ContainSubstring("KeyUnavailable")))
		regenerated := readKeyring(secret()).primary
		Expect(regenerated).NotTo(Equal(lost))
		Expect(secret().Data).NotTo(HaveKey(policy.KeyPrefix + lost + policy.KeySuffix))
		Eventually(func() []string { return eventReasons(ns) }).Should(ContainElement(ReasonKeyRegenerated))
		eventuallySynced(ns, "concierge")

		By("restoring it as kubectl apply does: entries are merged")
		Eventually(func(g Gomega) {
			live := get(g, &corev1.Secret{}, ns, names.KeySecret)
			for name, data := range backup.Data {
				live.Data[name] = data
			}
			g.Expect(k8s.Update(ctx, live, client.FieldOwner("kubectl-client-side-apply"))).To(Succeed())
		}).Should(Succeed())
		eventuallyCondition(key, ns, "concierge", v1alpha1.ConditionReady, metav1.ConditionTrue, ReasonAvailable)
		Eventually(func(g Gomega) {
			ring := readKeyring(get(g, &corev1.Secret{}, ns, names.KeySecret))
			g.Expect(ring.ids()).To(ConsistOf(lost, regenerated))
			g.Expect(ring.primary).To(Equal(lost))
			g.Expect(ring.lost).To(BeEmpty())
		}).Should(Succeed())
		settle(ns)
		Expect(keyIDs(secret())).To(ConsistOf(lost, regenerated))
	})

	It("that somebody made is used instead of one of the operator's", func() {
		own := &v1alpha1.ProvenanceKey{
			ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "held-in-git"},
			Spec:       v1alpha1.ProvenanceKeySpec{AgentRef: v1alpha1.AgentRef{Name: "concierge"}},
		}
		Expect(k8s.Create(ctx, own)).To(Succeed())
		eventuallyCondition(key, ns, "held-in-git", v1alpha1.ConditionReady, metav1.ConditionUnknown, ReasonNoAgent)
		runPod(ns, "concierge-1", "concierge")
		eventuallySynced(ns, "concierge")
		eventuallyCondition(key, ns, "held-in-git", v1alpha1.ConditionReady, metav1.ConditionTrue, ReasonAvailable)
		var keys v1alpha1.ProvenanceKeyList
		Expect(k8s.List(ctx, &keys, client.InNamespace(ns))).To(Succeed())
		Expect(keys.Items).To(HaveLen(1))

		By("refusing a second one")
		Eventually(func() bool { return time.Now().Truncate(time.Second).After(own.CreationTimestamp.Time) }).Should(BeTrue())
		Expect(k8s.Create(ctx, &v1alpha1.ProvenanceKey{
			ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "another"},
			Spec:       v1alpha1.ProvenanceKeySpec{AgentRef: v1alpha1.AgentRef{Name: "concierge"}},
		})).To(Succeed())
		eventuallyCondition(key, ns, "another", v1alpha1.ConditionReady, metav1.ConditionFalse, ReasonDuplicate,
			ContainSubstring("held-in-git"))
	})

	It("Secret with a damaged entry is reported and not touched", func() {
		runPod(ns, "concierge-1", "concierge")
		eventuallySynced(ns, "concierge")
		damaged := secret()
		damaged.Data[policy.KeyPrefix+"42"+policy.KeySuffix] = []byte("not a key")
		Expect(k8s.Update(ctx, damaged)).To(Succeed())
		eventuallyCondition(key, ns, "concierge", v1alpha1.ConditionReady, metav1.ConditionFalse, ReasonKeysInvalid,
			And(ContainSubstring("key-42.json"), Not(ContainSubstring("not a key"))))
		Expect(secret().ResourceVersion).To(Equal(damaged.ResourceVersion))
		eventuallyCondition(&v1alpha1.MemoryTrustPolicy{}, ns, "standard", v1alpha1.ConditionKeysReady, metav1.ConditionFalse, ReasonKeysMissing)
	})
})
