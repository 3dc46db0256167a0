// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	memoryv1alpha1 "memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/terminal"
)

// People of the suite, by their role in the namespaces of agents.
func nobody() someone { return as("nobody@example.com") }
func victor() someone { return as("victor@example.com") }
func rita() someone   { return as("rita@example.com") }
func ada() someone    { return as("ada@example.com") }

// people get their roles.
func people() {
	GinkgoHelper()
	for _, namespace := range []string{travel, billing, desk} {
		bind(namespace, "memorytrust-viewer", "victor@example.com")
		bind(namespace, "memorytrust-reviewer", "rita@example.com")
		bind(namespace, "memorytrust-admin", "ada@example.com")
	}
	for _, p := range []someone{victor(), rita(), ada()} {
		for _, namespace := range []string{travel, billing, desk} {
			Eventually(func() int { return p.run("list", "-n", namespace).code }).Should(Equal(terminal.ExitDone))
		}
	}
}

// undoing are the commands that an output offers to take it back.
var undoing = regexp.MustCompile(`(?m)^To undo: (?:undo, or later: )?kubectl memtrust (.*)$`)

// words splits a command line as a shell does, as far as quote writes one.
func words(line string) []string {
	var out []string
	for part := range strings.SplitSeq(line, " '") {
		quoted, rest, ok := strings.Cut(part, "'")
		if !ok {
			out = append(out, strings.Fields(part)...)
			continue
		}
		out = append(append(out, quoted), strings.Fields(rest)...)
	}
	return out
}

// undo runs the commands that an output offers, as they stand there.
func undo(output string) {
	GinkgoHelper()
	lines := undoing.FindAllStringSubmatch(output, -1)
	Expect(lines).NotTo(BeEmpty(), output)
	for _, line := range lines {
		got := someone{}.run(words(line[1])...)
		Expect(got.code).To(Equal(0), "%s: %s%s", line[1], got.stdout, got.stderr)
	}
}

// raw reports whether text holds anything that acts on a terminal or hides.
func raw(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return !terminal.Visible(r) && r != '\n' && r != '\t' })
}

