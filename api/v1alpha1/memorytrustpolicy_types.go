// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Enforcement says whether verdicts have effects.
// +kubebuilder:validation:Enum=Enforce;DryRun
type Enforcement string

const (
	// EnforcementEnforce withholds what the policy distrusts.
	EnforcementEnforce Enforcement = "Enforce"
	// EnforcementDryRun computes and counts everything and withholds nothing.
	EnforcementDryRun Enforcement = "DryRun"
)

// TrustMode says what makes an origin trusted.
// +kubebuilder:validation:Enum=Prefix;Signed
type TrustMode string

const (
	// TrustModePrefix trusts a claimed source that structurally matches a trusted format, never with authority Act.
	TrustModePrefix TrustMode = "Prefix"
	// TrustModeSigned trusts a valid provenance tag of a live key together with the class of an authenticated channel.
	TrustModeSigned TrustMode = "Signed"
)

// ReviewMode says what happens to pending memories.
// +kubebuilder:validation:Enum=Mark;Withhold
type ReviewMode string

const (
	// ReviewModeMark delivers pending memories, marked RequiresReview.
	ReviewModeMark ReviewMode = "Mark"
	// ReviewModeWithhold keeps pending memories in Quarantine until a person decides.
	ReviewModeWithhold ReviewMode = "Withhold"
)

// StoreType says where an agent's memory is kept.
// +kubebuilder:validation:Enum=Ephemeral;Persistent;Postgres
type StoreType string

const (
	// StoreTypeEphemeral keeps the memory in the pod; it is lost with the pod.
	StoreTypeEphemeral StoreType = "Ephemeral"
	// StoreTypePersistent keeps the memory on a PersistentVolumeClaim that outlives pods, policy and AgentMemory.
	StoreTypePersistent StoreType = "Persistent"
	// StoreTypePostgres keeps the memory in a PostgreSQL database that all pods of the agent share.
	StoreTypePostgres StoreType = "Postgres"
)

// SourceClass ranks where a memory came from.
type SourceClass string

// Source classes a policy can assign, highest first. Lower classes exist only as results.
const (
	SourceClassUserInput     SourceClass = "UserInput"
	SourceClassManual        SourceClass = "Manual"
	SourceClassSystemMemory  SourceClass = "SystemMemory"
	SourceClassAgentInferred SourceClass = "AgentInferred"
	SourceClassSubagentTrace SourceClass = "SubagentTrace"
	SourceClassToolOutput    SourceClass = "ToolOutput"
	SourceClassWebContent    SourceClass = "WebContent"
	SourceClassUnknown       SourceClass = "Unknown"
)

