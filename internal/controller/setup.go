// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/time/rate"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/certs"
)

// eventSource is the reporting controller of every event.
const eventSource = "memorytrust.dev/manager"

// workers is how many requests each controller works on at the same time.
const workers = 4

// Options of the control plane.
type Options struct {
	// OperatorNamespace is where the operator and its certificate authority are.
	OperatorNamespace string
	// AgentNamespaces are where the operator may hold Secrets; AllNamespaces stands for the whole cluster.
	AgentNamespaces []string
	// ScreenerImage and ScreenerVersion are what the operator injects now.
	ScreenerImage   string
	ScreenerVersion string
	// Certs sets the lifetimes of agents' certificates.
	Certs certs.Options
	// Source asks screeners for their status.
	Source StatusSource
	Poll   PollOptions
	// CountsInterval is the least time between two writes of a status in which only counts changed.
	CountsInterval time.Duration
	// IsolationInterval is how long what a ServiceAccount may do is remembered.
	IsolationInterval time.Duration
	// IssuerInterval is how often the keys of the cluster's ServiceAccount tokens are read again; 10 minutes when zero.
	IssuerInterval time.Duration
	// NamespaceRetry is how soon a namespace is tried again that the operator could not manage.
	NamespaceRetry time.Duration
	// Provision makes agents' roles in databases.
	Provision Provisioner
	// ProvisionReader makes the roles by which memory-api reads agents' memory in databases, which change nothing there.
	ProvisionReader Provisioner
	Clock           clock.PassiveClock
	// BenchmarkPoll is how often the Job of a benchmark is looked at; 3 seconds when zero.
	BenchmarkPoll time.Duration
}

// SetupWithManager adds the reconcilers, the poller and the agent namespaces to the manager.
func SetupWithManager(mgr ctrl.Manager, o Options) error {
	return setup(mgr, o, metrics.Registry)
}

func setup(mgr ctrl.Manager, o Options, registry prometheus.Registerer) error {
	gauges, err := newScreenerMetrics(registry)
	if err != nil {
		return err
	}
	results, err := newBenchmarkMetrics(registry)
	if err != nil {
		return err
	}
	namespaces := NewNamespaces(mgr.GetConfig(), mgr.GetClient(), o.AgentNamespaces, o.NamespaceRetry)
	poller := newPoller(o.Source, o.Poll, gauges)
	recorder := mgr.GetEventRecorder(eventSource)
	api, err := discovery.NewDiscoveryClientForConfigAndClient(mgr.GetConfig(), mgr.GetHTTPClient())
	if err != nil {
		return fmt.Errorf("making a client for the keys of ServiceAccount tokens: %w", err)
	}
	issuer := &issuerKeys{
		api: api.RESTClient(), interval: cmp.Or(o.IssuerInterval, issuerInterval), retry: issuerRetry, clock: o.Clock,
	}

	agents := &AgentReconciler{
		client: mgr.GetClient(), namespaces: namespaces, poller: poller, issuer: issuer, recorder: recorder, clock: o.Clock,
		isolation:         &isolationChecks{client: mgr.GetClient(), ttl: o.IsolationInterval, clock: o.Clock},
		certs:             o.Certs,
		roles:             &provisioned{make: o.Provision, done: map[types.NamespacedName][sha256.Size]byte{}},
		readers:           &provisioned{make: o.ProvisionReader, suffix: suffixReader, done: map[types.NamespacedName][sha256.Size]byte{}},
		touches:           rate.NewLimiter(touchesPerSecond, touchesPerSecond),
		operatorNamespace: o.OperatorNamespace, image: o.ScreenerImage, version: o.ScreenerVersion,
		counts: newCountsWriter(o.CountsInterval),
	}
	keys := &ProvenanceKeyReconciler{
		client: mgr.GetClient(), live: mgr.GetAPIReader(), namespaces: namespaces, poller: poller,
		recorder: recorder, clock: o.Clock, image: o.ScreenerImage,
		starts: rate.NewLimiter(startsPerSecond, startsPerSecond), counts: newCountsWriter(o.CountsInterval),
	}
	policies := &PolicyReconciler{
		client: mgr.GetClient(), namespaces: namespaces, issuer: issuer, recorder: recorder, clock: o.Clock, image: o.ScreenerImage,
		counts: newCountsWriter(o.CountsInterval),
	}
	benchmarks := &BenchmarkReconciler{
		client: mgr.GetClient(), live: mgr.GetAPIReader(), namespaces: namespaces, recorder: recorder, clock: o.Clock,
		image: o.ScreenerImage, poll: cmp.Or(o.BenchmarkPoll, runPoll), gauges: results,
	}
	for _, add := range []func(ctrl.Manager) error{agents.setup, keys.setup, policies.setup, benchmarks.setup} {
		if err := add(mgr); err != nil {
			return fmt.Errorf("setting up reconcilers: %w", err)
		}
	}
	if err := mgr.Add(namespaces); err != nil {
		return fmt.Errorf("adding agent namespaces: %w", err)
	}
	if err := mgr.Add(poller); err != nil {
		return fmt.Errorf("adding the poller: %w", err)
	}
	return nil
}

