// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"memorytrust.dev/operator/internal/memory"
)

func TestDocumentIsCurrent(t *testing.T) {
	document, err := os.ReadFile("../../../../docs/lifecycle.md")
	if err != nil {
		t.Fatal(err)
	}
	want, err := rewrite(document)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(document, want) {
		t.Error("docs/lifecycle.md is not what the table says: run go generate ./internal/memory")
	}
}

func TestRewriteNeedsItsMarkers(t *testing.T) {
	for name, document := range map[string]string{"none": "text\n", "one": begin, "the wrong way round": end + begin} {
		if _, err := rewrite([]byte(document)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestGeneratedNamesEverything(t *testing.T) {
	text := generated()
	for _, action := range memory.Actions {
		if !strings.Contains(text, "| "+string(action)+" |") {
			t.Errorf("no line about %s", action)
		}
	}
	for _, want := range []string{
		"Working --> Trusted: Promote\n", "Quarantine --> Working: Approve, Promote\n", "Active --> Stale: Age\n",
		"| Dispute | Quarantine: PendingReview; Working: PendingReview | same zone, PendingReview |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if strings.Contains(text, "Trusted: PendingReview") {
		t.Error("it shows a standing that no memory reaches")
	}
}
