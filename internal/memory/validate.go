// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memory

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"memorytrust.dev/operator/internal/provenance"
)

// Bounds of a record's fields, in bytes unless named otherwise. Content is bounded by policy.
const (
	MaxTags           = 16 // entries
	MaxTagBytes       = 64
	MaxKindBytes      = 64
	MaxSessionBytes   = 128
	MaxSourceBytes    = provenance.MaxSourceBytes
	MaxParents        = 64  // entries
	MaxNamespaceBytes = 253 // a Kubernetes name
	MaxBranchBytes    = 64
	MaxActorBytes     = 256
	MaxReasonBytes    = 1024 // one reason, and the reason of a change
	MaxReasons        = 32   // entries
	MaxSubjectBytes   = 256
	MaxMetadata       = 16 // entries
	MaxMetadataKey    = 64
	MaxMetadataValue  = 512
	MaxSupersedes     = 16    // entries
	MaxPageSize       = 1000  // entries of one listing or search
	MaxHistory        = 500   // versions of one answer
	MaxWaiting        = 10000 // waiting items of one writer and class
	// MaxIdempotencyKeyBytes bounds what a client may name a request by.
	MaxIdempotencyKeyBytes = 128
	// MaxPerMille is the highest confidence and salience.
	MaxPerMille = 1000
)

// FieldError says which field cannot be stored and what to do about it. Its text never holds the field's value.
type FieldError struct {
	Field string // as in the API, lower case: "tags"
	Fix   string // what a caller should do: "give at most 16 tags"
}

// Error implements error.
func (e *FieldError) Error() string { return e.Field + ": " + e.Fix }

// NewID returns a fresh record id, a UUIDv7: ids ascend with time of creation.
func NewID() string { return uuid.Must(uuid.NewV7()).String() }

// ValidID reports whether id has the one form record ids have: a lower-case UUID with dashes.
func ValidID(id string) bool {
	parsed, err := uuid.Parse(id)
	return err == nil && parsed.String() == id
}

// Timestamp brings a time to the form records keep: UTC, microseconds, no monotonic clock.
func Timestamp(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC().Truncate(time.Microsecond)
}

// Normalized returns r in the one form that is stored and signed: times as Timestamp, tags and parents sorted without
// duplicates, empty lists nil, branch main when unset. It shares no slices with r.
func (r Record) Normalized() Record {
	r.Expiry, r.CreatedAt, r.UpdatedAt = Timestamp(r.Expiry), Timestamp(r.CreatedAt), Timestamp(r.UpdatedAt)
	r.Parents, r.Tags = sortedSet(r.Parents), sortedSet(r.Tags)
	r.Reasons, r.CappedBy = list(r.Reasons), list(r.CappedBy)
	r.Supersedes = sortedSet(r.Supersedes)
	if r.Metadata = maps.Clone(r.Metadata); len(r.Metadata) == 0 {
		r.Metadata = nil
	}
	if len(r.Tag) == 0 {
		r.Tag = nil
	} else {
		r.Tag = slices.Clone(r.Tag)
	}
	if r.Branch == "" {
		r.Branch = MainBranch
	}
	return r
}

func list(in []string) []string {
	if len(in) == 0 {
		return nil
	}
	return slices.Clone(in)
}

func sortedSet(in []string) []string {
	out := list(in)
	slices.Sort(out)
	return slices.Compact(out)
}

// Validate checks the bounds of every field. It returns a *FieldError for the first that is broken.
func (r Record) Validate() error {
	for _, check := range []func(Record) error{checkIdentity, checkStanding, checkOrigin, checkLists, checkLinks, checkStated, checkBody} {
		if err := check(r); err != nil {
			return err
		}
	}
	return nil
}

func checkIdentity(r Record) error {
	if !ValidID(r.ID) {
		return &FieldError{"id", "give a lower-case UUID"}
	}
	if r.Namespace == "" {
		return &FieldError{"namespace", "name the namespace"}
	}
	if err := checkText("namespace", r.Namespace, MaxNamespaceBytes); err != nil {
		return err
	}
	if r.CreatedAt.IsZero() || r.UpdatedAt.IsZero() {
		return &FieldError{"createdAt", "set the times of creation and of this change"}
	}
	return checkText("branch", r.Branch, MaxBranchBytes)
}

