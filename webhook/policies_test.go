// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package webhook

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/inject"
)

// The webhooks leave the operator's own namespace out, the policies do not: there a policy answers alone.

var _ = Describe("Admission policy for agent pods", func() {
	screener := func(p *corev1.Pod) *corev1.Container { return &p.Spec.InitContainers[0] }
	volume := func(p *corev1.Pod, name string) *corev1.Volume {
		for i := range p.Spec.Volumes {
			if p.Spec.Volumes[i].Name == name {
				return &p.Spec.Volumes[i]
			}
		}
		return nil
	}

	It("admits what injection makes, for both stores", func() {
		pod := injected(agentPod(systemNamespace, "support"))
		Expect(k8sClient.Create(ctx, pod, client.DryRunAll)).To(Succeed())
		pod = injected(agentPod(systemNamespace, "support"))
		volume(pod, inject.StoreVolume).VolumeSource = corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: inject.NamesFor("support").StoreClaim},
		}
		Expect(k8sClient.Create(ctx, pod, client.DryRunAll)).To(Succeed())
	})

	It("admits a large pod within the cost limits", func() {
		pod := agentPod(systemNamespace, "support")
		for i := range 40 {
			c := corev1.Container{Name: fmt.Sprintf("c%d", i), Image: "registry.example/agent:1"}
			for v := range 100 {
				c.Env = append(c.Env, corev1.EnvVar{Name: fmt.Sprintf("V%d", v), Value: "x"})
			}
			for v := range 30 {
				c.VolumeMounts = append(c.VolumeMounts, corev1.VolumeMount{Name: fmt.Sprintf("v%d", v), MountPath: fmt.Sprintf("/v%d", v)})
			}
			pod.Spec.Containers = append(pod.Spec.Containers, c)
		}
		for v := range 30 {
			pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: fmt.Sprintf("v%d", v), VolumeSource: corev1.VolumeSource{
				Secret: &corev1.SecretVolumeSource{SecretName: fmt.Sprintf("mt-settings-%d", v)},
			}})
		}
		Expect(k8sClient.Create(ctx, injected(pod), client.DryRunAll)).To(Succeed())
	})

	DescribeTable("refuses", func(change func(*corev1.Pod), message string) {
		pod := injected(agentPod(systemNamespace, "support"))
		change(pod)
		Expect(k8sClient.Create(ctx, pod, client.DryRunAll)).To(MatchError(ContainSubstring(message)))
	},
		Entry("a label that names no agent", func(p *corev1.Pod) { p.Labels[v1alpha1.LabelAgent] = "Support" },
			"use lower-case letters"),
		Entry("a pod without the screener", func(p *corev1.Pod) { p.Spec.InitContainers = p.Spec.InitContainers[1:] },
			"an agent pod needs the init container memorytrust-screener"),
		Entry("the screener as a regular container", func(p *corev1.Pod) {
			c := *screener(p)
			c.RestartPolicy = nil
			p.Spec.InitContainers = p.Spec.InitContainers[1:]
			p.Spec.Containers = append(p.Spec.Containers, c)
		}, "an agent pod needs the init container memorytrust-screener"),
		Entry("an init container before the screener", func(p *corev1.Pod) {
			c := p.Spec.InitContainers
			c[0], c[1] = c[1], c[0]
		}, "must be the first init container"),
		Entry("another image", func(p *corev1.Pod) { screener(p).Image = "registry.example/evil:1" },
			"must run the image "+screenerImage),
		Entry("an init container that ends", func(p *corev1.Pod) {
			screener(p).RestartPolicy = nil
			screener(p).StartupProbe, screener(p).LivenessProbe, screener(p).ReadinessProbe = nil, nil, nil
		}, "must be a sidecar"),
		Entry("no startup probe", func(p *corev1.Pod) { screener(p).StartupProbe = nil }, "must be a sidecar"),
		Entry("another command", func(p *corev1.Pod) { screener(p).Command = []string{"/bin/sh"} }, "its own command"),
		Entry("other arguments", func(p *corev1.Pod) { screener(p).Args = append(screener(p).Args, "--policy=/tmp/p") }, "its own command"),
		Entry("a variable", func(p *corev1.Pod) { screener(p).Env = []corev1.EnvVar{{Name: "GODEBUG", Value: "x"}} }, "its own command"),
		Entry("a hook", func(p *corev1.Pod) {
			screener(p).Lifecycle = &corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{Sleep: &corev1.SleepAction{Seconds: 1}}}
		}, "its own command"),
		Entry("another user", func(p *corev1.Pod) { screener(p).SecurityContext.RunAsUser = ptr.To[int64](1000) }, "restricted security context"),
		Entry("an added capability", func(p *corev1.Pod) {
			screener(p).SecurityContext.Capabilities.Add = []corev1.Capability{"SYS_PTRACE"}
		}, "restricted security context"),
		Entry("privilege escalation", func(p *corev1.Pod) {
			screener(p).SecurityContext.AllowPrivilegeEscalation = ptr.To(true)
		}, "restricted security context"),
		Entry("a writable root", func(p *corev1.Pod) { screener(p).SecurityContext.ReadOnlyRootFilesystem = nil }, "restricted security context"),
		Entry("no security context", func(p *corev1.Pod) { screener(p).SecurityContext = nil }, "restricted security context"),
		Entry("a missing mount", func(p *corev1.Pod) { screener(p).VolumeMounts = screener(p).VolumeMounts[:2] }, "mount its own three volumes"),
		Entry("a mount elsewhere", func(p *corev1.Pod) { screener(p).VolumeMounts[0].MountPath = "/tmp" }, "mount its own three volumes"),
		Entry("a mount of a part", func(p *corev1.Pod) { screener(p).VolumeMounts[1].SubPath = "x" }, "mount its own three volumes"),
		Entry("another volume mounted", func(p *corev1.Pod) {
			p.Spec.Volumes = append(p.Spec.Volumes, corev1.Volume{Name: "x", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}})
			screener(p).VolumeMounts = append(screener(p).VolumeMounts, corev1.VolumeMount{Name: "x", MountPath: "/x"})
		}, "mount its own three volumes"),
		Entry("a configuration of the user's", func(p *corev1.Pod) {
			volume(p, inject.ConfigVolume).VolumeSource = corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}
		}, "must project the agent's key"),
		Entry("an optional key", func(p *corev1.Pod) {
			volume(p, inject.ConfigVolume).Projected.Sources[0].Secret.Optional = ptr.To(true)
		}, "must project the agent's key"),
		Entry("a policy of the user's", func(p *corev1.Pod) {
			volume(p, inject.ConfigVolume).Projected.Sources[3].ConfigMap.Name = "mine"
		}, "must project the agent's key"),
		Entry("the policy of another agent", func(p *corev1.Pod) {
			volume(p, inject.ConfigVolume).Projected.Sources[3].ConfigMap.Name = inject.NamesFor("other").PolicyConfigMap
		}, "belong to different agents"),
		Entry("the store of another agent", func(p *corev1.Pod) {
			volume(p, inject.StoreVolume).VolumeSource = corev1.VolumeSource{
				PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: inject.NamesFor("other").StoreClaim},
			}
		}, "belong to different agents"),
		Entry("a claim of the user's as store", func(p *corev1.Pod) {
			volume(p, inject.StoreVolume).VolumeSource = corev1.VolumeSource{
				PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "mine"},
			}
		}, "must be the agent's own"),
		Entry("the store mounted by the agent", func(p *corev1.Pod) {
			p.Spec.Containers[0].VolumeMounts = []corev1.VolumeMount{{Name: inject.StoreVolume, MountPath: "/m"}}
		}, "only memorytrust-screener may use the volumes"),
		Entry("the keys mounted by an init container", func(p *corev1.Pod) {
			p.Spec.InitContainers[1].VolumeMounts = []corev1.VolumeMount{{Name: inject.ConfigVolume, MountPath: "/m"}}
		}, "only memorytrust-screener may use the volumes"),
		Entry("host network", func(p *corev1.Pod) {
			p.Spec.HostNetwork = true
			screener(p).Ports = nil
		}, "remove spec.hostNetwork"),
		Entry("host processes", func(p *corev1.Pod) { p.Spec.HostPID = true }, "remove spec.hostPID"),
		Entry("shared processes", func(p *corev1.Pod) { p.Spec.ShareProcessNamespace = ptr.To(true) }, "remove spec.shareProcessNamespace"),
		Entry("the screener's user for the pod", func(p *corev1.Pod) {
			p.Spec.SecurityContext.RunAsUser = ptr.To(inject.UserID)
		}, "choose another runAsUser"),
		Entry("the screener's user for the agent", func(p *corev1.Pod) {
			p.Spec.Containers[0].SecurityContext = &corev1.SecurityContext{RunAsUser: ptr.To(inject.UserID)}
		}, "choose another runAsUser"),
		Entry("the screener's user for an init container", func(p *corev1.Pod) {
			p.Spec.InitContainers[1].SecurityContext = &corev1.SecurityContext{RunAsUser: ptr.To(inject.UserID)}
		}, "choose another runAsUser"),
	)

	It("refuses agents, and nothing else, without the operator's parameters", func() {
		var params corev1.ConfigMap
		Expect(k8sClient.Get(ctx, client.ObjectKey{Namespace: systemNamespace, Name: "memorytrust-admission"}, &params)).To(Succeed())
		Expect(k8sClient.Delete(ctx, &params)).To(Succeed())
		DeferCleanup(func() {
			Expect(k8sClient.Create(ctx, &corev1.ConfigMap{
				ObjectMeta: metav1.ObjectMeta{Namespace: systemNamespace, Name: params.Name}, Data: params.Data,
			})).To(Succeed())
			Eventually(func() error {
				return k8sClient.Create(ctx, injected(agentPod(systemNamespace, "support")), client.DryRunAll)
			}, "10s", "100ms").Should(Succeed())
		})
		Eventually(func() error {
			return k8sClient.Create(ctx, injected(agentPod(systemNamespace, "support")), client.DryRunAll)
		}, "10s", "100ms").Should(MatchError(ContainSubstring("no params found")))
		Expect(k8sClient.Create(ctx, plainPod(systemNamespace), client.DryRunAll)).To(Succeed())
		secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: systemNamespace, Name: "mends-it"}}
		Expect(as("alice").Create(ctx, secret, client.DryRunAll)).To(Succeed())
	})
})

