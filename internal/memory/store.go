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

// ChangeType says what kind of change a commit records.
type ChangeType string

// The change types.
const (
	ChangeCreate  ChangeType = "create"
	ChangeUpdate  ChangeType = "update" // an edit of content or of what the writer says about it, also re-signing
	ChangeDelete  ChangeType = "delete" // forgetting; the history stays
	ChangeReview  ChangeType = "review" // a decision of a person, or of the system, about zone or state
	ChangePromote ChangeType = "promote"
	ChangePurge   ChangeType = "purge"  // erases the content of every version and keeps the hashes
	ChangeMerge   ChangeType = "merge"  // has two parents
	ChangeRevert  ChangeType = "revert" // writes an older version anew
)

// Change is one new version of a record.
type Change struct {
	Type   ChangeType
	Record Record // without Seq, Tag and Commit
	Actor  string // who, as in Commit
	Reason string // why, optional; never memory content
	// ExpectSeq is the Seq the caller saw; 0 for a new record. Another head makes Commit return ErrConflict.
	ExpectSeq uint64
	// Sign returns the provenance tag of the record once its Seq is known. It runs inside the transaction
	// and must not use the store.
	Sign func(Record) ([]byte, error)
	// Trace, unless empty, is kept to recognize the content in later texts; as Trace.Features.
	Trace []uint64
	// Fragment, unless it is nil, is kept to be looked at together with others.
	Fragment *Fragment
	// Key makes the change happen once: a second one with the same namespace, writer and key is ErrConflict, and
	// Idempotent finds the first. The zero value asks for nothing.
	Key IdempotencyKey
}

// IdempotencyKey is what a client names a request by, so that repeating it changes nothing.
type IdempotencyKey struct {
	Key    string // at most MaxIdempotencyKeyBytes; empty: none
	Digest []byte // SHA-256 of the request, so that another request under the same key shows
}

// Filter narrows a listing. Zero fields do not filter.
type Filter struct {
	Namespace string
	IDs       []string // at most MaxPageSize
	Zones     []Zone
	States    []State
	Class     provenance.Class
	Source    string // exactly this base source
	Principal string // written by this principal, through any channel
	KeyID     string // signed by this key, decimal
	Kinds     []string
	Tags      []string  // records that carry all of them
	Subject   string    // exactly this subject
	Since     time.Time // created at or after
	Until     time.Time // created before
	// Items lists records that stand for themselves: those not folded into another.
	Items bool
	// Memories leaves out records of reserved kinds.
	Memories bool
	// FoldedInto lists the records folded into this one.
	FoldedInto string
	// IncludeForgotten also lists records in state Forgotten and Rejected.
	IncludeForgotten bool
	// ChangedAfter lists records whose newest version has a higher Seq, in ascending order of Seq instead of id.
	ChangedAfter uint64
	After        string // id of the last record of the page before; results are in ascending id order
	Limit        int    // 1..1000
}

// Query is a full-text search for recall candidates. Zero fields do not filter.
type Query struct {
	Namespace string
	Text      string // free text of the user; no query syntax; empty returns the most recent records, pinned ones first
	Zones     []Zone
	Kinds     []string
	Tags      []string // records that carry all of them
	Since     time.Time
	Until     time.Time
	Limit     int
}

// Candidate is one search result.
type Candidate struct {
	Record       Record
	Relevance    float64   // 0..1, higher is better
	Recalls      int64     // how often it was delivered so far
	LastRecalled time.Time // zero: never
}

// Head is the newest audit entry of a record.
type Head struct {
	Seq    uint64
	Commit [32]byte // hash of the commit it records
}

// History asks for versions of one record, newest first. Zero fields do not narrow.
type History struct {
	Namespace string
	ID        string
	Commit    []byte    // the version with this hash
	At        time.Time // the version in force at this time, and those before
	Before    uint64    // versions with a lower Seq
	Limit     int       // 1..500
}

// Waiting narrows Store.Waiting to what one writer has waiting.
type Waiting struct {
	Namespace string
	Principal string // empty: the agent's own port
	Class     provenance.Class
}

