// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"memorytrust.dev/operator/internal/memory"
)

// Bounds of what is remembered of traces, some megabytes; when there is more, all of it goes.
const (
	maxPostings    = 1 << 14 // features
	maxKnownTraces = 1 << 13
)

// postings remembers which traces have a feature, as the tables say: everyday words come in nearly every text that is looked up. It
// is of use while this is the only process that works with the store. The zero value is ready to use.
type postings struct {
	mu         sync.Mutex
	generation uint64 // counts changes of the tables
	byFeature  map[posting][]traceKey
	traces     map[int64]memory.TraceMatch // without what is shared
}

type posting struct {
	namespace string
	feature   uint64
}

// traceKey is a trace as selectShared lists it: eight times its number plus the rank of its class.
type traceKey int64

func keyOf(n int64, rank int) traceKey { return traceKey(n<<3 | int64(rank)) }

func (k traceKey) number() int64 { return int64(k >> 3) }
func (k traceKey) rank() int     { return int(k & 7) }

// compareKeys puts the lowest class first, then the oldest trace.
func compareKeys(a, b traceKey) int {
	return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(a.number(), b.number()))
}

// traceChange is a change of the tables: a trace that was added or, with none, something else.
type traceChange struct {
	n     int64
	trace *trace
}

// known returns the traces of those features that are remembered, and the features that are not.
func (p *postings) known(namespace string, features []uint64) (lists map[uint64][]traceKey, missing []uint64, generation uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	lists = make(map[uint64][]traceKey, len(features))
	for _, f := range features {
		if list, ok := p.byFeature[posting{namespace, f}]; ok {
			lists[f] = list
		} else {
			missing = append(missing, f)
		}
	}
	return lists, missing, p.generation
}

// describe fills in the traces that are remembered, and returns the places of the others.
func (p *postings) describe(matches []*found, out []memory.TraceMatch) (others []int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, m := range matches {
		t, ok := p.traces[m.n]
		if !ok {
			others = append(others, i)
			continue
		}
		t.Shared = m.shared
		out[i] = t
	}
	return others
}

// current reports whether nothing changed since.
func (p *postings) current(generation uint64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.generation == generation
}

// learn remembers what was read, unless something has changed since.
func (p *postings) learn(generation uint64, namespace string, lists map[uint64][]traceKey, traces map[int64]memory.TraceMatch) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.generation != generation {
		return
	}
	p.makeRoom(len(lists), len(traces))
	for f, list := range lists {
		p.byFeature[posting{namespace, f}] = list
	}
	maps.Copy(p.traces, traces)
}

func (p *postings) makeRoom(features, traces int) {
	if p.byFeature == nil || len(p.byFeature)+features > maxPostings || len(p.traces)+traces > maxKnownTraces {
		p.byFeature, p.traces = map[posting][]traceKey{}, map[int64]memory.TraceMatch{}
	}
}

// changed learns of a transaction. Only new traces are followed: others are rare.
func (p *postings) changed(list []traceChange) {
	if len(list) == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.generation++
	for _, c := range list {
		if c.trace == nil {
			p.byFeature, p.traces = nil, nil
			return
		}
	}
	p.makeRoom(0, len(list))
	for _, c := range list {
		p.add(c.n, c.trace)
	}
}

func (p *postings) add(n int64, t *trace) {
	key := keyOf(n, rankOf(t.Class))
	for _, f := range t.Features {
		at := posting{t.Namespace, f}
		list, known := p.byFeature[at]
		if !known {
			continue
		}
		place, there := slices.BinarySearchFunc(list, key, compareKeys)
		if there || place == sharedTraces {
			continue
		}
		grown := slices.Insert(slices.Clone(list), place, key) // who looks at the old list goes on with it
		p.byFeature[at] = grown[:min(len(grown), sharedTraces)]
	}
	described := t.Trace
	described.Features, described.At = nil, fromMicros(t.At.UnixMicro())
	p.traces[n] = memory.TraceMatch{Trace: described, Features: len(t.Features)}
}

// forget drops everything: somebody else may change the tables.
func (p *postings) forget() { p.changed([]traceChange{{}}) }
