// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"strings"
	"testing"
)

func TestReferenceIsCurrent(t *testing.T) {
	got, err := os.ReadFile("../../../../../docs/reference/rest.md")
	if err != nil {
		t.Fatal(err)
	}
	if want := document(); string(got) != want {
		t.Error("docs/reference/rest.md is not what the APIs say; run go generate ./internal/server/rest")
	}
}

// Whoever reads a table finds every shape it points to.
func TestEveryLinkHasATarget(t *testing.T) {
	text := document()
	for part := range strings.SplitSeq(text, "](#") {
		name, _, ok := strings.Cut(part, ")")
		if !ok || strings.ContainsAny(name, " |#\n") {
			continue
		}
		if !strings.Contains(strings.ToLower(text), "\n### "+name+"\n") {
			t.Errorf("nothing is described under #%s", name)
		}
	}
}
