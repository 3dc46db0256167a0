// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryapi

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/endpoints/openapi"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/server/healthz"
	"k8s.io/apiserver/pkg/server/options"
	"k8s.io/apiserver/pkg/util/compatibility"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	api "memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/certs"
	generated "memorytrust.dev/operator/internal/memoryapi/openapi"
	"memorytrust.dev/operator/internal/version"
)

// Requests that are worked on at a time; each may hold a page of memories. Further ones are told to come again.
const (
	maxReading  = 32
	maxDeciding = 32
)

// Options say where the API is served and how others are reached.
type Options struct {
	// Kubeconfig of the API server; empty in a cluster.
	Kubeconfig string
	// Port of the API, HTTPS; Listener instead of it where one is given.
	Port     int
	Listener net.Listener
	// ServingDirectory holds the certificate of the API as a TLS Secret does, with the authorities as ca.crt.
	ServingDirectory string
	// ClientDirectory holds the certificate for screeners, in the same way.
	ClientDirectory string
	// PublishBundle keeps the caBundle of the APIService equal to the authorities in ServingDirectory.
	PublishBundle bool
	// ScreenerPort is where screeners are asked; 0 means the one they have in a cluster.
	ScreenerPort int
	// ShutdownDelay is how long requests are served after the API is told to end, for the API server to notice.
	ShutdownDelay time.Duration
	// Stores read agents without a running pod; nil: nothing does.
	Stores Stores
}

// Run serves the API until ctx ends.
func Run(ctx context.Context, o Options) error {
	config, err := clientcmd.BuildConfigFromFlags("", o.Kubeconfig)
	if err != nil {
		return fmt.Errorf("finding the API server: %w", err)
	}
	agents, err := newAgents(ctx, config)
	if err != nil {
		return err
	}
	credentials := &certs.Credentials{}
	server, err := newServer(o, agents, credentials)
	if err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { keepLoaded(ctx, credentials, o.ClientDirectory); return nil })
	if o.PublishBundle {
		client, err := dynamic.NewForConfig(config)
		if err != nil {
			return fmt.Errorf("making a client: %w", err)
		}
		group.Go(func() error { keepPublished(ctx, client, o.ServingDirectory); return nil })
	}
	group.Go(func() error { return agents.Start(ctx) })
	group.Go(func() error { return server.PrepareRun().RunWithContext(ctx) })
	return group.Wait()
}

// cachedAgents is a cache of agents and their pods.
type cachedAgents struct {
	cache.Cache
	informers []cache.Informer
}

// newAgents returns a cache that is filled once it is started.
func newAgents(ctx context.Context, config *rest.Config) (*cachedAgents, error) {
	s := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{corev1.AddToScheme, v1alpha1.AddToScheme} {
		if err := add(s); err != nil {
			return nil, fmt.Errorf("building the scheme: %w", err)
		}
	}
	o := CacheOptions()
	o.Scheme = s
	c, err := cache.New(config, o)
	if err != nil {
		return nil, fmt.Errorf("making the cache: %w", err)
	}
	out := &cachedAgents{Cache: c}
	for _, obj := range []client.Object{&v1alpha1.AgentMemory{}, &corev1.Pod{}} {
		informer, err := c.GetInformer(ctx, obj, cache.BlockUntilSynced(false))
		if err != nil {
			return nil, fmt.Errorf("watching %T: %w", obj, err)
		}
		out.informers = append(out.informers, informer)
	}
	return out, nil
}

// errNotSynced makes the API unready until it knows which agents there are.
var errNotSynced = errors.New("agents and their pods are not known yet")

func (a *cachedAgents) check(*http.Request) error {
	for _, informer := range a.informers {
		if !informer.HasSynced() {
			return errNotSynced
		}
	}
	return nil
}

// newServer wires the API: who asks and whether they may is decided by the API server, everything else by screeners.
func newServer(o Options, agents *cachedAgents, credentials *certs.Credentials) (*genericapiserver.GenericAPIServer, error) {
	config, err := serverConfig(o)
	if err != nil {
		return nil, err
	}
	service := NewService(Directory{Client: agents}, &Screeners{Credentials: credentials, Stores: o.Stores, Port: o.ScreenerPort}, config.Authorization.Authorizer)
	server, err := config.Complete().New("memory-api", genericapiserver.NewEmptyDelegate())
	if err != nil {
		return nil, fmt.Errorf("making the server: %w", err)
	}
	group := genericapiserver.NewDefaultAPIGroupInfo(api.GroupName, scheme, runtime.NewParameterCodec(scheme), codecs)
	group.VersionedResourcesStorageMap[api.GroupVersion.Version] = storages(service)
	if err := server.InstallAPIGroup(&group); err != nil {
		return nil, fmt.Errorf("installing the API: %w", err)
	}
	err = server.AddReadyzChecks(healthz.NamedCheck("agents", agents.check), healthz.NamedCheck("client-certificate", credentials.Check))
	if err != nil {
		return nil, fmt.Errorf("adding a probe: %w", err)
	}
	return server, nil
}

func serverConfig(o Options) (*genericapiserver.RecommendedConfig, error) {
	config := genericapiserver.NewRecommendedConfig(codecs)
	config.EffectiveVersion = compatibility.DefaultBuildEffectiveVersion()
	namer := openapi.NewDefinitionNamer(published)
	config.OpenAPIConfig = genericapiserver.DefaultOpenAPIConfig(generated.GetOpenAPIDefinitions, namer)
	config.OpenAPIV3Config = genericapiserver.DefaultOpenAPIV3Config(generated.GetOpenAPIDefinitions, namer)
	config.OpenAPIConfig.Info.Title, config.OpenAPIV3Config.Info.Title = "MemoryTrust memory API", "MemoryTrust memory API"
	config.OpenAPIConfig.Info.Version, config.OpenAPIV3Config.Info.Version = version.Version, version.Version
	config.EnableProfiling = false // a dump of the process would hold memories
	config.MaxRequestsInFlight, config.MaxMutatingRequestsInFlight = maxReading, maxDeciding
	config.ShutdownDelayDuration = o.ShutdownDelay

	serving := options.NewSecureServingOptions()
	serving.BindPort, serving.Listener, serving.Required = o.Port, o.Listener, true
	serving.MinTLSVersion = "VersionTLS13"
	serving.HTTP2MaxStreamsPerConnection = 1000 // the API server sends everybody's requests over one connection
	serving.ServerCert.CertKey = options.CertKey{
		CertFile: filepath.Join(o.ServingDirectory, corev1.TLSCertKey), KeyFile: filepath.Join(o.ServingDirectory, corev1.TLSPrivateKeyKey),
	}
	if err := serving.WithLoopback().ApplyToConfig(&config.Config); err != nil {
		return nil, fmt.Errorf("setting up the port: %w", err)
	}
	authentication := options.NewDelegatingAuthenticationOptions()
	authentication.RemoteKubeConfigFile = o.Kubeconfig
	if err := authentication.ApplyTo(&config.Authentication, config.SecureServing, config.OpenAPIConfig); err != nil {
		return nil, fmt.Errorf("setting up authentication: %w", err)
	}
	authorization := options.NewDelegatingAuthorizationOptions()
	authorization.RemoteKubeConfigFile = o.Kubeconfig
	if err := authorization.ApplyTo(&config.Authorization); err != nil {
		return nil, fmt.Errorf("setting up authorization: %w", err)
	}
	return config, nil
}
