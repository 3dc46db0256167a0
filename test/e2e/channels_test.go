//go:build e2e

// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/inject"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/server/admin"
)

// accountPolicy makes a ServiceAccount of another namespace a channel.
const accountPolicy = `
apiVersion: memorytrust.dev/v1alpha1
kind: MemoryTrustPolicy
metadata:
  name: guard
spec:
  selector: {}
  trust:
    mode: Signed
    channels:
    - name: bookings
      class: UserInput
      principal: booking-frontend
      serviceAccountRef: {name: booking-frontend, namespace: %s}
  store: {type: Ephemeral}
`

const (
	// speakingDirectory is where containers of this file find token and ca.crt, and, made for the API server, api-token.
	speakingDirectory = "/reach"
	// screenerCA is the ConfigMap with the ca.crt.
	screenerCA = "screener-ca"
)

var _ = Describe("A ServiceAccount as a channel", Ordered, func() {
	const usersWish = "I always fly in the morning."
	var namespace, frontends string
	var agent *runningAgent

	BeforeAll(func(ctx SpecContext) {
		namespace, frontends = newNamespace(ctx, nil), newNamespace(ctx, nil)
		apply(ctx, namespace, fmt.Sprintf(accountPolicy, frontends))
		pod := agentPod(namespace, "concierge")
		addVolume(pod, projection(tokens()...))
		agent = run(ctx, pod)
		for _, clients := range []string{namespace, frontends} {
			publish(ctx, clients, agent.pod)
		}
	}, NodeTimeout(3*time.Minute))

	It("its pods write with the class of the channel, and may justify an action", func(ctx SpecContext) {
		frontend := speaker(ctx, frontends, "booking-frontend")
		Eventually(ctx, func() (string, error) { return speakAs(ctx, frontend, agent.pod, usersWish) }).WithTimeout(soon).
			Should(ContainSubstring("zone Trusted, state Active, class UserInput, authority Act"))
		Expect(agent.ask(ctx, "When do I fly?").Prompt).To(ContainSubstring(usersWish))
	}, SpecTimeout(2*time.Minute))

	It("other ServiceAccounts, and a token for the API server, are refused", func(ctx SpecContext) {
		for _, other := range []*corev1.Pod{speaker(ctx, frontends, "payments"), speaker(ctx, namespace, "booking-frontend")} {
			_, err := speakAs(ctx, other, agent.pod, usersWish)
			Expect(err).To(HaveOccurred(), "%s/%s", other.Namespace, other.Name)
		}
		frontend := reachable(ctx, frontends, "booking-frontend")
		Expect(statusWith(ctx, agent.pod, tokenIn(ctx, frontend, "api-token"))).To(Equal(http.StatusUnauthorized))
		Expect(refusals(ctx, agent.pod)).To(And(ContainSubstring(string(policy.RefusedAccount)), ContainSubstring(string(policy.RefusedAudience))))
	}, SpecTimeout(2*time.Minute))

	It("the agent itself is no channel, and cannot become one", func(ctx SpecContext) {
		Expect(statusWith(ctx, agent.pod, tokenIn(ctx, agent.pod, "token"))).To(Equal(http.StatusUnauthorized))
		Expect(refusals(ctx, agent.pod)).To(ContainSubstring(string(policy.RefusedOwnAccount)))

		By("naming it in the policy")
		own := strings.Replace(fmt.Sprintf(accountPolicy, namespace), "booking-frontend, namespace", "concierge, namespace", 1)
		apply(ctx, namespace, own)
		Eventually(ctx, func() string { return policyCondition(ctx, namespace, "guard") }).Should(And(
			ContainSubstring("PolicyInvalid"), ContainSubstring("spec.trust.channels[bookings].serviceAccountRef")))
		frontend := reachable(ctx, frontends, "booking-frontend")
		Expect(speakAs(ctx, frontend, agent.pod, "The window seat, please.")).To(ContainSubstring("class UserInput"),
			"the last good policy stays in force")
		apply(ctx, namespace, fmt.Sprintf(accountPolicy, frontends))
	}, SpecTimeout(2*time.Minute))

	It("the status says that origins are authenticated", func(ctx SpecContext) {
		Eventually(ctx, func() string {
			return conditionOf(agentMemory(ctx, namespace, "concierge").Status.Conditions, v1alpha1.ConditionOriginAuthenticated)
		}).WithTimeout(90 * time.Second).Should(HavePrefix("True ChannelsWorking"))
	}, SpecTimeout(2*time.Minute))
})

