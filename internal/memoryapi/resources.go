// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryapi

import (
	"k8s.io/apiserver/pkg/registry/rest"
)

// storages returns what serves each resource and subresource.
func storages(s *Service) map[string]rest.Storage {
	ofMemories, ofApprovals := records{s, resourceMemories}, records{s, resourceApprovals}
	ofContradictions := contradictions{s}
	out := map[string]rest.Storage{
		resourceMemories:                    memories{ofMemories},
		resourceMemories + "/content":       content{ofMemories},
		resourceMemories + "/log":           history{ofMemories},
		resourceMemories + "/xray":          xray{ofMemories},
		resourceMemories + "/deliveries":    deliveries{ofMemories},
		resourceMemories + "/whatif":        whatIf{ofMemories},
		resourceApprovals:                   approvals{ofApprovals},
		resourceApprovals + "/content":      content{ofApprovals},
		resourceContradictions:              ofContradictions,
		resourceContradictions + "/content": contradictionContent{ofContradictions},
		resourceContradictions + "/resolve": resolve{ofContradictions},
	}
	out[resourceStores], out[resourceStores+"/migrate"] = stores{s}, migration{stores{s}}
	for _, verb := range Verbs {
		out[resourceMemories+"/"+verb] = decision{of: ofMemories, verb: verb}
	}
	for _, verb := range ApprovalVerbs {
		out[resourceApprovals+"/"+verb] = decision{of: ofApprovals, verb: verb}
	}
	return out
}
