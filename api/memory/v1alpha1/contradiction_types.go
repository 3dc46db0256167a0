// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// ContradictionSide is one of the two memories.
type ContradictionSide struct {
	// name of the memory.
	// +required
	Name string `json:"name"`
	// zone of the memory; absent when it is gone.
	// +optional
	Zone string `json:"zone,omitempty"`
	// state of the memory.
	// +optional
	State string `json:"state,omitempty"`
	// class of its source.
	// +optional
	Class string `json:"class,omitempty"`
	// source it came from.
	// +optional
	Source string `json:"source,omitempty"`
	// commit names its newest version.
	// +optional
	Commit string `json:"commit,omitempty"`
}

// ContradictionStatus says which memories contradict each other, and what was decided.
type ContradictionStatus struct {
	// agent whose memories they are.
	// +optional
	Agent string `json:"agent,omitempty"`
	// a is the older memory.
	// +required
	A ContradictionSide `json:"a,omitzero"`
	// b is the newer memory.
	// +required
	B ContradictionSide `json:"b,omitzero"`
	// state is Open as long as nobody decided, and Decided then.
	// +optional
	State string `json:"state,omitempty"`
	// verdict is what was decided: KeepA, KeepB, Merge, BothValid or NeedsMoreContext.
	// +optional
	Verdict string `json:"verdict,omitempty"`
	// decidedBy is who decided.
	// +optional
	DecidedBy string `json:"decidedBy,omitempty"`
	// decidedAt is when.
	// +optional
	DecidedAt *metav1.Time `json:"decidedAt,omitempty"`
}

// Contradiction is a pair of memories that cannot both hold, as far as a scan can tell.
//
// +kubebuilder:object:root=true
type Contradiction struct {
	metav1.TypeMeta `json:",inline"`
	// metadata of the contradiction: its id as name and uid, when it was found, and the label memorytrust.dev/agent.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// status says which memories it is about, without their content.
	// +optional
	Status ContradictionStatus `json:"status,omitzero"`
}

// ContradictionList is a list of Contradiction: agents in order of their names, and the contradictions of each, oldest first.
//
// +kubebuilder:object:root=true
type ContradictionList struct {
	metav1.TypeMeta `json:",inline"`
	// metadata holds what continues the list.
	// +optional
	metav1.ListMeta `json:"metadata,omitzero"`
	// items of the page.
	// +required
	Items []Contradiction `json:"items"`
}

// ContradictionContent is what the two memories say.
//
// +kubebuilder:object:root=true
type ContradictionContent struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is that of the contradiction.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// a is what the older memory says.
	// +optional
	A Text `json:"a,omitzero"`
	// b is what the newer memory says.
	// +optional
	B Text `json:"b,omitzero"`
	// signs are why they were paired.
	// +listType=atomic
	// +optional
	Signs []string `json:"signs,omitempty"`
	// reason of what was decided.
	// +optional
	Reason string `json:"reason,omitempty"`
}

// ContradictionResolutionSpec is what a person decides about a contradiction.
type ContradictionResolutionSpec struct {
	// verdict is what holds: KeepA, KeepB, Merge (content takes the place of both), BothValid or NeedsMoreContext.
	// +required
	Verdict string `json:"verdict"`
	// reason for it; it stands in the history.
	// +required
	Reason string `json:"reason"`
	// content that replaces both. For Merge only.
	// +optional
	Content string `json:"content,omitempty"`
	// dryRun says what would happen and changes nothing. So does the parameter dryRun=All.
	// +optional
	DryRun bool `json:"dryRun,omitempty"`
}

// ContradictionResolution is the body of the subresource resolve, and its answer.
//
// +kubebuilder:object:root=true
type ContradictionResolution struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is that of the contradiction.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// spec is what is decided.
	// +required
	Spec ContradictionResolutionSpec `json:"spec,omitzero"`
	// status is what became of it.
	// +optional
	Status DecisionStatus `json:"status,omitzero"`
}
