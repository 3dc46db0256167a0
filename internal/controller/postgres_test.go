// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"errors"
	"net/url"
	"path/filepath"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/inject"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/readers"
	"memorytrust.dev/operator/internal/store/postgres"
	"memorytrust.dev/operator/internal/store/postgres/pgtest"
)

func TestRoleURI(t *testing.T) {
	const owner = "postgresql://owner:0wner@db.travel.svc:5432/memory?sslmode=verify-full"
	uri, password, err := roleURI(owner, "mt_1", nil)
	if err != nil || len(password) < 20 {
		t.Fatalf("password of %d bytes, %v", len(password), err)
	}
	u, err := url.Parse(uri)
	if err != nil || u.User.Username() != "mt_1" || u.Host != "db.travel.svc:5432" || u.Path != "/memory" || u.Query().Get("sslmode") != "verify-full" {
		t.Errorf("uri %s, %v", u.Redacted(), err)
	}
	if again, _, err := roleURI(owner, "mt_1", []byte(uri)); again != uri || err != nil {
		t.Error("the password changes without a reason")
	}
	moved, _, err := roleURI("postgres://owner:0wner@elsewhere/memory", "mt_1", []byte(uri))
	if m, _ := url.Parse(moved); err != nil || m.Host != "elsewhere" || m.User.Username() != "mt_1" {
		t.Errorf("after the database moved: %v", err)
	}
	for _, bad := range []string{"", "db:5432", "mysql://a:b@c/d", "host=db user=owner password=x", "postgres://db/memory"} {
		if _, _, err := roleURI(bad, "mt_1", nil); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

// A role is made once for each owner, and again if that failed.
func TestRolesAreMadeOnce(t *testing.T) {
	made, fail := 0, true
	p := &provisioned{done: map[types.NamespacedName][32]byte{}, make: func(context.Context, string, string, string, string) error {
		made++
		if fail {
			return errors.New("no route to host")
		}
		return nil
	}}
	agent := types.NamespacedName{Namespace: "travel", Name: "concierge"}
	var have []byte
	for i, step := range []struct {
		owner string
		fail  bool
		made  int
	}{
		{"postgres://a:b@c/d", true, 1}, {"postgres://a:b@c/d", false, 2}, {"postgres://a:b@c/d", false, 2}, {"postgres://a:new@c/d", false, 3},
	} {
		fail = step.fail
		uri, err := p.ensure(t.Context(), agent, "id", step.owner, have)
		if (err != nil) != step.fail || made != step.made {
			t.Errorf("step %d: made %d times, %v", i, made, err)
		}
		if err == nil {
			have = uri
		}
	}
}

var _ = Describe("The database of an agent", func() {
	It("has a role of its own for each agent, which the screener gets and nobody else", func() {
		server := pgtest.Own(GinkgoTB())
		ns := newNamespace()
		newPolicy(ns, "standard", func(p *v1alpha1.MemoryTrustPolicy) {
			p.Spec.Store = v1alpha1.StoreSpec{Type: v1alpha1.StoreTypePostgres, Postgres: &v1alpha1.PostgresStore{OwnerSecretRef: v1alpha1.SecretKeyRef{Name: "pg"}}}
		})
		synced := func(agent string, status metav1.ConditionStatus, reason, says string) {
			GinkgoHelper()
			eventuallyCondition(&v1alpha1.AgentMemory{}, ns, agent, v1alpha1.ConditionSynced, status, reason, ContainSubstring(says))
		}
		runPod(ns, "concierge-1", "concierge")
		synced("concierge", metav1.ConditionFalse, ReasonStoreFailed, "Secret pg with label memorytrust.dev/key-source=postgres")

		By("making the Secret")
		owner := &corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "pg", Labels: map[string]string{v1alpha1.LabelKeySource: v1alpha1.KeySourcePostgres}},
			StringData: map[string]string{"uri": "postgres://postgres:wrong@/nodb?host=/nowhere"},
		}
		Expect(k8s.Create(ctx, owner)).To(Succeed())
		synced("concierge", metav1.ConditionFalse, ReasonStoreFailed, "connecting to /nowhere")
		Expect(get(Default, &v1alpha1.AgentMemory{}, ns, "concierge").Status.Conditions).NotTo(ContainElement(
			HaveField("Message", ContainSubstring("wrong"))))

		By("naming a database that is there, and an owner as the guide has it")
		admin, err := server.Connect(ctx)
		Expect(err).NotTo(HaveOccurred())
		for _, statement := range []string{"CREATE ROLE memorytrust_owner LOGIN CREATEROLE", "CREATE DATABASE memorytrust OWNER memorytrust_owner"} {
			_, err = admin.Exec(ctx, statement)
			Expect(err).NotTo(HaveOccurred())
		}
		Expect(admin.Close(ctx)).To(Succeed())
		owner.StringData = map[string]string{"uri": "postgres://memorytrust_owner:any@/memorytrust?host=" + filepath.Dir(server.Socket())}
		Expect(k8s.Update(ctx, owner)).To(Succeed())
		runPod(ns, "booking-1", "booking")
		uris := map[string]string{}
		for _, agent := range []string{"concierge", "booking"} {
			synced(agent, metav1.ConditionTrue, ReasonAllInSync, "")
			uris[agent] = string(get(Default, &corev1.Secret{}, ns, inject.NamesFor(agent).ChannelsSecret).Data[policy.FileStoreURI])
			id := get(Default, &v1alpha1.AgentMemory{}, ns, agent).Spec.AgentID
			store, err := postgres.Open(ctx, postgres.Options{URL: uris[agent], Agent: id})
			Expect(err).NotTo(HaveOccurred())
			Expect(store.Ping(ctx)).To(Succeed())
			Expect(store.Close()).To(Succeed())
		}
		_, err = postgres.Open(ctx, postgres.Options{
			URL: uris["booking"], Agent: get(Default, &v1alpha1.AgentMemory{}, ns, "concierge").Spec.AgentID,
		})
		Expect(err).To(MatchError(postgres.ErrNotProvisioned))

		By("installing memory-api, which gets roles that only read")
		secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{
			Namespace: operatorNamespace, Name: readers.Secret, Labels: map[string]string{v1alpha1.LabelKeySource: v1alpha1.KeySourceGenerated},
		}}
		Expect(k8s.Create(ctx, secret)).To(Succeed())
		entry := func(g Gomega, agent string) (readers.Credential, error) {
			return readers.Decode(get(g, &corev1.Secret{}, operatorNamespace, readers.Secret).Data[readers.Entry(types.NamespacedName{Namespace: ns, Name: agent})])
		}
		for _, agent := range []string{"concierge", "booking"} {
			var credential readers.Credential
			Eventually(func(g Gomega) {
				var err error
				credential, err = entry(g, agent)
				g.Expect(err).NotTo(HaveOccurred())
			}).Should(Succeed())
			Expect(credential.AgentID).To(Equal(get(Default, &v1alpha1.AgentMemory{}, ns, agent).Spec.AgentID))
			Expect(credential.URI).NotTo(Equal(uris[agent]))
			store, err := postgres.OpenReadOnly(ctx, postgres.Options{URL: credential.URI, Agent: credential.AgentID})
			Expect(err).NotTo(HaveOccurred())
			store.Close()
			_, err = postgres.Open(ctx, postgres.Options{URL: credential.URI, Agent: credential.AgentID})
			Expect(err).To(MatchError(postgres.ErrNotProvisioned))
		}

		By("deleting an agent")
		Expect(k8s.Delete(ctx, get(Default, &corev1.Pod{}, ns, "booking-1"))).To(Succeed())
		Expect(k8s.Delete(ctx, get(Default, &v1alpha1.AgentMemory{}, ns, "booking"))).To(Succeed())
		Eventually(func(g Gomega) {
			_, err := entry(g, "booking")
			g.Expect(err).To(HaveOccurred())
			_, err = entry(g, "concierge")
			g.Expect(err).NotTo(HaveOccurred())
		}).Should(Succeed())
	})
})
