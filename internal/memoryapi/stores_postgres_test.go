// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryapi

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"k8s.io/apimachinery/pkg/types"

	api "memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/readers"
	"memorytrust.dev/operator/internal/server/admin"
	"memorytrust.dev/operator/internal/store/postgres"
	"memorytrust.dev/operator/internal/store/postgres/pgtest"
)

// database is a PostgreSQL server with agents in it.
type database struct {
	server *pgtest.Server
	owner  *pgx.Conn
}

func newDatabase() *database {
	GinkgoHelper()
	server := pgtest.Own(suite)
	owner, err := server.Connect(ctx)
	Expect(err).NotTo(HaveOccurred())
	suite.Cleanup(func() { _ = owner.Close(context.Background()) })
	return &database{server: server, owner: owner}
}

// agent makes an agent, the roles of its screeners and of its readers, and opens its store as a screener does.
func (d *database) agent(namespace, name, id string) *postgres.Store {
	GinkgoHelper()
	role := "mt_" + namespace + "_" + name
	for _, statement := range []string{"CREATE ROLE " + role + " LOGIN", "CREATE ROLE " + role + "_ro LOGIN"} {
		_, err := d.owner.Exec(ctx, statement)
		Expect(err).NotTo(HaveOccurred())
	}
	Expect(postgres.Provision(ctx, d.owner, id, role)).To(Succeed())
	Expect(postgres.ProvisionReader(ctx, d.owner, id, role+"_ro")).To(Succeed())
	d.hand(namespace, name, readers.Credential{AgentID: id, URI: d.server.URL(role + "_ro")})
	store, err := postgres.Open(ctx, postgres.Options{URL: d.server.URL(role), Agent: id})
	Expect(err).NotTo(HaveOccurred())
	suite.Cleanup(func() { Expect(store.Close()).To(Succeed()) })
	return store
}

// hand gives the API what it opens a database with, as the operator does.
func (d *database) hand(namespace, name string, c readers.Credential) {
	GinkgoHelper()
	raw, err := c.Encode()
	Expect(err).NotTo(HaveOccurred())
	Expect(os.WriteFile(filepath.Join(readersDir, readers.Entry(types.NamespacedName{Namespace: namespace, Name: name})), raw, 0o600)).To(Succeed())
}

