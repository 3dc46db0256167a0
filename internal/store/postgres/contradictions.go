// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package postgres

import (
	"context"
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
	low, high := min(c.A, c.B), max(c.A, c.B)
	return s.writer.do(ctx, "recording a contradiction", func(t *transaction) error { //nolint:contextcheck // what has begun is carried through
		taken := false
		t.read(`SELECT 1 FROM memorytrust.contradictions WHERE agent = $1 AND id = $2 AND NOT (namespace = $3 AND low = $4 AND high = $5)`,
			[]any{t.agent, c.ID, c.Namespace, low, high}, func(func(...any) error) error {
				taken = true
				return nil
			})
		if err := t.flush(); err != nil {
			return err
		}
		if taken {
			return memory.ErrConflict
		}
		t.write("DELETE FROM memorytrust.contradictions WHERE agent = $1 AND namespace = $2 AND low = $3 AND high = $4",
			t.agent, c.Namespace, low, high)
		t.write(`INSERT INTO memorytrust.contradictions
			(agent, id, namespace, a, b, low, high, seq_a, seq_b, signs, found_at, verdict, decided_by, decided_at, reason)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
			t.agent, c.ID, c.Namespace, c.A, c.B, low, high, int64(c.SeqA), int64(c.SeqB), signs, c.FoundAt.UnixMicro(), // #nosec G115
			string(c.Verdict), c.DecidedBy, microsOrNull(c.DecidedAt), c.Reason)
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
	w := s.where("c")
	w.equal("c.namespace", f.Namespace)
	in(w, "c.id", f.IDs)
	if len(f.RecordIDs) > 0 {
		w.add("(c.a = ANY(?) OR c.b = ANY(?))", f.RecordIDs, f.RecordIDs)
	}
	if f.Open {
		w.add("c.verdict = ''")
	}
	if f.After != "" {
		w.add("c.id > ?", f.After)
	}
	query := `SELECT c.id, c.namespace, c.a, c.b, c.seq_a, c.seq_b, c.signs, c.found_at, c.verdict, c.decided_by, c.decided_at, c.reason
		FROM memorytrust.contradictions c` + w.String() + " ORDER BY c.id" + limited(f.Limit)
	return collect(ctx, s.reader, "reading contradictions", query, w.args, scanContradiction)
}

func scanContradiction(scan func(...any) error) (c memory.Contradiction, err error) {
	var (
		signs             *string
		seqA, seqB, found int64
		decided           *int64
	)
	err = scan(&c.ID, &c.Namespace, &c.A, &c.B, &seqA, &seqB, &signs, &found, (*string)(&c.Verdict), &c.DecidedBy, &decided, &c.Reason)
	if err != nil {
		return memory.Contradiction{}, err
	}
	c.SeqA, c.SeqB, c.FoundAt = uint64(seqA), uint64(seqB), fromMicros(found) // #nosec G115 -- counts entries
	if decided != nil {
		c.DecidedAt = fromMicros(*decided)
	}
	if signs != nil && json.Unmarshal([]byte(*signs), &c.Signs) != nil {
		c.Signs = nil
	}
	return c, nil
}
