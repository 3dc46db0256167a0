// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryapi

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	api "memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/inject"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/server/admin"
	"memorytrust.dev/operator/internal/store/sqlite"
)

// movingStore stands in for a screener's store behind its admin port: it moves when it is told to.
type movingStore struct {
	mu     sync.Mutex
	status admin.StoreStatus
	by     []string
}

func (m *movingStore) Store(context.Context) (admin.StoreStatus, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.status, nil
}

func (m *movingStore) Migrate(_ context.Context, principal string, dryRun bool) (admin.StoreStatus, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.status.Kind == admin.StorePostgres {
		return m.status, &admin.StoreRefusedError{Message: "the memory is in the database already"}
	}
	if dryRun {
		out := m.status
		out.Migration = &admin.StoreMigration{Total: 7, Message: "7 rows would be moved"}
		return out, nil
	}
	m.by = append(m.by, principal)
	m.status.Migration = &admin.StoreMigration{Phase: "Copying", Total: 7}
	return m.status, nil
}

func (m *movingStore) arrive() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.status = admin.StoreStatus{Kind: admin.StorePostgres, Holds: true, Migration: &admin.StoreMigration{
		Phase: "Done", Rows: map[string]int64{"records": 3, "audit": 4}, AuditSize: 4, AuditRoot: "cm9vdA==", Digest: "d",
	}}
}

// startMoving runs a screener whose store moves, in a pod of an agent that exists.
func startMoving(namespace, agent, pod, ip string) *movingStore {
	GinkgoHelper()
	m := &movingStore{status: admin.StoreStatus{Kind: admin.StoreEmbedded, Holds: true, Prepared: true}}
	store, err := sqlite.Open(ctx, filepath.Join(GinkgoT().TempDir(), "memory.db"), sqlite.Options{})
	Expect(err).NotTo(HaveOccurred())
	inForce := stateOf(namespace, agent)
	state := func() (*policy.State, bool) { return inForce, true }
	g := gate.New(gate.Config{Store: store, Screener: engine, State: state})
	server := admin.NewServer(admin.Source{
		Store: store, State: state, Rejected: func() string { return "" }, Gate: g, Stores: m,
	}, slog.New(slog.DiscardHandler))
	listener, err := net.Listen("tcp", fmt.Sprintf("%s:%d", ip, inject.AdminPort))
	Expect(err).NotTo(HaveOccurred())
	go func() { _ = server.ServeTLS(listener, "", "") }()
	DeferCleanup(func() {
		Expect(server.Close()).To(Succeed())
		Expect(store.Close()).To(Succeed())
	})
	makePod(namespace, agent, pod, ip)
	return m
}