func checkStanding(r Record) error {
	switch r.Zone {
	case Quarantine, Working, Trusted:
	default:
		return &FieldError{"zone", "use Quarantine, Working or Trusted"}
	}
	switch r.State {
	case Active, PendingReview, Approved, Rejected, Forgotten, Stale, Disputed, Superseded:
	default:
		return &FieldError{"state", "use a state of a memory"}
	}
	return checkText("approvedBy", r.ApprovedBy, MaxActorBytes)
}

func checkOrigin(r Record) error {
	if !r.Class.Valid() {
		return &FieldError{"class", "use a source class"}
	}
	if err := checkText("source", r.Source, MaxSourceBytes); err != nil {
		return err
	}
	if err := checkText("writer", r.Writer.Channel, MaxActorBytes); err != nil {
		return err
	}
	if strings.Contains(r.Writer.Channel, "/") {
		return &FieldError{"writer", "name the channel without a slash"} // Writer.String would be ambiguous
	}
	if r.Writer.Channel == "" && r.Writer.Principal != "" {
		return &FieldError{"writer", "a principal speaks through a named channel"}
	}
	return checkText("writer", r.Writer.Principal, MaxActorBytes)
}

func checkLists(r Record) error {
	if len(r.Tags) > MaxTags {
		return &FieldError{"tags", fmt.Sprintf("give at most %d tags", MaxTags)}
	}
	for _, t := range r.Tags {
		if t == "" {
			return &FieldError{"tags", "leave out empty tags"}
		}
		if err := checkText("tags", t, MaxTagBytes); err != nil {
			return err
		}
	}
	if len(r.Parents) > MaxParents {
		return &FieldError{"parents", fmt.Sprintf("give at most %d parents", MaxParents)}
	}
	for _, p := range r.Parents {
		if !ValidID(p) || p == r.ID {
			return &FieldError{"parents", "give ids of other memories"}
		}
	}
	if len(r.Reasons)+len(r.CappedBy) > MaxReasons {
		return &FieldError{"reasons", fmt.Sprintf("give at most %d reasons", MaxReasons)}
	}
	for _, s := range slices.Concat(r.Reasons, r.CappedBy) {
		if err := checkText("reasons", s, MaxReasonBytes); err != nil {
			return err
		}
	}
	return nil
}

func checkLinks(r Record) error {
	if len(r.Supersedes) > MaxSupersedes {
		return &FieldError{"supersedes", fmt.Sprintf("give at most %d ids", MaxSupersedes)}
	}
	for _, id := range r.Supersedes {
		if !ValidID(id) || id == r.ID {
			return &FieldError{"supersedes", "give ids of other memories"}
		}
	}
	if r.FoldedInto != "" && (!ValidID(r.FoldedInto) || r.FoldedInto == r.ID) {
		return &FieldError{"foldedInto", "give the id of another memory"}
	}
	return nil
}

// checkStated checks what a writer says about a memory.
func checkStated(r Record) error {
	if r.Confidence < 0 || r.Confidence > MaxPerMille {
		return &FieldError{"confidence", "use 0 to 1000 per mille"}
	}
	if r.Salience < 0 || r.Salience > MaxPerMille {
		return &FieldError{"salience", "use 0 to 1000 per mille"}
	}
	if err := checkText("subject", r.Subject, MaxSubjectBytes); err != nil {
		return err
	}
	if len(r.Metadata) > MaxMetadata {
		return &FieldError{"metadata", fmt.Sprintf("give at most %d entries", MaxMetadata)}
	}
	for key, value := range r.Metadata {
		if key == "" {
			return &FieldError{"metadata", "name every entry"}
		}
		if err := checkText("metadata", key, MaxMetadataKey); err != nil {
			return err
		}
		if err := checkText("metadata", value, MaxMetadataValue); err != nil {
			return err
		}
	}
	return nil
}

