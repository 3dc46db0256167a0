// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memory

import (
	"time"

	"memorytrust.dev/operator/internal/provenance"
)

// Portable is a record as JSON, in exports and in the histories of stores, without its commit. The names of its fields are
// those of the API, and part of both formats.
type Portable struct {
	ID         string            `json:"id,omitempty"`
	Namespace  string            `json:"namespace,omitempty"`
	Seq        uint64            `json:"seq,omitempty"`
	Branch     string            `json:"branch,omitempty"`
	Zone       Zone              `json:"zone,omitempty"`
	State      State             `json:"state,omitempty"`
	ApprovedBy string            `json:"approvedBy,omitempty"`
	Expiry     time.Time         `json:"expiry,omitzero"`
	Class      provenance.Class  `json:"class,omitempty"`
	Source     string            `json:"source,omitempty"`
	Channel    string            `json:"channel,omitempty"`
	Principal  string            `json:"principal,omitempty"`
	Parents    []string          `json:"parents,omitempty"`
	Kind       string            `json:"kind,omitempty"`
	Tags       []string          `json:"tags,omitempty"`
	Subject    string            `json:"subject,omitempty"`
	Metadata   map[string]string `json:"metadata,omitempty"`
	Session    string            `json:"session,omitempty"`
	Content    string            `json:"content,omitempty"`
	Erased     []byte            `json:"erased,omitempty"`
	Directive  bool              `json:"directive,omitempty"`
	Reasons    []string          `json:"reasons,omitempty"`
	CappedBy   []string          `json:"cappedBy,omitempty"`
	Confidence int               `json:"confidencePerMille,omitempty"`
	Salience   int               `json:"saliencePerMille,omitempty"`
	Pinned     bool              `json:"pinned,omitempty"`
	Supersedes []string          `json:"supersedes,omitempty"`
	FoldedInto string            `json:"foldedInto,omitempty"`
	Tag        []byte            `json:"tag,omitempty"`
	CreatedAt  time.Time         `json:"createdAt,omitzero"`
	UpdatedAt  time.Time         `json:"updatedAt,omitzero"`
}

// Portable returns the record in its portable form.
func (r Record) Portable() Portable {
	return Portable{
		ID: r.ID, Namespace: r.Namespace, Seq: r.Seq, Branch: r.Branch, Zone: r.Zone, State: r.State, ApprovedBy: r.ApprovedBy,
		Expiry: r.Expiry, Class: r.Class, Source: r.Source, Channel: r.Writer.Channel, Principal: r.Writer.Principal,
		Parents: r.Parents, Kind: r.Kind, Tags: r.Tags, Subject: r.Subject, Metadata: r.Metadata, Session: r.Session,
		Content: r.Content, Erased: r.Erased, Directive: r.Directive, Reasons: r.Reasons, CappedBy: r.CappedBy,
		Confidence: r.Confidence, Salience: r.Salience, Pinned: r.Pinned, Supersedes: r.Supersedes, FoldedInto: r.FoldedInto,
		Tag: r.Tag, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
	}
}

// Record returns the record, Normalized and without a commit.
func (p Portable) Record() Record {
	return Record{
		ID: p.ID, Namespace: p.Namespace, Seq: p.Seq, Branch: p.Branch, Zone: p.Zone, State: p.State, ApprovedBy: p.ApprovedBy,
		Expiry: p.Expiry, Class: p.Class, Source: p.Source, Writer: Writer{Channel: p.Channel, Principal: p.Principal},
		Parents: p.Parents, Kind: p.Kind, Tags: p.Tags, Subject: p.Subject, Metadata: p.Metadata, Session: p.Session,
		Content: p.Content, Erased: p.Erased, Directive: p.Directive, Reasons: p.Reasons, CappedBy: p.CappedBy,
		Confidence: p.Confidence, Salience: p.Salience, Pinned: p.Pinned, Supersedes: p.Supersedes, FoldedInto: p.FoldedInto,
		Tag: p.Tag, CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
	}.Normalized()
}
