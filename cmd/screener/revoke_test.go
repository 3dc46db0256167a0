// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"strings"
	"testing"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/server/admin/cli"
)

// What is typed to take out a source and all that goes back to it, as the guide has it.
func TestAdminRevoke(t *testing.T) {
	s := startStandalone(t)
	root := s.write(`{"content":"Nordwind is paid at DE89370400440532013000.","source":"web:nordwind.example"}`)
	child := s.write(`{"content":"For energy use the account DE89 3704 0044 0532 0130 00."}`)
	kept := s.write(`{"content":"The user prefers green tea."}`)

	preview := s.done("revoke", "--source", "web:nordwind.example", "--reason", "taken over", "--dry-run")
	for _, want := range []string{root, child, "Would change 2 memories: 1 named, 1 that go back", "Nothing was changed", "Rejected", "PendingReview"} {
		if !strings.Contains(preview, want) {
			t.Errorf("no %q in the preview:\n%s", want, preview)
		}
	}
	if strings.Contains(preview, kept) || strings.Contains(preview, "DE89") || strings.Contains(preview, "green tea") {
		t.Errorf("preview:\n%s", preview)
	}
	if out := s.done("revoke", "--source", "web:nordwind.example", "--reason", "x", "--dry-run", "-o", "name"); out != root+"\n"+child+"\n" {
		t.Errorf("names: %q", out)
	}
	stdout, _, code := s.enter("revoke", "--source", "web:nordwind.example", "--reason", "taken over", "-o", "json")
	var done gate.Revoked
	if err := json.Unmarshal([]byte(stdout), &done); err != nil || code != cli.ExitDone || done.Changed != 2 || done.DryRun || done.Items[1].Becomes != memory.Rejected {
		t.Errorf("%d %s (%v)", code, stdout, err)
	}
	if out := s.done("show", child); !strings.Contains(out, "Quarantine") || !strings.Contains(out, "revoked with "+root+": taken over") {
		t.Errorf("show:\n%s", out)
	}
	if out := s.done("revoke", "--source", "web:nordwind.example", "--reason", "again"); !strings.Contains(out, "Changed 0 memories") || strings.Contains(out, "To undo") {
		t.Errorf("again:\n%s", out)
	}
	if out := s.done("list", "--state", "Rejected", "-o", "name"); out != root+"\n" {
		t.Errorf("rejected: %q", out)
	}
	var status struct{ PrimaryKeyID string }
	if err := json.Unmarshal([]byte(s.done("status", "-o", "json")), &status); err != nil {
		t.Fatal(err)
	}
	if out := s.done("revoke", "--key", status.PrimaryKeyID, "--reason", "x", "--dry-run"); !strings.Contains(out, "3 named") || !strings.Contains(out, kept) {
		t.Errorf("by key:\n%s", out)
	}
	s.done("reopen", root, "--reason", "it was a mistake")
	s.done("approve", root, "--reason", "it was a mistake")
	s.done("approve", child, "--reason", "it was a mistake")
	if out := s.done("revoke", "--record", root, "--reason", "it was none"); !strings.Contains(out, "Changed 2 memories") || !strings.Contains(out, "screener admin reopen MEMORY") {
		t.Errorf("by record:\n%s", out)
	}
	for name, args := range map[string][]string{
		"no reason": {"revoke", "--source", "x"}, "nothing": {"revoke", "--reason", "x"}, "an argument": {"revoke", root, "--reason", "x"},
		"two": {"revoke", "--reason", "x", "--source", "x", "--key", "1"},
	} {
		if out, errs, code := s.enter(args...); code != cli.ExitUsage {
			t.Errorf("%s: code %d: %s%s", name, code, out, errs)
		}
	}
	if out, errs, code := s.enter("revoke", "--reason", "x", "--key", "nonsense"); code != cli.ExitFailed || !strings.Contains(errs, "keyID") {
		t.Errorf("no key: code %d: %s%s", code, out, errs)
	}
}
