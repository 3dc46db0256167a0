// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	driver "modernc.org/sqlite"

	"memorytrust.dev/operator/internal/memory"
)

// columns of a record in the order of values and scanRecord. The content stands last in the row, so that reading the
// others does not follow its overflow pages.
var columns = []string{
	"id", "namespace", "seq", "branch", "zone", "state", "approved_by", "expiry", "class", "source", "channel",
	"principal", "parents", "kind", "tags", "subject", "metadata", "session", "erased", "directive", "reasons",
	"capped_by", "confidence", "salience", "pinned", "supersedes", "folded_into", "tag", "commit_hash",
	"commit_parents", "change", "actor", "reason", "created_at", "updated_at", "content",
}

// stored are the columns that a commit writes, in the order of values: those of a record and, last, what is derived.
var stored = append(slices.Clone(columns), "signed_by", "sketch", "terms")

// signedByBytes is the length of the prefix of a tag that names its key.
const signedByBytes = 5

// selectColumns lists the columns of the table alias r.
var selectColumns = "r." + strings.Join(columns, ", r.")

// values are the bound values of the stored columns.
func values(r memory.Record, sketch uint64, terms int) ([]any, error) {
	var lists [5]any
	for i, l := range [][]string{r.Parents, r.Tags, r.Reasons, r.CappedBy, r.Supersedes} {
		text, err := encodeList(l)
		if err != nil {
			return nil, err
		}
		lists[i] = text
	}
	var metadata, expiry, tag, signedBy, erased, parents any
	if len(r.Metadata) > 0 {
		text, err := json.Marshal(r.Metadata)
		if err != nil {
			return nil, err
		}
		metadata = string(text)
	}
	if !r.Expiry.IsZero() {
		expiry = r.Expiry.UnixMicro()
	}
	if len(r.Tag) > 0 {
		tag, signedBy = r.Tag, r.Tag[:min(len(r.Tag), signedByBytes)]
	}
	if len(r.Erased) > 0 {
		erased = r.Erased
	}
	if len(r.Commit.Parents) > 0 {
		parents = slices.Concat(r.Commit.Parents...)
	}
	return []any{
		r.ID, r.Namespace, int64(r.Seq), r.Branch, string(r.Zone), string(r.State), r.ApprovedBy, expiry, // #nosec G115
		string(r.Class), r.Source, r.Writer.Channel, r.Writer.Principal, lists[0], r.Kind, lists[1], r.Subject, metadata,
		r.Session, erased, r.Directive, lists[2], lists[3], r.Confidence, r.Salience, r.Pinned, lists[4], r.FoldedInto,
		tag, r.Commit.Hash, parents, string(r.Commit.Change), r.Commit.Actor, r.Commit.Reason,
		r.CreatedAt.UnixMicro(), r.UpdatedAt.UnixMicro(), r.Content,
		signedBy, int64(sketch), terms, // #nosec G115 -- bits
	}, nil
}

// row is where the columns of a record are scanned into.
type row struct {
	record                                     memory.Record
	seq, created, updated                      int64
	expiry                                     sql.NullInt64
	parents, tags, reasons, capped, supersedes sql.NullString
	metadata                                   sql.NullString
	before                                     []byte
}

// targets are where columns go, in their order.
func (s *row) targets() []any {
	r := &s.record
	return []any{
		&r.ID, &r.Namespace, &s.seq, &r.Branch, &r.Zone, &r.State, &r.ApprovedBy, &s.expiry, &r.Class, &r.Source,
		&r.Writer.Channel, &r.Writer.Principal, &s.parents, &r.Kind, &s.tags, &r.Subject, &s.metadata, &r.Session,
		&r.Erased, &r.Directive, &s.reasons, &s.capped, &r.Confidence, &r.Salience, &r.Pinned, &s.supersedes,
		&r.FoldedInto, &r.Tag, &r.Commit.Hash, &s.before, &r.Commit.Change, &r.Commit.Actor, &r.Commit.Reason,
		&s.created, &s.updated, &r.Content,
	}
}

// scanRecord reads the columns of a record and, after them, those of more. A record whose lists do not parse was tampered
// with: it comes back without its tag, so that it does not verify, and does not take those beside it along.
func scanRecord(scan func(...any) error, more ...any) (memory.Record, error) {
	var s row
	if err := scan(append(s.targets(), more...)...); err != nil {
		return memory.Record{}, scanError(err)
	}
	r := &s.record
	r.Seq = uint64(s.seq) // #nosec G115 -- a tampered value fails verification
	r.CreatedAt, r.UpdatedAt = fromMicros(s.created), fromMicros(s.updated)
	if s.expiry.Valid {
		r.Expiry = fromMicros(s.expiry.Int64)
	}
	r.Commit.Parents = splitHashes(s.before)
	for _, list := range []struct {
		text *sql.NullString
		into any
	}{
		{&s.parents, &r.Parents},
		{&s.tags, &r.Tags},
		{&s.reasons, &r.Reasons},
		{&s.capped, &r.CappedBy},
		{&s.supersedes, &r.Supersedes},
		{&s.metadata, &r.Metadata},
	} {
		if list.text.Valid && json.Unmarshal([]byte(list.text.String), list.into) != nil {
			r.Tag = nil
		}
	}
	return *r, nil
}

// splitHashes is the inverse of concatenating hashes.
func splitHashes(joined []byte) (hashes [][]byte) {
	for len(joined) >= sha256.Size {
		hashes, joined = append(hashes, joined[:sha256.Size:sha256.Size]), joined[sha256.Size:]
	}
	return hashes
}

// scanError replaces errors of conversion, which quote the value.
func scanError(err error) error {
	var failure *driver.Error
	if errors.Is(err, sql.ErrNoRows) || errors.As(err, &failure) {
		return err
	}
	return fmt.Errorf("%w: a record has a value of a wrong type", ErrCorrupt)
}

func fromMicros(n int64) time.Time { return time.UnixMicro(n).UTC() }

// microsOrNull is a time as stored where it may be missing.
func microsOrNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMicro()
}

func encodeList(list []string) (any, error) {
	if len(list) == 0 {
		return nil, nil
	}
	text, err := json.Marshal(list)
	return string(text), err
}
