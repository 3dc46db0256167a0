//go:build e2e

// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/api/v1alpha1"
)

// labelRun marks what this suite made, for removal.
const labelRun = "memorytrust.dev/e2e"

// The connection to the cluster, as whoever the kubeconfig says: a cluster administrator.
var (
	scheme     = runtime.NewScheme()
	restConfig *rest.Config
	clientset  *kubernetes.Clientset
	k8s        client.Client
)

// connect reads KUBECONFIG. The suite is patient with nobody: no client-side rate limit.
func connect() {
	GinkgoHelper()
	Expect(clientgoscheme.AddToScheme(scheme)).To(Succeed())
	Expect(v1alpha1.AddToScheme(scheme)).To(Succeed())
	path := os.Getenv("KUBECONFIG")
	Expect(path).NotTo(BeEmpty(), "set KUBECONFIG to a cluster that has the images of 'make images'; 'make test-e2e' does")
	var err error
	restConfig, err = clientcmd.BuildConfigFromFlags("", path)
	Expect(err).NotTo(HaveOccurred())
	restConfig.QPS = -1
	clientset, k8s = connectAs(restConfig)
}

func connectAs(config *rest.Config) (*kubernetes.Clientset, client.Client) {
	GinkgoHelper()
	set, err := kubernetes.NewForConfig(config)
	Expect(err).NotTo(HaveOccurred())
	c, err := client.New(config, client.Options{Scheme: scheme})
	Expect(err).NotTo(HaveOccurred())
	return set, c
}

// namespaceAdmin is a person who administers one namespace and no more. The rules come on top of ClusterRole admin.
func namespaceAdmin(ctx context.Context, namespace string, rules ...rbacv1.PolicyRule) client.Client {
	GinkgoHelper()
	const name = "e2e-namespace-admin"
	user := []rbacv1.Subject{{Kind: rbacv1.UserKind, APIGroup: rbacv1.GroupName, Name: name}}
	bind := func(binding string, role rbacv1.RoleRef) {
		role.APIGroup = rbacv1.GroupName
		Expect(k8s.Create(ctx, &rbacv1.RoleBinding{
			ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: binding}, Subjects: user, RoleRef: role,
		})).To(Succeed())
	}
	bind(name, rbacv1.RoleRef{Kind: "ClusterRole", Name: "admin"})
	if len(rules) > 0 {
		Expect(k8s.Create(ctx, &rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, Rules: rules})).To(Succeed())
		bind(name+"-more", rbacv1.RoleRef{Kind: "Role", Name: name})
	}
	config := rest.CopyConfig(restConfig)
	config.Impersonate = rest.ImpersonationConfig{UserName: name, Groups: []string{"system:authenticated"}}
	_, c := connectAs(config)
	return c
}

// repositoryRoot is where config/ is.
func repositoryRoot() string {
	root, err := filepath.Abs("../..")
	Expect(err).NotTo(HaveOccurred())
	return root
}

// kubectl runs $KUBECTL, or the one on the PATH, in the repository's root, and returns its output. An error carries
// what it wrote to stderr.
func kubectl(ctx context.Context, stdin string, args ...string) (string, error) {
	program := os.Getenv("KUBECTL")
	if program == "" {
		program = "kubectl"
	}
	command := exec.CommandContext(ctx, program, args...)
	command.Dir = repositoryRoot()
	command.Stdin = strings.NewReader(stdin)
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Run(); err != nil {
		return stdout.String(), fmt.Errorf("kubectl %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(stderr.String()))
	}
	return stdout.String(), nil
}

// apply is "kubectl apply -f -" in a namespace.
func apply(ctx context.Context, namespace, manifest string) {
	GinkgoHelper()
	_, err := kubectl(ctx, manifest, "apply", "-n", namespace, "-f", "-")
	Expect(err).NotTo(HaveOccurred())
}

// newNamespace makes a namespace that enforces Pod Security restricted, and removes it after the spec. Labels come on
// top, and in place, of those.
func newNamespace(ctx context.Context, labels map[string]string) string {
	GinkgoHelper()
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{
		GenerateName: "e2e-",
		Labels:       map[string]string{labelRun: "true", "pod-security.kubernetes.io/enforce": "restricted"},
	}}
	for key, value := range labels {
		namespace.Labels[key] = value
	}
	Expect(k8s.Create(ctx, namespace)).To(Succeed())
	watched = append(watched, namespace.Name)
	DeferCleanup(func(ctx context.Context) {
		Expect(client.IgnoreNotFound(k8s.Delete(ctx, namespace))).To(Succeed())
		watched = without(watched, namespace.Name)
	})
	return namespace.Name
}

func without(names []string, name string) []string {
	var rest []string
	for _, n := range names {
		if n != name {
			rest = append(rest, n)
		}
	}
	return rest
}

// removeNamespaces waits until the namespaces of this suite are gone, so that uninstalling leaves nothing behind.
func removeNamespaces(ctx context.Context) {
	By("removing the suite's namespaces")
	_, err := kubectl(ctx, "", "delete", "namespace", "-l", labelRun, "--ignore-not-found", "--timeout=100s")
	Expect(err).NotTo(HaveOccurred())
}

// gone succeeds when the object no longer exists.
func gone(ctx context.Context, object client.Object) func(Gomega) {
	return func(g Gomega) {
		err := k8s.Get(ctx, client.ObjectKeyFromObject(object), object)
		g.Expect(apierrors.IsNotFound(err)).To(BeTrue(), "%T %s is still there (%v)", object, object.GetName(), err)
	}
}

// reportKubeletSync says in the report how often the kubelets sync by themselves.
func reportKubeletSync(ctx context.Context) {
	nodes, err := clientset.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	Expect(err).NotTo(HaveOccurred())
	for i := range nodes.Items {
		raw, err := clientset.CoreV1().RESTClient().Get().AbsPath("/api/v1/nodes/" + nodes.Items[i].Name + "/proxy/configz").DoRaw(ctx)
		_, after, found := strings.Cut(string(raw), `"syncFrequency":"`)
		every, _, _ := strings.Cut(after, `"`)
		if err != nil || !found {
			every = "unknown"
		}
		AddReportEntry("kubelet of "+nodes.Items[i].Name, "syncs every "+every, ReportEntryVisibilityAlways)
		GinkgoWriter.Printf("The kubelet of %s syncs every %s; propagation must take less than %s\n", nodes.Items[i].Name, every, soon)
	}
}

// conditionOf returns status, reason and message of a condition, as one line.
func conditionOf(conditions []metav1.Condition, kind string) string {
	for _, c := range conditions {
		if c.Type == kind {
			return fmt.Sprintf("%s %s: %s", c.Status, c.Reason, c.Message)
		}
	}
	return "absent"
}

// within is how long something took, for the report.
func within(begin time.Time) string { return time.Since(begin).Round(10 * time.Millisecond).String() }
