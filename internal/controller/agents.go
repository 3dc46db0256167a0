// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/inject"
	"memorytrust.dev/operator/internal/policy"
)

// agentOf names the agent a pod belongs to; false when the pod did not opt in or its label is no agent name, which
// admission refuses.
func agentOf(pod *corev1.Pod) (types.NamespacedName, bool) {
	name := pod.Labels[v1alpha1.LabelAgent]
	if name == "" || inject.CheckAgentName(name) != nil {
		return types.NamespacedName{}, false
	}
	return types.NamespacedName{Namespace: pod.Namespace, Name: name}, true
}

// fleet is what a look at one agent's pods tells. Pods that ended or are on their way out do not count.
type fleet struct {
	live     []*corev1.Pod // oldest first
	injected []*corev1.Pod // live, with a screener
	running  []*corev1.Pod // injected, the screener's container runs and can be asked
	missing  []string      // live without a screener
	skewed   []string      // injected with another image than the operator injects now
}

// lookAt sorts out the pods of one agent. image is the screener image that the operator injects now.
func lookAt(pods []*corev1.Pod, image string) fleet {
	var f fleet
	for _, pod := range pods {
		if !pod.DeletionTimestamp.IsZero() || pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed {
			continue
		}
		f.live = append(f.live, pod)
		i := slices.IndexFunc(pod.Spec.InitContainers, func(c corev1.Container) bool { return c.Name == inject.ContainerName })
		if i < 0 {
			f.missing = append(f.missing, pod.Name)
			continue
		}
		f.injected = append(f.injected, pod)
		if pod.Spec.InitContainers[i].Image != image {
			f.skewed = append(f.skewed, pod.Name)
		}
		if screenerRuns(pod) {
			f.running = append(f.running, pod)
		}
	}
	byAge := func(a, b *corev1.Pod) int {
		return cmp.Or(a.CreationTimestamp.Compare(b.CreationTimestamp.Time), cmp.Compare(a.Name, b.Name))
	}
	slices.SortFunc(f.live, byAge)
	slices.SortFunc(f.injected, byAge)
	slices.SortFunc(f.running, byAge)
	slices.Sort(f.missing)
	slices.Sort(f.skewed)
	return f
}

func screenerRuns(pod *corev1.Pod) bool {
	return pod.Status.PodIP != "" && slices.ContainsFunc(pod.Status.InitContainerStatuses, func(s corev1.ContainerStatus) bool {
		return s.Name == inject.ContainerName && s.State.Running != nil
	})
}

// serviceAccountOf returns the ServiceAccount a pod runs as.
func serviceAccountOf(pod *corev1.Pod) string { return cmp.Or(pod.Spec.ServiceAccountName, "default") }

// compileFor compiles a policy, with its lexicons, for the agent of an AgentMemory.
func compileFor(p *v1alpha1.MemoryTrustPolicy, m *v1alpha1.AgentMemory, lexicons []policy.Lexicon) (*policy.Runtime, error) {
	return policy.CompileWith(p, policy.Agent{
		Namespace: m.Namespace, Name: m.Name, ID: m.Spec.AgentID, ServiceAccount: m.Spec.ServiceAccountName,
	}, lexicons)
}

// resolution is which policy applies to an agent.
type resolution struct {
	// policy in force; nil when none selects the agent.
	policy *v1alpha1.MemoryTrustPolicy
	// overlapping names further policies that select one of the agent's pods, sorted.
	overlapping []string
}

// resolve finds the policy of an agent. Pods of one agent may carry different labels; they share one memory and so one
// policy, the first in precedence that is in force for any of them. An agent without pods keeps its last policy, as
// long as that exists: nothing says that its next pods will be selected by another.
func resolve(policies []v1alpha1.MemoryTrustPolicy, live []*corev1.Pod, last string) resolution {
	selecting := map[string]bool{}
	for _, pod := range live {
		inForce, overlapping, _ := policy.Select(policies, pod.Labels) // bad selectors show in the policy's own status
		if inForce != nil {
			selecting[inForce.Name] = true
		}
		for _, name := range overlapping {
			selecting[name] = true
		}
	}
	if len(live) == 0 && last != "" {
		selecting[last] = true
	}
	var candidates []*v1alpha1.MemoryTrustPolicy
	for i := range policies {
		if selecting[policies[i].Name] && policies[i].DeletionTimestamp.IsZero() {
			candidates = append(candidates, &policies[i])
		}
	}
	if len(candidates) == 0 {
		return resolution{}
	}
	slices.SortFunc(candidates, func(a, b *v1alpha1.MemoryTrustPolicy) int {
		return cmp.Or(a.CreationTimestamp.Compare(b.CreationTimestamp.Time), cmp.Compare(a.Name, b.Name))
	})
	r := resolution{policy: candidates[0]}
	for _, c := range candidates[1:] {
		r.overlapping = append(r.overlapping, c.Name)
	}
	slices.Sort(r.overlapping)
	return r
}
