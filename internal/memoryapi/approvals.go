// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryapi

import (
	"context"

	metainternalversion "k8s.io/apimachinery/pkg/apis/meta/internalversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/registry/rest"

	api "memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
)

// approvals is the resource of that name: tool calls that wait for a person.
type approvals struct{ records }

var (
	_ rest.Lister               = approvals{}
	_ rest.Getter               = approvals{}
	_ rest.Scoper               = approvals{}
	_ rest.SingularNameProvider = approvals{}
	_ rest.CategoriesProvider   = approvals{}
)

// New implements rest.Storage.
func (approvals) New() runtime.Object { return &api.Approval{} }

// NewList implements rest.Lister.
func (approvals) NewList() runtime.Object { return &api.ApprovalList{} }

// Destroy implements rest.Storage.
func (approvals) Destroy() {}

// NamespaceScoped implements rest.Scoper.
func (approvals) NamespaceScoped() bool { return true }

// GetSingularName implements rest.SingularNameProvider.
func (approvals) GetSingularName() string { return "approval" }

// Categories implements rest.CategoriesProvider.
func (approvals) Categories() []string { return []string{"memorytrust"} }

// Get implements rest.Getter.
func (a approvals) Get(ctx context.Context, name string, _ *metav1.GetOptions) (runtime.Object, error) {
	_, at, err := a.find(ctx, name)
	if err != nil {
		return nil, err
	}
	out := approvalOf(at.agent, at.value)
	return &out, nil
}

// List implements rest.Lister. Without a state it lists what waits, is approved, or is rejected, and not what is over.
func (a approvals) List(ctx context.Context, o *metainternalversion.ListOptions) (runtime.Object, error) {
	sel, err := readSelectors(o)
	if err != nil {
		return nil, err
	}
	b := gate.Browsing{Listing: gate.Listing{Kinds: []string{kindAction}}, States: sel.states()}
	if len(b.States) == 0 {
		b.States = []memory.State{memory.PendingReview, memory.Approved, memory.Rejected}
	}
	page, next, err := a.list(ctx, sel, o, b)
	if err != nil {
		return nil, err
	}
	out := &api.ApprovalList{ListMeta: metav1.ListMeta{Continue: next}, Items: make([]api.Approval, 0, len(page))}
	for _, at := range page {
		out.Items = append(out.Items, approvalOf(at.agent, at.value))
	}
	return out, nil
}

// ConvertToTable implements rest.TableConvertor.
func (approvals) ConvertToTable(_ context.Context, object, options runtime.Object) (*metav1.Table, error) {
	return approvalTable.convert(object, options)
}
