// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package webhook

import (
	"context"
	"crypto/tls"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	ctrlwebhook "sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
	"sigs.k8s.io/yaml"

	"memorytrust.dev/operator/api/v1alpha1"
)

const (
	screenerImage   = "registry.example/screener:v0.1.0"
	screenerVersion = "v0.1.0"
	systemNamespace = "memorytrust-system"
	operatorUser    = "system:serviceaccount:memorytrust-system:memorytrust-manager"
	labelMeddle     = "test.memorytrust.dev/meddle"
)

var (
	ctx       context.Context
	testEnv   *envtest.Environment
	cfg       *rest.Config
	k8sClient client.Client
	clientset *kubernetes.Clientset
	scheme    = runtime.NewScheme()

	// stopManager ends the running manager, and with it the webhooks.
	stopManager func()
)

func TestWebhooks(t *testing.T) {
	if os.Getenv("KUBEBUILDER_ASSETS") == "" {
		t.Skip("KUBEBUILDER_ASSETS is not set: this suite needs kube-apiserver and etcd")
	}
	RegisterFailHandler(Fail)
	RunSpecs(t, "Admission suite")
}

var _ = BeforeSuite(func() {
	ctrl.SetLogger(GinkgoLogr)
	ctx = context.Background()
	Expect(clientgoscheme.AddToScheme(scheme)).To(Succeed())
	Expect(v1alpha1.AddToScheme(scheme)).To(Succeed())

	testEnv = &envtest.Environment{
		CRDDirectoryPaths:     []string{filepath.Join("..", "config", "crd", "bases")},
		ErrorIfCRDPathMissing: true,
		// A busy machine needs more than the usual twenty seconds.
		ControlPlaneStartTimeout: 3 * time.Minute,
		WebhookInstallOptions: envtest.WebhookInstallOptions{
			Paths: []string{filepath.Join("..", "config", "webhook", "configuration.yaml")},
		},
	}
	// With the ServiceAccount plugin, as in a real cluster: it mounts tokens into containers.
	testEnv.ControlPlane.GetAPIServer().Configure().Disable("disable-admission-plugins")
	var err error
	cfg, err = testEnv.Start()
	Expect(err).NotTo(HaveOccurred())
	k8sClient, err = client.New(cfg, client.Options{Scheme: scheme})
	Expect(err).NotTo(HaveOccurred())
	clientset, err = kubernetes.NewForConfig(cfg)
	Expect(err).NotTo(HaveOccurred())

	createNamespace(systemNamespace, nil)
	Expect(k8sClient.Create(ctx, &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: systemNamespace, Name: "memorytrust-admission"},
		Data:       map[string]string{"screenerImage": screenerImage},
	})).To(Succeed())
	createRoles()
	startManager()
	installMeddler()
	installPolicies()
})

var _ = AfterSuite(func() {
	if stopManager != nil {
		stopManager()
	}
	if testEnv != nil {
		Expect(testEnv.Stop()).To(Succeed())
	}
})

// startManager serves the webhooks where the API server expects them, and returns once they listen.
func startManager() {
	GinkgoHelper()
	opts := testEnv.WebhookInstallOptions
	mgr, err := ctrl.NewManager(cfg, ctrl.Options{
		Scheme:     scheme,
		Metrics:    metricsserver.Options{BindAddress: "0"},
		Controller: config.Controller{SkipNameValidation: ptr.To(true)},
		WebhookServer: ctrlwebhook.NewServer(ctrlwebhook.Options{
			Host: opts.LocalServingHost, Port: opts.LocalServingPort, CertDir: opts.LocalServingCertDir,
		}),
	})
	Expect(err).NotTo(HaveOccurred())
	Expect(SetupWithManager(ctx, mgr, Options{Image: screenerImage, Version: screenerVersion})).To(Succeed())
	mgr.GetWebhookServer().Register("/meddle", &admission.Webhook{Handler: meddler{admission.NewDecoder(scheme)}})

	managerContext, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer GinkgoRecover()
		defer close(ended)
		Expect(mgr.Start(managerContext)).To(Succeed())
	}()
	stopManager = func() {
		cancel()
		<-ended
	}
	Eventually(func() error {
		// It is enough to see that it listens.
		conn, err := tls.DialWithDialer(&net.Dialer{Timeout: time.Second}, "tcp", webhookAddress(), &tls.Config{InsecureSkipVerify: true})
		if err != nil {
			return err
		}
		return conn.Close()
	}, "20s", "50ms").Should(Succeed())
}

