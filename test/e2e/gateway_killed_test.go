//go:build e2e

// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/internal/inject"
)

// killedBySignal is the exit code of a container whose first process got SIGKILL.
const killedBySignal = 128 + 9

var _ = Describe("No gate, no call", Ordered, func() {
	const (
		letter   = "https://evil.example/letter"    // a page of the tools server with an account in it
		hours    = "https://nordwind.example/hours" // a harmless one
		supplier = "DE44500105175407324931"
		shelf    = "The parcel of Nordwind is in shelf seven."
	)
	var namespace string
	var agent *runningAgent
	var killer *corev1.Pod
	var chat, tools, graph caller
	var request, class string // what the session "met" waits for, and what the note counts as

	// open begins a session as the users' chat does, and returns the lowest class that was delivered to it.
	open := func(ctx context.Context, session string) string {
		GinkgoHelper()
		response := chat.post(ctx, "/v1/sessions", map[string]string{"session": session})
		Expect(response.Status).To(Equal(http.StatusCreated), response.Body)
		var out struct{ Mark string }
		response.into(&out)
		return out.Mark
	}
	payments := func(ctx context.Context) int {
		GinkgoHelper()
		var made []any
		tools.get(ctx, "/payments").into(&made)
		return len(made)
	}
	read := func(ctx context.Context, session, page string) {
		GinkgoHelper()
		Expect(upstreamCall(ctx, agent, "TOOLS_MCP_URL", "fetch_page", `{"url":"`+page+`"}`, session).IsError).To(BeFalse())
	}
	search := func(ctx context.Context, session string) {
		GinkgoHelper()
		found := upstreamCall(ctx, agent, "GRAPH_MCP_URL", "search_nodes", `{"query":"parcel"}`, session)
		Expect(string(found.Structured)).To(ContainSubstring(shelf))
	}
	// expectHeld asserts that a payment waits for a person, and returns the request.
	expectHeld := func(ctx context.Context, session string, amount int) string {
		GinkgoHelper()
		asked := payment(ctx, agent, session, supplier, amount)
		Expect(asked.IsError).To(BeTrue(), asked.all())
		Expect(asked.all()).To(ContainSubstring("a person has to approve"))
		id, _ := asked.Meta["memorytrust.dev/reviewId"].(string)
		Expect(id).NotTo(BeEmpty())
		return id
	}

	BeforeAll(func(ctx SpecContext) {
		namespace = newNamespace(ctx, nil)
		for name, credential := range map[string]string{"graph-credential": graphCredential, "tools-credential": toolsCredential} {
			Expect(k8s.Create(ctx, upstreamSecret(namespace, name, credential))).To(Succeed())
		}
		token := channelToken(namespace, usersChat)
		token.Name = "chat-token"
		Expect(k8s.Create(ctx, token)).To(Succeed())
		apply(ctx, namespace, sampleFor(namespace, "upstream-servers.yaml"))
		apply(ctx, namespace, sampleFor(namespace, "policy-upstreams.yaml"))
		_, err := kubectl(ctx, "", "rollout", "status", "deployment", "-n", namespace, "--timeout=60s")
		Expect(err).NotTo(HaveOccurred())

		agent = run(ctx, agentPod(namespace, "clerk"))
		killer = runKiller(ctx, agent.pod.Spec.NodeName)
		chat = channelTo(ctx, agent.pod, usersChat)
		tools, graph = backstage(ctx, namespace, "tools", toolsCredential), backstage(ctx, namespace, "graph", graphCredential)
		Eventually(ctx, func() int {
			return chat.post(ctx, "/v1/sessions", map[string]string{"session": "first"}).Status
		}).WithTimeout(soon).Should(Equal(http.StatusCreated))
		// In a session: what is read outside of any counts for all of them.
		Eventually(ctx, func() (string, error) {
			return execIn(ctx, namespace, agent.pod.Name, agentContainer, "/test-agent", "call", "TOOLS_MCP_URL", "fetch_page", `{"url":"`+hours+`"}`, "first")
		}).WithTimeout(soon).Should(ContainSubstring("from nine to five"))
	}, NodeTimeout(4*time.Minute))

	It("before: a session that met a page may not pay, another one may, and a note is remembered", func(ctx SpecContext) {
		for _, session := range []string{"met", "last", "clean", "waiting", "next", "noting", "recalling", "recalling-later", "unvouched"} {
			Expect(open(ctx, session)).To(Equal("UserInput"))
		}
		By("paying in a session that met nothing")
		Expect(payment(ctx, agent, "clean", supplier, 77).IsError).To(BeFalse())
		Expect(payments(ctx)).To(Equal(1))

		By("asking for the same in one that met a page")
		read(ctx, "met", letter)
		request = expectHeld(ctx, "met", 77)
		Expect(open(ctx, "met")).To(Equal("WebContent"))

		By("noting something on the memory server, and reading it back")
		note := `{"entities":[{"name":"Parcel","entityType":"thing","observations":["` + shelf + `"]}]}`
		Expect(upstreamCall(ctx, agent, "GRAPH_MCP_URL", "create_entities", note, "noting").IsError).To(BeFalse())
		search(ctx, "recalling")
		class = open(ctx, "recalling")
		Expect(class).To(Equal("AgentInferred"))
	}, SpecTimeout(time.Minute))

	It("killed once, it is back at once, and nothing that was held got through meanwhile", func(ctx SpecContext) {
		restarts := screenerNow(ctx, agent.pod).RestartCount
		stop := insist(ctx, agent, "met", fmt.Sprintf(`{"to":%q,"amount":77}`, supplier))
		By("reading a page, and killing the screener right after the answer")
		read(ctx, "last", letter)
		killScreener(ctx, killer, agent.pod)
		waitForRestart(ctx, agent.pod, restarts+1)
		expectHeld(ctx, "last", 77)
		Expect(open(ctx, "last")).To(Equal("WebContent"), "what it met a moment before the kill")
		tried, made := stop()
		AddReportEntry("held call, while the screener was killed and started", fmt.Sprintf("tried %d times", tried), ReportEntryVisibilityAlways)
		Expect(made).To(BeEmpty())
		Expect(tried).To(BeNumerically(">", 2))
		Expect(payments(ctx)).To(Equal(1))
	}, SpecTimeout(2*time.Minute))

	It("while it is down every call fails, and the servers see none", func(ctx SpecContext) {
		restarts, known := screenerNow(ctx, agent.pod).RestartCount, held(ctx, graph)
		By("killing it again: now the kubelet waits before it starts it")
		killScreener(ctx, killer, agent.pod)
		begin := time.Now()
		Eventually(ctx, func() *corev1.ContainerStateWaiting { return screenerNow(ctx, agent.pod).State.Waiting }).
			Should(HaveValue(HaveField("Reason", "CrashLoopBackOff")))

		By("calling through the gateway what would be allowed")
		for _, call := range [][]string{
			{"TOOLS_MCP_URL", "send_payment", fmt.Sprintf(`{"to":%q,"amount":77}`, supplier), "waiting"},
			{"TOOLS_MCP_URL", "fetch_page", `{"url":"` + hours + `"}`, "first"},
			{"GRAPH_MCP_URL", "create_entities", `{"entities":[{"name":"Ada","entityType":"person","observations":["Ada likes green tea."]}]}`, "noting"},
			{"GRAPH_MCP_URL", "read_graph", "{}", "noting"},
		} {
			output, err := execIn(ctx, namespace, agent.pod.Name, agentContainer, append([]string{"/test-agent", "call"}, call...)...)
			Expect(err).To(HaveOccurred(), "%s: %s", call[1], output)
			Expect(output).To(ContainSubstring("connection refused"), call[1])
		}
		By("calling the servers without it, and without the credential that it holds")
		for _, server := range []string{"tools", "graph"} {
			output, err := execIn(ctx, namespace, agent.pod.Name, agentContainer, "/test-agent", "call", "http://"+server+"."+namespace+".svc:8081/mcp",
				"send_payment", fmt.Sprintf(`{"to":%q,"amount":77}`, supplier))
			Expect(err).To(HaveOccurred(), output)
			Expect(output).To(ContainSubstring("Unauthorized"))
		}
		Expect(payments(ctx)).To(Equal(1))
		Expect(held(ctx, graph)).To(Equal(known))
		down := screenerNow(ctx, agent.pod)
		Expect(down.State.Waiting).NotTo(BeNil(), "it was down all the time")
		Expect(down.RestartCount).To(Equal(restarts))

		By("waiting for the kubelet to start it")
		waitForRestart(ctx, agent.pod, restarts+1)
		AddReportEntry("screener down", within(begin), ReportEntryVisibilityAlways)
	}, SpecTimeout(3*time.Minute))

	It("after: calls go through again, and what the sessions met still counts", func(ctx SpecContext) {
		Expect(expectHeld(ctx, "met", 77)).To(Equal(request), "the very request that waited before")
		Expect(open(ctx, "met")).To(Equal("WebContent"))
		expectHeld(ctx, "last", 77)
		Expect(payments(ctx)).To(Equal(1))

		By("paying in sessions that were open before, and met nothing")
		Expect(payment(ctx, agent, "waiting", supplier, 77).IsError).To(BeFalse(), "the call that failed while it was down")
		Expect(payment(ctx, agent, "next", supplier, 78).IsError).To(BeFalse())
		Expect(payments(ctx)).To(Equal(3))

		By("the pod is the same, and so is the agent's container")
		var now corev1.Pod
		Expect(k8s.Get(ctx, client.ObjectKeyFromObject(agent.pod), &now)).To(Succeed())
		Expect(now.UID).To(Equal(agent.pod.UID))
		Expect(now.Status.ContainerStatuses[0].RestartCount).To(BeZero())
	}, SpecTimeout(time.Minute))

	It("after: the note is recalled with its class, and what nobody vouched for is Unknown as before", func(ctx SpecContext) {
		search(ctx, "recalling-later")
		Expect(open(ctx, "recalling-later")).To(Equal(class))
		Expect(open(ctx, "recalling")).To(Equal(class))

		plantInto(ctx, graph, "The key of the store is under the mat.")
		planted := upstreamCall(ctx, agent, "GRAPH_MCP_URL", "search_nodes", `{"query":"under the mat"}`, "unvouched")
		Expect(string(planted.Structured)).To(ContainSubstring("under the mat"))
		Expect(open(ctx, "unvouched")).To(Equal("Unknown"))
	}, SpecTimeout(time.Minute))
})

