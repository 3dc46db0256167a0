//go:build e2e

// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/provenance"
)

var _ = Describe("Keys", Ordered, ContinueOnFailure, Serial, func() {
	const name = "concierge"
	var namespace string
	var agent *runningAgent
	var first stored

	BeforeAll(func(ctx SpecContext) {
		namespace = newNamespace(ctx, nil)
		apply(ctx, namespace, persistentPolicy)
		agent = run(ctx, agentPod(namespace, name))
	}, NodeTimeout(2*time.Minute))

	BeforeEach(func() { agent = reach(agent.pod) })

	It("leave when their window is over and no store has records under them", func(ctx SpecContext) {
		old := keyOf(ctx, namespace, name).Status.PrimaryKeyID
		requestRotation(ctx, namespace, name, time.Now())
		eventuallyRotated(ctx, namespace, name, old)
		By("letting the window pass")
		Eventually(ctx, func(g Gomega) {
			key := keyOf(ctx, namespace, name)
			for i := range key.Status.Keys {
				if key.Status.Keys[i].ID == old {
					key.Status.Keys[i].VerifyUntil = &metav1.Time{Time: time.Now().Add(-time.Minute)}
				}
			}
			g.Expect(k8s.Status().Update(ctx, key)).To(Succeed())
		}).Should(Succeed())
		Eventually(ctx, func(g Gomega) {
			g.Expect(keyOf(ctx, namespace, name).Status.Keys).To(ConsistOf(HaveField("State", v1alpha1.KeyStatePrimary)))
		}).WithTimeout(3 * time.Minute).Should(Succeed()) // screeners in sync are asked every minute
		for entry := range keySecret(ctx, namespace, name).Data {
			Expect(entry).NotTo(ContainSubstring(old))
		}
		agent.expectSamePod(ctx)
	}, SpecTimeout(5*time.Minute))

	It("are rotated twice in a row under load, and the leader is killed in the middle", func(ctx SpecContext) {
		first = agent.tell(ctx, "operator:console", operatorsRule)
		load := startLoad(agent.caller)
		old := keyOf(ctx, namespace, name).Status.PrimaryKeyID
		begin := time.Now()
		requestRotation(ctx, namespace, name, begin)
		Eventually(ctx, func() int { return len(keyOf(ctx, namespace, name).Status.Keys) }).Should(Equal(2))
		leader := leadingPod(ctx)
		Expect(k8s.Delete(ctx, leader, client.GracePeriodSeconds(0))).To(Succeed())
		requestRotation(ctx, namespace, name, begin.Add(time.Second))
		Eventually(ctx, func(g Gomega) {
			key := keyOf(ctx, namespace, name)
			g.Expect(key.Status.Keys).To(HaveLen(3))
			g.Expect(key.Status.PrimaryKeyID).To(Equal(key.Status.Keys[0].ID))
			g.Expect(conditionOf(key.Status.Conditions, v1alpha1.ConditionRotating)).To(HavePrefix("False"))
			g.Expect(key.Status.Screeners).To(Equal(v1alpha1.ScreenerCounts{Running: 1, Loaded: 1}))
		}).WithTimeout(3 * time.Minute).Should(Succeed())
		Expect(keyOf(ctx, namespace, name).Status.PrimaryKeyID).NotTo(Equal(old))
		load.expectNoFailure("two rotations and a killed leader, " + within(begin))
		Expect(agent.ask(ctx, askAboutSeat).Memories).To(ContainElement(HaveField("ID", first.ID)))
		agent.expectSamePod(ctx)
		waitForManagers(ctx, 2)
	}, SpecTimeout(5*time.Minute))

	It("are rotated while the agent is scaled to zero", func(ctx SpecContext) {
		old := keyOf(ctx, namespace, name).Status.PrimaryKeyID
		stop(ctx, agent.pod)
		requestRotation(ctx, namespace, name, time.Now())
		eventuallyRotated(ctx, namespace, name, old)
		agent = run(ctx, agentPod(namespace, name))
		Expect(agent.ask(ctx, askAboutSeat).Memories).To(ContainElement(HaveField("ID", first.ID)), "what older keys signed verifies")
		By("the screener signs with the new key what older ones signed")
		Eventually(ctx, func(g Gomega) {
			for _, k := range keyOf(ctx, namespace, name).Status.Keys {
				if k.State == v1alpha1.KeyStateVerifyOnly {
					g.Expect(k.RecordsSigned).To(HaveValue(BeEquivalentTo(0)), "key %s", k.ID)
				}
			}
		}).WithTimeout(3 * time.Minute).Should(Succeed())
		Expect(agent.ask(ctx, askAboutSeat).Memories).To(ContainElement(HaveField("ID", first.ID)))
		agent.tell(ctx, "operator:console", "The office closes at six on Fridays.")
	}, SpecTimeout(5*time.Minute))

	It("come from a Secret of the user and follow it", func(ctx SpecContext) {
		material := []string{strings.Repeat("0123456789abcdef", 4), strings.Repeat("fedcba9876543210", 4)}
		var ids []string
		for _, m := range material {
			p, err := provenance.ParseProvided([]byte(m))
			Expect(err).NotTo(HaveOccurred())
			ids = append(ids, p.Primary)
		}
		load := startLoad(agent.caller)
		_, err := kubectl(ctx, "", "create", "secret", "generic", "own", "-n", namespace, "--from-literal=key="+material[0])
		Expect(err).NotTo(HaveOccurred())
		_, err = kubectl(ctx, "", "patch", "provkey", keyOf(ctx, namespace, name).Name, "-n", namespace, "--type", "merge",
			"-p", `{"spec":{"secretRef":{"name":"own"}}}`)
		Expect(err).NotTo(HaveOccurred())
		Eventually(ctx, func() string {
			return conditionOf(keyOf(ctx, namespace, name).Status.Conditions, v1alpha1.ConditionReady)
		}).Should(And(HavePrefix("False KeySourceMissing"), ContainSubstring("memorytrust.dev/key-source=provenance")))

		_, err = kubectl(ctx, "", "label", "secret", "own", "-n", namespace, "memorytrust.dev/key-source=provenance")
		Expect(err).NotTo(HaveOccurred())
		eventuallyPrimary(ctx, namespace, name, ids[0])
		patch := func(value string) {
			GinkgoHelper()
			_, err := kubectl(ctx, "", "patch", "secret", "own", "-n", namespace, "-p", fmt.Sprintf(`{"stringData":{"key":%q}}`, value))
			Expect(err).NotTo(HaveOccurred())
		}
		patch(material[1])
		eventuallyPrimary(ctx, namespace, name, ids[1])

		By("a key that is too short changes nothing, and says what is wanted")
		patch("too short")
		Eventually(ctx, func() string {
			return conditionOf(keyOf(ctx, namespace, name).Status.Conditions, v1alpha1.ConditionReady)
		}).Should(And(HavePrefix("False KeySourceInvalid"), ContainSubstring("at least 32")))
		Expect(keyOf(ctx, namespace, name).Status.PrimaryKeyID).To(Equal(ids[1]))
		patch(material[1])
		Eventually(ctx, func() string {
			return conditionOf(keyOf(ctx, namespace, name).Status.Conditions, v1alpha1.ConditionReady)
		}).Should(HavePrefix("True"))
		load.expectNoFailure("a key from a Secret, and another one")
		Expect(agent.ask(ctx, askAboutSeat).Memories).To(ContainElement(HaveField("ID", first.ID)))
		_, err = kubectl(ctx, "", "patch", "provkey", keyOf(ctx, namespace, name).Name, "-n", namespace, "--type", "json",
			"-p", `[{"op":"remove","path":"/spec/secretRef"}]`)
		Expect(err).NotTo(HaveOccurred())
		agent.expectSamePod(ctx)
	}, SpecTimeout(4*time.Minute))

	It("that are compromised are disabled at once, and what they signed is withheld", func(ctx SpecContext) {
		fact := agent.browse(ctx, "voice:public", callersFact)
		Expect(agent.ask(ctx, askAboutOrder).Memories).To(ContainElement(HaveField("ID", fact.ID)))
		key := keyOf(ctx, namespace, name)
		bad := key.Status.PrimaryKeyID
		begin := time.Now()
		_, err := kubectl(ctx, "", "patch", "provkey", key.Name, "-n", namespace, "--type", "merge",
			"-p", fmt.Sprintf(`{"spec":{"compromisedKeyIDs":[%q]}}`, bad))
		Expect(err).NotTo(HaveOccurred())
		Eventually(ctx, func(g Gomega) {
			g.Expect(agent.ask(ctx, askAboutOrder).Withheld).To(ContainElement(And(HaveField("ID", fact.ID), HaveField("Reason", "KeyUnavailable"))))
		}).WithTimeout(soon).Should(Succeed())
		AddReportEntry("compromised key disabled", "after "+within(begin), ReportEntryVisibilityAlways)
		Expect(keySecret(ctx, namespace, name).Data).NotTo(HaveKey("key-" + bad + ".json"))
		Eventually(ctx, func(g Gomega) {
			key := keyOf(ctx, namespace, name)
			g.Expect(key.Status.PrimaryKeyID).NotTo(Equal(bad))
			g.Expect(key.Status.Keys).To(ContainElement(And(HaveField("ID", bad), HaveField("State", v1alpha1.KeyStateCompromised))))
			g.Expect(conditionOf(key.Status.Conditions, v1alpha1.ConditionRotating)).To(HavePrefix("False"))
		}).WithTimeout(2 * soon).Should(Succeed())
		later := agent.browse(ctx, "voice:public", "The second caller's order number was #2207.")
		Expect(agent.ask(ctx, askAboutOrder).Memories).To(ContainElement(HaveField("ID", later.ID)))

		By("it stays compromised")
		_, err = kubectl(ctx, "", "patch", "provkey", key.Name, "-n", namespace, "--type", "merge", "-p", `{"spec":{"compromisedKeyIDs":[]}}`)
		Expect(err).To(MatchError(ContainSubstring("only grows")))
		agent.expectSamePod(ctx)
	}, SpecTimeout(3*time.Minute))

	It("samples are accepted", func(ctx SpecContext) {
		files, err := filepath.Glob(filepath.Join(repositoryRoot(), "config/samples/key-*.yaml"))
		Expect(err).NotTo(HaveOccurred())
		Expect(files).NotTo(BeEmpty())
		other := newNamespace(ctx, nil)
		for _, file := range files {
			content, err := os.ReadFile(file)
			Expect(err).NotTo(HaveOccurred())
			manifest := strings.ReplaceAll(string(content), "namespace: travel", "namespace: "+other)
			_, err = kubectl(ctx, manifest, "apply", "--dry-run=server", "-f", "-")
			Expect(err).NotTo(HaveOccurred(), filepath.Base(file))
		}
	}, SpecTimeout(time.Minute))
})

