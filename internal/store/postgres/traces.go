// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package postgres

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

const (
	readingTraces = "looking for traces"
	// sharedTraces is how many traces of one feature are looked at. Everyday words can be in all of them.
	sharedTraces = 32
	// forgottenAtOnce bounds how many traces go in one transaction, so that other writes have their turn.
	forgottenAtOnce = 20
)

// trace is a trace on its way into the database.
type trace struct {
	memory.Trace
	bits []int64 // its features
}

func newTrace(t memory.Trace) (trace, error) {
	if err := t.Validate(); err != nil {
		return trace{}, err
	}
	t.Features = slices.Compact(slices.Clone(t.Features))
	return trace{t, bitsOf(t.Features)}, nil
}

func newTraces(traces []memory.Trace) ([]trace, error) {
	out := make([]trace, 0, len(traces))
	for _, t := range traces {
		one, err := newTrace(t)
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}

// rankOf is the place of a class from the bottom. What is no class counts as Unknown.
func rankOf(class provenance.Class) int64 {
	return int64(max(0, len(provenance.Classes)-1-slices.Index(provenance.Classes, provenance.Min(class))))
}

// traceRow is what is kept of a trace.
type traceRow struct {
	n        int64 // 0: there is none
	class    provenance.Class
	features []int64
}

// Observe implements memory.Store. It returns a *memory.FieldError for a trace that cannot be kept.
func (s *Store) Observe(ctx context.Context, o memory.Trace) error {
	o.Record = false
	kept, err := newTrace(o)
	if err != nil {
		return err
	}
	var columns deliveryColumns
	columns.add(memory.Delivery{Namespace: o.Namespace, Session: o.Session, Class: o.Class, At: o.At})
	return s.writer.do(ctx, "keeping an observation", func(t *transaction) error { //nolint:contextcheck // what has begun is carried through
		if err := t.addTraces([]trace{kept}); err != nil {
			return err
		}
		t.writeClasses(&columns)
		return nil
	})
}

// addTraces puts traces; those that are there already stay as they are.
func (t *transaction) addTraces(traces []trace) error {
	if len(traces) == 0 {
		return nil
	}
	ids, names := make([]string, len(traces)), make([]string, len(traces))
	for i, one := range traces {
		ids[i], names[i] = one.ID, one.Namespace
	}
	type place struct{ namespace, id string }
	there := map[place]bool{}
	t.lookUpNamespaces(names...)
	t.read(`SELECT u.name, u.id FROM unnest($2::text[], $3::text[]) AS u (id, name)
		CROSS JOIN LATERAL (SELECT n.id FROM memorytrust.namespaces n WHERE n.agent = $1 AND n.name = u.name LIMIT 1) n
		CROSS JOIN LATERAL (SELECT 1 FROM memorytrust.traces t WHERE t.agent = $1 AND t.namespace = n.id AND t.id = u.id LIMIT 1) t`,
		[]any{t.agent, ids, names}, func(scan func(...any) error) error {
			var p place
			err := scan(&p.namespace, &p.id)
			there[p] = true
			return err
		})
	if err := t.flush(); err != nil {
		return err
	}
	for _, one := range traces {
		t.namespaceID(one.Namespace)
	}
	t.writeNamespaces()
	for _, one := range traces {
		p := place{one.Namespace, one.ID}
		if there[p] {
			continue
		}
		there[p] = true
		t.insertTrace(one)
	}
	return nil
}

// insertTrace queues a trace that is not there yet.
func (t *transaction) insertTrace(one trace) {
	if len(one.bits) == 0 {
		return // nothing would ever lead to it
	}
	namespace := t.namespaceID(one.Namespace)
	t.head.traces++
	t.write(`INSERT INTO memorytrust.traces (agent, n, namespace, id, record, session, class, source, at, features)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		t.agent, t.head.traces, namespace, one.ID, one.Record, one.Session, string(one.Class), one.Source, one.At.UnixMicro(), one.bits)
	t.insertFeatures(namespace, one.Class, t.head.traces, one.bits)
}

func (t *transaction) insertFeatures(namespace int64, class provenance.Class, n int64, bits []int64) {
	t.write(`INSERT INTO memorytrust.features (agent, namespace, feature, rank, trace)
		SELECT $1, $2, u, $3, $4 FROM unnest($5::bigint[]) u ON CONFLICT DO NOTHING`, t.agent, namespace, rankOf(class), n, bits)
}

// deleteFeatures queues the removal of the features of one trace along their primary key.
func (t *transaction) deleteFeatures(namespace int64, row traceRow) {
	t.write("DELETE FROM memorytrust.features WHERE agent = $1 AND namespace = $2 AND feature = ANY($3) AND rank = $4 AND trace = $5",
		t.agent, namespace, row.features, rankOf(row.class), row.n)
}

func (t *transaction) deleteTrace(namespace int64, row traceRow) {
	t.deleteFeatures(namespace, row)
	t.write("DELETE FROM memorytrust.traces WHERE agent = $1 AND n = $2", t.agent, row.n)
}

// readTrace asks for the trace of a record that is changed or purged.
func (c *commit) readTrace() {
	if c.change.ExpectSeq == 0 || len(c.change.Trace) == 0 && c.change.Type != memory.ChangePurge {
		return
	}
	c.transaction.read(`SELECT n, class, features FROM memorytrust.traces WHERE agent = $1 AND id = $2
		AND namespace = (SELECT id FROM memorytrust.namespaces WHERE agent = $1 AND name = $3)`,
		[]any{c.agent, c.record.ID, c.record.Namespace}, func(scan func(...any) error) error {
			return scan(&c.old.n, (*string)(&c.old.class), &c.old.features)
		})
}

// decideTrace decides what the content of a change is recognized by. That of earlier versions stays: those were seen.
func (c *commit) decideTrace() error {
	if len(c.change.Trace) == 0 || c.change.Type == memory.ChangePurge {
		return nil
	}
	r := c.record
	next, err := newTrace(memory.Trace{
		ID: r.ID, Namespace: r.Namespace, Record: true, Class: r.Class, At: r.UpdatedAt, Features: c.change.Trace,
	})
	if err != nil {
		return err
	}
	if c.old.n > 0 {
		known := hashesOf(c.old.features)
		all, lowest := joinFeatures(next.Features, known), provenance.Min(c.old.class, r.Class)
		if lowest == c.old.class && slices.Equal(all, known) {
			return nil
		}
		next.Features, next.bits, next.Class = all, bitsOf(all), lowest
	}
	c.next = &next
	return nil
}

// putTrace queues what was decided about the trace of a record.
func (c *commit) putTrace() {
	namespace := c.namespaceID(c.record.Namespace)
	switch {
	case c.change.Type == memory.ChangePurge:
		if c.old.n > 0 {
			c.deleteTrace(namespace, c.old)
		}
	case c.next == nil:
	case c.old.n == 0:
		c.insertTrace(*c.next)
	default:
		c.deleteFeatures(namespace, c.old)
		c.write("UPDATE memorytrust.traces SET class = $3, features = $4 WHERE agent = $1 AND n = $2",
			c.agent, c.old.n, string(c.next.Class), c.next.bits)
		c.insertFeatures(namespace, c.next.Class, c.old.n, c.next.bits)
	}
}

// joinFeatures adds to the newest features as many of the earlier ones as a trace may have.
func joinFeatures(newest, earlier []uint64) []uint64 {
	out := slices.Clone(newest)
	for _, f := range earlier {
		if len(out) == memory.MaxFeatures {
			break
		}
		if _, known := slices.BinarySearch(newest, f); !known {
			out = append(out, f)
		}
	}
	slices.Sort(out)
	return out
}

// ForgetTraces implements memory.Store.
func (s *Store) ForgetTraces(ctx context.Context, before time.Time) error {
	for {
		dropped := 0
		err := s.writer.do(ctx, "forgetting old observations", func(t *transaction) (err error) { //nolint:contextcheck // what has begun is carried through
			dropped, err = t.dropOld(before)
			return err
		})
		if err != nil || dropped < forgottenAtOnce {
			return err
		}
	}
}

func (t *transaction) dropOld(before time.Time) (dropped int, err error) {
	type old struct {
		namespace int64
		row       traceRow
	}
	var list []old
	t.read(`SELECT n, namespace, class, features FROM memorytrust.traces
		WHERE agent = $1 AND NOT record AND at < $2 ORDER BY at LIMIT $3`,
		[]any{t.agent, before.UnixMicro(), forgottenAtOnce}, func(scan func(...any) error) error {
			var o old
			err := scan(&o.row.n, &o.namespace, (*string)(&o.row.class), &o.row.features)
			list = append(list, o)
			return err
		})
	if err := t.flush(); err != nil {
		return 0, err
	}
	for _, o := range list {
		t.deleteTrace(o.namespace, o.row)
	}
	return len(list), nil
}

// selectShared lists, for each of some features, the traces that have it, lowest class first.
var selectShared = fmt.Sprintf(`SELECT u.feature, f.trace, f.rank FROM unnest($3::bigint[]) AS u (feature) CROSS JOIN LATERAL (
		SELECT trace, rank FROM memorytrust.features WHERE agent = $1 AND namespace = $2 AND feature = u.feature
		ORDER BY rank, trace LIMIT %d
	) f`, sharedTraces)

const selectTraces = `SELECT u.place, t.id, t.record, t.session, t.class, t.source, t.at, cardinality(t.features)
	FROM unnest($2::bigint[]) WITH ORDINALITY AS u (n, place)
	CROSS JOIN LATERAL (SELECT * FROM memorytrust.traces WHERE agent = $1 AND n = u.n LIMIT 1) t ORDER BY u.place`

// found is a trace that shares features.
type found struct {
	n, rank int64
	shared  []uint64
}

// Traced implements memory.Store. It returns a *memory.FieldError for a limit or a number of features out of bounds.
func (s *Store) Traced(ctx context.Context, namespace string, features []uint64, limit int) (out []memory.TraceMatch, err error) {
	if limit < 1 || limit > memory.MaxPageSize {
		return nil, &memory.FieldError{Field: "limit", Fix: fmt.Sprintf("use 1 to %d", memory.MaxPageSize)}
	}
	if len(features) > memory.MaxFeatures {
		return nil, &memory.FieldError{Field: "features", Fix: fmt.Sprintf("give at most %d", memory.MaxFeatures)}
	}
	if len(features) == 0 {
		return nil, nil
	}
	err = s.reader.snapshot(ctx, readingTraces, func(conn *readConn) error {
		id, err := s.namespaceID(ctx, conn, readingTraces, namespace)
		if err != nil || id == 0 {
			return err
		}
		matches, err := s.sharing(ctx, conn, id, features)
		if err != nil || len(matches) == 0 {
			return err
		}
		out, err = s.readMatches(ctx, conn, namespace, matches[:min(len(matches), limit)])
		return err
	})
	return out, err
}

// sharing returns the traces that have any of the features, those that have most first.
func (s *Store) sharing(ctx context.Context, conn *readConn, namespace int64, features []uint64) ([]*found, error) {
	byTrace := map[int64]*found{}
	_, err := collect(ctx, conn, readingTraces, selectShared, []any{s.agent, namespace, bitsOf(features)},
		func(scan func(...any) error) (struct{}, error) {
			var feature, trace, rank int64
			if err := scan(&feature, &trace, &rank); err != nil {
				return struct{}{}, err
			}
			f := byTrace[trace]
			if f == nil {
				f = &found{n: trace, rank: rank}
				byTrace[trace] = f
			}
			f.shared = append(f.shared, uint64(feature)) // #nosec G115 -- bits
			return struct{}{}, nil
		})
	if err != nil {
		return nil, err
	}
	out := make([]*found, 0, len(byTrace))
	for _, f := range byTrace {
		slices.Sort(f.shared)
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b *found) int {
		return cmp.Or(cmp.Compare(len(b.shared), len(a.shared)), cmp.Compare(a.rank, b.rank), cmp.Compare(a.n, b.n))
	})
	return out, nil
}

// readMatches reads the traces that were found.
func (s *Store) readMatches(ctx context.Context, conn *readConn, namespace string, matches []*found) ([]memory.TraceMatch, error) {
	numbers := make([]int64, len(matches))
	for i, f := range matches {
		numbers[i] = f.n
	}
	return collect(ctx, conn, readingTraces, selectTraces, []any{s.agent, numbers},
		func(scan func(...any) error) (m memory.TraceMatch, err error) {
			var (
				at    int64
				place int
			)
			if err := scan(&place, &m.ID, &m.Record, &m.Session, (*string)(&m.Class), &m.Source, &at, &m.Features); err != nil {
				return m, err
			}
			m.Namespace, m.At, m.Shared = namespace, fromMicros(at), matches[place-1].shared
			return m, nil
		})
}

// namespaceID is the number of a namespace, 0 if it has none.
func (s *Store) namespaceID(ctx context.Context, conn *readConn, doing, name string) (int64, error) {
	return one(ctx, conn, doing, `SELECT coalesce((SELECT id FROM memorytrust.namespaces WHERE agent = $1 AND name = $2), 0)`,
		[]any{s.agent, name}, value[int64])
}
