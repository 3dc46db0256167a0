//go:build e2e

// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

const (
	memoryAPIDirectory = "config/memory-api"
	memoryAPIService   = "apiservice/v1alpha1.memory.memorytrust.dev"
	memoryAPIPath      = "/apis/memory.memorytrust.dev/v1alpha1/namespaces/"
)

// installMemoryAPI installs the aggregated API and waits until the API server reaches it.
func installMemoryAPI(ctx context.Context) {
	GinkgoHelper()
	rendered, err := kubectl(ctx, "", "kustomize", memoryAPIDirectory)
	Expect(err).NotTo(HaveOccurred())
	if version := os.Getenv("VERSION"); version != "" {
		rendered = retag(rendered, "memorytrust.dev/memory-api:", version)
	}
	_, err = kubectl(ctx, rendered, "apply", "--server-side", "-f", "-")
	Expect(err).NotTo(HaveOccurred())
	out, err := kubectl(ctx, "", "wait", "--for=condition=Available", memoryAPIService, "--timeout=90s")
	Expect(err).NotTo(HaveOccurred(), out)
}

func removeMemoryAPI(ctx context.Context) {
	GinkgoHelper()
	out, err := kubectl(ctx, "", "delete", "--ignore-not-found", "-k", memoryAPIDirectory)
	Expect(err).NotTo(HaveOccurred(), out)
}

var _ = Describe("People with kubectl and the right to review", Ordered, func() {
	const person = "--as=rita@example.com"
	var namespace, id string
	var agent *runningAgent

	BeforeAll(func(ctx SpecContext) {
		installMemoryAPI(ctx)
		DeferCleanup(removeMemoryAPI)
		namespace = newNamespace(ctx, nil)
		apply(ctx, namespace, prefixPolicy)
		agent = run(ctx, agentPod(namespace, "concierge"))
		_, err := kubectl(ctx, "", "create", "rolebinding", "review", "-n", namespace, "--clusterrole=memorytrust-reviewer", "--user=rita@example.com")
		Expect(err).NotTo(HaveOccurred())
		id = agent.browse(ctx, "web:evil.example", plantedOnWeb).ID
	}, NodeTimeout(4*time.Minute))

	It("see what waits, and what it says", func(ctx SpecContext) {
		out, err := kubectl(ctx, "", "get", "memories", "-n", namespace, person, "--field-selector=zone=Quarantine")
		Expect(err).NotTo(HaveOccurred(), out)
		Expect(out).To(And(ContainSubstring(id), ContainSubstring("WebContent"), Not(ContainSubstring("billing-mirror"))))
		out, err = kubectl(ctx, "", "get", "--raw", memoryAPIPath+namespace+"/memories/"+id+"/content", person)
		Expect(err).NotTo(HaveOccurred(), out)
		Expect(out).To(ContainSubstring("billing-mirror"))
	}, SpecTimeout(time.Minute))

	It("decide about the version they saw, under their name", func(ctx SpecContext) {
		commit, err := kubectl(ctx, "", "get", "mem", id, "-n", namespace, person, "-o", "jsonpath={.status.commit}")
		Expect(err).NotTo(HaveOccurred(), commit)
		body := fmt.Sprintf(`{"apiVersion":"memory.memorytrust.dev/v1alpha1","kind":"MemoryDecision","spec":{"commit":%q,"reason":"redirects invoices"}}`, commit)
		reject := memoryAPIPath + namespace + "/memories/" + id + "/reject"
		out, err := kubectl(ctx, body, "create", "--raw", reject, "-f", "-", person)
		Expect(err).NotTo(HaveOccurred(), out)
		Expect(out).To(ContainSubstring(`"done":true`))
		out, err = kubectl(ctx, body, "create", "--raw", reject, "-f", "-", person)
		Expect(err).To(HaveOccurred(), out)
		log, err := kubectl(ctx, "", "get", "--raw", memoryAPIPath+namespace+"/memories/"+id+"/log", person)
		Expect(err).NotTo(HaveOccurred(), log)
		Expect(log).To(And(ContainSubstring("person/rita@example.com"), ContainSubstring("redirects invoices")))
	}, SpecTimeout(time.Minute))

	It("are nobody without the right, in another namespace, or as the agent", func(ctx SpecContext) {
		for _, who := range []string{"--as=nobody@example.com", "--as=system:serviceaccount:" + namespace + ":" + agent.pod.Spec.ServiceAccountName} {
			out, err := kubectl(ctx, "", "get", "memories", "-n", namespace, who)
			Expect(err).To(HaveOccurred(), out)
		}
		out, err := kubectl(ctx, "", "get", "memories", "-n", newNamespace(ctx, nil), person)
		Expect(err).To(HaveOccurred(), out)
	}, SpecTimeout(time.Minute))

	It("are served on through the replacement of its pods, and leave nothing behind when it goes", func(ctx SpecContext) {
		_, err := kubectl(ctx, "", "rollout", "restart", "deployment/memorytrust-memory-api", "-n", operatorNamespace)
		Expect(err).NotTo(HaveOccurred())
		failures := []string{}
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
			if out, err := kubectl(ctx, "", "get", "memories", "-n", namespace, person); err != nil {
				failures = append(failures, strings.TrimSpace(out))
			}
		}
		Expect(failures).To(BeEmpty())
		removeMemoryAPI(ctx)
		out, err := kubectl(ctx, "", "get", memoryAPIService, "--ignore-not-found", "-o", "name")
		Expect(err).NotTo(HaveOccurred(), out)
		Expect(strings.TrimSpace(out)).To(BeEmpty())
	}, SpecTimeout(3*time.Minute))
})
