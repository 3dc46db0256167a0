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
	"memorytrust.dev/operator/internal/provenance"
)

// defaultKeyEntry is the entry of the key in the user's Secret.
const defaultKeyEntry = "key"

// keySource is what the user's Secret holds. Its key material goes into the agent's key Secret and nowhere else.
type keySource struct {
	name     string // of Secret and entry, in words
	provided provenance.Provided
	problem  *finding // why it cannot be used; nil normally
}

// provides reports whether the user's Secret holds the key; nil holds none.
func (s *keySource) provides(id string) bool {
	if s == nil {
		return false
	}
	_, ok := s.provided.Entries[id]
	return ok
}

// readKeySource reads the Secret that a ProvenanceKey names; nil when it names none.
func readKeySource(ctx context.Context, reader client.Reader, key *v1alpha1.ProvenanceKey) (*keySource, error) {
	ref := key.Spec.SecretRef
	if ref == nil {
		return nil, nil
	}
	var secret corev1.Secret
	name := types.NamespacedName{Namespace: key.Namespace, Name: ref.Name}
	err := reader.Get(ctx, name, &secret)
	if client.IgnoreNotFound(err) != nil {
		return nil, fmt.Errorf("reading Secret %s: %w", name, err)
	}
	return keySourceOf(*ref, &secret, !apierrors.IsNotFound(err)), nil
}

// keySourceOf says what is in the user's Secret, or what to do about it.
func keySourceOf(ref v1alpha1.KeySecretRef, secret *corev1.Secret, found bool) *keySource {
	entry := cmp.Or(ref.Key, defaultKeyEntry)
	s := &keySource{name: fmt.Sprintf("entry %s of Secret %s", entry, ref.Name)}
	fail := func(f finding) *keySource {
		s.problem = &f
		return s
	}
	if !found || secret.Labels[v1alpha1.LabelKeySource] != v1alpha1.KeySourceProvenance {
		return fail(no(ReasonKeySourceMissing, "there is no Secret %s with label %s=%s: create it, or label it if it exists",
			ref.Name, v1alpha1.LabelKeySource, v1alpha1.KeySourceProvenance))
	}
	data, ok := secret.Data[entry]
	if !ok {
		return fail(no(ReasonKeySourceMissing, "Secret %s has no entry %s: put the key there, or name another entry in spec.secretRef.key", ref.Name, entry))
	}
	provided, err := provenance.ParseProvided(data)
	if err != nil {
		return fail(no(ReasonKeySourceInvalid,
			"%s cannot be used (%v): put at least 32 random bytes there, or a cleartext Tink JSON keyset of HMAC keys", s.name, err))
	}
	s.provided = provided
	return s
}
