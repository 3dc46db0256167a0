// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package webhook

import (
	"testing"

	"memorytrust.dev/operator/api/v1alpha1"
)

// A pod gets the store that its agent's memory is in: a claim stays mounted until the memory was moved, and is not needed afterwards.
func TestStoreOf(t *testing.T) {
	const (
		ephemeral, persistent, database = v1alpha1.StoreTypeEphemeral, v1alpha1.StoreTypePersistent, v1alpha1.StoreTypePostgres
	)
	for name, tc := range map[string]struct {
		policy, memory, want v1alpha1.StoreType // memory is empty where nothing is known of it
	}{
		"a new agent":                   {persistent, "", persistent},
		"as the policy says":            {ephemeral, ephemeral, ephemeral},
		"moved, the policy comes later": {persistent, database, database},
		"the policy came first":         {database, persistent, persistent},
		"nothing outlives a pod":        {database, ephemeral, database},
		"a claim from now on":           {persistent, ephemeral, persistent},
	} {
		t.Run(name, func(t *testing.T) {
			cached := &world{}
			if tc.memory != "" {
				m := agentMemory("shop", "support", "default")
				m.Status.Store = &v1alpha1.AgentStoreStatus{Type: tc.memory}
				cached.memories = append(cached.memories, *m)
			}
			d := &decider{cached: cached, live: &world{}}
			if got := d.storeOf(t.Context(), "shop", "support", v1alpha1.StoreSpec{Type: tc.policy}); got.Type != tc.want {
				t.Errorf("a pod gets %s, want %s", got.Type, tc.want)
			}
		})
	}
}
