// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryapi

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/inject"
)

// Agent is one agent whose memory can be asked about.
type Agent struct {
	types.NamespacedName
	// ID is the identity of the agent, which outlives no deletion of it.
	ID string
	// ServiceAccount its pods run as, in its namespace.
	ServiceAccount string
	// Addresses of its running screeners, ready ones first, oldest first among equals, and Pods they are in, in the same order.
	Addresses, Pods []string
	// Store is the type of the store its memory is in, and EmbeddedPods are those that keep memories of their own, as the operator knows.
	Store        string
	EmbeddedPods []string
	// Memories and Commits are counts as the operator last learned them.
	Memories, Commits int64
}

// Agents lists the agents there are.
type Agents interface {
	// List returns the agents of a namespace, or of all for "", in order of namespace and name.
	List(ctx context.Context, namespace string) ([]Agent, error)
}

// CacheOptions returns what a Directory needs a cache for: agents, and pods of agents reduced to where their screeners are.
func CacheOptions() cache.Options {
	optedIn, err := labels.NewRequirement(v1alpha1.LabelAgent, selection.Exists, nil)
	if err != nil {
		panic("label " + v1alpha1.LabelAgent + ": " + err.Error())
	}
	return cache.Options{
		ReaderFailOnMissingInformer: true,
		DefaultTransform:            cache.TransformStripManagedFields(),
		ByObject: map[client.Object]cache.ByObject{
			&corev1.Pod{}:           {Label: labels.NewSelector().Add(*optedIn), Transform: stripPod},
			&v1alpha1.AgentMemory{}: {Transform: stripAgent},
		},
	}
}

// stripPod keeps of a pod whose it is and where its screener answers.
func stripPod(obj any) (any, error) {
	pod, ok := obj.(*corev1.Pod)
	if !ok {
		return obj, nil // a tombstone
	}
	slim := &corev1.Pod{
		TypeMeta: pod.TypeMeta,
		ObjectMeta: metav1.ObjectMeta{
			Name: pod.Name, Namespace: pod.Namespace, UID: pod.UID, ResourceVersion: pod.ResourceVersion,
			CreationTimestamp: pod.CreationTimestamp, DeletionTimestamp: pod.DeletionTimestamp,
			Labels: map[string]string{v1alpha1.LabelAgent: pod.Labels[v1alpha1.LabelAgent]},
		},
		Status: corev1.PodStatus{Phase: pod.Status.Phase, PodIP: pod.Status.PodIP},
	}
	for _, s := range pod.Status.InitContainerStatuses {
		if s.Name == inject.ContainerName {
			slim.Status.InitContainerStatuses = []corev1.ContainerStatus{{Name: s.Name, State: s.State, Ready: s.Ready}}
		}
	}
	return slim, nil
}

// stripAgent keeps of an agent its name, identity and ServiceAccount, and what is known of its store.
func stripAgent(obj any) (any, error) {
	m, ok := obj.(*v1alpha1.AgentMemory)
	if !ok {
		return obj, nil
	}
	return &v1alpha1.AgentMemory{
		TypeMeta:   m.TypeMeta,
		ObjectMeta: metav1.ObjectMeta{Name: m.Name, Namespace: m.Namespace, UID: m.UID, ResourceVersion: m.ResourceVersion},
		Spec:       v1alpha1.AgentMemorySpec{AgentID: m.Spec.AgentID, ServiceAccountName: m.Spec.ServiceAccountName},
		Status:     v1alpha1.AgentMemoryStatus{Store: m.Status.Store, Memories: m.Status.Memories, AuditCheckpoint: m.Status.AuditCheckpoint},
	}, nil
}

// Directory knows agents and their screeners from a cache with CacheOptions.
type Directory struct{ Client client.Reader }

// List implements Agents.
func (d Directory) List(ctx context.Context, namespace string) ([]Agent, error) {
	var memories v1alpha1.AgentMemoryList
	if err := d.Client.List(ctx, &memories, client.InNamespace(namespace)); err != nil {
		return nil, fmt.Errorf("listing agents: %w", err)
	}
	var pods corev1.PodList
	if err := d.Client.List(ctx, &pods, client.InNamespace(namespace)); err != nil {
		return nil, fmt.Errorf("listing pods of agents: %w", err)
	}
	byAgent := map[types.NamespacedName][]*corev1.Pod{}
	for i := range pods.Items {
		pod := &pods.Items[i]
		agent := types.NamespacedName{Namespace: pod.Namespace, Name: pod.Labels[v1alpha1.LabelAgent]}
		if screenerRuns(pod) {
			byAgent[agent] = append(byAgent[agent], pod)
		}
	}
	agents := make([]Agent, 0, len(memories.Items))
	for _, m := range memories.Items {
		agent := Agent{
			NamespacedName: types.NamespacedName{Namespace: m.Namespace, Name: m.Name}, ID: m.Spec.AgentID, ServiceAccount: m.Spec.ServiceAccountName,
		}
		running := byAgent[agent.NamespacedName]
		slices.SortFunc(running, preferred)
		for _, pod := range running {
			agent.Addresses, agent.Pods = append(agent.Addresses, pod.Status.PodIP), append(agent.Pods, pod.Name)
		}
		agent.setStore(m.Status)
		agents = append(agents, agent)
	}
	slices.SortFunc(agents, func(a, b Agent) int { return compare(a.NamespacedName, b.NamespacedName) })
	return agents, nil
}

func (a *Agent) setStore(s v1alpha1.AgentMemoryStatus) {
	a.Memories = s.Memories.Quarantine + s.Memories.Working + s.Memories.Trusted
	if s.AuditCheckpoint != nil {
		a.Commits = s.AuditCheckpoint.Size
	}
	if s.Store != nil {
		a.Store, a.EmbeddedPods = string(s.Store.Type), s.Store.EmbeddedPods
	}
}

// compare orders agents by namespace and name.
func compare(a, b types.NamespacedName) int {
	return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
}

// screener returns the state of a pod's screener; a zero one if it has none.
func screener(pod *corev1.Pod) corev1.ContainerStatus {
	for _, s := range pod.Status.InitContainerStatuses {
		if s.Name == inject.ContainerName {
			return s
		}
	}
	return corev1.ContainerStatus{}
}

func screenerRuns(pod *corev1.Pod) bool {
	return pod.Status.PodIP != "" && pod.DeletionTimestamp.IsZero() && screener(pod).State.Running != nil
}

// preferred puts pods whose screener is ready before others, and old ones before new ones.
func preferred(a, b *corev1.Pod) int {
	rank := func(p *corev1.Pod) int {
		if screener(p).Ready {
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), a.CreationTimestamp.Compare(b.CreationTimestamp.Time), cmp.Compare(a.Name, b.Name))
}
