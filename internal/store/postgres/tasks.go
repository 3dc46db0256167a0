// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package postgres

import (
	"context"
	"errors"
	"time"

	"memorytrust.dev/operator/internal/memory"
)

// Idempotent implements memory.Store.
func (s *Store) Idempotent(ctx context.Context, namespace string, w memory.Writer, key string) (string, []byte, error) {
	type request struct {
		id     string
		digest []byte
	}
	r, err := one(ctx, s.reader, "looking up a request",
		"SELECT record_id, digest FROM memorytrust.idempotency WHERE agent = $1 AND namespace = $2 AND writer = $3 AND key = $4",
		[]any{s.agent, namespace, w.String(), key}, func(scan func(...any) error) (r request, err error) {
			err = scan(&r.id, &r.digest)
			return r, err
		})
	return r.id, r.digest, err
}

// ForgetKeys implements memory.Store. The age of a key is that of the version its change made.
func (s *Store) ForgetKeys(ctx context.Context, before time.Time) error {
	return s.writer.do(ctx, "forgetting old requests", func(t *transaction) error {
		t.write("DELETE FROM memorytrust.idempotency WHERE agent = $1 AND at < $2", t.agent, before.UnixMicro())
		return nil
	})
}

// Mark implements memory.Store.
func (s *Store) Mark(ctx context.Context, name string) (uint64, error) {
	kept, err := one(ctx, s.reader, "reading a mark", "SELECT value FROM memorytrust.marks WHERE agent = $1 AND name = $2",
		[]any{s.agent, name}, value[int64])
	if errors.Is(err, memory.ErrNotFound) {
		return 0, nil
	}
	return uint64(kept), err // #nosec G115 -- bits, as SetMark wrote them
}

// SetMark implements memory.Store.
func (s *Store) SetMark(ctx context.Context, name string, value uint64) error {
	return s.writer.do(ctx, "keeping a mark", func(t *transaction) error {
		t.write(`INSERT INTO memorytrust.marks (agent, name, value) VALUES ($1, $2, $3)
			ON CONFLICT (agent, name) DO UPDATE SET value = excluded.value`, t.agent, name, int64(value)) // #nosec G115 -- bits
		return nil
	})
}
