// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"memorytrust.dev/operator/internal/memory"
)

// maxTurns bounds how many turns are remembered, and maxTurnsBytes their words; when there is more, all of them go.
const (
	maxTurns      = 1024
	maxTurnsBytes = 4 << 20
)

// keptTurns remembers what was said last in sessions, as the tables say. The zero value is ready to use.
type keptTurns struct {
	mu      sync.Mutex
	changes uint64
	bytes   int
	last    map[turnOf]keptTurn
}

// turnOf names the turns of a session that came through a channel, or that were reported.
type turnOf struct {
	namespace, session string
	authenticated      bool
}

// keptTurn is a turn, or memory.ErrNotFound.
type keptTurn struct {
	turn memory.Turn
	err  error
}

// find returns what is remembered, and how often turns changed so far.
func (k *keptTurns) find(of turnOf) (t keptTurn, known bool, changes uint64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	t, known = k.last[of]
	return t, known, k.changes
}

// learn remembers what was read, unless turns have changed since.
func (k *keptTurns) learn(changes uint64, of turnOf, t keptTurn) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.changes != changes {
		return
	}
	if k.last == nil || len(k.last) >= maxTurns || k.bytes >= maxTurnsBytes {
		k.last, k.bytes = map[turnOf]keptTurn{}, 0
	}
	k.last[of] = t
	k.bytes += len(t.turn.Content)
}

// changed drops what is remembered: turns come seldom, beside all that is asked of them.
func (k *keptTurns) changed() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.changes++
	k.last = nil
}

// PutTurn implements memory.Store. Only the newest turn of a session counts, so that the words of the one before go as it
// comes. It returns a *memory.FieldError for a turn that cannot be kept.
func (s *Store) PutTurn(ctx context.Context, t memory.Turn) error {
	if err := t.Validate(); err != nil {
		return err
	}
	defer s.turns.changed()
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

// CurrentTurn implements memory.Store. It is asked for with every call of an agent, and remembered while nobody else can have put one.
func (s *Store) CurrentTurn(ctx context.Context, namespace, session string, authenticated bool) (memory.Turn, error) {
	b, err := s.alone(ctx)
	if err != nil {
		return memory.Turn{}, err
	}
	of := turnOf{namespace, session, authenticated}
	before := uint64(0)
	if b != nil {
		t, known, n := s.turns.find(of)
		if known {
			return t.turn, t.err
		}
		before = n
	}
	t, err := s.readTurn(ctx, of)
	if b != nil && (err == nil || errors.Is(err, memory.ErrNotFound)) {
		s.turns.learn(before, of, keptTurn{t, err})
	}
	return t, err
}

func (s *Store) readTurn(ctx context.Context, of turnOf) (memory.Turn, error) {
	var kept bool
	t, err := one(ctx, s.reader, "reading a turn", currentTurn, []any{of.namespace, of.session, of.authenticated},
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
	defer s.turns.changed()
	return s.writer.do(ctx, "forgetting old turns", func(w *writer) error {
		if err := w.exec(w.stmts.eraseTurns, contents.UnixMicro()); err != nil {
			return err
		}
		return w.exec(w.stmts.forgetTurns, turns.UnixMicro())
	})
}
