// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package v1alpha1 holds what people see of agents' memories through the API server, and decide about it. Nothing of it is stored
// there: an aggregated API answers from the screeners, which sign and log every decision.
//
// Content is in the subresource content only, so that RBAC can let people list memories and not read them. What a writer may say freely
// (subject, tags, metadata, the words that screening matched) counts as content.
//
// +kubebuilder:object:generate=true
// +kubebuilder:skip
// +groupName=memory.memorytrust.dev
// +k8s:openapi-gen=true
// +k8s:openapi-model-package=dev.memorytrust.memory.v1alpha1
package v1alpha1
