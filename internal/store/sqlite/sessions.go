// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"context"

	"memorytrust.dev/operator/internal/memory"
)

const selectSession = "SELECT namespace, id, channel, principal, opened_at, tag FROM sessions WHERE namespace = ? AND id = ?"

// OpenSession implements memory.Store. It returns a *memory.FieldError for a session that cannot be kept.
func (s *Store) OpenSession(ctx context.Context, session memory.OpenedSession) (memory.OpenedSession, error) {
	if err := session.Validate(); err != nil {
		return memory.OpenedSession{}, err
	}
	if err := s.settled(ctx); err != nil {
		return memory.OpenedSession{}, err
	}
	var opened memory.OpenedSession
	err := s.writer.do(ctx, "opening a session", func(w *writer) (err error) {
		err = w.exec(w.stmts.openSession, session.Namespace, session.ID, session.Writer.Channel, session.Writer.Principal,
			session.OpenedAt.UnixMicro(), session.Tag)
		if err != nil {
			return err
		}
		opened, err = readSession(w.row(w.stmts.session, session.Namespace, session.ID).Scan)
		return err
	})
	if err == nil && s.behind != nil {
		s.behind.opens(session.Namespace, session.ID)
	}
	return opened, err
}

// OpenedSession implements memory.Store. That nobody opened a session is remembered, while nobody else can have.
func (s *Store) OpenedSession(ctx context.Context, namespace, id string) (memory.OpenedSession, error) {
	b, err := s.alone(ctx)
	if err != nil {
		return memory.OpenedSession{}, err
	}
	if b != nil {
		opened, err := b.isOpened(ctx, s.reader, place{namespace: namespace, session: id})
		if err == nil && !opened {
			err = memory.ErrNotFound
		}
		if err != nil {
			return memory.OpenedSession{}, err
		}
	}
	return one(ctx, s.reader, "reading a session", selectSession, []any{namespace, id}, readSession)
}

func readSession(scan func(...any) error) (out memory.OpenedSession, err error) {
	var at int64
	err = scan(&out.Namespace, &out.ID, &out.Writer.Channel, &out.Writer.Principal, &at, &out.Tag)
	out.OpenedAt = fromMicros(at)
	return out, err
}
