// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"bytes"
	"context"
	"errors"
	"time"

	"memorytrust.dev/operator/internal/memory"
)

// ReasonNotVerified says that nobody with the agent's keys looked at a memory: zone, state and what follows from them are what the
// store says. An Onlooker gives it to all that it shows and finds no other fault in.
const ReasonNotVerified Reason = "NotVerified"

// Onlooker shows people what is in an agent's memory without the agent's keys and policy: it decides nothing, and vouches for
// nothing. What can be told without keys it tells: whether a version is the one that the audit log calls the newest, and whether it is
// what its commit says. It is safe for concurrent use.
type Onlooker struct {
	records   Records
	namespace string
	clock     func() time.Time
}

// NewOnlooker returns an onlooker of one namespace. Without a clock it takes time.Now.
func NewOnlooker(records Records, namespace string, clock func() time.Time) *Onlooker {
	if clock == nil {
		clock = time.Now
	}
	return &Onlooker{records: records, namespace: namespace, clock: clock}
}

func (o *Onlooker) inspection() inspection {
	return inspection{
		store: o.records, namespace: o.namespace, now: memory.Timestamp(o.clock()), verify: o.verify, version: o.version,
	}
}

// Inspect is Gate.Inspect.
func (o *Onlooker) Inspect(ctx context.Context, id string, q Reading) (Inspected, error) {
	return o.inspection().one(ctx, id, q)
}

// InspectLog is Gate.InspectLog.
func (o *Onlooker) InspectLog(ctx context.Context, id string, q LogQuery) ([]Inspected, string, error) {
	return o.inspection().log(ctx, id, q)
}

// Browse is Gate.Browse. Its cursors are the same.
func (o *Onlooker) Browse(ctx context.Context, b Browsing) (Page, error) {
	return o.inspection().page(ctx, b)
}

// Contradictions is Gate.Contradictions. Its cursors are the same.
func (o *Onlooker) Contradictions(ctx context.Context, q ContradictionQuery) (ContradictionPage, error) {
	return o.inspection().contradictions(ctx, q)
}

// Deliveries is Gate.Deliveries.
func (o *Onlooker) Deliveries(ctx context.Context, q DeliveryQuery) ([]memory.Delivery, error) {
	return o.inspection().deliveries(ctx, q)
}

// verify compares records with the audit log.
func (o *Onlooker) verify(ctx context.Context, records []memory.Record) ([]verified, error) {
	if len(records) == 0 {
		return nil, nil
	}
	ids := make([]string, len(records))
	for i, r := range records {
		ids[i] = r.ID
	}
	heads, err := o.records.Heads(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := make([]verified, len(records))
	for i, r := range records {
		head := heads[r.ID]
		for n := 0; n < rereads && r.Seq != head.Seq; n++ { // as for Gate.verify
			if r, head, err = o.reread(ctx, r); err != nil {
				return nil, err
			}
		}
		fault := o.version(r)
		if r.Seq != head.Seq || !bytes.Equal(r.Commit.Hash, head.Commit[:]) {
			fault = ReasonTampered
		}
		out[i] = verified{record: r, fault: fault}
	}
	return out, nil
}

func (o *Onlooker) reread(ctx context.Context, r memory.Record) (memory.Record, memory.Head, error) {
	fresh, err := o.records.Get(ctx, o.namespace, r.ID)
	if errors.Is(err, memory.ErrNotFound) {
		return r, memory.Head{}, nil
	}
	if err != nil {
		return r, memory.Head{}, err
	}
	heads, err := o.records.Heads(ctx, []string{r.ID})
	return fresh, heads[r.ID], err
}

// version is checkVersion without keys.
func (o *Onlooker) version(r memory.Record) Reason {
	if r.Seq == 0 || r.Namespace != o.namespace || !hashes(r) {
		return ReasonTampered
	}
	return ReasonNotVerified
}