// requestRotation sets spec.rotation.requestedAt, of which seconds count.
func requestRotation(ctx context.Context, namespace, agent string, at time.Time) {
	GinkgoHelper()
	key := keyOf(ctx, namespace, agent)
	patch := client.MergeFrom(key.DeepCopy())
	key.Spec.Rotation.RequestedAt = &metav1.Time{Time: at}
	Expect(k8s.Patch(ctx, key, patch)).To(Succeed())
}

// eventuallyRotated waits until another key than old signs and no rotation is under way.
func eventuallyRotated(ctx context.Context, namespace, agent, old string) {
	GinkgoHelper()
	Eventually(ctx, func(g Gomega) {
		key := keyOf(ctx, namespace, agent)
		g.Expect(key.Status.PrimaryKeyID).NotTo(Equal(old))
		g.Expect(conditionOf(key.Status.Conditions, v1alpha1.ConditionRotating)).To(HavePrefix("False"))
	}).WithTimeout(2 * soon).Should(Succeed())
}

// eventuallyPrimary waits until the screeners run on a keyset with that primary key.
func eventuallyPrimary(ctx context.Context, namespace, agent, id string) {
	GinkgoHelper()
	Eventually(ctx, func(g Gomega) {
		key := keyOf(ctx, namespace, agent)
		g.Expect(key.Status.PrimaryKeyID).To(Equal(id))
		g.Expect(key.Status.Screeners.Loaded).To(Equal(key.Status.Screeners.Running))
	}).WithTimeout(2 * soon).Should(Succeed())
	Expect(string(keySecret(ctx, namespace, agent).Data["primary"])).To(Equal(id))
}

