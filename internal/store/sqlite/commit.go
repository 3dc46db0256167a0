// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"memorytrust.dev/operator/internal/audit"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/store/sqlite/words"
)

// commitStatements are prepared once; every write uses all of them.
type commitStatements struct {
	size, head, previous, exists, put, version, lineage, leaf, readHash, putHash, unindex, index *sql.Stmt
}

func prepareCommit(ctx context.Context, db *sql.DB) (c commitStatements, err error) {
	assignments := make([]string, 0, len(stored))
	for _, name := range stored[1:] { // all but id
		assignments = append(assignments, name+" = excluded."+name)
	}
	put := fmt.Sprintf("INSERT INTO records (%s) VALUES (%s) ON CONFLICT (id) DO UPDATE SET %s RETURNING rid",
		strings.Join(stored, ", "), placeholders(len(stored)), strings.Join(assignments, ", "))
	for _, p := range []struct {
		stmt **sql.Stmt
		text string
	}{
		{&c.size, "SELECT coalesce(max(seq), 0) FROM audit"},
		{&c.head, "SELECT coalesce(max(seq), 0) FROM audit WHERE record_id = ?"},
		{&c.previous, "SELECT hash FROM versions WHERE seq = ?"},
		{&c.exists, "SELECT count(*) FROM records WHERE id = ? AND namespace = ?"},
		{&c.put, put},
		{&c.version, "INSERT INTO versions (seq, record_id, prev_seq, hash, body) VALUES (?, ?, ?, ?, ?)"},
		{&c.lineage, "INSERT OR IGNORE INTO lineage (child, parent) VALUES (?, ?)"},
		{&c.leaf, "INSERT INTO audit (seq, record_id, leaf) VALUES (?, ?, ?)"},
		{&c.readHash, "SELECT hash FROM audit_hashes WHERE idx = ?"},
		{&c.putHash, "INSERT INTO audit_hashes (idx, hash) VALUES (?, ?)"},
		{&c.unindex, "DELETE FROM records_fts WHERE rowid = ?"},
		{&c.index, "INSERT INTO records_fts (rowid, body) VALUES (?, ?)"},
	} {
		if *p.stmt, err = db.PrepareContext(ctx, p.text); err != nil {
			return c, err
		}
	}
	return c, nil
}

func (c commitStatements) close() error {
	var errs []error
	for _, stmt := range []*sql.Stmt{
		c.size, c.head, c.previous, c.exists, c.put, c.version, c.lineage, c.leaf, c.readHash, c.putHash, c.unindex, c.index,
	} {
		if stmt != nil {
			errs = append(errs, stmt.Close())
		}
	}
	return errors.Join(errs...)
}

// Commit implements memory.Store. It returns a *memory.FieldError for a change that cannot be stored, ErrNotFound for a
// change of a record that never was in its namespace, and ErrConflict when the record's newest audit entry is not ExpectSeq
// or a new record's id is taken.
func (s *Store) Commit(ctx context.Context, c memory.Change) (memory.Record, error) {
	c.Record = c.Record.Normalized()
	if err := c.Validate(); err != nil {
		return memory.Record{}, err
	}
	tx, err := s.writer.BeginTx(ctx, nil)
	if err != nil {
		return memory.Record{}, mapError(ctx, "beginning a commit", err)
	}
	w := &commitTx{ctx: ctx, tx: tx, stmts: s.commit, change: c}
	if err := w.run(); err != nil {
		return memory.Record{}, errors.Join(mapError(ctx, "committing a memory", err), rollback(ctx, tx))
	}
	if err := tx.Commit(); err != nil {
		return memory.Record{}, mapError(ctx, "committing a memory", err)
	}
	return w.change.Record, nil
}

// rollback hides that a canceled context has already rolled back.
func rollback(ctx context.Context, tx *sql.Tx) error {
	if err := tx.Rollback(); err != nil && !errors.Is(err, sql.ErrTxDone) {
		return fmt.Errorf("rolling back: %w", mapError(context.WithoutCancel(ctx), "memory store", err))
	}
	return nil
}

// commitTx is one running commit.
type commitTx struct {
	ctx    context.Context
	tx     *sql.Tx
	stmts  commitStatements
	change memory.Change
	parent []byte // hash of the version before
	size   int64  // of the audit log before
}

func (w *commitTx) run() error {
	if err := w.checkHead(); err != nil {
		return err
	}
	if err := w.sign(); err != nil {
		return err
	}
	hash := w.change.Record.CommitHash(w.parent)
	if err := w.putRecord(); err != nil {
		return err
	}
	if err := w.putVersion(hash[:]); err != nil {
		return err
	}
	return w.putAudit(hash)
}

