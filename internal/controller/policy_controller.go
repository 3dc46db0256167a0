// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/policy"
)

// +kubebuilder:rbac:groups=memorytrust.dev,resources=memorytrustpolicies,verbs=get;list;watch
// +kubebuilder:rbac:groups=memorytrust.dev,resources=memorytrustpolicies/status,verbs=get;patch

// PolicyReconciler writes the status of policies. It makes nothing: a policy owns nothing.
type PolicyReconciler struct {
	client     client.Client
	namespaces *Namespaces
	issuer     *issuerKeys
	recorder   events.EventRecorder
	clock      clock.PassiveClock
	image      string
	counts     *countsWriter
}

// Reconcile observes what one policy does at the moment and writes its status if that changed.
func (r *PolicyReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if !r.namespaces.Known(req.Namespace) {
		return ctrl.Result{RequeueAfter: waitForNamespace}, nil
	}
	var p v1alpha1.MemoryTrustPolicy
	if err := r.client.Get(ctx, req.NamespacedName, &p); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !p.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, nil
	}
	observed, err := r.observe(ctx, &p)
	if err != nil {
		return ctrl.Result{}, err
	}
	result := ctrl.Result{}
	if observed.refused != nil {
		result.RequeueAfter = r.namespaces.retry
	}
	if i := observed.channels.issuer; i != nil && i.problem != "" {
		result.RequeueAfter = max(i.again.Sub(r.clock.Now()), time.Second)
	}
	next := policyStatus(p.Status, observed)
	if equality.Semantic.DeepEqual(p.Status, next) {
		return result, nil
	}
	now := r.clock.Now()
	if wait := r.counts.wait(req.NamespacedName, now); wait > 0 && policyCountsOnly(p.Status, next) {
		return ctrl.Result{RequeueAfter: wait}, nil
	}
	if err := applyStatus(ctx, r.client, &p, "MemoryTrustPolicy", &next); err != nil {
		return ctrl.Result{}, err
	}
	r.counts.written(req.NamespacedName, now)
	recordTransitions(r.recorder, &p, p.Status.Conditions, next.Conditions)
	return result, nil
}

// anyAgent stands for an agent where there is none yet.
const anyAgent = "any"

// observe reads the agents of the policy's namespace and finds those it is in force for.
func (r *PolicyReconciler) observe(ctx context.Context, p *v1alpha1.MemoryTrustPolicy) (policyObserved, error) {
	o := policyObserved{generation: p.Generation, spec: &p.Spec, winners: map[string][]string{}}
	if err := r.readBenchmarks(ctx, p, &o); err != nil {
		return o, err
	}
	if _, err := metav1.LabelSelectorAsSelector(&p.Spec.Selector); err != nil {
		o.selectorProblem = err.Error()
		return o, nil
	}
	reader, refused := r.namespaces.Reader(p.Namespace)
	if reader == nil {
		o.refused = &refused
	} else if err := r.observeSources(ctx, reader, p, &o); err != nil {
		return o, err
	}
	if o.lexiconProblem == "" && reader != nil {
		_, err := policy.CompileWith(p, policy.Agent{Namespace: p.Namespace, Name: anyAgent, ID: anyAgent}, o.lexicons)
		if o.lexiconProblem, _ = policy.LexiconProblem(err); err != nil && o.lexiconProblem == "" {
			o.problem = err.Error()
		}
	}
	n, err := r.readNamespace(ctx, p.Namespace)
	if err != nil {
		return o, err
	}
	losers := map[string]bool{}
	for _, agent := range n.agents() {
		f := lookAt(n.pods[agent], r.image)
		resolved := resolve(n.policies, f.live, n.lastPolicy(agent))
		switch {
		case resolved.policy == nil:
		case resolved.policy.Name == p.Name:
			o.agents = append(o.agents, n.policyAgent(p, agent, f, &o))
			for _, name := range resolved.overlapping {
				losers[name] = true
			}
		case slices.Contains(resolved.overlapping, p.Name):
			o.winners[resolved.policy.Name] = append(o.winners[resolved.policy.Name], agent)
		}
	}
	o.losers = slices.Sorted(maps.Keys(losers))
	return o, nil
}

