// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

// TrustLoss counts memories that trust mode Signed does not trust though mode Prefix takes them at their word.
type TrustLoss struct {
	// reason why they are not trusted: NotAuthenticated, no channel vouches for them; NotTrustedZone, what they were derived
	// from or imported as is vouched for by none; KeyUnavailable and Tampered, their signature does not verify; Other, a reason
	// that only a newer screener knows.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	// +required
	Reason string `json:"reason"`
	// memories that lose trust for this reason.
	// +required
	Memories int64 `json:"memories"`
}
