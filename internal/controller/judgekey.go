// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"cmp"
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/policy"
)

// readJudgeKey reads the key of the endpoint of a policy's judge; nil where there is none. The problem names the fix and holds
// nothing of the key. Without a usable key screeners do not ask the judge, and mark what it was to judge.
func readJudgeKey(ctx context.Context, reader client.Reader, p *v1alpha1.MemoryTrustPolicy) (key []byte, problem string, _ error) {
	judge := p.Spec.Screening.Judge
	if judge == nil || judge.APIKeySecretRef == nil {
		return nil, "", nil
	}
	var secret corev1.Secret
	name := types.NamespacedName{Namespace: p.Namespace, Name: judge.APIKeySecretRef.Name}
	err := reader.Get(ctx, name, &secret)
	if client.IgnoreNotFound(err) != nil {
		return nil, "", fmt.Errorf("reading Secret %s of the judge: %w", name, err)
	}
	key, problem = judgeKeyOf(*judge.APIKeySecretRef, &secret, !apierrors.IsNotFound(err))
	return key, problem, nil
}

// judgeKeyOf returns the key in the user's Secret, or what is wrong with it.
func judgeKeyOf(ref v1alpha1.SecretKeyRef, secret *corev1.Secret, found bool) (key []byte, problem string) {
	entry := cmp.Or(ref.Key, defaultTokenKey)
	if !found || secret.Labels[v1alpha1.LabelKeySource] != v1alpha1.KeySourceJudge {
		return nil, fmt.Sprintf("there is no Secret %s with label %s=%s: create it, or label it if it exists",
			ref.Name, v1alpha1.LabelKeySource, v1alpha1.KeySourceJudge)
	}
	raw, ok := secret.Data[entry]
	if !ok {
		return nil, fmt.Sprintf("Secret %s has no entry %s: add the key of the endpoint there", ref.Name, entry)
	}
	if err := policy.CheckJudgeKey(raw); err != nil {
		return nil, fmt.Sprintf("entry %s of Secret %s cannot be used: %v", entry, ref.Name, err)
	}
	return raw, ""
}
