// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package policy turns a MemoryTrustPolicy into the runtime policy a screener obeys, picks the policy in force
// for a pod, and loads and swaps runtime state from files.
package policy

import (
	"time"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/provenance"
)

// SchemaVersion of Runtime. A screener refuses a version it does not know.
const SchemaVersion = "memorytrust.dev/runtime/v1"

// Runtime is what a screener obeys: one agent's policy, compiled. It is immutable once compiled or loaded.
type Runtime struct {
	SchemaVersion string `json:"schemaVersion"`
	// Revision is the hex SHA-256 (first 16 characters) over the canonical JSON of everything else.
	Revision  string `json:"revision"`
	Namespace string `json:"namespace"`
	Agent     string `json:"agent"`
	AgentID   string `json:"agentID"`
	// ServiceAccount that the agent runs as, "namespace/name"; empty without a cluster. It is never a channel.
	ServiceAccount string `json:"serviceAccount,omitempty"`
	PolicyName     string `json:"policyName"`

	Enforcement          v1alpha1.Enforcement `json:"enforcement"`
	TrustMode            v1alpha1.TrustMode   `json:"trustMode"`
	Formats              []Format             `json:"formats"`
	Channels             []Channel            `json:"channels,omitempty"`
	Review               v1alpha1.ReviewMode  `json:"review"`
	PendingExpirySeconds int64                `json:"pendingExpirySeconds"`
	MaxContentBytes      int                  `json:"maxContentBytes"`
	MaxRecallResults     int                  `json:"maxRecallResults"`
	MaxPending           int                  `json:"maxPending"`
	WritesPerMinute      int                  `json:"writesPerMinute"`
	Classes              []ClassRules         `json:"classes,omitempty"` // sorted by class
	Corroboration        int                  `json:"corroboration"`
	ScanIntervalSeconds  int64                `json:"scanIntervalSeconds"`
	Actions              Actions              `json:"actions,omitzero"`
	Screening            Screening            `json:"screening,omitzero"`
	Upstreams            []Upstream           `json:"upstreams,omitempty"` // sorted by name
	// Postgres says that the memory is in a database, whose address travels apart, in a Secret. A screener that runs does not move.
	Postgres bool `json:"postgres,omitempty"`
}

// ClassRules are how memories of one class last. Zero fields mean what is built in: no expiry, never stale, the decay of
// the class, the general limit.
type ClassRules struct {
	Class               provenance.Class `json:"class"`
	ExpirySeconds       int64            `json:"expirySeconds,omitempty"`
	StaleAfterSeconds   int64            `json:"staleAfterSeconds,omitempty"`
	DecayPerDayPerMille int              `json:"decayPerDayPerMille,omitempty"`
	MaxPending          int              `json:"maxPending,omitempty"`
}

// ClassRules returns the rules of a class; without any, all of them are built in.
func (r *Runtime) ClassRules(class provenance.Class) ClassRules {
	for _, c := range r.Classes {
		if c.Class == class {
			return c
		}
	}
	return ClassRules{Class: class}
}

// PendingLimit is how many memories of a class one principal may have waiting for a person.
func (r *Runtime) PendingLimit(class provenance.Class) int {
	return or(r.ClassRules(class).MaxPending, r.MaxPending)
}

// ScanInterval is how often contradictions are looked for.
func (r *Runtime) ScanInterval() time.Duration {
	return time.Duration(r.ScanIntervalSeconds) * time.Second
}

// PendingExpiry is how long a pending memory of an untrusted class is delivered.
func (r *Runtime) PendingExpiry() time.Duration {
	return time.Duration(r.PendingExpirySeconds) * time.Second
}

// Format is one trusted source prefix and the class it gives.
type Format struct {
	Prefix string           `json:"prefix"`
	Class  provenance.Class `json:"class"`
}

// Channel is an authenticated way in. The digest of its bearer token travels apart, in a Secret.
type Channel struct {
	Name      string           `json:"name"`
	Class     provenance.Class `json:"class"`
	Principal string           `json:"principal"`
	// ServiceAccount whose tokens are this channel's, "namespace/name"; empty for a channel with a bearer token.
	ServiceAccount string `json:"serviceAccount,omitempty"`
}

// Files of a screener's configuration directory (one projected volume).
const (
	FilePolicy   = "policy.json"   // Runtime as JSON
	FileChannels = "channels.json" // ChannelDigests as JSON
	FileIssuer   = "issuer.json"   // Issuer; missing where no channel is a ServiceAccount
	FileJudgeKey = "judge-key"     // key of the judge's endpoint; missing where there is none
	FileStoreURI = "store-uri"     // connection URI of the agent's role; missing where the memory is in no database
	FileAgentID  = "agentID"       // must equal Runtime.AgentID
	FilePrimary  = "primary"       // id of the primary key, decimal
	KeyPrefix    = "key-"          // key-<id>.json: a Tink JSON keyset holding that one key
	KeySuffix    = ".json"
	FileTLSCert  = "tls.crt"
	FileTLSKey   = "tls.key"
	FileCA       = "ca.crt"
)

// AdminClientName is the DNS name in the only client certificate that an admin port accepts: the manager's.
const AdminClientName = "manager.memorytrust.internal"

// ChannelDigests maps a channel's name to the SHA-256 (hex) of its bearer token.
type ChannelDigests map[string]string
