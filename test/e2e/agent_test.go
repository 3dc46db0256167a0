//go:build e2e

// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"net/http"
	"os"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/inject"
)

// agentContainer is the name of the agent's own container.
const agentContainer = "agent"

func image(name string) string {
	version := os.Getenv("VERSION")
	if version == "" {
		version = "v0.1.0"
	}
	return "memorytrust.dev/" + name + ":" + version
}

// restricted is a security context that Pod Security restricted allows.
func restricted() *corev1.SecurityContext {
	return &corev1.SecurityContext{
		AllowPrivilegeEscalation: ptr.To(false),
		RunAsNonRoot:             ptr.To(true),
		Capabilities:             &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
		SeccompProfile:           &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
	}
}

// agentSpec is a pod of the sample agent. It ends at once unless its memory answers the first request.
func agentSpec(serviceAccount string) corev1.PodSpec {
	return corev1.PodSpec{
		ServiceAccountName:           serviceAccount,
		AutomountServiceAccountToken: ptr.To(false),
		Containers: []corev1.Container{{
			Name:            agentContainer,
			Image:           image("test-agent"),
			Args:            []string{"serve", "--require-memory"},
			SecurityContext: restricted(),
			ReadinessProbe: &corev1.Probe{
				ProbeHandler:  corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/healthz", Port: intstr.FromInt32(8080)}},
				PeriodSeconds: 1,
			},
		}},
	}
}

// agentPod is an opted-in pod; its ServiceAccount is called as the agent.
func agentPod(namespace, agent string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: agent, Labels: map[string]string{v1alpha1.LabelAgent: agent}},
		Spec:       agentSpec(agent),
	}
}

// agentDeployment runs pods of an agent.
func agentDeployment(namespace, agent string, replicas int32) *appsv1.Deployment {
	pod := agentPod(namespace, agent)
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: agent},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas,
			Selector: &metav1.LabelSelector{MatchLabels: pod.Labels},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: pod.Labels}, Spec: pod.Spec},
		},
	}
}

// unlabelledPod is a pod that did not opt in: the agent with a naive memory.
func unlabelledPod(namespace, name string) *corev1.Pod {
	pod := agentPod(namespace, name)
	pod.Labels = nil
	pod.Spec.ServiceAccountName = "default"
	pod.Spec.Containers[0].Args = nil
	return pod
}

// serviceAccount makes a ServiceAccount unless it is there.
func serviceAccount(ctx context.Context, namespace, name string) {
	GinkgoHelper()
	err := k8s.Create(ctx, &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}})
	if !apierrors.IsAlreadyExists(err) {
		Expect(err).NotTo(HaveOccurred())
	}
}

// createPod creates a pod as soon as its ServiceAccount is there: in a new namespace "default" takes a moment.
func createPod(ctx context.Context, pod *corev1.Pod) {
	GinkgoHelper()
	if pod.Spec.ServiceAccountName != "default" {
		serviceAccount(ctx, pod.Namespace, pod.Spec.ServiceAccountName)
	}
	Eventually(ctx, func() error {
		attempt := pod.DeepCopy()
		err := k8s.Create(ctx, attempt)
		if err != nil && pod.Spec.ServiceAccountName == "default" && apierrors.IsForbidden(err) {
			return err
		}
		Expect(err).NotTo(HaveOccurred())
		*pod = *attempt
		return nil
	}).Should(Succeed())
}

// waitUntilReady waits for condition Ready and refreshes pod.
func waitUntilReady(ctx context.Context, pod *corev1.Pod) {
	GinkgoHelper()
	Eventually(ctx, func(g Gomega) {
		g.Expect(k8s.Get(ctx, client.ObjectKeyFromObject(pod), pod)).To(Succeed())
		g.Expect(podReady(pod)).To(BeTrue(), "pod %s is %s: %v", pod.Name, pod.Status.Phase, pod.Status.Conditions)
	}).Should(Succeed())
}

