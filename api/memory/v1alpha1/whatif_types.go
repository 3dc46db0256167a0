// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// MemoryWhatIf says what the sessions of an agent would have been like without a memory, and without what goes back to it. It quotes no
// memory and no value of an argument.
//
// +kubebuilder:object:root=true
type MemoryWhatIf struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is that of the memory.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// agent whose memory it is.
	// +optional
	Agent string `json:"agent,omitempty"`
	// session that was asked about; absent: those it was delivered to.
	// +optional
	Session string `json:"session,omitempty"`
	// gone is what is left out: the memory and what goes back to it, nearest first, at most 100.
	// +listType=atomic
	// +optional
	Gone []WhatIfGone `json:"gone,omitempty"`
	// goneOver is how many more are left out that are not listed.
	// +optional
	GoneOver int64 `json:"goneOver,omitempty"`
	// sessions are those it was delivered to, the one first in which it was delivered last.
	// +listType=atomic
	// +optional
	Sessions []WhatIfSession `json:"sessions,omitempty"`
	// more says that it was delivered to further sessions.
	// +optional
	More bool `json:"more,omitempty"`
	// changed is how many steps would have been otherwise.
	// +optional
	Changed int64 `json:"changed"`
	// limits say what cannot be known from what is kept.
	// +listType=atomic
	// +optional
	Limits []string `json:"limits,omitempty"`
	// message says what it came to.
	// +optional
	Message string `json:"message,omitempty"`
}

// WhatIfGone is a memory that is left out.
type WhatIfGone struct {
	// name of the memory.
	// +optional
	Name string `json:"name,omitempty"`
	// via is the memory it goes back by; absent for the one that was asked about.
	// +optional
	Via string `json:"via,omitempty"`
	// depth is how far it is from the one that was asked about.
	// +optional
	Depth int64 `json:"depth,omitempty"`
}

// WhatIfSession is a session, step by step.
type WhatIfSession struct {
	// session by name; absent: what was done without one.
	// +optional
	Session string `json:"session,omitempty"`
	// opened says whether a channel of users opened it.
	// +optional
	Opened bool `json:"opened,omitempty"`
	// steps are reads, and calls that a person was asked about, oldest first.
	// +listType=atomic
	// +optional
	Steps []WhatIfStep `json:"steps,omitempty"`
	// changed is how many steps would have been otherwise.
	// +optional
	Changed int64 `json:"changed"`
	// truncated says that there is more before the steps, or around them, than was looked at.
	// +optional
	Truncated bool `json:"truncated,omitempty"`
	// message says what it came to.
	// +optional
	Message string `json:"message,omitempty"`
}

// WhatIfStep is one step of a session, as it was and as it would have been.
type WhatIfStep struct {
	// kind is Read or Call.
	// +optional
	Kind string `json:"kind,omitempty"`
	// at is when it was.
	// +required
	At metav1.Time `json:"at,omitzero"`
	// changed says whether it would have been otherwise.
	// +optional
	Changed bool `json:"changed,omitempty"`
	// mark is how the session stood after a read, or at a call.
	// +optional
	Mark WhatIfMark `json:"mark,omitzero"`
	// without is how it would have stood.
	// +optional
	Without WhatIfMark `json:"without,omitzero"`
	// delivered is what a read delivered.
	// +listType=atomic
	// +optional
	Delivered []WhatIfDelivered `json:"delivered,omitempty"`
	// call is what a person was asked about.
	// +optional
	Call *WhatIfCall `json:"call,omitempty"`
}

// WhatIfMark is how a session stands.
type WhatIfMark struct {
	// class is the lowest that was delivered to it; UserInput while nothing was.
	// +optional
	Class string `json:"class,omitempty"`
	// authority it gives to tool calls: Act or Inform.
	// +optional
	Authority string `json:"authority,omitempty"`
}

// WhatIfDelivered is a memory that was delivered.
type WhatIfDelivered struct {
	// name of the memory.
	// +optional
	Name string `json:"name,omitempty"`
	// class it counted as.
	// +optional
	Class string `json:"class,omitempty"`
	// scorePerMille in the recall; 0 outside of one.
	// +optional
	ScorePerMille int32 `json:"scorePerMille,omitempty"`
	// gone says that it would not have been delivered.
	// +optional
	Gone bool `json:"gone,omitempty"`
}

// WhatIfCall is a tool call that a person was asked about.
type WhatIfCall struct {
	// approval by name.
	// +optional
	Approval string `json:"approval,omitempty"`
	// tool by name.
	// +optional
	Tool string `json:"tool,omitempty"`
	// rule of the policy in force that applies; absent where none does.
	// +optional
	Rule string `json:"rule,omitempty"`
	// required is the authority it needs under the policy in force: Act or Inform.
	// +optional
	Required string `json:"required,omitempty"`
	// decision when it was asked: Allow, RequireApproval or Deny.
	// +optional
	Decision string `json:"decision,omitempty"`
	// without is what would have been decided.
	// +optional
	Without string `json:"without,omitempty"`
	// became is the state of the request now; Forgotten: it was used, or its time is over.
	// +optional
	Became string `json:"became,omitempty"`
	// arguments are the sensitive ones, without their values.
	// +listType=atomic
	// +optional
	Arguments []WhatIfArgument `json:"arguments,omitempty"`
	// otherPolicy says that the policy changed since: what would have been is what the one in force says.
	// +optional
	OtherPolicy bool `json:"otherPolicy,omitempty"`
}

// WhatIfArgument is a sensitive argument of a call.
type WhatIfArgument struct {
	// path is where it stands in the arguments.
	// +optional
	Path string `json:"path,omitempty"`
	// by is who named its value: turn (the user), memory, nobody, or unknown (somebody who is not known any more).
	// +optional
	By string `json:"by,omitempty"`
	// memory that named it.
	// +optional
	Memory string `json:"memory,omitempty"`
	// without is who would have named it.
	// +optional
	Without string `json:"without,omitempty"`
}

// MemoryWhatIfOptions are the parameters of a what-if.
//
// +kubebuilder:object:root=true
type MemoryWhatIfOptions struct {
	metav1.TypeMeta `json:",inline"`
	// session to go through; absent: those it was delivered to, the newest first.
	// +optional
	Session string `json:"session,omitempty"`
	// limit is the most sessions, 10 when absent, at most 50.
	// +optional
	Limit int64 `json:"limit,omitempty"`
}
