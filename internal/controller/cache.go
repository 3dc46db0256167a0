// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"maps"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/certs"
	"memorytrust.dev/operator/internal/inject"
)

// CacheOptions returns what the manager's own cache holds: our kinds, opted-in pods reduced to what the operator
// looks at, the operator's own labeled Secrets, and the webhook configurations it fills in. Agents' Secrets are in
// the caches of Namespaces. Reading anything else is an error and not a hidden watch on the whole cluster.
func CacheOptions(operatorNamespace string, webhooks certs.WebhookConfigurations) cache.Options {
	optedIn, err := labels.NewRequirement(v1alpha1.LabelAgent, selection.Exists, nil)
	if err != nil {
		panic("label " + v1alpha1.LabelAgent + ": " + err.Error())
	}
	return cache.Options{
		ReaderFailOnMissingInformer: true,
		DefaultTransform:            cache.TransformStripManagedFields(),
		ByObject: map[client.Object]cache.ByObject{
			&corev1.Pod{}:    {Label: labels.NewSelector().Add(*optedIn), Transform: stripPod},
			&corev1.Secret{}: {Namespaces: map[string]cache.Config{operatorNamespace: {LabelSelector: KeySourceSelector()}}},
			&admissionv1.MutatingWebhookConfiguration{}: {
				Field: fields.OneTermEqualSelector(metav1.ObjectNameField, webhooks.Mutating),
			},
			&admissionv1.ValidatingWebhookConfiguration{}: {
				Field: fields.OneTermEqualSelector(metav1.ObjectNameField, webhooks.Validating),
			},
		},
	}
}

// stripPod reduces a pod to names, images, labels, our annotations, ServiceAccount, names of Secrets, addresses and states: a cluster has
// many pods, and their environment is none of the operator's business.
func stripPod(obj any) (any, error) {
	pod, ok := obj.(*corev1.Pod)
	if !ok {
		return obj, nil // a tombstone
	}
	slim := &corev1.Pod{
		TypeMeta: pod.TypeMeta,
		ObjectMeta: metav1.ObjectMeta{
			Name: pod.Name, Namespace: pod.Namespace, UID: pod.UID, ResourceVersion: pod.ResourceVersion,
			CreationTimestamp: pod.CreationTimestamp, DeletionTimestamp: pod.DeletionTimestamp,
			Labels: pod.Labels, Annotations: ourAnnotations(pod.Annotations),
		},
		Spec: corev1.PodSpec{
			ServiceAccountName: pod.Spec.ServiceAccountName,
			NodeName:           pod.Spec.NodeName,
			InitContainers:     slimContainers(pod.Spec.InitContainers),
			Containers:         slimContainers(pod.Spec.Containers),
			Volumes:            secretVolumes(pod),
		},
		Status: corev1.PodStatus{
			Phase: pod.Status.Phase, PodIP: pod.Status.PodIP, Conditions: pod.Status.Conditions,
			InitContainerStatuses: slimStatuses(pod.Status.InitContainerStatuses),
		},
	}
	return slim, nil
}

// secretVolumes stand for the Secrets that a pod refers to anywhere, by name only.
func secretVolumes(pod *corev1.Pod) []corev1.Volume {
	var out []corev1.Volume
	for _, name := range inject.SecretsOf(pod) {
		out = append(out, corev1.Volume{VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: name}}})
	}
	return out
}

func ourAnnotations(all map[string]string) map[string]string {
	ours := maps.Clone(all)
	maps.DeleteFunc(ours, func(k, _ string) bool { return !strings.HasPrefix(k, v1alpha1.GroupVersion.Group+"/") })
	return ours
}

func slimContainers(containers []corev1.Container) []corev1.Container {
	out := make([]corev1.Container, len(containers))
	for i, c := range containers {
		out[i] = corev1.Container{Name: c.Name, Image: c.Image}
	}
	return out
}

func slimStatuses(statuses []corev1.ContainerStatus) []corev1.ContainerStatus {
	out := make([]corev1.ContainerStatus, len(statuses))
	for i, s := range statuses {
		out[i] = corev1.ContainerStatus{Name: s.Name, State: s.State, Ready: s.Ready, Started: s.Started}
	}
	return out
}
