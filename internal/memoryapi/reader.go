// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryapi

import (
	"context"
	"time"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/server/admin"
)

// Reader reads one agent's memory on behalf of one person. Its errors are those of admin.Client: an *admin.Failure is an answer, anything
// else means that there was none. *admin.Client is one; whatever reads a store that is shared without a running pod can be another.
type Reader interface {
	// Get returns one memory with its content: its head, or the version named by a commit or a time.
	Get(ctx context.Context, id, commit string, at time.Time) (gate.Inspected, error)
	// List returns a page of memories without content.
	List(ctx context.Context, b gate.Browsing) (gate.Page, error)
	// Log returns a page of versions of a memory, newest first.
	Log(ctx context.Context, id, cursor string, limit int) (admin.History, error)
	// Contradictions returns a page of contradictions, open ones or all.
	Contradictions(ctx context.Context, all bool, cursor string, limit int) (gate.ContradictionPage, error)
	// XRay explains a recall.
	XRay(ctx context.Context, q admin.ExplainRequest) (gate.XRay, error)
	// Deliveries returns what was delivered to a session, of a memory, or to anybody, newest first.
	Deliveries(ctx context.Context, session, id string, limit int) (admin.Deliveries, error)
	// Close gives up what the reader holds.
	Close()
}

// Decider is a Reader that decides as well: a running screener, which signs what was decided.
type Decider interface {
	Reader
	// Decide decides about a memory; the verb is one of admin.Verbs, the commit that of the version that was seen.
	Decide(ctx context.Context, id, verb, commit string, d admin.DecisionRequest) (gate.Decided, error)
	// Resolve decides a contradiction.
	Resolve(ctx context.Context, id string, verdict memory.ContradictionVerdict, reason, content string, dryRun bool) (gate.Decided, error)
}

// Stores reads agents of which no pod runs, from where their memory is kept.
type Stores interface {
	// Open returns a reader of an agent's memory for a person, or false if its store cannot be read without a pod. An
	// *admin.Failure says why one that can be read usually is not at the moment.
	Open(ctx context.Context, agent Agent, principal string) (Reader, bool, error)
}

var _ Decider = (*admin.Client)(nil)
