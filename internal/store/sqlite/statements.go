// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
)

// statements of the writer, prepared once.
type statements struct {
	begin, commit, rollback, savepoint, release, undo                                                   *sql.Stmt
	size, head, previous, exists, namespace, addNamespace                                               *sql.Stmt
	put, untag, tag, lineage, content, addContent, eraseContents                                        *sql.Stmt
	version, leaf, readHash, putHash, unindex, index                                                    *sql.Stmt
	key, forgetKeys, deliver, deliverClass, countRecall, unpair, pair, mark, liveness                   *sql.Stmt
	deliverUnbound, deliverUnboundTo, openSession, session, putTurn, eraseTurn, eraseTurns, forgetTurns *sql.Stmt
	trace, putTrace, setTrace, dropTrace, putFeatures, dropFeatures, oldTraces                          *sql.Stmt
	fragmentRoot, putFragment, entity, dropFragment, dropFragments                                      *sql.Stmt
	countEntities, entities, dropEntity, oldFragments                                                   *sql.Stmt
}

// texts pairs every statement with its SQL.
func (s *statements) texts() map[**sql.Stmt]string { //nolint:funlen // a table
	assignments := make([]string, 0, len(stored))
	for _, name := range stored[1:] { // all but id
		assignments = append(assignments, name+" = excluded."+name)
	}
	put := fmt.Sprintf("INSERT INTO records (%s) VALUES (%s) ON CONFLICT (id) DO UPDATE SET %s RETURNING rid",
		strings.Join(stored, ", "), placeholders(len(stored)), strings.Join(assignments, ", "))
	return map[**sql.Stmt]string{
		&s.begin: "BEGIN IMMEDIATE", &s.commit: "COMMIT", &s.rollback: "ROLLBACK",
		&s.savepoint: "SAVEPOINT request", &s.release: "RELEASE request", &s.undo: "ROLLBACK TO request",

		&s.size: "SELECT coalesce(max(seq), 0) FROM audit",
		&s.head: "SELECT coalesce(max(seq), 0) FROM audit WHERE record_id = ?",
		&s.previous: `SELECT v.hash, v.indexed, v.content_seq, c.sha256, c.content IS NOT NULL
			FROM versions v JOIN contents c ON c.seq = v.content_seq WHERE v.seq = ?`,
		&s.exists:       "SELECT count(*) FROM records WHERE id = ? AND namespace = ?",
		&s.namespace:    "SELECT id FROM namespaces WHERE name = ?",
		&s.addNamespace: "INSERT INTO namespaces (name) VALUES (?) RETURNING id",

		&s.put:        put,
		&s.untag:      "DELETE FROM tags WHERE rid = ?",
		&s.tag:        "INSERT INTO tags (tag, rid) VALUES (?, ?)",
		&s.lineage:    "INSERT OR IGNORE INTO lineage (child, parent) SELECT ?, value FROM json_each(?)",
		&s.content:    "SELECT content FROM contents WHERE seq = ?",
		&s.addContent: "INSERT INTO contents (seq, record_id, sha256, content) VALUES (?, ?, ?, ?)",
		&s.eraseContents: `UPDATE contents SET content = NULL
			WHERE content IS NOT NULL AND seq IN (SELECT content_seq FROM versions WHERE record_id = ?)`,

		&s.version: `INSERT INTO versions
			(seq, record_id, branch, prev_seq, hash, layout, change, actor, reason, at, content_seq, indexed, body)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		&s.leaf:     "INSERT INTO audit (seq, record_id, leaf) VALUES (?, ?, ?)",
		&s.readHash: "SELECT hash FROM audit_hashes WHERE idx = ?",
		&s.putHash:  "INSERT INTO audit_hashes (idx, hash) VALUES (?, ?)",
		&s.unindex:  "INSERT INTO records_fts (records_fts, rowid, body) VALUES ('delete', ?, ?)",
		&s.index:    "INSERT INTO records_fts (rowid, body) VALUES (?, ?)",

		&s.key: `INSERT INTO idempotency (namespace, writer, key, digest, record_id, at) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT DO NOTHING`,
		&s.forgetKeys: "DELETE FROM idempotency WHERE at < ?",
		// These three take deliveries as one JSON array, in the order of deliveryRow.
		&s.deliver: `INSERT INTO deliveries (namespace, session, record_id, seq, class, score, at)
			SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6 FROM json_each(?)`,
		&s.deliverClass: `INSERT INTO delivered (namespace, session, class, last_at)
			SELECT value->>0, iif(any_session, '', value->>1), value->>4, max(value->>6)
			FROM json_each(?), (SELECT 0 AS any_session UNION ALL SELECT 1) WHERE true GROUP BY 1, 2, 3
			ON CONFLICT (namespace, session, class) DO UPDATE SET last_at = max(last_at, excluded.last_at)`,
		&s.deliverUnbound: `INSERT INTO delivered_unbound (namespace, class, last_at)
			SELECT value->>0, value->>4, max(value->>6) FROM json_each(?)
			WHERE NOT EXISTS (SELECT 1 FROM sessions WHERE namespace = value->>0 AND id = value->>1) GROUP BY 1, 2
			ON CONFLICT (namespace, class) DO UPDATE SET last_at = max(last_at, excluded.last_at)`,
		// This one takes those that were delivered outside of such sessions.
		&s.deliverUnboundTo: `INSERT INTO delivered_unbound (namespace, class, last_at)
			SELECT value->>0, value->>4, max(value->>6) FROM json_each(?) WHERE true GROUP BY 1, 2
			ON CONFLICT (namespace, class) DO UPDATE SET last_at = max(last_at, excluded.last_at)`,
		// And this one in the order of recallRow.
		&s.countRecall: `INSERT INTO recalls (record_id, recalls, last_at)
			SELECT value->>0, value->>1, value->>2 FROM json_each(?) WHERE true
			ON CONFLICT (record_id) DO UPDATE SET recalls = recalls + excluded.recalls, last_at = max(last_at, excluded.last_at)`,
		&s.unpair: "DELETE FROM contradictions WHERE namespace = ? AND min(a, b) = min(?2, ?3) AND max(a, b) = max(?2, ?3)",
		&s.pair: `INSERT INTO contradictions
			(id, namespace, a, b, seq_a, seq_b, signs, found_at, verdict, decided_by, decided_at, reason)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,

		&s.openSession: `INSERT INTO sessions (namespace, id, channel, principal, opened_at, tag) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT DO NOTHING`,
		&s.session: selectSession,
		&s.putTurn: `INSERT INTO turns (namespace, session, id, channel, principal, at, tag, content) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT DO NOTHING RETURNING n`,
		// Of those before the newest, only the last can still have a content.
		&s.eraseTurn: `UPDATE turns SET content = NULL WHERE n = (SELECT max(n) FROM turns
			WHERE namespace = ? AND session = ? AND (channel <> '') = ? AND n < ?)`,
		&s.eraseTurns:  "UPDATE turns SET content = NULL WHERE content IS NOT NULL AND at < ?",
		&s.forgetTurns: "DELETE FROM turns WHERE at < ?",

		&s.trace: "SELECT n, class, features FROM traces WHERE namespace = ? AND id = ?",
		&s.putTrace: `INSERT INTO traces (namespace, id, record, session, class, source, at, features) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT DO NOTHING RETURNING n`,
		&s.setTrace:  "UPDATE traces SET class = ?, features = ? WHERE n = ?",
		&s.dropTrace: "DELETE FROM traces WHERE n = ?",
		// These two take the features of one trace as a JSON array. None is there twice: all of a trace have one rank.
		&s.putFeatures:  `INSERT OR IGNORE INTO features (namespace, feature, rank, trace) SELECT ?, value, ?, ? FROM json_each(?)`,
		&s.dropFeatures: dropFeatures,
		&s.oldTraces:    `SELECT n, namespace, class, features FROM traces WHERE record = 0 AND at < ? ORDER BY at LIMIT ?`,

		&s.fragmentRoot: "SELECT root FROM fragments WHERE namespace = ? AND record_id = ? LIMIT 1",
		&s.putFragment: `INSERT INTO fragments (namespace, entity, record_id, signals, root, class, at) VALUES (?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT DO NOTHING`,
		&s.entity:       "SELECT record_id, root, class, signals, at FROM fragments WHERE namespace = ? AND entity = ?",
		&s.dropFragment: "DELETE FROM fragments WHERE namespace = ? AND entity = ? AND record_id = ? AND signals = ?",
		&s.dropFragments: `DELETE FROM fragments WHERE (namespace, entity, record_id, signals) IN (
			SELECT namespace, entity, record_id, signals FROM fragments WHERE namespace = ?1 AND record_id = ?2 UNION ALL
			SELECT namespace, entity, record_id, signals FROM fragments WHERE namespace = ?1 AND root = ?2)`,
		&s.countEntities: "SELECT count(DISTINCT entity) FROM fragments WHERE namespace = ?",
		// Signals are taken together bit by bit: there is no aggregate for it.
		&s.entities:     "SELECT entity, signals, max(at) FROM fragments WHERE namespace = ? GROUP BY entity, signals",
		&s.dropEntity:   "DELETE FROM fragments WHERE namespace = ? AND entity = ?",
		&s.oldFragments: "DELETE FROM fragments WHERE rowid IN (SELECT rowid FROM fragments WHERE at < ? LIMIT ?)",

		&s.mark:     "INSERT INTO marks (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
		&s.liveness: "UPDATE liveness SET at = ? WHERE id = 1",
	}
}

func prepareStatements(ctx context.Context, conn *sql.Conn) (s statements, err error) {
	for stmt, text := range s.texts() {
		if *stmt, err = conn.PrepareContext(ctx, text); err != nil {
			return s, errors.Join(err, s.close())
		}
	}
	return s, nil
}

func (s *statements) close() error {
	var errs []error
	for stmt := range s.texts() {
		if *stmt != nil {
			errs = append(errs, (*stmt).Close())
		}
	}
	return errors.Join(errs...)
}

func placeholders(n int) string { return "?" + strings.Repeat(", ?", n-1) }