// MemoryTrustPolicySpec says how the memory of the selected agents is protected.
// +kubebuilder:validation:XValidation:rule="self.trust.mode != 'Signed' || (has(self.trust.channels) && size(self.trust.channels) > 0)",message="spec.trust.mode Signed needs at least one entry in spec.trust.channels: without an authenticated channel no memory could ever be trusted"
type MemoryTrustPolicySpec struct {
	// selector picks agents among the pods of this namespace that carry the label memorytrust.dev/agent.
	// An empty selector picks all of them. Where several policies select one pod, the oldest is in force,
	// then the first by name, and all of them say so in their condition Ready.
	// +required
	Selector metav1.LabelSelector `json:"selector"`

	// enforcement is Enforce to withhold what this policy distrusts, or DryRun to compute and count everything and
	// withhold nothing.
	// +kubebuilder:default=Enforce
	// +optional
	Enforcement Enforcement `json:"enforcement,omitempty"`

	// trust says which origins are trusted.
	// +kubebuilder:default={}
	// +optional
	Trust TrustSpec `json:"trust,omitzero"`

	// screening says how texts are screened for directives.
	// +kubebuilder:default={}
	// +optional
	Screening ScreeningSpec `json:"screening,omitzero"`

	// review is Mark to deliver pending memories marked RequiresReview, or Withhold to keep them in Quarantine until
	// a person decides.
	// +kubebuilder:default=Mark
	// +optional
	Review ReviewMode `json:"review,omitempty"`

	// zones sets how long memories last, and what raises them.
	// +kubebuilder:default={}
	// +optional
	Zones ZonesSpec `json:"zones,omitzero"`

	// contradictions sets how memories that contradict each other are found. A person decides about them.
	// +kubebuilder:default={}
	// +optional
	Contradictions ContradictionsSpec `json:"contradictions,omitzero"`

	// actions says which tool calls need which authority, and what becomes of those that have not got it.
	// +kubebuilder:default={}
	// +optional
	Actions ActionsSpec `json:"actions,omitzero"`

	// upstreams are MCP servers behind the screener: memory servers whose memories are screened both ways, and tool servers whose
	// calls are authorized. The agent calls them through the screener.
	// +kubebuilder:validation:MaxItems=16
	// +listType=map
	// +listMapKey=name
	// +optional
	Upstreams []Upstream `json:"upstreams,omitempty"`

	// limits bounds what an agent may write and recall.
	// +kubebuilder:default={}
	// +optional
	Limits LimitsSpec `json:"limits,omitzero"`

	// benchmark says what the policy must reach in benchmarks, for its condition BenchmarkPassed. A MemoryBenchmark runs them.
	// +kubebuilder:default={}
	// +optional
	Benchmark BenchmarkSpec `json:"benchmark,omitzero"`

	// store says where the memory is kept. There is no default: losing memory is a decision.
	// +required
	Store StoreSpec `json:"store"`

	// sidecar adjusts the injected screener container.
	// +kubebuilder:default={}
	// +optional
	Sidecar SidecarSpec `json:"sidecar,omitzero"`
}

// TrustSpec says which origins are trusted.
type TrustSpec struct {
	// mode is Prefix to trust claimed sources that match a format (no authority Act), or Signed to trust only
	// signed memories that came through an authenticated channel.
	// +kubebuilder:default=Prefix
	// +optional
	Mode TrustMode `json:"mode,omitempty"`

	// formats lists the source prefixes trusted in mode Prefix. A claimed source matches when it is the prefix, or
	// begins with the prefix followed by ':'. Sources holding one of the words external, public, untrusted, anon,
	// anonymous or unknown never match. When formats is not set, the built-in list applies.
	// +kubebuilder:validation:MaxItems=64
	// +listType=map
	// +listMapKey=prefix
	// +optional
	Formats []TrustedFormat `json:"formats,omitempty"`

	// channels lists the authenticated ways in, on the screener's TLS port 8788. What arrives through a channel has
	// the channel's class and principal, whatever it claims to be; a claim can only lower it.
	// +kubebuilder:validation:MaxItems=16
	// +listType=map
	// +listMapKey=name
	// +optional
	Channels []Channel `json:"channels,omitempty"`
}

// TrustedFormat is one trusted source prefix.
type TrustedFormat struct {
	// prefix of the source, for example "operator" or "meridian:cli".
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=128
	// +kubebuilder:validation:XValidation:rule="self.matches('^[a-z0-9][a-z0-9._-]*(:[a-z0-9][a-z0-9._-]*)*$')",message="a prefix is lower-case words of letters, digits, '.', '_' or '-', separated by ':', for example operator:console"
	// +kubebuilder:validation:XValidation:rule="!self.matches('(^|[^a-z0-9])(external|public|untrusted|anon|anonymous|unknown)($|[^a-z0-9])')",message="a prefix that holds the word external, public, untrusted, anon, anonymous or unknown could never match: such sources are always untrusted"
	// +required
	Prefix string `json:"prefix"`

	// class that a matching source gets.
	// +kubebuilder:validation:Enum=UserInput;Manual;SystemMemory
	// +required
	Class SourceClass `json:"class"`
}

