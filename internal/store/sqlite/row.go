// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	driver "modernc.org/sqlite"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// columns of a record in the order of values and scanRecord. The content stands last in the row, so that reading the
// others does not follow its overflow pages.
var columns = []string{
	"id", "namespace", "seq", "branch", "zone", "state", "approved_by", "expiry", "class", "source", "channel",
	"principal", "parents", "kind", "tags", "session", "directive", "reasons", "capped_by", "tag", "created_at",
	"updated_at", "content",
}

// stored are the columns that a commit writes, in the order of values: those of a record and, last, its key.
var stored = append(slices.Clone(columns), "signed_by")

// signedByBytes is the length of the prefix of a tag that names its key.
const signedByBytes = 5

// selectColumns lists the columns of the table alias r.
var selectColumns = "r." + strings.Join(columns, ", r.")

// values are the bound values of the stored columns.
func values(r memory.Record) ([]any, error) {
	var lists [4]any
	for i, l := range [][]string{r.Parents, r.Tags, r.Reasons, r.CappedBy} {
		text, err := encodeList(l)
		if err != nil {
			return nil, err
		}
		lists[i] = text
	}
	var expiry, tag, signedBy any
	if !r.Expiry.IsZero() {
		expiry = r.Expiry.UnixMicro()
	}
	if len(r.Tag) > 0 {
		tag, signedBy = r.Tag, r.Tag[:min(len(r.Tag), signedByBytes)]
	}
	return []any{
		r.ID, r.Namespace, int64(r.Seq), r.Branch, string(r.Zone), string(r.State), r.ApprovedBy, expiry, // #nosec G115
		string(r.Class), r.Source, r.Writer.Channel, r.Writer.Principal, lists[0], r.Kind, lists[1], r.Session,
		r.Directive, lists[2], lists[3], tag, r.CreatedAt.UnixMicro(), r.UpdatedAt.UnixMicro(), r.Content,
		signedBy,
	}, nil
}

// scanRecord reads the columns of a record and, after them, those of more. A record whose lists do not parse was tampered
// with: it comes back without its tag, so that it does not verify, and does not take those beside it along.
func scanRecord(scan func(...any) error, more ...any) (memory.Record, error) {
	var (
		r                              memory.Record
		seq, created, updated          int64
		expiry                         sql.NullInt64
		parents, tags, reasons, capped sql.NullString
	)
	targets := []any{
		&r.ID, &r.Namespace, &seq, &r.Branch, &r.Zone, &r.State, &r.ApprovedBy, &expiry, &r.Class, &r.Source,
		&r.Writer.Channel, &r.Writer.Principal, &parents, &r.Kind, &tags, &r.Session, &r.Directive, &reasons, &capped,
		&r.Tag, &created, &updated, &r.Content,
	}
	if err := scan(append(targets, more...)...); err != nil {
		return memory.Record{}, scanError(err)
	}
	r.Seq = uint64(seq) // #nosec G115 -- a tampered value fails verification
	r.CreatedAt, r.UpdatedAt = fromMicros(created), fromMicros(updated)
	if expiry.Valid {
		r.Expiry = fromMicros(expiry.Int64)
	}
	for text, into := range map[*sql.NullString]*[]string{&parents: &r.Parents, &tags: &r.Tags, &reasons: &r.Reasons, &capped: &r.CappedBy} {
		if text.Valid && json.Unmarshal([]byte(text.String), into) != nil {
			*into, r.Tag = nil, nil
		}
	}
	return r, nil
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

func encodeList(list []string) (any, error) {
	if len(list) == 0 {
		return nil, nil
	}
	text, err := json.Marshal(list)
	return string(text), err
}

// version is a record as kept in its history. Field names are part of the file format.
type version struct {
	ID         string           `json:"id"`
	Namespace  string           `json:"namespace"`
	Seq        uint64           `json:"seq"`
	Branch     string           `json:"branch"`
	Zone       memory.Zone      `json:"zone"`
	State      memory.State     `json:"state"`
	ApprovedBy string           `json:"approvedBy,omitempty"`
	Expiry     time.Time        `json:"expiry,omitzero"`
	Class      provenance.Class `json:"class"`
	Source     string           `json:"source,omitempty"`
	Channel    string           `json:"channel,omitempty"`
	Principal  string           `json:"principal,omitempty"`
	Parents    []string         `json:"parents,omitempty"`
	Kind       string           `json:"kind,omitempty"`
	Tags       []string         `json:"tags,omitempty"`
	Session    string           `json:"session,omitempty"`
	Content    string           `json:"content"`
	Directive  bool             `json:"directive,omitempty"`
	Reasons    []string         `json:"reasons,omitempty"`
	CappedBy   []string         `json:"cappedBy,omitempty"`
	Tag        []byte           `json:"tag,omitempty"`
	CreatedAt  time.Time        `json:"createdAt"`
	UpdatedAt  time.Time        `json:"updatedAt"`
}

func encodeVersion(r memory.Record) (string, error) {
	body, err := json.Marshal(version{
		ID: r.ID, Namespace: r.Namespace, Seq: r.Seq, Branch: r.Branch, Zone: r.Zone, State: r.State,
		ApprovedBy: r.ApprovedBy, Expiry: r.Expiry, Class: r.Class, Source: r.Source, Channel: r.Writer.Channel,
		Principal: r.Writer.Principal, Parents: r.Parents, Kind: r.Kind, Tags: r.Tags, Session: r.Session,
		Content: r.Content, Directive: r.Directive, Reasons: r.Reasons, CappedBy: r.CappedBy, Tag: r.Tag,
		CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
	})
	return string(body), err
}
