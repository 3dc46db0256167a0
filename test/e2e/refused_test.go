//go:build e2e

// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"encoding/json"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/types"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apitypes "k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/inject"
)

// injector is the name of the MutatingWebhookConfiguration.
const injector = "memorytrust-pod-injector"

var _ = Describe("Refused", Ordered, ContinueOnFailure, func() {
	const name = "concierge"
	names := inject.NamesFor(name)
	var namespace, privileged string
	var agent *runningAgent

	BeforeAll(func(ctx SpecContext) {
		namespace = newNamespace(ctx, nil)
		apply(ctx, namespace, prefixPolicy)
		agent = run(ctx, agentPod(namespace, name))
		By("a namespace where Pod Security allows everything, so that it is us who refuse")
		privileged = newNamespace(ctx, map[string]string{"pod-security.kubernetes.io/enforce": "privileged"})
		apply(ctx, privileged, prefixPolicy)
		serviceAccount(ctx, privileged, name)
		Expect(createsWithout(ctx, unlabelledPod(privileged, "plain"))).To(Succeed())
	}, NodeTimeout(2*time.Minute))

	// mustSay asserts that an error names the fix.
	mustSay := func(err error, parts ...string) {
		GinkgoHelper()
		Expect(err).To(HaveOccurred(), "it was allowed")
		GinkgoWriter.Println(err)
		var matchers []types.GomegaMatcher
		for _, part := range parts {
			matchers = append(matchers, ContainSubstring(part))
		}
		Expect(err).To(MatchError(And(matchers...)))
	}

	DescribeTable("an opted-in pod with",
		func(ctx SpecContext, change func(*corev1.Pod), says ...string) {
			pod := agentPod(privileged, name)
			change(pod)
			mustSay(k8s.Create(ctx, pod), says...)
		},
		Entry("a container of our name", func(pod *corev1.Pod) {
			pod.Spec.Containers[0].Name = inject.ContainerName
		}, "rename", inject.ContainerName),
		Entry("an init container of our name", func(pod *corev1.Pod) {
			taken := pod.Spec.Containers[0]
			taken.Name, taken.ReadinessProbe = inject.ContainerName, nil
			pod.Spec.InitContainers = []corev1.Container{taken}
		}, "rename", inject.ContainerName),
		Entry("a shared process namespace", func(pod *corev1.Pod) {
			pod.Spec.ShareProcessNamespace = ptr.To(true)
		}, "remove", "shareProcessNamespace"),
		Entry("the node's network", func(pod *corev1.Pod) {
			pod.Spec.HostNetwork = true
		}, "remove", "hostNetwork"),
		Entry("the node's processes", func(pod *corev1.Pod) {
			pod.Spec.HostPID = true
		}, "remove", "hostPID"),
		Entry("our user", func(pod *corev1.Pod) {
			pod.Spec.Containers[0].SecurityContext.RunAsUser = ptr.To(inject.UserID)
		}, "runAsUser"),
		Entry("our config volume mounted", func(pod *corev1.Pod) {
			pod.Spec.Containers[0].VolumeMounts = []corev1.VolumeMount{{Name: inject.ConfigVolume, MountPath: "/keys"}}
		}, inject.ConfigVolume),
		Entry("a name that is none", func(pod *corev1.Pod) {
			pod.Labels[v1alpha1.LabelAgent] = "Concierge_1"
		}, v1alpha1.LabelAgent, "lower-case"),
		Entry("an agent's name of another ServiceAccount", func(pod *corev1.Pod) {
			pod.Namespace, pod.Name = namespace, "hijacker"
			pod.Spec.ServiceAccountName = "default"
		}, "ServiceAccount", name),
	)

	DescribeTable("keys or store mounted elsewhere",
		func(ctx SpecContext, change func(*corev1.Pod)) {
			mine := agentPod(namespace, name)
			mine.Name = "reaching"
			change(mine)
			mustSay(k8s.Create(ctx, mine), "remove", "mt-")

			By("by a pod that did not opt in as well")
			other := unlabelledPod(namespace, "reaching-other")
			change(other)
			mustSay(k8s.Create(ctx, other), "remove", "mt-")
		},
		Entry("as a volume", func(pod *corev1.Pod) {
			addVolume(pod, corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: names.KeySecret}})
		}),
		Entry("as a projected volume", func(pod *corev1.Pod) {
			addVolume(pod, corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{Sources: []corev1.VolumeProjection{
				{Secret: &corev1.SecretProjection{LocalObjectReference: corev1.LocalObjectReference{Name: names.KeySecret}}},
			}}})
		}),
		Entry("as a variable", func(pod *corev1.Pod) {
			pod.Spec.Containers[0].Env = []corev1.EnvVar{{Name: "KEY", ValueFrom: &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{
				LocalObjectReference: corev1.LocalObjectReference{Name: names.KeySecret}, Key: "primary",
			}}}}
		}),
		Entry("as variables", func(pod *corev1.Pod) {
			pod.Spec.Containers[0].EnvFrom = []corev1.EnvFromSource{{SecretRef: &corev1.SecretEnvSource{
				LocalObjectReference: corev1.LocalObjectReference{Name: names.ChannelsSecret},
			}}}
		}),
		Entry("the store, as a claim", func(pod *corev1.Pod) {
			addVolume(pod, corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: names.StoreClaim}})
		}),
	)

	It("an opted-in pod without the screener, even if the webhook is gone", func(ctx SpecContext) {
		var webhook admissionregistrationv1.MutatingWebhookConfiguration
		Expect(k8s.Get(ctx, client.ObjectKey{Name: injector}, &webhook)).To(Succeed())
		By("exempting the namespace from the webhook")
		_, err := kubectl(ctx, "", "label", "namespace", namespace, "e2e.memorytrust.dev/exempt=true")
		Expect(err).NotTo(HaveOccurred())
		original := webhook.DeepCopy()
		for i := range webhook.Webhooks {
			selector := webhook.Webhooks[i].NamespaceSelector
			if selector == nil {
				selector = &metav1.LabelSelector{}
				webhook.Webhooks[i].NamespaceSelector = selector
			}
			selector.MatchExpressions = append(selector.MatchExpressions, metav1.LabelSelectorRequirement{
				Key: "e2e.memorytrust.dev/exempt", Operator: metav1.LabelSelectorOpDoesNotExist,
			})
		}
		Expect(k8s.Update(ctx, &webhook)).To(Succeed())
		DeferCleanup(func(ctx SpecContext) {
			fresh := &admissionregistrationv1.MutatingWebhookConfiguration{}
			Expect(k8s.Get(ctx, client.ObjectKeyFromObject(original), fresh)).To(Succeed())
			fresh.Webhooks = original.Webhooks
			Expect(k8s.Update(ctx, fresh)).To(Succeed())
		}, NodeTimeout(time.Minute))

		Eventually(ctx, func(g Gomega) {
			pod := agentPod(namespace, name)
			pod.Name = "bare"
			err := k8s.Create(ctx, pod, client.DryRunAll)
			g.Expect(err).To(MatchError(And(ContainSubstring("ValidatingAdmissionPolicy"), ContainSubstring(injector))))
		}).Should(Succeed())
	}, SpecTimeout(time.Minute))

	It("the screener's image swapped by an update, while the agent's own may change", func(ctx SpecContext) {
		swap := func(container, field string) error {
			return patchPod(ctx, agent.pod, map[string]any{"spec": map[string]any{field: []map[string]any{{"name": container, "image": image("test-agent-next")}}}})
		}
		mustSay(swap(inject.ContainerName, "initContainers"), inject.ContainerName, "upgrade the operator")
		Expect(swap(agentContainer, "containers")).To(Succeed())
	}, SpecTimeout(time.Minute))

	It("the agent's label removed or changed on a running pod", func(ctx SpecContext) {
		for _, value := range []any{nil, "another"} {
			mustSay(patchPod(ctx, agent.pod, map[string]any{"metadata": map[string]any{"labels": map[string]any{v1alpha1.LabelAgent: value}}}), v1alpha1.LabelAgent)
		}
	}, SpecTimeout(time.Minute))

	It("an ephemeral container that reaches for the keys", func(ctx SpecContext) {
		debug := func(change func(*corev1.EphemeralContainer)) error {
			pod := &corev1.Pod{}
			Expect(k8s.Get(ctx, client.ObjectKeyFromObject(agent.pod), pod)).To(Succeed())
			container := corev1.EphemeralContainer{EphemeralContainerCommon: corev1.EphemeralContainerCommon{
				Name: "debug", Image: image("test-agent"), SecurityContext: restricted(),
			}}
			change(&container)
			pod.Spec.EphemeralContainers = append(pod.Spec.EphemeralContainers, container)
			_, err := clientset.CoreV1().Pods(namespace).UpdateEphemeralContainers(ctx, pod.Name, pod, metav1.UpdateOptions{DryRun: []string{metav1.DryRunAll}})
			return err
		}
		mustSay(debug(func(c *corev1.EphemeralContainer) {
			c.VolumeMounts = []corev1.VolumeMount{{Name: inject.ConfigVolume, MountPath: "/keys"}}
		}), inject.ConfigVolume)
		mustSay(debug(func(c *corev1.EphemeralContainer) {
			c.EnvFrom = []corev1.EnvFromSource{{SecretRef: &corev1.SecretEnvSource{
				LocalObjectReference: corev1.LocalObjectReference{Name: names.KeySecret},
			}}}
		}), "remove", "mt-")
		mustSay(debug(func(c *corev1.EphemeralContainer) { c.TargetContainerName = inject.ContainerName }), inject.ContainerName)
		mustSay(debug(func(c *corev1.EphemeralContainer) { c.SecurityContext.RunAsUser = ptr.To(inject.UserID) }), "runAsUser")
		Expect(debug(func(c *corev1.EphemeralContainer) { c.TargetContainerName = agentContainer })).To(Succeed(), "debugging the agent itself is fine")
	}, SpecTimeout(time.Minute))

	It("exec and attach into the screener, while the agent's container can be entered", func(ctx SpecContext) {
		_, err := kubectl(ctx, "", "exec", "-n", namespace, agent.pod.Name, "-c", inject.ContainerName, "--", "/screener", "--help")
		mustSay(err, inject.ContainerName)
		_, err = kubectl(ctx, "", "attach", "-n", namespace, agent.pod.Name, "-c", inject.ContainerName)
		mustSay(err, inject.ContainerName)
		_, err = kubectl(ctx, "", "exec", "-n", namespace, agent.pod.Name, "-c", agentContainer, "--", "/test-agent", "stat", "/")
		Expect(err).NotTo(HaveOccurred())
	}, SpecTimeout(time.Minute))

	It("an unlabelled pod in a namespace that requires protection", func(ctx SpecContext) {
		strict := newNamespace(ctx, map[string]string{v1alpha1.LabelRequire: "true"})
		Eventually(ctx, func(g Gomega) {
			err := k8s.Create(ctx, unlabelledPod(strict, "plain"), client.DryRunAll)
			g.Expect(err).To(MatchError(And(ContainSubstring(v1alpha1.LabelRequire), ContainSubstring(v1alpha1.LabelAgent))))
		}).Should(Succeed())
	}, SpecTimeout(time.Minute))

	It("an opted-in pod that no policy selects", func(ctx SpecContext) {
		empty := newNamespace(ctx, nil)
		serviceAccount(ctx, empty, name)
		mustSay(k8s.Create(ctx, agentPod(empty, name)), "MemoryTrustPolicy", empty)
	}, SpecTimeout(time.Minute))

	It("anybody but the operator writing its objects, or taking an identity over", func(ctx SpecContext) {
		person := namespaceAdmin(ctx, namespace, rbacv1.PolicyRule{
			APIGroups: []string{v1alpha1.GroupVersion.Group}, Resources: []string{"agentmemories"},
			Verbs: []string{"get", "create", "update", "patch", "delete"},
		})
		forged := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: inject.NamesFor("other").KeySecret}}
		mustSay(person.Create(ctx, forged), "operator")
		changed := keySecret(ctx, namespace, name)
		changed.Data["primary"] = []byte("1")
		mustSay(person.Update(ctx, changed), "operator")
		Expect(person.Create(ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "mt-their-own"}})).
			To(Succeed(), "a name that merely begins like ours")

		memory := agentMemory(ctx, namespace, name)
		memory.Spec.ServiceAccountName = "default"
		mustSay(person.Update(ctx, memory), "adopt")
	}, SpecTimeout(time.Minute))
})

// addVolume adds a volume and mounts it into the agent's container.
func addVolume(pod *corev1.Pod, source corev1.VolumeSource) {
	pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: "reach", VolumeSource: source})
	pod.Spec.Containers[0].VolumeMounts = append(pod.Spec.Containers[0].VolumeMounts, corev1.VolumeMount{Name: "reach", MountPath: "/reach"})
}

// patchPod asks for a strategic merge patch of a pod, without storing it.
func patchPod(ctx context.Context, pod *corev1.Pod, patch map[string]any) error {
	GinkgoHelper()
	encoded, err := json.Marshal(patch)
	Expect(err).NotTo(HaveOccurred())
	return k8s.Patch(ctx, pod.DeepCopy(), client.RawPatch(apitypes.StrategicMergePatchType, encoded), client.DryRunAll)
}

// createsWithout tells whether a pod that did not opt in is admitted; in a new namespace that takes a moment.
func createsWithout(ctx context.Context, pod *corev1.Pod) error {
	var err error
	for range 40 {
		if err = k8s.Create(ctx, pod.DeepCopy(), client.DryRunAll); err == nil {
			return nil
		}
		time.Sleep(250 * time.Millisecond)
	}
	return err
}
