// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"

	"memorytrust.dev/operator/internal/memory"
)

// DefaultDeliveries is how many deliveries are shown when none says how many.
const DefaultDeliveries = 100

// DeliveryQuery asks which memories a session saw, or which sessions saw a memory.
type DeliveryQuery struct {
	Session string // empty: all
	ID      string // of a memory; empty: all
	Limit   int    // 0: DefaultDeliveries; at most memory.MaxPageSize
}

// Deliveries returns what was shown to whom, newest first. It returns ErrNotReady, a *memory.FieldError, or an error of the
// store.
func (g *Gate) Deliveries(ctx context.Context, p Person, q DeliveryQuery) ([]memory.Delivery, error) {
	defer g.metrics.time("deliveries")()
	s, namespace, err := g.attend(p)
	if err != nil {
		return nil, err
	}
	return g.inspection(s, namespace).deliveries(ctx, q)
}
