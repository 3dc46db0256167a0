//go:build e2e

// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"fmt"
	"slices"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/internal/inject"
)

var _ = Describe("Admission", func() {
	It("is measured over 100 pod creations", func(ctx SpecContext) {
		namespace := newNamespace(ctx, nil)
		apply(ctx, namespace, prefixPolicy)
		serviceAccount(ctx, namespace, "concierge")
		Eventually(ctx, func() error {
			return k8s.Create(ctx, unlabelledPod(namespace, "warm-up"), client.DryRunAll)
		}).Should(Succeed())
		Eventually(ctx, func() error {
			return k8s.Create(ctx, agentPod(namespace, "concierge"), client.DryRunAll)
		}).Should(Succeed())

		with := durations(ctx, 100, func(i int) *corev1.Pod {
			pod := agentPod(namespace, "concierge")
			pod.Name = fmt.Sprintf("concierge-%d", i)
			return pod
		}, 1)
		without := durations(ctx, 100, func(i int) *corev1.Pod { return unlabelledPod(namespace, fmt.Sprintf("other-%d", i)) }, 0)
		AddReportEntry("pod creation, as a client sees it", fmt.Sprintf("opted in: %s; not opted in: %s; difference of medians %s",
			summary(with), summary(without), (median(with)-median(without)).Round(10*time.Microsecond)), ReportEntryVisibilityAlways)
	}, SpecTimeout(2*time.Minute))
})

// durations times creations that are admitted and not stored. Each pod comes back with that many screeners.
func durations(ctx context.Context, count int, pod func(int) *corev1.Pod, screeners int) []time.Duration {
	GinkgoHelper()
	taken := make([]time.Duration, count)
	for i := range taken {
		p := pod(i)
		begin := time.Now()
		Expect(k8s.Create(ctx, p, client.DryRunAll)).To(Succeed())
		taken[i] = time.Since(begin)
		Expect(p.Spec.InitContainers).To(HaveLen(screeners))
		for j := range p.Spec.InitContainers {
			Expect(p.Spec.InitContainers[j].Name).To(Equal(inject.ContainerName))
		}
	}
	slices.Sort(taken)
	return taken
}

func median(sorted []time.Duration) time.Duration { return sorted[len(sorted)/2] }

func summary(sorted []time.Duration) string {
	return fmt.Sprintf("median %s, 95th percentile %s, longest %s", median(sorted).Round(10*time.Microsecond),
		sorted[len(sorted)*95/100].Round(10*time.Microsecond), sorted[len(sorted)-1].Round(10*time.Microsecond))
}
