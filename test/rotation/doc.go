// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package rotation proves that rotating the keys of many agents at once fails no read and no write. Everything of
// MemoryTrust is real: the manager and one screener for each agent run as processes of the programs that are released,
// against a real API server (envtest, see hack/test-unit.sh). Only the kubelet is played: it mounts what the pods ask
// for, when a test wants it to, and starts the screeners, each on an address of its own in 127.0.0.0/8, which only Linux
// offers without being asked. test/e2e has a real kubelet, and few agents.
package rotation
