// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package inject

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/utils/ptr"

	"memorytrust.dev/operator/api/v1alpha1"
)

// Reason says in one word why a pod was refused. It is a metric label: the set is closed.
type Reason string

const (
	// ReasonAgentNameInvalid surfaces when the pod's label does not hold a DNS label.
	ReasonAgentNameInvalid Reason = "AgentNameInvalid"
	// ReasonWindowsPod surfaces when the pod asks for a Windows node.
	ReasonWindowsPod Reason = "WindowsPod"
	// ReasonHostNetwork surfaces when the pod shares the node's network, and with it the screener's loopback port.
	ReasonHostNetwork Reason = "HostNetwork"
	// ReasonHostPID surfaces when the pod shares the node's processes.
	ReasonHostPID Reason = "HostPID"
	// ReasonSharedProcesses surfaces when the containers of the pod share processes: /proc would show the keys.
	ReasonSharedProcesses Reason = "SharedProcessNamespace"
	// ReasonContainerNameTaken surfaces when a container is named as the screener and is not it.
	ReasonContainerNameTaken Reason = "ContainerNameTaken"
	// ReasonVolumeNameTaken surfaces when a volume is named as one of the screener's.
	ReasonVolumeNameTaken Reason = "VolumeNameTaken"
	// ReasonVolumeShared surfaces when another container reaches one of the screener's volumes.
	ReasonVolumeShared Reason = "VolumeShared"
	// ReasonReservedReference surfaces when the pod refers to keys or store of an agent.
	ReasonReservedReference Reason = "ReservedReference"
	// ReasonUpstreamCredential surfaces when the pod refers to the credential of an upstream.
	ReasonUpstreamCredential Reason = "UpstreamCredential"
	// ReasonUserIDShared surfaces when another container runs as the screener's user.
	ReasonUserIDShared Reason = "UserIDShared"
	// ReasonPortTaken surfaces when another container declares a port of the screener.
	ReasonPortTaken Reason = "PortTaken"
	// ReasonNotAsInjected surfaces when a pod that is about to be stored is not what injection makes of it.
	ReasonNotAsInjected Reason = "NotAsInjected"
)

// Refusal says why a pod cannot be protected and, in Message, what to change. It is not retryable: the same pod is
// refused again.
type Refusal struct {
	Reason  Reason
	Message string
}

// Error implements error.
func (r *Refusal) Error() string { return r.Message }

// check returns a refusal, or nil. Each looks at one thing.
type check func(pod *corev1.Pod, req Request) *Refusal

// checks run in this order, so that the first message is about the most basic fault.
var checks = []check{
	checkAgentName, checkOS, checkNamespaces, checkContainerName, checkVolumeNames, checkVolumeUse, checkReferences,
	checkCredentials, checkUserIDs, checkPorts,
}

func refuse(pod *corev1.Pod, req Request) *Refusal {
	for _, c := range checks {
		if refusal := c(pod, req); refusal != nil {
			return refusal
		}
	}
	return nil
}

func refusal(reason Reason, format string, args ...any) *Refusal {
	return &Refusal{Reason: reason, Message: fmt.Sprintf(format, args...)}
}

// CheckAgentName returns a *Refusal if name cannot name an agent, else nil. Object names and the screener's DNS name are
// made of it.
func CheckAgentName(name string) *Refusal {
	if problems := validation.IsDNS1123Label(name); len(problems) > 0 {
		return refusal(ReasonAgentNameInvalid,
			"label %s=%q does not name an agent: use lower-case letters, digits and '-', at most 63, for example support-bot",
			v1alpha1.LabelAgent, name)
	}
	return nil
}

func checkAgentName(_ *corev1.Pod, req Request) *Refusal { return CheckAgentName(req.Agent) }

func checkOS(pod *corev1.Pod, _ Request) *Refusal {
	if pod.Spec.OS != nil && pod.Spec.OS.Name == corev1.Windows || pod.Spec.NodeSelector[corev1.LabelOSStable] == string(corev1.Windows) {
		return refusal(ReasonWindowsPod,
			"the screener runs on Linux only: run the agent on Linux nodes, or remove the label %s to run it without protection",
			v1alpha1.LabelAgent)
	}
	return nil
}

