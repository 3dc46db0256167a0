// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"fmt"
	"sync"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	memoryv1alpha1 "memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/api/v1alpha1"
)

// dangerousRights are rights in its own namespace with which an agent could get around its screener: read or replace
// keys, get into the screener or past it, become somebody else, or change what protects it.
var dangerousRights = []authorizationv1.ResourceAttributes{
	{Verb: "get", Resource: "secrets"},
	{Verb: "list", Resource: "secrets"},
	{Verb: "watch", Resource: "secrets"},
	{Verb: "create", Resource: "secrets"},
	{Verb: "update", Resource: "secrets"},
	{Verb: "patch", Resource: "secrets"},
	{Verb: "create", Resource: "pods", Subresource: "exec"},
	{Verb: "get", Resource: "pods", Subresource: "exec"},
	{Verb: "create", Resource: "pods", Subresource: "attach"},
	{Verb: "get", Resource: "pods", Subresource: "attach"},
	{Verb: "create", Resource: "pods", Subresource: "portforward"},
	{Verb: "get", Resource: "pods", Subresource: "portforward"},
	{Verb: "patch", Resource: "pods", Subresource: "ephemeralcontainers"},
	{Verb: "create", Resource: "serviceaccounts", Subresource: "token"},
	{Verb: "impersonate", Resource: "serviceaccounts"},
	{Verb: "update", Resource: "configmaps"},
	{Verb: "patch", Resource: "configmaps"},
	{Verb: "delete", Resource: "configmaps"}, // with create, it replaces a lexicon
	{Verb: "create", Group: v1alpha1.GroupVersion.Group, Resource: "memorytrustpolicies"},
	{Verb: "update", Group: v1alpha1.GroupVersion.Group, Resource: "memorytrustpolicies"},
	{Verb: "patch", Group: v1alpha1.GroupVersion.Group, Resource: "memorytrustpolicies"},
	{Verb: "delete", Group: v1alpha1.GroupVersion.Group, Resource: "memorytrustpolicies"},
	{Verb: "adopt", Group: v1alpha1.GroupVersion.Group, Resource: "agentmemories"},
	{Verb: "review", Group: v1alpha1.GroupVersion.Group, Resource: "agentmemories"},
	{Verb: "delete", Group: v1alpha1.GroupVersion.Group, Resource: "agentmemories"},
	{Verb: "restore", Group: v1alpha1.GroupVersion.Group, Resource: "provenancekeys"},
	{Verb: "get", Group: memoryv1alpha1.GroupVersion.Group, Resource: "memories", Subresource: "content"},
	{Verb: "create", Group: memoryv1alpha1.GroupVersion.Group, Resource: "memories", Subresource: "approve"},
	{Verb: "create", Group: memoryv1alpha1.GroupVersion.Group, Resource: "approvals", Subresource: "approve"},
}

// isolationChecks looks up what agents' ServiceAccounts may do, and remembers it for a few minutes: rights change
// rarely, reconciles are frequent.
type isolationChecks struct {
	client client.Client
	ttl    time.Duration
	clock  clock.PassiveClock

	mu      sync.Mutex
	results map[types.NamespacedName]isolation
}

// isolation is the outcome of one check.
type isolation struct {
	account string
	can     []string // "verb resource", in the order of dangerousRights
	err     error
	at      time.Time
}

// +kubebuilder:rbac:groups=authorization.k8s.io,resources=subjectaccessreviews,verbs=create

// check returns what the ServiceAccount may do of dangerousRights.
func (c *isolationChecks) check(ctx context.Context, account types.NamespacedName) isolation {
	now := c.clock.Now()
	c.mu.Lock()
	known, ok := c.results[account]
	c.mu.Unlock()
	if ok && now.Sub(known.at) < c.ttl {
		return known
	}
	result := isolation{account: account.Name, at: now}
	for _, right := range dangerousRights {
		allowed, err := c.allowed(ctx, account, right)
		if err != nil {
			result.err = err
			break
		}
		if allowed {
			result.can = append(result.can, describeRight(right))
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.results == nil {
		c.results = map[types.NamespacedName]isolation{}
	}
	for k, v := range c.results { // accounts of agents that are gone
		if now.Sub(v.at) > 2*c.ttl {
			delete(c.results, k)
		}
	}
	c.results[account] = result
	return result
}

func (c *isolationChecks) allowed(ctx context.Context, account types.NamespacedName, right authorizationv1.ResourceAttributes) (bool, error) {
	right.Namespace = account.Namespace
	review := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
		ResourceAttributes: &right,
		User:               "system:serviceaccount:" + account.Namespace + ":" + account.Name,
		Groups: []string{
			"system:serviceaccounts", "system:serviceaccounts:" + account.Namespace, "system:authenticated",
		},
	}}
	if err := c.client.Create(ctx, review); err != nil {
		return false, fmt.Errorf("looking up the rights of ServiceAccount %s: %w", account, err)
	}
	return review.Status.Allowed, nil
}

func describeRight(r authorizationv1.ResourceAttributes) string {
	resource := r.Resource
	if r.Subresource != "" {
		resource += "/" + r.Subresource
	}
	return r.Verb + " " + resource
}

// isolationFinding is the condition AgentIsolated.
func isolationFinding(i isolation) finding {
	switch {
	case i.err != nil:
		return unknown(ReasonCheckFailed, "%v", i.err)
	case len(i.can) > 0:
		return no(ReasonExcessRights, "ServiceAccount %s can %s: take these rights from it, or run the agent as another one",
			i.account, listedInOrder(i.can))
	}
	return yes(ReasonIsolated, "ServiceAccount %s can read no Secrets, enter no pods, mint no tokens and change no protection", i.account)
}
