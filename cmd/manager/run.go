// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/http"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/metrics/filters"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	ctrlwebhook "sigs.k8s.io/controller-runtime/pkg/webhook"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/certs"
	"memorytrust.dev/operator/internal/controller"
	"memorytrust.dev/operator/internal/server/admin"
	"memorytrust.dev/operator/internal/store/postgres"
	"memorytrust.dev/operator/internal/version"
	"memorytrust.dev/operator/webhook"
)

// +kubebuilder:rbac:groups=coordination.k8s.io,namespace=memorytrust-system,resources=leases,verbs=get;create;update;patch
// +kubebuilder:rbac:groups="",namespace=memorytrust-system,resources=events,verbs=create;patch
// +kubebuilder:rbac:groups=authentication.k8s.io,resources=tokenreviews,verbs=create

// leaderElectionID names the Lease that the replicas compete for.
const leaderElectionID = "manager.memorytrust.dev"

// webhooks are the configurations that config/webhook installs.
var webhooks = certs.WebhookConfigurations{
	Mutating:   "memorytrust-pod-injector",
	Validating: "memorytrust-pod-validator",
}

// run wires everything together and blocks until ctx ends.
func run(ctx context.Context, config func() *rest.Config, s *settings) error {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, v1alpha1.AddToScheme} {
		if err := add(scheme); err != nil {
			return fmt.Errorf("building the scheme: %w", err)
		}
	}
	serving, asClient := &certs.Credentials{}, &certs.Credentials{}
	mgr, err := ctrl.NewManager(config(), managerOptions(s, scheme, serving))
	if err != nil {
		return fmt.Errorf("making the manager: %w", err)
	}
	if err := setupCerts(mgr, s, serving, asClient); err != nil {
		return err
	}
	if err := webhook.SetupWithManager(ctx, mgr, webhook.Options{Image: s.screenerImage, Version: version.Version}); err != nil {
		return fmt.Errorf("setting up the webhooks: %w", err)
	}
	if err := setupMemoryAdmission(ctx, mgr, s); err != nil {
		return err
	}
	if err := controller.SetupWithManager(mgr, controllerOptions(s, asClient)); err != nil {
		return err
	}
	if err := setupProbes(ctx, mgr, serving); err != nil {
		return err
	}
	ctrl.Log.WithName("setup").Info("Starting", "version", version.Version, "screenerImage", s.screenerImage, "agentNamespaces", s.agentNamespaces)
	return mgr.Start(ctx)
}

func managerOptions(s *settings, scheme *runtime.Scheme, serving *certs.Credentials) ctrl.Options {
	secure := func(c *tls.Config) { c.MinVersion = tls.VersionTLS13 }
	return ctrl.Options{
		Scheme: scheme,
		Cache:  controller.CacheOptions(s.operatorNamespace, webhooks),
		WebhookServer: ctrlwebhook.NewServer(ctrlwebhook.Options{
			Port:    s.webhookPort,
			TLSOpts: []func(*tls.Config){secure, func(c *tls.Config) { c.GetCertificate = serving.GetCertificate }},
		}),
		Metrics: metricsserver.Options{
			BindAddress:    s.metricsAddress,
			SecureServing:  true,
			FilterProvider: filters.WithAuthenticationAndAuthorization,
			TLSOpts:        []func(*tls.Config){secure, func(c *tls.Config) { c.GetCertificate = serving.GetCertificate }},
		},
		HealthProbeBindAddress:  s.healthAddress,
		LeaderElection:          s.leaderElect,
		LeaderElectionID:        leaderElectionID,
		LeaderElectionNamespace: s.operatorNamespace,
		// The process ends right after the manager, so that nobody works on without the lease.
		LeaderElectionReleaseOnCancel: true,
	}
}

func controllerOptions(s *settings, asClient *certs.Credentials) controller.Options {
	return controller.Options{
		OperatorNamespace: s.operatorNamespace,
		AgentNamespaces:   s.agentNamespaces,
		ScreenerImage:     s.screenerImage,
		ScreenerVersion:   version.Version,
		Certs:             s.certs,
		Source:            &controller.ScreenerClient{Credentials: asClient},
		Poll:              s.poll,
		CountsInterval:    s.countsInterval,
		IsolationInterval: s.isolationInterval,
		NamespaceRetry:    s.namespaceRetry,
		Clock:             clock.RealClock{},
		Provision:         postgres.ProvisionURI,
		ProvisionReader:   postgres.ProvisionReaderURI,
	}
}

// setupCerts adds the keeper, which runs on the leader, and the loader, which runs on every replica.
func setupCerts(mgr ctrl.Manager, s *settings, serving, asClient *certs.Credentials) error {
	keeper := &certs.Keeper{
		Client: mgr.GetClient(), Namespace: s.operatorNamespace, WebhookService: s.webhookService, ClientName: admin.ClientName,
		Webhooks: webhooks, Options: s.certs, Clock: clock.RealClock{}, Recorder: mgr.GetEventRecorder("memorytrust.dev/certificates"),
	}
	if err := keeper.SetupWithManager(mgr); err != nil {
		return fmt.Errorf("setting up certificates: %w", err)
	}
	loader := &certs.Loader{
		Client: mgr.GetClient(), Namespace: s.operatorNamespace,
		Credentials: map[string]*certs.Credentials{certs.WebhookSecret: serving, certs.ClientSecret: asClient},
	}
	if err := loader.SetupWithManager(mgr); err != nil {
		return fmt.Errorf("setting up the loading of certificates: %w", err)
	}
	return nil
}

// setupProbes makes the manager ready when it can serve admission: certificate loaded, server listening, policies known.
func setupProbes(ctx context.Context, mgr ctrl.Manager, serving *certs.Credentials) error {
	synced, err := policiesSynced(ctx, mgr)
	if err != nil {
		return err
	}
	if err := mgr.AddHealthzCheck("ping", healthz.Ping); err != nil {
		return fmt.Errorf("adding a probe: %w", err)
	}
	for name, check := range map[string]healthz.Checker{
		"certificate": serving.Check,
		"webhook":     mgr.GetWebhookServer().StartedChecker(),
		"policies":    synced,
	} {
		if err := mgr.AddReadyzCheck(name, check); err != nil {
			return fmt.Errorf("adding a probe: %w", err)
		}
	}
	return nil
}

// policiesSynced returns a check that fails until the caches are filled that admission decides by.
func policiesSynced(ctx context.Context, mgr ctrl.Manager) (healthz.Checker, error) {
	var synced atomic.Bool
	var informers []cache.Informer
	for _, obj := range []client.Object{&v1alpha1.MemoryTrustPolicy{}, &v1alpha1.AgentMemory{}, &corev1.Pod{}} {
		informer, err := mgr.GetCache().GetInformer(ctx, obj, cache.BlockUntilSynced(false))
		if err != nil {
			return nil, fmt.Errorf("watching %T: %w", obj, err)
		}
		informers = append(informers, informer)
	}
	check := func(*http.Request) error {
		if synced.Load() {
			return nil
		}
		for _, informer := range informers {
			if !informer.HasSynced() {
				return fmt.Errorf("policies and agents are not loaded yet")
			}
		}
		synced.Store(true)
		return nil
	}
	return check, nil
}
