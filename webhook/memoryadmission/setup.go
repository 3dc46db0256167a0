// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package memoryadmission answers stores of agents' memories that are not ours: whether a memory may be stored, delivered or
// raised. It decides with the very code of the screener's gate, under the policy and with the keys that the agent's screeners run
// on, and keeps nothing. Callers are who the API server says they are, and may what RBAC says.
//
// It serves in every replica of the manager. Whatever it cannot decide, for want of time, rights or an API server, is not allowed.
package memoryadmission

import (
	"context"
	"errors"
	"fmt"

	authenticationclient "k8s.io/client-go/kubernetes/typed/authentication/v1"
	authorizationclient "k8s.io/client-go/kubernetes/typed/authorization/v1"
	"k8s.io/client-go/rest"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/pkg/memoryadmission"
)

// Questions to the API server, about tokens and rights, have a budget of their own: reconcilers that are busy must not make stores
// wait, nor the other way round.
const (
	questionsPerSecond = 100
	questionsAtOnce    = 200
)

// Options of memory admission.
type Options struct {
	// Readers gives access to what the screeners of a namespace run on, in every replica. Required.
	Readers Readers
	// WithoutJudge leaves the judges of policies alone. The manager then connects to no endpoint that a policy names, and what a
	// judge would have looked at is decided about without one.
	WithoutJudge bool
	// Clock of the caches; the real one when nil.
	Clock clock.PassiveClock
}

// +kubebuilder:rbac:groups=memorytrust.dev,resources=agentmemories,verbs=get;list;watch
// +kubebuilder:rbac:groups=authentication.k8s.io,resources=tokenreviews,verbs=create
// +kubebuilder:rbac:groups=authorization.k8s.io,resources=selfsubjectaccessreviews;subjectaccessreviews,verbs=create

// SetupWithManager serves memory admission on the manager's webhook server, in every replica, leader or not.
func SetupWithManager(ctx context.Context, mgr manager.Manager, o Options) error {
	if o.Readers == nil {
		return errors.New("memory admission needs readers of the agents' namespaces")
	}
	if o.Clock == nil {
		o.Clock = clock.RealClock{}
	}
	if err := register(metrics.Registry); err != nil {
		return fmt.Errorf("registering metrics of memory admission: %w", err)
	}
	// Informers made here run in every replica; those a controller asks for run in the leader only.
	if _, err := mgr.GetCache().GetInformer(ctx, &v1alpha1.AgentMemory{}, cache.BlockUntilSynced(false)); err != nil {
		return fmt.Errorf("watching agents for memory admission: %w", err)
	}
	config := rest.CopyConfig(mgr.GetConfig())
	config.QPS, config.Burst, config.RateLimiter = questionsPerSecond, questionsAtOnce, nil
	tokens, err := authenticationclient.NewForConfigAndClient(config, mgr.GetHTTPClient())
	if err != nil {
		return fmt.Errorf("making a client for tokens: %w", err)
	}
	access, err := authorizationclient.NewForConfigAndClient(config, mgr.GetHTTPClient())
	if err != nil {
		return fmt.Errorf("making a client for rights: %w", err)
	}
	mgr.GetWebhookServer().Register(memoryadmission.Path, newHandler(
		newAuthenticator(tokens.TokenReviews(), o.Clock),
		&reviewer{
			access: newAuthorizer(access.SubjectAccessReviews(), o.Clock),
			states: newStates(mgr.GetCache(), o.Readers, !o.WithoutJudge),
		},
	))
	return nil
}