// load writes and recalls until it is stopped, and notes what fails.
type load struct {
	cancel   context.CancelFunc
	done     sync.WaitGroup
	mu       sync.Mutex
	writes   int
	recalls  int
	failures []string
}

// startLoad begins to write and recall through the agent, several times a second.
func startLoad(agent caller) *load {
	ctx, cancel := context.WithCancel(context.Background())
	DeferCleanup(cancel)
	l := &load{cancel: cancel}
	l.done.Go(func() {
		for i := 0; ctx.Err() == nil; i++ {
			l.once(ctx, agent, i)
			select {
			case <-ctx.Done():
			case <-time.After(150 * time.Millisecond):
			}
		}
	})
	return l
}

func (l *load) once(ctx context.Context, agent caller, i int) {
	note := func(path string, body map[string]string, check func(reply) string) {
		encoded, err := json.Marshal(body)
		if err != nil {
			panic(err)
		}
		r, err := agent.try(ctx, http.MethodPost, path, "application/json", encoded)
		l.mu.Lock()
		defer l.mu.Unlock()
		switch {
		case ctx.Err() != nil:
		case err != nil:
			l.failures = append(l.failures, path+": "+err.Error())
		case r.Status != http.StatusOK:
			l.failures = append(l.failures, fmt.Sprintf("%s: %d %s", path, r.Status, r.Body))
		default:
			if problem := check(r); problem != "" {
				l.failures = append(l.failures, path+": "+problem)
			}
		}
	}
	note("/tell", map[string]string{"source": "operator:console", "text": fmt.Sprintf("Room %d is on floor %d.", 1000+i, i%40)}, func(reply) string {
		l.writes++
		return ""
	})
	note("/ask", map[string]string{"question": askAboutSeat}, func(r reply) string {
		l.recalls++
		var a answer
		if err := json.Unmarshal([]byte(r.Body), &a); err != nil {
			return err.Error()
		}
		for _, w := range a.Withheld {
			return "withheld: " + w.Reason
		}
		return ""
	})
}

// expectNoFailure stops the load and asserts that nothing failed meanwhile.
func (l *load) expectNoFailure(during string) {
	GinkgoHelper()
	l.cancel()
	l.done.Wait()
	AddReportEntry("load during "+during, fmt.Sprintf("%d writes, %d recalls, %d failed", l.writes, l.recalls, len(l.failures)),
		ReportEntryVisibilityAlways)
	Expect(l.failures).To(BeEmpty())
	Expect(l.writes).To(BeNumerically(">", 5))
	Expect(l.recalls).To(BeNumerically(">", 5))
}
