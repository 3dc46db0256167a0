// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// AgentMemorySpec holds the identity of one agent's memory.
type AgentMemorySpec struct {
	// agentID is the random identity that is inside every provenance tag of this agent. It never changes; a new one
	// makes the memories signed under the old one unverifiable. Setting it by hand needs the RBAC verb adopt.
	// +kubebuilder:validation:MinLength=36
	// +kubebuilder:validation:MaxLength=36
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="spec.agentID is immutable: it is part of every signature of this agent's memories"
	// +kubebuilder:validation:XValidation:rule="self.matches('^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$')",message="spec.agentID is a lower-case UUID"
	// +required
	AgentID string `json:"agentID"`

	// serviceAccountName is the ServiceAccount the agent's pods run as. Pods of this agent under another one are refused.
	// Changing it needs the RBAC verb adopt.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +required
	ServiceAccountName string `json:"serviceAccountName"`
}

// AgentPodStatus describes one pod of the agent.
type AgentPodStatus struct {
	// name of the pod.
	// +required
	Name string `json:"name"`
	// reachable is whether the screener answered the last poll: True, False, or Unknown before the first.
	// +kubebuilder:validation:Enum="True";"False";Unknown
	// +required
	Reachable metav1.ConditionStatus `json:"reachable"`
	// policyRevision the screener has loaded.
	// +optional
	PolicyRevision string `json:"policyRevision,omitempty"`
	// primaryKeyID the screener signs with.
	// +optional
	PrimaryKeyID string `json:"primaryKeyID,omitempty"`
	// screenerVersion is the release of the screener.
	// +optional
	ScreenerVersion string `json:"screenerVersion,omitempty"`
}

// AuditCheckpoint is the head of the agent's tamper-evident audit log.
type AuditCheckpoint struct {
	// size of the log, in entries.
	// +required
	Size int64 `json:"size"`
	// rootHash of the Merkle tree (RFC 6962), base64.
	// +required
	RootHash string `json:"rootHash"`
}

// AgentStoreStatus says where the memory of an agent is, whatever the policy says.
type AgentStoreStatus struct {
	// type of the store that new pods of the agent use: Ephemeral, Persistent or Postgres. Once the memory is in PostgreSQL it stays there.
	// +required
	Type StoreType `json:"type"`
	// embeddedPods lists at most 20 running pods that keep memories in an embedded store, by name.
	// +kubebuilder:validation:MaxItems=20
	// +listType=set
	// +optional
	EmbeddedPods []string `json:"embeddedPods,omitempty"`
}

// AgentMemoryStatus says what the agent's memory holds and who guards it.
type AgentMemoryStatus struct {
	// observedGeneration is the generation of the spec this status describes.
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// conditions of the memory: PolicyAttached, Synced, StoreInPlace, OriginAuthenticated, ActionsEnforced, AgentIsolated.
	// +listType=map
	// +listMapKey=type
	// +optional
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	// policyName is the policy in force, or the last one that was.
	// +optional
	PolicyName string `json:"policyName,omitempty"`

	// policyRevision is the revision of the runtime policy the screeners should run.
	// +optional
	PolicyRevision string `json:"policyRevision,omitempty"`

	// memories counts live memories by zone; refreshed at most every five minutes.
	// +optional
	Memories MemoryCounts `json:"memories"`

	// losingTrust counts, by reason, the memories of the agent that trust mode Signed does not trust though mode Prefix takes them
	// at their word: what a change from Prefix to Signed costs. Absent while there are none; refreshed at most every five
	// minutes, and by screeners hourly and after a change of policy or keys.
	// +kubebuilder:validation:MaxItems=16
	// +listType=map
	// +listMapKey=reason
	// +optional
	LosingTrust []TrustLoss `json:"losingTrust,omitempty"`

	// auditCheckpoint is the head of the audit log at the last refresh, absent before the first. Agents with several
	// pods on Ephemeral stores have one log per pod; then it is that of the oldest pod.
	// +optional
	AuditCheckpoint *AuditCheckpoint `json:"auditCheckpoint,omitempty"`

	// store says where the memory is; absent before the agent's first pod.
	// +optional
	Store *AgentStoreStatus `json:"store,omitempty"`

	// podCount counts the agent's running pods, also those beyond the listed ones.
	// +optional
	PodCount int32 `json:"podCount,omitempty"`

	// pods lists at most 20 pods, by name.
	// +kubebuilder:validation:MaxItems=20
	// +listType=map
	// +listMapKey=name
	// +optional
	Pods []AgentPodStatus `json:"pods,omitempty"`
}

// AgentMemory is the memory of one agent. The operator makes it when the agent's first pod appears. Deleting it removes
// the agent's keys, so that its memories no longer verify; the volume is kept.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:shortName=amem,path=agentmemories,categories=memorytrust
// +kubebuilder:validation:XValidation:rule="self.metadata.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$') && size(self.metadata.name) <= 63",message="metadata.name is the agent's name as in the pod label memorytrust.dev/agent: lower-case letters, digits and '-', at most 63"
// +kubebuilder:printcolumn:name="Policy",type=string,JSONPath=`.status.policyName`
// +kubebuilder:printcolumn:name="Attached",type=string,JSONPath=`.status.conditions[?(@.type=="PolicyAttached")].status`
// +kubebuilder:printcolumn:name="Synced",type=string,JSONPath=`.status.conditions[?(@.type=="Synced")].status`
// +kubebuilder:printcolumn:name="Quarantine",type=integer,JSONPath=`.status.memories.quarantine`
// +kubebuilder:printcolumn:name="Working",type=integer,JSONPath=`.status.memories.working`
// +kubebuilder:printcolumn:name="Trusted",type=integer,JSONPath=`.status.memories.trusted`
// +kubebuilder:printcolumn:name="Isolated",type=string,JSONPath=`.status.conditions[?(@.type=="AgentIsolated")].status`,priority=1
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type AgentMemory struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is the standard metadata of the object; its name is the name of the agent.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// spec holds the identity of the agent's memory.
	// +required
	Spec AgentMemorySpec `json:"spec"`

	// status says what the memory holds and who guards it.
	// +optional
	Status AgentMemoryStatus `json:"status,omitzero"`
}

// AgentMemoryList is a list of AgentMemory.
// +kubebuilder:object:root=true
type AgentMemoryList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitzero"`
	Items           []AgentMemory `json:"items"`
}
