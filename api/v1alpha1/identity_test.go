// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package v1alpha1_test

import (
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	api "memorytrust.dev/operator/api/v1alpha1"
)

const agentID = "0b0e7a52-6f3c-4c1e-9a55-3d3f0a4f1c11"

func agentMemory(change func(*api.AgentMemory)) *api.AgentMemory {
	m := &api.AgentMemory{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "concierge"},
		Spec:       api.AgentMemorySpec{AgentID: agentID, ServiceAccountName: "concierge"},
	}
	if change != nil {
		change(m)
	}
	return m
}

func provenanceKey(change func(*api.ProvenanceKeySpec)) *api.ProvenanceKey {
	k := &api.ProvenanceKey{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", GenerateName: "k-"},
		Spec:       api.ProvenanceKeySpec{AgentRef: api.AgentRef{Name: "concierge"}},
	}
	if change != nil {
		change(&k.Spec)
	}
	return k
}

var _ = Describe("AgentMemory", func() {
	DescribeTable("accepts", func(change func(*api.AgentMemory)) { accepted(agentMemory(change)) },
		Entry("the least", nil),
		Entry("the longest name", func(m *api.AgentMemory) { m.Name = strings.Repeat("a", 63) }),
		Entry("a name of one letter", func(m *api.AgentMemory) { m.Name = "a" }),
	)
	DescribeTable("refuses", func(change func(*api.AgentMemory), message string) { refused(agentMemory(change), message) },
		Entry("a name no label can have", func(m *api.AgentMemory) { m.Name = strings.Repeat("a", 64) }, "metadata.name is the agent's name as in the pod label"),
		Entry("a name with a dot", func(m *api.AgentMemory) { m.Name = "a.b" }, "metadata.name is the agent's name as in the pod label"),
		Entry("an agentID in capitals", func(m *api.AgentMemory) { m.Spec.AgentID = strings.ToUpper(agentID) }, "spec.agentID is a lower-case UUID"),
		Entry("an agentID with dashes elsewhere", func(m *api.AgentMemory) { m.Spec.AgentID = "0b0e7a526-f3c-4c1e-9a55-3d3f0a4f1c11" }, "spec.agentID is a lower-case UUID"),
		Entry("a short agentID", func(m *api.AgentMemory) { m.Spec.AgentID = agentID[1:] }, "should be at least 36 chars long"),
		Entry("a long agentID", func(m *api.AgentMemory) { m.Spec.AgentID = agentID + "0" }, "may not be more than 36"),
		Entry("no ServiceAccount", func(m *api.AgentMemory) { m.Spec.ServiceAccountName = "" }, "should be at least 1 chars long"),
		Entry("a ServiceAccount no cluster has", func(m *api.AgentMemory) { m.Spec.ServiceAccountName = strings.Repeat("a", 254) }, "may not be more than 253"),
	)

	It("keeps its agentID", func() {
		m := agentMemory(nil)
		Expect(k8s.Create(ctx, m)).To(Succeed())
		DeferCleanup(func() { Expect(k8s.Delete(ctx, m)).To(Succeed()) })
		m.Spec.ServiceAccountName = "another"
		Expect(k8s.Update(ctx, m)).To(Succeed())
		m.Spec.AgentID = "1" + agentID[1:]
		Expect(k8s.Update(ctx, m)).To(MatchError(ContainSubstring("spec.agentID is immutable")))
	})

	It("wants a spec", func() {
		u := &unstructured.Unstructured{}
		u.SetGroupVersionKind(api.GroupVersion.WithKind("AgentMemory"))
		u.SetNamespace("default")
		u.SetName("concierge")
		refused(u, "spec: Required value")
	})

	It("lists at most twenty pods in its status", func() {
		m := agentMemory(nil)
		Expect(k8s.Create(ctx, m)).To(Succeed())
		DeferCleanup(func() { Expect(k8s.Delete(ctx, m)).To(Succeed()) })
		for i := range 20 {
			m.Status.Pods = append(m.Status.Pods, api.AgentPodStatus{Name: string(rune('a' + i)), Reachable: metav1.ConditionTrue})
		}
		Expect(k8s.Status().Update(ctx, m)).To(Succeed())
		m.Status.Pods = append(m.Status.Pods, api.AgentPodStatus{Name: "z", Reachable: metav1.ConditionTrue})
		Expect(k8s.Status().Update(ctx, m)).To(MatchError(ContainSubstring("must have at most 20 items")))
		m.Status.Pods = []api.AgentPodStatus{{Name: "a", Reachable: "Perhaps"}}
		Expect(k8s.Status().Update(ctx, m)).To(MatchError(ContainSubstring(`supported values: "True", "False", "Unknown"`)))
	})
})