// WaitingItem is a record in state PendingReview that is folded into no other.
type WaitingItem struct {
	ID     string
	Sketch uint64 // Sketch of its content
	Expiry time.Time
}

// Counts are live records (not Forgotten, not Rejected).
type Counts struct {
	ByZone        map[Zone]int64
	ByState       map[State]int64
	PendingReview int64            // records that wait for a person, folded ones as well
	Items         int64            // what a person has to decide: PendingReview and Disputed records, without folded ones
	ByKeyID       map[string]int64 // live records per key id that signed them
}

// Delivery says that one version of a record was shown to a session. It outlives both.
type Delivery struct {
	Namespace string
	Session   string
	RecordID  string
	Seq       uint64 // the commit that was shown
	Class     provenance.Class
	Score     float64
	At        time.Time
}

// DeliveryFilter narrows Store.Deliveries. Zero fields do not filter.
type DeliveryFilter struct {
	Namespace string
	Session   string
	RecordID  string
	Below     provenance.Class // deliveries of a lower class
	Since     time.Time
	Limit     int // 1..1000, newest first
}

// Contradiction is a pair of records that cannot both hold, as far as a scan can tell. It holds no content.
type Contradiction struct {
	ID        string // UUIDv7
	Namespace string
	A, B      string // record ids, A the older one
	SeqA      uint64 // versions compared
	SeqB      uint64
	Signs     []string // why, in words of the system: "numbers differ", "one denies the other"
	FoundAt   time.Time
	Verdict   ContradictionVerdict // empty while open
	DecidedBy string
	DecidedAt time.Time
	Reason    string // of the decision
}

// ContradictionFilter narrows Store.Contradictions. Zero fields do not filter.
type ContradictionFilter struct {
	Namespace string
	IDs       []string
	RecordIDs []string // those with one of these on either side
	Open      bool     // only undecided ones
	After     string   // id of the last one of the page before
	Limit     int      // 1..1000, ascending by id
}

// Checkpoint is the head of the audit log.
type Checkpoint struct {
	Size int64
	Root []byte // RFC 6962 root hash, 32 bytes
}

