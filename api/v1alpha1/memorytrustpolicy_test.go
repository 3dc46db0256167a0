// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package v1alpha1_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	api "memorytrust.dev/operator/api/v1alpha1"
)

type policySpec = api.MemoryTrustPolicySpec

func policy(change func(*policySpec)) *api.MemoryTrustPolicy {
	p := &api.MemoryTrustPolicy{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", GenerateName: "p-"},
		Spec:       policySpec{Store: api.StoreSpec{Type: api.StoreTypeEphemeral}},
	}
	if change != nil {
		change(&p.Spec)
	}
	return p
}

func console() api.Channel {
	return api.Channel{
		Name: "console", Class: api.SourceClassManual, Principal: "ops@example.com",
		TokenSecretRef: &api.SecretKeyRef{Name: "console-token"},
	}
}

func channels(n int) []api.Channel {
	var out []api.Channel
	for i := range n {
		c := console()
		c.Name = fmt.Sprintf("c%d", i)
		out = append(out, c)
	}
	return out
}

func channel(change func(*api.Channel)) func(*policySpec) {
	return func(s *policySpec) {
		c := console()
		change(&c)
		s.Trust.Channels = []api.Channel{c}
	}
}

func account(name, namespace string) func(*policySpec) {
	return channel(func(c *api.Channel) {
		c.TokenSecretRef, c.ServiceAccountRef = nil, &api.ServiceAccountRef{Name: name, Namespace: namespace}
	})
}

func prefix(p string) func(*policySpec) {
	return func(s *policySpec) {
		s.Trust.Formats = []api.TrustedFormat{{Prefix: p, Class: api.SourceClassManual}}
	}
}

func class(name api.SourceClass, change func(*api.ClassRules)) func(*policySpec) {
	return func(s *policySpec) {
		c := api.ClassRules{Class: name}
		change(&c)
		s.Zones.Classes = []api.ClassRules{c}
	}
}

func decay(name api.SourceClass, perMille int32) func(*policySpec) {
	return class(name, func(c *api.ClassRules) { c.DecayPerDayPerMille = perMille })
}

func postgresStore(secret string) api.StoreSpec {
	return api.StoreSpec{Type: api.StoreTypePostgres, Postgres: &api.PostgresStore{OwnerSecretRef: api.SecretKeyRef{Name: secret}}}
}

