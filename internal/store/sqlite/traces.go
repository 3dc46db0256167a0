// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
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
	featureBytes    = 8
)

// trace is a trace on its way into the file.
type trace struct {
	memory.Trace
	list string // features as a JSON array of signed numbers, as SQLite has them
}

func newTrace(t memory.Trace) (trace, error) {
	if err := t.Validate(); err != nil {
		return trace{}, err
	}
	t.Features = slices.Compact(slices.Clone(t.Features))
	list, err := featureList(t.Features)
	return trace{t, list}, err
}

// compacted returns traces with each feature once.
func compacted(traces []memory.Trace) []memory.Trace {
	out := slices.Clone(traces)
	for i := range out {
		out[i].Features = slices.Compact(slices.Clone(out[i].Features))
	}
	return out
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

func featureList(features []uint64) (string, error) {
	signed := make([]int64, len(features))
	for i, f := range features {
		signed[i] = int64(f) // #nosec G115 -- bits
	}
	list, err := json.Marshal(signed)
	return string(list), err
}

func packFeatures(features []uint64) []byte {
	out := make([]byte, 0, len(features)*featureBytes)
	for _, f := range features {
		out = binary.BigEndian.AppendUint64(out, f)
	}
	return out
}

func unpackFeatures(packed []byte) []uint64 {
	out := make([]uint64, 0, len(packed)/featureBytes)
	for ; len(packed) >= featureBytes; packed = packed[featureBytes:] {
		out = append(out, binary.BigEndian.Uint64(packed))
	}
	return out
}

// rankOf is the place of a class from the bottom. What is no class counts as Unknown.
func rankOf(class provenance.Class) int {
	return max(0, len(provenance.Classes)-1-slices.Index(provenance.Classes, provenance.Min(class)))
}

// Observe implements memory.Store. It returns a *memory.FieldError for a trace that cannot be kept.
func (s *Store) Observe(ctx context.Context, t memory.Trace) error {
	t.Record = false
	if err := t.Validate(); err != nil {
		return err
	}
	e := entry{rows: []met{{
		Delivery: memory.Delivery{Namespace: t.Namespace, Session: t.Session, Class: t.Class, At: t.At}, observed: true,
	}}}
	if len(t.Features) > 0 {
		e.traces = []memory.Trace{t}
	}
	return s.meet(ctx, "keeping an observation", e)
}

// addTraces puts traces; those that are there already stay as they are.
func (w *writer) addTraces(traces []trace) error {
	for _, t := range traces {
		namespace, err := w.namespaceID(t.Namespace)
		if err != nil {
			return err
		}
		if err := w.addTrace(namespace, t); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) addTrace(namespace int64, t trace) error {
	if len(t.Features) == 0 {
		return nil // nothing would ever lead to it
	}
	var n int64
	err := w.row(w.stmts.putTrace, namespace, t.ID, t.Record, t.Session, string(t.Class), t.Source, t.At.UnixMicro(),
		packFeatures(t.Features)).Scan(&n)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	w.traced = append(w.traced, traceChange{n, &t})
	return w.exec(w.stmts.putFeatures, namespace, rankOf(t.Class), n, t.list)
}

// putTrace keeps what the content of a change is recognized by. That of earlier versions stays: those were seen.
func (c *commit) putTrace() error {
	if len(c.change.Trace) == 0 || c.change.Type == memory.ChangePurge {
		return nil
	}
	r := c.record
	next, err := newTrace(c.trace())
	if err != nil {
		return err
	}
	namespace, err := c.namespaceID(r.Namespace)
	if err != nil {
		return err
	}
	if c.change.ExpectSeq == 0 {
		return c.addTrace(namespace, next)
	}
	var (
		n      int64
		class  provenance.Class
		packed []byte
	)
	err = c.row(c.stmts.trace, namespace, r.ID).Scan(&n, &class, &packed)
	if errors.Is(err, sql.ErrNoRows) {
		return c.addTrace(namespace, next)
	}
	if err != nil {
		return err
	}
	known := unpackFeatures(packed)
	all, lowest := joinFeatures(next.Features, known), provenance.Min(class, r.Class)
	if lowest == class && slices.Equal(all, known) {
		return nil
	}
	if err := c.dropFeatures(namespace, n, class, packed); err != nil {
		return err
	}
	list, err := featureList(all)
	if err != nil {
		return err
	}
	if err := c.exec(c.stmts.setTrace, string(lowest), packFeatures(all), n); err != nil {
		return err
	}
	return c.exec(c.stmts.putFeatures, namespace, rankOf(lowest), n, list)
}

// trace is what the content of a change is recognized by.
func (c *commit) trace() memory.Trace {
	r := c.record
	return memory.Trace{ID: r.ID, Namespace: r.Namespace, Record: true, Class: r.Class, At: r.UpdatedAt, Features: c.change.Trace}
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

// dropFeatures removes the features of one trace along their primary key.
const dropFeatures = `DELETE FROM features WHERE namespace = ? AND rank = ? AND trace = ?
	AND feature IN (SELECT value FROM json_each(?))`

func (w *writer) dropFeatures(namespace, n int64, class provenance.Class, packed []byte) error {
	w.traced = append(w.traced, traceChange{})
	list, err := featureList(unpackFeatures(packed))
	if err != nil {
		return err
	}
	return w.exec(w.stmts.dropFeatures, namespace, rankOf(class), n, list)
}

// untrace removes what a record is recognized by.
func (w *writer) untrace(r memory.Record) error {
	namespace, err := w.namespaceID(r.Namespace)
	if err != nil {
		return err
	}
	var (
		n      int64
		class  provenance.Class
		packed []byte
	)
	err = w.row(w.stmts.trace, namespace, r.ID).Scan(&n, &class, &packed)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	return w.dropTrace(namespace, n, class, packed)
}

func (w *writer) dropTrace(namespace, n int64, class provenance.Class, packed []byte) error {
	if err := w.dropFeatures(namespace, n, class, packed); err != nil {
		return err
	}
	return w.exec(w.stmts.dropTrace, n)
}

// ForgetTraces implements memory.Store.
func (s *Store) ForgetTraces(ctx context.Context, before time.Time) error {
	if err := s.settled(ctx); err != nil {
		return err
	}
	for {
		dropped := 0
		err := s.writer.do(ctx, "forgetting old observations", func(w *writer) (err error) {
			dropped, err = w.dropOld(before)
			return err
		})
		if err != nil || dropped < forgottenAtOnce {
			return err
		}
	}
}

func (w *writer) dropOld(before time.Time) (dropped int, err error) {
	type old struct {
		n, namespace int64
		class        provenance.Class
		packed       []byte
	}
	rows, err := w.stmts.oldTraces.QueryContext(context.Background(), before.UnixMicro(), forgottenAtOnce)
	if err != nil {
		return 0, err
	}
	var list []old
	for rows.Next() {
		var o old
		if err := rows.Scan(&o.n, &o.namespace, &o.class, &o.packed); err != nil {
			return 0, errors.Join(err, rows.Close())
		}
		list = append(list, o)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return 0, err
	}
	for _, o := range list {
		if err := w.dropTrace(o.namespace, o.n, o.class, o.packed); err != nil {
			return 0, err
		}
	}
	return len(list), nil
}

// selectShared lists, for each feature of a JSON array, the traces that have it, lowest class first, as eight times the
// number of the trace plus the rank of its class. The bound is part of the text, see selectNewest.
var selectShared = fmt.Sprintf(`SELECT j.value, (SELECT group_concat(trace * 8 + rank, ' ') FROM (
		SELECT trace, rank FROM features WHERE namespace = (SELECT id FROM namespaces WHERE name = ?) AND feature = j.value
		ORDER BY rank, trace LIMIT %d))
	FROM json_each(?) j`, sharedTraces)

const selectTraces = `SELECT j.key, t.id, t.record, t.session, t.class, t.source, t.at, length(t.features) / 8
	FROM json_each(?) j CROSS JOIN traces t ON t.n = j.value ORDER BY j.key`

// found is a trace that shares features.
type found struct {
	n      int64
	rank   int
	shared []uint64
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
	b, err := s.alone(ctx)
	if err != nil {
		return nil, err
	}
	if b == nil {
		return (&tracedIn{reader: s.reader, postings: &postings{}, namespace: namespace}).find(ctx, features, limit)
	}
	newer := b.unwritten() // before the tables are looked at, so that nothing is missed on its way there
	out, err = (&tracedIn{reader: s.reader, postings: &s.postings, namespace: namespace}).find(ctx, features, limit)
	if err != nil {
		return nil, err
	}
	return withPending(out, newer, namespace, features, limit), nil
}

// tracedIn looks for traces of a namespace in the tables, as far as they are not remembered.
type tracedIn struct {
	reader    *reader
	postings  *postings
	namespace string
}

// find returns the traces that share features.
func (t *tracedIn) find(ctx context.Context, features []uint64, limit int) ([]memory.TraceMatch, error) {
	lists, missing, generation := t.postings.known(t.namespace, features)
	if len(missing) == 0 {
		matches := sharing(lists)
		matches = matches[:min(len(matches), limit)]
		out := make([]memory.TraceMatch, len(matches))
		if len(t.postings.describe(matches, out)) == 0 && t.postings.current(generation) {
			return out, nil
		}
	}
	return t.read(ctx, features, missing, lists, generation, limit)
}

// read is find with what has to be read. What is remembered counts only if it still holds when the rest was read.
func (t *tracedIn) read(
	ctx context.Context, features, missing []uint64, lists map[uint64][]traceKey, generation uint64, limit int,
) (out []memory.TraceMatch, err error) {
	err = t.reader.snapshot(ctx, readingTraces, func(conn *readConn) error {
		for {
			read, err := t.readPostings(ctx, conn, missing)
			if err != nil {
				return err
			}
			maps.Copy(lists, read)
			matches := sharing(lists)
			if out, err = t.readMatches(ctx, conn, matches[:min(len(matches), limit)], read, generation); err != nil {
				return err
			}
			if len(missing) == len(features) || t.postings.current(generation) {
				return nil
			}
			missing, lists = features, map[uint64][]traceKey{} // all of it from the tables, as they were when this began
		}
	})
	return out, err
}

// readPostings reads the traces of features.
func (t *tracedIn) readPostings(ctx context.Context, conn *readConn, features []uint64) (map[uint64][]traceKey, error) {
	list, err := featureList(features)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", readingTraces, err)
	}
	out := make(map[uint64][]traceKey, len(features))
	_, err = collect(ctx, conn, readingTraces, selectShared, []any{t.namespace, list}, func(scan func(...any) error) (struct{}, error) {
		var (
			feature int64
			traces  sql.NullString
		)
		if err := scan(&feature, &traces); err != nil {
			return struct{}{}, err
		}
		numbers, err := decodeRIDs(traces.String)
		keys := make([]traceKey, len(numbers))
		for i, n := range numbers {
			keys[i] = traceKey(n)
		}
		slices.SortFunc(keys, compareKeys)
		out[uint64(feature)] = keys // #nosec G115 -- bits
		return struct{}{}, err
	})
	return out, err
}

// withPending adds the traces that are not in the tables yet, or came there while those were looked at. Of several of one id the first
// stands, as in the tables.
func withPending(found []memory.TraceMatch, newer []entry, namespace string, features []uint64, limit int) []memory.TraceMatch {
	stored, changed := len(found), false
	places := make(map[string]int, stored)
	for i, m := range found {
		places[m.ID] = i
	}
	for _, e := range newer {
		for _, t := range e.traces {
			if t.Namespace != namespace {
				continue
			}
			both := shared(features, t.Features)
			if len(both) == 0 {
				continue
			}
			changed = true
			if i, known := places[t.ID]; known {
				if i < stored && len(found[i].Shared) < len(both) {
					found[i].Shared = both
				}
				continue
			}
			places[t.ID] = len(found)
			own := len(t.Features)
			t.Features, t.At = nil, fromMicros(t.At.UnixMicro())
			found = append(found, memory.TraceMatch{Trace: t, Shared: both, Features: own})
		}
	}
	if !changed {
		return found
	}
	slices.SortStableFunc(found, func(a, b memory.TraceMatch) int {
		return cmp.Or(cmp.Compare(len(b.Shared), len(a.Shared)), cmp.Compare(rankOf(a.Class), rankOf(b.Class)))
	})
	return found[:min(len(found), limit)]
}

// shared returns what two sorted lists have in common.
func shared(a, b []uint64) []uint64 {
	if len(a) == 0 || len(b) == 0 || a[len(a)-1] < b[0] || b[len(b)-1] < a[0] {
		return nil
	}
	var out []uint64
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			if len(out) == 0 || out[len(out)-1] != a[0] {
				out = append(out, a[0])
			}
			a, b = a[1:], b[1:]
		}
	}
	return out
}

