// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package webhook

import (
	"fmt"
	"slices"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/inject"
)

var _ = Describe("Injection", func() {
	var namespace string

	BeforeEach(func() {
		namespace = createNamespace("", nil)
	})

	screenerOf := func(pod *corev1.Pod) corev1.Container {
		GinkgoHelper()
		Expect(pod.Spec.InitContainers).NotTo(BeEmpty())
		Expect(pod.Spec.InitContainers[0].Name).To(Equal(inject.ContainerName))
		return pod.Spec.InitContainers[0]
	}

	Context("with a policy for all agents", func() {
		BeforeEach(func() {
			Expect(k8sClient.Create(ctx, trustPolicy(namespace, "agents", metav1.LabelSelector{}))).To(Succeed())
		})

		It("puts the screener first and gives the URL to the others, at once after the policy was applied", func() {
			pod := agentPod(namespace, "support")
			Expect(k8sClient.Create(ctx, pod)).To(Succeed())
			screener := screenerOf(pod)
			Expect(screener.Image).To(Equal(screenerImage))
			Expect(pod.Spec.InitContainers[1].Env).To(ContainElement(corev1.EnvVar{Name: "MEMORY_URL", Value: "http://127.0.0.1:8787"}))
			Expect(pod.Spec.Containers[0].Env).To(ContainElement(corev1.EnvVar{Name: "MEMORY_URL", Value: "http://127.0.0.1:8787"}))
			Expect(pod.Annotations).To(HaveKeyWithValue(v1alpha1.AnnotationPolicy, "agents"))
		})

		It("keeps the ServiceAccount's token out of the screener and leaves it to the agent", func() {
			pod := agentPod(namespace, "support")
			Expect(k8sClient.Create(ctx, pod)).To(Succeed())
			names := func(c corev1.Container) (out []string) {
				for _, m := range c.VolumeMounts {
					out = append(out, m.Name)
				}
				return out
			}
			Expect(names(screenerOf(pod))).To(ConsistOf(inject.ConfigVolume, inject.StoreVolume, inject.TokenVolume))
			Expect(names(pod.Spec.Containers[0])).To(ContainElement(HavePrefix("kube-api-access-")))
		})

		It("takes a pod back as it was read from the API server", func() {
			pod := agentPod(namespace, "support")
			Expect(k8sClient.Create(ctx, pod)).To(Succeed())
			again := pod.DeepCopy()
			again.ObjectMeta = metav1.ObjectMeta{Namespace: namespace, Name: "again", Labels: pod.Labels, Annotations: pod.Annotations}
			again.Status = corev1.PodStatus{}
			Expect(k8sClient.Create(ctx, again)).To(Succeed())
			Expect(again.Spec).To(Equal(pod.Spec))
			Expect(again.Annotations).To(Equal(pod.Annotations))
		})

		It("undoes what a later webhook does to the screener, and only that", func() {
			pod := agentPod(namespace, "support")
			pod.Labels[labelMeddle] = "yes"
			Expect(k8sClient.Create(ctx, pod)).To(Succeed())
			Expect(screenerOf(pod).Env).To(BeEmpty())
			Expect(pod.Spec.Containers[0].Env).To(ContainElement(corev1.EnvVar{Name: "TRACE", Value: "on"}))
		})

		It("accepts the limits a namespace sets for containers that have none", func() {
			Expect(k8sClient.Create(ctx, &corev1.LimitRange{
				ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "defaults"},
				Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{{
					Type:    corev1.LimitTypeContainer,
					Default: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("250m")},
				}}},
			})).To(Succeed())
			Eventually(func(g Gomega) {
				pod := agentPod(namespace, "support")
				g.Expect(k8sClient.Create(ctx, pod)).To(Succeed())
				limits := screenerOf(pod).Resources.Limits
				g.Expect(limits.Cpu().String()).To(Equal("250m"))
				g.Expect(limits.Memory().String()).To(Equal("256Mi"))
			}, "10s", "200ms").Should(Succeed())
		})

		It("admits the pod of a namespace that enforces Pod Security restricted", func() {
			restricted := createNamespace("", map[string]string{"pod-security.kubernetes.io/enforce": "restricted"})
			Expect(k8sClient.Create(ctx, trustPolicy(restricted, "agents", metav1.LabelSelector{}))).To(Succeed())
			pod := agentPod(restricted, "support")
			secure := corev1.SecurityContext{
				RunAsNonRoot: new(bool), AllowPrivilegeEscalation: new(bool),
				Capabilities:   &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
				SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
			}
			*secure.RunAsNonRoot = true
			pod.Spec.InitContainers[0].SecurityContext = &secure
			pod.Spec.Containers[0].SecurityContext = &secure
			Expect(k8sClient.Create(ctx, pod)).To(Succeed())
		})

		It("does nothing in a dry run but answers as always", func() {
			pod := agentPod(namespace, "support")
			Expect(k8sClient.Create(ctx, pod, client.DryRunAll)).To(Succeed())
			Expect(screenerOf(pod).Image).To(Equal(screenerImage))
		})

		It("admits one hundred agents, and says how long that took", func() {
			var with, without []time.Duration
			for range 100 {
				begin := time.Now()
				Expect(k8sClient.Create(ctx, agentPod(namespace, "support"), client.DryRunAll)).To(Succeed())
				with = append(with, time.Since(begin))
				begin = time.Now()
				Expect(k8sClient.Create(ctx, plainPod(namespace), client.DryRunAll)).To(Succeed())
				without = append(without, time.Since(begin))
			}
			slices.Sort(with)
			slices.Sort(without)
			AddReportEntry("creation of a pod, median and 99th percentile",
				fmt.Sprintf("agent %v %v, other %v %v", with[50], with[98], without[50], without[98]), ReportEntryVisibilityAlways)
		})

		It("leaves a pod without the label alone", func() {
			pod := plainPod(namespace)
			Expect(k8sClient.Create(ctx, pod)).To(Succeed())
			Expect(pod.Spec.InitContainers).To(HaveLen(1))
			Expect(pod.Spec.Containers[0].Env).To(BeEmpty())
			Expect(pod.Annotations).To(BeEmpty())
		})

		It("refuses a pod that cannot be protected, and counts it", func() {
			before := decisionCount("denied", inject.ReasonHostPID)
			pod := agentPod(namespace, "support")
			pod.Spec.HostPID = true
			Expect(k8sClient.Create(ctx, pod)).To(MatchError(ContainSubstring("remove spec.hostPID")))
			Expect(decisionCount("denied", inject.ReasonHostPID)).To(Equal(before + 1))
		})

		It("refuses a label that names no agent", func() {
			pod := agentPod(namespace, "Support_Bot")
			pod.GenerateName = "support-"
			Expect(k8sClient.Create(ctx, pod)).To(MatchError(ContainSubstring("use lower-case letters, digits and '-'")))
		})

		It("refuses a container with the screener's name", func() {
			pod := agentPod(namespace, "support")
			pod.Spec.Containers[0].Name = inject.ContainerName
			Expect(k8sClient.Create(ctx, pod)).To(MatchError(ContainSubstring("rename the container memorytrust-screener")))
		})

		It("gives an agent's memory to its ServiceAccount only", func() {
			Expect(k8sClient.Create(ctx, agentMemory(namespace, "support", "other"))).To(Succeed())
			pod := agentPod(namespace, "support")
			Expect(k8sClient.Create(ctx, pod)).To(MatchError(SatisfyAll(
				ContainSubstring("belongs to ServiceAccount other and this pod runs as default"),
				ContainSubstring("set spec.serviceAccountName to other"),
				ContainSubstring("adopt"))))
			pod = agentPod(namespace, "support")
			pod.Spec.ServiceAccountName = "other"
			Expect(k8sClient.Create(ctx, pod)).To(Succeed())
		})

		It("does not store a pod with another agent's memory when the mutating webhook is gone", func() {
			withoutInjection(func() {
				pod := injected(agentPod(namespace, "support"))
				Expect(k8sClient.Create(ctx, pod, client.DryRunAll)).To(Succeed(), "a pod written by hand just as injected")

				pod = injected(agentPod(namespace, "victim"))
				pod.Labels[v1alpha1.LabelAgent] = "support"
				Expect(k8sClient.Create(ctx, pod)).To(MatchError(ContainSubstring("the pod is not as injected (spec.volumes)")))

				Expect(k8sClient.Create(ctx, agentMemory(namespace, "support", "other"))).To(Succeed())
				pod = injected(agentPod(namespace, "support"))
				Expect(k8sClient.Create(ctx, pod)).To(MatchError(ContainSubstring("belongs to ServiceAccount other")))
			})
		})
	})

	It("refuses an agent no policy selects, and names the ones there are", func() {
		pod := agentPod(namespace, "support")
		Expect(k8sClient.Create(ctx, pod)).To(MatchError(SatisfyAll(
			ContainSubstring("no MemoryTrustPolicy in namespace "+namespace+" selects this pod (there is none)"),
			ContainSubstring("remove the label memorytrust.dev/agent"))))
		Expect(k8sClient.Create(ctx, trustPolicy(namespace, "bank", metav1.LabelSelector{MatchLabels: map[string]string{"team": "bank"}}))).To(Succeed())
		Expect(k8sClient.Create(ctx, pod)).To(MatchError(ContainSubstring("(there is: bank)")))
	})

	It("injects for the oldest of overlapping policies", func() {
		Expect(k8sClient.Create(ctx, trustPolicy(namespace, "b", metav1.LabelSelector{}))).To(Succeed())
		second := trustPolicy(namespace, "c", metav1.LabelSelector{MatchLabels: map[string]string{"team": "shop"}})
		second.Spec.Store.Type = v1alpha1.StoreTypePersistent
		Expect(k8sClient.Create(ctx, second)).To(Succeed())
		pod := agentPod(namespace, "support")
		Expect(k8sClient.Create(ctx, pod)).To(Succeed())
		Expect(pod.Annotations).To(HaveKeyWithValue(v1alpha1.AnnotationPolicy, "b"))
	})

	It("mounts the agent's claim for store Persistent", func() {
		policy := trustPolicy(namespace, "keep", metav1.LabelSelector{})
		policy.Spec.Store.Type = v1alpha1.StoreTypePersistent
		Expect(k8sClient.Create(ctx, policy)).To(Succeed())
		pod := agentPod(namespace, "support")
		Expect(k8sClient.Create(ctx, pod)).To(Succeed())
		at := slices.IndexFunc(pod.Spec.Volumes, func(v corev1.Volume) bool { return v.Name == inject.StoreVolume })
		Expect(pod.Spec.Volumes[at].PersistentVolumeClaim.ClaimName).To(Equal(inject.NamesFor("support").StoreClaim))
	})
})

