// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/server/admin"
)

// Where a memory is follows from what screeners tell; a policy alone moves nothing and hides nothing.
func TestStoreStatus(t *testing.T) {
	const (
		ephemeral, persistent, database = v1alpha1.StoreTypeEphemeral, v1alpha1.StoreTypePersistent, v1alpha1.StoreTypePostgres
	)
	holds, empty := admin.StoreStatus{Kind: admin.StoreEmbedded, Holds: true}, admin.StoreStatus{Kind: admin.StoreEmbedded}
	moved, moving := admin.StoreStatus{Kind: admin.StorePostgres, Holds: true}, holds
	moving.Migration = &admin.StoreMigration{Phase: "Verifying"}
	at := func(kind v1alpha1.StoreType, pods ...string) *v1alpha1.AgentStoreStatus {
		return &v1alpha1.AgentStoreStatus{Type: kind, EmbeddedPods: pods}
	}
	for name, tc := range map[string]struct {
		policy  v1alpha1.StoreType
		prev    *v1alpha1.AgentStoreStatus
		before  v1alpha1.StoreType // where it was as far as known, without prev
		claimed bool
		pods    map[string]admin.StoreStatus
		want    *v1alpha1.AgentStoreStatus
		says    string // of the condition; empty: it is in place
	}{
		"a new agent":                          {ephemeral, nil, ephemeral, false, nil, at(ephemeral), ""},
		"a memory of its own":                  {ephemeral, nil, ephemeral, false, map[string]admin.StoreStatus{"a": holds}, at(ephemeral, "a"), ""},
		"moved under the old policy":           {ephemeral, at(ephemeral), "", false, map[string]admin.StoreStatus{"a": moved}, at(database), ""},
		"moved from a claim":                   {persistent, at(persistent), "", true, map[string]admin.StoreStatus{"a": moved}, at(database), ""},
		"moved, without pods":                  {persistent, at(database), "", true, nil, at(database), ""},
		"from the start":                       {database, nil, database, false, map[string]admin.StoreStatus{"a": moved, "b": moved}, at(database), ""},
		"the policy changed first":             {database, at(ephemeral), "", false, map[string]admin.StoreStatus{"a": holds}, at(ephemeral, "a"), "kubectl memtrust migrate concierge -n travel"},
		"the policy changed first, on a claim": {database, at(persistent), "", true, map[string]admin.StoreStatus{"a": holds}, at(persistent, "a"), "that of pod a has not been moved"},
		"on a claim, without pods":             {database, at(persistent), "", true, nil, at(persistent), ""},
		"on a claim nobody told of":            {database, nil, persistent, true, nil, at(persistent), ""},
		"nobody told before":                   {database, nil, database, false, map[string]admin.StoreStatus{"a": holds}, at(ephemeral, "a"), "kubectl memtrust migrate"},
		"the pods went":                        {database, at(ephemeral), "", false, nil, at(database), ""},
		"several histories":                    {database, at(ephemeral), "", false, map[string]admin.StoreStatus{"a": holds, "b": holds}, at(ephemeral, "a", "b"), "end all but the one"},
		"one pod stayed behind":                {ephemeral, at(database), "", false, map[string]admin.StoreStatus{"a": moved, "b": holds}, at(database, "b"), "memories of their own"},
		"an empty one beside it":               {database, at(ephemeral), "", false, map[string]admin.StoreStatus{"a": moved, "b": empty}, at(database), ""},
		"while it moves":                       {ephemeral, at(ephemeral), "", false, map[string]admin.StoreStatus{"a": moving}, at(ephemeral, "a"), "being moved"},
		"from pods to a claim":                 {persistent, at(ephemeral), "", true, nil, at(persistent), ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := testPolicy("p", 0, nil)
			p.Spec.Store.Type = tc.policy
			o := agentObserved{
				key: types.NamespacedName{Namespace: "travel", Name: "concierge"}, resolution: resolution{policy: &p}, storeType: tc.before,
				claimed: tc.claimed, reports: map[types.UID]report{},
			}
			for pod, store := range tc.pods {
				o.fleet.running = append(o.fleet.running, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: pod, UID: types.UID(pod)}})
				o.reports[types.UID(pod)] = report{reachable: metav1.ConditionTrue, status: admin.Status{Store: &store}}
			}
			o.fleet.live = o.fleet.running
			got := storeStatus(tc.prev, o)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
			if again := storeStatus(got, o); !cmp.Equal(got, again) {
				t.Errorf("a second look says %+v", again)
			}
			f := storeInPlace(o, got)
			if (f.Status == metav1.ConditionTrue) != (tc.says == "") || !strings.Contains(f.Message, tc.says) {
				t.Errorf("StoreInPlace = %s: %s", f.Status, f.Message)
			}
		})
	}
}
