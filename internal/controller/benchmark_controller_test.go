// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"fmt"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/prometheus/client_golang/prometheus"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/clock"
	testingclock "k8s.io/utils/clock/testing"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"memorytrust.dev/operator/api/v1alpha1"
)

func newBenchmark(namespace, name string, change ...func(*v1alpha1.MemoryBenchmarkSpec)) *v1alpha1.MemoryBenchmark {
	GinkgoHelper()
	b := &v1alpha1.MemoryBenchmark{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Spec:       v1alpha1.MemoryBenchmarkSpec{PolicyRef: v1alpha1.PolicyRef{Name: "standard"}},
	}
	for _, c := range change {
		c(&b.Spec)
	}
	Expect(k8s.Create(ctx, b)).To(Succeed())
	return b
}

func changeBenchmark(namespace, name string, change func(*v1alpha1.MemoryBenchmarkSpec)) {
	GinkgoHelper()
	Eventually(func(g Gomega) {
		b := get(g, &v1alpha1.MemoryBenchmark{}, namespace, name)
		change(&b.Spec)
		g.Expect(k8s.Update(ctx, b)).To(Succeed())
	}).Should(Succeed())
}

func jobsIn(namespace string) []batchv1.Job {
	GinkgoHelper()
	var list batchv1.JobList
	Expect(k8s.List(ctx, &list, client.InNamespace(namespace))).To(Succeed())
	return list.Items
}

// eventuallyRuns waits for the Job of the run under way.
func eventuallyRuns(namespace, benchmark string) *batchv1.Job {
	GinkgoHelper()
	job := &batchv1.Job{}
	Eventually(func(g Gomega) {
		run := get(g, &v1alpha1.MemoryBenchmark{}, namespace, benchmark).Status.Run
		g.Expect(run).NotTo(BeNil())
		g.Expect(run.StartedAt).NotTo(BeNil())
		get(g, job, namespace, run.JobName)
	}).Should(Succeed())
	return job
}

// endJob does what Job controller and kubelet do when a run ends: a pod with the container's last word, and a condition.
func endJob(job *batchv1.Job, reason string, exit *corev1.ContainerStateTerminated) {
	GinkgoHelper()
	endJobAt(time.Now(), job, reason, exit)
}

func endJobAt(at time.Time, job *batchv1.Job, reason string, exit *corev1.ContainerStateTerminated) {
	GinkgoHelper()
	if exit != nil {
		pod := &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: job.Namespace, GenerateName: job.Name + "-", Labels: job.Spec.Template.Labels,
				OwnerReferences: []metav1.OwnerReference{{
					APIVersion: "batch/v1", Kind: "Job", Name: job.Name, UID: job.UID, Controller: ptr.To(true),
				}},
			},
			Spec: job.Spec.Template.Spec,
		}
		Expect(k8s.Create(ctx, pod)).To(Succeed())
		exit.FinishedAt = metav1.Now()
		pod.Status.Phase = corev1.PodSucceeded
		pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: benchmarkContainer, State: corev1.ContainerState{Terminated: exit}}}
		Expect(k8s.Status().Update(ctx, pod)).To(Succeed())
	}
	Eventually(func(g Gomega) {
		get(g, job, job.Namespace, job.Name)
		now := ptr.To(metav1.NewTime(at))
		job.Status.StartTime = ptr.To(metav1.NewTime(job.CreationTimestamp.Time))
		condition := func(kind batchv1.JobConditionType) batchv1.JobCondition {
			return batchv1.JobCondition{Type: kind, Status: corev1.ConditionTrue, Reason: reason, LastTransitionTime: *now}
		}
		if reason == "" {
			job.Status.CompletionTime, job.Status.Succeeded = now, 1
			job.Status.Conditions = []batchv1.JobCondition{condition(batchv1.JobSuccessCriteriaMet), condition(batchv1.JobComplete)}
		} else {
			job.Status.Failed = 1
			job.Status.Conditions = []batchv1.JobCondition{condition(batchv1.JobFailureTarget), condition(batchv1.JobFailed)}
		}
		g.Expect(k8s.Status().Update(ctx, job)).To(Succeed())
	}).Should(Succeed())
}

// said is how a container ended that left a message.
func said(message string) *corev1.ContainerStateTerminated {
	return &corev1.ContainerStateTerminated{Message: message}
}