// tokens are one for screeners and one for the API server, as the kubelet projects them.
func tokens() []corev1.VolumeProjection {
	token := func(path, audience string) corev1.VolumeProjection {
		return corev1.VolumeProjection{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{
			Path: path, Audience: audience, ExpirationSeconds: ptr.To(int64(3600)),
		}}
	}
	return []corev1.VolumeProjection{token("token", policy.TokenAudience), token("api-token", "")}
}

func projection(sources ...corev1.VolumeProjection) corev1.VolumeSource {
	return corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{Sources: sources}}
}

// tokenIn reads a token that is mounted in a pod.
func tokenIn(ctx context.Context, pod *corev1.Pod, name string) string {
	GinkgoHelper()
	token, err := execIn(ctx, pod.Namespace, pod.Name, agentContainer, "/test-agent", "cat", speakingDirectory+"/"+name)
	Expect(err).NotTo(HaveOccurred())
	Expect(strings.Count(token, ".")).To(Equal(2), "no token in %s", name)
	return token
}

// statusWith is what the channel port of a pod answers to a write with a token.
func statusWith(ctx context.Context, pod *corev1.Pod, token string) int {
	GinkgoHelper()
	return channelTo(ctx, pod, token).post(ctx, "/v1/memories", map[string]string{"content": operatorsRule}).Status
}

// publish hands the CA that the operator publishes for clients of an agent's screener to those in a namespace, as whoever
// runs them would.
func publish(ctx context.Context, namespace string, agent *corev1.Pod) {
	GinkgoHelper()
	var published corev1.ConfigMap
	name := inject.NamesFor(agent.Labels[v1alpha1.LabelAgent]).PolicyConfigMap
	Expect(k8s.Get(ctx, client.ObjectKey{Namespace: agent.Namespace, Name: name}, &published)).To(Succeed())
	Expect(k8s.Create(ctx, &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: screenerCA},
		Data:       map[string]string{"ca.crt": published.Data["ca.crt"]},
	})).To(Succeed())
}

// speaker runs a pod under a ServiceAccount that is ready to speak through a channel; it is no agent.
func speaker(ctx context.Context, namespace, account string) *corev1.Pod {
	GinkgoHelper()
	pod := agentPod(namespace, account)
	pod.Labels = nil
	pod.Spec.Containers[0].Args = nil
	ca := corev1.VolumeProjection{ConfigMap: &corev1.ConfigMapProjection{LocalObjectReference: corev1.LocalObjectReference{Name: screenerCA}}}
	addVolume(pod, projection(append(tokens(), ca)...))
	createPod(ctx, pod)
	waitUntilReady(ctx, pod)
	return pod
}

// reachable is a pod that an earlier spec made.
func reachable(ctx context.Context, namespace, name string) *corev1.Pod {
	GinkgoHelper()
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
	waitUntilReady(ctx, pod)
	return pod
}

// speakAs writes a text from within a pod through the channel port of another, and returns what became of it.
func speakAs(ctx context.Context, from, to *corev1.Pod, text string) (string, error) {
	return execIn(ctx, from.Namespace, from.Name, agentContainer, "/test-agent", "speak", speakingDirectory,
		fmt.Sprintf("%s:%d", to.Status.PodIP, inject.ChannelPort), admin.ServerName(to.Namespace, to.Labels[v1alpha1.LabelAgent]), text)
}

// refusals are the log lines of a screener about tokens.
func refusals(ctx context.Context, pod *corev1.Pod) string {
	GinkgoHelper()
	raw, err := clientset.CoreV1().Pods(pod.Namespace).
		GetLogs(pod.Name, &corev1.PodLogOptions{Container: inject.ContainerName}).DoRaw(ctx)
	Expect(err).NotTo(HaveOccurred())
	var lines []string
	for line := range strings.SplitSeq(string(raw), "\n") {
		if strings.Contains(line, "token refused") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}
