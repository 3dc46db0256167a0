// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1apply "k8s.io/client-go/applyconfigurations/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/inject"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
)

var _ = Describe("The life of a key", func() {
	const agent = "concierge"
	names := inject.NamesFor(agent)
	var ns, pod string

	key := func() *v1alpha1.ProvenanceKey {
		GinkgoHelper()
		return get(NewWithT(GinkgoT()), &v1alpha1.ProvenanceKey{}, ns, agent)
	}
	secret := func() *corev1.Secret {
		GinkgoHelper()
		return get(NewWithT(GinkgoT()), &corev1.Secret{}, ns, names.KeySecret)
	}
	ring := func() keyring { return readKeyring(secret()) }
	change := func(f func(*v1alpha1.ProvenanceKeySpec)) {
		GinkgoHelper()
		Eventually(func(g Gomega) {
			k := get(g, &v1alpha1.ProvenanceKey{}, ns, agent)
			f(&k.Spec)
			g.Expect(k8s.Update(ctx, k)).To(Succeed())
		}).Should(Succeed())
	}
	request := func(at time.Time) {
		GinkgoHelper()
		change(func(s *v1alpha1.ProvenanceKeySpec) { s.Rotation.RequestedAt = &metav1.Time{Time: at} })
	}
	// age changes what the status remembers of a key: to the operator, time has passed. It waits until the operator has
	// nothing more to write, which would be on the word of what its cache remembers.
	age := func(id string, f func(*v1alpha1.KeyStatus)) {
		GinkgoHelper()
		settle(ns)
		Eventually(func(g Gomega) {
			k := get(g, &v1alpha1.ProvenanceKey{}, ns, agent)
			found := false
			for i := range k.Status.Keys {
				if k.Status.Keys[i].ID == id {
					f(&k.Status.Keys[i])
					found = true
				}
			}
			g.Expect(found).To(BeTrue(), "key %s in the status", id)
			g.Expect(k8s.Status().Update(ctx, k)).To(Succeed())
		}).Should(Succeed())
	}
	eventuallyPrimary := func(id string) {
		GinkgoHelper()
		Eventually(func(g Gomega) {
			g.Expect(get(g, &v1alpha1.ProvenanceKey{}, ns, agent).Status.PrimaryKeyID).To(Equal(id))
		}).Should(Succeed())
	}
	eventuallyIdle := func() {
		GinkgoHelper()
		eventuallyCondition(&v1alpha1.ProvenanceKey{}, ns, agent, v1alpha1.ConditionRotating, metav1.ConditionFalse, ReasonIdle)
		eventuallySynced(ns, agent)
	}
	past := func() *metav1.Time { return &metav1.Time{Time: time.Now().Add(-2 * time.Hour)} }

	BeforeEach(func() {
		ns = newNamespace()
		pod = ns + "-1"
		newPolicy(ns, "standard")
	})
	running := func() {
		GinkgoHelper()
		runPod(ns, pod, agent)
		eventuallySynced(ns, agent)
		eventuallyCondition(&v1alpha1.ProvenanceKey{}, ns, agent, v1alpha1.ConditionReady, metav1.ConditionTrue, ReasonAvailable)
	}

	It("is rotated when it reaches its age", func() {
		running()
		old := ring().primary
		change(func(s *v1alpha1.ProvenanceKeySpec) {
			s.Rotation.PeriodSeconds, s.Rotation.VerifyWindowSeconds = 3600, 3600
		})
		Eventually(func(g Gomega) {
			k := get(g, &v1alpha1.ProvenanceKey{}, ns, agent)
			g.Expect(k.Status.NextRotationAt).NotTo(BeNil())
			g.Expect(k.Status.NextRotationAt.Time).To(BeTemporally("==", k.Status.Keys[0].PrimaryAt.Add(time.Hour)))
		}).Should(Succeed())
		Expect(ring().ids()).To(ConsistOf(old), "it is young")

		age(old, func(k *v1alpha1.KeyStatus) { k.PrimaryAt = past() })
		Eventually(func() string { return ring().primary }).ShouldNot(Equal(old))
		eventuallyIdle()
		k := key()
		Expect(k.Status.Keys).To(HaveLen(2))
		Expect(k.Status.Keys[1]).To(And(HaveField("ID", old), HaveField("State", v1alpha1.KeyStateVerifyOnly)))
		Expect(k.Status.Keys[1].VerifyUntil.Time).To(BeTemporally("~", time.Now().Add(time.Hour), time.Minute))
		Expect(k.Status.NextRotationAt.Time).To(BeTemporally(">", time.Now()))
		settle(ns)
		Expect(ring().ids()).To(HaveLen(2))
	})

	It("waits for a pod when it is old and none runs", func() {
		running()
		old := ring().primary
		Expect(k8s.DeleteAllOf(ctx, &corev1.Pod{}, client.InNamespace(ns), client.GracePeriodSeconds(0))).To(Succeed())
		eventuallyCondition(&v1alpha1.AgentMemory{}, ns, agent, v1alpha1.ConditionSynced, metav1.ConditionTrue, ReasonNoPods)
		change(func(s *v1alpha1.ProvenanceKeySpec) {
			s.Rotation.PeriodSeconds, s.Rotation.VerifyWindowSeconds = 3600, 3600
		})
		age(old, func(k *v1alpha1.KeyStatus) { k.PrimaryAt = past() })
		eventuallyCondition(&v1alpha1.ProvenanceKey{}, ns, agent, v1alpha1.ConditionRotating, metav1.ConditionFalse, ReasonIdle,
			ContainSubstring("takes place when a screener"))
		Expect(ring().ids()).To(ConsistOf(old))
		runPod(ns, ns+"-2", agent)
		Eventually(func() string { return ring().primary }).ShouldNot(Equal(old))
		eventuallyIdle()
	})

	It("is rotated twice when it is asked for twice, one after the other", func() {
		running()
		first := ring().primary
		screeners.set(pod, frozen)
		at := time.Now().Truncate(time.Second)
		request(at)
		eventuallyCondition(&v1alpha1.ProvenanceKey{}, ns, agent, v1alpha1.ConditionRotating, metav1.ConditionTrue, ReasonRotating)
		second := ring().next
		request(at.Add(time.Second))
		Consistently(func() []string { return ring().ids() }, time.Second).Should(ConsistOf(first, second))

		screeners.set(pod, loads)
		Eventually(func(g Gomega) {
			k := get(g, &v1alpha1.ProvenanceKey{}, ns, agent)
			g.Expect(k.Status.LastRotationAt).NotTo(BeNil())
			g.Expect(k.Status.LastRotationAt.Time).To(BeTemporally("==", at.Add(time.Second)))
			g.Expect(k.Status.PrimaryKeyID).NotTo(BeElementOf(first, second))
			g.Expect(k.Status.Keys).To(HaveLen(3))
		}).Should(Succeed())
		eventuallyIdle()
		settle(ns)
		Expect(ring().ids()).To(HaveLen(3))
	})

	It("survives a restart of the operator in the middle of a rotation", func() {
		running()
		old := ring().primary
		screeners.set(pod, frozen)
		request(time.Now())
		eventuallyCondition(&v1alpha1.ProvenanceKey{}, ns, agent, v1alpha1.ConditionRotating, metav1.ConditionTrue, ReasonRotating)
		next := ring().next

		By("restarting it while the screener does not know the new key")
		restartManager(nil)
		Consistently(func() string { return ring().primary }, 2*time.Second).Should(Equal(old))
		Expect(ring().next).To(Equal(next))

		By("restarting it once more, and the screener loads the key meanwhile")
		restartManager(func() { screeners.set(pod, loads) })
		eventuallyPrimary(next)
		eventuallyIdle()
		Expect(ring().ids()).To(ConsistOf(old, next))
		Expect(ring().lost).To(BeEmpty())
	})

	It("survives a restart between two steps, of which the status knows nothing", func() {
		running()
		old := ring().primary
		id, entry, err := provenance.NewKey()
		Expect(err).NotTo(HaveOccurred())
		restartManager(func() { // an operator wrote the first step into the Secret and was killed
			s := secret()
			s.Data[policy.KeyPrefix+id+policy.KeySuffix] = entry
			if s.Annotations == nil {
				s.Annotations = map[string]string{}
			}
			s.Annotations[annotationNextKey] = id
			Expect(k8s.Update(ctx, s)).To(Succeed())
		})
		eventuallyPrimary(id)
		eventuallyIdle()
		Expect(ring().ids()).To(ConsistOf(old, id))
	})

	It("does not wait for pods that ended, and names one that does not answer", func() {
		running()
		old := ring().primary
		ended := runPod(ns, ns+"-ended", agent)
		silent := runPod(ns, ns+"-silent", agent)
		eventuallySynced(ns, agent)
		screeners.set(silent.Name, down)
		screeners.set(ended.Name, down)
		before := ended.DeepCopy()
		ended.Status.Phase = corev1.PodFailed
		Expect(k8s.Status().Patch(ctx, ended, client.MergeFrom(before))).To(Succeed())
		request(time.Now())
		eventuallyCondition(&v1alpha1.ProvenanceKey{}, ns, agent, v1alpha1.ConditionRotating, metav1.ConditionTrue, ReasonRotating,
			ContainSubstring(silent.Name), Not(ContainSubstring(ended.Name)))
		Expect(ring().primary).To(Equal(old))
		age(ring().next, func(k *v1alpha1.KeyStatus) { k.CreatedAt = past() })
		eventuallyCondition(&v1alpha1.ProvenanceKey{}, ns, agent, v1alpha1.ConditionRotationBlocked, metav1.ConditionTrue, ReasonScreenersNotReporting,
			ContainSubstring(silent.Name), ContainSubstring("delete the pods"))
		Eventually(func() []string { return eventReasons(ns) }).Should(ContainElement(ReasonScreenersNotReporting))

		deletePod(silent)
		Eventually(func() string { return ring().primary }).ShouldNot(Equal(old))
		eventuallyIdle()
		eventuallyCondition(&v1alpha1.ProvenanceKey{}, ns, agent, v1alpha1.ConditionRotationBlocked, metav1.ConditionFalse, ReasonIdle)
	})

	It("ends when its window is over and no store needs it", func() {
		running()
		old := ring().primary
		screeners.setZones(pod, map[string]int64{"Working": 3})
		screeners.setSigned(pod, map[string]int64{old: 3})
		request(time.Now())
		Eventually(func() string { return ring().primary }).ShouldNot(Equal(old))
		eventuallyIdle()
		age(old, func(k *v1alpha1.KeyStatus) { k.VerifyUntil = past() })
		Eventually(func(g Gomega) {
			k := get(g, &v1alpha1.ProvenanceKey{}, ns, agent)
			g.Expect(k.Status.Keys).To(ContainElement(And(HaveField("ID", old), HaveField("RecordsSigned", HaveValue(BeEquivalentTo(3))))))
		}).Should(Succeed())
		Consistently(func() []string { return ring().ids() }, time.Second).Should(ContainElement(old), "a store has records under it")

		By("the operator restarts: without a report nothing goes")
		restartManager(func() { screeners.set(pod, down) })
		Consistently(func() []string { return ring().ids() }, 2*time.Second).Should(ContainElement(old))

		By("the store has signed its records anew")
		screeners.setSigned(pod, map[string]int64{ring().primary: 3})
		screeners.set(pod, loads)
		Eventually(func(g Gomega) {
			k := get(g, &v1alpha1.ProvenanceKey{}, ns, agent)
			g.Expect(k.Status.Keys).To(ConsistOf(HaveField("State", v1alpha1.KeyStatePrimary)))
		}).Should(Succeed())
		for name := range secret().Data {
			Expect(name).NotTo(ContainSubstring(old))
		}
		Eventually(func() []string { return eventReasons(ns) }).Should(ContainElements("KeyDisabled", "KeyRemoved"))
		eventuallyCondition(&v1alpha1.ProvenanceKey{}, ns, agent, v1alpha1.ConditionReady, metav1.ConditionTrue, ReasonAvailable)
		eventuallyIdle()
	})

	It("that is compromised goes at once, whoever wrote it and whatever pods do", func() {
		running()
		runPod(ns, ns+"-2", agent)
		Eventually(func() v1alpha1.ScreenerCounts { return key().Status.Screeners }).Should(Equal(v1alpha1.ScreenerCounts{Running: 2, Loaded: 2}))
		bad := ring().primary
		screeners.setSigned(pod, map[string]int64{bad: 2})
		By("somebody has restored the Secret: its entries are theirs as well")
		backup := corev1apply.Secret(names.KeySecret, ns).WithData(secret().Data)
		Expect(k8s.Apply(ctx, backup, client.FieldOwner("kubectl"), client.ForceOwnership)).To(Succeed())

		screeners.set(ns+"-2", frozen)
		change(func(s *v1alpha1.ProvenanceKeySpec) { s.CompromisedKeyIDs = []string{bad, "77"} })
		Eventually(func(g Gomega) {
			s := get(g, &corev1.Secret{}, ns, names.KeySecret)
			g.Expect(s.Data).NotTo(HaveKey(policy.KeyPrefix + bad + policy.KeySuffix))
			r := readKeyring(s)
			g.Expect(r.primary).NotTo(Equal(bad))
			g.Expect(r.ids()).To(ConsistOf(r.primary))
		}).Should(Succeed())
		eventuallyCondition(&v1alpha1.ProvenanceKey{}, ns, agent, v1alpha1.ConditionRotating, metav1.ConditionTrue, ReasonRevoking,
			And(ContainSubstring(ns+"-2"), Not(ContainSubstring(pod))))
		Eventually(func(g Gomega) {
			g.Expect(get(g, &v1alpha1.ProvenanceKey{}, ns, agent).Status.Keys).To(ContainElements(
				And(HaveField("ID", bad), HaveField("State", v1alpha1.KeyStateCompromised), HaveField("RecordsSigned", HaveValue(BeEquivalentTo(2)))),
				And(HaveField("ID", "77"), HaveField("State", v1alpha1.KeyStateCompromised))))
		}).Should(Succeed())
		Eventually(func() []string { return eventReasons(ns) }).Should(ContainElement("KeyCompromised"))

		screeners.set(ns+"-2", loads)
		eventuallyIdle()
		eventuallyCondition(&v1alpha1.ProvenanceKey{}, ns, agent, v1alpha1.ConditionReady, metav1.ConditionTrue, ReasonAvailable)
		good := ring().primary

		By("a backup that brings it back does not help it")
		Expect(k8s.Apply(ctx, corev1apply.Secret(names.KeySecret, ns).WithData(backup.Data), client.FieldOwner("kubectl"), client.ForceOwnership)).To(Succeed())
		Eventually(func(g Gomega) {
			s := get(g, &corev1.Secret{}, ns, names.KeySecret)
			g.Expect(s.Data).NotTo(HaveKey(policy.KeyPrefix + bad + policy.KeySuffix))
			g.Expect(readKeyring(s).primary).To(Equal(good))
		}).Should(Succeed())
		settle(ns)
	})
})

