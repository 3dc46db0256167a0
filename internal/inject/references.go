// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package inject

import (
	"regexp"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// ownedName matches what NamesFor returns and nothing a user is likely to choose, so that an unrelated Secret whose
// name happens to begin with "mt-" stays usable. The admission policies use the same pattern.
var ownedName = regexp.MustCompile(`^mt-[0-9a-f]{16}-`)

// Owned reports whether name is one of those only the operator writes.
func Owned(name string) bool { return ownedName.MatchString(name) }

// otherContainers returns all containers of the pod of every kind, the screener left out.
func otherContainers(pod *corev1.Pod) []*corev1.Container {
	var out []*corev1.Container
	for i := range pod.Spec.InitContainers {
		if pod.Spec.InitContainers[i].Name != ContainerName {
			out = append(out, &pod.Spec.InitContainers[i])
		}
	}
	for i := range pod.Spec.Containers {
		out = append(out, &pod.Spec.Containers[i])
	}
	for i := range pod.Spec.EphemeralContainers {
		common := corev1.Container(pod.Spec.EphemeralContainers[i].EphemeralContainerCommon)
		out = append(out, &common)
	}
	return out
}

// reference is a Secret or claim that a part of a pod gives access to.
type reference struct {
	where string // in the words of the manifest
	name  string
}

// references lists what the pod gives its containers access to, the screener left out.
func references(pod *corev1.Pod) []reference {
	var out []reference
	add := func(where string, names ...string) {
		for _, name := range names {
			out = append(out, reference{where, name})
		}
	}
	for i := range pod.Spec.Volumes {
		v := &pod.Spec.Volumes[i]
		if slices.Contains(ownVolumes, v.Name) {
			continue // Replaced by injection.
		}
		add("volume "+v.Name, slices.Concat(contentReferences(v), driverReferences(v))...)
	}
	for _, c := range otherContainers(pod) {
		add("container "+c.Name, environmentReferences(c)...)
	}
	for _, s := range pod.Spec.ImagePullSecrets {
		add("spec.imagePullSecrets", s.Name)
	}
	return out
}

// SecretsOf lists what a pod gives its containers access to by name: Secrets, and claims, which share no names with them that
// matter. The screener's own are left out; the list is sorted and has no doubles.
func SecretsOf(pod *corev1.Pod) []string {
	var names []string
	for _, r := range references(pod) {
		names = append(names, r.name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// contentReferences lists the Secrets and claims whose content the volume shows, also by cloning a claim.
// ConfigMaps are left out: the runtime policy is no secret.
func contentReferences(v *corev1.Volume) []string {
	var names []string
	if v.Secret != nil {
		names = append(names, v.Secret.SecretName)
	}
	if v.PersistentVolumeClaim != nil {
		names = append(names, v.PersistentVolumeClaim.ClaimName)
	}
	if v.Projected != nil {
		for _, s := range v.Projected.Sources {
			if s.Secret != nil {
				names = append(names, s.Secret.Name)
			}
		}
	}
	if v.Ephemeral != nil && v.Ephemeral.VolumeClaimTemplate != nil {
		spec := &v.Ephemeral.VolumeClaimTemplate.Spec
		if spec.DataSource != nil {
			names = append(names, spec.DataSource.Name)
		}
		if spec.DataSourceRef != nil {
			names = append(names, spec.DataSourceRef.Name)
		}
	}
	return names
}

// driverReferences lists the Secrets the volume hands to a storage driver.
func driverReferences(v *corev1.Volume) []string {
	var names []string
	add := func(ref *corev1.LocalObjectReference) {
		if ref != nil {
			names = append(names, ref.Name)
		}
	}
	if v.CSI != nil {
		add(v.CSI.NodePublishSecretRef)
	}
	if v.FlexVolume != nil {
		add(v.FlexVolume.SecretRef)
	}
	if v.ISCSI != nil {
		add(v.ISCSI.SecretRef)
	}
	if v.RBD != nil {
		add(v.RBD.SecretRef)
	}
	if v.CephFS != nil {
		add(v.CephFS.SecretRef)
	}
	if v.Cinder != nil {
		add(v.Cinder.SecretRef)
	}
	if v.ScaleIO != nil {
		add(v.ScaleIO.SecretRef)
	}
	if v.StorageOS != nil {
		add(v.StorageOS.SecretRef)
	}
	if v.AzureFile != nil {
		names = append(names, v.AzureFile.SecretName)
	}
	return names
}

// environmentReferences lists the Secrets that the container takes variables from.
func environmentReferences(c *corev1.Container) []string {
	var names []string
	for _, e := range c.Env {
		if e.ValueFrom != nil && e.ValueFrom.SecretKeyRef != nil {
			names = append(names, e.ValueFrom.SecretKeyRef.Name)
		}
	}
	for _, e := range c.EnvFrom {
		if e.SecretRef != nil {
			names = append(names, e.SecretRef.Name)
		}
	}
	return names
}

// ownVolumeUse returns the first of the screener's volumes the container reaches: mounted, as a block device, or as a
// file of variables.
func ownVolumeUse(c *corev1.Container) string {
	for _, m := range c.VolumeMounts {
		if slices.Contains(ownVolumes, m.Name) {
			return m.Name
		}
	}
	for _, d := range c.VolumeDevices {
		if slices.Contains(ownVolumes, d.Name) {
			return d.Name
		}
	}
	for _, e := range c.Env {
		if e.ValueFrom != nil && e.ValueFrom.FileKeyRef != nil && slices.Contains(ownVolumes, e.ValueFrom.FileKeyRef.VolumeName) {
			return e.ValueFrom.FileKeyRef.VolumeName
		}
	}
	return ""
}
