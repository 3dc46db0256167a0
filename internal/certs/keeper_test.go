// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package certs_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/events"
	testclock "k8s.io/utils/clock/testing"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/yaml"

	"memorytrust.dev/operator/internal/certs"
)

const namespace = "memorytrust-system"

var (
	ctx context.Context
	k8s client.Client
)

func TestKeeper(t *testing.T) {
	if os.Getenv("KUBEBUILDER_ASSETS") == "" {
		t.Skip("KUBEBUILDER_ASSETS is not set: this suite needs kube-apiserver and etcd")
	}
	RegisterFailHandler(Fail)
	RunSpecs(t, "Certificates suite")
}

var _ = BeforeSuite(func() {
	ctrl.SetLogger(GinkgoLogr)
	ctx = context.Background()
	scheme := runtime.NewScheme()
	Expect(clientgoscheme.AddToScheme(scheme)).To(Succeed())
	environment := &envtest.Environment{ControlPlaneStartTimeout: 3 * time.Minute, ControlPlaneStopTimeout: time.Minute}
	config, err := environment.Start()
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(func() { Expect(environment.Stop()).To(Succeed()) })
	k8s, err = client.New(config, client.Options{Scheme: scheme})
	Expect(err).NotTo(HaveOccurred())
	Expect(k8s.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}})).To(Succeed())
})

// installed are the webhook configurations as kubectl apply --server-side installs them.
func installed() []client.Object {
	GinkgoHelper()
	file, err := os.ReadFile(filepath.Join("..", "..", "config", "webhook", "configuration.yaml"))
	Expect(err).NotTo(HaveOccurred())
	mutating, validating := &admissionv1.MutatingWebhookConfiguration{}, &admissionv1.ValidatingWebhookConfiguration{}
	documents := strings.Split(string(file), "\n---\n")
	Expect(documents).To(HaveLen(2))
	Expect(yaml.UnmarshalStrict([]byte(documents[0]), mutating)).To(Succeed())
	Expect(yaml.UnmarshalStrict([]byte(documents[1]), validating)).To(Succeed())
	return []client.Object{mutating, validating}
}

func bundles() [][]byte {
	GinkgoHelper()
	var m admissionv1.MutatingWebhookConfiguration
	var v admissionv1.ValidatingWebhookConfiguration
	Expect(k8s.Get(ctx, types.NamespacedName{Name: "memorytrust-pod-injector"}, &m)).To(Succeed())
	Expect(k8s.Get(ctx, types.NamespacedName{Name: "memorytrust-pod-validator"}, &v)).To(Succeed())
	var out [][]byte
	for i := range m.Webhooks {
		out = append(out, m.Webhooks[i].ClientConfig.CABundle)
	}
	for i := range v.Webhooks {
		out = append(out, v.Webhooks[i].ClientConfig.CABundle)
	}
	return out
}

func secret(name string) *corev1.Secret {
	GinkgoHelper()
	s := &corev1.Secret{}
	Expect(k8s.Get(ctx, types.NamespacedName{Namespace: namespace, Name: name}, s)).To(Succeed())
	return s
}

