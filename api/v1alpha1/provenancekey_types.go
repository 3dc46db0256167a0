// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// ProvenanceKeySpec says whose key this is, where it comes from and when to change it.
// +kubebuilder:validation:XValidation:rule="!has(self.secretRef) || !has(self.rotation) || !has(self.rotation.periodSeconds)",message="spec.rotation.periodSeconds is for keys that the operator makes: with spec.secretRef the key changes when its Secret does, so remove one of the two"
// +kubebuilder:validation:XValidation:rule="!has(oldSelf.compromisedKeyIDs) || (has(self.compromisedKeyIDs) && oldSelf.compromisedKeyIDs.all(id, id in self.compromisedKeyIDs))",message="spec.compromisedKeyIDs only grows: a key that was compromised is never trusted again"
type ProvenanceKeySpec struct {
	// agentRef names the agent whose memories this key signs.
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="spec.agentRef is immutable: records signed for one agent would not verify for another"
	// +required
	AgentRef AgentRef `json:"agentRef"`

	// secretRef names a Secret of this namespace that holds the key, kept by you or by whatever syncs your secrets. It must
	// carry the label memorytrust.dev/key-source=provenance. Without it the operator makes the key. Changing the key in the
	// Secret, or naming another one, starts a rotation to it; while the Secret cannot be used, the keys in force stay.
	// +optional
	SecretRef *KeySecretRef `json:"secretRef,omitempty"`

	// rotation says when the key changes, and how long the old one is good for.
	// +kubebuilder:default={}
	// +optional
	Rotation RotationSpec `json:"rotation,omitzero"`

	// compromisedKeyIDs lists keys that somebody else may know. Each is disabled at once in every screener, without waiting
	// for anything, and what it signed is withheld. The primary key among them is replaced at once. Ids can only be added.
	// +kubebuilder:validation:MaxItems=32
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=10
	// +kubebuilder:validation:XValidation:rule="self.all(id, id.matches('^[1-9][0-9]*$'))",message="a key id is a decimal number, as in status.keys"
	// +listType=set
	// +optional
	CompromisedKeyIDs []string `json:"compromisedKeyIDs,omitempty"`
}

// KeySecretRef points at the entry of a Secret that holds a key.
type KeySecretRef struct {
	// name of the Secret.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:XValidation:rule="!self.startsWith('mt-')",message="Secrets named mt-* belong to the operator; name one of your own"
	// +required
	Name string `json:"name"`

	// key of the entry; "key" when unset. The entry holds either 32 to 1024 random bytes, taken as they are, or a cleartext
	// Tink JSON keyset of HMAC keys with output prefix TINK.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +optional
	Key string `json:"key,omitempty"`
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

// RotationSpec says when the key changes, and how long the old one is good for.
// +kubebuilder:validation:XValidation:rule="!has(oldSelf.requestedAt) || (has(self.requestedAt) && self.requestedAt >= oldSelf.requestedAt)",message="spec.rotation.requestedAt only moves forward: set it to the current time to rotate again"
// +kubebuilder:validation:XValidation:rule="!has(self.periodSeconds) || !has(self.verifyWindowSeconds) || self.verifyWindowSeconds <= 24 * self.periodSeconds",message="spec.rotation.verifyWindowSeconds is at most 24 periods: a keyset holds 32 keys"
type RotationSpec struct {
	// periodSeconds is the age at which the primary key is replaced. Unset: only on request. While no screener of the agent
	// runs, nothing signs and a rotation that is due waits for the next one.
	// +kubebuilder:validation:Minimum=3600
	// +kubebuilder:validation:Maximum=315360000
	// +optional
	PeriodSeconds int64 `json:"periodSeconds,omitempty"`

	// verifyWindowSeconds is how long a key goes on verifying at least after it ceased to sign; it applies to keys that cease
	// from then on. When it is over and no store reports records under the key, the key is disabled, and then removed. The
	// default is 7 days.
	// +kubebuilder:validation:Minimum=3600
	// +kubebuilder:validation:Maximum=315360000
	// +kubebuilder:default=604800
	// +optional
	VerifyWindowSeconds int64 `json:"verifyWindowSeconds,omitempty"`

	// requestedAt starts a rotation when it is later than the last one. The new key is first added for verification,
	// becomes primary once every running screener reports it, and the old one goes on verifying. A request during a rotation
	// waits for its end.
	// +optional
	RequestedAt *metav1.Time `json:"requestedAt,omitempty"`
}

// ProvenanceKeyState is the state of one key of the keyset.
// +kubebuilder:validation:Enum=Primary;VerifyOnly;Disabled;Compromised
type ProvenanceKeyState string

const (
	// KeyStatePrimary marks the key that signs.
	KeyStatePrimary ProvenanceKeyState = "Primary"
	// KeyStateVerifyOnly marks a key that verifies and does not sign.
	KeyStateVerifyOnly ProvenanceKeyState = "VerifyOnly"
	// KeyStateDisabled marks a key whose window is over and that no store needs: screeners no longer load it. It is removed
	// once they all reported so.
	KeyStateDisabled ProvenanceKeyState = "Disabled"
	// KeyStateCompromised marks a key of spec.compromisedKeyIDs: its material is gone.
	KeyStateCompromised ProvenanceKeyState = "Compromised"
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
	// verifyUntil is the end of the verify window: the key is kept until then, and longer while stores report records under
	// it. Of a compromised key it is when it was disabled.
	// +optional
	VerifyUntil *metav1.Time `json:"verifyUntil,omitempty"`
	// recordsSigned counts live records under this key, as the screeners last reported. It follows with a delay of minutes.
	// +optional
	RecordsSigned *int64 `json:"recordsSigned,omitempty"`
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

	// keys of the keyset and those of spec.compromisedKeyIDs, newest first.
	// +kubebuilder:validation:MaxItems=64
	// +listType=map
	// +listMapKey=id
	// +optional
	Keys []KeyStatus `json:"keys,omitempty"`

	// lastRotationAt is when the last rotation started: its requestedAt, or the operator's time if it was not requested.
	// +optional
	LastRotationAt *metav1.Time `json:"lastRotationAt,omitempty"`

	// nextRotationAt is when the primary key reaches the age of spec.rotation.periodSeconds.
	// +optional
	NextRotationAt *metav1.Time `json:"nextRotationAt,omitempty"`

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

	// spec says whose key this is, where it comes from and when to change it.
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
