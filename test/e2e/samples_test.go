//go:build e2e

// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("The samples", func() {
	It("are accepted as they are, and the agent among them runs", func(ctx SpecContext) {
		namespace := newNamespace(ctx, nil)
		Expect(k8s.Create(ctx, channelToken(namespace, "a-token-for-the-samples"))).To(Succeed())
		files, err := filepath.Glob(filepath.Join(repositoryRoot(), "config/samples/policy-*.yaml"))
		Expect(err).NotTo(HaveOccurred())
		Expect(files).NotTo(BeEmpty())
		for _, file := range append(files, filepath.Join(repositoryRoot(), "config/samples/agent.yaml")) {
			By(filepath.Base(file))
			content, err := os.ReadFile(file)
			Expect(err).NotTo(HaveOccurred())
			manifest := strings.ReplaceAll(string(content), "namespace: travel", "namespace: "+namespace)
			if version := os.Getenv("VERSION"); version != "" {
				manifest = retag(manifest, "memorytrust.dev/test-agent:", version)
			}
			if strings.HasPrefix(filepath.Base(file), "policy-") {
				_, err = kubectl(ctx, manifest, "apply", "--dry-run=server", "-f", "-")
				Expect(err).NotTo(HaveOccurred())
				if filepath.Base(file) != "policy-prefix.yaml" {
					continue
				}
			}
			apply(ctx, namespace, manifest)
		}
		By("memorybenchmark.yaml")
		content, err := os.ReadFile(filepath.Join(repositoryRoot(), "config/samples/memorybenchmark.yaml"))
		Expect(err).NotTo(HaveOccurred())
		_, err = kubectl(ctx, strings.ReplaceAll(string(content), "namespace: travel", "namespace: "+namespace), "apply", "--dry-run=server", "-f", "-")
		Expect(err).NotTo(HaveOccurred())
		_, err = kubectl(ctx, "", "rollout", "status", "deployment", "-n", namespace, "--timeout=60s")
		Expect(err).NotTo(HaveOccurred())
		output, err := kubectl(ctx, "", "exec", "-n", namespace, "deployment/concierge", "-c", agentContainer, "--",
			"/test-agent", "browse", "web:evil.example", plantedOnWeb)
		Expect(err).NotTo(HaveOccurred())
		Expect(output).To(ContainSubstring("Quarantine"))
	}, SpecTimeout(2*time.Minute))
})
