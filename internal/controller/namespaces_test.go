// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"memorytrust.dev/operator/api/v1alpha1"
)

var _ = Describe("Agent namespaces", func() {
	It("are managed from the moment the Role is bound there, without a restart", func() {
		bound, unbound := newNamespace(), newNamespace()
		user, err := testEnv.AddUser(envtest.User{Name: "limited-operator"}, nil)
		Expect(err).NotTo(HaveOccurred())
		limited, err := client.New(user.Config(), client.Options{Scheme: scheme})
		Expect(err).NotTo(HaveOccurred())

		namespaces := NewNamespaces(user.Config(), limited, nil, 100*time.Millisecond)
		opened := namespaces.subscribe()
		c := canceled(ctx)
		go func() {
			defer GinkgoRecover()
			Expect(namespaces.Start(c)).To(Succeed())
		}()
		reader, refused := namespaces.Reader(bound)
		Expect(reader).To(BeNil())
		Expect(refused.Reason).To(Equal(ReasonNamespaceNotManaged))
		Expect(refused.Message).To(ContainSubstring("kubectl apply -n " + bound + " -k config/agent-namespace"))
		reader, _ = namespaces.Reader(unbound)
		Expect(reader).To(BeNil())

		Expect(k8s.Create(ctx, &rbacv1.Role{
			ObjectMeta: metav1.ObjectMeta{Namespace: bound, Name: "agents"},
			Rules: []rbacv1.PolicyRule{{
				APIGroups: []string{""}, Resources: []string{"secrets", "configmaps", "persistentvolumeclaims"}, Verbs: []string{"get", "list", "watch"},
			}},
		})).To(Succeed())
		binding := &rbacv1.RoleBinding{
			ObjectMeta: metav1.ObjectMeta{Namespace: bound, Name: "agents"},
			RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: "agents"},
			Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: "limited-operator"}},
		}
		Expect(k8s.Create(ctx, binding)).To(Succeed())
		Eventually(opened).Should(Receive(HaveField("Object.GetNamespace()", bound)))
		reader, _ = namespaces.Reader(bound)
		Expect(reader).NotTo(BeNil())
		reader, _ = namespaces.Reader(unbound)
		Expect(reader).To(BeNil())

		By("seeing labeled Secrets only")
		for name, labels := range map[string]map[string]string{"ours": {v1alpha1.LabelKeySource: "channel"}, "theirs": nil} {
			Expect(k8s.Create(ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: bound, Name: name, Labels: labels}})).To(Succeed())
		}
		reader, _ = namespaces.Reader(bound)
		Eventually(func() error {
			return reader.Get(ctx, types.NamespacedName{Namespace: bound, Name: "ours"}, &corev1.Secret{})
		}).Should(Succeed())
		Expect(reader.Get(ctx, types.NamespacedName{Namespace: bound, Name: "theirs"}, &corev1.Secret{})).NotTo(Succeed())

		By("noticing that the Role is no longer bound")
		Expect(k8s.Delete(ctx, binding)).To(Succeed())
		Eventually(opened).Should(Receive(HaveField("Object.GetNamespace()", bound)))
		reader, refused = namespaces.Reader(bound)
		Expect(reader).To(BeNil())
		Expect(refused.Reason).To(Equal(ReasonNamespaceNotManaged))
	})

	It("are not called unmanaged before that is known, neither when they are new nor after a restart", func() {
		ns := newNamespace()
		newPolicy(ns, "standard")
		runPod(ns, ns+"-1", "concierge")
		eventuallySynced(ns, "concierge")
		settle(ns)
		before := versions(ns)
		restartManager(nil)
		settle(ns)
		Expect(versions(ns)).To(Equal(before), "a restart changes nothing")
		Expect(eventReasons(ns)).NotTo(ContainElement(ReasonNamespaceNotManaged))
	})

	It("outside the list are refused with the fix, whatever the rights", func() {
		namespaces := NewNamespaces(config, k8s, []string{"listed"}, time.Second)
		reader, refused := namespaces.Reader("other")
		Expect(reader).To(BeNil())
		Expect(namespaces.Known("other")).To(BeTrue())
		Expect(namespaces.Known("listed")).To(BeFalse(), "nobody tried yet")
		Expect(refused.Message).To(ContainSubstring("not among the operator's --agent-namespaces"))
	})
})
