// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package postgres

import (
	"context"
	"fmt"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// LowestUnbound implements memory.Store. A class that is none counts as Unknown. What was delivered to a session before a user
// channel opened it stays counted.
func (s *Store) LowestUnbound(ctx context.Context, namespace string, since time.Time) (provenance.Class, bool, error) {
	return s.lowest(ctx, "SELECT class FROM memorytrust.delivered_unbound WHERE agent = $1 AND namespace = $2 AND last_at >= $3",
		s.agent, namespace, since.UnixMicro())
}

// lowest is the lowest class of those a query lists.
func (s *Store) lowest(ctx context.Context, query string, args ...any) (provenance.Class, bool, error) {
	classes, err := collect(ctx, s.reader, "reading deliveries", query, args,
		func(scan func(...any) error) (c provenance.Class, err error) {
			err = scan((*string)(&c))
			return c, err
		})
	if err != nil || len(classes) == 0 {
		return "", false, err
	}
	return provenance.Min(classes...), true, nil
}

const selectSession = `SELECT namespace, id, channel, principal, opened_at, tag FROM memorytrust.sessions
	WHERE agent = $1 AND namespace = $2 AND id = $3`

// OpenSession implements memory.Store. It returns a *memory.FieldError for a session that cannot be kept.
func (s *Store) OpenSession(ctx context.Context, session memory.OpenedSession) (memory.OpenedSession, error) {
	if err := session.Validate(); err != nil {
		return memory.OpenedSession{}, err
	}
	session.OpenedAt = fromMicros(session.OpenedAt.UnixMicro())
	var opened memory.OpenedSession
	err := s.writer.do(ctx, "opening a session", func(t *transaction) error { //nolint:contextcheck // what has begun is carried through
		found := false
		t.read(selectSession, []any{t.agent, session.Namespace, session.ID}, func(scan func(...any) error) (err error) {
			opened, err = readSession(scan)
			found = true
			return err
		})
		if err := t.flush(); err != nil || found {
			return err
		}
		opened = session
		t.write(`INSERT INTO memorytrust.sessions (agent, namespace, id, channel, principal, opened_at, tag)
			VALUES ($1, $2, $3, $4, $5, $6, $7)`, t.agent, session.Namespace, session.ID, session.Writer.Channel,
			session.Writer.Principal, session.OpenedAt.UnixMicro(), session.Tag)
		return nil
	})
	if err != nil {
		return memory.OpenedSession{}, err
	}
	return opened, nil
}

// OpenedSession implements memory.Store.
func (s *Store) OpenedSession(ctx context.Context, namespace, id string) (memory.OpenedSession, error) {
	return one(ctx, s.reader, "reading a session", selectSession, []any{s.agent, namespace, id}, readSession)
}

func readSession(scan func(...any) error) (out memory.OpenedSession, err error) {
	var at int64
	err = scan(&out.Namespace, &out.ID, &out.Writer.Channel, &out.Writer.Principal, &at, &out.Tag)
	out.OpenedAt = fromMicros(at)
	return out, err
}

// PutTurn implements memory.Store. Only the newest turn of a session counts, so that the words of the one before go as it
// comes. It returns a *memory.FieldError for a turn that cannot be kept.
func (s *Store) PutTurn(ctx context.Context, turn memory.Turn) error {
	if err := turn.Validate(); err != nil {
		return err
	}
	return s.writer.do(ctx, "keeping a turn", func(t *transaction) error { //nolint:contextcheck // what has begun is carried through
		used := false
		t.read("SELECT 1 FROM memorytrust.turns WHERE agent = $1 AND namespace = $2 AND channel = $3 AND principal = $4 AND id = $5",
			[]any{t.agent, turn.Namespace, turn.Writer.Channel, turn.Writer.Principal, turn.ID}, func(func(...any) error) error {
				used = true
				return nil
			})
		if err := t.flush(); err != nil {
			return err
		}
		if used {
			return fmt.Errorf("%w: the id of the turn was used before", memory.ErrConflict)
		}
		t.head.turns++
		// Of those before the newest, only the last can still have a content.
		t.write(`UPDATE memorytrust.turns SET content = NULL WHERE agent = $1 AND n = (SELECT max(n) FROM memorytrust.turns
			WHERE agent = $1 AND namespace = $2 AND session = $3 AND (channel <> '') = $4)`,
			t.agent, turn.Namespace, turn.Session, turn.Writer.Authenticated())
		t.write(`INSERT INTO memorytrust.turns (agent, n, namespace, session, id, channel, principal, at, tag, content)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
			t.agent, t.head.turns, turn.Namespace, turn.Session, turn.ID, turn.Writer.Channel, turn.Writer.Principal, turn.At.UnixMicro(),
			turn.Tag, []byte(turn.Content))
		return nil
	})
}

// currentTurn finds the newest turn along the index turns_of; its condition must be spelled as there.
const currentTurn = `SELECT namespace, session, id, channel, principal, content, at, tag FROM memorytrust.turns
	WHERE agent = $1 AND namespace = $2 AND session = $3 AND (channel <> '') = $4 ORDER BY n DESC LIMIT 1`

// CurrentTurn implements memory.Store.
func (s *Store) CurrentTurn(ctx context.Context, namespace, session string, authenticated bool) (memory.Turn, error) {
	var kept bool
	t, err := one(ctx, s.reader, "reading a turn", currentTurn, []any{s.agent, namespace, session, authenticated},
		func(scan func(...any) error) (t memory.Turn, err error) {
			var (
				at      int64
				content []byte
			)
			err = scan(&t.Namespace, &t.Session, &t.ID, &t.Writer.Channel, &t.Writer.Principal, &content, &at, &t.Tag)
			t.Content, t.At, kept = string(content), fromMicros(at), content != nil
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
	return s.writer.do(ctx, "forgetting old turns", func(t *transaction) error {
		t.write("UPDATE memorytrust.turns SET content = NULL WHERE agent = $1 AND content IS NOT NULL AND at < $2",
			t.agent, contents.UnixMicro())
		t.write("DELETE FROM memorytrust.turns WHERE agent = $1 AND at < $2", t.agent, turns.UnixMicro())
		return nil
	})
}
