// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package inject adds the screener sidecar to an agent's pod. It is pure: (pod, what the policy asks) -> pod.
package inject

// What the sidecar looks like from outside. Admission policies, the screener's flags and tests use the same values.
const (
	// ContainerName of the screener; no other container may have it.
	ContainerName = "memorytrust-screener"
	// UserID and GroupID the screener runs as; no other container of the pod may run as UserID.
	UserID  int64 = 64231
	GroupID int64 = 64231

	// ConfigVolume holds policy, keys, channel digests and certificates, one projected volume, so that all change atomically.
	ConfigVolume = "memorytrust-config"
	ConfigMount  = "/etc/memorytrust"
	// StoreVolume holds the memory.
	StoreVolume = "memorytrust-store"
	StoreMount  = "/var/lib/memorytrust"

	// Ports of the screener.
	AgentPort   = 8787 // plain HTTP on 127.0.0.1 only
	ChannelPort = 8788 // TLS, bearer token
	AdminPort   = 9443 // mTLS, the manager only
	HealthPort  = 9090 // /healthz /readyz /metrics

	// URLEnv receives the screener's URL in every container of the agent.
	URLEnv = "MEMORY_URL"
	// MCPURLEnv receives the URL of the screener's MCP server in every container of the agent.
	MCPURLEnv = "MEMORY_MCP_URL"
)
