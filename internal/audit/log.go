// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package audit

import (
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"
)

// The types of the Merkle tree, RFC 6962 as golang.org/x/mod/sumdb/tlog implements it.
type (
	// Hash of a leaf or node, 32 bytes of SHA-256.
	Hash = tlog.Hash
	// HashReader reads stored hashes by their index.
	HashReader = tlog.HashReader
	// HashReaderFunc is a function that is a HashReader.
	HashReaderFunc = tlog.HashReaderFunc
)

// ErrBadProof says that a proof does not connect what it should.
var ErrBadProof = errors.New("audit proof does not verify")

// StoredHash is a hash to persist under its index.
type StoredHash struct {
	Index int64
	Hash  Hash
}

// Append returns the hashes to persist when leaf becomes the next entry of a log of the given size, so far. Index and
// hash of the leaf come first. hashes must read the log as it is before.
func Append(size int64, leaf []byte, hashes HashReader) ([]StoredHash, error) {
	if size < 0 {
		return nil, fmt.Errorf("appending to the audit log: size %d", size)
	}
	made, err := tlog.StoredHashes(size, leaf, hashes)
	if err != nil {
		return nil, fmt.Errorf("appending to the audit log: %w", err)
	}
	first := tlog.StoredHashIndex(0, size)
	stored := make([]StoredHash, len(made))
	for i, h := range made {
		stored[i] = StoredHash{Index: first + int64(i), Hash: h}
	}
	return stored, nil
}

// StoredHashCount is how many hashes a log of size entries has persisted.
func StoredHashCount(size int64) int64 { return tlog.StoredHashCount(size) }

// LeafHash is the hash of an encoded entry.
func LeafHash(leaf []byte) Hash { return tlog.RecordHash(leaf) }

// LeafIndex is the index under which the hash of the entry with this seq is stored. Seq must not be 0.
func LeafIndex(seq uint64) int64 {
	return tlog.StoredHashIndex(0, int64(seq-1)) // #nosec G115 -- seq counts entries of one log
}

// Root is the root hash of a log of size entries; of none it is SHA-256 of nothing.
func Root(size int64, hashes HashReader) (Hash, error) {
	root, err := tlog.TreeHash(size, hashes)
	if err != nil {
		return Hash{}, fmt.Errorf("reading the root of the audit log: %w", err)
	}
	return root, nil
}

// Inclusion proves that the entry with a seq is in a log.
type Inclusion = tlog.RecordProof

// ProveInclusion makes the proof that the entry with seq is in the log of size entries.
func ProveInclusion(size int64, seq uint64, hashes HashReader) (Inclusion, error) {
	if seq == 0 || size < 0 || seq > uint64(size) {
		return nil, fmt.Errorf("proving inclusion: no entry %d in a log of %d", seq, size)
	}
	proof, err := tlog.ProveRecord(size, int64(seq-1), hashes) // #nosec G115 -- at most size
	if err != nil {
		return nil, fmt.Errorf("proving inclusion: %w", err)
	}
	return proof, nil
}

// CheckInclusion checks that leaf is the entry with seq of the log with this size and root. It returns ErrBadProof.
func CheckInclusion(proof Inclusion, size int64, root Hash, seq uint64, leaf []byte) error {
	if seq == 0 || size < 0 || seq > uint64(size) {
		return ErrBadProof
	}
	if err := tlog.CheckRecord(proof, size, root, int64(seq-1), LeafHash(leaf)); err != nil { // #nosec G115 -- at most size
		return fmt.Errorf("%w: %w", ErrBadProof, err)
	}
	return nil
}

// Consistency proves that a log continues an older state of itself.
type Consistency = tlog.TreeProof

// ProveConsistency makes the proof that the log of size entries continues the one of oldSize.
func ProveConsistency(oldSize, size int64, hashes HashReader) (Consistency, error) {
	proof, err := tlog.ProveTree(size, oldSize, hashes)
	if err != nil {
		return nil, fmt.Errorf("proving consistency: %w", err)
	}
	return proof, nil
}

// CheckConsistency checks that the log with size and root continues the one with oldSize and oldRoot. It returns
// ErrBadProof.
func CheckConsistency(proof Consistency, oldSize int64, oldRoot Hash, size int64, root Hash) error {
	if err := tlog.CheckTree(proof, size, root, oldSize, oldRoot); err != nil {
		return fmt.Errorf("%w: %w", ErrBadProof, err)
	}
	return nil
}
