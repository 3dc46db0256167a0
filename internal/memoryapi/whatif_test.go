// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryapi

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	api "memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
)

var _ = Describe("What would have been without a memory", Ordered, func() {
	const counter = "counter"
	var page, call string
	rae, vic := func() someone { return as("rae") }, func() someone { return as("vic") }
	BeforeAll(func() {
		Expect(k8s.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: counter}})).To(Succeed())
		bind(counter, "memorytrust-reviewer", userSubject("rae"))
		bind(counter, "memorytrust-viewer", userSubject("vic"))
		teller := startScreener(counter, "teller", "127.44.1.8")
		DeferCleanup(func() {
			meta := metav1.ObjectMeta{Namespace: counter, Name: "teller"}
			Expect(k8s.Delete(ctx, &v1alpha1.AgentMemory{ObjectMeta: meta})).To(Succeed())
			meta.Name = "teller-0"
			Expect(k8s.Delete(ctx, &corev1.Pod{ObjectMeta: meta})).To(Succeed())
		})
		page = teller.write(museum, "web:lyon.example")
		for _, session := range []string{"s-1", "s-2"} {
			_, err := teller.gate.Get(ctx, gate.Caller{}, page, gate.Reading{Session: session})
			Expect(err).NotTo(HaveOccurred())
		}
		call = teller.asks("s-2")
		Eventually(func() int { return rae().get(memoryPath(counter, page, "")).status }).Should(Equal(200))
		Eventually(func() int { return vic().get(memoryPath(counter, page, "")).status }).Should(Equal(200))
	})

	It("goes through the sessions again", func() {
		got := rae().get(memoryPath(counter, page, "whatif"))
		w := into[api.MemoryWhatIf](got)
		Expect(w.Agent).To(Equal("teller"))
		Expect(w.Gone).To(Equal([]api.WhatIfGone{{Name: page}}))
		Expect(w.Sessions).To(HaveLen(2))
		Expect(w.Sessions[0].Session).To(Equal("s-2"))
		Expect(w.Sessions[0].Steps).To(HaveLen(2))
		Expect(w.Sessions[0].Steps[0].Delivered).To(ConsistOf(And(HaveField("Name", page), HaveField("Gone", true))))
		asked := w.Sessions[0].Steps[1]
		Expect(asked.Mark).To(Equal(api.WhatIfMark{Class: "WebContent", Authority: "Inform"}))
		Expect(asked.Without).To(Equal(api.WhatIfMark{Class: "UserInput", Authority: "Inform"}))
		Expect(asked.Call.Approval).To(Equal(call))
		Expect(asked.Call.Arguments).To(ConsistOf(HaveField("Path", "to"), HaveField("Path", "amount")))
		Expect(w.Limits).NotTo(BeEmpty())
		for _, text := range []string{"museum", "DE44", "120"} {
			Expect(strings.ToLower(got.body)).NotTo(ContainSubstring(strings.ToLower(text)))
		}
		one := into[api.MemoryWhatIf](rae().get(memoryPath(counter, page, "whatif") + "?session=s-1"))
		Expect(one.Sessions).To(HaveLen(1))
		Expect(one.Session).To(Equal("s-1"))
		Expect(into[api.MemoryWhatIf](rae().get(memoryPath(counter, page, "whatif") + "?limit=1")).More).To(BeTrue())
	})

	It("is for reviewers, and tells nobody else what there is", func() {
		for _, id := range []string{page, memory.NewID()} {
			Expect(vic().get(memoryPath(counter, id, "whatif")).status).To(Equal(403))
		}
		Expect(rae().get(memoryPath(counter, memory.NewID(), "whatif")).status).To(Equal(404))
		Expect(rae().get(memoryPath(counter, page, "whatif") + "?limit=0").status).To(Equal(400))
		Expect(rae().get(memoryPath(counter, call, "whatif")).status).To(Equal(404))
	})
})
