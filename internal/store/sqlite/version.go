// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"memorytrust.dev/operator/internal/memory"
)

// Layouts of a commit's hash, as the column versions.layout names them.
const (
	layoutV1 = 1 // memcommit/v1: the hash of the version before, then the fields records had in schema 1
	layoutV2 = 2 // memcommit/v2: Record.CommitHash
)

// encodeVersion is a record as kept in its history, without what has columns of its own: content, commit and what a purge
// removed.
func encodeVersion(r memory.Record) (string, error) {
	r.Content, r.Erased = "", nil
	body, err := json.Marshal(r.Portable())
	return string(body), err
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
	if err := s.written(ctx, h.ID); err != nil {
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
	var v memory.Portable
	if json.Unmarshal([]byte(body), &v) != nil {
		return memory.Record{}, fmt.Errorf("%w: a version does not parse", ErrCorrupt)
	}
	for _, parent := range [][]byte{before, merged} {
		if len(parent) > 0 {
			commit.Parents = append(commit.Parents, parent)
		}
	}
	r := v.Record()
	r.Commit, r.Content, r.Erased = commit, content.String, nil
	if !content.Valid {
		r.Erased = sum
	}
	return r, nil
}
