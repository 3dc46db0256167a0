// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package inject

import (
	"errors"

	"memorytrust.dev/operator/api/v1alpha1"
)

// Request is what the policy in force asks for one pod.
type Request struct {
	// Agent is the value of the pod label memorytrust.dev/agent.
	Agent string
	// Namespace of the pod. It is taken from the admission request: a pod's own metadata may leave it out.
	Namespace string
	// PolicyName is the policy in force, recorded on the pod.
	PolicyName string
	// Image of the screener, and Version it was released as.
	Image   string
	Version string
	// Store, Sidecar and Upstreams are the policy's.
	Store     v1alpha1.StoreSpec
	Sidecar   v1alpha1.SidecarSpec
	Upstreams []v1alpha1.Upstream
}

// errIncomplete says that the caller, not the pod, is at fault.
var errIncomplete = errors.New("injection request lacks the agent, the policy, the screener image or the type of store")

func (r *Request) validate() error {
	if r.Agent == "" || r.PolicyName == "" || r.Image == "" || r.Store.Type == "" {
		return errIncomplete
	}
	return nil
}
