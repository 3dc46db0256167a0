// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"slices"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/internal/controller"
	"memorytrust.dev/operator/webhook/memoryadmission"
)

// everyReplica are namespaces that are read in every replica. The reconcilers' own are read by the leader alone.
type everyReplica struct{ *controller.Namespaces }

// NeedLeaderElection implements manager.LeaderElectionRunnable.
func (everyReplica) NeedLeaderElection() bool { return false }

// setupMemoryAdmission serves memory admission in every replica. A namespace is opened when the first store asks about an agent in
// it: whoever has no such stores holds no further Secrets.
func setupMemoryAdmission(ctx context.Context, mgr ctrl.Manager, s *settings) error {
	namespaces := everyReplica{controller.NewNamespaces(mgr.GetConfig(), mgr.GetClient(), nil, s.namespaceRetry)}
	if err := mgr.Add(namespaces); err != nil {
		return fmt.Errorf("adding the namespaces of memory admission: %w", err)
	}
	readers := func(namespace string) (client.Reader, bool) {
		if !s.manages(namespace) {
			return nil, true
		}
		reader, _ := namespaces.Reader(namespace)
		if reader == nil { // a nil client.Reader, and no nil in one
			return nil, namespaces.Known(namespace)
		}
		return reader, true
	}
	options := memoryadmission.Options{Readers: readers, WithoutJudge: !s.memoryAdmissionJudge}
	if err := memoryadmission.SetupWithManager(ctx, mgr, options); err != nil {
		return fmt.Errorf("setting up memory admission: %w", err)
	}
	return nil
}

// manages reports whether the operator may manage a namespace as far as its flags say.
func (s *settings) manages(namespace string) bool {
	return len(s.agentNamespaces) == 0 || slices.Contains(s.agentNamespaces, controller.AllNamespaces) || slices.Contains(s.agentNamespaces, namespace)
}
