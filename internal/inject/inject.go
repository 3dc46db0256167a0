// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package inject

import (
	"net"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	"memorytrust.dev/operator/api/v1alpha1"
)

// URLs at which every container of the pod finds the screener's agent port, and the MCP server on it.
var (
	URL    = "http://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(AgentPort))
	MCPURL = URL + "/mcp"
)

// Pod returns a copy of pod with the screener in it. A pod that has it already, with the same image, comes back with
// the screener as it must be, whatever was done to it since; a pod that is right comes back equal. A pod in which the
// screener could not guard the memory is answered with a *Refusal.
func Pod(pod *corev1.Pod, req Request) (*corev1.Pod, error) {
	if err := req.validate(); err != nil {
		return nil, err
	}
	if refusal := refuse(pod, req); refusal != nil {
		return nil, refusal
	}
	out := pod.DeepCopy()
	setScreener(out, req)
	setVolumes(out, req)
	setURLs(out, urls(req))
	setGroup(out)
	setAnnotations(out, req)
	return out, nil
}

// setScreener makes the screener the first init container. As a native sidecar it is up before any other container
// starts and stays until all have ended.
func setScreener(pod *corev1.Pod, req Request) {
	screener := container(req)
	if present := existing(pod, req.Image); present != nil {
		// Other admission plugins may fill in limits; what we ask for still wins.
		screener.Resources = overlay(present.Resources, screener.Resources)
		screener.ResizePolicy = present.ResizePolicy
	}
	rest := slices.DeleteFunc(pod.Spec.InitContainers, func(c corev1.Container) bool { return c.Name == ContainerName })
	pod.Spec.InitContainers = slices.Insert(rest, 0, screener)
}

// existing returns the screener of a pod that went through injection before, or nil. Image and restart policy
// tell it from a container that merely took the name.
func existing(pod *corev1.Pod, image string) *corev1.Container {
	for i := range pod.Spec.InitContainers {
		c := &pod.Spec.InitContainers[i]
		if c.Name == ContainerName && c.Image == image && ptr.Deref(c.RestartPolicy, "") == corev1.ContainerRestartPolicyAlways {
			return c
		}
	}
	return nil
}

// upstreamURL is where the agent reaches an upstream.
func upstreamURL(name string) string { return URL + v1alpha1.UpstreamPath(name) }

// urls are the variables that tell the agent where the screener is, each once. What names a variable first has it.
func urls(req Request) []corev1.EnvVar {
	out := []corev1.EnvVar{{Name: URLEnv, Value: URL}, {Name: MCPURLEnv, Value: MCPURL}}
	add := func(names []string, url string) {
		for _, name := range names {
			if !slices.ContainsFunc(out, func(v corev1.EnvVar) bool { return v.Name == name }) {
				out = append(out, corev1.EnvVar{Name: name, Value: url})
			}
		}
	}
	add(req.Sidecar.URLEnv, URL)
	for _, u := range req.Upstreams {
		add(u.URLEnv, upstreamURL(u.Name))
	}
	return out
}

// setURLs sets the variables in every other container.
func setURLs(pod *corev1.Pod, variables []corev1.EnvVar) {
	for i := range pod.Spec.InitContainers {
		if c := &pod.Spec.InitContainers[i]; c.Name != ContainerName {
			c.Env = withURLs(c.Env, variables)
		}
	}
	for i := range pod.Spec.Containers {
		c := &pod.Spec.Containers[i]
		c.Env = withURLs(c.Env, variables)
	}
}

// withURLs sets each variable once: where it was first set, else in front, because a variable can only refer to those
// before it.
func withURLs(env, variables []corev1.EnvVar) []corev1.EnvVar {
	missing := make([]corev1.EnvVar, 0, len(variables))
	for _, v := range variables {
		first := slices.IndexFunc(env, func(e corev1.EnvVar) bool { return e.Name == v.Name })
		if first < 0 {
			missing = append(missing, v)
			continue
		}
		env[first] = v
		rest := slices.DeleteFunc(env[first+1:], func(e corev1.EnvVar) bool { return e.Name == v.Name })
		env = env[:first+1+len(rest)]
	}
	return append(missing, env...)
}

// setGroup lets the screener read its projected files and write its volume. A user's own fsGroup serves as well: the
// kubelet gives it to every container, and no other container mounts the volumes.
func setGroup(pod *corev1.Pod) {
	if pod.Spec.SecurityContext == nil {
		pod.Spec.SecurityContext = &corev1.PodSecurityContext{}
	}
	sc := pod.Spec.SecurityContext
	if sc.FSGroup != nil {
		return
	}
	sc.FSGroup = ptr.To(GroupID)
	if sc.FSGroupChangePolicy == nil {
		// Walking a large volume at each start would delay the agent.
		sc.FSGroupChangePolicy = ptr.To(corev1.FSGroupChangeOnRootMismatch)
	}
}

func setAnnotations(pod *corev1.Pod, req Request) {
	if pod.Annotations == nil {
		pod.Annotations = map[string]string{}
	}
	pod.Annotations[v1alpha1.AnnotationPolicy] = req.PolicyName
	pod.Annotations[v1alpha1.AnnotationInjected] = req.Version
	if req.Store.Type == v1alpha1.StoreTypeEphemeral {
		pod.Annotations[annotationEvict] = addToList(pod.Annotations[annotationEvict], StoreVolume)
	}
}
