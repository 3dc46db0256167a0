// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
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
)

// errStoreMoved ends the process: it is started again and opens the other store.
var errStoreMoved = errors.New("the policy in force keeps the memory elsewhere than in the store that is open")

// openStore opens where the policy in force keeps the memory: the file, unless it says Postgres. A database that does not answer
// is waited for.
func (s *screener) openStore(ctx context.Context) (memory.Store, error) {
	state, ok := s.watcher.Current()
	if !ok || !state.Runtime.Postgres {
		return sqlite.Open(ctx, s.options.data, sqlite.Options{})
	}
	s.postgres = true
	options := postgres.Options{URLFrom: s.storeURI, Agent: state.Runtime.AgentID}
	for {
		store, err := postgres.Open(ctx, options)
		if !errors.Is(err, memory.ErrUnavailable) {
			return store, err
		}
		s.log.Warn("Database does not answer", "error", err)
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("opening the memory store: %w", ctx.Err())
		case <-time.After(storeRetry):
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

// current is the state in force, as long as it keeps the memory in the store that is open: nothing is written to another one.
func (s *screener) current() (*policy.State, bool) {
	state, ok := s.watcher.Current()
	return state, ok && state.Runtime.Postgres == s.postgres
}

// watchStore returns once the policy in force keeps the memory elsewhere.
func (s *screener) watchStore(ctx context.Context) error {
	tick := time.NewTicker(storeCheck)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			if state, ok := s.watcher.Current(); ok && state.Runtime.Postgres != s.postgres {
				return errStoreMoved
			}
		}
	}
}
