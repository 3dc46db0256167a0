// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// Layouts of a commit's hash, as the column versions.layout names them.
const (
	layoutV1 = 1 // memcommit/v1: the hash of the version before, then the fields records had in schema 1
	layoutV2 = 2 // memcommit/v2: Record.CommitHash
)

// version is a record as kept in its history, without what has columns of its own: content, commit and what a purge
// removed. Field names are part of the file format.
type version struct {
	ID         string            `json:"id"`
	Namespace  string            `json:"namespace"`
	Seq        uint64            `json:"seq"`
	Branch     string            `json:"branch"`
	Zone       memory.Zone       `json:"zone"`
	State      memory.State      `json:"state"`
	ApprovedBy string            `json:"approvedBy,omitempty"`
	Expiry     time.Time         `json:"expiry,omitzero"`
	Class      provenance.Class  `json:"class"`
	Source     string            `json:"source,omitempty"`
	Channel    string            `json:"channel,omitempty"`
	Principal  string            `json:"principal,omitempty"`
	Parents    []string          `json:"parents,omitempty"`
	Kind       string            `json:"kind,omitempty"`
	Tags       []string          `json:"tags,omitempty"`
	Subject    string            `json:"subject,omitempty"`
	Metadata   map[string]string `json:"metadata,omitempty"`
	Session    string            `json:"session,omitempty"`
	Directive  bool              `json:"directive,omitempty"`
	Reasons    []string          `json:"reasons,omitempty"`
	CappedBy   []string          `json:"cappedBy,omitempty"`
	Confidence int               `json:"confidence,omitempty"`
	Salience   int               `json:"salience,omitempty"`
	Pinned     bool              `json:"pinned,omitempty"`
	Supersedes []string          `json:"supersedes,omitempty"`
	FoldedInto string            `json:"foldedInto,omitempty"`
	Tag        []byte            `json:"tag,omitempty"`
	CreatedAt  time.Time         `json:"createdAt"`
	UpdatedAt  time.Time         `json:"updatedAt"`
}

func encodeVersion(r memory.Record) (string, error) {
	body, err := json.Marshal(version{
		ID: r.ID, Namespace: r.Namespace, Seq: r.Seq, Branch: r.Branch, Zone: r.Zone, State: r.State,
		ApprovedBy: r.ApprovedBy, Expiry: r.Expiry, Class: r.Class, Source: r.Source, Channel: r.Writer.Channel,
		Principal: r.Writer.Principal, Parents: r.Parents, Kind: r.Kind, Tags: r.Tags, Subject: r.Subject,
		Metadata: r.Metadata, Session: r.Session, Directive: r.Directive, Reasons: r.Reasons, CappedBy: r.CappedBy,
		Confidence: r.Confidence, Salience: r.Salience, Pinned: r.Pinned, Supersedes: r.Supersedes,
		FoldedInto: r.FoldedInto, Tag: r.Tag, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
	})
	return string(body), err
}

func (v version) record() memory.Record {
	return memory.Record{
		ID: v.ID, Namespace: v.Namespace, Seq: v.Seq, Branch: v.Branch, Zone: v.Zone, State: v.State,
		ApprovedBy: v.ApprovedBy, Expiry: v.Expiry, Class: v.Class, Source: v.Source,
		Writer: memory.Writer{Channel: v.Channel, Principal: v.Principal}, Parents: v.Parents, Kind: v.Kind, Tags: v.Tags,
		Subject: v.Subject, Metadata: v.Metadata, Session: v.Session, Directive: v.Directive, Reasons: v.Reasons,
		CappedBy: v.CappedBy, Confidence: v.Confidence, Salience: v.Salience, Pinned: v.Pinned, Supersedes: v.Supersedes,
		FoldedInto: v.FoldedInto, Tag: v.Tag, CreatedAt: v.CreatedAt, UpdatedAt: v.UpdatedAt,
	}
}

// selectVersions reads what scanVersion takes.
const selectVersions = `SELECT v.body, v.hash, p.hash, m.hash, v.change, v.actor, v.reason, c.sha256, c.content
	FROM versions v JOIN contents c ON c.seq = v.content_seq
	LEFT JOIN versions p ON p.seq = v.prev_seq LEFT JOIN versions m ON m.seq = v.merged_seq`

// Versions implements memory.Store. It returns a *memory.FieldError for a question out of bounds and ErrNotFound when the
// namespace never had the record; a history that holds nothing of what was asked for is empty.
func (s *Store) Versions(ctx context.Context, h memory.History) ([]memory.Record, error) {
	if err := h.Validate(); err != nil {
		return nil, err
	}
	var w where
	w.add("v.record_id = ?", h.ID)
	w.add("EXISTS (SELECT 1 FROM records r WHERE r.id = v.record_id AND r.namespace = ?)", h.Namespace)
	if len(h.Commit) > 0 {
		w.add("v.hash = ?", h.Commit)
	}
	if !h.At.IsZero() {
		w.add("v.at <= ?", h.At.UnixMicro())
	}
	if h.Before > 0 {
		w.add("v.seq < ?", int64(h.Before)) // #nosec G115 -- counts entries
	}
	query := selectVersions + w.String() + " ORDER BY v.seq DESC LIMIT ?"
	found, err := collect(ctx, s.reader, "reading versions", query, append(w.args, h.Limit), scanVersion)
	if err != nil || len(found) > 0 {
		return found, err
	}
	_, err = one(ctx, s.reader, "reading versions", "SELECT 1 FROM records WHERE id = ? AND namespace = ?",
		[]any{h.ID, h.Namespace}, value[int])
	return nil, err
}

func scanVersion(scan func(...any) error) (memory.Record, error) {
	var (
		body                string
		commit              memory.Commit
		before, merged, sum []byte
		content             sql.NullString
	)
	if err := scan(&body, &commit.Hash, &before, &merged, &commit.Change, &commit.Actor, &commit.Reason, &sum, &content); err != nil {
		return memory.Record{}, scanError(err)
	}
	var v version
	if json.Unmarshal([]byte(body), &v) != nil {
		return memory.Record{}, fmt.Errorf("%w: a version does not parse", ErrCorrupt)
	}
	for _, parent := range [][]byte{before, merged} {
		if len(parent) > 0 {
			commit.Parents = append(commit.Parents, parent)
		}
	}
	r := v.record()
	r.Commit, r.Content = commit, content.String
	if !content.Valid {
		r.Erased = sum
	}
	return r, nil
}
