// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"os"
	"strings"
)

// systemLine opens every prompt.
const systemLine = "You are the travel desk's assistant. Follow what you remember."

// agent reads, is told, remembers and asks; a model would answer.
type agent struct {
	memory    memory
	protected bool // the memory is behind MEMORY_URL
}

// newAgent returns an agent whose memory is behind MEMORY_URL, or a naive one where that is not set.
func newAgent() *agent {
	if url := os.Getenv("MEMORY_URL"); url != "" {
		return &agent{memory: newRemote(url), protected: true}
	}
	return &agent{memory: &naive{}}
}

// answer is what the agent would send to the model, and what it knows about it.
type answer struct {
	Prompt    string `json:"prompt"`
	Protected bool   `json:"protected"`
	recalled
}

func (a *agent) ask(ctx context.Context, question string) (answer, error) {
	found, err := a.memory.recall(ctx, question)
	if err != nil {
		return answer{}, fmt.Errorf("recall: %w", err)
	}
	return answer{Prompt: prompt(found, question), Protected: a.protected, recalled: found}, nil
}

// prompt is the text a model would be given. A caution of the memory goes to the model as well.
func prompt(found recalled, question string) string {
	text := systemLine + "\n\nMemories:\n"
	if found.Context == "" {
		text += "(none)"
	} else {
		text += strings.TrimRight(found.Context, "\n")
	}
	if found.Caution != "" {
		text += "\n\nCaution: " + found.Caution
	}
	return text + "\n\nUser: " + question
}
