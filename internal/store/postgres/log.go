// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package postgres

import (
	"context"
	"fmt"
	"slices"

	"memorytrust.dev/operator/internal/audit"
	"memorytrust.dev/operator/internal/memory"
)

// appendLeaf makes leaf the next entry of the audit log. Its hashes are written at the end of the batch.
func (t *transaction) appendLeaf(leaf []byte) error {
	stored, err := audit.Append(t.head.size, leaf, audit.HashReaderFunc(t.readHashes))
	if err != nil {
		return err
	}
	t.appends = append(t.appends, stored...)
	t.head.size++
	return nil
}

// readHashes reads hashes from memory where it has them; appending needs about one.
func (t *transaction) readHashes(indexes []int64) ([]audit.Hash, error) {
	hashes := make([]audit.Hash, len(indexes))
	var missing []int64
	for i, index := range indexes {
		var there bool
		if hashes[i], there = t.remembered(index); !there {
			missing = append(missing, index)
		}
	}
	if len(missing) == 0 {
		return hashes, nil
	}
	var damaged error
	t.read(selectHashes, []any{t.agent, missing}, func(scan func(...any) error) error {
		index, hash, err := scanHash(scan)
		if err != nil {
			damaged = err
			return nil
		}
		hashes[slices.Index(indexes, index)] = hash
		t.known.hashes[index] = hash
		missing = missing[1:]
		return nil
	})
	if err := t.flush(); err != nil {
		return nil, err
	}
	if damaged == nil && len(missing) > 0 {
		damaged = fmt.Errorf("%w: a hash of the audit log is missing", ErrCorrupt)
	}
	return hashes, damaged
}

// remembered returns a hash of the log as it was, or of what the request that runs appends.
func (t *transaction) remembered(index int64) (audit.Hash, bool) {
	for _, h := range t.appends {
		if h.Index == index {
			return h.Hash, true
		}
	}
	hash, there := t.known.hashes[index]
	return hash, there
}

// writeHashes queues the hashes of all that was appended.
func (t *transaction) writeHashes() {
	if len(t.hashes) == 0 {
		return
	}
	indexes, hashes := make([]int64, len(t.hashes)), make([][]byte, len(t.hashes))
	for i, h := range t.hashes {
		indexes[i], hashes[i] = h.Index, h.Hash[:]
	}
	t.write(`INSERT INTO memorytrust.audit_hashes (agent, idx, hash)
		SELECT $1, u.idx, u.hash FROM unnest($2::bigint[], $3::bytea[]) AS u (idx, hash)`,
		t.agent, indexes, hashes)
}

const selectHashes = "SELECT idx, hash FROM memorytrust.audit_hashes WHERE agent = $1 AND idx = ANY($2)"

func scanHash(scan func(...any) error) (int64, audit.Hash, error) {
	var (
		index  int64
		stored []byte
	)
	if err := scan(&index, &stored); err != nil {
		return 0, audit.Hash{}, err
	}
	if len(stored) != len(audit.Hash{}) {
		return 0, audit.Hash{}, fmt.Errorf("%w: a hash of the audit log has a wrong length", ErrCorrupt)
	}
	return index, audit.Hash(stored), nil
}

// headBatch is how many ids one statement of Heads asks for.
const headBatch = 500

const selectHeads = `SELECT h.seq, u.id, h.leaf FROM unnest($2::text[]) AS u (id)
	CROSS JOIN LATERAL (SELECT seq, leaf FROM memorytrust.audit WHERE agent = $1 AND record_id = u.id ORDER BY seq DESC LIMIT 1) h`

// Heads implements memory.Store. An entry whose leaf does not say what its row says is left out: nothing vouches for its
// record.
func (s *Store) Heads(ctx context.Context, ids []string) (map[string]memory.Head, error) {
	heads := make(map[string]memory.Head, len(ids))
	for batch := range slices.Chunk(ids, headBatch) {
		_, err := collect(ctx, s.reader, "reading heads from the audit log", selectHeads, []any{s.agent, batch},
			func(scan func(...any) error) (struct{}, error) {
				var (
					seq  int64
					id   string
					leaf []byte
				)
				if err := scan(&seq, &id, &leaf); err != nil {
					return struct{}{}, err
				}
				if e, err := audit.DecodeEntry(leaf); err == nil && e.Seq == uint64(seq) && e.RecordID == id { // #nosec G115 -- compared
					heads[id] = memory.Head{Seq: e.Seq, Commit: e.RecordHash}
				}
				return struct{}{}, nil
			})
		if err != nil {
			return nil, err
		}
	}
	return heads, nil
}

// Size implements memory.Store.
func (s *Store) Size(ctx context.Context) (uint64, error) {
	size, err := one(ctx, s.reader, "reading the size of the audit log",
		"SELECT coalesce(max(seq), 0) FROM memorytrust.audit WHERE agent = $1", []any{s.agent}, value[int64])
	return uint64(size), err // #nosec G115 -- counts entries
}

// Checkpoint implements memory.Store. It reads size and hashes in one snapshot.
func (s *Store) Checkpoint(ctx context.Context) (c memory.Checkpoint, err error) {
	const doing = "reading the checkpoint of the audit log"
	err = s.reader.snapshot(ctx, doing, func(conn *readConn) error {
		size, err := one(ctx, conn, doing, "SELECT coalesce(max(seq), 0) FROM memorytrust.audit WHERE agent = $1",
			[]any{s.agent}, value[int64])
		if err != nil {
			return err
		}
		root, err := audit.Root(size, audit.HashReaderFunc(func(indexes []int64) ([]audit.Hash, error) {
			hashes, found := make([]audit.Hash, len(indexes)), 0
			_, err := collect(ctx, conn, doing, selectHashes, []any{s.agent, indexes}, func(scan func(...any) error) (struct{}, error) {
				index, hash, err := scanHash(scan)
				if at := slices.Index(indexes, index); err == nil && at >= 0 {
					hashes[at] = hash
					found++
				}
				return struct{}{}, err
			})
			if err == nil && found < len(indexes) {
				err = fmt.Errorf("%s: %w: a hash of the audit log is missing", doing, ErrCorrupt)
			}
			return hashes, err
		}))
		c = memory.Checkpoint{Size: size, Root: root[:]}
		return err
	})
	if err != nil {
		return memory.Checkpoint{}, err
	}
	return c, nil
}
