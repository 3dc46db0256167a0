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
)

// listOptions are those of a list.
type listOptions = *metainternalversion.ListOptions

// memories is the resource of that name. It is read, and decided about through its subresources; it cannot be watched.
type memories struct{ records }

var (
	_ rest.Lister               = memories{}
	_ rest.Getter               = memories{}
	_ rest.Scoper               = memories{}
	_ rest.SingularNameProvider = memories{}
	_ rest.ShortNamesProvider   = memories{}
	_ rest.CategoriesProvider   = memories{}
)

// New implements rest.Storage.
func (memories) New() runtime.Object { return &api.Memory{} }

// NewList implements rest.Lister.
func (memories) NewList() runtime.Object { return &api.MemoryList{} }

// Destroy implements rest.Storage.
func (memories) Destroy() {}

// NamespaceScoped implements rest.Scoper.
func (memories) NamespaceScoped() bool { return true }

// GetSingularName implements rest.SingularNameProvider.
func (memories) GetSingularName() string { return "memory" }

// ShortNames implements rest.ShortNamesProvider.
func (memories) ShortNames() []string { return []string{"mem"} }

// Categories implements rest.CategoriesProvider.
func (memories) Categories() []string { return []string{"memorytrust"} }

// Get implements rest.Getter.
func (m memories) Get(ctx context.Context, name string, _ *metav1.GetOptions) (runtime.Object, error) {
	_, at, err := m.find(ctx, name)
	if err != nil {
		return nil, err
	}
	out := memoryOf(at.agent, at.value)
	return &out, nil
}

// List implements rest.Lister.
func (m memories) List(ctx context.Context, o *metainternalversion.ListOptions) (runtime.Object, error) {
	sel, err := readSelectors(o)
	if err != nil {
		return nil, err
	}
	page, next, err := m.list(ctx, sel, o, sel.browsing())
	if err != nil {
		return nil, err
	}
	out := &api.MemoryList{ListMeta: metav1.ListMeta{Continue: next}, Items: make([]api.Memory, 0, len(page))}
	for _, at := range page {
		out.Items = append(out.Items, memoryOf(at.agent, at.value))
	}
	return out, nil
}

// ConvertToTable implements rest.TableConvertor.
func (memories) ConvertToTable(_ context.Context, object, options runtime.Object) (*metav1.Table, error) {
	return memoryTable.convert(object, options)
}
