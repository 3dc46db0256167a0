// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import "context"

// memory is where the agent remembers.
type memory interface {
	// remember stores a text and where it came from.
	remember(ctx context.Context, source, text string) (stored, error)
	// recall returns what is remembered about a question.
	recall(ctx context.Context, question string) (recalled, error)
}

// stored is the answer to a write. The naive store fills nothing but ID.
type stored struct {
	ID         string    `json:"id"`
	Zone       string    `json:"zone,omitempty"`
	State      string    `json:"state,omitempty"`
	Class      string    `json:"class,omitempty"`
	Authority  string    `json:"authority,omitempty"`
	Recallable bool      `json:"recallable,omitempty"`
	Message    string    `json:"message,omitempty"`
	Verdict    verdictOn `json:"verdict"`
}

// verdictOn is what screening found in what was stored, by kind.
type verdictOn struct {
	Directive bool     `json:"directive"`
	Reasons   []string `json:"reasons"`
}

// recalled is the answer to a recall.
type recalled struct {
	Context  string           `json:"context"`
	Memories []recalledMemory `json:"memories"`
	Withheld []withheldMemory `json:"withheld,omitempty"`
	Message  string           `json:"message,omitempty"`
	Caution  string           `json:"caution,omitempty"`
}

// recalledMemory is one memory in the prompt. The naive store knows no zone, boundary or authority.
type recalledMemory struct {
	ID        string `json:"id"`
	Content   string `json:"content"`
	Source    string `json:"source,omitempty"`
	Zone      string `json:"zone,omitempty"`
	Boundary  string `json:"boundary,omitempty"`
	Authority string `json:"authority,omitempty"`
}

// withheldMemory is one memory that was kept from the agent.
type withheldMemory struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`
}
