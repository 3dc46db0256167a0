// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package v1alpha1_test

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	api "memorytrust.dev/operator/api/v1alpha1"
)

// behind is a policy with one upstream of a kind, changed.
func behind(kind api.UpstreamKind, change func(*api.Upstream)) func(*policySpec) {
	return func(s *policySpec) {
		u := api.Upstream{Name: "up", URL: "http://up.tools.svc:8000/mcp", Kind: kind}
		if change != nil {
			change(&u)
		}
		s.Upstreams = append(s.Upstreams, u)
	}
}

func withRule(kind api.UpstreamKind, r api.UpstreamToolRule) func(*policySpec) {
	return behind(kind, func(u *api.Upstream) { u.ToolRules = []api.UpstreamToolRule{r} })
}

func credentialIn(header string) func(*policySpec) {
	return behind("Tools", func(u *api.Upstream) {
		u.CredentialSecretRef, u.CredentialHeader = &api.SecretKeyRef{Name: "up"}, header
	})
}

var _ = Describe("The upstreams of a MemoryTrustPolicy", func() {
	DescribeTable("are accepted", func(change func(*policySpec)) { accepted(policy(change)) },
		Entry("a memory server", behind("Memory", nil)),
		Entry("a tools server", behind("Tools", nil)),
		Entry("an old server over TLS", behind("Tools", func(u *api.Upstream) { u.URL, u.Transport = "https://tools.example.com/sse", "SSE" })),
		Entry("a credential", credentialIn("")),
		Entry("a credential in a header of its own", credentialIn("X-API-Key")),
		Entry("a tool that writes", withRule("Memory", api.UpstreamToolRule{Tools: []string{"save_*"}, Effect: "Write", Content: []string{"items[*].text"}})),
		Entry("a tool that is refused", withRule("Memory", api.UpstreamToolRule{Tools: []string{"*"}, Effect: "Refuse"})),
		Entry("a tool that reads the web", withRule("Tools", api.UpstreamToolRule{Tools: []string{"fetch"}, Effect: "Call", Class: "WebContent"})),
		Entry("as many as can be", func(s *policySpec) {
			for i := range 16 {
				behind("Tools", func(u *api.Upstream) { u.Name = fmt.Sprintf("up-%d", i) })(s)
			}
		}),
	)

	DescribeTable("are refused", func(change func(*policySpec), message string) { refused(policy(change), message) },
		Entry("two of one name", func(s *policySpec) { behind("Tools", nil)(s); behind("Memory", nil)(s) }, "Duplicate value"),
		Entry("a name that is none", behind("Tools", func(u *api.Upstream) { u.Name = "Up" }), "an upstream's name is lower-case"),
		Entry("no kind", behind("", nil), `supported values: "Memory", "Tools"`),
		Entry("another transport", behind("Tools", func(u *api.Upstream) { u.Transport = "stdio" }), `supported values: "StreamableHTTP", "SSE"`),
		Entry("another scheme", behind("Tools", func(u *api.Upstream) { u.URL = "stdio:npx" }), "http:// or https://, a host"),
		Entry("a password in the url", behind("Tools", func(u *api.Upstream) { u.URL = "https://a:b@example.com/mcp" }), "http:// or https://, a host"),
		Entry("unencrypted to the outside", behind("Tools", func(u *api.Upstream) { u.URL = "http://tools.example.com/mcp" }), "would travel unencrypted"),
		Entry("a header without a credential", behind("Tools", func(u *api.Upstream) { u.CredentialHeader = "X-API-Key" }), "credentialHeader needs credentialSecretRef"),
		Entry("a header of the protocol", credentialIn("Mcp-Session-Id"), "this header belongs to the protocol"),
		Entry("a Secret of the operator", behind("Tools", func(u *api.Upstream) { u.CredentialSecretRef = &api.SecretKeyRef{Name: "mt-x"} }), "belong to the operator"),
		Entry("a tools server that writes", withRule("Tools", api.UpstreamToolRule{Tools: []string{"x"}, Effect: "Write"}), "those of a Tools upstream Call"),
		Entry("a memory server that calls", withRule("Memory", api.UpstreamToolRule{Tools: []string{"x"}, Effect: "Call"}), "tools of a Memory upstream Read"),
		Entry("content of a tool that reads", withRule("Memory", api.UpstreamToolRule{Tools: []string{"x"}, Effect: "Read", Content: []string{"q"}}),
			"content is for tools that Write or Delete"),
		Entry("a class of a memory server", withRule("Memory", api.UpstreamToolRule{Tools: []string{"x"}, Effect: "Read", Class: "WebContent"}),
			"class is for tools of a Tools upstream"),
		Entry("a class that is too high", withRule("Tools", api.UpstreamToolRule{Tools: []string{"x"}, Effect: "Call", Class: "UserInput"}),
			`supported values: "SubagentTrace", "ToolOutput", "WebContent", "Unknown"`),
		Entry("no pattern", withRule("Tools", api.UpstreamToolRule{Tools: []string{"a b"}, Effect: "Call"}), "a tool pattern is letters"),
		Entry("impatience", behind("Tools", func(u *api.Upstream) { u.TimeoutSeconds = 601 }), "less than or equal to 600"),
		Entry("a flood", behind("Tools", func(u *api.Upstream) { u.MaxResultBytes = 1 << 25 }), "less than or equal to 16777216"),
		Entry("a variable that is none", behind("Tools", func(u *api.Upstream) { u.URLEnv = []string{"1A"} }), "an environment variable name"),
	)

	It("defaults transport, patience and size", func() {
		p := policy(behind("Memory", nil))
		accepted(p)
		Expect(p.Spec.Upstreams).To(ConsistOf(api.Upstream{
			Name: "up", URL: "http://up.tools.svc:8000/mcp", Kind: "Memory", Transport: "StreamableHTTP", TimeoutSeconds: 60, MaxResultBytes: 1 << 20,
		}))
	})
})
