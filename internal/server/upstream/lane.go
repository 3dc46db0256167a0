// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"context"
	"net/http"
	"sync"

	"golang.org/x/sync/semaphore"
)

// Bounds of what one upstream can take of the screener; the others go on beside it.
const (
	maxCalls     = 32       // at a time
	maxBodyBytes = 16 << 20 // of requests that are worked on, together
	maxCommands  = 16       // sessions of an upstream that runs as a command, each a process
)

// lane is what the sessions of one upstream share.
type lane struct {
	name  string
	base  *http.Transport
	calls *semaphore.Weighted
	bytes *semaphore.Weighted

	mu        sync.Mutex
	connected int    // sessions
	answers   bool   // it did, the last time
	problem   string // why it did not
	tools     int
	waiting   int
}

func newLane(name string) *lane {
	return &lane{name: name, base: newBase(), calls: semaphore.NewWeighted(maxCalls), bytes: semaphore.NewWeighted(maxBodyBytes)}
}

// enter waits for room for one call.
func (l *lane) enter(ctx context.Context) (leave func(), err error) {
	if l.calls.TryAcquire(1) {
		return func() { l.calls.Release(1) }, nil
	}
	if l.calls.Acquire(ctx, 1) != nil {
		return nil, errBusy
	}
	return func() { l.calls.Release(1) }, nil
}

// opened and lost count sessions.
func (l *lane) opened() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.connected++
	l.answers, l.problem = true, ""
}

// answered notes that it answered a call.
func (l *lane) answered() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.answers, l.problem = true, ""
}

func (l *lane) lost() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.connected--
}

// full reports whether there are as many sessions as there may be.
func (l *lane) full(most int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.connected >= most
}

// failed notes why it did not answer.
func (l *lane) failed(reason error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.answers, l.problem = false, reason.Error()
}

// counted notes how many tools it has, and how many of them wait for a person.
func (l *lane) counted(tools, waiting int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tools, l.waiting = tools, waiting
}

// Status says how an upstream stands. It holds nothing of what the upstream says.
type Status struct {
	Name      string `json:"name"`
	Kind      string `json:"kind"`
	Connected bool   `json:"connected"`         // the last connection or call succeeded; false as long as no agent came
	Problem   string `json:"problem,omitempty"` // why not
	Tools     int    `json:"tools"`             // that it listed the last time
	Waiting   int    `json:"waiting"`           // of them, for a person
}

func (l *lane) status(kind string) Status {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Status{Name: l.name, Kind: kind, Connected: l.answers, Problem: l.problem, Tools: l.tools, Waiting: l.waiting}
}
