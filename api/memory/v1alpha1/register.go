// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupName of the aggregated API.
const GroupName = "memory.memorytrust.dev"

var (
	// GroupVersion of every kind in this package.
	GroupVersion = schema.GroupVersion{Group: GroupName, Version: "v1alpha1"}

	// SchemeBuilder collects the kinds of this package.
	SchemeBuilder = runtime.NewSchemeBuilder(addKnownTypes)

	// AddToScheme registers the kinds of this package.
	AddToScheme = SchemeBuilder.AddToScheme
)

// Kinds returns an empty object of every kind in this package.
func Kinds() []runtime.Object {
	return []runtime.Object{
		&Memory{}, &MemoryList{}, &MemoryContent{}, &MemoryLog{}, &MemoryXRay{}, &MemoryDeliveries{}, &MemoryDecision{},
		&Contradiction{}, &ContradictionList{}, &ContradictionContent{}, &ContradictionResolution{},
		&Approval{}, &ApprovalList{},
		&MemoryLogOptions{}, &MemoryXRayOptions{}, &MemoryDeliveriesOptions{}, &MemoryWhatIf{}, &MemoryWhatIfOptions{},
		&AgentStore{}, &AgentStoreList{}, &StoreMigration{},
	}
}

func addKnownTypes(s *runtime.Scheme) error {
	s.AddKnownTypes(GroupVersion, Kinds()...)
	metav1.AddToGroupVersion(s, GroupVersion)
	return nil
}
