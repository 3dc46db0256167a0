// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memory

import (
	"crypto/sha256"

	"memorytrust.dev/operator/internal/provenance"
	"memorytrust.dev/operator/internal/provenance/canon"
)

// labelCommit names the layout of a commit's hash. Another layout gets another label.
const labelCommit = "memcommit/v1"

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
		ContentSHA256: sha256.Sum256([]byte(r.Content)),
	}
}

// CommitHash is the content address of this version of r: it covers every field, the tag, and the hash of the version
// before (nil for the first), so that the history of a record is a chain that cannot be rewired unnoticed.
func (r Record) CommitHash(parent []byte) [sha256.Size]byte {
	content := sha256.Sum256([]byte(r.Content))
	return canon.New(labelCommit).
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
