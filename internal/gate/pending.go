// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"sync"

	"memorytrust.dev/operator/internal/memory"
)

// pendingCount is a store that remembers how many items wait for a person, since every recall tells it and a long queue takes
// a while to count. It counts anew once the audit log has grown, by whichever replica of the agent.
type pendingCount struct {
	memory.Store
	heads *headWatch   // learns of every commit
	kept  *keptRecords // does so too

	mu      sync.Mutex
	counted map[string]tally // by namespace
}

// tally is a count and the size that the audit log had before it was taken.
type tally struct {
	items int64
	size  uint64
}

// maxCounted bounds how many namespaces are remembered.
const maxCounted = 1024

// Commit implements memory.Store.
func (p *pendingCount) Commit(ctx context.Context, c memory.Change) (memory.Record, error) {
	stored, err := p.Store.Commit(ctx, c)
	if err == nil {
		p.heads.saw(stored)
		p.kept.saw(stored)
	}
	return stored, err
}

// CommitAll implements memory.Store.
func (p *pendingCount) CommitAll(ctx context.Context, changes []memory.Change) ([]memory.Record, error) {
	stored, err := p.Store.CommitAll(ctx, changes)
	return p.saw(stored, err)
}

// CommitBehind implements memory.Store.
func (p *pendingCount) CommitBehind(ctx context.Context, changes []memory.Change) ([]memory.Record, error) {
	stored, err := p.Store.CommitBehind(ctx, changes)
	return p.saw(stored, err)
}

func (p *pendingCount) saw(stored []memory.Record, err error) ([]memory.Record, error) {
	if err == nil {
		p.heads.saw(stored...)
		p.kept.saw(stored...)
	}
	return stored, err
}

// items is how many items of a namespace wait for a person.
func (p *pendingCount) items(ctx context.Context, namespace string) (int64, error) {
	size, err := p.Size(ctx)
	if err != nil {
		return 0, err
	}
	p.mu.Lock()
	known, ok := p.counted[namespace]
	p.mu.Unlock()
	if ok && known.size == size {
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
	p.counted[namespace] = tally{items: n, size: size}
	return n, nil
}
