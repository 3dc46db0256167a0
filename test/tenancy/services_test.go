// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package tenancy

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	ctrlconfig "sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	ctrlwebhook "sigs.k8s.io/controller-runtime/pkg/webhook"

	"memorytrust.dev/operator/internal/certs"
	"memorytrust.dev/operator/internal/controller"
	"memorytrust.dev/operator/internal/memoryapi"
	"memorytrust.dev/operator/internal/server/admin"
	memoryreview "memorytrust.dev/operator/pkg/memoryadmission"
	"memorytrust.dev/operator/webhook/memoryadmission"
)

const systemNamespace = "memorytrust-system"

// manifests renders a directory of config/.
func manifests(t *testing.T, directory string) (out []*unstructured.Unstructured) {
	t.Helper()
	kubectl := filepath.Join(os.Getenv("KUBEBUILDER_ASSETS"), "kubectl")
	text, err := exec.Command(kubectl, "kustomize", filepath.Join("..", "..", "config", directory)).Output()
	must(t, err)
	return decodeAll(t, string(text))
}

func decodeAll(t *testing.T, text string) (out []*unstructured.Unstructured) {
	t.Helper()
	decoder := utilyaml.NewYAMLOrJSONDecoder(strings.NewReader(text), 4096)
	for {
		u := &unstructured.Unstructured{}
		err := decoder.Decode(u)
		if errors.Is(err, io.EOF) {
			return out
		}
		must(t, err)
		out = append(out, u)
	}
}

// serveMemoryAPI runs the memory API behind the API server, and returns where it listens itself.
func (c *cluster) serveMemoryAPI(t *testing.T) (address string) {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	for _, obj := range manifests(t, "memory-api") {
		switch obj.GetKind() {
		case "Deployment":
			continue
		case "Service":
			obj.Object["spec"] = map[string]any{"type": "ExternalName", "externalName": "localhost"}
		case "APIService":
			port := int64(listener.Addr().(*net.TCPAddr).Port) //nolint:forcetypeassert // of a TCP listener
			must(t, unstructured.SetNestedField(obj.Object, port, "spec", "service", "port"))
		}
		must(t, c.client.Create(t.Context(), obj))
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	o := memoryapi.Options{
		Listener:         listener,
		ServingDirectory: directory(t, c.leaf(t, x509.ExtKeyUsageServerAuth, certs.MemoryAPIService+"."+systemNamespace+".svc")),
		ClientDirectory:  directory(t, c.leaf(t, x509.ExtKeyUsageClientAuth, admin.ClientName)),
		Kubeconfig: c.kubeconfig(t, "system:serviceaccount:"+systemNamespace+":memorytrust-memory-api",
			"system:serviceaccounts", "system:serviceaccounts:"+systemNamespace, "system:authenticated"),
		PublishBundle: true, ScreenerPort: adminPort,
	}
	go func() { ended <- memoryapi.Run(ctx, o) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Log("The memory API ended:", err)
		}
	})
	return listener.Addr().String()
}

// admission is memory admission as a replica of the operator serves it.
type admission struct {
	url   string
	roots *x509.CertPool
}

// everywhere are namespaces that a replica reads whether it leads or not.
type everywhere struct{ *controller.Namespaces }

func (everywhere) NeedLeaderElection() bool { return false }

// serveAdmission runs memory admission.
func (c *cluster) serveAdmission(t *testing.T) admission {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "config", "rbac", "memory_admission_roles.yaml"))
	must(t, err)
	for _, role := range decodeAll(t, string(raw)) {
		must(t, c.client.Create(t.Context(), role))
	}
	local := envtest.WebhookInstallOptions{}
	must(t, local.PrepWithoutInstalling())
	mgr, err := ctrl.NewManager(c.config, ctrl.Options{
		Scheme:     c.client.Scheme(),
		Cache:      controller.CacheOptions(systemNamespace, certs.WebhookConfigurations{Mutating: "m", Validating: "v"}),
		Metrics:    metricsserver.Options{BindAddress: "0"},
		Controller: ctrlconfig.Controller{SkipNameValidation: ptr.To(true)},
		WebhookServer: ctrlwebhook.NewServer(ctrlwebhook.Options{
			Host: local.LocalServingHost, Port: local.LocalServingPort, CertDir: local.LocalServingCertDir,
		}),
	})
	must(t, err)
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	namespaces := everywhere{controller.NewNamespaces(mgr.GetConfig(), mgr.GetClient(), nil, time.Second)}
	must(t, mgr.Add(namespaces))
	must(t, memoryadmission.SetupWithManager(ctx, mgr, memoryadmission.Options{Readers: func(namespace string) (client.Reader, bool) {
		if reader, _ := namespaces.Reader(namespace); reader != nil {
			return reader, true
		}
		return nil, namespaces.Known(namespace)
	}}))
	ended := make(chan error, 1)
	go func() { ended <- mgr.Start(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Log("Memory admission ended:", err)
		}
	})
	out := admission{url: "https://" + net.JoinHostPort(local.LocalServingHost, strconv.Itoa(local.LocalServingPort)) + memoryreview.Path, roots: x509.NewCertPool()}
	out.roots.AppendCertsFromPEM(local.LocalServingCAData)
	eventually(t, "memory admission listens", func() bool {
		response, err := out.client().Get(out.url)
		if err == nil {
			_ = response.Body.Close()
		}
		return err == nil
	})
	return out
}

func (a admission) client() *http.Client {
	return &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: a.roots, MinVersion: tls.VersionTLS13}, DisableKeepAlives: true}}
}

// bindings give people and ServiceAccounts the rights that they have in one namespace, and with which they try the other.
func (c *cluster) bindings(t *testing.T) {
	t.Helper()
	c.bind(t, travel, "memorytrust-reviewer", person("rita"))
	c.bind(t, travel, "memorytrust-viewer", person("victor"))
	c.bind(t, travel, "memorytrust-admin", person("ada"))
	c.bind(t, travel, "memorytrust-reviewer", members("system:serviceaccounts:"+billing))
	c.bind(t, billing, "memorytrust-reviewer", accountSubject(billing, "clerk"))
	c.bind(t, travel, "memorytrust-memory-store", accountSubject(travel, "store"))
	must(t, c.client.Create(t.Context(), &rbacv1.Role{
		ObjectMeta: metaOf(billing, "one-agent"),
		Rules:      []rbacv1.PolicyRule{{APIGroups: []string{"memorytrust.dev"}, Resources: []string{"agentmemories/admission"}, ResourceNames: []string{"ledger"}, Verbs: []string{"create"}}},
	}))
	must(t, c.client.Create(t.Context(), &rbacv1.RoleBinding{
		ObjectMeta: metaOf(billing, "one-agent"), RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: "one-agent"},
		Subjects: []rbacv1.Subject{accountSubject(travel, "store")},
	}))
}
