// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// ApprovalStatus says which tool call waits for a person, without its arguments.
type ApprovalStatus struct {
	// agent that wants to make the call.
	// +optional
	Agent string `json:"agent,omitempty"`
	// tool it wants to call.
	// +optional
	Tool string `json:"tool,omitempty"`
	// session the call is to be made in.
	// +optional
	Session string `json:"session,omitempty"`
	// state of the request: PendingReview, Approved, Rejected, or Forgotten once it was used or is over.
	// +optional
	State string `json:"state,omitempty"`
	// expires is when it is over.
	// +optional
	Expires *metav1.Time `json:"expires,omitempty"`
	// mark of the session: the lowest class of source that was delivered to it.
	// +optional
	Mark string `json:"mark,omitempty"`
	// rule of the policy that asks for a person.
	// +optional
	Rule string `json:"rule,omitempty"`
	// missing are paths of the sensitive arguments that the user did not name, nor any memory that may justify actions.
	// +listType=atomic
	// +optional
	Missing []string `json:"missing,omitempty"`
	// responsible are names of the memories that lowered the mark.
	// +listType=atomic
	// +optional
	Responsible []string `json:"responsible,omitempty"`
	// approvedBy is who approved it.
	// +optional
	ApprovedBy string `json:"approvedBy,omitempty"`
	// fault is what speaks against its signature; absent while nothing does.
	// +optional
	Fault string `json:"fault,omitempty"`
	// commit names this version. Decisions name the commit that was seen.
	// +optional
	Commit string `json:"commit,omitempty"`
}

// Approval is a tool call of an agent that waits for a person. Its name is the id of the request; it was made at the time of its creation.
//
// +kubebuilder:object:root=true
type Approval struct {
	metav1.TypeMeta `json:",inline"`
	// metadata of the request: its id as name and uid, and the label memorytrust.dev/agent.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// status says what is asked, but for the arguments.
	// +optional
	Status ApprovalStatus `json:"status,omitzero"`
}

// ApprovalList is a list of Approval: agents in order of their names, and the requests of each, oldest first.
//
// +kubebuilder:object:root=true
type ApprovalList struct {
	metav1.TypeMeta `json:",inline"`
	// metadata holds what continues the list.
	// +optional
	metav1.ListMeta `json:"metadata,omitzero"`
	// items of the page.
	// +required
	Items []Approval `json:"items"`
}
