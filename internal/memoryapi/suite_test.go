// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryapi

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/certs"
	"memorytrust.dev/operator/internal/server/admin"
)

const operatorNamespace = "memorytrust-system"

var (
	ctx         context.Context
	environment *envtest.Environment
	config      *rest.Config
	k8s         client.Client
	kubeconfig  string // of an administrator, for kubectl
	underTest   runningAPI
	authority   certs.State
	suite       testing.TB // that the world ends with
	readersDir  string     // what the API opens databases with
)

// runningAPI is the API under test: its options, and what ends it.
type runningAPI struct {
	Options
	end func()
}

func TestMemoryAPI(t *testing.T) {
	if os.Getenv("KUBEBUILDER_ASSETS") == "" {
		t.Skip("KUBEBUILDER_ASSETS is not set: this suite needs kube-apiserver and etcd")
	}
	RegisterFailHandler(Fail)
	SetDefaultEventuallyTimeout(time.Minute)
	SetDefaultEventuallyPollingInterval(100 * time.Millisecond)
	RunSpecs(t, "Memory API suite")
}

var _ = BeforeSuite(func() { startWorld(GinkgoTB()) })

// startWorld starts an API server, screeners, and the API under test behind it. It all ends with t.
func startWorld(t testing.TB) {
	GinkgoHelper()
	suite = t
	ctrl.SetLogger(GinkgoLogr)
	klog.SetLogger(GinkgoLogr)
	var cancel context.CancelFunc
	ctx, cancel = context.WithCancel(context.Background())
	suite.Cleanup(cancel)
	scheme := runtime.NewScheme()
	Expect(clientgoscheme.AddToScheme(scheme)).To(Succeed())
	Expect(v1alpha1.AddToScheme(scheme)).To(Succeed())
	environment = &envtest.Environment{
		CRDDirectoryPaths:     []string{filepath.Join("..", "..", "config", "crd", "bases")},
		ErrorIfCRDPathMissing: true,
		// Machines that build something else meanwhile are slow.
		ControlPlaneStartTimeout: 5 * time.Minute,
		ControlPlaneStopTimeout:  time.Minute,
		CRDInstallOptions:        envtest.CRDInstallOptions{MaxTime: time.Minute},
	}
	aggregate(environment)
	var err error
	config, err = environment.Start()
	Expect(err).NotTo(HaveOccurred())
	suite.Cleanup(func() { Expect(environment.Stop()).To(Succeed()) })
	k8s, err = client.New(config, client.Options{Scheme: scheme})
	Expect(err).NotTo(HaveOccurred())
	kubeconfig = account("admin", "system:masters")

	authority, _, _, err = certs.Plan(certs.State{}, time.Now(), certs.DefaultOptions())
	Expect(err).NotTo(HaveOccurred())
	installManifests()
	startScreeners()
	startAPI()
}

// aggregate lets the API server speak for its users to other API servers.
func aggregate(environment *envtest.Environment) {
	GinkgoHelper()
	dir := suite.TempDir()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	Expect(err).NotTo(HaveOccurred())
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "front-proxy"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	Expect(err).NotTo(HaveOccurred())
	raw, err := x509.MarshalECPrivateKey(key)
	Expect(err).NotTo(HaveOccurred())
	write := func(name, kind string, der []byte) string {
		path := filepath.Join(dir, name)
		Expect(os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600)).To(Succeed())
		return path
	}
	cert, keyFile := write("proxy.crt", "CERTIFICATE", der), write("proxy.key", "EC PRIVATE KEY", raw)
	environment.ControlPlane.GetAPIServer().Configure().
		Set("requestheader-client-ca-file", cert).Set("requestheader-allowed-names", "front-proxy").
		Set("requestheader-username-headers", "X-Remote-User").Set("requestheader-group-headers", "X-Remote-Group").
		Set("requestheader-extra-headers-prefix", "X-Remote-Extra-").
		Set("proxy-client-cert-file", cert).Set("proxy-client-key-file", keyFile)
}

