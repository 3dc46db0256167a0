// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Anchor ties a memory to something outside the store that a person can look at.
type Anchor struct {
	// sourceID is what the evidence is: a ticket, a document, an address.
	// +required
	SourceID string `json:"sourceID"`
	// evidenceSHA256 is the hash of the evidence, 64 lower-case hex digits.
	// +required
	EvidenceSHA256 string `json:"evidenceSHA256"`
}

// MemoryDecisionSpec is what a person decides. What is decided is in the name of the subresource.
type MemoryDecisionSpec struct {
	// commit of the version that was seen. A decision about another one than the newest is refused with 409.
	// +required
	Commit string `json:"commit"`
	// reason for it; it stands in the history.
	// +required
	Reason string `json:"reason"`
	// zone to reach, one above the present one: Working or Trusted. For promote only.
	// +optional
	Zone string `json:"zone,omitempty"`
	// anchor that backs a promotion to Trusted.
	// +optional
	Anchor *Anchor `json:"anchor,omitempty"`
	// corroborators are names of memories that say the same, for a promotion to Trusted; absent: they are looked for.
	// +listType=atomic
	// +optional
	Corroborators []string `json:"corroborators,omitempty"`
	// dryRun says what would happen, rule by rule, and changes nothing. So does the parameter dryRun=All.
	// +optional
	DryRun bool `json:"dryRun,omitempty"`
}

// DecisionRule is a rule that applies to a decision.
type DecisionRule struct {
	// name of the rule.
	// +required
	Name string `json:"name"`
	// met is whether it is met.
	// +required
	Met bool `json:"met"`
	// explain says why, and what helps.
	// +optional
	Explain string `json:"explain,omitempty"`
}

// AffectedMemory is another memory that a decision changes.
type AffectedMemory struct {
	// name of the memory.
	// +required
	Name string `json:"name"`
	// why it changes.
	// +optional
	Why string `json:"why,omitempty"`
	// state after it.
	// +optional
	State string `json:"state,omitempty"`
}

// DecisionStatus says what became of a decision.
type DecisionStatus struct {
	// done is whether it was done.
	// +optional
	Done bool `json:"done"`
	// zone after it.
	// +optional
	Zone string `json:"zone,omitempty"`
	// state after it.
	// +optional
	State string `json:"state,omitempty"`
	// commit names the version that records it.
	// +optional
	Commit string `json:"commit,omitempty"`
	// rules that apply, met or not.
	// +listType=atomic
	// +optional
	Rules []DecisionRule `json:"rules,omitempty"`
	// affected memories change with it.
	// +listType=atomic
	// +optional
	Affected []AffectedMemory `json:"affected,omitempty"`
	// message says what happened, and how to undo it.
	// +optional
	Message string `json:"message,omitempty"`
}

// MemoryDecision is the body of every decision about a memory, and its answer.
//
// +kubebuilder:object:root=true
type MemoryDecision struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is that of the memory.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// spec is what is decided.
	// +required
	Spec MemoryDecisionSpec `json:"spec,omitzero"`
	// status is what became of it.
	// +optional
	Status DecisionStatus `json:"status,omitzero"`
}
