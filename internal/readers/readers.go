// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package readers says how the operator hands memory-api what it reads agents' databases with: one Secret in the operator's
// namespace, which memory-api mounts, with an entry for each agent whose memory is in PostgreSQL.
package readers

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/types"
)

// Secret is the name of the Secret. It comes with memory-api, empty; where it is not there, the operator makes no roles that read.
const Secret = "memorytrust-memory-api-readers" // #nosec G101 -- a name

// MaxBytes bounds the entries of the Secret together. A Secret holds at most 1 MiB; some 3000 agents fit.
const MaxBytes = 1000 << 10

// maxCredentialBytes bounds one entry.
const maxCredentialBytes = 8 << 10

// Credential opens one agent's memory to be read, and nothing else.
type Credential struct {
	// AgentID is the identity of the agent. An agent that was deleted and made anew under its name has another one.
	AgentID string `json:"agentID"`
	// URI is the connection URI of a role that only reads the agent's rows. It holds a password.
	URI string `json:"uri"`
}

// Entry is the name of an agent's entry. Neither part has a dot in it.
func Entry(agent types.NamespacedName) string { return agent.Namespace + "." + agent.Name }

// AgentOf is the agent of an entry, or false for a name that is none.
func AgentOf(entry string) (types.NamespacedName, bool) {
	namespace, name, ok := strings.Cut(entry, ".")
	return types.NamespacedName{Namespace: namespace, Name: name}, ok && namespace != "" && name != "" && !strings.Contains(name, ".")
}

// Encode returns the credential as it stands in the Secret.
func (c Credential) Encode() ([]byte, error) { return json.Marshal(c) }

// errCredential is all that is said of a credential that cannot be read: the text holds a password.
var errCredential = errors.New("is no credential")

// Decode reads what Encode returned. Its errors hold nothing of it.
func Decode(raw []byte) (Credential, error) {
	if len(raw) > maxCredentialBytes {
		return Credential{}, fmt.Errorf("an entry of %d bytes %w", len(raw), errCredential)
	}
	var c Credential
	if json.Unmarshal(raw, &c) != nil || c.AgentID == "" || c.URI == "" {
		return Credential{}, fmt.Errorf("an entry %w", errCredential)
	}
	return c, nil
}
