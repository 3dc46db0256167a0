// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// LogDeliveries implements memory.Store. All of d is logged or nothing, and counted as recalls of its records.
func (s *Store) LogDeliveries(ctx context.Context, d []memory.Delivery, traces []memory.Trace) error {
	if len(d) == 0 {
		return nil
	}
	kept, err := newTraces(traces)
	if err != nil {
		return fmt.Errorf("logging deliveries: %w", err)
	}
	rows := make([]deliveryRow, len(d))
	for i, one := range d {
		rows[i] = deliveryRow{one.Namespace, one.Session, one.RecordID, one.Seq, one.Class, one.Score, one.At.UnixMicro()}
	}
	list, err := json.Marshal(rows)
	if err != nil {
		return fmt.Errorf("logging deliveries: %w", err)
	}
	return s.writer.do(ctx, "logging deliveries", func(w *writer) error {
		for _, statement := range []*sql.Stmt{w.stmts.deliver, w.stmts.deliverClass, w.stmts.deliverUnbound, w.stmts.countRecall} {
			if err := w.exec(statement, string(list)); err != nil {
				return err
			}
		}
		return w.addTraces(kept)
	})
}

// deliveryRow is namespace, session, record, seq, class, score and time of one delivery.
type deliveryRow [7]any

// Deliveries implements memory.Store. It returns a *memory.FieldError for a limit out of bounds.
func (s *Store) Deliveries(ctx context.Context, f memory.DeliveryFilter) ([]memory.Delivery, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	var w where
	w.equal("namespace", f.Namespace)
	w.equal("session", f.Session)
	w.equal("record_id", f.RecordID)
	if f.Below != "" {
		w.below("class", f.Below)
	}
	if !f.Since.IsZero() {
		w.add("at >= ?", f.Since.UnixMicro())
	}
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

// below adds that a column holds a class lower than this one. A class that is none counts as Unknown.
func (w *where) below(column string, class provenance.Class) {
	var others []any
	for _, c := range provenance.Classes {
		if !c.Below(class) {
			others = append(others, string(c))
		}
	}
	if len(others) == len(provenance.Classes) {
		w.add("false")
		return
	}
	w.add(column+" NOT IN ("+placeholders(len(others))+")", others...)
}

// LowestDelivered implements memory.Store. A class that is none counts as Unknown.
func (s *Store) LowestDelivered(ctx context.Context, namespace, session string, since time.Time) (provenance.Class, bool, error) {
	classes, err := collect(ctx, s.reader, "reading deliveries",
		"SELECT class FROM delivered WHERE namespace = ? AND session = ? AND last_at >= ?",
		[]any{namespace, session, since.UnixMicro()}, value[provenance.Class])
	if err != nil || len(classes) == 0 {
		return "", false, err
	}
	return provenance.Min(classes...), true, nil
}