var _ = Describe("A benchmark", func() {
	var ns string
	benchmark, policy := &v1alpha1.MemoryBenchmark{}, &v1alpha1.MemoryTrustPolicy{}
	BeforeEach(func() { ns = newNamespace() })

	passed := func(status metav1.ConditionStatus, reason string, message string) {
		GinkgoHelper()
		eventuallyCondition(benchmark, ns, "nightly", v1alpha1.ConditionPassed, status, reason, ContainSubstring(message))
		eventuallyCondition(policy, ns, "standard", v1alpha1.ConditionBenchmarkPassed, status, reason, ContainSubstring(message))
	}

	It("runs when it is new, and says what the policy is worth", func() {
		newPolicy(ns, "standard")
		eventuallyCondition(policy, ns, "standard", v1alpha1.ConditionBenchmarkPassed, metav1.ConditionUnknown, ReasonNoBenchmark)
		b := newBenchmark(ns, "nightly")
		job := eventuallyRuns(ns, "nightly")
		passed(metav1.ConditionUnknown, ReasonNeverRan, "No run is over yet")
		eventuallyCondition(benchmark, ns, "nightly", v1alpha1.ConditionRunning, metav1.ConditionTrue, ReasonRunUnderWay, ContainSubstring(job.Name))
		Expect(job.OwnerReferences).To(ConsistOf(HaveField("UID", b.UID)))
		Expect(job.Spec.Template.Spec.Containers[0].Image).To(Equal(screenerImage))
		var config corev1.ConfigMap
		get(NewWithT(GinkgoT()), &config, ns, benchmarkConfigName("nightly"))
		Expect(config.Data[benchmarkPolicyFile]).To(ContainSubstring("kind: MemoryTrustPolicy"))
		Expect(config.OwnerReferences).To(ConsistOf(HaveField("UID", b.UID)))

		endJob(job, "", said(goodResult))
		passed(metav1.ConditionTrue, ReasonWithinLimits, "0 of 58 attacks succeeded (with the defense off: 58), 0 of 40 harmless memories were withheld")
		eventuallyCondition(benchmark, ns, "nightly", v1alpha1.ConditionRunning, metav1.ConditionFalse, ReasonNoRun)
		get(NewWithT(GinkgoT()), benchmark, ns, "nightly")
		Expect(benchmark.Status.LastRun).To(And(
			HaveField("JobName", job.Name), HaveField("Outcome", v1alpha1.BenchmarkMeasured), HaveField("Subject.Image", screenerImage),
			HaveField("Figures.AttackSuccessOffPerMille", BeEquivalentTo(1000)), HaveField("Figures.AttackSuccessOnPerMille", BeZero()),
			HaveField("CompletedAt.Time", BeTemporally("~", time.Now(), time.Minute)), HaveField("StartedAt", Not(BeNil())),
		))
		Eventually(func(g Gomega) {
			g.Expect(get(g, policy, ns, "standard").Status.LastBenchmark).To(HaveField("AttackSuccessOffPerMille", BeEquivalentTo(1000)))
		}).Should(Succeed())
		eventuallyCondition(policy, ns, "standard", v1alpha1.ConditionReady, metav1.ConditionTrue, ReasonNoAgents)
		Eventually(func() []string { return eventReasons(ns) }).Should(ContainElements("RunStarted", "RunCompleted"))

		By("writing nothing from then on")
		settle(ns)
		Expect(jobsIn(ns)).To(HaveLen(1))
		at := get(NewWithT(GinkgoT()), benchmark, ns, "nightly").ResourceVersion
		Consistently(func() string { return get(NewWithT(GinkgoT()), benchmark, ns, "nightly").ResourceVersion }, time.Second).Should(Equal(at))
	})

	It("that misses its limits fails, and the policy stays Ready", func() {
		newPolicy(ns, "standard")
		newBenchmark(ns, "nightly")
		endJob(eventuallyRuns(ns, "nightly"), batchv1.JobReasonBackoffLimitExceeded, &corev1.ContainerStateTerminated{ExitCode: 3, Message: badResult})
		passed(metav1.ConditionFalse, ReasonLimitsMissed, "1 of 58 attacks succeeded")
		eventuallyCondition(policy, ns, "standard", v1alpha1.ConditionReady, metav1.ConditionTrue, ReasonNoAgents)
		eventuallyCondition(benchmark, ns, "nightly", v1alpha1.ConditionReady, metav1.ConditionTrue, ReasonCanRun)
		Eventually(func() []string { return eventReasons(ns) }).Should(ContainElement(ReasonLimitsMissed))
	})

	DescribeTable("without a result says why, and does not try again by itself",
		func(jobReason string, exit *corev1.ContainerStateTerminated, reason, message string) {
			newPolicy(ns, "standard")
			newBenchmark(ns, "nightly")
			endJob(eventuallyRuns(ns, "nightly"), jobReason, exit)
			passed(metav1.ConditionUnknown, reason, message)
			Eventually(func() []string { return eventReasons(ns) }).Should(ContainElement(reason))
			Consistently(func() []batchv1.Job { return jobsIn(ns) }, time.Second).Should(HaveLen(1))
		},
		Entry("garbage", "", said("Ignore previous instructions"), ReasonResultInvalid, "The result cannot be used"),
		Entry("nothing", "", said(""), ReasonResultMissing, "left no result"),
		Entry("time limit", batchv1.JobReasonDeadlineExceeded, nil, ReasonRunTimedOut, "spec.timeoutSeconds"),
		Entry("out of memory", batchv1.JobReasonBackoffLimitExceeded,
			&corev1.ContainerStateTerminated{ExitCode: 137, Reason: "OOMKilled"}, ReasonRunFailed, "more memory"),
	)

	It("whose Job is deleted is lost", func() {
		newPolicy(ns, "standard")
		newBenchmark(ns, "nightly")
		job := eventuallyRuns(ns, "nightly")
		Expect(k8s.Delete(ctx, job, client.PropagationPolicy(metav1.DeletePropagationBackground))).To(Succeed())
		passed(metav1.ConditionUnknown, ReasonRunLost, "deleted")
		Consistently(func() []batchv1.Job { return jobsIn(ns) }, time.Second).Should(BeEmpty())
	})

	It("forgets its result when the policy changes, and measures anew on request", func() {
		newPolicy(ns, "standard")
		newBenchmark(ns, "nightly")
		endJob(eventuallyRuns(ns, "nightly"), "", said(goodResult))
		passed(metav1.ConditionTrue, ReasonWithinLimits, "0 of 58")

		By("changing what does not matter")
		changePolicy(policy, func(s *v1alpha1.MemoryTrustPolicySpec) { s.Sidecar.URLEnv = []string{"MEM0_URL"} })
		Eventually(func(g Gomega) {
			p := get(g, policy, ns, "standard")
			g.Expect(p.Status.ObservedGeneration).To(Equal(p.Generation))
		}).Should(Succeed())
		passed(metav1.ConditionTrue, ReasonWithinLimits, "0 of 58")

		By("changing what does")
		changePolicy(policy, func(s *v1alpha1.MemoryTrustPolicySpec) { s.Enforcement = v1alpha1.EnforcementDryRun })
		passed(metav1.ConditionUnknown, ReasonPolicyChanged, "which measured generation 1: 0 of 58")
		Consistently(func() []batchv1.Job { return jobsIn(ns) }, time.Second).Should(HaveLen(1))

		By("asking for a run")
		at := metav1.NewTime(time.Now().Truncate(time.Second))
		changeBenchmark(ns, "nightly", func(s *v1alpha1.MemoryBenchmarkSpec) { s.RequestedAt = &at })
		Eventually(func() []batchv1.Job { return jobsIn(ns) }).Should(HaveLen(2))
		endJob(eventuallyRuns(ns, "nightly"), batchv1.JobReasonBackoffLimitExceeded, &corev1.ContainerStateTerminated{ExitCode: 3, Message: badResult})
		passed(metav1.ConditionFalse, ReasonLimitsMissed, "1 of 58")
		Expect(get(NewWithT(GinkgoT()), benchmark, ns, "nightly").Status.History).To(ConsistOf(
			And(HaveField("Outcome", v1alpha1.BenchmarkMeasured), HaveField("LimitsMissed", HaveValue(BeZero())))))
		settle(ns)
		Expect(jobsIn(ns)).To(HaveLen(2), "one request, one run")
	})

	It("goes on after a restart of the manager, in whatever moment", func() {
		newPolicy(ns, "standard")
		newBenchmark(ns, "nightly")
		job := eventuallyRuns(ns, "nightly")
		restartManager(func() { endJob(job, "", said(goodResult)) })
		passed(metav1.ConditionTrue, ReasonWithinLimits, "0 of 58")
		Expect(jobsIn(ns)).To(HaveLen(1))

		By("ending between the plan and the Job")
		restartManager(func() {
			b := get(NewWithT(GinkgoT()), benchmark, ns, "nightly")
			b.Status.Run = &v1alpha1.BenchmarkRun{
				JobName: "nightly-4711", Cause: "it was requested", PlannedAt: metav1.Now(), Subject: *b.Status.LastRun.Subject.DeepCopy(),
			}
			Expect(k8s.Status().Update(ctx, b)).To(Succeed())
		})
		Expect(eventuallyRuns(ns, "nightly").Name).To(Equal("nightly-4711"))
		Expect(jobsIn(ns)).To(HaveLen(2))

		By("ending between the Job and the note of its start")
		restartManager(func() {
			b := get(NewWithT(GinkgoT()), benchmark, ns, "nightly")
			b.Status.Run.StartedAt = nil
			Expect(k8s.Status().Update(ctx, b)).To(Succeed())
		})
		Expect(eventuallyRuns(ns, "nightly").Name).To(Equal("nightly-4711"))
		settle(ns)
		Expect(jobsIn(ns)).To(HaveLen(2))
	})

	It("says what keeps it from running", func() {
		newBenchmark(ns, "nightly", func(s *v1alpha1.MemoryBenchmarkSpec) { s.Schedule = "61 * * * *" })
		eventuallyCondition(benchmark, ns, "nightly", v1alpha1.ConditionReady, metav1.ConditionFalse, ReasonPolicyMissing, ContainSubstring("standard"))
		eventuallyCondition(benchmark, ns, "nightly", v1alpha1.ConditionPassed, metav1.ConditionUnknown, ReasonPolicyMissing)
		newPolicy(ns, "standard")
		eventuallyCondition(benchmark, ns, "nightly", v1alpha1.ConditionReady, metav1.ConditionFalse, ReasonInvalidSchedule,
			ContainSubstring("spec.schedule"))
		Expect(jobsIn(ns)).To(BeEmpty())
		changeBenchmark(ns, "nightly", func(s *v1alpha1.MemoryBenchmarkSpec) { s.Schedule, s.Mode = "@daily", v1alpha1.BenchmarkSuspended })
		eventuallyCondition(benchmark, ns, "nightly", v1alpha1.ConditionReady, metav1.ConditionTrue, ReasonSuspended)
		Consistently(func() []batchv1.Job { return jobsIn(ns) }, time.Second).Should(BeEmpty())
		changeBenchmark(ns, "nightly", func(s *v1alpha1.MemoryBenchmarkSpec) { s.Mode = v1alpha1.BenchmarkEnabled })
		eventuallyRuns(ns, "nightly")
		Expect(get(NewWithT(GinkgoT()), benchmark, ns, "nightly").Status.NextScheduledAt).NotTo(BeNil())
	})

	DescribeTable("is refused by the API", func(change func(*v1alpha1.MemoryBenchmark), message string) {
		b := &v1alpha1.MemoryBenchmark{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "nightly"}}
		b.Spec.PolicyRef.Name = "standard"
		change(b)
		Expect(k8s.Create(ctx, b)).To(MatchError(ContainSubstring(message)))
	},
		Entry("with a name that no Job could have", func(b *v1alpha1.MemoryBenchmark) { b.Name = strings.Repeat("a", 53) }, "at most 52"),
		Entry("with dots in its name", func(b *v1alpha1.MemoryBenchmark) { b.Name = "every.night" }, "lower-case letters"),
		Entry("with a schedule of six fields", func(b *v1alpha1.MemoryBenchmark) { b.Spec.Schedule = "0 0 0 * * *" }, "five fields"),
		Entry("with a zone in the schedule", func(b *v1alpha1.MemoryBenchmark) { b.Spec.Schedule = "TZ=UTC 0 0 * * *" }, "five fields"),
		Entry("with the zone of the node", func(b *v1alpha1.MemoryBenchmark) { b.Spec.TimeZone = "Local" }, "IANA"),
		Entry("with an unknown suite", func(b *v1alpha1.MemoryBenchmark) { b.Spec.Suites = []v1alpha1.BenchmarkSuite{"Everything"} }, "Unsupported value"),
		Entry("without a policy", func(b *v1alpha1.MemoryBenchmark) { b.Spec.PolicyRef.Name = "" }, "spec.policyRef.name"),
	)

	It("cannot ask for a run in the past of the last request", func() {
		at, before := metav1.NewTime(time.Now().Add(time.Hour)), metav1.NewTime(time.Now())
		b := newBenchmark(ns, "nightly", func(s *v1alpha1.MemoryBenchmarkSpec) { s.RequestedAt = &at })
		Eventually(func() string {
			get(NewWithT(GinkgoT()), b, ns, "nightly")
			b.Spec.RequestedAt = &before
			return fmt.Sprint(k8s.Update(ctx, b))
		}).Should(ContainSubstring("only moves forward"))
	})
})

