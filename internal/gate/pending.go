// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"sync"

	"memorytrust.dev/operator/internal/memory"
)

// pendingCount is a store that remembers how many items wait for a person, since every recall tells it and a long queue takes
// a while to count. A commit makes it count anew; all commits go through the gate, and thereby through it.
type pendingCount struct {
	memory.Store
	heads *headWatch // learns of every commit

	mu      sync.Mutex
	commits uint64           // how many there were
	counted map[string]tally // by namespace
}

// tally is a count and how many commits there were before it was taken.
type tally struct {
	items   int64
	commits uint64
}

// maxCounted bounds how many namespaces are remembered.
const maxCounted = 1024

// Commit implements memory.Store.
func (p *pendingCount) Commit(ctx context.Context, c memory.Change) (memory.Record, error) {
	defer p.changed() // a commit may have happened even if it returns an error
	stored, err := p.Store.Commit(ctx, c)
	if err == nil {
		p.heads.saw(stored)
	}
	return stored, err
}

// CommitAll implements memory.Store.
func (p *pendingCount) CommitAll(ctx context.Context, changes []memory.Change) ([]memory.Record, error) {
	defer p.changed()
	stored, err := p.Store.CommitAll(ctx, changes)
	if err == nil {
		p.heads.saw(stored...)
	}
	return stored, err
}

func (p *pendingCount) changed() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.commits++
}

// items is how many items of a namespace wait for a person.
func (p *pendingCount) items(ctx context.Context, namespace string) (int64, error) {
	p.mu.Lock()
	known, ok := p.counted[namespace]
	now := p.commits
	p.mu.Unlock()
	if ok && known.commits == now {
		return known.items, nil
	}
	n, err := p.Items(ctx, namespace)
	if err != nil {
		return 0, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.counted == nil || len(p.counted) >= maxCounted {
		p.counted = map[string]tally{}
	}
	p.counted[namespace] = tally{items: n, commits: now}
	return n, nil
}
