// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package webhook

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/inject"
	"memorytrust.dev/operator/internal/policy"
)

// Reasons beside those of injection itself.
const (
	// ReasonNoPolicy surfaces when no policy of the namespace selects the pod.
	ReasonNoPolicy inject.Reason = "NoPolicy"
	// ReasonBadSelector surfaces when no policy selects the pod and the selector of one cannot be read.
	ReasonBadSelector inject.Reason = "BadSelector"
	// ReasonServiceAccountMismatch surfaces when the agent's memory belongs to another ServiceAccount.
	ReasonServiceAccountMismatch inject.Reason = "ServiceAccountMismatch"
)

// decider finds out what is asked for a pod.
type decider struct {
	// cached is asked first, live before anything is refused or taken as absent: policy, agent and pod may be
	// applied together, faster than a watch delivers.
	cached, live client.Reader
	opts         Options
}

// request returns what the policy in force asks for the pod, and warnings for the person who made the pod. Its error is
// an *inject.Refusal if the pod is at fault.
func (d *decider) request(ctx context.Context, namespace string, pod *corev1.Pod) (inject.Request, []string, error) {
	agent := pod.Labels[v1alpha1.LabelAgent]
	if refusal := inject.CheckAgentName(agent); refusal != nil {
		return inject.Request{}, nil, refusal
	}
	inForce, warnings, err := d.policyFor(ctx, namespace, pod.Labels)
	if err != nil {
		return inject.Request{}, nil, err
	}
	if err := d.checkServiceAccount(ctx, namespace, agent, pod); err != nil {
		return inject.Request{}, nil, err
	}
	store := d.storeOf(ctx, namespace, agent, inForce.Spec.Store)
	warnings = append(warnings, d.sharingWarnings(ctx, namespace, agent, store.Type)...)
	return inject.Request{
		Agent:      agent,
		Namespace:  namespace,
		PolicyName: inForce.Name,
		Image:      d.opts.Image,
		Version:    d.opts.Version,
		Store:      store,
		Sidecar:    inForce.Spec.Sidecar,
		Upstreams:  inForce.Spec.Upstreams,
	}, warnings, nil
}

// storeOf is the store that a pod of an agent gets: the one that the agent's memory is in, where that is another than the policy's. A
// memory on a claim stays mounted until it was moved, and one that was moved needs no volume.
func (d *decider) storeOf(ctx context.Context, namespace, agent string, store v1alpha1.StoreSpec) v1alpha1.StoreSpec {
	var memory v1alpha1.AgentMemory
	if err := d.cached.Get(ctx, client.ObjectKey{Namespace: namespace, Name: agent}, &memory); err != nil || memory.Status.Store == nil {
		return store // a new agent
	}
	switch kind := memory.Status.Store.Type; {
	case kind == v1alpha1.StoreTypePostgres, kind == v1alpha1.StoreTypePersistent && store.Type == v1alpha1.StoreTypePostgres:
		store.Type = kind
	}
	return store
}

// sharingWarnings say what becomes of a further pod of an agent whose store holds one pod's memory. No pod is refused because
// the others cannot be counted.
func (d *decider) sharingWarnings(ctx context.Context, namespace, agent string, store v1alpha1.StoreType) []string {
	if store == v1alpha1.StoreTypePostgres {
		return nil
	}
	var pods corev1.PodList
	if err := d.cached.List(ctx, &pods, client.InNamespace(namespace), client.MatchingLabels{v1alpha1.LabelAgent: agent}); err != nil {
		return nil
	}
	at := slices.IndexFunc(pods.Items, func(p corev1.Pod) bool {
		return p.DeletionTimestamp.IsZero() && p.Status.Phase != corev1.PodSucceeded && p.Status.Phase != corev1.PodFailed
	})
	switch {
	case at < 0:
		return nil
	case store == v1alpha1.StoreTypePersistent:
		return []string{fmt.Sprintf("agent %s has a pod already, %s, and with spec.store.type Persistent one pod at a time has the memory: this one "+
			"waits until that one is gone; have the Deployment replace pods by strategy Recreate, or share the memory with spec.store.type "+
			"Postgres", agent, pods.Items[at].Name)}
	}
	return []string{fmt.Sprintf("agent %s has a pod already, %s, and with spec.store.type Ephemeral each pod has a memory of its own, which is "+
		"lost with it: share one with spec.store.type Postgres", agent, pods.Items[at].Name)}
}

