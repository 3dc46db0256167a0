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

// Commit is the change that made a version of a record. Together with the record it is content-addressed, so that the
// history of a record is a Merkle chain back to its first version.
type Commit struct {
	Hash    []byte     // 32 bytes, Record.CommitHash; set by the store
	Parents [][]byte   // hashes of the commits before: none for the first, two for a merge
	Change  ChangeType // what was done
	Actor   string     // who: Writer.String of a caller, "person/<principal>" or "system/<task>"
	Reason  string     // why; never memory content
}

// Record is one version of one memory. Times have microsecond precision and are UTC.
type Record struct {
	ID         string // UUIDv7
	Namespace  string // tenant inside one agent; the name of the agent's Kubernetes namespace unless a caller names another
	Seq        uint64 // position of this version's entry in the audit log; part of the signed tuple
	Branch     string
	Zone       Zone
	State      State
	ApprovedBy string    // principal of the person who approved or promoted it; such a record never has authority Act
	Expiry     time.Time // zero: never
	Class      provenance.Class
	Source     string // base source, as resolved; never longer than 256 bytes
	Writer     Writer
	Parents    []string // record ids it was derived from, sorted
	Kind       string
	Tags       []string          // sorted
	Subject    string            // entity it is about, as the writer names it; may be empty
	Metadata   map[string]string // of the writer: source model, provider, verified_at, verified_by, ...
	Session    string
	Content    string   // valid UTF-8, raw; empty once purged
	Erased     []byte   // SHA-256 of the content that a purge removed; nil while the content is there
	Directive  bool     // what screening said at write time
	Reasons    []string // why, for people; never for the agent
	CappedBy   []string // what lowered class or zone: "claim", "lineage", "observation", "session", "supersedes"
	Confidence int      // per mille, as the writer states it, at most the cap of the class
	Salience   int      // per mille, as the writer states it, at most the cap of the class
	Pinned     bool     // never fades, and comes first; only high classes and persons can pin
	Supersedes []string // ids of records this one replaces, once it is not pending any more; sorted
	FoldedInto string   // id of the waiting record it is a near-duplicate of; empty for an item of its own
	Tag        []byte   // provenance tag (memprov/v2), empty when unsigned
	Commit     Commit
	CreatedAt  time.Time
	UpdatedAt  time.Time
}
