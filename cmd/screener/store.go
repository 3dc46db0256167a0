// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/store/postgres"
	"memorytrust.dev/operator/internal/store/sqlite"
)

const (
	// storeRetry is how soon a database that does not answer is tried again.
	storeRetry = 2 * time.Second
	// storeCheck is how often the policy in force is compared with the store that is open.
	storeCheck = time.Second
	// databaseCheck is how often an empty embedded store looks whether the agent has a memory in the database meanwhile.
	databaseCheck = 15 * time.Second
	// moveIdle is after how long a move that does nothing counts as given up.
	moveIdle = 2 * time.Minute
)

// errStoreMoved ends the servers: they start again with the other store.
var errStoreMoved = errors.New("the memory is elsewhere than in the store that is open")

// openStore opens where the memory is. An embedded store that was moved is not opened any more, and one that holds something is, whatever
// the policy says: memory is never out of sight because a policy changed. With an empty one, the memory is in the database if the policy
// says so, or if the agent has one there.
func (s *screener) openStore(ctx context.Context) (memory.Store, error) {
	state, ok := s.watcher.Current()
	if _, err := os.Stat(s.options.data); err != nil && ok && wantsDatabase(state) {
		return s.openEmpty(ctx, nil, state)
	}
	embedded, err := sqlite.Open(ctx, s.options.data, sqlite.Options{})
	var moved *sqlite.MovedError
	if errors.As(err, &moved) {
		return s.openDatabase(ctx, moved.Run)
	}
	if err != nil {
		return nil, err
	}
	holds, err := embedded.Holds(ctx)
	if err != nil {
		return nil, errors.Join(err, embedded.Close())
	}
	s.left.Store(holds)
	s.unsure.Store(!holds && !ok)
	if holds || !ok || !wantsDatabase(state) {
		s.embedded = embedded
		return embedded, nil
	}
	return s.openEmpty(ctx, embedded, state)
}

// wantsDatabase reports whether a memory that begins might have to begin in a database, or be there already.
func wantsDatabase(state *policy.State) bool { return state.Runtime.Postgres || state.StoreURI != "" }

// openEmpty decides where a memory is of which nothing is in the embedded store, which is nil where there is no file.
func (s *screener) openEmpty(ctx context.Context, embedded *sqlite.Store, state *policy.State) (_ memory.Store, err error) {
	database := state.Runtime.Postgres
	if !database {
		if database, err = s.databaseHolds(ctx); err != nil {
			return nil, err
		}
	}
	if database {
		if embedded != nil {
			if err := embedded.Close(); err != nil {
				return nil, err
			}
		}
		return s.openDatabase(ctx, "")
	}
	if embedded == nil {
		if embedded, err = sqlite.Open(ctx, s.options.data, sqlite.Options{}); err != nil {
			return nil, err
		}
	}
	s.embedded = embedded
	return embedded, nil
}

// databaseHolds reports whether the agent has a memory in the database. A database that does not answer is waited for: a new pod of an agent
// that was moved must not begin with an empty memory.
func (s *screener) databaseHolds(ctx context.Context) (holds bool, err error) {
	err = s.insist(ctx, func(o postgres.Options) error {
		standing, err := postgres.Stand(ctx, o)
		holds = standing.Holds
		return err
	})
	return holds, err
}

// openDatabase opens the database. It is waited for, and so is a memory that is being moved there. A move that this process, or the one
// before, made of the embedded store is finished first.
func (s *screener) openDatabase(ctx context.Context, run string) (store memory.Store, err error) {
	s.postgres = true
	err = s.insist(ctx, func(o postgres.Options) error {
		if run != "" {
			if err := postgres.FinishMove(ctx, o, run); err != nil {
				return err
			}
		}
		opened, err := postgres.Open(ctx, o)
		if errors.Is(err, postgres.ErrMoving) {
			err = postgres.SettleMove(ctx, o, moveIdle)
			if err == nil {
				opened, err = postgres.Open(ctx, o)
			}
		}
		if err == nil {
			s.database, store = opened, opened
		}
		return err
	})
	return store, err
}

// insist does something with the database until it answers.
func (s *screener) insist(ctx context.Context, do func(postgres.Options) error) error {
	for {
		err := fmt.Errorf("%w: no policy is loaded", memory.ErrUnavailable)
		if state, ok := s.watcher.Current(); ok {
			err = do(postgres.Options{URLFrom: s.storeURI, Agent: state.Runtime.AgentID})
		}
		if !errors.Is(err, memory.ErrUnavailable) {
			return err
		}
		s.log.Warn("Database does not answer", "error", err)
		select {
		case <-ctx.Done():
			return fmt.Errorf("opening the memory store: %w", ctx.Err())
		case <-time.After(storeRetry):
			s.watcher.Reload() // nobody else does yet
		}
	}
}

// storeURI is the connection URI as of now, so that a new password needs no restart.
func (s *screener) storeURI() (string, error) {
	state, ok := s.watcher.Current()
	if !ok || state.StoreURI == "" {
		return "", errors.New("no connection URI loaded")
	}
	return state.StoreURI, nil
}

// current is the state in force, as long as the memory is in the store that is open: nothing is read from or written to an embedded store
// that has nothing in it and is about to be left, or may be.
func (s *screener) current() (*policy.State, bool) {
	state, ok := s.watcher.Current()
	if !ok || s.unsure.Load() && wantsDatabase(state) {
		return state, false
	}
	return state, s.postgres || !state.Runtime.Postgres || s.left.Load()
}

// watchStore returns once the memory is elsewhere: it was moved, or there never was anything in the embedded store and the policy, or the
// agent's other pods, keep it in the database.
func (s *screener) watchStore(ctx context.Context) error {
	tick := time.NewTicker(storeCheck)
	defer tick.Stop()
	looked := time.Now()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-s.mover.moved:
			return errStoreMoved
		case <-tick.C:
		}
		if s.embedded == nil || s.left.Load() {
			continue
		}
		holds, err := s.embedded.Holds(ctx)
		if err != nil {
			continue // as every request fails; there is nothing to decide by
		}
		state, ok := s.watcher.Current()
		if s.left.Store(holds); !ok {
			continue
		}
		if holds || !wantsDatabase(state) {
			s.unsure.Store(false)
			continue
		}
		if s.unsure.Load() {
			return errStoreMoved // it is decided anew, now that there is a policy
		}
		if !state.Runtime.Postgres {
			if time.Since(looked) < databaseCheck {
				continue
			}
			looked = time.Now()
			standing, err := postgres.Stand(ctx, postgres.Options{URLFrom: s.storeURI, Agent: state.Runtime.AgentID})
			if err != nil || !standing.Holds {
				continue
			}
		}
		return errStoreMoved
	}
}
