// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	corev1apply "k8s.io/client-go/applyconfigurations/core/v1"
	metav1apply "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/clock"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	logf "sigs.k8s.io/controller-runtime/pkg/log"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/policy"
)

// Rights to Jobs are in config/rbac/agent_namespace_role.yaml, since they are bound per namespace.

// +kubebuilder:rbac:groups=memorytrust.dev,resources=memorybenchmarks,verbs=get;list;watch
// +kubebuilder:rbac:groups=memorytrust.dev,resources=memorybenchmarks/status,verbs=get;patch

const (
	// runPoll is how often the Job of a run is looked at. Jobs are asked for and not watched: a watch would need rights to all Jobs of
	// a namespace before anything else of it could be managed.
	runPoll = 3 * time.Second
	// refusedRetry is how soon a Job is tried again that the API server refused.
	refusedRetry = time.Minute
	// overdueAfter is how long after its time limit a Job is given up that nobody ends, for example one that was suspended.
	overdueAfter = 10 * time.Minute
)

// BenchmarkReconciler runs benchmarks as Jobs, one at a time for each MemoryBenchmark. A run is noted in the status before its Job is
// made, and the name of the Job follows from the note: a manager that ends in between neither forgets it nor starts it twice.
type BenchmarkReconciler struct {
	client     client.Client
	live       client.Reader // uncached
	namespaces *Namespaces
	recorder   events.EventRecorder
	clock      clock.PassiveClock
	image      string
	poll       time.Duration
	gauges     *benchmarkMetrics
}

// benchmarkScope is what one reconcile works on.
type benchmarkScope struct {
	benchmark *v1alpha1.MemoryBenchmark
	now       time.Time
	schedule  *runSchedule
	input     benchmarkInput
	observed  benchmarkObserved
	next      v1alpha1.MemoryBenchmarkStatus
	ended     *runEnd // of the run that ended in this reconcile
	// again is when to look again without an event; zero for never.
	again time.Time
}

// soonest moves the next look to at, if that is earlier.
func (s *benchmarkScope) soonest(at time.Time) {
	if !at.IsZero() && (s.again.IsZero() || at.Before(s.again)) {
		s.again = at
	}
}

func (s *benchmarkScope) obstruct(f finding) { s.observed.obstacle = &f }

// Reconcile follows the run under way, starts one that is due, and writes the status if it changed.
func (r *BenchmarkReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if !r.namespaces.Known(req.Namespace) {
		return ctrl.Result{RequeueAfter: waitForNamespace}, nil
	}
	var b v1alpha1.MemoryBenchmark
	if err := r.client.Get(ctx, req.NamespacedName, &b); err != nil {
		if apierrors.IsNotFound(err) {
			r.gauges.forget(req.NamespacedName)
		}
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !b.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, nil
	}
	s := &benchmarkScope{
		benchmark: &b, now: r.clock.Now().Truncate(time.Second), next: *b.Status.DeepCopy(),
		observed: benchmarkObserved{generation: b.Generation, suspended: b.Spec.Mode == v1alpha1.BenchmarkSuspended},
	}
	err := r.reconcileRun(ctx, s)
	if err == nil {
		err = r.writeStatus(ctx, s)
	}
	if apierrors.IsConflict(err) { // the status changed since it was cached; the event of that is on the way
		return ctrl.Result{RequeueAfter: time.Second}, nil
	}
	if err != nil || s.again.IsZero() {
		return ctrl.Result{}, leaveToDeletion(ctx, err)
	}
	return ctrl.Result{RequeueAfter: max(s.again.Sub(r.clock.Now()), 100*time.Millisecond)}, nil
}

