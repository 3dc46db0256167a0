// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryapi

import (
	"context"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/warning"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/server/admin"
)

// Names of the resources.
const (
	resourceMemories       = "memories"
	resourceApprovals      = "approvals"
	resourceContradictions = "contradictions"
)

// records are the resources whose objects are records of an agent: memories, and requests to approve a tool call.
type records struct {
	*Service
	resource string
}

func (r records) about(name string) subject {
	return subject{resource: groupResource(r.resource), kind: "MemoryDecision", name: name}
}

// has reports whether a record is one of the resource.
func (r records) has(m gate.Inspected) bool {
	return (m.Kind == kindAction) == (r.resource == resourceApprovals)
}

// find returns the newest version of a record in the request's namespace, and who asks for it.
func (r records) find(ctx context.Context, name string) (caller, found[gate.Inspected], error) {
	about := r.about(name)
	c, err := callerOf(ctx, about.resource)
	if err != nil {
		return c, found[gate.Inspected]{}, err
	}
	if !memory.ValidID(name) {
		return c, found[gate.Inspected]{}, about.notFound()
	}
	at, err := locate(ctx, r.Service, c, about, request.NamespaceValue(ctx), func(ctx context.Context, reader Reader) (gate.Inspected, error) {
		return reader.Get(ctx, name, "", time.Time{})
	})
	if err == nil && !r.has(at.value) {
		return c, found[gate.Inspected]{}, about.notFound()
	}
	return c, at, err
}

// list returns a page of the records that are selected, and what continues it.
func (r records) list(ctx context.Context, sel selected, o listOptions, b gate.Browsing) ([]found[gate.Inspected], string, error) {
	if sel.nothing() {
		return nil, "", nil
	}
	if name := sel.fields[fieldName]; name != "" {
		return r.listed(ctx, sel, name)
	}
	return walk(ctx, r.Service, r.about(""), sel, o, func(ctx context.Context, a Agent, reader Reader, cursor string, limit int) ([]found[gate.Inspected], string, error) {
		b := b
		b.Cursor, b.Limit = cursor, limit
		page, err := reader.List(ctx, b)
		if err != nil {
			return nil, "", err
		}
		out := make([]found[gate.Inspected], 0, len(page.Memories))
		for _, m := range page.Memories {
			if r.has(m) {
				out = append(out, found[gate.Inspected]{agent: a, value: m})
			}
		}
		return out, page.Next, nil
	})
}

// listed is list for one name.
func (r records) listed(ctx context.Context, sel selected, name string) ([]found[gate.Inspected], string, error) {
	if request.NamespaceValue(ctx) == "" {
		return nil, "", r.about(name).invalid("select by metadata.name in one namespace", nil)
	}
	_, at, err := r.find(ctx, name)
	switch {
	case isNotFound(err):
		return nil, "", nil
	case apierrors.IsServiceUnavailable(err): // as in other lists, what cannot be asked is left out
		warning.AddWarning(ctx, "", err.Error())
		return nil, "", nil
	case err != nil:
		return nil, "", err
	case !sel.takes(at.agent) || !sel.has(at.value):
		return nil, "", nil
	}
	return []found[gate.Inspected]{at}, "", nil
}

// deliveries returns what of a record was delivered, to a session or to all.
func (r records) deliveries(ctx context.Context, c caller, at found[gate.Inspected], session string, limit int) ([]admin.DeliveryEntry, error) {
	var out admin.Deliveries
	err := r.Screeners.read(ctx, at.agent, c.principal(), func(ctx context.Context, reader Reader) (err error) {
		out, err = reader.Deliveries(ctx, session, at.value.ID, limit)
		return err
	})
	if err != nil {
		return nil, r.about(at.value.ID).failed(ctx, at.agent, err)
	}
	return out.Deliveries, nil
}
