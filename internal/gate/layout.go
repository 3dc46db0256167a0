// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"bytes"
	"crypto/sha256"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance/canon"
)

// hashes reports whether the hash of r's commit is that of r as it stands, in the layout of today or, for a version from
// before there was one, in that of its time. The layout is told by what hashes and not by a field of the row, which whoever
// changes the row could change as well.
func hashes(r memory.Record) bool {
	if sum := r.CommitHash(); bytes.Equal(r.Commit.Hash, sum[:]) {
		return true
	}
	return hashesV1(r)
}

// hashesV1 checks a version written as memcommit/v1. That layout did not cover what memories could not say at the time: a
// version that says it nevertheless was changed.
func hashesV1(r memory.Record) bool {
	if r.Subject != "" || len(r.Metadata) > 0 || len(r.Supersedes) > 0 || r.FoldedInto != "" || r.Pinned ||
		r.Confidence != 0 || r.Salience != 0 || len(r.Erased) > 0 || len(r.Commit.Parents) > 1 {
		return false
	}
	sum := hashV1(r)
	return bytes.Equal(r.Commit.Hash, sum[:])
}

func hashV1(r memory.Record) [sha256.Size]byte {
	var parent []byte
	if len(r.Commit.Parents) > 0 {
		parent = r.Commit.Parents[0]
	}
	content := sha256.Sum256([]byte(r.Content))
	return canon.New("memcommit/v1").
		Bytes(parent).
		String(r.ID).String(r.Namespace).Uint(r.Seq).String(r.Branch).
		String(string(r.Zone)).String(string(r.State)).String(r.ApprovedBy).Time(r.Expiry).
		String(string(r.Class)).String(r.Source).
		String(r.Writer.Channel).String(r.Writer.Principal).
		Strings(r.Parents).String(r.Kind).Strings(r.Tags).String(r.Session).
		Bytes(content[:]).
		Bool(r.Directive).Strings(r.Reasons).Strings(r.CappedBy).
		Bytes(r.Tag).Time(r.CreatedAt).Time(r.UpdatedAt).
		Sum()
}
