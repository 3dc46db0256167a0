// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/server/admin"
)

func TestLosingTrust(t *testing.T) {
	known := []v1alpha1.TrustLoss{{Reason: "NotAuthenticated", Memories: 5}}
	says := func(losses map[string]int64) report {
		return report{reachable: metav1.ConditionTrue, status: admin.Status{TrustLoss: losses}}
	}
	for name, tc := range map[string]struct {
		reports map[types.UID]report
		want    []v1alpha1.TrustLoss
	}{
		"one": {map[types.UID]report{"a": says(map[string]int64{"Tampered": 2})}, []v1alpha1.TrustLoss{{Reason: "Tampered", Memories: 2}}},
		"added up, by reason": {
			map[types.UID]report{"a": says(map[string]int64{"Tampered": 2, "NotAuthenticated": 1}), "b": says(map[string]int64{"Tampered": 3})},
			[]v1alpha1.TrustLoss{{Reason: "NotAuthenticated", Memories: 1}, {Reason: "Tampered", Memories: 5}},
		},
		"none":                {map[types.UID]report{"a": says(map[string]int64{})}, nil},
		"none of it":          {map[types.UID]report{"a": says(map[string]int64{"Tampered": 0})}, nil},
		"one has not looked":  {map[types.UID]report{"a": says(map[string]int64{}), "b": says(nil)}, known},
		"one does not answer": {map[types.UID]report{"a": says(map[string]int64{}), "b": {reachable: metav1.ConditionFalse}}, known},
		"what is not known":   {map[types.UID]report{"a": says(map[string]int64{strings.Repeat("x", 1000): 2, "Tampered": -7, "y": 1})}, []v1alpha1.TrustLoss{{Reason: "Other", Memories: 3}}},
	} {
		if diff := cmp.Diff(tc.want, losingTrust(tc.reports, known)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A count that moves waits for its turn; a reason that comes or goes is written at once.
func TestTrustLossIsACount(t *testing.T) {
	with := func(losses ...v1alpha1.TrustLoss) v1alpha1.AgentMemoryStatus {
		return v1alpha1.AgentMemoryStatus{LosingTrust: losses}
	}
	few, many := v1alpha1.TrustLoss{Reason: "NotAuthenticated", Memories: 1}, v1alpha1.TrustLoss{Reason: "NotAuthenticated", Memories: 9}
	for name, tc := range map[string]struct {
		prev, next v1alpha1.AgentMemoryStatus
		want       bool
	}{
		"more of them":   {with(few), with(many), true},
		"the first":      {with(), with(few), false},
		"the last":       {with(few), with(), false},
		"another reason": {with(few), with(v1alpha1.TrustLoss{Reason: "Tampered", Memories: 1}), false},
	} {
		if got := countsOnly(tc.prev, tc.next); got != tc.want {
			t.Errorf("%s: countsOnly = %v", name, got)
		}
		prev := v1alpha1.MemoryTrustPolicyStatus{LosingTrust: tc.prev.LosingTrust}
		if got := policyCountsOnly(prev, v1alpha1.MemoryTrustPolicyStatus{LosingTrust: tc.next.LosingTrust}); got != tc.want {
			t.Errorf("%s: policyCountsOnly = %v", name, got)
		}
	}
}

// Losses are told where Signed meets DryRun: under Prefix nothing is lost yet, and under Enforce it is too late to warn.
func TestProtectedTellsTrustLoss(t *testing.T) {
	agents := []policyAgent{
		{name: "a", memory: &v1alpha1.AgentMemory{Status: v1alpha1.AgentMemoryStatus{LosingTrust: []v1alpha1.TrustLoss{{Reason: "NotAuthenticated", Memories: 3}}}}},
		{name: "b"},
	}
	for name, tc := range map[string]struct {
		enforcement v1alpha1.Enforcement
		mode        v1alpha1.TrustMode
		agents      []policyAgent
		want        string
	}{
		"Signed in DryRun":        {v1alpha1.EnforcementDryRun, v1alpha1.TrustModeSigned, agents, ReasonTrustWouldBeLost},
		"Prefix in DryRun":        {v1alpha1.EnforcementDryRun, v1alpha1.TrustModePrefix, agents, ReasonNotProtected},
		"Signed, enforced":        {v1alpha1.EnforcementEnforce, v1alpha1.TrustModeSigned, agents, ReasonNotProtected},
		"Signed, nothing is lost": {v1alpha1.EnforcementDryRun, v1alpha1.TrustModeSigned, agents[1:], ReasonNotProtected},
	} {
		spec := &v1alpha1.MemoryTrustPolicySpec{Enforcement: tc.enforcement, Trust: v1alpha1.TrustSpec{Mode: tc.mode}}
		f := protected(policyObserved{spec: spec, agents: tc.agents})
		if f.Reason != tc.want || f.Status != metav1.ConditionFalse || !strings.Contains(f.Message, "Missing: ") {
			t.Errorf("%s: %+v", name, f)
		}
		if told := strings.Contains(f.Message, "3 memories lose trust (NotAuthenticated 3)"); told != (tc.want == ReasonTrustWouldBeLost) {
			t.Errorf("%s: %s", name, f.Message)
		}
	}
}