var _ = Describe("An agent whose memory is in PostgreSQL, and of which no pod runs", Ordered, ContinueOnFailure, func() {
	const namespace = "archive"
	var (
		db            *database
		store         *postgres.Store
		inForce       *policy.State
		who           someone
		fact, request string

		listed = "/namespaces/" + namespace + "/memories"
	)
	BeforeAll(func() {
		db = newDatabase()
		makeNamespace(namespace)
		makeAgent(namespace, "librarian")
		store = db.agent(namespace, "librarian", agentID)
		inForce = stateOf(namespace, "librarian")
		past := gate.New(gate.Config{Store: store, Screener: engine, State: func() (*policy.State, bool) { return inForce, true }})
		pod := &screenerOf{namespace: namespace, agent: "librarian", gate: past}
		fact = pod.write(museum, "web:example.org")
		pod.write(plant, "web:evil.example")
		pod.write("The archive opens at nine on Mondays.", "")
		request = pod.asks("s-1")
		_, err := past.Recall(ctx, gate.Caller{}, gate.Recall{Query: "museum in Lyon", Session: "s-1"})
		Expect(err).NotTo(HaveOccurred())
		Expect(store.PutContradiction(ctx, memory.Contradiction{
			ID: memory.NewID(), Namespace: namespace, A: fact, B: request, Signs: []string{"numbers differ"}, FoundAt: time.Now(),
		})).To(Succeed())
		bind(namespace, "memorytrust-reviewer", userSubject("rita@example.com"))
		who = reviewer()
		Eventually(func() int { return who.get(listed).status }).Should(Equal(200))
	})

	It("shows its memories, and says that nobody verified them", func() {
		got := who.get(listed)
		Expect(got.warnings).To(BeEmpty())
		list := into[api.MemoryList](got)
		Expect(len(list.Items)).To(BeNumerically(">=", 3))
		for _, m := range list.Items {
			Expect(m.Status.Fault).To(Equal("NotVerified"), m.Name)
			Expect(m.Status.Commit).To(HaveLen(64))
		}
		one := into[api.Memory](who.get(memoryPath(namespace, fact, "")))
		Expect(one.Status.Fault).To(Equal("NotVerified"))
		Expect(one.Status.Class).To(Equal("WebContent"))
		Expect(one.Status.KeyID).NotTo(BeEmpty())
		Expect(into[api.MemoryContent](who.get(memoryPath(namespace, fact, "content"))).Text.Content).To(Equal(museum))
		log := into[api.MemoryLog](who.get(memoryPath(namespace, fact, "log")))
		Expect(log.Versions).To(HaveLen(1))
		Expect(log.Versions[0].Status.Fault).To(Equal("NotVerified"))
	})

	It("pages, and selects", func() {
		seen := map[string]bool{}
		for path := listed + "?limit=1"; path != ""; {
			page := into[api.MemoryList](who.get(path))
			for _, m := range page.Items {
				seen[m.Name] = true
			}
			path = ""
			if page.Continue != "" {
				path = listed + "?limit=1&continue=" + page.Continue
			}
		}
		Expect(len(seen)).To(BeNumerically(">=", 3))
		waiting := into[api.MemoryList](who.get(listed + "?fieldSelector=zone%3DQuarantine"))
		Expect(waiting.Items).NotTo(BeEmpty())
		for _, m := range waiting.Items {
			Expect(m.Status.Zone).To(Equal("Quarantine"))
		}
	})

	It("shows approvals, contradictions and deliveries", func() {
		calls := into[api.ApprovalList](who.get("/namespaces/" + namespace + "/approvals"))
		Expect(calls.Items).To(HaveLen(1))
		Expect(calls.Items[0].Name).To(Equal(request))
		Expect(calls.Items[0].Status.Fault).To(Equal("NotVerified"))
		pairs := into[api.ContradictionList](who.get("/namespaces/" + namespace + "/contradictions"))
		Expect(pairs.Items).To(HaveLen(1))
		Expect(pairs.Items[0].Status.A.Name).To(Equal(fact))
		Expect(into[api.MemoryDeliveries](who.get(memoryPath(namespace, fact, "deliveries"))).Deliveries).To(HaveLen(1))
	})

	It("says what only a screener can do", func() {
		got := who.get(memoryPath(namespace, fact, "xray"))
		Expect(got.status).To(Equal(503), got.body)
		Expect(got.problem().Message).To(And(ContainSubstring("needs a running screener"), ContainSubstring("librarian")))
		got = who.post(memoryPath(namespace, fact, "approve"), decide(into[api.Memory](who.get(memoryPath(namespace, fact, ""))).Status.Commit, "looks right"))
		Expect(got.status).To(Equal(503), got.body)
		Expect(got.problem().Message).To(ContainSubstring("a decision needs a running screener of agent librarian, which signs it; nothing was decided"))
		Expect(into[api.Memory](who.get(memoryPath(namespace, fact, ""))).Status.State).To(Equal("PendingReview"))
		got = who.post(approvalPath(namespace, request, "approve"), decide(into[api.Approval](who.get(approvalPath(namespace, request, ""))).Status.Commit, "the invoice is ours"))
		Expect(got.status).To(Equal(503), got.body)
	})

	It("tells what is not what its commit says", func() {
		_, err := db.owner.Exec(ctx, "UPDATE memorytrust.records SET zone = 'Trusted' WHERE id = $1", fact)
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(func() {
			_, err := db.owner.Exec(ctx, "UPDATE memorytrust.records SET zone = 'Working' WHERE id = $1", fact)
			Expect(err).NotTo(HaveOccurred())
		})
		Expect(into[api.Memory](who.get(memoryPath(namespace, fact, ""))).Status.Fault).To(Equal("Tampered"))
	})

	It("keeps namespaces apart", func() {
		Expect(as("admin", "system:masters").get(memoryPath(travel, fact, "")).status).NotTo(Equal(200))
		Expect(none().get(memoryPath(namespace, fact, "")).status).To(Equal(403))
	})

	It("does not take an agent for another one of its name", func() {
		makeAgent(namespace, "novice")
		db.hand(namespace, "novice", readers.Credential{AgentID: "6f1c2b1e-9a55-4c1e-8f3c-3d3f0a4f1c11", URI: db.server.URL("mt_archive_librarian_ro")})
		Eventually(func(g Gomega) {
			got := who.get(listed)
			g.Expect(got.status).To(Equal(200))
			g.Expect(fmt.Sprint(got.warnings)).To(And(ContainSubstring("novice"), ContainSubstring("embedded stores can be read only while a pod")))
		}).Should(Succeed())
	})

	It("is read beside many others, by many at once", func() {
		for i := range 6 {
			name, id := fmt.Sprint("shelf", i), agentID[:35]+fmt.Sprint(i+2)
			makeAgentWithID(namespace, name, id)
			db.agent(namespace, name, id)
		}
		Eventually(func() []string { return who.get(listed + "?fieldSelector=agent%3Dshelf5").warnings }).Should(BeEmpty())
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				defer GinkgoRecover()
				got := who.get(listed)
				Expect(into[api.MemoryList](got).Items).NotTo(BeEmpty())
				Expect(fmt.Sprint(got.warnings)).NotTo(ContainSubstring("shelf"))
			})
		}
		group.Wait()
	})

	It("is named with the reason where its database is away, and the list goes on", func() {
		makeAgent(namespace, "zenith")
		elsewhere := "postgres://mt_zenith_ro@/postgres?host=/nowhere"
		db.hand(namespace, "zenith", readers.Credential{AgentID: agentID, URI: elsewhere})
		Eventually(func(g Gomega) {
			got := who.get(listed)
			g.Expect(into[api.MemoryList](got).Items).NotTo(BeEmpty())
			g.Expect(fmt.Sprint(got.warnings)).To(And(ContainSubstring("zenith"), ContainSubstring("its database cannot be read")))
			g.Expect(fmt.Sprint(got.warnings)).NotTo(ContainSubstring("nowhere"))
		}).Should(Succeed())
	})

	It("is asked itself once a pod runs again", func() {
		pod := serveScreener(inForce, namespace, "librarian", "127.44.1.9", store)
		makePod(namespace, "librarian", "librarian-1", "127.44.1.9")
		other := pod.write("The archive opens at nine.", "")
		Eventually(func(g Gomega) {
			g.Expect(into[api.Memory](who.get(memoryPath(namespace, other, ""))).Status.Fault).To(BeEmpty())
		}).Should(Succeed())
	})
})