var _ = Describe("Looking", Ordered, ContinueOnFailure, func() {
	var planted, fact, tricky string
	BeforeAll(func() {
		people()
		planted, fact, tricky = concierge.write(plant, "web:evil.example"), concierge.write(museum, "web:example.org"), concierge.write(tricks, "web:tricks.example")
	})

	It("lists memories without what they say, in every format", func() {
		got := victor().run("list", "-n", travel, "--agent", "concierge")
		Expect(got.code).To(Equal(0), got.stderr)
		Expect(got.stdout).To(MatchRegexp(`(?m)^NAME +AGENT +ZONE +STATE +CLASS +SOURCE +AGE$`))
		Expect(got.stdout).To(MatchRegexp(`(?m)^` + planted + ` +concierge +Quarantine +PendingReview +WebContent +web:evil\.example +\d`))
		Expect(got.stdout).To(ContainSubstring("web:tricks.example"))
		Expect(got.stdout).NotTo(Or(ContainSubstring("invoice"), ContainSubstring("museum")))
		wide := victor().done("list", "-n", travel, "--zone", "Quarantine", "-o", "wide")
		Expect(wide).To(ContainSubstring(concierge.head(planted).Commit))
		Expect(wide).NotTo(ContainSubstring(fact))
		Expect(victor().done("list", "-n", travel, "--zone=Quarantine", "-o", "name")).To(Equal("memory.memory.memorytrust.dev/" + planted + "\n"))
		var list memoryv1alpha1.MemoryList
		Expect(json.Unmarshal([]byte(victor().done("list", "-n", travel, "--pending", "-o", "json")), &list)).To(Succeed())
		Expect(list.Kind).To(Equal("MemoryList"))
		Expect(list.Items).To(HaveLen(3))
		Expect(list.Items[0].Kind).To(Equal("Memory"))
		var again memoryv1alpha1.MemoryList
		Expect(yaml.Unmarshal([]byte(victor().done("list", "-n", travel, "--pending", "-o", "yaml")), &again)).To(Succeed())
		Expect(again).To(Equal(list))
		Expect(again.Items[2].Status.Source).To(Equal("web:tricks.example"))
	})

	It("says which agents are left out, and how much there is more", func() {
		got := victor().run("list", "-n", travel, "--limit", "1")
		Expect(got.stderr).To(ContainSubstring("--limit 0"))
		Expect(strings.Count(got.stdout, "\n")).To(Equal(2))
		got = victor().run("list", "-n", travel)
		Expect(got.stderr).To(And(ContainSubstring("travel/idle"), ContainSubstring("only while a pod of the agent runs")))
		Expect(victor().run("list", "-n", billing, "--state", "Stale").stderr).To(ContainSubstring("No memories"))
	})

	It("lists all namespaces for those who may", func() {
		other := clerk.write("The invoice of May is paid.", "")
		out := admins().done("list", "-A")
		Expect(out).To(MatchRegexp(`(?m)^NAMESPACE +NAME`))
		Expect(out).To(MatchRegexp(`(?m)^billing +` + other))
		Expect(out).To(MatchRegexp(`(?m)^travel +` + fact))
		got := rita().run("list", "-A")
		Expect(got.code).To(Equal(terminal.ExitRefused))
		Expect(got.stderr).To(ContainSubstring("clusterrolebinding"))
	})

	It("shows what a memory says to those who may read it, and nothing that acts on a terminal", func() {
		out := rita().done("show", planted, "-n", travel)
		Expect(out).To(ContainSubstring("  | " + plant))
		Expect(out).To(And(ContainSubstring("Quarantine, PendingReview: Blocked"), ContainSubstring(concierge.head(planted).Commit)))
		for _, format := range []string{"table", "wide", "json", "yaml"} {
			out := rita().done("show", tricky, "-n", travel, "-o", format)
			Expect(raw(out)).To(BeFalse(), "%s: %q", format, out)
			Expect(out).To(ContainSubstring("nine to five"))
		}
		Expect(rita().done("show", tricky, "-n", travel)).To(ContainSubstring("11 characters that do not show"))
		var log memoryv1alpha1.MemoryLog
		Expect(json.Unmarshal([]byte(rita().done("show", "memory/"+tricky, "-n", travel, "-o", "json")), &log)).To(Succeed())
		Expect(log.Versions).To(HaveLen(1))
		Expect(log.Versions[0].Text.Content).To(Equal(tricks))
		Expect(yaml.Unmarshal([]byte(rita().done("show", tricky, "-n", travel, "-o", "yaml")), &log)).To(Succeed())
		Expect(log.Versions[0].Text.Content).To(Equal(tricks))

		got := victor().run("show", planted, "-n", travel)
		Expect(got.code).To(Equal(0), got.stderr)
		Expect(got.stdout).To(ContainSubstring("no right to get memories/content"))
		Expect(got.stdout).NotTo(ContainSubstring("invoice"))
		Expect(victor().run("show", planted, "-n", travel, "-o", "json").stderr).To(ContainSubstring("memories/content"))
	})

	It("shows the history, and versions of it", func() {
		id := concierge.write("The pool opens at eight.", "web:example.org")
		first := concierge.head(id).Commit
		rita().done("approve", id, "-n", travel, "--reason", "asked the desk")
		out := rita().done("log", id, "-n", travel)
		Expect(out).To(MatchRegexp(`(?m)^COMMIT +CHANGE +ZONE +STATE +BY +AT +WHY$`))
		Expect(out).To(MatchRegexp(`Approved +person/rita@example\.com .* asked the desk`))
		Expect(rita().done("log", id, "-n", travel, "-o", "name")).To(Equal(concierge.head(id).Commit + "\n" + first + "\n"))
		Expect(rita().done("log", id, "-n", travel, "--limit", "1", "-o", "name")).To(Equal(concierge.head(id).Commit + "\n"))
		Expect(rita().done("show", id, "-n", travel, "--commit", first)).To(ContainSubstring("PendingReview"))
		got := rita().run("show", id, "-n", travel, "--commit", strings.Repeat("0", 64))
		Expect(got.code).To(Equal(terminal.ExitUsage))
		Expect(got.stderr).To(ContainSubstring("--commit"))
		Expect(victor().run("log", id, "-n", travel).code).To(Equal(terminal.ExitRefused))
	})

	It("explains what a recall makes of a memory", func() {
		out := victor().done("xray", planted, "-n", travel)
		Expect(out).To(And(ContainSubstring("A recall: Withheld"), ContainSubstring("relevance"), ContainSubstring("Blocked")))
		Expect(out).NotTo(ContainSubstring("invoice"))
		_, err := concierge.gate.Recall(ctx, gate.Caller{}, gate.Recall{Query: "museum Lyon", Session: "s-7"})
		Expect(err).NotTo(HaveOccurred())
		out = rita().done("xray", fact, "-n", travel, "--query", "museum", "--session", "s-7")
		Expect(out).To(And(ContainSubstring("A recall: Delivered"), ContainSubstring("session s-7: 1 times")))
		var x memoryv1alpha1.MemoryXRay
		Expect(json.Unmarshal([]byte(victor().done("xray", fact, "-n", travel, "-o", "json")), &x)).To(Succeed())
		Expect(x.Outcome).To(Equal("Delivered"))
		Expect(victor().run("xray", fact, "-n", travel, "--query", "museum").code).To(Equal(terminal.ExitRefused))
	})

	It("shows how agents stand, and what cannot be reached and why", func() {
		concierge.asks("s-9")
		m := &v1alpha1.AgentMemory{}
		Expect(k8s.Get(ctx, keyOf(travel, "planner"), m)).To(Succeed())
		m.Status = v1alpha1.AgentMemoryStatus{
			PolicyName: "standard", Memories: v1alpha1.MemoryCounts{Quarantine: 3, Working: 40, Trusted: 5, PendingReview: 2}, PodCount: 2,
			Pods: []v1alpha1.AgentPodStatus{{Name: "planner-0", Reachable: metav1.ConditionTrue, ScreenerVersion: "v0.1.0"}, {Name: "planner-1", Reachable: metav1.ConditionFalse}},
			Conditions: []metav1.Condition{
				{Type: v1alpha1.ConditionPolicyAttached, Status: metav1.ConditionTrue, Reason: "Selected", LastTransitionTime: metav1.Now()},
				{Type: v1alpha1.ConditionAgentIsolated, Status: metav1.ConditionFalse, Reason: "MayReadSecrets", Message: "it may get Secrets", LastTransitionTime: metav1.Now()},
			},
		}
		Expect(k8s.Status().Update(ctx, m)).To(Succeed())
		out := victor().done("status", "-n", travel)
		Expect(out).To(MatchRegexp(`(?m)^AGENT +QUARANTINE +WORKING +TRUSTED +WAITING +CALLS +SCREENERS +BOUNDARY$`))
		Expect(out).To(MatchRegexp(`(?m)^planner +3 +40 +5 +0 +0 +1/2 +Partly$`))
		Expect(out).To(MatchRegexp(`(?m)^idle +0 +0 +0 +\? +\? +0/0 +Unknown$`))
		Expect(out).To(MatchRegexp(`(?m)^concierge +0 +0 +0 +3 +1 +0/0 +Unknown$`))
		Expect(out).To(MatchRegexp(`Unreachable: +no pod of it runs`))
		Expect(out).To(MatchRegexp(`AgentIsolated False: +MayReadSecrets: it may get Secrets`))
		Expect(out).To(MatchRegexp(`OriginAuthenticated Unknown: +the operator has not reported it yet`))
		Expect(out).To(MatchRegexp(`Pod planner-1: +its screener did not answer`))
		Expect(out).NotTo(ContainSubstring("PolicyAttached"))
		Expect(out).To(ContainSubstring("kubectl memtrust review --agent concierge -n travel"))
		one := victor().done("status", "planner", "-n", travel, "-o", "wide")
		Expect(one).To(And(MatchRegexp(`REACHABLE +CONTRADICTIONS +POLICY`), MatchRegexp(`Yes +0 +standard +v0\.1\.0`)))
		Expect(one).NotTo(ContainSubstring("concierge"))
		Expect(victor().done("status", "-n", travel, "-o", "name")).To(ContainSubstring("agentmemory.memorytrust.dev/idle\n"))
		var list v1alpha1.AgentMemoryList
		Expect(json.Unmarshal([]byte(victor().done("status", "planner", "-n", travel, "-o", "json")), &list)).To(Succeed())
		Expect(list.Items[0].Status.PolicyName).To(Equal("standard"))
		Expect(admins().done("status", "-A")).To(MatchRegexp(`(?m)^billing +clerk`))
		Expect(victor().run("status", "butler", "-n", travel).code).To(Equal(terminal.ExitNotFound))
		Expect(nobody().run("status", "-n", travel).code).To(Equal(terminal.ExitRefused))
		Expect(admins().run("status", "-n", "default").stderr).To(ContainSubstring("No agents"))
	})

	It("completes names, agents, namespaces, contexts and values", func() {
		complete := func(words ...string) []string {
			GinkgoHelper()
			got := someone{}.run(append([]string{"__complete"}, words...)...)
			Expect(got.code).To(Equal(0), got.stderr)
			Expect(raw(strings.ReplaceAll(got.stdout, "\t", ""))).To(BeFalse(), got.stdout)
			var names []string
			for line := range strings.Lines(got.stdout) {
				name, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
				if !strings.HasPrefix(name, ":") {
					names = append(names, name)
				}
			}
			return names
		}
		flags := append([]string{"-n", travel}, rita().flags...)
		Expect(complete(append(append([]string{"approve"}, flags...), "")...)).To(ConsistOf(planted, fact, tricky))
		Expect(complete(append(append([]string{"approve", fact}, flags...), "")...)).To(ConsistOf(planted, tricky))
		Expect(complete(append(append([]string{"show"}, flags...), fact[:5])...)).To(ContainElement(fact))
		Expect(complete(append(append([]string{"reopen"}, flags...), "")...)).To(BeEmpty())
		Expect(complete(append(append([]string{"list"}, flags...), "--agent", "")...)).To(ConsistOf("concierge", "idle", "planner"))
		Expect(complete(append(append([]string{"status"}, flags...), "")...)).To(ConsistOf("concierge", "idle", "planner"))
		Expect(complete("list", "--kubeconfig="+kubeconfig, "-n", "")).To(ContainElements("travel", "billing"))
		Expect(complete("list", "--kubeconfig="+kubeconfig, "--context", "")).To(HaveLen(1))
		Expect(complete("list", "--zone", "")).To(Equal([]string{"Quarantine", "Working", "Trusted"}))
		Expect(complete("list", "-o", "")).To(Equal(formats))
		Expect(complete("contradictions", "resolve", fact, "")).To(ContainElement("keep-a"))
		Expect(complete("approve", "--kubeconfig=/nowhere", "")).To(BeEmpty())
		for _, shell := range []string{"bash", "zsh", "fish", "powershell", "kubectl"} {
			Expect(someone{}.done("completion", shell)).To(ContainSubstring("__complete"))
		}
		Expect(someone{}.run("completion", "tcsh").code).To(Equal(terminal.ExitUsage))
	})
})

