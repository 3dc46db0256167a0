// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package admin

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"memorytrust.dev/operator/internal/server/wire"
)

// Paths of the store.
const (
	storePath   = "/v1/store"
	migratePath = storePath + "/migrate"
)

// Kinds of stores.
const (
	StoreEmbedded = "Embedded" // a file of the screener, on the pod's volume
	StorePostgres = "Postgres" // a database
)

// StoreStatus says where an agent's memory is, and how far a move of it has come.
type StoreStatus struct {
	Kind string `json:"kind" enum:"Embedded,Postgres" doc:"Where the memory is"`
	// Holds is always true for a database.
	Holds bool `json:"holds" doc:"Whether there is anything in it"`
	// Left says that the policy wants a database and the memory has not been moved there.
	Left bool `json:"left" doc:"Whether the policy keeps memory in a database and this one is still embedded, since it was not moved"`
	// Prepared says that the screener knows a database that the memory can be moved to.
	Prepared  bool            `json:"prepared" doc:"Whether there is a database that the memory can be moved to"`
	Migration *StoreMigration `json:"migration,omitempty" doc:"The move that goes on, or the last one"`
}

// StoreMigration is a move of a memory to a database.
type StoreMigration struct {
	Phase   string    `json:"phase" enum:"Copying,Verifying,Switching,Done,Failed" doc:"How far it has come"`
	Began   time.Time `json:"began,omitzero" doc:"When it began"`
	Ended   time.Time `json:"ended,omitzero" doc:"When it ended"`
	Copied  int64     `json:"copied" doc:"Rows that were copied"`
	Total   int64     `json:"total" doc:"Rows that there were when it began"`
	Message string    `json:"message,omitempty" doc:"Why it failed, or what would be done"`

	Rows      map[string]int64 `json:"rows,omitempty" doc:"Rows of each table, which both stores had at the moment of the move"`
	Digest    string           `json:"digest,omitempty" doc:"Sum over the SHA-256 of every row, the same in both"`
	AuditSize int64            `json:"auditSize,omitempty" doc:"Entries of the audit log, the same in both"`
	AuditRoot string           `json:"auditRoot,omitempty" doc:"Root hash of the audit log, the same in both, base64"`
	// HeldMilliseconds is for how long writes were held.
	HeldMilliseconds int64 `json:"heldMilliseconds,omitempty" doc:"For how long writes were held"`
}

// Stores tells where the memory is, and moves it.
type Stores interface {
	// Store says where the memory is.
	Store(ctx context.Context) (StoreStatus, error)
	// Migrate begins to move the memory to the database, or says what would be moved. It returns a *StoreRefusedError where that cannot be.
	Migrate(ctx context.Context, principal string, dryRun bool) (StoreStatus, error)
}

// StoreRefusedError says why a memory cannot be moved, and what helps.
type StoreRefusedError struct{ Message string }

// Error implements error.
func (e *StoreRefusedError) Error() string { return e.Message }

// stays is a store that cannot be moved.
type stays struct{}

// Store implements Stores.
func (stays) Store(context.Context) (StoreStatus, error) {
	return StoreStatus{Kind: StoreEmbedded, Holds: true}, nil
}

// Migrate implements Stores.
func (stays) Migrate(context.Context, string, bool) (StoreStatus, error) {
	return StoreStatus{}, &StoreRefusedError{"this screener cannot move its memory"}
}

func stores(s Stores) Stores {
	if s == nil {
		return stays{}
	}
	return s
}

// MigrateRequest is the body of a move.
type MigrateRequest struct {
	DryRun bool `json:"dryRun,omitempty" doc:"Say what would be moved and change nothing"`
}

func (r routes) store(api huma.API) {
	op := wire.Operation("store", http.MethodGet, storePath, "Where the memory is",
		"Says where the agent's memory is kept, and how far a move of it has come.", http.StatusOK)
	huma.Register(api, op, func(ctx context.Context, _ *struct{}) (*wire.Answer[StoreStatus], error) {
		out, err := r.stores.Store(ctx)
		return wire.Reply(r.log, wire.InQuery, out, err)
	})
}

func (r routes) migrate(api huma.API) {
	op := wire.WithBody(wire.Operation("migrate", http.MethodPost, migratePath, "Move the memory to a database",
		"Begins to move the memory from the embedded store to the database that the policy names, and answers at once; how far it has come says /v1/store. The agent is "+
			"served meanwhile. Writes are answered with 503 for a moment at the end. If it fails in whatever phase, the memory is where it was.",
		http.StatusAccepted, http.StatusConflict, http.StatusUnprocessableEntity),
		wire.Example{Name: "dry run", Summary: "What would be moved", Value: map[string]any{"dryRun": true}})
	huma.Register(api, op, func(ctx context.Context, in *struct{ Body MigrateRequest }) (*wire.Answer[StoreStatus], error) {
		out, err := r.stores.Migrate(ctx, person(ctx, wire.Tenant{}).Principal, in.Body.DryRun)
		var refused *StoreRefusedError
		if errors.As(err, &refused) {
			return nil, wire.NewProblem(http.StatusConflict, wire.TypeRules, refused.Message)
		}
		return wire.Reply(r.log, wire.InBody, out, err)
	})
}

// Store says where the memory is.
func (c *Client) Store(ctx context.Context) (StoreStatus, error) {
	return fetch[StoreStatus](ctx, c, call{method: http.MethodGet, path: storePath})
}

// Migrate begins to move the memory to the database, or says what would be moved.
func (c *Client) Migrate(ctx context.Context, dryRun bool) (StoreStatus, error) {
	return fetch[StoreStatus](ctx, c, call{method: http.MethodPost, path: migratePath, body: MigrateRequest{DryRun: dryRun}})
}
