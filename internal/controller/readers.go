// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	logf "sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"memorytrust.dev/operator/internal/readers"
)

// suffixReader ends the names of roles that read an agent's memory.
const suffixReader = "_ro"

// readersSecret returns the Secret that memory-api mounts, nil while memory-api is not installed.
func (r *AgentReconciler) readersSecret(ctx context.Context) (*corev1.Secret, error) {
	var secret corev1.Secret
	err := r.client.Get(ctx, types.NamespacedName{Namespace: r.operatorNamespace, Name: readers.Secret}, &secret)
	if client.IgnoreNotFound(err) != nil {
		return nil, fmt.Errorf("reading Secret %s: %w", readers.Secret, err)
	}
	if err != nil {
		return nil, nil
	}
	return &secret, nil
}

// ensureReader makes a role that reads the agent's memory, for memory-api, if that is installed. The memory does not depend on it: what
// goes wrong is logged, and tried again.
func (r *AgentReconciler) ensureReader(ctx context.Context, s *agentScope, owner string) {
	if err := r.tryReader(ctx, s, owner); err != nil {
		logf.FromContext(ctx).Error(err, "Role that reads the agent's memory not made")
		s.soonest(s.now.Add(provisionAgain))
	}
}

func (r *AgentReconciler) tryReader(ctx context.Context, s *agentScope, owner string) error {
	secret, err := r.readersSecret(ctx)
	if err != nil || secret == nil {
		return err
	}
	entry := readers.Entry(s.key)
	have, _ := readers.Decode(secret.Data[entry]) // what is damaged is made anew
	uri, err := r.readers.ensure(ctx, s.key, s.memory.Spec.AgentID, owner, []byte(have.URI))
	if err != nil {
		return err
	}
	want := readers.Credential{AgentID: s.memory.Spec.AgentID, URI: string(uri)}
	if have == want {
		return nil
	}
	raw, err := want.Encode()
	if err != nil {
		return err
	}
	size := len(entry) + len(raw) - len(secret.Data[entry])
	for name, value := range secret.Data {
		size += len(name) + len(value)
	}
	if size > readers.MaxBytes {
		return fmt.Errorf("writing Secret %s: it is full; agents beyond that cannot be read without a running pod", readers.Secret)
	}
	return r.patchReader(ctx, secret, entry, raw)
}

// dropReader forgets what an agent that is gone was read with. Its role stays, as its memory does.
func (r *AgentReconciler) dropReader(ctx context.Context, agent types.NamespacedName) error {
	secret, err := r.readersSecret(ctx)
	if err != nil || secret == nil {
		return err
	}
	entry := readers.Entry(agent)
	if _, there := secret.Data[entry]; !there {
		return nil
	}
	return r.patchReader(ctx, secret, entry, nil)
}

// patchReader writes one entry and leaves the others, which are written at the same time; nil removes it.
func (r *AgentReconciler) patchReader(ctx context.Context, secret *corev1.Secret, entry string, raw []byte) error {
	var value any
	if raw != nil {
		value = base64.StdEncoding.EncodeToString(raw)
	}
	patch, err := json.Marshal(map[string]any{"data": map[string]any{entry: value}})
	if err != nil {
		return err
	}
	err = r.client.Patch(ctx, secret.DeepCopy(), client.RawPatch(types.MergePatchType, patch), fieldOwner)
	if client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("writing Secret %s: %w", readers.Secret, err)
	}
	return nil
}

// readersCreated passes that the Secret of memory-api appeared: every agent has something to put into it. Its other changes are ours.
func (r *AgentReconciler) readersCreated() predicate.Predicate {
	ours := func(o client.Object) bool {
		return o.GetNamespace() == r.operatorNamespace && o.GetName() == readers.Secret
	}
	return predicate.Funcs{
		CreateFunc:  func(e event.CreateEvent) bool { return ours(e.Object) },
		UpdateFunc:  func(event.UpdateEvent) bool { return false },
		DeleteFunc:  func(event.DeleteEvent) bool { return false },
		GenericFunc: func(event.GenericEvent) bool { return false },
	}
}
