// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// MemoryStatus says what is known of a memory without telling what it says.
type MemoryStatus struct {
	// agent whose memory it is, by its name in the namespace.
	// +optional
	Agent string `json:"agent,omitempty"`
	// zone is how far it is let in: Quarantine, Working or Trusted.
	// +optional
	Zone string `json:"zone,omitempty"`
	// state is where it stands in its life: Active, PendingReview, Approved, Rejected, Forgotten, Stale, Disputed or Superseded.
	// +optional
	State string `json:"state,omitempty"`
	// boundary is what a recaller must do with it: Safe, RequiresReview or Blocked.
	// +optional
	Boundary string `json:"boundary,omitempty"`
	// authority is what it may justify: Act, Inform or None.
	// +optional
	Authority string `json:"authority,omitempty"`
	// class of its source: UserInput, Manual, SystemMemory, AgentInferred, SubagentTrace, ToolOutput, WebContent or Unknown.
	// +optional
	Class string `json:"class,omitempty"`
	// source it came from; a name, not a proof.
	// +optional
	Source string `json:"source,omitempty"`
	// writer who handed it in: agent, or channel/<name>/<principal>.
	// +optional
	Writer string `json:"writer,omitempty"`
	// kind as the writer says, or one that begins with memorytrust.dev/ for what is no memory and waits for a person.
	// +optional
	Kind string `json:"kind,omitempty"`
	// verdict of screening when it was written: Directive, or Clean.
	// +optional
	Verdict string `json:"verdict,omitempty"`
	// reasons of the verdict by their kinds. The words that were matched are content.
	// +listType=atomic
	// +optional
	Reasons []string `json:"reasons,omitempty"`
	// cappedBy is what lowered its class.
	// +listType=atomic
	// +optional
	CappedBy []string `json:"cappedBy,omitempty"`
	// approvedBy is who approved or promoted it.
	// +optional
	ApprovedBy string `json:"approvedBy,omitempty"`
	// pinned is whether it never fades.
	// +optional
	Pinned bool `json:"pinned,omitempty"`
	// purged is whether its content was erased.
	// +optional
	Purged bool `json:"purged,omitempty"`
	// expiry is when it stops being delivered; absent: never.
	// +optional
	Expiry *metav1.Time `json:"expiry,omitempty"`
	// parents are names of the memories it was derived from.
	// +listType=atomic
	// +optional
	Parents []string `json:"parents,omitempty"`
	// supersedes are names of the memories it replaces, or would replace.
	// +listType=atomic
	// +optional
	Supersedes []string `json:"supersedes,omitempty"`
	// foldedInto is the name of the waiting memory it is a near-duplicate of, whose fate it shares.
	// +optional
	FoldedInto string `json:"foldedInto,omitempty"`
	// fault is what speaks against its signature; absent while nothing does.
	// +optional
	Fault string `json:"fault,omitempty"`
	// keyID is the key that signed this version.
	// +optional
	KeyID string `json:"keyID,omitempty"`
	// commit names this version. Decisions name the commit that was seen.
	// +optional
	Commit string `json:"commit,omitempty"`
	// change is what made this version.
	// +optional
	Change string `json:"change,omitempty"`
	// actor who made it: agent, channel/<name>/<principal>, person/<name>, or a part of the system.
	// +optional
	Actor string `json:"actor,omitempty"`
	// updatedAt is when this version was made.
	// +optional
	UpdatedAt *metav1.Time `json:"updatedAt,omitempty"`
}

// Memory is one memory of an agent, or something else its screener keeps for a person to decide about. Its name is its id.
//
// +kubebuilder:object:root=true
type Memory struct {
	metav1.TypeMeta `json:",inline"`
	// metadata of the memory: its id as name and uid, and the label memorytrust.dev/agent. There is no resourceVersion; the commit in
	// the status names the version.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// status says what is known of the memory, but for its content.
	// +optional
	Status MemoryStatus `json:"status,omitzero"`
}

// MemoryList is a list of Memory: agents in order of their names, and the memories of each in the order they were written.
//
// +kubebuilder:object:root=true
type MemoryList struct {
	metav1.TypeMeta `json:",inline"`
	// metadata holds what continues the list.
	// +optional
	metav1.ListMeta `json:"metadata,omitzero"`
	// items of the page.
	// +required
	Items []Memory `json:"items"`
}