func (r *BenchmarkReconciler) reconcileRun(ctx context.Context, s *benchmarkScope) error {
	if err := r.observe(ctx, s); err != nil {
		return err
	}
	if s.next.Run != nil {
		if err := r.follow(ctx, s); err != nil {
			return err
		}
	}
	choice := chooseRun(&v1alpha1.MemoryBenchmark{ObjectMeta: s.benchmark.ObjectMeta, Spec: s.benchmark.Spec, Status: s.next}, s.schedule, s.now)
	s.observed.next = choice.next
	if s.next.Run == nil {
		s.soonest(choice.again)
		if choice.cause != "" && s.observed.obstacle == nil {
			planRun(&s.next, s.benchmark, choice.cause, s.observed.subject, s.now)
			s.soonest(s.now) // once the plan is written down
		}
	}
	trimHistory(&s.next, ptr.Deref(s.benchmark.Spec.HistoryLimit, defaultBenchmarkHistory))
	setBenchmarkConditions(&s.next, s.observed)
	return nil
}

// observe reads the policy and finds what stands in the way of a run.
func (r *BenchmarkReconciler) observe(ctx context.Context, s *benchmarkScope) error {
	b := s.benchmark
	var err error
	if s.schedule, err = parseSchedule(&b.Spec); err != nil {
		s.obstruct(no(ReasonInvalidSchedule, "%v", err))
	}
	reader, refused := r.namespaces.Reader(b.Namespace)
	if reader == nil {
		s.obstruct(refused)
		s.soonest(s.now.Add(r.namespaces.retry))
	}
	var p v1alpha1.MemoryTrustPolicy
	err = r.client.Get(ctx, types.NamespacedName{Namespace: b.Namespace, Name: b.Spec.PolicyRef.Name}, &p)
	if client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("reading MemoryTrustPolicy %s/%s: %w", b.Namespace, b.Spec.PolicyRef.Name, err)
	}
	if err != nil || !p.DeletionTimestamp.IsZero() {
		s.obstruct(no(ReasonPolicyMissing, "There is no MemoryTrustPolicy %s in namespace %s: make it, or correct spec.policyRef",
			b.Spec.PolicyRef.Name, b.Namespace))
		s.observed.policyGone = ptr.To(unknown(ReasonPolicyMissing, "There is no MemoryTrustPolicy %s", b.Spec.PolicyRef.Name))
		return nil
	}
	var problem string
	if s.input, problem, err = renderPolicy(ctx, reader, &p); err != nil {
		return err
	}
	if problem != "" {
		if reader != nil {
			s.obstruct(no(ReasonPolicyInvalid, "MemoryTrustPolicy %s cannot be measured: %s", p.Name, problem))
		}
		s.observed.policyGone = ptr.To(unknown(ReasonPolicyInvalid, "MemoryTrustPolicy %s cannot be measured: %s", p.Name, problem))
		return nil
	}
	s.observed.subject = benchmarkSubject(b, &p, s.input, r.image)
	return nil
}

// renderPolicy makes the input of a run of a policy, or says why there is none. The reader is nil where the namespace is not managed.
func renderPolicy(ctx context.Context, reader client.Reader, p *v1alpha1.MemoryTrustPolicy) (in benchmarkInput, problem string, err error) {
	var lexicons []policy.Lexicon
	if reader != nil {
		if lexicons, problem, err = readLexicons(ctx, reader, p); err != nil || problem != "" {
			return in, problem, err
		}
	}
	if in, err = renderBenchmark(p, lexicons); err != nil {
		problem = err.Error()
	}
	return in, problem, nil
}

