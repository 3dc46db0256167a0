// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// ProvenanceKeySpec says whose key this is and when to change it.
type ProvenanceKeySpec struct {
	// agentRef names the agent whose memories this key signs.
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="spec.agentRef is immutable: records signed for one agent would not verify for another"
	// +required
	AgentRef AgentRef `json:"agentRef"`

	// rotation asks for a new key.
	// +kubebuilder:default={}
	// +optional
	Rotation RotationSpec `json:"rotation,omitzero"`
}

// AgentRef names an agent of the same namespace.
type AgentRef struct {
	// name of the agent: the value of the pod label memorytrust.dev/agent.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:XValidation:rule="self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",message="an agent name is lower-case letters, digits and '-', as in the pod label memorytrust.dev/agent"
	// +required
	Name string `json:"name"`
}

// RotationSpec asks for a new key.
// +kubebuilder:validation:XValidation:rule="!has(oldSelf.requestedAt) || (has(self.requestedAt) && self.requestedAt >= oldSelf.requestedAt)",message="spec.rotation.requestedAt only moves forward: set it to the current time to rotate again"
type RotationSpec struct {
	// requestedAt starts a rotation when it is later than the last one. The new key is first added for verification,
	// becomes primary once every running screener reports it, and the old one stays valid for verification.
	// +optional
	RequestedAt *metav1.Time `json:"requestedAt,omitempty"`
}

// ProvenanceKeyState is the state of one key of the keyset.
// +kubebuilder:validation:Enum=Primary;VerifyOnly
type ProvenanceKeyState string

const (
	// KeyStatePrimary marks the key that signs.
	KeyStatePrimary ProvenanceKeyState = "Primary"
	// KeyStateVerifyOnly marks a key that verifies and does not sign.
	KeyStateVerifyOnly ProvenanceKeyState = "VerifyOnly"
)

// KeyStatus describes one key of the keyset, without material.
type KeyStatus struct {
	// id of the key, as in every provenance tag made with it.
	// +required
	ID string `json:"id"`
	// state of the key.
	// +required
	State ProvenanceKeyState `json:"state"`
	// createdAt is when the operator first saw the key.
	// +optional
	CreatedAt *metav1.Time `json:"createdAt,omitempty"`
	// primaryAt is when the key became primary.
	// +optional
	PrimaryAt *metav1.Time `json:"primaryAt,omitempty"`
}

// ProvenanceKeyStatus says which keys exist and who loaded them.
type ProvenanceKeyStatus struct {
	// observedGeneration is the generation of the spec this status describes.
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// conditions of the keyset: Ready, Rotating, RotationBlocked.
	// +listType=map
	// +listMapKey=type
	// +optional
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	// primaryKeyID is the id of the key that signs.
	// +optional
	PrimaryKeyID string `json:"primaryKeyID,omitempty"`

	// keys of the keyset, newest first.
	// +kubebuilder:validation:MaxItems=32
	// +listType=map
	// +listMapKey=id
	// +optional
	Keys []KeyStatus `json:"keys,omitempty"`

	// lastRotationAt is the requestedAt of the last rotation that started.
	// +optional
	LastRotationAt *metav1.Time `json:"lastRotationAt,omitempty"`

	// screeners counts running screeners and those that loaded the current keyset.
	// +optional
	Screeners ScreenerCounts `json:"screeners"`
}

// ScreenerCounts counts running screeners.
type ScreenerCounts struct {
	// running screeners of the agent.
	// +optional
	Running int32 `json:"running"`
	// loaded the current keyset.
	// +optional
	Loaded int32 `json:"loaded"`
}

// ProvenanceKey is the keyset that signs and verifies where one agent's memories came from. The operator makes one for
// every agent; make it yourself, with any name, to hold the rotation in git.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:shortName=provkey,categories=memorytrust
// +kubebuilder:printcolumn:name="Agent",type=string,JSONPath=`.spec.agentRef.name`
// +kubebuilder:printcolumn:name="Primary",type=string,JSONPath=`.status.primaryKeyID`
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name="Rotating",type=string,JSONPath=`.status.conditions[?(@.type=="Rotating")].status`
// +kubebuilder:printcolumn:name="Loaded",type=integer,JSONPath=`.status.screeners.loaded`
// +kubebuilder:printcolumn:name="Running",type=integer,JSONPath=`.status.screeners.running`,priority=1
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type ProvenanceKey struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is the standard metadata of the object.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// spec says whose key this is and when to change it.
	// +required
	Spec ProvenanceKeySpec `json:"spec"`

	// status says which keys exist and who loaded them.
	// +optional
	Status ProvenanceKeyStatus `json:"status,omitzero"`
}

// ProvenanceKeyList is a list of ProvenanceKey.
// +kubebuilder:object:root=true
type ProvenanceKeyList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitzero"`
	Items           []ProvenanceKey `json:"items"`
}
