// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package memory is the pure domain of stored memories: records, zones, states, the table that
// decides what a write becomes, ranking of recalls, and the Store interface.
package memory

import (
	"time"

	"memorytrust.dev/operator/internal/provenance"
)

// Zone says how far a memory is let in.
type Zone string

// The zones.
const (
	Quarantine Zone = "Quarantine" // stored, never delivered to the agent
	Working    Zone = "Working"
	Trusted    Zone = "Trusted"
)

// State is where a memory stands in its life.
type State string

// The states.
const (
	Active        State = "Active"
	PendingReview State = "PendingReview"
	Approved      State = "Approved"
	Rejected      State = "Rejected"
	Forgotten     State = "Forgotten"
	Stale         State = "Stale"
	Disputed      State = "Disputed"
	Superseded    State = "Superseded"
)

// Boundary says what a recaller must do with a memory.
type Boundary string

// The boundaries.
const (
	Safe           Boundary = "Safe"
	RequiresReview Boundary = "RequiresReview"
	Blocked        Boundary = "Blocked"
)

// Authority says what a memory may justify.
type Authority string

// The authorities.
const (
	Act    Authority = "Act"    // may justify a consequential action
	Inform Authority = "Inform" // may inform an answer
	None   Authority = "None"
)

// MainBranch is the branch every record starts on.
const MainBranch = "main"

// Writer is who handed a record in.
type Writer struct {
	Channel   string // name of the authenticated channel; empty for the agent's own port
	Principal string // identity behind the channel; empty for the agent's own port
}

// Authenticated reports whether the record came through an authenticated channel.
func (w Writer) Authenticated() bool { return w.Channel != "" }

// Record is one version of one memory. Times have microsecond precision and are UTC.
type Record struct {
	ID         string // UUIDv7
	Namespace  string // tenant inside one agent; the Kubernetes namespace of the agent for now
	Seq        uint64 // position of this version's entry in the audit log; part of the signed tuple
	Branch     string
	Zone       Zone
	State      State
	ApprovedBy string
	Expiry     time.Time // zero: never
	Class      provenance.Class
	Source     string // base source, as resolved; never longer than 256 bytes
	Writer     Writer
	Parents    []string // record ids, sorted
	Kind       string
	Tags       []string // sorted
	Session    string
	Content    string   // valid UTF-8, raw
	Directive  bool     // what screening said at write time
	Reasons    []string // why, for people; never for the agent
	CappedBy   []string // what lowered class or zone: "claim", "lineage", "session"
	Tag        []byte   // provenance tag (memprov/v2), empty when unsigned
	CreatedAt  time.Time
	UpdatedAt  time.Time
}