func checkNamespaces(pod *corev1.Pod, _ Request) *Refusal {
	switch {
	case pod.Spec.HostNetwork:
		return refusal(ReasonHostNetwork,
			"remove spec.hostNetwork: on the node's network every process of the node could reach the agent's memory")
	case pod.Spec.HostPID:
		return refusal(ReasonHostPID, "remove spec.hostPID: with the node's processes in view the agent could read the screener's keys")
	case ptr.Deref(pod.Spec.ShareProcessNamespace, false):
		return refusal(ReasonSharedProcesses,
			"remove spec.shareProcessNamespace: with shared processes the agent could read the screener's keys through /proc")
	}
	return nil
}

func checkContainerName(pod *corev1.Pod, req Request) *Refusal {
	present := existing(pod, req.Image)
	taken := func(c *corev1.Container) bool { return c.Name == ContainerName && c != present }
	for i := range pod.Spec.InitContainers {
		if taken(&pod.Spec.InitContainers[i]) {
			return nameTaken("init container")
		}
	}
	for i := range pod.Spec.Containers {
		if taken(&pod.Spec.Containers[i]) {
			return nameTaken("container")
		}
	}
	return nil
}

func nameTaken(kind string) *Refusal {
	return refusal(ReasonContainerNameTaken,
		"rename the %s %s, or remove it from the manifest: the name belongs to the screener, which admission adds by itself",
		kind, ContainerName)
}

func checkVolumeNames(pod *corev1.Pod, req Request) *Refusal {
	if existing(pod, req.Image) != nil {
		return nil // Injected before: the volumes are made right.
	}
	for i := range pod.Spec.Volumes {
		if name := pod.Spec.Volumes[i].Name; slices.Contains(ownVolumes, name) {
			return refusal(ReasonVolumeNameTaken,
				"rename the volume %s, or remove it from the manifest: the name belongs to the screener, which admission adds by itself", name)
		}
	}
	return nil
}

func checkVolumeUse(pod *corev1.Pod, _ Request) *Refusal {
	for _, c := range otherContainers(pod) {
		if volume := ownVolumeUse(c); volume != "" {
			return refusal(ReasonVolumeShared,
				"container %s uses the volume %s, which only the screener may: remove it, and reach memory through the URL in %s",
				c.Name, volume, URLEnv)
		}
	}
	return nil
}

func checkReferences(pod *corev1.Pod, _ Request) *Refusal {
	for _, r := range references(pod) {
		if Owned(r.name) {
			return refusal(ReasonReservedReference,
				"%s refers to %s, which holds keys or memory of an agent and is for the screener only: remove the reference, and reach memory through the URL in %s",
				r.where, r.name, URLEnv)
		}
	}
	return nil
}

func checkCredentials(pod *corev1.Pod, req Request) *Refusal {
	for _, r := range references(pod) {
		for _, u := range req.Upstreams {
			if u.CredentialSecretRef != nil && u.CredentialSecretRef.Name == r.name {
				return refusal(ReasonUpstreamCredential,
					"%s refers to Secret %s, the credential of upstream %s, with which the agent could go around the screener: remove the "+
						"reference, and reach the server at %s", r.where, r.name, u.Name, upstreamURL(u.Name))
			}
		}
	}
	return nil
}

func checkUserIDs(pod *corev1.Pod, _ Request) *Refusal {
	if sc := pod.Spec.SecurityContext; sc != nil && ptr.Deref(sc.RunAsUser, 0) == UserID {
		return refusal(ReasonUserIDShared, "choose another spec.securityContext.runAsUser: %d is the screener's", UserID)
	}
	for _, c := range otherContainers(pod) {
		if c.SecurityContext != nil && ptr.Deref(c.SecurityContext.RunAsUser, 0) == UserID {
			return refusal(ReasonUserIDShared, "choose another runAsUser for container %s: %d is the screener's", c.Name, UserID)
		}
	}
	return nil
}

func checkPorts(pod *corev1.Pod, _ Request) *Refusal {
	for _, c := range otherContainers(pod) {
		for _, p := range c.Ports {
			if p.Protocol != "" && p.Protocol != corev1.ProtocolTCP {
				continue
			}
			switch p.ContainerPort {
			case AgentPort, ChannelPort, AdminPort, HealthPort:
				return refusal(ReasonPortTaken,
					"let container %s listen on another port than %d: the screener has it (the pod shares one network; it uses %d, %d, %d and %d)",
					c.Name, p.ContainerPort, AgentPort, ChannelPort, AdminPort, HealthPort)
			}
		}
	}
	return nil
}
