// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"cmp"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"memorytrust.dev/operator/api/v1alpha1"
)

// maxListedPods is the most pods a status lists; the field's own bound.
const maxListedPods = 20

// agentObserved is what the status of an AgentMemory is computed from.
type agentObserved struct {
	key        types.NamespacedName
	generation int64
	resolution resolution
	policyName string // the one in force, or the last one that was
	revision   string // of the runtime policy in the ConfigMap
	// obstacle is what keeps the operator from bringing the agent's objects up to date; nil normally.
	obstacle *finding
	// storeProblem is why the agent has no role in its database; nil normally.
	storeProblem *finding
	trust        v1alpha1.TrustMode // of the policy in force; empty without one
	channels     *channelTokens     // nil before they were read
	// credentials of upstreams; nil before they were read.
	credentials *upstreamCredentials
	want        want
	fleet       fleet
	reports     map[types.UID]report
	version     string // of the screener that the operator injects
	// storeType is where the memory was as far as known before; claimed says that there is a claim for it.
	storeType v1alpha1.StoreType
	claimed   bool
	// isolation is nil before the agent has an identity to check.
	isolation *isolation
}

// agentStatus computes the status of an AgentMemory. What screeners have not been asked since the operator started
// is taken over from prev, so that a restart of the operator is no transition.
func agentStatus(prev v1alpha1.AgentMemoryStatus, o agentObserved) v1alpha1.AgentMemoryStatus {
	s := v1alpha1.AgentMemoryStatus{
		ObservedGeneration: o.generation,
		Conditions:         slices.Clone(prev.Conditions),
		PolicyName:         cmp.Or(o.policyName, prev.PolicyName),
		PolicyRevision:     cmp.Or(o.revision, prev.PolicyRevision),
		PodCount:           int32(len(o.fleet.live)), //nolint:gosec // a count of pods
	}
	pods, asked := podStatuses(prev.Pods, o)
	s.Memories, s.AuditCheckpoint, s.LosingTrust = prev.Memories, prev.AuditCheckpoint, prev.LosingTrust
	if asked && len(o.fleet.running) > 0 {
		s.Memories = sumStatus(o.reports)
		s.LosingTrust = losingTrust(o.reports, prev.LosingTrust)
		s.AuditCheckpoint = checkpointOf(o.fleet.running[0], o.reports, prev.AuditCheckpoint)
	}
	s.Pods = pods[:min(len(pods), maxListedPods)]
	s.Store = storeStatus(prev.Store, o)

	policyAttached(o, s.PolicyName).set(&s.Conditions, v1alpha1.ConditionPolicyAttached, o.generation)
	synced(o, pods).set(&s.Conditions, v1alpha1.ConditionSynced, o.generation)
	originAuthenticated(o).set(&s.Conditions, v1alpha1.ConditionOriginAuthenticated, o.generation)
	actionsEnforced(o).set(&s.Conditions, v1alpha1.ConditionActionsEnforced, o.generation)
	if podsByStore(o).asked {
		storeInPlace(o, s.Store).set(&s.Conditions, v1alpha1.ConditionStoreInPlace, o.generation)
	}
	if o.isolation != nil {
		isolationFinding(*o.isolation).set(&s.Conditions, v1alpha1.ConditionAgentIsolated, o.generation)
	}
	return s
}

// podStatuses describes all live pods, by name, and reports whether every running screener has been asked.
func podStatuses(prev []v1alpha1.AgentPodStatus, o agentObserved) ([]v1alpha1.AgentPodStatus, bool) {
	running := map[types.UID]bool{}
	for _, pod := range o.fleet.running {
		running[pod.UID] = true
	}
	asked := true
	out := make([]v1alpha1.AgentPodStatus, 0, len(o.fleet.live))
	for _, pod := range o.fleet.live {
		status := v1alpha1.AgentPodStatus{Name: pod.Name, Reachable: metav1.ConditionUnknown}
		r, known := o.reports[pod.UID]
		switch {
		case !running[pod.UID]:
		case !known || r.reachable == metav1.ConditionUnknown:
			asked = false
			if i := slices.IndexFunc(prev, func(p v1alpha1.AgentPodStatus) bool { return p.Name == pod.Name }); i >= 0 {
				status = prev[i]
			}
		default:
			status.Reachable = r.reachable
			status.PolicyRevision = r.status.PolicyRevision
			status.PrimaryKeyID = r.status.PrimaryKeyID
			status.ScreenerVersion = r.status.Version
		}
		out = append(out, status)
	}
	slices.SortFunc(out, func(a, b v1alpha1.AgentPodStatus) int { return cmp.Compare(a.Name, b.Name) })
	return out, asked
}

