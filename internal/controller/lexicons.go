// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/policy"
)

// readLexicons reads the ConfigMaps that a policy names, in its order. The problem is why they cannot be used, naming the fix;
// what is in the texts is for the engine to say.
func readLexicons(ctx context.Context, reader client.Reader, p *v1alpha1.MemoryTrustPolicy) (_ []policy.Lexicon, problem string, _ error) {
	var out []policy.Lexicon
	for _, ref := range p.Spec.Screening.LexiconRefs {
		var source corev1.ConfigMap
		name := types.NamespacedName{Namespace: p.Namespace, Name: ref.Name}
		err := reader.Get(ctx, name, &source)
		if client.IgnoreNotFound(err) != nil {
			return nil, "", fmt.Errorf("reading ConfigMap %s: %w", name, err)
		}
		found, problem := lexiconsOf(ref, &source, !apierrors.IsNotFound(err))
		if problem != "" {
			return nil, problem, nil
		}
		out = append(out, found...)
	}
	return out, "", nil
}

// lexiconsOf returns the lexicons that are meant, or what is wrong with them.
func lexiconsOf(ref v1alpha1.LexiconRef, source *corev1.ConfigMap, found bool) (_ []policy.Lexicon, problem string) {
	if !found || source.Labels[v1alpha1.LabelPolicySource] != v1alpha1.PolicySourceLexicon {
		return nil, fmt.Sprintf("there is no ConfigMap %s with label %s=%s: create it, or label it if it exists",
			ref.Name, v1alpha1.LabelPolicySource, v1alpha1.PolicySourceLexicon)
	}
	keys := []string{ref.Key}
	if ref.Key == "" {
		if keys = slices.Sorted(maps.Keys(source.Data)); len(keys) == 0 {
			return nil, fmt.Sprintf("ConfigMap %s has no entries in data: add the lexicons there", ref.Name)
		}
	}
	var out []policy.Lexicon
	for _, key := range keys {
		text, ok := source.Data[key]
		if !ok {
			return nil, fmt.Sprintf("ConfigMap %s has no entry %s in data: add the lexicon there", ref.Name, key)
		}
		out = append(out, policy.Lexicon{Name: fmt.Sprintf("ConfigMap %s, key %s", ref.Name, key), Text: text})
	}
	return out, ""
}

// lexiconInvalid is what an agent or policy says whose lexicons cannot be used.
func lexiconInvalid(policyName, problem string) finding {
	return no(ReasonLexiconInvalid, "The lexicons of MemoryTrustPolicy %s cannot be used, the last good policy stays in force: %s", policyName, problem)
}
