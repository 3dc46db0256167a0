//go:build e2e

// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"crypto/tls"
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	authenticationv1 "k8s.io/api/authentication/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// metricsPort of the manager.
const metricsPort = 8443

var _ = Describe("The manager's metrics", func() {
	It("are for those who may read them", func(ctx SpecContext) {
		namespace := newNamespace(ctx, nil)
		serviceAccount(ctx, namespace, "stranger")
		serviceAccount(ctx, namespace, "prometheus")
		role := &rbacv1.ClusterRole{
			ObjectMeta: metav1.ObjectMeta{Name: namespace + "-metrics", Labels: map[string]string{labelRun: "true"}},
			Rules:      []rbacv1.PolicyRule{{NonResourceURLs: []string{"/metrics"}, Verbs: []string{"get"}}},
		}
		binding := &rbacv1.ClusterRoleBinding{
			ObjectMeta: metav1.ObjectMeta{Name: role.Name, Labels: role.Labels},
			Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: namespace, Name: "prometheus"}},
			RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role.Name},
		}
		Expect(k8s.Create(ctx, role)).To(Succeed())
		DeferCleanup(func(ctx context.Context) { Expect(k8s.Delete(ctx, role)).To(Succeed()) })
		Expect(k8s.Create(ctx, binding)).To(Succeed())
		DeferCleanup(func(ctx context.Context) { Expect(k8s.Delete(ctx, binding)).To(Succeed()) })

		address := forward(operatorNamespace, managerPods(ctx)[0].Name, metricsPort)
		scrape := func(token string) reply {
			return secure(address, token, &tls.Config{InsecureSkipVerify: true}).get(ctx, "/metrics")
		}
		Expect(scrape("").Status).To(Equal(http.StatusUnauthorized))
		Expect(scrape("made-up").Status).To(BeNumerically(">=", http.StatusBadRequest))
		Expect(scrape(tokenOf(ctx, namespace, "stranger")).Status).To(Equal(http.StatusForbidden))
		Eventually(ctx, func(g Gomega) {
			allowed := scrape(tokenOf(ctx, namespace, "prometheus"))
			g.Expect(allowed.Status).To(Equal(http.StatusOK))
			g.Expect(allowed.Body).To(ContainSubstring("memorytrust_"))
		}).WithTimeout(20 * time.Second).WithPolling(time.Second).Should(Succeed())
	}, SpecTimeout(time.Minute))
})

// tokenOf returns a fresh token of a ServiceAccount.
func tokenOf(ctx context.Context, namespace, account string) string {
	GinkgoHelper()
	request, err := clientset.CoreV1().ServiceAccounts(namespace).
		CreateToken(ctx, account, &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	Expect(err).NotTo(HaveOccurred())
	return request.Status.Token
}
