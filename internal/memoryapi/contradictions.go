// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryapi

import (
	"context"

	metainternalversion "k8s.io/apimachinery/pkg/apis/meta/internalversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"

	api "memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/server/admin"
)

// contradictions is the resource of that name.
type contradictions struct{ *Service }

var (
	_ rest.Lister               = contradictions{}
	_ rest.Getter               = contradictions{}
	_ rest.Scoper               = contradictions{}
	_ rest.SingularNameProvider = contradictions{}
	_ rest.CategoriesProvider   = contradictions{}
)

// New implements rest.Storage.
func (contradictions) New() runtime.Object { return &api.Contradiction{} }

// NewList implements rest.Lister.
func (contradictions) NewList() runtime.Object { return &api.ContradictionList{} }

// Destroy implements rest.Storage.
func (contradictions) Destroy() {}

// NamespaceScoped implements rest.Scoper.
func (contradictions) NamespaceScoped() bool { return true }

// GetSingularName implements rest.SingularNameProvider.
func (contradictions) GetSingularName() string { return "contradiction" }

// Categories implements rest.CategoriesProvider.
func (contradictions) Categories() []string { return []string{"memorytrust"} }

func (contradictions) about(name string) subject {
	return subject{resource: groupResource(resourceContradictions), kind: "ContradictionResolution", name: name}
}

// find returns a contradiction of the request's namespace.
func (s contradictions) find(ctx context.Context, name string) (found[gate.InspectedContradiction], error) {
	about := s.about(name)
	c, err := callerOf(ctx, about.resource)
	if err != nil {
		return found[gate.InspectedContradiction]{}, err
	}
	if !memory.ValidID(name) {
		return found[gate.InspectedContradiction]{}, about.notFound()
	}
	return locate(ctx, s.Service, c, about, request.NamespaceValue(ctx), func(ctx context.Context, r Reader) (gate.InspectedContradiction, error) {
		return contradiction(ctx, r, name)
	})
}

// contradiction looks for one contradiction of an agent: among the open ones first, which are few. Screeners find none by its id.
func contradiction(ctx context.Context, r Reader, id string) (gate.InspectedContradiction, error) {
	for _, all := range []bool{false, true} {
		for cursor := ""; ; {
			page, err := r.Contradictions(ctx, all, cursor, maxAsked)
			if err != nil {
				return gate.InspectedContradiction{}, err
			}
			for _, c := range page.Items {
				if c.ID == id {
					return c, nil
				}
			}
			if cursor = page.Next; cursor == "" {
				break
			}
		}
	}
	return gate.InspectedContradiction{}, &admin.Failure{Status: 404}
}

// Get implements rest.Getter.
func (s contradictions) Get(ctx context.Context, name string, _ *metav1.GetOptions) (runtime.Object, error) {
	at, err := s.find(ctx, name)
	if err != nil {
		return nil, err
	}
	out := contradictionOf(at.agent, at.value)
	return &out, nil
}

// List implements rest.Lister.
func (s contradictions) List(ctx context.Context, o *metainternalversion.ListOptions) (runtime.Object, error) {
	sel, err := readSelectors(o)
	if err != nil {
		return nil, err
	}
	open, name := sel.fields[fieldOpen], sel.fields[fieldName]
	items, next, err := walk(ctx, s.Service, s.about(""), sel, o, func(ctx context.Context, a Agent, r Reader, cursor string, limit int) ([]api.Contradiction, string, error) {
		page, err := r.Contradictions(ctx, open != "true", cursor, limit)
		if err != nil {
			return nil, "", err
		}
		var out []api.Contradiction
		for _, c := range page.Items {
			if open == "false" && c.Open || name != "" && c.ID != name {
				continue
			}
			out = append(out, contradictionOf(a, c))
		}
		return out, page.Next, nil
	})
	if err != nil {
		return nil, err
	}
	return &api.ContradictionList{ListMeta: metav1.ListMeta{Continue: next}, Items: append([]api.Contradiction{}, items...)}, nil
}

// ConvertToTable implements rest.TableConvertor.
func (contradictions) ConvertToTable(_ context.Context, object, options runtime.Object) (*metav1.Table, error) {
	return contradictionTable.convert(object, options)
}

// contradictionContent is the subresource content of contradictions.
type contradictionContent struct{ of contradictions }

// New implements rest.Storage.
func (contradictionContent) New() runtime.Object { return &api.ContradictionContent{} }

// Destroy implements rest.Storage.
func (contradictionContent) Destroy() {}

// Get returns what the two memories say.
func (s contradictionContent) Get(ctx context.Context, name string, _ *metav1.GetOptions) (runtime.Object, error) {
	at, err := s.of.find(ctx, name)
	if err != nil {
		return nil, err
	}
	c := at.value
	return &api.ContradictionContent{
		ObjectMeta: objectMeta(at.agent, c.ID, c.FoundAt), A: textOf(c.A), B: textOf(c.B), Signs: c.Signs, Reason: c.Reason,
	}, nil
}
