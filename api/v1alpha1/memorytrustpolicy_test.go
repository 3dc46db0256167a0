// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package v1alpha1_test

import (
	"context"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/api/v1alpha1"
)

// signedPolicy is a valid policy that uses every part of the spec; entries change one thing about it.
func signedPolicy() *v1alpha1.MemoryTrustPolicy {
	return &v1alpha1.MemoryTrustPolicy{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "policy-", Namespace: namespace},
		Spec: v1alpha1.MemoryTrustPolicySpec{
			Trust: v1alpha1.TrustSpec{
				Mode:    v1alpha1.TrustModeSigned,
				Formats: []v1alpha1.TrustedFormat{{Prefix: "operator:console", Class: v1alpha1.SourceClassManual}},
				Channels: []v1alpha1.Channel{{
					Name: "console", Class: v1alpha1.SourceClassManual, Principal: "alice@example.com",
					TokenSecretRef: v1alpha1.SecretKeyRef{Name: "console-token"},
				}},
			},
			Store:   v1alpha1.StoreSpec{Type: v1alpha1.StoreTypePersistent, Persistent: &v1alpha1.PersistentStore{}},
			Sidecar: v1alpha1.SidecarSpec{URLEnv: []string{"MEM0_URL"}},
		},
	}
}

var _ = Describe("MemoryTrustPolicy", func() {
	It("fills in the documented defaults and nothing inside list entries", func(ctx context.Context) {
		p := &v1alpha1.MemoryTrustPolicy{
			ObjectMeta: metav1.ObjectMeta{Name: "minimal", Namespace: namespace},
			Spec:       v1alpha1.MemoryTrustPolicySpec{Store: v1alpha1.StoreSpec{Type: v1alpha1.StoreTypeEphemeral}},
		}
		Expect(k8s.Create(ctx, p)).To(Succeed())
		Expect(p.Spec.Enforcement).To(Equal(v1alpha1.EnforcementEnforce))
		Expect(p.Spec.Trust.Mode).To(Equal(v1alpha1.TrustModePrefix))
		Expect(p.Spec.Review).To(Equal(v1alpha1.ReviewModeMark))
		Expect(p.Spec.Zones.PendingExpirySeconds).To(BeEquivalentTo(14 * 24 * 3600))
		Expect(p.Spec.Limits.MaxContentBytes).To(BeEquivalentTo(64 << 10))
		Expect(p.Spec.Limits.MaxRecallResults).To(BeEquivalentTo(20))

		full := signedPolicy()
		Expect(k8s.Create(ctx, full)).To(Succeed())
		Expect(full.Spec.Store.Persistent.Size.String()).To(Equal("1Gi"))
		Expect(full.Spec.Trust.Channels[0].TokenSecretRef.Key).To(BeEmpty())
	})

	It("names an unknown field", func(ctx context.Context) {
		u := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "memorytrust.dev/v1alpha1", "kind": "MemoryTrustPolicy",
			"metadata": map[string]any{"name": "typo", "namespace": namespace},
			"spec": map[string]any{
				"selector": map[string]any{}, "enforcment": "DryRun", "store": map[string]any{"type": "Ephemeral"},
			},
		}}
		err := k8s.Create(ctx, u, client.FieldValidation(metav1.FieldValidationStrict))
		expectRefused(err, `unknown field "spec.enforcment"`)
	})

	It("has no default store", func(ctx context.Context) {
		u := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "memorytrust.dev/v1alpha1", "kind": "MemoryTrustPolicy",
			"metadata": map[string]any{"name": "storeless", "namespace": namespace},
			"spec":     map[string]any{"selector": map[string]any{}},
		}}
		expectRefused(k8s.Create(ctx, u), "spec.store: Required value")
	})

	type change = func(*v1alpha1.MemoryTrustPolicySpec)
	DescribeTable("accepts", func(ctx context.Context, change change) {
		p := signedPolicy()
		change(&p.Spec)
		Expect(k8s.Create(ctx, p)).To(Succeed())
	},
		Entry("mode Signed with a channel", func(*v1alpha1.MemoryTrustPolicySpec) {}),
		Entry("mode Prefix without a channel", func(s *v1alpha1.MemoryTrustPolicySpec) {
			s.Trust.Mode, s.Trust.Channels = v1alpha1.TrustModePrefix, nil
		}),
		Entry("a prefix of one word", func(s *v1alpha1.MemoryTrustPolicySpec) { s.Trust.Formats[0].Prefix = "operator" }),
		Entry("a prefix whose words merely begin like a refused one", func(s *v1alpha1.MemoryTrustPolicySpec) {
			s.Trust.Formats[0].Prefix = "publication:externals"
		}),
		Entry("store Ephemeral", func(s *v1alpha1.MemoryTrustPolicySpec) {
			s.Store = v1alpha1.StoreSpec{Type: v1alpha1.StoreTypeEphemeral}
		}),
		Entry("the bounds of the limits", func(s *v1alpha1.MemoryTrustPolicySpec) {
			s.Limits = v1alpha1.LimitsSpec{MaxContentBytes: 1 << 20, MaxRecallResults: 200}
			s.Zones.PendingExpirySeconds = 60
		}),
		Entry("a storage class", func(s *v1alpha1.MemoryTrustPolicySpec) { s.Store.Persistent.StorageClassName = ptr.To("fast") }),
		Entry("a principal with a port of punctuation", func(s *v1alpha1.MemoryTrustPolicySpec) {
			s.Trust.Channels[0].Principal = "svc:pager_1.example-x@y"
		}),
	)

	DescribeTable("refuses", func(ctx context.Context, change change, message string) {
		p := signedPolicy()
		change(&p.Spec)
		expectRefused(k8s.Create(ctx, p), message)
	},
		Entry("mode Signed without a channel", func(s *v1alpha1.MemoryTrustPolicySpec) { s.Trust.Channels = nil },
			"Signed needs at least one entry in spec.trust.channels"),
		Entry("a prefix in upper case", func(s *v1alpha1.MemoryTrustPolicySpec) { s.Trust.Formats[0].Prefix = "Operator" },
			"a prefix is lower-case words"),
		Entry("a prefix that ends in a colon", func(s *v1alpha1.MemoryTrustPolicySpec) { s.Trust.Formats[0].Prefix = "operator:" },
			"a prefix is lower-case words"),
		Entry("a prefix that could never match", func(s *v1alpha1.MemoryTrustPolicySpec) { s.Trust.Formats[0].Prefix = "voice:public" },
			"could never match"),
		Entry("a format of a low class", func(s *v1alpha1.MemoryTrustPolicySpec) { s.Trust.Formats[0].Class = v1alpha1.SourceClassWebContent },
			"Unsupported value"),
		Entry("two formats of one prefix", func(s *v1alpha1.MemoryTrustPolicySpec) {
			s.Trust.Formats = append(s.Trust.Formats, s.Trust.Formats[0])
		}, "Duplicate value"),
		Entry("a channel name with a capital", func(s *v1alpha1.MemoryTrustPolicySpec) { s.Trust.Channels[0].Name = "Console" },
			"a channel name is lower-case letters"),
		Entry("two channels of one name", func(s *v1alpha1.MemoryTrustPolicySpec) {
			s.Trust.Channels = append(s.Trust.Channels, s.Trust.Channels[0])
		}, "Duplicate value"),
		Entry("a channel of a class only the agent's port has", func(s *v1alpha1.MemoryTrustPolicySpec) {
			s.Trust.Channels[0].Class = v1alpha1.SourceClassAgentInferred
		}, "Unsupported value"),
		Entry("a principal with a slash, which would forge a writer", func(s *v1alpha1.MemoryTrustPolicySpec) {
			s.Trust.Channels[0].Principal = "alice/root"
		}, "a principal is letters"),
		Entry("a token in a Secret of the operator", func(s *v1alpha1.MemoryTrustPolicySpec) {
			s.Trust.Channels[0].TokenSecretRef.Name = "mt-0123-key"
		}, "belong to the operator"),
		Entry("a volume for store Ephemeral", func(s *v1alpha1.MemoryTrustPolicySpec) { s.Store.Type = v1alpha1.StoreTypeEphemeral },
			"only allowed when spec.store.type is Persistent"),
		Entry("an unknown store", func(s *v1alpha1.MemoryTrustPolicySpec) { s.Store.Type = "Cloud" }, "Unsupported value"),
		Entry("an unknown enforcement", func(s *v1alpha1.MemoryTrustPolicySpec) { s.Enforcement = "Warn" }, "Unsupported value"),
		Entry("an unknown review mode", func(s *v1alpha1.MemoryTrustPolicySpec) { s.Review = "Drop" }, "Unsupported value"),
		Entry("a memory limit above 1 MiB", func(s *v1alpha1.MemoryTrustPolicySpec) { s.Limits.MaxContentBytes = 1<<20 + 1 },
			"should be less than or equal to 1048576"),
		Entry("a memory limit below 256 bytes", func(s *v1alpha1.MemoryTrustPolicySpec) { s.Limits.MaxContentBytes = 255 },
			"should be greater than or equal to 256"),
		Entry("too many results", func(s *v1alpha1.MemoryTrustPolicySpec) { s.Limits.MaxRecallResults = 201 },
			"should be less than or equal to 200"),
		Entry("an expiry under a minute", func(s *v1alpha1.MemoryTrustPolicySpec) { s.Zones.PendingExpirySeconds = 59 },
			"should be greater than or equal to 60"),
		Entry("an environment variable that begins with a digit", func(s *v1alpha1.MemoryTrustPolicySpec) {
			s.Sidecar.URLEnv = []string{"1URL"}
		}, "does not begin with a digit"),
		Entry("an environment variable named twice", func(s *v1alpha1.MemoryTrustPolicySpec) {
			s.Sidecar.URLEnv = []string{"URL", "URL"}
		}, "Duplicate value"),
		Entry("more channels than the bound", func(s *v1alpha1.MemoryTrustPolicySpec) {
			for i := range 16 {
				c := s.Trust.Channels[0]
				c.Name = "c" + strings.Repeat("x", i)
				s.Trust.Channels = append(s.Trust.Channels, c)
			}
		}, "must have at most 16 items"),
	)

	It("may move its store from Ephemeral to Persistent and never back", func(ctx context.Context) {
		p := signedPolicy()
		p.Spec.Store = v1alpha1.StoreSpec{Type: v1alpha1.StoreTypeEphemeral}
		Expect(k8s.Create(ctx, p)).To(Succeed())
		p.Spec.Store.Type = v1alpha1.StoreTypePersistent
		Expect(k8s.Update(ctx, p)).To(Succeed())
		p.Spec.Store = v1alpha1.StoreSpec{Type: v1alpha1.StoreTypeEphemeral}
		expectRefused(k8s.Update(ctx, p), "cannot leave Persistent")
	})
})
