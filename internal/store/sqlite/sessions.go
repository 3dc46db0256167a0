// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

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

// PutTurn implements memory.Store. Only the newest turn of a session counts, so that the words of the one before go as it
// comes. It returns a *memory.FieldError for a turn that cannot be kept.
func (s *Store) PutTurn(ctx context.Context, t memory.Turn) error {
	if err := t.Validate(); err != nil {
		return err
	}
	return s.writer.do(ctx, "keeping a turn", func(w *writer) error {
		var n int64
		err := w.row(w.stmts.putTurn, t.Namespace, t.Session, t.ID, t.Writer.Channel, t.Writer.Principal, t.At.UnixMicro(),
			t.Tag, t.Content).Scan(&n)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("%w: the id of the turn was used before", memory.ErrConflict)
		}
		if err != nil {
			return err
		}
		return w.exec(w.stmts.eraseTurn, t.Namespace, t.Session, t.Writer.Authenticated(), n)
	})
}

// currentTurn finds the newest turn along the index turns_of; its condition must be spelled as there.
const currentTurn = `SELECT namespace, session, id, channel, principal, content, at, tag FROM turns
	WHERE namespace = ? AND session = ? AND (channel <> '') = ? ORDER BY n DESC LIMIT 1`

// CurrentTurn implements memory.Store.
func (s *Store) CurrentTurn(ctx context.Context, namespace, session string, authenticated bool) (memory.Turn, error) {
	var kept bool
	t, err := one(ctx, s.reader, "reading a turn", currentTurn, []any{namespace, session, authenticated},
		func(scan func(...any) error) (t memory.Turn, err error) {
			var (
				at      int64
				content sql.NullString
			)
			err = scan(&t.Namespace, &t.Session, &t.ID, &t.Writer.Channel, &t.Writer.Principal, &content, &at, &t.Tag)
			t.Content, t.At, kept = content.String, fromMicros(at), content.Valid
			return t, err
		})
	if err != nil {
		return memory.Turn{}, err
	}
	if !kept {
		return memory.Turn{}, memory.ErrNotFound
	}
	return t, nil
}

// ForgetTurns implements memory.Store.
func (s *Store) ForgetTurns(ctx context.Context, contents, turns time.Time) error {
	return s.writer.do(ctx, "forgetting old turns", func(w *writer) error {
		if err := w.exec(w.stmts.eraseTurns, contents.UnixMicro()); err != nil {
			return err
		}
		return w.exec(w.stmts.forgetTurns, turns.UnixMicro())
	})
}
