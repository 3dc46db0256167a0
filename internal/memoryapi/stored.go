// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryapi

import (
	"context"
	"errors"
	"net/http"
	"time"

	"k8s.io/klog/v2"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/server/admin"
)

// stored reads an agent's memory where it is kept, while no screener of the agent runs. Without the agent's keys it vouches for
// nothing: what it shows has the fault NotVerified, or a worse one.
type stored struct {
	onlooker *gate.Onlooker
	agent    string
	close    func()
}

var _ Reader = (*stored)(nil)

// Get implements Reader.
func (s *stored) Get(ctx context.Context, id, commit string, at time.Time) (gate.Inspected, error) {
	out, err := s.onlooker.Inspect(ctx, id, gate.Reading{Commit: commit, At: at})
	return out, s.failure(ctx, err)
}

// List implements Reader.
func (s *stored) List(ctx context.Context, b gate.Browsing) (gate.Page, error) {
	out, err := s.onlooker.Browse(ctx, b)
	return out, s.failure(ctx, err)
}

// Log implements Reader.
func (s *stored) Log(ctx context.Context, id, cursor string, limit int) (admin.History, error) {
	versions, next, err := s.onlooker.InspectLog(ctx, id, gate.LogQuery{Cursor: cursor, Limit: limit})
	return admin.History{Versions: versions, Next: next}, s.failure(ctx, err)
}

// Contradictions implements Reader.
func (s *stored) Contradictions(ctx context.Context, all bool, cursor string, limit int) (gate.ContradictionPage, error) {
	out, err := s.onlooker.Contradictions(ctx, gate.ContradictionQuery{Open: !all, Cursor: cursor, Limit: limit})
	return out, s.failure(ctx, err)
}

// XRay implements Reader: what a recall makes of a memory depends on the agent's keys, policy and lexicons, and only its screener has
// them.
func (s *stored) XRay(context.Context, admin.ExplainRequest) (gate.XRay, error) {
	return gate.XRay{}, screenerOnly("an explanation of a recall")
}

// Deliveries implements Reader.
func (s *stored) Deliveries(ctx context.Context, session, id string, limit int) (admin.Deliveries, error) {
	found, err := s.onlooker.Deliveries(ctx, gate.DeliveryQuery{Session: session, ID: id, Limit: limit})
	if err != nil {
		return admin.Deliveries{}, s.failure(ctx, err)
	}
	out := admin.Deliveries{Deliveries: make([]admin.DeliveryEntry, len(found))}
	for i, d := range found {
		out.Deliveries[i] = admin.DeliveryEntry{Memory: d.RecordID, Session: d.Session, Class: d.Class, Score: d.Score, Seq: d.Seq, At: d.At}
	}
	return out, nil
}

// Close implements Reader.
func (s *stored) Close() { s.close() }

// screenerOnly answers what a store alone cannot.
func screenerOnly(what string) *admin.Failure {
	return unreadable("no pod of it runs, and " + what + " needs a running screener, which has its keys and policy; its memories, their " +
		"content, log and deliveries, approvals and contradictions can be read meanwhile")
}

// unreadable answers that an agent's store cannot be read at the moment.
func unreadable(detail string) *admin.Failure {
	return &admin.Failure{Status: http.StatusServiceUnavailable, Detail: detail, RetryAfter: retrySeconds * time.Second}
}

// failure turns an error of a store into what a screener would answer.
func (s *stored) failure(ctx context.Context, err error) error {
	var field *memory.FieldError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, memory.ErrNotFound):
		return &admin.Failure{Status: http.StatusNotFound}
	case errors.As(err, &field):
		return &admin.Failure{
			Status: http.StatusUnprocessableEntity, Detail: "what was asked for cannot be read",
			Fields: []admin.FieldFailure{{Location: "query." + field.Field, Message: field.Fix}},
		}
	case ctx.Err() != nil:
		return ctx.Err()
	}
	klog.FromContext(ctx).Error(err, "Store not read", "agent", s.agent)
	return unreadable("no pod of it runs, and its database does not answer; the log of memory-api says why")
}