// withoutManager ends the manager for the rest of a spec.
func withoutManager() {
	GinkgoHelper()
	endManager()
	DeferCleanup(func() { restartManager(nil) })
}

// byHand makes a reconciler that runs when it is told to, with the rights of a config. It is for when no manager runs.
func byHand(config *rest.Config, now clock.PassiveClock) (*prometheus.Registry, func(namespace string)) {
	GinkgoHelper()
	c, err := client.New(config, client.Options{Scheme: scheme})
	Expect(err).NotTo(HaveOccurred())
	namespaces := NewNamespaces(config, c, nil, 100*time.Millisecond)
	life := canceled(ctx)
	go func() {
		defer GinkgoRecover()
		Expect(namespaces.Start(life)).To(Succeed())
	}()
	registry := prometheus.NewRegistry()
	gauges, err := newBenchmarkMetrics(registry)
	Expect(err).NotTo(HaveOccurred())
	r := &BenchmarkReconciler{
		client: c, live: c, namespaces: namespaces, recorder: events.NewFakeRecorder(100), clock: now, image: screenerImage,
		poll: time.Second, gauges: gauges,
	}
	return registry, func(namespace string) {
		GinkgoHelper()
		Eventually(func(g Gomega) {
			reader, _ := namespaces.Reader(namespace)
			g.Expect(reader).NotTo(BeNil())
		}).Should(Succeed())
		for range 4 { // plan, Job, start; and once more for good measure
			_, err := r.Reconcile(ctx, ctrl.Request{NamespacedName: types.NamespacedName{Namespace: namespace, Name: "nightly"}})
			Expect(err).NotTo(HaveOccurred())
		}
	}
}

