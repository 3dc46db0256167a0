// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/server/admin"
	"memorytrust.dev/operator/internal/store/migrate"
)

// storeType is where the memory of an agent is, as far as was known before its screeners are asked: what they told last, else a claim that
// there is, else what the policy says.
func (s *agentScope) storeType() v1alpha1.StoreType {
	switch {
	case s.memory.Status.Store != nil:
		return s.memory.Status.Store.Type
	case s.live.claim != nil:
		return v1alpha1.StoreTypePersistent
	case s.status.resolution.policy != nil:
		return s.status.resolution.policy.Spec.Store.Type
	}
	return ""
}

// storePods are the pods of an agent by where their screeners keep its memory.
type storePods struct {
	database []string
	embedded []string // those that hold something
	moving   bool
	asked    bool // some screener told
}

func podsByStore(o agentObserved) (p storePods) {
	for _, pod := range o.fleet.running {
		r := o.reports[pod.UID]
		if r.reachable != metav1.ConditionTrue || r.status.Store == nil {
			continue
		}
		p.asked = true
		switch store := r.status.Store; {
		case store.Kind == admin.StorePostgres:
			p.database = append(p.database, pod.Name)
		case store.Holds:
			p.embedded = append(p.embedded, pod.Name)
			p.moving = p.moving || store.Migration != nil && store.Migration.Phase != string(migrate.Done) && store.Migration.Phase != string(migrate.Failed)
		}
	}
	slices.Sort(p.database)
	slices.Sort(p.embedded)
	return p
}

// storeStatus says where the memory of an agent is. It leaves a volume for a database when a screener keeps it there and none keeps it on a
// volume any more, and never comes back.
func storeStatus(prev *v1alpha1.AgentStoreStatus, o agentObserved) *v1alpha1.AgentStoreStatus {
	pods := podsByStore(o)
	kind := o.storeType
	if prev != nil {
		kind = prev.Type
	}
	policy := o.resolution.policy
	switch {
	case len(pods.database) > 0 && len(pods.embedded) == 0:
		kind = v1alpha1.StoreTypePostgres
	case len(pods.embedded) > 0 && prev == nil && kind == v1alpha1.StoreTypePostgres:
		kind = v1alpha1.StoreTypeEphemeral // the policy changed before the memory was moved
	case kind == v1alpha1.StoreTypeEphemeral && o.claimed && policy != nil && policy.Spec.Store.Type == v1alpha1.StoreTypePersistent:
		kind = v1alpha1.StoreTypePersistent // new pods have the claim
	case kind == v1alpha1.StoreTypeEphemeral && policy != nil && policy.Spec.Store.Type == v1alpha1.StoreTypePostgres && len(o.fleet.live) == 0:
		kind = v1alpha1.StoreTypePostgres // what was in the pods went with them
	}
	if kind == "" {
		return prev
	}
	out := &v1alpha1.AgentStoreStatus{Type: kind, EmbeddedPods: pods.embedded[:min(len(pods.embedded), maxListedPods)]}
	if !pods.asked && prev != nil && len(o.fleet.running) > 0 {
		out.EmbeddedPods = prev.EmbeddedPods
	}
	return out
}

// storeInPlace says whether the memory is where the policy keeps it, and what to do where it is not.
func storeInPlace(o agentObserved, store *v1alpha1.AgentStoreStatus) finding {
	pods := podsByStore(o)
	wanted := store != nil && store.Type == v1alpha1.StoreTypePostgres ||
		o.resolution.policy != nil && o.resolution.policy.Spec.Store.Type == v1alpha1.StoreTypePostgres
	command := "kubectl memtrust migrate " + o.key.Name + " -n " + o.key.Namespace
	switch {
	case pods.moving:
		return no(ReasonMoving, "The memory is being moved to the database; the agent is served meanwhile")
	case !wanted || len(pods.embedded) == 0:
		return yes(ReasonInPlace, "The memory is where the policy keeps it")
	case len(pods.database) > 0 || store.Type == v1alpha1.StoreTypePostgres:
		return no(ReasonNotMoved, "These pods keep memories of their own, which the agent's memory in the database does not have: %s; they are served from there until "+
			"they end, and what is to be kept can be exported from them before", listed(pods.embedded))
	case len(pods.embedded) > 1:
		return no(ReasonNotMoved, "The policy keeps memory in a database, and these pods still have one each, from which they go on: %s; end all but the one whose memory "+
			"is to be kept, then: %s", listed(pods.embedded), command)
	}
	return no(ReasonNotMoved, "The policy keeps memory in a database, and that of pod %s has not been moved there; the agent goes on with it. To move it: %s",
		pods.embedded[0], command)
}
