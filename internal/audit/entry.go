// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package audit is the tamper-evident log of everything that happens to an agent's memory: one entry per change, each a
// leaf of an RFC 6962 Merkle tree. Whoever keeps an old checkpoint can tell whether anything before it was altered,
// dropped or reordered since. The package is pure; a store persists entries and hashes in its own transactions.
package audit

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"memorytrust.dev/operator/internal/provenance/canon"
)

const labelEntry = "memaudit/v1"

// ErrMalformedEntry says that bytes are not an encoded entry.
var ErrMalformedEntry = errors.New("malformed audit entry")

// Entry is one change, as a leaf of the log. It holds no memory content.
type Entry struct {
	Seq       uint64 // 1 for the first entry: its index in the log plus one
	Namespace string
	RecordID  string
	PrevSeq   uint64 // entry of the version before, 0 for the first
	Change    string // change type
	Actor     string
	Reason    string
	Time      time.Time // microseconds, UTC
	// RecordHash is the hash of the version written, which covers all of its fields, zone, state, content and tag
	// among them, and the hash of the version before.
	RecordHash [sha256.Size]byte
}

// Encode returns the canonical bytes of e, the data of its leaf.
func (e Entry) Encode() []byte {
	return canon.New(labelEntry).
		Uint(e.Seq).
		String(e.Namespace).
		String(e.RecordID).
		Uint(e.PrevSeq).
		String(e.Change).
		String(e.Actor).
		String(e.Reason).
		Time(e.Time).
		Bytes(e.RecordHash[:]).
		Message()
}

// DecodeEntry reads what Encode wrote; anything else is ErrMalformedEntry.
func DecodeEntry(data []byte) (Entry, error) {
	d := canon.Open(labelEntry, data)
	e := Entry{
		Seq:       d.Uint(),
		Namespace: d.String(),
		RecordID:  d.String(),
		PrevSeq:   d.Uint(),
		Change:    d.String(),
		Actor:     d.String(),
		Reason:    d.String(),
		Time:      d.Time(),
	}
	hash := d.Bytes()
	if err := d.Close(); err != nil {
		return Entry{}, fmt.Errorf("%w: %w", ErrMalformedEntry, err)
	}
	if len(hash) != sha256.Size {
		return Entry{}, fmt.Errorf("%w: record hash of %d bytes", ErrMalformedEntry, len(hash))
	}
	copy(e.RecordHash[:], hash)
	return e, nil
}