// decisionCount reads the counter of decisions as a scrape would.
func decisionCount(result string, reason inject.Reason) float64 {
	GinkgoHelper()
	families, err := metrics.Registry.Gather()
	Expect(err).NotTo(HaveOccurred())
	for _, family := range families {
		if family.GetName() != "memorytrust_admission_total" {
			continue
		}
		for _, metric := range family.GetMetric() {
			labels := map[string]string{}
			for _, label := range metric.GetLabel() {
				labels[label.GetName()] = label.GetValue()
			}
			if labels["result"] == result && labels["reason"] == string(reason) {
				return metric.GetCounter().GetValue()
			}
		}
	}
	return 0
}

// withoutInjection runs with the mutating webhook's configuration gone, and puts it back.
func withoutInjection(do func()) {
	GinkgoHelper()
	var present admissionregistrationv1.MutatingWebhookConfiguration
	Expect(k8sClient.Get(ctx, client.ObjectKey{Name: "memorytrust-pod-injector"}, &present)).To(Succeed())
	restored := present.DeepCopy()
	restored.ObjectMeta = metav1.ObjectMeta{Name: present.Name, Labels: present.Labels}
	Expect(k8sClient.Delete(ctx, &present)).To(Succeed())
	namespace := createNamespace("", nil)
	probe := func() error { return k8sClient.Create(ctx, agentPod(namespace, "probe"), client.DryRunAll) }
	Eventually(probe, "10s", "100ms").Should(MatchError(ContainSubstring("memorytrust-agent-pods")))
	defer func() {
		Expect(k8sClient.Create(ctx, restored)).To(Succeed())
		Eventually(probe, "10s", "100ms").Should(MatchError(ContainSubstring("inject.memorytrust.dev")))
	}()
	do()
}

