//go:build e2e

// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// Priorities of containers; those that take the operator away come last.
const (
	priorityOutage    = -10
	priorityUninstall = -20
)

// soon bounds how long new policy and keys may take to reach a running sidecar. A kubelet that syncs every minute needs
// up to 80 s by itself.
const soon = 30 * time.Second

// installed says that the operator is there because this suite installed it.
var installed bool

func TestE2E(t *testing.T) {
	RegisterFailHandler(Fail)
	SetDefaultEventuallyTimeout(time.Minute)
	SetDefaultEventuallyPollingInterval(250 * time.Millisecond)
	SetDefaultConsistentlyDuration(3 * time.Second)
	SetDefaultConsistentlyPollingInterval(250 * time.Millisecond)
	RunSpecs(t, "MemoryTrust end to end")
}

var _ = BeforeSuite(func(ctx SpecContext) {
	connect()
	reportKubeletSync(ctx)
	installed = installIfAbsent(ctx)
	waitForAdmission(ctx)
}, NodeTimeout(5*time.Minute))

var _ = AfterSuite(func(ctx SpecContext) {
	removeNamespaces(ctx)
	if installed {
		uninstall(ctx)
		removeCRDs(ctx)
	}
}, NodeTimeout(3*time.Minute))

var _ = JustAfterEach(func(ctx context.Context) {
	if CurrentSpecReport().Failed() {
		dump(ctx)
	}
})
