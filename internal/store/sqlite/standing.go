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

// lowestClass is that of what nobody knows where it comes from.
const lowestClass = provenance.Unknown

// maxStandings bounds how many sessions are kept ready, with at most some ten kilobytes for each.
const maxStandings = 1024

// place is where something is met: in a session, in any session of a namespace, or outside of those that users opened.
type place struct {
	namespace, session string
	unbound            bool
}

// places are those that a thing counts for.
func (m met) places() []place {
	out := append(make([]place, 0, 3), place{namespace: m.Namespace})
	if m.Session != "" {
		out = append(out, place{namespace: m.Namespace, session: m.Session})
	}
	if m.unbound {
		out = append(out, place{namespace: m.Namespace, unbound: true})
	}
	return out
}

// standing is which classes were met in a place and when last, in microseconds.
type standing struct {
	last   map[provenance.Class]int64
	loaded bool // what the store says is in it
	low    lowDeliveries
}

func (s *standing) note(class provenance.Class, at int64) {
	if was, there := s.last[class]; !there || was < at {
		s.last[class] = at
	}
}

// standings keeps how sessions stand: while the process runs it is what counts, and the store comes after it. The lock of behind
// guards it.
type standings struct {
	at       map[place]*standing
	opened   map[place]bool // sessions that a user channel opened, or not
	openings uint64         // how many were opened, to tell what was read before
}

func newStandings() standings {
	return standings{at: map[place]*standing{}, opened: map[place]bool{}}
}

// note notes what was met.
func (k *standings) note(rows []met) {
	for _, m := range rows {
		for _, p := range m.places() {
			if s := k.at[p]; s != nil {
				s.note(m.Class, m.At.UnixMicro())
				s.low.note(m)
			}
		}
	}
}

// lowers reports whether some of it is of a class that its session is not known to have met before.
func (k *standings) lowers(rows []met) bool {
	for _, m := range rows {
		s := k.at[place{namespace: m.Namespace, session: m.Session}]
		if s == nil || !s.loaded {
			return true
		}
		if _, met := s.last[m.Class]; !met {
			return true
		}
	}
	return false
}

// standing returns how a place stands, ready to be looked at; it is read from the store the first time.
func (b *behind) standing(ctx context.Context, from source, p place) (*standing, error) {
	b.mu.Lock()
	s := b.known.at[p]
	if s != nil && s.loaded {
		b.mu.Unlock()
		return s, nil
	}
	if s == nil {
		if len(b.known.at) >= maxStandings {
			b.known.at = map[place]*standing{}
		}
		// From here on it learns of all that is met, so that nothing is missed between the store and what is pending.
		s = &standing{last: map[provenance.Class]int64{}}
		b.known.at[p] = s
		for _, e := range b.pending {
			for _, m := range e.rows {
				for _, its := range m.places() {
					if its == p {
						s.note(m.Class, m.At.UnixMicro())
					}
				}
			}
		}
	}
	b.mu.Unlock()
	kept, err := readStanding(ctx, from, p)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for class, at := range kept {
		s.note(class, at)
	}
	s.loaded = true
	return s, nil
}

// readStanding reads how a place stands in the store.
func readStanding(ctx context.Context, from source, p place) (map[provenance.Class]int64, error) {
	query, args := "SELECT class, last_at FROM delivered WHERE namespace = ? AND session = ?", []any{p.namespace, p.session}
	if p.unbound {
		query, args = "SELECT class, last_at FROM delivered_unbound WHERE namespace = ?", []any{p.namespace}
	}
	out := map[provenance.Class]int64{}
	_, err := collect(ctx, from, "reading deliveries", query, args, func(scan func(...any) error) (_ struct{}, err error) {
		var (
			class provenance.Class
			at    int64
		)
		err = scan(&class, &at)
		out[class] = at
		return struct{}{}, err
	})
	return out, err
}

