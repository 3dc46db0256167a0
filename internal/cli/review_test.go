// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/terminal"
)

// ids writes memories that wait and returns their names, in the order of the queue.
func (s *screenerOf) ids(texts ...string) []string {
	GinkgoHelper()
	var out []string
	for _, text := range texts {
		out = append(out, s.write(text, "web:example.org"))
	}
	return out
}

// clean rejects whatever still waits, so that the next spec begins with an empty queue.
func clean(namespace string) {
	GinkgoHelper()
	for name := range strings.Lines(ada().done("list", "-n", namespace, "--pending", "-o", "name")) {
		ada().done("reject", strings.TrimSpace(name), "-n", namespace, "--reason", "the next spec begins")
	}
}

var _ = Describe("Reviewing what is piped in", Ordered, ContinueOnFailure, func() {
	BeforeAll(people)
	BeforeEach(func() { clean(desk) })

	It("decides, skips, comes back, undoes, and says how to take it back", func() {
		ids := reception.ids("Room 12 has a view of the sea.", "The lift is out of order.", "Breakfast is served until eleven.")
		got := rita().runWith("next\nskip\nreject\nnot true\nundo\na seen myself\nreject again\n", "review", "-n", desk)
		// The first goes last, the second is skipped, the third is rejected, comes back and is approved; then the first is rejected.
		Expect(got.code).To(Equal(0), got.stdout+got.stderr)
		Expect(reception.head(ids[0]).State).To(Equal(memory.Rejected))
		Expect(reception.head(ids[1]).State).To(Equal(memory.PendingReview))
		Expect(reception.head(ids[2]).State).To(Equal(memory.Approved))
		Expect(reception.head(ids[2]).Reason).To(Equal("seen myself"))
		Expect(reception.head(ids[2]).Actor).To(Equal("person/rita@example.com"))
		Expect(got.stdout).To(ContainSubstring("  | Room 12 has a view of the sea."))
		Expect(got.stdout).To(ContainSubstring("Review: 1 approved, 1 rejected, 1 undone, 1 skipped; 0 left."))
		Expect(got.stdout).To(ContainSubstring("review> a seen myself"))
		_, sum, _ := strings.Cut(got.stdout, "\nReview:")
		undo(sum)
		Expect(reception.head(ids[0]).State).To(Equal(memory.PendingReview))
		Expect(reception.head(ids[2]).State).To(Equal(memory.PendingReview))
	})

	It("explains, and shows neighbors", func() {
		lead := reception.ids("The garden closes at sunset.")[0]
		out, err := reception.gate.Encode(ctx, gate.Caller{}, gate.Write{Content: "Guests leave the garden before dark.", Source: "web:example.org", Parents: []string{lead}})
		Expect(err).NotTo(HaveOccurred())
		got := rita().runWith(neighborsElsewhere+"\nwhy\ncontent\nhelp\nquit\n", "review", "-n", desk)
		Expect(got.code).To(Equal(0), got.stdout)
		Expect(got.stdout).To(And(
			MatchRegexp(out.ID+` derived from it`), ContainSubstring("  | Guests leave the garden before dark."),
			ContainSubstring("Screening found:"), ContainSubstring("A recall: Delivered"), ContainSubstring(reception.head(lead).Commit),
			ContainSubstring("promote REASON"), ContainSubstring("nothing decided; 2 left"),
		))
	})

	It("asks for evidence where Trusted is next, and says which rules are not met", func() {
		id := reception.ids("The safe is in the office.")[0]
		got := rita().runWith("promote it is needed\nT-7\n"+strings.Repeat("ab", 32)+"\n", "review", "-n", desk)
		Expect(got.code).To(Equal(terminal.ExitRefused), got.stdout)
		Expect(got.stdout).To(And(ContainSubstring("corroboration"), Not(ContainSubstring("anchor:"))))
		got = rita().runWith("promote it is needed\nT-7\n/nowhere\n", "review", "-n", desk)
		Expect(got.code).To(Equal(terminal.ExitUsage))
		Expect(reception.head(id).State).To(Equal(memory.PendingReview))
		ada().done("quarantine", id, "-n", desk, "--reason", "once more")
		got = rita().runWith("p it is needed\n", "review", "-n", desk)
		Expect(got.code).To(Equal(0), got.stdout)
		Expect(reception.head(id).Zone).To(Equal(memory.Working))
	})

	It("ends at what it cannot carry out: the lines that follow were meant for something else", func() {
		ids := reception.ids("Towels are in the cellar.", "The pool is heated.")
		for input, code := range map[string]int{
			"aprove x\napprove x\n":                          terminal.ExitUsage,
			"approve\n\napprove x\n":                         terminal.ExitUsage,
			"undo\napprove x\n":                              terminal.ExitUsage,
			"\napprove x\n":                                  terminal.ExitUsage,
			strings.Repeat("x", maxLine+1) + "\napprove x\n": terminal.ExitUsage,
		} {
			got := rita().runWith(input, "review", "-n", desk)
			Expect(got.code).To(Equal(code), got.stdout)
			Expect(reception.head(ids[0]).State).To(Equal(memory.PendingReview))
		}
		got := victor().runWith("approve x\napprove x\n", "review", "-n", desk)
		Expect(got.code).To(Equal(terminal.ExitRefused))
		Expect(got.stdout).To(ContainSubstring("no right to get memories/content"))
		Expect(got.stdout).NotTo(ContainSubstring("Towels"))
		Expect(reception.head(ids[1]).State).To(Equal(memory.PendingReview))
	})

	It("has nothing to show where nothing waits", func() {
		Expect(rita().done("review", "-n", desk)).To(Equal("Nothing waits.\n"))
	})
})
