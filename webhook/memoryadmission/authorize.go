// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryadmission

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilcache "k8s.io/apimachinery/pkg/util/cache"
	authorizationclient "k8s.io/client-go/kubernetes/typed/authorization/v1"
	"k8s.io/utils/clock"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/pkg/memoryadmission"
)

const (
	// allowedTTL is how long a right is not asked about again, and so how long one that was taken away is taken for granted.
	allowedTTL = 30 * time.Second
	// deniedTTL is the same for a right that is not there.
	deniedTTL = 10 * time.Second
	// keptAccess bounds the answers remembered.
	keptAccess = 8192
)

// The rights. Asking about an agent's memory is to create an admission of it; raising one is a verb of its own, which no role that
// comes with the operator has but the one that is bound to persons by name.
const (
	resourceAgents       = "agentmemories"
	subresourceAdmission = "admission"
	verbAsk              = "create"
	verbPromote          = "promote"
)

// target is what a caller needs one right for.
type target struct {
	agent   memoryadmission.Agent
	promote bool
}

func targetOf(r memoryadmission.Request) target {
	return target{agent: r.Agent, promote: r.Operation == memoryadmission.Promote}
}

// attributes are what the API server is asked about.
func (t target) attributes() *authorizationv1.ResourceAttributes {
	a := &authorizationv1.ResourceAttributes{
		Group: v1alpha1.GroupVersion.Group, Version: v1alpha1.GroupVersion.Version, Resource: resourceAgents,
		Namespace: t.agent.Namespace, Name: t.agent.Name, Verb: verbAsk, Subresource: subresourceAdmission,
	}
	if t.promote {
		a.Verb, a.Subresource = verbPromote, ""
	}
	return a
}

// authorizer asks the API server what callers may.
type authorizer struct {
	reviews authorizationclient.SubjectAccessReviewInterface
	kept    *utilcache.LRUExpireCache // accessKey -> bool
}

type accessKey struct {
	user   [sha256.Size]byte
	target target
}

func newAuthorizer(reviews authorizationclient.SubjectAccessReviewInterface, c clock.PassiveClock) *authorizer {
	return &authorizer{reviews: reviews, kept: utilcache.NewLRUExpireCacheWithClock(keptAccess, c)}
}

// allowed reports whether a caller has the right, or why that could not be found out.
func (a *authorizer) allowed(ctx context.Context, id *identity, t target) (bool, error) {
	key := accessKey{user: id.key, target: t}
	if found, ok := a.kept.Get(key); ok {
		lookups.WithLabelValues(lookupAccess, foundCached).Inc()
		allowed, _ := found.(bool)
		return allowed, nil
	}
	spec := authorizationv1.SubjectAccessReviewSpec{
		User: id.user.Username, UID: id.user.UID, Groups: id.user.Groups, ResourceAttributes: t.attributes(),
		Extra: make(map[string]authorizationv1.ExtraValue, len(id.user.Extra)),
	}
	for name, values := range id.user.Extra {
		spec.Extra[name] = authorizationv1.ExtraValue(values)
	}
	answer, err := a.reviews.Create(ctx, &authorizationv1.SubjectAccessReview{Spec: spec}, metav1.CreateOptions{})
	if err != nil {
		lookups.WithLabelValues(lookupAccess, foundError).Inc()
		return false, fmt.Errorf("asking what a caller may: %w", err)
	}
	lookups.WithLabelValues(lookupAccess, foundFresh).Inc()
	allowed := answer.Status.Allowed && !answer.Status.Denied
	ttl := deniedTTL
	if allowed {
		ttl = allowedTTL
	}
	a.kept.Add(key, allowed, ttl)
	return allowed, nil
}