// runKiller starts a pod that sees the processes of a node and may end those of the screener's user: what the node itself can do when
// it runs out of memory, and no container of the agent's pod. From inside its own PID namespace nothing can kill the screener, as it is
// the first process there, and injection refuses shared ones.
func runKiller(ctx context.Context, node string) *corev1.Pod {
	GinkgoHelper()
	pod := unlabelledPod(newNamespace(ctx, map[string]string{"pod-security.kubernetes.io/enforce": "privileged"}), "killer")
	pod.Spec.NodeName = node
	pod.Spec.HostPID = true
	pod.Spec.Containers[0].SecurityContext.RunAsUser = ptr.To(inject.UserID)
	createPod(ctx, pod)
	waitUntilReady(ctx, pod)
	return pod
}

// killScreener sends SIGKILL to the screener of an agent's pod.
func killScreener(ctx context.Context, killer, agent *corev1.Pod) {
	GinkgoHelper()
	_, id, _ := strings.Cut(screenerNow(ctx, agent).ContainerID, "://")
	output, err := execIn(ctx, killer.Namespace, killer.Name, agentContainer, "/test-agent", "kill", id)
	Expect(err).NotTo(HaveOccurred(), output)
}

// screenerNow is the status of the screener's container as it is now.
func screenerNow(ctx context.Context, agent *corev1.Pod) *corev1.ContainerStatus {
	GinkgoHelper()
	var pod corev1.Pod
	Expect(k8s.Get(ctx, client.ObjectKeyFromObject(agent), &pod)).To(Succeed())
	status := screenerStatus(&pod)
	Expect(status).NotTo(BeNil())
	return status
}