// countedStore knows how many of its kind are open.
type countedStore struct {
	gate.Records
	now *atomic.Int32
}

func (s countedStore) Close() { s.now.Add(-1) }

// However many agents are read, by however many, there are no more connections than there may be, and those that nobody uses are closed
// in a while.
func TestConnectionsAreFew(t *testing.T) {
	p := NewPostgresStores(t.TempDir())
	var now, most, opened atomic.Int32
	p.open = func(context.Context, readers.Credential) (store, error) {
		opened.Add(1)
		for n := now.Add(1); ; {
			if old := most.Load(); n <= old || most.CompareAndSwap(old, n) {
				return countedStore{now: &now}, nil
			}
		}
	}
	agents := make([]Agent, 5)
	for i := range agents {
		agents[i] = Agent{NamespacedName: types.NamespacedName{Namespace: "a", Name: fmt.Sprint("b", i)}, ID: "id"}
		raw, err := readers.Credential{AgentID: "id", URI: "x"}.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(p.directory, readers.Entry(agents[i].NamespacedName)), raw, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var group sync.WaitGroup
	for w := range 16 {
		group.Go(func() {
			for i := range 50 {
				r, ok, err := p.Open(t.Context(), agents[(w+i)%len(agents)], "rita")
				if err != nil || !ok {
					t.Errorf("%t, %v", ok, err)
					return
				}
				r.Close()
				r.Close()
			}
		})
	}
	group.Wait()
	if most.Load() > maxConnections || now.Load() > maxConnections {
		t.Errorf("%d connections at once, %d left", most.Load(), now.Load())
	}
	before := opened.Load()
	for range 3 { // the pages of one list
		r, _, err := p.Open(t.Context(), agents[0], "rita")
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
	}
	if n := opened.Load() - before; n > 1 {
		t.Errorf("%d connections for three pages", n)
	}
	for len(p.idle) > 0 {
		p.expire(p.idle[0])
	}
	if now.Load() != 0 {
		t.Errorf("%d connections are never closed", now.Load())
	}
}

// What cannot be opened gives its turn back, and a path is none.
func TestStoresThatDoNotOpen(t *testing.T) {
	p := NewPostgresStores(t.TempDir())
	p.open = func(context.Context, readers.Credential) (store, error) { return nil, errors.New("no route to host") }
	agent := Agent{NamespacedName: types.NamespacedName{Namespace: "a", Name: "b"}, ID: "id"}
	if _, ok, err := p.Open(t.Context(), agent, "rita"); ok || err != nil {
		t.Errorf("without a credential: %t, %v", ok, err)
	}
	path := filepath.Join(p.directory, readers.Entry(agent.NamespacedName))
	raw, err := readers.Credential{AgentID: "id", URI: "postgres://secret@h/d"}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	for range 3 * maxConnections {
		_, ok, err := p.Open(t.Context(), agent, "rita")
		var failure *admin.Failure
		if ok || !errors.As(err, &failure) || failure.Status != 503 || strings.Contains(failure.Detail, "route") {
			t.Fatalf("%t, %v", ok, err)
		}
	}
	for _, name := range []string{"../b", "b/../../c", "b.c", ""} {
		if _, ok, err := p.Open(t.Context(), Agent{NamespacedName: types.NamespacedName{Namespace: "a", Name: name}, ID: "id"}, "rita"); ok || err != nil {
			t.Errorf("agent %q: %t, %v", name, ok, err)
		}
	}
	if err := os.WriteFile(path, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := p.Open(t.Context(), agent, "rita"); ok || err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("damaged: %t, %v", ok, err)
	}
}