var _ = Describe("Admission policy for changes of agent pods", func() {
	var pod *corev1.Pod

	BeforeEach(func() {
		pod = injected(agentPod(systemNamespace, "support"))
		Expect(k8sClient.Create(ctx, pod)).To(Succeed())
		DeferCleanup(func() { _ = k8sClient.Delete(ctx, pod) })
	})

	It("allows what has nothing to do with the screener", func() {
		pod.Annotations["note"] = "x"
		pod.Labels["team"] = "bank"
		pod.Spec.Containers[0].Image = "registry.example/agent:2"
		Expect(k8sClient.Update(ctx, pod)).To(Succeed())
		pod.Status.Phase = corev1.PodRunning
		Expect(k8sClient.Status().Update(ctx, pod)).To(Succeed())
	})

	It("keeps the screener's image", func() {
		pod.Spec.InitContainers[0].Image = "registry.example/evil:1"
		Expect(k8sClient.Update(ctx, pod)).To(MatchError(ContainSubstring("memorytrust-screener never changes in a running pod")))
	})

	It("keeps the label", func() {
		changed := pod.DeepCopy()
		changed.Labels[v1alpha1.LabelAgent] = "victim"
		Expect(k8sClient.Update(ctx, changed)).To(MatchError(ContainSubstring(`(it is "support", asked for "victim")`)))
		removed := pod.DeepCopy()
		delete(removed.Labels, v1alpha1.LabelAgent)
		Expect(k8sClient.Update(ctx, removed)).To(MatchError(ContainSubstring("set it in the pod template")))
		removed.Labels = nil
		Expect(k8sClient.Update(ctx, removed)).To(MatchError(ContainSubstring("set it in the pod template")))
		Expect(k8sClient.Status().Patch(ctx, pod.DeepCopy(), client.RawPatch(types.MergePatchType,
			[]byte(`{"metadata":{"labels":{"memorytrust.dev/agent":"victim"}}}`)))).
			To(MatchError(ContainSubstring("set it in the pod template")))
	})

	It("does not take a label later", func() {
		plain := plainPod(systemNamespace)
		Expect(k8sClient.Create(ctx, plain)).To(Succeed())
		DeferCleanup(func() { _ = k8sClient.Delete(ctx, plain) })
		plain.Labels["team"] = "bank"
		Expect(k8sClient.Update(ctx, plain)).To(Succeed())
		plain.Labels[v1alpha1.LabelAgent] = "support"
		Expect(k8sClient.Update(ctx, plain)).To(MatchError(ContainSubstring("set it in the pod template")))
		plain.Labels[v1alpha1.LabelAgent] = ""
		Expect(k8sClient.Update(ctx, plain)).To(MatchError(ContainSubstring("set it in the pod template")))
	})

	DescribeTable("refuses ephemeral containers", func(change func(*corev1.EphemeralContainer), message string) {
		c := corev1.EphemeralContainer{EphemeralContainerCommon: corev1.EphemeralContainerCommon{
			Name: "debug", Image: "registry.example/debug:1", TerminationMessagePolicy: corev1.TerminationMessageReadFile,
		}}
		change(&c)
		with := pod.DeepCopy()
		with.Spec.EphemeralContainers = []corev1.EphemeralContainer{c}
		_, err := clientset.CoreV1().Pods(pod.Namespace).UpdateEphemeralContainers(ctx, pod.Name, with, metav1.UpdateOptions{})
		if message == "" {
			Expect(err).NotTo(HaveOccurred())
			return
		}
		Expect(err).To(MatchError(ContainSubstring(message)))
	},
		Entry("none that keep away", func(c *corev1.EphemeralContainer) { c.TargetContainerName = "agent" }, ""),
		Entry("with the keys", func(c *corev1.EphemeralContainer) {
			c.VolumeMounts = []corev1.VolumeMount{{Name: inject.ConfigVolume, MountPath: "/m"}}
		}, "may not use the volumes"),
		Entry("with the store", func(c *corev1.EphemeralContainer) {
			c.VolumeMounts = []corev1.VolumeMount{{Name: inject.StoreVolume, MountPath: "/m"}}
		}, "may not use the volumes"),
		Entry("that target the screener", func(c *corev1.EphemeralContainer) { c.TargetContainerName = inject.ContainerName },
			"target the agent's container"),
		Entry("as the screener's user", func(c *corev1.EphemeralContainer) {
			c.SecurityContext = &corev1.SecurityContext{RunAsUser: ptr.To(inject.UserID)}
		}, "choose another runAsUser for the ephemeral container"),
		Entry("with a key in a variable", func(c *corev1.EphemeralContainer) {
			c.Env = []corev1.EnvVar{keyVariable(inject.NamesFor("support").KeySecret)}
		}, "ephemeral container debug takes variables from keys of an agent"),
	)

	It("keeps everybody out of the screener", func() {
		for _, how := range []string{"exec", "attach"} {
			Expect(connect(pod.Namespace, pod.Name, how, inject.ContainerName)).
				To(MatchError(ContainSubstring("use kubectl logs for what it does")), how)
			Expect(connect(pod.Namespace, pod.Name, how, "agent")).
				NotTo(MatchError(ContainSubstring("ValidatingAdmissionPolicy")), how)
		}
	})
})