func (r *AgentReconciler) setup(mgr ctrl.Manager) error {
	everyAgent := handler.EnqueueRequestsFromMapFunc(func(ctx context.Context, o client.Object) []reconcile.Request {
		return agentsIn(ctx, r.client, o.GetNamespace())
	})
	authority := handler.EnqueueRequestsFromMapFunc(func(ctx context.Context, o client.Object) []reconcile.Request {
		if o.GetNamespace() != r.operatorNamespace || o.GetName() != certs.CASecret {
			return nil
		}
		return agentsIn(ctx, r.client, "")
	})
	all := handler.EnqueueRequestsFromMapFunc(func(ctx context.Context, _ client.Object) []reconcile.Request {
		return agentsIn(ctx, r.client, "")
	})
	built, err := ctrl.NewControllerManagedBy(mgr).
		Named("agent").
		WithOptions(controller.Options{MaxConcurrentReconciles: workers}).
		Watches(&v1alpha1.AgentMemory{}, &handler.EnqueueRequestForObject{}).
		Watches(&corev1.Pod{}, handler.EnqueueRequestsFromMapFunc(requestOfAgent)).
		// Of a policy its spec concerns agents. Its status follows from theirs, and changes whenever one of them does.
		Watches(&v1alpha1.MemoryTrustPolicy{}, everyAgent, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Watches(&v1alpha1.ProvenanceKey{}, handler.EnqueueRequestsFromMapFunc(requestOfKey)).
		Watches(&corev1.Secret{}, authority).
		Watches(&corev1.Secret{}, all, builder.WithPredicates(r.readersCreated())).
		WatchesRawSource(source.Channel(r.poller.subscribe(), &handler.EnqueueRequestForObject{})).
		WatchesRawSource(source.Channel(r.namespaces.subscribe(), everyAgent)).
		Build(r)
	if err != nil {
		return err
	}
	// Objects of one agent carry its label; a channel's Secret and a lexicon may concern every agent of their namespace.
	affected := func(ctx context.Context, o client.Object) []reconcile.Request {
		if o.GetLabels()[v1alpha1.LabelAgent] != "" {
			return requestOfAgent(ctx, o)
		}
		return agentsIn(ctx, r.client, o.GetNamespace())
	}
	r.namespaces.OnOpen(func(c cache.Cache) error { return watchObjects(built, c, affected) })
	return nil
}

func (r *ProvenanceKeyReconciler) setup(mgr ctrl.Manager) error {
	ofAgent := func(ctx context.Context, o client.Object) []reconcile.Request {
		name := o.GetName()
		if label := o.GetLabels()[v1alpha1.LabelAgent]; label != "" {
			name = label
		}
		return keysOf(ctx, r.client, types.NamespacedName{Namespace: o.GetNamespace(), Name: name})
	}
	siblings := func(ctx context.Context, o client.Object) []reconcile.Request {
		key, ok := o.(*v1alpha1.ProvenanceKey)
		if !ok {
			return nil
		}
		return keysOf(ctx, r.client, types.NamespacedName{Namespace: key.Namespace, Name: key.Spec.AgentRef.Name})
	}
	built, err := ctrl.NewControllerManagedBy(mgr).
		Named("provenancekey").
		WithOptions(controller.Options{MaxConcurrentReconciles: workers}).
		For(&v1alpha1.ProvenanceKey{}).
		Watches(&v1alpha1.ProvenanceKey{}, handler.EnqueueRequestsFromMapFunc(siblings)).
		Watches(&v1alpha1.AgentMemory{}, handler.EnqueueRequestsFromMapFunc(ofAgent)).
		Watches(&corev1.Pod{}, handler.EnqueueRequestsFromMapFunc(ofAgent)).
		WatchesRawSource(source.Channel(r.poller.subscribe(), handler.EnqueueRequestsFromMapFunc(ofAgent))).
		WatchesRawSource(source.Channel(r.namespaces.subscribe(), handler.EnqueueRequestsFromMapFunc(
			func(ctx context.Context, o client.Object) []reconcile.Request {
				return keysWhere(ctx, r.client, o.GetNamespace(), func(*v1alpha1.ProvenanceKey) bool { return true })
			}))).
		Build(r)
	if err != nil {
		return err
	}
	ofSecret := func(ctx context.Context, o client.Object) []reconcile.Request {
		return append(ofAgent(ctx, o), keysWhere(ctx, r.client, o.GetNamespace(), func(k *v1alpha1.ProvenanceKey) bool {
			return k.Spec.SecretRef != nil && k.Spec.SecretRef.Name == o.GetName()
		})...)
	}
	r.namespaces.OnOpen(func(c cache.Cache) error {
		return built.Watch(source.Kind[client.Object](c, &corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(ofSecret)))
	})
	return nil
}

func (r *PolicyReconciler) setup(mgr ctrl.Manager) error {
	policies := func(ctx context.Context, o client.Object) []reconcile.Request {
		return r.policiesOf(ctx, o.GetNamespace())
	}
	everyPolicy, gathered := handler.EnqueueRequestsFromMapFunc(policies), gatherRequests(policies)
	built, err := ctrl.NewControllerManagedBy(mgr).
		Named("memorytrustpolicy").
		WithOptions(controller.Options{MaxConcurrentReconciles: workers}).
		Watches(&v1alpha1.MemoryTrustPolicy{}, everyPolicy).
		Watches(&v1alpha1.AgentMemory{}, gathered).
		Watches(&v1alpha1.ProvenanceKey{}, gathered).
		Watches(&corev1.Pod{}, gathered).
		Watches(&v1alpha1.MemoryBenchmark{}, handler.EnqueueRequestsFromMapFunc(policyOfBenchmark)).
		WatchesRawSource(source.Channel(r.namespaces.subscribe(), everyPolicy)).
		Build(r)
	if err != nil {
		return err
	}
	lexicons := predicate.NewPredicateFuncs(func(o client.Object) bool {
		return o.GetLabels()[v1alpha1.LabelPolicySource] == v1alpha1.PolicySourceLexicon
	})
	r.namespaces.OnOpen(func(c cache.Cache) error {
		if err := built.Watch(source.Kind[client.Object](c, &corev1.Secret{}, everyPolicy)); err != nil {
			return err
		}
		return built.Watch(source.Kind[client.Object](c, &corev1.ConfigMap{}, everyPolicy, lexicons))
	})
	return nil
}

// policyOfBenchmark turns a MemoryBenchmark into a request for its policy.
func policyOfBenchmark(_ context.Context, o client.Object) []reconcile.Request {
	b, ok := o.(*v1alpha1.MemoryBenchmark)
	if !ok {
		return nil
	}
	return []reconcile.Request{{NamespacedName: types.NamespacedName{Namespace: b.Namespace, Name: b.Spec.PolicyRef.Name}}}
}

func (r *BenchmarkReconciler) setup(mgr ctrl.Manager) error {
	all := handler.EnqueueRequestsFromMapFunc(func(ctx context.Context, o client.Object) []reconcile.Request {
		return benchmarksOf(ctx, r.client, o.GetNamespace(), "")
	})
	ofPolicy := handler.EnqueueRequestsFromMapFunc(func(ctx context.Context, o client.Object) []reconcile.Request {
		return benchmarksOf(ctx, r.client, o.GetNamespace(), o.GetName())
	})
	built, err := ctrl.NewControllerManagedBy(mgr).
		Named("memorybenchmark").
		WithOptions(controller.Options{MaxConcurrentReconciles: workers}).
		For(&v1alpha1.MemoryBenchmark{}).
		Watches(&v1alpha1.MemoryTrustPolicy{}, ofPolicy, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		WatchesRawSource(source.Channel(r.namespaces.subscribe(), all)).
		Build(r)
	if err != nil {
		return err
	}
	r.namespaces.OnOpen(func(c cache.Cache) error { // lexicons belong to what is measured
		return built.Watch(source.Kind[client.Object](c, &corev1.ConfigMap{}, all))
	})
	return nil
}

// benchmarksOf returns a request for every MemoryBenchmark of a policy, or of all policies when that is empty, in a namespace, or in
// all when that is empty.
func benchmarksOf(ctx context.Context, c client.Reader, namespace, policy string) []reconcile.Request {
	var list v1alpha1.MemoryBenchmarkList
	if err := c.List(ctx, &list, client.InNamespace(namespace)); err != nil {
		return nil
	}
	var requests []reconcile.Request
	for i := range list.Items {
		if policy == "" || list.Items[i].Spec.PolicyRef.Name == policy {
			requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&list.Items[i])})
		}
	}
	return requests
}

