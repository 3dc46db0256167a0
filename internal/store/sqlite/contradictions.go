// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"

	"memorytrust.dev/operator/internal/memory"
)

// PutContradiction implements memory.Store. It returns a *memory.FieldError for a pair that is none and ErrConflict when
// the id is that of another pair.
func (s *Store) PutContradiction(ctx context.Context, c memory.Contradiction) error {
	if err := checkContradiction(c); err != nil {
		return err
	}
	signs, err := encodeList(c.Signs)
	if err != nil {
		return err
	}
	return s.writer.do(ctx, "recording a contradiction", func(w *writer) error {
		if err := w.exec(w.stmts.unpair, c.Namespace, c.A, c.B); err != nil {
			return err
		}
		result, err := w.stmts.pair.ExecContext(context.Background(), c.ID, c.Namespace, c.A, c.B,
			int64(c.SeqA), int64(c.SeqB), signs, c.FoundAt.UnixMicro(), string(c.Verdict), c.DecidedBy, // #nosec G115
			microsOrNull(c.DecidedAt), c.Reason)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil {
			return err
		} else if n == 0 {
			return memory.ErrConflict
		}
		return nil
	})
}

func checkContradiction(c memory.Contradiction) error {
	switch {
	case !memory.ValidID(c.ID):
		return &memory.FieldError{Field: "id", Fix: "give a lower-case UUID"}
	case c.Namespace == "":
		return &memory.FieldError{Field: "namespace", Fix: "name the namespace"}
	case !memory.ValidID(c.A), !memory.ValidID(c.B), c.A == c.B:
		return &memory.FieldError{Field: "b", Fix: "give the ids of two memories"}
	}
	return nil
}

// Contradictions implements memory.Store. It returns a *memory.FieldError for a limit out of bounds.
func (s *Store) Contradictions(ctx context.Context, f memory.ContradictionFilter) ([]memory.Contradiction, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	var w where
	w.equal("namespace", f.Namespace)
	in(&w, "id", f.IDs)
	if len(f.RecordIDs) > 0 {
		var either where
		in(&either, "a", f.RecordIDs)
		in(&either, "b", f.RecordIDs)
		w.add("("+either.conditions[0]+" OR "+either.conditions[1]+")", either.args...)
	}
	if f.Open {
		w.add("verdict = ''")
	}
	if f.After != "" {
		w.add("id > ?", f.After)
	}
	query := `SELECT id, namespace, a, b, seq_a, seq_b, signs, found_at, verdict, decided_by, decided_at, reason
		FROM contradictions` + w.String() + " ORDER BY id LIMIT ?"
	return collect(ctx, s.reader, "reading contradictions", query, append(w.args, f.Limit), scanContradiction)
}

func scanContradiction(scan func(...any) error) (c memory.Contradiction, err error) {
	var (
		signs   sql.NullString
		found   int64
		decided sql.NullInt64
	)
	err = scan(&c.ID, &c.Namespace, &c.A, &c.B, &c.SeqA, &c.SeqB, &signs, &found, &c.Verdict, &c.DecidedBy, &decided, &c.Reason)
	if err != nil {
		return memory.Contradiction{}, scanError(err)
	}
	c.FoundAt = fromMicros(found)
	if decided.Valid {
		c.DecidedAt = fromMicros(decided.Int64)
	}
	if signs.Valid && json.Unmarshal([]byte(signs.String), &c.Signs) != nil {
		c.Signs = nil
	}
	return c, nil
}
