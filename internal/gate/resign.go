// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
)

// keysActor signs memories anew when another key has become the primary one.
const keysActor = memory.SystemActor + "keys"

// Bounds of signing anew: memories of one look, so that other work has its turn, and how many share a transaction.
const (
	maxResigned = 20000
	resignWidth = 32
)

// resign signs with the primary key what other keys signed, so that they can be taken out of use: rejected and forgotten
// memories as well, since a person can reopen them. A memory that does not verify is left alone; so are purged ones, and one
// that changes meanwhile, which whoever changes it signs. It returns how many memories it signed.
func (m *maintenance) resign(ctx context.Context, s *policy.State, namespaces []string, now time.Time) (int, error) {
	if len(s.Keyset.KeyIDs()) < 2 {
		return 0, nil
	}
	var signed atomic.Int64
	for _, namespace := range namespaces {
		w := &deciding{gate: m.gate, state: s, namespace: namespace, actor: keysActor, now: now,
			reason: "signed with the primary key at " + now.Format(time.RFC3339)}
		if err := w.resign(ctx, &signed); err != nil {
			return int(signed.Load()), err
		}
	}
	return int(signed.Load()), nil
}

func (w *deciding) resign(ctx context.Context, signed *atomic.Int64) error {
	f := memory.Filter{Namespace: w.namespace, IncludeForgotten: true, Limit: scanPage}
	for signed.Load() < maxResigned {
		page, err := w.gate.store.List(ctx, f)
		if err != nil {
			return err
		}
		var old []memory.Record
		for _, r := range page {
			if id, ok := provenance.TagKeyID(r.Tag); ok && id != w.state.Keyset.PrimaryID() && len(r.Erased) == 0 {
				old = append(old, r)
			}
		}
		checked, err := w.gate.verify(ctx, w.state, w.namespace, old)
		if err != nil {
			return err
		}
		group, ctx := errgroup.WithContext(ctx)
		group.SetLimit(resignWidth)
		for _, v := range checked {
			if v.fault == "" {
				group.Go(func() error { return w.signAnew(ctx, v, signed) })
			}
		}
		if err := group.Wait(); err != nil {
			return err
		}
		if len(page) < f.Limit {
			return nil
		}
		f.After = page[len(page)-1].ID
	}
	return nil
}

// signAnew commits a memory as it is. Its time of change stays, because nothing about it changed: neither does it become
// fresh, nor newer than what it contradicts. The reason says when it was signed.
func (w *deciding) signAnew(ctx context.Context, v verified, signed *atomic.Int64) error {
	change := w.change(v, v.record, memory.ChangeUpdate)
	change.Record = v.record
	_, err := w.gate.store.Commit(ctx, change)
	if errors.Is(err, memory.ErrConflict) {
		return nil
	}
	if err == nil {
		signed.Add(1)
	}
	return err
}