// observeSources reads what a policy refers to.
func (r *PolicyReconciler) observeSources(ctx context.Context, reader client.Reader, p *v1alpha1.MemoryTrustPolicy, o *policyObserved) (err error) {
	if o.channels, err = readChannels(ctx, reader, r.issuer, p); err != nil {
		return err
	}
	if _, o.judgeProblem, err = readJudgeKey(ctx, reader, p); err != nil {
		return err
	}
	credentials, err := readCredentials(ctx, reader, p)
	if err != nil {
		return err
	}
	o.credentialProblems = credentials.problems
	o.lexicons, o.lexiconProblem, err = readLexicons(ctx, reader, p)
	return err
}

// namespaceView is one namespace as far as policies are concerned.
type namespaceView struct {
	policies []v1alpha1.MemoryTrustPolicy
	pods     map[string][]*corev1.Pod
	memories map[string]*v1alpha1.AgentMemory
	keys     map[string]*v1alpha1.ProvenanceKey
}

func (r *PolicyReconciler) readNamespace(ctx context.Context, namespace string) (namespaceView, error) {
	v := namespaceView{
		pods: map[string][]*corev1.Pod{}, memories: map[string]*v1alpha1.AgentMemory{}, keys: map[string]*v1alpha1.ProvenanceKey{},
	}
	var policies v1alpha1.MemoryTrustPolicyList
	var pods corev1.PodList
	var memories v1alpha1.AgentMemoryList
	var keys v1alpha1.ProvenanceKeyList
	for _, list := range []client.ObjectList{&policies, &pods, &memories, &keys} {
		if err := r.client.List(ctx, list, client.InNamespace(namespace)); err != nil {
			return v, fmt.Errorf("listing %T: %w", list, err)
		}
	}
	v.policies = policies.Items
	for i := range pods.Items {
		if agent, ok := agentOf(&pods.Items[i]); ok {
			v.pods[agent.Name] = append(v.pods[agent.Name], &pods.Items[i])
		}
	}
	for i := range memories.Items {
		v.memories[memories.Items[i].Name] = &memories.Items[i]
	}
	for i := range keys.Items {
		k := &keys.Items[i]
		was := v.keys[k.Spec.AgentRef.Name]
		if was == nil || k.CreationTimestamp.Before(&was.CreationTimestamp) ||
			k.CreationTimestamp.Equal(&was.CreationTimestamp) && k.Name < was.Name {
			v.keys[k.Spec.AgentRef.Name] = k
		}
	}
	return v, nil
}

// agents names all agents with pods or a memory, sorted.
func (v namespaceView) agents() []string {
	all := map[string]bool{}
	for name := range v.pods {
		all[name] = true
	}
	for name := range v.memories {
		all[name] = true
	}
	return slices.Sorted(maps.Keys(all))
}

func (v namespaceView) lastPolicy(agent string) string {
	if m := v.memories[agent]; m != nil {
		return m.Status.PolicyName
	}
	return ""
}

func (v namespaceView) policyAgent(p *v1alpha1.MemoryTrustPolicy, agent string, f fleet, o *policyObserved) policyAgent {
	a := policyAgent{name: agent, missing: len(f.missing) > 0, memory: v.memories[agent], key: v.keys[agent]}
	if a.memory == nil || o.lexiconProblem != "" {
		return a
	}
	compiled, err := compileFor(p, a.memory, o.lexicons)
	if err != nil {
		a.problem = err.Error()
		return a
	}
	a.revision = compiled.Revision
	return a
}

// policiesOf returns a request for every policy of a namespace, or of all when namespace is empty.
func (r *PolicyReconciler) policiesOf(ctx context.Context, namespace string) []ctrl.Request {
	var policies v1alpha1.MemoryTrustPolicyList
	if err := r.client.List(ctx, &policies, client.InNamespace(namespace)); err != nil {
		return nil
	}
	requests := make([]ctrl.Request, len(policies.Items))
	for i := range policies.Items {
		requests[i] = ctrl.Request{NamespacedName: client.ObjectKeyFromObject(&policies.Items[i])}
	}
	return requests
}