func checkpointOf(oldest *corev1.Pod, reports map[types.UID]report, prev *v1alpha1.AuditCheckpoint) *v1alpha1.AuditCheckpoint {
	r := reports[oldest.UID]
	if r.reachable != metav1.ConditionTrue || r.status.AuditRoot == "" {
		return prev
	}
	return &v1alpha1.AuditCheckpoint{Size: r.status.AuditSize, RootHash: r.status.AuditRoot}
}

func policyAttached(o agentObserved, name string) finding {
	switch {
	case o.resolution.policy != nil && len(o.resolution.overlapping) > 0:
		return yes(ReasonPolicyInForce, "MemoryTrustPolicy %s is in force, as the oldest; these select the agent too: %s",
			o.resolution.policy.Name, listed(o.resolution.overlapping))
	case o.resolution.policy != nil:
		return yes(ReasonPolicyInForce, "MemoryTrustPolicy %s is in force", o.resolution.policy.Name)
	case name == "":
		return no(ReasonNoPolicy, "No MemoryTrustPolicy selects the agent")
	}
	return no(ReasonNoPolicy, "No MemoryTrustPolicy selects the agent any more; the last one, %s, stays in force", name)
}

// synced says whether all pods run what they should. Where several things are wrong it names the worst.
func synced(o agentObserved, pods []v1alpha1.AgentPodStatus) finding {
	if o.obstacle != nil {
		return *o.obstacle
	}
	if o.storeProblem != nil {
		return *o.storeProblem
	}
	if len(o.fleet.missing) > 0 {
		return no(ReasonScreenerMissing, "These pods run without a screener, delete them so that they are injected: %s", listed(o.fleet.missing))
	}
	if len(o.fleet.running) == 0 {
		if len(o.fleet.live) > 0 {
			return unknown(ReasonProgressing, "No screener runs yet")
		}
		return yes(ReasonNoPods, "The agent has no running pods")
	}
	if f := rejected(o); f != nil {
		return *f
	}
	var outdated, unreachable, unknownYet []string
	isRunning := map[string]bool{}
	for _, pod := range o.fleet.running {
		isRunning[pod.Name] = true
	}
	for _, p := range pods {
		switch {
		case !isRunning[p.Name]:
			unknownYet = append(unknownYet, p.Name)
		case p.Reachable == metav1.ConditionFalse:
			unreachable = append(unreachable, p.Name)
		case p.Reachable != metav1.ConditionTrue:
			unknownYet = append(unknownYet, p.Name)
		case p.PolicyRevision != o.revision || p.PrimaryKeyID != o.want.primary || !keysLoaded(o, p.Name):
			outdated = append(outdated, p.Name)
		}
	}
	switch {
	case len(unreachable) > 0:
		return unknown(ReasonScreenerUnreachable, "The screeners in these pods do not answer on port 9443: %s", listed(unreachable))
	case len(outdated) > 0:
		return no(ReasonOutdated, "The screeners in these pods do not run policy revision %s and the current keys yet: %s", o.revision, listed(outdated))
	case len(unknownYet) > 0:
		return unknown(ReasonProgressing, "The screeners in these pods have not reported yet: %s", listed(unknownYet))
	case len(o.fleet.skewed) > 0:
		return yes(ReasonVersionSkew, "All screeners are in sync; these pods run another release than %s until they are restarted: %s",
			o.version, listed(o.fleet.skewed))
	}
	return yes(ReasonAllInSync, "All screeners run policy revision %s and sign with key %s", o.revision, o.want.primary)
}