var _ = Describe("The plugin", Ordered, func() {
	// kubectl runs kubectl with the plugin in PATH.
	kubectl := func(args ...string) (string, int) {
		GinkgoHelper()
		dir := filepath.Dir(plugin)
		complete := someone{}.done("completion", "kubectl")
		Expect(os.WriteFile(filepath.Join(dir, "kubectl_complete-memtrust"), []byte(complete), 0o700)).To(Succeed())
		cmd := exec.Command(filepath.Join(os.Getenv("KUBEBUILDER_ASSETS"), "kubectl"), args...)
		cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "KUBECONFIG="+kubeconfig, "HOME="+dir)
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if err != nil {
			Expect(errors.As(err, &exit)).To(BeTrue(), "%v", err)
		}
		return string(out), cmd.ProcessState.ExitCode()
	}

	It("is found by kubectl, with its codes and its completion", func() {
		out, code := kubectl("memtrust", "list", "-n", billing, "--state", "Stale")
		Expect(code).To(Equal(terminal.ExitDone), out)
		Expect(out).To(Equal("No memories.\n"))
		out, code = kubectl("memtrust", "show", exampleID, "-n", billing)
		Expect(code).To(Equal(terminal.ExitNotFound), out)
		out, code = kubectl("__complete", "memtrust", "list", "-n", billing, "--agent", "")
		Expect(code).To(Equal(0), out)
		Expect(out).To(ContainSubstring("clerk\n"))
	})
})

