// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryapi

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/endpoints/request"

	"memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/internal/server/admin"
)

// caller is who makes a request, as the API server says.
type caller struct {
	user user.Info
	// namespace and serviceAccount are those of a ServiceAccount, empty for everybody else.
	namespace, serviceAccount string
}

// principal is the name that screeners log.
func (c caller) principal() string { return c.user.GetName() }

// runs reports whether an agent's pods run as the caller.
func (c caller) runs(a Agent) bool {
	return c.serviceAccount != "" && c.namespace == a.Namespace && c.serviceAccount == a.ServiceAccount
}

// callerOf returns who makes the request. A name that screeners cannot log as it stands is refused and never altered: two people would
// share one.
func callerOf(ctx context.Context, resource schema.GroupResource) (caller, error) {
	u, ok := request.UserFrom(ctx)
	if !ok || u.GetName() == "" {
		return caller{}, apierrors.NewUnauthorized("the request says nothing of who makes it")
	}
	if !admin.ValidPrincipal(u.GetName()) {
		return caller{}, apierrors.NewForbidden(resource, "", errors.New("your user name cannot stand in the audit log of an agent's memory: "+
			"it takes 1 to 128 of letters, digits and . _ @ : + / = -, beginning with a letter or digit; "+
			"map another claim to the user name where the API server authenticates you"))
	}
	c := caller{user: u}
	if namespace, name, err := serviceaccount.SplitUsername(u.GetName()); err == nil {
		c.namespace, c.serviceAccount = namespace, name
	}
	return c, nil
}

// mayDecide refuses decisions of those whom the authorization of the request does not cover: nobody in particular, and ServiceAccounts
// that have the right only as members of a group. Every pod is such a member; a right to decide has to be given to one by name.
func mayDecide(ctx context.Context, auth authorizer.UnconditionalAuthorizer, c caller, resource schema.GroupResource) error {
	if c.user.GetName() == user.Anonymous {
		return apierrors.NewForbidden(resource, "", errors.New("a decision stands under the name of whoever made it; log in"))
	}
	if c.serviceAccount == "" {
		return nil
	}
	info, ok := request.RequestInfoFrom(ctx)
	if !ok {
		return apierrors.NewInternalError(errors.New("no request info"))
	}
	alone := &user.DefaultInfo{Name: c.user.GetName(), UID: c.user.GetUID(), Extra: c.user.GetExtra()}
	allowed, err := authorize(ctx, auth, alone, authorizer.AttributesRecord{
		Verb: info.Verb, Namespace: info.Namespace, APIGroup: info.APIGroup, APIVersion: info.APIVersion, Resource: info.Resource,
		Subresource: info.Subresource, Name: info.Name, ResourceRequest: true, Path: info.Path,
	})
	if err != nil {
		return err
	}
	if !allowed {
		return apierrors.NewForbidden(resource, info.Name, fmt.Errorf("ServiceAccounts decide about memory only where a binding names them, "+
			"and not as members of a group: kubectl create rolebinding NAME -n %s --clusterrole=memorytrust-reviewer --serviceaccount=%s:%s",
			info.Namespace, c.namespace, c.serviceAccount))
	}
	return nil
}

// mayRead reports whether the caller has the right to get a subresource of the request's object.
func mayRead(ctx context.Context, auth authorizer.UnconditionalAuthorizer, c caller, subresource string) (bool, error) {
	info, ok := request.RequestInfoFrom(ctx)
	if !ok {
		return false, apierrors.NewInternalError(errors.New("no request info"))
	}
	return authorize(ctx, auth, c.user, authorizer.AttributesRecord{
		Verb: "get", Namespace: info.Namespace, APIGroup: v1alpha1.GroupName, APIVersion: v1alpha1.GroupVersion.Version, Resource: info.Resource,
		Subresource: subresource, Name: info.Name, ResourceRequest: true,
	})
}

func authorize(ctx context.Context, auth authorizer.UnconditionalAuthorizer, who user.Info, what authorizer.AttributesRecord) (bool, error) {
	what.User = who
	decision, _, err := auth.Authorize(ctx, what)
	if decision == authorizer.DecisionAllow {
		return true, nil
	}
	if err != nil { // nobody is let through because it could not be asked
		return false, unavailable("the API server did not answer whether this is allowed; try again")
	}
	return false, nil
}