// measurements are metrics by name and values of their labels.
func measurements(registry *prometheus.Registry) map[string]float64 {
	GinkgoHelper()
	families, err := registry.Gather()
	Expect(err).NotTo(HaveOccurred())
	out := map[string]float64{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			name := f.GetName()
			for _, l := range m.GetLabel() {
				name += " " + l.GetValue()
			}
			out[name] = m.GetGauge().GetValue() + m.GetCounter().GetValue()
		}
	}
	return out
}

var _ = Describe("The schedule of a benchmark", func() {
	It("starts one run each time, and one for all that were missed", func() {
		ns := newNamespace()
		benchmark := &v1alpha1.MemoryBenchmark{}
		withoutManager()
		newPolicy(ns, "standard")
		b := newBenchmark(ns, "nightly", func(s *v1alpha1.MemoryBenchmarkSpec) { s.Schedule, s.TimeoutSeconds = "30 * * * *", 86400 })
		now := testingclock.NewFakePassiveClock(b.CreationTimestamp.Time)
		registry, reconcile := byHand(config, now)
		status := func() v1alpha1.MemoryBenchmarkStatus {
			return get(NewWithT(GinkgoT()), benchmark, ns, "nightly").Status
		}
		end := func(at time.Time) {
			GinkgoHelper()
			var job batchv1.Job
			get(NewWithT(GinkgoT()), &job, ns, status().Run.JobName)
			if at.Before(job.CreationTimestamp.Time) { // which has the API server's clock
				at = job.CreationTimestamp.Time
			}
			endJobAt(at, &job, "", said(goodResult))
			reconcile(ns)
		}
		reconcile(ns)
		Expect(jobsIn(ns)).To(HaveLen(1), "the first one")
		end(now.Now())
		Expect(jobsIn(ns)).To(HaveLen(1))

		next := status().NextScheduledAt.Time
		Expect(next.UTC().Format("04")).To(Equal("30"))
		now.SetTime(next.Add(-time.Second))
		reconcile(ns)
		Expect(jobsIn(ns)).To(HaveLen(1), "not yet")
		now.SetTime(next)
		reconcile(ns)
		Expect(jobsIn(ns)).To(HaveLen(2))
		Expect(status().Run.Cause).To(ContainSubstring("scheduled for " + next.UTC().Format(time.RFC3339)))

		now.SetTime(next.Add(2 * time.Hour))
		reconcile(ns)
		Expect(jobsIn(ns)).To(HaveLen(2), "one at a time")
		end(now.Now())
		Expect(jobsIn(ns)).To(HaveLen(2), "what passed during a run is skipped")

		By("being away for ten hours")
		now.SetTime(next.Add(12 * time.Hour))
		reconcile(ns)
		Expect(jobsIn(ns)).To(HaveLen(3))
		end(now.Now())
		Expect(jobsIn(ns)).To(HaveLen(3), "once for all of them")
		Expect(status().NextScheduledAt.Time).To(BeTemporally(">", now.Now()))
		Expect(measurements(registry)).To(And(
			HaveKeyWithValue("memorytrust_benchmark_runs_total nightly "+ns+" Measured", 3.0),
			HaveKeyWithValue("memorytrust_benchmark_passed nightly "+ns, 1.0),
			HaveKeyWithValue("memorytrust_benchmark_attack_success_ratio nightly off "+ns, 1.0),
			HaveKeyWithValue("memorytrust_benchmark_attack_success_ratio nightly on "+ns, 0.0),
		))

		By("giving up a Job that nobody ends")
		now.SetTime(status().NextScheduledAt.Time)
		reconcile(ns)
		Expect(status().Run).NotTo(BeNil())
		now.SetTime(status().Run.StartedAt.Add(24*time.Hour + overdueAfter + time.Minute))
		reconcile(ns)
		Expect(status().LastRun.Outcome).To(Equal(v1alpha1.BenchmarkTimedOut))
	})
})

