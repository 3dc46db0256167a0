// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"slices"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
)

// maxProvenAncestors bounds how many ancestors of one memory are followed.
const maxProvenAncestors = 4096

// provenRoots returns for each memory the memories it goes back to: what the store's lineage says and, since nobody signs that,
// what the parents say that are signed with each memory on the way. It has none where an ancestor is gone or does not verify,
// or where there are too many to follow: what cannot be told is no independence.
func (g *Gate) provenRoots(ctx context.Context, s *policy.State, namespace string, of ...verified) (map[string][]string, error) {
	ids := make([]string, len(of))
	for i, v := range of {
		ids[i] = v.record.ID
	}
	recorded, err := g.store.Roots(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := make(map[string][]string, len(of))
	for _, v := range of {
		signed, err := g.signedRoots(ctx, s, namespace, v)
		if err != nil {
			return nil, err
		}
		if len(signed) == 0 {
			continue
		}
		roots := slices.Concat(signed, recorded[v.record.ID])
		slices.Sort(roots)
		out[v.record.ID] = slices.Compact(roots)
	}
	return out, nil
}

// signedRoots follows the signed parents of a memory level by level, meeting each ancestor once.
func (g *Gate) signedRoots(ctx context.Context, s *policy.State, namespace string, v verified) ([]string, error) {
	var roots []string
	met := map[string]bool{v.record.ID: true}
	for level := []verified{v}; len(level) > 0; {
		var next []string
		for _, m := range level {
			if m.fault != "" {
				return nil, nil
			}
			if len(m.record.Parents) == 0 {
				roots = append(roots, m.record.ID)
			}
			for _, parent := range m.record.Parents {
				if !met[parent] {
					met[parent] = true
					next = append(next, parent)
				}
			}
		}
		if len(met) > maxProvenAncestors {
			return nil, nil
		}
		var err error
		if level, err = g.ancestors(ctx, s, namespace, next); err != nil || len(level) != len(next) {
			return nil, err
		}
	}
	return roots, nil
}

func (g *Gate) ancestors(ctx context.Context, s *policy.State, namespace string, ids []string) ([]verified, error) {
	var out []verified
	for some := range slices.Chunk(ids, memory.MaxPageSize) {
		records, err := g.store.List(ctx, memory.Filter{Namespace: namespace, IDs: some, IncludeForgotten: true, Limit: len(some)})
		if err != nil {
			return nil, err
		}
		checked, err := g.verify(ctx, s, namespace, records)
		if err != nil {
			return nil, err
		}
		out = append(out, checked...)
	}
	return out, nil
}
