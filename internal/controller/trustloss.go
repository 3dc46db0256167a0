// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/gate"
)

// lossOther stands for reasons that this release does not know: what a screener says must fit into a status.
const lossOther = "Other"

// losingTrust adds up what an agent's screeners say would lose trust. As long as one of them has not looked, or is of a release
// that does not, what was known stays.
func losingTrust(reports map[types.UID]report, prev []v1alpha1.TrustLoss) []v1alpha1.TrustLoss {
	sum := map[string]int64{}
	for _, r := range reports {
		if r.reachable != metav1.ConditionTrue || r.status.TrustLoss == nil {
			return prev
		}
		for reason, n := range r.status.TrustLoss {
			if !slices.Contains(gate.LossReasons, gate.LossReason(reason)) {
				reason = lossOther
			}
			sum[reason] += max(n, 0)
		}
	}
	return trustLosses(sum)
}

// losingOf adds up what the agents of a policy lose.
func losingOf(agents []policyAgent) []v1alpha1.TrustLoss {
	sum := map[string]int64{}
	for _, a := range agents {
		if a.memory == nil {
			continue
		}
		for _, loss := range a.memory.Status.LosingTrust {
			sum[loss.Reason] += loss.Memories
		}
	}
	return trustLosses(sum)
}

// trustLosses lists counts that are not zero, by reason; nil if there are none.
func trustLosses(sum map[string]int64) []v1alpha1.TrustLoss {
	var out []v1alpha1.TrustLoss
	for _, reason := range slices.Sorted(maps.Keys(sum)) {
		if sum[reason] > 0 {
			out = append(out, v1alpha1.TrustLoss{Reason: reason, Memories: sum[reason]})
		}
	}
	return out
}

// sameLosses reports whether the same reasons apply: that memories lose trust for a reason at all is news, how many is a number.
func sameLosses(a, b []v1alpha1.TrustLoss) bool {
	return slices.EqualFunc(a, b, func(x, y v1alpha1.TrustLoss) bool { return x.Reason == y.Reason })
}

// lossMessage says in words what would be lost.
func lossMessage(losing []v1alpha1.TrustLoss) string {
	var total int64
	parts := make([]string, len(losing))
	for i, loss := range losing {
		total += loss.Memories
		parts[i] = fmt.Sprintf("%s %d", loss.Reason, loss.Memories)
	}
	return fmt.Sprintf("%d memories lose trust (%s), see screener admin trust-report", total, strings.Join(parts, ", "))
}
