// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
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
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/certs"
	"memorytrust.dev/operator/internal/memoryapi"
	"memorytrust.dev/operator/internal/server/admin"
)

const operatorNamespace = "memorytrust-system"

var (
	ctx         context.Context
	environment *envtest.Environment
	k8s         ctrlclient.Client
	kubeconfig  string // of an administrator, who acts as others by --as
	plugin      string // the program under test, for what needs a terminal
	authority   certs.State
)

func TestCLI(t *testing.T) {
	if os.Getenv("KUBEBUILDER_ASSETS") == "" {
		t.Skip("KUBEBUILDER_ASSETS is not set: this suite needs kube-apiserver and etcd")
	}
	RegisterFailHandler(Fail)
	SetDefaultEventuallyTimeout(time.Minute)
	SetDefaultEventuallyPollingInterval(100 * time.Millisecond)
	RunSpecs(t, "kubectl memtrust suite")
}

var _ = BeforeSuite(func() {
	ctrl.SetLogger(GinkgoLogr)
	klog.SetLogger(GinkgoLogr)
	var cancel context.CancelFunc
	ctx, cancel = context.WithCancel(context.Background())
	DeferCleanup(cancel)
	plugin = filepath.Join(GinkgoT().TempDir(), "kubectl-memtrust")
	out, err := exec.Command("go", "build", "-o", plugin, "../../cmd/kubectl-memtrust").CombinedOutput()
	Expect(err).NotTo(HaveOccurred(), string(out))

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
	config, err := environment.Start()
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(func() { Expect(environment.Stop()).To(Succeed()) })
	k8s, err = ctrlclient.New(config, ctrlclient.Options{Scheme: scheme})
	Expect(err).NotTo(HaveOccurred())
	kubeconfig = account("admin", "system:masters")

	authority, _, _, err = certs.Plan(certs.State{}, time.Now(), certs.DefaultOptions())
	Expect(err).NotTo(HaveOccurred())
	startScreeners()
	startAPI()
})

// aggregate lets the API server speak for its users to other API servers.
func aggregate(environment *envtest.Environment) {
	GinkgoHelper()
	dir := GinkgoT().TempDir()
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
	path := filepath.Join(GinkgoT().TempDir(), "kubeconfig")
	Expect(os.WriteFile(path, raw, 0o600)).To(Succeed())
	return path
}

// manifests renders config/memory-api.
func manifests() []*unstructured.Unstructured {
	GinkgoHelper()
	kubectl := filepath.Join(os.Getenv("KUBEBUILDER_ASSETS"), "kubectl")
	out, err := exec.Command(kubectl, "kustomize", filepath.Join("..", "..", "config", "memory-api")).Output()
	Expect(err).NotTo(HaveOccurred())
	var objects []*unstructured.Unstructured
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(out), 4096)
	for {
		u := &unstructured.Unstructured{}
		if err := decoder.Decode(u); err != nil {
			Expect(err).To(MatchError(io.EOF))
			return objects
		}
		objects = append(objects, u)
	}
}

// startAPI runs the memory API in this process, as config/memory-api installs it, and waits until the API server reaches it.
func startAPI() {
	GinkgoHelper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	Expect(err).NotTo(HaveOccurred())
	Expect(k8s.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: operatorNamespace}})).To(Succeed())
	for _, obj := range manifests() {
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
	o := memoryapi.Options{
		Listener: listener, PublishBundle: true, ScreenerPort: screenerPort,
		ServingDirectory: secretDirectory(certs.LeafRequest{
			DNSNames: []string{certs.MemoryAPIService + "." + operatorNamespace + ".svc"}, Usage: x509.ExtKeyUsageServerAuth,
		}),
		ClientDirectory: secretDirectory(certs.LeafRequest{DNSNames: []string{admin.ClientName}, Usage: x509.ExtKeyUsageClientAuth}),
		Kubeconfig: account("system:serviceaccount:"+operatorNamespace+":memorytrust-memory-api",
			"system:serviceaccounts", "system:serviceaccounts:"+operatorNamespace, "system:authenticated"),
	}
	running, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- memoryapi.Run(running, o) }()
	endAPI = func() {
		cancel()
		Eventually(ended).Should(Receive(BeNil()))
	}
	Eventually(func(g Gomega) {
		got := admins().run("list", "-n", travel, "--limit", "1")
		g.Expect(got.code).To(Equal(0), got.stderr)
	}).Should(Succeed())
}

// endAPI ends the API, which goes before the API server.
var endAPI = func() {}

var _ = AfterSuite(func() { endAPI() })

// secretDirectory is a mounted TLS Secret as the keeper of certificates makes it.
func secretDirectory(request certs.LeafRequest) string {
	GinkgoHelper()
	data, _, err := authority.Leaf(nil, request, time.Now(), certs.DefaultOptions())
	Expect(err).NotTo(HaveOccurred())
	dir := GinkgoT().TempDir()
	for name, value := range data {
		Expect(os.WriteFile(filepath.Join(dir, name), value, 0o600)).To(Succeed())
	}
	return dir
}

// someone is a person at a command line.
type someone struct{ flags []string }

// as returns somebody by name. Everybody is in system:authenticated.
func as(name string, groups ...string) someone {
	s := someone{[]string{"--kubeconfig=" + kubeconfig, "--as=" + name, "--as-group=system:authenticated"}}
	for _, g := range groups {
		s.flags = append(s.flags, "--as-group="+g)
	}
	return s
}

func admins() someone { return someone{[]string{"--kubeconfig=" + kubeconfig}} }

// result is what a command came to.
type result struct {
	stdout, stderr string
	code           int
}

// run executes a command line.
func (s someone) run(args ...string) result { return s.runWith("", args...) }

// runWith executes a command line with something piped in.
func (s someone) runWith(stdin string, args ...string) result {
	var out, errs bytes.Buffer
	code := Run(ctx, append(args, s.flags...), Streams{In: strings.NewReader(stdin), Out: &out, Err: &errs})
	return result{out.String(), errs.String(), code}
}

// done is run for what has to succeed.
func (s someone) done(args ...string) string {
	GinkgoHelper()
	got := s.run(args...)
	Expect(got.code).To(Equal(0), "%v: %s%s", args, got.stdout, got.stderr)
	return got.stdout
}
