// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

// ActionAuthority is what a tool call needs.
// +kubebuilder:validation:Enum=Act;Inform
type ActionAuthority string

const (
	// ActionAuthorityAct lets a call go ahead only if the session met nothing that may have steered it, or if the user named
	// every sensitive argument.
	ActionAuthorityAct ActionAuthority = "Act"
	// ActionAuthorityInform lets every call go ahead.
	ActionAuthorityInform ActionAuthority = "Inform"
)

// ActionOtherwise says what becomes of a call that has not got the authority it needs.
// +kubebuilder:validation:Enum=RequireApproval;Deny
type ActionOtherwise string

const (
	// ActionOtherwiseRequireApproval lets a person decide about this one call.
	ActionOtherwiseRequireApproval ActionOtherwise = "RequireApproval"
	// ActionOtherwiseDeny refuses the call.
	ActionOtherwiseDeny ActionOtherwise = "Deny"
)

// ActionsSpec says which tool calls need which authority.
// +kubebuilder:validation:XValidation:rule="!has(self.rules) || self.rules.all(r, self.rules.exists_one(other, other.name == r.name))",message="names of rules must be unique"
type ActionsSpec struct {
	// rules say what tool calls need. Their order counts: the first rule that matches a call applies. A call that no rule matches
	// needs authority Act for every argument, and a person's approval without it.
	// +kubebuilder:validation:MaxItems=64
	// +listType=atomic
	// +optional
	Rules []ActionRule `json:"rules,omitempty"`

	// turnLifetimeSeconds is how long what a user said counts as said now: arguments that the user named in it are grounded.
	// +kubebuilder:validation:Minimum=60
	// +kubebuilder:validation:Maximum=86400
	// +kubebuilder:default=3600
	// +optional
	TurnLifetimeSeconds int64 `json:"turnLifetimeSeconds,omitempty"`

	// approvalLifetimeSeconds is how long a person's approval can be used, once. A request that nobody decides about waits twelve
	// times as long.
	// +kubebuilder:validation:Minimum=30
	// +kubebuilder:validation:Maximum=3600
	// +kubebuilder:default=300
	// +optional
	ApprovalLifetimeSeconds int64 `json:"approvalLifetimeSeconds,omitempty"`
}

// ActionRule says what calls of some tools need.
type ActionRule struct {
	// name of the rule, unique in the policy; it stands in answers and metrics.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:XValidation:rule="self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",message="a rule's name is lower-case letters, digits and '-', for example payments"
	// +required
	Name string `json:"name"`

	// tools are patterns of tool names; '*' stands for any run of characters, and a pattern must match the whole name.
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=16
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=128
	// +kubebuilder:validation:items:XValidation:rule="self.matches('^[A-Za-z0-9._:/@*-]+$')",message="a tool pattern is letters, digits, '.', '_', ':', '/', '@', '-' and '*', for example payments_*"
	// +listType=atomic
	// +required
	Tools []string `json:"tools"`

	// when is a CEL expression over args, the arguments of the call, and tool, its name. The rule matches only if it is true. A
	// call for which it cannot be evaluated, for example because an argument is missing, is decided like one that no rule
	// matches; has(args.amount) asks whether one is there.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=1024
	// +optional
	When string `json:"when,omitempty"`

	// authority is Act where the call has consequences, or Inform where it has none.
	// +required
	Authority ActionAuthority `json:"authority"`

	// sensitive are the arguments that decide what the call does: paths like to, invoice.iban or items[*].amount. A call that
	// lacks authority goes ahead if the user named all of them, or a memory with authority Act does. When it is not set, every
	// argument is sensitive.
	// +kubebuilder:validation:MaxItems=16
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=128
	// +listType=atomic
	// +optional
	Sensitive []string `json:"sensitive,omitempty"`

	// otherwise is what becomes of a call that has not got the authority it needs: RequireApproval, which is meant when it is not
	// set, or Deny.
	// +optional
	Otherwise ActionOtherwise `json:"otherwise,omitempty"`
}
