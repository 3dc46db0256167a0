// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"context"
	"hash/maphash"
	"slices"
	"sync"
)

// maxPresent bounds how many records are known to be there, with some 20 bytes each.
const maxPresent = 1 << 18

// presence knows which records there are, by a hash of their ids: of the texts of a memory server, and of whatever an agent writes anew,
// most are looked up before there is a record. It is of use while this is the only process that works with the store. Records never go.
type presence struct {
	mu   sync.RWMutex
	seed maphash.Seed
	has  map[uint64]struct{} // nil: there is no telling
}

// load learns what the store holds. Nothing is written meanwhile.
func (p *presence) load(ctx context.Context, from source) error {
	ids, err := collect(ctx, from, "listing ids", "SELECT id FROM records LIMIT ?", []any{maxPresent + 1}, value[string])
	if err != nil || len(ids) > maxPresent {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seed, p.has = maphash.MakeSeed(), make(map[uint64]struct{}, len(ids))
	for _, id := range ids {
		p.has[maphash.String(p.seed, id)] = struct{}{}
	}
	return nil
}

// add learns that a record comes. One that does not, after all, only costs a look into the tables.
func (p *presence) add(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.has == nil {
		return
	}
	if p.has[maphash.String(p.seed, id)] = struct{}{}; len(p.has) > maxPresent {
		p.has = nil
	}
}

// possible returns those of the ids that there can be records of.
func (p *presence) possible(ids []string) []string {
	p.mu.RLock()
	defer p.mu.RUnlock()
	if p.has == nil {
		return ids
	}
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		_, there := p.has[maphash.String(p.seed, id)]
		return !there
	})
}

// possible returns those of the ids that there can be records of.
func (s *Store) possible(ctx context.Context, ids []string) ([]string, error) {
	if b, err := s.alone(ctx); err != nil || b == nil {
		return ids, err
	}
	return s.present.possible(ids), nil
}

// forget says that somebody else may add records.
func (p *presence) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.has = nil
}
