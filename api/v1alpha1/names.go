// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

// Labels and annotations that MemoryTrust reads or writes.
const (
	// LabelAgent on a pod opts it in; its value names the agent. Immutable once set.
	LabelAgent = "memorytrust.dev/agent"

	// LabelRequire ("true") on a namespace makes admission refuse pods without LabelAgent.
	LabelRequire = "memorytrust.dev/require"

	// LabelKeySource marks every Secret the operator may read. It is the selector of the
	// operator's Secret cache; the value says what the Secret is for (see KeySource…).
	LabelKeySource = "memorytrust.dev/key-source"

	// LabelPolicySource marks every ConfigMap the operator may read. It is the selector of the operator's
	// ConfigMap cache; the value says what the ConfigMap is for (see PolicySource…).
	LabelPolicySource = "memorytrust.dev/policy-source"

	// LabelBenchmark on a Job, its pod and its ConfigMap names the MemoryBenchmark they belong to.
	LabelBenchmark = "memorytrust.dev/benchmark"

	// AnnotationPolicy records, on an injected pod, the policy that selected it.
	AnnotationPolicy = "memorytrust.dev/policy"

	// AnnotationInjected records, on an injected pod, the screener version.
	AnnotationInjected = "memorytrust.dev/injected"

	// AnnotationSync is touched by the operator so that the kubelet refreshes mounted keys and
	// policy at once instead of at its next sync (up to 80 s).
	AnnotationSync = "memorytrust.dev/sync"

	// AnnotationRevision records, on the runtime policy ConfigMap, the revision it holds.
	AnnotationRevision = "memorytrust.dev/policy-revision"
)

// Values of LabelKeySource.
const (
	// KeySourceGenerated marks Secrets the operator made.
	KeySourceGenerated = "generated"
	// KeySourceChannel marks a user's Secret that holds a channel's bearer token.
	KeySourceChannel = "channel"
	// KeySourceProvenance marks a user's Secret that holds a provenance key.
	KeySourceProvenance = "provenance"
	// KeySourceJudge marks a user's Secret that holds the key of a judge's endpoint.
	KeySourceJudge = "judge"
	// KeySourcePostgres marks a user's Secret that holds the connection URI of a database's owner.
	KeySourcePostgres = "postgres"
	// KeySourceUpstream marks a user's Secret that holds the credential of an upstream.
	KeySourceUpstream = "upstream"
)

// Values of LabelPolicySource.
const (
	// PolicySourceGenerated marks ConfigMaps the operator made.
	PolicySourceGenerated = "generated"
	// PolicySourceLexicon marks a user's ConfigMap that holds lexicons of the screen.
	PolicySourceLexicon = "lexicon"
)

// Conditions of MemoryTrustPolicy.
const (
	// ConditionReady is True while the policy is valid and applied to every agent it selects.
	ConditionReady = "Ready"
	// ConditionKeysReady is True while every selected agent has a usable provenance keyset.
	ConditionKeysReady = "KeysReady"
	// ConditionScreenersInSync is True while every running screener reports the current policy and keys.
	ConditionScreenersInSync = "ScreenersInSync"
	// ConditionProtected is True in the state for which the documentation states guarantees:
	// enforcement Enforce, trust mode Signed, authenticated origin, actions enforced, agent isolated.
	ConditionProtected = "Protected"
	// ConditionBenchmarkPassed is True while the last runs of all MemoryBenchmarks of the policy kept to its limits, and Unknown
	// after a change of what they measured.
	ConditionBenchmarkPassed = "BenchmarkPassed"
)

// Conditions of AgentMemory.
const (
	// ConditionPolicyAttached is True while a policy selects the agent. When it turns False the last policy stays in force.
	ConditionPolicyAttached = "PolicyAttached"
	// ConditionOriginAuthenticated is True while trusted origins come from authenticated channels only (Signed with at least one channel).
	ConditionOriginAuthenticated = "OriginAuthenticated"
	// ConditionActionsEnforced is True while the agent's tools are called through the screener.
	ConditionActionsEnforced = "ActionsEnforced"
	// ConditionAgentIsolated is True while the agent's ServiceAccount cannot read Secrets, exec into pods, mint tokens or review memories.
	ConditionAgentIsolated = "AgentIsolated"
	// ConditionStoreInPlace is True while the memory is where the policy keeps it, and False while it waits to be moved to a database.
	ConditionStoreInPlace = "StoreInPlace"
	// ConditionSynced is True while all pods of the agent run the current policy and keys.
	ConditionSynced = "Synced"
)

// Conditions of ProvenanceKey, beside ConditionReady.
const (
	// ConditionRotating is True while a rotation has started and its new key is not yet primary everywhere.
	ConditionRotating = "Rotating"
	// ConditionRotationBlocked is True while a rotation waits for a running screener that does not report the new key.
	ConditionRotationBlocked = "RotationBlocked"
)

// Conditions of MemoryBenchmark, beside ConditionReady, which is True while it can run and says nothing about results.
const (
	// ConditionRunning is True while a run is under way.
	ConditionRunning = "Running"
	// ConditionPassed is True while the last run kept to the limits of the policy, and Unknown after a change of what it measured.
	ConditionPassed = "Passed"
)

// UpstreamPath is where the screener's agent port serves an upstream.
func UpstreamPath(name string) string { return "/upstreams/" + name + "/mcp" }
