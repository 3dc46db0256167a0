// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	clocktesting "k8s.io/utils/clock/testing"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/inject"
	"memorytrust.dev/operator/internal/policy"
)

// discoveryServer answers as an API server does that publishes keys of these ids, or with another status.
type discoveryServer struct {
	t      *testing.T
	status int
	keyIDs []string
	asked  int
}

func (d *discoveryServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.asked++
	if d.status != http.StatusOK {
		w.WriteHeader(d.status)
		return
	}
	var answer any
	switch r.URL.Path {
	case discoveryPath:
		answer = map[string]string{"issuer": "https://cluster.example", "jwks_uri": "https://elsewhere.example/keys"}
	case keySetPath:
		set := jose.JSONWebKeySet{}
		for _, id := range d.keyIDs {
			key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
			if err != nil {
				d.t.Error(err)
			}
			set.Keys = append(set.Keys, jose.JSONWebKey{Key: key.Public(), KeyID: id, Algorithm: "ES256", Use: "sig"})
		}
		answer = set
	default:
		d.t.Errorf("asked for %s", r.URL.Path)
	}
	if err := json.NewEncoder(w).Encode(answer); err != nil {
		d.t.Error(err)
	}
}

func TestIssuerKeys(t *testing.T) {
	server := &discoveryServer{t: t, status: http.StatusForbidden}
	listening := httptest.NewServer(server)
	defer listening.Close()
	api, err := discovery.NewDiscoveryClientForConfig(&rest.Config{Host: listening.URL})
	if err != nil {
		t.Fatal(err)
	}
	clock := clocktesting.NewFakePassiveClock(time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC))
	keys := &issuerKeys{api: api.RESTClient(), interval: issuerInterval, retry: issuerRetry, clock: clock}
	later := func(d time.Duration) issuerReading {
		clock.SetTime(clock.Now().Add(d))
		return keys.current(t.Context())
	}

	// Nothing was ever read: the problem says what to do, and the API server is not asked again at once.
	r := later(0)
	if r.file != nil || !strings.Contains(r.problem, "bind ClusterRole system:service-account-issuer-discovery") {
		t.Errorf("a refused reading gives %q, file %s", r.problem, r.file)
	}
	if r.again != clock.Now().Add(issuerRetry) {
		t.Errorf("again at %v", r.again)
	}
	server.status = http.StatusNotFound
	if r = later(issuerRetry - 1); server.asked != 1 {
		t.Errorf("asked %d times before it was due", server.asked)
	}
	if r = later(1); !strings.Contains(r.problem, "--service-account-issuer") {
		t.Errorf("an API server without issuer gives %q", r.problem)
	}

	server.status, server.keyIDs = http.StatusOK, []string{"old"}
	first := later(issuerRetry)
	if got := issuerOf(t, first.file); got.URL != "https://cluster.example" || strings.Join(got.KeyIDs(), " ") != "old" || first.problem != "" {
		t.Errorf("read %s %v, problem %q", got.URL, got.KeyIDs(), first.problem)
	}
	// A failing API server changes nothing; then the cluster exchanges its key.
	server.status = http.StatusInternalServerError
	if r = later(issuerInterval); string(r.file) != string(first.file) || r.problem != "" {
		t.Errorf("a failed reading took the keys away: %q", r.problem)
	}
	server.status, server.keyIDs = http.StatusOK, []string{"old", "new"}
	if got := issuerOf(t, later(issuerRetry).file); strings.Join(got.KeyIDs(), " ") != "new old" {
		t.Errorf("during the rotation: %v", got.KeyIDs())
	}
	server.keyIDs = []string{"new"}
	if got := issuerOf(t, later(issuerInterval).file); strings.Join(got.KeyIDs(), " ") != "new" {
		t.Errorf("after the rotation: %v", got.KeyIDs())
	}
	server.keyIDs = nil
	if got := issuerOf(t, later(issuerInterval).file); strings.Join(got.KeyIDs(), " ") != "new" {
		t.Errorf("an API server without keys: %v", got.KeyIDs())
	}
}

func issuerOf(t *testing.T, file []byte) *policy.Issuer {
	t.Helper()
	issuer, err := policy.ParseIssuer(file)
	if err != nil {
		t.Fatal(err)
	}
	return issuer
}

// bookings makes the ServiceAccount frontends/booking-frontend, in that namespace, a channel.
func bookings(namespace string) func(*v1alpha1.MemoryTrustPolicy) {
	return func(p *v1alpha1.MemoryTrustPolicy) {
		p.Spec.Trust = v1alpha1.TrustSpec{Mode: v1alpha1.TrustModeSigned, Channels: []v1alpha1.Channel{{
			Name: "bookings", Class: v1alpha1.SourceClassUserInput, Principal: "booking-frontend",
			ServiceAccountRef: &v1alpha1.ServiceAccountRef{Name: "booking-frontend", Namespace: namespace},
		}}}
	}
}

// mint asks the API server for a token of a ServiceAccount, as the kubelet does for a projected one.
func mint(namespace, account string, audiences ...string) string {
	GinkgoHelper()
	owner := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: account}}
	Expect(client.IgnoreAlreadyExists(k8s.Create(ctx, owner))).To(Succeed())
	request := &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{
		Audiences: audiences, ExpirationSeconds: ptr.To(int64(3600)),
	}}
	Expect(k8s.SubResource("token").Create(ctx, owner, request)).To(Succeed())
	return request.Status.Token
}

