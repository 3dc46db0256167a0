// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package webhook admits agent pods: it adds the screener to a pod that opted in, and checks before the pod is stored
// that nothing undid it. It creates nothing, so dry runs need no care. A request it cannot decide is an error, and the
// failure policy of the configuration turns errors into refusals.
//
// The configuration of both webhooks is written by hand in config/webhook: markers cannot express its selectors.
package webhook

import (
	"context"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"memorytrust.dev/operator/api/v1alpha1"
)

const (
	// MutatePath is where the API server asks for injection.
	MutatePath = "/mutate-pods"
	// ValidatePath is where the API server asks whether a pod is as injected.
	ValidatePath = "/validate-pods"
)

// Options of the webhooks.
type Options struct {
	// Image of the screener that is injected.
	Image string
	// Version of the screener, recorded on the pod.
	Version string
}

// +kubebuilder:rbac:groups=memorytrust.dev,resources=memorytrustpolicies;agentmemories,verbs=get;list;watch

// SetupWithManager serves the webhooks on the manager's webhook server, in every replica, leader or not.
func SetupWithManager(ctx context.Context, mgr manager.Manager, opts Options) error {
	if opts.Image == "" {
		return errors.New("the webhooks need the image of the screener")
	}
	// Informers made here run in every replica; those a controller asks for run in the leader only.
	for _, obj := range []client.Object{&v1alpha1.MemoryTrustPolicy{}, &v1alpha1.AgentMemory{}, &corev1.Pod{}} {
		if _, err := mgr.GetCache().GetInformer(ctx, obj, cache.BlockUntilSynced(false)); err != nil {
			return fmt.Errorf("watching %T for the webhooks: %w", obj, err)
		}
	}
	if err := register(metrics.Registry); err != nil {
		return fmt.Errorf("registering admission metrics: %w", err)
	}
	decide := decider{cached: mgr.GetClient(), live: mgr.GetAPIReader(), opts: opts}
	decoder := admission.NewDecoder(mgr.GetScheme())
	server := mgr.GetWebhookServer()
	server.Register(MutatePath, &admission.Webhook{Handler: &mutator{decider: decide, decoder: decoder}})
	server.Register(ValidatePath, &admission.Webhook{Handler: &validator{decider: decide, decoder: decoder}})
	return nil
}