var _ = Describe("An operator that is down", Serial, Ordered, func() {
	var namespace, running string

	BeforeAll(func() {
		namespace = createNamespace("", nil)
		Expect(k8sClient.Create(ctx, trustPolicy(namespace, "agents", metav1.LabelSelector{}))).To(Succeed())
		pod := agentPod(namespace, "support")
		Expect(k8sClient.Create(ctx, pod)).To(Succeed())
		running = pod.Name
		stopManager()
		DeferCleanup(startManager)
	})

	It("keeps agents from running unprotected", func() {
		err := k8sClient.Create(ctx, agentPod(namespace, "support"))
		Expect(apierrors.IsInternalError(err)).To(BeTrue(), "%v", err)
		Expect(err).To(MatchError(ContainSubstring("failed calling webhook")))
	})

	It("does not touch pods that did not opt in", func() {
		pod := plainPod(namespace)
		Expect(k8sClient.Create(ctx, pod)).To(Succeed())
		Expect(pod.Spec.InitContainers).To(HaveLen(1))
	})

	It("does not stand in the way of running agents", func() {
		var pod corev1.Pod
		Expect(k8sClient.Get(ctx, client.ObjectKey{Namespace: namespace, Name: running}, &pod)).To(Succeed())
		pod.Annotations["note"] = "still managed"
		Expect(k8sClient.Update(ctx, &pod)).To(Succeed())
		Expect(k8sClient.Delete(ctx, &pod)).To(Succeed())
	})
})
