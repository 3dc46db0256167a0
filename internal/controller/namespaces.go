// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	logf "sigs.k8s.io/controller-runtime/pkg/log"

	"memorytrust.dev/operator/api/v1alpha1"
)

// AllNamespaces in the list of agent namespaces stands for the whole cluster.
const AllNamespaces = "*"

// openTimeout is how long the first listing of a namespace may take.
const openTimeout = 30 * time.Second

// waitForNamespace is how soon to look again while it is not known whether a namespace is managed. One that is opened tells
// everybody at once.
const waitForNamespace = time.Second

// Namespaces are where the operator may hold Secrets: those listed, or, without a list, every namespace with agents in
// which its Role is bound. Each has a cache of its own, opened once the operator has the rights there, so that a
// RoleBinding that is missing in one namespace concerns nobody else, and is picked up without a restart when it
// appears.
type Namespaces struct {
	config  *rest.Config
	options cache.Options
	client  client.Client
	listed  []string
	retry   time.Duration
	wake    chan struct{}
	onOpen  []func(cache.Cache) error
	events  []chan event.GenericEvent

	mu     sync.Mutex
	open   map[string]openNamespace
	wanted map[string]bool // asked for and not open; filled without a list only
	tried  map[string]bool // opened, or refused
}

// openNamespace is the cache of a namespace and what ends it.
type openNamespace struct {
	cache.Cache
	end context.CancelFunc
}

// NewNamespaces returns the agent namespaces of that list; empty means wherever the Role is bound. The caches hold only labeled Secrets and
// ConfigMaps and what the operator made itself. Closed namespaces are tried again after each retry period.
func NewNamespaces(config *rest.Config, c client.Client, listed []string, retry time.Duration) *Namespaces {
	return &Namespaces{
		config: config,
		client: c,
		listed: listed,
		retry:  retry,
		wake:   make(chan struct{}, 1),
		open:   map[string]openNamespace{},
		wanted: map[string]bool{},
		tried:  map[string]bool{},
		options: cache.Options{
			Scheme:                      c.Scheme(),
			Mapper:                      c.RESTMapper(),
			ReaderFailOnMissingInformer: true,
			DefaultTransform:            cache.TransformStripManagedFields(),
			ByObject: map[client.Object]cache.ByObject{
				&corev1.Secret{}:                {Label: KeySourceSelector()},
				&corev1.ConfigMap{}:             {Label: policySourceSelector()},
				&corev1.PersistentVolumeClaim{}: {Label: labels.SelectorFromSet(labels.Set{labelManagedBy: managedBy})},
			},
		},
	}
}

// KeySourceSelector selects the only Secrets the operator ever reads.
func KeySourceSelector() labels.Selector {
	exists, err := labels.NewRequirement(v1alpha1.LabelKeySource, selection.Exists, nil)
	if err != nil {
		panic(fmt.Sprintf("label %s: %v", v1alpha1.LabelKeySource, err))
	}
	return labels.NewSelector().Add(*exists)
}

// policySourceSelector selects the only ConfigMaps the operator ever reads: its own, and the lexicons of users.
func policySourceSelector() labels.Selector {
	exists, err := labels.NewRequirement(v1alpha1.LabelPolicySource, selection.Exists, nil)
	if err != nil {
		panic(fmt.Sprintf("label %s: %v", v1alpha1.LabelPolicySource, err))
	}
	return labels.NewSelector().Add(*exists)
}

// OnOpen registers a function that gets the cache of every namespace when it is opened, to add watches. It must be
// called before Start.
func (n *Namespaces) OnOpen(f func(cache.Cache) error) { n.onOpen = append(n.onOpen, f) }

// subscribe returns a channel with one event per namespace that was opened; the object of the event is in it. It must
// be called before Start.
func (n *Namespaces) subscribe() <-chan event.GenericEvent {
	c := make(chan event.GenericEvent, 16)
	n.events = append(n.events, c)
	return c
}

// Reader reads the operator's and labeled objects of a namespace. It is nil when the operator does not manage
// the namespace; why, and what to do about it, is then in the finding.
func (n *Namespaces) Reader(namespace string) (client.Reader, finding) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, name := range []string{AllNamespaces, namespace} {
		if c, ok := n.open[name]; ok {
			return c.Cache, finding{}
		}
	}
	n.want(namespace)
	if len(n.listed) > 0 && !slices.Contains(n.listed, namespace) && !slices.Contains(n.listed, AllNamespaces) {
		return nil, no(ReasonNamespaceNotManaged,
			"namespace %s is not among the operator's --agent-namespaces: add it there and bind the Role with kubectl apply -n %s -k config/agent-namespace",
			namespace, namespace)
	}
	return nil, no(ReasonNamespaceNotManaged,
		"the operator may not hold Secrets in namespace %s: bind its Role there with kubectl apply -n %s -k config/agent-namespace",
		namespace, namespace)
}

// Known reports whether it was found out already whether the operator manages the namespace. Right after a start it was
// not, and whoever writes a status then would say of every agent that it is not managed.
func (n *Namespaces) Known(namespace string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.want(namespace)
	if len(n.listed) > 0 && !slices.Contains(n.listed, namespace) && !slices.Contains(n.listed, AllNamespaces) {
		return true
	}
	return n.tried[namespace] || n.tried[AllNamespaces]
}

