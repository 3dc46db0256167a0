// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package postgres

import (
	"context"
	"encoding/json"
	"fmt"

	"memorytrust.dev/operator/internal/memory"
)

// layoutV2 is the layout of a commit's hash, memcommit/v2: Record.CommitHash.
const layoutV2 = 2

// encodeVersion is a record as kept in its history, without what has columns of its own: content, commit and what a purge
// removed.
func encodeVersion(r memory.Record) (string, error) {
	r.Content, r.Erased = "", nil
	body, err := json.Marshal(r.Portable())
	return string(body), err
}

// selectVersions reads what scanVersion takes.
const selectVersions = `SELECT v.body, v.hash, p.hash, m.hash, v.change, v.actor, v.reason, c.sha256, c.content
	FROM memorytrust.versions v
	CROSS JOIN LATERAL (SELECT sha256, content FROM memorytrust.contents WHERE agent = v.agent AND seq = v.content_seq LIMIT 1) c
	LEFT JOIN LATERAL (SELECT hash FROM memorytrust.versions WHERE agent = v.agent AND seq = v.prev_seq LIMIT 1) p ON true
	LEFT JOIN LATERAL (SELECT hash FROM memorytrust.versions WHERE agent = v.agent AND seq = v.merged_seq LIMIT 1) m ON true`

// Versions implements memory.Store. It returns a *memory.FieldError for a question out of bounds and ErrNotFound when the
// namespace never had the record; a history that holds nothing of what was asked for is empty.
func (s *Store) Versions(ctx context.Context, h memory.History) ([]memory.Record, error) {
	if err := h.Validate(); err != nil {
		return nil, err
	}
	const doing = "reading versions"
	w := s.where("v")
	w.add("v.record_id = ?", h.ID)
	w.add("EXISTS (SELECT 1 FROM memorytrust.records WHERE agent = ? AND id = ? AND namespace = ?)", s.agent, h.ID, h.Namespace)
	if len(h.Commit) > 0 {
		w.add("v.hash = ?", h.Commit)
	}
	if !h.At.IsZero() {
		w.add("v.at <= ?", h.At.UnixMicro())
	}
	if h.Before > 0 {
		w.add("v.seq < ?", int64(h.Before)) // #nosec G115 -- counts entries
	}
	query := selectVersions + w.String() + " ORDER BY v.seq DESC" + limited(h.Limit)
	found, err := collect(ctx, s.reader, doing, query, w.args, scanVersion)
	if err != nil || len(found) > 0 {
		return found, err
	}
	_, err = one(ctx, s.reader, doing, "SELECT 1 FROM memorytrust.records WHERE agent = $1 AND id = $2 AND namespace = $3",
		[]any{s.agent, h.ID, h.Namespace}, value[int])
	return nil, err
}

func scanVersion(scan func(...any) error) (memory.Record, error) {
	var (
		body                         string
		commit                       memory.Commit
		before, merged, sum, content []byte
	)
	err := scan(&body, &commit.Hash, &before, &merged, (*string)(&commit.Change), &commit.Actor, &commit.Reason, &sum, &content)
	if err != nil {
		return memory.Record{}, err
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
	r.Commit, r.Content, r.Erased = commit, string(content), nil
	if content == nil {
		r.Erased = sum
	}
	return r, nil
}
