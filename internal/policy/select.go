// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"memorytrust.dev/operator/api/v1alpha1"
)

// SelectorError says that a policy's selector cannot be used; the policy selects nothing until it is fixed.
type SelectorError struct {
	Policy string // name of the policy
	Err    error
}

// Error implements error.
func (e *SelectorError) Error() string {
	return fmt.Sprintf("policy %s: spec.selector: %v", e.Policy, e.Err)
}

// Unwrap returns the cause.
func (e *SelectorError) Unwrap() error { return e.Err }

// Select returns the policy in force for a pod with the given labels, out of the policies of its namespace, and the names
// of further policies that select it too, in the order in which they would take over. The oldest policy wins, then the
// first by name. Policies that are being deleted do not count, and without the label memorytrust.dev/agent nothing
// selects. Policies with a bad selector are skipped; err then joins a *SelectorError for each, and the other results
// are still good.
func Select(policies []v1alpha1.MemoryTrustPolicy, podLabels map[string]string) (
	inForce *v1alpha1.MemoryTrustPolicy, overlapping []string, err error,
) {
	if podLabels[v1alpha1.LabelAgent] == "" {
		return nil, nil, nil
	}
	var matching []*v1alpha1.MemoryTrustPolicy
	var bad []error
	for i := range policies {
		p := &policies[i]
		if !p.DeletionTimestamp.IsZero() {
			continue
		}
		selector, err := metav1.LabelSelectorAsSelector(&p.Spec.Selector)
		if err != nil {
			bad = append(bad, &SelectorError{Policy: p.Name, Err: err})
			continue
		}
		if selector.Matches(labels.Set(podLabels)) {
			matching = append(matching, p)
		}
	}
	slices.SortStableFunc(matching, precedence)
	for _, p := range matching {
		if inForce == nil {
			inForce = p
			continue
		}
		overlapping = append(overlapping, p.Name)
	}
	return inForce, overlapping, errors.Join(bad...)
}

// precedence orders policies: oldest first, then by name.
func precedence(a, b *v1alpha1.MemoryTrustPolicy) int {
	if c := a.CreationTimestamp.Compare(b.CreationTimestamp.Time); c != 0 {
		return c
	}
	return strings.Compare(a.Name, b.Name)
}
