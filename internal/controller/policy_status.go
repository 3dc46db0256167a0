// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/policy"
)

// policyAgent is one agent that a policy is in force for.
type policyAgent struct {
	name    string
	missing bool // a pod runs without a screener
	// memory is nil before the agent has one.
	memory *v1alpha1.AgentMemory
	// key is the ProvenanceKey that counts; nil before there is one.
	key *v1alpha1.ProvenanceKey
	// revision that the policy compiles to for this agent; empty when it does not compile.
	revision string
	problem  string // why it does not compile
}

// policyObserved is what the status of a MemoryTrustPolicy is computed from.
type policyObserved struct {
	generation int64
	spec       *v1alpha1.MemoryTrustPolicySpec
	// selectorProblem is what is wrong with spec.selector; empty normally.
	selectorProblem string
	// problem keeps the policy from being applied to any agent, such as a condition that is no CEL; empty normally.
	problem string
	// refused is why the namespace is not managed; nil normally.
	refused  *finding
	channels channelTokens
	// lexicons are what the policy adds to the built-in ones, and lexiconProblem why they cannot be used.
	lexicons       []policy.Lexicon
	lexiconProblem string
	// judgeProblem is why there is no key for the judge; empty normally.
	judgeProblem string
	// credentialProblems are why upstreams have no credential; none normally.
	credentialProblems []string
	agents             []policyAgent
	// winners names the policies that go before this one, with the agents concerned.
	winners map[string][]string
	// losers names the policies this one goes before.
	losers []string
	// benchmarks of the policy, by name; benchmarkProblem is why it cannot be measured.
	benchmarks       []policyBenchmark
	benchmarkProblem string
}

// policyStatus computes the status of a policy.
func policyStatus(prev v1alpha1.MemoryTrustPolicyStatus, o policyObserved) v1alpha1.MemoryTrustPolicyStatus {
	s := v1alpha1.MemoryTrustPolicyStatus{
		ObservedGeneration: o.generation,
		Conditions:         slices.Clone(prev.Conditions),
	}
	for _, a := range o.agents {
		s.Agents.Matched++
		if a.missing {
			s.Agents.Missing++
		} else {
			s.Agents.Injected++
		}
		if !a.missing && a.current() && conditionTrue(a.memory.Status.Conditions, v1alpha1.ConditionSynced) {
			s.Agents.InSync++
		}
		if a.memory != nil {
			s.Memories.Quarantine += a.memory.Status.Memories.Quarantine
			s.Memories.Working += a.memory.Status.Memories.Working
			s.Memories.Trusted += a.memory.Status.Memories.Trusted
			s.Memories.PendingReview += a.memory.Status.Memories.PendingReview
		}
	}
	s.LosingTrust = losingOf(o.agents)
	policyReady(o).set(&s.Conditions, v1alpha1.ConditionReady, o.generation)
	keysReady(o).set(&s.Conditions, v1alpha1.ConditionKeysReady, o.generation)
	screenersInSync(o).set(&s.Conditions, v1alpha1.ConditionScreenersInSync, o.generation)
	protected(o).set(&s.Conditions, v1alpha1.ConditionProtected, o.generation)
	policyBenchmarked(o.benchmarks, o.benchmarkProblem).set(&s.Conditions, v1alpha1.ConditionBenchmarkPassed, o.generation)
	s.LastBenchmark = lastBenchmark(o.benchmarks)
	return s
}

// current reports whether the agent's runtime policy is the one this policy compiles to now.
func (a policyAgent) current() bool {
	return a.memory != nil && a.revision != "" && a.memory.Status.PolicyRevision == a.revision
}

// policyReady never depends on what screeners find, only on whether the policy is applied.
func policyReady(o policyObserved) finding {
	switch {
	case o.selectorProblem != "":
		return no(ReasonInvalidSelector, "spec.selector selects nothing until it is fixed: %s", o.selectorProblem)
	case o.refused != nil:
		return *o.refused
	case len(o.winners) > 0:
		return overlapped(o.winners)
	case o.lexiconProblem != "":
		return no(ReasonLexiconInvalid, "The last good policy stays in force: %s", o.lexiconProblem)
	case o.problem != "" && len(o.agents) == 0: // agents have it each for itself
		return no(ReasonPolicyInvalid, "The policy could not be applied to any agent: %s", o.problem)
	case len(o.channels.problems) > 0:
		return no(ReasonChannelTokenMissing, "%s", strings.Join(o.channels.problems, "; "))
	case o.judgeProblem != "":
		return no(ReasonJudgeKeyMissing, "The judge is not asked, and what it was to judge is marked for review: %s", o.judgeProblem)
	case len(o.credentialProblems) > 0:
		return no(ReasonUpstreamCredentialMissing, "%s", strings.Join(o.credentialProblems, "; "))
	}
	var pending []string
	for _, a := range o.agents {
		if a.problem != "" {
			return no(ReasonPolicyInvalid, "The policy cannot be applied to agent %s: %s", a.name, a.problem)
		}
		if !a.current() {
			pending = append(pending, a.name)
		}
	}
	if len(pending) > 0 {
		return no(ReasonProgressing, "The policy is being applied to: %s", listed(pending))
	}
	also := ""
	if len(o.losers) > 0 {
		also = fmt.Sprintf("; it goes before %s, which select some of the same pods, because it is older or first by name", listed(o.losers))
	}
	if len(o.agents) == 0 {
		return yes(ReasonNoAgents, "The policy is valid and selects no agent at the moment%s", also)
	}
	return yes(ReasonApplied, "The policy is in force for %d agents%s", len(o.agents), also)
}