// checkHead compares with the audit log and not with the row: whoever rolled the row back must not thereby decide which
// version is the newest.
func (w *commitTx) checkHead() error {
	id, expect := w.change.Record.ID, w.change.ExpectSeq
	var head, inNamespace int64
	if err := w.row(w.stmts.size).Scan(&w.size); err != nil {
		return err
	}
	if err := w.row(w.stmts.head, id).Scan(&head); err != nil {
		return err
	}
	if expect > 0 {
		if err := w.row(w.stmts.exists, id, w.change.Record.Namespace).Scan(&inNamespace); err != nil {
			return err
		}
		if inNamespace == 0 {
			return memory.ErrNotFound
		}
	}
	if uint64(head) != expect { // #nosec G115 -- counts entries
		return memory.ErrConflict
	}
	if head == 0 {
		return nil
	}
	return w.row(w.stmts.previous, head).Scan(&w.parent)
}

func (w *commitTx) sign() error {
	r := &w.change.Record
	r.Seq, r.Tag = uint64(w.size)+1, nil // #nosec G115 -- counts entries
	if w.change.Sign == nil {
		return nil
	}
	tag, err := w.change.Sign(*r)
	if err != nil {
		return fmt.Errorf("signing: %w", err)
	}
	r.Tag = tag
	return nil
}

func (w *commitTx) putRecord() error {
	r := w.change.Record
	bound, err := values(r)
	if err != nil {
		return err
	}
	var rid int64
	if err := w.row(w.stmts.put, bound...).Scan(&rid); err != nil {
		return err
	}
	if w.change.ExpectSeq > 0 {
		if err := w.exec(w.stmts.unindex, rid); err != nil {
			return err
		}
	}
	if r.Live() {
		if err := w.exec(w.stmts.index, rid, words.Searchable(r.Content)); err != nil {
			return err
		}
	}
	for _, parent := range r.Parents {
		if err := w.exec(w.stmts.lineage, r.ID, parent); err != nil {
			return err
		}
	}
	return nil
}

func (w *commitTx) putVersion(hash []byte) error {
	r := w.change.Record
	body, err := encodeVersion(r)
	if err != nil {
		return err
	}
	return w.exec(w.stmts.version, int64(r.Seq), r.ID, int64(w.change.ExpectSeq), hash, body) // #nosec G115
}

func (w *commitTx) putAudit(hash [32]byte) error {
	r := w.change.Record
	leaf := audit.Entry{
		Seq: r.Seq, Namespace: r.Namespace, RecordID: r.ID, PrevSeq: w.change.ExpectSeq, Change: string(w.change.Type),
		Actor: w.change.Actor, Reason: w.change.Reason, Time: r.UpdatedAt, RecordHash: hash,
	}.Encode()
	if err := w.exec(w.stmts.leaf, int64(r.Seq), r.ID, leaf); err != nil { // #nosec G115
		return err
	}
	hashes, err := audit.Append(w.size, leaf, hashReader(func(index int64) rowScanner { return w.row(w.stmts.readHash, index) }))
	if err != nil {
		return err
	}
	for _, h := range hashes {
		if err := w.exec(w.stmts.putHash, h.Index, h.Hash[:]); err != nil {
			return err
		}
	}
	return nil
}

func (w *commitTx) row(stmt *sql.Stmt, args ...any) *sql.Row {
	return w.tx.StmtContext(w.ctx, stmt).QueryRowContext(w.ctx, args...)
}

func (w *commitTx) exec(stmt *sql.Stmt, args ...any) error {
	_, err := w.tx.StmtContext(w.ctx, stmt).ExecContext(w.ctx, args...)
	return err
}

type rowScanner interface{ Scan(dest ...any) error }

// hashReader reads stored hashes of the audit log one by one; appending needs about one, a root at most 63.
func hashReader(read func(index int64) rowScanner) audit.HashReader {
	return audit.HashReaderFunc(func(indexes []int64) ([]audit.Hash, error) {
		hashes := make([]audit.Hash, len(indexes))
		for i, index := range indexes {
			var stored []byte
			if err := read(index).Scan(&stored); err != nil {
				return nil, err
			}
			if copy(hashes[i][:], stored) != len(hashes[i]) {
				return nil, fmt.Errorf("%w: a hash of the audit log has a wrong length", ErrCorrupt)
			}
		}
		return hashes, nil
	})
}

func placeholders(n int) string { return strings.TrimSuffix(strings.Repeat("?, ", n), ", ") }