// account returns the file with which a user that the API server knows by a certificate gets in.
func account(name string, groups ...string) string {
	GinkgoHelper()
	user, err := environment.ControlPlane.AddUser(envtest.User{Name: name, Groups: groups}, nil)
	Expect(err).NotTo(HaveOccurred())
	raw, err := user.KubeConfig()
	Expect(err).NotTo(HaveOccurred())
	path := filepath.Join(suite.TempDir(), "kubeconfig")
	Expect(os.WriteFile(path, raw, 0o600)).To(Succeed())
	return path
}

// kustomize renders a directory of config/.
func kustomize(directory string) []*unstructured.Unstructured {
	GinkgoHelper()
	out, err := exec.Command(kubectl(), "kustomize", filepath.Join("..", "..", "config", directory)).Output()
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

func kubectl() string { return filepath.Join(os.Getenv("KUBEBUILDER_ASSETS"), "kubectl") }

// installManifests applies config/memory-api, but for the Deployment: the API runs in this process, and its Service leads here.
func installManifests() {
	GinkgoHelper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	Expect(err).NotTo(HaveOccurred())
	underTest.Listener = listener
	Expect(k8s.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: operatorNamespace}})).To(Succeed())
	for _, obj := range kustomize("memory-api") {
		switch obj.GetKind() {
		case "Deployment":
			continue
		case "Service":
			obj.Object["spec"] = map[string]any{"type": "ExternalName", "externalName": "localhost"}
		case "APIService":
			port := int64(listener.Addr().(*net.TCPAddr).Port) //nolint:forcetypeassert // of a TCP listener
			Expect(unstructured.SetNestedField(obj.Object, port, "spec", "service", "port")).To(Succeed())
		}
		Expect(k8s.Create(ctx, obj)).To(Succeed(), obj.GetKind()+" "+obj.GetName())
	}
	underTest.ServingDirectory = secretDirectory(certs.LeafRequest{
		DNSNames: []string{certs.MemoryAPIService + "." + operatorNamespace + ".svc"}, Usage: x509.ExtKeyUsageServerAuth,
	})
	underTest.ClientDirectory = secretDirectory(certs.LeafRequest{DNSNames: []string{admin.ClientName}, Usage: x509.ExtKeyUsageClientAuth})
	underTest.Kubeconfig = account("system:serviceaccount:"+operatorNamespace+":memorytrust-memory-api",
		"system:serviceaccounts", "system:serviceaccounts:"+operatorNamespace, "system:authenticated")
	underTest.PublishBundle = true
	readersDir = suite.TempDir()
	underTest.Stores = NewPostgresStores(readersDir)
}

// secretDirectory is a mounted TLS Secret as the keeper of certificates makes it.
func secretDirectory(request certs.LeafRequest) string {
	GinkgoHelper()
	data, _, err := authority.Leaf(nil, request, time.Now(), certs.DefaultOptions())
	Expect(err).NotTo(HaveOccurred())
	dir := suite.TempDir()
	for name, value := range data {
		Expect(os.WriteFile(filepath.Join(dir, name), value, 0o600)).To(Succeed())
	}
	return dir
}

// startAPI runs the API and waits until the API server reaches it.
func startAPI() {
	GinkgoHelper()
	if underTest.Listener == nil { // at the address it had
		var err error
		underTest.Listener, err = net.Listen("tcp", apiAddress)
		Expect(err).NotTo(HaveOccurred())
	}
	apiAddress = underTest.Listener.Addr().String()
	running, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	o := underTest.Options
	go func() { ended <- Run(running, o) }()
	underTest.Listener = nil
	underTest.end = func() {
		cancel()
		Eventually(ended).Should(Receive(BeNil()))
		underTest.end = nil
	}
	Eventually(func(g Gomega) {
		got := as("admin", "system:masters").get("/memories?limit=1")
		g.Expect(got.status).To(Equal(200), got.body)
	}).Should(Succeed())
}

// apiAddress is where the API listens.
var apiAddress string

var _ = AfterSuite(func() { // the API goes before the API server
	if underTest.end != nil {
		underTest.end()
	}
})
