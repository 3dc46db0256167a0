// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// MemoryXRay says why a recall would deliver a memory or not. Nothing is delivered by asking, and nothing of the memory quoted.
//
// +kubebuilder:object:root=true
type MemoryXRay struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is that of the memory.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// query that was explained; absent: one that asks for exactly what the memory says.
	// +optional
	Query string `json:"query,omitempty"`
	// at is when it was explained.
	// +optional
	At metav1.Time `json:"at,omitzero"`
	// outcome of the recall for the memory: Delivered, Withheld, Left (others were preferred) or NotFound (the query does not find it).
	// +optional
	Outcome string `json:"outcome,omitempty"`
	// why that is so.
	// +optional
	Why string `json:"why,omitempty"`
	// status of the memory.
	// +optional
	Status MemoryStatus `json:"status,omitzero"`
	// evidence is what backs its origin: Anchored, SourceOnly, TagOnly or None.
	// +optional
	Evidence string `json:"evidence,omitempty"`
	// band of the trust score.
	// +optional
	Band string `json:"band,omitempty"`
	// trustPerMille is the trust score.
	// +optional
	TrustPerMille int32 `json:"trustPerMille,omitempty"`
	// score is what its rank was made of; absent when the query did not find it.
	// +optional
	Score *ScoreParts `json:"score,omitempty"`
	// session whose deliveries are listed, as asked.
	// +optional
	Session string `json:"session,omitempty"`
	// deliveries of the memory to the session, newest first.
	// +listType=atomic
	// +optional
	Deliveries []Delivery `json:"deliveries,omitempty"`
	// text says the same for people.
	// +optional
	Text string `json:"text,omitempty"`
}

// ScoreParts are the factors of a score, per mille.
type ScoreParts struct {
	// relevancePerMille is how well it answers the query.
	// +optional
	RelevancePerMille int32 `json:"relevancePerMille"`
	// trustPerMille is what its origin counts for.
	// +optional
	TrustPerMille int32 `json:"trustPerMille"`
	// decayPerMille is what age has left of it.
	// +optional
	DecayPerMille int32 `json:"decayPerMille"`
	// scorePerMille is all three multiplied.
	// +optional
	ScorePerMille int32 `json:"scorePerMille"`
}

// MemoryXRayOptions are the parameters of an X-ray.
//
// +kubebuilder:object:root=true
type MemoryXRayOptions struct {
	metav1.TypeMeta `json:",inline"`
	// query to explain. Whoever gives one needs the right to read the memory as well: a score tells how well it matches.
	// +optional
	Query string `json:"query,omitempty"`
	// session whose deliveries of the memory are listed.
	// +optional
	Session string `json:"session,omitempty"`
}