// waitForRestart waits until the screener runs again, restarted as often as that, by a kill and by nothing else, and the pod is ready.
func waitForRestart(ctx context.Context, agent *corev1.Pod, restarts int32) {
	GinkgoHelper()
	Eventually(ctx, func(g Gomega) {
		status := screenerNow(ctx, agent)
		g.Expect(status.RestartCount).To(Equal(restarts))
		g.Expect(status.State.Running).NotTo(BeNil())
		g.Expect(status.Ready).To(BeTrue())
		g.Expect(status.LastTerminationState.Terminated).To(HaveValue(HaveField("ExitCode", BeEquivalentTo(killedBySignal))))
	}).WithTimeout(90 * time.Second).Should(Succeed())
	waitUntilReady(ctx, agent.DeepCopy())
}

// insist lets the agent ask for a payment over and over, until stop, which returns how often it tried and what of it was made.
func insist(ctx context.Context, agent *runningAgent, session, arguments string) (stop func() (tried int, made []string)) {
	ctx, cancel := context.WithCancel(ctx)
	DeferCleanup(cancel)
	var running sync.WaitGroup
	var tried int
	var made []string
	running.Go(func() {
		for ctx.Err() == nil {
			output, err := execIn(ctx, agent.pod.Namespace, agent.pod.Name, agentContainer,
				"/test-agent", "call", "TOOLS_MCP_URL", "send_payment", arguments, session)
			tried++
			var result toolResult
			if err == nil && (json.Unmarshal([]byte(output), &result) != nil || !result.IsError) {
				made = append(made, output)
			}
			select {
			case <-ctx.Done():
			case <-time.After(200 * time.Millisecond):
			}
		}
	})
	return func() (int, []string) {
		cancel()
		running.Wait()
		return tried, made
	}
}
