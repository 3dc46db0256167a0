// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"memorytrust.dev/operator/api/v1alpha1"
)

func TestSelect(t *testing.T) {
	epoch := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	made := func(name string, age time.Duration, labels map[string]string) v1alpha1.MemoryTrustPolicy {
		p := v1alpha1.MemoryTrustPolicy{}
		p.Name, p.CreationTimestamp = name, metav1.NewTime(epoch.Add(-age))
		p.Spec.Selector.MatchLabels = labels
		return p
	}
	bad := made("bad", 9*time.Hour, nil)
	bad.Spec.Selector.MatchExpressions = []metav1.LabelSelectorRequirement{{Key: "x", Operator: "Near"}}
	going := made("going", 9*time.Hour, nil)
	now := metav1.NewTime(epoch)
	going.DeletionTimestamp = &now
	web := map[string]string{"tier": "web"}
	agent := map[string]string{v1alpha1.LabelAgent: "helper", "tier": "web"}

	tests := map[string]struct {
		policies    []v1alpha1.MemoryTrustPolicy
		labels      map[string]string
		inForce     string
		overlapping []string
		bad         []string
	}{
		"none":                     {labels: agent},
		"empty selector picks all": {policies: []v1alpha1.MemoryTrustPolicy{made("all", 0, nil)}, labels: agent, inForce: "all"},
		"not selected": {policies: []v1alpha1.MemoryTrustPolicy{made("db", 0, map[string]string{"tier": "db"})},
			labels: agent},
		"pod that did not opt in": {policies: []v1alpha1.MemoryTrustPolicy{made("all", 0, nil)}, labels: web},
		"oldest wins": {policies: []v1alpha1.MemoryTrustPolicy{made("a", time.Hour, nil), made("b", 3*time.Hour, web), made("c", 2*time.Hour, nil)},
			labels: agent, inForce: "b", overlapping: []string{"c", "a"}},
		"then the name": {policies: []v1alpha1.MemoryTrustPolicy{made("z", time.Hour, nil), made("m", time.Hour, nil)},
			labels: agent, inForce: "m", overlapping: []string{"z"}},
		"bad selector is skipped and reported": {policies: []v1alpha1.MemoryTrustPolicy{bad, made("ok", 0, nil)},
			labels: agent, inForce: "ok", bad: []string{"bad"}},
		"deleted does not count": {policies: []v1alpha1.MemoryTrustPolicy{going, made("ok", 0, nil)}, labels: agent, inForce: "ok"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			inForce, overlapping, err := Select(tt.policies, tt.labels)
			got := ""
			if inForce != nil {
				got = inForce.Name
			}
			if got != tt.inForce {
				t.Errorf("in force %q, want %q", got, tt.inForce)
			}
			if diff := cmp.Diff(tt.overlapping, overlapping); diff != "" {
				t.Errorf("overlapping (-want +got):\n%s", diff)
			}
			var selector *SelectorError
			if errors.As(err, &selector) != (tt.bad != nil) || (selector != nil && selector.Policy != tt.bad[0]) {
				t.Errorf("error %v, want selector errors of %v", err, tt.bad)
			}
		})
	}
}