func overlapped(winners map[string][]string) finding {
	var parts []string
	for _, winner := range slices.Sorted(maps.Keys(winners)) {
		parts = append(parts, fmt.Sprintf("MemoryTrustPolicy %s goes before this one, because it is older or first by name, for agent %s",
			winner, listed(winners[winner])))
	}
	return no(ReasonOverlapped, "%s: change one of the selectors so that each agent is selected once", strings.Join(parts, "; "))
}

func keysReady(o policyObserved) finding {
	if f := noAgents(o); f != nil {
		return *f
	}
	var missing []string
	why := ""
	for _, a := range o.agents {
		if a.key != nil && keysUsable(a.key) {
			continue
		}
		missing = append(missing, a.name)
		if a.key != nil {
			if c := meta.FindStatusCondition(a.key.Status.Conditions, v1alpha1.ConditionReady); c != nil {
				why = ": " + c.Message
			}
		}
	}
	if len(missing) > 0 {
		return no(ReasonKeysMissing, "These agents have no usable keys: %s%s", listed(missing), why)
	}
	return yes(ReasonAvailable, "All %d agents have keys", len(o.agents))
}

func screenersInSync(o policyObserved) finding {
	if f := noAgents(o); f != nil {
		return *f
	}
	var missing, outdated []string
	for _, a := range o.agents {
		switch {
		case a.missing:
			missing = append(missing, a.name)
		case !a.current() || !conditionTrue(a.memory.Status.Conditions, v1alpha1.ConditionSynced):
			outdated = append(outdated, a.name)
		}
	}
	switch {
	case len(missing) > 0:
		return no(ReasonScreenerMissing, "Pods of these agents run without a screener, see their AgentMemory: %s", listed(missing))
	case len(outdated) > 0:
		return no(ReasonOutdated, "Screeners of these agents are not in sync, see their AgentMemory: %s", listed(outdated))
	}
	return yes(ReasonAllInSync, "All screeners of %d agents run the current policy and keys", len(o.agents))
}

func noAgents(o policyObserved) *finding {
	if o.selectorProblem != "" {
		f := unknown(ReasonInvalidSelector, "spec.selector selects nothing until it is fixed")
		return &f
	}
	if len(o.agents) == 0 {
		f := unknown(ReasonNoAgents, "The policy selects no agent at the moment")
		return &f
	}
	return nil
}

// protected lists what is missing for the state in which guarantees are stated.
func protected(o policyObserved) finding {
	var missing []string
	if o.spec.Enforcement != v1alpha1.EnforcementEnforce {
		missing = append(missing, "spec.enforcement Enforce")
	}
	if o.spec.Trust.Mode != v1alpha1.TrustModeSigned {
		missing = append(missing, "spec.trust.mode Signed")
	}
	for _, name := range openUpstreams(o.spec.Upstreams, v1alpha1.UpstreamKindMemory) {
		missing = append(missing, fmt.Sprintf("spec.upstreams[%s].credentialSecretRef, so that the agent cannot go around the screener", name))
	}
	if len(o.agents) == 0 {
		missing = append(missing, "an agent")
	}
	for _, condition := range []string{
		v1alpha1.ConditionSynced, v1alpha1.ConditionOriginAuthenticated,
		v1alpha1.ConditionActionsEnforced, v1alpha1.ConditionAgentIsolated,
	} {
		var agents []string
		for _, a := range o.agents {
			if a.memory == nil || !conditionTrue(a.memory.Status.Conditions, condition) {
				agents = append(agents, a.name)
			}
		}
		if len(agents) > 0 {
			missing = append(missing, fmt.Sprintf("%s of agent %s", condition, listed(agents)))
		}
	}
	if losing := losingOf(o.agents); o.spec.Enforcement == v1alpha1.EnforcementDryRun && o.spec.Trust.Mode == v1alpha1.TrustModeSigned && len(losing) > 0 {
		return no(ReasonTrustWouldBeLost, "Under Enforce, %s. Missing: %s", lossMessage(losing), strings.Join(missing, "; "))
	}
	if len(missing) > 0 {
		return no(ReasonNotProtected, "Missing: %s", strings.Join(missing, "; "))
	}
	return yes(ReasonGuaranteed, "Everything that the stated guarantees need is there")
}

func conditionTrue(conditions []metav1.Condition, kind string) bool {
	return meta.IsStatusConditionTrue(conditions, kind)
}

// policyCountsOnly reports whether two statuses differ in nothing but the counts of memories.
func policyCountsOnly(prev, next v1alpha1.MemoryTrustPolicyStatus) bool {
	if crossesZero(prev.Memories, next.Memories) || !sameLosses(prev.LosingTrust, next.LosingTrust) {
		return false
	}
	next.Memories, next.LosingTrust = prev.Memories, prev.LosingTrust
	return equality.Semantic.DeepEqual(prev, next)
}
