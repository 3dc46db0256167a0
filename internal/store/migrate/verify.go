// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"context"
	"fmt"
	"slices"

	"memorytrust.dev/operator/internal/audit"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/store/tables"
)

// verify compares every row of the copy, which nobody changes meanwhile, with the memory, which goes on changing: rows may differ that are
// noted as changed. Those are copied and compared once more.
func (m *move) verify(ctx context.Context) error {
	for _, t := range tables.All {
		if err := m.verifyTable(ctx, t); err != nil {
			return fmt.Errorf("table %s: %w", t.Name, err)
		}
	}
	if err := m.verifyLog(ctx); err != nil {
		return err
	}
	if err := m.verifyWords(ctx); err != nil {
		return err
	}
	return m.catchUp(ctx, true)
}

func (m *move) verifyTable(ctx context.Context, t tables.Table) error {
	for after := tables.Row(nil); ; {
		rows, err := m.from.Rows(ctx, t, after, rowsAtOnce)
		if err != nil {
			return err
		}
		var upTo tables.Row // nil: there are no more
		if len(rows) > 0 {
			upTo = t.Key(rows[len(rows)-1])
		}
		copied, err := m.copied(ctx, t, after, upTo)
		if err != nil {
			return err
		}
		m.digest.Add(t, copied...)
		if err := m.excuse(ctx, t, different(t, rows, copied)); err != nil {
			return err
		}
		m.tell(Verifying, 0)
		if after = upTo; after == nil {
			return nil
		}
	}
}

// copied returns the rows of the copy whose keys come after one and not after another.
func (m *move) copied(ctx context.Context, t tables.Table, after, upTo tables.Row) (out []tables.Row, err error) {
	for {
		rows, err := m.to.Rows(ctx, t, after, upTo, 2*rowsAtOnce)
		out = append(out, rows...)
		if err != nil || len(rows) < 2*rowsAtOnce {
			return out, err
		}
		after = t.Key(rows[len(rows)-1])
	}
}

// excuse returns ErrDiffers unless every row is noted as changed.
func (m *move) excuse(ctx context.Context, t tables.Table, keys map[string]bool) error {
	if len(keys) == 0 {
		return nil
	}
	changed, err := m.from.Changed(ctx, t, false)
	if err != nil {
		return err
	}
	for _, k := range changed {
		delete(keys, k.String())
	}
	if len(keys) > 0 {
		return fmt.Errorf("%d rows: %w", len(keys), ErrDiffers)
	}
	return nil
}

// different returns the keys of the rows that are not in both lists, or not the same.
func different(t tables.Table, rows, copied []tables.Row) map[string]bool {
	there := make(map[string]tables.Row, len(copied))
	for _, r := range copied {
		there[t.Key(r).String()] = r
	}
	out := map[string]bool{}
	for _, r := range rows {
		key := t.Key(r).String()
		if c, ok := there[key]; !ok || !c.Equal(r) {
			out[key] = true
		}
		delete(there, key)
	}
	for key := range there {
		out[key] = true
	}
	return out
}

// verifyLog computes the head of the copied audit log anew from its leaves, and compares it with the hashes that were copied beside them.
func (m *move) verifyLog(ctx context.Context) error {
	t := tables.Named(tables.Audit)
	hashes := tree{}
	size := int64(0)
	for after := tables.Row(nil); ; {
		rows, err := m.to.Rows(ctx, t, after, nil, rowsAtOnce)
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			break
		}
		for _, r := range rows {
			leaf, ok := r[2].([]byte)
			if !ok {
				return fmt.Errorf("the audit log: %w", ErrDiffers)
			}
			stored, err := audit.Append(size, leaf, hashes)
			if err != nil {
				return err
			}
			for _, h := range stored {
				hashes[h.Index] = h.Hash
			}
			size++
		}
		after = t.Key(rows[len(rows)-1])
	}
	there, err := m.to.Checkpoint(ctx)
	if err != nil {
		return err
	}
	root, err := audit.Root(size, hashes)
	if err == nil && !sameHead(there, memory.Checkpoint{Size: size, Root: root[:]}) {
		err = fmt.Errorf("the audit log and its hashes: %w", ErrDiffers)
	}
	return err
}

// tree holds the hashes of a log.
type tree map[int64]audit.Hash

// ReadHashes implements audit.HashReader.
func (t tree) ReadHashes(indexes []int64) ([]audit.Hash, error) {
	out := make([]audit.Hash, len(indexes))
	for i, index := range indexes {
		out[i] = t[index]
	}
	return out, nil
}

// verifyWords compares the copied index with what the copied records make of it. Rows come in different orders, and can be more than fit
// into memory: their sums are compared. Records that changed meanwhile are left out; their words are copied once more.
func (m *move) verifyWords(ctx context.Context) error {
	keys, err := m.from.Changed(ctx, tables.Named(tables.Records), false)
	if err != nil {
		return err
	}
	changed := map[any]bool{}
	for _, k := range keys {
		changed[k[0]] = true
	}
	left := func(rows []tables.Row) []tables.Row {
		return slices.DeleteFunc(slices.Clone(rows), func(r tables.Row) bool { return changed[r[1]] })
	}
	var should, has tables.Digest
	for after := int64(0); ; {
		rows, last, err := m.to.Entries(ctx, after, rowsAtOnce)
		if err != nil {
			return err
		}
		if last == 0 {
			break
		}
		should.Add(tables.Words, left(rows)...)
		after = last
	}
	for after := tables.Row(nil); ; {
		rows, err := m.to.Rows(ctx, tables.Words, after, nil, 8*rowsAtOnce)
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			break
		}
		has.Add(tables.Words, left(rows)...)
		m.digest.Add(tables.Words, rows...)
		m.words += int64(len(rows))
		after = tables.Words.Key(rows[len(rows)-1])
	}
	if should != has {
		return fmt.Errorf("the index: %w", ErrDiffers)
	}
	return nil
}
