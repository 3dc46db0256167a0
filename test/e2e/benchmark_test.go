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
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/api/v1alpha1"
)

// benchmarkedPolicy keeps to limits that a policy in DryRun, which lets every attack through, is far beyond.
const benchmarkedPolicy = `
apiVersion: memorytrust.dev/v1alpha1
kind: MemoryTrustPolicy
metadata:
  name: standard
spec:
  selector: {}
  enforcement: ENFORCEMENT
  benchmark:
    limits:
      attackSuccessPerMille: 400
      falsePositivesPerMille: 100
      pairsPerMille: 0
  store: {type: Ephemeral}
`

// benchmarkManifest runs what the limits are about. The other suites are a matter of the program, and of its own tests.
const benchmarkManifest = `
apiVersion: memorytrust.dev/v1alpha1
kind: MemoryBenchmark
metadata:
  name: nightly
spec:
  policyRef: {name: standard}
  suites: [Texts, Trials, Actions]
  schedule: "30 3 * * 1"
  timeoutSeconds: 300
`

var _ = Describe("A MemoryBenchmark", Ordered, func() {
	var namespace string
	benchmark, policy := &v1alpha1.MemoryBenchmark{}, &v1alpha1.MemoryTrustPolicy{}

	eventually := func(ctx context.Context, conditions func() []metav1.Condition, object client.Object, kind, want string) {
		GinkgoHelper()
		Eventually(ctx, func(g Gomega) {
			g.Expect(k8s.Get(ctx, client.ObjectKeyFromObject(object), object)).To(Succeed())
			g.Expect(conditionOf(conditions(), kind)).To(HavePrefix(want))
		}).WithTimeout(4 * time.Minute).WithPolling(time.Second).Should(Succeed())
	}
	// passed waits for the verdict, in both places, and returns it in words.
	passed := func(ctx context.Context, want string) string {
		GinkgoHelper()
		eventually(ctx, func() []metav1.Condition { return benchmark.Status.Conditions }, benchmark, v1alpha1.ConditionPassed, want)
		eventually(ctx, func() []metav1.Condition { return policy.Status.Conditions }, policy, v1alpha1.ConditionBenchmarkPassed, want)
		return conditionOf(policy.Status.Conditions, v1alpha1.ConditionBenchmarkPassed)
	}
	report := func() {
		last := benchmark.Status.LastRun
		took := last.CompletedAt.Sub(last.StartedAt.Time)
		AddReportEntry("benchmark "+last.JobName, took.String()+": "+conditionOf(benchmark.Status.Conditions, v1alpha1.ConditionPassed),
			ReportEntryVisibilityAlways)
	}

	BeforeAll(func(ctx SpecContext) {
		// The label makes admission look at every pod: those of benchmarks have to be let in.
		namespace = newNamespace(ctx, map[string]string{v1alpha1.LabelRequire: "true"})
		benchmark.Namespace, benchmark.Name, policy.Namespace, policy.Name = namespace, "nightly", namespace, "standard"
	}, NodeTimeout(time.Minute))

	It("says that the policy passed, with the figures", func(ctx SpecContext) {
		apply(ctx, namespace, strings.Replace(benchmarkedPolicy, "ENFORCEMENT", "Enforce", 1))
		apply(ctx, namespace, benchmarkManifest)
		verdict := passed(ctx, "True WithinLimits")
		Expect(verdict).To(And(ContainSubstring("attacks succeeded (with the defense off: "), ContainSubstring("harmless memories were withheld")))
		report()
		figures := benchmark.Status.LastRun.Figures
		Expect(figures.AttackSuccessOffPerMille).To(BeNumerically(">", 900), "without a defense attacks succeed")
		Expect(figures.AttackSuccessOnPerMille).To(BeNumerically("<=", 400))
		Expect(figures.Categories).NotTo(BeEmpty())
		Expect(figures.ActionAttacks).To(HaveField("Count", BeZero()))
		Expect(benchmark.Status.NextScheduledAt).NotTo(BeNil())
	}, SpecTimeout(5*time.Minute))

	It("ran in a pod that holds no key and no token", func(ctx SpecContext) {
		var pods corev1.PodList
		Expect(k8s.List(ctx, &pods, client.InNamespace(namespace), client.MatchingLabels{v1alpha1.LabelBenchmark: "nightly"})).To(Succeed())
		Expect(pods.Items).To(HaveLen(1))
		pod := pods.Items[0]
		Expect(pod.Labels).NotTo(HaveKey(v1alpha1.LabelAgent))
		Expect(pod.Spec.Containers).To(HaveLen(1))
		Expect(pod.Spec.InitContainers).To(BeEmpty())
		for _, v := range pod.Spec.Volumes {
			Expect(v.Secret).To(BeNil())
			Expect(v.Projected).To(BeNil(), "a token")
		}
	}, SpecTimeout(time.Minute))

	It("forgets the result when the policy changes", func(ctx SpecContext) {
		apply(ctx, namespace, strings.Replace(benchmarkedPolicy, "ENFORCEMENT", "DryRun", 1))
		Expect(passed(ctx, "Unknown PolicyChanged")).To(ContainSubstring("The policy changed since the last run"))
		Expect(conditionOf(policy.Status.Conditions, v1alpha1.ConditionReady)).To(HavePrefix("True"), "Ready does not depend on benchmarks")
	}, SpecTimeout(time.Minute))

	It("says on request that the weakened policy does not pass", func(ctx SpecContext) {
		patch := `{"spec":{"requestedAt":"` + time.Now().UTC().Format(time.RFC3339) + `"}}`
		_, err := kubectl(ctx, "", "patch", "mbench", "nightly", "-n", namespace, "--type=merge", "-p", patch)
		Expect(err).NotTo(HaveOccurred())
		Expect(passed(ctx, "False LimitsMissed")).To(ContainSubstring("Limits missed: "))
		report()
		figures := benchmark.Status.LastRun.Figures
		Expect(figures.AttackSuccessOnPerMille).To(Equal(figures.AttackSuccessOffPerMille), "nothing is withheld in DryRun")
		Expect(benchmark.Status.History).To(HaveLen(1))
		Expect(conditionOf(policy.Status.Conditions, v1alpha1.ConditionReady)).To(HavePrefix("True"), "Ready does not depend on benchmarks")
		var jobs batchv1.JobList
		Expect(k8s.List(ctx, &jobs, client.InNamespace(namespace))).To(Succeed())
		Expect(jobs.Items).To(HaveLen(2))
	}, SpecTimeout(5*time.Minute))

	It("goes with its Jobs and its ConfigMap", func(ctx SpecContext) {
		_, err := kubectl(ctx, "", "delete", "mbench", "nightly", "-n", namespace, "--timeout=30s")
		Expect(err).NotTo(HaveOccurred())
		Eventually(ctx, func(g Gomega) {
			var jobs batchv1.JobList
			var configs corev1.ConfigMapList
			mine := client.MatchingLabels{v1alpha1.LabelBenchmark: "nightly"}
			g.Expect(k8s.List(ctx, &jobs, client.InNamespace(namespace), mine)).To(Succeed())
			g.Expect(k8s.List(ctx, &configs, client.InNamespace(namespace), mine)).To(Succeed())
			g.Expect(len(jobs.Items) + len(configs.Items)).To(BeZero())
		}).Should(Succeed())
		eventually(ctx, func() []metav1.Condition { return policy.Status.Conditions }, policy, v1alpha1.ConditionBenchmarkPassed, "Unknown NoBenchmark")
	}, SpecTimeout(2*time.Minute))
})
