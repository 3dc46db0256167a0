// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// XRay explains one recall, memory by memory. The same value is rendered as text, Markdown and JSON.
type XRay struct {
	Query  string         `json:"query" doc:"What was asked"`
	At     time.Time      `json:"at" doc:"When"`
	Items  []XRayItem     `json:"items" nullable:"false" doc:"What was looked at, best first"`
	Counts map[string]int `json:"counts" doc:"Memories by outcome"`
}

// XRayItem explains why one memory came or did not.
type XRayItem struct {
	ID        string           `json:"id" doc:"Id of the memory"`
	Outcome   string           `json:"outcome" enum:"Delivered,Withheld,Left" doc:"What became of it"`
	Why       string           `json:"why" doc:"Why it was delivered, withheld or left out"`
	Class     provenance.Class `json:"class,omitempty" doc:"Source class"`
	Source    string           `json:"source,omitempty" doc:"Where it came from"`
	Zone      memory.Zone      `json:"zone,omitempty" doc:"Zone"`
	State     memory.State     `json:"state,omitempty" doc:"State"`
	Boundary  memory.Boundary  `json:"boundary,omitempty" doc:"What to do with it"`
	Authority memory.Authority `json:"authority,omitempty" doc:"What it may justify"`
	SourceID  bool             `json:"sourceID" doc:"Whether it names a source"`
	Evidence  bool             `json:"evidence" doc:"Whether it carries a tag over its content"`
	Anchored  bool             `json:"anchored" doc:"Whether source and evidence are there and verify"`
	Trust     float64          `json:"trust,omitempty" doc:"Trust score, 0 to 1"`
	Band      string           `json:"band,omitempty" doc:"Band of the trust score"`
	Parts     *ScoreParts      `json:"parts,omitempty" doc:"What its score is made of"`
	Commit    string           `json:"commit,omitempty" doc:"Version that was looked at"`
	Preview   string           `json:"preview,omitempty" doc:"Beginning of the memory; absent where provenance is missing or it is withheld"`
}

// ScoreParts are the factors of a score, 0 to 1 each.
type ScoreParts struct {
	Relevance float64 `json:"relevance" doc:"How well it answers the query"`
	Trust     float64 `json:"trust" doc:"Where it came from, and what backs that"`
	Decay     float64 `json:"decay" doc:"What age has left of it"`
	Score     float64 `json:"score" doc:"All three multiplied"`
}
