// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/yaml"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/inject"
	"memorytrust.dev/operator/pkg/memoryadmission"
)

const serviceAccount = "system:serviceaccount:memorytrust-system:memorytrust-manager"

var (
	ctx    context.Context
	k8s    client.Client
	config *rest.Config
)

func TestManager(t *testing.T) {
	if os.Getenv("KUBEBUILDER_ASSETS") == "" {
		t.Skip("KUBEBUILDER_ASSETS is not set: this suite needs kube-apiserver and etcd")
	}
	RegisterFailHandler(Fail)
	SetDefaultEventuallyTimeout(time.Minute)
	RunSpecs(t, "Manager suite")
}

var _ = BeforeSuite(func() {
	ctrl.SetLogger(GinkgoLogr)
	ctx = context.Background()
	scheme := runtime.NewScheme()
	Expect(clientgoscheme.AddToScheme(scheme)).To(Succeed())
	Expect(v1alpha1.AddToScheme(scheme)).To(Succeed())
	environment := &envtest.Environment{
		CRDDirectoryPaths:     []string{filepath.Join("..", "..", "config", "crd", "bases")},
		ErrorIfCRDPathMissing: true,
		// Machines that build something else meanwhile are slow.
		ControlPlaneStartTimeout: 3 * time.Minute,
		ControlPlaneStopTimeout:  time.Minute,
		CRDInstallOptions:        envtest.CRDInstallOptions{MaxTime: time.Minute},
	}
	var err error
	config, err = environment.Start()
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(func() { Expect(environment.Stop()).To(Succeed()) })
	k8s, err = client.New(config, client.Options{Scheme: scheme})
	Expect(err).NotTo(HaveOccurred())
})

// kustomize renders a directory of config/.
func kustomize(directory string) []*unstructured.Unstructured {
	GinkgoHelper()
	kubectl := filepath.Join(os.Getenv("KUBEBUILDER_ASSETS"), "kubectl")
	out, err := exec.Command(kubectl, "kustomize", filepath.Join("..", "..", "config", directory)).Output()
	Expect(err).NotTo(HaveOccurred())
	var objects []*unstructured.Unstructured
	decoder := yaml.NewYAMLOrJSONDecoder(strings.NewReader(string(out)), 4096)
	for {
		u := &unstructured.Unstructured{}
		if err := decoder.Decode(u); err != nil {
			Expect(err).To(MatchError(io.EOF))
			return objects
		}
		objects = append(objects, u)
	}
}

func freePort() int {
	GinkgoHelper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	Expect(err).NotTo(HaveOccurred())
	defer l.Close() //nolint:errcheck // a listener nobody uses
	_, port, err := net.SplitHostPort(l.Addr().String())
	Expect(err).NotTo(HaveOccurred())
	var n int
	_, err = fmt.Sscan(port, &n)
	Expect(err).NotTo(HaveOccurred())
	return n
}

// probe returns the status code of a probe, 0 while nobody listens.
func probe(port int, path string) int {
	response, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d%s", port, path))
	if err != nil {
		return 0
	}
	defer response.Body.Close() //nolint:errcheck // only the code counts
	return response.StatusCode
}