// sharing returns the traces that have any of the features, those that have most first.
func sharing(lists map[uint64][]traceKey) []*found {
	byTrace := map[int64]*found{}
	for feature, keys := range lists {
		for _, key := range keys {
			f := byTrace[key.number()]
			if f == nil {
				f = &found{n: key.number(), rank: key.rank()}
				byTrace[f.n] = f
			}
			f.shared = append(f.shared, feature)
		}
	}
	out := make([]*found, 0, len(byTrace))
	for _, f := range byTrace {
		slices.Sort(f.shared)
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b *found) int {
		return cmp.Or(cmp.Compare(len(b.shared), len(a.shared)), cmp.Compare(a.rank, b.rank), cmp.Compare(a.n, b.n))
	})
	return out
}

// readMatches describes the traces that were found, and remembers what was read.
func (t *tracedIn) readMatches(
	ctx context.Context, conn *readConn, matches []*found, lists map[uint64][]traceKey, generation uint64,
) ([]memory.TraceMatch, error) {
	out := make([]memory.TraceMatch, len(matches))
	others := t.postings.describe(matches, out)
	read := make(map[int64]memory.TraceMatch, len(others))
	if len(others) > 0 {
		var numbers strings.Builder
		for i, place := range others {
			if i > 0 {
				numbers.WriteByte(',')
			}
			fmt.Fprint(&numbers, matches[place].n)
		}
		_, err := collect(ctx, conn, readingTraces, selectTraces, []any{"[" + numbers.String() + "]"},
			func(scan func(...any) error) (_ struct{}, err error) {
				var (
					m         memory.TraceMatch
					at, place int64
				)
				err = scan(&place, &m.ID, &m.Record, &m.Session, &m.Class, &m.Source, &at, &m.Features)
				m.Namespace, m.At = t.namespace, fromMicros(at)
				match := matches[others[place]]
				read[match.n] = m
				m.Shared = match.shared
				out[others[place]] = m
				return struct{}{}, err
			})
		if err != nil {
			return nil, err
		}
	}
	t.postings.learn(generation, t.namespace, lists, read)
	return slices.DeleteFunc(out, func(m memory.TraceMatch) bool { return m.ID == "" }), nil
}