func podReady(pod *corev1.Pod) bool {
	for _, c := range pod.Status.Conditions {
		if c.Type == corev1.PodReady {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}

// runningAgent is a ready pod of the sample agent and the way to it.
type runningAgent struct {
	pod *corev1.Pod
	caller
}

// run creates a pod, waits until it is ready and opens a way to the agent in it.
func run(ctx context.Context, pod *corev1.Pod) *runningAgent {
	GinkgoHelper()
	createPod(ctx, pod)
	waitUntilReady(ctx, pod)
	return reach(pod)
}

func reach(pod *corev1.Pod) *runningAgent {
	GinkgoHelper()
	return &runningAgent{pod: pod, caller: plain(forward(pod.Namespace, pod.Name, 8080))}
}

// screener is a way to the screener's own port for the agent.
func (a *runningAgent) screener() caller {
	GinkgoHelper()
	return plain(forward(a.pod.Namespace, a.pod.Name, inject.AgentPort))
}

// stored is what the agent was told about a write.
type stored struct {
	ID         string `json:"id"`
	Zone       string `json:"zone"`
	State      string `json:"state"`
	Class      string `json:"class"`
	Authority  string `json:"authority"`
	Recallable bool   `json:"recallable"`
	Message    string `json:"message"`
	Verdict    struct {
		Reasons []string `json:"reasons"`
	} `json:"verdict"`
}

// answer is what the agent would send to its model, and what it was told about it.
type answer struct {
	Prompt    string `json:"prompt"`
	Protected bool   `json:"protected"`
	Message   string `json:"message"`
	Memories  []struct {
		ID       string `json:"id"`
		Content  string `json:"content"`
		Zone     string `json:"zone"`
		Boundary string `json:"boundary"`
	} `json:"memories"`
	Withheld []struct {
		ID     string `json:"id"`
		Reason string `json:"reason"`
	} `json:"withheld"`
}

// browse lets the agent read a text, tell lets somebody say it; both must be remembered.
func (a *runningAgent) browse(ctx context.Context, source, text string) stored {
	GinkgoHelper()
	return a.feed(ctx, "/browse", source, text)
}

func (a *runningAgent) tell(ctx context.Context, source, text string) stored {
	GinkgoHelper()
	return a.feed(ctx, "/tell", source, text)
}

func (a *runningAgent) feed(ctx context.Context, path, source, text string) stored {
	GinkgoHelper()
	response := a.post(ctx, path, map[string]string{"source": source, "text": text})
	Expect(response.Status).To(Equal(http.StatusOK), response.Body)
	var result stored
	response.into(&result)
	return result
}

// ask returns what the agent would send to its model.
func (a *runningAgent) ask(ctx context.Context, question string) answer {
	GinkgoHelper()
	response := a.post(ctx, "/ask", map[string]string{"question": question})
	Expect(response.Status).To(Equal(http.StatusOK), response.Body)
	var result answer
	response.into(&result)
	return result
}

// expectSamePod asserts that the very same containers still run: nothing was restarted to get what it got.
func (a *runningAgent) expectSamePod(ctx context.Context) {
	GinkgoHelper()
	var now corev1.Pod
	Expect(k8s.Get(ctx, client.ObjectKeyFromObject(a.pod), &now)).To(Succeed())
	Expect(now.UID).To(Equal(a.pod.UID), "the pod was replaced")
	for _, status := range append(now.Status.InitContainerStatuses, now.Status.ContainerStatuses...) {
		Expect(status.RestartCount).To(BeZero(), "container %s restarted", status.Name)
	}
}

// screenerStatus returns the status of the screener's container.
func screenerStatus(pod *corev1.Pod) *corev1.ContainerStatus {
	for i := range pod.Status.InitContainerStatuses {
		if pod.Status.InitContainerStatuses[i].Name == inject.ContainerName {
			return &pod.Status.InitContainerStatuses[i]
		}
	}
	return nil
}
