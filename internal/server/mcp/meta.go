// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package mcp

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memorytrust.dev/operator/internal/gate"
)

// Keys of _meta in results of tools and resources.
const (
	metaZone       = "memorytrust.dev/zone"
	metaClass      = "memorytrust.dev/class"
	metaBoundary   = "memorytrust.dev/boundary"
	metaAuthority  = "memorytrust.dev/authority"
	metaCommit     = "memorytrust.dev/commit"
	metaProvenance = "memorytrust.dev/provenance" // of each memory of the result: gate.Receipt, or origin
	metaWithheld   = "memorytrust.dev/withheld"   // how many memories were held back
	metaPending    = "memorytrust.dev/pending"    // how many items wait for a person
	metaReviewID   = "memorytrust.dev/reviewId"
	metaReviewIDs  = "memorytrust.dev/reviewIds"
	metaLowest     = "memorytrust.dev/lowestClass" // of all that was delivered
	metaReview     = "memorytrust.dev/requiresReview"
	metaTruncated  = "memorytrust.dev/truncated"
)

// origin is what stands in _meta about one delivered memory.
type origin struct {
	ID        string `json:"id"`
	Zone      string `json:"zone"`
	Class     string `json:"class"`
	Boundary  string `json:"boundary"`
	Authority string `json:"authority"`
	Commit    string `json:"commit"`
}

func originsOf(memories []gate.Delivered) []origin {
	out := make([]origin, 0, len(memories))
	for _, d := range memories {
		out = append(out, origin{
			ID: d.ID, Zone: string(d.Zone), Class: string(d.Class), Boundary: string(d.Boundary),
			Authority: string(d.Authority), Commit: d.Commit,
		})
	}
	return out
}

func metaOf(d gate.Delivered) mcp.Meta {
	return mcp.Meta{
		metaZone: d.Zone, metaClass: d.Class, metaBoundary: d.Boundary, metaAuthority: d.Authority, metaCommit: d.Commit,
	}
}

func metaOfWrite(w gate.Written) mcp.Meta {
	m := mcp.Meta{metaZone: w.Zone, metaClass: w.Class, metaAuthority: w.Authority, metaCommit: w.Commit}
	if w.ReviewID != "" {
		m[metaReviewID] = w.ReviewID
	}
	return m
}
