// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memory

import (
	"context"
	"errors"
	"time"

	"memorytrust.dev/operator/internal/provenance"
)

// Errors of a Store that callers decide by; match with errors.Is.
var (
	ErrNotFound    = errors.New("memory not found")
	ErrConflict    = errors.New("memory changed since it was read")
	ErrUnavailable = errors.New("memory store unavailable") // full disk, read-only volume, connection lost
)

// ChangeType says what kind of change an audit entry and version record.
type ChangeType string

// The change types in use.
const (
	ChangeCreate ChangeType = "create"
	ChangeDelete ChangeType = "delete"
	ChangeReview ChangeType = "review"
	ChangeUpdate ChangeType = "update" // also re-signing
)

// Change is one new version of a record.
type Change struct {
	Type   ChangeType
	Record Record // without Seq and Tag
	Actor  string // who: "agent", "channel/<name>/<principal>", "operator"
	Reason string // why, optional; never memory content
	// ExpectSeq is the Seq the caller saw; 0 for a new record. Another head makes Commit return ErrConflict.
	ExpectSeq uint64
	// Sign returns the provenance tag of the record once its Seq is known. It runs inside the transaction
	// and must not use the store.
	Sign func(Record) ([]byte, error)
}

// Filter narrows a listing. Zero fields do not filter.
type Filter struct {
	Namespace string
	Zones     []Zone
	States    []State
	Class     provenance.Class
	// IncludeForgotten also lists records in state Forgotten and Rejected.
	IncludeForgotten bool
	After            string // id of the last record of the page before; results are in ascending id order
	Limit            int    // 1..1000
}

// Query is a full-text search for recall candidates.
type Query struct {
	Namespace string
	Text      string // free text of the user; no query syntax; empty returns the most recent records
	Zones     []Zone
	Limit     int
}

// Candidate is one search result.
type Candidate struct {
	Record    Record
	Relevance float64 // 0..1, higher is better
}

// Counts are live records (not Forgotten, not Rejected).
type Counts struct {
	ByZone        map[Zone]int64
	ByState       map[State]int64
	PendingReview int64
	ByKeyID       map[string]int64 // live records per key id that signed them
}

// Delivery says that one version of a record was shown to a session.
type Delivery struct {
	Session  string
	RecordID string
	Seq      uint64 // the commit that was shown
	Class    provenance.Class
	Score    float64
	At       time.Time
}

// Checkpoint is the head of the audit log.
type Checkpoint struct {
	Size int64
	Root []byte // RFC 6962 root hash, 32 bytes
}

// Store keeps one agent's records. Implementations are safe for concurrent use. Every method honors ctx.
type Store interface {
	// Commit writes record, version, lineage and audit entry in one durable transaction and returns the record
	// with Seq and Tag set.
	Commit(ctx context.Context, c Change) (Record, error)
	// Get returns the head version, also of forgotten records; ErrNotFound if there never was one.
	Get(ctx context.Context, namespace, id string) (Record, error)
	List(ctx context.Context, f Filter) ([]Record, error)
	// Search returns candidates among live records, best first.
	Search(ctx context.Context, q Query) ([]Candidate, error)
	Counts(ctx context.Context, namespace string) (Counts, error)
	// HeadSeq returns the Seq of the newest audit entry of each record, read from the audit log and not from the
	// record's row, so that a replayed or rolled-back row shows.
	HeadSeq(ctx context.Context, ids []string) (map[string]uint64, error)
	// LogDeliveries appends to the delivery log; it outlives sessions and records.
	LogDeliveries(ctx context.Context, d []Delivery) error
	// LowestDelivered returns the lowest class delivered to session since the given time, or to any session when
	// session is empty; ok is false if nothing was.
	LowestDelivered(ctx context.Context, session string, since time.Time) (c provenance.Class, ok bool, err error)
	Checkpoint(ctx context.Context) (Checkpoint, error)
	// Ping checks that the store can be written to.
	Ping(ctx context.Context) error
	Close() error
}
