// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	metav1apply "k8s.io/client-go/applyconfigurations/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	logf "sigs.k8s.io/controller-runtime/pkg/log"

	"memorytrust.dev/operator/api/v1alpha1"
)

// fieldOwner is the field manager of everything the reconcilers write.
const fieldOwner = client.FieldOwner("memorytrust")

// Labels of ConfigMaps and claims that the operator made; the operator's caches hold no other claims.
const (
	labelManagedBy = "app.kubernetes.io/managed-by"
	managedBy      = "memorytrust"
)

// objectLabels of everything that belongs to one agent.
func objectLabels(agent string) map[string]string {
	return map[string]string{labelManagedBy: managedBy, v1alpha1.LabelAgent: agent}
}

// secretLabels of a Secret that belongs to one agent; they put it into the operator's cache.
func secretLabels(agent string) map[string]string {
	l := objectLabels(agent)
	l[v1alpha1.LabelKeySource] = v1alpha1.KeySourceGenerated
	return l
}

// configMapLabels of the ConfigMap that belongs to one agent; they put it into the operator's cache.
func configMapLabels(agent string) map[string]string {
	l := objectLabels(agent)
	l[v1alpha1.LabelPolicySource] = v1alpha1.PolicySourceGenerated
	return l
}

// ownedBy makes the garbage collector remove an object together with the AgentMemory. It does not block the deletion
// of the owner, so that nothing hangs when the operator is gone.
func ownedBy(m *v1alpha1.AgentMemory) *metav1apply.OwnerReferenceApplyConfiguration {
	return metav1apply.OwnerReference().
		WithAPIVersion(v1alpha1.GroupVersion.String()).
		WithKind("AgentMemory").
		WithName(m.Name).
		WithUID(m.UID).
		WithController(true)
}

// hasOwner reports whether m owns the object already.
func hasOwner(obj metav1.Object, m *v1alpha1.AgentMemory) bool {
	owner := metav1.GetControllerOf(obj)
	return owner != nil && owner.UID == m.UID
}

// includes reports whether all pairs of want are in have.
func includes(have, want map[string]string) bool {
	for k, v := range want {
		if have[k] != v {
			return false
		}
	}
	return true
}

// leaveToDeletion drops the error of making something in a namespace that is being deleted. The rest of the deletion
// brings the events that are left to handle.
func leaveToDeletion(ctx context.Context, err error) error {
	if apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause) {
		logf.FromContext(ctx).V(1).Info("Namespace is being deleted, leaving it alone")
		return nil
	}
	return err
}

// applyStatus writes a whole status. The uid in it keeps the status of an object from landing on its successor of
// the same name.
func applyStatus(ctx context.Context, c client.Client, obj client.Object, kind string, status any) error {
	return applyStatusAt(ctx, c, obj, "", kind, status)
}

// applyNextStatus writes a whole status that follows from the one in obj. It returns a conflict when that is not the newest.
func applyNextStatus(ctx context.Context, c client.Client, obj client.Object, kind string, status any) error {
	return applyStatusAt(ctx, c, obj, obj.GetResourceVersion(), kind, status)
}

// applyStatusAt writes a status onto a version of obj; empty means any.
func applyStatusAt(ctx context.Context, c client.Client, obj client.Object, version, kind string, status any) error {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(status)
	if err != nil {
		return fmt.Errorf("encoding the status of %s %s: %w", kind, client.ObjectKeyFromObject(obj), err)
	}
	u := &unstructured.Unstructured{Object: map[string]any{"status": content}}
	u.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind(kind))
	u.SetName(obj.GetName())
	u.SetNamespace(obj.GetNamespace())
	u.SetUID(obj.GetUID())
	u.SetResourceVersion(version)
	err = c.Status().Apply(ctx, client.ApplyConfigurationFromUnstructured(u), fieldOwner, client.ForceOwnership)
	if client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("writing the status of %s %s: %w", kind, client.ObjectKeyFromObject(obj), err)
	}
	return nil
}