var _ = Describe("The manager with the rights it is installed with", Ordered, func() {
	s := defaultSettings()
	webhookPort, healthPort := 0, 0
	const ns = "travel"
	BeforeAll(func() {
		// What config/default installs, but for the workload itself, which runs in this process, and the admission
		// policies and webhooks that would want it behind a Service.
		for _, directory := range []string{"default", "agent-namespace"} {
			for _, obj := range kustomize(directory) {
				switch obj.GetKind() {
				case "Namespace", "ClusterRole", "ClusterRoleBinding", "Role", "ServiceAccount":
				case "RoleBinding":
					if obj.GetNamespace() == "" {
						obj.SetNamespace(ns)
						Expect(k8s.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: ns}})).To(Succeed())
					}
				default:
					continue
				}
				Expect(k8s.Create(ctx, obj)).To(Succeed(), obj.GetKind()+" "+obj.GetName())
			}
		}
		webhookPort, healthPort = freePort(), freePort()
		Expect(s.flags().Parse([]string{
			"--screener-image=memorytrust.dev/screener:v0.1.0", "--operator-namespace=memorytrust-system",
			fmt.Sprintf("--webhook-port=%d", webhookPort), fmt.Sprintf("--health-address=127.0.0.1:%d", healthPort), "--metrics-address=0",
			"--agent-namespaces=",
		})).To(Succeed())
		Expect(s.validate()).To(Succeed())

		limited := rest.CopyConfig(config)
		limited.Impersonate = rest.ImpersonationConfig{
			UserName: serviceAccount,
			Groups:   []string{"system:serviceaccounts", "system:serviceaccounts:memorytrust-system", "system:authenticated"},
		}
		running, cancel := context.WithCancel(ctx)
		ended := make(chan error, 1)
		go func() { ended <- run(running, func() *rest.Config { return limited }, s) }()
		DeferCleanup(func() {
			cancel()
			Eventually(ended).Should(Receive(BeNil()))
		})
	})

	It("gets ready: certificate, webhook server, policies", func() {
		Eventually(func() int { return probe(healthPort, "/readyz") }).Should(Equal(http.StatusOK))
		Expect(probe(healthPort, "/healthz")).To(Equal(http.StatusOK))
	})

	It("serves the webhook with a certificate the API server is told to trust", func() {
		for _, obj := range kustomize("webhook") {
			if strings.HasSuffix(obj.GetKind(), "WebhookConfiguration") {
				Expect(k8s.Create(ctx, obj)).To(Succeed())
			}
		}
		var bundle []byte
		Eventually(func(g Gomega) {
			var m admissionv1.MutatingWebhookConfiguration
			var v admissionv1.ValidatingWebhookConfiguration
			g.Expect(k8s.Get(ctx, types.NamespacedName{Name: webhooks.Mutating}, &m)).To(Succeed())
			g.Expect(k8s.Get(ctx, types.NamespacedName{Name: webhooks.Validating}, &v)).To(Succeed())
			bundle = m.Webhooks[0].ClientConfig.CABundle
			g.Expect(bundle).NotTo(BeEmpty())
			g.Expect(v.Webhooks[0].ClientConfig.CABundle).To(Equal(bundle))
		}).Should(Succeed())
		roots := x509.NewCertPool()
		Expect(roots.AppendCertsFromPEM(bundle)).To(BeTrue())
		conn, err := tls.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", webhookPort), &tls.Config{
			RootCAs: roots, ServerName: "memorytrust-webhook.memorytrust-system.svc", MinVersion: tls.VersionTLS13,
		})
		Expect(err).NotTo(HaveOccurred())
		Expect(conn.Close()).To(Succeed())
		// Nobody is behind the Service in this cluster, and what follows creates opted-in pods.
		Expect(k8s.Delete(ctx, &admissionv1.MutatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: webhooks.Mutating}})).To(Succeed())
		Expect(k8s.Delete(ctx, &admissionv1.ValidatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: webhooks.Validating}})).To(Succeed())
	})

	It("makes an agent's objects where its Role is bound, and says so where it is not", func() {
		Expect(k8s.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "unbound"}})).To(Succeed())
		for _, namespace := range []string{ns, "unbound"} {
			Expect(k8s.Create(ctx, &v1alpha1.MemoryTrustPolicy{
				ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "standard"},
				Spec:       v1alpha1.MemoryTrustPolicySpec{Store: v1alpha1.StoreSpec{Type: v1alpha1.StoreTypePersistent}},
			})).To(Succeed())
			Expect(k8s.Create(ctx, &corev1.Pod{
				ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "concierge", Labels: map[string]string{v1alpha1.LabelAgent: "concierge"}},
				Spec: corev1.PodSpec{
					InitContainers: []corev1.Container{{Name: inject.ContainerName, Image: s.screenerImage}},
					Containers:     []corev1.Container{{Name: "agent", Image: "agent:v1"}},
				},
			})).To(Succeed())
		}
		names := inject.NamesFor("concierge")
		Eventually(func(g Gomega) {
			for name, obj := range map[string]client.Object{
				names.KeySecret: &corev1.Secret{}, names.TLSSecret: &corev1.Secret{}, names.ChannelsSecret: &corev1.Secret{},
				names.PolicyConfigMap: &corev1.ConfigMap{}, names.StoreClaim: &corev1.PersistentVolumeClaim{},
				"concierge": &v1alpha1.AgentMemory{},
			} {
				g.Expect(k8s.Get(ctx, types.NamespacedName{Namespace: ns, Name: name}, obj)).To(Succeed())
			}
			var pod corev1.Pod
			g.Expect(k8s.Get(ctx, types.NamespacedName{Namespace: ns, Name: "concierge"}, &pod)).To(Succeed())
			g.Expect(pod.Annotations).To(HaveKey(v1alpha1.AnnotationSync))
			var p v1alpha1.MemoryTrustPolicy
			g.Expect(k8s.Get(ctx, types.NamespacedName{Namespace: ns, Name: "standard"}, &p)).To(Succeed())
			g.Expect(meta.IsStatusConditionTrue(p.Status.Conditions, v1alpha1.ConditionReady)).To(BeTrue())
			var events eventsv1.EventList
			g.Expect(k8s.List(ctx, &events, client.InNamespace(ns))).To(Succeed())
			g.Expect(events.Items).To(ContainElement(HaveField("Reason", "KeyGenerated")))
		}).Should(Succeed())

		Eventually(func(g Gomega) {
			var p v1alpha1.MemoryTrustPolicy
			g.Expect(k8s.Get(ctx, types.NamespacedName{Namespace: "unbound", Name: "standard"}, &p)).To(Succeed())
			ready := meta.FindStatusCondition(p.Status.Conditions, v1alpha1.ConditionReady)
			g.Expect(ready).To(HaveValue(And(HaveField("Reason", "NamespaceNotManaged"), HaveField("Message", ContainSubstring("config/agent-namespace")))))
			var m v1alpha1.AgentMemory
			g.Expect(k8s.Get(ctx, types.NamespacedName{Namespace: "unbound", Name: "concierge"}, &m)).To(Succeed())
		}).Should(Succeed())
		var secrets corev1.SecretList
		Expect(k8s.List(ctx, &secrets, client.InNamespace("unbound"))).To(Succeed())
		Expect(secrets.Items).To(BeEmpty())
	})

	It("answers a store that is not ours, about an agent it holds the keys of", func() {
		var published corev1.ConfigMap
		Expect(k8s.Get(ctx, types.NamespacedName{Namespace: ns, Name: inject.NamesFor("concierge").PolicyConfigMap}, &published)).To(Succeed())
		roots := x509.NewCertPool()
		Expect(roots.AppendCertsFromPEM([]byte(published.Data["ca.crt"]))).To(BeTrue())
		ask := func(account string) memoryadmission.Response {
			GinkgoHelper()
			err := k8s.Create(ctx, &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: account}})
			Expect(client.IgnoreAlreadyExists(err)).To(Succeed())
			token := &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{Audiences: []string{memoryadmission.TokenAudience}}}
			sa := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: account}}
			Expect(k8s.SubResource("token").Create(ctx, sa, token)).To(Succeed())
			asking, err := memoryadmission.New(memoryadmission.Options{
				URL:   fmt.Sprintf("https://127.0.0.1:%d%s", webhookPort, memoryadmission.Path),
				Token: func(context.Context) (string, error) { return token.Status.Token, nil },
				HTTPClient: &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{
					RootCAs: roots, ServerName: "memorytrust-webhook.memorytrust-system.svc", MinVersion: tls.VersionTLS13,
				}}},
			})
			Expect(err).NotTo(HaveOccurred())
			response, err := asking.Do(ctx, memoryadmission.Request{
				Agent: memoryadmission.Agent{Namespace: ns, Name: "concierge"}, Operation: memoryadmission.Encode,
				Memory: memoryadmission.Memory{Content: "The office in Lyon closes at 5 pm on Fridays."},
			})
			Expect(err).NotTo(HaveOccurred())
			return response
		}
		Expect(k8s.Create(ctx, &rbacv1.RoleBinding{
			ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "memory-store"},
			RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "memorytrust-memory-store"},
			Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: ns, Name: "store"}},
		})).To(Succeed())
		Eventually(func() memoryadmission.Response { return ask("store") }).Should(And(
			HaveField("Allowed", BeTrue()), HaveField("SignedSource", ContainSubstring("#mac="))))
		Expect(ask("stranger").Status).To(HaveValue(HaveField("Reason", memoryadmission.ReasonForbidden)))
	})
})
