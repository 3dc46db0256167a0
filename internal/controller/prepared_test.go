// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"net/url"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/inject"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/store/postgres"
	"memorytrust.dev/operator/internal/store/postgres/pgtest"
)

var _ = Describe("A database that memories are to be moved to", func() {
	It("is known to screeners before, and never taken away again", func() {
		server := pgtest.Own(GinkgoTB())
		admin, err := server.Connect(ctx)
		Expect(err).NotTo(HaveOccurred())
		for _, statement := range []string{"CREATE ROLE memorytrust_owner LOGIN CREATEROLE", "CREATE DATABASE memorytrust OWNER memorytrust_owner"} {
			_, err = admin.Exec(ctx, statement)
			Expect(err).NotTo(HaveOccurred())
		}
		Expect(admin.Close(ctx)).To(Succeed())
		ns := newNamespace()
		Expect(k8s.Create(ctx, &corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "pg", Labels: map[string]string{v1alpha1.LabelKeySource: v1alpha1.KeySourcePostgres}},
			StringData: map[string]string{"uri": "postgres://memorytrust_owner:any@/memorytrust?host=" + filepath.Dir(server.Socket())},
		})).To(Succeed())
		newPolicy(ns, "standard", func(p *v1alpha1.MemoryTrustPolicy) {
			p.Spec.Store = v1alpha1.StoreSpec{Type: v1alpha1.StoreTypeEphemeral, Postgres: &v1alpha1.PostgresStore{OwnerSecretRef: v1alpha1.SecretKeyRef{Name: "pg"}}}
		})
		runPod(ns, "concierge-1", "concierge")
		uri := func() string {
			var secret corev1.Secret
			if err := k8s.Get(ctx, types.NamespacedName{Namespace: ns, Name: inject.NamesFor("concierge").ChannelsSecret}, &secret); err != nil {
				return ""
			}
			return string(secret.Data[policy.FileStoreURI])
		}
		Eventually(uri).ShouldNot(BeEmpty())
		known := uri()
		u, err := url.Parse(known)
		Expect(err).NotTo(HaveOccurred())
		Expect(u.User.Username()).To(HavePrefix("mt_"))
		memory := get(Default, &v1alpha1.AgentMemory{}, ns, "concierge")
		standing, err := postgres.Stand(ctx, postgres.Options{URL: known, Agent: memory.Spec.AgentID})
		Expect(err).NotTo(HaveOccurred())
		Expect(standing).To(Equal(postgres.Standing{}))
		runtime := get(Default, &corev1.ConfigMap{}, ns, inject.NamesFor("concierge").PolicyConfigMap).Data[policy.FilePolicy]
		Expect(runtime).NotTo(ContainSubstring(`"postgres":true`))
		Eventually(func() *v1alpha1.AgentStoreStatus {
			return get(Default, &v1alpha1.AgentMemory{}, ns, "concierge").Status.Store
		}).Should(
			Equal(&v1alpha1.AgentStoreStatus{Type: v1alpha1.StoreTypeEphemeral}))

		By("forgetting the database in the policy")
		p := get(Default, &v1alpha1.MemoryTrustPolicy{}, ns, "standard")
		p.Spec.Store.Postgres, p.Spec.Review = nil, v1alpha1.ReviewModeWithhold
		Expect(k8s.Update(ctx, p)).To(Succeed())
		Eventually(func() string {
			return get(Default, &corev1.ConfigMap{}, ns, inject.NamesFor("concierge").PolicyConfigMap).Data[policy.FilePolicy]
		}).Should(ContainSubstring("Withhold"))
		Consistently(uri, "1s").Should(Equal(known))
	})
})