var _ = Describe("Deciding", Ordered, ContinueOnFailure, func() {
	BeforeAll(people)

	DescribeTable("is done in the person's name, told, and taken back by the command that is printed",
		func(verb, text string, before []string, zone memory.Zone, state memory.State, takenBack memory.State) {
			id := clerk.write(text, "web:example.org")
			for _, b := range before {
				ada().done(b, id, "-n", billing, "--reason", "to begin with")
			}
			out := ada().done(verb, id, "-n", billing, "--reason", "checked with the author")
			head := clerk.head(id)
			Expect(head.Zone).To(Equal(zone))
			Expect(head.State).To(Equal(state))
			Expect(head.Actor).To(Equal("person/ada@example.com"))
			Expect(head.Reason).To(Equal("checked with the author"))
			Expect(out).To(And(ContainSubstring(id), ContainSubstring(head.Commit), ContainSubstring(string(state))))
			undo(out)
			Expect(clerk.head(id).State).To(Equal(takenBack))
			Expect(clerk.head(id).Actor).To(Equal("person/ada@example.com"))
		},
		Entry(nil, "approve", "The bakery delivers on Mondays.", nil, memory.Working, memory.Approved, memory.PendingReview),
		Entry(nil, "reject", "Our carrier has its office in Basel.", nil, memory.Working, memory.Rejected, memory.PendingReview),
		Entry(nil, "promote", "Printer paper is stored in the cellar.", []string{"approve", "quarantine"}, memory.Working, memory.Approved, memory.PendingReview),
		Entry(nil, "quarantine", "The accountant is away in August.", nil, memory.Quarantine, memory.PendingReview, memory.Approved),
		Entry(nil, "reopen", "Lunch with the bank was in May.", []string{"reject"}, memory.Quarantine, memory.PendingReview, memory.Rejected),
		Entry(nil, "forget", "Four chairs were ordered from Porto.", nil, memory.Working, memory.Forgotten, memory.PendingReview),
	)

	It("erases for good only with --yes", func() {
		id := clerk.write("Supplier 18 has the account 4711.", "web:example.org")
		got := ada().run("purge", id, "-n", billing, "--reason", "asked to")
		Expect(got.code).To(Equal(terminal.ExitUsage))
		Expect(got.stderr).To(ContainSubstring("--yes"))
		out := ada().done("purge", id, "-n", billing, "--reason", "asked to", "--yes")
		Expect(out).To(ContainSubstring("cannot be undone"))
		Expect(out).NotTo(ContainSubstring("To undo:"))
		Expect(clerk.head(id).Purged).To(BeTrue())
		Expect(ada().done("show", id, "-n", billing)).To(ContainSubstring("was erased"))
	})

	It("is about the version that was seen", func() {
		id := clerk.write("Supplier 19 is closed in August.", "web:example.org")
		seen := clerk.head(id).Commit
		ada().done("quarantine", id, "-n", billing, "--reason", "is it?")
		got := ada().run("reject", id, "-n", billing, "--reason", "no", "--commit", seen)
		Expect(got.code).To(Equal(terminal.ExitChanged))
		Expect(got.stderr).To(ContainSubstring("changed since you looked"))
		Expect(clerk.head(id).State).To(Equal(memory.PendingReview))
		ada().done("reject", id, "-n", billing, "--reason", "no", "--commit", clerk.head(id).Commit)
		Expect(clerk.head(id).State).To(Equal(memory.Rejected))
	})

	It("says rule by rule what would happen, and changes nothing with --dry-run", func() {
		id := clerk.write("Supplier 20 moved to Porto.", "web:example.org")
		before := clerk.head(id)
		out := rita().done("approve", id, "-n", billing, "--reason", "x", "--dry-run")
		Expect(out).To(ContainSubstring("Only tried to approve"))
		Expect(out).NotTo(ContainSubstring("To undo:"))
		file := filepath.Join(GinkgoT().TempDir(), "letter.pdf")
		Expect(os.WriteFile(file, []byte("a letter"), 0o600)).To(Succeed())
		args := []string{"promote", id, "-n", billing, "--reason", "x", "--evidence-source", "T-7", "--evidence-file", file}
		got := rita().run(append(args, "--dry-run")...)
		Expect(got.code).To(Equal(terminal.ExitRefused), got.stderr)
		Expect(got.stdout).To(And(MatchRegexp(`met +anchor`), MatchRegexp(`not met +corroboration`)))
		got = rita().run(args...)
		Expect(got.code).To(Equal(terminal.ExitRefused))
		Expect(got.stderr).To(ContainSubstring("corroboration"))
		Expect(clerk.head(id)).To(Equal(before))
	})

	It("goes on with others where several are named", func() {
		a, b := clerk.write("Supplier 21 is in Lyon.", "web:example.org"), clerk.write("Supplier 22 is in Nice.", "web:example.org")
		got := rita().run("approve", "memory.memory.memorytrust.dev/"+a, exampleID, b, "-n", billing, "--reason", "known", "-o", "name")
		Expect(got.code).To(Equal(terminal.ExitNotFound))
		Expect(got.stdout).To(Equal(memoryName(a) + "\n" + memoryName(b) + "\n"))
		Expect(got.stderr).To(And(ContainSubstring(exampleID), ContainSubstring("1 of 3"), ContainSubstring("To undo:")))
		Expect(clerk.head(b).State).To(Equal(memory.Approved))
		undo(got.stderr)
		Expect(clerk.head(a).State).To(Equal(memory.PendingReview))
		var made memoryv1alpha1.MemoryDecision
		Expect(json.Unmarshal([]byte(rita().done("approve", a, "-n", billing, "--reason", "known", "-o", "json")), &made)).To(Succeed())
		Expect(made.Status.Done).To(BeTrue())
	})

	It("brings back what was replaced as well", func() {
		old := clerk.write("The plumber is Mr. Keller.", "")
		_, err := clerk.gate.Recall(ctx, gate.Caller{}, gate.Recall{Query: "plumber", Session: "s-23"})
		Expect(err).NotTo(HaveOccurred())
		out, err := clerk.gate.Encode(ctx, gate.Caller{}, gate.Write{
			Content: "The plumber is Mrs. Brandt now.", Source: "web:example.org", Supersedes: []string{old}, Session: "s-23",
		})
		Expect(err).NotTo(HaveOccurred())
		said := rita().done("approve", out.ID, "-n", billing, "--reason", "they moved")
		Expect(clerk.head(old).State).To(Equal(memory.Superseded))
		undo(said)
		Expect(clerk.head(out.ID).Zone).To(Equal(memory.Quarantine))
		Expect(clerk.head(old).State).To(Equal(memory.Approved))
	})

	It("needs the right, and says who gives it", func() {
		id := clerk.write("Supplier 24 is paid in June.", "web:example.org")
		for verb, who := range map[string]someone{"approve": victor(), "forget": rita()} {
			got := who.run(verb, id, "-n", billing, "--reason", "x")
			Expect(got.code).To(Equal(terminal.ExitRefused), verb)
			Expect(got.stderr).To(And(ContainSubstring("kubectl create rolebinding"), ContainSubstring("memorytrust-admin")))
		}
		Expect(clerk.head(id).State).To(Equal(memory.PendingReview))
	})

	DescribeTable("says what is wrong, and ends with the code for it",
		func(code int, says string, args ...string) {
			got := rita().run(append(args, "-n", billing)...)
			Expect(got.code).To(Equal(code), got.stdout+got.stderr)
			Expect(got.stderr).To(ContainSubstring(says))
			Expect(got.stderr).To(HavePrefix("error: "))
		},
		Entry(nil, terminal.ExitUsage, "--reason", "approve", exampleID),
		Entry(nil, terminal.ExitUsage, "--reason", "approve", exampleID, "--reason", "  "),
		Entry(nil, terminal.ExitUsage, "--commit", "approve", exampleID, "--reason=x", "--commit=abc"),
		Entry(nil, terminal.ExitUsage, "--commit", "approve", exampleID, "other", "--reason=x", "--commit=abc"),
		Entry(nil, terminal.ExitUsage, "name of a memory", "approve", "--reason=x"),
		Entry(nil, terminal.ExitUsage, "name of a memory", "show"),
		Entry(nil, terminal.ExitUsage, "--zome", "list", "--zome=x"),
		Entry(nil, terminal.ExitUsage, "aprove", "aprove", exampleID),
		Entry(nil, terminal.ExitUsage, "--help"),
		Entry(nil, terminal.ExitUsage, "--output", "list", "-o", "xml"),
		Entry(nil, terminal.ExitUsage, "--zone", "list", "--zone", "Attic"),
		Entry(nil, terminal.ExitUsage, "--class", "list", "--class", "Rumor"),
		Entry(nil, terminal.ExitUsage, "--agent", "list", "--agent", "a,zone=Trusted"),
		Entry(nil, terminal.ExitUsage, "--limit", "list", "--limit", "-1"),
		Entry(nil, terminal.ExitUsage, "--output", "review", "-o", "json"),
		Entry(nil, terminal.ExitUsage, "--zone", "promote", exampleID, "--reason=x", "--zone=Quarantine"),
		Entry(nil, terminal.ExitUsage, "--evidence-file", "promote", exampleID, "--zone=Trusted", "--commit="+strings.Repeat("0", 64), "--reason=x", "--evidence-source=T-7", "--evidence-file=/none"),
		Entry(nil, terminal.ExitUsage, "--evidence-source", "promote", exampleID, "--zone=Trusted", "--commit="+strings.Repeat("0", 64), "--reason=x", "--evidence-sha256="+strings.Repeat("0", 64)),
		Entry(nil, terminal.ExitUsage, "-A", "status", "clerk", "-A"),
		Entry(nil, terminal.ExitUsage, "VERDICT", "contradictions", "resolve", exampleID, "keep", "--reason=x"),
		Entry(nil, terminal.ExitUsage, "--content", "contradictions", "resolve", exampleID, "merge", "--reason=x"),
		Entry(nil, terminal.ExitUsage, "--context", "list", "--context", "nowhere"),
		Entry(nil, terminal.ExitNotFound, "not found", "show", exampleID),
		Entry(nil, terminal.ExitNotFound, "not found", "approve", exampleID, "--reason=x"),
		Entry(nil, terminal.ExitNotFound, "not found", "approvals", "show", exampleID),
		Entry(nil, terminal.ExitNotFound, "not found", "contradictions", "resolve", exampleID, "keep-a", "--reason=x"),
	)

	It("needs a running screener, and says so", func() {
		got := rita().run("approve", exampleID, "-n", travel, "--reason", "x")
		Expect(got.code).To(Equal(terminal.ExitUnavailable), got.stderr)
		Expect(got.stderr).To(ContainSubstring("idle"))
	})
})