// Channel is an authenticated way in to the screener. Whoever speaks through it proves it with a bearer token of a Secret,
// or with a token of a ServiceAccount.
// +kubebuilder:validation:XValidation:rule="has(self.tokenSecretRef) != has(self.serviceAccountRef)",message="a channel has exactly one of tokenSecretRef, for a bearer token in a Secret, and serviceAccountRef, for projected ServiceAccount tokens"
type Channel struct {
	// name of the channel, unique in the policy.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:XValidation:rule="self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",message="a channel name is lower-case letters, digits and '-', for example console"
	// +required
	Name string `json:"name"`

	// class of what arrives through this channel, the highest it can ever have.
	// +kubebuilder:validation:Enum=UserInput;Manual;SystemMemory;SubagentTrace;ToolOutput;WebContent
	// +required
	Class SourceClass `json:"class"`

	// principal is the identity that speaks through this channel, as it appears in records and the audit log.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=128
	// +kubebuilder:validation:XValidation:rule="self.matches('^[A-Za-z0-9][A-Za-z0-9._@:-]*$')",message="a principal is letters, digits, '.', '_', '@', ':' or '-', for example alice@example.com"
	// +required
	Principal string `json:"principal"`

	// tokenSecretRef names the Secret of this namespace that holds the bearer token, at least 16 bytes long. The
	// Secret must carry the label memorytrust.dev/key-source=channel. A new token in it takes effect within seconds.
	// +optional
	TokenSecretRef *SecretKeyRef `json:"tokenSecretRef,omitempty"`

	// serviceAccountRef names the ServiceAccount that speaks through this channel. Its pods send a projected token with the
	// audience memorytrust that lives for at most a day. It cannot be the ServiceAccount of the agent itself.
	// +optional
	ServiceAccountRef *ServiceAccountRef `json:"serviceAccountRef,omitempty"`
}

// ServiceAccountRef names a ServiceAccount of this cluster.
type ServiceAccountRef struct {
	// name of the ServiceAccount.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:XValidation:rule="self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$')",message="the name of a ServiceAccount is lower-case letters, digits, '-' and '.', for example booking-frontend"
	// +required
	Name string `json:"name"`

	// namespace of the ServiceAccount; that of the policy when unset.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:XValidation:rule="self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",message="a namespace is lower-case letters, digits and '-', for example frontends"
	// +optional
	Namespace string `json:"namespace,omitempty"`
}

// SecretKeyRef points at one entry of a Secret in the same namespace.
type SecretKeyRef struct {
	// name of the Secret.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:XValidation:rule="!self.startsWith('mt-')",message="Secrets named mt-* belong to the operator; name one of your own"
	// +required
	Name string `json:"name"`

	// key of the entry; "token" when unset, unless the field says otherwise.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +optional
	Key string `json:"key,omitempty"`
}

// ZonesSpec sets how long memories last, and what raises them.
type ZonesSpec struct {
	// pendingExpirySeconds is how long a pending memory waits for a person, and is delivered under review Mark, before it
	// expires: it then leaves the queue as Forgotten, and a person can reopen it. The default is 14 days.
	// +kubebuilder:validation:Minimum=60
	// +kubebuilder:validation:Maximum=31536000
	// +kubebuilder:default=1209600
	// +optional
	PendingExpirySeconds int64 `json:"pendingExpirySeconds,omitempty"`

	// classes sets expiry and decay by source class. A class that is not listed does not expire and fades as built in:
	// not at all for UserInput, Manual, SystemMemory and AgentInferred, by 3 per mille a day for SubagentTrace and
	// ToolOutput, by 10 for WebContent and Unknown.
	// +kubebuilder:validation:MaxItems=8
	// +listType=map
	// +listMapKey=class
	// +optional
	Classes []ClassRules `json:"classes,omitempty"`

	// corroboration is how many independent memories of class UserInput, Manual or SystemMemory a memory of a lower class
	// needs to be promoted to Trusted. Independent are memories of different principals that go back to different roots.
	// +kubebuilder:validation:Minimum=2
	// +kubebuilder:validation:Maximum=10
	// +kubebuilder:default=2
	// +optional
	Corroboration int32 `json:"corroboration,omitempty"`
}

