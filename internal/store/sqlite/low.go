// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"context"
	"slices"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// maxLow is how many of the newest deliveries of low classes are kept ready of one place.
const maxLow = 64

// lowDeliveries are the newest deliveries of a place that lower it below what the agent can say by itself, oldest first. Every write
// asks for them, to name what its words may go back to.
type lowDeliveries struct {
	loaded bool
	whole  bool // there are no older ones
	list   []memory.Delivery
}

// note adds one that comes now.
func (l *lowDeliveries) note(m met) {
	if !l.loaded || m.observed || !provenance.Min(m.Class).Below(provenance.AgentInferred) {
		return
	}
	d := m.Delivery
	d.At = fromMicros(d.At.UnixMicro())
	at := len(l.list)
	for at > 0 && l.list[at-1].At.After(d.At) {
		at--
	}
	if at == 0 && !l.whole {
		return // there may be newer ones than it that are not kept
	}
	l.list = slices.Insert(l.list, at, d)
	if n := len(l.list) - maxLow; n > 0 {
		l.list, l.whole = slices.Delete(l.list, 0, n), false
	}
}

// find answers a filter, newest first; false where what is kept does not say.
func (l *lowDeliveries) find(f memory.DeliveryFilter) ([]memory.Delivery, bool) {
	var out []memory.Delivery
	for _, d := range slices.Backward(l.list) {
		if asked(d, f) {
			if out = append(out, d); len(out) == f.Limit {
				return out, true
			}
		}
	}
	since := !f.Since.IsZero() && len(l.list) > 0 && l.list[0].At.Before(f.Since)
	return out, l.whole || since
}

// lowDeliveries answers a filter for deliveries of low classes to a place; false where it asks for anything else.
func (s *Store) lowDeliveries(ctx context.Context, f memory.DeliveryFilter) ([]memory.Delivery, bool, error) {
	if f.Below == "" || provenance.AgentInferred.Below(f.Below) || f.RecordID != "" || f.Namespace == "" || f.Limit > maxLow {
		return nil, false, nil
	}
	b, err := s.alone(ctx)
	if b == nil || err != nil {
		return nil, false, err
	}
	its, err := b.standing(ctx, s.reader, place{namespace: f.Namespace, session: f.Session})
	if err != nil {
		return nil, false, err
	}
	b.mu.Lock()
	loaded, last := its.low.loaded, b.last
	b.mu.Unlock()
	if !loaded {
		newest, err := s.readDeliveries(ctx, memory.DeliveryFilter{
			Namespace: f.Namespace, Session: f.Session, Below: provenance.AgentInferred, Limit: maxLow,
		})
		if err != nil {
			return nil, false, err
		}
		slices.Reverse(newest)
		b.mu.Lock()
		if !its.low.loaded && last == b.last { // else something may have come in between: the next one will know
			its.low = lowDeliveries{loaded: true, whole: len(newest) < maxLow, list: newest}
		}
		b.mu.Unlock()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if !its.low.loaded {
		return nil, false, nil
	}
	found, known := its.low.find(f)
	return found, known, nil
}
