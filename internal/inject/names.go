// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package inject

import (
	"crypto/sha256"
	"encoding/hex"
)

// Names of what belongs to one agent in its namespace. They follow from the agent's name alone, so that admission can
// refer to objects the controller makes a moment later.
type Names struct {
	KeySecret       string // provenance keyset: agentID, primary, key-<id>.json
	TLSSecret       string // leaf certificate of the screener and the CA bundle that signs the manager: tls.crt, tls.key, ca.crt
	ChannelsSecret  string // digests of channel tokens: channels.json
	PolicyConfigMap string // runtime policy: policy.json; and ca.crt for clients of the channel port
	StoreClaim      string // PersistentVolumeClaim of store Persistent
}

// NamePrefix of every object that only the operator writes.
const NamePrefix = "mt-"

// NamesFor returns the names for an agent of a namespace.
func NamesFor(agent string) Names {
	sum := sha256.Sum256([]byte(agent))
	base := NamePrefix + hex.EncodeToString(sum[:8])
	return Names{
		KeySecret:       base + "-key",
		TLSSecret:       base + "-tls",
		ChannelsSecret:  base + "-channels",
		PolicyConfigMap: base + "-policy",
		StoreClaim:      base + "-store",
	}
}