// keyVariable takes a variable from a Secret.
func keyVariable(secret string) corev1.EnvVar {
	return corev1.EnvVar{Name: "K", ValueFrom: &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{
		LocalObjectReference: corev1.LocalObjectReference{Name: secret}, Key: "primary",
	}}}
}

var _ = Describe("Admission policy for references", Ordered, func() {
	var namespace string
	names := inject.NamesFor("support")
	local := corev1.LocalObjectReference{Name: names.KeySecret}

	BeforeAll(func() { namespace = createNamespace("", nil) })

	with := func(source corev1.VolumeSource) func(*corev1.Pod) {
		return func(p *corev1.Pod) { p.Spec.Volumes = []corev1.Volume{{Name: "data", VolumeSource: source}} }
	}

	DescribeTable("refuses any pod", func(change func(*corev1.Pod), message string) {
		pod := plainPod(namespace)
		change(pod)
		Expect(k8sClient.Create(ctx, pod, client.DryRunAll)).To(MatchError(ContainSubstring(message)))
	},
		Entry("a volume of the key", with(corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: names.KeySecret}}),
			"volume data refers to keys or memory of an agent"),
		Entry("a volume of the key, named as the screener's", func(p *corev1.Pod) {
			with(corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: names.KeySecret}})(p)
			p.Spec.Volumes[0].Name = inject.ConfigVolume
		}, "volume memorytrust-config refers"),
		Entry("a projection of the certificate", with(corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{
			Sources: []corev1.VolumeProjection{{Secret: &corev1.SecretProjection{LocalObjectReference: corev1.LocalObjectReference{Name: names.TLSSecret}}}},
		}}), "volume data refers"),
		Entry("the store", with(corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: names.StoreClaim},
		}), "volume data refers"),
		Entry("a clone of the store", with(corev1.VolumeSource{Ephemeral: &corev1.EphemeralVolumeSource{
			VolumeClaimTemplate: &corev1.PersistentVolumeClaimTemplate{Spec: corev1.PersistentVolumeClaimSpec{
				AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
				Resources:   corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{"storage": resource.MustParse("1Gi")}},
				DataSource:  &corev1.TypedLocalObjectReference{Kind: "PersistentVolumeClaim", Name: names.StoreClaim},
			}},
		}}), "volume data refers"),
		Entry("the key for a driver", with(corev1.VolumeSource{CSI: &corev1.CSIVolumeSource{Driver: "d.example", NodePublishSecretRef: &local}}),
			"volume data refers"),
		Entry("a variable from the key", func(p *corev1.Pod) { p.Spec.Containers[0].Env = []corev1.EnvVar{keyVariable(names.KeySecret)} },
			"container agent takes variables"),
		Entry("all variables from the key", func(p *corev1.Pod) {
			p.Spec.Containers[0].EnvFrom = []corev1.EnvFromSource{{SecretRef: &corev1.SecretEnvSource{LocalObjectReference: local}}}
		}, "container agent takes variables"),
		Entry("a variable of an init container", func(p *corev1.Pod) {
			p.Spec.InitContainers[0].Env = []corev1.EnvVar{keyVariable(names.ChannelsSecret)}
		}, "init container prepare takes variables"),
		Entry("the key to pull with", func(p *corev1.Pod) { p.Spec.ImagePullSecrets = []corev1.LocalObjectReference{local} },
			"spec.imagePullSecrets refers"),
	)

	DescribeTable("admits", func(change func(*corev1.Pod)) {
		pod := plainPod(namespace)
		change(pod)
		Expect(k8sClient.Create(ctx, pod, client.DryRunAll)).To(Succeed())
	},
		Entry("a Secret that merely begins alike", with(corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: "mt-mysql"}})),
		Entry("a variable from such a Secret", func(p *corev1.Pod) { p.Spec.Containers[0].Env = []corev1.EnvVar{keyVariable("mt-mysql-key")} }),
		Entry("the runtime policy, which is no secret", with(corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{
			LocalObjectReference: corev1.LocalObjectReference{Name: names.PolicyConfigMap},
		}})),
		Entry("a pod without volumes or variables", func(*corev1.Pod) {}),
	)
})

