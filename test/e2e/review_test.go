//go:build e2e

// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/internal/certs"
	"memorytrust.dev/operator/internal/inject"
	"memorytrust.dev/operator/internal/server/admin"
)

// toolResult is what an MCP client gets from a tool.
type toolResult struct {
	Content []struct {
		Text string `json:"text"`
	} `json:"content"`
	Structured json.RawMessage `json:"structuredContent"`
	IsError    bool            `json:"isError"`
}

// callTool lets the agent's container call a tool of its memory over MCP, and returns the result and all of its text.
func callTool(ctx context.Context, agent *runningAgent, tool string, arguments any) (toolResult, string) {
	GinkgoHelper()
	encoded, err := json.Marshal(arguments)
	Expect(err).NotTo(HaveOccurred())
	output, err := execIn(ctx, agent.pod.Namespace, agent.pod.Name, agentContainer, "/test-agent", "mcp", tool, string(encoded))
	Expect(err).NotTo(HaveOccurred(), output)
	var result toolResult
	Expect(json.Unmarshal([]byte(output), &result)).To(Succeed(), output)
	return result, output
}

// reviewer is a way to the admin port of an agent's screener with the manager's certificate, for a person.
func reviewer(ctx context.Context, agent *runningAgent, name string) caller {
	GinkgoHelper()
	var secret corev1.Secret
	Expect(k8s.Get(ctx, client.ObjectKey{Namespace: operatorNamespace, Name: certs.ClientSecret}, &secret)).To(Succeed())
	var credentials certs.Credentials
	Expect(credentials.Load(secret.Data)).To(Succeed())
	config, err := credentials.ClientConfig(admin.ServerName(agent.pod.Namespace, name))
	Expect(err).NotTo(HaveOccurred())
	person := secure(forward(agent.pod.Namespace, agent.pod.Name, inject.AdminPort), "", config)
	person.header = http.Header{admin.PrincipalHeader: {"alice@example.com"}}
	return person
}

var _ = Describe("An agent that speaks MCP, and a person who reviews", Ordered, func() {
	var namespace string
	var agent *runningAgent
	var person caller
	var waiting struct {
		ID     string `json:"id"`
		Commit string `json:"commit"`
		Zone   string `json:"zone"`
	}

	BeforeAll(func(ctx SpecContext) {
		namespace = newNamespace(ctx, nil)
		apply(ctx, namespace, prefixPolicy)
		agent = run(ctx, agentPod(namespace, "concierge"))
		person = reviewer(ctx, agent, "concierge")
	}, NodeTimeout(2*time.Minute))

	It("remembers and recalls a fact with the tools", func(ctx SpecContext) {
		remembered, _ := callTool(ctx, agent, "remember", map[string]any{"content": "The guest prefers the quiet room at the back."})
		Expect(remembered.IsError).To(BeFalse())
		_, recalled := callTool(ctx, agent, "recall", map[string]any{"query": "Which room does the guest prefer?"})
		Expect(recalled).To(ContainSubstring("quiet room at the back"))
	}, SpecTimeout(time.Minute))

	It("serves an agent built for the reference memory server, without what waits for a person", func(ctx SpecContext) {
		callTool(ctx, agent, "create_entities", map[string]any{"entities": []map[string]any{
			{"name": "Lyon office", "entityType": "place", "observations": []string{"Closes at five on Fridays.", plantedOnWeb}},
		}})
		_, graph := callTool(ctx, agent, "read_graph", map[string]any{})
		Expect(graph).To(ContainSubstring("Closes at five on Fridays."))
		Expect(graph).NotTo(ContainSubstring("billing-mirror"))
	}, SpecTimeout(time.Minute))

	It("keeps a planted directive in the queue", func(ctx SpecContext) {
		result, _ := callTool(ctx, agent, "remember", map[string]any{"content": plantedByVoice})
		Expect(json.Unmarshal(result.Structured, &waiting)).To(Succeed())
		Expect(waiting.Zone).To(Equal("Quarantine"))
		_, recalled := callTool(ctx, agent, "recall", map[string]any{"query": askAboutMeeting})
		Expect(recalled).NotTo(ContainSubstring("permanent rule"))

		queue := person.get(ctx, "/v1/queue")
		Expect(queue.Status).To(Equal(http.StatusOK), queue.Body)
		Expect(queue.Body).To(And(ContainSubstring(waiting.ID), ContainSubstring("permanent rule")))
	}, SpecTimeout(time.Minute))

	It("refuses a decision about a version the person did not see", func(ctx SpecContext) {
		stale := person
		stale.header = stale.header.Clone()
		stale.header.Set("If-Match", `"`+waiting.Commit[1:]+`0"`)
		answer := stale.post(ctx, "/v1/memories/"+waiting.ID+"/approve", map[string]string{"reason": "agreed with the guest"})
		Expect(answer.Status).To(Equal(http.StatusPreconditionFailed), answer.Body)
	}, SpecTimeout(time.Minute))

	It("lets a person let it out, under their name, and never with more authority", func(ctx SpecContext) {
		approving := person
		approving.header = approving.header.Clone()
		approving.header.Set("If-Match", `"`+waiting.Commit+`"`)
		answer := approving.post(ctx, "/v1/memories/"+waiting.ID+"/approve", map[string]string{"reason": "agreed with the guest"})
		Expect(answer.Status).To(Equal(http.StatusOK), answer.Body)

		var seen struct {
			Zone, State, Authority, ApprovedBy, Class string
		}
		person.get(ctx, "/v1/memories/"+waiting.ID).into(&seen)
		Expect(seen.Zone).To(Equal("Working"))
		Expect(seen.State).To(Equal("Approved"))
		Expect(seen.ApprovedBy).To(Equal("alice@example.com"))
		Expect(seen.Authority).To(Equal("Inform"))
		Expect(seen.Class).To(Equal("AgentInferred"))
		_, recalled := callTool(ctx, agent, "recall", map[string]any{"query": askAboutMeeting})
		Expect(recalled).To(ContainSubstring("permanent rule"))
	}, SpecTimeout(time.Minute))

	It("gives the agent's side no way to decide", func(ctx SpecContext) {
		screener := agent.screener()
		for _, verb := range []string{"approve", "reject", "promote", "quarantine", "reopen", "purge", "pin"} {
			answer := screener.post(ctx, "/v1/memories/"+waiting.ID+"/"+verb, map[string]string{"reason": "because"})
			Expect(answer.Status).To(Equal(http.StatusNotFound), verb)
		}
		By("the admin port does not speak to whoever has no certificate of the manager")
		nobody := secure(forward(namespace, agent.pod.Name, inject.AdminPort), "",
			&tls.Config{InsecureSkipVerify: true}) // the server's certificate is not what is tested
		nobody.header = person.header
		answer, err := nobody.try(ctx, http.MethodGet, "/v1/queue", "", nil)
		Expect(err).To(HaveOccurred(), "answered %d without a certificate", answer.Status)
	}, SpecTimeout(time.Minute))
})