var _ = Describe("Stores", Ordered, func() {
	const (
		moving = "moving" // a namespace of its own: what these specs leave behind is in no other's lists
		list   = "/namespaces/" + moving + "/stores"
	)
	path := func(agent string) string { return list + "/" + agent + "/migrate" }
	body := func(dryRun bool) api.StoreMigration {
		return api.StoreMigration{
			TypeMeta: metav1.TypeMeta{APIVersion: api.GroupVersion.String(), Kind: "StoreMigration"}, Spec: api.StoreMigrationSpec{DryRun: dryRun},
		}
	}

	BeforeAll(func() {
		makeNamespace(moving)
		makeAgent(moving, "idle")
		makeAgent(moving, "planner")
	})

	It("tells where memories are and moves one, for admins only", func() {
		makeAgent(moving, "mover")
		store := startMoving(moving, "mover", "mover-0", "127.44.7.1")
		mover := &v1alpha1.AgentMemory{ObjectMeta: metav1.ObjectMeta{Namespace: moving, Name: "mover"}}
		Expect(k8s.Get(ctx, client.ObjectKeyFromObject(mover), mover)).To(Succeed())
		mover.Status.Store = &v1alpha1.AgentStoreStatus{Type: v1alpha1.StoreTypeEphemeral, EmbeddedPods: []string{"mover-0"}}
		Expect(k8s.Status().Update(ctx, mover)).To(Succeed())
		for role, name := range map[string]string{"memorytrust-admin": "store-admin", "memorytrust-reviewer": "store-reviewer"} {
			bind(moving, role, rbacv1.Subject{Kind: rbacv1.UserKind, APIGroup: rbacv1.GroupName, Name: name})
		}
		boss, reviewer := as("store-admin"), as("store-reviewer")
		Eventually(func() int { return boss.get(list).status }).Should(Equal(http.StatusOK))
		Eventually(func() int { return reviewer.get(list).status }).Should(Equal(http.StatusOK))

		By("listing")
		var status api.AgentStoreStatus
		Eventually(func() string {
			status = into[api.AgentStore](boss.get(list + "/mover")).Status
			return status.Type
		}).Should(Equal("Ephemeral"))
		Expect(status.Reachable).To(BeTrue())
		Expect(status.EmbeddedPods).To(Equal([]string{"mover-0"}))
		Expect(into[api.AgentStore](boss.get(list + "/idle")).Status.Reachable).To(BeFalse())
		var columns []string
		for _, c := range boss.table(list).ColumnDefinitions {
			columns = append(columns, c.Name)
		}
		Expect(columns).To(Equal([]string{"Name", "Type", "Memories", "Commits", "Reachable", "Embedded"}))

		By("refusing those who may not")
		Expect(reviewer.post(path("mover"), body(false)).status).To(Equal(http.StatusForbidden))
		Expect(reviewer.get(path("mover")).status).To(Equal(http.StatusForbidden))
		own := serviceAccount(moving, "mover")
		bind(moving, "memorytrust-admin", rbacv1.Subject{Kind: rbacv1.ServiceAccountKind, Namespace: moving, Name: "mover"})
		Eventually(func() int { return own.post(path("planner"), body(true)).status }).ShouldNot(Equal(http.StatusForbidden))
		Expect(own.post(path("mover"), body(false)).problem().Message).To(ContainSubstring("that agent's memory"))
		Expect(boss.post(path("nobody"), body(false)).status).To(Equal(http.StatusNotFound))
		Expect(boss.post(path("idle"), body(false)).problem().Message).To(ContainSubstring("needs a running screener"))
		Expect(store.by).To(BeEmpty())

		By("looking first")
		Expect(into[api.StoreMigration](boss.post(path("mover"), body(true))).Status).To(And(
			HaveField("Total", int64(7)), HaveField("Message", "7 rows would be moved"), HaveField("Phase", "")))
		Expect(into[api.StoreMigration](boss.post(path("mover")+"?dryRun=All", body(false))).Status.Phase).To(BeEmpty())

		By("moving")
		Expect(into[api.StoreMigration](boss.post(path("mover"), body(false))).Status.Phase).To(Equal("Copying"))
		Expect(store.by).To(Equal([]string{"store-admin"}))
		store.arrive()
		done := into[api.StoreMigration](boss.get(path("mover"))).Status
		Expect(done).To(And(HaveField("Phase", "Done"), HaveField("Store", "Postgres"), HaveField("AuditRoot", "cm9vdA==")))
		Expect(done.Rows).To(Equal([]api.TableRows{{Table: "audit", Rows: 4}, {Table: "records", Rows: 3}}))
		Expect(into[api.AgentStore](boss.get(list + "/mover")).Status.Type).To(Equal("Postgres"))
		Expect(boss.post(path("mover"), body(false)).problem()).To(And(
			HaveField("Code", int32(http.StatusUnprocessableEntity)), HaveField("Message", ContainSubstring("in the database already"))))
	})

	It("does not choose between histories", func() {
		makeAgent(moving, "twins")
		first, second := startMoving(moving, "twins", "twins-a", "127.44.7.2"), startMoving(moving, "twins", "twins-b", "127.44.7.3")
		bind(moving, "memorytrust-admin", rbacv1.Subject{Kind: rbacv1.UserKind, APIGroup: rbacv1.GroupName, Name: "twin-admin"})
		boss := as("twin-admin")
		Eventually(func() string {
			answer := boss.post(path("twins"), body(true))
			if answer.status/100 == 2 {
				return "moved"
			}
			return answer.problem().Message
		}).Should(And(ContainSubstring("twins-a, twins-b"), ContainSubstring("scale the agent to one pod")))
		Expect(boss.post(path("twins"), body(false)).status).To(Equal(http.StatusUnprocessableEntity))
		Expect(first.by).To(BeEmpty())
		Expect(second.by).To(BeEmpty())
	})
})