// gatherFor is how long a policy waits for more to happen to its agents before it looks at all of them.
const gatherFor = time.Second

// gatherRequests makes requests that wait a little, so that a hundred agents that change at the same time are looked at
// once and not a hundred times.
func gatherRequests(wanted handler.MapFunc) handler.EventHandler {
	type queue = workqueue.TypedRateLimitingInterface[reconcile.Request]
	add := func(ctx context.Context, o client.Object, q queue) {
		for _, request := range wanted(ctx, o) {
			q.AddAfter(request, gatherFor)
		}
	}
	return handler.Funcs{
		CreateFunc:  func(ctx context.Context, e event.CreateEvent, q queue) { add(ctx, e.Object, q) },
		UpdateFunc:  func(ctx context.Context, e event.UpdateEvent, q queue) { add(ctx, e.ObjectNew, q) },
		DeleteFunc:  func(ctx context.Context, e event.DeleteEvent, q queue) { add(ctx, e.Object, q) },
		GenericFunc: func(ctx context.Context, e event.GenericEvent, q queue) { add(ctx, e.Object, q) },
	}
}

func watchObjects(c controller.Controller, opened cache.Cache, affected handler.MapFunc) error {
	for _, obj := range []client.Object{&corev1.Secret{}, &corev1.ConfigMap{}, &corev1.PersistentVolumeClaim{}} {
		if err := c.Watch(source.Kind(opened, obj, handler.EnqueueRequestsFromMapFunc(affected))); err != nil {
			return err
		}
	}
	return nil
}