var _ = Describe("A channel of a ServiceAccount", func() {
	names := inject.NamesFor("concierge")

	It("takes the tokens that the API server makes for it, and no others", func() {
		ns, frontends := newNamespace(), newNamespace()
		p := newPolicy(ns, "standard", bookings(frontends))
		runPod(ns, "concierge-1", "concierge")
		memory := &v1alpha1.AgentMemory{}
		eventuallyCondition(memory, ns, "concierge", v1alpha1.ConditionOriginAuthenticated, metav1.ConditionTrue, ReasonChannelsWorking)
		eventuallyCondition(&v1alpha1.MemoryTrustPolicy{}, ns, p.Name, v1alpha1.ConditionReady, metav1.ConditionTrue, ReasonApplied)

		var state *policy.State
		Eventually(func(g Gomega) {
			runtime, err := policy.Decode([]byte(get(g, &corev1.ConfigMap{}, ns, names.PolicyConfigMap).Data[policy.FilePolicy]))
			g.Expect(err).NotTo(HaveOccurred())
			state, err = policy.NewState(runtime, nil, nil, nil, nil)
			g.Expect(err).NotTo(HaveOccurred())
			state.Issuer, err = policy.ParseIssuer(get(g, &corev1.Secret{}, ns, names.ChannelsSecret).Data[policy.FileIssuer])
			g.Expect(err).NotTo(HaveOccurred())
		}).Should(Succeed())
		channel, err := state.Authenticate(mint(frontends, "booking-frontend", policy.TokenAudience))
		Expect(err).NotTo(HaveOccurred())
		Expect(channel.Name).To(Equal("bookings"))
		Expect(channel.Principal).To(Equal("booking-frontend"))
		for reason, token := range map[policy.Refusal]string{
			policy.RefusedAudience:   mint(frontends, "booking-frontend"),
			policy.RefusedAccount:    mint(ns, "booking-frontend", policy.TokenAudience),
			policy.RefusedOwnAccount: mint(ns, "concierge-sa", policy.TokenAudience),
		} {
			_, err := state.Authenticate(token)
			Expect(err).To(Equal(&policy.TokenError{Reason: reason}))
		}

		By("writing nothing more, and keeping the keys without a policy")
		settle(ns)
		file := get(Default, &corev1.Secret{}, ns, names.ChannelsSecret).Data[policy.FileIssuer]
		Expect(k8s.Delete(ctx, p)).To(Succeed())
		eventuallyCondition(memory, ns, "concierge", v1alpha1.ConditionPolicyAttached, metav1.ConditionFalse, ReasonNoPolicy)
		settle(ns)
		Expect(get(Default, &corev1.Secret{}, ns, names.ChannelsSecret).Data[policy.FileIssuer]).To(Equal(file))
	})

	It("is refused where it is the agent itself, with the field and the fix", func() {
		ns := newNamespace()
		p := newPolicy(ns, "standard", bookings(""), func(p *v1alpha1.MemoryTrustPolicy) {
			p.Spec.Trust.Channels[0].ServiceAccountRef.Name = "concierge-sa"
		})
		runPod(ns, "concierge-1", "concierge")
		says := And(ContainSubstring("spec.trust.channels[bookings].serviceAccountRef"), ContainSubstring("run the agent as another one"))
		eventuallyCondition(&v1alpha1.AgentMemory{}, ns, "concierge", v1alpha1.ConditionSynced, metav1.ConditionFalse, ReasonPolicyInvalid, says)
		eventuallyCondition(&v1alpha1.MemoryTrustPolicy{}, ns, p.Name, v1alpha1.ConditionReady, metav1.ConditionFalse, ReasonPolicyInvalid, says)

		By("naming another one")
		changePolicy(p, func(s *v1alpha1.MemoryTrustPolicySpec) {
			s.Trust.Channels[0].ServiceAccountRef.Name = "booking-frontend"
		})
		eventuallySynced(ns, "concierge")

		By("going back: the last good policy stays in force")
		changePolicy(p, func(s *v1alpha1.MemoryTrustPolicySpec) { s.Trust.Channels[0].ServiceAccountRef.Name = "concierge-sa" })
		eventuallyCondition(&v1alpha1.AgentMemory{}, ns, "concierge", v1alpha1.ConditionSynced, metav1.ConditionFalse, ReasonPolicyInvalid, says)
		Expect(get(Default, &corev1.ConfigMap{}, ns, names.PolicyConfigMap).Data[policy.FilePolicy]).To(ContainSubstring(ns + "/booking-frontend"))
	})

	It("goes when the channel does", func() {
		ns := newNamespace()
		p := newPolicy(ns, "standard", bookings(""))
		runPod(ns, "concierge-1", "concierge")
		files := func(g Gomega) map[string][]byte { return get(g, &corev1.Secret{}, ns, names.ChannelsSecret).Data }
		Eventually(func(g Gomega) { g.Expect(files(g)).To(HaveKey(policy.FileIssuer)) }).Should(Succeed())
		changePolicy(p, func(s *v1alpha1.MemoryTrustPolicySpec) { s.Trust = v1alpha1.TrustSpec{Mode: v1alpha1.TrustModePrefix} })
		Eventually(func(g Gomega) { g.Expect(files(g)).NotTo(HaveKey(policy.FileIssuer)) }).Should(Succeed())
	})
})
