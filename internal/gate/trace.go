// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"hash/maphash"
	"sync"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/memory/overlap"
	"memorytrust.dev/operator/internal/provenance"
)

// tracing is a store that traces what later writes may have to be recognized by. All commits go through it.
type tracing struct{ memory.Store }

// Commit implements memory.Store.
func (t tracing) Commit(ctx context.Context, c memory.Change) (memory.Record, error) {
	return t.Store.Commit(ctx, withTrace(c))
}

// CommitAll implements memory.Store.
func (t tracing) CommitAll(ctx context.Context, changes []memory.Change) ([]memory.Record, error) {
	return t.Store.CommitAll(ctx, withTraces(changes))
}

// CommitBehind implements memory.Store.
func (t tracing) CommitBehind(ctx context.Context, changes []memory.Change) ([]memory.Record, error) {
	return t.Store.CommitBehind(ctx, withTraces(changes))
}

func withTraces(changes []memory.Change) []memory.Change {
	traced := make([]memory.Change, len(changes))
	for i, c := range changes {
		traced[i] = withTrace(c)
	}
	return traced
}

// withTrace traces a change to a memory of a low class, or that is kept from the agent: whoever wrote it knows it. It also
// traces what may justify actions, so that it vouches for those who repeat it. Everything else is traced when it is delivered.
func withTrace(c memory.Change) memory.Change {
	r := c.Record
	low := r.Class.Below(provenance.AgentInferred) || r.Zone == memory.Quarantine || r.State == memory.Rejected
	vouches := r.Class.High() && r.Zone == memory.Trusted && r.Writer.Authenticated()
	if len(c.Trace) == 0 && (low || vouches) {
		c.Trace = features(r)
	}
	return c
}

// features are those by which a memory is recognized; none where nothing is left of it, or where it says nothing by itself but
// asks a person for something.
func features(r memory.Record) []uint64 {
	if len(r.Erased) > 0 || !speaks(r) {
		return nil
	}
	if r.Kind == kindUpstream { // often a few words, which the agent may say again as they are
		return overlap.WithWhole(r.Content)
	}
	return overlap.Of(wordsOf(r).said())
}

// featuresOf are those of two versions of a memory: the agent may have seen either.
func featuresOf(old, next memory.Record) []uint64 {
	return overlap.Of(wordsOf(next).said() + "\n" + wordsOf(old).said())
}

// maxShown is how many delivered versions are remembered, with some 16 bytes for each.
const maxShown = 1 << 16

// shownVersions remembers which versions were delivered and traced, so that delivering them again costs nothing.
type shownVersions struct {
	mu   sync.Mutex
	seed maphash.Seed
	seen map[uint64]struct{}
}

type shownVersion struct {
	namespace, id string
	seq           uint64
}

// fresh returns those of the records that were not delivered before as they are.
func (s *shownVersions) fresh(records []memory.Record) []memory.Record {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []memory.Record
	for _, r := range records {
		if _, seen := s.seen[s.key(r)]; !seen {
			out = append(out, r)
		}
	}
	return out
}

// add remembers versions.
func (s *shownVersions) add(records []memory.Record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen == nil || len(s.seen)+len(records) > maxShown {
		s.seen = map[uint64]struct{}{}
	}
	for _, r := range records {
		s.seen[s.key(r)] = struct{}{}
	}
}

// key is that of a version. What is no record has none: it counts as another one every day, since observations are forgotten.
func (s *shownVersions) key(r memory.Record) uint64 {
	if s.seed == (maphash.Seed{}) {
		s.seed = maphash.MakeSeed()
	}
	version := shownVersion{r.Namespace, r.ID, r.Seq}
	if r.Seq == 0 {
		version.seq = 1<<63 | uint64(max(r.CreatedAt.Unix(), 0)/86400) // #nosec G115 -- days
	}
	return maphash.Comparable(s.seed, version)
}

// traces are the traces of records as they are delivered.
func (d *delivery) traces(records []memory.Record) []memory.Trace {
	out := make([]memory.Trace, 0, len(records))
	for _, r := range records {
		t := memory.Trace{
			ID: r.ID, Namespace: d.namespace, Record: true, Class: provenance.Min(r.Class), At: d.now, Features: features(r),
		}
		if r.Seq == 0 { // nobody wrote it through us: it is no record, and may become one
			t.ID, t.Record, t.Session, t.Source = metID(r.ID), false, d.session, r.Source
		}
		// What DryRun delivers may be tampered with beyond being a memory at all.
		if len(t.Features) > 0 && t.Validate() == nil {
			out = append(out, t)
		}
	}
	return out
}