// follow looks after the run under way: it makes its Job, if it has none yet, and notes its end.
func (r *BenchmarkReconciler) follow(ctx context.Context, s *benchmarkScope) error {
	run := s.next.Run
	name := types.NamespacedName{Namespace: s.benchmark.Namespace, Name: run.JobName}
	var job batchv1.Job
	err := r.live.Get(ctx, name, &job)
	switch {
	case apierrors.IsForbidden(err):
		s.obstruct(jobsForbidden(s.benchmark.Namespace))
		s.soonest(s.now.Add(r.namespaces.retry))
		return nil
	case apierrors.IsNotFound(err) && run.StartedAt == nil:
		return r.begin(ctx, s)
	case apierrors.IsNotFound(err):
		s.end(runEnd{at: s.now, outcome: v1alpha1.BenchmarkLost, message: "The Job was deleted before its end was seen"})
		return nil
	case err != nil:
		return fmt.Errorf("reading Job %s: %w", name, err)
	}
	if owner := metav1.GetControllerOf(&job); owner == nil || owner.UID != s.benchmark.UID {
		s.end(runEnd{at: s.now, outcome: v1alpha1.BenchmarkFailed, message: "A Job of that name exists and belongs to somebody else"})
		return nil
	}
	if run.StartedAt == nil {
		run.StartedAt = ptr.To(job.CreationTimestamp)
	}
	if ended := jobEnded(&job); ended != nil {
		end, err := r.endOf(ctx, &job, ended)
		if err != nil {
			return err
		}
		s.end(end)
		return nil
	}
	overdue := job.CreationTimestamp.Add(time.Duration(ptr.Deref(job.Spec.ActiveDeadlineSeconds, 0))*time.Second + overdueAfter)
	if s.now.After(overdue) {
		s.end(runEnd{at: s.now, outcome: v1alpha1.BenchmarkTimedOut, message: "Nobody ended the Job, long after its time limit: was it suspended?"})
		return nil
	}
	s.soonest(s.now.Add(r.poll))
	return nil
}

// end notes the end of the run under way.
func (s *benchmarkScope) end(end runEnd) {
	endRun(&s.next, end, ptr.Deref(s.benchmark.Spec.HistoryLimit, defaultBenchmarkHistory))
	s.ended = &end
}

// endOf finds out how a Job ended. Its pod is not in the cache: it has no label of agents.
func (r *BenchmarkReconciler) endOf(ctx context.Context, job *batchv1.Job, ended *batchv1.JobCondition) (runEnd, error) {
	var pods corev1.PodList
	err := r.live.List(ctx, &pods, client.InNamespace(job.Namespace), client.MatchingLabels{batchv1.JobNameLabel: job.Name})
	if err != nil {
		return runEnd{}, fmt.Errorf("listing pods of Job %s/%s: %w", job.Namespace, job.Name, err)
	}
	return judgeJob(job, ended, pods.Items), nil
}

// begin makes ConfigMap and Job of the planned run. What it measures is what the status says by now: where that is no longer what
// there is, the plan is corrected first.
func (r *BenchmarkReconciler) begin(ctx context.Context, s *benchmarkScope) error {
	run := s.next.Run
	if s.observed.obstacle != nil || s.observed.suspended {
		return nil // it waits
	}
	if !equality.Semantic.DeepEqual(run.Subject, s.observed.subject) {
		run.Subject = s.observed.subject
		s.soonest(s.now)
		return nil
	}
	err := r.applyConfig(ctx, s)
	job := benchmarkJob(s.benchmark, run, s.input)
	if err == nil {
		err = r.client.Create(ctx, job, fieldOwner)
	}
	terminating := apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause)
	switch {
	case err == nil:
		run.StartedAt = ptr.To(job.CreationTimestamp)
		logf.FromContext(ctx).Info("Started a benchmark", "job", job.Name, "cause", run.Cause)
		r.recorder.Eventf(s.benchmark, job, corev1.EventTypeNormal, "RunStarted", "Run", "Job %s was started, because %s", job.Name, run.Cause)
		s.soonest(s.now.Add(r.poll))
		return nil
	case apierrors.IsAlreadyExists(err):
		s.soonest(s.now.Add(time.Second))
		return nil
	case !terminating && (apierrors.IsForbidden(err) || apierrors.IsInvalid(err)):
		s.obstruct(no(ReasonJobRefused, "The Job of a run was refused, and is tried again: %v", err))
		s.soonest(s.now.Add(refusedRetry))
		return nil
	}
	return fmt.Errorf("starting Job %s/%s: %w", job.Namespace, job.Name, err)
}