var _ = Describe("MemoryTrustPolicy", func() {
	DescribeTable("accepts", func(change func(*policySpec)) { accepted(policy(change)) },
		Entry("the least", nil),
		Entry("Signed with a channel", func(s *policySpec) {
			s.Trust = api.TrustSpec{Mode: api.TrustModeSigned, Channels: channels(1)}
		}),
		Entry("Prefix with a channel", func(s *policySpec) { s.Trust.Channels = channels(1) }),
		Entry("DryRun and Withhold", func(s *policySpec) {
			s.Enforcement, s.Review = api.EnforcementDryRun, api.ReviewModeWithhold
		}),
		Entry("a prefix of words", prefix("meridian:cli.v2:a_b-c")),
		Entry("a prefix that merely contains a distrusted word", prefix("republic:externals")),
		Entry("the longest prefix", prefix(strings.Repeat("a", 128))),
		Entry("the most channels", func(s *policySpec) { s.Trust.Channels = channels(16) }),
		Entry("a channel of the lowest class", channel(func(c *api.Channel) { c.Class = api.SourceClassWebContent })),
		Entry("a principal with all its signs", channel(func(c *api.Channel) { c.Principal = "A.b_c@d:e-f9" })),
		Entry("a token elsewhere in the Secret", channel(func(c *api.Channel) { c.TokenSecretRef.Key = "bearer" })),
		Entry("a Secret that only resembles ours", channel(func(c *api.Channel) { c.TokenSecretRef.Name = "mtv-token" })),
		Entry("a channel of a ServiceAccount", account("booking-frontend", "")),
		Entry("a channel of a ServiceAccount elsewhere", account("booking.frontend-2", "frontends")),
		Entry("the shortest expiry", func(s *policySpec) { s.Zones.PendingExpirySeconds = 60 }),
		Entry("the longest expiry", func(s *policySpec) { s.Zones.PendingExpirySeconds = 31536000 }),
		Entry("the lowest limits", func(s *policySpec) { s.Limits = api.LimitsSpec{MaxContentBytes: 256, MaxRecallResults: 1} }),
		Entry("the highest limits", func(s *policySpec) { s.Limits = api.LimitsSpec{MaxContentBytes: 1048576, MaxRecallResults: 200} }),
		Entry("a class that is stale before it expires", class(api.SourceClassWebContent, func(c *api.ClassRules) {
			c.StaleAfterSeconds, c.ExpirySeconds = 60, 61
		})),
		Entry("a class that is stale and never expires", class(api.SourceClassUserInput, func(c *api.ClassRules) {
			c.StaleAfterSeconds = 315360000
		})),
		Entry("a class that expires and is never stale", class(api.SourceClassUnknown, func(c *api.ClassRules) { c.ExpirySeconds = 60 })),
		Entry("the slowest decay of the web", decay(api.SourceClassWebContent, 990)),
		Entry("the slowest decay of what is unknown", decay(api.SourceClassUnknown, 990)),
		Entry("the slowest decay of tools", decay(api.SourceClassToolOutput, 997)),
		Entry("the slowest decay of subagents", decay(api.SourceClassSubagentTrace, 997)),
		Entry("the slowest decay of users", decay(api.SourceClassUserInput, 1000)),
		Entry("the slowest decay of the agent", decay(api.SourceClassAgentInferred, 1000)),
		Entry("the fastest decay", decay(api.SourceClassManual, 500)),
		Entry("every class", func(s *policySpec) {
			for _, name := range []api.SourceClass{
				api.SourceClassUserInput, api.SourceClassManual, api.SourceClassSystemMemory, api.SourceClassAgentInferred,
				api.SourceClassSubagentTrace, api.SourceClassToolOutput, api.SourceClassWebContent, api.SourceClassUnknown,
			} {
				s.Zones.Classes = append(s.Zones.Classes, api.ClassRules{Class: name, MaxPending: 10000})
			}
		}),
		Entry("the most corroboration", func(s *policySpec) { s.Zones.Corroboration = 10 }),
		Entry("the shortest interval of scans", func(s *policySpec) { s.Contradictions.ScanIntervalSeconds = 60 }),
		Entry("the highest quotas", func(s *policySpec) { s.Limits = api.LimitsSpec{MaxPending: 10000, WritesPerMinute: 1000000} }),
		Entry("Persistent with its description", func(s *policySpec) {
			s.Store = api.StoreSpec{Type: api.StoreTypePersistent, Persistent: &api.PersistentStore{
				Size: resource.MustParse("5Gi"), StorageClassName: ptr.To("fast"),
			}}
		}),
		Entry("Persistent without", func(s *policySpec) { s.Store = api.StoreSpec{Type: api.StoreTypePersistent} }),
		Entry("Postgres", func(s *policySpec) { s.Store = postgresStore("pg") }),
		Entry("environment variables", func(s *policySpec) { s.Sidecar.URLEnv = []string{"MEM0_URL", "_x9"} }),
		Entry("resources", func(s *policySpec) {
			s.Sidecar.Resources.Limits = corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("128Mi")}
		}),
	)

	DescribeTable("refuses", func(change func(*policySpec), message string) { refused(policy(change), message) },
		Entry("Signed without a channel", func(s *policySpec) { s.Trust.Mode = api.TrustModeSigned },
			"spec.trust.mode Signed needs at least one entry in spec.trust.channels"),
		Entry("an unknown enforcement", func(s *policySpec) { s.Enforcement = "Audit" }, `supported values: "Enforce", "DryRun"`),
		Entry("an unknown trust mode", func(s *policySpec) { s.Trust.Mode = "Blind" }, `supported values: "Prefix", "Signed"`),
		Entry("an unknown review", func(s *policySpec) { s.Review = "Ignore" }, `supported values: "Mark", "Withhold"`),
		Entry("a prefix in capitals", prefix("Operator"), "a prefix is lower-case words"),
		Entry("a prefix with an empty word", prefix("operator::x"), "a prefix is lower-case words"),
		Entry("a prefix that ends in a colon", prefix("operator:"), "a prefix is lower-case words"),
		Entry("no prefix", prefix(""), "should be at least 1 chars long"),
		Entry("a prefix that is too long", prefix(strings.Repeat("a", 129)), "may not be more than 128"),
		Entry("a prefix that is always distrusted", prefix("voice:public"), "could never match: such sources are always untrusted"),
		Entry("a prefix with a distrusted word in it", prefix("a.unknown-b"), "could never match: such sources are always untrusted"),
		Entry("a format of a low class", func(s *policySpec) {
			s.Trust.Formats = []api.TrustedFormat{{Prefix: "web", Class: api.SourceClassWebContent}}
		}, `supported values: "UserInput", "Manual", "SystemMemory"`),
		Entry("the same prefix twice", func(s *policySpec) {
			f := api.TrustedFormat{Prefix: "cli", Class: api.SourceClassManual}
			s.Trust.Formats = []api.TrustedFormat{f, f}
		}, "Duplicate value"),
		Entry("too many formats", func(s *policySpec) {
			for i := range 65 {
				s.Trust.Formats = append(s.Trust.Formats, api.TrustedFormat{Prefix: fmt.Sprintf("f%d", i), Class: api.SourceClassManual})
			}
		}, "must have at most 64 items"),
		Entry("too many channels", func(s *policySpec) { s.Trust.Channels = channels(17) }, "must have at most 16 items"),
		Entry("the same channel twice", func(s *policySpec) { s.Trust.Channels = []api.Channel{console(), console()} }, "Duplicate value"),
		Entry("a channel name in capitals", channel(func(c *api.Channel) { c.Name = "Console" }), "a channel name is lower-case letters"),
		Entry("a channel name that ends in a dash", channel(func(c *api.Channel) { c.Name = "console-" }), "a channel name is lower-case letters"),
		Entry("a channel name that is too long", channel(func(c *api.Channel) { c.Name = strings.Repeat("a", 64) }), "may not be more than 63"),
		Entry("a channel of what the agent says", channel(func(c *api.Channel) { c.Class = api.SourceClassAgentInferred }), "supported values:"),
		Entry("a channel of class Unknown", channel(func(c *api.Channel) { c.Class = api.SourceClassUnknown }), "supported values:"),
		Entry("a principal with a blank", channel(func(c *api.Channel) { c.Principal = "alice smith" }), "a principal is letters, digits"),
		Entry("a principal with a slash, which would forge a writer", channel(func(c *api.Channel) { c.Principal = "alice/root" }), "a principal is letters, digits"),
		Entry("a principal that begins with a dash", channel(func(c *api.Channel) { c.Principal = "-alice" }), "a principal is letters, digits"),
		Entry("no principal", channel(func(c *api.Channel) { c.Principal = "" }), "should be at least 1 chars long"),
		Entry("a principal that is too long", channel(func(c *api.Channel) { c.Principal = strings.Repeat("a", 129) }), "may not be more than 128"),
		Entry("a token in a Secret of ours", channel(func(c *api.Channel) { c.TokenSecretRef.Name = "mt-0123456789abcdef-key" }),
			"Secrets named mt-* belong to the operator"),
		Entry("a token nowhere", channel(func(c *api.Channel) { c.TokenSecretRef.Name = "" }), "should be at least 1 chars long"),
		Entry("a channel with a Secret and a ServiceAccount", channel(func(c *api.Channel) {
			c.ServiceAccountRef = &api.ServiceAccountRef{Name: "booking-frontend"}
		}), "a channel has exactly one of tokenSecretRef"),
		Entry("a channel with neither", channel(func(c *api.Channel) { c.TokenSecretRef = nil }), "a channel has exactly one of tokenSecretRef"),
		Entry("a ServiceAccount in capitals", account("Booking", ""), "the name of a ServiceAccount is lower-case"),
		Entry("a ServiceAccount with its namespace in its name", account("frontends/booking", ""), "the name of a ServiceAccount is lower-case"),
		Entry("a ServiceAccount that ends in a dot", account("booking.", ""), "the name of a ServiceAccount is lower-case"),
		Entry("no ServiceAccount", account("", ""), "should be at least 1 chars long"),
		Entry("a ServiceAccount with a name that is too long", account(strings.Repeat("a", 254), ""), "may not be more than 253"),
		Entry("a namespace with a dot", account("booking", "a.b"), "a namespace is lower-case"),
		Entry("an expiry that is too short", func(s *policySpec) { s.Zones.PendingExpirySeconds = 59 }, "should be greater than or equal to 60"),
		Entry("an expiry that is too long", func(s *policySpec) { s.Zones.PendingExpirySeconds = 31536001 }, "should be less than or equal to 31536000"),
		Entry("memories that are too short", func(s *policySpec) { s.Limits.MaxContentBytes = 255 }, "should be greater than or equal to 256"),
		Entry("memories that are too long", func(s *policySpec) { s.Limits.MaxContentBytes = 1048577 }, "should be less than or equal to 1048576"),
		Entry("negative results", func(s *policySpec) { s.Limits.MaxRecallResults = -1 }, "should be greater than or equal to 1"),
		Entry("too many results", func(s *policySpec) { s.Limits.MaxRecallResults = 201 }, "should be less than or equal to 200"),
		Entry("a class that expires before it is stale", class(api.SourceClassWebContent, func(c *api.ClassRules) {
			c.StaleAfterSeconds, c.ExpirySeconds = 61, 60
		}), "staleAfterSeconds must be shorter than expirySeconds"),
		Entry("a class that expires as it is stale", class(api.SourceClassWebContent, func(c *api.ClassRules) {
			c.StaleAfterSeconds, c.ExpirySeconds = 60, 60
		}), "staleAfterSeconds must be shorter than expirySeconds"),
		Entry("a web that fades too slowly", decay(api.SourceClassWebContent, 991), "cannot be higher than what is built in"),
		Entry("the unknown that fades too slowly", decay(api.SourceClassUnknown, 1000), "cannot be higher than what is built in"),
		Entry("tools that fade too slowly", decay(api.SourceClassToolOutput, 998), "cannot be higher than what is built in"),
		Entry("subagents that fade too slowly", decay(api.SourceClassSubagentTrace, 998), "cannot be higher than what is built in"),
		Entry("users who gain by age", decay(api.SourceClassUserInput, 1001), "should be less than or equal to 1000"),
		Entry("a decay that is too fast", decay(api.SourceClassUserInput, 499), "should be greater than or equal to 500"),
		Entry("a class that does not exist", class("Gossip", func(*api.ClassRules) {}), "supported values:"),
		Entry("the same class twice", func(s *policySpec) {
			s.Zones.Classes = []api.ClassRules{{Class: api.SourceClassUnknown}, {Class: api.SourceClassUnknown}}
		}, "Duplicate value"),
		Entry("corroboration by one", func(s *policySpec) { s.Zones.Corroboration = 1 }, "should be greater than or equal to 2"),
		Entry("corroboration by a crowd", func(s *policySpec) { s.Zones.Corroboration = 11 }, "should be less than or equal to 10"),
		Entry("scans too often", func(s *policySpec) { s.Contradictions.ScanIntervalSeconds = 59 }, "should be greater than or equal to 60"),
		Entry("a queue that is too long", func(s *policySpec) { s.Limits.MaxPending = 10001 }, "should be less than or equal to 10000"),
		Entry("too many writes", func(s *policySpec) { s.Limits.WritesPerMinute = 1000001 }, "should be less than or equal to 1000000"),
		Entry("no store", func(s *policySpec) { s.Store.Type = "" }, `supported values: "Ephemeral", "Persistent", "Postgres"`),
		Entry("a store that does not exist", func(s *policySpec) { s.Store.Type = "Tape" }, `supported values: "Ephemeral", "Persistent", "Postgres"`),
		Entry("Postgres without a database", func(s *policySpec) { s.Store.Type = api.StoreTypePostgres }, "spec.store.type Postgres needs spec.store.postgres"),
		Entry("a database and a claim", func(s *policySpec) {
			s.Store = postgresStore("pg")
			s.Store.Persistent = &api.PersistentStore{Size: resource.MustParse("1Gi")}
		}, "spec.store.persistent is only allowed"),
		Entry("a Secret of the operator", func(s *policySpec) { s.Store = postgresStore("mt-pg") }, "belong to the operator"),
		Entry("a claim for nothing", func(s *policySpec) { s.Store.Persistent = &api.PersistentStore{Size: resource.MustParse("1Gi")} },
			"spec.store.persistent is only allowed when spec.store.type is Persistent"),
		Entry("a storage class without a name", func(s *policySpec) {
			s.Store = api.StoreSpec{Type: api.StoreTypePersistent, Persistent: &api.PersistentStore{StorageClassName: ptr.To("")}}
		}, "should be at least 1 chars long"),
		Entry("a variable that begins with a digit", func(s *policySpec) { s.Sidecar.URLEnv = []string{"9URL"} }, "an environment variable name is letters"),
		Entry("a variable with a dash", func(s *policySpec) { s.Sidecar.URLEnv = []string{"MEM-URL"} }, "an environment variable name is letters"),
		Entry("a variable without a name", func(s *policySpec) { s.Sidecar.URLEnv = []string{""} }, "should be at least 1 chars long"),
		Entry("the same variable twice", func(s *policySpec) { s.Sidecar.URLEnv = []string{"A", "A"} }, "Duplicate value"),
		Entry("too many variables", func(s *policySpec) {
			for i := range 17 {
				s.Sidecar.URLEnv = append(s.Sidecar.URLEnv, fmt.Sprintf("V%d", i))
			}
		}, "must have at most 16 items"),
	)

	It("fills in the defaults, and nothing inside list entries", func() {
		rules := []api.ClassRules{{Class: api.SourceClassWebContent}}
		p := policy(func(s *policySpec) { s.Trust.Channels = channels(1); s.Zones.Classes = rules })
		accepted(p)
		Expect(p.Spec.Enforcement).To(Equal(api.EnforcementEnforce))
		Expect(p.Spec.Trust.Mode).To(Equal(api.TrustModePrefix))
		Expect(p.Spec.Review).To(Equal(api.ReviewModeMark))
		Expect(p.Spec.Zones).To(Equal(api.ZonesSpec{PendingExpirySeconds: 14 * 24 * 3600, Classes: rules, Corroboration: 2}))
		Expect(p.Spec.Contradictions).To(Equal(api.ContradictionsSpec{ScanIntervalSeconds: 24 * 3600}))
		Expect(p.Spec.Limits).To(Equal(api.LimitsSpec{
			MaxContentBytes: 65536, MaxRecallResults: 20, MaxPending: 1000, WritesPerMinute: 6000,
		}))
		Expect(p.Spec.Trust.Channels).To(Equal(channels(1)))
	})

	It("wants selector and store stated, and knows its fields", func() {
		manifest := func(spec string) *unstructured.Unstructured {
			u := &unstructured.Unstructured{}
			Expect(yaml.Unmarshal([]byte("apiVersion: memorytrust.dev/v1alpha1\nkind: MemoryTrustPolicy\n"+
				"metadata: {name: p, namespace: default}\nspec: "+spec), u)).To(Succeed())
			return u
		}
		accepted(manifest("{selector: {}, store: {type: Ephemeral}}"))
		refused(manifest("{store: {type: Ephemeral}}"), "spec.selector: Required value")
		refused(manifest("{selector: {}}"), "spec.store: Required value")
		refused(manifest("{selector: {}, store: {}}"), "spec.store.type: Required value")
		err := k8s.Create(ctx, manifest("{selector: {}, store: {type: Ephemeral}, enforcment: DryRun}"), client.DryRunAll, client.FieldValidation("Strict"))
		Expect(err).To(MatchError(ContainSubstring(`unknown field "spec.enforcment"`)))
	})

	It("moves to a database and never away from it, or from a volume", func() {
		p := policy(nil)
		Expect(k8s.Create(ctx, p)).To(Succeed())
		DeferCleanup(func() { Expect(k8s.Delete(ctx, p)).To(Succeed()) })
		p.Spec.Store = api.StoreSpec{Type: api.StoreTypePersistent, Persistent: &api.PersistentStore{}}
		Expect(k8s.Update(ctx, p)).To(Succeed())
		Expect(p.Spec.Store.Persistent.Size.String()).To(Equal("1Gi"))

		p.Spec.Store.Persistent.Size = resource.MustParse("2Gi")
		Expect(k8s.Update(ctx, p)).To(Succeed())
		p.Spec.Store = api.StoreSpec{Type: api.StoreTypeEphemeral}
		Expect(k8s.Update(ctx, p)).To(MatchError(ContainSubstring("and not back")))
		p.Spec.Store = api.StoreSpec{Type: api.StoreTypePersistent, Persistent: &api.PersistentStore{}, Postgres: postgresStore("pg").Postgres}
		Expect(k8s.Update(ctx, p)).To(Succeed())
		p.Spec.Store = postgresStore("pg")
		Expect(k8s.Update(ctx, p)).To(Succeed())
		p.Spec.Store = api.StoreSpec{Type: api.StoreTypePersistent}
		Expect(k8s.Update(ctx, p)).To(MatchError(ContainSubstring("make a new policy for new agents")))
	})

	It("goes from Prefix to Signed and back", func() {
		p := policy(nil)
		Expect(k8s.Create(ctx, p)).To(Succeed())
		DeferCleanup(func() { Expect(k8s.Delete(ctx, p)).To(Succeed()) })
		p.Spec.Trust = api.TrustSpec{Mode: api.TrustModeSigned, Channels: channels(1)}
		Expect(k8s.Update(ctx, p)).To(Succeed())
		p.Spec.Trust.Mode = api.TrustModePrefix
		Expect(k8s.Update(ctx, p)).To(Succeed())
	})

	It("accepts the samples", func() {
		files, err := filepath.Glob(filepath.Join("..", "..", "config", "samples", "policy-*.yaml"))
		Expect(err).NotTo(HaveOccurred())
		Expect(len(files)).To(BeNumerically(">=", 3))
		for _, file := range files {
			content, err := os.ReadFile(file)
			Expect(err).NotTo(HaveOccurred())
			p := &api.MemoryTrustPolicy{}
			Expect(yaml.UnmarshalStrict(content, p)).To(Succeed(), file)
			p.Namespace = "default"
			accepted(p)
		}
	})
})
