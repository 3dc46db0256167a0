// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package admin is the screener's admin port: mutual TLS, for the manager's certificate only. Without naming anybody it tells
// counts. Whoever holds that certificate vouches for the person it names in each request, and that person sees and decides
// everything about memory.
package admin

import (
	"context"
	"encoding/base64"

	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/version"
)

// StatusPath answers GET with Status.
const StatusPath = "/v1/status"

// ClientName is the DNS name in the manager's client certificate; no other client is accepted.
const ClientName = policy.AdminClientName

// ServerName returns the DNS name in the certificate of an agent's screener.
func ServerName(namespace, agent string) string {
	return agent + "." + namespace + ".screener.memorytrust.internal"
}

// Status is what a screener reports to the manager. It holds counts and identifiers, never content.
type Status struct {
	Version        string           `json:"version"`
	Namespace      string           `json:"namespace"`
	Agent          string           `json:"agent"`
	AgentID        string           `json:"agentID"`
	PolicyRevision string           `json:"policyRevision"`
	PolicyRejected string           `json:"policyRejected,omitempty"` // why the newest files were not taken; the last good ones are in force
	PrimaryKeyID   string           `json:"primaryKeyID"`
	KeyIDs         []string         `json:"keyIDs"` // sorted
	Zones          map[string]int64 `json:"zones"`
	States         map[string]int64 `json:"states"`
	PendingReview  int64            `json:"pendingReview"`
	Items          int64            `json:"items"` // what a person has to decide; folded memories are not counted
	RecordsByKeyID map[string]int64 `json:"recordsByKeyID,omitempty"`
	// TrustLoss counts by reason the memories that trust mode Signed does not trust though mode Prefix takes them at their
	// word; null before the screener has looked.
	TrustLoss map[string]int64 `json:"trustLoss"`
	// Upstreams of the policy in force, by name; absent from screeners that serve none.
	Upstreams []UpstreamStatus `json:"upstreams,omitempty"`
	AuditSize int64            `json:"auditSize"`
	AuditRoot string           `json:"auditRoot"` // base64
	// Store says where the memory is; absent from screeners that do not tell.
	Store *StoreStatus `json:"store,omitempty"`
}

// UpstreamStatus is what a screener reports of an upstream.
type UpstreamStatus struct {
	Name      string `json:"name"`
	Kind      string `json:"kind"`
	Connected bool   `json:"connected"`         // whether the last call or connection succeeded
	Problem   string `json:"problem,omitempty"` // why not, without content or credentials
	Tools     int    `json:"tools"`             // as last listed
	Waiting   int    `json:"waiting"`           // tools whose definition waits for a person
}

func (s Source) status(ctx context.Context) (Status, error) {
	state, ok := s.State()
	if !ok {
		return Status{}, errNotLoaded
	}
	r := state.Runtime
	// Of all tenants: a key must not go while any of them has records under it.
	counts, err := s.Store.Counts(ctx, "")
	if err != nil {
		return Status{}, err
	}
	checkpoint, err := s.Store.Checkpoint(ctx)
	if err != nil {
		return Status{}, err
	}
	out := Status{
		Version:        version.Version,
		Namespace:      r.Namespace,
		Agent:          r.Agent,
		AgentID:        r.AgentID,
		PolicyRevision: r.Revision,
		PolicyRejected: s.Rejected(),
		PrimaryKeyID:   state.Keyset.PrimaryID(),
		KeyIDs:         state.Keyset.KeyIDs(),
		Zones:          map[string]int64{},
		States:         map[string]int64{},
		PendingReview:  counts.PendingReview,
		Items:          counts.Items,
		RecordsByKeyID: counts.ByKeyID,
		AuditSize:      checkpoint.Size,
		AuditRoot:      base64.StdEncoding.EncodeToString(checkpoint.Root),
	}
	if s.Gate != nil {
		out.TrustLoss = s.Gate.TrustLoss()
	}
	if s.Upstreams != nil {
		out.Upstreams = s.Upstreams()
	}
	if s.Stores != nil {
		store, err := s.Stores.Store(ctx)
		if err != nil {
			return Status{}, err
		}
		out.Store = &store
	}
	for zone, n := range counts.ByZone {
		out.Zones[string(zone)] = n
	}
	for state, n := range counts.ByState {
		out.States[string(state)] = n
	}
	return out, nil
}