// requestOfAgent turns an object that carries the agent's label into a request for the agent.
func requestOfAgent(_ context.Context, o client.Object) []reconcile.Request {
	pod := &corev1.Pod{}
	pod.Namespace, pod.Labels = o.GetNamespace(), o.GetLabels()
	agent, ok := agentOf(pod)
	if !ok {
		return nil
	}
	return []reconcile.Request{{NamespacedName: agent}}
}

func requestOfKey(_ context.Context, o client.Object) []reconcile.Request {
	key, ok := o.(*v1alpha1.ProvenanceKey)
	if !ok {
		return nil
	}
	return []reconcile.Request{{NamespacedName: types.NamespacedName{Namespace: key.Namespace, Name: key.Spec.AgentRef.Name}}}
}

// agentsIn returns a request for every agent of a namespace, or of all when namespace is empty.
func agentsIn(ctx context.Context, c client.Reader, namespace string) []reconcile.Request {
	seen := map[types.NamespacedName]bool{}
	var memories v1alpha1.AgentMemoryList
	if err := c.List(ctx, &memories, client.InNamespace(namespace)); err == nil {
		for i := range memories.Items {
			seen[client.ObjectKeyFromObject(&memories.Items[i])] = true
		}
	}
	var pods corev1.PodList
	if err := c.List(ctx, &pods, client.InNamespace(namespace)); err == nil {
		for i := range pods.Items {
			if agent, ok := agentOf(&pods.Items[i]); ok {
				seen[agent] = true
			}
		}
	}
	requests := make([]reconcile.Request, 0, len(seen))
	for agent := range seen {
		requests = append(requests, reconcile.Request{NamespacedName: agent})
	}
	return requests
}

// keysOf returns a request for every ProvenanceKey of an agent.
func keysOf(ctx context.Context, c client.Reader, agent types.NamespacedName) []reconcile.Request {
	return keysWhere(ctx, c, agent.Namespace, func(k *v1alpha1.ProvenanceKey) bool { return k.Spec.AgentRef.Name == agent.Name })
}

// keysWhere returns a request for every such ProvenanceKey of a namespace, or of all when namespace is empty. What wanted
// gets is in the cache, and must not be changed.
func keysWhere(ctx context.Context, c client.Reader, namespace string, wanted func(*v1alpha1.ProvenanceKey) bool) []reconcile.Request {
	var keys v1alpha1.ProvenanceKeyList
	// Read and not kept: copies of all keys at each event would take more time than all the rest.
	if err := c.List(ctx, &keys, client.InNamespace(namespace), client.UnsafeDisableDeepCopy); err != nil {
		return nil
	}
	var requests []reconcile.Request
	for i := range keys.Items {
		if wanted(&keys.Items[i]) {
			requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&keys.Items[i])})
		}
	}
	return requests
}