// ClassRules sets how memories of one source class last.
// +kubebuilder:validation:XValidation:rule="!has(self.staleAfterSeconds) || !has(self.expirySeconds) || self.staleAfterSeconds < self.expirySeconds",message="staleAfterSeconds must be shorter than expirySeconds: the memory would be gone before it is stale"
// +kubebuilder:validation:XValidation:rule="!has(self.decayPerDayPerMille) || self.decayPerDayPerMille <= (self.class in ['WebContent', 'Unknown'] ? 990 : (self.class in ['SubagentTrace', 'ToolOutput'] ? 997 : 1000))",message="decayPerDayPerMille cannot be higher than what is built in for the class: 990 for WebContent and Unknown, 997 for SubagentTrace and ToolOutput; a policy can only make memories fade sooner"
type ClassRules struct {
	// class these rules are for.
	// +kubebuilder:validation:Enum=UserInput;Manual;SystemMemory;AgentInferred;SubagentTrace;ToolOutput;WebContent;Unknown
	// +required
	Class SourceClass `json:"class"`

	// expirySeconds is how long after it was written a memory is not delivered any more. Unset means never.
	// +kubebuilder:validation:Minimum=60
	// +kubebuilder:validation:Maximum=315360000
	// +optional
	ExpirySeconds int64 `json:"expirySeconds,omitempty"`

	// staleAfterSeconds is how long after it was written a memory is delivered marked RequiresReview. Unset means never.
	// +kubebuilder:validation:Minimum=60
	// +kubebuilder:validation:Maximum=315360000
	// +optional
	StaleAfterSeconds int64 `json:"staleAfterSeconds,omitempty"`

	// decayPerDayPerMille is what is left of a memory's weight in the ranking after each day, per mille: 1000 does not fade.
	// It cannot be higher than what is built in for the class.
	// +kubebuilder:validation:Minimum=500
	// +kubebuilder:validation:Maximum=1000
	// +optional
	DecayPerDayPerMille int32 `json:"decayPerDayPerMille,omitempty"`

	// maxPending overrides spec.limits.maxPending for this class.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=10000
	// +optional
	MaxPending int32 `json:"maxPending,omitempty"`
}

// ContradictionsSpec sets how memories that contradict each other are found.
type ContradictionsSpec struct {
	// scanIntervalSeconds is how often memories that changed since the last scan are compared with the others. The default
	// is once a day.
	// +kubebuilder:validation:Minimum=60
	// +kubebuilder:validation:Maximum=2592000
	// +kubebuilder:default=86400
	// +optional
	ScanIntervalSeconds int64 `json:"scanIntervalSeconds,omitempty"`
}

// LimitsSpec bounds what an agent may write and recall.
type LimitsSpec struct {
	// maxContentBytes is the longest memory accepted, in bytes; a longer one is answered with 413.
	// +kubebuilder:validation:Minimum=256
	// +kubebuilder:validation:Maximum=1048576
	// +kubebuilder:default=65536
	// +optional
	MaxContentBytes int32 `json:"maxContentBytes,omitempty"`

	// maxRecallResults is the largest number of memories one recall returns.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=200
	// +kubebuilder:default=20
	// +optional
	MaxRecallResults int32 `json:"maxRecallResults,omitempty"`

	// maxPending is how many memories of one source class one principal may have waiting for a person; a further one is
	// answered with 429. The agent's own port is one principal. Near-duplicates of a waiting memory do not count.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=10000
	// +kubebuilder:default=1000
	// +optional
	MaxPending int32 `json:"maxPending,omitempty"`

	// writesPerMinute is how many memories one principal may write in a minute, on the average; more are answered with 429.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000000
	// +kubebuilder:default=6000
	// +optional
	WritesPerMinute int32 `json:"writesPerMinute,omitempty"`
}

