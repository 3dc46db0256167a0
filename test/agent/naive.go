// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// naive is a memory as many agents have it: it keeps what it is given and returns whatever shares a word with the
// question, wherever it came from.
type naive struct {
	mu      sync.Mutex
	entries []recalledMemory
}

func (n *naive) remember(_ context.Context, source, text string) (stored, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	id := strconv.Itoa(len(n.entries) + 1)
	n.entries = append(n.entries, recalledMemory{ID: id, Content: text, Source: source})
	return stored{ID: id, Recallable: true}, nil
}

func (n *naive) recall(_ context.Context, question string) (recalled, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	asked := words(question)
	found := recalled{Memories: []recalledMemory{}}
	var lines []string
	for _, entry := range n.entries {
		if sharesWord(asked, words(entry.Content)) {
			found.Memories = append(found.Memories, entry)
			lines = append(lines, "- "+entry.Content)
		}
	}
	found.Context = strings.Join(lines, "\n")
	return found, nil
}

// words returns the words of a text that say something about its topic, in lower case.
func words(text string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		if len(word) > 3 {
			set[word] = true
		}
	}
	return set
}

func sharesWord(a, b map[string]bool) bool {
	for word := range a {
		if b[word] {
			return true
		}
	}
	return false
}
