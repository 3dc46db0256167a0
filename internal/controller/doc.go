// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package controller holds the reconcilers of the control plane.
//
// A request of AgentReconciler is an agent (namespace and name), of the others an object of their kind. What a
// reconciler decides is computed by pure functions from what it observed (files x_status.go, keyring.go, agents.go);
// the reconciler itself reads, applies with the field manager memorytrust what differs, and writes the status once,
// if it changed. Nothing is written at steady state.
package controller
