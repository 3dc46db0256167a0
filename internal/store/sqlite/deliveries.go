// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"context"
	"fmt"
	"slices"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// LogDeliveries implements memory.Store. All of d is logged or nothing, and counted as recalls of its records.
func (s *Store) LogDeliveries(ctx context.Context, d []memory.Delivery, traces []memory.Trace) error {
	if len(d) == 0 {
		return nil
	}
	const doing = "logging deliveries"
	for _, t := range traces {
		if err := t.Validate(); err != nil {
			return fmt.Errorf("%s: %w", doing, err)
		}
	}
	e := entry{rows: make([]met, len(d)), traces: traces}
	for i, one := range d {
		e.rows[i] = met{Delivery: one}
	}
	return s.meet(ctx, doing, e)
}

// deliveryRow is namespace, session, record, seq, class, score and time of one delivery.
type deliveryRow [7]any

// Places in it.
const (
	atNamespace = 0
	atSession   = 1
	atRecord    = 2
	atClass     = 4
	atTime      = 6
)

// Deliveries implements memory.Store. It returns a *memory.FieldError for a limit out of bounds.
func (s *Store) Deliveries(ctx context.Context, f memory.DeliveryFilter) ([]memory.Delivery, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	if found, known, err := s.lowDeliveries(ctx, f); known || err != nil {
		return found, err
	}
	return s.readDeliveries(ctx, f)
}

// readDeliveries answers from the store, and from what is not there yet.
func (s *Store) readDeliveries(ctx context.Context, f memory.DeliveryFilter) ([]memory.Delivery, error) {
	var w where
	w.equal("namespace", f.Namespace)
	w.equal("session", f.Session)
	w.equal("record_id", f.RecordID)
	if f.Below != "" {
		w.below("class", f.Below)
		if !provenance.AgentInferred.Below(f.Below) {
			w.add(lowOnly)
		}
	}
	if !f.Since.IsZero() {
		w.add("at >= ?", f.Since.UnixMicro())
	}
	query := "SELECT namespace, session, record_id, seq, class, score, at FROM deliveries" + w.String() +
		" ORDER BY at DESC, id DESC LIMIT ?"
	const doing = "reading deliveries"
	read := func(from source) ([]memory.Delivery, error) {
		return collect(ctx, from, doing, query, append(w.args, f.Limit), readDelivery)
	}
	if s.behind == nil {
		return read(s.reader)
	}
	newer := s.behind.unwritten()
	if len(newer) == 0 {
		return read(s.reader)
	}
	var written uint64
	var list []memory.Delivery
	err := s.reader.snapshot(ctx, doing, func(conn *readConn) (err error) {
		if written, err = readMark(ctx, conn, metMark); err == nil {
			list, err = read(conn)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	list = append(pendingDeliveries(newer, written, f), list...)
	slices.SortStableFunc(list, func(a, b memory.Delivery) int { return b.At.Compare(a.At) })
	return list[:min(len(list), f.Limit)], nil
}

func readDelivery(scan func(...any) error) (d memory.Delivery, err error) {
	var at int64
	err = scan(&d.Namespace, &d.Session, &d.RecordID, &d.Seq, &d.Class, &d.Score, &at)
	d.At = fromMicros(at)
	return d, err
}

// pendingDeliveries are those that a filter asks for in entries after the one with this number, the newest first.
func pendingDeliveries(entries []entry, after uint64, f memory.DeliveryFilter) []memory.Delivery {
	var out []memory.Delivery
	for _, e := range slices.Backward(entries) {
		if e.n <= after {
			break
		}
		for _, m := range slices.Backward(e.rows) {
			if !m.observed && asked(m.Delivery, f) {
				d := m.Delivery
				d.At = fromMicros(d.At.UnixMicro())
				out = append(out, d)
			}
		}
	}
	return out
}

// asked reports whether a delivery passes a filter. A class that is none counts as Unknown.
func asked(d memory.Delivery, f memory.DeliveryFilter) bool {
	return (f.Namespace == "" || d.Namespace == f.Namespace) && (f.Session == "" || d.Session == f.Session) &&
		(f.RecordID == "" || d.RecordID == f.RecordID) && (f.Below == "" || provenance.Min(d.Class).Below(f.Below)) &&
		(f.Since.IsZero() || d.At.UnixMicro() >= f.Since.UnixMicro())
}

// lowOnly is the condition of the indexes deliveries_low and deliveries_low_to; what is below AgentInferred or lower passes it.
const lowOnly = "class NOT IN ('UserInput', 'Manual', 'SystemMemory', 'AgentInferred')"

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