// policyFor returns the policy in force for a pod with these labels.
func (d *decider) policyFor(ctx context.Context, namespace string, labels map[string]string) (*v1alpha1.MemoryTrustPolicy, []string, error) {
	var policies v1alpha1.MemoryTrustPolicyList
	var bad error
	for _, reader := range []client.Reader{d.cached, d.live} {
		if err := reader.List(ctx, &policies, client.InNamespace(namespace)); err != nil {
			return nil, nil, fmt.Errorf("listing policies of namespace %s: %w", namespace, err)
		}
		inForce, overlapping, err := policy.Select(policies.Items, labels)
		if inForce != nil {
			return inForce, selectionWarnings(inForce.Name, overlapping, err), nil
		}
		bad = err
	}
	if bad != nil {
		return nil, nil, badSelector(namespace, bad)
	}
	return nil, nil, noPolicy(namespace, policies.Items)
}

func selectionWarnings(inForce string, overlapping []string, bad error) []string {
	var warnings []string
	if len(overlapping) > 0 {
		warnings = append(warnings, fmt.Sprintf("MemoryTrustPolicy %s is in force, as the oldest; this pod is also selected by: %s",
			inForce, strings.Join(overlapping, ", ")))
	}
	if bad != nil {
		warnings = append(warnings, fmt.Sprintf("a MemoryTrustPolicy selects nothing until its spec.selector is fixed: %v", bad))
	}
	return warnings
}

func badSelector(namespace string, bad error) *inject.Refusal {
	return &inject.Refusal{Reason: ReasonBadSelector, Message: fmt.Sprintf(
		"no MemoryTrustPolicy in namespace %s selects this pod, and one cannot select anything: fix its spec.selector: %v", namespace, bad)}
}

func noPolicy(namespace string, policies []v1alpha1.MemoryTrustPolicy) *inject.Refusal {
	names := make([]string, 0, len(policies))
	for i := range policies {
		names = append(names, policies[i].Name)
	}
	slices.Sort(names)
	present := "there is none"
	if len(names) > 0 {
		present = "there is: " + strings.Join(names[:min(len(names), 5)], ", ")
	}
	return &inject.Refusal{Reason: ReasonNoPolicy, Message: fmt.Sprintf(
		"no MemoryTrustPolicy in namespace %s selects this pod (%s): apply one whose spec.selector matches the pod's labels, "+
			"or remove the label %s to run the pod without protected memory", namespace, present, v1alpha1.LabelAgent)}
}

// checkServiceAccount refuses a pod that asks for the memory of an agent that runs as somebody else.
func (d *decider) checkServiceAccount(ctx context.Context, namespace, agent string, pod *corev1.Pod) error {
	account := pod.Spec.ServiceAccountName
	if account == "" {
		account = "default"
	}
	var memory v1alpha1.AgentMemory
	for _, reader := range []client.Reader{d.cached, d.live} {
		err := reader.Get(ctx, client.ObjectKey{Namespace: namespace, Name: agent}, &memory)
		switch {
		case apierrors.IsNotFound(err):
			continue
		case err != nil:
			return fmt.Errorf("reading AgentMemory %s/%s: %w", namespace, agent, err)
		case memory.Spec.ServiceAccountName == account:
			return nil
		}
	}
	if memory.Spec.ServiceAccountName == "" {
		return nil // No such agent yet: the operator binds it to the ServiceAccount of its first pod.
	}
	return &inject.Refusal{Reason: ReasonServiceAccountMismatch, Message: fmt.Sprintf(
		"the memory of agent %s belongs to ServiceAccount %s and this pod runs as %s: set spec.serviceAccountName to %s, or name "+
			"another agent in the label %s, or have somebody with the verb adopt on agentmemories change spec.serviceAccountName of AgentMemory %s",
		agent, memory.Spec.ServiceAccountName, account, memory.Spec.ServiceAccountName, v1alpha1.LabelAgent, agent)}
}

// reasonOf returns the reason of a refusal, and whether err is one.
func reasonOf(err error) (inject.Reason, bool) {
	var refusal *inject.Refusal
	if errors.As(err, &refusal) {
		return refusal.Reason, true
	}
	return "", false
}