var _ = Describe("Tool calls and contradictions", Ordered, ContinueOnFailure, func() {
	BeforeAll(people)

	It("shows calls that wait, with their arguments, and lets people decide", func() {
		id := clerk.asks("s-1")
		out := victor().done("approvals", "list", "-n", billing)
		Expect(out).To(MatchRegexp(`(?m)^NAME +AGENT +TOOL +STATE +MISSING +EXPIRES +AGE$`))
		Expect(out).To(MatchRegexp(id + ` +clerk +pay_card +PendingReview +to,amount`))
		shown := rita().done("approvals", "show", id, "-n", billing)
		Expect(shown).To(And(ContainSubstring("DE44 5001 0517 5407 3249 31"), ContainSubstring("pay_card"), ContainSubstring("payments")))
		Expect(raw(shown)).To(BeFalse())
		Expect(victor().run("approvals", "show", id, "-n", billing).code).To(Equal(terminal.ExitRefused))
		Expect(victor().run("approvals", "approve", id, "-n", billing, "--reason", "x").code).To(Equal(terminal.ExitRefused))
		out = rita().done("approvals", "reject", id, "-n", billing, "--reason", "not asked for")
		Expect(clerk.head(id).State).To(Equal(memory.Rejected))
		undo(out)
		Expect(clerk.head(id).State).To(Equal(memory.PendingReview))
		out = rita().done("approvals", "approve", approvalName(id), "-n", billing, "--reason", "called the guest")
		Expect(clerk.head(id).State).To(Equal(memory.Approved))
		Expect(out).To(ContainSubstring("Approved call " + id))
		undo(out)
		Expect(clerk.head(id).State).To(Equal(memory.Forgotten))
		Expect(victor().run("approvals", "list", "-n", billing).stderr).To(ContainSubstring("No tool calls"))
		Expect(victor().done("approvals", "list", "-n", billing, "--state=Forgotten", "-o", "name")).To(ContainSubstring(id))
	})

	It("shows contradictions, and lets people decide", func() {
		old := planner.write("The office in Lyon closes at 5 on Fridays.", "")
		new := planner.write("The office in Lyon closes at 7 on Fridays.", "web:example.org")
		Eventually(func(g Gomega) bool { // a scan stops at its bound of pairs
			scanned, err := planner.gate.ScanContradictions(ctx, gate.Person{Principal: "test"})
			g.Expect(err).NotTo(HaveOccurred())
			return scanned.More
		}).Should(BeFalse())
		id := strings.TrimPrefix(strings.TrimSpace(victor().done("contradictions", "list", "-n", travel, "-o", "name")), contradictionName(""))
		out := victor().done("contradictions", "list", "-n", travel, "-o", "wide")
		Expect(out).To(MatchRegexp(id + ` +planner +` + old + ` +` + new + ` +Open`))
		shown := rita().done("contradictions", "show", id, "-n", travel)
		Expect(shown).To(And(ContainSubstring("  | The office in Lyon closes at 5"), ContainSubstring("  | The office in Lyon closes at 7"), ContainSubstring("Signs:")))
		Expect(victor().run("contradictions", "show", id, "-n", travel).code).To(Equal(terminal.ExitRefused))
		args := []string{"contradictions", "resolve", id, "keep-a", "-n", travel, "--reason", "as in the contract"}
		Expect(rita().done(append(args, "--dry-run")...)).To(ContainSubstring("Only tried"))
		Expect(planner.head(new).State).NotTo(Equal(memory.Superseded))
		out = rita().done(args...)
		Expect(planner.head(new).State).To(Equal(memory.Superseded))
		undo(out)
		Expect(planner.head(new).State).To(Equal(memory.Approved))
		Expect(victor().run("contradictions", "list", "-n", travel).stderr).To(ContainSubstring("No contradictions"))
		Expect(victor().done("contradictions", "list", "-n", travel, "--decided")).To(MatchRegexp(`Decided +KeepA`))
	})

	It("takes back a merge by what was merged", func() {
		m := maker{Options: &Options{}, about: aboutMemories, namespace: travel}
		lines := m.unresolve([]memoryv1alpha1.AffectedMemory{{Name: "m", Why: "merged", State: "Approved"}, {Name: "a", Why: "superseded", State: "Superseded"}})
		Expect(lines).To(Equal([]string{
			"kubectl memtrust quarantine m -n travel --reason 'undo merge'",
			"kubectl memtrust quarantine a -n travel --reason 'bring back what was replaced'",
			"kubectl memtrust approve a -n travel --reason 'bring back what was replaced'",
		}))
		Expect(slices.Concat(m.bringBack(nil), m.unresolve(nil))).To(BeEmpty())
	})
})
