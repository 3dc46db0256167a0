// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Text is what a memory says, and what its writer said about it. It may hold anything: show it to nobody's terminal unescaped.
type Text struct {
	// content of the memory; absent once it was purged.
	// +optional
	Content string `json:"content,omitempty"`
	// subject as the writer says.
	// +optional
	Subject string `json:"subject,omitempty"`
	// tags as the writer says.
	// +listType=atomic
	// +optional
	Tags []string `json:"tags,omitempty"`
	// metadata as the writer says.
	// +optional
	Metadata map[string]string `json:"metadata,omitempty"`
	// session it was written in.
	// +optional
	Session string `json:"session,omitempty"`
	// reasons of the screening's verdict, with the words that were matched.
	// +listType=atomic
	// +optional
	Reasons []string `json:"reasons,omitempty"`
	// call that is asked about; absent for memories.
	// +optional
	Call *ToolCall `json:"call,omitempty"`
}

// ToolCall is a tool call that a person decides about.
type ToolCall struct {
	// tool by its name.
	// +required
	Tool string `json:"tool"`
	// upstream whose tool it is; absent for a call that the screener does not make itself.
	// +optional
	Upstream string `json:"upstream,omitempty"`
	// arguments of the call, as they are hashed.
	// +optional
	Arguments *runtime.RawExtension `json:"arguments,omitempty"`
	// session it is to be made in.
	// +optional
	Session string `json:"session,omitempty"`
	// schemaSHA256 is the hash of the tool's input schema, hex; absent where none was given.
	// +optional
	SchemaSHA256 string `json:"schemaSHA256,omitempty"`
	// policyRevision the request was made under.
	// +optional
	PolicyRevision string `json:"policyRevision,omitempty"`
}

// MemoryContent is what a memory says.
//
// +kubebuilder:object:root=true
type MemoryContent struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is that of the memory.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// commit names the version that says this.
	// +optional
	Commit string `json:"commit,omitempty"`
	// text of the memory.
	// +optional
	Text Text `json:"text,omitzero"`
}

// MemoryVersion is one version of a memory.
type MemoryVersion struct {
	// status at this version.
	// +optional
	Status MemoryStatus `json:"status,omitzero"`
	// text at this version.
	// +optional
	Text Text `json:"text,omitzero"`
	// reason its maker gave.
	// +optional
	Reason string `json:"reason,omitempty"`
}

// MemoryLog is the history of a memory, newest version first.
//
// +kubebuilder:object:root=true
type MemoryLog struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is that of the memory.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// versions of the memory.
	// +listType=atomic
	// +optional
	Versions []MemoryVersion `json:"versions,omitempty"`
	// continue gets the older versions when given as parameter; absent on the last page.
	// +optional
	Continue string `json:"continue,omitempty"`
}

// MemoryLogOptions are the parameters of a log.
//
// +kubebuilder:object:root=true
type MemoryLogOptions struct {
	metav1.TypeMeta `json:",inline"`
	// limit is the most versions on the page, 50 when absent, at most 500.
	// +optional
	Limit int64 `json:"limit,omitempty"`
	// continue of the page before.
	// +optional
	Continue string `json:"continue,omitempty"`
}

// Delivery says that a version of a memory was shown to a session of the agent.
type Delivery struct {
	// session it was shown to; absent: none was named.
	// +optional
	Session string `json:"session,omitempty"`
	// class of source it counted as.
	// +optional
	Class string `json:"class,omitempty"`
	// scorePerMille in the recall; 0 outside of one.
	// +optional
	ScorePerMille int32 `json:"scorePerMille,omitempty"`
	// sequence is the entry of the audit log that made the version.
	// +optional
	Sequence int64 `json:"sequence,omitempty"`
	// at is when it was shown.
	// +required
	At metav1.Time `json:"at,omitzero"`
}

// MemoryDeliveries is which versions of a memory were shown to which sessions of the agent, newest first.
//
// +kubebuilder:object:root=true
type MemoryDeliveries struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is that of the memory.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// deliveries of the memory.
	// +listType=atomic
	// +optional
	Deliveries []Delivery `json:"deliveries,omitempty"`
}

// MemoryDeliveriesOptions are the parameters of deliveries.
//
// +kubebuilder:object:root=true
type MemoryDeliveriesOptions struct {
	metav1.TypeMeta `json:",inline"`
	// session to look at; absent: all.
	// +optional
	Session string `json:"session,omitempty"`
	// limit is the most entries, 100 when absent, at most 1000.
	// +optional
	Limit int64 `json:"limit,omitempty"`
}