var _ = Describe("A key in a Secret of the user", func() {
	const agent, name = "concierge", "held-in-git"
	names := inject.NamesFor(agent)
	var ns, pod string
	own := func(data string) *corev1.Secret {
		return &corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "own", Labels: map[string]string{v1alpha1.LabelKeySource: v1alpha1.KeySourceProvenance}},
			Data:       map[string][]byte{"key": []byte(data)},
		}
	}
	idOf := func(data string) string {
		GinkgoHelper()
		p, err := provenance.ParseProvided([]byte(data))
		Expect(err).NotTo(HaveOccurred())
		return p.Primary
	}
	ring := func(g Gomega) keyring { return readKeyring(get(g, &corev1.Secret{}, ns, names.KeySecret)) }
	ready := func(status metav1.ConditionStatus, reason string, says string) {
		GinkgoHelper()
		message := eventuallyCondition(&v1alpha1.ProvenanceKey{}, ns, name, v1alpha1.ConditionReady, status, reason, ContainSubstring(says))
		for _, material := range []string{firstKey[:16], secondKey[:16], "tiny!"} {
			Expect(message).NotTo(ContainSubstring(material))
		}
	}
	BeforeEach(func() {
		ns = newNamespace()
		pod = ns + "-1"
		newPolicy(ns, "standard")
		Expect(k8s.Create(ctx, &v1alpha1.ProvenanceKey{
			ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: name},
			Spec:       v1alpha1.ProvenanceKeySpec{AgentRef: v1alpha1.AgentRef{Name: agent}, SecretRef: &v1alpha1.KeySecretRef{Name: "own"}},
		})).To(Succeed())
		runPod(ns, pod, agent)
	})

	It("is waited for, taken, and followed", func() {
		By("no Secret: no key is made in its place")
		ready(metav1.ConditionFalse, ReasonKeySourceMissing, "memorytrust.dev/key-source=provenance")
		err := k8s.Get(ctx, client.ObjectKey{Namespace: ns, Name: names.KeySecret}, &corev1.Secret{})
		Expect(apierrors.IsNotFound(err)).To(BeTrue(), "%v", err)
		eventuallyCondition(&v1alpha1.MemoryTrustPolicy{}, ns, "standard", v1alpha1.ConditionKeysReady, metav1.ConditionFalse, ReasonKeysMissing)

		By("a Secret without the label, which gets it later")
		s := own(firstKey)
		s.Labels = nil
		Expect(k8s.Create(ctx, s)).To(Succeed())
		s.Labels = map[string]string{v1alpha1.LabelKeySource: v1alpha1.KeySourceProvenance}
		Expect(k8s.Update(ctx, s)).To(Succeed())
		ready(metav1.ConditionTrue, ReasonAvailable, idOf(firstKey))
		eventuallySynced(ns, agent)
		Expect(ring(NewWithT(GinkgoT())).ids()).To(ConsistOf(idOf(firstKey)))
		Eventually(func() []string { return eventReasons(ns) }).Should(ContainElement("KeyAdopted"))
		settle(ns)

		By("a new key in it goes the same way as any rotation")
		screeners.set(pod, frozen)
		Expect(k8s.Update(ctx, own(secondKey))).To(Succeed())
		eventuallyCondition(&v1alpha1.ProvenanceKey{}, ns, name, v1alpha1.ConditionRotating, metav1.ConditionTrue, ReasonRotating, ContainSubstring(pod))
		Expect(ring(NewWithT(GinkgoT())).primary).To(Equal(idOf(firstKey)))
		screeners.set(pod, loads)
		Eventually(func(g Gomega) { g.Expect(ring(g).primary).To(Equal(idOf(secondKey))) }).Should(Succeed())
		Expect(ring(NewWithT(GinkgoT())).ids()).To(ConsistOf(idOf(firstKey), idOf(secondKey)))
		eventuallySynced(ns, agent)

		By("a request cannot be fulfilled by the operator")
		Eventually(func(g Gomega) {
			k := get(g, &v1alpha1.ProvenanceKey{}, ns, name)
			k.Spec.Rotation.RequestedAt = &metav1.Time{Time: time.Now().Add(time.Minute)}
			g.Expect(k8s.Update(ctx, k)).To(Succeed())
		}).Should(Succeed())
		eventuallyCondition(&v1alpha1.ProvenanceKey{}, ns, name, v1alpha1.ConditionRotationBlocked, metav1.ConditionTrue, ReasonSecretUnchanged)
	})

	It("that breaks leaves the keys in force", func() {
		Expect(k8s.Create(ctx, own(firstKey))).To(Succeed())
		ready(metav1.ConditionTrue, ReasonAvailable, idOf(firstKey))
		eventuallySynced(ns, agent)
		for _, tc := range []struct {
			broken       *corev1.Secret
			reason, says string
		}{
			{own("tiny!"), ReasonKeySourceInvalid, "at least 32"},
			{own(`{"primaryKeyId": 12`), ReasonKeySourceInvalid, "Tink JSON keyset"},
			{func() *corev1.Secret { s := own(""); s.Data = nil; return s }(), ReasonKeySourceMissing, "no entry key"},
			{nil, ReasonKeySourceMissing, "no Secret own"},
		} {
			if tc.broken == nil {
				Expect(k8s.Delete(ctx, own(""))).To(Succeed())
			} else {
				Expect(k8s.Update(ctx, tc.broken)).To(Succeed())
			}
			ready(metav1.ConditionFalse, tc.reason, tc.says)
			Expect(ring(NewWithT(GinkgoT())).ids()).To(ConsistOf(idOf(firstKey)))
		}
		Eventually(func() []string { return eventReasons(ns) }).Should(ContainElements(ReasonKeySourceInvalid, ReasonKeySourceMissing))
		eventuallyCondition(&v1alpha1.MemoryTrustPolicy{}, ns, "standard", v1alpha1.ConditionKeysReady, metav1.ConditionTrue, ReasonAvailable)
		eventuallySynced(ns, agent)

		Expect(k8s.Create(ctx, own(firstKey))).To(Succeed())
		ready(metav1.ConditionTrue, ReasonAvailable, idOf(firstKey))
		Expect(ring(NewWithT(GinkgoT())).ids()).To(ConsistOf(idOf(firstKey)), "the same bytes are the same key")
	})

	It("that is compromised is replaced by one of the operator's until a new one is there", func() {
		Expect(k8s.Create(ctx, own(firstKey))).To(Succeed())
		ready(metav1.ConditionTrue, ReasonAvailable, idOf(firstKey))
		eventuallySynced(ns, agent)
		Eventually(func(g Gomega) {
			k := get(g, &v1alpha1.ProvenanceKey{}, ns, name)
			k.Spec.CompromisedKeyIDs = []string{idOf(firstKey)}
			g.Expect(k8s.Update(ctx, k)).To(Succeed())
		}).Should(Succeed())
		ready(metav1.ConditionFalse, ReasonKeySourceCompromised, "put a new key there")
		standIn := ring(NewWithT(GinkgoT())).primary
		Expect(ring(NewWithT(GinkgoT())).ids()).To(ConsistOf(standIn))
		Expect(standIn).NotTo(Equal(idOf(firstKey)))

		Expect(k8s.Update(ctx, own(secondKey))).To(Succeed())
		ready(metav1.ConditionTrue, ReasonAvailable, "2 keys verify")
		Eventually(func(g Gomega) { g.Expect(ring(g).primary).To(Equal(idOf(secondKey))) }).Should(Succeed())
		eventuallySynced(ns, agent)
	})
})

// Keys as a user might make them: "openssl rand -hex 32".
const (
	firstKey  = "7d3a91c2e45f08b6a1d94c7e2b60f38519ac4e7d02f6b83c5a9e1d40c7b2f865\n"
	secondKey = "c05be7194a2d8f63b71e0c95d84a3f26e9107b5c3d8af2641e90b7c5d3a8f264\n"
)
