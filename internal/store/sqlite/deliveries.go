// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"context"
	"errors"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// LogDeliveries implements memory.Store. All of d is logged or nothing.
func (s *Store) LogDeliveries(ctx context.Context, d []memory.Delivery) error {
	if len(d) == 0 {
		return nil
	}
	const doing = "logging deliveries"
	tx, err := s.writer.BeginTx(ctx, nil)
	if err != nil {
		return mapError(ctx, doing, err)
	}
	for _, one := range d {
		_, err := tx.ExecContext(ctx,
			"INSERT INTO deliveries (session, record_id, seq, class, score, at) VALUES (?, ?, ?, ?, ?, ?)",
			one.Session, one.RecordID, int64(one.Seq), string(one.Class), one.Score, one.At.UnixMicro()) // #nosec G115
		if err != nil {
			return errors.Join(mapError(ctx, doing, err), rollback(ctx, tx))
		}
	}
	return mapError(ctx, doing, tx.Commit())
}

// LowestDelivered implements memory.Store. A class that is none counts as Unknown.
func (s *Store) LowestDelivered(ctx context.Context, session string, since time.Time) (provenance.Class, bool, error) {
	var w where
	w.add("at >= ?", since.UnixMicro())
	if session != "" {
		w.add("session = ?", session)
	}
	classes, err := collect(ctx, s.reader, "reading deliveries", "SELECT DISTINCT class FROM deliveries"+w.String(), w.args,
		func(scan func(...any) error) (c provenance.Class, err error) {
			err = scan(&c)
			return c, err
		})
	if err != nil || len(classes) == 0 {
		return "", false, err
	}
	return provenance.Min(classes...), true, nil
}
