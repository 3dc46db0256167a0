// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package e2e proves MemoryTrust on a real cluster, from outside: kubectl and the API server for people, HTTP for agents.
// It needs a kubeconfig, kubectl, and a cluster that has the images of "make images"; build tag e2e. One file holds one
// scenario. Where the cluster's kubelet syncs every minute, as real ones do, the suite also proves that new policy and
// keys do not wait for it.
package e2e