// want makes sure that a namespace is tried, where no list says which are. The caller holds the lock.
func (n *Namespaces) want(namespace string) {
	if _, isOpen := n.open[namespace]; isOpen || len(n.listed) > 0 || n.wanted[namespace] {
		return
	}
	n.wanted[namespace] = true
	select {
	case n.wake <- struct{}{}:
	default:
	}
}

// NeedLeaderElection implements manager.LeaderElectionRunnable: only the leader holds Secrets of agents.
func (n *Namespaces) NeedLeaderElection() bool { return true }

// Start opens the namespaces, goes on trying with those that cannot be opened, and closes those where the rights went,
// for example with the namespace itself.
func (n *Namespaces) Start(ctx context.Context) error {
	log := logf.FromContext(ctx).WithName("namespaces")
	refused := map[string]bool{}
	for {
		for _, namespace := range n.closed() {
			err := n.tryOpen(ctx, namespace)
			n.mu.Lock()
			n.tried[namespace] = true
			n.mu.Unlock()
			if err != nil && !refused[namespace] {
				log.Error(err, "Namespace cannot be managed, trying again later", "namespace", namespace)
			}
			if err == nil {
				log.Info("Managing agents of namespace", "namespace", namespace)
				n.tell(ctx, namespace)
			}
			refused[namespace] = err != nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-n.wake:
		case <-time.After(n.retry):
			n.closeRefused(ctx)
		}
	}
}

// closeRefused ends the caches of namespaces where the operator has lost its rights. An informer without rights would
// fail and complain for ever, and what it holds would grow stale unseen.
func (n *Namespaces) closeRefused(ctx context.Context) {
	n.mu.Lock()
	names := slices.Collect(maps.Keys(n.open))
	n.mu.Unlock()
	for _, namespace := range names {
		allowed, err := n.allowed(ctx, namespace)
		if err != nil || allowed {
			continue
		}
		logf.FromContext(ctx).Info("Not managing agents of namespace any more, the rights are gone", "namespace", namespace)
		n.mu.Lock()
		n.open[namespace].end()
		delete(n.open, namespace)
		n.mu.Unlock()
		n.tell(ctx, namespace)
	}
}

// closed names the namespaces to try.
func (n *Namespaces) closed() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	candidates := n.listed
	if len(candidates) == 0 {
		candidates = slices.Sorted(maps.Keys(n.wanted))
	}
	return slices.DeleteFunc(slices.Clone(candidates), func(name string) bool {
		_, isOpen := n.open[name]
		return isOpen
	})
}

// tell sends the event of an opened namespace.
func (n *Namespaces) tell(ctx context.Context, namespace string) {
	if namespace == AllNamespaces {
		namespace = ""
	}
	obj := &v1alpha1.AgentMemory{ObjectMeta: metav1.ObjectMeta{Namespace: namespace}}
	for _, c := range n.events {
		select {
		case c <- event.GenericEvent{Object: obj}:
		case <-ctx.Done():
			return
		}
	}
}

// allowed reports whether the operator may watch the Secrets of a namespace.
func (n *Namespaces) allowed(ctx context.Context, namespace string) (bool, error) {
	if namespace == AllNamespaces {
		namespace = ""
	}
	review := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
		ResourceAttributes: &authorizationv1.ResourceAttributes{Namespace: namespace, Verb: "watch", Resource: "secrets"},
	}}
	if err := n.client.Create(ctx, review); err != nil {
		return false, fmt.Errorf("asking for the operator's own rights: %w", err)
	}
	return review.Status.Allowed, nil
}

// tryOpen asks for the rights before it starts an informer: one without rights would never sync.
func (n *Namespaces) tryOpen(ctx context.Context, namespace string) error {
	allowed, err := n.allowed(ctx, namespace)
	if err != nil {
		return err
	}
	if !allowed {
		return fmt.Errorf("no right to watch Secrets in namespace %q", namespace)
	}
	options := n.options
	if namespace != AllNamespaces {
		options.DefaultNamespaces = map[string]cache.Config{namespace: {}}
	}
	opened, err := cache.New(n.config, options)
	if err != nil {
		return fmt.Errorf("making a cache: %w", err)
	}
	return n.start(ctx, namespace, opened)
}

func (n *Namespaces) start(ctx context.Context, namespace string, opened cache.Cache) error {
	life, end := context.WithCancel(ctx)
	go func() {
		if err := opened.Start(life); err != nil {
			logf.FromContext(ctx).Error(err, "Cache of a namespace ended", "namespace", namespace)
		}
	}()
	if err := n.syncAndWatch(ctx, opened); err != nil {
		end()
		return err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.open[namespace] = openNamespace{Cache: opened, end: end}
	delete(n.wanted, namespace)
	return nil
}

func (n *Namespaces) syncAndWatch(ctx context.Context, opened cache.Cache) error {
	limited, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	for _, obj := range []client.Object{&corev1.Secret{}, &corev1.ConfigMap{}, &corev1.PersistentVolumeClaim{}} {
		if _, err := opened.GetInformer(limited, obj); err != nil {
			return fmt.Errorf("watching %T: %w", obj, err)
		}
	}
	if !opened.WaitForCacheSync(limited) {
		return fmt.Errorf("listing took longer than %s", openTimeout)
	}
	for _, f := range n.onOpen {
		if err := f(opened); err != nil {
			return fmt.Errorf("adding a watch: %w", err)
		}
	}
	return nil
}