var _ = Describe("Admission policy for namespaces that require the label", func() {
	It("refuses pods without it, there and nowhere else", func() {
		namespace := createNamespace("", map[string]string{v1alpha1.LabelRequire: "true"})
		Eventually(func() error { return k8sClient.Create(ctx, plainPod(namespace), client.DryRunAll) }, "10s", "100ms").
			Should(MatchError(SatisfyAll(ContainSubstring("is labeled memorytrust.dev/require=true"), ContainSubstring("add the label to the pod template"))))
		bare := plainPod(namespace)
		bare.Labels = nil
		Expect(k8sClient.Create(ctx, bare)).To(MatchError(ContainSubstring("add the label to the pod template")))

		Expect(k8sClient.Create(ctx, trustPolicy(namespace, "agents", metav1.LabelSelector{}))).To(Succeed())
		Expect(k8sClient.Create(ctx, agentPod(namespace, "support"))).To(Succeed())

		other := createNamespace("", map[string]string{v1alpha1.LabelRequire: "false"})
		Expect(k8sClient.Create(ctx, plainPod(other))).To(Succeed())
	})

	It("admits benchmarks, and nothing that only looks like one", func() {
		namespace := createNamespace("", map[string]string{v1alpha1.LabelRequire: "true"})
		benchmark := func(change ...func(*corev1.Pod)) *corev1.Pod {
			pod := &corev1.Pod{
				ObjectMeta: metav1.ObjectMeta{Namespace: namespace, GenerateName: "nightly-", Labels: map[string]string{v1alpha1.LabelBenchmark: "nightly"}},
				Spec: corev1.PodSpec{
					AutomountServiceAccountToken: ptr.To(false),
					Containers: []corev1.Container{{
						Name: "benchmark", Image: screenerImage, Command: []string{"/mempoisonbench"}, Args: []string{"run", "--policy=/etc/memorytrust/policy.yaml"},
					}},
					Volumes: []corev1.Volume{{Name: "work", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}},
				},
			}
			for _, c := range change {
				c(pod)
			}
			return pod
		}
		Eventually(func() error { return k8sClient.Create(ctx, plainPod(namespace), client.DryRunAll) }, "10s", "100ms").
			Should(MatchError(ContainSubstring("add the label to the pod template")))
		admitted := benchmark()
		Expect(k8sClient.Create(ctx, admitted)).To(Succeed())
		for name, change := range map[string]func(*corev1.Pod){
			"another image":   func(p *corev1.Pod) { p.Spec.Containers[0].Image = "registry.example/agent:v1" },
			"another command": func(p *corev1.Pod) { p.Spec.Containers[0].Command = []string{"/screener"} },
			"no command":      func(p *corev1.Pod) { p.Spec.Containers[0].Command = nil },
			"a connection":    func(p *corev1.Pod) { p.Spec.Containers[0].Args = []string{"run", "--endpoint=http://evil.example"} },
			"variables":       func(p *corev1.Pod) { p.Spec.Containers[0].Env = []corev1.EnvVar{{Name: "A", Value: "b"}} },
			"another container": func(p *corev1.Pod) {
				p.Spec.Containers = append(p.Spec.Containers, corev1.Container{Name: "agent", Image: "agent"})
			},
			"an init container": func(p *corev1.Pod) { p.Spec.InitContainers = []corev1.Container{{Name: "agent", Image: "agent"}} },
			"a token":           func(p *corev1.Pod) { p.Spec.AutomountServiceAccountToken = nil },
			"a Secret": func(p *corev1.Pod) {
				p.Spec.Volumes[0].VolumeSource = corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: "a"}}
			},
			"no benchmark label": func(p *corev1.Pod) { p.Labels = nil },
		} {
			Expect(k8sClient.Create(ctx, benchmark(change), client.DryRunAll)).To(MatchError(ContainSubstring("add the label to the pod template")), name)
		}
		changed := admitted.DeepCopy()
		changed.Spec.Containers[0].Image = "registry.example/agent:v1"
		Expect(k8sClient.Update(ctx, changed)).To(MatchError(ContainSubstring("its images cannot be changed")))
		changed = admitted.DeepCopy()
		changed.Annotations = map[string]string{"a": "b"}
		Expect(k8sClient.Update(ctx, changed)).To(Succeed())
		changed.Spec.EphemeralContainers = []corev1.EphemeralContainer{{
			EphemeralContainerCommon: corev1.EphemeralContainerCommon{Name: "debug", Image: "busybox", TerminationMessagePolicy: corev1.TerminationMessageReadFile},
		}}
		Expect(k8sClient.SubResource("ephemeralcontainers").Update(ctx, changed)).To(MatchError(ContainSubstring("gets no further containers")))
	})
})

