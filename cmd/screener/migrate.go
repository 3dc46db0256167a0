// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/server/admin"
	"memorytrust.dev/operator/internal/store/migrate"
	"memorytrust.dev/operator/internal/store/postgres"
	"memorytrust.dev/operator/internal/store/sqlite"
)

// checkTimeout is how long the database may take to say whether it takes a memory.
const checkTimeout = 15 * time.Second

// mover moves the memory from the embedded store to the database when a person says so.
type mover struct {
	moved chan struct{} // closed once the memory is elsewhere

	mu   sync.Mutex
	ctx  context.Context //nolint:containedctx // of the process, which a move must not outlive; the request that begins one ends before
	last *admin.StoreMigration
	done sync.WaitGroup
}

func newMover() *mover { return &mover{moved: make(chan struct{})} }

// serve lets moves be made until ctx ends, and then waits for the one that goes on.
func (m *mover) serve(ctx context.Context) {
	m.mu.Lock()
	m.ctx = ctx
	m.mu.Unlock()
	<-ctx.Done()
	m.mu.Lock()
	m.ctx = nil
	m.mu.Unlock()
	m.done.Wait()
}

// Store implements admin.Stores.
func (s *screener) Store(ctx context.Context) (admin.StoreStatus, error) {
	state, ok := s.watcher.Current()
	if s.database != nil {
		out := admin.StoreStatus{Kind: admin.StorePostgres, Holds: true, Prepared: true}
		moved, err := s.database.Moved(ctx)
		if err != nil || moved == nil {
			return out, err
		}
		out.Migration = doneMigration(moved)
		return out, nil
	}
	holds, err := s.embedded.Holds(ctx)
	if err != nil {
		return admin.StoreStatus{}, err
	}
	if holds {
		s.left.Store(true)
	}
	out := admin.StoreStatus{
		Kind: admin.StoreEmbedded, Holds: holds, Left: holds && ok && state.Runtime.Postgres, Prepared: ok && state.StoreURI != "",
	}
	s.mover.mu.Lock()
	defer s.mover.mu.Unlock()
	if s.mover.last != nil {
		last := *s.mover.last
		out.Migration = &last
	}
	return out, nil
}

// doneMigration is what is told of a move that was made.
func doneMigration(m *postgres.Move) *admin.StoreMigration {
	out := &admin.StoreMigration{Phase: string(migrate.Done), Ended: m.At}
	var outcome migrate.Outcome
	if json.Unmarshal([]byte(m.Outcome), &outcome) == nil {
		tell(out, outcome)
	}
	return out
}

// tell tells what was found equal.
func tell(m *admin.StoreMigration, o migrate.Outcome) {
	m.Rows, m.Digest, m.AuditSize, m.AuditRoot, m.HeldMilliseconds = o.Rows, o.Digest, o.AuditSize, o.AuditRoot, o.Held
}

// Migrate implements admin.Stores.
func (s *screener) Migrate(ctx context.Context, principal string, dryRun bool) (admin.StoreStatus, error) {
	status, err := s.Store(ctx)
	if err != nil {
		return status, err
	}
	switch {
	case status.Kind == admin.StorePostgres:
		return status, &admin.StoreRefusedError{Message: "the memory is in the database already; there is nothing to move"}
	case !status.Prepared:
		return status, &admin.StoreRefusedError{Message: "there is no database to move the memory to: name the Secret of its owner in " +
			"spec.store.postgres.ownerSecretRef of the policy, whatever its spec.store.type is, and wait until the AgentMemory is Synced"}
	case status.Migration != nil && isOn(status.Migration.Phase):
		return status, nil
	}
	state, _ := s.watcher.Current()
	options := migrate.Options{Source: s.embedded, Target: postgres.Options{URLFrom: s.storeURI, Agent: state.Runtime.AgentID}}
	checking, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	total, err := migrate.Check(checking, options)
	if err != nil {
		return status, refusal(err)
	}
	if dryRun {
		status.Migration = &admin.StoreMigration{Total: total, Message: fmt.Sprintf("%d rows would be moved; the database takes them", total)}
		return status, nil
	}
	if err := s.mover.start(s, principal, options, total); err != nil { //nolint:contextcheck // outlives the request
		return status, err
	}
	return s.Store(ctx)
}

func isOn(phase string) bool {
	return phase == string(migrate.Copying) || phase == string(migrate.Verifying) || phase == string(migrate.Switching)
}

// refusal says what stands against a move where it can be helped.
func refusal(err error) error {
	switch {
	case errors.Is(err, postgres.ErrNotEmpty):
		return &admin.StoreRefusedError{Message: "the agent has a memory in the database already, which is kept: " +
			"another pod of it began or moved there. Two histories cannot become one; end the pods whose memory you do not want"}
	case errors.Is(err, context.DeadlineExceeded):
		return &admin.StoreRefusedError{Message: "the database does not answer; nothing was begun"}
	}
	return &admin.StoreRefusedError{Message: "the database does not take the memory: " + err.Error()}
}

// start begins a move that goes on when the request is over.
func (m *mover) start(s *screener, principal string, o migrate.Options, total int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ctx == nil || m.last != nil && isOn(m.last.Phase) {
		return fmt.Errorf("%w: the screener is starting, ending or moving already", memory.ErrUnavailable)
	}
	ctx := m.ctx
	m.last = &admin.StoreMigration{Phase: string(migrate.Copying), Began: time.Now().UTC(), Total: total}
	o.Progress = func(p migrate.Progress) {
		m.mu.Lock()
		defer m.mu.Unlock()
		if p.Phase != migrate.Failed && p.Phase != migrate.Done { // those come with what was found
			m.last.Phase, m.last.Copied, m.last.Total = string(p.Phase), p.Copied, max(p.Total, total)
		}
	}
	s.log.Info("Memory is being moved to the database", "person", principal, "rows", total)
	m.done.Go(func() {
		outcome, err := migrate.Run(ctx, o)
		m.mu.Lock()
		defer m.mu.Unlock()
		m.last.Ended = time.Now().UTC()
		if err != nil {
			m.last.Phase, m.last.Message = string(migrate.Failed), failure(err)
			s.log.Error("Memory was not moved", "error", err.Error())
			return
		}
		m.last.Phase = string(migrate.Done)
		tell(m.last, outcome)
		s.log.Info("Memory was moved to the database", "person", principal, "auditSize", outcome.AuditSize, "heldMilliseconds", outcome.Held)
		close(m.moved)
	})
	return nil
}

// failure says why a move failed, without what the log of the screener is for.
func failure(err error) string {
	const stays = "; nothing was moved, and the agent goes on with the embedded store"
	switch {
	case errors.Is(err, migrate.ErrDiffers), errors.Is(err, migrate.ErrHeldTooLong), errors.Is(err, postgres.ErrNotEmpty), errors.Is(err, postgres.ErrOtherMove),
		errors.Is(err, sqlite.ErrExporting), errors.Is(err, memory.ErrUnavailable):
		return err.Error() + stays
	case errors.Is(err, context.Canceled):
		return "the screener ended" + stays
	}
	return "the database or the embedded store failed, the log of the screener says how" + stays
}
