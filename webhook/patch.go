// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package webhook

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"memorytrust.dev/operator/internal/inject"
)

// operation of a JSON patch (RFC 6902).
type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

// operations lists what injection changed, in the order in which it is to be applied.
type operations []operation

func (o *operations) add(path string, value any) { *o = append(*o, operation{"add", path, value}) }
func (o *operations) replace(path string, value any) {
	*o = append(*o, operation{"replace", path, value})
}
func (o *operations) remove(path string) { *o = append(*o, operation{Op: "remove", Path: path}) }

// patch returns the operations that make from what injection made of it, to. It touches only what injection touches. A
// generic comparison of the two documents would not do: fields of a newer API server, which our types lack, would be
// dropped, or, since lists are compared by position, end up on the screener.
func patch(from, to *corev1.Pod) operations {
	var ops operations
	ops.annotations(from.Annotations, to.Annotations)
	ops.securityContext(from.Spec.SecurityContext, to.Spec.SecurityContext)
	ops.volumes(from.Spec.Volumes, to.Spec.Volumes)
	ops.screener(from.Spec.InitContainers, to.Spec.InitContainers[0])
	// From here on the init containers stand where they stand in to.
	others := slices.DeleteFunc(slices.Clone(from.Spec.InitContainers), isScreener)
	for i := range others {
		ops.env(fmt.Sprintf("/spec/initContainers/%d/env", i+1), others[i].Env, to.Spec.InitContainers[i+1].Env)
	}
	for i := range from.Spec.Containers {
		ops.env(fmt.Sprintf("/spec/containers/%d/env", i), from.Spec.Containers[i].Env, to.Spec.Containers[i].Env)
	}
	return ops
}

func isScreener(c corev1.Container) bool { return c.Name == inject.ContainerName }

func (o *operations) annotations(from, to map[string]string) {
	if len(from) == 0 {
		o.add("/metadata/annotations", to)
		return
	}
	for _, key := range slices.Sorted(maps.Keys(to)) {
		if have, ok := from[key]; !ok || have != to[key] {
			// "~" and "/" are escaped by RFC 6901.
			o.add("/metadata/annotations/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(key), to[key])
		}
	}
}

func (o *operations) securityContext(from, to *corev1.PodSecurityContext) {
	if from == nil {
		o.add("/spec/securityContext", to)
		return
	}
	if from.FSGroup == nil {
		o.add("/spec/securityContext/fsGroup", to.FSGroup)
	}
	if from.FSGroupChangePolicy == nil && to.FSGroupChangePolicy != nil {
		o.add("/spec/securityContext/fsGroupChangePolicy", to.FSGroupChangePolicy)
	}
}

func (o *operations) volumes(from, to []corev1.Volume) {
	if len(from) == 0 {
		o.add("/spec/volumes", to)
		return
	}
	for i := range to {
		switch {
		case i >= len(from):
			o.add("/spec/volumes/-", to[i])
		case !equality.Semantic.DeepEqual(from[i], to[i]):
			o.replace(fmt.Sprintf("/spec/volumes/%d", i), to[i])
		}
	}
}

// screener puts the screener first, in place of one that stands anywhere or is not as it must be.
func (o *operations) screener(from []corev1.Container, screener corev1.Container) {
	if len(from) == 0 {
		o.add("/spec/initContainers", []corev1.Container{screener})
		return
	}
	at := slices.IndexFunc(from, isScreener)
	if at == 0 && equality.Semantic.DeepEqual(from[0], screener) {
		return
	}
	if at >= 0 {
		o.remove(fmt.Sprintf("/spec/initContainers/%d", at))
	}
	o.add("/spec/initContainers/0", screener)
}

// env sets the variables of one container. In to, new variables stand in front; the others stand in the order of from,
// changed or left out.
func (o *operations) env(path string, from, to []corev1.EnvVar) {
	if len(from) == 0 {
		if len(to) > 0 {
			o.add(path, to)
		}
		return
	}
	added := slices.IndexFunc(to, func(e corev1.EnvVar) bool {
		return slices.ContainsFunc(from, func(have corev1.EnvVar) bool { return have.Name == e.Name })
	})
	if added < 0 {
		o.replace(path, to)
		return
	}
	var left []int
	next := added
	for i := range from {
		if next >= len(to) || from[i].Name != to[next].Name {
			left = append(left, i)
			continue
		}
		if !equality.Semantic.DeepEqual(from[i], to[next]) {
			o.replace(fmt.Sprintf("%s/%d", path, i), to[next])
		}
		next++
	}
	for _, i := range slices.Backward(left) {
		o.remove(fmt.Sprintf("%s/%d", path, i))
	}
	for _, e := range slices.Backward(to[:added]) {
		o.add(path+"/0", e)
	}
}