var _ = Describe("ProvenanceKey", func() {
	DescribeTable("accepts", func(change func(*api.ProvenanceKeySpec)) { accepted(provenanceKey(change)) },
		Entry("the least", nil),
		Entry("a rotation from the start", func(s *api.ProvenanceKeySpec) { s.Rotation.RequestedAt = &metav1.Time{Time: time.Now()} }),
		Entry("an agent of one letter", func(s *api.ProvenanceKeySpec) { s.AgentRef.Name = "a" }),
		Entry("the shortest period", func(s *api.ProvenanceKeySpec) {
			s.Rotation.PeriodSeconds, s.Rotation.VerifyWindowSeconds = 3600, 3600
		}),
		Entry("a window of 24 periods", func(s *api.ProvenanceKeySpec) {
			s.Rotation.PeriodSeconds, s.Rotation.VerifyWindowSeconds = 3600, 24*3600
		}),
		Entry("the longest window without a period", func(s *api.ProvenanceKeySpec) { s.Rotation.VerifyWindowSeconds = 315360000 }),
		Entry("a Secret of the user", func(s *api.ProvenanceKeySpec) { s.SecretRef = &api.KeySecretRef{Name: "own"} }),
		Entry("another entry of it", func(s *api.ProvenanceKeySpec) { s.SecretRef = &api.KeySecretRef{Name: "own", Key: "mac.json"} }),
		Entry("a request with a Secret", func(s *api.ProvenanceKeySpec) {
			s.SecretRef, s.Rotation.RequestedAt = &api.KeySecretRef{Name: "own"}, &metav1.Time{Time: time.Now()}
		}),
		Entry("compromised keys", func(s *api.ProvenanceKeySpec) { s.CompromisedKeyIDs = []string{"1", "4294967295"} }),
	)
	DescribeTable("refuses", func(change func(*api.ProvenanceKeySpec), message string) { refused(provenanceKey(change), message) },
		Entry("an agent in capitals", func(s *api.ProvenanceKeySpec) { s.AgentRef.Name = "Concierge" }, "an agent name is lower-case letters"),
		Entry("an agent that ends in a dash", func(s *api.ProvenanceKeySpec) { s.AgentRef.Name = "a-" }, "an agent name is lower-case letters"),
		Entry("no agent", func(s *api.ProvenanceKeySpec) { s.AgentRef.Name = "" }, "should be at least 1 chars long"),
		Entry("an agent no label can name", func(s *api.ProvenanceKeySpec) { s.AgentRef.Name = strings.Repeat("a", 64) }, "may not be more than 63"),
		Entry("a period of seconds", func(s *api.ProvenanceKeySpec) { s.Rotation.PeriodSeconds = 3599 }, "should be greater than or equal to 3600"),
		Entry("a period of centuries", func(s *api.ProvenanceKeySpec) { s.Rotation.PeriodSeconds = 315360001 }, "should be less than or equal to 315360000"),
		Entry("a window of seconds", func(s *api.ProvenanceKeySpec) { s.Rotation.VerifyWindowSeconds = 3599 }, "should be greater than or equal to 3600"),
		Entry("a window of too many periods", func(s *api.ProvenanceKeySpec) {
			s.Rotation.PeriodSeconds, s.Rotation.VerifyWindowSeconds = 3600, 24*3600+1
		}, "spec.rotation.verifyWindowSeconds is at most 24 periods"),
		Entry("the default window of too many periods", func(s *api.ProvenanceKeySpec) { s.Rotation.PeriodSeconds = 3600 },
			"spec.rotation.verifyWindowSeconds is at most 24 periods"),
		Entry("a period with a Secret", func(s *api.ProvenanceKeySpec) {
			s.SecretRef, s.Rotation.PeriodSeconds = &api.KeySecretRef{Name: "own"}, 86400
		}, "spec.rotation.periodSeconds is for keys that the operator makes"),
		Entry("a Secret of the operator", func(s *api.ProvenanceKeySpec) { s.SecretRef = &api.KeySecretRef{Name: "mt-0123456789abcdef-key"} },
			"Secrets named mt-* belong to the operator"),
		Entry("a Secret without a name", func(s *api.ProvenanceKeySpec) { s.SecretRef = &api.KeySecretRef{} }, "should be at least 1 chars long"),
		Entry("a compromised key that is no number", func(s *api.ProvenanceKeySpec) { s.CompromisedKeyIDs = []string{"key-1"} }, "a key id is a decimal number"),
		Entry("a compromised key 0", func(s *api.ProvenanceKeySpec) { s.CompromisedKeyIDs = []string{"0"} }, "a key id is a decimal number"),
		Entry("a compromised key twice", func(s *api.ProvenanceKeySpec) { s.CompromisedKeyIDs = []string{"1", "1"} }, "Duplicate value"),
	)

	It("has a verify window by default", func() {
		k := provenanceKey(nil)
		Expect(k8s.Create(ctx, k, client.DryRunAll)).To(Succeed())
		Expect(k.Spec.Rotation.VerifyWindowSeconds).To(BeEquivalentTo(7 * 24 * 3600))
		Expect(k.Spec.Rotation.PeriodSeconds).To(BeZero())
	})

	It("never forgets a compromised key", func() {
		k := provenanceKey(func(s *api.ProvenanceKeySpec) { s.CompromisedKeyIDs = []string{"1"} })
		Expect(k8s.Create(ctx, k)).To(Succeed())
		DeferCleanup(func() { Expect(k8s.Delete(ctx, k)).To(Succeed()) })
		k.Spec.CompromisedKeyIDs = []string{"2", "1"}
		Expect(k8s.Update(ctx, k)).To(Succeed())
		for _, ids := range [][]string{nil, {"2"}, {"2", "3"}} {
			changed := k.DeepCopy()
			changed.Spec.CompromisedKeyIDs = ids
			Expect(k8s.Update(ctx, changed)).To(MatchError(ContainSubstring("spec.compromisedKeyIDs only grows")), "%v", ids)
		}
	})

	It("may change from the operator's keys to a Secret and back", func() {
		k := provenanceKey(nil)
		Expect(k8s.Create(ctx, k)).To(Succeed())
		DeferCleanup(func() { Expect(k8s.Delete(ctx, k)).To(Succeed()) })
		k.Spec.SecretRef = &api.KeySecretRef{Name: "own"}
		Expect(k8s.Update(ctx, k)).To(Succeed())
		k.Spec.SecretRef = nil
		Expect(k8s.Update(ctx, k)).To(Succeed())
	})

	It("keeps its agent, and its rotation only moves forward", func() {
		k := provenanceKey(nil)
		Expect(k8s.Create(ctx, k)).To(Succeed())
		DeferCleanup(func() { Expect(k8s.Delete(ctx, k)).To(Succeed()) })
		at := func(hour int) *metav1.Time {
			return &metav1.Time{Time: time.Date(2026, 11, 20, hour, 0, 0, 0, time.UTC)}
		}
		k.Spec.Rotation.RequestedAt = at(10)
		Expect(k8s.Update(ctx, k)).To(Succeed())
		k.Spec.Rotation.RequestedAt = at(11)
		Expect(k8s.Update(ctx, k)).To(Succeed())

		back := k.DeepCopy()
		back.Spec.Rotation.RequestedAt = at(9)
		Expect(k8s.Update(ctx, back)).To(MatchError(ContainSubstring("spec.rotation.requestedAt only moves forward")))
		gone := k.DeepCopy()
		gone.Spec.Rotation.RequestedAt = nil
		Expect(k8s.Update(ctx, gone)).To(MatchError(ContainSubstring("spec.rotation.requestedAt only moves forward")))
		other := k.DeepCopy()
		other.Spec.AgentRef.Name = "another"
		Expect(k8s.Update(ctx, other)).To(MatchError(ContainSubstring("spec.agentRef is immutable")))
	})
})
