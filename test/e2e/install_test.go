//go:build e2e

// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"os"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Where the operator lives.
const (
	operatorNamespace = "memorytrust-system"
	managerName       = "memorytrust-manager"
	overlay           = "config/cluster-wide"
	crdDirectory      = "config/crd/bases"
)

func managerDeployment() *appsv1.Deployment {
	return &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: operatorNamespace, Name: managerName}}
}

// manifests is the operator without its CRDs. Images carry the tag that VERSION names.
func manifests(ctx context.Context) string {
	GinkgoHelper()
	rendered, err := kubectl(ctx, "", "kustomize", overlay)
	Expect(err).NotTo(HaveOccurred())
	if version := os.Getenv("VERSION"); version != "" {
		for _, image := range []string{"manager", "screener"} {
			rendered = retag(rendered, "memorytrust.dev/"+image+":", version)
		}
	}
	var kept []string
	for _, document := range strings.Split(rendered, "\n---\n") {
		var meta metav1.TypeMeta
		Expect(yaml.Unmarshal([]byte(document), &meta)).To(Succeed())
		if meta.Kind != "CustomResourceDefinition" {
			kept = append(kept, document)
		}
	}
	return strings.Join(kept, "\n---\n")
}

// retag replaces the tag after every occurrence of an image's name.
func retag(manifest, image, tag string) string {
	parts := strings.Split(manifest, image)
	for i := 1; i < len(parts); i++ {
		end := strings.IndexAny(parts[i], "\"' \n,")
		if end >= 0 {
			parts[i] = tag + parts[i][end:]
		}
	}
	return strings.Join(parts, image)
}

// installIfAbsent installs the operator unless it is there, waits until both replicas are ready, and tells whether it
// installed it.
func installIfAbsent(ctx context.Context) bool {
	GinkgoHelper()
	err := k8s.Get(ctx, client.ObjectKeyFromObject(managerDeployment()), managerDeployment())
	absent := apierrors.IsNotFound(err)
	if absent {
		install(ctx)
	} else {
		Expect(err).NotTo(HaveOccurred())
		GinkgoWriter.Println("The operator is installed already, and stays as it is")
	}
	waitForManagers(ctx, 2)
	return absent
}

func install(ctx context.Context) {
	GinkgoHelper()
	By("installing the operator")
	_, err := kubectl(ctx, "", "apply", "--server-side", "-f", crdDirectory)
	Expect(err).NotTo(HaveOccurred())
	_, err = kubectl(ctx, "", "wait", "--for=condition=Established", "--timeout=30s", "-f", crdDirectory)
	Expect(err).NotTo(HaveOccurred())
	_, err = kubectl(ctx, manifests(ctx), "apply", "--server-side", "-f", "-")
	Expect(err).NotTo(HaveOccurred())
}

// uninstall removes what install put there, the CRDs excepted.
func uninstall(ctx context.Context) {
	GinkgoHelper()
	By("uninstalling the operator")
	_, err := kubectl(ctx, manifests(ctx), "delete", "--ignore-not-found", "--timeout=100s", "-f", "-")
	Expect(err).NotTo(HaveOccurred())
}

func removeCRDs(ctx context.Context) {
	GinkgoHelper()
	_, err := kubectl(ctx, "", "delete", "--ignore-not-found", "--timeout=60s", "-f", crdDirectory)
	Expect(err).NotTo(HaveOccurred())
}

// waitForManagers waits until exactly that many manager pods exist and are ready.
func waitForManagers(ctx context.Context, count int) {
	GinkgoHelper()
	Eventually(ctx, func(g Gomega) {
		deployment := managerDeployment()
		g.Expect(k8s.Get(ctx, client.ObjectKeyFromObject(deployment), deployment)).To(Succeed())
		g.Expect(deployment.Status.ObservedGeneration).To(Equal(deployment.Generation))
		g.Expect(deployment.Status.UpdatedReplicas).To(BeEquivalentTo(count), "updated replicas")
		g.Expect(deployment.Status.ReadyReplicas).To(BeEquivalentTo(count), "ready replicas")
		g.Expect(managerPods(ctx)).To(HaveLen(count), "pods")
	}).WithTimeout(2 * time.Minute).WithPolling(time.Second).Should(Succeed())
}

func managerPods(ctx context.Context) []corev1.Pod {
	GinkgoHelper()
	deployment := managerDeployment()
	Expect(k8s.Get(ctx, client.ObjectKeyFromObject(deployment), deployment)).To(Succeed())
	var pods corev1.PodList
	Expect(k8s.List(ctx, &pods, client.InNamespace(operatorNamespace), client.MatchingLabels(deployment.Spec.Selector.MatchLabels))).To(Succeed())
	return pods.Items
}

// scaleManager sets the number of replicas and waits until it is reached.
func scaleManager(ctx context.Context, replicas int) {
	GinkgoHelper()
	deployment := managerDeployment()
	Expect(k8s.Get(ctx, client.ObjectKeyFromObject(deployment), deployment)).To(Succeed())
	patch := client.MergeFrom(deployment.DeepCopy())
	count := int32(replicas)
	deployment.Spec.Replicas = &count
	Expect(k8s.Patch(ctx, deployment, patch)).To(Succeed())
	waitForManagers(ctx, replicas)
}

// waitForAdmission waits until the API server reaches the webhook: a fresh Service refuses connections for a moment.
func waitForAdmission(ctx context.Context) {
	GinkgoHelper()
	By("waiting until admission answers")
	namespace := newNamespace(ctx, nil)
	serviceAccount(ctx, namespace, "probe")
	Eventually(ctx, func(g Gomega) {
		err := k8s.Create(ctx, agentPod(namespace, "probe"), client.DryRunAll)
		g.Expect(err).To(MatchError(ContainSubstring("no MemoryTrustPolicy")))
	}).WithTimeout(30 * time.Second).Should(Succeed())
}
