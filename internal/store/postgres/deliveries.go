// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package postgres

import (
	"context"
	"fmt"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// deliveryColumns are deliveries by columns, as statements take them.
type deliveryColumns struct {
	namespaces, sessions, records, classes []string
	seqs, ats                              []int64
	scores                                 []float64
}

func (c *deliveryColumns) add(d memory.Delivery) {
	c.namespaces, c.sessions = append(c.namespaces, d.Namespace), append(c.sessions, d.Session)
	c.records = append(c.records, d.RecordID)
	c.classes, c.seqs = append(c.classes, string(d.Class)), append(c.seqs, int64(d.Seq)) // #nosec G115 -- counts entries
	c.ats, c.scores = append(c.ats, d.At.UnixMicro()), append(c.scores, d.Score)
}

// writeDeliveries appends to the log and counts recalls.
func (t *transaction) writeDeliveries(c *deliveryColumns) {
	t.write(`INSERT INTO memorytrust.deliveries (agent, id, namespace, session, record_id, seq, class, score, at)
		SELECT $1, $2 + u.place, u.namespace, u.session, u.record_id, u.seq, u.class, u.score, u.at
		FROM unnest($3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::double precision[], $9::bigint[])
		WITH ORDINALITY AS u (namespace, session, record_id, seq, class, score, at, place)`,
		t.agent, t.head.deliveries, c.namespaces, c.sessions, c.records, c.seqs, c.classes, c.scores, c.ats)
	t.head.deliveries += int64(len(c.ats))
	t.writeClasses(c)
	t.write(`INSERT INTO memorytrust.recalls AS r (agent, record_id, recalls, last_at)
		SELECT $1, u.record_id, count(*), max(u.at) FROM unnest($2::text[], $3::bigint[]) AS u (record_id, at) GROUP BY u.record_id
		ON CONFLICT (agent, record_id) DO UPDATE
		SET recalls = r.recalls + excluded.recalls, last_at = greatest(r.last_at, excluded.last_at)`,
		t.agent, c.records, c.ats)
}

// writeClasses notes which classes reached a session, any session, and what no user channel opened.
func (t *transaction) writeClasses(c *deliveryColumns) {
	t.write(`INSERT INTO memorytrust.delivered AS d (agent, namespace, session, class, last_at)
		SELECT $1, u.namespace, CASE WHEN a.any_session THEN '' ELSE u.session END, u.class, max(u.at)
		FROM unnest($2::text[], $3::text[], $4::text[], $5::bigint[]) AS u (namespace, session, class, at)
		CROSS JOIN (VALUES (false), (true)) AS a (any_session) GROUP BY 1, 2, 3, 4
		ON CONFLICT (agent, namespace, session, class) DO UPDATE SET last_at = greatest(d.last_at, excluded.last_at)`,
		t.agent, c.namespaces, c.sessions, c.classes, c.ats)
	t.write(`INSERT INTO memorytrust.delivered_unbound AS d (agent, namespace, class, last_at)
		SELECT $1, u.namespace, u.class, max(u.at)
		FROM unnest($2::text[], $3::text[], $4::text[], $5::bigint[]) AS u (namespace, session, class, at)
		WHERE (SELECT true FROM memorytrust.sessions WHERE agent = $1 AND namespace = u.namespace AND id = u.session LIMIT 1) IS NULL
		GROUP BY 1, 2, 3
		ON CONFLICT (agent, namespace, class) DO UPDATE SET last_at = greatest(d.last_at, excluded.last_at)`,
		t.agent, c.namespaces, c.sessions, c.classes, c.ats)
}

// LogDeliveries implements memory.Store. All of d is logged or nothing, and counted as recalls of its records.
func (s *Store) LogDeliveries(ctx context.Context, d []memory.Delivery, traces []memory.Trace) error {
	if len(d) == 0 {
		return nil
	}
	kept, err := newTraces(traces)
	if err != nil {
		return fmt.Errorf("logging deliveries: %w", err)
	}
	var columns deliveryColumns
	for _, one := range d {
		columns.add(one)
	}
	return s.writer.do(ctx, "logging deliveries", func(t *transaction) error { //nolint:contextcheck // what has begun is carried through
		if err := t.addTraces(kept); err != nil {
			return err
		}
		if err := t.ready(); err != nil {
			return err
		}
		t.writeDeliveries(&columns)
		return nil
	})
}

// Deliveries implements memory.Store. It returns a *memory.FieldError for a limit out of bounds.
func (s *Store) Deliveries(ctx context.Context, f memory.DeliveryFilter) ([]memory.Delivery, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	w := s.where("d")
	w.equal("d.namespace", f.Namespace)
	w.equal("d.session", f.Session)
	w.equal("d.record_id", f.RecordID)
	if f.Below != "" {
		w.below("d.class", f.Below)
	}
	if !f.Since.IsZero() {
		w.add("d.at >= ?", f.Since.UnixMicro())
	}
	query := "SELECT d.namespace, d.session, d.record_id, d.seq, d.class, d.score, d.at FROM memorytrust.deliveries d" + w.String() +
		" ORDER BY d.at DESC, d.id DESC" + limited(f.Limit)
	return collect(ctx, s.reader, "reading deliveries", query, w.args,
		func(scan func(...any) error) (d memory.Delivery, err error) {
			var seq, at int64
			err = scan(&d.Namespace, &d.Session, &d.RecordID, &seq, (*string)(&d.Class), &d.Score, &at)
			d.Seq, d.At = uint64(seq), fromMicros(at) // #nosec G115 -- counts entries
			return d, err
		})
}

// below adds that a class is lower than another. A class that is none counts as Unknown.
func (w *where) below(column string, class provenance.Class) {
	others := []string{}
	for _, c := range provenance.Classes {
		if !c.Below(class) {
			others = append(others, string(c))
		}
	}
	if len(others) == len(provenance.Classes) {
		w.add("false")
		return
	}
	w.add(column+" <> ALL(?)", others)
}

// LowestDelivered implements memory.Store. A class that is none counts as Unknown.
func (s *Store) LowestDelivered(ctx context.Context, namespace, session string, since time.Time) (provenance.Class, bool, error) {
	return s.lowest(ctx, `SELECT class FROM memorytrust.delivered
		WHERE agent = $1 AND namespace = $2 AND session = $3 AND last_at >= $4`,
		s.agent, namespace, session, since.UnixMicro())
}
