// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"memorytrust.dev/operator/internal/audit"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// liveOnly keeps out what no longer counts as a memory; see memory.Record.Live.
const liveOnly = "r.state NOT IN ('Forgotten', 'Rejected')"

// inNamespace leaves the index on namespaces alone (the unary plus): a store holds few namespaces, and walking records in
// the order asked for beats sorting all of one.
const inNamespace = "+r.namespace = ?"

// where collects conditions and the values bound to them.
type where struct {
	conditions []string
	args       []any
}

func (w *where) add(condition string, args ...any) {
	w.conditions = append(w.conditions, condition)
	w.args = append(w.args, args...)
}

// in adds "column IN (…)" unless the list is empty.
func in[T ~string](w *where, column string, list []T) {
	if len(list) == 0 {
		return
	}
	args := make([]any, len(list))
	for i, v := range list {
		args[i] = string(v)
	}
	w.add(column+" IN ("+placeholders(len(list))+")", args...)
}

func (w *where) String() string {
	if len(w.conditions) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(w.conditions, " AND ")
}

// Get implements memory.Store.
func (s *Store) Get(ctx context.Context, namespace, id string) (memory.Record, error) {
	row := s.reader.QueryRowContext(ctx, "SELECT "+selectColumns+" FROM records r WHERE r.id = ? AND r.namespace = ?", id, namespace)
	record, err := scanRecord(row.Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return memory.Record{}, memory.ErrNotFound
	}
	return record, mapError(ctx, "reading a memory", err)
}

// List implements memory.Store. It returns a *memory.FieldError for a limit out of bounds.
func (s *Store) List(ctx context.Context, f memory.Filter) ([]memory.Record, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	var w where
	if f.Namespace != "" {
		w.add(inNamespace, f.Namespace)
	}
	in(&w, "r.zone", f.Zones)
	in(&w, "r.state", f.States)
	if f.Class != "" {
		w.add("r.class = ?", string(f.Class))
	}
	if !f.IncludeForgotten {
		w.add(liveOnly)
	}
	if f.After != "" {
		w.add("r.id > ?", f.After)
	}
	query := "SELECT " + selectColumns + " FROM records r" + w.String() + " ORDER BY r.id LIMIT ?"
	return collect(ctx, s.reader, "listing memories", query, append(w.args, f.Limit),
		func(scan func(...any) error) (memory.Record, error) { return scanRecord(scan) })
}

// collect runs a query and reads every row.
func collect[T any](ctx context.Context, db *sql.DB, doing, query string, args []any,
	read func(scan func(...any) error) (T, error),
) (out []T, err error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, mapError(ctx, doing, err)
	}
	defer func() { err = errors.Join(err, mapError(ctx, doing, rows.Close())) }()
	for rows.Next() {
		item, err := read(rows.Scan)
		if err != nil {
			return nil, mapError(ctx, doing, err)
		}
		out = append(out, item)
	}
	return out, mapError(ctx, doing, rows.Err())
}

// Counts implements memory.Store.
func (s *Store) Counts(ctx context.Context, namespace string) (memory.Counts, error) {
	counts := memory.Counts{
		ByZone: map[memory.Zone]int64{}, ByState: map[memory.State]int64{}, ByKeyID: map[string]int64{},
	}
	query := "SELECT r.zone, r.state, r.signed_by, count(*) FROM records r WHERE r.namespace = ? AND " + liveOnly +
		" GROUP BY 1, 2, 3"
	_, err := collect(ctx, s.reader, "counting memories", query, []any{namespace}, func(scan func(...any) error) (struct{}, error) {
		var (
			zone   memory.Zone
			state  memory.State
			prefix []byte
			n      int64
		)
		if err := scan(&zone, &state, &prefix, &n); err != nil {
			return struct{}{}, err
		}
		counts.ByZone[zone] += n
		counts.ByState[state] += n
		// TagKeyID wants a whole tag; one more byte makes the prefix long enough.
		if id, ok := provenance.TagKeyID(append(prefix, 0)); ok {
			counts.ByKeyID[id] += n
		}
		return struct{}{}, nil
	})
	counts.PendingReview = counts.ByState[memory.PendingReview]
	return counts, err
}

// headBatch is how many ids one statement of HeadSeq asks for.
const headBatch = 500

// HeadSeq implements memory.Store. An entry whose leaf does not say what its row says is left out: nothing vouches for
// its record.
func (s *Store) HeadSeq(ctx context.Context, ids []string) (map[string]uint64, error) {
	heads := make(map[string]uint64, len(ids))
	for batch := range slices.Chunk(ids, headBatch) {
		if err := s.readHeads(ctx, batch, heads); err != nil {
			return nil, err
		}
	}
	return heads, nil
}

func (s *Store) readHeads(ctx context.Context, ids []string, heads map[string]uint64) error {
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
				heads[id] = seq
			}
			return struct{}{}, nil
		})
	return err
}

// Checkpoint implements memory.Store. It reads size and hashes in one snapshot.
func (s *Store) Checkpoint(ctx context.Context) (memory.Checkpoint, error) {
	const doing = "reading the checkpoint of the audit log"
	tx, err := s.reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return memory.Checkpoint{}, mapError(ctx, doing, err)
	}
	checkpoint, err := readCheckpoint(ctx, tx)
	if err != nil {
		return memory.Checkpoint{}, errors.Join(mapError(ctx, doing, err), rollback(ctx, tx))
	}
	return checkpoint, rollback(ctx, tx)
}

func readCheckpoint(ctx context.Context, tx *sql.Tx) (memory.Checkpoint, error) {
	var size int64
	if err := tx.QueryRowContext(ctx, "SELECT coalesce(max(seq), 0) FROM audit").Scan(&size); err != nil {
		return memory.Checkpoint{}, err
	}
	root, err := audit.Root(size, hashReader(func(index int64) rowScanner {
		return tx.QueryRowContext(ctx, "SELECT hash FROM audit_hashes WHERE idx = ?", index)
	}))
	if err != nil {
		return memory.Checkpoint{}, err
	}
	return memory.Checkpoint{Size: size, Root: root[:]}, nil
}