var _ = Describe("The keeper", Ordered, func() {
	clock := testclock.NewFakePassiveClock(time.Now())
	var keeper *certs.Keeper
	reconcile := func() time.Duration {
		GinkgoHelper()
		result, err := keeper.Reconcile(ctx, ctrl.Request{})
		Expect(err).NotTo(HaveOccurred())
		return result.RequeueAfter
	}
	resourceVersions := func() []string {
		GinkgoHelper()
		var out []string
		for _, name := range []string{certs.CASecret, certs.WebhookSecret, certs.ClientSecret} {
			out = append(out, secret(name).ResourceVersion)
		}
		var m admissionv1.MutatingWebhookConfiguration
		var v admissionv1.ValidatingWebhookConfiguration
		Expect(k8s.Get(ctx, types.NamespacedName{Name: "memorytrust-pod-injector"}, &m)).To(Succeed())
		Expect(k8s.Get(ctx, types.NamespacedName{Name: "memorytrust-pod-validator"}, &v)).To(Succeed())
		return append(out, m.ResourceVersion, v.ResourceVersion)
	}
	// trusted checks that the API server, with the bundle it has, accepts what the webhook serves now.
	trusted := func() {
		GinkgoHelper()
		serving := secret(certs.WebhookSecret)
		pair, err := tls.X509KeyPair(serving.Data["tls.crt"], serving.Data["tls.key"])
		Expect(err).NotTo(HaveOccurred())
		for _, bundle := range bundles() {
			roots := x509.NewCertPool()
			Expect(roots.AppendCertsFromPEM(bundle)).To(BeTrue())
			_, err = pair.Leaf.Verify(x509.VerifyOptions{
				Roots: roots, DNSName: "memorytrust-webhook.memorytrust-system.svc", CurrentTime: clock.Now(),
			})
			Expect(err).NotTo(HaveOccurred())
		}
	}
	BeforeAll(func() {
		keeper = &certs.Keeper{
			Client: k8s, Namespace: namespace, WebhookService: "memorytrust-webhook", ClientName: "manager.memorytrust.internal",
			Webhooks: certs.WebhookConfigurations{Mutating: "memorytrust-pod-injector", Validating: "memorytrust-pod-validator"},
			Options:  certs.DefaultOptions(), Clock: clock, Recorder: events.NewFakeRecorder(100),
		}
	})

	It("makes certificates before there are webhook configurations", func() {
		reconcile()
		Expect(secret(certs.CASecret).Data).To(HaveKey("tls.key"))
		pair, err := tls.X509KeyPair(secret(certs.ClientSecret).Data["tls.crt"], secret(certs.ClientSecret).Data["tls.key"])
		Expect(err).NotTo(HaveOccurred())
		Expect(pair.Leaf.DNSNames).To(Equal([]string{"manager.memorytrust.internal"}))
		Expect(pair.Leaf.ExtKeyUsage).To(Equal([]x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}))
		Expect(k8s.Get(ctx, types.NamespacedName{Name: "memorytrust-pod-injector"}, &admissionv1.MutatingWebhookConfiguration{})).
			To(Satisfy(apierrors.IsNotFound), "the install brings it")
	})

	It("fills in the bundle and nothing else, with a field manager of its own", func() {
		for _, obj := range installed() {
			Expect(k8s.Create(ctx, obj, client.FieldOwner("kubectl"))).To(Succeed())
		}
		reconcile()
		trusted()
		var m admissionv1.MutatingWebhookConfiguration
		Expect(k8s.Get(ctx, types.NamespacedName{Name: "memorytrust-pod-injector"}, &m)).To(Succeed())
		var owners []string
		for _, f := range m.ManagedFields {
			owners = append(owners, f.Manager)
			if f.Manager == "memorytrust-ca-bundle" {
				Expect(f.FieldsV1.GetRawString()).To(MatchJSON(
					`{"f:webhooks":{"k:{\"name\":\"inject.memorytrust.dev\"}":{".":{},"f:clientConfig":{"f:caBundle":{}},"f:name":{}}}}`))
			}
		}
		Expect(owners).To(ConsistOf("kubectl", "memorytrust-ca-bundle"))
	})

	It("writes nothing at steady state", func() {
		before := resourceVersions()
		for range 3 {
			Expect(reconcile()).To(BeNumerically(">", 24*time.Hour))
		}
		Expect(resourceVersions()).To(Equal(before))
	})

	It("puts back a bundle that was taken away", func() {
		var m admissionv1.MutatingWebhookConfiguration
		Expect(k8s.Get(ctx, types.NamespacedName{Name: "memorytrust-pod-injector"}, &m)).To(Succeed())
		m.Webhooks[0].ClientConfig.CABundle = nil
		Expect(k8s.Update(ctx, &m)).To(Succeed())
		reconcile()
		trusted()
	})

	It("renews leafs and exchanges authorities without a moment of distrust", func() {
		first := secret(certs.CASecret).Data["tls.crt"]
		leaf := secret(certs.WebhookSecret).Data["tls.crt"]
		clock.SetTime(clock.Now().Add(21 * 24 * time.Hour))
		reconcile()
		trusted()
		Expect(secret(certs.WebhookSecret).Data["tls.crt"]).NotTo(Equal(leaf))
		Expect(secret(certs.CASecret).Data["tls.crt"]).To(Equal(first))

		for range 400 {
			before := bundles()[0]
			wait := reconcile()
			trusted()
			if now := secret(certs.CASecret).Data["tls.crt"]; string(now) != string(first) {
				Expect(string(before)).To(ContainSubstring(string(now)), "the new authority was published before it signed")
				return
			}
			clock.SetTime(clock.Now().Add(wait))
		}
		Fail("the authority was never exchanged")
	})

	It("recovers when its authority was deleted", func() {
		Expect(k8s.Delete(ctx, secret(certs.CASecret))).To(Succeed())
		reconcile()
		trusted()
	})

	It("does not overwrite the authority of another leader", func() {
		stale := &lateReads{Client: k8s, secret: secret(certs.CASecret)}
		current := secret(certs.CASecret)
		current.Data["note"] = []byte("changed by the other leader")
		Expect(k8s.Update(ctx, current)).To(Succeed())
		late := *keeper
		late.Client = stale
		clock.SetTime(clock.Now().Add(250 * 24 * time.Hour))
		_, err := late.Reconcile(ctx, ctrl.Request{})
		Expect(err).To(Satisfy(apierrors.IsConflict))
		Expect(secret(certs.CASecret).Data).To(HaveKey("note"))
	})
})

// lateReads serves one Secret as it was.
type lateReads struct {
	client.Client
	secret *corev1.Secret
}

func (l *lateReads) Get(ctx context.Context, key client.ObjectKey, obj client.Object, opts ...client.GetOption) error {
	if s, ok := obj.(*corev1.Secret); ok && key.Name == l.secret.Name {
		l.secret.DeepCopyInto(s)
		return nil
	}
	return l.Client.Get(ctx, key, obj, opts...)
}
