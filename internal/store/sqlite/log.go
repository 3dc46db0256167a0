// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"context"
	"fmt"
	"slices"

	"memorytrust.dev/operator/internal/audit"
	"memorytrust.dev/operator/internal/memory"
)

// keptHashes bounds how many hashes of the log the writer remembers. Appending needs about one of those appended last.
const keptHashes = 4096

// appendLeaf makes leaf the next entry of the audit log.
func (w *writer) appendLeaf(recordID string, leaf []byte) error {
	if err := w.exec(w.stmts.leaf, w.size+1, recordID, leaf); err != nil {
		return err
	}
	stored, err := audit.Append(w.size, leaf, audit.HashReaderFunc(w.readHashes))
	if err != nil {
		return err
	}
	if w.hashes == nil || len(w.hashes) > keptHashes {
		w.hashes = map[int64]audit.Hash{}
	}
	for _, h := range stored {
		if err := w.exec(w.stmts.putHash, h.Index, h.Hash[:]); err != nil {
			return err
		}
		w.hashes[h.Index] = h.Hash
	}
	w.size++
	return nil
}

// readHashes reads hashes one by one, from memory where it has them; appending needs about one.
func (w *writer) readHashes(indexes []int64) ([]audit.Hash, error) {
	hashes := make([]audit.Hash, len(indexes))
	for i, index := range indexes {
		known, ok := w.hashes[index]
		if !ok {
			var stored []byte
			err := w.row(w.stmts.readHash, index).Scan(&stored)
			if err != nil {
				return nil, err
			}
			if known, err = toHash(stored); err != nil {
				return nil, err
			}
		}
		hashes[i] = known
	}
	return hashes, nil
}

func toHash(stored []byte) (audit.Hash, error) {
	if len(stored) != len(audit.Hash{}) {
		return audit.Hash{}, fmt.Errorf("%w: a hash of the audit log has a wrong length", ErrCorrupt)
	}
	return audit.Hash(stored), nil
}

// headBatch is how many ids one statement of Heads asks for.
const headBatch = 500

// Heads implements memory.Store. An entry whose leaf does not say what its row says is left out: nothing vouches for its
// record.
func (s *Store) Heads(ctx context.Context, ids []string) (map[string]memory.Head, error) {
	heads := make(map[string]memory.Head, len(ids))
	if len(ids) == 0 {
		return heads, nil
	}
	if err := s.written(ctx, ids...); err != nil {
		return nil, err
	}
	for batch := range slices.Chunk(ids, headBatch) {
		if err := s.readHeads(ctx, batch, heads); err != nil {
			return nil, err
		}
	}
	return heads, nil
}

func (s *Store) readHeads(ctx context.Context, ids []string, heads map[string]memory.Head) error {
	var w where
	in(&w, "record_id", ids)
	query := "SELECT a.seq, a.record_id, a.leaf FROM (SELECT max(seq) AS seq FROM audit" + w.String() +
		" GROUP BY record_id) newest JOIN audit a ON a.seq = newest.seq"
	_, err := collect(ctx, s.reader, "reading heads from the audit log", query, w.args,
		func(scan func(...any) error) (struct{}, error) {
			var (
				seq  uint64
				id   string
				leaf []byte
			)
			if err := scan(&seq, &id, &leaf); err != nil {
				return struct{}{}, err
			}
			if e, err := audit.DecodeEntry(leaf); err == nil && e.Seq == seq && e.RecordID == id {
				heads[id] = memory.Head{Seq: seq, Commit: e.RecordHash}
			}
			return struct{}{}, nil
		})
	return err
}

// Size implements memory.Store. While this is the only process that works with the store, its writer knows.
func (s *Store) Size(ctx context.Context) (uint64, error) {
	b, err := s.alone(ctx)
	if err != nil {
		return 0, err
	}
	if b != nil {
		if size, known := b.logSize(); known {
			return size, nil
		}
	}
	size, err := one(ctx, s.reader, "reading the size of the audit log", "SELECT coalesce(max(seq), 0) FROM audit", nil, value[int64])
	return uint64(size), err // #nosec G115 -- counts entries
}

// Checkpoint implements memory.Store. It reads size and hashes in one snapshot.
func (s *Store) Checkpoint(ctx context.Context) (c memory.Checkpoint, err error) {
	const doing = "reading the checkpoint of the audit log"
	if err := s.written(ctx); err != nil {
		return c, err
	}
	err = s.reader.snapshot(ctx, doing, func(conn *readConn) error {
		size, err := one(ctx, conn, doing, "SELECT coalesce(max(seq), 0) FROM audit", nil, value[int64])
		if err != nil {
			return err
		}
		root, err := audit.Root(size, audit.HashReaderFunc(func(indexes []int64) ([]audit.Hash, error) {
			hashes := make([]audit.Hash, len(indexes))
			for i, index := range indexes {
				stored, err := one(ctx, conn, doing, "SELECT hash FROM audit_hashes WHERE idx = ?", []any{index}, value[[]byte])
				if err != nil {
					return nil, err
				}
				if hashes[i], err = toHash(stored); err != nil {
					return nil, err
				}
			}
			return hashes, nil
		}))
		c = memory.Checkpoint{Size: size, Root: root[:]}
		return err
	})
	if err != nil {
		return memory.Checkpoint{}, err
	}
	return c, nil
}