func checkBody(r Record) error {
	if len(r.Erased) > 0 && (len(r.Erased) != sha256.Size || r.Content != "") {
		return &FieldError{"erased", "give the SHA-256 of the content, and no content"}
	}
	if !utf8.ValidString(r.Content) {
		return &FieldError{"content", "send valid UTF-8"}
	}
	if err := checkText("kind", r.Kind, MaxKindBytes); err != nil {
		return err
	}
	return checkText("session", r.Session, MaxSessionBytes)
}

// checkText bounds a name: valid UTF-8 without control characters, which would forge lines where people read it.
func checkText(field, s string, maxBytes int) error {
	if len(s) > maxBytes {
		return &FieldError{field, fmt.Sprintf("shorten to at most %d bytes", maxBytes)}
	}
	if !utf8.ValidString(s) {
		return &FieldError{field, "send valid UTF-8"}
	}
	for _, r := range s {
		if unicode.IsControl(r) {
			return &FieldError{field, "leave out control characters"}
		}
	}
	return nil
}

// Validate checks a change: its record, type, actor and reason. It returns a *FieldError.
func (c Change) Validate() error {
	switch c.Type {
	case ChangeCreate, ChangeDelete, ChangeReview, ChangeUpdate, ChangePromote, ChangePurge, ChangeMerge, ChangeRevert:
	default:
		return &FieldError{"type", "use a change type"}
	}
	if (c.Type == ChangeCreate) != (c.ExpectSeq == 0) {
		return &FieldError{"expectSeq", "give 0 to create a memory and the seq that was read to change one"}
	}
	if (c.Type == ChangePurge) != (len(c.Record.Erased) > 0) {
		return &FieldError{"erased", "a purge, and nothing else, erases content"}
	}
	if c.Actor == "" {
		return &FieldError{"actor", "say who makes the change"}
	}
	if err := checkText("actor", c.Actor, MaxActorBytes); err != nil {
		return err
	}
	if err := checkText("reason", c.Reason, MaxReasonBytes); err != nil {
		return err
	}
	if err := c.Key.validate(); err != nil {
		return err
	}
	if err := checkFeatures(c.Trace); err != nil {
		return err
	}
	return c.Record.Validate()
}

func (k IdempotencyKey) validate() error {
	if k.Key != "" && len(k.Digest) != sha256.Size {
		return &FieldError{"idempotencyKey", "give the SHA-256 of the request with it"}
	}
	return checkText("idempotencyKey", k.Key, MaxIdempotencyKeyBytes)
}

// Validate checks a filter. It returns a *FieldError.
func (f Filter) Validate() error {
	if len(f.IDs) > MaxPageSize {
		return &FieldError{"ids", fmt.Sprintf("give at most %d", MaxPageSize)}
	}
	if err := checkMany(f.Kinds, f.Tags); err != nil {
		return err
	}
	return checkLimit(f.Limit, MaxPageSize)
}

// Validate checks a query. It returns a *FieldError.
func (q Query) Validate() error {
	if q.Namespace == "" {
		return &FieldError{"namespace", "name the namespace"}
	}
	if err := checkMany(q.Kinds, q.Tags); err != nil {
		return err
	}
	return checkLimit(q.Limit, MaxPageSize)
}

// Validate checks what is asked of a history. It returns a *FieldError.
func (h History) Validate() error {
	if h.Namespace == "" {
		return &FieldError{"namespace", "name the namespace"}
	}
	return checkLimit(h.Limit, MaxHistory)
}

// Validate checks a filter. It returns a *FieldError.
func (f DeliveryFilter) Validate() error { return checkLimit(f.Limit, MaxPageSize) }

// Validate checks a filter. It returns a *FieldError.
func (f ContradictionFilter) Validate() error { return checkLimit(f.Limit, MaxPageSize) }

func checkMany(kinds, tags []string) error {
	if len(kinds) > MaxTags {
		return &FieldError{"kinds", fmt.Sprintf("give at most %d", MaxTags)}
	}
	if len(tags) > MaxTags {
		return &FieldError{"tags", fmt.Sprintf("give at most %d", MaxTags)}
	}
	return nil
}

func checkLimit(limit, most int) error {
	if limit < 1 || limit > most {
		return &FieldError{"limit", fmt.Sprintf("use 1 to %d", most)}
	}
	return nil
}
