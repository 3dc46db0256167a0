// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package rotation

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"memorytrust.dev/operator/api/v1alpha1"
)

const (
	operatorNamespace = "memorytrust-system"
	namespace         = "agents"
	screenerImage     = "registry.example/screener:test"
	managerUser       = "manager"
)

// auditPolicy keeps what the manager writes, without the lease it renews and the reviews that are stored nowhere.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: None
  resources:
  - {group: coordination.k8s.io}
  - {group: authorization.k8s.io}
  - {group: authentication.k8s.io}
- level: Metadata
  users: [` + managerUser + `]
  verbs: [create, update, patch, delete]
- level: None
`

// cluster is an API server and the manager on it.
type cluster struct {
	t          *testing.T
	dir        string
	config     *rest.Config
	k8s        client.Client // uncached
	cache      cache.Cache   // of what is in the agents' namespace, so that looking costs the API server nothing
	audit      string        // path of the audit log
	kubeconfig string        // of the manager
	binary     string        // of the manager
	manager    *program
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	ctrl.SetLogger(logr.Discard())
	c := &cluster{t: t, dir: t.TempDir()}
	policy := filepath.Join(c.dir, "audit-policy.yaml")
	must(t, os.WriteFile(policy, []byte(auditPolicy), 0o600))
	c.audit = filepath.Join(c.dir, "audit.log")
	env := &envtest.Environment{
		CRDDirectoryPaths:     []string{filepath.Join("..", "..", "config", "crd", "bases")},
		ErrorIfCRDPathMissing: true,
		// Machines that build something else meanwhile are slow.
		ControlPlaneStartTimeout: 3 * time.Minute,
		ControlPlaneStopTimeout:  time.Minute,
		CRDInstallOptions:        envtest.CRDInstallOptions{MaxTime: time.Minute},
	}
	env.ControlPlane.GetAPIServer().Configure().Set("audit-policy-file", policy).Set("audit-log-path", c.audit)
	var err error
	c.config, err = env.Start()
	must(t, err)
	t.Cleanup(func() {
		if err := env.Stop(); err != nil {
			t.Errorf("stopping the API server: %v", err)
		}
	})
	c.config.QPS = -1
	scheme := runtime.NewScheme()
	must(t, clientgoscheme.AddToScheme(scheme))
	must(t, v1alpha1.AddToScheme(scheme))
	c.k8s, err = client.New(c.config, client.Options{Scheme: scheme})
	must(t, err)
	for _, name := range []string{operatorNamespace, namespace} {
		must(t, c.k8s.Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}))
	}
	c.startCache()
	user, err := env.AddUser(envtest.User{Name: managerUser, Groups: []string{"system:masters"}}, nil)
	must(t, err)
	kubeconfig, err := user.KubeConfig()
	must(t, err)
	c.kubeconfig = filepath.Join(c.dir, "kubeconfig")
	must(t, os.WriteFile(c.kubeconfig, kubeconfig, 0o600))
	return c
}

// startCache fills the cache. It ends before the API server does.
func (c *cluster) startCache() {
	c.t.Helper()
	var err error
	c.cache, err = cache.New(c.config, cache.Options{
		Scheme: c.k8s.Scheme(), DefaultNamespaces: map[string]cache.Config{namespace: {}},
	})
	must(c.t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = c.cache.Start(ctx)
	}()
	c.t.Cleanup(func() {
		cancel()
		<-ended
	})
	for _, obj := range []client.Object{&corev1.Pod{}, &corev1.Secret{}, &corev1.ConfigMap{}, &v1alpha1.ProvenanceKey{}} {
		_, err := c.cache.GetInformer(c.t.Context(), obj)
		must(c.t, err)
	}
}

// startManager starts the manager as config/manager does, but for the addresses, and for how often it asks screeners that
// are in sync: the test does not want to wait a minute for a count.
func (c *cluster) startManager() {
	c.t.Helper()
	var err error
	c.manager, err = start(c.dir, c.binary, []string{"KUBECONFIG=" + c.kubeconfig},
		"--screener-image="+screenerImage, "--operator-namespace="+operatorNamespace, "--agent-namespaces="+namespace,
		"--webhook-port="+freePort(c.t), "--health-address=127.0.0.1:"+freePort(c.t), "--metrics-address=0", "--poll-interval=5s")
	must(c.t, err)
	c.t.Cleanup(func() { c.manager.end(syscall.SIGKILL) })
}

// killManager ends the manager as a node that fails does: it says goodbye to nobody, and keeps the lease.
func (c *cluster) killManager() { c.manager.end(syscall.SIGKILL) }

// written counts what the manager wrote in a span of time, by verb and resource.
func (c *cluster) written(since, until time.Time) map[string]int {
	c.t.Helper()
	data, err := os.ReadFile(c.audit)
	must(c.t, err)
	out := map[string]int{}
	for line := range bytes.Lines(data) {
		var e struct {
			Verb                     string
			RequestReceivedTimestamp time.Time
			ObjectRef                struct{ Resource, Subresource string }
		}
		if json.Unmarshal(line, &e) != nil || e.RequestReceivedTimestamp.Before(since) || !e.RequestReceivedTimestamp.Before(until) {
			continue
		}
		what := e.Verb + " " + e.ObjectRef.Resource
		if e.ObjectRef.Subresource != "" {
			what += "/" + e.ObjectRef.Subresource
		}
		out[what]++
	}
	return out
}

// keys returns the ProvenanceKeys by agent.
func (c *cluster) keys(ctx context.Context) map[string]*v1alpha1.ProvenanceKey {
	c.t.Helper()
	var list v1alpha1.ProvenanceKeyList
	must(c.t, c.cache.List(ctx, &list))
	out := map[string]*v1alpha1.ProvenanceKey{}
	for i := range list.Items {
		out[list.Items[i].Spec.AgentRef.Name] = &list.Items[i]
	}
	return out
}
