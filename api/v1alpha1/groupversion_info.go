// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package v1alpha1 holds the Kubernetes API of MemoryTrust.
//
// +kubebuilder:object:generate=true
// +groupName=memorytrust.dev
package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var (
	// GroupVersion of every kind in this package.
	GroupVersion = schema.GroupVersion{Group: "memorytrust.dev", Version: "v1alpha1"}

	// SchemeBuilder collects the kinds of this package.
	SchemeBuilder = runtime.NewSchemeBuilder(addKnownTypes)

	// AddToScheme registers the kinds of this package.
	AddToScheme = SchemeBuilder.AddToScheme
)

func addKnownTypes(s *runtime.Scheme) error {
	s.AddKnownTypes(GroupVersion,
		&MemoryTrustPolicy{}, &MemoryTrustPolicyList{},
		&ProvenanceKey{}, &ProvenanceKeyList{},
		&AgentMemory{}, &AgentMemoryList{},
		&MemoryBenchmark{}, &MemoryBenchmarkList{},
	)
	metav1.AddToGroupVersion(s, GroupVersion)
	return nil
}