// installPolicies applies config/admission and returns once the API server obeys the policies.
func installPolicies() {
	GinkgoHelper()
	dir := filepath.Join("..", "config", "admission")
	var kustomization struct {
		Resources []string `json:"resources"`
	}
	data, err := os.ReadFile(filepath.Join(dir, "kustomization.yaml"))
	Expect(err).NotTo(HaveOccurred())
	Expect(yaml.Unmarshal(data, &kustomization)).To(Succeed())
	for _, name := range kustomization.Resources {
		objects, err := decodeFile(filepath.Join(dir, name))
		Expect(err).NotTo(HaveOccurred(), name)
		for _, obj := range objects {
			Expect(k8sClient.Create(ctx, obj)).To(Succeed(), name)
		}
	}
	// They come into force one by one; the last one installed stands for all, and each is tried below.
	var policies admissionregistrationv1.ValidatingAdmissionPolicyList
	Expect(k8sClient.List(ctx, &policies)).To(Succeed())
	Expect(policies.Items).To(HaveLen(len(kustomization.Resources)))
	waitForPolicies()
}

// waitForPolicies tries requests that only the policies refuse, until all do.
func waitForPolicies() {
	GinkgoHelper()
	alice := as("alice")
	Eventually(func(g Gomega) {
		memory := agentMemory("default", "probe", "default")
		g.Expect(alice.Create(ctx, memory, client.DryRunAll)).NotTo(Succeed())
		secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "mt-0123456789abcdef-key"}}
		g.Expect(alice.Create(ctx, secret, client.DryRunAll)).NotTo(Succeed())
		g.Expect(connect("default", "none", "exec", "memorytrust-screener")).To(MatchError(ContainSubstring("are not allowed")))
	}, "60s", "200ms").Should(Succeed())
}

// createRoles lets alice, mallory and the operator write what the policies are about; only bob may restore and adopt.
func createRoles() {
	GinkgoHelper()
	role := func(name string, rules []rbacv1.PolicyRule, users ...string) {
		Expect(k8sClient.Create(ctx, &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: name}, Rules: rules})).To(Succeed())
		binding := &rbacv1.ClusterRoleBinding{
			ObjectMeta: metav1.ObjectMeta{Name: name},
			RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: name},
		}
		for _, user := range users {
			binding.Subjects = append(binding.Subjects, rbacv1.Subject{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: user})
		}
		Expect(k8sClient.Create(ctx, binding)).To(Succeed())
	}
	all := []string{"get", "list", "create", "update", "patch", "delete", "deletecollection"}
	role("test-writer", []rbacv1.PolicyRule{
		{APIGroups: []string{""}, Resources: []string{"secrets", "configmaps", "persistentvolumeclaims"}, Verbs: all},
		{APIGroups: []string{v1alpha1.GroupVersion.Group}, Resources: []string{"agentmemories"}, Verbs: all},
	}, "alice", "bob", operatorUser)
	role("test-restorer", []rbacv1.PolicyRule{
		{APIGroups: []string{v1alpha1.GroupVersion.Group}, Resources: []string{"provenancekeys"}, Verbs: []string{"restore"}},
		{APIGroups: []string{v1alpha1.GroupVersion.Group}, Resources: []string{"agentmemories"}, Verbs: []string{"adopt"}},
	}, "bob")
}

// as returns a client that acts as a user.
func as(user string) client.Client {
	GinkgoHelper()
	impersonating := rest.CopyConfig(cfg)
	impersonating.Impersonate = rest.ImpersonationConfig{UserName: user}
	c, err := client.New(impersonating, client.Options{Scheme: scheme})
	Expect(err).NotTo(HaveOccurred())
	return c
}

// createNamespace makes a namespace with the ServiceAccount that pods need; an empty name gets one made up.
func createNamespace(name string, labels map[string]string) string {
	GinkgoHelper()
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, GenerateName: "shop-", Labels: labels}}
	Expect(k8sClient.Create(ctx, ns)).To(Succeed())
	for _, account := range []string{"default", "other"} {
		Expect(k8sClient.Create(ctx, &corev1.ServiceAccount{
			ObjectMeta: metav1.ObjectMeta{Namespace: ns.Name, Name: account},
		})).To(Succeed())
	}
	return ns.Name
}

// webhookAddress is where the API server finds the webhooks.
func webhookAddress() string {
	opts := testEnv.WebhookInstallOptions
	return net.JoinHostPort(opts.LocalServingHost, strconv.Itoa(opts.LocalServingPort))
}
