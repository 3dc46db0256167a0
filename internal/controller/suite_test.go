// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/prometheus/client_golang/prometheus"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/clock"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	controllerconfig "sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/certs"
	"memorytrust.dev/operator/internal/store/postgres"
)

const (
	screenerImage     = "registry.example/screener:v0.1.0"
	operatorNamespace = "memorytrust-system"
)

var (
	ctx       context.Context
	testEnv   *envtest.Environment
	config    *rest.Config
	k8s       client.Client // uncached
	scheme    = runtime.NewScheme()
	screeners *fakeScreeners
)

func TestControllers(t *testing.T) {
	if os.Getenv("KUBEBUILDER_ASSETS") == "" {
		t.Skip("KUBEBUILDER_ASSETS is not set: this suite needs kube-apiserver and etcd")
	}
	RegisterFailHandler(Fail)
	SetDefaultEventuallyTimeout(30 * time.Second)
	SetDefaultEventuallyPollingInterval(50 * time.Millisecond)
	RunSpecs(t, "Controller suite")
}

var _ = BeforeSuite(func() {
	ctrl.SetLogger(GinkgoLogr)
	var cancel context.CancelFunc
	ctx, cancel = context.WithCancel(context.Background())
	DeferCleanup(cancel)
	Expect(clientgoscheme.AddToScheme(scheme)).To(Succeed())
	Expect(v1alpha1.AddToScheme(scheme)).To(Succeed())

	testEnv = &envtest.Environment{
		CRDDirectoryPaths:     []string{filepath.Join("..", "..", "config", "crd", "bases")},
		ErrorIfCRDPathMissing: true,
		// Machines that build something else meanwhile are slow.
		ControlPlaneStartTimeout: 3 * time.Minute,
		ControlPlaneStopTimeout:  time.Minute,
		CRDInstallOptions:        envtest.CRDInstallOptions{MaxTime: time.Minute},
	}
	var err error
	config, err = testEnv.Start()
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(func() { Expect(testEnv.Stop()).To(Succeed()) })
	k8s, err = client.New(config, client.Options{Scheme: scheme})
	Expect(err).NotTo(HaveOccurred())
	Expect(k8s.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: operatorNamespace}})).To(Succeed())

	screeners = &fakeScreeners{client: k8s, modes: map[string]screenerMode{}}
	restartManager(nil)
})

// endManager ends the manager that runs and waits for that; nil when none runs.
var endManager func()

// restartManager replaces the manager by a new one that knows nothing but what the API server says, as another replica
// does that takes over. meanwhile runs while there is none.
func restartManager(meanwhile func()) {
	GinkgoHelper()
	if endManager != nil {
		endManager()
	}
	if meanwhile != nil {
		meanwhile()
	}
	life, cancel := context.WithCancel(ctx)
	ended := startManager(life)
	endManager = func() {
		cancel()
		<-ended
	}
}

var _ = AfterSuite(func() { // the manager goes before the API server
	if endManager != nil {
		endManager()
	}
})

// canceled ends when the suite does, before the API server: clean-ups run last to first.
func canceled(parent context.Context) context.Context {
	c, cancel := context.WithCancel(parent)
	DeferCleanup(cancel)
	return c
}

// startManager starts a manager and returns what is closed when it has ended.
func startManager(ctx context.Context) <-chan struct{} {
	GinkgoHelper()
	webhooks := certs.WebhookConfigurations{Mutating: "memorytrust-pod-injector", Validating: "memorytrust-pod-validator"}
	mgr, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:  scheme,
		Cache:   CacheOptions(operatorNamespace, webhooks),
		Metrics: metricsserver.Options{BindAddress: "0"},
		// Restarts make controllers of the same names in one process.
		Controller: controllerconfig.Controller{SkipNameValidation: ptr.To(true)},
	})
	Expect(err).NotTo(HaveOccurred())
	keeper := &certs.Keeper{
		Client: mgr.GetClient(), Namespace: operatorNamespace, WebhookService: "memorytrust-webhook",
		ClientName: "manager.memorytrust.internal", Webhooks: webhooks, Options: certs.DefaultOptions(),
		Clock: clock.RealClock{}, Recorder: &events.FakeRecorder{},
	}
	Expect(keeper.SetupWithManager(mgr)).To(Succeed())
	Expect(setup(mgr, Options{
		OperatorNamespace: operatorNamespace,
		ScreenerImage:     screenerImage,
		ScreenerVersion:   "v0.1.0",
		Certs:             certs.DefaultOptions(),
		Source:            screeners,
		Poll: PollOptions{
			Interval: 300 * time.Millisecond, FastInterval: 100 * time.Millisecond, FastWindow: time.Minute,
			Timeout: time.Second, Concurrency: 4,
		},
		CountsInterval:    time.Hour,
		IsolationInterval: time.Second,
		NamespaceRetry:    time.Second,
		Clock:             clock.RealClock{},
		Provision:         postgres.ProvisionURI,
		ProvisionReader:   postgres.ProvisionReaderURI,
		BenchmarkPoll:     100 * time.Millisecond,
	}, prometheus.NewRegistry())).To(Succeed())
	ended := make(chan struct{})
	go func() {
		defer GinkgoRecover()
		defer close(ended)
		Expect(mgr.Start(ctx)).To(Succeed())
	}()
	return ended
}
