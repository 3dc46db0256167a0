// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package webhook

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/inject"
)

// agentPod is a pod that opts in.
func agentPod(namespace, agent string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, GenerateName: agent + "-",
			Labels: map[string]string{v1alpha1.LabelAgent: agent, "team": "shop"},
		},
		Spec: corev1.PodSpec{
			InitContainers: []corev1.Container{{Name: "prepare", Image: "registry.example/prepare:1"}},
			Containers:     []corev1.Container{{Name: "agent", Image: "registry.example/agent:1"}},
		},
	}
}

// plainPod is a pod that did not opt in.
func plainPod(namespace string) *corev1.Pod {
	pod := agentPod(namespace, "plain")
	delete(pod.Labels, v1alpha1.LabelAgent)
	return pod
}

// trustPolicy selects the pods of a team, or all agents.
func trustPolicy(namespace, name string, selector metav1.LabelSelector) *v1alpha1.MemoryTrustPolicy {
	return &v1alpha1.MemoryTrustPolicy{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Spec: v1alpha1.MemoryTrustPolicySpec{
			Selector: selector,
			Store:    v1alpha1.StoreSpec{Type: v1alpha1.StoreTypeEphemeral},
		},
	}
}

func agentMemory(namespace, agent, account string) *v1alpha1.AgentMemory {
	return &v1alpha1.AgentMemory{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: agent},
		Spec:       v1alpha1.AgentMemorySpec{AgentID: "0d9f8a5e-5b1c-4c3f-9a62-6f0f5f4c8b11", ServiceAccountName: account},
	}
}

// injected is the pod as the webhook makes it, for places the webhook does not reach.
func injected(pod *corev1.Pod) *corev1.Pod {
	GinkgoHelper()
	out, err := inject.Pod(pod, inject.Request{
		Agent: pod.Labels[v1alpha1.LabelAgent], Namespace: pod.Namespace, PolicyName: "agents",
		Image: screenerImage, Version: screenerVersion, Store: v1alpha1.StoreSpec{Type: v1alpha1.StoreTypeEphemeral},
	})
	Expect(err).NotTo(HaveOccurred())
	return out
}

// connect asks for exec or attach into a container; without a kubelet it fails later than admission if that allows it.
func connect(namespace, pod, how, container string) error {
	request := clientset.CoreV1().RESTClient().Post().Resource("pods").Namespace(namespace).Name(pod).SubResource(how)
	if how == "attach" {
		request = request.VersionedParams(&corev1.PodAttachOptions{Container: container, Stdout: true}, clientgoscheme.ParameterCodec)
	} else {
		request = request.VersionedParams(&corev1.PodExecOptions{Container: container, Command: []string{"true"}, Stdout: true}, clientgoscheme.ParameterCodec)
	}
	return request.Do(ctx).Error()
}

// decodeFile reads the objects of a YAML file strictly.
func decodeFile(path string) ([]client.Object, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	decoder := serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer()
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(data)))
	var objects []client.Object
	for {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return objects, nil
		}
		if err != nil {
			return nil, err
		}
		obj, _, err := decoder.Decode(document, nil, nil)
		if err != nil {
			return nil, err
		}
		objects = append(objects, obj.(client.Object))
	}
}

// meddler stands for the webhooks of others that come after ours: it adds a variable to every container.
type meddler struct{ decoder admission.Decoder }

func (m meddler) Handle(_ context.Context, req admission.Request) admission.Response {
	var pod corev1.Pod
	if err := m.decoder.Decode(req, &pod); err != nil {
		return admission.Errored(http.StatusBadRequest, err)
	}
	add := func(c *corev1.Container) {
		for _, e := range c.Env {
			if e.Name == "TRACE" {
				return
			}
		}
		c.Env = append(c.Env, corev1.EnvVar{Name: "TRACE", Value: "on"})
	}
	for i := range pod.Spec.InitContainers {
		add(&pod.Spec.InitContainers[i])
	}
	for i := range pod.Spec.Containers {
		add(&pod.Spec.Containers[i])
	}
	out, err := json.Marshal(&pod)
	if err != nil {
		return admission.Errored(http.StatusInternalServerError, err)
	}
	return admission.PatchResponseFromRaw(req.Object.Raw, out)
}

// installMeddler has pods with a label of the test meddled with.
func installMeddler() {
	GinkgoHelper()
	opts := testEnv.WebhookInstallOptions
	url := "https://" + webhookAddress() + "/meddle"
	Expect(k8sClient.Create(ctx, &admissionregistrationv1.MutatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "zz-meddler"},
		Webhooks: []admissionregistrationv1.MutatingWebhook{{
			Name: "meddler.test.memorytrust.dev", AdmissionReviewVersions: []string{"v1"},
			ClientConfig: admissionregistrationv1.WebhookClientConfig{URL: &url, CABundle: opts.LocalServingCAData},
			Rules: []admissionregistrationv1.RuleWithOperations{{
				Operations: []admissionregistrationv1.OperationType{admissionregistrationv1.Create},
				Rule:       admissionregistrationv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"pods"}},
			}},
			ObjectSelector: &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{
				{Key: labelMeddle, Operator: metav1.LabelSelectorOpExists},
			}},
			SideEffects: ptr.To(admissionregistrationv1.SideEffectClassNone),
		}},
	})).To(Succeed())
}
