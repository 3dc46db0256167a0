// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package inject

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"
)

// Args of the screener, the same in every pod.
var Args = []string{"--config-dir=" + ConfigMount, "--data=" + StoreMount + "/memory.db"}

// container returns the screener. Every field the API server would default is set, so that a stored pod compares
// equal to a fresh one. It has no environment: configuration and keys are files, which change without a restart.
func container(req Request) corev1.Container {
	return corev1.Container{
		Name:            ContainerName,
		Image:           req.Image,
		ImagePullPolicy: corev1.PullIfNotPresent,
		Args:            append([]string(nil), Args...),
		RestartPolicy:   ptr.To(corev1.ContainerRestartPolicyAlways),
		Ports: []corev1.ContainerPort{
			{Name: "mt-channel", ContainerPort: ChannelPort, Protocol: corev1.ProtocolTCP},
			{Name: "mt-admin", ContainerPort: AdminPort, Protocol: corev1.ProtocolTCP},
			{Name: "mt-health", ContainerPort: HealthPort, Protocol: corev1.ProtocolTCP},
		},
		Resources:    resources(req.Sidecar.Resources),
		VolumeMounts: mounts(),
		// The kubelet starts the next container when this one succeeds: two minutes for the operator to make the key.
		StartupProbe:             probe("/readyz", 1, 120),
		LivenessProbe:            probe("/healthz", 10, 3),
		ReadinessProbe:           probe("/readyz", 5, 3),
		TerminationMessagePath:   corev1.TerminationMessagePathDefault,
		TerminationMessagePolicy: corev1.TerminationMessageReadFile,
		SecurityContext: &corev1.SecurityContext{
			RunAsUser:                ptr.To(UserID),
			RunAsGroup:               ptr.To(GroupID),
			RunAsNonRoot:             ptr.To(true),
			AllowPrivilegeEscalation: ptr.To(false),
			ReadOnlyRootFilesystem:   ptr.To(true),
			Capabilities:             &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
			SeccompProfile:           &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
		},
	}
}

func mounts() []corev1.VolumeMount {
	return []corev1.VolumeMount{
		{Name: ConfigVolume, MountPath: ConfigMount, ReadOnly: true},
		{Name: StoreVolume, MountPath: StoreMount},
		{Name: TokenVolume, MountPath: TokenMount, ReadOnly: true},
	}
}

func probe(path string, period, failures int32) *corev1.Probe {
	return &corev1.Probe{
		ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{
			Path: path, Port: intstr.FromInt32(HealthPort), Scheme: corev1.URISchemeHTTP,
		}},
		TimeoutSeconds:   1,
		PeriodSeconds:    period,
		SuccessThreshold: 1,
		FailureThreshold: failures,
	}
}

// defaultResources apply entry by entry where the policy says nothing.
func defaultResources() corev1.ResourceRequirements {
	return corev1.ResourceRequirements{
		Requests: corev1.ResourceList{
			corev1.ResourceCPU:    resource.MustParse("10m"),
			corev1.ResourceMemory: resource.MustParse("64Mi"),
		},
		Limits: corev1.ResourceList{
			corev1.ResourceMemory: resource.MustParse("256Mi"),
		},
	}
}

// resources returns the defaults with the policy's entries over them. A default never contradicts the policy: a
// request follows a smaller limit down, a limit follows a larger request up.
func resources(asked corev1.ResourceRequirements) corev1.ResourceRequirements {
	out := overlay(defaultResources(), asked)
	for name, limit := range out.Limits {
		request, ok := out.Requests[name]
		if !ok {
			// As the API server would.
			out.Requests[name] = limit.DeepCopy()
			continue
		}
		if request.Cmp(limit) <= 0 {
			continue
		}
		if _, set := asked.Limits[name]; set {
			if _, both := asked.Requests[name]; !both {
				out.Requests[name] = limit.DeepCopy()
			}
			continue
		}
		out.Limits[name] = request.DeepCopy()
	}
	return out
}

// overlay returns under with the entries of over put over it.
func overlay(under, over corev1.ResourceRequirements) corev1.ResourceRequirements {
	out := *under.DeepCopy()
	over = *over.DeepCopy()
	if out.Requests == nil {
		out.Requests = corev1.ResourceList{}
	}
	if out.Limits == nil {
		out.Limits = corev1.ResourceList{}
	}
	maps.Copy(out.Requests, over.Requests)
	maps.Copy(out.Limits, over.Limits)
	if over.Claims != nil {
		out.Claims = over.Claims
	}
	return out
}