// applyConfig writes the policy that the run measures. There is one ConfigMap for each benchmark, which changes only between runs.
func (r *BenchmarkReconciler) applyConfig(ctx context.Context, s *benchmarkScope) error {
	b := s.benchmark
	desired := corev1apply.ConfigMap(benchmarkConfigName(b.Name), b.Namespace).
		WithLabels(benchmarkLabels(b)).
		WithOwnerReferences(metav1apply.OwnerReference().
			WithAPIVersion(v1alpha1.GroupVersion.String()).WithKind("MemoryBenchmark").WithName(b.Name).WithUID(b.UID).WithController(true)).
		WithData(s.input.files)
	return r.client.Apply(ctx, desired, fieldOwner, client.ForceOwnership)
}

// jobsForbidden is about a Role that was bound before it had rights to Jobs, or one that somebody made.
func jobsForbidden(namespace string) finding {
	return no(ReasonNamespaceNotManaged,
		"the operator may not make Jobs in namespace %s: apply config/rbac/agent_namespace_role.yaml of this release, and bind the Role with "+
			"kubectl apply -n %s -k config/agent-namespace", namespace, namespace)
}

// writeStatus writes the status if it changed. It remembers which run is under way, so that one computed from an old one is refused
// with a conflict.
func (r *BenchmarkReconciler) writeStatus(ctx context.Context, s *benchmarkScope) error {
	b, prev := s.benchmark, s.benchmark.Status
	name := client.ObjectKeyFromObject(b)
	if !equality.Semantic.DeepEqual(s.next, prev) {
		if err := applyNextStatus(ctx, r.client, b, "MemoryBenchmark", &s.next); err != nil {
			return err
		}
		if s.ended != nil {
			r.gauges.ended(name, s.ended.outcome)
			r.recordEnd(ctx, s)
		}
		recordTransitions(r.recorder, b, prev.Conditions, withoutRunning(s.next.Conditions))
	}
	r.gauges.observe(name, &s.next)
	return nil
}

// recordEnd sends the event of a run that is over.
func (r *BenchmarkReconciler) recordEnd(ctx context.Context, s *benchmarkScope) {
	last, kind, reason, said := s.next.LastRun, corev1.EventTypeNormal, "RunCompleted", ""
	if last.Figures != nil {
		said = figuresInWords(last.Figures)
	} else {
		kind, reason, said = corev1.EventTypeWarning, outcomeReasons[last.Outcome], last.Message
	}
	logf.FromContext(ctx).Info("A benchmark is over", "job", last.JobName, "outcome", last.Outcome)
	r.recorder.Eventf(s.benchmark, nil, kind, reason, "Run", "Job %s is over: %s", last.JobName, said)
}

// withoutRunning leaves out the condition whose transitions have events of their own.
func withoutRunning(conditions []metav1.Condition) []metav1.Condition {
	rest := append([]metav1.Condition(nil), conditions...)
	meta.RemoveStatusCondition(&rest, v1alpha1.ConditionRunning)
	return rest
}

// readBenchmarks finds the benchmarks of a policy, and what a run of each would measure now.
func (r *PolicyReconciler) readBenchmarks(ctx context.Context, p *v1alpha1.MemoryTrustPolicy, o *policyObserved) error {
	var list v1alpha1.MemoryBenchmarkList
	if err := r.client.List(ctx, &list, client.InNamespace(p.Namespace)); err != nil {
		return fmt.Errorf("listing MemoryBenchmarks: %w", err)
	}
	var own []*v1alpha1.MemoryBenchmark
	for i := range list.Items {
		if b := &list.Items[i]; b.Spec.PolicyRef.Name == p.Name && b.DeletionTimestamp.IsZero() {
			own = append(own, b)
		}
	}
	if len(own) == 0 {
		return nil // rendering compiles the policy
	}
	slices.SortFunc(own, func(a, b *v1alpha1.MemoryBenchmark) int { return cmp.Compare(a.Name, b.Name) })
	reader, _ := r.namespaces.Reader(p.Namespace)
	input, problem, err := renderPolicy(ctx, reader, p)
	if err != nil {
		return err
	}
	o.benchmarkProblem = problem
	for _, b := range own {
		o.benchmarks = append(o.benchmarks, policyBenchmark{
			name: b.Name, last: b.Status.LastRun, subject: benchmarkSubject(b, p, input, r.image),
		})
	}
	return nil
}
