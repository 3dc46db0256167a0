// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package v1alpha1_test

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	api "memorytrust.dev/operator/api/v1alpha1"
)

// judged is a policy with a judge, changed.
func judged(change func(*api.JudgeSpec)) func(*policySpec) {
	return func(s *policySpec) {
		j := &api.JudgeSpec{URL: "https://api.example.com/v1", Model: "m"}
		if change != nil {
			change(j)
		}
		s.Screening.Judge = j
	}
}

func judgedBy(url string) func(*policySpec) {
	return judged(func(j *api.JudgeSpec) { j.URL = url })
}

func lexicons(refs ...api.LexiconRef) func(*policySpec) {
	return func(s *policySpec) { s.Screening.LexiconRefs = refs }
}

var _ = Describe("The screening of a MemoryTrustPolicy", func() {
	DescribeTable("is accepted", func(change func(*policySpec)) { accepted(policy(change)) },
		Entry("a judge", judged(nil)),
		Entry("a judge with everything", judged(func(j *api.JudgeSpec) {
			j.APIKeySecretRef = &api.SecretKeyRef{Name: "judge", Key: "key"}
			j.Model, j.TimeoutSeconds, j.TextsPerMinute, j.CacheSeconds = "org/model:7b@2", 30, 100000, 2592000
		})),
		Entry("a service within the cluster", judgedBy("http://judge.models.svc:8000/v1")),
		Entry("a service by its full name", judgedBy("http://judge.models.svc.cluster.local/v1/")),
		Entry("a service of the namespace", judgedBy("http://judge:8000/v1")),
		Entry("loopback", judgedBy("http://127.0.0.1:11434/v1")),
		Entry("loopback, IPv6", judgedBy("http://[::1]:8000/v1")),
		Entry("a private address", judgedBy("http://192.168.1.5:8000/v1")),
		Entry("lexicons", lexicons(api.LexiconRef{Name: "a"}, api.LexiconRef{Name: "a", Key: "en.lex"}, api.LexiconRef{Name: "a", Key: "fr.lex"})),
		Entry("as many lexicons as can be", func(s *policySpec) {
			for i := range 16 {
				s.Screening.LexiconRefs = append(s.Screening.LexiconRefs, api.LexiconRef{Name: fmt.Sprintf("%s%02d", strings.Repeat("a", 251), i), Key: strings.Repeat("k", 253)})
			}
		}),
		Entry("thresholds", func(s *policySpec) {
			s.Screening.Thresholds = api.ScreeningThresholds{DirectivePerMille: 1, IntentPerMille: 1000, CoveragePerMille: 500}
		}),
		Entry("no correlation", func(s *policySpec) { s.Screening.Correlation.Mode = api.CorrelationDisabled }),
	)

	DescribeTable("is refused", func(change func(*policySpec), message string) { refused(policy(change), message) },
		Entry("another scheme", judgedBy("ftp://api.example.com/v1"), "http:// or https://, a host"),
		Entry("a user in the url", judgedBy("https://user:pass@api.example.com/v1"), "http:// or https://, a host"),
		Entry("a query in the url", judgedBy("https://api.example.com/v1?key=1"), "http:// or https://, a host"),
		Entry("unencrypted to the outside", judgedBy("http://api.example.com/v1"), "would travel unencrypted"),
		Entry("unencrypted to what looks private", judgedBy("http://10.0.0.1.example.com/v1"), "would travel unencrypted"),
		Entry("unencrypted to a public address", judgedBy("http://8.8.8.8/v1"), "would travel unencrypted"),
		Entry("a long url", judgedBy("https://api.example.com/"+strings.Repeat("a", 500)), "may not be more than 512"),
		Entry("no model", judged(func(j *api.JudgeSpec) { j.Model = "" }), "should be at least 1 chars long"),
		Entry("a model with a blank", judged(func(j *api.JudgeSpec) { j.Model = "a b" }), "printable ASCII without spaces"),
		Entry("patience", judged(func(j *api.JudgeSpec) { j.TimeoutSeconds = 31 }), "less than or equal to 30"),
		Entry("a Secret of the operator", judged(func(j *api.JudgeSpec) { j.APIKeySecretRef = &api.SecretKeyRef{Name: "mt-x"} }), "belong to the operator"),
		Entry("the same lexicon twice", lexicons(api.LexiconRef{Name: "a"}, api.LexiconRef{Name: "a"}), "can be named once"),
		Entry("the same entry twice", lexicons(api.LexiconRef{Name: "a", Key: "k"}, api.LexiconRef{Name: "a", Key: "k"}), "can be named once"),
		Entry("a key that is none", lexicons(api.LexiconRef{Name: "a", Key: "a/b"}), "the key of an entry"),
		Entry("a ConfigMap of the operator", lexicons(api.LexiconRef{Name: "mt-x"}), "belong to the operator"),
		Entry("too many lexicons", lexicons(make([]api.LexiconRef, 17)...), "must have at most 16 items"),
		Entry("a threshold", func(s *policySpec) { s.Screening.Thresholds.IntentPerMille = 1001 }, "less than or equal to 1000"),
		Entry("a mode of correlation", func(s *policySpec) { s.Screening.Correlation.Mode = "Maybe" }, `supported values: "Enabled", "Disabled"`),
	)

	It("has defaults", func() {
		p := policy(judged(nil))
		accepted(p)
		Expect(p.Spec.Screening).To(Equal(api.ScreeningSpec{
			Judge:       &api.JudgeSpec{URL: "https://api.example.com/v1", Model: "m", TimeoutSeconds: 10, TextsPerMinute: 60, CacheSeconds: 86400},
			Correlation: api.CorrelationSpec{Mode: api.CorrelationEnabled, WindowSeconds: 2592000},
		}))
	})
})
