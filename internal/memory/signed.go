// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memory

import (
	"crypto/sha256"
	"maps"
	"slices"

	"memorytrust.dev/operator/internal/provenance"
	"memorytrust.dev/operator/internal/provenance/canon"
)

// labelCommit names the layout of a commit's hash. Another layout gets another label.
const labelCommit = "memcommit/v2"

// String is the canonical name of a writer, as in signed tuples and the audit log: "agent" for the agent's own port,
// "channel/<name>/<principal>" for a channel. Channel names hold no slash.
func (w Writer) String() string {
	if !w.Authenticated() {
		return "agent"
	}
	return "channel/" + w.Channel + "/" + w.Principal
}

// Tuple is what the provenance tag of r covers, for the agent with this id.
func (r Record) Tuple(agentID string) provenance.Tuple {
	return provenance.Tuple{
		AgentID:       agentID,
		Namespace:     r.Namespace,
		RecordID:      r.ID,
		Seq:           r.Seq,
		Branch:        r.Branch,
		Zone:          string(r.Zone),
		State:         string(r.State),
		ApprovedBy:    r.ApprovedBy,
		Expiry:        r.Expiry,
		Class:         r.Class,
		BaseSource:    r.Source,
		Writer:        r.Writer.String(),
		Parents:       r.Parents,
		ContentSHA256: r.contentHash(),
	}
}

// contentHash is that of the content, also after a purge has removed it: hashes and tags outlive what they cover. Where there
// is a content, nothing else can stand in for it.
func (r Record) contentHash() [sha256.Size]byte {
	if r.Content == "" && len(r.Erased) == sha256.Size {
		return [sha256.Size]byte(r.Erased)
	}
	return sha256.Sum256([]byte(r.Content))
}

// CommitHash is the content address of this version of r: it covers every field, the tag and with it the signer, the
// change that made it, and the hashes of the versions before, so that a history cannot be rewired unnoticed. It stays the
// same when a purge erases the content.
func (r Record) CommitHash() [sha256.Size]byte {
	content := r.contentHash()
	e := canon.New(labelCommit).Uint(uint64(len(r.Commit.Parents)))
	for _, parent := range r.Commit.Parents {
		e.Bytes(parent)
	}
	e.String(string(r.Commit.Change)).String(r.Commit.Actor).String(r.Commit.Reason).
		String(r.ID).String(r.Namespace).Uint(r.Seq).String(r.Branch).
		String(string(r.Zone)).String(string(r.State)).String(r.ApprovedBy).Time(r.Expiry).
		String(string(r.Class)).String(r.Source).
		String(r.Writer.Channel).String(r.Writer.Principal).
		Strings(r.Parents).String(r.Kind).Strings(r.Tags).String(r.Subject).String(r.Session).
		Bytes(content[:]).
		Bool(r.Directive).Strings(r.Reasons).Strings(r.CappedBy).
		Uint(uint64(r.Confidence)).Uint(uint64(r.Salience)).Bool(r.Pinned). // #nosec G115 -- 0 to 1000
		Strings(r.Supersedes).String(r.FoldedInto).
		Uint(uint64(len(r.Metadata)))
	for _, key := range slices.Sorted(maps.Keys(r.Metadata)) {
		e.String(key).String(r.Metadata[key])
	}
	return e.Bytes(r.Tag).Time(r.CreatedAt).Time(r.UpdatedAt).Sum()
}