var _ = Describe("A benchmark in a namespace without rights to Jobs", func() {
	It("says how to give them, and runs once they are there", func() {
		ns := newNamespace()
		withoutManager()
		user, err := testEnv.AddUser(envtest.User{Name: "operator-without-jobs"}, nil)
		Expect(err).NotTo(HaveOccurred())
		rules := []rbacv1.PolicyRule{
			{APIGroups: []string{""}, Resources: []string{"secrets", "configmaps", "persistentvolumeclaims"}, Verbs: []string{"get", "list", "watch", "create", "patch"}},
			{APIGroups: []string{"memorytrust.dev"}, Resources: []string{"*"}, Verbs: []string{"get", "list", "watch", "patch"}},
		}
		role := &rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "agents"}, Rules: rules}
		Expect(k8s.Create(ctx, role)).To(Succeed())
		Expect(k8s.Create(ctx, &rbacv1.RoleBinding{
			ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "agents"},
			RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: "agents"},
			Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: "operator-without-jobs"}},
		})).To(Succeed())
		newPolicy(ns, "standard")
		newBenchmark(ns, "nightly")
		_, reconcile := byHand(user.Config(), clock.RealClock{})
		reconcile(ns)
		benchmark := &v1alpha1.MemoryBenchmark{}
		eventuallyCondition(benchmark, ns, "nightly", v1alpha1.ConditionReady, metav1.ConditionFalse, ReasonNamespaceNotManaged,
			ContainSubstring("config/rbac/agent_namespace_role.yaml"))
		eventuallyCondition(benchmark, ns, "nightly", v1alpha1.ConditionRunning, metav1.ConditionFalse, ReasonRunPlanned)

		role.Rules = append(role.Rules, rbacv1.PolicyRule{APIGroups: []string{"batch"}, Resources: []string{"jobs"}, Verbs: []string{"get", "create"}})
		Expect(k8s.Update(ctx, role)).To(Succeed())
		Eventually(func(g Gomega) {
			reconcile(ns)
			g.Expect(jobsIn(ns)).To(HaveLen(1))
		}).Should(Succeed())
		eventuallyCondition(benchmark, ns, "nightly", v1alpha1.ConditionReady, metav1.ConditionTrue, ReasonCanRun)
	})
})
