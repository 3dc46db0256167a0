// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"context"
	"errors"
	"fmt"
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
		"SELECT record_id, digest FROM idempotency WHERE namespace = ? AND writer = ? AND key = ?",
		[]any{namespace, w.String(), key}, func(scan func(...any) error) (r request, err error) {
			err = scan(&r.id, &r.digest)
			return r, err
		})
	return r.id, r.digest, err
}

// ForgetKeys implements memory.Store. The age of a key is that of the version its change made.
func (s *Store) ForgetKeys(ctx context.Context, before time.Time) error {
	return s.writer.do(ctx, "forgetting old requests", func(w *writer) error {
		return w.exec(w.stmts.forgetKeys, before.UnixMicro())
	})
}

// Mark implements memory.Store.
func (s *Store) Mark(ctx context.Context, name string) (uint64, error) {
	return readMark(ctx, s.reader, name)
}

func readMark(ctx context.Context, from source, name string) (uint64, error) {
	kept, err := one(ctx, from, "reading a mark", "SELECT value FROM marks WHERE name = ?", []any{name}, value[int64])
	if errors.Is(err, memory.ErrNotFound) {
		return 0, nil
	}
	return uint64(kept), err // #nosec G115 -- bits, as SetMark wrote them
}

// SetMark implements memory.Store.
func (s *Store) SetMark(ctx context.Context, name string, value uint64) error {
	return s.writer.do(ctx, "keeping a mark", func(w *writer) error {
		return w.exec(w.stmts.mark, name, int64(value)) // #nosec G115 -- bits
	})
}

// Ping checks that the store can be written to, by writing. It does not outlast ctx, also when the volume hangs.
func (s *Store) Ping(ctx context.Context) error {
	const doing = "probing the memory store"
	r := &request{ctx: ctx, always: true, run: func(w *writer) error {
		if errors.Is(w.refuse, errMoved) {
			return errMoved
		}
		return w.exec(w.stmts.liveness, time.Now().UnixMicro())
	}}
	if err := s.writer.submit(r); err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	select {
	case <-r.done:
		return r.outcome(doing)
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", doing, ctx.Err())
	}
}