// keysLoaded reports whether a pod's screener has all keys. What was taken over from an earlier status counts.
func keysLoaded(o agentObserved, pod string) bool {
	for _, p := range o.fleet.running {
		if p.Name != pod {
			continue
		}
		r := o.reports[p.UID]
		if r.reachable != metav1.ConditionTrue {
			return true
		}
		have := slices.Clone(r.status.KeyIDs)
		slices.Sort(have)
		return slices.Equal(have, o.want.keyIDs)
	}
	return true
}

// rejected says which screeners refuse their newest files. Why is in their status, in words without content.
func rejected(o agentObserved) *finding {
	var pods []string
	why := ""
	for _, pod := range o.fleet.running {
		if r := o.reports[pod.UID]; r.reachable == metav1.ConditionTrue && r.status.PolicyRejected != "" {
			pods = append(pods, pod.Name)
			why = r.status.PolicyRejected
		}
	}
	if len(pods) == 0 {
		return nil
	}
	f := no(ReasonPolicyRejected, "The screeners in these pods refuse the newest policy or keys and run on the last good ones: %s: %.200s", listed(pods), why)
	return &f
}

func originAuthenticated(o agentObserved) finding {
	switch {
	case o.resolution.policy == nil:
		return unknown(ReasonNoPolicy, "No MemoryTrustPolicy selects the agent")
	case o.trust != v1alpha1.TrustModeSigned:
		return no(ReasonPrefixTrust, "Trust mode Prefix believes the sources that are claimed: use Signed with an authenticated channel")
	case o.channels == nil && o.obstacle != nil:
		return unknown(o.obstacle.Reason, "%s", o.obstacle.Message)
	case o.channels == nil:
		return unknown(ReasonProgressing, "The channels' tokens have not been read yet")
	case o.channels.working() == 0:
		return no(ReasonChannelTokenMissing, "No channel works: %s", listedInOrder(o.channels.problems))
	case len(o.channels.problems) > 0:
		return yes(ReasonChannelTokenMissing, "%d channels work; %s", o.channels.working(), listedInOrder(o.channels.problems))
	}
	return yes(ReasonChannelsWorking, "%d authenticated channels work", o.channels.working())
}

// countsOnly reports whether two statuses differ in nothing but what is counted, and no count that people wait for
// became or ceased to be zero.
func countsOnly(prev, next v1alpha1.AgentMemoryStatus) bool {
	if crossesZero(prev.Memories, next.Memories) || !sameLosses(prev.LosingTrust, next.LosingTrust) {
		return false
	}
	next.Memories, next.AuditCheckpoint, next.LosingTrust = prev.Memories, prev.AuditCheckpoint, prev.LosingTrust
	return equality.Semantic.DeepEqual(prev, next)
}

// crossesZero reports whether one of the counts became or ceased to be zero: the first quarantined memory is news, the
// hundredth is a number.
func crossesZero(a, b v1alpha1.MemoryCounts) bool {
	return (a.Quarantine == 0) != (b.Quarantine == 0) || (a.Working == 0) != (b.Working == 0) ||
		(a.Trusted == 0) != (b.Trusted == 0) || (a.PendingReview == 0) != (b.PendingReview == 0)
}

// countsWriter spaces out writes of counts: etcd is no place for a counter that moves all the time.
type countsWriter struct {
	interval time.Duration

	mu   sync.Mutex
	last map[types.NamespacedName]time.Time
}

func newCountsWriter(interval time.Duration) *countsWriter {
	return &countsWriter{interval: interval, last: map[types.NamespacedName]time.Time{}}
}

// wait returns how long the counts of an object still have to wait; zero when they may be written.
func (w *countsWriter) wait(key types.NamespacedName, now time.Time) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return max(w.interval-now.Sub(w.last[key]), 0)
}

// written notes that the counts of an object were written.
func (w *countsWriter) written(key types.NamespacedName, now time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.last[key] = now
}
