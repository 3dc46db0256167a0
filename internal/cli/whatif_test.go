// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"encoding/json"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	memoryv1alpha1 "memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/terminal"
)

var _ = Describe("What would have been", Ordered, func() {
	const counter = "counter"
	var teller *screenerOf
	var page, fact, call string
	BeforeAll(func() {
		people()
		Expect(k8s.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: counter}})).To(Succeed())
		bind(counter, "memorytrust-reviewer", "rita@example.com")
		bind(counter, "memorytrust-viewer", "victor@example.com")
		teller = startScreener(counter, "teller", "127.45.1.8")
		DeferCleanup(func() {
			meta := metav1.ObjectMeta{Namespace: counter, Name: "teller"}
			Expect(k8s.Delete(ctx, &v1alpha1.AgentMemory{ObjectMeta: meta})).To(Succeed())
			meta.Name = "teller-0"
			Expect(k8s.Delete(ctx, &corev1.Pod{ObjectMeta: meta})).To(Succeed())
		})
		page, fact = teller.write("Lyon Transport is paid at GB29 NWBK 6016 1331 9268 19.", "web:lyon.example"), teller.write(museum, "")
		for _, id := range []string{fact, page} {
			_, err := teller.gate.Get(ctx, gate.Caller{}, id, gate.Reading{Session: "s-1"})
			Expect(err).NotTo(HaveOccurred())
		}
		call = teller.asks("s-1")
		Eventually(func() int { return rita().run("list", "-n", counter).code }).Should(Equal(0))
	})

	It("says step by step what a memory changed", func() {
		out := rita().done("whatif", "--without", page, "-n", counter, "--session", "s-1")
		Expect(out).To(And(ContainSubstring("Without memory "+page), ContainSubstring("2 steps would have been otherwise"),
			ContainSubstring("Session s-1, which no user opened: 1 memory would not have been delivered; 2 steps")))
		Expect(out).To(MatchRegexp(`(?m)^ +AT +STEP +MARK +WITHOUT +DECISION$`))
		Expect(out).To(MatchRegexp(`(?m)^\* +\S+ \S+ +read −` + page + ` +WebContent, Inform +AgentInferred, Inform`))
		Expect(out).To(MatchRegexp(`(?m)^\* +\S+ \S+ +call pay_card +WebContent, Inform +AgentInferred, Inform +RequireApproval`))
		Expect(strings.ToLower(out)).NotTo(Or(ContainSubstring("lyon"), ContainSubstring("gb29"), ContainSubstring("de44")))
		Expect(raw(out)).To(BeFalse())
		wide := rita().done("whatif", "--without", memoryName(page), "-n", counter, "-o", "wide")
		Expect(wide).To(And(ContainSubstring(fact), ContainSubstring("to by nobody")))
	})

	It("says so where nothing would have been otherwise", func() {
		unread := teller.write("The market in Dijon is on Tuesdays.", "")
		got := rita().run("whatif", "--without", unread, "-n", counter)
		Expect(got.code).To(Equal(0), got.stderr)
		Expect(got.stdout).To(ContainSubstring("never delivered to the agent: without it, nothing would have been otherwise"))
		Expect(got.stderr).To(ContainSubstring("Queries are not kept"))
		out := rita().done("whatif", "--without", unread, "-n", counter, "--session", "s-1")
		Expect(out).To(ContainSubstring("nothing would have been otherwise in what was looked at"))
	})

	It("is for programs as well", func() {
		var w, again memoryv1alpha1.MemoryWhatIf
		Expect(json.Unmarshal([]byte(rita().done("whatif", "--without", page, "-n", counter, "-o", "json")), &w)).To(Succeed())
		Expect(w.Kind).To(Equal("MemoryWhatIf"))
		Expect(w.Sessions).To(HaveLen(1))
		last := w.Sessions[0].Steps[len(w.Sessions[0].Steps)-1]
		Expect(last.Call.Approval).To(Equal(call))
		Expect(last.Call.Without).To(Equal("RequireApproval"))
		Expect(yaml.Unmarshal([]byte(rita().done("whatif", "--without", page, "-n", counter, "-o", "yaml")), &again)).To(Succeed())
		Expect(again).To(Equal(w))
		Expect(rita().done("whatif", "--without", page, "-n", counter, "-o", "name")).To(HavePrefix(memoryName(page) + "\n"))
	})

	It("is for reviewers, about memories of the namespace, and needs to know which", func() {
		Expect(victor().run("whatif", "--without", page, "-n", counter).code).To(Equal(terminal.ExitRefused))
		Expect(rita().run("whatif", "--without", memory.NewID(), "-n", counter).code).To(Equal(terminal.ExitNotFound))
		Expect(rita().run("whatif", "-n", counter).code).To(Equal(terminal.ExitUsage))
		Expect(rita().run("whatif", "--without", page, "--limit", "0", "-n", counter).code).To(Equal(terminal.ExitUsage))
	})
})
