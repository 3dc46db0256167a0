// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	api "memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
)

// People of the suite, by the role they have in namespace travel.
func none() someone     { return as("nobody@example.com") }
func viewer() someone   { return as("victor@example.com") }
func reviewer() someone { return as("rita@example.com") }
func adminUser() someone {
	return as("ada@example.com")
}

var _ = Describe("The aggregated API", Ordered, ContinueOnFailure, func() {
	var planted, fact string
	BeforeAll(func() {
		bind(travel, "memorytrust-viewer", userSubject("victor@example.com"))
		bind(travel, "memorytrust-reviewer", userSubject("rita@example.com"))
		bind(travel, "memorytrust-admin", userSubject("ada@example.com"))
		Eventually(func() bool { return viewer().may() && reviewer().may() && adminUser().may() }).Should(BeTrue())
		planted = concierge.write(plant, "web:evil.example")
		fact = concierge.write(museum, "web:example.org")
	})

	It("is found by kubectl, and trusted by the authorities that it publishes itself", func() {
		service := &unstructured.Unstructured{}
		service.SetGroupVersionKind(schema.GroupVersionKind{Group: "apiregistration.k8s.io", Version: "v1", Kind: "APIService"})
		Expect(k8s.Get(ctx, client.ObjectKey{Name: APIServiceName}, service)).To(Succeed())
		bundle, _, _ := unstructured.NestedString(service.Object, "spec", "caBundle")
		Expect(bundle).NotTo(BeEmpty())
		skipped, _, _ := unstructured.NestedBool(service.Object, "spec", "insecureSkipTLSVerify")
		Expect(skipped).To(BeFalse())
		Eventually(func(g Gomega) {
			out, err := as("admin", "system:masters").kubectl("", "api-resources", "--api-group=memory.memorytrust.dev", "-o", "wide")
			g.Expect(err).NotTo(HaveOccurred(), out)
			g.Expect(out).To(MatchRegexp(`(?m)^memories +mem +memory.memorytrust.dev/v1alpha1 +true +Memory +get,list +memorytrust$`))
			g.Expect(out).To(ContainSubstring("approvals"))
			g.Expect(out).To(ContainSubstring("contradictions"))
		}).Should(Succeed())
		Eventually(func(g Gomega) { // the API server fetches descriptions now and then
			out, err := reviewer().kubectl("", "explain", "memories.status.commit", "--api-version=memory.memorytrust.dev/v1alpha1")
			g.Expect(err).NotTo(HaveOccurred(), out)
			g.Expect(out).To(ContainSubstring("names this version"))
		}).Should(Succeed())
	})

	DescribeTable("gives each role what it is for, and no more",
		func(method, subresource string, body any, codes [4]int) {
			path := memoryPath(travel, fact, subresource)
			for i, u := range []someone{none(), viewer(), reviewer(), adminUser()} {
				got := u.do(method, path, body, "application/json")
				Expect(got.status).To(Equal(codes[i]), "%s: %s", u.name, got.body)
				if got.status == 403 {
					Expect(got.body).NotTo(ContainSubstring("museum"))
				}
			}
		},
		Entry("seeing a memory", "GET", "", nil, [4]int{403, 200, 200, 200}),
		Entry("reading it", "GET", "content", nil, [4]int{403, 403, 200, 200}),
		Entry("its history", "GET", "log", nil, [4]int{403, 403, 200, 200}),
		Entry("where it went", "GET", "deliveries", nil, [4]int{403, 403, 200, 200}),
		Entry("why it would go", "GET", "xray", nil, [4]int{403, 200, 200, 200}),
		// A stale commit shows who gets as far as the decision.
		Entry("approving", "POST", "approve", decide(commitOfNone, "x"), [4]int{403, 403, 409, 409}),
		Entry("rejecting", "POST", "reject", decide(commitOfNone, "x"), [4]int{403, 403, 409, 409}),
		Entry("quarantining", "POST", "quarantine", decide(commitOfNone, "x"), [4]int{403, 403, 409, 409}),
		Entry("reopening", "POST", "reopen", decide(commitOfNone, "x"), [4]int{403, 403, 409, 409}),
		Entry("attesting", "POST", "attest", decide(commitOfNone, "x"), [4]int{403, 403, 409, 409}),
		Entry("promoting", "POST", "promote", decide(commitOfNone, "x"), [4]int{403, 403, 409, 409}),
		Entry("forgetting", "POST", "forget", decide(commitOfNone, "x"), [4]int{403, 403, 403, 409}),
		Entry("purging", "POST", "purge", decide(commitOfNone, "x"), [4]int{403, 403, 403, 409}),
	)

	It("is in nobody's hands who may edit everything else", func() {
		for _, role := range []string{"view", "edit", "admin"} {
			bind(travel, role, userSubject(role+"@example.com"))
		}
		for _, role := range []string{"view", "edit", "admin"} {
			u := as(role + "@example.com")
			Expect(u.get("/namespaces/travel/memories").status).To(Equal(403), role)
			Expect(u.get(memoryPath(travel, fact, "content")).status).To(Equal(403), role)
			Expect(u.post(memoryPath(travel, fact, "approve"), decide(commitOfNone, "x")).status).To(Equal(403), role)
		}
	})

	It("lists what there is without telling what it says", func() {
		got := viewer().get("/namespaces/travel/memories")
		list := into[api.MemoryList](got)
		Expect(list.Items).To(HaveLen(2))
		m := list.Items[0]
		Expect(m.Name).To(Equal(planted))
		Expect(m.Labels).To(HaveKeyWithValue(v1alpha1.LabelAgent, "concierge"))
		head := concierge.head(planted)
		Expect(m.Status).To(And(
			HaveField("Agent", "concierge"), HaveField("Zone", "Quarantine"), HaveField("State", "PendingReview"), HaveField("Boundary", "Blocked"),
			HaveField("Class", "WebContent"), HaveField("Source", "web:evil.example"), HaveField("Verdict", "Directive"), HaveField("Commit", head.Commit),
			HaveField("Actor", "agent"), HaveField("Authority", "None"),
		))
		Expect(m.Status.Reasons).NotTo(BeEmpty())
		for _, text := range []string{"invoice", "billing@evil", "museum", `\"`} {
			Expect(got.body).NotTo(ContainSubstring(text))
		}
		Expect(into[api.Memory](viewer().get(memoryPath(travel, planted, ""))).Status).To(Equal(m.Status))
		Expect(got.warnings).To(ConsistOf(ContainSubstring("idle")))
	})

	It("selects by fields and labels, and says what it cannot select by", func() {
		other := planner.write("The trip to Porto is in May.", "")
		ids := func(query string) []string {
			GinkgoHelper()
			var out []string
			for _, m := range into[api.MemoryList](viewer().get("/namespaces/travel/memories?" + query)).Items {
				out = append(out, m.Name)
			}
			return out
		}
		for query, want := range map[string][]string{
			"fieldSelector=zone%3DQuarantine,class%3DWebContent":                 {planted},
			"fieldSelector=zone%3DWorking":                                       {fact, other},
			"fieldSelector=agent%3Dplanner":                                      {other},
			"fieldSelector=pending%3Dtrue":                                       {planted, fact},
			"fieldSelector=pending%3Dtrue,state%3DActive":                        nil,
			"fieldSelector=state%3DActive":                                       {other},
			"fieldSelector=metadata.name%3D" + fact:                              {fact},
			"fieldSelector=metadata.name%3D" + fact + ",zone%3DQuarantine":       nil,
			"fieldSelector=metadata.name%3D00000000-0000-7000-8000-000000000000": nil,
			"labelSelector=memorytrust.dev%2Fagent%3Dplanner":                    {other},
			"labelSelector=memorytrust.dev%2Fagent%20notin%20(concierge,idle)":   {other},
			"labelSelector=team%3Dx":                                             nil,
		} {
			Expect(ids(query)).To(Equal(want), query)
		}
		for query, says := range map[string]string{
			"fieldSelector=zone%3DQuarantin":     "Quarantine, Working, Trusted",
			"fieldSelector=content%3Dx":          "content",
			"fieldSelector=zone%21%3DQuarantine": "only =",
			"continue=abc":                       "start the list again",
		} {
			got := viewer().get("/namespaces/travel/memories?" + query)
			Expect(got.status).To(Equal(400), got.body)
			Expect(got.problem().Message).To(ContainSubstring(says))
		}
	})

	It("pages through agents and their memories, each once and in order", func() {
		var want []string
		for _, m := range into[api.MemoryList](viewer().get("/namespaces/travel/memories")).Items {
			want = append(want, m.Name)
		}
		for i := range 130 {
			want = append(want, planner.write(fmt.Sprintf("The flight number of leg %d is TP%d.", i, 1000+i*7), ""))
		}
		for _, limit := range []int{1, 3, 50, 101, 500} {
			var got []string
			pages, next := 0, ""
			for {
				page := into[api.MemoryList](viewer().get(fmt.Sprintf("/namespaces/travel/memories?limit=%d&continue=%s", limit, next)))
				Expect(len(page.Items)).To(BeNumerically("<=", limit))
				for _, m := range page.Items {
					got = append(got, m.Name)
				}
				pages++
				if next = page.Continue; next == "" {
					break
				}
			}
			Expect(got).To(Equal(want), "limit %d", limit)
			Expect(pages).To(BeNumerically(">=", (len(want)+limit-1)/limit))
		}
		first := into[api.MemoryList](viewer().get("/namespaces/travel/memories?limit=3"))
		again := viewer().get("/namespaces/travel/memories?limit=3&fieldSelector=zone%3DWorking&continue=" + first.Continue)
		Expect(again.status).To(Equal(400))
		Expect(again.problem().Message).To(ContainSubstring("other selectors"))
	})

	It("makes tables for kubectl", func() {
		t := viewer().table("/namespaces/travel/memories?limit=2")
		var columns []string
		for _, c := range t.ColumnDefinitions {
			if c.Priority == 0 {
				columns = append(columns, strings.ToUpper(c.Name))
			}
		}
		Expect(columns).To(Equal([]string{"NAME", "AGENT", "ZONE", "STATE", "CLASS", "SOURCE", "AGE"}))
		Expect(t.Rows[0].Cells[:6]).To(Equal([]any{planted, "concierge", "Quarantine", "PendingReview", "WebContent", "web:evil.example"}))
		Expect(t.Continue).NotTo(BeEmpty())
		out, err := viewer().kubectl("", "get", "memories", "-n", "travel", "-o", "wide", "--field-selector=zone=Quarantine")
		Expect(err).NotTo(HaveOccurred(), out)
		Expect(out).To(MatchRegexp(`NAME +AGENT +ZONE +STATE +CLASS +SOURCE +AGE +BOUNDARY +AUTHORITY +VERDICT +COMMIT`))
		Expect(out).To(ContainSubstring(concierge.head(planted).Commit))
		out, err = viewer().kubectl("", "get", "mem", planted, "-n", "travel", "-o", "name")
		Expect(err).NotTo(HaveOccurred(), out)
		Expect(out).To(Equal("memory.memory.memorytrust.dev/" + planted + "\n"))
	})

	It("shows content, history, deliveries and reasons to those who may read", func() {
		head := concierge.head(planted)
		c := into[api.MemoryContent](reviewer().get(memoryPath(travel, planted, "content")))
		Expect(c.Text.Content).To(Equal(plant))
		Expect(c.Commit).To(Equal(head.Commit))
		Expect(c.Text.Reasons).To(Equal(head.Reasons))
		log := into[api.MemoryLog](reviewer().get(memoryPath(travel, planted, "log")))
		Expect(log.Versions).To(HaveLen(1))
		Expect(log.Versions[0].Text.Content).To(Equal(plant))
		Expect(log.Versions[0].Status.Commit).To(Equal(head.Commit))

		_, err := concierge.gate.Recall(ctx, gate.Caller{}, gate.Recall{Query: "museum Lyon", Session: "s-7"})
		Expect(err).NotTo(HaveOccurred())
		d := into[api.MemoryDeliveries](reviewer().get(memoryPath(travel, fact, "deliveries")))
		Expect(d.Deliveries).To(ContainElement(And(HaveField("Session", "s-7"), HaveField("Class", "WebContent"))))
		Expect(into[api.MemoryDeliveries](reviewer().get(memoryPath(travel, fact, "deliveries") + "?session=other")).Deliveries).To(BeEmpty())
	})

	It("explains why a memory would be delivered or not, without quoting it", func() {
		for id, outcome := range map[string]string{planted: "Withheld", fact: "Delivered"} {
			got := viewer().get(memoryPath(travel, id, "xray") + "?session=s-7")
			x := into[api.MemoryXRay](got)
			Expect(x.Outcome).To(Equal(outcome), got.body)
			Expect(x.Why).NotTo(BeEmpty())
			Expect(x.Text).To(ContainSubstring(outcome))
			Expect(x.Score).NotTo(BeNil())
			for _, text := range []string{"invoice", "billing@evil", "museum"} {
				Expect(strings.ToLower(got.body)).NotTo(ContainSubstring(text))
			}
			Expect(x.Deliveries).To(HaveLen(map[string]int{planted: 0, fact: 1}[id]))
		}
		// Scores of chosen words would tell what is in the memory.
		got := viewer().get(memoryPath(travel, fact, "xray") + "?query=museum")
		Expect(got.status).To(Equal(403))
		Expect(got.problem().Message).To(ContainSubstring("memories/content"))
		x := into[api.MemoryXRay](reviewer().get(memoryPath(travel, fact, "xray") + "?query=museum"))
		Expect(x.Outcome).To(Equal("Delivered"))
		Expect(x.Query).To(Equal("museum"))
		x = into[api.MemoryXRay](reviewer().get(memoryPath(travel, fact, "xray") + "?query=zebra"))
		Expect(x.Outcome).To(Equal("NotFound"))
	})

	It("takes decisions about what was seen, and logs them under the name of whoever decided", func() {
		id := concierge.write("The aquarium in Genoa opens at ten.", "web:example.org")
		seen := into[api.Memory](reviewer().get(memoryPath(travel, id, ""))).Status
		got := reviewer().post(memoryPath(travel, id, "approve"), decide("", " "))
		Expect(got.status).To(Equal(422))
		var fields []string
		for _, c := range got.problem().Details.Causes {
			fields = append(fields, c.Field)
		}
		Expect(fields).To(ConsistOf("spec.commit", "spec.reason"))

		d := decide(seen.Commit, "checked with the aquarium")
		d.Spec.DryRun = true
		tried := into[api.MemoryDecision](reviewer().post(memoryPath(travel, id, "approve"), d))
		Expect(tried.Status).To(And(HaveField("Done", false), HaveField("State", "Approved")))
		tried = into[api.MemoryDecision](reviewer().post(memoryPath(travel, id, "approve")+"?dryRun=All", decide(seen.Commit, "x")))
		Expect(tried.Status.Done).To(BeFalse())
		Expect(concierge.head(id).Commit).To(Equal(seen.Commit))

		d.Spec.DryRun = false
		got = reviewer().post(memoryPath(travel, id, "approve"), d)
		Expect(got.status).To(Equal(201))
		done := into[api.MemoryDecision](got)
		Expect(done.Status).To(And(HaveField("Done", true), HaveField("Zone", "Working"), HaveField("State", "Approved"), HaveField("Message", Not(BeEmpty()))))
		head := concierge.head(id)
		Expect(head.Actor).To(Equal("person/rita@example.com"))
		Expect(head.ApprovedBy).To(Equal("rita@example.com"))
		Expect(head.Reason).To(Equal("checked with the aquarium"))
		Expect(done.Status.Commit).To(Equal(head.Commit))
		log := into[api.MemoryLog](reviewer().get(memoryPath(travel, id, "log") + "?limit=1"))
		Expect(log.Versions).To(HaveLen(1))
		Expect(log.Versions[0].Status.Actor).To(Equal("person/rita@example.com"))
		older := into[api.MemoryLog](reviewer().get(memoryPath(travel, id, "log") + "?continue=" + log.Continue))
		Expect(older.Versions).To(HaveLen(1))

		got = reviewer().post(memoryPath(travel, id, "quarantine"), decide(seen.Commit, "x"))
		Expect(got.status).To(Equal(409))
		problem := got.problem()
		Expect(problem.Reason).To(Equal(metav1.StatusReasonConflict))
		Expect(problem.Details.Causes).To(ContainElement(HaveField("Field", "spec.commit")))
		Expect(concierge.head(id).Commit).To(Equal(head.Commit))
	})

	It("leads with every verb where the verb says, and names the rule that stands against one", func() {
		id := concierge.write("The ferry to Nice leaves at noon.", "web:example.org")
		for _, step := range []struct {
			verb, zone, state string
		}{
			{"approve", "Working", "Approved"}, {"quarantine", "Quarantine", "PendingReview"}, {"reject", "Quarantine", "Rejected"},
			{"reopen", "Quarantine", "PendingReview"}, {"promote", "Working", "Approved"}, {"forget", "Working", "Forgotten"},
			{"reopen", "Quarantine", "PendingReview"}, {"approve", "Working", "Approved"},
		} {
			d := decide(concierge.head(id).Commit, "for the test")
			if step.verb == "promote" {
				d.Spec.Zone = "Working"
			}
			out := into[api.MemoryDecision](adminUser().post(memoryPath(travel, id, step.verb), d))
			Expect(out.Status).To(And(HaveField("Done", true), HaveField("Zone", step.zone), HaveField("State", step.state)), step.verb)
		}
		d := decide(concierge.head(id).Commit, "looks right")
		d.Spec.Zone = "Trusted"
		got := reviewer().post(memoryPath(travel, id, "promote"), d)
		Expect(got.status).To(Equal(422))
		Expect(got.problem().Details.Causes).To(ContainElement(And(HaveField("Type", causeRule), HaveField("Field", memory.RuleAnchor), HaveField("Message", Not(BeEmpty())))))
		got = reviewer().post(memoryPath(travel, id, "approve"), d)
		Expect(got.problem().Details.Causes).To(ContainElement(HaveField("Field", "spec.zone")))
		d.Spec.Zone = "Working"
		got = reviewer().post(memoryPath(travel, id, "promote"), d) // it is there
		Expect(got.status).To(Equal(422), got.body)

		Expect(into[api.MemoryDecision](adminUser().post(memoryPath(travel, id, "purge"), decide(concierge.head(id).Commit, "the author asked"))).Status.Done).To(BeTrue())
		Expect(reviewer().get(memoryPath(travel, id, "log")).body).NotTo(ContainSubstring("ferry"))
		Expect(into[api.Memory](viewer().get(memoryPath(travel, id, ""))).Status.Purged).To(BeTrue())
		Expect(viewer().get("/namespaces/travel/memories").body).NotTo(ContainSubstring(id))
		Expect(viewer().get("/namespaces/travel/memories?fieldSelector=state%3DForgotten").body).To(ContainSubstring(id))
	})

	It("is used with kubectl alone", func() {
		id := concierge.write("The castle in Sintra closes at six.", "web:example.org")
		body, err := json.Marshal(decide(concierge.head(id).Commit, "no such castle"))
		Expect(err).NotTo(HaveOccurred())
		out, err := reviewer().kubectl(string(body), "create", "--raw", "/apis/memory.memorytrust.dev/v1alpha1"+memoryPath(travel, id, "reject"), "-f", "-")
		Expect(err).NotTo(HaveOccurred(), out)
		Expect(out).To(ContainSubstring(`"done":true`))
		Expect(concierge.head(id).State).To(Equal(memory.Rejected))
		out, err = reviewer().kubectl(string(body), "create", "--raw", "/apis/memory.memorytrust.dev/v1alpha1"+memoryPath(travel, id, "reject"), "-f", "-")
		Expect(err).To(HaveOccurred())
		Expect(out).To(ContainSubstring("changed since you looked"))
	})

	It("lets ServiceAccounts decide only where a binding names them", func() {
		groups := bind(travel, "memorytrust-reviewer", groupSubject("system:serviceaccounts:tools"), groupSubject("system:authenticated"))
		DeferCleanup(func() {
			Expect(k8s.Delete(ctx, groups)).To(Succeed())
			Eventually(func() int { return none().get(memoryPath(travel, fact, "")).status }).Should(Equal(403))
		})
		Eventually(func() int { return none().get(memoryPath(travel, fact, "")).status }).Should(Equal(200))
		bot, named := serviceAccount("tools", "bot"), serviceAccount("tools", "curator")
		bind(travel, "memorytrust-reviewer", accountSubject("tools", "curator"))
		id := concierge.write("The tram in Lisbon is number 28.", "web:example.org")
		commit := concierge.head(id).Commit

		got := bot.post(memoryPath(travel, id, "approve"), decide(commit, "x"))
		Expect(got.status).To(Equal(403), got.body)
		Expect(got.problem().Message).To(ContainSubstring("--serviceaccount=tools:bot"))
		Expect(bot.get(memoryPath(travel, id, "content")).status).To(Equal(200)) // reading is a matter of RBAC alone
		Expect(concierge.head(id).Commit).To(Equal(commit))
		Expect(as("system:anonymous", "system:unauthenticated").post(memoryPath(travel, id, "approve"), decide(commit, "x")).status).To(Equal(403))

		Eventually(func() int { return named.post(memoryPath(travel, id, "approve"), decide(commit, "x")).status }).Should(Equal(201))
		Expect(concierge.head(id).Actor).To(Equal("person/system:serviceaccount:tools:curator"))
	})

	It("keeps an agent's own ServiceAccount from its memory, whatever it was granted", func() {
		own := serviceAccount(travel, "concierge")
		bind(travel, "memorytrust-admin", accountSubject(travel, "concierge"))
		commit := concierge.head(fact).Commit
		Eventually(func() string { return own.get(memoryPath(travel, fact, "")).body }).Should(ContainSubstring("neither sees nor decides"))
		for _, id := range []string{fact, "01970000-0000-7000-8000-000000000000"} {
			for _, sub := range []string{"", "content", "log", "xray", "deliveries"} {
				Expect(own.get(memoryPath(travel, id, sub)).status).To(Equal(403), sub)
			}
			for _, verb := range Verbs {
				Expect(own.post(memoryPath(travel, id, verb), decide(commit, "x")).status).To(Equal(403), verb)
			}
		}
		got := own.get("/namespaces/travel/memories?limit=500")
		Expect(got.body).NotTo(ContainSubstring(fact))
		Expect(got.warnings).To(ContainElement(ContainSubstring("concierge")))
		Expect(concierge.head(fact).Commit).To(Equal(commit))
	})

	It("refuses names that could not stand in the log as they are", func() {
		for _, name := range []string{"jürgen@example.com", "eve; person/rita", strings.Repeat("a", 129)} {
			bind(travel, "memorytrust-admin", userSubject(name))
			Eventually(func(g Gomega) {
				got := as(name).get(memoryPath(travel, fact, ""))
				g.Expect(got.status).To(Equal(403), name)
				g.Expect(got.body).To(ContainSubstring("audit log"))
			}).Should(Succeed())
		}
	})

	It("does not tell whether other namespaces have a memory", func() {
		elsewhere := clerk.write("The invoice of March is paid.", "")
		unknown := "01970000-0000-7000-8000-000000000000"
		bind(billing, "memorytrust-viewer", userSubject("bill@example.com"))
		Eventually(func() int { return as("bill@example.com").get(memoryPath(billing, elsewhere, "")).status }).Should(Equal(200))
		for _, path := range []string{"", "content", "log", "xray", "deliveries"} {
			// An agent of which no pod runs could have it: both are answered alike.
			there, nowhere := adminUser().get(memoryPath(travel, elsewhere, path)), adminUser().get(memoryPath(travel, unknown, path))
			Expect(there.status).To(Equal(nowhere.status))
			Expect(strings.ReplaceAll(there.body, elsewhere, unknown)).To(Equal(nowhere.body))
			Expect(adminUser().get(memoryPath(billing, elsewhere, path)).status).To(Equal(403))
		}
		for _, verb := range Verbs {
			there := adminUser().post(memoryPath(travel, elsewhere, verb), decide(clerk.head(elsewhere).Commit, "x"))
			nowhere := adminUser().post(memoryPath(travel, unknown, verb), decide(clerk.head(elsewhere).Commit, "x"))
			Expect(strings.ReplaceAll(there.body, elsewhere, unknown)).To(Equal(nowhere.body))
			Expect(there.status).NotTo(Equal(201))
		}
		Expect(adminUser().get("/memories").status).To(Equal(403))
		first := into[api.MemoryList](as("root", "system:masters").get("/memories?limit=1"))
		Expect(first.Items[0].Namespace).To(Equal(billing))
		next := into[api.MemoryList](as("root", "system:masters").get("/memories?limit=1&continue=" + first.Continue))
		Expect(next.Items[0].Namespace).To(Equal(travel))
		// What continues a list of one namespace is no way into another.
		Expect(adminUser().get("/namespaces/travel/memories?limit=1&continue=" + first.Continue).status).To(Equal(400))
	})

	It("says of agents without a pod that they cannot be asked, and where a memory may be", func() {
		got := reviewer().get(memoryPath(travel, "01970000-0000-7000-8000-000000000001", ""))
		Expect(got.status).To(Equal(503))
		Expect(got.problem().Message).To(And(ContainSubstring("idle"), ContainSubstring("only while a pod of the agent runs")))
		Expect(got.problem().Details.RetryAfterSeconds).To(BeNumerically(">", 0))
		Expect(got.header.Get("Retry-After")).NotTo(BeEmpty())
		got = reviewer().get("/namespaces/travel/memories?fieldSelector=agent%3Didle")
		Expect(into[api.MemoryList](got).Items).To(BeEmpty())
		Expect(got.warnings).To(ConsistOf(ContainSubstring("travel/idle")))
		Expect(reviewer().get(memoryPath(travel, "no-id", "")).status).To(Equal(404)) // can be nowhere
	})

	It("asks the next pod of an agent, decides nothing twice, and says when no screener answers", func() {
		id := concierge.write("The market in Porto is on Saturdays.", "web:example.org")
		makePod(travel, "concierge", "concierge-new", "127.44.1.9") // where nobody listens
		var pod corev1.Pod
		Expect(k8s.Get(ctx, client.ObjectKey{Namespace: travel, Name: "concierge-0"}, &pod)).To(Succeed())
		pod.Status.InitContainerStatuses[0].Ready = false // so that the dead one comes first
		Expect(k8s.Status().Update(ctx, &pod)).To(Succeed())
		Eventually(func() []string {
			for _, a := range agentsOf(travel) {
				if a.Name == "concierge" {
					return a.Addresses
				}
			}
			return nil
		}).Should(Equal([]string{"127.44.1.9", "127.44.1.1"}))
		Expect(reviewer().get(memoryPath(travel, id, "")).status).To(Equal(200))
		Expect(into[api.MemoryDecision](reviewer().post(memoryPath(travel, id, "approve"), decide(concierge.head(id).Commit, "x"))).Status.Done).To(BeTrue())

		pod.Status.InitContainerStatuses[0].State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{}}
		Expect(k8s.Status().Update(ctx, &pod)).To(Succeed())
		commit := concierge.head(id).Commit
		Eventually(func(g Gomega) {
			got := reviewer().post(memoryPath(travel, id, "quarantine"), decide(commit, "x"))
			g.Expect(got.status).To(Equal(503), got.body)
		}).Should(Succeed())
		list := reviewer().get("/namespaces/travel/memories?fieldSelector=agent%3Dconcierge")
		Expect(into[api.MemoryList](list).Items).To(BeEmpty())
		Expect(list.warnings).To(ConsistOf(ContainSubstring("travel/concierge")))
		Expect(concierge.head(id).Commit).To(Equal(commit))

		pod.Status.InitContainerStatuses[0].State = corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}
		pod.Status.InitContainerStatuses[0].Ready = true
		Expect(k8s.Status().Update(ctx, &pod)).To(Succeed())
		Expect(k8s.Delete(ctx, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: travel, Name: "concierge-new"}}, client.GracePeriodSeconds(0))).To(Succeed())
		Eventually(func() int { return reviewer().get(memoryPath(travel, id, "")).status }).Should(Equal(200))
	})

	It("serves tool calls that wait as approvals, and as nothing else", func() {
		_, err := concierge.gate.Recall(ctx, gate.Caller{}, gate.Recall{Query: "museum Lyon", Session: "pay"})
		Expect(err).NotTo(HaveOccurred())
		id := concierge.asks("pay")
		got := viewer().get("/namespaces/travel/approvals")
		list := into[api.ApprovalList](got)
		Expect(list.Items).To(HaveLen(1))
		a := list.Items[0]
		Expect(a.Name).To(Equal(id))
		Expect(a.Status).To(And(
			HaveField("Agent", "concierge"), HaveField("Tool", "pay_card"), HaveField("Session", "pay"), HaveField("State", "PendingReview"),
			HaveField("Rule", "payments"), HaveField("Mark", "WebContent"), HaveField("Missing", ConsistOf("to", "amount")),
			HaveField("Expires", Not(BeNil())), HaveField("Responsible", ContainElement(fact)),
		))
		Expect(got.body).NotTo(ContainSubstring("DE44"))
		Expect(viewer().get(approvalPath(travel, id, "content")).status).To(Equal(403))
		c := into[api.MemoryContent](reviewer().get(approvalPath(travel, id, "content")))
		Expect(c.Text.Call.Tool).To(Equal("pay_card"))
		Expect(string(c.Text.Call.Arguments.Raw)).To(ContainSubstring("DE44"))
		out, err := viewer().kubectl("", "get", "approvals", "-n", "travel")
		Expect(err).NotTo(HaveOccurred(), out)
		Expect(out).To(MatchRegexp(`NAME +AGENT +TOOL +STATE +MISSING +EXPIRES +AGE`))

		// The right to decide about memories is none to decide about calls.
		Expect(viewer().get("/namespaces/travel/memories?limit=500").body).NotTo(ContainSubstring(id))
		Expect(reviewer().get(memoryPath(travel, id, "")).status).To(Equal(404))
		Expect(reviewer().post(memoryPath(travel, id, "approve"), decide(a.Status.Commit, "x")).status).To(Equal(404))
		Expect(reviewer().get(approvalPath(travel, fact, "content")).status).To(Equal(404))
		Expect(reviewer().post(approvalPath(travel, fact, "reject"), decide(concierge.head(fact).Commit, "x")).status).To(Equal(404))
		Expect(viewer().post(approvalPath(travel, id, "approve"), decide(a.Status.Commit, "x")).status).To(Equal(403))

		Expect(reviewer().post(approvalPath(travel, id, "approve"), decide(commitOfNone, "x")).status).To(Equal(409))
		done := into[api.MemoryDecision](reviewer().post(approvalPath(travel, id, "approve"), decide(a.Status.Commit, "called the supplier")))
		Expect(done.Status.State).To(Equal("Approved"))
		Expect(concierge.head(id).ApprovedBy).To(Equal("rita@example.com"))
		allowed, err := concierge.gate.Authorize(ctx, gate.Caller{}, gate.ActionRequest{
			Tool: "pay_card", Arguments: json.RawMessage(`{"to":"DE44 5001 0517 5407 3249 31","amount":120}`), Session: "pay",
		})
		Expect(err).NotTo(HaveOccurred())
		Expect(allowed.Decision).To(Equal(gate.ActionAllow))
		Expect(into[api.ApprovalList](viewer().get("/namespaces/travel/approvals")).Items).To(BeEmpty())
	})

	It("lists contradictions, and lets people resolve them", func() {
		planner.write("The office in Lyon closes at 5 on Fridays.", "")
		planner.write("The office in Lyon closes at 7 on Fridays.", "web:example.org")
		Eventually(func(g Gomega) bool { // a scan stops at its bound of pairs
			scanned, err := planner.gate.ScanContradictions(ctx, gate.Person{Principal: "test"})
			g.Expect(err).NotTo(HaveOccurred())
			return scanned.More
		}).Should(BeFalse())
		base := "/namespaces/travel/contradictions"
		got := viewer().get(base + "?fieldSelector=open%3Dtrue")
		list := into[api.ContradictionList](got)
		Expect(list.Items).To(HaveLen(1))
		c := list.Items[0]
		Expect(c.Status).To(And(HaveField("Agent", "planner"), HaveField("State", "Open")))
		Expect(got.body).NotTo(ContainSubstring("Fridays"))
		Expect(viewer().get(base + "/" + c.Name).status).To(Equal(200))
		Expect(viewer().get(base + "/" + c.Name + "/content").status).To(Equal(403))
		content := into[api.ContradictionContent](reviewer().get(base + "/" + c.Name + "/content"))
		Expect(content.A.Content).To(ContainSubstring(" 5 "))
		Expect(content.B.Content).To(ContainSubstring(" 7 "))
		r := api.ContradictionResolution{Spec: api.ContradictionResolutionSpec{Verdict: "KeepA", Reason: "as in the contract"}}
		Expect(viewer().post(base+"/"+c.Name+"/resolve", r).status).To(Equal(403))
		bad := r
		bad.Spec.Verdict = "Both"
		Expect(reviewer().post(base+"/"+c.Name+"/resolve", bad).status).To(Equal(422))
		Expect(into[api.ContradictionResolution](reviewer().post(base+"/"+c.Name+"/resolve", r)).Status.Done).To(BeTrue())
		after := into[api.Contradiction](viewer().get(base + "/" + c.Name))
		Expect(after.Status).To(And(HaveField("State", "Decided"), HaveField("Verdict", "KeepA"), HaveField("DecidedBy", "rita@example.com")))
		Expect(into[api.ContradictionList](viewer().get(base + "?fieldSelector=open%3Dtrue")).Items).To(BeEmpty())
		Expect(viewer().get(base + "/01970000-0000-7000-8000-000000000000").status).NotTo(Equal(200))
	})

	It("cannot be written, deleted or watched", func() {
		root := as("root", "system:masters")
		for _, r := range []struct{ method, path string }{
			{http.MethodPost, "/namespaces/travel/memories"}, {http.MethodPut, memoryPath(travel, fact, "")}, {http.MethodPatch, memoryPath(travel, fact, "")},
			{http.MethodDelete, memoryPath(travel, fact, "")}, {http.MethodDelete, "/namespaces/travel/memories"},
			{http.MethodGet, "/namespaces/travel/memories?watch=true"}, {http.MethodGet, "/watch/namespaces/travel/memories"},
		} {
			got := root.do(r.method, r.path, api.Memory{}, "application/json")
			Expect(got.status).To(Or(Equal(405), Equal(404)), "%s %s: %s", r.method, r.path, got.body)
		}
		Expect(concierge.head(fact).Content).To(Equal(museum))
	})

	It("blocks nothing else when it is away, and is removed with the APIService first", func() {
		underTest.end()
		Eventually(func() int { return reviewer().get(memoryPath(travel, fact, "")).status }).Should(Equal(503))
		Expect(k8s.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: travel, Name: "meanwhile"}})).To(Succeed())
		Expect(k8s.Create(ctx, &rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Namespace: travel, Name: "meanwhile"}})).To(Succeed())
		startAPI()
		Expect(reviewer().get(memoryPath(travel, fact, "")).status).To(Equal(200))

		objects := kustomize("memory-api")
		Expect(objects[0].GetKind()).To(Equal("APIService")) // deleted first, as kubectl deletes in this order
	})
})

// agentsOf lists agents as the API does, without a cache.
func agentsOf(namespace string) []Agent {
	GinkgoHelper()
	agents, err := Directory{Client: k8s}.List(ctx, namespace)
	Expect(err).NotTo(HaveOccurred())
	return agents
}
