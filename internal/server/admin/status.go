// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package admin is the screener's admin port: mutual TLS, for the manager only.
package admin

// StatusPath answers GET with Status.
const StatusPath = "/v1/status"

// ClientName is the DNS name in the manager's client certificate; no other client is accepted.
const ClientName = "manager.memorytrust.internal"

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
	RecordsByKeyID map[string]int64 `json:"recordsByKeyID,omitempty"`
	AuditSize      int64            `json:"auditSize"`
	AuditRoot      string           `json:"auditRoot"` // base64
}
