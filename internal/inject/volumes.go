// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package inject

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/policy"
)

const (
	// TokenVolume is an empty directory mounted where a ServiceAccount token would be. The API server adds the token to
	// every container that mounts nothing there, also to injected ones, as it runs its own plugins again after webhooks.
	TokenVolume = "memorytrust-no-token"
	// TokenMount is where TokenVolume is mounted.
	TokenMount = "/var/run/secrets/kubernetes.io/serviceaccount" //nolint:gosec // a path, the same in every pod

	// annotationEvict tells the cluster autoscaler which local volumes do not keep a node from being scaled away.
	annotationEvict = "cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes"

	// configMode lets the screener's group read the files and nobody change them.
	configMode int32 = 0o440
)

// ownVolumes are the names of the volumes that only the screener mounts.
var ownVolumes = []string{ConfigVolume, StoreVolume, TokenVolume}

// setVolumes adds the screener's volumes, or puts right those that are there.
func setVolumes(pod *corev1.Pod, req Request) {
	names := NamesFor(req.Agent)
	for _, v := range []corev1.Volume{configVolume(names), storeVolume(names, req.Store), tokenVolume()} {
		at := slices.IndexFunc(pod.Spec.Volumes, func(have corev1.Volume) bool { return have.Name == v.Name })
		if at < 0 {
			pod.Spec.Volumes = append(pod.Spec.Volumes, v)
			continue
		}
		pod.Spec.Volumes[at] = v
	}
}

// configVolume projects keys, certificate, channel digests and policy into one directory, which the kubelet swaps as a
// whole. The Secrets have no items: their entries come and go with key rotation. Nothing is optional: the kubelet
// waits for what the operator has not made yet, and a pod without keys never runs.
func configVolume(names Names) corev1.Volume {
	secret := func(name string) corev1.VolumeProjection {
		return corev1.VolumeProjection{Secret: &corev1.SecretProjection{
			LocalObjectReference: corev1.LocalObjectReference{Name: name},
			Optional:             ptr.To(false),
		}}
	}
	runtimePolicy := corev1.VolumeProjection{ConfigMap: &corev1.ConfigMapProjection{
		LocalObjectReference: corev1.LocalObjectReference{Name: names.PolicyConfigMap},
		Items:                []corev1.KeyToPath{{Key: policy.FilePolicy, Path: policy.FilePolicy}},
		Optional:             ptr.To(false),
	}}
	return corev1.Volume{Name: ConfigVolume, VolumeSource: corev1.VolumeSource{
		Projected: &corev1.ProjectedVolumeSource{
			DefaultMode: ptr.To(configMode),
			Sources: []corev1.VolumeProjection{
				secret(names.KeySecret), secret(names.TLSSecret), secret(names.ChannelsSecret), runtimePolicy,
			},
		},
	}}
}

func storeVolume(names Names, store v1alpha1.StoreSpec) corev1.Volume {
	if store.Type == v1alpha1.StoreTypePersistent {
		return corev1.Volume{Name: StoreVolume, VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: names.StoreClaim},
		}}
	}
	return corev1.Volume{Name: StoreVolume, VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}
}

func tokenVolume() corev1.Volume {
	return corev1.Volume{Name: TokenVolume, VolumeSource: corev1.VolumeSource{
		// In memory, so that it does not count as local storage that keeps a node from being scaled away.
		EmptyDir: &corev1.EmptyDirVolumeSource{Medium: corev1.StorageMediumMemory},
	}}
}

// addToList adds item to a comma-separated list, once.
func addToList(list, item string) string {
	if list == "" {
		return item
	}
	for have := range strings.SplitSeq(list, ",") {
		if strings.TrimSpace(have) == item {
			return list
		}
	}
	return list + "," + item
}