// StoreSpec says where the memory is kept.
// +kubebuilder:validation:XValidation:rule="self.type == 'Persistent' || !has(self.persistent)",message="spec.store.persistent is only allowed when spec.store.type is Persistent"
// +kubebuilder:validation:XValidation:rule="self.type != 'Postgres' || has(self.postgres)",message="spec.store.type Postgres needs spec.store.postgres: where the database is"
// +kubebuilder:validation:XValidation:rule="self.type == oldSelf.type || oldSelf.type == 'Ephemeral' || oldSelf.type == 'Persistent' && self.type == 'Postgres'",message="spec.store.type can go from Ephemeral to Persistent, and from both to Postgres, and not back: the memory there would be out of reach; make a new policy for new agents"
type StoreSpec struct {
	// type is Ephemeral (lost with the pod), Persistent (on a PersistentVolumeClaim, one running pod per agent) or Postgres (in a
	// database that all pods of an agent share). A memory that is there when it becomes Postgres stays where it is, in use, until
	// 'kubectl memtrust migrate' moves it; one that was moved stays in the database.
	// +required
	Type StoreType `json:"type"`

	// persistent describes the PersistentVolumeClaim; for type Persistent only.
	// +optional
	Persistent *PersistentStore `json:"persistent,omitempty"`

	// postgres says which database. With another type it prepares a move: agents get their roles there, keep their memory where it is,
	// and 'kubectl memtrust migrate' moves it.
	// +optional
	Postgres *PostgresStore `json:"postgres,omitempty"`
}

// PostgresStore says which database holds the memory. Agents share it, each behind a role of its own that reaches its own rows.
type PostgresStore struct {
	// ownerSecretRef names the Secret of this namespace that holds the connection URI of the role that owns the memory's schema, or
	// may make it, and that may make roles. The Secret must carry the label memorytrust.dev/key-source=postgres; the entry is "uri"
	// when key is unset, as CloudNativePG names it. Only the operator uses this role: it makes one for each agent, and the agent's
	// screener gets no other.
	// +required
	OwnerSecretRef SecretKeyRef `json:"ownerSecretRef,omitzero"`
}

// PersistentStore describes the claim the operator makes, one per agent. The claim is never deleted by the operator.
type PersistentStore struct {
	// size of the claim.
	// +kubebuilder:default="1Gi"
	// +optional
	Size resource.Quantity `json:"size,omitzero"`

	// storageClassName of the claim; unset means the cluster's default class.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +optional
	StorageClassName *string `json:"storageClassName,omitempty"`
}

// SidecarSpec adjusts the injected screener container.
type SidecarSpec struct {
	// resources of the screener container; what is unset gets requests of 10m CPU and 64Mi memory and a limit of 256Mi memory.
	// +optional
	Resources corev1.ResourceRequirements `json:"resources,omitzero"`

	// urlEnv lists further environment variables, besides MEMORY_URL and MEMORY_MCP_URL, that receive the screener's URL in
	// every container of the agent, for frameworks that read another name. A variable the container already sets is replaced.
	// +kubebuilder:validation:MaxItems=16
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=128
	// +kubebuilder:validation:items:XValidation:rule="self.matches('^[A-Za-z_][A-Za-z0-9_]*$')",message="an environment variable name is letters, digits and '_', and does not begin with a digit"
	// +listType=set
	// +optional
	URLEnv []string `json:"urlEnv,omitempty"`
}

