// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"slices"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
)

// overFetch is how many candidates are looked at for each result asked for, and spareCandidates how many more, so
// that withheld ones do not leave the answer short. Where they do, moreCandidates times as many are looked at.
const (
	overFetch       = 2
	spareCandidates = 16
	moreCandidates  = 5
)

// candidates are memories that match a question, before anything is known about them but what their rows say.
type candidates struct {
	found []memory.Candidate
	full  bool // there may be more
}

// candidates searches for up to want candidates in zones that are delivered from, for some in zone Trusted beside them, and
// for those in Quarantine that are reported. Whatever is planted in one place must not push anything out of the others.
func (g *Gate) candidates(ctx context.Context, r *policy.Runtime, namespace string, q Recall, want int) (candidates, error) {
	query := memory.Query{
		Namespace: namespace, Text: q.Query, Zones: q.Zones, Kinds: q.Kinds, Tags: q.Tags, Since: q.Since, Until: q.Until,
		Limit: min(want, memory.MaxPageSize),
	}
	found, err := g.store.Search(ctx, query)
	if err != nil || len(found) < query.Limit {
		return candidates{found: found}, err
	}
	out := candidates{found: found, full: true}
	// Where Quarantine fills the candidates, look again without it.
	inQuarantine := inZone(found, memory.Quarantine)
	query.Zones = letIn(q.Zones)
	if r.Enforcement != v1alpha1.EnforcementDryRun && inQuarantine > spareCandidates && len(query.Zones) > 0 {
		more, err := g.store.Search(ctx, query)
		if err != nil {
			return candidates{}, err
		}
		out = candidates{found: join(found, more), full: len(more) == query.Limit}
	}
	reserved := memory.ReservedFor(recallLimit(r, q.Limit))
	if slices.Contains(query.Zones, memory.Trusted) && inZone(out.found, memory.Trusted) < reserved {
		query.Zones, query.Limit = []memory.Zone{memory.Trusted}, min(reserved+spareCandidates, memory.MaxPageSize)
		more, err := g.store.Search(ctx, query)
		if err != nil {
			return candidates{}, err
		}
		out.found = join(out.found, more)
	}
	return out, nil
}

func inZone(found []memory.Candidate, zone memory.Zone) (n int) {
	for _, c := range found {
		if c.Record.Zone == zone {
			n++
		}
	}
	return n
}

// letIn returns the zones asked for without Quarantine.
func letIn(asked []memory.Zone) []memory.Zone {
	if len(asked) == 0 {
		return []memory.Zone{memory.Trusted, memory.Working}
	}
	return slices.DeleteFunc(slices.Clone(asked), func(z memory.Zone) bool { return z == memory.Quarantine })
}

// join adds what a narrower search over the same text found. Relevance is relative to the best match of a search: it is
// brought to the scale of the wider one by a memory that both found or, where there is none, by the fact that all the others
// matched worse than whatever the wider one had room for.
func join(wide, narrow []memory.Candidate) []memory.Candidate {
	known := make(map[string]float64, len(wide))
	scale := 1.
	for _, c := range wide {
		known[c.Record.ID] = c.Relevance
		scale = min(scale, c.Relevance)
	}
	for _, c := range narrow {
		if relevance, ok := known[c.Record.ID]; ok && c.Relevance > 0 {
			scale = relevance / c.Relevance
			break
		}
	}
	out := slices.Clone(wide)
	for _, c := range narrow {
		if _, ok := known[c.Record.ID]; !ok {
			c.Relevance *= scale
			out = append(out, c)
		}
	}
	return out
}
