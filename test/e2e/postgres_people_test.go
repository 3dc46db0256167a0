//go:build e2e

// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	memoryv1alpha1 "memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/api/v1alpha1"
)

const (
	boss    = "--as=boss@example.com" // who may do all that people may do with memories
	another = "--as=rita@example.com" // who may review
)

// preparedPolicy keeps memory on a volume, and names the database that it moves to one day.
const preparedPolicy = `
apiVersion: memorytrust.dev/v1alpha1
kind: MemoryTrustPolicy
metadata:
  name: guard
spec:
  selector: {}
  store:
    type: Persistent
    postgres: {ownerSecretRef: {name: memory-owner}}
`

var _ = Describe("People and agents in PostgreSQL", Label("postgres"), Ordered, func() {
	const name = "concierge"
	var namespace string
	var db *database
	var agent *runningAgent
	var planted, fact stored
	written := &facts{about: "moved"}

	BeforeAll(func(ctx SpecContext) {
		installMemoryAPI(ctx)
		DeferCleanup(removeMemoryAPI)
		db = startDatabase(ctx)
		namespace = newNamespace(ctx, nil)
		db.own(ctx, namespace)
		apply(ctx, namespace, preparedPolicy)
		for role, user := range map[string]string{"memorytrust-admin": boss, "memorytrust-reviewer": another} {
			_, err := kubectl(ctx, "", "create", "rolebinding", role, "-n", namespace, "--clusterrole="+role, "--user="+strings.TrimPrefix(user, "--as="))
			Expect(err).NotTo(HaveOccurred())
		}
		agent = run(ctx, agentPod(namespace, name))
		fact = agent.browse(ctx, "voice:public", callersFact)
		planted = agent.browse(ctx, "web:evil.example", plantedOnWeb)
		Expect(planted.Zone).To(Equal("Quarantine"))
	}, NodeTimeout(4*time.Minute))

	BeforeEach(func() { agent = reach(agent.pod) }) // a way lasts as long as the spec that opened it

	It("kubectl memtrust migrate moves a memory while it is written to", func(ctx SpecContext) {
		By("asking first, and by somebody who may not")
		Eventually(ctx, func() (string, error) {
			return kubectl(ctx, "", "memtrust", "migrate", name, "-n", namespace, boss, "--dry-run")
		}).WithTimeout(90 * time.Second).Should(ContainSubstring("Nothing was changed"))
		_, err := kubectl(ctx, "", "memtrust", "migrate", name, "-n", namespace, another)
		Expect(err).To(HaveOccurred(), "who reviews moves nothing")

		written.ways = []caller{agent.screener()}
		stop := written.keepWriting(ctx)
		Eventually(written.count).WithTimeout(30 * time.Second).Should(BeNumerically(">=", 10))
		begin := time.Now()
		out, err := kubectl(ctx, "", "memtrust", "migrate", name, "-n", namespace, boss, "-o", "json")
		Expect(err).NotTo(HaveOccurred(), out)
		took := within(begin)
		after := written.count() + 5
		Eventually(written.count).WithTimeout(30 * time.Second).Should(BeNumerically(">=", after))
		stop()

		var move memoryv1alpha1.StoreMigration
		Expect(json.Unmarshal([]byte(out), &move)).To(Succeed(), out)
		Expect(move.Status.Store).To(Equal("Postgres"))
		Expect(move.Status.Phase).To(Equal("Done"))
		Expect(move.Status.Rows).To(ContainElement(And(HaveField("Table", "records"), HaveField("Rows", BeNumerically(">=", 12)))))
		Expect(move.Status.Digest).NotTo(BeEmpty())
		AddReportEntry("migrate", fmt.Sprintf("took %s with writes going on; %d facts acknowledged, %d requests sent again; writes held for %d ms",
			took, written.count(), written.retried(), move.Status.HeldMilliseconds), ReportEntryVisibilityAlways)

		By("the agent goes on in the same pod, and has all of it once")
		written.expectOnce(ctx, agent.screener())
		Expect(agent.ask(ctx, askAboutOrder).Memories).To(ContainElement(HaveField("ID", fact.ID)))
		agent.expectSamePod(ctx)
		var records int
		Expect(db.asRole(ctx, namespace, name).QueryRow(ctx, `SELECT count(*) FROM memorytrust.records`).Scan(&records)).To(Succeed())
		Expect(records).To(Equal(written.count() + 2))
		Eventually(ctx, func() (string, error) {
			return kubectl(ctx, "", "get", "stores.memory.memorytrust.dev", name, "-n", namespace, boss)
		}).WithTimeout(90 * time.Second).Should(ContainSubstring("Postgres"))
	}, SpecTimeout(8*time.Minute))

	It("after the policy says so as well, new pods have everything", func(ctx SpecContext) {
		apply(ctx, namespace, strings.Replace(preparedPolicy, "type: Persistent", "type: Postgres", 1))
		Eventually(ctx, func(g Gomega) {
			memory := agentMemory(ctx, namespace, name)
			g.Expect(conditionOf(memory.Status.Conditions, v1alpha1.ConditionStoreInPlace)).To(HavePrefix("True"))
			g.Expect(memory.Status.Store).To(HaveValue(HaveField("Type", v1alpha1.StoreTypePostgres)))
		}).WithTimeout(90 * time.Second).Should(Succeed())
		replace(ctx, &agent)
		for _, volume := range agent.pod.Spec.Volumes {
			Expect(volume.PersistentVolumeClaim).To(BeNil(), "new pods need the volume no more")
		}
		written.expectOnce(ctx, agent.screener())
		Expect(agent.ask(ctx, askAboutOrder).Memories).To(ContainElement(HaveField("ID", fact.ID)))
		Expect(agent.ask(ctx, askAboutInvoice).Prompt).NotTo(ContainSubstring(plantedOnWeb))
	}, SpecTimeout(4*time.Minute))

	It("see memories while no pod of the agent runs, and are told that a decision needs one", func(ctx SpecContext) {
		stop(ctx, agent.pod)
		begin := time.Now()
		Eventually(ctx, func() (string, error) {
			return kubectl(ctx, "", "get", "memories", "-n", namespace, another)
		}).WithTimeout(2 * time.Minute).Should(And(ContainSubstring(planted.ID), ContainSubstring(fact.ID)))
		AddReportEntry("read without a pod", "after "+within(begin), ReportEntryVisibilityAlways)
		// Each replica of memory-api learns of the reading role when its kubelet syncs.
		everywhere := func(ask func() (string, error)) AsyncAssertion {
			return Eventually(ctx, ask).WithTimeout(2 * time.Minute)
		}
		everywhere(func() (string, error) {
			return kubectl(ctx, "", "get", "--raw", memoryAPIPath+namespace+"/memories/"+planted.ID+"/content", another)
		}).Should(ContainSubstring("billing-mirror"))
		var commit string
		everywhere(func() (_ string, err error) {
			commit, err = kubectl(ctx, "", "get", "mem", planted.ID, "-n", namespace, another, "-o", "jsonpath={.status.commit}")
			return commit, err
		}).ShouldNot(BeEmpty())
		body := fmt.Sprintf(`{"apiVersion":"memory.memorytrust.dev/v1alpha1","kind":"MemoryDecision","spec":{"commit":%q,"reason":"redirects invoices"}}`, commit)
		reject := func() (string, error) {
			return kubectl(ctx, body, "create", "--raw", memoryAPIPath+namespace+"/memories/"+planted.ID+"/reject", "-f", "-", another)
		}
		everywhere(func() (string, error) {
			out, err := reject()
			if err == nil {
				return out, StopTrying("a decision was made without a screener")
			}
			return err.Error(), nil
		}).Should(ContainSubstring("needs a running screener"))

		By("with a pod it is decided, about the version that was seen without one")
		serviceAccount(ctx, namespace, name)
		agent = run(ctx, agentPod(namespace, name))
		Eventually(ctx, reject).WithTimeout(soon).Should(ContainSubstring(`"done":true`))
		written.expectOnce(ctx, agent.screener())
	}, SpecTimeout(8*time.Minute))

	It("are told nothing about agents of other namespaces", func(ctx SpecContext) {
		elsewhere := newNamespace(ctx, nil)
		_, err := kubectl(ctx, "", "create", "rolebinding", "review", "-n", elsewhere, "--clusterrole=memorytrust-admin", "--user=boss@example.com")
		Expect(err).NotTo(HaveOccurred())
		_, err = kubectl(ctx, "", "get", "mem", planted.ID, "-n", elsewhere, boss)
		Expect(err).To(MatchError(ContainSubstring("NotFound")))
		_, err = kubectl(ctx, "", "memtrust", "migrate", name, "-n", elsewhere, boss)
		Expect(err).To(MatchError(ContainSubstring("not found")))
	}, SpecTimeout(time.Minute))
})
