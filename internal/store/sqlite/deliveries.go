// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"context"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// LogDeliveries implements memory.Store. All of d is logged or nothing, and counted as recalls of its records.
func (s *Store) LogDeliveries(ctx context.Context, d []memory.Delivery) error {
	if len(d) == 0 {
		return nil
	}
	return s.writer.do(ctx, "logging deliveries", func(w *writer) error {
		for _, one := range d {
			at := one.At.UnixMicro()
			if err := w.exec(w.stmts.deliver, one.Namespace, one.Session, one.RecordID, int64(one.Seq), // #nosec G115
				string(one.Class), one.Score, at); err != nil {
				return err
			}
			if err := w.exec(w.stmts.countRecall, one.RecordID, at); err != nil {
				return err
			}
		}
		return nil
	})
}

// Deliveries implements memory.Store. It returns a *memory.FieldError for a limit out of bounds.
func (s *Store) Deliveries(ctx context.Context, f memory.DeliveryFilter) ([]memory.Delivery, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	var w where
	w.equal("namespace", f.Namespace)
	w.equal("session", f.Session)
	w.equal("record_id", f.RecordID)
	query := "SELECT namespace, session, record_id, seq, class, score, at FROM deliveries" + w.String() +
		" ORDER BY at DESC, id DESC LIMIT ?"
	return collect(ctx, s.reader, "reading deliveries", query, append(w.args, f.Limit),
		func(scan func(...any) error) (d memory.Delivery, err error) {
			var at int64
			err = scan(&d.Namespace, &d.Session, &d.RecordID, &d.Seq, &d.Class, &d.Score, &at)
			d.At = fromMicros(at)
			return d, err
		})
}

// LowestDelivered implements memory.Store. A class that is none counts as Unknown.
func (s *Store) LowestDelivered(ctx context.Context, namespace, session string, since time.Time) (provenance.Class, bool, error) {
	var w where
	w.add("namespace = ?", namespace)
	w.equal("session", session)
	w.add("at >= ?", since.UnixMicro())
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