var _ = Describe("Admission policy for the operator's objects", Ordered, func() {
	var namespace string
	names := inject.NamesFor("support")

	BeforeAll(func() { namespace = createNamespace("", nil) })

	meta := func(name string) metav1.ObjectMeta { return metav1.ObjectMeta{Namespace: namespace, Name: name} }
	claim := func(name string) *corev1.PersistentVolumeClaim {
		return &corev1.PersistentVolumeClaim{ObjectMeta: meta(name), Spec: corev1.PersistentVolumeClaimSpec{
			AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
			Resources:   corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{"storage": resource.MustParse("1Gi")}},
		}}
	}
	const mine = "is written by the operator only"

	It("lets the operator write them and keeps others from it", func() {
		operator, alice := as(operatorUser), as("alice")
		for _, make := range []func() client.Object{
			func() client.Object { return &corev1.Secret{ObjectMeta: meta(names.KeySecret)} },
			func() client.Object { return &corev1.ConfigMap{ObjectMeta: meta(names.PolicyConfigMap)} },
			func() client.Object { return claim(names.StoreClaim) },
		} {
			Expect(alice.Create(ctx, make())).To(MatchError(ContainSubstring(mine)))
			obj := make()
			Expect(operator.Create(ctx, obj)).To(Succeed())
			Expect(alice.Delete(ctx, make())).To(MatchError(SatisfyAll(ContainSubstring(mine), ContainSubstring("verb restore"))))
		}
		Expect(alice.DeleteAllOf(ctx, &corev1.Secret{}, client.InNamespace(namespace))).To(MatchError(ContainSubstring(mine)))
		patch := client.RawPatch(types.MergePatchType, []byte(`{"data":{"primary":"MQ=="}}`))
		Expect(alice.Patch(ctx, &corev1.Secret{ObjectMeta: meta(names.KeySecret)}, patch)).To(MatchError(ContainSubstring(mine)))
		Expect(operator.Patch(ctx, &corev1.Secret{ObjectMeta: meta(names.KeySecret)}, patch)).To(Succeed())
	})

	It("lets a person with the verb restore put a key back", func() {
		bob := as("bob")
		Expect(bob.Delete(ctx, &corev1.Secret{ObjectMeta: meta(names.KeySecret)})).To(Succeed())
		Expect(bob.Create(ctx, &corev1.Secret{ObjectMeta: meta(names.KeySecret)})).To(Succeed())
	})

	It("lets Kubernetes do its work", func() {
		collector := as("system:serviceaccount:kube-system:generic-garbage-collector")
		Expect(collector.Delete(ctx, &corev1.Secret{ObjectMeta: meta(names.KeySecret)})).To(Succeed())

		scheduler := as("system:kube-scheduler")
		annotate := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"annotations":{"volume.kubernetes.io/selected-node":"n"}}}`))
		Expect(k8sClient.Create(ctx, &rbacv1.ClusterRoleBinding{
			ObjectMeta: metav1.ObjectMeta{Name: "test-claims"},
			RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "test-writer"},
			Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: "system:kube-scheduler"}},
		})).To(Succeed())
		Eventually(func() error { return scheduler.Patch(ctx, claim(names.StoreClaim), annotate) }, "10s", "100ms").Should(Succeed())

		bind := func(user string) error {
			c := as(user)
			var bound corev1.PersistentVolumeClaim
			if err := c.Get(ctx, client.ObjectKeyFromObject(claim(names.StoreClaim)), &bound); err != nil {
				return err
			}
			bound.Spec.VolumeName = "pv-1"
			return c.Update(ctx, &bound)
		}
		Expect(bind("alice")).To(MatchError(ContainSubstring(mine)))
		Expect(bind("system:serviceaccount:kube-system:persistent-volume-binder")).To(Succeed())
	})

	It("keeps the store from being cloned", func() {
		clone := claim("copy")
		clone.Spec.DataSource = &corev1.TypedLocalObjectReference{Kind: "PersistentVolumeClaim", Name: names.StoreClaim}
		Expect(as("alice").Create(ctx, clone.DeepCopy())).To(MatchError(ContainSubstring("choose another one")))
		Expect(as("bob").Create(ctx, clone.DeepCopy(), client.DryRunAll)).To(Succeed())
		clone.Spec.DataSource.Name = "archive"
		Expect(as("alice").Create(ctx, clone, client.DryRunAll)).To(Succeed())
	})

	It("leaves other names alone", func() {
		Expect(as("alice").Create(ctx, &corev1.Secret{ObjectMeta: meta("mt-mysql")})).To(Succeed())
		Expect(as("alice").Create(ctx, claim("mt-data-store"))).To(Succeed())
		Expect(as("alice").Delete(ctx, &corev1.Secret{ObjectMeta: meta("mt-mysql")})).To(Succeed())
	})
})

var _ = Describe("Admission policy for adoption", func() {
	It("lets the operator make an AgentMemory, and others with the verb adopt", func() {
		namespace := createNamespace("", nil)
		operator, alice, bob := as(operatorUser), as("alice"), as("bob")
		const message = "needs the verb adopt on agentmemories.memorytrust.dev"

		Expect(alice.Create(ctx, agentMemory(namespace, "support", "default"))).To(MatchError(ContainSubstring(message)))
		Expect(operator.Create(ctx, agentMemory(namespace, "support", "default"))).To(Succeed())

		move := client.RawPatch(types.MergePatchType, []byte(`{"spec":{"serviceAccountName":"other"}}`))
		note := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"annotations":{"note":"x"}}}`))
		memory := agentMemory(namespace, "support", "default")
		Expect(alice.Patch(ctx, memory.DeepCopy(), move)).To(MatchError(ContainSubstring(message)))
		Expect(alice.Patch(ctx, memory.DeepCopy(), note)).To(Succeed())
		Expect(bob.Patch(ctx, memory.DeepCopy(), move)).To(Succeed())
		Expect(bob.Create(ctx, agentMemory(namespace, "sales", "default"))).To(Succeed())
	})
})