// lowestIn returns the lowest class met in a place since a time; false if nothing was. A class that is none counts as Unknown.
func (s *Store) lowestIn(ctx context.Context, p place, since time.Time) (provenance.Class, bool, error) {
	b, err := s.alone(ctx)
	if err != nil {
		return "", false, err
	}
	var last map[provenance.Class]int64
	if b == nil {
		if last, err = readStanding(ctx, s.reader, p); err != nil {
			return "", false, err
		}
	} else {
		found, err := b.standing(ctx, s.reader, p)
		if err != nil {
			return "", false, err
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		last = found.last
	}
	var classes []provenance.Class
	for class, at := range last {
		if at >= since.UnixMicro() {
			classes = append(classes, class)
		}
	}
	if len(classes) == 0 {
		return "", false, nil
	}
	return provenance.Min(classes...), true, nil
}

// LowestDelivered implements memory.Store.
func (s *Store) LowestDelivered(ctx context.Context, namespace, session string, since time.Time) (provenance.Class, bool, error) {
	return s.lowestIn(ctx, place{namespace: namespace, session: session}, since)
}

// LowestUnbound implements memory.Store. What was delivered to a session before a user channel opened it stays counted.
func (s *Store) LowestUnbound(ctx context.Context, namespace string, since time.Time) (provenance.Class, bool, error) {
	return s.lowestIn(ctx, place{namespace: namespace, unbound: true}, since)
}

// alone returns what keeps what sessions met while this is the only process that works with the store; nil while it is not: then
// everything is in the store, for the other to see, and nothing is remembered that the other might change. Nor is it once the other has
// gone.
func (s *Store) alone(ctx context.Context) (*behind, error) {
	if err := ctx.Err(); err != nil || s.behind == nil {
		return nil, err
	}
	b := s.behind
	here := visited(b.journal.file)
	visit, err := b.journal.lastVisit()
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	before, shared := b.visit, b.shared
	b.mu.Unlock()
	if !here && !shared && visit == before {
		return b, nil
	}
	if err := s.settled(ctx); err != nil {
		return nil, err
	}
	s.forget(visit, here)
	if here {
		return nil, nil //nolint:nilnil // see above
	}
	return b, nil
}

// forget drops what is remembered of the tables.
func (s *Store) forget(visit [visitBytes]byte, shared bool) {
	s.present.forget()
	s.postings.forget()
	s.turns.changed()
	s.writer.committed.Store(-1)
	s.behind.mu.Lock()
	defer s.behind.mu.Unlock()
	s.behind.known = newStandings()
	s.behind.visit, s.behind.shared = visit, shared
}

// meet keeps what a session met.
func (s *Store) meet(ctx context.Context, doing string, e entry) error {
	e.traces = compacted(e.traces)
	b, err := s.alone(ctx)
	if err != nil {
		return mapError(ctx, doing, err)
	}
	if b != nil {
		err := b.take(ctx, s.reader, e)
		if !errors.Is(err, errLongEntry) {
			return mapError(ctx, doing, err)
		}
		if err := b.flush(ctx); err != nil {
			return mapError(ctx, doing, err)
		}
	}
	return s.meetNow(ctx, doing, e)
}

// take adds an entry once it is known where each thing in it counts.
func (b *behind) take(ctx context.Context, from source, e entry) error {
	seen := map[place]bool{}
	for i := range e.rows {
		m := &e.rows[i]
		p := place{namespace: m.Namespace, session: m.Session}
		opened, known := seen[p]
		if !known {
			var err error
			if opened, err = b.isOpened(ctx, from, p); err != nil {
				return err
			}
			if _, err := b.standing(ctx, from, p); err != nil {
				return err
			}
			seen[p] = opened
		}
		m.unbound = !opened
	}
	return b.add(ctx, e)
}

// isOpened reports whether a user channel opened a session.
func (b *behind) isOpened(ctx context.Context, from source, p place) (bool, error) {
	if p.session == "" {
		return false, nil
	}
	b.mu.Lock()
	opened, known := b.known.opened[p]
	before := b.known.openings
	b.mu.Unlock()
	if known {
		return opened, nil
	}
	_, err := one(ctx, from, "reading a session", selectSession, []any{p.namespace, p.session}, readSession)
	if err != nil && !errors.Is(err, memory.ErrNotFound) {
		return false, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if before == b.known.openings {
		b.known.open(p, err == nil)
	}
	return err == nil, nil
}

func (k *standings) open(p place, opened bool) {
	if len(k.opened) >= maxStandings {
		k.opened = map[place]bool{}
	}
	k.opened[p] = opened
}

// opens notes that a session is opened, once it is on disk.
func (b *behind) opens(namespace, session string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.known.openings++
	b.known.open(place{namespace: namespace, session: session}, true)
}

// meetNow keeps it in the store at once.
func (s *Store) meetNow(ctx context.Context, doing string, e entry) error {
	traces, err := newTraces(e.traces)
	if err != nil {
		return err
	}
	var delivered, all []deliveryRow
	for _, m := range e.rows {
		row := rowOf(m.Delivery)
		all = append(all, row)
		if !m.observed {
			delivered = append(delivered, row)
		}
	}
	err = s.writer.do(ctx, doing, func(w *writer) error {
		if err := w.addDelivered(delivered); err != nil {
			return err
		}
		if err := addRows(w, latest(all), w.stmts.deliverClass, w.stmts.deliverUnbound); err != nil {
			return err
		}
		return w.addTraces(traces)
	})
	if err == nil && s.behind != nil {
		s.behind.mu.Lock()
		defer s.behind.mu.Unlock()
		s.behind.known.note(e.rows)
	}
	return err
}

// settled waits until all that sessions met is in the store.
func (s *Store) settled(ctx context.Context) error {
	if s.behind == nil {
		return nil
	}
	return mapError(ctx, "keeping what sessions met", s.behind.flush(ctx))
}
