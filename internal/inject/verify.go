// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package inject

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
)

// Verify returns nil if injection would leave the pod as it is, else a *Refusal that names the first part that differs.
// Resources of the screener may differ: vertical autoscalers and namespace defaults set them, and they cannot make
// the screener do less than fail.
func Verify(pod *corev1.Pod, req Request) error {
	want, err := Pod(pod, req)
	if err != nil {
		return err
	}
	if have := existing(pod, req.Image); have != nil {
		want.Spec.InitContainers[0].Resources = have.Resources
	}
	parts := []struct {
		name       string
		have, want any
	}{
		{"spec.initContainers: " + ContainerName + " is not the first one, or not as injected", pod.Spec.InitContainers, want.Spec.InitContainers},
		{"spec.volumes", pod.Spec.Volumes, want.Spec.Volumes},
		{"spec.containers: " + URLEnv, pod.Spec.Containers, want.Spec.Containers},
		{"spec.securityContext", pod.Spec.SecurityContext, want.Spec.SecurityContext},
		{"metadata.annotations", pod.Annotations, want.Annotations},
	}
	for _, p := range parts {
		if !equality.Semantic.DeepEqual(p.have, p.want) {
			return refusal(ReasonNotAsInjected,
				"the pod is not as injected (%s): create it again; if that repeats, find the webhook that changes it after "+
					"memorytrust-pod-injector and exempt the pod from it", p.name)
		}
	}
	return nil
}
