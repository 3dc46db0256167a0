// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"memorytrust.dev/operator/internal/audit"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/store/fulltext"
	"memorytrust.dev/operator/internal/store/words"
)

// upgrades are what migrations need beside their SQL, by number. They run after it, in the same transaction.
var upgrades = map[int]func(ctx context.Context, tx *sql.Tx) error{2: copyHistory}

// copyRecords copies what schema 1 knew of records. Rows are copied as they are: one that was tampered with is none that
// verifies, before as after.
const copyRecords = `
	INSERT INTO namespaces (name) SELECT DISTINCT namespace FROM records_1 ORDER BY 1;
	INSERT INTO records (rid, id, namespace, seq, branch, zone, state, approved_by, expiry, class, source, channel,
		principal, parents, kind, tags, subject, session, directive, reasons, capped_by, confidence, salience, pinned,
		folded_into, tag, commit_hash, commit_parents, change, actor, reason, created_at, updated_at, signed_by, sketch,
		terms, content)
	SELECT r.rid, r.id, r.namespace, r.seq, r.branch, r.zone, r.state, r.approved_by, r.expiry, r.class, r.source, r.channel,
		r.principal, r.parents, r.kind, r.tags, '', r.session, r.directive, r.reasons, r.capped_by, 0, 0, 0,
		'', r.tag, coalesce(v.hash, x''), p.hash, '', '', '', r.created_at, r.updated_at, r.signed_by, 0,
		0, r.content
	FROM records_1 r LEFT JOIN versions_1 v ON v.seq = r.seq LEFT JOIN versions_1 p ON p.seq = v.prev_seq;
	INSERT INTO lineage SELECT child, parent FROM lineage_1;
`

// dropOld ends the upgrade. Children go before the tables they refer to.
const dropOld = "DROP TABLE lineage_1; DROP TABLE versions_1; DROP TABLE records_1; DROP TABLE deliveries_1;"

// copyBatch is how many versions are in memory at once.
const copyBatch = 200

// selectOld reads versions of schema 1. The audit log says which one is the newest of its record.
const selectOld = `SELECT v.seq, v.record_id, v.prev_seq, v.hash, v.body, a.leaf,
		v.seq = (SELECT max(seq) FROM audit WHERE record_id = v.record_id), n.id, r.rid
	FROM versions_1 v JOIN audit a ON a.seq = v.seq JOIN records r ON r.id = v.record_id
	JOIN namespaces n ON n.name = r.namespace
	WHERE v.seq > ? ORDER BY v.seq LIMIT ?`

// oldVersion is a version of schema 1, whose body held the content as well.
type oldVersion struct {
	seq, prev, namespace, rid int64
	recordID                  string
	hash, leaf                []byte
	body                      string
	newest                    bool
}

// copyHistory is the part of migration 2 that SQL cannot do: contents are taken out of the bodies of versions, and records
// are indexed anew.
func copyHistory(ctx context.Context, tx *sql.Tx) error {
	if _, err := tx.ExecContext(ctx, copyRecords); err != nil {
		return err
	}
	var last int64
	for {
		batch, err := readOld(ctx, tx, last)
		if err != nil {
			return err
		}
		if len(batch) == 0 {
			break
		}
		for _, old := range batch {
			if err := old.copy(ctx, tx); err != nil {
				return err
			}
			last = old.seq
		}
	}
	var missing int64
	err := tx.QueryRowContext(ctx, "SELECT (SELECT count(*) FROM versions_1) - (SELECT count(*) FROM versions)").Scan(&missing)
	if err != nil {
		return err
	}
	if missing != 0 {
		return fmt.Errorf("%w: %d versions are not in the audit log", ErrCorrupt, missing)
	}
	_, err = tx.ExecContext(ctx, dropOld)
	return err
}

func readOld(ctx context.Context, tx *sql.Tx, after int64) (batch []oldVersion, err error) {
	rows, err := tx.QueryContext(ctx, selectOld, after, copyBatch)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var v oldVersion
		if err := rows.Scan(&v.seq, &v.recordID, &v.prev, &v.hash, &v.body, &v.leaf, &v.newest, &v.namespace, &v.rid); err != nil {
			return nil, scanError(err)
		}
		batch = append(batch, v)
	}
	return batch, rows.Err()
}

func (v oldVersion) copy(ctx context.Context, tx *sql.Tx) error {
	var body memory.Portable
	entry, err := audit.DecodeEntry(v.leaf)
	if err != nil || json.Unmarshal([]byte(v.body), &body) != nil {
		return fmt.Errorf("%w: version %d does not parse", ErrCorrupt, v.seq)
	}
	r := body.Record()
	contentSeq, err := v.copyContent(ctx, tx, body.Content)
	if err != nil {
		return err
	}
	indexed := ""
	if r.Live() {
		indexed = fulltext.Keys(v.namespace, r.Zone)
	}
	encoded, err := encodeVersion(r)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO versions
		(seq, record_id, branch, prev_seq, hash, layout, change, actor, reason, at, content_seq, indexed, body)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		v.seq, v.recordID, r.Branch, v.prev, v.hash, layoutV1, entry.Change, entry.Actor, entry.Reason,
		r.UpdatedAt.UnixMicro(), contentSeq, indexed, encoded)
	if err != nil || !v.newest {
		return err
	}
	return v.index(ctx, tx, entry, r, indexed, body.Content)
}

// copyContent writes the content unless the version before holds the same, and returns the seq of the version that does.
func (v oldVersion) copyContent(ctx context.Context, tx *sql.Tx, content string) (int64, error) {
	sum := sha256.Sum256([]byte(content))
	var (
		before    int64
		sumBefore []byte
	)
	err := tx.QueryRowContext(ctx, "SELECT c.seq, c.sha256 FROM versions v JOIN contents c ON c.seq = v.content_seq WHERE v.seq = ?",
		v.prev).Scan(&before, &sumBefore)
	if err == nil && bytes.Equal(sum[:], sumBefore) {
		return before, nil
	}
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, err
	}
	_, err = tx.ExecContext(ctx, "INSERT INTO contents (seq, record_id, sha256, content) VALUES (?, ?, ?, ?)",
		v.seq, v.recordID, sum[:], content)
	return v.seq, err
}

// index completes the row of a record from its newest version.
func (v oldVersion) index(ctx context.Context, tx *sql.Tx, e audit.Entry, r memory.Record, key, content string) error {
	var list []string
	if key != "" {
		list = words.Of(content)
		if _, err := tx.ExecContext(ctx, "INSERT INTO records_fts (rowid, body) VALUES (?, ?)", v.rid, indexText(key, list)); err != nil {
			return err
		}
	}
	_, err := tx.ExecContext(ctx, "UPDATE records SET change = ?, actor = ?, reason = ?, sketch = ?, terms = ? WHERE rid = ?",
		e.Change, e.Actor, e.Reason, int64(memory.Sketch(content)), len(list), v.rid) // #nosec G115 -- bits
	if err != nil {
		return err
	}
	for _, tag := range r.Tags {
		if _, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO tags (tag, rid) VALUES (?, ?)", tag, v.rid); err != nil {
			return err
		}
	}
	return nil
}
