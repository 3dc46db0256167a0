// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package v1alpha1_test

import (
	"fmt"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	api "memorytrust.dev/operator/api/v1alpha1"
)

// toolRule is a policy with one rule about tool calls, changed.
func toolRule(change func(*api.ActionRule)) func(*policySpec) {
	return func(s *policySpec) {
		r := api.ActionRule{Name: "payments", Tools: []string{"payments_*"}, Authority: api.ActionAuthorityAct}
		if change != nil {
			change(&r)
		}
		s.Actions.Rules = []api.ActionRule{r}
	}
}

var _ = Describe("The rules of a MemoryTrustPolicy about tool calls", func() {
	DescribeTable("are accepted", func(change func(*policySpec)) { accepted(policy(change)) },
		Entry("the least", toolRule(nil)),
		Entry("everything", toolRule(func(r *api.ActionRule) {
			r.When, r.Sensitive, r.Otherwise = "args.amount < 10", []string{"to", "items[*].iban"}, api.ActionOtherwiseDeny
		})),
		Entry("every sign of a pattern", toolRule(func(r *api.ActionRule) { r.Tools = []string{"A.b_c:d/e@f-9*"} })),
		Entry("as many and as long as can be", func(s *policySpec) {
			long := strings.Repeat("x", 128)
			for i := range 64 {
				s.Actions.Rules = append(s.Actions.Rules, api.ActionRule{
					Name: fmt.Sprintf("%s%d", strings.Repeat("r", 61), i+10)[:63], Tools: slices.Repeat([]string{long}, 16),
					When: strings.Repeat("ä", 1024), Authority: api.ActionAuthorityInform, Sensitive: slices.Repeat([]string{long}, 16),
				})
			}
		}),
		Entry("the shortest lifetimes", func(s *policySpec) {
			s.Actions.TurnLifetimeSeconds, s.Actions.ApprovalLifetimeSeconds = 60, 30
		}),
		Entry("the longest lifetimes", func(s *policySpec) {
			s.Actions.TurnLifetimeSeconds, s.Actions.ApprovalLifetimeSeconds = 86400, 3600
		}),
	)

	DescribeTable("are refused", func(change func(*policySpec), message string) { refused(policy(change), message) },
		Entry("a name in capitals", toolRule(func(r *api.ActionRule) { r.Name = "Payments" }), "a rule's name is lower-case letters"),
		Entry("no name", toolRule(func(r *api.ActionRule) { r.Name = "" }), "should be at least 1 chars long"),
		Entry("a long name", toolRule(func(r *api.ActionRule) { r.Name = strings.Repeat("a", 64) }), "may not be more than 63"),
		Entry("the same name twice", func(s *policySpec) {
			toolRule(nil)(s)
			s.Actions.Rules = append(s.Actions.Rules, s.Actions.Rules[0])
		}, "names of rules must be unique"),
		Entry("no tools", toolRule(func(r *api.ActionRule) { r.Tools = []string{} }), "should have at least 1 items"),
		Entry("a tool with a blank", toolRule(func(r *api.ActionRule) { r.Tools = []string{"a b"} }), "a tool pattern is letters"),
		Entry("a tool without a name", toolRule(func(r *api.ActionRule) { r.Tools = []string{""} }), "should be at least 1 chars long"),
		Entry("a long tool", toolRule(func(r *api.ActionRule) { r.Tools = []string{strings.Repeat("a", 129)} }), "may not be more than 128"),
		Entry("too many tools", toolRule(func(r *api.ActionRule) { r.Tools = slices.Repeat([]string{"a"}, 17) }), "must have at most 16 items"),
		Entry("a long condition", toolRule(func(r *api.ActionRule) { r.When = strings.Repeat("a", 1025) }), "may not be more than 1024"),
		Entry("an authority that is none", toolRule(func(r *api.ActionRule) { r.Authority = "None" }), `supported values: "Act", "Inform"`),
		Entry("another way out", toolRule(func(r *api.ActionRule) { r.Otherwise = "Allow" }), `supported values: "RequireApproval", "Deny"`),
		Entry("too many paths", toolRule(func(r *api.ActionRule) { r.Sensitive = slices.Repeat([]string{"a"}, 17) }), "must have at most 16 items"),
		Entry("a path without a name", toolRule(func(r *api.ActionRule) { r.Sensitive = []string{""} }), "should be at least 1 chars long"),
		Entry("too many rules", func(s *policySpec) {
			for i := range 65 {
				s.Actions.Rules = append(s.Actions.Rules, api.ActionRule{Name: fmt.Sprintf("r%d", i), Tools: []string{"a"}, Authority: api.ActionAuthorityAct})
			}
		}, "must have at most 64 items"),
		Entry("turns that last too short", func(s *policySpec) { s.Actions.TurnLifetimeSeconds = 59 }, "should be greater than or equal to 60"),
		Entry("turns that last too long", func(s *policySpec) { s.Actions.TurnLifetimeSeconds = 86401 }, "should be less than or equal to 86400"),
		Entry("approvals that last too short", func(s *policySpec) { s.Actions.ApprovalLifetimeSeconds = 29 }, "should be greater than or equal to 30"),
		Entry("approvals that last too long", func(s *policySpec) { s.Actions.ApprovalLifetimeSeconds = 3601 }, "should be less than or equal to 3600"),
	)

	It("keep their order and get no defaults inside, beside those of the lifetimes", func() {
		rules := []api.ActionRule{
			{Name: "b", Tools: []string{"z", "a"}, Authority: api.ActionAuthorityInform},
			{Name: "a", Tools: []string{"*"}, Authority: api.ActionAuthorityAct},
		}
		p := policy(func(s *policySpec) { s.Actions.Rules = slices.Clone(rules) })
		accepted(p)
		Expect(p.Spec.Actions).To(Equal(api.ActionsSpec{Rules: rules, TurnLifetimeSeconds: 3600, ApprovalLifetimeSeconds: 300}))
		p = policy(nil)
		accepted(p)
		Expect(p.Spec.Actions).To(Equal(api.ActionsSpec{TurnLifetimeSeconds: 3600, ApprovalLifetimeSeconds: 300}))
	})
})