// MemoryTrustPolicyStatus says what the policy does at the moment.
type MemoryTrustPolicyStatus struct {
	// observedGeneration is the generation of the spec this status describes.
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// conditions of the policy: Ready, KeysReady, ScreenersInSync, Protected, BenchmarkPassed.
	// +listType=map
	// +listMapKey=type
	// +optional
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	// agents counts the agents this policy is in force for.
	// +optional
	Agents AgentCounts `json:"agents"`

	// memories counts the memories of these agents; refreshed at most every five minutes.
	// +optional
	Memories MemoryCounts `json:"memories"`

	// losingTrust counts, by reason, the memories of these agents that trust mode Signed does not trust though mode Prefix takes them
	// at their word: what a change from Prefix to Signed costs. Absent while there are none; refreshed at most every five
	// minutes, and by screeners hourly and after a change of policy or keys.
	// +kubebuilder:validation:MaxItems=16
	// +listType=map
	// +listMapKey=reason
	// +optional
	LosingTrust []TrustLoss `json:"losingTrust,omitempty"`

	// lastBenchmark is the run of a MemoryBenchmark of this policy that measured last. Whether it still counts is in the condition
	// BenchmarkPassed.
	// +optional
	LastBenchmark *LastBenchmark `json:"lastBenchmark,omitempty"`
}

// AgentCounts counts the agents a policy is in force for.
type AgentCounts struct {
	// matched agents: selected by this policy and by no policy that goes before it.
	// +optional
	Matched int32 `json:"matched"`
	// injected agents: every running pod has the screener.
	// +optional
	Injected int32 `json:"injected"`
	// inSync agents: every running screener reports the current policy and keys.
	// +optional
	InSync int32 `json:"inSync"`
	// missing agents: a running pod has no screener.
	// +optional
	Missing int32 `json:"missing"`
}

// MemoryCounts counts live memories by zone.
type MemoryCounts struct {
	// quarantine counts memories in zone Quarantine.
	// +optional
	Quarantine int64 `json:"quarantine"`
	// working counts memories in zone Working.
	// +optional
	Working int64 `json:"working"`
	// trusted counts memories in zone Trusted.
	// +optional
	Trusted int64 `json:"trusted"`
	// pendingReview counts memories that wait for a person, in any zone.
	// +optional
	PendingReview int64 `json:"pendingReview"`
}

// MemoryTrustPolicy puts a trust boundary between the agents it selects and their long-term memory: their pods get a
// screener sidecar that owns the way to memory, screens what is written and recalled, and signs where it came from.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:shortName=mtp,categories=memorytrust
// +kubebuilder:printcolumn:name="Enforcement",type=string,JSONPath=`.spec.enforcement`
// +kubebuilder:printcolumn:name="Trust",type=string,JSONPath=`.spec.trust.mode`
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name="InSync",type=string,JSONPath=`.status.conditions[?(@.type=="ScreenersInSync")].status`
// +kubebuilder:printcolumn:name="Protected",type=string,JSONPath=`.status.conditions[?(@.type=="Protected")].status`
// +kubebuilder:printcolumn:name="Benchmark",type=string,JSONPath=`.status.conditions[?(@.type=="BenchmarkPassed")].status`,priority=1
// +kubebuilder:printcolumn:name="Agents",type=integer,JSONPath=`.status.agents.matched`
// +kubebuilder:printcolumn:name="Quarantine",type=integer,JSONPath=`.status.memories.quarantine`
// +kubebuilder:printcolumn:name="Pending",type=integer,JSONPath=`.status.memories.pendingReview`,priority=1
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].reason`,priority=1
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type MemoryTrustPolicy struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is the standard metadata of the object.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// spec is what the platform team asks for.
	// +required
	Spec MemoryTrustPolicySpec `json:"spec"`

	// status is what the operator observes.
	// +optional
	Status MemoryTrustPolicyStatus `json:"status,omitzero"`
}

// MemoryTrustPolicyList is a list of MemoryTrustPolicy.
// +kubebuilder:object:root=true
type MemoryTrustPolicyList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitzero"`
	Items           []MemoryTrustPolicy `json:"items"`
}