// Store keeps one agent's records. Implementations are safe for concurrent use. Every method honors ctx.
type Store interface {
	FragmentStore
	// Commit writes record, version, lineage and audit entry in one durable transaction and returns the record
	// with Seq, Tag and Commit set.
	Commit(ctx context.Context, c Change) (Record, error)
	// CommitAll does the same for several records at once: all of them or none. No two may be of one record.
	CommitAll(ctx context.Context, changes []Change) ([]Record, error)
	// CommitBehind does the same for new records without which less is trusted and not more. They may reach the tables a moment after
	// they were acknowledged: they count in every later call and outlive the process, but the newest of them are perhaps as if they had
	// never been when the machine goes down. What follows on another version, is found by search, is in Quarantine, or has an idempotency
	// key is durable as with CommitAll.
	CommitBehind(ctx context.Context, changes []Change) ([]Record, error)
	// Get returns the head version, also of forgotten records; ErrNotFound if there never was one.
	Get(ctx context.Context, namespace, id string) (Record, error)
	List(ctx context.Context, f Filter) ([]Record, error)
	// Search returns candidates among live records, best first; never one of a reserved kind, see Record.Searchable.
	Search(ctx context.Context, q Query) ([]Candidate, error)
	// Versions returns versions of one record, newest first; purged ones without content and with Erased set.
	Versions(ctx context.Context, h History) ([]Record, error)
	// Counts counts the records of a namespace, or of all when it is empty.
	Counts(ctx context.Context, namespace string) (Counts, error)
	// Items is Counts.Items of a namespace, in time that grows with what waits and not with what is stored.
	Items(ctx context.Context, namespace string) (int64, error)
	// Namespaces lists the namespaces that have records, sorted.
	Namespaces(ctx context.Context) ([]string, error)
	// Heads returns the newest audit entry of each record, read from the audit log and not from the record's row, so
	// that a replayed or rolled-back row shows.
	Heads(ctx context.Context, ids []string) (map[string]Head, error)
	// Size returns how many entries the audit log has: as long as it stays, no record changed.
	Size(ctx context.Context) (uint64, error)
	// Roots returns for each record the records it goes back to: those of its ancestors that have no parents, sorted;
	// a record without parents is its own root.
	Roots(ctx context.Context, ids []string) (map[string][]string, error)
	// Waiting lists what one writer has waiting for a person, soonest to expire first, at most MaxWaiting.
	Waiting(ctx context.Context, w Waiting) ([]WaitingItem, error)
	// Idempotent returns the record that a change with this key made, and the digest given then; ErrNotFound if there
	// was none.
	Idempotent(ctx context.Context, namespace string, w Writer, key string) (recordID string, digest []byte, err error)
	// LogDeliveries appends to the delivery log; it outlives sessions and records. Traces are put in together with it; those that are
	// there already stay as they are. What is acknowledged counts in every later call and outlives the process. A store that loses
	// some of it, because the machine went down, counts every session as low from then on, as if class Unknown had been delivered.
	LogDeliveries(ctx context.Context, d []Delivery, traces []Trace) error
	Deliveries(ctx context.Context, f DeliveryFilter) ([]Delivery, error)
	// LowestDelivered returns the lowest class delivered to session since the given time, or to any session of the
	// namespace when session is empty; ok is false if nothing was.
	LowestDelivered(ctx context.Context, namespace, session string, since time.Time) (c provenance.Class, ok bool, err error)
	// LowestUnbound returns the lowest class delivered since the given time in a namespace outside of the sessions that a user
	// channel opened; ok is false if nothing was.
	LowestUnbound(ctx context.Context, namespace string, since time.Time) (c provenance.Class, ok bool, err error)
	// OpenSession records that a user channel opened a session and returns what is recorded: the first opening stands.
	OpenSession(ctx context.Context, s OpenedSession) (OpenedSession, error)
	// OpenedSession returns a session that a user channel opened; ErrNotFound if none did.
	OpenedSession(ctx context.Context, namespace, id string) (OpenedSession, error)
	// PutTurn records what a user said. It returns ErrConflict if the writer used the turn's id in the namespace before.
	PutTurn(ctx context.Context, t Turn) error
	// CurrentTurn returns the newest turn of a session: of those that came through a channel, or of those that were reported
	// on the agent's port; ErrNotFound if there is none with a content.
	CurrentTurn(ctx context.Context, namespace, session string, authenticated bool) (Turn, error)
	// ForgetTurns erases the contents of turns older than one time, and drops those older than another.
	ForgetTurns(ctx context.Context, contents, turns time.Time) error
	// Observe keeps the trace of a text that the agent met outside of its memory, and counts its class as delivered to the
	// session, both as LogDeliveries does.
	Observe(ctx context.Context, t Trace) error
	// Traced returns the traces of a namespace that share features with a text, at most limit, those that share most first,
	// then those of the lowest class. Of a feature that very many share, the traces of the lowest classes are looked at.
	Traced(ctx context.Context, namespace string, features []uint64, limit int) ([]TraceMatch, error)
	// ForgetTraces drops observations older than the time; traces of records stay.
	ForgetTraces(ctx context.Context, before time.Time) error
	// Descendants returns the records that go back to any of these, at most limit, nearest first; not the records themselves.
	Descendants(ctx context.Context, ids []string, limit int) ([]Descendant, error)
	// PutContradiction records a pair that was found, or replaces what is recorded for the same pair.
	PutContradiction(ctx context.Context, c Contradiction) error
	Contradictions(ctx context.Context, f ContradictionFilter) ([]Contradiction, error)
	// Mark returns the number kept under a name, 0 if there is none, and SetMark keeps one: how far a task has come.
	Mark(ctx context.Context, name string) (uint64, error)
	SetMark(ctx context.Context, name string, value uint64) error
	// ForgetKeys drops idempotency keys older than the time.
	ForgetKeys(ctx context.Context, before time.Time) error
	Checkpoint(ctx context.Context) (Checkpoint, error)
	// Ping checks that the store can be written to.
	Ping(ctx context.Context) error
	Close() error
}
