// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package v1alpha1_test

import (
	"context"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"memorytrust.dev/operator/api/v1alpha1"
)

const agentID = "6f1c9a52-3f0e-4d7b-9c1a-2b8e5d4f7a60"

var _ = Describe("AgentMemory", func() {
	agentMemory := func(name, id string) *v1alpha1.AgentMemory {
		return &v1alpha1.AgentMemory{
			ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace},
			Spec:       v1alpha1.AgentMemorySpec{AgentID: id, ServiceAccountName: "default"},
		}
	}

	It("accepts the longest agent name and a UUID", func(ctx context.Context) {
		Expect(k8s.Create(ctx, agentMemory(strings.Repeat("a", 63), agentID))).To(Succeed())
	})

	DescribeTable("refuses", func(ctx context.Context, name, id, message string) {
		expectRefused(k8s.Create(ctx, agentMemory(name, id)), message)
	},
		Entry("a name with dots", "a.b", agentID, "metadata.name is the agent's name"),
		Entry("a name longer than a label value", strings.Repeat("a", 64), agentID, "metadata.name is the agent's name"),
		Entry("an identity in upper case", "concierge", strings.ToUpper(agentID), "a lower-case UUID"),
		Entry("a short identity", "concierge", agentID[1:], "should be at least 36 chars long"),
	)

	It("never changes its identity, but may change its ServiceAccount", func(ctx context.Context) {
		m := agentMemory("concierge", agentID)
		Expect(k8s.Create(ctx, m)).To(Succeed())
		m.Spec.ServiceAccountName = "concierge"
		Expect(k8s.Update(ctx, m)).To(Succeed())
		m.Spec.AgentID = strings.Replace(agentID, "6", "7", 1)
		expectRefused(k8s.Update(ctx, m), "spec.agentID is immutable")
	})
})

var _ = Describe("ProvenanceKey", func() {
	key := func(agent string) *v1alpha1.ProvenanceKey {
		return &v1alpha1.ProvenanceKey{
			ObjectMeta: metav1.ObjectMeta{Name: "key", Namespace: namespace},
			Spec:       v1alpha1.ProvenanceKeySpec{AgentRef: v1alpha1.AgentRef{Name: agent}},
		}
	}

	It("refuses an agent name that no pod label could have", func(ctx context.Context) {
		expectRefused(k8s.Create(ctx, key("Concierge")), "an agent name is lower-case letters")
	})

	It("never changes its agent", func(ctx context.Context) {
		k := key("concierge")
		Expect(k8s.Create(ctx, k)).To(Succeed())
		k.Spec.AgentRef.Name = "other"
		expectRefused(k8s.Update(ctx, k), "spec.agentRef is immutable")
	})

	It("only moves the request for a rotation forward", func(ctx context.Context) {
		at := func(hours int) *metav1.Time {
			t := metav1.NewTime(time.Date(2026, 1, 1, hours, 0, 0, 0, time.UTC))
			return &t
		}
		k := key("concierge")
		Expect(k8s.Create(ctx, k)).To(Succeed())
		k.Spec.Rotation.RequestedAt = at(5)
		Expect(k8s.Update(ctx, k)).To(Succeed())
		k.Spec.Rotation.RequestedAt = at(6)
		Expect(k8s.Update(ctx, k)).To(Succeed())
		k.Spec.Rotation.RequestedAt = at(4)
		expectRefused(k8s.Update(ctx, k), "requestedAt only moves forward")
		k.Spec.Rotation.RequestedAt = nil
		expectRefused(k8s.Update(ctx, k), "requestedAt only moves forward")
	})
})
